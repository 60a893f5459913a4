/* main.c - the command line of smb1d. */
#include "base/util.h"
#include "proc/proc.h"
#include "smb1d_version.h"
#include <popt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_OVERRIDE = 1000, OPT_BUILD, OPT_VERSION };

#define OVERRIDES_MAX 256

static struct {
	char *conf_file, *log_dir, *debug_level, *ports, *override;
	int daemon, foreground, interactive, to_stdout, ignored;
} opt;

static const struct poptOption options[] = {
	{ "configfile", 's', POPT_ARG_STRING, &opt.conf_file, 0, "use this configuration file", "FILE" },
	{ "daemon", 'D', POPT_ARG_NONE, &opt.daemon, 0, "become a daemon (default)", NULL },
	{ "foreground", 'F', POPT_ARG_NONE, &opt.foreground, 0, "stay in the foreground", NULL },
	{ "interactive", 'i', POPT_ARG_NONE, &opt.interactive, 0,
	  "serve one client: on standard input, or the first one accepted", NULL },
	{ "debug-stdout", 'S', POPT_ARG_NONE, &opt.to_stdout, 0, "log to standard output", NULL },
	{ "debuglevel", 'd', POPT_ARG_STRING, &opt.debug_level, 0, "debug level, 0 to 10", "N" },
	{ "log-basename", 'l', POPT_ARG_STRING, &opt.log_dir, 0, "folder of the log file", "DIR" },
	{ "port", 'p', POPT_ARG_STRING, &opt.ports, 0, "listen on these ports", "LIST" },
	{ "option", 0, POPT_ARG_STRING, &opt.override, OPT_OVERRIDE, "set a parameter of [global]", "NAME=VALUE" },
	{ "no-process-group", 0, POPT_ARG_NONE, &opt.ignored, 0, "accepted; changes nothing", NULL },
	{ "build-options", 'b', POPT_ARG_NONE, NULL, OPT_BUILD, "show how smb1d was built", NULL },
	{ "version", 'V', POPT_ARG_NONE, NULL, OPT_VERSION, "show the version", NULL },
	POPT_AUTOHELP
	POPT_TABLEEND
};

static void show_build(void)
{
	printf("smb1d %s\n", SMB1D_VERSION);
	printf("configuration file: %s\nlog folder: %s\n", SMB1D_CONFIG_FILE, SMB1D_LOG_DIR);
	printf("compiler: %s\nlargest file offset: %zu bits\n", __VERSION__, sizeof(off_t) * 8);
	printf("protocols: CORE to NT1 (SMB1)\n");
}

/* 0: go on; else the exit status + 1. */
static int parse(poptContext ctx, const char **overrides)
{
	size_t n = 0;
	int rc;

	while ((rc = poptGetNextOpt(ctx)) > 0) {
		switch (rc) {
		case OPT_BUILD:
			show_build();
			return 1;
		case OPT_VERSION:
			printf("smb1d %s\n", SMB1D_VERSION);
			return 1;
		case OPT_OVERRIDE:
			if (!strchr(opt.override, '=') || n == OVERRIDES_MAX) {
				fprintf(stderr, "smb1d: --option wants NAME=VALUE, not \"%s\"\n", opt.override);
				return 2;
			}
			overrides[n++] = opt.override;
			opt.override = NULL; /* popt would free it at the next one */
			break;
		}
	}
	if (rc < -1) {
		fprintf(stderr, "smb1d: %s: %s\n", poptBadOption(ctx, POPT_BADOPTION_NOALIAS), poptStrerror(rc));
		return 2;
	}
	if (poptPeekArg(ctx)) {
		fprintf(stderr, "smb1d: \"%s\" is not understood; see smb1d --help\n", poptPeekArg(ctx));
		return 2;
	}
	return 0;
}

int main(int argc, const char **argv)
{
	static const char *overrides[OVERRIDES_MAX + 1] SELDOM;
	struct proc_options o = { 0 };
	poptContext ctx = poptGetContext("smb1d", argc, argv, options, 0);
	int rc = parse(ctx, overrides);

	if (rc > 0) {
		poptFreeContext(ctx);
		return rc - 1;
	}
	o.conf_file = opt.conf_file ? opt.conf_file : SMB1D_CONFIG_FILE;
	o.overrides = overrides;
	o.log_dir = opt.log_dir;
	o.debug_level = opt.debug_level;
	o.ports = opt.ports;
	o.foreground = opt.foreground;
	o.interactive = opt.interactive;
	o.log_to_stdout = opt.to_stdout;
	rc = proc_run(&o);
	poptFreeContext(ctx);
	return rc;
}
