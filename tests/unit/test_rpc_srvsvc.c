/* What srvsvc and wkssvc answer, member by member, with the reader of a client. */
#include "base/clock.h"
#include "rpc_client.h"
#include <time.h>

static uint8_t in_buf[1024], out_buf[1 << 16];
static struct rpc_pipe *pipe_;
static struct rd reply;

static int open_srvsvc(void **state)
{
	if (fake_setup(state) != 0)
		return -1;
	pipe_ = bound_pipe("srvsvc", SRVSVC_SYNTAX, 4280);
	return 0;
}

static int open_wkssvc(void **state)
{
	if (fake_setup(state) != 0)
		return -1;
	pipe_ = bound_pipe("wkssvc", WKSSVC_SYNTAX, 4280);
	return 0;
}

static int close_pipe(void **state)
{
	TALLOC_FREE(pipe_);
	return fake_teardown(state);
}

static struct wr request(void)
{
	struct wr w = wr_over(in_buf, sizeof(in_buf));

	stub_server(&w);
	return w;
}

/* Sends the stub; the reply cursor stands at the first byte of the answer. */
static uint32_t ask(uint16_t op, const struct wr *w)
{
	size_t len;
	uint32_t fault;

	assert_true(wr_ok(w));
	fault = call(pipe_, op, w, out_buf, sizeof(out_buf), &len);
	reply = rd_over(out_buf, len);
	return fault;
}

static void reply_ends(void)
{
	assert_true(rd_ok(&reply));
	assert_int_equal(rd_left(&reply), 0);
}

static void expect_u32(uint32_t v)
{
	rd_align(&reply, 4);
	assert_int_equal(rd_u32(&reply), v);
}

static void expect_ptr(void)
{
	rd_align(&reply, 4);
	assert_int_not_equal(rd_u32(&reply), 0);
}

static void expect_text(const char *s)
{
	assert_string_equal(take_string(&reply), s);
}

/* The answer of ShareEnumAll level 1 as bytes: one share, all alignments visible. */
static void enum_bytes(void **state)
{
	static const struct rpc_share_info one = { "abc", "hi", "", 0, 0xffffffff, 0 };
	static const char want[] = "01000000 01000000 00000200 01000000 04000200 01000000"
				   "08000200 00000000 0c000200"
				   "04000000 00000000 04000000 6100620063000000"
				   "03000000 00000000 03000000 680069000000 0000"
				   "01000000 10000200 00000000 00000000";
	static const char stub[] = "00000200 0a000000 00000000 0a000000"
				   "3100320037002e0030002e0030002e0031000000"
				   "01000000 01000000 04000200 00000000 00000000 ffffffff 08000200 00000000";
	struct wr w = wr_over(in_buf, sizeof(in_buf));
	uint8_t bytes[256];
	size_t n = unhex(want, bytes);

	(void)state;
	fake.share = &one;
	fake.count = 1;
	put_hex(&w, stub);
	assert_int_equal(ask(15, &w), 0);
	assert_int_equal(rd_left(&reply), n);
	assert_memory_equal(out_buf, bytes, n);
}

static const struct rpc_share_info *shown(size_t i, bool hidden_too)
{
	for (size_t k = 0; k < ARRAY_LEN(some_shares); k++) {
		if (!hidden_too && (some_shares[k].type & 0x80000000u))
			continue;
		if (i-- == 0)
			return &some_shares[k];
	}
	return NULL;
}

static void expect_share_fixed(const struct rpc_share_info *s, uint32_t level)
{
	expect_ptr();
	if (level == 0)
		return;
	expect_u32(s->type);
	expect_ptr();
	if (level == 1)
		return;
	expect_u32(0); /* permissions, or caching flags */
	if (level == 501)
		return;
	expect_u32(s->max_uses);
	expect_u32(s->current_uses);
	expect_ptr();
	expect_u32(0); /* no password */
	if (level == 503)
		expect_ptr();
	if (level == 2)
		return;
	expect_u32(0);
	expect_u32(0); /* no descriptor */
}

static void expect_share_strings(const struct rpc_share_info *s, uint32_t level)
{
	expect_text(s->name);
	if (level == 0)
		return;
	expect_text(s->comment ? s->comment : "");
	if (level == 1 || level == 501)
		return;
	expect_text(s->path);
	if (level == 503)
		expect_text("REF");
}

