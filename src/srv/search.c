/* search.c - listings that go on over several requests (SEARCH, FIND, TRANS2 FIND).
 *
 *   new ──next──> entry ──next──> entry ... ──> done
 *                  │  ^
 *                hold │   the entry did not fit: it comes again
 *
 * A name without wildcards needs no listing: it is looked up like any path.  Clients forget to close
 * their searches (DOS has no way to): the least recently used one goes when there are too many. */
#include "base/budget.h"
#include "base/log.h"
#include "base/str.h"
#include "srv/open.h"

#define SEARCH_MAX 512u
#define SEARCH_BYTES 65536u /* one of them, roughly */
#define ASKED_FOR (FS_ATTR_HIDDEN | FS_ATTR_SYSTEM | FS_ATTR_DIRECTORY)
#define MUST_HAVE 0x3700u
#define DOT_COOKIE 1u /* "." comes first, */
#define DOTS_COOKIE 2u /* then ".." */

/* ---- pattern and attributes ---- */

/* What a client before NT means by its wildcards, in the forms that NT clients send themselves:
 * `?` -> `>`;  `.` before `?`, `*` or the end -> `"`;  `*` before `.` -> `<`. */
static void translate_dos(char *p)
{
	for (; *p; p++) {
		if (*p == '?')
			*p = '>';
		else if (*p == '.' && (p[1] == '?' || p[1] == '*' || p[1] == '\0'))
			*p = '"';
		else if (*p == '*' && p[1] == '.')
			*p = '<';
	}
}

static bool matches_all(const struct search *s) { return s->pattern[0] == '*' && s->pattern[1] == '\0'; }

static bool match(void *arg, const char *name, const char *short_name)
{
	const struct search *s = arg;

	return fs_match(s->pattern, name, s->flags & FS_DIR_POSIX) ||
	       (short_name && *short_name && fs_match(s->pattern, short_name, false));
}

static bool wanted(const struct search *s, uint32_t attrs)
{
	uint32_t must = (s->attrs & MUST_HAVE) >> 8;

	return (attrs & ASKED_FOR & ~(uint32_t)s->attrs) == 0 && (attrs & must) == must;
}

static unsigned flags_needed(const struct search *s, unsigned flags)
{
	if ((s->attrs & ASKED_FOR) != ASKED_FOR || (s->attrs & MUST_HAVE))
		flags |= FS_DIR_STAT;
	if (!matches_all(s))
		flags |= FS_DIR_SHORT; /* a name matches by its alias too */
	return flags;
}

/* ---- life ---- */

static void recycle(struct conn *c)
{
	struct search *oldest = NULL, *s;
	uint16_t id = 0;

	while ((s = idtab_next(c->searches, id, &id)) != NULL) {
		if (!oldest || s->used < oldest->used)
			oldest = s;
	}
	if (!oldest)
		return;
	log_at(LOG_SMB, 3, "search %u of %s: the least recently used, recycled", oldest->sid, oldest->folder);
	search_free(&oldest);
}

static void make_room(struct conn *c)
{
	if (idtab_count(c->searches) >= SEARCH_MAX)
		recycle(c);
	while (idtab_count(c->searches) > 0 && !budget_allows(SEARCH_BYTES))
		recycle(c);
}

static status_t start(struct search *s, const char *name, unsigned flags)
{
	struct fs_share *fs = s->t->fs;
	unsigned how = flags & FS_DIR_POSIX ? FS_LOOKUP_POSIX : 0;
	status_t st;

	s->flags = flags;
	if (s->exact)
		return fs_lookup(fs, s, name, how, &s->node);
	s->flags = flags_needed(s, flags);
	st = fs_lookup(fs, s, s->folder, how, &s->node);
	if (st == ST_OK && (!s->node->exists || !fs_is_dir(&s->node->st)))
		st = ST_OBJECT_PATH_NOT_FOUND;
	if (st == ST_OBJECT_NAME_NOT_FOUND || st == ST_NOT_A_DIRECTORY)
		st = ST_OBJECT_PATH_NOT_FOUND;
	return st == ST_OK ? fs_dir_open(s, s->node, s->flags, &s->dir) : st;
}

