/* db_lock_with(): entries and their order, errors that leave no trace, the dead, two at once, damage. */
#include "db_fixture.h"
#include "db/internal.h"

static const struct db_file_id ID = { 0x801, 0x123456789abcull };

static struct db_lock lock(uint64_t open_id, uint64_t start, uint64_t length)
{
	return (struct db_lock){ .owner = db_me(), .open_id = open_id, .pid = 0xfeed1234, .start = start, .length = length,
				 .request = 0x1122334455667788ull, .flags = DB_LOCK_EXCLUSIVE };
}

/* ---- call-backs ---- */

static status_t add(struct db_locks *l, void *arg) { return db_locks_add(l, arg) ? ST_OK : ST_INSUFFICIENT_RESOURCES; }
static status_t wish(struct db_locks *l, void *arg) { return db_locks_wish(l, arg) ? ST_PENDING : ST_INSUFFICIENT_RESOURCES; }

static status_t add_then_fail(struct db_locks *l, void *arg)
{
	add(l, arg);
	return ST_FILE_LOCK_CONFLICT;
}

/* Refuses as long as anybody holds anything; says who. */
static int calls;
static status_t add_if_alone(struct db_locks *l, void *arg)
{
	calls++;
	if (l->nheld > 0) {
		l->blocker = &l->held[l->nheld - 1];
		add(l, arg); /* must be thrown away */
		return ST_FILE_LOCK_CONFLICT;
	}
	return add(l, arg);
}

static status_t refuse_for(struct db_locks *l, void *arg)
{
	(void)arg;
	calls++;
	l->blocker = l->nheld ? &l->held[0] : NULL;
	return ST_FILE_LOCK_CONFLICT;
}

static status_t clear(struct db_locks *l, void *arg)
{
	(void)arg;
	while (l->nheld)
		db_locks_drop(l, 0);
	while (l->nwaiting)
		db_locks_drop_wish(l, 0);
	return ST_OK;
}

static struct {
	size_t nheld, nwaiting;
	struct db_lock held[8], waiting[8];
} seen;

static status_t look(struct db_locks *l, void *arg)
{
	(void)arg;
	memset(&seen, 0, sizeof(seen));
	assert_true(l->id.dev == ID.dev && l->id.ino == ID.ino);
	assert_null(l->blocker);
	assert_false(l->changed);
	seen.nheld = l->nheld;
	seen.nwaiting = l->nwaiting;
	for (size_t i = 0; i < l->nheld && i < 8; i++)
		seen.held[i] = l->held[i];
	for (size_t i = 0; i < l->nwaiting && i < 8; i++)
		seen.waiting[i] = l->waiting[i];
	return ST_OK;
}

static void look_at(struct db *db) { assert_int_equal(db_lock_with(db, &ID, look, NULL), ST_OK); }

static bool count_file(const struct db_locks *l, void *arg)
{
	size_t *n = arg;

	n[0]++;
	n[1] += l->nheld;
	n[2] += l->nwaiting;
	return true;
}

static void assert_in_db(struct db *db, size_t files, size_t held, size_t waiting)
{
	size_t n[3] = { 0 };

	assert_true(db_lock_each(db, count_file, n));
	assert_int_equal(n[0], files);
	assert_int_equal(n[1], held);
	assert_int_equal(n[2], waiting);
}

static int records(struct fixture *f) { return tdb_traverse_read(f->db->tdb[DB_LOCKS], NULL, NULL); }

/* ---- tests ---- */

static void test_round_trip(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	struct db_lock a = lock(1, 0, UINT64_MAX), b = lock(UINT64_MAX, UINT64_MAX, 0), c = lock(2, 5, 6);

	look_at(db);
	assert_int_equal(seen.nheld + seen.nwaiting, 0);
	assert_int_equal(db_lock_with(db, &ID, add, &a), ST_OK);
	b.flags = DB_LOCK_POSIX;
	assert_int_equal(db_lock_with(db, &ID, add, &b), ST_OK);
	assert_int_equal(db_lock_with(db, &ID, wish, &c), ST_PENDING);
	look_at(db);
	assert_int_equal(seen.nheld, 2);
	assert_int_equal(seen.nwaiting, 1);
	assert_true(seen.held[0].owner.pid == a.owner.pid && seen.held[0].owner.start_time == a.owner.start_time);
	assert_true(seen.held[0].open_id == 1 && seen.held[0].pid == 0xfeed1234 && seen.held[0].length == UINT64_MAX);
	assert_true(seen.held[0].request == a.request && seen.held[0].flags == DB_LOCK_EXCLUSIVE);
	assert_true(seen.held[1].start == UINT64_MAX && seen.held[1].length == 0 && seen.held[1].flags == DB_LOCK_POSIX);
	assert_true(seen.waiting[0].start == 5 && seen.waiting[0].length == 6);
	assert_in_db(db, 1, 2, 1);
	assert_int_equal(db_lock_with(db, &ID, clear, NULL), ST_OK);
	assert_int_equal(records(f), 0); /* nothing is left of a file without locks */
}

