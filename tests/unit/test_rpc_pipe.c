/* The PDU layer: bind, fragments in and out, faults, bounds, and whatever a bad client writes. */
#include "rpc_client.h"

static void names(void **state)
{
	struct rpc_pipe *p = rpc_pipe_open(NULL, "SrvSvc");

	(void)state;
	assert_non_null(p);
	assert_string_equal(rpc_pipe_name(p), "srvsvc");
	talloc_free(p);
	assert_true(rpc_pipe_exists("WKSSVC"));
	assert_true(rpc_pipe_exists("LsaRpc"));
	assert_false(rpc_pipe_exists("svcctl"));
	assert_false(rpc_pipe_exists(""));
	assert_null(rpc_pipe_open(NULL, "spoolss"));
}

/* The captured bind, and the acknowledgement byte for byte. */
static void bind_bytes(void **state)
{
	static const char request[] = "05000b03 10000000 48000000 01000000 b810b810 00000000 01000000 00000100"
				      SRVSVC_SYNTAX NDR_SYNTAX;
	static const char answer[] = "05000c03 10000000 44000000 01000000 b810b810 f0530000 0d00"
				     "5c504950455c73727673766300 00 01000000 00000000" NDR_SYNTAX;
	struct rpc_pipe *p = rpc_pipe_open(NULL, "srvsvc");
	uint8_t in[128], want[128], got[128];
	size_t n, m, all, first;

	(void)state;
	n = unhex(request, in);
	assert_int_equal(n, 72);
	m = unhex(answer, want);
	assert_int_equal(m, 68);
	assert_int_equal(rpc_pipe_write(p, &host, in, n), ST_OK);
	rpc_pipe_peek(p, &all, &first);
	assert_int_equal(all, m);
	assert_int_equal(first, m);
	assert_true(next_pdu(p, got, sizeof(got), &n));
	assert_int_equal(n, m);
	assert_memory_equal(got, want, m);
	assert_false(next_pdu(p, got, sizeof(got), &n));
	talloc_free(p);
}

/* NDR, NDR64 and the feature question in one bind; an unknown interface beside them. */
static void bind_many(void **state)
{
	struct rpc_pipe *p = rpc_pipe_open(NULL, "srvsvc");
	static const uint16_t want[][2] = { { 0, 0 }, { 2, 2 }, { 3, 0 }, { 2, 1 } };
	static const char *const offer[][2] = {
		{ SRVSVC_SYNTAX, NDR_SYNTAX }, { SRVSVC_SYNTAX, NDR64_SYNTAX }, { SRVSVC_SYNTAX, FEATURES },
		{ WKSSVC_SYNTAX, NDR_SYNTAX },
	};
	uint8_t buf[1024];
	struct wr w = wr_over(buf, sizeof(buf));
	struct rd r;
	size_t n;

	(void)state;
	put_header(&w, 11, 3, 7);
	wr_u16(&w, 5840);
	wr_u16(&w, 5840);
	wr_u32(&w, 0x1234);
	wr_u32(&w, 4);
	for (uint16_t i = 0; i < 4; i++) {
		wr_u16(&w, (uint16_t)(i + 10));
		wr_u16(&w, 1);
		put_hex(&w, offer[i][0]);
		put_hex(&w, offer[i][1]);
	}
	put_end(&w);
	assert_int_equal(rpc_pipe_write(p, &host, buf, wr_tell(&w)), ST_OK);
	assert_true(next_pdu(p, buf, sizeof(buf), &n));
	assert_int_equal(n, 44 + 4 * 24);
	r = rd_over(buf, n);
	rd_skip(&r, 16);
	assert_int_equal(rd_u16(&r), 4280);
	assert_int_equal(rd_u16(&r), 4280);
	assert_int_equal(rd_u32(&r), 0x1234);
	rd_seek(&r, 40);
	assert_int_equal(rd_u32(&r), 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(rd_u16(&r), want[i][0]);
		assert_int_equal(rd_u16(&r), want[i][1]);
		assert_int_equal(rd_u32(&r), i == 0 ? 0x8a885d04 : 0);
		rd_skip(&r, 16);
	}
	assert_true(rd_ok(&r));
	talloc_free(p);
}

