/* The rules of byte-range locks against a separate, simple model: ranges as sets of bytes in a small world. */
#include "srv/lock.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#define STEPS 100000
#define WORLD 24u   /* bytes there are */
#define LOCKS 12u

static const struct db_owner PROCESS[2] = { { 100, 7 }, { 101, 7 } };

static struct db_lock lock(uint64_t start, uint64_t length, uint32_t pid, bool exclusive)
{
	return (struct db_lock){ .owner = PROCESS[0], .open_id = 1, .pid = pid, .start = start, .length = length,
				 .flags = exclusive ? DB_LOCK_EXCLUSIVE : 0 };
}

/* ---- the model: a held lock is a bit for each byte, an empty one a gap between two bytes ---- */

struct model_lock {
	uint32_t bytes;     /* bit n: byte n */
	bool empty;
	unsigned at;        /* of an empty one: the gap before byte `at` */
	unsigned who;
	bool exclusive;
};

static struct model_lock model_of(const struct db_lock *e)
{
	struct model_lock m = { .empty = e->length == 0, .at = (unsigned)e->start, .exclusive = e->flags & DB_LOCK_EXCLUSIVE };

	for (unsigned b = 0; b < 32; b++)
		if (b >= e->start && b < e->start + e->length)
			m.bytes |= 1u << b;
	/* owner: process, open file and client PID are 0 or 1 in the game below */
	m.who = (unsigned)(e->owner.pid - 100) * 4 + (unsigned)(e->open_id - 1) * 2 + (e->pid - 1);
	return m;
}

/* A gap meets a range that has the byte on either side of it. */
static bool model_meet(const struct model_lock *a, const struct model_lock *b)
{
	if (a->empty && b->empty)
		return false;
	if (a->empty)
		return a->at > 0 && (b->bytes >> a->at & 1) && (b->bytes >> (a->at - 1) & 1);
	if (b->empty)
		return model_meet(b, a);
	return (a->bytes & b->bytes) != 0;
}

static bool model_refuses(const struct model_lock *held, const struct model_lock *want)
{
	if (!model_meet(held, want))
		return false;
	if (want->exclusive)
		return true;
	return held->exclusive && held->who != want->who;
}

static bool model_forbids(const struct model_lock *held, const struct model_lock *io, bool write)
{
	if (held->empty || io->empty || !(held->bytes & io->bytes))
		return false;
	return held->exclusive ? held->who != io->who : write;
}

/* ---- the game ---- */

static struct db_lock random_lock(void)
{
	struct db_lock e = { .owner = PROCESS[rand() % 2], .open_id = (uint64_t)(rand() % 2 + 1), .pid = (uint32_t)(rand() % 2 + 1) };

	e.start = (uint64_t)rand() % WORLD;
	e.length = (uint64_t)rand() % (WORLD - e.start + 1);
	if (rand() % 3 == 0)
		e.length = (uint64_t)(rand() % 2);
	e.flags = rand() % 2 ? DB_LOCK_EXCLUSIVE : 0;
	return e;
}

static void play(struct db_locks *l)
{
	struct db_lock want = random_lock();
	struct model_lock m = model_of(&want);
	bool write = rand() % 2, refused = false, forbidden = false;
	const struct db_lock *got;

	for (size_t i = 0; i < l->nheld; i++) {
		struct model_lock h = model_of(&l->held[i]);

		refused |= model_refuses(&h, &m);
		forbidden |= model_forbids(&h, &m, write);
	}
	got = lock_io_conflict(l, &want, want.start, want.length, write);
	assert_true((got != NULL) == forbidden);
	got = lock_conflict(l, &want);
	assert_true((got != NULL) == refused);
	if (got) {
		struct model_lock h = model_of(got);

		assert_true(model_refuses(&h, &m));
	} else if (l->nheld < LOCKS) {
		l->held[l->nheld++] = want;
	}
	if (l->nheld > 0 && (rand() % 3 == 0 || l->nheld == LOCKS)) {
		l->nheld--;
		l->held[rand() % (int)(l->nheld + 1)] = l->held[l->nheld];
	}
}