/* A lock and a wish out of memory that is full of one byte, holes of the structure too. */
static status_t add_poisoned(struct db_locks *l, void *arg)
{
	const int byte = *(int *)arg;
	struct db_lock e;

	memset(l->held, byte, talloc_get_size(l->held));
	memset(l->waiting, byte, talloc_get_size(l->waiting));
	memset(&e, byte, sizeof(e));
	e.owner.pid = db_me().pid;
	e.owner.start_time = db_me().start_time;
	e.open_id = e.start = e.length = e.request = e.pid = 1;
	e.flags = DB_LOCK_EXCLUSIVE;
	poison_stack(byte);
	if (!db_locks_add(l, &e))
		return ST_INSUFFICIENT_RESOURCES;
	poison_stack(byte);
	return db_locks_wish(l, &e) ? ST_OK : ST_INSUFFICIENT_RESOURCES;
}

static void test_no_old_memory(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	int bytes[] = { 0xa5, 0x5a };
	TDB_DATA rec[2];

	for (int i = 0; i < 2; i++) {
		assert_int_equal(db_lock_with(db, &ID, add_poisoned, &bytes[i]), ST_OK);
		rec[i] = only_record(f->db->tdb[DB_LOCKS]);
		assert_int_equal(db_lock_with(db, &ID, clear, NULL), ST_OK);
	}
	assert_int_equal(rec[0].dsize, rec[1].dsize);
	assert_memory_equal(rec[0].dptr, rec[1].dptr, rec[0].dsize);
	free(rec[0].dptr);
	free(rec[1].dptr);
}

static status_t drop_middle(struct db_locks *l, void *arg)
{
	(void)arg;
	db_locks_drop(l, 1);
	db_locks_drop_wish(l, 0);
	return ST_OK;
}

static void test_order(void **state)
{
	struct db *db = fixture_open(*state);

	for (uint64_t i = 0; i < 4; i++) {
		struct db_lock e = lock(1, i, 1);

		db_lock_with(db, &ID, add, &e);
		e.start += 100;
		db_lock_with(db, &ID, wish, &e);
	}
	assert_int_equal(db_lock_with(db, &ID, drop_middle, NULL), ST_OK);
	look_at(db);
	assert_int_equal(seen.nheld, 3);
	assert_true(seen.held[0].start == 0 && seen.held[1].start == 2 && seen.held[2].start == 3);
	assert_true(seen.waiting[0].start == 101 && seen.waiting[2].start == 103);
}

static status_t add_many(struct db_locks *l, void *arg)
{
	db_locks_add(l, arg);
	for (int i = 0; i < 999; i++)
		if (!db_locks_add(l, &l->held[l->nheld - 1])) /* out of the list that grows */
			return ST_INSUFFICIENT_RESOURCES;
	return ST_OK;
}

static void test_many(void **state)
{
	struct db *db = fixture_open(*state);
	struct db_lock e = lock(1, 2, 3);

	for (int i = 0; i < 32; i++) {
		if (i >= 16) /* somebody else's, who lives */
			e.owner = (struct db_owner){ .pid = getppid(), .start_time = util_start_time(getppid()) };
		assert_int_equal(db_lock_with(db, &ID, add_many, &e), ST_OK);
	}
	assert_in_db(db, 1, 32000, 0);
	assert_int_equal(db_lock_with(db, &ID, add_many, &e), ST_INSUFFICIENT_RESOURCES); /* 32768 are enough */
	assert_in_db(db, 1, 32000, 0);
}

/* What one client may have in a file, and in all. */
static void test_too_many_of_one(void **state)
{
	struct db *db = fixture_open(*state);
	struct db_lock e = lock(1, 2, 3);
	struct db_file_id id = ID;

	for (int i = 0; i < 64; i++, id.ino += i % 16 == 0)
		assert_int_equal(db_lock_with(db, &id, add_many, &e), ST_OK);
	assert_int_equal(db_lock_with(db, &ID, add_many, &e), ST_INSUFF_SERVER_RESOURCES);
	look_at(db);
	assert_int_equal(seen.nheld, 16000);
	assert_int_equal(db_lock_with(db, &id, add_many, &e), ST_OK);
	assert_int_equal(db_lock_with(db, &id, add_many, &e), ST_INSUFF_SERVER_RESOURCES); /* 65000 in all */
	assert_int_equal(db_lock_with(db, &ID, clear, NULL), ST_OK);
	assert_int_equal(db_lock_with(db, &id, add_many, &e), ST_OK);
}