static void bind_refused(void **state)
{
	struct rpc_pipe *p = rpc_pipe_open(NULL, "srvsvc");
	uint8_t buf[4096];
	size_t n = make_bind(buf, sizeof(buf), 4280, SRVSVC_SYNTAX, NDR_SYNTAX);

	(void)state;
	/* with NTLMSSP: a polite no, and a plain bind afterwards works */
	buf[8] = (uint8_t)(n + 16);
	buf[10] = 8;
	memset(buf + n, 0, 16);
	assert_int_equal(rpc_pipe_write(p, &host, buf, n + 16), ST_OK);
	assert_true(next_pdu(p, buf, sizeof(buf), &n));
	assert_int_equal(n, 24);
	assert_int_equal(buf[2], 13);
	assert_int_equal(buf[16], 8);
	n = make_bind(buf, sizeof(buf), 4280, SRVSVC_SYNTAX, NDR_SYNTAX);
	assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_OK);
	assert_true(next_pdu(p, buf, sizeof(buf), &n));
	assert_int_equal(buf[2], 12);
	/* version 4 ends it, with a word */
	n = make_bind(buf, sizeof(buf), 4280, SRVSVC_SYNTAX, NDR_SYNTAX);
	buf[0] = 4;
	assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_PIPE_BROKEN);
	assert_true(next_pdu(p, buf, sizeof(buf), &n));
	assert_int_equal(buf[2], 13);
	assert_int_equal(buf[16], 4);
	assert_int_equal(rpc_pipe_write(p, &host, buf, 1), ST_PIPE_BROKEN);
	talloc_free(p);
}

/* alter_context: none before a bind, a second context after it, address length 0. */
static void alter(void **state)
{
	struct rpc_pipe *p = rpc_pipe_open(NULL, "srvsvc");
	uint8_t buf[4096], stub[64];
	size_t n = make_bind(buf, sizeof(buf), 4280, SRVSVC_SYNTAX, NDR_SYNTAX), frags;

	(void)state;
	buf[2] = 14;
	assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_OK);
	assert_int_equal(read_response(p, stub, sizeof(stub), &n, 32, &frags), 0x1C01000B);
	talloc_free(p);
	p = bound_pipe("srvsvc", SRVSVC_SYNTAX, 4280);
	n = make_bind(buf, sizeof(buf), 4280, SRVSVC_SYNTAX, NDR_SYNTAX);
	buf[2] = 14;
	buf[28] = 9; /* context id */
	assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_OK);
	assert_true(next_pdu(p, buf, sizeof(buf), &n));
	assert_int_equal(n, 56);
	assert_int_equal(buf[2], 15);
	assert_int_equal(buf[24] | buf[25], 0);
	assert_int_equal(buf[28], 1);
	assert_int_equal(buf[32], 0);
	n = make_request(buf, sizeof(buf), 3, 0xff, stub, 0);
	buf[20] = 9;
	assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_OK);
	assert_int_equal(read_response(p, stub, sizeof(stub), &n, 32, &frags), 0x1C010002);
	talloc_free(p);
}

static size_t share_enum_stub(uint8_t *buf, size_t cap)
{
	struct wr w = wr_over(buf, cap);

	stub_server(&w);
	stub_list(&w, 1, 0xffffffff, true, 0);
	assert_true(wr_ok(&w));
	return wr_tell(&w);
}

/* The fault, byte for byte, for each reason. */
static void faults(void **state)
{
	static const uint8_t want[32] = { 5, 0, 3, 0x23, 0x10, 0, 0, 0, 32, 0, 0, 0, 2, 0, 0, 0,
					  0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0x1c, 0, 0, 0, 0 };
	struct rpc_pipe *p = rpc_pipe_open(NULL, "srvsvc");
	uint8_t buf[256], stub[256];
	size_t n = make_request(buf, sizeof(buf), 3, 15, stub, 0), frags;

	(void)state;
	assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_OK);
	assert_int_equal(read_response(p, stub, sizeof(stub), &n, 32, &frags), 0x1C00001A);
	talloc_free(p);
	p = bound_pipe("srvsvc", SRVSVC_SYNTAX, 4280);
	n = make_request(buf, sizeof(buf), 3, 0x1234, stub, 0);
	assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_OK);
	assert_true(next_pdu(p, buf, sizeof(buf), &n));
	assert_int_equal(n, 32);
	assert_memory_equal(buf, want, 32);
	n = make_request(buf, sizeof(buf), 3, 15, stub, 0); /* no stub: bad NDR */
	assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_OK);
	assert_int_equal(read_response(p, stub, sizeof(stub), &n, 32, &frags), 0x6F7);
	n = make_request(buf, sizeof(buf), 3, 15, stub, 0);
	buf[20] = 5; /* a context never agreed on */
	assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_OK);
	assert_int_equal(read_response(p, stub, sizeof(stub), &n, 32, &frags), 0x1C010003);
	talloc_free(p);
}

