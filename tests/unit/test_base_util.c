/* base/util.c: folders that are made with those above them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/util.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_make_folder(void **state)
{
	char top[] = "/tmp/smb1d-util.XXXXXX", path[200], file[200], far[PATH_MAX + 10];
	struct stat st;

	(void)state;
	umask(022);
	assert_non_null(mkdtemp(top));
	snprintf(path, sizeof(path), "%s/a/b/private", top);
	assert_true(util_make_folder(path, 0700));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode, S_IFDIR | 0700);
	snprintf(path, sizeof(path), "%s/c/private//", top);
	assert_true(util_make_folder(path, 0700));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode, S_IFDIR | 0700);
	assert_true(util_make_folder(path, 0755)); /* it is there, and stays as it is */
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode, S_IFDIR | 0700);
	snprintf(file, sizeof(file), "%s/a/file", top);
	close(open(file, O_WRONLY | O_CREAT, 0600));
	assert_false(util_make_folder(file, 0755));
	assert_int_equal(errno, ENOTDIR);
	strcat(file, "/below");
	assert_false(util_make_folder(file, 0755));
	assert_int_equal(errno, ENOTDIR);
	assert_false(util_make_folder("", 0755));
	memset(far, 'x', sizeof(far) - 1);
	far[sizeof(far) - 1] = '\0';
	assert_false(util_make_folder(far, 0755));
	assert_int_equal(errno, ENAMETOOLONG);
	snprintf(path, sizeof(path), "rm -r %s", top);
	assert_int_equal(system(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_make_folder) };

	return cmocka_run_group_tests_name("util", tests, NULL, NULL);
}
