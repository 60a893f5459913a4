/* Authenticated binds: the login's legs, signed and encrypted calls, and whoever tampers with them. */
#include "base/seal.h"
#include "rpc_client.h"

#define FLAGS (SEAL_FLAG_EXTENDED | SEAL_FLAG_KEY_EXCHANGE | 0x20000000u)
#define SIGN 5
#define PRIVACY 6
#define REQUEST_STUB 24u

static const uint8_t key[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
static struct seal mine;
static uint8_t level;
static bool whole;
static uint32_t agreed;

/* "one" is answered, "two" is the right word, anything else is wrong. */
static status_t fake_login(void *arg, TALLOC_CTX *mem, void **state, const uint8_t *token, size_t len,
			   struct rpc_login_answer *out)
{
	(void)arg;
	if (*state == NULL) {
		*state = talloc_strdup(mem, "talk");
		if (len != 3 || memcmp(token, "one", 3) != 0)
			return ST_INVALID_PARAMETER;
		out->reply = talloc_memdup(mem, "reply", 5);
		out->reply_len = 5;
		return ST_MORE_PROCESSING_REQUIRED;
	}
	if (len != 3 || memcmp(token, "two", 3) != 0)
		return ST_LOGON_FAILURE;
	seal_start(&out->seal, key, agreed);
	out->user = "bert";
	out->user_known = true;
	return ST_OK;
}

static struct { unsigned times; enum rpc_refusal why; } told;

static void refused(void *arg, const char *user, const char *call, enum rpc_refusal why)
{
	(void)arg;
	(void)user;
	assert_true(*call);
	told.times++;
	told.why = why;
}

/* One refusal has been told since we looked last, and this one. */
static bool told_once(enum rpc_refusal why)
{
	bool yes = told.times == 1 && told.why == why;

	told.times = 0;
	return yes;
}

static int setup(void **state)
{
	int r = fake_setup(state);

	host.login = fake_login;
	host.refused = refused;
	told.times = 0;
	agreed = FLAGS;
	whole = true;
	level = SIGN;
	return r;
}

/* Type NTLMSSP, our level, padding, context id 77. */
static void put_trailer(struct wr *w, uint8_t pad, const void *token, uint16_t len)
{
	wr_u16_at(w, 10, len);
	wr_u8(w, 10);
	wr_u8(w, level);
	wr_u8(w, pad);
	wr_u8(w, 0);
	wr_u32(w, 77);
	wr_bytes(w, token, len);
	put_end(w);
}

static uint8_t first_leg(struct rpc_pipe *p, const char *word)
{
	uint8_t buf[512];
	struct wr w = wr_over(buf, sizeof(buf));
	size_t n;

	w.pos = (uint32_t)make_bind(buf, sizeof(buf), 4280, SRVSVC_SYNTAX, NDR_SYNTAX);
	buf[3] = whole ? 0x07 : 0x03;
	put_trailer(&w, 0, word, 3);
	assert_int_equal(rpc_pipe_write(p, &host, buf, w.pos), ST_OK);
	assert_true(next_pdu(p, buf, sizeof(buf), &n));
	if (buf[2] == 12) {
		assert_int_equal(buf[3], whole ? 0x07 : 0x03);
		assert_int_equal(buf[10], 5);
		assert_memory_equal(buf + n - 5, "reply", 5);
	}
	return buf[2];
}

static void last_leg(struct rpc_pipe *p, const char *word)
{
	uint8_t buf[512];
	struct wr w = wr_over(buf, sizeof(buf));
	size_t n;

	put_header(&w, 16, 3, 1);
	wr_u32(&w, 0);
	put_trailer(&w, 0, word, 3);
	assert_int_equal(rpc_pipe_write(p, &host, buf, w.pos), ST_OK);
	assert_false(next_pdu(p, buf, sizeof(buf), &n)); /* no answer */
}

static struct rpc_pipe *logged_in(void)
{
	struct rpc_pipe *p = rpc_pipe_open(NULL, "srvsvc");
	struct seal_way way;

	assert_int_equal(first_leg(p, "one"), 12);
	last_leg(p, "two");
	seal_start(&mine, key, FLAGS);
	way = mine.in;
	mine.in = mine.out;
	mine.out = way;
	return p;
}

/* NetrShareEnum level 1, protected. */
static size_t protected_request(uint8_t *buf, size_t cap)
{
	uint8_t stub[256], none[16] = { 0 }, *secret;
	struct wr s = wr_over(stub, sizeof(stub)), w = wr_over(buf, cap);
	uint32_t pad;

	stub_server(&s);
	stub_list(&s, 1, 0xffffffff, false, 0);
	w.pos = (uint32_t)make_request(buf, cap, 3, 15, stub, s.pos);
	pad = (16 - (s.pos & 15)) & 15;
	wr_zero(&w, pad);
	put_trailer(&w, (uint8_t)pad, none, 16);
	secret = level == PRIVACY ? buf + REQUEST_STUB : NULL;
	if (whole)
		seal_out(&mine, buf, w.pos - 16, secret, s.pos + pad, buf + w.pos - 16);
	else
		seal_out(&mine, buf + REQUEST_STUB, s.pos + pad, secret, s.pos + pad, buf + w.pos - 16);
	return w.pos;
}

/* Checks, opens and joins the fragments of a protected response; a fault gives its status. */
static uint32_t protected_response(struct rpc_pipe *p, uint8_t *out, size_t cap, size_t *len)
{
	uint8_t buf[8192];
	size_t n;

	*len = 0;
	do {
		uint32_t stub, pad;

		assert_true(next_pdu(p, buf, sizeof(buf), &n));
		assert_true(n <= 4280);
		if (buf[2] == 3)
			return (uint32_t)buf[24] | (uint32_t)buf[25] << 8;
		assert_int_equal(buf[2], 2);
		assert_int_equal(buf[10], 16);
		stub = (uint32_t)n - REQUEST_STUB - 24;
		pad = buf[n - 22];
		assert_int_equal(stub % 16, 0);
		assert_true(pad < 16 && buf[n - 23] == level && buf[n - 20] == 77);
		assert_true(seal_in(&mine, whole ? buf : buf + REQUEST_STUB, whole ? n - 16 : stub,
				    level == PRIVACY ? buf + REQUEST_STUB : NULL, stub, buf + n - 16));
		assert_true(*len + stub - pad <= cap);
		memcpy(out + *len, buf + REQUEST_STUB, stub - pad);
		*len += stub - pad;
	} while (!(buf[3] & 2));
	return 0;
}

/* The protected answer is the plain one, in one fragment and in many. */
static void round_trips(void **state)
{
	static uint8_t plain[1 << 17], got[1 << 17];
	uint8_t buf[512], stub[256];
	struct wr s = wr_over(stub, sizeof(stub));
	size_t n, len;

	(void)state;
	stub_server(&s);
	stub_list(&s, 1, 0xffffffff, false, 0);
	for (int way = 0; way < 8; way++) {
		struct rpc_pipe *q = bound_pipe("srvsvc", SRVSVC_SYNTAX, 4280), *p;
		size_t plain_len, frags;

		whole = way & 1;
		level = way & 2 ? PRIVACY : SIGN;
		fake.generated = way & 4 ? 300 : 0;
		n = make_request(buf, sizeof(buf), 3, 15, stub, s.pos);
		assert_int_equal(rpc_pipe_write(q, &host, buf, n), ST_OK);
		assert_int_equal(read_response(q, plain, sizeof(plain), &plain_len, 4280, &frags), 0);
		p = logged_in();
		for (int i = 0; i < 3; i++) { /* numbers go on */
			n = protected_request(buf, sizeof(buf));
			assert_int_equal(rpc_pipe_write(p, &host, buf, n), ST_OK);
			assert_int_equal(protected_response(p, got, sizeof(got), &len), 0);
			assert_int_equal(len, plain_len);
			assert_memory_equal(got, plain, len);
		}
		talloc_free(p);
		talloc_free(q);
	}
}

static uint32_t send_and_see(struct rpc_pipe *p, const uint8_t *bytes, size_t n)
{
	static uint8_t got[1 << 16];
	size_t len;

	if (rpc_pipe_write(p, &host, bytes, n) != ST_OK)
		return 1;
	rpc_pipe_peek(p, &len, &n);
	return n == 0 ? 2 : protected_response(p, got, sizeof(got), &len);
}

/* No flipped bit gets an answer other than a fault; neither does the same request twice, or one without
 * a signature. */
static void tampered(void **state)
{
	uint8_t buf[512], stub[256];
	struct wr s = wr_over(stub, sizeof(stub));
	struct rpc_pipe *p;
	size_t n = 200;

	(void)state;
	for (size_t bit = 0; bit < 8 * n; bit++) {
		p = logged_in();
		n = protected_request(buf, sizeof(buf));
		buf[bit / 8] ^= (uint8_t)(1u << bit % 8);
		assert_int_not_equal(send_and_see(p, buf, n), 0);
		talloc_free(p);
	}
	p = logged_in();
	n = protected_request(buf, sizeof(buf));
	assert_int_equal(send_and_see(p, buf, n), 0);
	assert_int_equal(send_and_see(p, buf, n), 5);
	talloc_free(p);
	p = logged_in();
	stub_server(&s);
	stub_list(&s, 1, 0xffffffff, false, 0);
	n = make_request(buf, sizeof(buf), 3, 15, stub, s.pos);
	assert_int_equal(send_and_see(p, buf, n), 5);
	talloc_free(p);
}

static void refusals(void **state)
{
	struct rpc_pipe *p = rpc_pipe_open(NULL, "srvsvc");
	uint8_t buf[512], stub[256];
	struct wr s = wr_over(stub, sizeof(stub));
	size_t n;

	(void)state;
	stub_server(&s);
	stub_list(&s, 1, 0xffffffff, false, 0);
	assert_int_equal(first_leg(p, "bad"), 13);
	assert_int_equal(first_leg(p, "one"), 12); /* again, the right way */
	n = make_request(buf, sizeof(buf), 3, 15, stub, s.pos);
	assert_int_equal(told.times, 0);
	assert_int_equal(send_and_see(p, buf, n), 5); /* in the middle of a login */
	assert_true(told_once(RPC_NO_PROOF));
	last_leg(p, "bad");
	assert_int_equal(send_and_see(p, buf, n), 5);
	last_leg(p, "two"); /* too late */
	assert_int_equal(send_and_see(p, buf, n), 5);
	talloc_free(p);
	agreed = 0; /* the older, weaker way to sign */
	told.times = 0;
	p = logged_in();
	assert_true(told_once(RPC_WEAK_LOGIN));
	n = protected_request(buf, sizeof(buf));
	assert_int_equal(send_and_see(p, buf, n), 5);
	assert_true(told_once(RPC_NO_PROOF));
	talloc_free(p);
	host.login = NULL;
	p = rpc_pipe_open(NULL, "srvsvc");
	assert_int_equal(first_leg(p, "one"), 13);
	assert_true(told_once(RPC_NO_LOGIN));
	talloc_free(p);
}

/* The signature of a known message, from the example of MS-NLMP 4.2.4.4: key exchange, 128 bits. */
static void known_signature(void **state)
{
	static const uint8_t session[16] = { 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55,
					     0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55 };
	static const char sealed[] = "54e50165bf1936dc996020c1811b0f06fb5f";
	static const char signature[] = "010000007fb38ec5c55d497600000000";
	uint8_t text[18], want[32], sig[16];
	struct seal s;

	(void)state;
	for (int i = 0; i < 9; i++) {
		text[2 * i] = (uint8_t)"Plaintext"[i];
		text[2 * i + 1] = 0;
	}
	seal_start(&s, session, FLAGS);
	s.out = s.in; /* we play the client */
	seal_out(&s, text, sizeof(text), text, sizeof(text), sig);
	unhex(sealed, want);
	assert_memory_equal(text, want, sizeof(text));
	unhex(signature, want);
	assert_memory_equal(sig, want, sizeof(sig));
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, fake_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(known_signature), T(round_trips), T(tampered), T(refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