/* A trailer that says "connect" is looked through; one that claims a signature is refused. */
static void trailer(void **state)
{
	struct rpc_pipe *p = bound_pipe("srvsvc", SRVSVC_SYNTAX, 4280);
	uint8_t buf[512], stub[4096], in[256];
	size_t n = share_enum_stub(in, sizeof(in)), frags, len;

	(void)state;
	for (uint8_t level = 1; level <= 6; level++) {
		n = share_enum_stub(in, sizeof(in));
		memset(in + n, 0, 4 + 8 + 16);
		in[n + 4] = 10;
		in[n + 5] = level;
		in[n + 6] = 4; /* pad */
		n = make_request(buf, sizeof(buf), 3, 15, in, n + 28);
		buf[10] = 16;
		assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_OK);
		assert_int_equal(read_response(p, stub, sizeof(stub), &len, 4280, &frags), level <= 2 ? 0 : 5);
	}
	/* a trailer longer than the PDU */
	n = make_request(buf, sizeof(buf), 3, 15, in, 8);
	buf[10] = 200;
	assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_OK);
	assert_int_equal(read_response(p, stub, sizeof(stub), &len, 4280, &frags), 0x1C01000B);
	talloc_free(p);
}

/* Bind and a request whose stub comes in fragments of `piece` bytes, written `step` bytes at a time. */
static void trickle_one(size_t piece, size_t step)
{
	struct rpc_pipe *p = rpc_pipe_open(NULL, "srvsvc");
	uint8_t wire[16384], in[256], whole[4096], stub[4096];
	size_t n, len = share_enum_stub(in, sizeof(in)), whole_len, frags, got;
	struct rpc_pipe *q = bound_pipe("srvsvc", SRVSVC_SYNTAX, 4280);
	struct wr w = wr_over(in, len);

	w.pos = (uint32_t)len;
	assert_int_equal(call(q, 15, &w, whole, sizeof(whole), &whole_len), 0);
	talloc_free(q);
	n = make_bind(wire, sizeof(wire), 4280, SRVSVC_SYNTAX, NDR_SYNTAX);
	for (size_t at = 0; at < len; at += piece) {
		size_t k = len - at < piece ? len - at : piece;
		uint8_t flags = (uint8_t)((at == 0) | (at + k == len) << 1);

		n += make_request(wire + n, sizeof(wire) - n, flags, 15, in + at, k);
	}
	for (size_t at = 0; at < n; at += step)
		assert_int_equal(rpc_pipe_write(p, &host, wire + at, n - at < step ? n - at : step), ST_OK);
	assert_true(next_pdu(p, stub, sizeof(stub), &got));
	assert_int_equal(read_response(p, stub, sizeof(stub), &got, 4280, &frags), 0);
	assert_int_equal(got, whole_len);
	assert_memory_equal(stub, whole, got);
	talloc_free(p);
}

static void trickle(void **state)
{
	(void)state;
	for (size_t piece = 1; piece < 100; piece += 7) {
		trickle_one(piece, 1);
		trickle_one(piece, 16384);
		trickle_one(piece, 13);
	}
}

