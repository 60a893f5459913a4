/* The log: what a client can make it write, in number and in letters. */
#include "base/log.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

static char file[300];

/* The clock of the purses: nothing here has to wait. */
static time_t now = 1000000;
time_t time(time_t *t)
{
	if (t)
		*t = now;
	return now;
}

static void empty(void) { assert_int_equal(truncate(file, 0), 0); }

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");
	struct log_setup how = { .file = file };
	int fd;

	(void)state;
	snprintf(file, sizeof(file), "%s/smb1d-log-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	fd = mkstemp(file);
	if (fd < 0)
		return -1;
	close(fd);
	log_open(&how);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return unlink(file);
}

/* What is in the file now, a static buffer. */
static const char *text(void)
{
	static char buf[200000];
	FILE *f = fopen(file, "r");
	size_t n;

	assert_non_null(f);
	n = fread(buf, 1, sizeof(buf) - 1, f);
	fclose(f);
	buf[n] = '\0';
	return buf;
}

static unsigned count(const char *what)
{
	unsigned n = 0;

	for (const char *p = text(); (p = strstr(p, what)) != NULL; p++)
		n++;
	return n;
}

/* An error of one kind that comes with each request. */
static void one_kind(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		log_error(LOG_FS, "the disk under share %s does not answer", "data");
}

static void errors_are_bounded(void **state)
{
	(void)state;
	empty();
	one_kind(100000);
	assert_int_equal(count("does not answer"), 100);
	/* another kind is not hidden by them, lines about clients neither */
	log_error(LOG_FS, "a quite different error, about %s", "something else");
	log_at(LOG_SMB, 1, "a line about a client");
	assert_int_equal(count("quite different"), 1);
	assert_int_equal(count("about a client"), 1);
	/* a second later one more, and how many there were */
	now++;
	one_kind(10);
	assert_int_equal(count("does not answer"), 101);
	assert_int_equal(count("99900 errors like the next one were left out here"), 1);
	now += 3600; /* the purse is no larger after an hour of silence */
	empty();
	one_kind(1000);
	assert_int_equal(count("does not answer"), 100);
	assert_int_equal(count(" 9 errors like the next one were left out here"), 1);
	now -= 86400; /* a clock that is set back takes nothing out of it */
	one_kind(1);
	now++;
	one_kind(1);
	assert_int_equal(count("does not answer"), 101);
	now += 86400;
}

static void lines_are_bounded(void **state)
{
	(void)state;
	now += 3600;
	empty();
	for (int i = 0; i < 10000; i++)
		log_at(LOG_SMB, 1, "line %d", i);
	assert_int_equal(count(" line "), 200);
	one_kind(1); /* they hide no error */
	assert_int_equal(count("does not answer"), 1);
	now++;
	log_at(LOG_SMB, 1, "and on");
	assert_int_equal(count("9800 lines were left out here"), 1);
}

static void all_of_them_with_level_3(void **state)
{
	(void)state;
	empty();
	log_level[LOG_FS] = 3;
	one_kind(300);
	log_level[LOG_FS] = 1;
	assert_int_equal(count("does not answer"), 300);
}

/* One event, one line, and nothing a terminal would obey: each byte alone, at the end, behind the first bytes of UTF-8. */
static void one_line_of_plain_text(void **state)
{
	(void)state;
	now += 3600;
	log_level[LOG_SMB] = 3;
	log_who("192.0.2.7\n2026-01-31 0 auth: forged \033[2J");
	for (int c = 1; c < 256; c++) {
		static const char *const before[] = { "", "\xc2", "\xe2", "\xe2\x80", "\xf0\x9f", "\xff" };

		for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
			const unsigned char *p;

			empty();
			log_at(LOG_SMB, 1, "open of \"a%s%cb\" and \"%s%c", before[i], c, before[i], c);
			p = (const unsigned char *)text();
			assert_int_equal(count("\n"), 1);
			for (; *p != '\n'; p++)
				assert_true(*p >= 0x20 && *p != 0x7f && !(*p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0));
		}
	}
	log_who("");
	log_level[LOG_SMB] = 1;
}

/* However long: one line with an end. */
static void long_text(void **state)
{
	static char name[70000];

	(void)state;
	now += 3600;
	empty();
	memset(name, 'n', sizeof(name) - 1);
	log_who(name);
	log_error(LOG_SMB, "open of \"%s\"", name);
	log_who("");
	assert_true(strlen(text()) <= 2048);
	assert_int_equal(count("\n"), 1);
	assert_int_equal(text()[strlen(text()) - 1], '\n');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_are_bounded),
		cmocka_unit_test(lines_are_bounded),
		cmocka_unit_test(all_of_them_with_level_3),
		cmocka_unit_test(one_line_of_plain_text),
		cmocka_unit_test(long_text),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
