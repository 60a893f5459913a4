/* The worker's event loop: descriptors, the two clocks, and neither in the other's way. */
#include "base/clock.h"
#include "proc/loop.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

static struct loop l;
static int calls, ticks, end_after;

static void end_tick(void *arg)
{
	(void)arg;
	ticks++;
	l.over = true;
}

static void unwanted(void *arg)
{
	(void)arg;
	fail();
}

static void read_one(int fd, void *arg)
{
	char c;

	assert_int_equal(read(fd, &c, 1), 1);
	assert_string_equal(arg, "the loop's");
	if (++calls == end_after)
		l.over = true;
}

static void never_reads(int fd, void *arg)
{
	(void)fd, (void)arg;
	calls++;
}

static void writable(int fd, void *arg)
{
	(void)fd, (void)arg;
	calls++;
	l.over = true;
}

static void drop_both(int fd, void *arg)
{
	const int *s = arg;

	(void)fd;
	calls++;
	loop_del(&l, s[0]);
	loop_del(&l, s[1]);
	loop_at(&l, LOOP_TICK, clock_ms() + 20);
}

static int up(void **state)
{
	(void)state;
	calls = ticks = 0;
	assert_true(loop_open(&l, (void *)(uintptr_t)"the loop's"));
	l.due[LOOP_TICK] = end_tick;
	l.due[LOOP_WAKE] = unwanted;
	return 0;
}

static int down(void **state)
{
	(void)state;
	close(l.ep);
	return 0;
}

static void pair(int s[2]) { assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0); }

static void every_byte_is_told(void **state)
{
	int s[2];

	(void)state;
	pair(s);
	assert_int_equal(write(s[1], "abc", 3), 3);
	end_after = 3;
	assert_true(loop_add(&l, s[0], read_one, NULL));
	loop_run(&l);
	assert_int_equal(calls, 3);
	close(s[0]);
	close(s[1]);
}

static void a_clock_comes_once(void **state)
{
	uint64_t start = clock_ms();

	(void)state;
	loop_at(&l, LOOP_WAKE, clock_ms() + 10);
	loop_at(&l, LOOP_WAKE, LOOP_NEVER);
	loop_at(&l, LOOP_TICK, start + 30);
	loop_run(&l);
	assert_int_equal(ticks, 1);
	assert_true(clock_ms() >= start + 30);
	assert_true(l.at[LOOP_TICK] == LOOP_NEVER);
}

/* Somebody who always has something to say does not stop the clock. */
static void a_busy_descriptor_leaves_time(void **state)
{
	int s[2];

	(void)state;
	pair(s);
	assert_int_equal(write(s[1], "a", 1), 1);
	assert_true(loop_add(&l, s[0], never_reads, NULL));
	loop_at(&l, LOOP_TICK, clock_ms() + 20);
	loop_run(&l);
	assert_int_equal(ticks, 1);
	assert_true(calls > 1);
	close(s[0]);
	close(s[1]);
}

/* ... nor does a clock that is always due stop the descriptors. */
static void again_at_once(void *arg)
{
	(void)arg;
	loop_at(&l, LOOP_TICK, 0);
}

static void a_busy_clock_leaves_room(void **state)
{
	int s[2];

	(void)state;
	pair(s);
	assert_int_equal(write(s[1], "ab", 2), 2);
	end_after = 2;
	l.due[LOOP_TICK] = again_at_once;
	loop_at(&l, LOOP_TICK, 0);
	assert_true(loop_add(&l, s[0], read_one, NULL));
	loop_run(&l);
	assert_int_equal(calls, 2);
	close(s[0]);
	close(s[1]);
}

static void one_waits_for_the_reader(void **state)
{
	int s[2];

	(void)state;
	pair(s);
	assert_int_equal(write(s[1], "a", 1), 1);
	assert_true(loop_add(&l, s[0], read_one, NULL));
	loop_want(&l, s[0], EPOLLOUT, writable);
	loop_run(&l);
	assert_int_equal(calls, 1);
	close(s[0]);
	close(s[1]);
}

static void taken_away_by_another(void **state)
{
	int a[2], b[2], both[2];

	(void)state;
	pair(a);
	pair(b);
	both[0] = a[0];
	both[1] = b[0];
	assert_int_equal(write(a[1], "a", 1), 1);
	assert_int_equal(write(b[1], "a", 1), 1);
	assert_true(loop_add(&l, a[0], drop_both, both));
	assert_true(loop_add(&l, b[0], drop_both, both));
	loop_run(&l);
	assert_int_equal(calls, 1);
	assert_int_equal(ticks, 1);
	close(a[0]);
	close(a[1]);
	close(b[0]);
	close(b[1]);
}

static void no_room(void **state)
{
	int s[2];

	(void)state;
	pair(s);
	for (int i = 0; i < LOOP_FDS; i++)
		assert_true(loop_add(&l, dup(s[0]), never_reads, NULL));
	assert_false(loop_add(&l, s[0], never_reads, NULL));
	for (int i = 0; i < LOOP_FDS; i++)
		close(l.fds[i].fd);
	close(s[0]);
	close(s[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_byte_is_told, up, down),
		cmocka_unit_test_setup_teardown(a_clock_comes_once, up, down),
		cmocka_unit_test_setup_teardown(a_busy_descriptor_leaves_time, up, down),
		cmocka_unit_test_setup_teardown(a_busy_clock_leaves_room, up, down),
		cmocka_unit_test_setup_teardown(one_waits_for_the_reader, up, down),
		cmocka_unit_test_setup_teardown(taken_away_by_another, up, down),
		cmocka_unit_test_setup_teardown(no_room, up, down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
