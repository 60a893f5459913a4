/* lock_rules.c - which locks exclude each other, and which reads and writes they forbid.
 *
 *   wanted \ held      shared           exclusive, same owner   exclusive, another owner
 *   shared             granted          granted (stacked)       refused
 *   exclusive          refused          refused                 refused
 *   read               may              may                     may not
 *   write              may not          may                     may not
 *
 * Owner: process of the daemon, open file, client PID.  A shared lock keeps its owner from writing too.
 * Locks of the UNIX extensions are advisory: they exclude locks, not reads and writes. */
#include "srv/lock.h"

static bool inside(uint64_t at, uint64_t start, uint64_t length)
{
	return at > start && at - start < length;
}

bool lock_overlap(uint64_t start1, uint64_t length1, uint64_t start2, uint64_t length2)
{
	if (length1 == 0)
		return inside(start1, start2, length2);
	if (length2 == 0)
		return inside(start2, start1, length1);
	return start1 <= start2 + (length2 - 1) && start2 <= start1 + (length1 - 1);
}

static bool same_owner(const struct db_lock *a, const struct db_lock *b)
{
	return a->pid == b->pid && a->open_id == b->open_id && a->owner.pid == b->owner.pid &&
	       a->owner.start_time == b->owner.start_time;
}

const struct db_lock *lock_conflict(const struct db_locks *l, const struct db_lock *want)
{
	for (size_t i = 0; i < l->nheld; i++) {
		const struct db_lock *h = &l->held[i];
		bool shared = !(want->flags & DB_LOCK_EXCLUSIVE);

		if (!lock_overlap(h->start, h->length, want->start, want->length))
			continue;
		if (shared && (!(h->flags & DB_LOCK_EXCLUSIVE) || same_owner(h, want)))
			continue;
		return h;
	}
	return NULL;
}

const struct db_lock *lock_io_conflict(const struct db_locks *l, const struct db_lock *who, uint64_t off,
				       uint64_t len, bool write)
{
	if (len == 0 || lock_range_bad(off, len))
		return NULL;
	for (size_t i = 0; i < l->nheld; i++) {
		const struct db_lock *h = &l->held[i];
		bool exclusive = h->flags & DB_LOCK_EXCLUSIVE;

		if ((h->flags & DB_LOCK_POSIX) || h->length == 0 || !lock_overlap(h->start, h->length, off, len))
			continue;
		if (exclusive ? !same_owner(h, who) : write)
			return h;
	}
	return NULL;
}
