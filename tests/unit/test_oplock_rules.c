/* The DOS deny matrix as other servers answered it (files section 1), and what opens, deletes and renames do to
 * oplocks. */
#include "cmd/dos_open.h"
#include "srv/oplock_rules.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { DO, AL, WR, RE, NO, FCB, MODES };
enum { R, W, B, ACCESSES };

static const unsigned sharing[MODES] = { 0x00, 0x10, 0x20, 0x30, 0x40, 0x00 };
static const char *const mode_name[MODES] = { "DO", "AL", "WR", "RE", "NO", "FCB" };
static const char access_name[] = "RWB";

/* Second open in columns: DO R W B, AL, WR R W B, RE R W B, NO R W B, FCB. */
static const struct { int mode, access; const char *row; } plain[] = {
	{ DO, R, "y.. . y.. ... y.. ." },
	{ DO, W, "... . ... ... ... ." },
	{ DO, B, "... . ... ... ... ." },
	{ AL, R, "... . ... ... ... ." },
	{ AL, W, "... . ... ... ... ." },
	{ AL, B, "... . ... ... ... ." },
	{ WR, R, "y.. . y.. ... y.. ." },
	{ WR, W, "... . ... y.. y.. ." },
	{ WR, B, "... . ... ... y.. ." },
	{ RE, R, "... . .y. ... .y. ." },
	{ RE, W, "... . ... .y. .y. ." },
	{ RE, B, "... . ... ... .y. ." },
	{ NO, R, "y.. . yyy ... yyy ." },
	{ NO, W, "... . ... yyy yyy ." },
	{ NO, B, "... . ... ... yyy ." },
	{ FCB, B, "... . ... ... ... ." },
};

static bool expect_plain(int m1, int a1, int m2, int a2)
{
	static const int at[MODES] = { 0, 4, 6, 10, 14, 18 };

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (plain[i].mode == m1 && (m1 == FCB || plain[i].access == a1))
			return plain[i].row[at[m2] + (m2 == AL || m2 == FCB ? 0 : a2)] == 'y';
	fail_msg("no row");
	return false;
}

/* The same process: what it has for writing in compatibility mode or as FCB it may open so again. */
static bool expect_same(int m1, int a1, int m2, int a2)
{
	if (((m1 == DO && a1 != R) || m1 == FCB) && (m2 == DO || m2 == FCB))
		return true;
	return expect_plain(m1, a1, m2, a2);
}

/* A program: compatibility mode is deny none. */
static bool expect_program(int m1, int a1, int m2, int a2, bool same)
{
	if (m1 == FCB && same && (m2 == DO || m2 == FCB))
		return true;
	return expect_plain(m1 == DO ? NO : m1, a1, m2 == DO ? NO : m2, a2);
}

static struct db_opener dos_opener(int mode, int access, const char *name, uint32_t pid)
{
	struct open_want w = { .name = name };
	struct db_opener o = { .owner = { 100, 1 }, .client_pid = pid, .client_uid = 5, .open_id = 1 };

	if (mode == FCB) /* on the wire it has one form, which reads and writes */
		assert_int_equal(dos_access_mode(0xff, name, &w), ST_OK);
	else
		assert_int_equal(dos_access_mode((uint16_t)(sharing[mode] | (unsigned)access), name, &w), ST_OK);
	o.access = w.access;
	o.share = w.share;
	o.flags = w.db_flags;
	return o;
}

static void test_deny_matrix(void **state)
{
	int wrong = 0;

	(void)state;
	for (int i = 0; i < MODES * ACCESSES * MODES * ACCESSES * 4; i++) {
		int m1 = i % MODES, a1 = i / MODES % ACCESSES, m2 = i / MODES / ACCESSES % MODES;
		int a2 = i / MODES / ACCESSES / MODES % ACCESSES, kind = i / MODES / ACCESSES / MODES / ACCESSES;
		bool program = kind & 1, same = kind & 2, want, got;
		const char *name = program ? "d/PROG.Exe" : "d/data.dat";
		struct db_opener first = dos_opener(m1, a1, name, 7), second = dos_opener(m2, a2, name, same ? 7 : 8);
		struct db_file f = { .openers = &first, .n = 1 };
		const struct db_opener *holder;

		want = program ? expect_program(m1, a1, m2, a2, same) :
		       same    ? expect_same(m1, a1, m2, a2) :
				 expect_plain(m1, a1, m2, a2);
		got = rule_open(&f, &second, 0, &holder) == OPENING_ENTER;
		if (got != want && ++wrong)
			printf("%s %c then %s %c, %s, %s process: %d\n", mode_name[m1], access_name[a1], mode_name[m2],
			       access_name[a2], name, same ? "same" : "other", got);
	}
	assert_int_equal(wrong, 0);
}