static void enum_one(uint16_t op, uint32_t level, bool hidden_too)
{
	uint32_t count = hidden_too ? 5 : 3;
	struct wr w = request();

	stub_list(&w, level, 0xffffffff, true, 0);
	assert_int_equal(ask(op, &w), 0);
	expect_u32(level);
	expect_u32(level);
	expect_ptr();
	expect_u32(count);
	expect_ptr();
	expect_u32(count);
	for (uint32_t i = 0; i < count; i++)
		expect_share_fixed(shown(i, hidden_too), level);
	for (uint32_t i = 0; i < count; i++)
		expect_share_strings(shown(i, hidden_too), level);
	expect_u32(count);
	expect_ptr();
	expect_u32(0);
	expect_u32(0);
	reply_ends();
}

static void share_enum(void **state)
{
	static const uint32_t levels[] = { 0, 1, 2, 501, 502, 503 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
		enum_one(15, levels[i], true);
		enum_one(36, levels[i], false);
	}
}

/* A caller without a place for the resume handle, and one with little room. */
static void share_enum_parts(void **state)
{
	struct wr w = request();
	uint32_t got = 0, resume = 0, status, n;

	(void)state;
	stub_list(&w, 1, 10, false, 0);
	assert_int_equal(ask(15, &w), 0);
	rd_skip(&reply, 12);
	expect_u32(5);
	rd_seek(&reply, rd_tell(&reply) + rd_left(&reply) - 12);
	expect_u32(5);
	expect_u32(0);
	expect_u32(0);
	do {
		w = request();
		stub_list(&w, 0, 40, true, resume);
		assert_int_equal(ask(15, &w), 0);
		rd_skip(&reply, 12);
		n = rd_u32(&reply);
		assert_true(n > 0 && n < 5);
		rd_seek(&reply, rd_tell(&reply) + rd_left(&reply) - 16);
		expect_u32(5 - got);
		expect_ptr();
		got += n;
		resume = rd_u32(&reply);
		status = rd_u32(&reply);
		assert_int_equal(status, got < 5 ? 234 : 0);
		assert_int_equal(resume, got < 5 ? got : 0);
	} while (status == 234);
	assert_int_equal(got, 5);
	w = request(); /* a handle behind the end */
	stub_list(&w, 0, 40, true, 77);
	assert_int_equal(ask(15, &w), 0);
	rd_skip(&reply, 12);
	expect_u32(0);
	expect_u32(0);
}

static void unknown_levels(void **state)
{
	struct wr w = request();

	(void)state;
	stub_list(&w, 77, 0xffffffff, true, 0);
	assert_int_equal(ask(15, &w), 0);
	expect_u32(77);
	expect_u32(77);
	expect_u32(0);
	expect_u32(0);
	expect_u32(124);
	reply_ends();
	w = request();
	wr_u32(&w, 1);
	wr_u32(&w, 2); /* the switch contradicts the level */
	wr_zero(&w, 64);
	assert_int_equal(ask(15, &w), 0x6F7);
	w = request();
	stub_string(&w, "data");
	wr_u32(&w, 77);
	assert_int_equal(ask(16, &w), 0);
	expect_u32(77);
	expect_u32(124);
	reply_ends();
	w = request();
	wr_u32(&w, 103);
	assert_int_equal(ask(21, &w), 0);
	expect_u32(103);
	expect_u32(0);
	expect_u32(124);
	reply_ends();
}

/* Hostile numbers in a string and in an array. */
static void bad_ndr(void **state)
{
	static const char *const stubs[] = {
		"00000200 ffffffff 00000000 ffffffff 61000000",
		"00000200 02000000 00000000 03000000 610062000000 0000 01000000 01000000 0000000000000000",
		"00000200 02000000 01000000 01000000 61000000 01000000 01000000 00000000 00000000 00000000",
		"00000000 01000000 01000000 04000200 05000000 04000200 ffffffff 00000000 00000000",
		"00000200 00000080 00000000 00000080 61000000",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(stubs); i++) {
		struct wr w = wr_over(in_buf, sizeof(in_buf));

		put_hex(&w, stubs[i]);
		assert_int_equal(ask(15, &w), 0x6F7);
	}
}

