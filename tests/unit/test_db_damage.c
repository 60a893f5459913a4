/* db/damage.h: a database damaged in use is found out, made anew, and joined again. */
#include "db_fixture.h"
#include "db/damage.h"

static const struct db_file_id ID = { 1, 2 };

static status_t add(struct db_file *f, void *arg)
{
	struct db_opener o = { .owner = db_me(), .open_id = 7, .access = 1, .share = 7 };

	(void)arg;
	if (f->n == 0)
		f->path = "/x";
	return db_file_add(f, &o) ? ST_OK : ST_INSUFFICIENT_RESOURCES;
}

static status_t count_openers(struct db_file *f, void *arg)
{
	*(size_t *)arg = f->n;
	return ST_OK;
}

static size_t openers(struct db *db)
{
	size_t n = 99;

	return db_share_with(db, &ID, count_openers, &n) == ST_OK ? n : 99;
}

/* What the listener's helper would say: 0 sound, 1 not, else the signal it died of. */
static int probe(struct fixture *f, enum db_which which)
{
	int how = 0;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		db_child_at_risk(3);
		_exit(db_probe(f->db, which) ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &how, 0), pid);
	return WIFSIGNALED(how) ? 1000 + WTERMSIG(how) : WEXITSTATUS(how);
}

static void write_at(struct fixture *f, enum db_which which, off_t at, const void *p, size_t n)
{
	int fd = open(fixture_path(f, db_file_name(which)), O_WRONLY);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, p, n, at), n);
	close(fd);
}

static void test_probe(void **state)
{
	struct fixture *f = *state;
	char rubbish[4096], name[100];
	struct stat st;
	const char *why = NULL;

	memset(rubbish, 0xa5, sizeof(rubbish));
	fixture_open(f);
	assert_int_equal(db_share_with(f->db, &ID, add, NULL), ST_OK);
	for (int i = 0; i < DB_FILES; i++)
		assert_int_equal(probe(f, (enum db_which)i), 0);
	for (int i = 0; i < DB_FILES; i++) {
		assert_int_equal(stat(fixture_path(f, db_file_name((enum db_which)i)), &st), 0);
		for (int kind = 0; kind < 4; kind++) {
			if (kind == 0)
				write_at(f, (enum db_which)i, 200, rubbish, sizeof(rubbish));
			else if (kind < 3)
				assert_int_equal(truncate(fixture_path(f, db_file_name((enum db_which)i)),
							  kind == 1 ? 0 : st.st_size / 2), 0);
			else
				assert_int_equal(unlink(fixture_path(f, db_file_name((enum db_which)i))), 0);
			assert_int_not_equal(probe(f, (enum db_which)i), 0);
			assert_true(db_renew(f->db, (enum db_which)i, &why));
			assert_int_equal(probe(f, (enum db_which)i), 0);
		}
	}
	snprintf(name, sizeof(name), "%s.bad", db_file_name(DB_OPENS));
	assert_int_equal(access(fixture_path(f, name), F_OK), 0);
	assert_int_equal(openers(f->db), 0);
}

/* A free record that follows itself would keep whoever looks for space for ever. */
static void test_ring_of_free_space(void **state)
{
	struct fixture *f = *state;
	uint32_t first = 0, mutexes = 0;
	int fd;

	fixture_open(f);
	assert_int_equal(db_share_with(f->db, &ID, add, NULL), ST_OK);
	fd = open(fixture_path(f, db_file_name(DB_OPENS)), O_RDONLY);
	assert_int_equal(pread(fd, &mutexes, sizeof(mutexes), 64), sizeof(mutexes));
	assert_int_equal(pread(fd, &first, sizeof(first), (off_t)mutexes + 168), sizeof(first)); /* the list begins */
	close(fd);
	assert_true(first > 168);
	assert_int_equal(probe(f, DB_OPENS), 0);
	write_at(f, DB_OPENS, (off_t)mutexes + first, &first, sizeof(first));
	assert_int_not_equal(probe(f, DB_OPENS), 0);
	assert_int_equal(probe(f, DB_LOCKS), 0);
}

