/* db/grants.c: db_share_none() says so by a counter, and never wrongly; messages ring a bell. */
#include "db_fixture.h"
#include "db/msg.h"

static const struct db_file_id ID = { 0x801, 0x123456789abcull };

static status_t add(struct db_file *f, void *arg)
{
	struct db_opener o = { .owner = db_me(), .open_id = *(uint64_t *)arg, .access = 1, .share = 7 };

	if (f->n == 0)
		f->path = "/x";
	return db_file_add(f, &o) ? ST_OK : ST_INSUFFICIENT_RESOURCES;
}

static status_t take(struct db_file *f, void *arg)
{
	struct db_owner me = db_me();

	return db_file_remove(f, &me, *(uint64_t *)arg) ? ST_OK : ST_INVALID_HANDLE;
}

static status_t refuse(struct db_file *f, void *arg)
{
	add(f, arg);
	return ST_ACCESS_DENIED;
}

static status_t bury(struct db_file *f, void *arg)
{
	(void)arg;
	db_file_bury(f);
	return ST_OK;
}

/* What the counters of open files (the second of each three) come to.  set: written to all counters. */
static uint64_t counted(struct fixture *f, const uint32_t *set)
{
	uint32_t c[3 * 4096];
	int fd = open(fixture_path(f, "smb1d-grants"), O_RDWR);
	uint64_t sum = 0;

	assert_int_equal(pread(fd, c, sizeof(c), 0), sizeof(c));
	for (size_t i = 0; i < ARRAY_LEN(c); i++) {
		sum += i % 3 == 1 ? c[i] : 0;
		c[i] = set ? *set : 0;
	}
	if (set)
		assert_int_equal(pwrite(fd, c, sizeof(c), 0), sizeof(c));
	close(fd);
	return sum;
}

static void test_open_and_closed(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	const struct db_file_id other = { ID.dev, ID.ino + 1 };
	uint64_t a = 1, b = 2;

	assert_true(db_share_none(db, &ID));
	assert_int_equal(db_share_with(db, &ID, refuse, &a), ST_ACCESS_DENIED);
	assert_int_equal(counted(f, NULL), 0);
	assert_int_equal(db_share_with(db, &ID, add, &a), ST_OK);
	assert_false(db_share_none(db, &ID));
	assert_true(db_share_none(db, &other));
	assert_int_equal(db_share_with(db, &ID, add, &b), ST_OK);
	assert_int_equal(counted(f, NULL), 1);
	assert_int_equal(db_share_with(db, &ID, take, &a), ST_OK);
	assert_false(db_share_none(db, &ID));
	assert_int_equal(db_share_with(db, &ID, take, &b), ST_OK);
	assert_true(db_share_none(db, &ID));
	assert_int_equal(counted(f, NULL), 0);
}

/* Files with the same counter: the record decides. */
static void test_shared_counter(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	struct db_file_id id = { ID.dev, 0 };
	uint64_t a = 1;

	for (id.ino = 1; id.ino <= 5000; id.ino++)
		assert_int_equal(db_share_with(db, &id, add, &a), ST_OK);
	assert_int_equal(counted(f, NULL), 5000);
	for (id.ino = 1; id.ino <= 5000; id.ino++)
		assert_false(db_share_none(db, &id));
	for (id.ino = 5001; id.ino <= 10000; id.ino++)
		assert_true(db_share_none(db, &id));
	db_forget_me(db);
	assert_int_equal(counted(f, NULL), 0);
}

static void child_adds(struct fixture *f, void *arg)
{
	uint64_t a = 1;

	(void)arg;
	CHILD_CHECK(db_share_with(f->db, &ID, add, &a) == ST_OK);
}

