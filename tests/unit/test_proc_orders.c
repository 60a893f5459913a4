/* What workers say to the listener; a worker that was taken over says it as often as it likes. */
#include "proc/inner.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void hello(struct client *c, const void *p, size_t n)
{
	struct rd r = rd_over(p, n);

	reload_hello(NULL, c, &r);
}

static void test_hello(void **state)
{
	struct client *c = talloc_zero(NULL, struct client);
	size_t before;

	(void)state;
	hello(c, "\3\0abc\3\0def", 10);
	assert_string_equal(c->name, "abc");
	assert_string_equal(c->arch, "def");
	before = talloc_total_size(c);
	for (int i = 0; i < 100; i++) {
		hello(c, "\3\0xyz", 5);
		hello(c, "\3\0xyz\377\377", 7);
		hello(c, "\3", 1);
	}
	assert_string_equal(c->name, "abc");
	assert_int_equal(talloc_total_size(c), before);
	for (int i = 0; i < 100; i++)
		hello(c, "\3\0ghi\3\0jkl", 10);
	assert_string_equal(c->name, "ghi");
	assert_int_equal(talloc_total_size(c), before);
	talloc_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_hello) };

	return cmocka_run_group_tests_name("orders", tests, NULL, NULL);
}
