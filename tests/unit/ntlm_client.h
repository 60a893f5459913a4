/* ntlm_client.h - a small NTLMSSP and SPNEGO client for tests: what clients send, byte by byte.
 *
 * Written from the other side and on its own legs: of the server's code it uses only the plain hashes
 * of auth.h.  Plain responses (no NTLMSSP): ntlmc_lm(), ntlmc_v1(), ntlmc_lmv2(), ntlmc_v2().
 *
 * An exchange:
 *   struct ntlm_client c = ntlmc_new("anna", "HOME", "secret");
 *   n = ntlmc_type1(&c, buf, sizeof(buf));              raw, or through spnegoc_init()
 *   ntlmc_read_type2(&c, blob, len);                    after spnegoc_token() if it was wrapped
 *   n = ntlmc_type3(&c, buf, sizeof(buf));              raw, or through spnegoc_resp()
 * After it c.exported is the session key. */
#ifndef SMB1D_TESTS_NTLM_CLIENT_H
#define SMB1D_TESTS_NTLM_CLIENT_H
#include "auth/auth.h"
#include "base/str.h"
#include <stdio.h>
#include <string.h>

#define NTLMC_UNICODE 0x00000001u
#define NTLMC_OEM 0x00000002u
#define NTLMC_TARGET 0x00000004u
#define NTLMC_SIGN 0x00000010u
#define NTLMC_NTLM 0x00000200u
#define NTLMC_ANONYMOUS 0x00000800u
#define NTLMC_ALWAYS_SIGN 0x00008000u
#define NTLMC_ESS 0x00080000u
#define NTLMC_VERSION 0x02000000u
#define NTLMC_128 0x20000000u
#define NTLMC_KEY_EXCH 0x40000000u
#define NTLMC_FLAGS 0x62088215u /* what a modern client sends */

enum ntlmc_kind { NTLMC_KIND_V2, NTLMC_KIND_V1, NTLMC_KIND_SESSION, NTLMC_KIND_LM, NTLMC_KIND_NONE };

struct ntlm_client {
	const char *user, *domain, *password, *workstation;
	uint32_t flags;           /* asked for; after type 2 those agreed */
	enum ntlmc_kind kind;
	bool mic;                 /* AvFlags and a MIC (only with v2) */
	uint32_t stop_at;         /* type 3 ends its fixed part here: 52, 64, 72 or 88; 0 = as needed */
	uint8_t challenge[8], client_challenge[8], random_key[16];
	uint8_t key[16], exported[16];
	uint8_t info[1024];
	uint32_t info_len;
	uint8_t msg1[256], msg2[2048], msg3[8192];
	size_t msg1_len, msg2_len, msg3_len;
};

static inline struct ntlm_client ntlmc_new(const char *user, const char *domain, const char *password)
{
	struct ntlm_client c = { .user = user,
				 .domain = domain,
				 .password = password,
				 .workstation = "TESTPC",
				 .flags = NTLMC_FLAGS };

	memset(c.client_challenge, 0xaa, 8);
	for (uint8_t i = 0; i < 16; i++)
		c.random_key[i] = (uint8_t)(0x50 + i);
	return c;
}

/* ---- responses ---- */

static inline void ntlmc_lm(const char *password, const uint8_t challenge[8], uint8_t out[24])
{
	uint8_t h[16];

	auth_lm_hash(password, h);
	auth_des_response(h, challenge, out);
}

static inline void ntlmc_v1(const char *password, const uint8_t challenge[8], uint8_t out[24])
{
	uint8_t h[16];

	auth_nt_hash(password, h);
	auth_des_response(h, challenge, out);
}

static inline void ntlmc_owf2(const char *user, const char *domain, const char *password, uint8_t out[16])
{
	char *up = str_upper(NULL, user), *text = talloc_asprintf(NULL, "%s%s", up, domain);
	uint8_t wide[2048], h[16];
	size_t n = str_to_utf16(text, wide, sizeof(wide));

	auth_nt_hash(password, h);
	auth_hmac_md5(h, 16, wide, n, out);
	talloc_free(up);
	talloc_free(text);
}

