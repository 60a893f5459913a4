/* smbpasswd.c - accounts as text lines.  smbpasswd(5):
 *
 *   name:uid:LM hash:NT hash:[flags     ]:LCT-hex seconds:
 *
 * A hash is 32 hex digits; 32 X mean none is stored, "NO PASSWORD" in front means an empty one.
 * Older lines have no flags; machine accounts (W, S, I) are of no use to us and left out. */
#include "auth/internal.h"
#include "base/log.h"
#include "base/str.h"
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#define MAX_ACCOUNTS 100000u

enum field { F_HASH, F_NONE, F_EMPTY, F_BAD };

void auth_account_set_password(struct auth_account *a, const char *password, bool want_lm)
{
	bool empty = *password == '\0';

	str_wipe(a->nt, sizeof(a->nt));
	str_wipe(a->lm, sizeof(a->lm));
	a->flags &= ~AUTH_ACCT_NO_PASSWORD;
	a->has_nt = !empty;
	/* longer ones, and letters the code page lacks, have no LM form that a client would find too */
	a->has_lm = want_lm && !empty && str_to_oem(password, NULL, 0) <= 14 && str_fits_oem(password);
	if (empty)
		a->flags |= AUTH_ACCT_NO_PASSWORD;
	if (a->has_nt)
		auth_nt_hash(password, a->nt);
	if (a->has_lm)
		auth_lm_hash(password, a->lm);
	a->last_set = time(NULL);
}

/* ---- reading ---- */

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static enum field read_hash(const char *s, uint8_t hash[16])
{
	if (strncmp(s, "NO PASSWORD", 11) == 0)
		return F_EMPTY;
	if (strlen(s) != 32)
		return F_BAD;
	if (strspn(s, "Xx") == 32 || strspn(s, "*") == 32)
		return F_NONE;
	for (int i = 0; i < 16; i++) {
		int high = hex_digit(s[2 * i]), low = hex_digit(s[2 * i + 1]);

		if (high < 0 || low < 0)
			return F_BAD;
		hash[i] = (uint8_t)(high << 4 | low);
	}
	return F_HASH;
}

/* The next field of *s, cut at its colon; NULL when the line is over. */
static char *next_field(char **s)
{
	char *f = *s, *colon;

	if (!f)
		return NULL;
	colon = strchr(f, ':');
	if (colon)
		*colon++ = '\0';
	*s = colon;
	return f;
}

/* Flags and time; *skip for accounts of machines.  False if malformed. */
static bool read_tail(char *flags, const char *lct, struct auth_account *a, bool *skip)
{
	char *end;

	*skip = false;
	if (!flags || *flags != '[')
		return true; /* older form: names and folders of passwd(5) follow */
	end = strchr(flags, ']');
	if (!end)
		return false;
	*end = '\0';
	if (strpbrk(flags, "WSI"))
		*skip = true;
	if (strchr(flags, 'D'))
		a->flags |= AUTH_ACCT_DISABLED;
	if (strchr(flags, 'N'))
		a->flags |= AUTH_ACCT_NO_PASSWORD;
	if (lct && strncmp(lct, "LCT-", 4) == 0)
		a->last_set = (int64_t)strtoull(lct + 4, NULL, 16);
	return true;
}

/* One line, which is cut up.  NULL if fine, else what is wrong with it. */
static const char *read_line(char *line, struct auth_account *a, bool *skip)
{
	char *rest = line, *name = next_field(&rest), *uid = next_field(&rest), *lm = next_field(&rest);
	char *nt = next_field(&rest), *flags = next_field(&rest), *lct = next_field(&rest), *end = NULL;
	enum field has_lm, has_nt;
	unsigned long id;

	if (!nt)
		return "fewer than four fields";
	if (!*name || strlen(name) > AUTH_MAX_NAME)
		return "no user name, or one that is too long";
	id = strtoul(uid, &end, 10);
	if (end == uid || *end || id > 0xfffffffful)
		return "the second field is no user id";
	has_lm = read_hash(lm, a->lm);
	has_nt = read_hash(nt, a->nt);
	if (has_lm == F_BAD || has_nt == F_BAD)
		return "a password hash is not 32 hexadecimal digits";
	a->user = name;
	a->uid = (uid_t)id;
	a->has_lm = has_lm == F_HASH;
	a->has_nt = has_nt == F_HASH;
	if (!read_tail(flags, lct, a, skip))
		return "the flags have no closing bracket";
	if (has_nt == F_EMPTY || has_lm == F_EMPTY)
		a->flags |= AUTH_ACCT_NO_PASSWORD;
	if (a->flags & AUTH_ACCT_NO_PASSWORD)
		a->has_lm = a->has_nt = false;
	else if (!a->has_lm && !a->has_nt)
		a->flags |= AUTH_ACCT_DISABLED; /* two fields of X */
	return NULL;
}

