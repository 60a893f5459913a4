/* db_share_with(): what a call-back may do, errors that leave no trace, the dead, two at once, damage. */
#include "db_fixture.h"
#include "db/internal.h"

static const struct db_file_id ID = { 0x801, 0x123456789abcull };

static struct db_opener opener(uint64_t id)
{
	return (struct db_opener){ .owner = db_me(), .open_id = id, .access = 0x12019f, .share = 3,
				   .flags = DB_OPEN_DENY_DOS | DB_OPEN_POSIX, .client_pid = 0xfeed1234,
				   .client_uid = 0x8001, .oplock = 3, .unix_uid = 1000,
				   .opened = 0x01d9000000000001ull };
}

/* ---- call-backs ---- */

static status_t add(struct db_file *f, void *arg)
{
	struct db_opener *o = arg;

	if (f->n == 0)
		f->path = "/srv/data/a b\xc3\xa4.txt";
	return db_file_add(f, o) ? ST_OK : ST_INSUFFICIENT_RESOURCES;
}

static status_t add_if_alone(struct db_file *f, void *arg)
{
	struct db_opener *o = arg;
	status_t st = db_share_conflict(f, o->access, o->share, o->flags);

	return st ? st : add(f, arg);
}

static status_t add_then_fail(struct db_file *f, void *arg)
{
	add(f, arg);
	f->delete_pending = true;
	f->changed = true;
	return ST_ACCESS_DENIED;
}

static status_t take(struct db_file *f, void *arg)
{
	struct db_owner me = db_me();

	return db_file_remove(f, &me, *(uint64_t *)arg) ? ST_OK : ST_INVALID_HANDLE;
}

static struct {
	size_t n;
	bool pending;
	uint64_t write_time;
	char path[200];
	struct db_opener first, last;
} seen;

static status_t look(struct db_file *f, void *arg)
{
	(void)arg;
	memset(&seen, 0, sizeof(seen));
	assert_true(f->id.dev == ID.dev && f->id.ino == ID.ino);
	seen.n = f->n;
	seen.pending = f->delete_pending;
	seen.write_time = f->write_time;
	snprintf(seen.path, sizeof(seen.path), "%s", f->path);
	if (f->n) {
		seen.first = f->openers[0];
		seen.last = f->openers[f->n - 1];
	}
	return ST_OK;
}

static size_t count(struct db *db)
{
	assert_int_equal(db_share_with(db, &ID, look, NULL), ST_OK);
	return seen.n;
}

static bool count_file(const struct db_file *f, void *arg)
{
	size_t *n = arg;

	n[0]++;
	n[1] += f->n;
	return true;
}

static size_t files_in(struct db *db)
{
	size_t n[2] = { 0 };

	assert_true(db_share_each(db, count_file, n));
	return n[0];
}

/* ---- tests ---- */

static void test_round_trip(void **state)
{
	struct db *db = fixture_open(*state);
	struct db_opener a = opener(1), b = opener(UINT64_MAX);
	uint64_t id = 1;

	assert_int_equal(count(db), 0);
	assert_int_equal(files_in(db), 0);
	assert_string_equal(seen.path, "");
	assert_int_equal(db_share_with(db, &ID, add, &a), ST_OK);
	b.share = 7;
	b.oplock = 0;
	assert_int_equal(db_share_with(db, &ID, add, &b), ST_OK);
	assert_int_equal(count(db), 2);
	assert_string_equal(seen.path, "/srv/data/a b\xc3\xa4.txt");
	assert_memory_equal(&seen.first.owner, &a.owner, sizeof(a.owner));
	assert_int_equal(seen.first.client_pid, 0xfeed1234);
	assert_int_equal(seen.first.client_uid, 0x8001);
	assert_int_equal(seen.first.access, 0x12019f);
	assert_int_equal(seen.first.share, 3);
	assert_int_equal(seen.first.flags, DB_OPEN_DENY_DOS | DB_OPEN_POSIX);
	assert_int_equal(seen.first.oplock, 3);
	assert_int_equal(seen.first.unix_uid, 1000);
	assert_true(seen.first.opened == a.opened);
	assert_true(seen.last.open_id == UINT64_MAX && seen.last.share == 7);
	assert_int_equal(files_in(db), 1);
	assert_int_equal(db_share_with(db, &ID, take, &id), ST_OK);
	assert_int_equal(db_share_with(db, &ID, take, &id), ST_INVALID_HANDLE);
	assert_int_equal(count(db), 1);
	id = UINT64_MAX;
	assert_int_equal(db_share_with(db, &ID, take, &id), ST_OK);
	assert_int_equal(files_in(db), 0);
}

