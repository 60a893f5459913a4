/* When a write time is seen to move. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include "srv/wtime.h"

#define NEVER (UINT64_MAX - 5)

static struct fs_stat shown(nttime_t held, uint64_t due, nttime_t disk)
{
	struct wtime t = { .held = held, .change = 3, .due = due };
	struct fs_stat st = { .write = disk, .change = disk };

	wtime_show(&t, &st);
	return st;
}

static void looks(void **state)
{
	(void)state;
	assert_true(shown(0, 0, 50).write == 50);
	assert_true(shown(0, 0, 50).change == 50);
	assert_true(shown(7, NEVER, 50).write == 7);  /* somebody writes: not yet */
	assert_true(shown(7, NEVER, 50).change == 3);
	assert_true(shown(7, 40, 50).write == 40);    /* his time is over: then, and no later write */
	assert_true(shown(7, 40, 30).write == 40);
	assert_true(shown(7, 40, 50).change == 50);
	assert_true(shown(7, WTIME_HELD, 50).write == 7);
	assert_true(shown(7, WTIME_STUCK, 50).write == 7);
}

static void leaves(void **state)
{
	struct db_file f = { .n = 1, .write_time = 7, .write_due = NEVER };
	struct open o = { .write_seen = false };
	struct wtime_rest rest;

	(void)state;
	wtime_leave(&f, &o, 0, &rest); /* a reader changes nothing */
	assert_true(f.write_time == 7 && rest.t == 0);
	o.write_seen = true;
	wtime_leave(&f, &o, 0, &rest); /* a writer: the disk's time counts from now on */
	assert_true(f.write_time == 0 && rest.t == 0);
	f.write_time = 7;
	f.write_due = 40;
	wtime_leave(&f, &o, 0, &rest); /* 40 was seen: the disk may not have less */
	assert_true(f.write_time == 0 && rest.t == 40 && !rest.exactly);
	f.write_time = 7;
	f.write_due = WTIME_STUCK;
	wtime_leave(&f, &o, 0, &rest); /* somebody else had set it: this close counts */
	assert_true(f.write_time == 0 && rest.t == 0);
	f.write_time = o.close_write_time = 7;
	f.write_due = WTIME_STUCK;
	wtime_leave(&f, &o, 0, &rest); /* he set it himself: it stays whatever he wrote */
	assert_true(f.write_time == 7 && rest.t == 7 && rest.exactly);
	f.n = 2;
	wtime_leave(&f, &o, 9, &rest); /* CLOSE brought one: the others see it */
	assert_true(f.write_time == 9 && f.write_due == WTIME_STUCK && rest.t == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(looks), cmocka_unit_test(leaves) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
