/* Which openers may be what a dead connection of the client left. */
#include "srv/neighbour.h"
#include "base/util.h"
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

static struct srv_host host = { .box = (struct msg_box *)&host }; /* is there; never used */
static struct conn *mine;

static struct db_file file(struct db_opener *o, size_t n) { return (struct db_file){ .openers = o, .n = n }; }

static void only_same_address_other_process(void **state)
{
	struct db_opener o[] = {
		{ .owner = { 4242, 1 }, .client = neighbour_key("10.0.0.1") },
		{ .owner = { 4243, 1 }, .client = neighbour_key("10.0.0.2") },
		{ .owner = { 4244, 1 }, .client = 0 },
		{ .owner = db_me(), .client = neighbour_key("10.0.0.1") },
		{ .owner = { 4242, 1 }, .client = neighbour_key("10.0.0.1"), .open_id = 2 },
	};
	struct db_file f = file(o, ARRAY_LEN(o)), rest;
	struct neighbours n;

	(void)state;
	mine->client_key = neighbour_key("10.0.0.1");
	neighbour_among(mine, &f, &n);
	assert_int_equal(n.n, 1);
	assert_int_equal(n.who[0].pid, 4242);
	assert_true(neighbour_without(NULL, &f, &n, &rest));
	assert_int_equal(rest.n, 3);
	assert_int_equal(rest.openers[0].owner.pid, 4243);
	assert_int_equal(f.n, ARRAY_LEN(o));
	talloc_free(rest.openers);
}

static void the_living_are_remembered(void **state)
{
	struct db_opener o = { .owner = { 4242, 1 } };

	(void)state;
	mine->client_key = o.client = neighbour_key("10.0.0.1");
	assert_true(neighbour_is(mine, &o));
	neighbour_lives(mine, &o.owner);
	assert_false(neighbour_is(mine, &o));
	o.owner.start_time = 2; /* the pid was given again */
	assert_true(neighbour_is(mine, &o));
	for (int i = 0; i < 40; i++)
		neighbour_lives(mine, &(struct db_owner){ 5000 + i, 1 });
	o.owner.start_time = 1;
	assert_true(neighbour_is(mine, &o)); /* forgotten: asked once more */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_same_address_other_process),
		cmocka_unit_test(the_living_are_remembered),
	};

	mine = talloc_zero(NULL, struct conn);
	mine->host = &host;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
