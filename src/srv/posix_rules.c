/* posix_rules.c - which advisory locks exclude each other, and what becomes of the old ones of the same owner.
 *
 *   held     [-----------W-----------]        [--R--][--R--]
 *   asked         [--unlock--]                    [-R-]
 *   then     [-W-]            [-W---]         [-----R------] */
#include "srv/posix_lock.h"

/* Never more than two: the end of the leftmost and that of the rightmost lock in the way. */
struct leftovers {
	struct db_lock piece[2];
	size_t n;
};

static uint64_t last_of(const struct db_lock *e) { return e->start + (e->length - 1); }

static bool same_owner(const struct db_lock *a, const struct db_lock *b)
{
	return (a->flags & b->flags & DB_LOCK_POSIX) && a->pid == b->pid && a->owner.pid == b->owner.pid &&
	       a->owner.start_time == b->owner.start_time;
}

const struct db_lock *posix_lock_conflict(const struct db_locks *l, const struct db_lock *want)
{
	for (size_t i = 0; i < l->nheld; i++) {
		const struct db_lock *h = &l->held[i];

		if (!((h->flags | want->flags) & DB_LOCK_EXCLUSIVE) || same_owner(h, want))
			continue;
		if (lock_overlap(h->start, h->length, want->start, want->length))
			return h;
	}
	return NULL;
}

static bool touches(const struct db_lock *a, const struct db_lock *b)
{
	return (last_of(a) != UINT64_MAX && last_of(a) + 1 == b->start) ||
	       (last_of(b) != UINT64_MAX && last_of(b) + 1 == a->start);
}

static void join(struct db_lock *to, const struct db_lock *e)
{
	uint64_t last = last_of(e) > last_of(to) ? last_of(e) : last_of(to);

	if (e->start < to->start)
		to->start = e->start;
	to->length = last - to->start + 1;
}

static void keep_piece(struct leftovers *left, const struct db_lock *e, uint64_t start, uint64_t last)
{
	if (left->n == 2)
		return;
	left->piece[left->n] = *e;
	left->piece[left->n].start = start;
	left->piece[left->n++].length = last - start + 1;
}

static void cut(struct leftovers *left, const struct db_lock *e, const struct db_lock *hole)
{
	if (e->start < hole->start)
		keep_piece(left, e, e->start, hole->start - 1);
	if (last_of(e) > last_of(hole))
		keep_piece(left, e, last_of(hole) + 1, last_of(e));
}

bool posix_lock_apply(struct db_locks *l, const struct db_lock *want, bool unlock)
{
	struct db_lock grown = *want;
	struct leftovers left = { .n = 0 };
	bool ok = true;

	for (size_t i = 0; i < l->nheld;) {
		struct db_lock h = l->held[i];
		bool overlap = lock_overlap(h.start, h.length, want->start, want->length);
		bool joins = !unlock && h.flags == want->flags;

		if (h.length == 0 || !same_owner(&h, want) || !(overlap || (joins && touches(&h, want)))) {
			i++;
			continue;
		}
		db_locks_drop(l, i);
		if (joins)
			join(&grown, &h);
		else
			cut(&left, &h, want);
	}
	for (size_t i = 0; ok && i < left.n; i++)
		ok = db_locks_add(l, &left.piece[i]);
	return ok && (unlock || db_locks_add(l, &grown));
}
