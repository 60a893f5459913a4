/* ntlmssp.c - NTLMSSP messages.  MS-NLMP 2.2.
 *
 * Fields are "security buffers": length u16, room u16, offset u32 from the message's first byte.
 * Old clients end their messages early, so a fixed field counts only if the payload, which
 * starts at the lowest offset of any buffer, lies behind it.  Every offset is hostile. */
#include "auth/internal.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/util.h"

#define MAX_NAME_WIRE 1024u /* bytes of a name on the wire, looked at before it is converted */
#define CHALLENGE_HEADER 56u

static const uint8_t signature[8] = { 'N', 'T', 'L', 'M', 'S', 'S', 'P', 0 };

bool ntlmssp_is(const uint8_t *p, size_t len) { return len >= 8 && memcmp(p, signature, 8) == 0; }

uint32_t ntlmssp_type(const uint8_t *p, size_t len)
{
	struct rd r = rd_over(p, len);
	uint32_t type;

	if (!ntlmssp_is(p, len))
		return 0;
	rd_seek(&r, 8);
	type = rd_u32(&r);
	return rd_ok(&r) && type <= 3 ? type : 0;
}

/* ---- NEGOTIATE: what we answer ---- */

/* LM_KEY is never offered: it would need an LM hash that most accounts do not have. */
status_t ntlmssp_read_negotiate(const uint8_t *p, size_t len, uint32_t *flags)
{
	static const uint32_t echoed = NTLMSSP_REQUEST_TARGET | NTLMSSP_SIGN | NTLMSSP_SEAL |
				       NTLMSSP_ALWAYS_SIGN | NTLMSSP_ESS | NTLMSSP_VERSION | NTLMSSP_128 |
				       NTLMSSP_KEY_EXCH | NTLMSSP_56;
	struct rd r = rd_over(p, len);
	uint32_t asked;

	if (ntlmssp_type(p, len) != 1 || len > AUTH_MAX_NEGOTIATE)
		return ST_INVALID_PARAMETER;
	rd_seek(&r, 12);
	asked = rd_u32(&r);
	if (!rd_ok(&r))
		asked = NTLMSSP_OEM | NTLMSSP_REQUEST_TARGET; /* the twelve-byte form knows no flags */
	*flags = (asked & echoed) | NTLMSSP_NTLM;
	*flags |= asked & NTLMSSP_UNICODE ? NTLMSSP_UNICODE : NTLMSSP_OEM;
	if (asked & NTLMSSP_REQUEST_TARGET)
		*flags |= NTLMSSP_TARGET_SERVER;
	if (asked & (NTLMSSP_REQUEST_TARGET | NTLMSSP_ESS | NTLMSSP_TARGET_INFO))
		*flags |= NTLMSSP_TARGET_INFO;
	return ST_OK;
}

/* ---- CHALLENGE ---- */

static void wr_text(struct wr *w, const char *s, bool wide)
{
	size_t n = wide ? str_to_utf16(s, NULL, 0) : str_to_oem(s, NULL, 0);
	uint8_t *p = n > wr_left(w) ? NULL : wr_take(w, (uint32_t)n);

	if (!p)
		w->bad = true;
	else if (wide)
		str_to_utf16(s, p, n);
	else
		str_to_oem(s, p, n);
}

static void wr_pair(struct wr *w, uint16_t id, const char *s)
{
	uint32_t at;

	wr_u16(w, id);
	wr_u16(w, 0);
	at = wr_tell(w);
	wr_text(w, s, true);
	if (wr_ok(w))
		wr_u16_at(w, at - 2, (uint16_t)(wr_tell(w) - at));
}

/* The order is that of the servers clients were written against. */
static void wr_target_info(struct wr *w, const struct auth_talk_server *s)
{
	wr_pair(w, 2, s->domain);
	wr_pair(w, 1, s->netbios_name);
	wr_pair(w, 4, s->dns_domain);
	wr_pair(w, 3, s->dns_name);
	wr_u16(w, 7);
	wr_u16(w, 8);
	wr_u64(w, clock_now());
	wr_u32(w, 0);
}

static void wr_buffer_at(struct wr *w, uint32_t at, uint32_t from)
{
	uint16_t n = (uint16_t)(wr_tell(w) - from);

	wr_u16_at(w, at, n);
	wr_u16_at(w, at + 2, n);
	wr_u32_at(w, at + 4, from);
}

uint8_t *ntlmssp_challenge(TALLOC_CTX *mem, const struct auth_talk_server *s, uint32_t flags, size_t *len)
{
	static const uint8_t version[8] = { 6, 1, 0, 0, 0, 0, 0, 15 };
	uint8_t *p = talloc_size(mem, AUTH_MAX_NEGOTIATE);
	struct wr w = wr_over(p, p ? AUTH_MAX_NEGOTIATE : 0);
	uint32_t at;

	wr_bytes(&w, signature, 8);
	wr_u32(&w, 2);
	wr_zero(&w, 8);
	wr_u32(&w, flags);
	wr_bytes(&w, s->challenge, AUTH_CHALLENGE_LEN);
	wr_zero(&w, 16);
	if (flags & NTLMSSP_VERSION)
		wr_bytes(&w, version, 8);
	else
		wr_zero(&w, 8);
	at = wr_tell(&w);
	if (flags & NTLMSSP_TARGET_SERVER)
		wr_text(&w, s->netbios_name, (flags & NTLMSSP_UNICODE) != 0);
	wr_buffer_at(&w, 12, at);
	wr_align(&w, 2);
	at = wr_tell(&w);
	if (flags & NTLMSSP_TARGET_INFO)
		wr_target_info(&w, s);
	wr_buffer_at(&w, 40, at);
	if (p && wr_ok(&w)) {
		*len = wr_tell(&w);
		return p;
	}
	talloc_free(p);
	return NULL;
}