/* The right of the same process is that of connection, PID and UID together. */
static void test_same_process_is_all_three(void **state)
{
	struct db_opener first = dos_opener(DO, B, "a", 7), second;
	struct db_file f = { .openers = &first, .n = 1 };
	const struct db_opener *holder;

	(void)state;
	second = dos_opener(DO, R, "a", 7);
	assert_int_equal(rule_open(&f, &second, 0, &holder), OPENING_ENTER);
	second.client_uid = 6;
	assert_int_equal(rule_open(&f, &second, 0, &holder), OPENING_VIOLATION);
	second = dos_opener(DO, R, "a", 7);
	second.owner.pid = 101;
	assert_int_equal(rule_open(&f, &second, 0, &holder), OPENING_VIOLATION);
}

/* ---- oplocks ---- */

#define READ 0x120089u
#define WRITE 0x120116u
#define LOOK 0x100080u
#define DELETE 0x10000u
#define ALL 7u

static struct db_opener nt(uint32_t access, uint32_t share, uint8_t oplock)
{
	return (struct db_opener){ .owner = { 100, 1 }, .open_id = 1, .access = access, .share = share, .oplock = oplock,
				   .flags = access == LOOK ? DB_OPEN_STAT : 0 };
}

static void test_opens(void **state)
{
	static const struct {
		uint32_t access1, share1; uint8_t oplock;
		uint32_t access2, share2; unsigned manner;
		enum opening want;
	} t[] = {
		{ READ, ALL, OPLOCK_BATCH, READ, ALL, 0, OPENING_BREAK },
		{ READ, ALL, OPLOCK_EXCLUSIVE, READ, ALL, 0, OPENING_BREAK },
		{ READ, ALL, OPLOCK_LEVEL_II, READ, ALL, 0, OPENING_ENTER },
		{ READ, ALL, OPLOCK_LEVEL_II, WRITE, ALL, RULE_TRUNCATES, OPENING_ENTER },
		/* a batch holder is asked before sharing is tested, an exclusive one only if it passes */
		{ WRITE, 0, OPLOCK_BATCH, READ, ALL, 0, OPENING_BREAK },
		{ WRITE, 0, OPLOCK_EXCLUSIVE, READ, ALL, 0, OPENING_VIOLATION },
		/* who only looks breaks nothing, unless it cuts the file */
		{ WRITE, 0, OPLOCK_BATCH, LOOK, 0, 0, OPENING_ENTER },
		{ WRITE, ALL, OPLOCK_BATCH, LOOK, 0, RULE_TRUNCATES, OPENING_BREAK },
		/* a rename by path touches no data */
		{ READ, ALL, OPLOCK_BATCH, DELETE, ALL, RULE_KEEPS_OPLOCKS, OPENING_ENTER },
		{ READ, 3, OPLOCK_BATCH, DELETE, ALL, RULE_KEEPS_OPLOCKS, OPENING_VIOLATION },
		/* the holder of a batch oplock who only looks is asked like any other */
		{ LOOK, 0, OPLOCK_BATCH, READ, ALL, 0, OPENING_BREAK },
		{ READ, 0, OPLOCK_NONE, READ, ALL, 0, OPENING_VIOLATION },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct db_opener first = nt(t[i].access1, t[i].share1, t[i].oplock);
		struct db_opener second = nt(t[i].access2, t[i].share2, 0);
		struct db_file f = { .openers = &first, .n = 1 };
		const struct db_opener *holder = NULL;
		enum opening got = rule_open(&f, &second, t[i].manner, &holder);

		if (got != t[i].want)
			fail_msg("row %zu: %d", i, (int)got);
		if (got == OPENING_BREAK)
			assert_ptr_equal(holder, &first);
		f.delete_pending = true;
		assert_int_equal(rule_open(&f, &second, t[i].manner, &holder), OPENING_DOOMED);
	}
}