static void test_error_writes_nothing(void **state)
{
	struct db *db = fixture_open(*state);
	struct db_lock a = lock(1, 0, 10);
	uint32_t seq = db_lock_seqnum(db);

	assert_int_equal(db_lock_with(db, &ID, add_then_fail, &a), ST_FILE_LOCK_CONFLICT);
	look_at(db);
	assert_int_equal(seen.nheld, 0);
	assert_true(db_lock_seqnum(db) == seq); /* looking changes nothing */
	assert_int_equal(db_lock_with(db, &ID, add, &a), ST_OK);
	assert_true(db_lock_seqnum(db) != seq);
}

/* ---- the dead ---- */

static void hold_two(struct fixture *f, void *arg)
{
	struct db_lock e = lock(7, 0, 10);

	(void)arg;
	CHILD_CHECK(db_lock_with(f->db, &ID, add, &e) == ST_OK);
	CHILD_CHECK(db_lock_with(f->db, &ID, add, &e) == ST_OK);
	CHILD_CHECK(db_lock_with(f->db, &ID, wish, &e) == ST_PENDING);
}

static void test_living_blocker(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	struct db_lock mine = lock(1, 0, 10);
	uint32_t seq = db_lock_seqnum(db);
	pid_t child = start_child(f, hold_two, NULL);

	assert_true(db_lock_seqnum(db) != seq); /* seen without a lock, from another process */
	calls = 0;
	assert_int_equal(db_lock_with(db, &ID, add_if_alone, &mine), ST_FILE_LOCK_CONFLICT);
	assert_int_equal(calls, 1);
	look_at(db);
	assert_int_equal(seen.nheld, 2);
	kill_child(child);
}

static void test_dead_blocker(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	struct db_lock mine = lock(1, 0, 10);
	pid_t a = start_child(f, hold_two, NULL), b = start_child(f, hold_two, NULL);

	kill_child(a);
	assert_in_db(db, 1, 2, 1); /* the dead are not shown */
	kill_child(b);
	calls = 0;
	assert_int_equal(db_lock_with(db, &ID, add_if_alone, &mine), ST_OK);
	assert_int_equal(calls, 3); /* one after the other was buried */
	look_at(db);
	assert_int_equal(seen.nheld, 1);
	assert_int_equal(seen.nwaiting, 0);
	assert_true(seen.held[0].owner.pid == getpid());
}

/* What was buried stays so, even if the call is refused in the end; a living one in the way ends the search. */
static void test_burial_outlives_refusal(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	struct db_lock mine = lock(1, 0, 10);
	pid_t child = start_child(f, hold_two, NULL);

	assert_int_equal(db_lock_with(db, &ID, add, &mine), ST_OK);
	kill_child(child);
	calls = 0;
	assert_int_equal(db_lock_with(db, &ID, refuse_for, NULL), ST_FILE_LOCK_CONFLICT);
	assert_int_equal(calls, 2);
	look_at(db);
	assert_int_equal(seen.nheld, 1);
	assert_int_equal(db_lock_with(db, &ID, clear, NULL), ST_OK);
	child = start_child(f, hold_two, NULL);
	kill_child(child);
	assert_int_equal(db_lock_with(db, &ID, refuse_for, NULL), ST_FILE_LOCK_CONFLICT);
	assert_int_equal(records(f), 0);
}

static void test_forget(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	struct db_lock mine = lock(1, 0, 10);
	pid_t child = start_child(f, hold_two, NULL);
	uint64_t start = util_start_time(child);

	assert_int_equal(db_lock_with(db, &ID, add, &mine), ST_OK);
	kill_child(child);
	db_forget(db, child, start + 1); /* another process of that number */
	assert_int_equal(records(f), 1);
	look_at(db);
	assert_int_equal(seen.nheld, 3);
	db_forget(db, child, start);
	look_at(db);
	assert_int_equal(seen.nheld, 1);
	assert_int_equal(seen.nwaiting, 0);
	db_forget_me(db);
	assert_int_equal(records(f), 0);
}

/* A wish that another process turned into a lock is still ours to forget. */
static status_t grant_first(struct db_locks *l, void *arg)
{
	struct db_lock e = l->waiting[0];

	(void)arg;
	db_locks_drop_wish(l, 0);
	return db_locks_add(l, &e) ? ST_OK : ST_INSUFFICIENT_RESOURCES;
}

