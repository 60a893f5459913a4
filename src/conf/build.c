/* build.c - the text of a configuration made into fields: defaults, [global], then each share. */
#include "conf/room.h"
#include "base/str.h"
#include <grp.h>
#include <pwd.h>
#include <string.h>

struct builder {
	struct conf *c;
	struct store *s;
	struct report *r;
};

/* The number of a file's name among those of the configuration. */
static uint16_t file_number(struct conf *c, const char *file)
{
	size_t n = 0;

	for (; c->files && c->files[n]; n++)
		if (strcmp(c->files[n], file) == 0)
			return (uint16_t)n;
	if (n >= UINT16_MAX)
		return UINT16_MAX;
	c->files = talloc_realloc(c, c->files, const char *, (unsigned)n + 2);
	c->files[n] = talloc_strdup(c, file);
	c->files[n + 1] = NULL;
	return (uint16_t)n;
}

void set_note(struct conf *c, TALLOC_CTX *mem, struct conf_sets *set, const struct param *p, struct where w)
{
	set->v = talloc_realloc(mem, set->v, struct conf_set, (unsigned)set->n + 1);
	set->v[set->n++] = (struct conf_set){ (uint16_t)(p - param_table), file_number(c, w.file ? w.file : ""), w.line };
}

const struct conf_set *set_find(const struct conf_sets *set, const struct param *p)
{
	for (size_t i = 0; i < set->n; i++)
		if (param_table + set->v[i].param == p)
			return &set->v[i];
	return NULL;
}

/* Puts the settings of a section into g and p (the share parameters of [global] or of a share). */
static void apply(struct builder *b, const struct section *sec, TALLOC_CTX *mem, struct conf_sets *sets,
		  struct conf_globals *g, struct conf_params *p)
{
	for (size_t i = 0; i < sec->n; i++) {
		const struct setting *set = &sec->set[i];
		const char *wrong;

		if (set->p == NULL || !param_has_field(set->p))
			continue;
		wrong = convert(b->c, set->p, store_text(b->s, set), set->inverse, param_field(set->p, g, p));
		if (wrong != NULL)
			report_error(b->r, set->w, "%s: %s", set->name, wrong);
		else
			set_note(b->c, mem, sets, set->p, set->w);
	}
}

/* Parametric options as pairs of name and value. */
static const char *const *options_of(struct builder *b, const struct section *sec)
{
	const char **list = talloc_zero_array(b->c, const char *, (unsigned)sec->n * 2 + 1);
	size_t n = 0;

	for (size_t i = 0; i < sec->n; i++) {
		if (sec->set[i].p != NULL)
			continue;
		list[n++] = talloc_strdup(list, sec->set[i].name);
		list[n++] = talloc_strdup(list, store_text(b->s, &sec->set[i]));
	}
	return list;
}

static enum conf_share_kind kind_of(const char *name, bool printable)
{
	if (name_eq(name, "homes"))
		return CONF_HOMES;
	if (name_eq(name, "printers"))
		return CONF_PRINTERS;
	if (name_eq(name, "IPC$"))
		return CONF_IPC;
	return printable ? CONF_PRINTER : CONF_DISK;
}

/* The pipe share is for everybody whom the server lets in, and holds no files. */
static void finish_ipc(struct conf *c, struct conf_share *sh, bool comment_set)
{
	sh->p.path = "";
	sh->p.available = true;
	sh->p.guest_ok = true;
	sh->p.guest_only = false;
	sh->p.printable = false;
	sh->p.read_only = false;
	if (!comment_set)
		sh->p.comment = talloc_asprintf(c, "IPC Service (%s)", c->g.server_string);
}

static struct conf_share *add_share(struct conf *c, const char *name, struct where w)
{
	struct conf_share *sh = talloc_zero(c, struct conf_share);

	sh->name = talloc_strdup(sh, name);
	sh->file = talloc_strdup(sh, w.file ? w.file : "");
	sh->line = w.line;
	sh->p = c->defaults;
	sh->options = talloc_zero_array(sh, const char *, 1);
	c->shares = talloc_realloc(c, c->shares, struct conf_share *, (unsigned)c->nshares + 1);
	c->shares[c->nshares++] = sh;
	return sh;
}

static void build_share(struct builder *b, const struct section *sec)
{
	struct conf_share *sh = add_share(b->c, sec->name, sec->w);

	apply(b, sec, sh, &sh->set, &b->c->g, &sh->p);
	sh->options = options_of(b, sec);
	sh->kind = kind_of(sec->name, sh->p.printable);
	if (sh->kind == CONF_IPC)
		finish_ipc(b->c, sh, store_get(sec, "comment") != NULL);
}

/* The group an item of a user list names, NULL if it names a user or holds a macro. */
static const char *group_item(const char *item)
{
	size_t marks = strspn(item, "@+&");

	return marks && item[marks] && !macro_any(item) ? item + marks : NULL;
}