/* HMAC(owf, challenge || rest) into proof. */
static inline void ntlmc_proof(const uint8_t owf[16], const uint8_t challenge[8], const uint8_t *rest,
			       size_t n, uint8_t proof[16])
{
	uint8_t *all = talloc_size(NULL, 8 + n);

	memcpy(all, challenge, 8);
	memcpy(all + 8, rest, n);
	auth_hmac_md5(owf, 16, all, 8 + n, proof);
	talloc_free(all);
}

static inline void ntlmc_lmv2(const char *user, const char *domain, const char *password,
			      const uint8_t challenge[8], const uint8_t client_challenge[8], uint8_t out[24])
{
	uint8_t owf[16];

	ntlmc_owf2(user, domain, password, owf);
	memcpy(out + 16, client_challenge, 8);
	ntlmc_proof(owf, challenge, out + 16, 8, out);
}

/* A whole NTLMv2 response with the given AV pairs (ended by their own 0 pair); returns its length. */
static inline size_t ntlmc_v2(const char *user, const char *domain, const char *password,
			      const uint8_t challenge[8], const uint8_t client_challenge[8],
			      const uint8_t *info, size_t info_len, uint8_t *out, size_t cap)
{
	struct wr w = wr_over(out, cap);
	uint8_t owf[16];

	wr_zero(&w, 16);
	wr_u32(&w, 0x0101);
	wr_u32(&w, 0);
	wr_u64(&w, 0x01dd80b18d1f327eull);
	wr_bytes(&w, client_challenge, 8);
	wr_u32(&w, 0);
	wr_bytes(&w, info, info_len);
	wr_u32(&w, 0);
	if (!wr_ok(&w))
		return 0;
	ntlmc_owf2(user, domain, password, owf);
	ntlmc_proof(owf, challenge, out + 16, wr_tell(&w) - 16, out);
	return wr_tell(&w);
}

/* ---- messages ---- */

static inline size_t ntlmc_type1(struct ntlm_client *c, uint8_t *out, size_t cap)
{
	struct wr w = wr_over(c->msg1, sizeof(c->msg1));

	wr_bytes(&w, "NTLMSSP", 8);
	wr_u32(&w, 1);
	wr_u32(&w, c->flags);
	if (c->stop_at == 0 || c->stop_at > 64) {
		wr_zero(&w, 16);
		wr_zero(&w, 8);
	}
	c->msg1_len = wr_tell(&w);
	if (c->msg1_len <= cap)
		memcpy(out, c->msg1, c->msg1_len);
	return c->msg1_len <= cap ? c->msg1_len : 0;
}

static inline bool ntlmc_read_type2(struct ntlm_client *c, const uint8_t *p, size_t len)
{
	struct rd r = rd_over(p, len), info;
	uint32_t n, off;

	if (len < 32 || len > sizeof(c->msg2) || memcmp(p, "NTLMSSP", 8) != 0)
		return false;
	memcpy(c->msg2, p, len);
	c->msg2_len = len;
	rd_seek(&r, 20);
	c->flags = rd_u32(&r);
	rd_copy(&r, c->challenge, 8);
	c->info_len = 0;
	if (len < 48 || !(c->flags & 0x00800000u))
		return true;
	rd_seek(&r, 40);
	n = rd_u16(&r);
	rd_skip(&r, 2);
	off = rd_u32(&r);
	info = rd_window(&r, off, n);
	if (!rd_ok(&info) || n > sizeof(c->info) - 16)
		return false;
	rd_copy(&info, c->info, n);
	c->info_len = n;
	return true;
}

static inline void ntlmc_add_mic_flag(struct ntlm_client *c)
{
	static const uint8_t pair[12] = { 6, 0, 4, 0, 2, 0, 0, 0, 0, 0, 0, 0 };
	uint32_t at = c->info_len >= 4 ? c->info_len - 4 : 0;

	memcpy(c->info + at, pair, 12);
	c->info_len = at + 12;
}