static void test_many(void **state)
{
	struct db *db = fixture_open(*state);

	for (uint64_t i = 0; i < 1000; i++) {
		struct db_opener o = opener(i);

		assert_int_equal(db_share_with(db, &ID, add, &o), ST_OK);
	}
	assert_int_equal(count(db), 1000);
	for (uint64_t i = 0; i < 1000; i += 2)
		assert_int_equal(db_share_with(db, &ID, take, &i), ST_OK);
	assert_int_equal(count(db), 500);
	assert_true(seen.first.open_id == 1 && seen.last.open_id == 999);
	db_forget_me(db);
	assert_int_equal(files_in(db), 0);
}

static status_t set_fields(struct db_file *f, void *arg)
{
	f->write_time = 77;
	f->delete_pending = true;
	f->delete_uid = 5;
	f->changed = arg != NULL;
	return ST_OK;
}

static status_t pending(struct db_file *f, void *arg)
{
	add(f, arg);
	return ST_PENDING;
}

/* An open out of memory that is full of one byte, holes of the structure too. */
static status_t add_poisoned(struct db_file *f, void *arg)
{
	const int byte = *(int *)arg;
	struct db_opener o;

	if (f->openers)
		memset(f->openers, byte, talloc_get_size(f->openers));
	memset(&o, byte, sizeof(o));
	o.owner.pid = db_me().pid;
	o.owner.start_time = db_me().start_time;
	o.open_id = o.opened = o.access = o.share = o.flags = o.client = o.client_pid = o.client_uid = o.oplock = o.unix_uid = 1;
	poison_stack(byte);
	return add(f, &o);
}

static void test_no_old_memory(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	int bytes[] = { 0xa5, 0x5a };
	uint64_t id = 1;
	TDB_DATA rec[2];

	for (int i = 0; i < 2; i++) {
		assert_int_equal(db_share_with(db, &ID, add_poisoned, &bytes[i]), ST_OK);
		rec[i] = only_record(f->db->tdb[DB_OPENS]);
		assert_int_equal(db_share_with(db, &ID, take, &id), ST_OK);
	}
	assert_int_equal(rec[0].dsize, rec[1].dsize);
	assert_memory_equal(rec[0].dptr, rec[1].dptr, rec[0].dsize);
	free(rec[0].dptr);
	free(rec[1].dptr);
}

static void test_what_is_written(void **state)
{
	struct db *db = fixture_open(*state);
	struct db_opener a = opener(1), b = opener(2);

	assert_int_equal(db_share_with(db, &ID, add_then_fail, &a), ST_ACCESS_DENIED);
	assert_int_equal(files_in(db), 0);
	assert_int_equal(db_share_with(db, &ID, add, &a), ST_OK);
	assert_int_equal(db_share_with(db, &ID, add_then_fail, &b), ST_ACCESS_DENIED);
	assert_int_equal(count(db), 1);
	assert_false(seen.pending);
	assert_int_equal(db_share_with(db, &ID, set_fields, NULL), ST_OK); /* not said to be changed */
	assert_int_equal(count(db), 1);
	assert_false(seen.pending);
	assert_int_equal(db_share_with(db, &ID, set_fields, &a), ST_OK);
	assert_int_equal(count(db), 1);
	assert_true(seen.pending && seen.write_time == 77);
	assert_int_equal(db_share_with(db, &ID, pending, &b), ST_PENDING); /* no error: written */
	assert_int_equal(count(db), 2);
}

