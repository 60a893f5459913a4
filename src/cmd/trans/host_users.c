/* host_users.c - Unix users and groups, as lsarpc and samr show them. */
#include "cmd/trans/host.h"
#include "base/str.h"
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>

#define FIRST_PERSON 1000u /* below are the system's own accounts, left out of lists */
#define LAST_PERSON 60000u
#define USERS_MAX 65536u

/* The first of the comma separated pieces of the GECOS field. */
static const char *full_name(TALLOC_CTX *mem, const struct passwd *pw)
{
	const char *s = pw->pw_gecos ? talloc_strndup(mem, pw->pw_gecos, strcspn(pw->pw_gecos, ",")) : NULL;

	return s ? s : "";
}

static bool user_account(TALLOC_CTX *mem, const struct passwd *pw, struct rpc_account *out)
{
	*out = (struct rpc_account){ .id = pw->pw_uid, .name = talloc_strdup(mem, pw->pw_name),
				     .full_name = full_name(mem, pw) };
	return out->name != NULL;
}

static bool group_account(TALLOC_CTX *mem, const struct group *gr, struct rpc_account *out)
{
	*out = (struct rpc_account){ .id = gr->gr_gid, .group = true, .name = talloc_strdup(mem, gr->gr_name),
				     .full_name = "" };
	return out->name != NULL;
}

/* As written, or else in small letters as Unix names are. */
static bool account_by_name(void *arg, const char *name, struct rpc_account *out)
{
	struct view *v = arg;
	char *small = str_lower(v->q->mem, name);
	const struct passwd *pw = getpwnam(name);
	const struct group *gr;

	if (!pw && small)
		pw = getpwnam(small);
	if (pw)
		return user_account(v->q->mem, pw, out);
	gr = getgrnam(name);
	if (!gr && small)
		gr = getgrnam(small);
	return gr && group_account(v->q->mem, gr, out);
}

static bool account_by_id(void *arg, bool group, uint32_t id, struct rpc_account *out)
{
	struct view *v = arg;
	const struct passwd *pw = group ? NULL : getpwuid(id);
	const struct group *gr = group ? getgrgid(id) : NULL;

	return pw ? user_account(v->q->mem, pw, out) : gr && group_account(v->q->mem, gr, out);
}

static int by_id(const void *a, const void *b)
{
	const struct rpc_account *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static bool is_shown(const struct view *v, const struct passwd *pw)
{
	const struct session *s = v->q->s;

	return (pw->pw_uid >= FIRST_PERSON && pw->pw_uid <= LAST_PERSON) ||
	       (s->account && strcmp(pw->pw_name, s->account) == 0);
}

static struct host_users *all_users(struct view *v)
{
	struct host_users *u = talloc_zero(v->q->mem, struct host_users);
	const struct passwd *pw;
	struct rpc_account a;

	if (!u)
		return NULL;
	setpwent();
	while (u->n < USERS_MAX && (pw = getpwent()) != NULL) {
		if (!is_shown(v, pw) || !user_account(u, pw, &a))
			continue;
		u->list = talloc_realloc(u, u->list, struct rpc_account, (unsigned)u->n + 1);
		if (!u->list) {
			u->n = 0;
			break;
		}
		u->list[u->n++] = a;
	}
	endpwent();
	if (u->n > 0)
		qsort(u->list, u->n, sizeof(*u->list), by_id);
	return u;
}

static bool account(void *arg, size_t i, struct rpc_account *out)
{
	struct view *v = arg;

	if (!v->users)
		v->users = all_users(v);
	if (!v->users || i >= v->users->n)
		return false;
	*out = v->users->list[i];
	return true;
}

void host_users(struct rpc_host *h)
{
	h->account_by_name = account_by_name;
	h->account_by_id = account_by_id;
	h->account = account;
}
