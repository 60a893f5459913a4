/* The audit log's lines: valid whatever the names hold, bounded, and lost without harm when the disk is full. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/log.h"
#include "base/str.h"
#include "srv/audit.h"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static struct conn c;
static struct tree t;
static char name[64];
static int fd;

static int setup(void **state)
{
	const char *why;

	(void)state;
	memset(log_level, -1, sizeof(log_level));
	if (!str_setup("CP850", "UTF-8", &why))
		return -1;
	c = (struct conn){ .client_addr = "192.0.2.7", .sessions = idtab_new(NULL, 8) };
	t = (struct tree){ .c = &c, .share_name = "da\"ta", .audit = AUDIT_OPEN | AUDIT_RENAME | AUDIT_DELETE };
	snprintf(name, sizeof(name), "/tmp/smb1d-audit-XXXXXX");
	fd = mkstemp(name);
	audit_to(open(name, O_WRONLY | O_APPEND | O_CLOEXEC));
	return fd < 0 ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	audit_to(-1);
	close(fd);
	unlink(name);
	talloc_free(c.sessions);
	return 0;
}

/* The file's text, one line. */
static char *line(void)
{
	static char text[2 * AUDIT_LINE_MAX];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	assert_true(n > 0 && n <= AUDIT_LINE_MAX);
	text[n] = '\0';
	assert_int_equal(text[n - 1], '\n');
	assert_ptr_equal(strchr(text, '\n'), text + n - 1);
	return text;
}

static void odd_names(void **state)
{
	(void)state;
	audit_say(&t, AUDIT_OPEN, "a\"b\\c\n\xff\xc3\xa4", NULL, ST_ACCESS_DENIED);
	assert_non_null(strstr(line(), "\"share\":\"da\\\"ta\",\"op\":\"open\",\"path\":\"a\\\"b\\\\c\\u000a\\ufffd\xc3\xa4\","
				       "\"result\":\"ACCESS_DENIED\"}"));
}

static void long_names(void **state)
{
	char *from = malloc(4096), *to = malloc(4096);

	(void)state;
	memset(from, 1, 4095);
	memset(to, 0xff, 4095);
	from[4095] = to[4095] = '\0';
	audit_say(&t, AUDIT_RENAME, from, to, ST_OK);
	assert_non_null(strstr(line(), "\"to\":\"\\ufffd"));
	assert_non_null(strstr(line(), "\"cut\":true}\n"));
	free(from);
	free(to);
}

static void what_is_not_wanted(void **state)
{
	char byte;

	(void)state;
	audit_say(&t, AUDIT_CREATE, "x", NULL, ST_OK);
	audit_change(&t, "x", FS_ADDED, FS_WHAT_FILE_NAME);
	audit_change(&t, "x", FS_MODIFIED, FS_WHAT_ATTRS);
	assert_int_equal(pread(fd, &byte, 1, 0), 0);
}

static void moved(void **state)
{
	(void)state;
	audit_change(&t, "d/x", FS_REMOVED, FS_WHAT_FILE_NAME | FS_WHAT_MOVED);
	audit_change(&t, "e/y", FS_ADDED, FS_WHAT_FILE_NAME | FS_WHAT_MOVED);
	assert_non_null(strstr(line(), "\"op\":\"rename\",\"path\":\"d/x\",\"to\":\"e/y\""));
}

static void full_disk(void **state)
{
	(void)state;
	audit_to(open("/dev/full", O_WRONLY | O_CLOEXEC));
	audit_say(&t, AUDIT_OPEN, "x", NULL, ST_OK);
	audit_say(&t, AUDIT_OPEN, "y", NULL, ST_OK);
	audit_to(-1);
	audit_say(&t, AUDIT_OPEN, "z", NULL, ST_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(odd_names, setup, teardown),
		cmocka_unit_test_setup_teardown(long_names, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_not_wanted, setup, teardown),
		cmocka_unit_test_setup_teardown(moved, setup, teardown),
		cmocka_unit_test_setup_teardown(full_disk, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