/* ---- the dead ---- */

static void child_adds(struct fixture *f, void *arg)
{
	struct db_opener o = *(struct db_opener *)arg;

	o.owner = db_me();
	CHILD_CHECK(db_share_with(f->db, &ID, add, &o) == ST_OK);
}

static void test_dead_owner(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	struct db_opener theirs = opener(7), mine = opener(8);
	struct db_owner who;
	pid_t pid;

	theirs.share = 0;
	theirs.oplock = 0;
	pid = start_child(f, child_adds, &theirs);
	assert_int_equal(count(db), 1);
	who = seen.first.owner;
	assert_int_equal(who.pid, pid);
	assert_true(db_alive(&who));
	assert_int_equal(db_share_with(db, &ID, add_if_alone, &mine), ST_SHARING_VIOLATION);
	assert_int_equal(count(db), 1);
	/* dead, but not yet fetched by its parent: that must do */
	kill(pid, SIGKILL);
	for (int i = 0; db_alive(&who) && i < 500; i++)
		usleep(10000);
	assert_false(db_alive(&who));
	assert_int_equal(db_share_with(db, &ID, add_if_alone, &mine), ST_OK);
	assert_int_equal(count(db), 1);
	assert_true(seen.first.open_id == 8);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_false(db_alive(&who));
}

static void test_pid_given_again(void **state)
{
	struct db *db = fixture_open(*state);
	struct db_owner other = db_me();
	struct db_opener theirs = opener(7), mine = opener(8);

	assert_true(db_alive(&other));
	other.start_time++;
	assert_false(db_alive(&other));
	theirs.owner = other;
	theirs.share = 0;
	assert_int_equal(db_share_with(db, &ID, add, &theirs), ST_OK);
	assert_int_equal(db_share_with(db, &ID, add_if_alone, &mine), ST_OK);
	assert_int_equal(count(db), 1);
	/* another living process, wrong time */
	theirs.owner = (struct db_owner){ getppid(), util_start_time(getppid()) };
	assert_true(db_alive(&theirs.owner));
	theirs.owner.start_time ^= 1;
	assert_false(db_alive(&theirs.owner));
}

static int calls;

static status_t break_oplock(struct db_file *f, void *arg)
{
	calls++;
	for (size_t i = 0; i < f->n; i++)
		if (f->openers[i].oplock == 2)
			return ST_OK; /* would wait for a break */
	return add(f, arg);
}

static status_t refuse(struct db_file *f, void *arg)
{
	calls++;
	add(f, arg);
	return ST_SHARING_VIOLATION;
}

static void test_dead_in_the_way(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	struct db_opener batch = opener(7), mine = opener(8);

	batch.oplock = 2;
	kill_child(start_child(f, child_adds, &batch));
	calls = 0;
	assert_int_equal(db_share_with(db, &ID, break_oplock, &mine), ST_OK);
	assert_int_equal(calls, 1);
	assert_int_equal(count(db), 1);
	assert_true(seen.first.open_id == 8);

	/* an error that stays one: the dead are gone all the same, and nothing else changed */
	batch.oplock = 0;
	kill_child(start_child(f, child_adds, &batch));
	assert_int_equal(count(db), 2);
	calls = 0;
	assert_int_equal(db_share_with(db, &ID, refuse, &mine), ST_SHARING_VIOLATION);
	assert_int_equal(calls, 2);
	assert_int_equal(count(db), 1);
	calls = 0;
	assert_int_equal(db_share_with(db, &ID, refuse, &mine), ST_SHARING_VIOLATION);
	assert_int_equal(calls, 1);
	db_forget_me(db); /* still knows what is ours */
	assert_int_equal(count(db), 0);
}

static status_t close_and_delete(struct db_file *f, void *arg)
{
	struct db_owner me = db_me();

	assert_true(db_file_remove(f, &me, 8));
	*(size_t *)arg = f->n;
	assert_true(f->n > 0 || f->delete_pending); /* the closer still sees what he has to do */
	return ST_OK;
}

