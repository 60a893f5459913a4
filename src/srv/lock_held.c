/* lock_held.c - what an open file holds, and what local programs see of it: the strongest of its stacked locks on each byte. */
#include "srv/lock.h"
#include "base/util.h"

/* ---- what local programs see ---- */

/* The strongest of these locks on byte `at`, if stronger than `type`, and up to where it stays the same. */
static enum fs_lock_type strongest(const struct held_lock *list, uint32_t n, enum fs_lock_type type, uint64_t at,
				   uint64_t *last)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct held_lock *h = &list[i];
		uint64_t end = h->start + (h->length - 1);

		if (!h->shown || h->length == 0 || end < at)
			continue;
		if (h->start > at) {
			*last = min_u64(*last, h->start - 1);
			continue;
		}
		*last = min_u64(*last, end);
		if (h->exclusive)
			type = FS_LOCK_EXCLUSIVE;
		else if (type == FS_LOCK_NONE)
			type = FS_LOCK_SHARED;
	}
	return type;
}

bool lock_show(const struct open *o, uint64_t start, uint64_t length)
{
	const struct open_locks *lk = &o->lk;
	uint64_t last = start + (length - 1), at = start;

	for (;;) {
		uint64_t upto = last;
		enum fs_lock_type type = strongest(lk->held, lk->n, FS_LOCK_NONE, at, &upto);

		type = strongest(lk->advisory, lk->nadvisory, type, at, &upto);

		if (!fs_lock(o->fd, type, at, upto))
			return false;
		if (upto == last)
			return true;
		at = upto + 1;
	}
}

/* ---- what we hold ---- */

static bool hold(struct open *o, const struct lock_range *r, bool exclusive)
{
	struct open_locks *lk = &o->lk;

	if (lk->n >= talloc_array_length(lk->held)) {
		struct held_lock *more = talloc_realloc(o, lk->held, struct held_lock, lk->n + lk->n / 2 + 4);

		if (!more)
			return false;
		lk->held = more;
	}
	lk->held[lk->n++] = (struct held_lock){ .start = r->start, .length = r->length, .pid = r->pid,
						.exclusive = exclusive };
	return true;
}

void lock_let_go(struct open *o, uint32_t i)
{
	struct open_locks *lk = &o->lk;
	struct held_lock h = lk->held[i];

	lk->n--;
	memmove(&lk->held[i], &lk->held[i + 1], (lk->n - i) * sizeof(h));
	if (h.shown && h.length > 0)
		(void)lock_show(o, h.start, h.length);
}

bool lock_hold(struct open *o, const struct lock_range *r, size_t n, bool exclusive)
{
	bool visible = o->t->share->p.posix_locking;

	for (size_t i = 0; i < n; i++) {
		bool ok = hold(o, &r[i], exclusive);

		if (ok && visible && r[i].length > 0) {
			o->lk.held[o->lk.n - 1].shown = true;
			ok = lock_show(o, r[i].start, r[i].length);
			i += !ok; /* this one is in the list */
		}
		if (!ok) {
			while (i-- > 0)
				lock_let_go(o, o->lk.n - 1);
			return false;
		}
	}
	return true;
}

bool lock_find_held(const struct open *o, const struct lock_range *r, uint32_t *at)
{
	bool found = false;

	for (uint32_t i = 0; i < o->lk.n; i++) {
		const struct held_lock *h = &o->lk.held[i];

		if (h->start != r->start || h->length != r->length || h->pid != r->pid || (found && !h->exclusive))
			continue;
		*at = i;
		if (h->exclusive)
			return true;
		found = true;
	}
	return found;
}
