/* check.c - `smb1ctl check`: reads smb.conf as smb1d would and tells what it thinks of it.
 *
 *   check [--verbose] [--parameter-name=P] [--section-name=S] [FILE [HOST IP]]
 *
 * What is wrong goes to standard error, the configuration to standard output as testparm prints
 * it.  With HOST and IP instead: which shares would let that client in, and by which rule. */
#include "ctl/check.h"
#include "conf/conf.h"
#include <popt.h>
#include <stdlib.h>
#include <string.h>

struct options {
	int verbose, quiet_stdin;
	char *parameter, *section, *file, *host, *ip;
};

/* False after a sentence on standard error. */
static bool parse(int argc, const char **argv, struct options *o)
{
	struct poptOption table[] = {
		{ "verbose", 'v', POPT_ARG_NONE, &o->verbose, 0, "show defaults too", NULL },
		{ "suppress-prompt", 's', POPT_ARG_NONE, &o->quiet_stdin, 0,
		  "for scripts written for testparm", NULL },
		{ "parameter-name", 0, POPT_ARG_STRING, &o->parameter, 0, "show this parameter alone",
		  "NAME" },
		{ "section-name", 0, POPT_ARG_STRING, &o->section, 0, "show this section alone", "NAME" },
		POPT_AUTOHELP POPT_TABLEEND
	};
	poptContext pc = poptGetContext("check", argc, argv, table, 0);
	const char *rest[3] = { NULL };
	int rc;

	poptSetOtherOptionHelp(pc, "[OPTION...] [FILE [HOST IP]]");
	while ((rc = poptGetNextOpt(pc)) > 0)
		;
	if (rc < -1)
		fprintf(stderr, "check: %s: %s\n", poptBadOption(pc, 0), poptStrerror(rc));
	for (size_t i = 0; i < 3 && poptPeekArg(pc) != NULL; i++)
		rest[i] = poptGetArg(pc);
	if (rc == -1 && (poptPeekArg(pc) != NULL || (rest[1] != NULL && rest[2] == NULL))) {
		fputs("check: expects [FILE [HOST IP]]\n", stderr);
		rc = -2;
	}
	o->file = rest[0] ? strdup(rest[0]) : NULL;
	o->host = rest[1] ? strdup(rest[1]) : NULL;
	o->ip = rest[2] ? strdup(rest[2]) : NULL;
	poptFreeContext(pc);
	return rc == -1;
}

static void forget(struct options *o)
{
	free(o->parameter);
	free(o->section);
	free(o->file);
	free(o->host);
	free(o->ip);
}

/* One share for one client.  [global] has its say first, as when a client connects; its name counts for nothing, as then. */
static void test_share(const struct conf *c, const struct conf_share *sh, const char *host, const char *ip)
{
	const char *rule;
	bool yes = conf_host_allowed(c->defaults.hosts_allow, c->defaults.hosts_deny, ip, NULL, &rule);

	if (yes)
		yes = conf_host_allowed(sh->p.hosts_allow, sh->p.hosts_deny, ip, NULL, &rule);
	printf("%s connection from %s (%s) to %s", yes ? "Allow" : "Deny", host, ip, sh->name);
	if (*rule)
		printf(" by \"%s\"", rule);
	putchar('\n');
}

static int show(const struct conf *c, const struct options *o)
{
	if (o->parameter && !conf_is_parameter(o->parameter)) {
		fprintf(stderr, "check: there is no parameter \"%s\"\n", o->parameter);
		return 1;
	}
	if (o->section && !conf_is_section(c, o->section)) {
		fprintf(stderr, "check: there is no section [%s]\n", o->section);
		return 1;
	}
	if (o->ip == NULL) {
		conf_print(stdout, c, o->verbose != 0, o->section, o->parameter);
		return 0;
	}
	for (size_t i = 0; i < c->nshares; i++)
		if (c->shares[i]->line != 0)
			test_share(c, c->shares[i], o->host, o->ip);
	return 0;
}

int ctl_check(int argc, const char **argv, const char *conffile)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct options o = { 0 };
	struct conf_source src = { .file = conffile };
	struct conf_report rep;
	struct conf *c;
	int rc = 1;

	if (parse(argc, argv, &o)) {
		if (o.file != NULL)
			src.file = o.file;
		fprintf(stderr, "Load smb config files from %s\n", src.file);
		if (conf_load(mem, &src, &c, &rep)) {
			conf_report_print(stderr, &rep, true);
			fputs("Loaded services file OK.\n", stderr);
			rc = show(c, &o);
		} else {
			conf_report_print(stderr, &rep, true);
			fputs("Error loading services.\n", stderr);
		}
	}
	forget(&o);
	talloc_free(mem);
	return rc;
}