static bool split(struct search *s, const char *name)
{
	const char *slash = strrchr(name, '/');
	const char *last = slash ? slash + 1 : name;
	char *pattern = talloc_strdup(s, *last && strcmp(last, "*.*") != 0 ? last : "*");

	s->folder = talloc_strndup(s, name, slash ? (size_t)(slash - name) : 0);
	s->pattern = pattern;
	s->pattern_asked = talloc_strdup(s, last);
	if (!pattern || !s->folder || !s->pattern_asked)
		return false;
	if (s->c->dialect < DIALECT_NT1 && !matches_all(s))
		translate_dos(pattern);
	s->exact = s->t->posix ? !strpbrk(pattern, "*?") : !fs_has_wildcard(pattern);
	return true;
}

status_t search_new(struct req *q, const char *name, uint16_t attrs, unsigned fs_flags, struct search **out)
{
	struct search *s;
	status_t st;

	make_room(q->c);
	s = talloc_zero(q->c, struct search);
	if (!s)
		return ST_NO_MEMORY;
	s->c = q->c;
	s->t = q->t;
	s->uid = q->h.uid;
	s->pid = q->h.pid;
	s->attrs = attrs;
	s->used = q->c->requests;
	st = split(s, name) ? start(s, name, fs_flags) : ST_NO_MEMORY;
	if (st == ST_OK) {
		s->sid = idtab_add(q->c->searches, s);
		if (s->sid == 0)
			st = ST_OS2_NO_MORE_SIDS;
	}
	if (st != ST_OK) {
		search_free(&s);
		return st;
	}
	*out = s;
	return ST_OK;
}

void search_free(struct search **sp)
{
	struct search *s = *sp;

	*sp = NULL;
	if (!s)
		return;
	if (s->sid)
		idtab_del(s->c->searches, s->sid);
	if (s->dir)
		fs_dir_close(&s->dir);
	talloc_free(s);
}

struct search *search_find(const struct req *q, uint16_t sid)
{
	struct search *s = idtab_get(q->c->searches, sid);

	if (!s || s->t != q->t || s->uid != q->h.uid)
		return NULL;
	s->used = q->c->requests;
	while (idtab_count(q->c->searches) > 1 && !budget_allows(0)) /* each has read on since it began */
		recycle(q->c);
	return idtab_get(q->c->searches, sid);
}

void search_free_tree(struct conn *c, const struct tree *t)
{
	struct search *s;
	uint16_t id = 0;

	while ((s = idtab_next(c->searches, id, &id)) != NULL) {
		if (s->t == t)
			search_free(&s);
	}
}

void search_free_uid(struct conn *c, uint16_t uid)
{
	struct search *s;
	uint16_t id = 0;

	while ((s = idtab_next(c->searches, id, &id)) != NULL) {
		if (s->uid == uid)
			search_free(&s);
	}
}

/* ---- entries ---- */

/* The entry found last has been given out for good: keeps its name, which the folder's buffer will lose. */
static status_t commit(struct search *s)
{
	size_t n;

	if (!s->have)
		return ST_OK;
	s->have = false;
	n = strlen(s->entry.name) + 1;
	if (!s->last_name || talloc_get_size(s->last_name) < n) {
		talloc_free(s->last_name);
		s->last_name = talloc_size(s, n + 64);
		if (!s->last_name)
			return ST_NO_MEMORY;
	}
	memcpy(s->last_name, s->entry.name, n);
	s->last_cookie = s->entry.cookie;
	return ST_OK;
}

static status_t next_exact(struct search *s)
{
	const struct fs_node *n = s->node;

	s->done = true;
	if (!n->exists || !wanted(s, n->st.attrs))
		return ST_NO_MORE_FILES;
	fs_short_name(s->t->fs, n->name, s->alias);
	s->entry = (struct fs_entry){ .name = n->name, .short_name = s->alias, .st = n->st, .cookie = 1 };
	if (!(s->flags & FS_DIR_POSIX) && s->alias[0] && !fs_name_legal(n->name)) {
		s->entry.name = s->alias; /* the client could not say it in full */
		s->entry.short_name = "";
	}
	return ST_OK;
}

