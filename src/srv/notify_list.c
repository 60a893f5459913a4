/* notify_list.c - records of changes, one behind the other. */
#include "srv/notify_list.h"
#include "base/budget.h"
#include "base/cursor.h"
#include "base/str.h"
#include "base/util.h"

#define HEAD 12u
#define MODIFIED 3u
#define FIRST_CAP 256u

void notify_list_lost(struct notify_list *l)
{
	TALLOC_FREE(l->p);
	l->len = l->cap = l->last = 0;
	l->overflow = true;
}

static bool room(struct notify_list *l, TALLOC_CTX *mem, uint32_t need)
{
	uint32_t cap = max_u32(l->cap, FIRST_CAP);
	uint8_t *more;

	if (need > l->max || need > NOTIFY_MAX_BYTES)
		return false;
	while (cap < need)
		cap *= 2;
	if (l->p && cap == l->cap)
		return true;
	more = budget_allows(cap - l->cap) ? talloc_realloc(mem, l->p, uint8_t, cap) : NULL;
	if (!more)
		return false;
	l->p = more;
	l->cap = cap;
	return true;
}

static void backslashes(uint8_t *name, uint32_t bytes)
{
	for (uint32_t i = 0; i + 1 < bytes; i += 2)
		if (name[i] == '/' && name[i + 1] == 0)
			name[i] = '\\';
}

/* The record just written behind the last one says the same as that one. */
static bool repeats(const struct notify_list *l, uint32_t at, uint32_t size)
{
	return l->len > 0 && l->len - l->last == size && memcmp(l->p + l->last + 4, l->p + at + 4, size - 4) == 0;
}

void notify_list_add(struct notify_list *l, TALLOC_CTX *mem, uint32_t action, const char *name)
{
	uint32_t bytes, at = l->len, size;
	struct wr w;

	if (l->overflow)
		return;
	bytes = (uint32_t)str_to_utf16(name, NULL, 0);
	size = (HEAD + bytes + 3u) & ~3u;
	if (bytes > NOTIFY_MAX_BYTES || !room(l, mem, at + size)) {
		l->small = size > l->max;
		notify_list_lost(l);
		return;
	}
	memset(l->p + at, 0, size);
	w = wr_over(l->p, l->cap);
	w.pos = at + 4;
	wr_u32(&w, action);
	wr_u32(&w, bytes);
	str_to_utf16(name, l->p + at + HEAD, bytes);
	backslashes(l->p + at + HEAD, bytes);
	if (action == MODIFIED && repeats(l, at, size))
		return;
	if (at > 0)
		wr_u32_at(&w, l->last, at - l->last);
	l->last = at;
	l->len = at + size;
}

enum notify_taken notify_list_take(struct notify_list *l, TALLOC_CTX *mem, uint32_t max, uint8_t **p, uint32_t *len)
{
	enum notify_taken got = l->small || (!l->overflow && l->len > max) ? NOTIFY_SMALL :
				l->overflow ? NOTIFY_MISSED : NOTIFY_TOLD;

	*p = got == NOTIFY_TOLD ? talloc_steal(mem, l->p) : NULL;
	*len = got == NOTIFY_TOLD ? l->len : 0;
	if (got != NOTIFY_TOLD)
		talloc_free(l->p);
	*l = (struct notify_list){ .max = l->max };
	return got;
}

bool notify_wants(uint32_t filter, bool tree, uint32_t what, const char *name)
{
	return (filter & what) != 0 && name[0] != '\0' && (tree || !strchr(name, '/'));
}
