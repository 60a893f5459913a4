/* notify_twice.c - one change, told once.
 *
 * A change that one of our workers makes comes to a watcher twice: from that worker, and from the kernel by
 * way of the watcher process; in any order.  The word that comes second within two seconds is dropped.  A
 * worker's change may be several to the kernel (a new file gets its attributes, a written one is written in
 * pieces), so modifications it tells about a name that a worker has just told of are dropped as well. */
#include "base/str.h"
#include "srv/notify.h"

#define TOLD_MS 2000u
#define TOLD 64u

struct notify_told {
	unsigned next;
	struct told {
		uint64_t id, when; /* clock_ms() */
		uint32_t hash;
		uint8_t change;
		bool local, paired;
	} ring[TOLD];
};

static bool same(struct told *t, enum fs_change change, bool local)
{
	if (t->local == local)
		return false;
	if (local && change == FS_MODIFIED)
		return t->change == FS_MODIFIED || t->change == FS_ADDED || t->change == FS_RENAMED_TO;
	if (t->change != change || t->paired)
		return false;
	t->paired = true;
	return true;
}

bool notify_twice(struct conn *c, uint64_t id, enum fs_change change, const char *name, bool local)
{
	struct notify_told *all = c->notify_told;
	uint64_t now = clock_ms();
	uint32_t hash = str_casehash(name);

	if (!all)
		all = c->notify_told = talloc_zero(c, struct notify_told);
	if (!all)
		return false;
	for (unsigned i = 0; i < TOLD; i++) {
		struct told *t = &all->ring[i];

		if (t->id == id && t->hash == hash && now - t->when < TOLD_MS && same(t, change, local))
			return true;
	}
	all->ring[all->next++ % TOLD] = (struct told){ id, now, hash, (uint8_t)change, local, false };
	return false;
}
