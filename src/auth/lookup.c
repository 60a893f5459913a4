/* lookup.c - where the keeper looks accounts up: the store, or with `passdb backend = smbpasswd`
 * the text file of that name, which is read again whenever it has changed and never written. */
#include "auth/internal.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/str.h"
#include <sys/stat.h>

#define AGAIN_MS 1000u /* between two tries to put a damaged store back */

struct auth_store {
	struct auth_db *db; /* NULL with a file: the text file; without one: damaged, and not to be put back */
	char *dir;          /* of the store */
	uint64_t opened;    /* clock_ms() of the last try to put it back, 0 none */
	char *file;
	struct smbpasswd *text;
	struct stat seen;
};

char *auth_store_text_file(TALLOC_CTX *mem, const struct conf *c)
{
	const char *backend = c->g.passdb_backend, *colon = strchr(backend, ':');

	if (strncasecmp(backend, "smbpasswd", 9) != 0)
		return NULL;
	return talloc_strdup(mem, colon && colon[1] ? colon + 1 : c->g.smb_passwd_file);
}

/* The old accounts stay when the file cannot be read. */
static bool refresh(struct auth_store *s, TALLOC_CTX *mem, const char **why)
{
	struct smbpasswd *fresh;
	struct stat st;

	*why = NULL;
	if (s->text && stat(s->file, &st) == 0 && st.st_ino == s->seen.st_ino &&
	    st.st_size == s->seen.st_size && st.st_mtim.tv_sec == s->seen.st_mtim.tv_sec &&
	    st.st_mtim.tv_nsec == s->seen.st_mtim.tv_nsec)
		return true;
	if (stat(s->file, &st) != 0)
		memset(&st, 0, sizeof(st));
	fresh = smbpasswd_read(s, mem, s->file, why);
	s->seen = st; /* a bad file is read, and said, once */
	if (!fresh)
		return false;
	talloc_free(s->text);
	s->text = fresh;
	return true;
}

struct auth_store *auth_store_open(TALLOC_CTX *mem, const struct conf *c, const char **why)
{
	struct auth_store *s = talloc_zero(mem, struct auth_store);
	bool ok;

	*why = "out of memory";
	if (!s)
		return NULL;
	s->file = auth_store_text_file(s, c);
	s->dir = talloc_strdup(s, c->g.private_dir);
	if (!s->file && s->dir)
		s->db = talloc_steal(s, auth_db_open(mem, c->g.private_dir, true, why));
	ok = s->file ? refresh(s, mem, why) : s->db != NULL;
	if (!ok)
		TALLOC_FREE(s);
	return s;
}

static int get_text(TALLOC_CTX *mem, struct auth_store *s, const char *user, struct auth_account **out)
{
	TALLOC_CTX *tmp = talloc_new(NULL);
	const struct auth_account *a;
	const char *why;

	if (!refresh(s, tmp, &why))
		log_error(LOG_AUTH, "accounts stay as they were: %s", why);
	talloc_free(tmp);
	for (size_t i = 0; (a = smbpasswd_at(s->text, i)); i++) {
		if (!str_caseeq(a->user, user))
			continue;
		*out = talloc_memdup(mem, a, sizeof(*a));
		if (!*out)
			return -1;
		(*out)->user = talloc_strdup(*out, a->user);
		return 1;
	}
	return 0;
}

/* The store was damaged while we had it open: opening it anew looks at all of it, and takes its copy if need be. */
static bool put_back(struct auth_store *s)
{
	uint64_t now = clock_ms();
	const char *why = "";

	if (s->opened != 0 && now - s->opened < AGAIN_MS)
		return false;
	s->opened = now;
	TALLOC_FREE(s->db);
	s->db = auth_db_open(s, s->dir, false, &why);
	if (!s->db)
		log_error(LOG_AUTH, "no account can log in: %s", why);
	return s->db != NULL;
}

int auth_store_get(TALLOC_CTX *mem, struct auth_store *s, const char *user, struct auth_account **out)
{
	int found = -1;

	*out = NULL;
	if (s->file)
		return get_text(mem, s, user, out);
	if (s->db) {
		auth_db_follow(s->db);
		found = auth_db_get(mem, s->db, user, out);
	}
	return found < 0 && put_back(s) ? auth_db_get(mem, s->db, user, out) : found;
}
