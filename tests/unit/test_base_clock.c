/* The clock of timers: the wall clock may be set to what it likes. */
#include "base/clock.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static struct timespec wall = { 1000000000, 5000000 }, since_start = { 70, 9000000 };

/* In place of the C library's, so that the wall clock can jump here and nobody waits. */
int clock_gettime(clockid_t which, struct timespec *ts)
{
	*ts = which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE ? wall : since_start;
	return 0;
}

static void the_wall_clock_moves_no_timer(void **state)
{
	static const time_t jumps[] = { 3600, -3600, 10 * 365 * 86400, -31 * 365 * 86400 };

	(void)state;
	assert_int_equal(clock_ms(), 70009);
	for (size_t i = 0; i < sizeof(jumps) / sizeof(jumps[0]); i++) {
		nttime_t before = clock_now();

		wall.tv_sec += jumps[i];
		assert_int_equal(clock_ms(), 70009);
		assert_true(clock_now() - before == (nttime_t)jumps[i] * 10000000); /* what clients are told follows it */
	}
	since_start.tv_sec++;
	assert_int_equal(clock_ms(), 71009);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(the_wall_clock_moves_no_timer) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