static status_t next_listed(struct search *s)
{
	bool (*fn)(void *, const char *, const char *) = matches_all(s) ? NULL : match;
	status_t st;

	do
		st = fs_dir_next(s->dir, fn, s, &s->entry);
	while (st == ST_OK && (s->flags & FS_DIR_STAT) && !wanted(s, s->entry.st.attrs));
	return st;
}

status_t search_next(struct search *s, const struct fs_entry **e)
{
	status_t st;

	*e = &s->entry;
	if (s->held) {
		s->held = false;
		return ST_OK;
	}
	st = commit(s);
	if (st != ST_OK)
		return st;
	if (s->done)
		return ST_NO_MORE_FILES;
	st = s->exact ? next_exact(s) : next_listed(s);
	s->have = st == ST_OK;
	s->done = s->done || st == ST_NO_MORE_FILES;
	return st;
}

void search_hold(struct search *s) { s->held = s->have; }

/* ---- going on elsewhere ---- */

static const char *last_given(const struct search *s)
{
	return s->have && !s->held ? s->entry.name : s->last_name;
}

static uint64_t last_given_cookie(const struct search *s)
{
	return s->have && !s->held ? s->entry.cookie : s->last_cookie;
}

/* Behind the entry with this cookie.  Forgets the entry in hand.  Who goes back to the very start wants the
 * folder as it is by now. */
static void move(struct search *s, uint64_t cookie)
{
	if (cookie <= DOTS_COOKIE)
		fs_dir_seek(s->dir, 0);
	if (fs_dir_seek(s->dir, cookie) != ST_OK)
		return;
	s->have = s->held = s->done = false;
	s->last_cookie = cookie;
	TALLOC_FREE(s->last_name);
}

static bool is_name(const struct search *s, const char *a, const char *b)
{
	return s->flags & FS_DIR_POSIX ? strcmp(a, b) == 0 : str_caseeq(a, b);
}

static bool exact_name(void *arg, const char *name, const char *short_name)
{
	(void)short_name;
	return strcmp(arg, name) == 0;
}

static bool same_name(void *arg, const char *name, const char *short_name)
{
	return str_caseeq(arg, name) || (short_name && *short_name && str_caseeq(arg, short_name));
}

void search_after_name(struct search *s, const char *name)
{
	const char *last = last_given(s);
	uint64_t here = last_given_cookie(s);
	bool (*same)(void *, const char *, const char *) = s->flags & FS_DIR_POSIX ? exact_name : same_name;
	struct fs_entry e;
	char *want;

	if (s->exact || *name == '\0' || (last && is_name(s, last, name)))
		return;
	if (s->held && same((void *)(uintptr_t)name, s->entry.name, s->entry.short_name)) {
		s->held = false;
		return;
	}
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
		move(s, name[1] ? DOTS_COOKIE : DOT_COOKIE);
		return;
	}
	want = talloc_strdup(s, name);
	/* not from the very start, which would number a changed folder anew */
	if (!want || fs_dir_seek(s->dir, DOTS_COOKIE) != ST_OK)
		return;
	if (fs_dir_next(s->dir, same, want, &e) == ST_OK)
		move(s, e.cookie);
	else
		move(s, here);
	talloc_free(want);
}

void search_after_cookie(struct search *s, uint64_t cookie)
{
	if (s->exact || cookie == last_given_cookie(s))
		return;
	move(s, cookie);
}

status_t search_widen(struct search *s, unsigned fs_flags)
{
	uint64_t here = last_given_cookie(s);
	struct fs_dir *old = s->dir, *dir;
	unsigned flags = flags_needed(s, s->flags | fs_flags);
	struct fs_entry e = { .cookie = 0 };
	status_t st;

	if (s->exact || flags == s->flags)
		return ST_OK;
	st = fs_dir_open(s, s->node, flags, &dir);
	if (st != ST_OK)
		return st;
	while (st == ST_OK && e.cookie < here) /* a fresh listing knows no numbers yet */
		st = fs_dir_next(dir, NULL, NULL, &e);
	s->dir = dir;
	s->flags = flags;
	s->have = s->held = false;
	s->last_cookie = here;
	TALLOC_FREE(s->last_name);
	fs_dir_close(&old);
	return ST_OK;
}
