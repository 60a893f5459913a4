/* The sharing test against a model written from the other end: not masks but sentences. */
#include "base/util.h"
#include "db/db.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static const uint32_t accesses[] = {
	0, 0x1, 0x2, 0x4, 0x20, 0x10000, 0x1 | 0x2, 0x1 | 0x10000, 0x2 | 0x10000, 0x1 | 0x4 | 0x10000,
	0x80, 0x100, 0x100000, 0x80 | 0x100 | 0x100000, 0x20000, 0x40000, 0x8 | 0x10, 0x40,
	0x120089, 0x120116, 0x12019f, 0x1200a0, 0x1f01ff,
};

enum { READS, WRITES, DELETES };

static bool does(uint32_t access, int what)
{
	switch (what) {
	case READS:
		return (access & 1) || (access & 0x20);
	case WRITES:
		return (access & 2) || (access & 4);
	default:
		return (access & 0x10000) != 0;
	}
}

static bool allows(uint32_t share, int what)
{
	return what == READS ? share % 2 == 1 : what == WRITES ? share / 2 % 2 == 1 : share / 4 == 1;
}

static bool quiet(uint32_t access)
{
	return !does(access, READS) && !does(access, WRITES) && !does(access, DELETES);
}

static bool model_conflict(uint32_t a, uint32_t s, uint32_t b, uint32_t t)
{
	if (quiet(a) || quiet(b))
		return false;
	for (int what = READS; what <= DELETES; what++) {
		if (does(a, what) && !allows(t, what))
			return true;
		if (does(b, what) && !allows(s, what))
			return true;
	}
	return false;
}

static void test_all_pairs(void **state)
{
	unsigned conflicts = 0, peaces = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(accesses); i++)
		for (size_t j = 0; j < ARRAY_LEN(accesses); j++)
			for (uint32_t s = 0; s < 8; s++)
				for (uint32_t t = 0; t < 8; t++) {
					struct db_opener o = { .access = accesses[j], .share = t };
					struct db_file f = { .openers = &o, .n = 1 };
					bool want = model_conflict(accesses[i], s, accesses[j], t);

					assert_int_equal(db_share_conflict(&f, accesses[i], s, 0),
							 want ? ST_SHARING_VIOLATION : ST_OK);
					want ? conflicts++ : peaces++;
				}
	assert_true(conflicts > 1000 && peaces > 1000);
}

/* The deny matrix measured on the wire (plain file, another connection), through the mapping of DOS
 * modes to NT: rows first open, columns second open. */
static void test_deny_matrix(void **state)
{
	static const uint32_t access[] = { 0x120089, 0x120116, 0x12019f };
	/* AL WR RE NO */
	static const uint32_t share[] = { 0, 1, 2, 3 };
	static const char *const matrix[12] = { /* columns AL r w b, WR r w b, RE r w b, NO r w b */
		"............", "............", "............",
		"...y.....y..", "......y..y..", ".........y..",
		"....y.....y.", ".......y..y.", "..........y.",
		"...yyy...yyy", "......yyyyyy", ".........yyy",
	};

	(void)state;
	for (int row = 0; row < 12; row++)
		for (int col = 0; col < 12; col++) {
			struct db_opener o = { .access = access[row % 3], .share = share[row / 3] };
			struct db_file f = { .openers = &o, .n = 1 };
			status_t st = db_share_conflict(&f, access[col % 3], share[col / 3], 0);

			assert_int_equal(st, matrix[row][col] == 'y' ? ST_OK : ST_SHARING_VIOLATION);
		}
}

static void test_flags_and_crowds(void **state)
{
	struct db_opener o[3] = {
		{ .access = 0x1f01ff, .share = 0, .flags = DB_OPEN_STAT },
		{ .access = 0x1, .share = 7 },
		{ .access = 0x80, .share = 0 },
	};
	struct db_file f = { .openers = o, .n = 3 };

	(void)state;
	assert_int_equal(db_share_conflict(&f, 0x3, 7, 0), ST_OK);
	assert_int_equal(db_share_conflict(&f, 0x3, 6, 0), ST_SHARING_VIOLATION);
	assert_int_equal(db_share_conflict(&f, 0x3, 0, DB_OPEN_STAT), ST_OK);
	o[2].access = 0x10000; /* the last one counts too */
	assert_int_equal(db_share_conflict(&f, 0x1, 7, 0), ST_SHARING_VIOLATION);
	f.delete_pending = true;
	assert_int_equal(db_share_conflict(&f, 0x1, 7, 0), ST_DELETE_PENDING);
	assert_int_equal(db_share_conflict(&f, 0x80, 7, DB_OPEN_STAT), ST_DELETE_PENDING);
	f = (struct db_file){ 0 };
	assert_int_equal(db_share_conflict(&f, 0x1f01ff, 0, 0), ST_OK);
}

static void test_delete(void **state)
{
	struct db_owner a = { 10, 1 }, b = { 10, 2 };
	struct db_opener o[3] = {
		{ .owner = a, .open_id = 5, .access = 0x10000, .share = 0 },
		{ .owner = a, .open_id = 6, .access = 1, .share = 4 },
		{ .owner = b, .open_id = 5, .access = 0x80, .share = 0 },
	};
	struct db_file f = { .openers = o, .n = 3 };

	(void)state;
	assert_int_equal(db_share_delete_conflict(&f, &a, 5), ST_OK);
	assert_int_equal(db_share_delete_conflict(&f, &a, 6), ST_SHARING_VIOLATION);
	assert_int_equal(db_share_delete_conflict(&f, &b, 5), ST_SHARING_VIOLATION);
	assert_int_equal(db_share_delete_conflict(&f, NULL, 5), ST_SHARING_VIOLATION);
	o[1].share = 3;
	assert_int_equal(db_share_delete_conflict(&f, &a, 5), ST_SHARING_VIOLATION);
}

/* Who has a stream open stands in the way of a deletion he does not share, and of nothing else. */
static void test_streams(void **state)
{
	struct db_opener o = { .owner = { 10, 1 }, .open_id = 5, .share = 3, .flags = DB_OPEN_STAT | DB_OPEN_STREAM };
	struct db_file f = { .openers = &o, .n = 1 };

	(void)state;
	assert_int_equal(db_share_conflict(&f, 0x3, 0, 0), ST_OK);
	assert_int_equal(db_share_conflict(&f, 0x10000, 7, 0), ST_SHARING_VIOLATION);
	assert_int_equal(db_share_delete_conflict(&f, NULL, 0), ST_SHARING_VIOLATION);
	o.share = 4;
	assert_int_equal(db_share_conflict(&f, 0x10000, 0, 0), ST_OK);
	assert_int_equal(db_share_delete_conflict(&f, NULL, 0), ST_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_pairs),
		cmocka_unit_test(test_deny_matrix),
		cmocka_unit_test(test_flags_and_crowds),
		cmocka_unit_test(test_delete),
		cmocka_unit_test(test_streams),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