/* 200 shares for a client that takes 1024 bytes, read in odd portions. */
static void many_shares(void **state)
{
	struct rpc_pipe *p = bound_pipe("srvsvc", SRVSVC_SYNTAX, 1024);
	uint8_t buf[512], in[256], *out = talloc_size(NULL, 1 << 17), *stub = talloc_size(NULL, 1 << 17);
	size_t n = share_enum_stub(in, sizeof(in)), got = 0, fragments = 0, all, first, left;
	struct rd r;
	bool more;

	(void)state;
	fake.generated = 200;
	n = make_request(buf, sizeof(buf), 3, 15, in, n);
	assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_OK);
	for (rpc_pipe_peek(p, &all, &first); all != 0; rpc_pipe_peek(p, &all, &first)) {
		size_t start = got;

		assert_true(first <= 1024);
		for (left = first; left != 0; left -= n) {
			n = rpc_pipe_read(p, out + got, 300, &more);
			assert_true(n > 0 && n <= left);
			assert_int_equal(more, n < left);
			got += n;
		}
		assert_int_equal(got - start, first);
		r = rd_over(out + start, first);
		rd_skip(&r, 16);
		assert_true(rd_u32(&r) >= first - 24); /* hint: what is still to come */
		fragments++;
	}
	assert_true(fragments > 10);
	/* the same list in one go */
	n = 0;
	for (size_t at = 0; at < got; at += (size_t)(out[at + 8] | out[at + 9] << 8)) {
		size_t len = (size_t)(out[at + 8] | out[at + 9] << 8);

		memcpy(stub + n, out + at + 24, len - 24);
		n += len - 24;
	}
	r = rd_over(stub, n);
	rd_skip(&r, 12);
	assert_int_equal(rd_u32(&r), 200);
	rd_skip(&r, 8 + 200 * 12);
	for (unsigned i = 0; i < 200; i++) {
		char want[64];

		snprintf(want, sizeof(want), "share%03u", i);
		assert_string_equal(take_string(&r), want);
		snprintf(want, sizeof(want), "comment of %u", i);
		assert_string_equal(take_string(&r), want);
	}
	assert_int_equal(rd_u32(&r), 200);
	rd_skip(&r, 8);
	assert_int_equal(rd_u32(&r), 0);
	assert_true(rd_ok(&r) && rd_left(&r) == 0);
	talloc_free(p);
	talloc_free(out);
	talloc_free(stub);
}

/* Two requests in one write: each reply is a message of its own. */
static void two_at_once(void **state)
{
	struct rpc_pipe *p = bound_pipe("srvsvc", SRVSVC_SYNTAX, 4280);
	uint8_t buf[512], in[256], out[4096];
	size_t n, k = share_enum_stub(in, sizeof(in)), a, b;

	(void)state;
	n = make_request(buf, sizeof(buf), 3, 15, in, k);
	n += make_request(buf + n, sizeof(buf) - n, 3, 99, in, k);
	assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_OK);
	assert_true(next_pdu(p, out, sizeof(out), &a));
	assert_int_equal(out[2], 2);
	assert_true(next_pdu(p, out, sizeof(out), &b));
	assert_int_equal(out[2], 3);
	assert_false(next_pdu(p, out, sizeof(out), &b));
	talloc_free(p);
}

/* A client that asks and never reads, and one whose request never ends. */
static void bounds(void **state)
{
	struct rpc_pipe *p = bound_pipe("srvsvc", SRVSVC_SYNTAX, 4280);
	uint8_t buf[512], in[256], *big = talloc_zero_size(NULL, 4280);
	size_t k = share_enum_stub(in, sizeof(in)), n = make_request(buf, sizeof(buf), 3, 15, in, k), all, first;
	status_t st = ST_OK;
	unsigned i;

	(void)state;
	fake.generated = 200;
	for (i = 0; i < 1000 && st == ST_OK; i++)
		st = rpc_pipe_write(p, &host, buf, n);
	assert_int_equal(st, ST_PIPE_BROKEN);
	rpc_pipe_peek(p, &all, &first);
	assert_true(all <= 4u << 20);
	assert_true(talloc_total_size(p) <= 5u << 20);
	talloc_free(p);
	p = bound_pipe("srvsvc", SRVSVC_SYNTAX, 4280);
	st = ST_OK;
	for (i = 0; i < 1000 && st == ST_OK; i++) {
		n = make_request(big, 4280, i == 0, 15, in, 0);
		put_u16(big + 8, 4280);
		st = rpc_pipe_write(p, &host, big, 4280);
		assert_true(talloc_total_size(p) <= 2u << 20);
	}
	assert_int_equal(st, ST_PIPE_BROKEN);
	assert_true(i > 200);
	talloc_free(p);
	talloc_free(big);
}

/* A list too long for any reply is refused, not cut. */
static void reply_too_big(void **state)
{
	struct rpc_pipe *p = bound_pipe("srvsvc", SRVSVC_SYNTAX, 4280);
	uint8_t buf[512], in[256];
	size_t k = share_enum_stub(in, sizeof(in)), n = make_request(buf, sizeof(buf), 3, 15, in, k), frags;

	(void)state;
	fake.generated = 30000;
	assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_OK);
	assert_int_equal(read_response(p, in, sizeof(in), &n, 4280, &frags), 0x1C010013);
	talloc_free(p);
}

static void drain(struct rpc_pipe *p)
{
	uint8_t buf[700];
	bool more;

	while (rpc_pipe_read(p, buf, sizeof(buf), &more) != 0)
		;
	assert_false(more);
}

