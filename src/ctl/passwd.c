/* passwd.c - `smb1ctl passwd [-a|-x|-d|-e|-n] [-i] [--lm] [USER]`: one account.  smbpasswd(8).
 *
 *   (nothing)  new password      -a  add, with a password (or -n without)    -x  delete
 *   -d / -e    disable / enable  -n  empty password (needs `null passwords`)
 *   -i         the password, twice, from standard input
 *   --lm       store an LM hash too, whatever `lanman auth` says */
#include "base/str.h"
#include "ctl/accounts.h"
#include "ctl/ctl.h"
#include <popt.h>
#include <pwd.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#define MAX_PASSWORD 256 /* characters, as Windows has it */
#define PASSWORD_BUF (MAX_PASSWORD * 4 + 2)

struct wish {
	int add, delete, disable, enable, empty, from_stdin, lm;
};

/* ---- the password ---- */

/* One line without its end.  False at the end of input or if it is too long. */
static bool read_line(char *buf, size_t cap)
{
	size_t n = 0;
	int c;

	while ((c = getchar()) != EOF && c != '\n') {
		if (n == cap - 1)
			return false;
		buf[n++] = (char)c;
	}
	if (n > 0 && buf[n - 1] == '\r')
		n--;
	buf[n] = '\0';
	return c != EOF || n > 0;
}

static bool prompt(const char *what, const char *user, char *buf, size_t cap)
{
	struct termios old, quiet;
	bool ok;

	if (tcgetattr(STDIN_FILENO, &old) != 0)
		return false;
	quiet = old;
	quiet.c_lflag &= ~(tcflag_t)ECHO;
	quiet.c_lflag |= ECHONL;
	fprintf(stderr, "%s for %s: ", what, user);
	fflush(stderr);
	tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
	ok = read_line(buf, cap);
	tcsetattr(STDIN_FILENO, TCSAFLUSH, &old);
	return ok;
}

static size_t characters(const char *s)
{
	size_t n = 0;

	while (str_next(&s))
		n++;
	return n;
}

/* Reads it twice, in the charset of the system. */
static bool read_twice(const char *user, bool from_stdin, char *buf, char *again, size_t cap)
{
	if (from_stdin)
		return read_line(buf, cap) && read_line(again, cap);
	return prompt("New password", user, buf, cap) && prompt("The same again", user, again, cap);
}

/* The password in UTF-8 into buf; false has been said. */
static bool ask_password(TALLOC_CTX *mem, const char *user, bool from_stdin, char *buf, size_t cap)
{
	char again[PASSWORD_BUF] = "";
	const char *utf8 = NULL, *wrong = NULL;
	bool same;

	setvbuf(stdin, NULL, _IONBF, 0); /* leaves no copy in a buffer of the library */
	if (!from_stdin && !isatty(STDIN_FILENO)) {
		ctl_fail("passwd: standard input is no terminal; -i reads the password, twice, from there");
		return false;
	}
	if (read_twice(user, from_stdin, buf, again, sizeof(again)))
		utf8 = str_from_disk(mem, buf);
	same = strcmp(buf, again) == 0;
	str_wipe(again, sizeof(again));
	if (!utf8)
		wrong = "no password was read twice, or it is too long";
	else if (!same)
		wrong = "the two passwords differ";
	else if (*utf8 == '\0')
		wrong = "an empty password is set with -n";
	else if (characters(utf8) > MAX_PASSWORD || strlen(utf8) >= cap)
		wrong = "a password has at most 256 characters";
	if (wrong)
		ctl_fail("passwd: %s; nothing was changed", wrong);
	else
		memmove(buf, utf8, strlen(utf8) + 1);
	return !wrong;
}

/* ---- the account ---- */

static bool wants_lm(TALLOC_CTX *mem, const struct conf *c, const char *user)
{
	const struct ident *id = auth_ident_of(mem, user);

	return conf_wants_lm(c, user, id ? id->groups : NULL, id ? id->ngroups : 0);
}

static bool set_password(TALLOC_CTX *mem, const struct conf *c, const struct wish *w, struct auth_account *a)
{
	char password[PASSWORD_BUF] = "";
	bool ok = w->empty || ask_password(mem, a->user, w->from_stdin, password, sizeof(password));

	if (ok)
		auth_account_set_password(a, password, w->lm || wants_lm(mem, c, a->user));
	if (ok && w->lm && !w->empty && !a->has_lm)
		fputs("smb1ctl: no LM hash was stored: it takes at most 14 characters, all in `dos "
		      "charset`\n",
		      stderr);
	str_wipe(password, sizeof(password));
	return ok;
}

