/* The pid file: one at a time, the dead do not block, children do not inherit the lock. */
#include "proc/inner.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static char dir[256];

/* In a child: can it be taken?  2: yes; 1: no, and the sentence names `pid`. */
static int in_child(pid_t pid)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		const char *why = "";
		char text[24];

		snprintf(text, sizeof(text), "process %ld", (long)pid);
		if (pidfile_take(dir, &why) >= 0)
			_exit(2);
		_exit(strstr(why, text) ? 1 : 3);
	}
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

static void one_at_a_time(void **state)
{
	const char *why = "";
	char path[300], text[32] = "";
	FILE *f;
	int fd;

	(void)state;
	fd = pidfile_take(dir, &why);
	assert_true(fd >= 0);
	snprintf(path, sizeof(path), "%s/smb1d.pid", dir);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_non_null(fgets(text, sizeof(text), f));
	fclose(f); /* closing any descriptor of the file drops a record lock: take it again */
	assert_int_equal(strtol(text, NULL, 10), getpid());
	close(fd);
	fd = pidfile_take(dir, &why);
	assert_true(fd >= 0);
	assert_int_equal(in_child(getpid()), 1);
	pidfile_drop(dir, &fd);
	assert_int_equal(fd, -1);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(in_child(getpid()), 2); /* and that child dies without tidying up */
	assert_int_equal(in_child(getpid()), 2);
}

static void outlived_by_a_child(void **state)
{
	const char *why = "";
	int hold[2], status;
	pid_t owner, worker = 0;

	(void)state;
	assert_int_equal(pipe(hold), 0);
	owner = fork();
	if (owner == 0) { /* forks a "worker" that keeps all descriptors, and dies */
		char c;

		close(hold[1]);
		if (pidfile_take(dir, &why) < 0)
			_exit(1);
		if (fork() == 0) {
			(void)!read(hold[0], &c, 1);
			_exit(0);
		}
		_exit(0);
	}
	waitpid(owner, &status, 0);
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(in_child(owner), 2);
	close(hold[1]);
	close(hold[0]);
	(void)worker;
}

static void no_folder(void **state)
{
	const char *why = NULL;

	(void)state;
	assert_int_equal(pidfile_take("/nonexistent/folder", &why), -1);
	assert_non_null(strstr(why, "/nonexistent/folder"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_at_a_time),
		cmocka_unit_test(outlived_by_a_child),
		cmocka_unit_test(no_folder),
	};
	const char *tmp = getenv("TMPDIR");
	int rc;

	snprintf(dir, sizeof(dir), "%s/smb1d-pid-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(dir))
		return 1;
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	if (chdir(dir) == 0)
		unlink("smb1d.pid");
	rmdir(dir);
	return rc;
}
