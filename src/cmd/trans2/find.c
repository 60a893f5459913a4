/* find.c - FIND_FIRST2 (01), FIND_NEXT2 (02): listings in pieces.
 *
 *   FIRST P: search attributes, count, flags, level, storage type u32, pattern
 *   NEXT  P: SID, count, level, resume key u32, flags, resume name
 *         D (level 3): names of the attributes wanted
 *   ->    P: SID (FIRST only), count, end, EA error, last;  D: entries (find_levels.c)
 *
 * "last" is the offset of the last entry.  "end" must be 1 as soon as nothing follows, or Windows 98 asks for
 * ever: so one entry more than wanted is looked at and held for the next request.  A PlayStation asks for one
 * entry a time with an empty name, key 0 and CONTINUE.  Windows and Linux name the last entry they have; when
 * that is where we are, nothing moves. */
#include "cmd/trans2/find_levels.h"
#include "cmd/trans2/trans2.h"
#include "base/util.h"

#define CLOSE_NOW 1u
#define CLOSE_AT_END 2u
#define RESUME_KEYS 4u
#define CONTINUE 8u

#define DATA_MAX 65535u
#define KEY_BASE 0x10000u /* OS/2 takes keys below for old handles: `.` has 0x10001 */

struct find_args {
	uint16_t sid, attrs, count, flags, level;
	uint32_t key;
	char *name;
};

struct find {
	struct req *q;
	struct search *s;
	const struct find_level *l;
	const struct find_args *a;
	struct fs_ea *asked;    /* level 3 */
	size_t nasked;
	uint32_t last;          /* offset of the last entry */
	uint16_t given;
	bool end;
};

static status_t first_decode(struct req *q, struct trans *t, struct find_args *a)
{
	char *name;
	status_t st;

	a->attrs = rd_u16(&t->p);
	a->count = rd_u16(&t->p);
	a->flags = rd_u16(&t->p);
	a->level = rd_u16(&t->p);
	rd_skip(&t->p, 4);
	if (!rd_ok(&t->p))
		return ST_INVALID_PARAMETER;
	name = req_str(q, &t->p);
	st = name ? req_path(q, name, &a->name) : ST_NO_MEMORY;
	if (st == ST_OBJECT_PATH_NOT_FOUND && strrchr(name, '\\')) { /* then it is the folder's name that counts */
		*strrchr(name, '\\') = '\0';
		st = req_path(q, name, &a->name) == ST_OBJECT_NAME_INVALID ? ST_OBJECT_NAME_INVALID : st;
	}
	return st;
}

static status_t next_decode(struct req *q, struct trans *t, struct find_args *a)
{
	a->sid = rd_u16(&t->p);
	a->count = rd_u16(&t->p);
	a->level = rd_u16(&t->p);
	a->key = rd_u32(&t->p);
	a->flags = rd_u16(&t->p);
	if (!rd_ok(&t->p))
		return ST_INVALID_PARAMETER;
	a->name = req_str(q, &t->p);
	return a->name ? ST_OK : ST_NO_MEMORY;
}

/* ---- run ---- */

static unsigned dir_flags(const struct find *f)
{
	return (f->l->flags & FIND_POSIX || f->q->t->posix ? FS_DIR_POSIX : 0) | (f->l->flags & FIND_STAT ? FS_DIR_STAT : 0) |
	       (f->l->flags & FIND_SHORT ? FS_DIR_SHORT : 0);
}

static status_t begin(struct find *f, struct trans *t)
{
	status_t st;

	f->l = find_level(f->a->level);
	if (!f->l || ((f->l->flags & FIND_POSIX) && !(f->q->c->caps & CAP_UNIX)))
		return ST_INVALID_LEVEL;
	if (f->a->level == 3) {
		st = ea_get_names(f->q->mem, &t->d, &f->asked, &f->nasked);
		if (st != ST_OK)
			return st;
	}
	return req_become(f->q);
}

static struct fs_node *entry_node(struct find *f, const struct fs_entry *e)
{
	struct fs_node *node;
	const char *slash = *f->s->folder ? "/" : "";
	char *path;

	if (f->s->exact)
		return f->s->node;
	if (strcmp(e->name, ".") == 0 || strcmp(e->name, "..") == 0)
		return NULL;
	path = talloc_asprintf(f->q->mem, "%s%s%s", f->s->folder, slash, e->name);
	if (!path || fs_lookup(f->s->t->fs, f->q->mem, path, 0, &node) != ST_OK || !node->exists)
		return NULL;
	return node;
}

/* Attributes of one entry.  The levels that are about them (OS/2) pay for a look-up each time; the others
 * tell a size only where somebody asks for a single file. */
static status_t add_eas(struct find *f, const struct fs_entry *e, struct find_item *i)
{
	struct fs_node *node = entry_node(f, e);
	struct fs_ea *list = NULL;
	size_t n = 0;

	if (node && trans2_eas(f->q, node, &list, &n) != ST_OK)
		return ST_NO_MEMORY;
	i->ea_size = trans2_ea_size(f->q, list, n);
	for (size_t k = 0; k < f->nasked; k++) {
		f->asked[k].value = NULL;
		f->asked[k].len = 0;
	}
	ea_pick(f->asked, f->nasked, list, n);
	i->eas = f->asked;
	i->neas = f->nasked;
	return ST_OK;
}