static void test_last_living_closer_deletes(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	struct db_opener theirs = opener(7), mine = opener(8);
	size_t left = 99;

	kill_child(start_child(f, child_adds, &theirs));
	assert_int_equal(db_share_with(db, &ID, add, &mine), ST_OK);
	assert_int_equal(db_share_with(db, &ID, set_fields, &mine), ST_OK);
	assert_int_equal(count(db), 2);
	assert_int_equal(db_share_with(db, &ID, close_and_delete, &left), ST_OK);
	assert_int_equal(left, 0);
	assert_int_equal(files_in(db), 0);
}

static void child_wants_deletion(struct fixture *f, void *arg)
{
	child_adds(f, arg);
	CHILD_CHECK(db_share_with(f->db, &ID, set_fields, arg) == ST_OK);
}

static void test_dead_wish(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	struct db_opener theirs = opener(7), mine = opener(8);

	kill_child(start_child(f, child_wants_deletion, &theirs));
	assert_int_equal(files_in(db), 0); /* status shows no dead */
	assert_int_equal(db_share_with(db, &ID, add_if_alone, &mine), ST_OK);
	assert_int_equal(count(db), 1);
	assert_false(seen.pending);
	assert_true(seen.write_time == 0);
}

static void test_forget(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	struct db_opener theirs = opener(7), mine = opener(8);
	struct db_owner who;
	pid_t pid = start_child(f, child_adds, &theirs);

	who = (struct db_owner){ pid, util_start_time(pid) };
	assert_int_equal(db_share_with(db, &ID, add, &mine), ST_OK);
	kill_child(pid);
	assert_int_equal(count(db), 2);
	db_forget(db, who.pid, who.start_time + 1);
	assert_int_equal(count(db), 2);
	db_forget(db, who.pid, who.start_time);
	assert_int_equal(count(db), 1);
	assert_true(seen.first.open_id == 8);
	db_forget_me(db);
	assert_int_equal(count(db), 0);
}

/* ---- two at once ---- */

static void hammer(struct fixture *f, void *arg)
{
	(void)arg;
	CHILD_CHECK(db_after_fork(f->db, 0));
	for (uint64_t i = 0; i < 2000; i++) {
		struct db_opener o = opener(i);

		CHILD_CHECK(db_share_with(f->db, &ID, add, &o) == ST_OK);
		CHILD_CHECK(db_share_with(f->db, &ID, take, &i) == ST_OK);
	}
}

static void test_hammer(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	pid_t pids[2];
	int how;

	for (int i = 0; i < 2; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] == 0) {
			hammer(f, NULL);
			_exit(0);
		}
	}
	for (int i = 0; i < 2; i++) {
		assert_int_equal(waitpid(pids[i], &how, 0), pids[i]);
		assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
	}
	assert_int_equal(count(db), 0);
	assert_int_equal(files_in(db), 0);
}

/* One is killed somewhere in the middle, again and again: nobody waits for ever, nothing breaks. */
static void test_killed_in_the_middle(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);

	for (int round = 0; round < 20; round++) {
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0) {
			for (;;)
				hammer(f, NULL);
		}
		usleep(3000 + 500u * (unsigned)round);
		kill_child(pid);
		for (uint64_t i = 0; i < 20; i++) {
			struct db_opener o = opener(i);

			o.share = 0;
			assert_int_equal(db_share_with(db, &ID, add_if_alone, &o), ST_OK);
			assert_int_equal(db_share_with(db, &ID, take, &i), ST_OK);
		}
	}
	db_forget_me(db);
	assert_int_equal(files_in(db), 0);
}

/* ---- damage ---- */

struct rubbish { const uint8_t *p; size_t len; };

