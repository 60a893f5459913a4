/* rpc_stub.h - writes stubs and reads answers of lsarpc and samr as a client would, and torments operations. */
#ifndef SMB1D_TEST_RPC_STUB_H
#define SMB1D_TEST_RPC_STUB_H
#include "rpc_client.h"

#define LSA_SYNTAX "785734123412cdabef000123456789ab00000000"
#define SAMR_SYNTAX "785734123412cdabef000123456789ac01000000"
#define DSSETUP_SYNTAX "6a2819390cb1d0119ba800c04fd92ef500000000"
#define WINREG_SYNTAX "01d08c334422f131aaaa90003800100301000000"
#define MGMT_SYNTAX "80bda8af8a7dc911bef408002b10298901000000"

#define CONTEXT_MISMATCH 0x1C00001Au
#define BAD_STUB 0x6F7u

static uint8_t in_buf[2048], out_buf[1 << 16];
static struct wr w;
static struct rd reply;
static uint8_t handle[20];

__attribute__((unused)) static void start(void)
{
	w = wr_over(in_buf, sizeof(in_buf));
}

__attribute__((unused)) static void start_handle(void)
{
	start();
	wr_bytes(&w, handle, sizeof(handle));
}

__attribute__((unused)) static uint32_t ask(struct rpc_pipe *p, uint16_t op)
{
	uint32_t fault;
	size_t len;

	assert_true(wr_ok(&w));
	fault = call(p, op, &w, out_buf, sizeof(out_buf), &len);
	reply = rd_over(out_buf, len);
	return fault;
}

__attribute__((unused)) static uint32_t take(void)
{
	rd_align(&reply, 4);
	return rd_u32(&reply);
}

__attribute__((unused)) static void reply_ends_with(uint32_t status)
{
	assert_int_equal(take(), status);
	assert_true(rd_ok(&reply));
	assert_int_equal(rd_left(&reply), 0);
}

__attribute__((unused)) static void keep_handle(void)
{
	rd_copy(&reply, handle, sizeof(handle));
	reply_ends_with(0);
}

/* ---- writing ---- */

__attribute__((unused)) static void put_text(const char *s)
{
	wr_align(&w, 4);
	wr_u16(&w, (uint16_t)(2 * strlen(s)));
	wr_u16(&w, (uint16_t)(2 * strlen(s)));
	wr_u32(&w, 0x00020000);
}

__attribute__((unused)) static void put_chars(const char *s)
{
	wr_align(&w, 4);
	wr_u32(&w, (uint32_t)strlen(s));
	wr_u32(&w, 0);
	wr_u32(&w, (uint32_t)strlen(s));
	while (*s)
		wr_u16(&w, (uint8_t)*s++);
}

__attribute__((unused)) static void put_sid(uint8_t authority, uint8_t n, const uint32_t *sub)
{
	wr_align(&w, 4);
	wr_u32(&w, n);
	wr_u8(&w, 1);
	wr_u8(&w, n);
	wr_zero(&w, 5);
	wr_u8(&w, authority);
	for (uint8_t i = 0; i < n; i++)
		wr_u32(&w, sub[i]);
}

/* ---- reading ---- */

__attribute__((unused)) static uint32_t take_text(void)
{
	rd_align(&reply, 4);
	rd_skip(&reply, 4);
	return rd_u32(&reply);
}

__attribute__((unused)) static const char *take_chars(void)
{
	static char text[128];
	uint32_t n;

	take();
	assert_int_equal(take(), 0);
	n = take();
	assert_true(n < sizeof(text));
	for (uint32_t i = 0; i < n; i++)
		text[i] = (char)rd_u16(&reply);
	text[n] = '\0';
	return text;
}

__attribute__((unused)) static void expect_chars(const char *s) { assert_string_equal(take_chars(), s); }

/* The last sub-authority. */
__attribute__((unused)) static uint32_t take_sid(uint8_t authority, uint8_t n)
{
	uint32_t last = 0;

	assert_int_equal(take(), n);
	assert_int_equal(rd_u8(&reply), 1);
	assert_int_equal(rd_u8(&reply), n);
	rd_skip(&reply, 5);
	assert_int_equal(rd_u8(&reply), authority);
	for (uint8_t i = 0; i < n; i++)
		last = take();
	return last;
}

/* ---- hostile: every request with each cut and each flipped bit ---- */

/* The bytes are in memory of exact size for the sanitizer. */
static void send_bytes(struct rpc_pipe *p, uint16_t op, const uint8_t *stub, size_t len)
{
	uint8_t *exact = talloc_memdup(NULL, stub, len ? len : 1), buf[4280];
	size_t n = make_request(buf, sizeof(buf), 3, op, exact, len), frags;

	assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_OK);
	read_response(p, out_buf, sizeof(out_buf), &n, 4280, &frags);
	talloc_free(exact);
}

__attribute__((unused)) static void torment(struct rpc_pipe *p, uint16_t op)
{
	uint8_t stub[sizeof(in_buf)];
	uint32_t len = w.pos;

	memcpy(stub, in_buf, len);
	for (uint32_t cut = 0; cut < len; cut++)
		send_bytes(p, op, stub, cut);
	for (uint32_t bit = 0; bit < 8 * len; bit++) {
		stub[bit / 8] ^= (uint8_t)(1u << bit % 8);
		send_bytes(p, op, stub, len);
		stub[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
}

#define T(f) cmocka_unit_test_setup_teardown(f, fake_setup, fake_teardown)
#endif