/* Both responses and the key exchange key. */
static inline size_t ntlmc_responses(struct ntlm_client *c, uint8_t lm[24], uint32_t *lm_len, uint8_t *nt,
				     size_t cap)
{
	uint8_t h[16], both[16], sum[16], owf[16];
	size_t n = 24;

	memset(lm, 0, 24);
	memset(c->key, 0, 16);
	*lm_len = 24;
	auth_nt_hash(c->password, h);
	switch (c->kind) {
	case NTLMC_KIND_V2:
		if (c->mic)
			ntlmc_add_mic_flag(c);
		n = ntlmc_v2(c->user, c->domain, c->password, c->challenge, c->client_challenge, c->info,
			     c->info_len, nt, cap);
		ntlmc_owf2(c->user, c->domain, c->password, owf);
		auth_hmac_md5(owf, 16, nt, 16, c->key);
		if (!c->mic)
			ntlmc_lmv2(c->user, c->domain, c->password, c->challenge, c->client_challenge, lm);
		break;
	case NTLMC_KIND_V1:
		ntlmc_lm(c->password, c->challenge, lm);
		ntlmc_v1(c->password, c->challenge, nt);
		auth_md4(h, 16, c->key);
		break;
	case NTLMC_KIND_SESSION:
		memcpy(lm, c->client_challenge, 8);
		memcpy(both, c->challenge, 8);
		memcpy(both + 8, c->client_challenge, 8);
		auth_md5(both, 16, sum);
		auth_des_response(h, sum, nt);
		auth_md4(h, 16, sum);
		auth_hmac_md5(sum, 16, both, 16, c->key);
		break;
	case NTLMC_KIND_LM:
		ntlmc_lm(c->password, c->challenge, lm);
		auth_lm_hash(c->password, h);
		memcpy(c->key, h, 8);
		n = 0;
		break;
	case NTLMC_KIND_NONE:
		*lm_len = 1;
		n = 0;
		break;
	}
	return n;
}

/* RC4 in twelve lines, so that the client does not borrow the server's. */
static inline void ntlmc_rc4(const uint8_t *key, size_t klen, const uint8_t *in, size_t n, uint8_t *out)
{
	uint8_t s[256], i = 0, j = 0, t;

	for (int k = 0; k < 256; k++)
		s[k] = (uint8_t)k;
	for (int k = 0; k < 256; k++) {
		j = (uint8_t)(j + s[k] + key[(size_t)k % klen]);
		t = s[k], s[k] = s[j], s[j] = t;
	}
	for (j = 0; n > 0; n--) {
		i++;
		j = (uint8_t)(j + s[i]);
		t = s[i], s[i] = s[j], s[j] = t;
		*out++ = *in++ ^ s[(uint8_t)(s[i] + s[j])];
	}
}

static inline void ntlmc_put(struct wr *w, uint32_t field, const void *p, size_t n)
{
	wr_u16_at(w, field, (uint16_t)n);
	wr_u16_at(w, field + 2, (uint16_t)n);
	wr_u32_at(w, field + 4, wr_tell(w));
	wr_bytes(w, p, n);
}

static inline void ntlmc_put_text(struct ntlm_client *c, struct wr *w, uint32_t field, const char *s)
{
	uint8_t b[1024];
	size_t n;

	if (c->flags & NTLMC_UNICODE)
		wr_align(w, 2);
	n = c->flags & NTLMC_UNICODE ? str_to_utf16(s, b, sizeof(b)) : str_to_oem(s, b, sizeof(b));
	ntlmc_put(w, field, b, n);
}

static inline void ntlmc_write_mic(struct ntlm_client *c)
{
	size_t n = c->msg1_len + c->msg2_len + c->msg3_len;
	uint8_t *all = talloc_size(NULL, n);

	memcpy(all, c->msg1, c->msg1_len);
	memcpy(all + c->msg1_len, c->msg2, c->msg2_len);
	memcpy(all + c->msg1_len + c->msg2_len, c->msg3, c->msg3_len);
	auth_hmac_md5(c->exported, 16, all, n, c->msg3 + 72);
	talloc_free(all);
}