/* What a killed worker had open is counted until it is buried, or nobody is left who uses the database. */
static void test_killed(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);

	kill_child(start_child(f, child_adds, NULL));
	assert_false(db_share_none(db, &ID));
	assert_int_equal(db_share_with(db, &ID, bury, NULL), ST_OK);
	assert_int_equal(counted(f, NULL), 0);
	kill_child(start_child(f, child_adds, NULL));
	TALLOC_FREE(f->db);
	assert_int_equal(counted(f, NULL), 1);
	db = fixture_open(f);
	assert_int_equal(counted(f, NULL), 0);
	assert_true(db_share_none(db, &ID));
}

/* A worker that outlives its listener is counted by the next one. */
static void test_survivor(void **state)
{
	struct fixture *f = *state;
	pid_t pid;

	fixture_open(f);
	pid = start_child(f, child_adds, NULL);
	TALLOC_FREE(f->db);
	fixture_open(f);
	assert_false(db_share_none(f->db, &ID));
	kill_child(pid);
}

/* Somebody wrote zeros over the file: from the next close on the counter says nothing any more. */
static void test_scribbled(void **state)
{
	const uint32_t zero = 0;
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	uint64_t a = 1;

	assert_int_equal(db_share_with(db, &ID, add, &a), ST_OK);
	(void)counted(f, &zero);
	assert_int_equal(db_share_with(db, &ID, take, &a), ST_OK);
	for (int i = 0; i < 3; i++) {
		assert_true(db_share_none(db, &ID));
		assert_int_equal(db_share_with(db, &ID, add, &a), ST_OK);
		assert_false(db_share_none(db, &ID));
		assert_int_equal(db_share_with(db, &ID, take, &a), ST_OK);
	}
}

static void child_hammers(struct fixture *f, void *arg)
{
	const struct db_file_id id = { 1, *(uint64_t *)arg };

	CHILD_CHECK(db_after_fork(f->db, 0));
	for (uint64_t i = 0; i < 3000; i++) {
		CHILD_CHECK(db_share_with(f->db, &ID, add, &i) == ST_OK && !db_share_none(f->db, &ID));
		CHILD_CHECK(db_share_with(f->db, &id, add, &i) == ST_OK && !db_share_none(f->db, &id));
		CHILD_CHECK(db_share_with(f->db, &id, take, &i) == ST_OK && db_share_none(f->db, &id));
		CHILD_CHECK(db_share_with(f->db, &ID, take, &i) == ST_OK);
	}
}

static void test_several(void **state)
{
	struct fixture *f = *state;
	pid_t pids[3];
	int how;

	fixture_open(f);
	for (uint64_t i = 0; i < 3; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] == 0) {
			child_hammers(f, &i);
			_exit(0);
		}
	}
	for (int i = 0; i < 3; i++) {
		assert_int_equal(waitpid(pids[i], &how, 0), pids[i]);
		assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
	}
	assert_int_equal(counted(f, NULL), 0);
}

static void child_sends(struct fixture *f, void *arg)
{
	const char *why = NULL;
	struct msg_box *box;

	CHILD_CHECK(db_after_fork(f->db, 0));
	box = box_open(f->db, f->db, &why);
	CHILD_CHECK(box && box_send(box, arg, MSG_WAKE, "", 0));
}

/* Who is busy knows by a look into memory that a message has come. */
static void test_bell(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	const char *why = NULL;
	struct msg_box *box = box_open(db, db, &why);
	struct db_owner me = db_me(), other = { me.pid + 1, me.start_time };

	assert_non_null(box);
	assert_false(box_rung(box));
	run_child(f, child_sends, &me);
	assert_true(box_rung(box));
	assert_false(box_rung(box));
	assert_false(box_send(box, &other, MSG_WAKE, "", 0));
	assert_false(box_rung(box));
	assert_true(box_send_once(db, &me, MSG_WAKE, "", 0));
	assert_true(box_rung(box));
}

int main(void)
{
#define T(x) cmocka_unit_test_setup_teardown(x, fixture_setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		T(test_open_and_closed), T(test_shared_counter), T(test_killed), T(test_survivor), T(test_scribbled),
		T(test_several), T(test_bell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
