/* Transactions in pieces: order, overlap, totals that shrink, pieces that lie; and how replies are cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include "cmd/trans/trans.h"

static TALLOC_CTX *mem;
static uint8_t message[4096]; /* each byte is the low half of its offset */

static int setup(void **state)
{
	(void)state;
	mem = talloc_new(NULL);
	for (unsigned i = 0; i < sizeof(message); i++)
		message[i] = (uint8_t)i;
	return mem ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	talloc_free(mem);
	return 0;
}

static struct trans_parts start(uint32_t total_p, uint32_t total_d)
{
	struct trans_piece first = { .total_p = total_p, .total_d = total_d };
	struct trans_parts t;

	assert_true(trans_parts_start(&t, mem, &first));
	return t;
}

static status_t data(struct trans_parts *t, uint32_t total, uint32_t disp, uint32_t count, uint32_t off)
{
	struct rd msg = rd_over(message, sizeof(message));
	struct trans_piece pc = {
		.total_p = t->total_p, .total_d = total, .d_count = count, .d_off = off, .d_disp = disp
	};

	return trans_parts_add(t, &msg, &pc);
}

static void backwards_and_overlapping(void **state)
{
	struct trans_parts t = start(0, 10);

	(void)state;
	assert_false(trans_parts_done(&t));
	assert_int_equal(data(&t, 10, 6, 4, 106), ST_OK);
	assert_false(trans_parts_done(&t));
	assert_int_equal(data(&t, 10, 0, 4, 100), ST_OK);
	assert_false(trans_parts_done(&t));
	assert_int_equal(data(&t, 10, 3, 4, 103), ST_OK); /* 12 bytes in all, two of them twice */
	assert_true(trans_parts_done(&t));
	assert_memory_equal(t.d, message + 100, 10);
}

static void gaps_are_zeros(void **state)
{
	static const uint8_t want[8] = { 1, 2, 3, 4, 0, 0, 0, 0 };
	struct trans_parts t = start(0, 8);

	(void)state;
	assert_int_equal(data(&t, 8, 0, 4, 1), ST_OK);
	assert_int_equal(data(&t, 8, 0, 4, 1), ST_OK);
	assert_true(trans_parts_done(&t));
	assert_memory_equal(t.d, want, 8);
}

static void totals_may_only_shrink(void **state)
{
	struct trans_parts t = start(4, 100);

	(void)state;
	assert_int_equal(data(&t, 101, 0, 1, 0), ST_INVALID_PARAMETER);
	assert_int_equal(data(&t, 60, 0, 50, 0), ST_OK);
	assert_int_equal(data(&t, 61, 50, 1, 0), ST_INVALID_PARAMETER);
	assert_int_equal(data(&t, 60, 55, 6, 0), ST_INVALID_PARAMETER); /* beyond the smaller total */
	t.got_p = 4;
	assert_int_equal(data(&t, 50, 0, 0, 0), ST_OK);
	assert_true(trans_parts_done(&t));
}

static void lies_are_refused(void **state)
{
	struct trans_parts t = start(0, 1000);

	(void)state;
	assert_int_equal(data(&t, 1000, 1000, 1, 0), ST_INVALID_PARAMETER);
	assert_int_equal(data(&t, 1000, 1001, 0xffffffff, 0), ST_INVALID_PARAMETER);
	assert_int_equal(data(&t, 1000, 0xffffffff, 2, 0), ST_INVALID_PARAMETER);
	assert_int_equal(data(&t, 1000, 0, 2, sizeof(message) - 1), ST_INVALID_PARAMETER);
	assert_int_equal(data(&t, 1000, 0, 1, 0xffffffff), ST_INVALID_PARAMETER);
	assert_int_equal(data(&t, 1000, 0, 0, 0xffffffff), ST_OK); /* no bytes: no offset */
	assert_int_equal(t.got_d, 0);
}

static void parameters_and_data_together(void **state)
{
	struct trans_parts t = start(3, 5);
	struct rd msg = rd_over(message, 20);
	struct trans_piece pc = {
		.total_p = 3, .total_d = 5, .p_count = 3, .p_off = 4, .d_count = 5, .d_off = 15
	};

	(void)state;
	assert_int_equal(trans_parts_add(&t, &msg, &pc), ST_OK);
	assert_true(trans_parts_done(&t));
	assert_memory_equal(t.p, message + 4, 3);
	assert_memory_equal(t.d, message + 15, 5);
}

/* ---- replies ---- */

static void places_of_the_reference(void **state)
{
	struct trans_fragment f;

	(void)state;
	trans_fragment_plan(32 + 1 + 20 + 2, 16644, 2, 22, &f);
	assert_int_equal(f.p_off, 56);
	assert_int_equal(f.d_off, 60);
	assert_int_equal(f.d_count, 22);
	trans_fragment_plan(32 + 1 + 20 + 2, 16644, 10, 38, &f);
	assert_int_equal(f.d_off, 68);
	trans_fragment_plan(32 + 1 + 20 + 2, 16644, 0, 40, &f);
	assert_int_equal(f.d_off, 56);
	trans_fragment_plan(32 + 1 + 36 + 2, 16644, 4, 0, &f);
	assert_int_equal(f.p_off, 72);
	assert_int_equal(f.d_off, 0);
}

static void every_cut_is_complete(void **state)
{
	(void)state;
	for (uint32_t limit = 500; limit < 1100; limit += 7) {
		uint32_t left_p = 1501, left_d = 4003, rounds = 0;

		while (left_p || left_d) {
			struct trans_fragment f;

			trans_fragment_plan(55, limit, left_p, left_d, &f);
			assert_true(f.p_count || f.d_count);
			assert_true(f.p_count == 0 || f.p_off + f.p_count <= limit);
			assert_true(f.d_count == 0 || f.d_off + f.d_count <= limit);
			assert_true(f.d_count == 0 || f.p_count == left_p);
			assert_int_equal(f.p_off % 4, 0);
			assert_int_equal(f.d_off % 4, 0);
			left_p -= f.p_count;
			left_d -= f.d_count;
			assert_true(++rounds < 100);
		}
	}
}

static void no_room_at_all(void **state)
{
	struct trans_fragment f;

	(void)state;
	trans_fragment_plan(1000, 900, 5, 5, &f);
	assert_int_equal(f.p_count, 0);
	assert_int_equal(f.d_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(backwards_and_overlapping, setup, teardown),
		cmocka_unit_test_setup_teardown(gaps_are_zeros, setup, teardown),
		cmocka_unit_test_setup_teardown(totals_may_only_shrink, setup, teardown),
		cmocka_unit_test_setup_teardown(lies_are_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(parameters_and_data_together, setup, teardown),
		cmocka_unit_test(places_of_the_reference),
		cmocka_unit_test(every_cut_is_complete),
		cmocka_unit_test(no_room_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
