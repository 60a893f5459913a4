/* copy_work.c - the list of what a COPY or MOVE has left to do.
 *
 * The first of the list is worked on; a folder gives way to what is in it.  When the slice of time is over the request
 * parks itself with the list and is run again behind the requests that have come meanwhile. */
#include "base/budget.h"
#include "base/clock.h"
#include "cmd/copy.h"
#include "cmd/names.h"

#define SLICE_MS 10u
#define DEEPEST 64u
#define ITEM_BYTES 300u /* what one costs besides its names */

struct item {
	struct item *next;
	unsigned depth; /* 0: named by the client */
	char *from, *to;
};

struct copy_work {
	struct conn *c;
	struct item *todo, *last; /* last: of those the client named */
	struct copy_file file;    /* that of the first item */
	bool many;
	uint32_t count;
	status_t bad;
};

/* The request ends before its work: cancelled, refused, or the connection ends. */
static int drop(struct copy_work *w)
{
	if (w->file.begun && !w->c->ending)
		copy_file_end(w->c, ST_CANCELLED, &w->file);
	return 0;
}

struct copy_work *copy_work_of(struct req *q, bool many, bool *fresh)
{
	struct copy_work *w = q->resumed ? q->resumed->state : NULL;

	*fresh = !w;
	if (w)
		return w;
	w = talloc_zero(q->mem, struct copy_work);
	if (!w)
		return NULL;
	w->c = q->c;
	w->many = many;
	talloc_set_destructor(w, drop);
	return w;
}

static status_t new_item(struct copy_work *w, const char *from, const char *to, unsigned depth, struct item **out)
{
	struct item *i;

	*out = NULL;
	if (!budget_allows(strlen(from) + strlen(to) + ITEM_BYTES))
		return ST_INSUFF_SERVER_RESOURCES;
	i = talloc_zero(w, struct item);
	if (!i)
		return ST_NO_MEMORY;
	i->depth = depth;
	i->from = talloc_strdup(i, from);
	i->to = talloc_strdup(i, to);
	*out = i;
	return i->from && i->to ? ST_OK : ST_NO_MEMORY;
}

status_t copy_work_add(struct copy_work *w, const char *from, const char *to)
{
	struct item *i;
	status_t st = new_item(w, from, to, 0, &i);

	if (st != ST_OK)
		return st;
	if (w->last)
		w->last->next = i;
	else
		w->todo = i;
	w->last = i;
	return ST_OK;
}

static void take_off(struct copy_work *w)
{
	struct item *i = w->todo;

	w->todo = i->next;
	if (w->last == i)
		w->last = NULL;
	talloc_free(i);
}

/* ---- folders ---- */

bool copy_is_folder(struct req *q, struct tree *t, const char *name)
{
	struct fs_node *node;

	return fs_lookup(t->fs, q->mem, name, 0, &node) == ST_OK && node->exists && fs_is_dir(&node->st);
}

static status_t make_folder(struct req *q, struct tree *t, const char *name)
{
	struct tree *mine = q->t;
	struct fs_node *node;
	status_t st;

	q->t = t;
	st = req_become(q);
	if (st == ST_OK && !req_may_write(q))
		st = ST_ACCESS_DENIED;
	if (st == ST_OK) {
		st = fs_lookup(t->fs, q->mem, name, 0, &node);
		if (st == ST_OK && !node->exists)
			st = fs_mkdir(node, 0, false, 0);
		else if (st == ST_OK && !fs_is_dir(&node->st))
			st = ST_OBJECT_NAME_COLLISION;
	}
	q->t = mine;
	(void)req_become(q);
	return st;
}

/* In front of the list, in their order. */
static status_t add_children(struct req *q, struct copy_work *w, const struct item *folder, char **list, size_t n)
{
	struct item **at = &w->todo, *rest = w->todo;

	for (size_t k = 0; k < n; k++) {
		char *to = talloc_asprintf(q->mem, "%s/%s", folder->to, names_last(list[k]));
		struct item *i;
		status_t st = to ? new_item(w, list[k], to, folder->depth + 1, &i) : ST_NO_MEMORY;

		if (st != ST_OK)
			return st;
		talloc_free(list[k]); /* the item has its own */
		talloc_free(to);
		i->next = rest;
		*at = i;
		at = &i->next;
	}
	return ST_OK;
}

