/* spnego.c - the wrapping around NTLMSSP.  RFC 4178, MS-SPNG; older clients RFC 2478.
 *
 *   NegTokenInit  60 .. 06 <SPNEGO> a0 .. 30 .. { a0 mechs, a1 flags, a2 token, a3 MIC or hints }
 *   NegTokenResp  a1 .. 30 .. { a0 state, a1 mech, a2 token, a3 MIC }
 *
 * DER with definite lengths; each element is a window inside the one around it. */
#include "auth/internal.h"
#include "base/util.h"

static const uint8_t oid_spnego[] = { 0x06, 0x06, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x02 };
static const uint8_t oid_ntlmssp[] = {
	0x06, 0x0a, 0x2b, 0x06, 0x01, 0x04, 0x01, 0x82, 0x37, 0x02, 0x02, 0x0a
};
static const uint8_t oid_krb5[] = { 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 0x01, 0x02, 0x02 };
static const uint8_t oid_mskrb5[] = { 0x06, 0x09, 0x2a, 0x86, 0x48, 0x82, 0xf7, 0x12, 0x01, 0x02, 0x02 };
static const uint8_t oid_negoex[] = {
	0x06, 0x0a, 0x2b, 0x06, 0x01, 0x04, 0x01, 0x82, 0x37, 0x02, 0x02, 0x1e
};

/* ---- reading ---- */

/* Length octets: short form, or one to four bytes. */
static uint32_t der_length(struct rd *r)
{
	uint32_t n = rd_u8(r), bytes;

	if (n < 0x80)
		return n;
	bytes = n & 0x7f;
	if (bytes == 0 || bytes > 4) {
		r->bad = true;
		return 0;
	}
	for (n = 0; bytes > 0; bytes--)
		n = n << 8 | rd_u8(r);
	return n;
}

/* Enters an element of this tag, which must end inside r; r moves behind it. */
static bool der_enter(struct rd *r, uint8_t tag, struct rd *inner)
{
	uint32_t n;

	if (!rd_ok(r) || rd_left(r) < 2 || r->msg[r->pos] != tag)
		return false;
	rd_skip(r, 1);
	n = der_length(r);
	if (!rd_ok(r) || n > rd_left(r)) {
		r->bad = true;
		return false;
	}
	*inner = *r;
	inner->end = r->pos + n;
	rd_skip(r, n);
	return true;
}

static bool is_oid(const uint8_t *p, uint32_t n, const uint8_t *oid, size_t size)
{
	return n == size && memcmp(p, oid, size) == 0;
}

static enum spnego_mech mech_of(const uint8_t *p, uint32_t n)
{
	if (is_oid(p, n, oid_ntlmssp, sizeof(oid_ntlmssp)))
		return MECH_NTLMSSP;
	if (is_oid(p, n, oid_krb5, sizeof(oid_krb5)) || is_oid(p, n, oid_mskrb5, sizeof(oid_mskrb5)))
		return MECH_KERBEROS;
	return is_oid(p, n, oid_negoex, sizeof(oid_negoex)) ? MECH_NEGOEX : MECH_OTHER;
}

/* r lies over the list: SEQUENCE OF OID.  Its own bytes are kept: the MIC is made of them. */
static bool read_mechs(struct rd r, struct spnego_token *t)
{
	struct rd list, oid;
	uint32_t from = r.pos;

	if (!der_enter(&r, 0x30, &list) || r.pos - from > AUTH_MAX_MECHS)
		return false;
	t->mechs = r.msg + from;
	t->mechs_len = r.pos - from;
	while (rd_left(&list) > 0) {
		uint32_t start = list.pos;
		enum spnego_mech m;

		if (!der_enter(&list, 0x06, &oid))
			return false;
		m = mech_of(list.msg + start, list.pos - start);
		if (t->first == MECH_NONE)
			t->first = m;
		t->has_ntlmssp |= m == MECH_NTLMSSP;
		t->has_negoex |= m == MECH_NEGOEX;
	}
	return t->first != MECH_NONE;
}

static bool read_octets(struct rd r, const uint8_t **p, uint32_t *n)
{
	struct rd in;

	if (!der_enter(&r, 0x04, &in))
		return false;
	*n = rd_left(&in);
	*p = in.msg + in.pos;
	return true;
}

/* The members of either token, in order, each at most once; unknown ones are passed over. */
static bool read_members(struct rd r, struct spnego_token *t)
{
	struct rd seq, in;
	bool ok = true;

	if (!der_enter(&r, 0x30, &seq))
		return false;
	if (der_enter(&seq, 0xa0, &in) && t->init)
		ok = read_mechs(in, t);
	(void)der_enter(&seq, 0xa1, &in); /* request flags, or the mechanism: nothing we act on */
	if (ok && der_enter(&seq, 0xa2, &in))
		ok = read_octets(in, &t->token, &t->token_len);
	/* in a NegTokenInit of Windows this may be the hints of a server: then no octets */
	if (ok && der_enter(&seq, 0xa3, &in))
		ok = read_octets(in, &t->mic, &t->mic_len) || t->init;
	return ok && rd_ok(&seq) && (!t->init || t->mechs);
}