static inline size_t ntlmc_type3(struct ntlm_client *c, uint8_t *out, size_t cap)
{
	struct wr w = wr_over(c->msg3, sizeof(c->msg3));
	uint8_t lm[24], nt[4096], enc[16];
	uint32_t fixed = c->stop_at ? c->stop_at : c->mic ? 88 : 72, lm_len;
	size_t nt_len = ntlmc_responses(c, lm, &lm_len, nt, sizeof(nt));
	bool exchange = (c->flags & NTLMC_KEY_EXCH) && fixed >= 60;

	wr_bytes(&w, "NTLMSSP", 8);
	wr_u32(&w, 3);
	wr_zero(&w, fixed - 12);
	ntlmc_put_text(c, &w, 28, c->domain);
	ntlmc_put_text(c, &w, 36, c->user);
	ntlmc_put_text(c, &w, 44, c->workstation);
	ntlmc_put(&w, 12, lm, lm_len);
	ntlmc_put(&w, 20, nt, nt_len);
	memcpy(c->exported, exchange ? c->random_key : c->key, 16);
	if (exchange) {
		ntlmc_rc4(c->key, 16, c->random_key, 16, enc);
		ntlmc_put(&w, 52, enc, 16);
	}
	if (fixed >= 64)
		wr_u32_at(&w, 60, c->flags | (c->kind == NTLMC_KIND_NONE ? NTLMC_ANONYMOUS : 0));
	c->msg3_len = wr_ok(&w) ? wr_tell(&w) : 0;
	if (c->mic && c->msg3_len)
		ntlmc_write_mic(c);
	if (c->msg3_len <= cap)
		memcpy(out, c->msg3, c->msg3_len);
	return c->msg3_len <= cap ? c->msg3_len : 0;
}

/* ---- SPNEGO ---- */

#define SPNEGOC_NTLMSSP "\x06\x0a\x2b\x06\x01\x04\x01\x82\x37\x02\x02\x0a"
#define SPNEGOC_KRB5 "\x06\x09\x2a\x86\x48\x86\xf7\x12\x01\x02\x02"
#define SPNEGOC_MSKRB5 "\x06\x09\x2a\x86\x48\x82\xf7\x12\x01\x02\x02"
#define SPNEGOC_NEGOEX "\x06\x0a\x2b\x06\x01\x04\x01\x82\x37\x02\x02\x1e"

/* Puts a DER header in front of the n bytes at p (room for four more); returns the new length. */
static inline size_t spnegoc_wrap(uint8_t tag, uint8_t *p, size_t n)
{
	uint8_t head[4] = { tag, (uint8_t)n, 0, 0 };
	size_t h = 2;

	if (n >= 0x100) {
		head[1] = 0x82, head[2] = (uint8_t)(n >> 8), head[3] = (uint8_t)n;
		h = 4;
	} else if (n >= 0x80) {
		head[1] = 0x81, head[2] = (uint8_t)n;
		h = 3;
	}
	memmove(p + h, p, n);
	memcpy(p, head, h);
	return n + h;
}

static inline size_t spnegoc_octets(uint8_t tag, uint8_t *out, const uint8_t *p, size_t n)
{
	memcpy(out, p, n);
	return spnegoc_wrap(tag, out, spnegoc_wrap(0x04, out, n));
}

/* The mechanism list as it is signed; oids: concatenated OID elements.  Room for 128 bytes. */
static inline size_t spnegoc_mechs(uint8_t *out, const char *oids)
{
	size_t n = strlen(oids); /* no OID here has a zero byte */

	memcpy(out, oids, n);
	return spnegoc_wrap(0x30, out, n);
}

/* NegTokenInit; token may be NULL.  out needs 160 bytes more than the token. */
static inline size_t spnegoc_init(uint8_t *out, const char *oids, const uint8_t *token, size_t token_len)
{
	size_t n = spnegoc_wrap(0xa0, out, spnegoc_mechs(out, oids));

	if (token)
		n += spnegoc_octets(0xa2, out + n, token, token_len);
	n = spnegoc_wrap(0xa0, out, spnegoc_wrap(0x30, out, n));
	memmove(out + 8, out, n);
	memcpy(out, "\x06\x06\x2b\x06\x01\x05\x05\x02", 8);
	return spnegoc_wrap(0x60, out, n + 8);
}

