/* db_open(): directories, damaged files, restart beside living workers, the reader. */
#include "db_fixture.h"
#include <sys/prctl.h>

static const struct db_file_id ID = { 1, 2 };

static status_t add(struct db_file *f, void *arg)
{
	struct db_opener o = { .owner = db_me(), .open_id = *(uint64_t *)arg, .access = 1, .share = 7 };

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

	assert_int_equal(db_share_with(db, &ID, count_openers, &n), ST_OK);
	return n;
}

static bool exists(struct fixture *f, const char *name)
{
	return access(fixture_path(f, name), F_OK) == 0;
}

static void child_adds(struct fixture *f, void *arg)
{
	CHILD_CHECK(db_share_with(f->db, &ID, add, arg) == ST_OK);
}

static void close_db(struct fixture *f) { TALLOC_FREE(f->db); }

static void test_makes_directories(void **state)
{
	struct fixture *f = *state;
	char deep[300], file[400];
	const char *why = NULL;
	struct stat st;
	struct db *db;

	snprintf(deep, sizeof(deep), "%s/a/b//c/", f->dir);
	umask(022);
	db = db_open(NULL, deep, &why);
	assert_non_null(db);
	snprintf(file, sizeof(file), "%s/a/b/c/smb1d-opens.tdb", f->dir);
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	talloc_free(db);
	for (const char *n = "/a/b/c\0/a/b\0/a\0"; *n; n += strlen(n) + 1) {
		snprintf(file, sizeof(file), "%s%s", f->dir, n);
		assert_int_equal(stat(file, &st), 0);
		assert_int_equal(st.st_mode & 07777, 0755);
	}
}

static void test_refusals(void **state)
{
	struct fixture *f = *state;
	char path[300];
	const char *why = NULL;
	int fd;

	assert_null(db_open(NULL, "", &why));
	assert_non_null(strstr(why, "lock directory"));
	snprintf(path, sizeof(path), "%s/file", f->dir);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	close(fd);
	assert_null(db_open(NULL, path, &why));
	assert_non_null(strstr(why, path));
	strcat(path, "/below");
	why = NULL;
	assert_null(db_open(NULL, path, &why));
	assert_non_null(why);
	/* no database is opened through a link somebody laid there */
	assert_int_equal(symlink("file", fixture_path(f, "smb1d-opens.tdb")), 0);
	assert_null(db_open(NULL, f->dir, &why));
	assert_non_null(strstr(why, "smb1d-opens.tdb"));
	assert_null(db_open_reader(NULL, "/nonexistent/smb1d", &why));
	assert_non_null(why);
}

static void scribble(struct fixture *f, off_t at, size_t n)
{
	int fd = open(fixture_path(f, "smb1d-opens.tdb"), O_WRONLY);

	assert_true(fd >= 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(pwrite(fd, "\xa5", 1, at + (off_t)i), 1);
	close(fd);
}

static void use_and_close(struct fixture *f)
{
	uint64_t id = 1;

	fixture_open(f);
	assert_int_equal(db_share_with(f->db, &ID, add, &id), ST_OK);
	close_db(f);
}

/* At rest: whatever happened to the file, the next start has an empty, working database. */
static void test_damaged_at_rest(void **state)
{
	static const off_t sizes[] = { 1, 100, 2000, 100000, 180000 };
	struct fixture *f = *state;
	struct stat st;

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		use_and_close(f);
		assert_false(exists(f, "smb1d-opens.tdb.bad"));
		assert_int_equal(truncate(fixture_path(f, "smb1d-opens.tdb"), sizes[i]), 0);
		fixture_open(f);
		assert_true(exists(f, "smb1d-opens.tdb.bad"));
		assert_int_equal(stat(fixture_path(f, "smb1d-opens.tdb.bad"), &st), 0);
		assert_int_equal(st.st_size, sizes[i]);
		assert_int_equal(openers(f->db), 0);
		close_db(f);
		use_and_close(f);
		assert_int_equal(unlink(fixture_path(f, "smb1d-opens.tdb.bad")), 0);
	}
	use_and_close(f);
	scribble(f, 0, 200);
	fixture_open(f);
	assert_true(exists(f, "smb1d-opens.tdb.bad"));
	close_db(f);
	unlink(fixture_path(f, "smb1d-opens.tdb.bad"));
	use_and_close(f);
	assert_int_equal(stat(fixture_path(f, "smb1d-opens.tdb"), &st), 0);
	for (off_t at = 168000; at < st.st_size; at += 256) /* behind the mutexes */
		scribble(f, at, 128);
	fixture_open(f);
	assert_true(exists(f, "smb1d-opens.tdb.bad"));
	assert_int_equal(openers(f->db), 0);
	assert_false(exists(f, "smb1d-trees.tdb.bad"));
	close_db(f);
	unlink(fixture_path(f, "smb1d-opens.tdb.bad"));
	/* a file of nothing, and a sound one, are no damage */
	assert_int_equal(truncate(fixture_path(f, "smb1d-opens.tdb"), 0), 0);
	use_and_close(f);
	use_and_close(f);
	assert_false(exists(f, "smb1d-opens.tdb.bad"));
}