static void get_info_one(uint32_t level)
{
	struct wr w = request();

	stub_string(&w, "DATA");
	wr_u32(&w, level);
	assert_int_equal(ask(16, &w), 0);
	expect_u32(level);
	expect_ptr();
	expect_share_fixed(&some_shares[0], level);
	expect_share_strings(&some_shares[0], level);
	expect_u32(0);
	reply_ends();
}

static void share_get_info(void **state)
{
	static const uint32_t levels[] = { 0, 1, 2, 501, 502, 503 };
	struct wr w;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(levels); i++)
		get_info_one(levels[i]);
	w = request();
	stub_string(&w, "data");
	wr_u32(&w, 1005);
	assert_int_equal(ask(16, &w), 0);
	expect_u32(1005);
	expect_ptr();
	expect_u32(0);
	expect_u32(0);
	reply_ends();
	w = request();
	stub_string(&w, "nothing");
	wr_u32(&w, 1);
	assert_int_equal(ask(16, &w), 0);
	expect_u32(1);
	expect_u32(0);
	expect_u32(2310);
	reply_ends();
}

static void server_get_info(void **state)
{
	(void)state;
	for (uint32_t level = 100; level <= 102; level++) {
		struct wr w = request();

		wr_u32(&w, level);
		assert_int_equal(ask(21, &w), 0);
		expect_u32(level);
		expect_ptr();
		expect_u32(500);
		expect_ptr();
		if (level > 100) {
			expect_u32(6);
			expect_u32(1);
			expect_u32(SERVER_TYPE);
			expect_ptr();
		}
		if (level == 102) {
			rd_skip(&reply, 6 * 4);
			expect_ptr();
		}
		expect_text("REF");
		if (level > 100)
			expect_text("A server");
		if (level == 102)
			expect_text("C:\\");
		expect_u32(0);
		reply_ends();
	}
}

static void remote_tod(void **state)
{
	struct wr w = request();
	uint32_t f[12];
	struct tm tm;
	time_t t;

	(void)state;
	assert_int_equal(ask(28, &w), 0);
	expect_ptr();
	for (size_t i = 0; i < 12; i++)
		f[i] = rd_u32(&reply);
	expect_u32(0);
	reply_ends();
	t = (time_t)f[0];
	assert_true(time(NULL) - t <= 2);
	gmtime_r(&t, &tm);
	assert_int_equal(f[2], tm.tm_hour);
	assert_int_equal(f[3], tm.tm_min);
	assert_int_equal(f[4], tm.tm_sec);
	assert_int_equal((int32_t)f[6], -60);
	assert_int_equal(f[7], 10000);
	assert_int_equal(f[8], tm.tm_mday);
	assert_int_equal(f[9], tm.tm_mon + 1);
	assert_int_equal(f[10], tm.tm_year + 1900);
	assert_int_equal(f[11], tm.tm_wday);
}

static uint32_t validate(const char *name)
{
	struct wr w = request();

	stub_string(&w, name);
	wr_u32(&w, 9);
	wr_u32(&w, 0);
	assert_int_equal(ask(33, &w), 0);
	assert_int_equal(rd_left(&reply), 4);
	return rd_u32(&reply);
}

static void small_ones(void **state)
{
	struct wr w = request();

	(void)state;
	assert_int_equal(validate("data"), 0);
	assert_int_equal(validate("da/ta"), 123);
	assert_int_equal(validate(""), 123);
	wr_u32(&w, 0);
	wr_u32(&w, 0);
	wr_u32(&w, 0);
	wr_u32(&w, 0xffffffff);
	wr_u32(&w, 0x20000);
	wr_u32(&w, 0);
	assert_int_equal(ask(23, &w), 0);
	expect_u32(1);
	expect_ptr();
	expect_u32(1);
	expect_u32(0);
	expect_u32(1);
	expect_u32(0);
	expect_u32(3);
	assert_int_equal(rd_u16(&reply), 'C');
	assert_int_equal(rd_u16(&reply), ':');
	assert_int_equal(rd_u16(&reply), 0);
	expect_u32(1);
	expect_ptr();
	expect_u32(0);
	expect_u32(0);
	reply_ends();
}