/* The account as it is, or a new one with -a.  NULL has been said. */
static struct auth_account *find(TALLOC_CTX *mem, struct auth_db *db, const struct wish *w, const char *user)
{
	struct auth_account *a;
	struct ident *id;
	int found = auth_db_get(mem, db, user, &a);

	if (found == 1)
		return a;
	if (!w->add) {
		ctl_fail(found < 0 ? "passwd: the record of \"%s\" is damaged; -a writes it anew" :
				     "passwd: \"%s\" has no account; -a adds it", user);
		return NULL;
	}
	id = auth_ident_of(mem, user);
	if (!id) {
		ctl_fail("passwd: \"%s\" is no Unix account; make one first, for example with useradd", user);
		return NULL;
	}
	a = talloc_zero(mem, struct auth_account);
	if (a) {
		a->user = id->user;
		a->uid = id->uid;
	}
	return a;
}

static int change(TALLOC_CTX *mem, const struct conf *c, struct auth_db *db, const struct wish *w,
		  const char *user)
{
	bool only_flag = !w->add && !w->empty && (w->disable || w->enable);
	struct auth_account *a;
	bool ok;

	if (w->delete) {
		if (!auth_db_delete(db, user))
			return ctl_fail("passwd: \"%s\" has no account, or the store cannot be written",
					user);
		printf("account \"%s\" deleted\n", user);
		return 0;
	}
	a = find(mem, db, w, user);
	if (!a || (!only_flag && !set_password(mem, c, w, a)))
		return 1;
	if (w->disable)
		a->flags |= AUTH_ACCT_DISABLED;
	if (w->enable)
		a->flags &= ~AUTH_ACCT_DISABLED;
	ok = auth_db_put(db, a);
	if (ok)
		printf("account \"%s\" %s\n", a->user,
		       !only_flag   ? "stored"
		       : w->disable ? "disabled"
				    : "enabled");
	str_wipe(a->nt, sizeof(a->nt));
	str_wipe(a->lm, sizeof(a->lm));
	return ok ? 0 : ctl_fail("passwd: the account store could not be written");
}

static const char *who_am_i(TALLOC_CTX *mem)
{
	struct passwd *pw = getpwuid(getuid());

	return pw ? talloc_strdup(mem, pw->pw_name) : NULL;
}

static int run(const struct wish *w, const char *user, const char *conffile)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct auth_db *db;
	struct conf *c;
	int ret = 1;

	if (!user)
		user = who_am_i(mem);
	if (!user || !*user || strlen(user) > AUTH_MAX_NAME || strpbrk(user, ":\n\r/\\"))
		ctl_fail("passwd: a user name of 1 to %d bytes without : / \\ is needed", AUTH_MAX_NAME);
	else if (ctl_open_accounts(mem, conffile, w->add != 0, &c, &db))
		ret = change(mem, c, db, w, user);
	talloc_free(mem);
	return ret;
}

int ctl_passwd(int argc, const char **argv, const char *conffile)
{
	struct wish w = { 0 };
	struct poptOption table[] = {
		{ "add", 'a', POPT_ARG_NONE, &w.add, 0, "add the account", NULL },
		{ "delete", 'x', POPT_ARG_NONE, &w.delete, 0, "delete the account", NULL },
		{ "disable", 'd', POPT_ARG_NONE, &w.disable, 0, "disable the account", NULL },
		{ "enable", 'e', POPT_ARG_NONE, &w.enable, 0, "enable the account", NULL },
		{ "no-password", 'n', POPT_ARG_NONE, &w.empty, 0, "give it an empty password", NULL },
		{ "stdin", 'i', POPT_ARG_NONE, &w.from_stdin, 0, "password, twice, from standard input",
		  NULL },
		{ "silent", 's', POPT_ARG_NONE, &w.from_stdin, 0, "the same, as smbpasswd calls it", NULL },
		{ "lm", '\0', POPT_ARG_NONE, &w.lm, 0, "store an LM hash too", NULL },
		POPT_AUTOHELP POPT_TABLEEND
	};
	poptContext pc = poptGetContext("smb1ctl passwd", argc, argv, table, 0);
	int rc = poptGetNextOpt(pc), ret = 1;
	const char *user = rc == -1 ? poptGetArg(pc) : NULL;

	if (rc < -1)
		ctl_fail("passwd: %s: %s", poptBadOption(pc, 0), poptStrerror(rc));
	else if (poptPeekArg(pc))
		ctl_fail("passwd: one user at a time");
	else if ((w.delete && (w.add || w.disable || w.enable || w.empty)) || (w.disable && w.enable))
		ctl_fail("passwd: these options contradict each other");
	else
		ret = run(&w, user, conffile);
	poptFreeContext(pc);
	return ret;
}