static void child_lives(struct fixture *f, void *arg)
{
	(void)f;
	(void)arg;
}

static void test_damaged_in_use(void **state)
{
	struct fixture *f = *state;
	pid_t worker;

	fixture_open(f);
	worker = start_child(f, child_lives, NULL);
	close_db(f);
	assert_int_equal(truncate(fixture_path(f, "smb1d-opens.tdb"), 50), 0);
	use_and_close(f);
	assert_true(exists(f, "smb1d-opens.tdb.bad"));
	kill_child(worker);
}

static void test_emptied_when_nobody_lives(void **state)
{
	struct fixture *f = *state;

	use_and_close(f);
	fixture_open(f);
	assert_int_equal(openers(f->db), 0);
}

/* listener -> worker; the listener is killed, the worker lives on, a new listener starts. */
static void test_restart_beside_worker(void **state)
{
	struct fixture *f = *state;
	int p[2];
	pid_t listener, worker = 0;
	uint64_t id = 42;

	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	assert_int_equal(pipe(p), 0);
	listener = fork();
	assert_true(listener >= 0);
	if (listener == 0) {
		const char *why;

		f->db = db_open(NULL, f->dir, &why);
		CHILD_CHECK(f->db != NULL);
		worker = start_child(f, child_adds, &id);
		CHILD_CHECK(write(p[1], &worker, sizeof(worker)) == (ssize_t)sizeof(worker));
		for (;;)
			pause();
	}
	assert_int_equal(read(p[0], &worker, sizeof(worker)), sizeof(worker));
	kill_child(listener);
	assert_int_equal(kill(worker, 0), 0);
	fixture_open(f);
	assert_false(exists(f, "smb1d-opens.tdb.bad"));
	assert_int_equal(openers(f->db), 1);
	/* both still use the same file */
	id = 43;
	assert_int_equal(db_share_with(f->db, &ID, add, &id), ST_OK);
	assert_int_equal(openers(f->db), 2);
	kill_child(worker);
	db_forget_me(f->db);
	assert_int_equal(openers(f->db), 1);
	db_forget(f->db, worker, 0);
	close_db(f);
	/* now nobody is left */
	fixture_open(f);
	assert_int_equal(openers(f->db), 0);
	close(p[0]);
	close(p[1]);
}

static bool count_files(const struct db_file *f, void *arg)
{
	assert_string_equal(f->path, "/x");
	*(size_t *)arg += f->n;
	return true;
}

static void test_reader(void **state)
{
	struct fixture *f = *state;
	const char *why = NULL;
	uint64_t id = 1;
	size_t n = 0;
	struct db *r;
	pid_t worker;

	assert_null(db_open_reader(NULL, f->dir, &why));
	assert_non_null(strstr(why, "no database"));
	assert_false(exists(f, "smb1d-opens.tdb"));
	fixture_open(f);
	worker = start_child(f, child_adds, &id);
	close_db(f);
	r = db_open_reader(NULL, f->dir, &why);
	assert_non_null(r);
	assert_true(db_share_each(r, count_files, &n));
	assert_int_equal(n, 1);
	talloc_free(r);
	kill_child(worker);
	/* at rest: nothing is alive, nothing is changed */
	r = db_open_reader(NULL, f->dir, &why);
	assert_non_null(r);
	n = 0;
	assert_true(db_share_each(r, count_files, &n));
	assert_int_equal(n, 0);
	assert_int_equal(openers(r), 1);
	talloc_free(r);
	assert_int_equal(truncate(fixture_path(f, "smb1d-opens.tdb"), 50), 0);
	assert_null(db_open_reader(NULL, f->dir, &why));
	assert_non_null(strstr(why, "damaged"));
	assert_false(exists(f, "smb1d-opens.tdb.bad"));
}

/* Where tdb opens by name again this fails, and then everything is refused, not crashed. */
static void child_without_files(struct fixture *f, void *arg)
{
	struct db_session s = { .user = "x" };
	bool ok = db_after_fork(f->db, 0);

	(void)arg;
	CHILD_CHECK(db_session_put(f->db, &s) == ok);
	db_forget_me(f->db);
	TALLOC_FREE(f->db);
}

static void test_files_gone_at_fork(void **state)
{
	struct fixture *f = *state;

	fixture_open(f);
	unlink(fixture_path(f, "smb1d-sessions.tdb"));
	run_child(f, child_without_files, NULL);
}

int main(void)
{
#define T(x) cmocka_unit_test_setup_teardown(x, fixture_setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		T(test_makes_directories),
		T(test_refusals),
		T(test_damaged_at_rest),
		T(test_damaged_in_use),
		T(test_emptied_when_nobody_lives),
		T(test_restart_beside_worker),
		T(test_reader),
		T(test_files_gone_at_fork),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
