/* db_fixture.h - a lock directory of our own for each test, and helpers for other processes. */
#ifndef TEST_DB_FIXTURE_H
#define TEST_DB_FIXTURE_H
#include "base/log.h"
#include "base/util.h"
#include "db/db.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <ftw.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <tdb.h>
#include <unistd.h>

struct fixture {
	char dir[200];
	struct db *db;
};

static inline struct db *fixture_open(struct fixture *f)
{
	const char *why = NULL;

	f->db = db_open(NULL, f->dir, &why);
	if (!f->db)
		fail_msg("db_open: %s", why);
	return f->db;
}

static inline int fixture_setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	const char *tmp = getenv("TMPDIR");

	memset(log_level, -1, sizeof(log_level)); /* damage is what we do here */
	snprintf(f->dir, sizeof(f->dir), "%.150s/smb1d-db-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(f->dir))
		return -1;
	*state = f;
	return 0;
}

static inline int fixture_remove(const char *path, const struct stat *st, int what, struct FTW *at)
{
	(void)st;
	(void)what;
	(void)at;
	return remove(path);
}

static inline int fixture_teardown(void **state)
{
	struct fixture *f = *state;

	talloc_free(f->db);
	nftw(f->dir, fixture_remove, 16, FTW_DEPTH | FTW_PHYS);
	free(f);
	return 0;
}

static inline const char *fixture_path(struct fixture *f, const char *name)
{
	static char path[400];

	snprintf(path, sizeof(path), "%s/%s", f->dir, name);
	return path;
}

/* A child that runs fn, says so, and then waits to be killed.  Its exit says nothing. */
static inline pid_t start_child(struct fixture *f, void (*fn)(struct fixture *f, void *arg), void *arg)
{
	int ready[2];
	char c = 0;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		alarm(60); /* a test that fails must not leave us behind */
		close(ready[0]);
		if (f->db && !db_after_fork(f->db, 0))
			_exit(1);
		fn(f, arg);
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	return pid;
}

static inline void kill_child(pid_t pid)
{
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* A child that runs fn to its end and must be content (fn calls _exit(1) if not). */
static inline void run_child(struct fixture *f, void (*fn)(struct fixture *f, void *arg), void *arg)
{
	int how = 0;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		fn(f, arg);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &how, 0), pid);
	assert_true(WIFEXITED(how));
	assert_int_equal(WEXITSTATUS(how), 0);
}

/* What the stack held before: what a function we call next forgets to fill in is found in its record. */
__attribute__((noinline, unused)) static void poison_stack(int byte)
{
	volatile uint8_t old[8192];

	for (size_t i = 0; i < sizeof(old); i++)
		old[i] = (uint8_t)byte;
}

/* The bytes of the only record there is, to be freed. */
static inline TDB_DATA only_record(struct tdb_context *tdb)
{
	TDB_DATA key = tdb_firstkey(tdb), rec = tdb_fetch(tdb, key);

	assert_non_null(rec.dptr);
	free(key.dptr);
	return rec;
}

#define CHILD_CHECK(x) \
	do { \
		if (!(x)) { \
			fprintf(stderr, "%s:%d: not so in the child: %s\n", __FILE__, __LINE__, #x); \
			_exit(1); \
		} \
	} while (0)
#endif
