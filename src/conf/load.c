/* load.c - from files to a configuration: include, copy, config file, --option. */
#include "conf/room.h"
#include "base/util.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_DEPTH 100      /* include in include */
#define MAX_CONFIG_FILES 8 /* config file naming the next one */

/* The file being read and those that include it. */
struct reading {
	const char *path;
	dev_t dev;
	ino_t ino;
	struct reading *outer;
};

struct loader {
	TALLOC_CTX *tmp;
	struct store *store;
	struct report *r;
	const struct conf_macros *client;
	struct section *cur; /* the section lines belong to; NULL before the first */
	struct reading *reading;
	bool per_client;
	bool headless_said;      /* that lines stand before the first section */
	const char *config_file; /* expanded, where to go on */
	struct where config_at;
};

static void on_section(void *arg, struct where w, const char *name)
{
	struct loader *l = arg;
	const struct section *there = store_find(l->store, name);

	if (strpbrk(name, ":/\\") != NULL) {
		report_error(l->r, w, "[%s]: a share's name cannot hold ':', '/' or '\\'", name);
		l->cur = talloc_zero(l->tmp, struct section); /* what follows goes nowhere */
		l->cur->name = talloc_strdup(l->cur, name);
		l->cur->key = talloc_strdup(l->cur, "?");
		return;
	}
	if (there != NULL && there->w.line && strcasecmp(there->name, name) != 0 && there != l->store->sec[0])
		report_warning(l->r, w,
			       "[%s] goes on with [%s] of line %u: case and blanks of names do not count",
			       name, there->name, there->w.line);
	l->cur = store_section(l->store, w, name);
}

/* `path` as seen from the file that names it. */
static char *beside(TALLOC_CTX *mem, const char *file, const char *path)
{
	const char *slash = strrchr(file, '/');

	if (*path == '/' || slash == NULL)
		return talloc_strdup(mem, path);
	return talloc_asprintf(mem, "%.*s/%s", (int)(slash - file), file, path);
}

/* The file a setting names, macros replaced; NULL if that has to wait for the client. */
static char *named_file(struct loader *l, struct where w, const char *value)
{
	char *text, *path;

	if (macro_needs_client(value)) {
		l->per_client = true;
		if (l->client == NULL)
			return NULL;
	}
	text = conf_expand(l->tmp, value, l->client);
	path = beside(l->store, w.file ? w.file : "", text);
	talloc_free(text);
	return path;
}

static bool read_file(struct loader *l, const char *path);

static bool already_reading(const struct loader *l, const struct stat *st)
{
	for (const struct reading *f = l->reading; f; f = f->outer)
		if (f->dev == st->st_dev && f->ino == st->st_ino)
			return true;
	return false;
}

static void include(struct loader *l, struct where w, const char *value)
{
	struct section *before = l->cur;
	unsigned depth = 0;
	struct stat st;
	char *path;

	if (*value == '\0')
		return;
	if (strcasecmp(value, "registry") == 0) {
		report_warning(l->r, w, "include = registry: smb1d has no registry");
		return;
	}
	path = named_file(l, w, value);
	if (path == NULL)
		return;
	for (const struct reading *f = l->reading; f; f = f->outer)
		depth++;
	if (stat(path, &st) == 0 && (already_reading(l, &st) || depth >= MAX_DEPTH)) {
		report_error(l->r, w, "include = %s goes round in a circle: this file is being read already",
			     value);
		return;
	}
	if (!read_file(l, path)) {
		if (errno != ENOENT)
			report_error(l->r, w, "include = %s: cannot read \"%s\": %s", value, path,
				     strerror(errno));
		else if (!macro_needs_client(value))
			report_warning(l->r, w, "include = %s: there is no file \"%s\"", value, path);
	}
	if (l->cur != before && before != NULL)
		report_warning(l->r, w,
			       "lines after this include belong to [%s], with which it ended, not to [%s]",
			       l->cur->name, before->name);
}

static void copy(struct loader *l, struct where w, const char *value)
{
	const struct section *from = store_find(l->store, value);

	if (*value == '\0')
		return;
	if (from == l->cur)
		report_error(l->r, w, "copy = %s: a section cannot copy itself", value);
	else if (from == NULL)
		report_error(l->r, w, "copy = %s: there is no section [%s] further up", value, value);
	else if (l->cur == l->store->sec[0])
		report_error(l->r, w, "copy = %s: [global] cannot copy a share", value);
	else
		store_copy(l->store, l->cur, from);
}

static void config_file(struct loader *l, struct where w, const char *value)
{
	char *path = *value ? named_file(l, w, value) : NULL;
	struct stat st;

	l->config_file = NULL;
	if (path == NULL)
		return;
	if (stat(path, &st) != 0) {
		report_note(l->r, w, "config file = %s: there is no file \"%s\", so this one goes on", value,
			    path);
		return;
	}
	if (l->reading && l->reading->dev == st.st_dev && l->reading->ino == st.st_ino)
		return; /* names itself: Samba's users do that with macros */
	l->config_file = talloc_strdup(l->tmp, path);
	l->config_at = (struct where){ talloc_strdup(l->tmp, w.file ? w.file : ""), w.line };
}

static void language(struct loader *l, const struct param *p, struct where w, const char *value)
{
	value = convert_text(l->tmp, value);
	if (name_eq(p->name, "include"))
		include(l, w, value);
	else if (name_eq(p->name, "copy"))
		copy(l, w, value);
	else
		config_file(l, w, value);
}