/* The first of the list is a folder: made, and what is in it comes before the rest of the list. */
static status_t copy_folder(struct req *q, struct copy_work *w, const struct copy_how *how)
{
	struct item *i = talloc_steal(q->mem, w->todo);
	size_t n, skip = strlen(i->from), under = strlen(i->to);
	char **list, *pattern;
	status_t st;

	w->todo = i->next;
	if (w->last == i)
		w->last = NULL;
	if (how->move || !how->whole_tree || i->depth >= DEEPEST)
		return ST_OS2_CANNOT_COPY;
	/* into itself it would never end */
	if (how->to_tree == q->t && strncmp(i->to, i->from, skip) == 0 && (under == skip || i->to[skip] == '/'))
		return ST_OS2_CANNOT_COPY;
	pattern = talloc_asprintf(q->mem, "%s/*", i->from);
	st = pattern ? make_folder(q, how->to_tree, i->to) : ST_NO_MEMORY;
	if (st == ST_OK)
		st = names_matching(q, pattern, FS_ATTR_HIDDEN | FS_ATTR_SYSTEM | FS_ATTR_DIRECTORY, &list, &n);
	if (st == ST_NO_SUCH_FILE)
		return ST_OK;
	return st == ST_OK ? add_children(q, w, i, list, n) : st;
}

/* ---- one after the other ---- */

/* A copy among many does not wait for others: what is in use is left out. */
static status_t without_waiting(struct req *q, struct copy_work *w)
{
	if (!q->resumed)
		talloc_free(q->parking);
	q->parking = NULL;
	copy_file_end(w->c, ST_SHARING_VIOLATION, &w->file);
	return ST_SHARING_VIOLATION;
}

static status_t first_file(struct req *q, struct copy_work *w, const struct copy_how *how)
{
	const struct item *i = w->todo;
	status_t st;

	if (!w->file.begun && copy_renames(q, how))
		st = rename_one(q, i->from, i->to, 0xff);
	else
		st = copy_file_run(q, i->from, i->to, how, &w->file);
	if (st == ST_PENDING && q->parking && (w->many || i->depth > 0))
		return without_waiting(q, w);
	return st;
}

static status_t first(struct req *q, struct copy_work *w, const struct copy_how *how)
{
	status_t st;

	if (!w->file.begun && !copy_renames(q, how) && copy_is_folder(q, q->t, w->todo->from))
		return copy_folder(q, w, how);
	st = first_file(q, w, how);
	if (st == ST_PENDING)
		return st;
	w->count += st == ST_OK;
	take_off(w);
	return st;
}

static status_t park(struct req *q, struct copy_work *w)
{
	if (!q->parking) {
		status_t st = req_park(q, PARK_PIECES, NULL, 0, PARK_FOREVER);

		if (st != ST_PENDING) {
			copy_file_end(w->c, st, &w->file);
			return st;
		}
		q->parking->deadline = PARK_FOREVER; /* that of a wait before is over */
	}
	q->parking->state = talloc_steal(q->parking, w);
	return ST_PENDING;
}

status_t copy_work_run(struct req *q, struct copy_work *w, struct copy_how *how, uint32_t *count)
{
	how->until = clock_ms() + SLICE_MS;
	if (q->resumed && q->resumed->cancelled) {
		copy_file_end(w->c, ST_CANCELLED, &w->file);
		return ST_CANCELLED;
	}
	while (w->todo) {
		unsigned depth = w->todo->depth;
		status_t st = clock_ms() < how->until ? first(q, w, how) : ST_PENDING;

		if (st == ST_PENDING)
			return park(q, w);
		if (st == ST_OK)
			continue;
		w->bad = st;
		while (depth > 0 && w->todo && w->todo->depth > 0) /* the rest of that tree */
			take_off(w);
	}
	*count = w->count;
	return w->count > 0 && w->many ? ST_OK : w->bad;
}
