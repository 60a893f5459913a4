/* users.c - `smb1ctl users`: who has an account; smbpasswd(5) lines in and out. */
#include "base/log.h"
#include "base/str.h"
#include "ctl/accounts.h"
#include "ctl/ctl.h"
#include <errno.h>
#include <fcntl.h>
#include <popt.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int ctl_fail(const char *fmt, ...)
{
	va_list ap;

	fputs("smb1ctl: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return 1;
}

static bool load(TALLOC_CTX *mem, const char *conffile, struct conf **c)
{
	struct conf_source src = { .file = conffile };
	struct conf_report rep = { 0 };

	if (conf_load(mem, &src, c, &rep))
		return true;
	for (size_t i = 0; i < rep.n; i++)
		if (rep.msgs[i].kind == CONF_MSG_ERROR)
			ctl_fail("%s", conf_message_line(mem, &rep.msgs[i]));
	return false;
}

bool ctl_open_accounts(TALLOC_CTX *mem, const char *conffile, bool create, struct conf **c,
		       struct auth_db **db)
{
	const char *why, *file;

	if (!load(mem, conffile, c))
		return false;
	if (!str_setup((*c)->g.dos_charset, (*c)->g.unix_charset, &why)) {
		ctl_fail("%s", why);
		return false;
	}
	file = auth_store_text_file(mem, *c);
	if (file) {
		ctl_fail("`passdb backend = smbpasswd`: the accounts are in the text file \"%s\", which "
			 "smb1ctl does not write; `passdb backend = tdbsam` and `smb1ctl users --import "
			 "%s` would take them over",
			 file, file);
		return false;
	}
	*db = auth_db_open(mem, (*c)->g.private_dir, create, &why);
	if (!*db)
		ctl_fail("%s", why);
	return *db != NULL;
}

static void show(const struct auth_account *a, void *arg)
{
	time_t when = (time_t)a->last_set;
	struct tm tm;
	char date[32] = "-";

	if (a->last_set > 0 && localtime_r(&when, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M", &tm);
	printf("%-20s %8lu  %-8s %-7s %s\n", a->user, (unsigned long)a->uid,
	       a->flags & AUTH_ACCT_DISABLED ? "disabled" : "enabled",
	       a->flags & AUTH_ACCT_NO_PASSWORD ? "empty"
	       : a->has_nt && a->has_lm		? "NT+LM"
	       : a->has_nt			? "NT"
	       : a->has_lm			? "LM"
						: "none",
	       date);
	++*(size_t *)arg;
}

static int list(struct auth_db *db)
{
	size_t n = 0;

	printf("%-20s %8s  %-8s %-7s %s\n", "user", "uid", "account", "hashes", "password set");
	if (!auth_db_each(db, show, &n))
		return ctl_fail(
			"some records of the account store are damaged; the %zu readable ones are shown", n);
	return 0;
}

/* Hashes are as good as passwords: the file is for its owner alone. */
static int export_to(struct auth_db *db, const char *file)
{
	int fd = strcmp(file, "-") == 0
			 ? dup(STDOUT_FILENO)
			 : open(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	FILE *to = fd >= 0 ? fdopen(fd, "w") : NULL;
	int n;

	if (!to)
		return ctl_fail("cannot write \"%s\": %s", file, strerror(errno));
	if (strcmp(file, "-") != 0 && fchmod(fd, 0600) != 0)
		ctl_fail("cannot set the mode of \"%s\" to 0600: %s", file, strerror(errno));
	n = auth_db_export(db, to);
	if (fclose(to) != 0 || n < 0)
		return ctl_fail("the accounts could not all be written to \"%s\"", file);
	fprintf(stderr, "%d account(s) written to \"%s\"\n", n, file);
	return 0;
}

static int import_from(struct auth_db *db, const char *file)
{
	const char *why;
	int n = auth_db_import(db, file, &why);

	if (n < 0)
		return ctl_fail("%s", why);
	printf("%d account(s) read from \"%s\"\n", n, file);
	return 0;
}

int ctl_users(int argc, const char **argv, const char *conffile)
{
	char *from = NULL, *to = NULL;
	struct poptOption table[] = {
		{ "import", '\0', POPT_ARG_STRING, &from, 0, "read accounts in smbpasswd(5) form", "FILE" },
		{ "export", '\0', POPT_ARG_STRING, &to, 0, "write accounts in smbpasswd(5) form", "FILE" },
		POPT_AUTOHELP POPT_TABLEEND
	};
	poptContext pc = poptGetContext("smb1ctl users", argc, argv, table, 0);
	TALLOC_CTX *mem = talloc_new(NULL);
	struct auth_db *db;
	struct conf *c;
	int rc = poptGetNextOpt(pc), ret = 1;

	if (rc < -1)
		ctl_fail("users: %s: %s", poptBadOption(pc, 0), poptStrerror(rc));
	else if (poptPeekArg(pc) || (from && to))
		ctl_fail("usage: smb1ctl [-s FILE] users [--import FILE | --export FILE]");
	else if (ctl_open_accounts(mem, conffile, from != NULL, &c, &db))
		ret = from ? import_from(db, from) : to ? export_to(db, to) : list(db);
	talloc_free(mem);
	poptFreeContext(pc);
	free(from);
	free(to);
	return ret;
}