/* Who is connected is not told to an ordinary user: empty containers and 5. */
static void private_lists(void **state)
{
	static const struct { uint16_t op; uint32_t level, strings; } c[] = {
		{ 8, 1, 1 }, { 9, 3, 2 }, { 12, 10, 2 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(c); i++) {
		struct wr w = request();

		wr_zero(&w, 4 * c[i].strings);
		stub_list(&w, c[i].level, 0xffffffff, true, 0);
		assert_int_equal(ask(c[i].op, &w), 0);
		expect_u32(c[i].level);
		expect_u32(c[i].level);
		expect_ptr();
		expect_u32(0);
		expect_u32(0);
		expect_u32(0);
		expect_ptr();
		expect_u32(0);
		expect_u32(5);
		reply_ends();
	}
}

static void wksta(void **state)
{
	struct wr w;

	(void)state;
	for (uint32_t level = 100; level <= 102; level++) {
		w = request();
		wr_u32(&w, level);
		assert_int_equal(ask(0, &w), 0);
		expect_u32(level);
		expect_ptr();
		expect_u32(500);
		expect_ptr();
		expect_ptr();
		expect_u32(6);
		expect_u32(1);
		if (level > 100)
			expect_ptr();
		if (level > 101)
			expect_u32(1);
		expect_text("REF");
		expect_text("WORKGROUP");
		if (level > 100)
			expect_text("");
		expect_u32(0);
		reply_ends();
	}
	w = request();
	stub_list(&w, 0, 0xffffffff, false, 0);
	assert_int_equal(ask(2, &w), 0);
	rd_skip(&reply, 8);
	expect_ptr();
	expect_u32(0);
	expect_u32(0);
	expect_u32(0);
	expect_u32(0);
	expect_u32(5);
	reply_ends();
	w = request();
	stub_list(&w, 0, 0xffffffff, false, 0);
	assert_int_equal(ask(5, &w), 0);
	rd_skip(&reply, 8);
	expect_ptr();
	expect_u32(1);
	expect_ptr();
	expect_u32(1);
	rd_skip(&reply, 20);
	expect_text("\\Device\\NetbiosSmb");
	expect_text("000000000000");
	expect_u32(1);
	expect_u32(0);
	expect_u32(0);
	reply_ends();
}

/* Sessions, files and trees: nothing for ordinary users, everything for administrators. */
static void lists(void **state)
{
	static const struct { uint16_t op; unsigned filters; uint32_t level; uint32_t count; } calls[] = {
		{ 8, 1, 1, 1 }, { 8, 1, 0, 1 }, { 9, 2, 3, 2 }, { 9, 2, 2, 2 }, { 12, 2, 0, 2 }, { 12, 2, 1, 2 },
		{ 12, 2, 2, 2 }, { 12, 2, 10, 2 }, { 12, 2, 502, 2 },
	};

	(void)state;
	for (size_t i = 0; i < 2 * ARRAY_LEN(calls); i++) {
		bool admin = i >= ARRAY_LEN(calls);
		uint32_t count = admin ? calls[i % ARRAY_LEN(calls)].count : 0;
		uint32_t level = calls[i % ARRAY_LEN(calls)].level;
		struct wr w = request();

		host.may_administer = admin;
		wr_zero(&w, 4 * calls[i % ARRAY_LEN(calls)].filters);
		stub_list(&w, level, 0xffffffff, false, 0);
		assert_int_equal(ask(calls[i % ARRAY_LEN(calls)].op, &w), 0);
		expect_u32(level);
		expect_u32(level);
		expect_ptr();
		expect_u32(count);
		rd_seek(&reply, reply.end - 12);
		expect_u32(count);
		expect_u32(0);
		expect_u32(admin ? 0 : 5);
		reply_ends();
	}
}

static void one_session(void **state)
{
	struct wr w = request();

	(void)state;
	host.may_administer = true;
	wr_u32(&w, 0x00020000);
	stub_string(&w, "\\\\other");
	wr_u32(&w, 0);
	stub_list(&w, 10, 0xffffffff, false, 0);
	assert_int_equal(ask(12, &w), 0);
	expect_u32(10);
	expect_u32(10);
	expect_ptr();
	expect_u32(1);
	expect_ptr();
	expect_u32(1);
	expect_ptr();
	expect_ptr();
	expect_u32(9);
	expect_u32(0);
	expect_text("OTHER");
	expect_text("bert");
	expect_u32(1);
	expect_u32(0);
	expect_u32(0);
	reply_ends();
}

static void one_file(void **state)
{
	struct wr w = request();

	(void)state;
	wr_u32(&w, 8);
	wr_u32(&w, 3);
	assert_int_equal(ask(10, &w), 0);
	expect_u32(3);
	expect_u32(0);
	expect_u32(5);
	reply_ends();
	host.may_administer = true;
	assert_int_equal(ask(10, &w), 0);
	expect_u32(3);
	expect_ptr();
	expect_u32(8);
	expect_u32(1);
	expect_u32(0);
	expect_ptr();
	expect_ptr();
	expect_text("C:\\x");
	expect_text("bert");
	expect_u32(0);
	reply_ends();
}

static void share_check(void **state)
{
	struct wr w = request();

	(void)state;
	stub_string(&w, "c:\\SPOOL");
	assert_int_equal(ask(20, &w), 0);
	expect_u32(1);
	expect_u32(0);
	w = request();
	stub_string(&w, "C:\\elsewhere");
	assert_int_equal(ask(20, &w), 0);
	expect_u32(0);
	expect_u32(2311);
	reply_ends();
}

static void transports(void **state)
{
	(void)state;
	for (uint32_t level = 0; level < 4; level++) {
		struct wr w = request();

		stub_list(&w, level, 0xffffffff, false, 0);
		assert_int_equal(ask(26, &w), 0);
		expect_u32(level);
		expect_u32(level);
		expect_ptr();
		expect_u32(level < 2);
		rd_seek(&reply, reply.end - 4);
		expect_u32(level < 2 ? 0 : 124);
		reply_ends();
	}
}

static void nothing_changes(void **state)
{
	static const uint16_t ops[] = { 11, 13, 14, 17, 18, 19, 22 };

	(void)state;
	host.may_administer = true;
	for (size_t i = 0; i < ARRAY_LEN(ops); i++) {
		struct wr w = request();

		assert_int_equal(ask(ops[i], &w), 0);
		rd_seek(&reply, reply.end - 4);
		expect_u32(5);
	}
}

/* A client whose numbers have the high byte first: bind and ServerGetInfo; the answer is as for others. */
static void big_endian(void **state)
{
	static const char bind[] = "05000b03 00000000 00480000 00000001 10b810b8 00000000 01000000 00000100"
				   "4b324fc8167001d312785a47bf6ee188 00000003"
				   "8a885d041ceb11c99fe808002b104860 00000002";
	static const char get_info[] = "05000003 00000000 00300000 00000002 00000018 0000 0015"
				       "00020000 00000001 00000000 00000001 0000 0000 00000065";
	struct rpc_pipe *p = rpc_pipe_open(NULL, "srvsvc");
	uint8_t in[256], want[512];
	size_t n, len, frags;
	struct wr w = wr_over(in_buf, sizeof(in_buf));

	(void)state;
	wr_u32(&w, 0);
	wr_u32(&w, 101);
	assert_int_equal(ask(21, &w), 0);
	len = reply.end;
	memcpy(want, out_buf, len);
	n = unhex(bind, in);
	assert_int_equal(rpc_pipe_write(p, &host, in, n), ST_OK);
	assert_true(next_pdu(p, out_buf, sizeof(out_buf), &n));
	assert_int_equal(out_buf[2], 12);
	assert_int_equal(out_buf[44] | out_buf[45], 0); /* accepted */
	n = unhex(get_info, in);
	assert_int_equal(rpc_pipe_write(p, &host, in, n), ST_OK);
	assert_int_equal(read_response(p, out_buf, sizeof(out_buf), &n, 4280, &frags), 0);
	assert_int_equal(n, len);
	assert_memory_equal(out_buf, want, len);
	talloc_free(p);
}

#define S(f) cmocka_unit_test_setup_teardown(f, open_srvsvc, close_pipe)
#define W(f) cmocka_unit_test_setup_teardown(f, open_wkssvc, close_pipe)

int main(void)
{
	const struct CMUnitTest tests[] = {
		S(enum_bytes), S(share_enum), S(share_enum_parts), S(unknown_levels), S(bad_ndr),
		S(share_get_info), S(server_get_info), S(remote_tod), S(small_ones), S(private_lists), S(lists), S(one_session),
		S(one_file), S(share_check), S(transports), S(nothing_changes), S(big_endian), W(wksta),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