struct smbpasswd {
	struct auth_account *a;
	size_t n;
};

static int wipe_all(struct smbpasswd *p)
{
	if (p->n)
		str_wipe(p->a, p->n * sizeof(*p->a));
	return 0;
}

static bool keep(struct smbpasswd *p, const struct auth_account *a)
{
	/* doubled and moved by hand, so that no copy of a hash stays behind */
	if (p->n >= MAX_ACCOUNTS)
		return false;
	if ((p->n & (p->n - 1)) == 0) {
		struct auth_account *more =
			talloc_array(p, struct auth_account, p->n ? (unsigned)p->n * 2 : 1);

		if (!more)
			return false;
		if (p->n) {
			memcpy(more, p->a, p->n * sizeof(*more));
			wipe_all(p);
		}
		talloc_free(p->a);
		p->a = more;
	}
	p->a[p->n] = *a;
	p->a[p->n].user = talloc_strdup(p, a->user);
	return p->a[p->n++].user != NULL;
}

static const char *read_lines(FILE *f, struct smbpasswd *p, unsigned *line_no)
{
	char *line = NULL;
	const char *wrong = NULL;
	size_t cap = 0;

	*line_no = 0;
	while (!wrong && getline(&line, &cap, f) >= 0) {
		struct auth_account a = { 0 };
		bool skip = false;

		++*line_no;
		line[strcspn(line, "\r\n")] = '\0';
		if (*line == '\0' || *line == '#')
			continue;
		wrong = read_line(line, &a, &skip);
		if (!wrong && skip)
			log_at(LOG_AUTH, 1, "machine account \"%s\" left out", a.user);
		else if (!wrong && !keep(p, &a))
			wrong = "too many accounts";
		str_wipe(&a, sizeof(a));
		str_wipe(line, cap);
	}
	if (!wrong && ferror(f))
		wrong = strerror(errno);
	free(line);
	return wrong;
}

struct smbpasswd *smbpasswd_read(TALLOC_CTX *mem, TALLOC_CTX *why_mem, const char *file, const char **why)
{
	struct smbpasswd *p = talloc_zero(mem, struct smbpasswd);
	FILE *f = fopen(file, "re");
	const char *wrong = NULL;
	unsigned line = 0;

	*why = NULL;
	if (p)
		talloc_set_destructor(p, wipe_all);
	if (!f)
		*why = talloc_asprintf(why_mem, "cannot open \"%s\": %s", file, strerror(errno));
	else if (p)
		wrong = read_lines(f, p, &line);
	if (wrong)
		*why = talloc_asprintf(why_mem, "%s:%u: %s", file, line, wrong);
	if (f)
		fclose(f);
	if (p && f && !wrong)
		return p;
	if (!*why)
		*why = "out of memory";
	talloc_free(p);
	return NULL;
}

const struct auth_account *smbpasswd_at(const struct smbpasswd *p, size_t i)
{
	return i < p->n ? &p->a[i] : NULL;
}

int auth_db_import(struct auth_db *db, const char *file, const char **why)
{
	struct smbpasswd *p = smbpasswd_read(NULL, db, file, why);
	int n = p ? (int)p->n : -1;

	if (n > 0 && !auth_db_put_many(db, p->a, p->n)) {
		*why = "the account store could not be written; nothing was imported";
		n = -1;
	}
	talloc_free(p);
	return n;
}

/* ---- writing ---- */

static void put_hash(FILE *to, bool has, bool empty, const uint8_t hash[16])
{
	static const char none[] = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX";

	if (has)
		for (int i = 0; i < 16; i++)
			fprintf(to, "%02X", hash[i]);
	else
		fprintf(to, "%s%s:", empty ? "NO PASSWORD" : "", none + (empty ? 11 : 0));
	if (has)
		fputc(':', to);
}

struct export {
	FILE *to;
	int n;
};

static void put_line(const struct auth_account *a, void *arg)
{
	struct export *e = arg;
	bool empty = (a->flags & AUTH_ACCT_NO_PASSWORD) != 0;
	char flags[4];

	snprintf(flags, sizeof(flags), "U%s%s", empty ? "N" : "", a->flags & AUTH_ACCT_DISABLED ? "D" : "");
	fprintf(e->to, "%s:%lu:", a->user, (unsigned long)a->uid);
	put_hash(e->to, a->has_lm, empty, a->lm);
	put_hash(e->to, a->has_nt, empty, a->nt);
	fprintf(e->to, "[%-11s]:LCT-%08llX:\n", flags, (unsigned long long)a->last_set);
	e->n++;
}

int auth_db_export(struct auth_db *db, FILE *to)
{
	struct export e = { .to = to };

	if (!auth_db_each(db, put_line, &e) || fflush(to) != 0 || ferror(to))
		return -1;
	return e.n;
}