/* NegTokenResp of a client; mic may be NULL.  out needs 64 bytes more than the token. */
static inline size_t spnegoc_resp(uint8_t *out, const uint8_t *token, size_t token_len, const uint8_t *mic)
{
	size_t n = spnegoc_octets(0xa2, out, token, token_len);

	if (mic)
		n += spnegoc_octets(0xa3, out + n, mic, 16);
	return spnegoc_wrap(0xa1, out, spnegoc_wrap(0x30, out, n));
}

/* Enters a DER element; false if it is not there. */
static inline bool spnegoc_enter(struct rd *r, uint8_t tag, struct rd *in)
{
	uint32_t n;

	if (rd_left(r) < 2 || r->msg[r->pos] != tag)
		return false;
	rd_skip(r, 1);
	n = rd_u8(r);
	if (n == 0x81)
		n = rd_u8(r);
	else if (n == 0x82)
		n = rd_be16(r);
	*in = rd_window(r, rd_tell(r), n);
	rd_skip(r, n);
	return rd_ok(r) && rd_ok(in);
}

struct spnegoc_reply {
	int state; /* -1 absent */
	bool names_ntlmssp;
	const uint8_t *token, *mic;
	size_t token_len, mic_len;
};

/* A server's NegTokenResp; false if malformed or followed by more bytes. */
static inline bool spnegoc_read(const uint8_t *p, size_t len, struct spnegoc_reply *out)
{
	struct rd r = rd_over(p, len), a, seq, in, v;

	memset(out, 0, sizeof(*out));
	out->state = -1;
	if (!spnegoc_enter(&r, 0xa1, &a) || !spnegoc_enter(&a, 0x30, &seq) || rd_left(&r) || rd_left(&a))
		return false;
	if (spnegoc_enter(&seq, 0xa0, &in) && spnegoc_enter(&in, 0x0a, &v))
		out->state = rd_u8(&v);
	if (spnegoc_enter(&seq, 0xa1, &in))
		out->names_ntlmssp = rd_left(&in) == 12 && memcmp(in.msg + in.pos, SPNEGOC_NTLMSSP, 12) == 0;
	if (spnegoc_enter(&seq, 0xa2, &in) && spnegoc_enter(&in, 0x04, &v)) {
		out->token = v.msg + v.pos;
		out->token_len = rd_left(&v);
	}
	if (spnegoc_enter(&seq, 0xa3, &in) && spnegoc_enter(&in, 0x04, &v)) {
		out->mic = v.msg + v.pos;
		out->mic_len = rd_left(&v);
	}
	return rd_left(&seq) == 0 && rd_ok(&seq);
}

/* Signature number 0 over a mechanism list, with extended session security. */
static inline void ntlmc_mech_mic(const struct ntlm_client *c, bool from_server, const uint8_t *mechs,
				  size_t n, uint8_t sig[16])
{
	uint8_t buf[128], key[16], mac[16], msg[260] = { 0 };
	const char *way = from_server ? "server-to-client" : "client-to-server";
	int len;

	memcpy(buf, c->exported, 16);
	len = snprintf((char *)buf + 16, sizeof(buf) - 16, "session key to %s signing key magic constant",
		       way);
	auth_md5(buf, 16 + (size_t)len + 1, key);
	memcpy(msg + 4, mechs, n);
	auth_hmac_md5(key, 16, msg, n + 4, mac);
	if (c->flags & NTLMC_KEY_EXCH) {
		size_t use = c->flags & NTLMC_128 ? 16 : c->flags & 0x80000000u ? 7 : 5;

		memcpy(buf, c->exported, use);
		len = snprintf((char *)buf + use, sizeof(buf) - use,
			       "session key to %s sealing key magic constant", way);
		auth_md5(buf, use + (size_t)len + 1, key);
		ntlmc_rc4(key, 16, mac, 8, mac);
	}
	memcpy(sig, "\x01\x00\x00\x00", 4);
	memcpy(sig + 4, mac, 8);
	memset(sig + 12, 0, 4);
}
#endif
