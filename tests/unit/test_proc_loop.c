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

/* ---- a client that is waited for alone ---- */

static int alone;

/* Between two looks at the others the clock moves once at most. */
static bool came(void *arg, uint64_t before)
{
	static int looks, moves;
	static uint64_t last;
	uint64_t now = clock_ms();

	assert_string_equal(arg, "the loop's");
	assert_true(before <= now);
	moves = looks != calls ? 0 : moves + (now != last);
	assert_true(moves <= 1);
	looks = calls;
	last = now;
	alone++;
	return true;
}

static bool nothing_came(void *arg, uint64_t now)
{
	(void)arg, (void)now;
	alone++;
	usleep(2000);
	return false;
}

static void end_loop(int fd, void *arg)
{
	(void)fd, (void)arg;
	l.over = true;
}

/* Always ready, as a client that asks without a break; the loop waits for it between the waits alone. */
static void busy(int s[2])
{
	pair(s);
	alone = 0;
	assert_int_equal(write(s[1], "a", 1), 1);
	assert_true(loop_add(&l, s[0], never_reads, NULL));
}

static void close_both(const int s[2])
{
	close(s[0]);
	close(s[1]);
}

/* A quick client is waited for alone, but neither the clock nor another descriptor waits for long. */
static void a_quick_client(void **state)
{
	uint64_t start = clock_ms();
	int s[2], other[2];

	(void)state;
	busy(s);
	l.client = came;
	loop_at(&l, LOOP_TICK, start + 60);
	loop_run(&l);
	assert_int_equal(ticks, 1);
	assert_true(alone > 1000);
	assert_true(calls >= 32); /* before it was known to be quick */
	pair(other);
	assert_true(loop_add(&l, other[0], end_loop, NULL));
	assert_int_equal(write(other[1], "a", 1), 1);
	l.over = false;
	start = clock_ms();
	loop_run(&l);
	assert_true(clock_ms() - start < 1000);
	close_both(s);
	close_both(other);
}

/* One that pauses is not quick, until it has been so for a while again. */
static void a_quick_client_pauses(void **state)
{
	int s[2];

	(void)state;
	busy(s);
	l.client = nothing_came;
	loop_at(&l, LOOP_TICK, clock_ms() + 60);
	loop_run(&l);
	assert_true(alone > 0 && calls >= 32 * alone);
	close_both(s);
}

/* While something is being waited for, or somebody has had something to say, all are waited for. */
static void not_alone(void **state)
{
	int s[2];

	(void)state;
	busy(s);
	l.client = came;
	loop_at(&l, LOOP_WAKE, clock_ms() + 10000);
	loop_at(&l, LOOP_TICK, clock_ms() + 40);
	loop_run(&l);
	assert_int_equal(alone, 0);
	loop_at(&l, LOOP_WAKE, LOOP_NEVER);
	loop_not_quick(&l, 10000);
	loop_at(&l, LOOP_TICK, clock_ms() + 40);
	l.over = false;
	loop_run(&l);
	assert_int_equal(alone, 0);
	loop_not_quick(&l, 0);
	loop_at(&l, LOOP_TICK, clock_ms() + 40);
	l.over = false;
	loop_run(&l);
	assert_true(alone > 0);
	close_both(s);
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
		cmocka_unit_test_setup_teardown(a_quick_client, up, down),
		cmocka_unit_test_setup_teardown(a_quick_client_pauses, up, down),
		cmocka_unit_test_setup_teardown(not_alone, up, down),
		cmocka_unit_test_setup_teardown(no_room, up, down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