/* Writes past the door: needs a process that has not the database open. */
static void write_raw(struct fixture *f, void *arg)
{
	struct rubbish *r = arg;
	struct tdb_context *tdb;
	uint8_t key[16] = { 0 };
	TDB_DATA k = { key, sizeof(key) }, d = { (unsigned char *)(uintptr_t)r->p, r->len };

	for (int i = 0; i < 8; i++) {
		key[i] = (uint8_t)(ID.dev >> 8 * i);
		key[8 + i] = (uint8_t)(ID.ino >> 8 * i);
	}
	TALLOC_FREE(f->db);
	tdb = tdb_open(fixture_path(f, "smb1d-opens.tdb"), 0,
		       TDB_CLEAR_IF_FIRST | TDB_INCOMPATIBLE_HASH |
			       (tdb_runtime_check_for_robust_mutexes() ? TDB_MUTEX_LOCKING : 0), O_RDWR, 0);
	CHILD_CHECK(tdb != NULL);
	CHILD_CHECK(tdb_store(tdb, k, d, TDB_REPLACE) == 0);
	tdb_close(tdb);
}

static uint8_t good[4096];
static size_t good_len;

static int keep(TDB_DATA key, TDB_DATA data, void *arg)
{
	(void)key;
	if (data.dsize > sizeof(good))
		return -1;
	memcpy(good, data.dptr, data.dsize);
	*(size_t *)arg = data.dsize;
	return 0;
}

