/* ident.c - Unix accounts: from a name to the ids that a request runs with.
 *
 * Started by root, each account has its own ids.  Started by anybody else we could never
 * change ids, so every account is the one we run as; only its name stays. */
#include "auth/internal.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/util.h"
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#define MAX_PWD_BUF (1u << 20)
#define MAX_GROUPS 65536
#define MAX_CASE_TRIES 512 /* look-ups for `username level`, each may read a file */

/* All three: a process that took on a client's identity for a while is still root's. */
bool ident_unprivileged(void)
{
	uid_t r, e, s;

	return getresuid(&r, &e, &s) != 0 || (r != 0 && e != 0 && s != 0);
}

/* The passwd entry by name (or by uid when name is NULL), its strings in *buf, a child of mem. */
static bool lookup(TALLOC_CTX *mem, const char *name, uid_t uid, struct passwd *pw)
{
	size_t size = 1024;

	for (;;) {
		struct passwd *found = NULL;
		char *buf = talloc_size(mem, size);
		int err;

		if (!buf)
			return false;
		err = name ? getpwnam_r(name, pw, buf, size, &found) : getpwuid_r(uid, pw, buf, size, &found);
		if (err == 0 && found)
			return true;
		talloc_free(buf);
		if (err == EINTR)
			continue;
		if (err != ERANGE || size >= MAX_PWD_BUF)
			return false;
		size *= 2;
	}
}

static int by_gid(const void *a, const void *b)
{
	gid_t x = *(const gid_t *)a, y = *(const gid_t *)b;

	return x < y ? -1 : x > y;
}

static bool fill_groups(struct ident *id, const char *user)
{
	int n = 32;

	for (;;) {
		int room = n;

		id->groups = talloc_realloc(id, id->groups, gid_t, (unsigned)n);
		if (!id->groups)
			return false;
		if (getgrouplist(user, id->gid, id->groups, &n) >= 0)
			break;
		n = n > room ? n : room * 2;
		if (n > MAX_GROUPS)
			return false;
	}
	id->ngroups = (uint32_t)n;
	qsort(id->groups, (size_t)n, sizeof(gid_t), by_gid);
	return true;
}

static bool fill_own_groups(struct ident *id)
{
	int n = getgroups(0, NULL);

	if (n < 0)
		return false;
	id->groups = talloc_array(id, gid_t, (unsigned)n + 1);
	if (!id->groups)
		return false;
	n = getgroups(n, id->groups);
	id->ngroups = n < 0 ? 0 : (uint32_t)n;
	qsort(id->groups, id->ngroups, sizeof(gid_t), by_gid);
	return true;
}

/* Name and home of the account; false if out of memory. */
static bool name_it(struct ident *id, const char *user, const char *home)
{
	id->user = talloc_strdup(id, user);
	id->domain = talloc_strdup(id, "");
	id->home = talloc_strdup(id, home ? home : "");
	return id->user && id->domain && id->home;
}

static struct ident *ident_own(TALLOC_CTX *mem, const char *name)
{
	struct ident *id = talloc_zero(mem, struct ident);
	struct passwd pw;
	const char *home = "";

	if (!id)
		return NULL;
	id->uid = geteuid();
	id->gid = getegid();
	if (lookup(id, name, 0, &pw) || lookup(id, NULL, id->uid, &pw))
		home = pw.pw_dir;
	if (!name_it(id, name, home) || !fill_own_groups(id))
		TALLOC_FREE(id);
	return id;
}

/* By name, or by uid when unix_user is NULL. */
static struct ident *ask_system(TALLOC_CTX *mem, const char *unix_user, uid_t uid)
{
	struct ident *id = talloc_zero(mem, struct ident);
	struct passwd pw;

	if (!id)
		return NULL;
	if (!lookup(id, unix_user, uid, &pw))
		goto none;
	id->uid = pw.pw_uid;
	id->gid = pw.pw_gid;
	if (!name_it(id, pw.pw_name, pw.pw_dir) || !fill_groups(id, pw.pw_name))
		goto none;
	return id;
none:
	talloc_free(id);
	return NULL;
}