/* ---- AUTHENTICATE ---- */

struct buffer {
	const uint8_t *p;
	uint32_t len, offset;
};

/* False if it leaves the message.  An empty buffer may point anywhere. */
static bool read_buffer(struct rd *r, struct buffer *b)
{
	struct rd w;

	b->len = rd_u16(r);
	rd_skip(r, 2);
	b->offset = rd_u32(r);
	b->p = NULL;
	if (!rd_ok(r))
		return false;
	if (b->len == 0)
		return true;
	w = rd_window(r, b->offset, b->len);
	b->p = rd_take(&w, b->len);
	return rd_ok(&w);
}

static char *text_of(TALLOC_CTX *mem, const struct buffer *b, bool wide, bool *ok)
{
	char *s;

	if (b->len == 0)
		return talloc_strdup(mem, "");
	if (b->len > MAX_NAME_WIRE)
		s = NULL;
	else
		s = wide ? str_from_utf16(mem, b->p, b->len) : str_from_oem(mem, b->p, b->len);
	if (!s || strlen(s) > AUTH_MAX_NAME) {
		*ok = false;
		talloc_free(s);
		s = NULL;
	}
	return s;
}

/* AvFlags bit 1 in the pairs of an NTLMv2 response: the client has sent a MIC. */
static bool mic_promised(const uint8_t *nt, uint32_t len)
{
	struct rd r = rd_over(nt, len);

	if (len < 48)
		return false;
	rd_seek(&r, 44);
	while (rd_ok(&r) && rd_left(&r) >= 4) {
		uint16_t id = rd_u16(&r), n = rd_u16(&r);

		if (id == 0)
			return false;
		if (id == 6 && n == 4)
			return (rd_u32(&r) & 2) != 0 && rd_ok(&r);
		rd_skip(&r, n);
	}
	return false;
}

/* First byte of the payload: fixed fields end there. */
static uint32_t payload_start(const struct buffer *b, size_t n, uint32_t end)
{
	uint32_t start = end;

	for (size_t i = 0; i < n; i++)
		if (b[i].len && b[i].offset < start)
			start = b[i].offset;
	return start;
}

/* The fields that old clients do not send. */
static bool read_late_fields(struct rd *r, uint32_t start, uint32_t negotiated, struct ntlmssp_auth *out)
{
	struct buffer key = { 0 };

	out->flags = negotiated;
	if (start >= 60 && rd_left(r) >= 8) {
		if (!read_buffer(r, &key))
			return false;
		out->key = key.p;
		out->key_len = key.len;
		if (key.len && key.offset < start)
			start = key.offset;
	}
	if (start >= 64 && rd_tell(r) == 60 && rd_left(r) >= 4) {
		out->flags = rd_u32(r);
		if (out->flags == 0)
			out->flags = negotiated;
	}
	if (out->nt_len == 24 || !mic_promised(out->nt, out->nt_len))
		return true;
	if (start < NTLMSSP_MIC_OFFSET + 16)
		return false;
	rd_seek(r, NTLMSSP_MIC_OFFSET);
	rd_copy(r, out->mic, 16);
	out->has_mic = rd_ok(r);
	return out->has_mic;
}

status_t ntlmssp_read_auth(TALLOC_CTX *mem, const uint8_t *p, size_t len, uint32_t negotiated,
			   struct ntlmssp_auth *out)
{
	enum { LM, NT, DOMAIN, USER, WORKSTATION, BUFFERS };
	struct buffer b[BUFFERS];
	struct rd r = rd_over(p, len);
	bool wide, ok = true, fits = true;

	memset(out, 0, sizeof(*out));
	if (ntlmssp_type(p, len) != 3 || len > AUTH_MAX_BLOB)
		return ST_INVALID_PARAMETER;
	rd_seek(&r, 12);
	for (size_t i = 0; i < BUFFERS; i++)
		ok &= read_buffer(&r, &b[i]);
	if (!ok || b[NT].len > AUTH_MAX_RESPONSE || b[LM].len > AUTH_MAX_RESPONSE)
		return ST_INVALID_PARAMETER;
	out->lm = b[LM].p;
	out->lm_len = b[LM].len;
	out->nt = b[NT].p;
	out->nt_len = b[NT].len;
	if (!read_late_fields(&r, payload_start(b, BUFFERS, r.end), negotiated, out))
		return ST_INVALID_PARAMETER;
	wide = (out->flags & NTLMSSP_UNICODE) || !((out->flags | negotiated) & NTLMSSP_OEM);
	out->domain = text_of(mem, &b[DOMAIN], wide, &ok);
	out->user = text_of(mem, &b[USER], wide, &ok);
	out->workstation = text_of(mem, &b[WORKSTATION], wide, &fits);
	if (!fits)
		out->workstation = ""; /* only ever shown: no reason to fail */
	return ok && out->domain && out->user && out->workstation ? ST_OK : ST_INVALID_PARAMETER;
}
