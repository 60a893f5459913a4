/* rpc_client.h - writes request PDUs and reads replies as a client would. */
#ifndef SMB1D_TEST_RPC_CLIENT_H
#define SMB1D_TEST_RPC_CLIENT_H
#include "rpc_helpers.h"

#define SRVSVC_SYNTAX "c84f324b7016d30112785a47bf6ee18803000000"
#define WKSSVC_SYNTAX "98d0ff6b12a11036983346c3f87e345a01000000"
#define NDR_SYNTAX "045d888aeb1cc9119fe808002b10486002000000"
#define NDR64_SYNTAX "33057171babe37498319b5dbef9ccc3601000000"
#define FEATURES "2c1cb76c12984045030000000000000001000000"

static size_t unhex(const char *hex, uint8_t *out)
{
	size_t n = 0;

	for (; *hex; hex++) {
		unsigned v;

		if (*hex == ' ')
			continue;
		assert_int_equal(sscanf(hex, "%2x", &v), 1);
		out[n++] = (uint8_t)v;
		hex++;
	}
	return n;
}

static void put_hex(struct wr *w, const char *hex)
{
	uint8_t tmp[512];
	size_t n = unhex(hex, tmp);

	wr_bytes(w, tmp, n);
}

static void put_header(struct wr *w, uint8_t type, uint8_t flags, uint32_t call_id)
{
	wr_u8(w, 5);
	wr_u8(w, 0);
	wr_u8(w, type);
	wr_u8(w, flags);
	wr_u32(w, 0x10);
	wr_u32(w, 0); /* length and authentication length, put_end() */
	wr_u32(w, call_id);
}

static void put_end(struct wr *w)
{
	wr_u16_at(w, 8, (uint16_t)wr_tell(w));
	assert_true(wr_ok(w));
}

/* A bind of one interface in one encoding. */
static size_t make_bind(uint8_t *buf, size_t cap, uint16_t max_recv, const char *iface, const char *syntax)
{
	struct wr w = wr_over(buf, cap);

	put_header(&w, 11, 3, 1);
	wr_u16(&w, 4280);
	wr_u16(&w, max_recv);
	wr_u32(&w, 0);
	wr_u32(&w, 1);
	wr_u16(&w, 0);
	wr_u16(&w, 1);
	put_hex(&w, iface);
	put_hex(&w, syntax);
	put_end(&w);
	return wr_tell(&w);
}

static size_t make_request(uint8_t *buf, size_t cap, uint8_t flags, uint16_t op, const uint8_t *stub,
			   size_t len)
{
	struct wr w = wr_over(buf, cap);

	put_header(&w, 0, flags, 2);
	wr_u32(&w, (uint32_t)len);
	wr_u16(&w, 0);
	wr_u16(&w, op);
	wr_bytes(&w, stub, len);
	put_end(&w);
	return wr_tell(&w);
}

static void stub_string(struct wr *w, const char *s)
{
	uint32_t n = (uint32_t)strlen(s) + 1;

	wr_align(w, 4);
	wr_u32(w, n);
	wr_u32(w, 0);
	wr_u32(w, n);
	for (uint32_t i = 0; i < n; i++)
		wr_u16(w, (uint8_t)s[i]);
	wr_align(w, 4);
}

__attribute__((unused)) static void stub_server(struct wr *w)
{
	wr_u32(w, 0x00020000);
	stub_string(w, "127.0.0.1");
}

/* level, switch, container {0, null}, max, resume pointer */
__attribute__((unused)) static void stub_list(struct wr *w, uint32_t level, uint32_t max, bool has_resume, uint32_t resume)
{
	wr_u32(w, level);
	wr_u32(w, level);
	wr_u32(w, 0x00020004);
	wr_u32(w, 0);
	wr_u32(w, 0);
	wr_u32(w, max);
	wr_u32(w, has_resume ? 0x00020008 : 0);
	if (has_resume)
		wr_u32(w, resume);
}

/* One reply fragment; false if nothing waits. */
static bool next_pdu(struct rpc_pipe *p, uint8_t *buf, size_t cap, size_t *len)
{
	bool more;

	*len = rpc_pipe_read(p, buf, cap, &more);
	assert_false(more);
	if (*len == 0)
		return false;
	assert_true(*len >= 16);
	assert_int_equal(buf[0], 5);
	assert_int_equal(buf[8] | buf[9] << 8, *len);
	return true;
}

static struct rpc_pipe *bound_pipe(const char *name, const char *iface, uint16_t max_recv)
{
	struct rpc_pipe *p = rpc_pipe_open(NULL, name);
	uint8_t buf[8192];
	size_t n;

	assert_non_null(p);
	n = make_bind(buf, sizeof(buf), max_recv, iface, NDR_SYNTAX);
	assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_OK);
	assert_true(next_pdu(p, buf, sizeof(buf), &n));
	assert_int_equal(buf[2], 12);
	return p;
}

/* Reads all fragments of one response into stub; a fault gives its status and length 0. */
static uint32_t read_response(struct rpc_pipe *p, uint8_t *stub, size_t cap, size_t *len, size_t max_fragment,
			      size_t *fragments)
{
	uint8_t buf[8192];
	size_t n;

	*len = 0;
	*fragments = 0;
	for (;;) {
		assert_true(next_pdu(p, buf, sizeof(buf), &n));
		assert_true(n <= max_fragment);
		if (buf[2] == 3) {
			struct rd r = rd_over(buf, n);

			assert_int_equal(n, 32);
			assert_int_equal(buf[3], 0x23);
			rd_skip(&r, 24);
			return rd_u32(&r);
		}
		assert_int_equal(buf[2], 2);
		assert_int_equal((buf[3] & 1) != 0, *fragments == 0);
		assert_true(*len + n - 24 <= cap);
		memcpy(stub + *len, buf + 24, n - 24);
		*len += n - 24;
		++*fragments;
		if (buf[3] & 2)
			return 0;
		assert_int_equal((n - 24) % 8, 0);
	}
}

/* One call with a stub in one fragment; the pipe is freshly bound. */
__attribute__((unused)) static uint32_t call(struct rpc_pipe *p, uint16_t op, const struct wr *in, uint8_t *stub, size_t cap,
		     size_t *len)
{
	uint8_t buf[4280];
	size_t n = make_request(buf, sizeof(buf), 3, op, in->msg, in->pos), fragments;

	assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_OK);
	return read_response(p, stub, cap, len, 4280, &fragments);
}

/* Reads a [string] at the cursor as ASCII. */
__attribute__((unused)) static const char *take_string(struct rd *r)
{
	static char text[512];
	uint32_t max, n;

	rd_align(r, 4);
	max = rd_u32(r);
	assert_int_equal(rd_u32(r), 0);
	n = rd_u32(r);
	assert_true(n == max && n > 0 && n < sizeof(text));
	for (uint32_t i = 0; i < n; i++)
		text[i] = (char)rd_u16(r);
	assert_int_equal(text[n - 1], 0);
	assert_true(rd_ok(r));
	rd_align(r, 4);
	return text;
}
#endif
