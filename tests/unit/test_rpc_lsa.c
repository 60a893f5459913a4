/* lsarpc and the small ones - winreg, dssetup, mgmt: what they answer, and what bad requests do to them. */
#include "rpc_stub.h"

/* ---- lsarpc ---- */

static struct rpc_pipe *open_lsa(void)
{
	struct rpc_pipe *p = bound_pipe("lsarpc", LSA_SYNTAX, 4280);

	start();
	stub_server(&w);
	put_hex(&w, "18000000 00000000 00000000 00000000 00000000 04000200 0c000000 02000100 00000002");
	assert_int_equal(ask(p, 44), 0);
	keep_handle();
	return p;
}

static void handles(void **state)
{
	struct rpc_pipe *p = open_lsa(), *other = bound_pipe("lsarpc", LSA_SYNTAX, 4280);

	(void)state;
	start_handle();
	assert_int_equal(ask(other, 0), CONTEXT_MISMATCH); /* it belongs to its pipe */
	start_handle();
	assert_int_equal(ask(p, 0), 0);
	for (int i = 0; i < 5; i++)
		assert_int_equal(take(), 0);
	reply_ends_with(0);
	start_handle();
	assert_int_equal(ask(p, 0), CONTEXT_MISMATCH); /* closed */
	w.pos = 19;
	assert_int_equal(ask(p, 0), BAD_STUB);
	talloc_free(p);
	talloc_free(other);
}

static void too_many_handles(void **state)
{
	struct rpc_pipe *p = bound_pipe("lsarpc", LSA_SYNTAX, 4280);
	uint32_t st = 0;

	(void)state;
	for (int i = 0; i < 1000 && st == 0; i++) {
		start();
		put_hex(&w, "00000200 5c000000 18000000 00000000 00000000 00000000 00000000 00000000 00000002");
		assert_int_equal(ask(p, 6), 0);
		rd_skip(&reply, 20);
		st = take();
	}
	assert_int_equal(st, ST_INSUFFICIENT_RESOURCES);
	talloc_free(p);
}

static void policy(void **state)
{
	struct rpc_pipe *p = open_lsa();

	(void)state;
	start_handle();
	wr_u16(&w, 5);
	assert_int_equal(ask(p, 7), 0);
	take();
	assert_int_equal(take(), 5);
	take_text();
	take();
	expect_chars("REF");
	take_sid(5, 4);
	reply_ends_with(0);
	start_handle();
	wr_u16(&w, 3);
	assert_int_equal(ask(p, 46), 0);
	take();
	take();
	take_text();
	assert_int_equal(take(), 0); /* no domain, no SID */
	expect_chars("WORKGROUP");
	reply_ends_with(0);
	start_handle();
	wr_u16(&w, 6);
	assert_int_equal(ask(p, 7), 0);
	take();
	take();
	assert_int_equal(rd_u16(&reply), 3);
	reply_ends_with(0);
	start_handle();
	wr_u16(&w, 12);
	assert_int_equal(ask(p, 46), 0);
	assert_int_equal(rd_left(&reply), 4 + 4 + 24 + 16 + 4 + 12 + 18 + 2 + 4);
	start_handle();
	wr_u16(&w, 99);
	assert_int_equal(ask(p, 7), 0);
	assert_int_equal(take(), 0);
	reply_ends_with(ST_INVALID_INFO_CLASS);
	talloc_free(p);
}

static void put_names(const char *const *name, uint32_t n, bool options)
{
	wr_u32(&w, n);
	wr_u32(&w, n);
	for (uint32_t i = 0; i < n; i++)
		put_text(name[i]);
	for (uint32_t i = 0; i < n; i++)
		put_chars(name[i]);
	wr_align(&w, 4);
	wr_u32(&w, 0);
	wr_u32(&w, 0);
	wr_u16(&w, 1);
	wr_align(&w, 4);
	wr_u32(&w, 0);
	if (options)
		wr_u64(&w, 0);
}

