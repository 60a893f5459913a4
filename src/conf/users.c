/* users.c - is a user named in `valid users` and the like?
 *
 *   anna            the account, blind to case
 *   DOMAIN\anna     the same, if DOMAIN is ours
 *   @staff, +staff, &staff   a Unix group of the user */
#include "conf/room.h"
#include "base/str.h"
#include <grp.h>
#include <string.h>

static bool group_id(const char *name, const struct conf *c, gid_t *gid)
{
	const struct group *gr;

	for (size_t i = 0; c != NULL && i < c->ngroups; i++)
		if (strcmp(c->groups[i].name, name) == 0) {
			*gid = c->groups[i].gid;
			return true;
		}
	gr = getgrnam(name);
	if (gr != NULL)
		*gid = gr->gr_gid;
	return gr != NULL;
}

static bool in_group(const char *name, const gid_t *gids, size_t ngids, const struct conf *c)
{
	gid_t gid;

	if (*name == '\0' || !group_id(name, c, &gid))
		return false;
	for (size_t i = 0; i < ngids; i++)
		if (gids[i] == gid)
			return true;
	return false;
}

/* The user part of DOMAIN\user; NULL if the domain is another one than ours. */
static const char *own_user(const char *item, const struct conf_macros *m)
{
	const char *slash = strrchr(item, '\\');
	size_t len;
	const char *ours[4] = { NULL };

	if (slash == NULL)
		return item;
	len = (size_t)(slash - item);
	if (m != NULL) {
		ours[0] = m->domain;
		ours[1] = m->host_name;
		ours[2] = m->conf ? m->conf->g.workgroup : NULL;
		ours[3] = m->conf ? m->conf->g.netbios_name : NULL;
	}
	for (size_t i = 0; i < 4; i++)
		if (ours[i] && strlen(ours[i]) == len && strncasecmp(ours[i], item, len) == 0)
			return slash + 1;
	return NULL;
}

static bool item_matches(const char *item, const char *user, const gid_t *gids, size_t ngids,
			 const struct conf_macros *m)
{
	size_t marks = strspn(item, "@+&");
	const char *name = own_user(item + marks, m);

	if (name == NULL || *name == '\0')
		return false;
	if (marks)
		return in_group(name, gids, ngids, m ? m->conf : NULL);
	return str_caseeq(name, user);
}

bool conf_user_in(const char *const *list, const char *user, const gid_t *gids, size_t ngids,
		  const struct conf_macros *m, const char **rule)
{
	if (rule != NULL)
		*rule = "";
	for (; *list; list++) {
		char *item = conf_expand(NULL, *list, m);
		bool yes = item_matches(item, user, gids, ngids, m);

		talloc_free(item);
		if (yes) {
			if (rule != NULL)
				*rule = *list;
			return true;
		}
	}
	return false;
}

const char *conf_kept_out(const struct conf_share *s, const struct ident *id, const struct conf_macros *m, const char **rule)
{
	const struct conf_params *p = &s->p;

	if (conf_user_in(p->invalid_users, id->user, id->groups, id->ngroups, m, rule))
		return "invalid users";
	if (p->valid_users[0] && !conf_user_in(p->valid_users, id->user, id->groups, id->ngroups, m, NULL))
		return "valid users";
	return NULL;
}

bool conf_may_write(const struct conf_share *s, const struct ident *id, const struct conf_macros *m)
{
	const struct conf_params *p = &s->p;

	if (conf_user_in(p->write_list, id->user, id->groups, id->ngroups, m, NULL))
		return true;
	return (!p->read_only || s->kind == CONF_PRINTER) &&
	       !conf_user_in(p->read_list, id->user, id->groups, id->ngroups, m, NULL);
}