static enum db_which renewed;
static enum db_joined outcome;

static void child_joins(struct fixture *f, void *arg)
{
	int *go = arg;
	char c;

	if (arg && go[2])
		CHILD_CHECK(db_share_with(f->db, &ID, add, NULL) == ST_OK);
	CHILD_CHECK(db_rejoin(f->db, renewed) == DB_SAME);
	CHILD_CHECK(write(go[3], "x", 1) == 1 && read(go[0], &c, 1) == 1);
	CHILD_CHECK(db_rejoin(f->db, renewed) == outcome);
	CHILD_CHECK(db_rejoin(f->db, renewed) == DB_SAME);
	CHILD_CHECK(openers(f->db) == (renewed == DB_OPENS ? 0 : (size_t)go[2]));
	CHILD_CHECK(db_share_with(f->db, &ID, add, NULL) == ST_OK);
	db_forget_me(f->db);
}

static void join(struct fixture *f, enum db_which which, bool has_open, enum db_joined want)
{
	int go[2], ready[2], how = 0;
	const char *why;
	pid_t pid;
	char c;

	assert_int_equal(pipe(go), 0);
	assert_int_equal(pipe(ready), 0);
	renewed = which;
	outcome = want;
	pid = fork();
	if (pid == 0) {
		int arg[4] = { go[0], 0, has_open, ready[1] };

		CHILD_CHECK(db_after_fork(f->db, 0));
		child_joins(f, arg);
		_exit(0);
	}
	assert_int_equal(read(ready[0], &c, 1), 1);
	assert_true(db_renew(f->db, which, &why));
	assert_int_equal(write(go[1], "x", 1), 1);
	assert_int_equal(waitpid(pid, &how, 0), pid);
	assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
	for (int i = 0; i < 2; i++) {
		close(go[i]);
		close(ready[i]);
	}
}

