/* Failed logins slow their own address down, and nobody else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "proc/slow.c"
#include <stdio.h>

static void grows(void **state)
{
	uint64_t last = 0;

	(void)state;
	for (int i = 0; i < 5; i++)
		slow_failed("192.0.2.1");
	assert_int_equal(slow_wait("192.0.2.1"), 0);
	for (int i = 0; i < 20; i++) {
		slow_failed("192.0.2.1");
		assert_true(slow_wait("192.0.2.1") >= last);
		last = slow_wait("192.0.2.1");
	}
	assert_int_equal(last, MOST_MS);
	assert_int_equal(slow_wait("192.0.2.2"), 0);
	slow_forgive("192.0.2.1", 100);
	assert_int_equal(slow_wait("192.0.2.1"), 0);
	slow_forgive("192.0.2.3", 1);
	for (int i = 0; i < 10; i++) /* who has one IPv6 address has a network of them */
		slow_failed(i % 2 ? "2001:db8::1" : "2001:db8::2");
	assert_true(slow_wait("2001:db8::3") > 0);
	assert_int_equal(slow_wait("2001:db8:0:1::3"), 0);
}

/* A thousand addresses with a fail each do not push out one with many. */
static void bounded(void **state)
{
	char addr[32];

	(void)state;
	for (int i = 0; i < 10; i++)
		slow_failed("198.51.100.1");
	for (int i = 0; i < 1000; i++) {
		snprintf(addr, sizeof(addr), "10.0.%d.%d", i / 250, i % 250);
		slow_failed(addr);
	}
	assert_true(slow_wait("198.51.100.1") > 0);
	assert_int_equal(slow_wait("10.0.3.249"), 0);
}

static void forgets(void **state)
{
	(void)state;
	for (int i = 0; i < 8; i++)
		slow_failed("198.51.100.9");
	assert_true(slow_wait("198.51.100.9") > 0);
	find("198.51.100.9", false)->since -= 3 * FORGET_MS;
	assert_int_equal(slow_wait("198.51.100.9"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(grows), cmocka_unit_test(bounded), cmocka_unit_test(forgets) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
