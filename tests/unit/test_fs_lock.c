/* fs_lock(): what a local program sees of our locks, and what of its locks stops ours. */
#include "fs/fs.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[300];

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "%.200s/smb1d-lock-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	fd = mkstemp(path);
	return fd < 0 ? -1 : close(fd);
}

static int teardown(void **state)
{
	(void)state;
	return unlink(path);
}

static int open_it(int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

/* Could another program lock this byte so (F_RDLCK, F_WRLCK)? */
static bool local_may(off_t at, short type)
{
	struct flock fl = { .l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1 };
	int how;
	pid_t pid = fork();

	if (pid == 0) {
		int fd = open(path, O_RDWR);

		_exit(fd >= 0 && fcntl(fd, F_SETLK, &fl) == 0 ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &how, 0), pid);
	return WEXITSTATUS(how) == 0;
}

static void test_seen(void **state)
{
	int fd = open_it(O_RDWR), other = open_it(O_RDWR);

	(void)state;
	assert_true(fs_lock(fd, FS_LOCK_EXCLUSIVE, 10, 19));
	assert_true(local_may(9, F_WRLCK));
	assert_false(local_may(10, F_RDLCK));
	assert_false(local_may(19, F_RDLCK));
	assert_true(local_may(20, F_WRLCK));
	assert_true(fs_lock(fd, FS_LOCK_SHARED, 15, 19)); /* a new type replaces the old one */
	assert_true(local_may(15, F_RDLCK));
	assert_false(local_may(15, F_WRLCK));
	assert_false(local_may(14, F_RDLCK));
	close(other); /* another descriptor of the file takes nothing along */
	assert_false(local_may(10, F_RDLCK));
	assert_true(fs_lock(fd, FS_LOCK_NONE, 10, 19));
	assert_true(local_may(10, F_WRLCK));
	close(fd);
}

static void test_ends(void **state)
{
	int fd = open_it(O_RDWR);

	(void)state;
	assert_true(fs_lock(fd, FS_LOCK_EXCLUSIVE, 100, UINT64_MAX));
	assert_false(local_may(INT64_MAX - 1, F_RDLCK));
	assert_true(local_may(99, F_WRLCK));
	assert_true(fs_lock(fd, FS_LOCK_NONE, 100, UINT64_MAX));
	assert_true(fs_lock(fd, FS_LOCK_EXCLUSIVE, 1ull << 63, UINT64_MAX)); /* not shown */
	assert_true(local_may(0, F_WRLCK));
	assert_true(fs_lock(-1, FS_LOCK_EXCLUSIVE, 0, 1));
	close(fd);
}

static void test_read_only(void **state)
{
	int fd = open_it(O_RDONLY), name = open(path, O_PATH | O_CLOEXEC);

	(void)state;
	assert_true(fs_lock(fd, FS_LOCK_EXCLUSIVE, 0, 9)); /* as much of it as the descriptor can */
	assert_true(local_may(0, F_RDLCK));
	assert_false(local_may(0, F_WRLCK));
	assert_true(fs_lock(name, FS_LOCK_EXCLUSIVE, 20, 29));
	assert_true(local_may(20, F_WRLCK));
	close(name);
	close(fd);
}

static void test_refused(void **state)
{
	struct flock fl = { .l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 5, .l_len = 1 };
	int fd = open_it(O_RDWR), local = open_it(O_RDWR);

	(void)state;
	assert_int_equal(fcntl(local, F_SETLK, &fl), 0);
	assert_false(fs_lock(fd, FS_LOCK_EXCLUSIVE, 0, 9));
	assert_true(fs_lock(fd, FS_LOCK_SHARED, 0, 9));
	assert_true(fs_lock(fd, FS_LOCK_EXCLUSIVE, 6, 9));
	close(local);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_seen, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ends, setup, teardown),
		cmocka_unit_test_setup_teardown(test_read_only, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