/* The last few answers, for a moment: a login asks twice for the same account (porch and worker), and a
 * system's user database may cost a hundred system calls.  Nobody waits longer than this for a new group. */
#define KEPT 8
#define KEPT_MS 2000u

static struct { char name[64]; uint64_t at; struct ident *id; } kept[KEPT];

static struct ident *copy(TALLOC_CTX *mem, const struct ident *from)
{
	struct ident *id = talloc_memdup(mem, from, sizeof(*from));

	if (!id)
		return NULL;
	id->groups = talloc_memdup(id, from->groups, sizeof(gid_t) * from->ngroups);
	if (!name_it(id, from->user, from->home) || (from->ngroups > 0 && !id->groups))
		TALLOC_FREE(id);
	return id;
}

static void keep(const char *name, const struct ident *id, uint64_t now)
{
	size_t oldest = 0;

	if (strlen(name) >= sizeof(kept[0].name))
		return;
	for (size_t i = 1; i < KEPT; i++)
		if (kept[i].at < kept[oldest].at)
			oldest = i;
	TALLOC_FREE(kept[oldest].id);
	kept[oldest].id = copy(NULL, id);
	kept[oldest].at = now;
	memcpy(kept[oldest].name, name, strlen(name) + 1);
}

struct ident *auth_ident_of(TALLOC_CTX *mem, const char *unix_user)
{
	uint64_t now = clock_ms();
	struct ident *id;

	if (!*unix_user)
		return NULL;
	if (ident_unprivileged())
		return ident_own(mem, unix_user);
	for (size_t i = 0; i < KEPT; i++)
		if (kept[i].id && now - kept[i].at < KEPT_MS && strcmp(kept[i].name, unix_user) == 0)
			return copy(mem, kept[i].id);
	id = ask_system(mem, unix_user, 0);
	if (id)
		keep(unix_user, id, now);
	return id;
}

struct ident *auth_ident_by_uid(TALLOC_CTX *mem, uid_t uid) { return ask_system(mem, NULL, uid); }

/* Tries the lower-cased name with `left` more letters from `from` on in capitals. */
static struct ident *try_capitals(TALLOC_CTX *mem, char *name, size_t from, unsigned left, unsigned *tries)
{
	struct ident *id;

	if (left == 0) {
		if (*tries == 0)
			return NULL;
		--*tries;
		return auth_ident_of(mem, name);
	}
	for (size_t i = from; name[i]; i++) {
		char was = name[i];

		if (was < 'a' || was > 'z')
			continue;
		name[i] = (char)(was - 'a' + 'A');
		id = try_capitals(mem, name, i + 1, left - 1, tries);
		name[i] = was;
		if (id || *tries == 0)
			return id;
	}
	return NULL;
}

struct ident *ident_find(TALLOC_CTX *mem, const char *name, unsigned level)
{
	struct ident *id = auth_ident_of(mem, name);
	unsigned tries = MAX_CASE_TRIES;
	char *low;

	if (id)
		return id;
	low = str_lower(NULL, name);
	if (!low)
		return NULL;
	if (strlen(low) < AUTH_MAX_NAME)
		for (unsigned n = 0; n <= level && !id && tries > 0; n++)
			id = try_capitals(mem, low, 0, n, &tries);
	talloc_free(low);
	return id;
}

bool ident_in_group(const char *user, const char *group)
{
	TALLOC_CTX *tmp = talloc_new(NULL);
	struct ident *id = talloc_zero(tmp, struct ident);
	struct group gr, *found = NULL;
	struct passwd pw;
	bool in = false;
	size_t size = 1024;
	char *buf;
	int err;

	do {
		size *= 2;
		buf = talloc_size(tmp, size);
		err = buf ? getgrnam_r(group, &gr, buf, size, &found) : ENOMEM;
	} while (err == ERANGE && size < MAX_PWD_BUF);
	if (err == 0 && found && id && lookup(tmp, user, 0, &pw)) {
		id->gid = pw.pw_gid;
		if (fill_groups(id, pw.pw_name))
			for (uint32_t i = 0; i < id->ngroups; i++)
				in |= id->groups[i] == gr.gr_gid;
	}
	talloc_free(tmp);
	return in;
}