static void test_against_model(void **state)
{
	struct db_lock held[LOCKS];
	struct db_locks l = { .held = held };

	(void)state;
	srand(19960524);
	for (int i = 0; i < STEPS; i++)
		play(&l);
}

/* ---- what the model is too small for ---- */

static bool granted(const struct db_lock *held, const struct db_lock *want)
{
	struct db_lock copy = *held;
	struct db_locks l = { .held = &copy, .nheld = 1 };

	return lock_conflict(&l, want) == NULL;
}

static void test_owners(void **state)
{
	struct db_lock held = lock(100, 10, 1, true), same = lock(100, 10, 1, false), other;

	(void)state;
	assert_true(granted(&held, &same)); /* stacked */
	other = same;
	other.pid = 2;
	assert_false(granted(&held, &other));
	other = same;
	other.open_id = 2;
	assert_false(granted(&held, &other));
	other = same;
	other.owner.pid = 101;
	assert_false(granted(&held, &other));
	other = same;
	other.owner.start_time = 8; /* the same number, another process */
	assert_false(granted(&held, &other));
	same.flags = DB_LOCK_EXCLUSIVE;
	assert_false(granted(&held, &same)); /* not twice */
	held.flags = 0;
	assert_false(granted(&held, &same)); /* not over an own shared one */
	same.flags = 0;
	assert_true(granted(&held, &same));
}

static void test_ends(void **state)
{
	struct db_lock all = lock(0, UINT64_MAX, 1, true), last = lock(UINT64_MAX, 1, 2, true);
	struct db_lock gap = lock(UINT64_MAX, 0, 2, true), high = lock(UINT64_MAX - 9, 10, 2, true);

	(void)state;
	assert_false(lock_range_bad(0, UINT64_MAX));
	assert_false(lock_range_bad(UINT64_MAX, 1));
	assert_false(lock_range_bad(UINT64_MAX, 0));
	assert_false(lock_range_bad(1, UINT64_MAX));
	assert_true(lock_range_bad(2, UINT64_MAX));
	assert_true(lock_range_bad(UINT64_MAX, 2));
	assert_true(granted(&all, &last)); /* bytes 0 .. 2^64-2 */
	assert_true(granted(&all, &gap));
	assert_false(granted(&all, &high));
	assert_false(granted(&high, &last));
	assert_false(granted(&high, &gap)); /* strictly inside, before the very last byte */
	assert_true(granted(&last, &gap));
	all.start = 1;
	assert_false(granted(&all, &last));
}

static void test_empty_ranges(void **state)
{
	struct db_lock held = lock(10, 10, 1, true), gap = lock(10, 0, 2, true), gap2 = gap;
	struct db_locks l = { .held = &gap, .nheld = 1 };

	(void)state;
	assert_true(granted(&held, &gap)); /* at the beginning */
	gap.start = 20;
	assert_true(granted(&held, &gap)); /* at the end */
	gap.start = 11;
	assert_false(granted(&held, &gap));
	assert_false(granted(&gap, &held));
	gap2.start = 11;
	assert_true(granted(&gap, &gap2));
	assert_null(lock_io_conflict(&l, &held, 0, 100, true)); /* nobody reads or writes no bytes */
	l.held = &held;
	gap.pid = 3;
	assert_null(lock_io_conflict(&l, &gap, 15, 0, true));
	assert_non_null(lock_io_conflict(&l, &gap, 15, 1, true));
	assert_null(lock_io_conflict(&l, &gap, 20, UINT64_MAX, true)); /* wraps: no such bytes */
}

static void test_advisory(void **state)
{
	struct db_lock held = lock(10, 10, 1, true), other = lock(10, 10, 2, true);
	struct db_locks l = { .held = &held, .nheld = 1 };

	(void)state;
	held.flags |= DB_LOCK_POSIX;
	assert_false(granted(&held, &other));
	assert_null(lock_io_conflict(&l, &other, 10, 10, true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_model), cmocka_unit_test(test_owners), cmocka_unit_test(test_ends),
		cmocka_unit_test(test_empty_ranges),  cmocka_unit_test(test_advisory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
