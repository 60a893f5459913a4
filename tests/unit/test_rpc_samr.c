/* samr: domains, users, and what bad requests do to it. */
#include "rpc_stub.h"

/* ---- samr ---- */

static void connect_sam(struct rpc_pipe *p)
{
	start();
	wr_u32(&w, 0);
	put_hex(&w, "00000002 01000000 01000000 03000000 00000000");
	assert_int_equal(ask(p, 64), 0);
	rd_skip(&reply, 16);
	keep_handle();
}

static struct rpc_pipe *open_domain(void)
{
	struct rpc_pipe *p = bound_pipe("samr", SAMR_SYNTAX, 4280);
	uint8_t sid[28];

	connect_sam(p);
	start_handle();
	put_text("ref");
	put_chars("ref");
	assert_int_equal(ask(p, 5), 0);
	take();
	rd_copy(&reply, sid, sizeof(sid));
	reply_ends_with(0);
	start_handle();
	wr_u32(&w, 0x02000000);
	wr_bytes(&w, sid, sizeof(sid));
	assert_int_equal(ask(p, 7), 0);
	keep_handle();
	return p;
}

static void sam_domains(void **state)
{
	struct rpc_pipe *p = bound_pipe("samr", SAMR_SYNTAX, 4280);

	(void)state;
	connect_sam(p);
	start_handle();
	wr_u64(&w, (uint64_t)1000 << 32);
	assert_int_equal(ask(p, 6), 0);
	assert_int_equal(take(), 2);
	rd_skip(&reply, 16 + 2 * 12);
	expect_chars("REF");
	expect_chars("Builtin");
	assert_int_equal(take(), 2);
	reply_ends_with(0);
	start_handle();
	put_text("other");
	put_chars("other");
	assert_int_equal(ask(p, 5), 0);
	assert_int_equal(take(), 0);
	reply_ends_with(ST_NO_SUCH_DOMAIN);
	start_handle();
	wr_u16(&w, 2);
	assert_int_equal(ask(p, 8), CONTEXT_MISMATCH); /* a handle of another kind */
	talloc_free(p);
}

static void sam_users(void **state)
{
	static const char *const want[] = { "root", "anna", "bert" };
	struct rpc_pipe *p = open_domain();

	(void)state;
	for (uint32_t room = 1; room < 200; room += 60) {
		uint32_t at = 0, st, n;

		do {
			start_handle();
			wr_u32(&w, at);
			wr_u32(&w, 0);
			wr_u32(&w, room);
			assert_int_equal(ask(p, 13), 0);
			n = take() - at;
			rd_skip(&reply, 16 + n * 12);
			for (uint32_t i = 0; i < n; i++)
				expect_chars(want[at + i]);
			assert_int_equal(take(), n);
			at += n;
			st = take();
			assert_int_equal(st, at < 3 ? ST_MORE_ENTRIES : ST_OK);
		} while (st != ST_OK);
	}
	host.user_known = false;
	start_handle();
	wr_u32(&w, 0);
	wr_u32(&w, 0);
	wr_u32(&w, 1000);
	assert_int_equal(ask(p, 13), 0);
	assert_int_equal(take(), 0);
	rd_skip(&reply, 20 - 4);
	assert_int_equal(take(), 0);
	reply_ends_with(ST_ACCESS_DENIED);
	talloc_free(p);
}

static void open_user(struct rpc_pipe *p, uint32_t rid, uint32_t status)
{
	start_handle();
	wr_u32(&w, 0x02000000);
	wr_u32(&w, rid);
	assert_int_equal(ask(p, 34), 0);
	if (status == 0) {
		keep_handle();
	} else {
		rd_skip(&reply, 20);
		reply_ends_with(status);
	}
}

static void sam_user_info(void **state)
{
	static const uint16_t levels[] = { 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 20, 21 };
	struct rpc_pipe *p = open_domain();

	(void)state;
	open_user(p, 1201, ST_NO_SUCH_USER); /* a group */
	open_user(p, 3000, 0);
	for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
		start_handle();
		wr_u16(&w, levels[i]);
		assert_int_equal(ask(p, 36), 0);
		take();
		assert_int_equal(take(), levels[i]);
		if (levels[i] == 16)
			assert_int_equal(take(), 0x10);
		if (levels[i] == 6) {
			take_text();
			take_text();
			expect_chars("anna");
			expect_chars("Anna Nym");
		}
		rd_seek(&reply, reply.end - 4);
		reply_ends_with(0);
	}
	start_handle();
	wr_u16(&w, 18); /* hashes: never */
	assert_int_equal(ask(p, 36), 0);
	assert_int_equal(take(), 0);
	reply_ends_with(ST_INVALID_INFO_CLASS);
	start_handle();
	assert_int_equal(ask(p, 39), 0);
	rd_skip(&reply, 16);
	assert_int_equal(take(), 513);
	assert_int_equal(take(), 7);
	reply_ends_with(0);
	talloc_free(p);
}

static void hostile_sam(void **state)
{
	static const struct { uint16_t op; const char *rest; } calls[] = {
		{ 6, "00000000 ffff0000" }, { 8, "0200" }, { 11, "00000000 ffff0000" },
		{ 13, "00000000 00000000 ffff0000" }, { 15, "00000000 ffff0000" },
		{ 16, "01000000 00000200 01000000 00000200 01000000 0101000000000001 00000000" },
		{ 18, "01000000 e8030000 00000000 01000000 b80b0000" }, { 19, "00000000 01000000" },
		{ 27, "00000000 01000000" }, { 36, "1500" }, { 40, "0100 0000 00000000 10000000 ffff0000" },
	};
	struct rpc_pipe *p = open_domain();
	uint8_t domain[20];

	(void)state;
	memcpy(domain, handle, sizeof(domain));
	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		memcpy(handle, domain, sizeof(handle));
		if (calls[i].op == 6)
			connect_sam(p);
		if (calls[i].op == 36)
			open_user(p, 3000, 0);
		start_handle();
		put_hex(&w, calls[i].rest);
		torment(p, calls[i].op);
	}
	memcpy(handle, domain, sizeof(handle));
	start_handle();
	put_hex(&w, "01000000 e8030000 00000000 01000000");
	put_text("anna");
	put_chars("anna");
	torment(p, 17);
	talloc_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(sam_domains), T(sam_users), T(sam_user_info), T(hostile_sam),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