static void unknown(struct loader *l, struct where w, const char *name)
{
	const char *near = param_nearest(l->tmp, name);

	/* What looks like a slip of the pen may have been meant to keep somebody out; other names are
	 * a newer Samba's and can be let pass. */
	if (near != NULL)
		report_error(l->r, w, "unknown parameter \"%s\"; did you mean \"%s\"?", name, near);
	else
		report_warning(l->r, w, "unknown parameter \"%s\" is ignored", name);
}

/* A share's parameter in [global] behind the first share: Samba would not apply it there. */
static void late_default(struct loader *l, const struct param *p, struct where w)
{
	if (l->cur == l->store->sec[0] && !p->global && l->store->n > 1 && w.line)
		report_warning(l->r, w,
			       "\"%s\" in [global] is a default for every share, for [%s] further up too",
			       p->name, l->store->sec[1]->name);
}

static void on_setting(void *arg, struct where w, const char *name, const char *value)
{
	struct loader *l = arg;
	struct setting set = { .name = name, .w = w };

	if (l->cur == NULL) {
		l->cur = l->store->sec[0];
		if (w.line && !l->headless_said)
			report_warning(
				l->r, w,
				"\"%s\" stands before the first section; it is taken as part of [global]",
				name);
		l->headless_said = true;
	}
	set.p = param_find(name, &set.inverse);
	if (set.p == NULL && strchr(name, ':') == NULL) {
		unknown(l, w, name);
		return;
	}
	if (set.p != NULL) {
		set.name = set.p->name;
		if (set.p->global && l->cur != l->store->sec[0]) {
			report_warning(l->r, w, "\"%s\" is a parameter of [global]; in [%s] it is ignored",
				       name, l->cur->name);
			return;
		}
		if (set.p->type == P_LANGUAGE) {
			language(l, set.p, w, value);
			return;
		}
		late_default(l, set.p, w);
	}
	store_set(l->store, l->cur, &set, value);
}

/* False, with errno, if it cannot be read. */
static bool read_file(struct loader *l, const char *path)
{
	struct lex_sink sink = { on_section, on_setting, l };
	struct reading here = { .path = path, .outer = l->reading };
	struct stat st;
	bool ok;

	if (stat(path, &st) != 0)
		return false;
	here.dev = st.st_dev;
	here.ino = st.st_ino;
	l->reading = &here;
	ok = lex_file(l->tmp, path, l->r, &sink);
	l->reading = here.outer;
	return ok;
}

static void take_overrides(struct loader *l, const char *const *overrides)
{
	struct where w = { "--option", 0 };

	for (; overrides && *overrides; overrides++) {
		char *name = talloc_strdup(l->tmp, *overrides), *eq = strchr(name, '=');
		bool inverse;

		if (eq == NULL) {
			report_error(l->r, w, "\"%s\" is no NAME=VALUE", *overrides);
			continue;
		}
		*eq = '\0';
		if (strchr(name, ':') == NULL && param_find(name, &inverse) == NULL) {
			const char *near = param_nearest(l->tmp, name);

			report_error(l->r, w, "unknown parameter \"%s\"%s%s%s", name,
				     near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
			continue;
		}
		l->cur = l->store->sec[0];
		on_setting(l, w, talloc_strdup(l->tmp, name), eq + 1 + strspn(eq + 1, " \t"));
	}
}

/* Reads `path` and what it leads to; the store then holds the text of the file that counts. */
static bool read_all(struct loader *l, TALLOC_CTX *mem, const struct conf_source *src)
{
	const char *path = src->file;
	const char *seen[MAX_CONFIG_FILES];

	for (unsigned n = 0;; n++) {
		seen[n] = path;
		l->store = store_new(mem);
		l->cur = NULL;
		l->config_file = NULL;
		if (!read_file(l, talloc_strdup(l->store, path))) {
			report_error(l->r, (struct where){ path, 0 }, "cannot read the configuration: %s",
				     strerror(errno));
			return false;
		}
		take_overrides(l, src->overrides);
		if (l->config_file == NULL)
			return true;
		path = l->config_file;
		for (unsigned i = 0; i <= n; i++)
			if (strcmp(seen[i], path) == 0 || n + 1 == MAX_CONFIG_FILES) {
				report_error(l->r, l->config_at, "config file = %s goes round in a circle",
					     path);
				return false;
			}
		report_note(l->r, l->config_at, "config file: \"%s\" is read instead", path);
	}
}

bool conf_load(TALLOC_CTX *mem, const struct conf_source *src, struct conf **out, struct conf_report *rep)
{
	TALLOC_CTX *tmp = talloc_new(mem);
	struct report r = { .mem = mem, .rep = rep };
	struct loader l = { .tmp = tmp, .r = &r, .client = src->client };
	struct conf *c = NULL;

	*out = NULL;
	*rep = (struct conf_report){ NULL, 0 };
	if (read_all(&l, tmp, src)) {
		c = build(mem, l.store, &r);
		c->per_client = l.per_client;
		rules_check(c, l.store, &r);
		notes_add(l.store, &r);
	}
	talloc_free(tmp);
	if (r.failed && !src->anyway)
		TALLOC_FREE(c);
	*out = c;
	return c != NULL;
}