/* Every cut and every flipped bit of a bind, an alter, a fragmented and a whole ShareEnumAll. */
static void hostile(void **state)
{
	uint8_t wire[1024], in[256], *copy;
	size_t k = share_enum_stub(in, sizeof(in)), n, b;

	(void)state;
	n = b = make_bind(wire, sizeof(wire), 4280, SRVSVC_SYNTAX, NDR_SYNTAX);
	make_bind(wire + n, sizeof(wire) - n, 4280, SRVSVC_SYNTAX, NDR_SYNTAX);
	wire[n + 2] = 14;
	n += b;
	n += make_request(wire + n, sizeof(wire) - n, 1, 15, in, 40);
	n += make_request(wire + n, sizeof(wire) - n, 2, 15, in + 40, k - 40);
	n += make_request(wire + n, sizeof(wire) - n, 3, 15, in, k);
	for (size_t cut = 0; cut <= n; cut++) {
		struct rpc_pipe *p = rpc_pipe_open(NULL, "srvsvc");

		copy = talloc_memdup(NULL, wire, cut ? cut : 1); /* exact size, for the sanitizer */
		assert_int_equal(rpc_pipe_write(p, &host, copy, cut), ST_OK);
		drain(p);
		talloc_free(copy);
		talloc_free(p);
	}
	copy = talloc_memdup(NULL, wire, n);
	for (size_t bit = 0; bit < 8 * n; bit++) {
		struct rpc_pipe *p = rpc_pipe_open(NULL, "srvsvc");
		status_t st;

		copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
		st = rpc_pipe_write(p, &host, copy, n);
		assert_true(st == ST_OK || st == ST_PIPE_BROKEN);
		drain(p);
		copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
		talloc_free(p);
	}
	talloc_free(copy);
}

/* The stub cut at every byte within a PDU that is whole: a fault or an answer, never silence. */
static void cut_stubs(void **state)
{
	struct rpc_pipe *p = bound_pipe("srvsvc", SRVSVC_SYNTAX, 4280);
	uint8_t buf[512], in[256], out[4096];
	size_t k = share_enum_stub(in, sizeof(in)), n, frags;

	(void)state;
	for (size_t cut = 0; cut < k; cut++) {
		n = make_request(buf, sizeof(buf), 3, 15, in, cut);
		assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_OK);
		assert_int_equal(read_response(p, out, sizeof(out), &n, 4280, &frags), 0x6F7);
	}
	for (uint16_t op = 0; op < 64; op++) { /* every operation with every cut of that stub */
		for (size_t cut = 0; cut <= k; cut++) {
			n = make_request(buf, sizeof(buf), 3, op, in, cut);
			assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_OK);
			read_response(p, out, sizeof(out), &n, 4280, &frags);
		}
	}
	talloc_free(p);
}

static void rubbish(void **state)
{
	static const uint8_t types[] = { 1, 2, 3, 4, 12, 13, 15, 17, 20, 255 };
	uint8_t buf[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		struct rpc_pipe *p = bound_pipe("srvsvc", SRVSVC_SYNTAX, 4280);
		struct wr w = wr_over(buf, sizeof(buf));

		put_header(&w, types[i], 3, 1);
		wr_zero(&w, 16);
		put_end(&w);
		assert_int_equal(rpc_pipe_write(p, &host, buf, wr_tell(&w)), ST_PIPE_BROKEN);
		talloc_free(p);
	}
	for (uint8_t type = 16; type <= 19; type++) { /* auth3, cancel, orphaned: heard, not answered */
		struct rpc_pipe *p = bound_pipe("srvsvc", SRVSVC_SYNTAX, 4280);
		struct wr w = wr_over(buf, sizeof(buf));
		size_t n;

		if (type == 17)
			type++;
		put_header(&w, type, 3, 1);
		put_end(&w);
		assert_int_equal(rpc_pipe_write(p, &host, buf, wr_tell(&w)), ST_OK);
		assert_false(next_pdu(p, buf, sizeof(buf), &n));
		talloc_free(p);
	}
}

#define T(f) cmocka_unit_test_setup_teardown(f, fake_setup, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(names), T(bind_bytes), T(bind_many), T(bind_refused), T(alter), T(faults), T(trailer),
		T(trickle), T(many_shares), T(two_at_once), T(bounds), T(reply_too_big), T(hostile),
		T(cut_stubs), T(rubbish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