/* A client that does not say it knows long names sees the 8.3 ones in the old levels. */
static bool old_names(const struct find *f)
{
	return f->a->level <= 3 && !(f->q->h.flags2 & FLAG2_LONG_NAMES);
}

static status_t put(struct find *f, struct wr *w, const struct fs_entry *e, bool *fits)
{
	struct find_item i = {
		.name = e->name, .short_name = e->short_name ? e->short_name : "", .st = &e->st,
		.keys = f->a->flags & RESUME_KEYS, .key = KEY_BASE + (uint32_t)e->cookie,
		.unicode = req_unicode(f->q), .zone = f->q->c->zone,
	};
	char alias[64];
	status_t st;

	if (f->a->level <= 3 && *i.short_name == '\0') {
		fs_short_name(f->s->t->fs, e->name, alias);
		i.short_name = alias;
	}
	if (old_names(f) && *i.short_name)
		i.name = i.short_name;
	if ((f->l->flags & FIND_EA) || (f->s->exact && (f->l->flags & FIND_STAT) && req_nt(f->q))) {
		st = add_eas(f, e, &i);
		if (st != ST_OK)
			return st;
	}
	*fits = find_put(w, f->l, &i, &f->last);
	return ST_OK;
}

/* Entries until the count or the room is used up, and a look at whether more follow. */
static status_t fill(struct find *f, struct wr *w)
{
	uint16_t count = f->a->count ? f->a->count : 1;
	const struct fs_entry *e;
	bool fits = true;
	status_t st = ST_OK;

	f->last = UINT32_MAX;
	while (fits) {
		st = search_next(f->s, &e);
		if (st != ST_OK)
			break;
		if (f->given == count)
			break;
		st = put(f, w, e, &fits);
		if (st != ST_OK)
			return st;
		f->given = (uint16_t)(f->given + fits);
	}
	if (st == ST_OK)
		search_hold(f->s);
	else if (st != ST_NO_MORE_FILES && f->given == 0)
		return st;
	f->end = st == ST_NO_MORE_FILES;
	if (f->given > 0)
		return ST_OK;
	return st == ST_OK ? ST_BUFFER_OVERFLOW : ST_NO_MORE_FILES;
}

/* ---- encode ---- */

static status_t encode(struct find *f, struct trans_reply *r, bool first)
{
	struct wr *w = trans_reply_params(f->q, r, 10);

	if (!w)
		return ST_NO_MEMORY;
	if (first)
		wr_u16(w, f->s->sid);
	wr_u16(w, f->given);
	wr_u16(w, f->end);
	wr_u16(w, 0);
	wr_u16(w, f->last == UINT32_MAX ? 0 : (uint16_t)f->last);
	return ST_OK;
}

/* What both have in common once the search stands where it should. */
static status_t answer(struct find *f, struct trans *t, struct trans_reply *r, bool first)
{
	struct wr *d = trans_reply_data(f->q, r, min_u32(t->max_d, DATA_MAX));
	status_t st = d ? fill(f, d) : ST_NO_MEMORY;

	if (st == ST_OK)
		st = encode(f, r, first);
	if ((f->a->flags & CLOSE_NOW) || (f->end && (f->a->flags & CLOSE_AT_END)) || (first && st != ST_OK))
		search_free(&f->s);
	return st;
}

status_t trans2_find_first(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct find_args a = { .sid = 0 };
	struct find f = { .q = q, .a = &a };
	status_t st = first_decode(q, t, &a);

	if (st == ST_OK)
		st = begin(&f, t);
	if (st == ST_OK)
		st = search_new(q, a.name, a.attrs, dir_flags(&f), &f.s);
	if (st == ST_OK)
		st = answer(&f, t, r, true);
	if (st == ST_NO_MORE_FILES)
		st = q->h.flags2 & FLAG2_NT_STATUS ? ST_NO_SUCH_FILE : ST_OS2_NO_MORE_FILES;
	return st;
}

/* Where the client says it is.  In the levels that show keys a key is better than a name, which may have been
 * deleted since: OS/2 deletes what it lists and goes back to the last one it got to. */
static void resume(struct find *f)
{
	const struct find_args *a = f->a;

	if (a->flags & CONTINUE)
		return;
	if (a->level <= 3 && (a->flags & RESUME_KEYS) && a->key > KEY_BASE)
		search_after_cookie(f->s, a->key - KEY_BASE);
	else if (*a->name)
		search_after_name(f->s, a->name);
}

status_t trans2_find_next(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct find_args a = { .sid = 0 };
	struct find f = { .q = q, .a = &a };
	status_t st = next_decode(q, t, &a);

	if (st == ST_OK)
		st = begin(&f, t);
	if (st != ST_OK)
		return st;
	f.s = search_find(q, a.sid);
	if (!f.s)
		return ST_INVALID_HANDLE;
	resume(&f);
	st = search_widen(f.s, dir_flags(&f));
	return st == ST_OK ? answer(&f, t, r, false) : st;
}
