/* profile.c - `smb1d: profile`: sets of settings for families of clients, for all or for some addresses.
 *
 *   smb1d: profile = ps2:192.168.1.0/24, dos:192.168.2.7, windows
 *
 * The first item that means the client counts; one without an address means everybody. */
#include "conf/room.h"
#include <string.h>

static const struct profile_row {
	const char *profile, *param, *text, *why; /* profile: a heading, and why says whom it is for */
} rows[] = {
#define PROFILE(name, who) { name, NULL, NULL, who },
#define SET(param, value, why) { NULL, param, value, why },
#include "conf/profiles.def"
#undef PROFILE
#undef SET
};
static const size_t row_count = sizeof(rows) / sizeof(rows[0]);

static const struct profile_row *profile_find(const char *name, size_t len)
{
	for (size_t i = 0; i < row_count; i++)
		if (rows[i].profile && strlen(rows[i].profile) == len && strncasecmp(rows[i].profile, name, len) == 0)
			return &rows[i];
	return NULL;
}

/* The profile of an item such as "ps2:192.168.1.0/24", and the address behind it or NULL. */
static const struct profile_row *item_profile(const char *item, const char **addr)
{
	size_t n = strcspn(item, ":");

	*addr = item[n] ? item + n + 1 : NULL;
	return profile_find(item, n);
}

static const struct profile_row *for_client(const struct conf *c, const char *addr)
{
	for (const char *const *item = c->g.smb1d_profile; *item; item++) {
		const char *where, *list[2] = { NULL, NULL };
		const struct profile_row *p = item_profile(*item, &where);

		list[0] = where;
		if (p && (!where || (addr && *addr && conf_client_rule(list, &(struct conf_peer){ .addr = addr }) > 0)))
			return p;
	}
	return NULL;
}

static bool last(const struct profile_row *r) { return r == rows + row_count || r->profile; }

static const struct param *row_param(const struct profile_row *r)
{
	bool inverse;

	return param_find(r->param, &inverse);
}

/* A fence of the admin's and one of the profile that leave nothing in between: the admin's counts. */
static void mend_fences(const struct conf *c, struct conf_globals *g)
{
	bool inverse;

	if (g->server_min_protocol <= g->server_max_protocol)
		return;
	if (set_find(&c->set, param_find("server min protocol", &inverse)))
		g->server_max_protocol = g->server_min_protocol;
	else
		g->server_min_protocol = g->server_max_protocol;
}

void conf_profile_globals(TALLOC_CTX *mem, const struct conf *c, const char *addr, struct conf_globals *g)
{
	const struct profile_row *r = for_client(c, addr);

	for (r = r ? r + 1 : NULL; r && !last(r); r++) {
		const struct param *p = row_param(r);

		if (p->global && !set_find(&c->set, p))
			(void)convert(mem, p, r->text, false, (char *)g + p->offset);
	}
	mend_fences(c, g);
}

static void apply_to_shares(struct conf *c, const struct param *p, const char *text)
{
	(void)convert(c, p, text, false, (char *)&c->defaults + p->offset);
	for (size_t i = 0; i < c->nshares; i++)
		if (!set_find(&c->shares[i]->set, p))
			(void)convert(c, p, text, false, (char *)&c->shares[i]->p + p->offset);
}

void conf_profile_apply(struct conf *c, const char *addr)
{
	const struct profile_row *head = for_client(c, addr);
	struct where w = { head ? talloc_asprintf(c, "profile %s", head->profile) : "", 0 };

	if (!head)
		return;
	conf_profile_globals(c, c, addr, &c->g);
	for (const struct profile_row *r = head + 1; !last(r); r++) {
		const struct param *p = row_param(r);

		if (set_find(&c->set, p))
			continue;
		if (!p->global)
			apply_to_shares(c, p, r->text);
		set_note(c, c, &c->set, p, w);
	}
}