/* The good record as bytes: read through a second process and a pipe. */
static void read_raw(struct fixture *f)
{
	uint8_t key[16] = { 0 };
	int p[2];
	pid_t pid;
	ssize_t n;

	for (int i = 0; i < 8; i++) {
		key[i] = (uint8_t)(ID.dev >> 8 * i);
		key[8 + i] = (uint8_t)(ID.ino >> 8 * i);
	}
	assert_int_equal(pipe(p), 0);
	pid = fork();
	if (pid == 0) {
		struct tdb_context *tdb;

		TALLOC_FREE(f->db);
		tdb = tdb_open(fixture_path(f, "smb1d-opens.tdb"), 0, TDB_NOLOCK, O_RDONLY, 0);
		CHILD_CHECK(tdb != NULL);
		CHILD_CHECK(tdb_parse_record(tdb, (TDB_DATA){ key, sizeof(key) }, keep, &good_len) == 0);
		CHILD_CHECK(write(p[1], good, good_len) == (ssize_t)good_len);
		_exit(0);
	}
	close(p[1]);
	n = read(p[0], good, sizeof(good));
	assert_true(n > 0);
	good_len = (size_t)n;
	close(p[0]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void test_rubbish(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	static const char *const texts[] = { "", "x", "rubbish", "\1\0\xff\xff" "abcdefghijklmnopqrstuvwxyz012345",
		"\1\0\0\0" "aaaa" "aaaa" "aaaaaaaa" "\xff\xff\xff\xff" };
	static const size_t lens[] = { 0, 1, 7, 36, 24 };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct rubbish r = { (const uint8_t *)texts[i], lens[i] };
		struct db_opener o = opener(1);
		uint64_t id = 1;

		run_child(f, write_raw, &r);
		assert_int_equal(files_in(db), 0);
		assert_int_equal(count(db), 0);
		run_child(f, write_raw, &r);
		assert_int_equal(db_share_with(db, &ID, add_if_alone, &o), ST_OK);
		assert_int_equal(count(db), 1);
		assert_int_equal(db_share_with(db, &ID, take, &id), ST_OK);
	}
}

static status_t must_be_sane(struct db_file *f, void *arg)
{
	(void)arg;
	assert_true(strlen(f->path) < 4096);
	for (size_t i = 0; i < f->n; i++) {
		assert_true(f->openers[i].owner.pid > 0);
		assert_true(f->openers[i].oplock <= 3);
	}
	return ST_ACCESS_DENIED;
}

/* Each byte flipped, each cut.  One child writes them all by request, so this stays quick. */
static void test_flips_and_cuts(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	struct db_opener a = opener(1), b = opener(2);

	assert_int_equal(db_share_with(db, &ID, add, &a), ST_OK);
	assert_int_equal(db_share_with(db, &ID, add, &b), ST_OK);
	read_raw(f);
	for (size_t cut = 0; cut < good_len; cut++) {
		struct rubbish r = { good, cut };

		if (cut % 5 != 0 && cut > 30)
			continue;
		run_child(f, write_raw, &r);
		assert_int_equal(count(db), 0); /* no cut is a whole record */
	}
	for (size_t i = 0; i < good_len; i++) {
		struct rubbish r = { good, good_len };

		good[i] ^= (uint8_t)(1u << i % 8);
		run_child(f, write_raw, &r);
		assert_int_equal(db_share_with(db, &ID, must_be_sane, NULL), ST_ACCESS_DENIED);
		db_share_each(db, count_file, (size_t[2]){ 0 });
		good[i] ^= (uint8_t)(1u << i % 8);
	}
}

/* ---- waiters ---- */

static struct {
	struct db_owner woken[DB_WAITERS_MAX];
	size_t n;
	bool room;
} waiting;

static status_t wait_here(struct db_file *f, void *arg)
{
	waiting.room = db_file_wait(f, arg);
	return ST_PENDING; /* written all the same: it is no error */
}

static status_t wake_all(struct db_file *f, void *arg)
{
	(void)arg;
	waiting.n = db_file_wake(f, waiting.woken);
	return ST_OK;
}

static void test_waiters(void **state)
{
	struct db *db = fixture_open(*state);
	struct db_opener a = opener(1);
	struct db_owner w = { 77, 5 };
	uint64_t id = 1;

	assert_int_equal(db_share_with(db, &ID, add, &a), ST_OK);
	assert_int_equal(db_share_with(db, &ID, wake_all, NULL), ST_OK);
	assert_int_equal(waiting.n, 0);
	for (int i = 0; i < 3; i++) /* once is enough */
		assert_int_equal(db_share_with(db, &ID, wait_here, &w), ST_PENDING);
	assert_int_equal(count(db), 1);
	assert_memory_equal(&seen.first.owner, &a.owner, sizeof(a.owner));
	assert_int_equal(db_share_with(db, &ID, wake_all, NULL), ST_OK);
	assert_int_equal(waiting.n, 1);
	assert_int_equal(waiting.woken[0].pid, 77);
	assert_true(waiting.woken[0].start_time == 5);
	assert_int_equal(db_share_with(db, &ID, wake_all, NULL), ST_OK);
	assert_int_equal(waiting.n, 0);
	for (unsigned i = 0; i <= DB_WAITERS_MAX; i++) { /* the list is bounded */
		w.start_time = i;
		assert_int_equal(db_share_with(db, &ID, wait_here, &w), ST_PENDING);
		assert_int_equal(waiting.room, i < DB_WAITERS_MAX);
	}
	assert_int_equal(db_share_with(db, &ID, wake_all, NULL), ST_OK);
	assert_int_equal(waiting.n, DB_WAITERS_MAX);
	assert_int_equal(db_share_with(db, &ID, take, &id), ST_OK);
	assert_int_equal(files_in(db), 0);
}

static void count_a_grant(struct fixture *f, void *arg)
{
	(void)arg;
	CHILD_CHECK(db_after_fork(f->db, 0));
	db_share_granted(f->db, &ID);
}

/* The counter is everybody's. */
static void test_grants(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	const struct db_file_id other = { ID.dev, ID.ino + 1 };
	uint32_t before = db_share_grants(db, &ID), beside = db_share_grants(db, &other);

	run_child(f, count_a_grant, NULL);
	assert_int_equal(db_share_grants(db, &ID), before + 1);
	assert_int_equal(db_share_grants(db, &other), beside);
}

int main(void)
{
#define T(x) cmocka_unit_test_setup_teardown(x, fixture_setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		T(test_round_trip),
		T(test_many),
		T(test_what_is_written),
		T(test_no_old_memory),
		T(test_dead_owner),
		T(test_pid_given_again),
		T(test_dead_in_the_way),
		T(test_last_living_closer_deletes),
		T(test_dead_wish),
		T(test_forget),
		T(test_hammer),
		T(test_killed_in_the_middle),
		T(test_rubbish),
		T(test_flips_and_cuts),
		T(test_waiters),
		T(test_grants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
