/* main.c - smb1ctl: one tool, a verb each for what an admin wants to know or do. */
#include "ctl/ctl.h"
#include "smb1d_version.h"
#include <popt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct verb {
	const char *name;
	int (*run)(int argc, const char **argv, const char *conffile);
	const char *usage, *help; /* help NULL: not shown */
} verbs[] = {
	{ "check", ctl_check, "[--verbose] [--parameter-name=P] [--section-name=S] [FILE [HOST IP]]",
	  "check and show the configuration" },
	{ "passwd", ctl_passwd, "[-a|-x|-d|-e|-n] [-i] [USER]",
	  "set a password; add (a), delete (x), disable, enable accounts" },
	{ "users", ctl_users, "[--import FILE] [--export FILE]", "list, import and export accounts" },
	{ "status", ctl_status, "[--json] [--locks|--shares|--processes]", "who is connected, with what open" },
	{ "reload", ctl_control, "", "let the daemon read its configuration again" },
	{ "stop", ctl_control, "", "end the daemon" },
	{ "ping", ctl_control, "", "is it there?" },
	{ "clients", ctl_control, "", "one line per connection" },
	{ "walls", ctl_control, "", "which walls around its processes stand" },
	{ "debug", ctl_control, "N", "debug level of all processes" },
	{ "kill-client", ctl_control, "ADDR", "end all connections of an address" },
	{ "close-share", ctl_control, "NAME", "close a share for all clients" },
	{ "why", ctl_control, "[ADDR|USER|SHARE]", "the latest refusals: which rule said no, and what would allow it" },
	{ "manual", ctl_manual, "", NULL },
};

static void usage(FILE *to)
{
	fprintf(to, "usage: smb1ctl [-s FILE] VERB ...\n");
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (verbs[i].help)
			fprintf(to, "  %s %s\n      %s\n", verbs[i].name, verbs[i].usage, verbs[i].help);
	fprintf(to, "  -s, --configfile=FILE   instead of %s\n  -V, --version\n", SMB1D_CONFIG_FILE);
}

static int run_verb(const char **argv, const char *conffile)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(argv[0], verbs[i].name) == 0)
			return verbs[i].run(argc, argv, conffile);
	fprintf(stderr, "smb1ctl: unknown verb \"%s\"; see smb1ctl --help\n", argv[0]);
	return 1;
}

int main(int argc, const char **argv)
{
	char *conffile = NULL;
	const struct poptOption options[] = {
		{ "configfile", 's', POPT_ARG_STRING, &conffile, 0, NULL, NULL },
		{ "version", 'V', POPT_ARG_NONE, NULL, 'V', NULL, NULL },
		{ "help", '?', POPT_ARG_NONE, NULL, '?', NULL, NULL },
		POPT_TABLEEND
	};
	/* options behind the verb belong to the verb */
	poptContext ctx = poptGetContext("smb1ctl", argc, argv, options, POPT_CONTEXT_POSIXMEHARDER);
	int rc = poptGetNextOpt(ctx), status = 1;
	const char **rest;

	if (rc == 'V') {
		printf("smb1ctl %s\n", SMB1D_VERSION);
		status = 0;
	} else if (rc == '?') {
		usage(stdout);
		status = 0;
	} else if (rc < -1) {
		fprintf(stderr, "smb1ctl: %s: %s\n", poptBadOption(ctx, POPT_BADOPTION_NOALIAS), poptStrerror(rc));
	} else if ((rest = poptGetArgs(ctx)) == NULL) {
		usage(stderr);
	} else {
		status = run_verb(rest, conffile ? conffile : SMB1D_CONFIG_FILE);
	}
	poptFreeContext(ctx);
	free(conffile);
	return status;
}
