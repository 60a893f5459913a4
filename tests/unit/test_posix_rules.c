/* Advisory locks: a few written out, then a long game against a model that keeps a lock for each byte. */
#include "srv/posix_lock.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>

#define WORLD 24u
#define OWNERS 3u
#define STEPS 100000

static const struct db_owner PROCESS[2] = { { 100, 7 }, { 101, 7 } };

/* Owner 0 and 1 are two PIDs of one process, 2 is the first PID in another process. */
static struct db_lock lock(unsigned who, uint64_t start, uint64_t length, bool exclusive)
{
	static uint64_t open_id; /* must not matter */

	return (struct db_lock){ .owner = PROCESS[who / 2], .pid = 1 + who % 2, .open_id = 1 + open_id++ % 3, .start = start,
				 .length = length, .flags = DB_LOCK_POSIX | (exclusive ? DB_LOCK_EXCLUSIVE : 0) };
}

static struct db_locks fresh(void)
{
	struct db_locks l = { .nheld = 0 };

	l.held = talloc_array(talloc_new(NULL), struct db_lock, 1);
	return l;
}

static void done(struct db_locks *l) { talloc_free(talloc_parent(l->held)); }

static bool has(const struct db_locks *l, uint64_t start, uint64_t length, bool exclusive)
{
	for (size_t i = 0; i < l->nheld; i++)
		if (l->held[i].start == start && l->held[i].length == length &&
		    !(l->held[i].flags & DB_LOCK_EXCLUSIVE) == !exclusive)
			return true;
	return false;
}

static void put(struct db_locks *l, uint64_t start, uint64_t length, bool exclusive)
{
	struct db_lock e = lock(0, start, length, exclusive);

	assert_true(posix_lock_apply(l, &e, false));
}

static void take_out(struct db_locks *l, uint64_t start, uint64_t length)
{
	struct db_lock e = lock(0, start, length, false);

	assert_true(posix_lock_apply(l, &e, true));
}

static void split_and_join(void **state)
{
	struct db_locks l = fresh();

	(void)state;
	put(&l, 0, 100, true);
	take_out(&l, 40, 20);
	assert_int_equal(l.nheld, 2);
	assert_true(has(&l, 0, 40, true) && has(&l, 60, 40, true));
	put(&l, 0, 40, false); /* downgraded */
	assert_true(has(&l, 0, 40, false) && has(&l, 60, 40, true));
	put(&l, 40, 20, true);
	assert_true(l.nheld == 2 && has(&l, 40, 60, true));
	put(&l, 30, 10, true);
	assert_true(l.nheld == 2 && has(&l, 0, 30, false) && has(&l, 30, 70, true));
	take_out(&l, 500, 10); /* nothing there: nothing happens */
	assert_int_equal(l.nheld, 2);
	take_out(&l, 0, INT64_MAX);
	assert_int_equal(l.nheld, 0);
	done(&l);
}

static void at_the_end(void **state)
{
	struct db_locks l = fresh();
	struct db_lock e = lock(1, 1ull << 40, 1, true);

	(void)state;
	put(&l, 10, (uint64_t)INT64_MAX - 10 + 1, true);
	assert_non_null(posix_lock_conflict(&l, &e));
	put(&l, UINT64_MAX, 1, true);
	put(&l, 0, 10, true);
	assert_int_equal(l.nheld, 2);
	assert_true(has(&l, 0, (uint64_t)INT64_MAX + 1, true));
	done(&l);
}

/* Locks of the Windows kind are somebody else's, even with the same PID. */
static void windows_locks(void **state)
{
	struct db_locks l = fresh();
	struct db_lock win = lock(0, 5, 10, true), mine = lock(0, 0, 100, true);

	(void)state;
	win.flags = DB_LOCK_EXCLUSIVE;
	assert_true(db_locks_add(&l, &win));
	assert_ptr_equal(posix_lock_conflict(&l, &mine), &l.held[0]);
	assert_true(posix_lock_apply(&l, &mine, true));
	assert_int_equal(l.nheld, 1);
	assert_null(lock_io_conflict(&l, &win, 5, 1, true));
	l.held[0] = mine; /* and an advisory one keeps nobody from writing */
	win.pid = 9;
	assert_null(lock_io_conflict(&l, &win, 5, 1, true));
	done(&l);
}

/* ---- the game ---- */

static unsigned model[OWNERS][WORLD]; /* 0 none, 1 shared, 2 exclusive */

static bool model_conflict(unsigned who, unsigned start, unsigned n, bool exclusive)
{
	for (unsigned o = 0; o < OWNERS; o++)
		for (unsigned b = start; o != who && b < start + n; b++)
			if (model[o][b] == 2 || (model[o][b] && exclusive))
				return true;
	return false;
}

/* Each byte as the model says, in as few pieces as can be. */
static void compare(const struct db_locks *l)
{
	unsigned pieces = 0;

	for (unsigned o = 0; o < OWNERS; o++) {
		for (unsigned b = 0; b < WORLD; b++) {
			unsigned found = 0;

			for (size_t i = 0; i < l->nheld; i++) {
				const struct db_lock *h = &l->held[i];

				if (h->owner.pid != PROCESS[o / 2].pid || h->pid != 1 + o % 2 || b < h->start || b >= h->start + h->length)
					continue;
				assert_int_equal(found, 0);
				found = h->flags & DB_LOCK_EXCLUSIVE ? 2 : 1;
			}
			assert_int_equal(found, model[o][b]);
			pieces += model[o][b] && (b == 0 || model[o][b - 1] != model[o][b]);
		}
	}
	assert_int_equal(l->nheld, pieces);
}

static void game(void **state)
{
	struct db_locks l = fresh();

	(void)state;
	srand(4);
	for (int step = 0; step < STEPS; step++) {
		unsigned who = (unsigned)rand() % OWNERS, start = (unsigned)rand() % WORLD, kind = (unsigned)rand() % 3;
		unsigned n = 1 + (unsigned)rand() % (WORLD - start);
		struct db_lock e = lock(who, start, n, kind == 2);
		bool refused = kind != 0 && posix_lock_conflict(&l, &e) != NULL;

		assert_int_equal(refused, kind != 0 && model_conflict(who, start, n, kind == 2));
		if (refused)
			continue;
		assert_true(posix_lock_apply(&l, &e, kind == 0));
		for (unsigned b = start; b < start + n; b++)
			model[who][b] = kind;
		compare(&l);
	}
	done(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(split_and_join), cmocka_unit_test(at_the_end), cmocka_unit_test(windows_locks),
		cmocka_unit_test(game),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