static void test_rejoin(void **state)
{
	struct fixture *f = *state;
	struct stat st;

	fixture_open(f);
	join(f, DB_OPENS, false, DB_JOINED);
	join(f, DB_OPENS, true, DB_LOST);
	join(f, DB_LOCKS, true, DB_JOINED);
	join(f, DB_TREES, true, DB_JOINED);
	assert_true(db_settle(f->db));
	assert_false(db_settle(f->db));
	assert_int_equal(stat(fixture_path(f, db_file_name(DB_OPENS)), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
}

/* The new file is not there when we look: the session must end, nothing crashes. */
static void child_without(struct fixture *f, void *arg)
{
	struct db_session s = { .user = "x" };

	(void)arg;
	CHILD_CHECK(db_after_fork(f->db, 0));
	unlink(fixture_path(f, db_file_name(DB_SESSIONS)));
	CHILD_CHECK(db_rejoin(f->db, DB_SESSIONS) == DB_FAILED);
	CHILD_CHECK(!db_session_put(f->db, &s));
	db_forget_me(f->db);
	TALLOC_FREE(f->db);
}

static void test_nothing_to_join(void **state)
{
	struct fixture *f = *state;

	fixture_open(f);
	run_child(f, child_without, NULL);
}

/* The new file is not there yet when the worker is told. */
static void child_early(struct fixture *f, void *arg)
{
	char path[4200], away[4210], whole[4210];

	(void)arg;
	CHILD_CHECK(db_after_fork(f->db, 0));
	snprintf(path, sizeof(path), "%s", fixture_path(f, db_file_name(DB_SESSIONS)));
	snprintf(away, sizeof(away), "%s.away", path);
	snprintf(whole, sizeof(whole), "%s.whole", path);
	CHILD_CHECK(system(talloc_asprintf(f->db, "cp '%s' '%s'", path, whole)) == 0);
	CHILD_CHECK(rename(path, away) == 0);
	if (fork() == 0) {
		usleep(60000);
		_exit(rename(whole, path));
	}
	CHILD_CHECK(db_rejoin(f->db, DB_SESSIONS) == DB_JOINED);
	TALLOC_FREE(f->db);
}

static void test_join_awaited(void **state)
{
	fixture_open(*state);
	run_child(*state, child_early, NULL);
}

static unsigned told[2];

static void on_suspect(void *arg, enum db_which which, bool certain)
{
	(void)arg;
	assert_int_equal(which, DB_OPENS);
	told[certain]++;
}

/* A record that cannot be read is told of: whoever stood in it is not asked any more. */
static void test_suspicion(void **state)
{
	struct fixture *f = *state;
	char text[4200];
	int fd;
	ssize_t n;

	fixture_open(f);
	assert_int_equal(db_share_with(f->db, &ID, add, NULL), ST_OK);
	db_on_suspect(on_suspect, NULL);
	assert_int_equal(openers(f->db), 1);
	assert_int_equal(told[0] + told[1], 0);
	fd = open(fixture_path(f, db_file_name(DB_OPENS)), O_RDWR);
	for (off_t at = 168; (n = pread(fd, text, sizeof(text), at)) > 16; at += 4096) {
		char *key = memmem(text, (size_t)n, "\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0", 16);

		if (key)
			assert_int_equal(pwrite(fd, "\xff", 1, at + (key - text) + 16), 1); /* the version */
	}
	close(fd);
	assert_int_equal(openers(f->db), 0);
	assert_int_equal(told[1], 1);
	db_on_suspect(NULL, NULL);
}

static void test_grants(void **state)
{
	struct fixture *f = *state;
	uint32_t before;

	fixture_open(f);
	db_share_granted(f->db, &ID);
	before = db_share_grants(f->db, &ID);
	assert_false(db_mend_grants(f->db));
	assert_int_equal(truncate(fixture_path(f, "smb1d-grants"), 100), 0);
	assert_true(db_mend_grants(f->db));
	assert_int_not_equal(db_share_grants(f->db, &ID), before);
	db_share_granted(f->db, &ID);
	assert_false(db_mend_grants(f->db));
}

static int told_of_grants = -1;

static void on_grants(void *arg, enum db_which which, bool certain)
{
	const char word = 'c';

	(void)arg;
	if (which == DB_GRANTS && certain)
		assert_int_equal(write(told_of_grants, &word, 1), 1);
}

/* A worker finds the counters cut, and goes on when the listener has mended them. */
static void test_grants_cut(void **state)
{
	struct fixture *f = *state;
	int ends[2], status;
	uint32_t before;
	char word;
	pid_t pid;

	fixture_open(f);
	before = db_share_grants(f->db, &ID);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(truncate(fixture_path(f, "smb1d-grants"), 0), 0);
	pid = fork();
	if (pid == 0) {
		told_of_grants = ends[1];
		db_on_suspect(on_grants, NULL);
		_exit(db_after_fork(f->db, 0) && db_share_grants(f->db, &ID) != before ? 0 : 1);
	}
	close(ends[1]);
	assert_int_equal(read(ends[0], &word, 1), 1);
	assert_true(db_mend_grants(f->db));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	close(ends[0]);
	assert_int_equal(truncate(fixture_path(f, "smb1d-grants"), 0), 0);
	db_share_granted(f->db, &ID); /* the listener itself */
	assert_false(db_mend_grants(f->db));
}

static void test_pulse(void **state)
{
	struct fixture *f = *state;
	_Atomic uint32_t slot = 0;
	uint32_t before;

	fixture_open(f);
	db_pulse_at(&slot); /* the last test of all: the slot ends with it */
	assert_int_equal(openers(f->db), 0);
	before = slot;
	assert_int_equal(openers(f->db), 0);
	assert_int_not_equal(slot, before);
	assert_int_equal(db_pulse_inside(slot), DB_FILES);
	assert_int_equal(db_pulse_inside(slot + DB_LOCKS + 1), DB_LOCKS);
}

int main(void)
{
#define T(x) cmocka_unit_test_setup_teardown(x, fixture_setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		T(test_probe),
		T(test_ring_of_free_space),
		T(test_rejoin),
		T(test_nothing_to_join),
		T(test_join_awaited),
		T(test_suspicion),
		T(test_grants),
		T(test_grants_cut),
		T(test_pulse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