static void names_to_sids(void **state)
{
	static const char *const name[] = { "Anna", "ref\\users", "nobody", "NT AUTHORITY\\system" };
	static const uint32_t want[][3] = { { 1, 3000, 0 }, { 4, 1201, 0 }, { 8, 0, 0xffffffff }, { 5, 18, 1 } };
	struct rpc_pipe *p = open_lsa();

	(void)state;
	start_handle();
	put_names(name, 4, false);
	assert_int_equal(ask(p, 14), 0);
	take();
	assert_int_equal(take(), 2); /* domains */
	take();
	take();
	assert_int_equal(take(), 2);
	for (int i = 0; i < 2; i++) {
		take_text();
		take();
	}
	expect_chars("REF");
	take_sid(5, 4);
	expect_chars("NT AUTHORITY");
	take_sid(5, 0);
	assert_int_equal(take(), 4);
	take();
	assert_int_equal(take(), 4);
	for (int i = 0; i < 4; i++) {
		rd_align(&reply, 4);
		assert_int_equal(rd_u16(&reply), want[i][0]);
		assert_int_equal(take(), want[i][1]);
		assert_int_equal(take(), want[i][2]);
	}
	assert_int_equal(take(), 3);
	reply_ends_with(ST_SOME_NOT_MAPPED);
	talloc_free(p);
}

static void sids_to_names(void **state)
{
	static const uint32_t admins[] = { 32, 544 }, anna[] = { 1, 1000 }, strange[] = { 7, 7 };
	static const char *const want[] = { "Administrators", "anna", "S-1-9-7-7" };
	static const uint16_t type[] = { 4, 1, 8 };
	struct rpc_pipe *p = open_lsa();

	(void)state;
	start_handle();
	wr_u32(&w, 3);
	wr_u32(&w, 0x00020000);
	wr_u32(&w, 3);
	for (uint32_t i = 1; i <= 3; i++)
		wr_u32(&w, i);
	put_sid(5, 2, admins);
	put_sid(22, 2, anna);
	put_sid(9, 2, strange);
	wr_zero(&w, 8);
	wr_u32(&w, 1);
	wr_u32(&w, 0);
	assert_int_equal(ask(p, 15), 0);
	take();
	assert_int_equal(take(), 2);
	rd_skip(&reply, 4 + 4 + 4 + 2 * 12);
	expect_chars("BUILTIN");
	assert_int_equal(take_sid(5, 1), 32);
	expect_chars("Unix User");
	assert_int_equal(take_sid(22, 1), 1);
	assert_int_equal(take(), 3);
	take();
	take();
	for (uint32_t i = 0; i < 3; i++) {
		rd_align(&reply, 4);
		assert_int_equal(rd_u16(&reply), type[i]);
		take_text();
		assert_int_equal(take(), i < 2 ? i : 0xffffffff);
	}
	for (int i = 0; i < 3; i++)
		expect_chars(want[i]);
	assert_int_equal(take(), 2);
	reply_ends_with(ST_SOME_NOT_MAPPED);
	talloc_free(p);
}

static void user_name(void **state)
{
	struct rpc_pipe *p = open_lsa();

	(void)state;
	start();
	wr_u32(&w, 0);
	wr_u32(&w, 0);
	wr_u32(&w, 0x00020000);
	wr_u32(&w, 0);
	assert_int_equal(ask(p, 45), 0);
	take();
	take_text();
	expect_chars("anna");
	take();
	take();
	take_text();
	expect_chars("REF");
	reply_ends_with(0);
	talloc_free(p);
}

/* ---- the small ones ---- */

static void setup_role(void **state)
{
	struct rpc_pipe *p = bound_pipe("lsarpc", DSSETUP_SYNTAX, 4280);

	(void)state;
	start();
	wr_u16(&w, 1);
	assert_int_equal(ask(p, 0), 0);
	take();
	take();
	assert_int_equal(rd_u16(&reply), 2);
	assert_int_equal(take(), 0);
	rd_skip(&reply, 12 + 16);
	assert_string_equal(take_string(&reply), "WORKGROUP");
	reply_ends_with(0);
	talloc_free(p);
}