bool spnego_read(const uint8_t *p, size_t len, struct spnego_token *t)
{
	struct rd r = rd_over(p, len), app, oid, in;
	uint32_t from;

	memset(t, 0, sizeof(*t));
	if (der_enter(&r, 0xa1, &in))
		return read_members(in, t);
	t->init = true;
	if (der_enter(&r, 0xa0, &in)) /* without the frame of GSS-API: seen from embedded clients */
		return read_members(in, t);
	if (!rd_ok(&r) || !der_enter(&r, 0x60, &app))
		return false;
	from = app.pos;
	if (!der_enter(&app, 0x06, &oid) ||
	    !is_oid(app.msg + from, app.pos - from, oid_spnego, sizeof(oid_spnego)))
		return false;
	return der_enter(&app, 0xa0, &in) && read_members(in, t);
}

size_t spnego_full_length(const uint8_t *p, size_t len)
{
	struct rd r = rd_over(p, len);
	uint8_t tag = rd_u8(&r);
	uint32_t n = der_length(&r);

	if (tag != 0x60 && tag != 0xa0 && tag != 0xa1)
		return 0;
	return rd_ok(&r) ? (size_t)rd_tell(&r) + n : 0;
}

/* ---- writing ---- */

/* Header and content of an element with n bytes in it. */
static size_t der_size(size_t n) { return n + (n < 0x80 ? 2 : n < 0x100 ? 3 : 4); }

static void wr_der(struct wr *w, uint8_t tag, size_t n)
{
	wr_u8(w, tag);
	if (n > 0xffff) {
		w->bad = true;
	} else if (n >= 0x100) {
		wr_u8(w, 0x82);
		wr_be16(w, (uint16_t)n);
	} else if (n >= 0x80) {
		wr_u8(w, 0x81);
		wr_u8(w, (uint8_t)n);
	} else {
		wr_u8(w, (uint8_t)n);
	}
}

static void wr_octets(struct wr *w, uint8_t tag, const uint8_t *p, size_t n)
{
	wr_der(w, tag, der_size(n));
	wr_der(w, 0x04, n);
	wr_bytes(w, p, n);
}

uint8_t *spnego_response(TALLOC_CTX *mem, enum spnego_state state, bool name_mech, const uint8_t *token,
			 size_t token_len, const uint8_t *mic, size_t mic_len, size_t *len)
{
	size_t body = (state == NEG_ABSENT ? 0 : 5) + (name_mech ? der_size(sizeof(oid_ntlmssp)) : 0) +
		      (token ? der_size(der_size(token_len)) : 0) + (mic ? der_size(der_size(mic_len)) : 0);
	size_t total = der_size(der_size(body));
	uint8_t *p = talloc_size(mem, total);
	struct wr w = wr_over(p, p ? total : 0);

	wr_der(&w, 0xa1, der_size(body));
	wr_der(&w, 0x30, body);
	if (state != NEG_ABSENT) {
		wr_der(&w, 0xa0, 3);
		wr_der(&w, 0x0a, 1);
		wr_u8(&w, (uint8_t)state);
	}
	if (name_mech) {
		wr_der(&w, 0xa1, sizeof(oid_ntlmssp));
		wr_bytes(&w, oid_ntlmssp, sizeof(oid_ntlmssp));
	}
	if (token)
		wr_octets(&w, 0xa2, token, token_len);
	if (mic)
		wr_octets(&w, 0xa3, mic, mic_len);
	if (p && wr_ok(&w)) {
		*len = wr_tell(&w);
		return p;
	}
	talloc_free(p);
	return NULL;
}

size_t auth_spnego_hello(uint8_t *out, size_t cap)
{
	static const char hint[] = "not_defined_in_RFC4178@please_ignore";
	const size_t text = sizeof(hint) - 1, hint_list = der_size(der_size(text)),
		     hints = der_size(hint_list);
	const size_t inner = der_size(der_size(sizeof(oid_ntlmssp))) + der_size(hints);
	const size_t body = sizeof(oid_spnego) + der_size(der_size(inner)), total = der_size(body);
	struct wr w;

	if (!out || cap < total)
		return 0;
	w = wr_over(out, cap);
	wr_der(&w, 0x60, body);
	wr_bytes(&w, oid_spnego, sizeof(oid_spnego));
	wr_der(&w, 0xa0, der_size(inner));
	wr_der(&w, 0x30, inner);
	wr_der(&w, 0xa0, der_size(sizeof(oid_ntlmssp)));
	wr_der(&w, 0x30, sizeof(oid_ntlmssp));
	wr_bytes(&w, oid_ntlmssp, sizeof(oid_ntlmssp));
	wr_der(&w, 0xa3, hints);
	wr_der(&w, 0x30, hint_list);
	wr_der(&w, 0xa0, der_size(text));
	wr_der(&w, 0x1b, text);
	wr_bytes(&w, hint, text);
	return wr_ok(&w) ? wr_tell(&w) : 0;
}