/* The first row of a profile that some item names and that sets this parameter; NULL if none does. */
static bool any_profile_sets(const struct conf *c, const char *param, const char *text)
{
	for (const char *const *item = c->g.smb1d_profile; *item; item++) {
		const char *where;
		const struct profile_row *r = item_profile(*item, &where);

		for (r = r ? r + 1 : NULL; r && !last(r); r++)
			if (strcmp(r->param, param) == 0 && strcmp(r->text, text) == 0 && !set_find(&c->set, row_param(r)))
				return true;
	}
	return false;
}

bool conf_wants_lm(const struct conf *c, const char *user, const gid_t *gids, size_t ngids)
{
	const struct conf_macros m = { .conf = c };

	if (!c->g.lanman_auth && !c->g.smb1d_lanman_clients[0] && !any_profile_sets(c, "lanman auth", "yes"))
		return false;
	return !c->g.smb1d_lanman_users[0] || conf_user_in(c->g.smb1d_lanman_users, user, gids, ngids, &m, NULL);
}

/* ---- what `smb1ctl check` says ---- */

static void say_row(const struct conf *c, const struct profile_row *r, const char *item, struct where w,
		    struct report *rep)
{
	const struct param *p = row_param(r);
	const struct conf_set *set = set_find(&c->set, p);

	if (set && set->line)
		report_note(rep, w, "profile %s: \"%s\" stays as line %u of %s has it, not %s", item, r->param, set->line,
			    c->files[set->file], r->text);
	else if (set)
		report_note(rep, w, "profile %s: \"%s\" stays as %s has it, not %s", item, r->param, c->files[set->file], r->text);
	else
		report_note(rep, w, "profile %s: \"%s\" becomes %s (%s)", item, r->param, r->text, r->why);
}

void profile_check(struct conf *c, const struct store *s, struct report *rep)
{
	const struct setting *set = store_get(s->sec[0], "smb1d: profile");
	struct where w = set ? set->w : s->sec[0]->w;

	for (const char *const *item = c->g.smb1d_profile; *item; item++) {
		const char *addr;
		const struct profile_row *r = item_profile(*item, &addr);

		if (!r) {
			report_error(rep, w, "smb1d: profile: there is no profile \"%.*s\"; there are ps2, dos, scanner, win9x, "
				     "windows, linux", (int)strcspn(*item, ":"), *item);
			continue;
		}
		if (addr && (*addr == '\0' || conf_client_vague(addr)))
			report_error(rep, w, "smb1d: profile: \"%s\" is no address or network", addr);
		for (r++; !last(r); r++)
			say_row(c, r, *item, w, rep);
		if (!addr && item[1])
			report_warning(rep, w, "smb1d: profile: %s is for everybody, so nothing behind it counts", *item);
	}
}

/* ---- the page ---- */

static const char page_head[] =
	"# Profiles\n\nMade from `src/conf/profiles.def`.  `smb1d: profile` names sets of settings that fit a family of "
	"clients, for\neverybody or by address:\n\n    smb1d: profile = ps2:192.168.1.0/24, dos:192.168.2.7, windows\n\n"
	"The first item that means the client's address counts; one without an address means everybody.  Settings of "
	"smb.conf\nwin over those of a profile, in `[global]` as in a share.  `smb1ctl check` says what each profile changes, "
	"and what it\ndoes not because smb.conf sets it.  Passwords in the clear are in no profile: `smb1d: plaintext clients` "
	"names who may\nsend them.\n";

void conf_print_profiles_md(FILE *to)
{
	fputs(page_head, to);
	for (size_t i = 0; i < row_count; i++) {
		if (rows[i].profile)
			fprintf(to, "\n## %s\n\nFor %s.\n\n| setting | value | why |\n|---|---|---|\n", rows[i].profile, rows[i].why);
		else
			fprintf(to, "| %s | %s | %s |\n", rows[i].param, rows[i].text, rows[i].why);
	}
}