static void registry(void **state)
{
	static const char path[] = "SYSTEM\\CurrentControlSet\\Control\\ProductOptions";
	struct rpc_pipe *p = bound_pipe("winreg", WINREG_SYNTAX, 4280);

	(void)state;
	start();
	put_hex(&w, "00000000 19000200");
	assert_int_equal(ask(p, 2), 0);
	keep_handle();
	start_handle();
	put_text(path);
	put_chars(path);
	wr_align(&w, 4);
	wr_u64(&w, 0);
	assert_int_equal(ask(p, 15), 0);
	keep_handle();
	start_handle();
	put_text("producttype");
	put_chars("producttype");
	wr_align(&w, 4);
	put_hex(&w, "00000200 00000000 00000200 40000000 00000000 00000000 00000200 40000000 00000200 00000000");
	assert_int_equal(ask(p, 17), 0);
	take();
	assert_int_equal(take(), 1);
	take();
	assert_int_equal(take(), 18);
	take();
	assert_int_equal(take(), 18);
	assert_memory_equal(reply.msg + reply.pos, "S\0e\0r\0v\0e\0r\0N\0T\0\0", 18);
	rd_skip(&reply, 18);
	take();
	assert_int_equal(take(), 18);
	take();
	assert_int_equal(take(), 18);
	reply_ends_with(0);
	talloc_free(p);
}

static void management(void **state)
{
	static const char *const pipes[] = { "srvsvc", "wkssvc", "lsarpc", "samr", "netlogon", "winreg" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(pipes); i++) {
		struct rpc_pipe *p = bound_pipe(pipes[i], MGMT_SYNTAX, 4280);
		uint32_t n;

		start();
		assert_int_equal(ask(p, 0), 0);
		take();
		n = take();
		assert_true(n >= 2);
		assert_int_equal(rd_left(&reply), 4 + 24 * n + 4);
		assert_int_equal(ask(p, 2), 0);
		assert_int_equal(take(), 0);
		reply_ends_with(1);
		assert_int_equal(ask(p, 3), 0);
		reply_ends_with(5);
		talloc_free(p);
	}
}

static void hostile_lsa(void **state)
{
	static const char *const name[] = { "Anna", "nobody" };
	static const uint32_t admins[] = { 32, 544 };
	static const uint16_t by_name[] = { 14, 58, 68 };
	struct rpc_pipe *p = open_lsa();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(by_name); i++) {
		start_handle();
		put_names(name, 2, i != 0);
		torment(p, by_name[i]);
	}
	for (uint16_t op = 15; op <= 57; op += 42) {
		start_handle();
		put_hex(&w, "01000000 00000200 01000000 00000200");
		put_sid(5, 2, admins);
		wr_zero(&w, 8);
		wr_u32(&w, 1);
		wr_u32(&w, 0);
		wr_u64(&w, 0);
		torment(p, op);
	}
	start();
	put_names(name, 2, true);
	torment(p, 77);
	start_handle();
	wr_u16(&w, 12);
	torment(p, 7);
	start();
	put_hex(&w, "00000000 00000000 00000200 00000000");
	torment(p, 45);
	start();
	put_hex(&w, "00000000 18000000 00000200 00000000 00000000 00000000 04000200 00000000 0c000000 02000100 02");
	torment(p, 44);
	talloc_free(p);
}

static void hostile_rest(void **state)
{
	struct rpc_pipe *p = bound_pipe("winreg", WINREG_SYNTAX, 4280);

	(void)state;
	start();
	put_hex(&w, "00000000 19000200");
	assert_int_equal(ask(p, 2), 0);
	keep_handle();
	start_handle();
	put_text("SOFTWARE");
	put_chars("SOFTWARE");
	wr_u64(&w, 0);
	torment(p, 15);
	start_handle();
	put_text("abcd");
	put_chars("abcd");
	put_hex(&w, "00000200 00000000 00000200 04000000 00000000 04000000 01020304 00000200 04000000 00000200 00");
	torment(p, 17);
	talloc_free(p);
	p = bound_pipe("lsass", DSSETUP_SYNTAX, 4280);
	start();
	wr_u16(&w, 1);
	torment(p, 0);
	talloc_free(p);
	p = bound_pipe("netlogon", MGMT_SYNTAX, 4280);
	for (uint16_t op = 0; op < 6; op++) {
		start();
		wr_u64(&w, 0x0000000400000004u);
		torment(p, op);
	}
	talloc_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(handles), T(too_many_handles), T(policy), T(names_to_sids), T(sids_to_names), T(user_name),
		T(setup_role), T(registry), T(management), T(hostile_lsa), T(hostile_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