static void add_member(const char **list, size_t *n, TALLOC_CTX *mem, const char *name)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp(list[i], name) == 0)
			return;
	if (*n < CONF_MEMBERS)
		list[(*n)++] = talloc_strdup(mem, name);
}

/* Who is listed in the group, then whose first group it is. */
static const char *const *members_of(struct conf *c, const char *group)
{
	const char **list = talloc_zero_array(c, const char *, CONF_MEMBERS + 1);
	const struct group *gr = getgrnam(group);
	const struct passwd *pw;
	gid_t gid;
	size_t n = 0;

	if (gr == NULL)
		return list;
	gid = gr->gr_gid;
	for (char **m = gr->gr_mem; *m; m++)
		add_member(list, &n, list, *m);
	setpwent();
	while (n < CONF_MEMBERS && (pw = getpwent()) != NULL)
		if (pw->pw_gid == gid)
			add_member(list, &n, list, pw->pw_name);
	endpwent();
	return list;
}

static void add_groups(struct builder *b, const char *const *list, struct where w)
{
	struct conf *c = b->c;

	for (; *list; list++) {
		const char *name = group_item(*list);
		const struct group *gr;
		bool there = name == NULL;

		for (size_t i = 0; i < c->ngroups && !there; i++)
			there = strcmp(c->groups[i].name, name) == 0;
		if (there)
			continue;
		gr = getgrnam(name);
		if (gr == NULL) {
			report_warning(b->r, w, "\"%s\": there is no Unix group \"%s\"", *list, name);
			continue;
		}
		c->groups = talloc_realloc(c, c->groups, struct conf_group, (unsigned)c->ngroups + 1);
		c->groups[c->ngroups].name = talloc_strdup(c, name);
		c->groups[c->ngroups].members = NULL;
		c->groups[c->ngroups++].gid = gr->gr_gid;
	}
}

/* A `username` list means every member: their passwords are tried. */
static void add_members(struct builder *b, const char *const *list)
{
	struct conf *c = b->c;

	for (; *list; list++) {
		const char *name = group_item(*list);

		for (size_t i = 0; name && i < c->ngroups; i++)
			if (c->groups[i].members == NULL && strcmp(c->groups[i].name, name) == 0)
				c->groups[i].members = members_of(c, name);
	}
}

/* Groups are looked up now: a worker behind its closed door cannot ask the system. */
static void find_groups(struct builder *b)
{
	static const char *const users[] = { "valid users", "invalid users", "read list",
					     "write list",  "admin users",   "username",
					     "smb1d: plaintext users", "smb1d: lanman users",
					     "smb1d: ntlmv1 users", "smb1d: ntlmv2 users" };

	for (size_t i = 0; i < b->s->n; i++) {
		for (size_t k = 0; k < sizeof(users) / sizeof(users[0]); k++) {
			const struct setting *set = store_get(b->s->sec[i], users[k]);
			const char *const *list;

			if (set == NULL)
				continue;
			list = convert_list(b->c, store_text(b->s, set));
			add_groups(b, list, set->w);
			if (strcmp(users[k], "username") == 0)
				add_members(b, list);
			talloc_free((void *)(uintptr_t)list);
		}
	}
}

struct conf *build(TALLOC_CTX *mem, struct store *s, struct report *r)
{
	struct conf *c = talloc_zero(mem, struct conf);
	struct builder b = { c, s, r };

	c->files = talloc_zero_array(c, const char *, 1);
	convert_defaults(c, true, &c->g, NULL);
	convert_defaults(c, false, NULL, &c->defaults);
	apply(&b, s->sec[0], c, &c->set, &c->g, &c->defaults);
	c->options = options_of(&b, s->sec[0]);
	for (size_t i = 1; i < s->n; i++)
		build_share(&b, s->sec[i]);
	if (store_find(s, "IPC$") == NULL) {
		struct conf_share *ipc = add_share(c, "IPC$", (struct where){ "", 0 });

		ipc->kind = CONF_IPC;
		finish_ipc(c, ipc, false);
	}
	find_groups(&b);
	for (size_t i = 0; i < c->ngroups; i++)
		if (c->groups[i].members == NULL)
			c->groups[i].members = (const char *const *)talloc_zero_array(c, const char *, 1);
	return c;
}

const struct conf_share *conf_find(const struct conf *c, const char *name)
{
	for (size_t i = 0; i < c->nshares; i++) {
		const struct conf_share *sh = c->shares[i];

		if (sh->kind != CONF_HOMES && sh->kind != CONF_PRINTERS && str_caseeq(sh->name, name))
			return sh;
	}
	return NULL;
}

const struct conf_share *conf_homes(const struct conf *c)
{
	for (size_t i = 0; i < c->nshares; i++)
		if (c->shares[i]->kind == CONF_HOMES)
			return c->shares[i];
	return NULL;
}