static void grant_in_child(struct fixture *f, void *arg)
{
	(void)arg;
	CHILD_CHECK(db_after_fork(f->db, 0));
	CHILD_CHECK(db_lock_with(f->db, &ID, grant_first, NULL) == ST_OK);
	db_forget_me(f->db);
}

static void test_granted_by_another(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	struct db_lock mine = lock(1, 0, 10);

	assert_int_equal(db_lock_with(db, &ID, wish, &mine), ST_PENDING);
	run_child(f, grant_in_child, NULL);
	look_at(db);
	assert_int_equal(seen.nheld, 1);
	assert_true(seen.held[0].owner.pid == getpid());
	db_forget_me(db);
	assert_int_equal(records(f), 0);
}

/* ---- two at once ---- */

#define ROUNDS 3000u

static status_t count_up(struct db_locks *l, void *arg)
{
	struct db_lock e;

	(void)arg;
	if (l->nheld == 0)
		return ST_INTERNAL_ERROR;
	e = l->held[0];
	e.start++;
	db_locks_drop(l, 0);
	return db_locks_add(l, &e) ? ST_OK : ST_INSUFFICIENT_RESOURCES;
}

static void count_in_child(struct fixture *f, void *arg)
{
	(void)arg;
	CHILD_CHECK(db_after_fork(f->db, 0));
	for (unsigned i = 0; i < ROUNDS; i++)
		CHILD_CHECK(db_lock_with(f->db, &ID, count_up, NULL) == ST_OK);
}

static void test_two_at_once(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	struct db_lock e = lock(1, 0, 1);
	pid_t pid;
	int how;

	assert_int_equal(db_lock_with(db, &ID, add, &e), ST_OK);
	pid = fork();
	if (pid == 0) {
		count_in_child(f, NULL);
		_exit(0);
	}
	for (unsigned i = 0; i < ROUNDS; i++)
		assert_int_equal(db_lock_with(db, &ID, count_up, NULL), ST_OK);
	assert_int_equal(waitpid(pid, &how, 0), pid);
	assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
	look_at(db);
	assert_int_equal(seen.nheld, 1);
	assert_int_equal(seen.held[0].start, 2 * ROUNDS);
}

/* ---- damage ---- */

static void put_record(struct fixture *f, const uint8_t *rec, size_t len)
{
	uint8_t key[16];
	struct wr w = wr_over(key, sizeof(key));

	wr_u64(&w, ID.dev);
	wr_u64(&w, ID.ino);
	assert_int_equal(db_rec_store(f->db, DB_LOCKS, db_datum(key, sizeof(key)), rec, len), ST_OK);
}

static size_t get_record(struct fixture *f, uint8_t *rec, size_t room)
{
	TDB_DATA key = tdb_firstkey(f->db->tdb[DB_LOCKS]), d = tdb_fetch(f->db->tdb[DB_LOCKS], key);
	size_t n = d.dsize;

	assert_true(n > 0 && n <= room);
	memcpy(rec, d.dptr, n);
	free(key.dptr);
	free(d.dptr);
	return n;
}

/* Cut anywhere, or with a bit turned: either it still decodes, or the file has no locks and all goes on. */
static void test_damage(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	struct db_lock a = lock(1, 10, 10);
	uint8_t good[400], bad[400];
	size_t n;

	db_lock_with(db, &ID, add, &a);
	db_lock_with(db, &ID, wish, &a);
	n = get_record(f, good, sizeof(good));
	assert_int_equal(n, 12 + 2 * sizeof(struct db_lock));
	for (size_t cut = 1; cut < n; cut++) {
		put_record(f, good, cut);
		look_at(db);
		assert_int_equal(seen.nheld + seen.nwaiting, 0);
		assert_int_equal(records(f), 0);
	}
	for (size_t bit = 0; bit < n * 8; bit++) {
		memcpy(bad, good, n);
		bad[bit / 8] ^= (uint8_t)(1u << bit % 8);
		put_record(f, bad, n);
		look_at(db);
		assert_true(seen.nheld + seen.nwaiting == 2 || seen.nheld + seen.nwaiting == 0);
		if (bit < 8 * 12)
			assert_int_equal(seen.nheld + seen.nwaiting, 0);
	}
	assert_int_equal(db_lock_with(db, &ID, add, &a), ST_OK);
}

#define T(fn) cmocka_unit_test_setup_teardown(fn, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_round_trip), T(test_no_old_memory), T(test_order), T(test_many), T(test_too_many_of_one),
		T(test_error_writes_nothing), T(test_living_blocker),
		T(test_dead_blocker), T(test_burial_outlives_refusal), T(test_forget), T(test_granted_by_another),
		T(test_two_at_once), T(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