static void test_removing(void **state)
{
	struct db_opener o[2] = { nt(READ, ALL, OPLOCK_BATCH), nt(READ, ALL, OPLOCK_NONE) };
	struct db_file f = { .openers = o, .n = 1 };
	const struct db_opener *holder = NULL;

	(void)state;
	assert_int_equal(rule_remove(&f, NULL, 0, true, &holder), OPENING_BREAK);
	assert_ptr_equal(holder, &o[0]);
	assert_int_equal(rule_remove(&f, &o[0].owner, 1, false, &holder), OPENING_ENTER); /* through the holder itself */
	o[0].oplock = OPLOCK_LEVEL_II;
	assert_int_equal(rule_remove(&f, NULL, 0, false, &holder), OPENING_ENTER); /* rename: deletion is shared */
	assert_int_equal(rule_remove(&f, NULL, 0, true, &holder), OPENING_VIOLATION); /* DELETE wants it alone */
	o[0] = nt(READ, 3, OPLOCK_EXCLUSIVE);
	assert_int_equal(rule_remove(&f, NULL, 0, false, &holder), OPENING_VIOLATION); /* exclusive stays */
	o[0] = nt(LOOK, 0, OPLOCK_NONE);
	assert_int_equal(rule_remove(&f, NULL, 0, true, &holder), OPENING_ENTER);
	f.delete_pending = true;
	assert_int_equal(rule_remove(&f, NULL, 0, true, &holder), OPENING_DOOMED);
}

static void test_grants(void **state)
{
	struct db_opener o[2] = { nt(READ, ALL, OPLOCK_NONE), nt(READ, ALL, OPLOCK_NONE) };
	struct db_file f = { .openers = o, .n = 0 };

	(void)state;
	assert_int_equal(rule_grant(&f, OPLOCK_BATCH, true), OPLOCK_BATCH); /* alone: as asked */
	assert_int_equal(rule_grant(&f, OPLOCK_EXCLUSIVE, false), OPLOCK_EXCLUSIVE);
	assert_int_equal(rule_grant(&f, OPLOCK_NONE, true), OPLOCK_NONE);
	assert_int_equal(rule_grant(&f, 7, true), OPLOCK_NONE);
	f.n = 1;
	assert_int_equal(rule_grant(&f, OPLOCK_BATCH, true), OPLOCK_LEVEL_II); /* in company: shared */
	assert_int_equal(rule_grant(&f, OPLOCK_BATCH, false), OPLOCK_NONE);
	o[0].oplock = OPLOCK_LEVEL_II;
	assert_int_equal(rule_grant(&f, OPLOCK_EXCLUSIVE, true), OPLOCK_LEVEL_II);
	o[0] = nt(LOOK, ALL, OPLOCK_NONE);
	assert_int_equal(rule_grant(&f, OPLOCK_BATCH, true), OPLOCK_BATCH); /* who only looks is no company */
	o[0].oplock = OPLOCK_EXCLUSIVE;
	assert_int_equal(rule_grant(&f, OPLOCK_BATCH, true), OPLOCK_NONE); /* we only looked and broke nothing */
}

static void test_falls(void **state)
{
	(void)state;
	assert_int_equal(rule_fall(false, true, false), OPLOCK_LEVEL_II);
	assert_int_equal(rule_fall(true, true, false), OPLOCK_NONE);
	assert_int_equal(rule_fall(false, false, false), OPLOCK_NONE);
	assert_int_equal(rule_fall(false, true, true), OPLOCK_NONE); /* Linux mistakes level II for exclusive */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deny_matrix), cmocka_unit_test(test_same_process_is_all_three),
		cmocka_unit_test(test_opens), cmocka_unit_test(test_removing), cmocka_unit_test(test_grants),
		cmocka_unit_test(test_falls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
