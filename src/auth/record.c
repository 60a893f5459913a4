/* record.c - question, verdict and half-finished talk as flat records, for the doors between
 * processes.  Little endian, strings and blobs with their length in front, a version first.
 * The reader trusts nothing: limits are those of the structs, and no byte may be left over. */
#include "auth/talk.h"
#include "base/str.h"

#define QUESTION_V1 0x31515341u /* "ASQ1" */
#define VERDICT_V2 0x32565341u  /* "ASV2" */
#define TALK_V1 0x31545341u     /* "AST1" */
#define MAX_REASON 1024u
#define MAX_PATH 4096u
#define MAX_IDENT_GROUPS 65536u

/* ---- pieces ---- */

static void put_blob(struct wr *w, const void *p, uint32_t n)
{
	wr_u32(w, n);
	if (n)
		wr_bytes(w, p, n);
}

/* NULL goes as "no string", which is not the empty one. */
static void put_text(struct wr *w, const char *s)
{
	if (s)
		put_blob(w, s, (uint32_t)strlen(s));
	else
		wr_u32(w, 0xffffffffu);
}

/* A child of mem; bad when longer than max or out of memory.  NULL and *n = 0 for none. */
static const uint8_t *get_blob(TALLOC_CTX *mem, struct rd *r, uint32_t max, uint32_t *n)
{
	const uint8_t *p;
	uint8_t *copy;

	*n = rd_u32(r);
	if (*n > max)
		r->bad = true;
	p = r->bad ? NULL : rd_take(r, *n);
	if (!p || *n == 0) {
		*n = 0;
		return NULL;
	}
	copy = talloc_memdup(mem, p, *n);
	if (!copy) {
		r->bad = true;
		*n = 0;
	}
	return copy;
}

static const char *get_text(TALLOC_CTX *mem, struct rd *r, uint32_t max)
{
	uint32_t n = rd_u32(r);
	const uint8_t *p;
	char *s;

	if (n == 0xffffffffu)
		return NULL;
	p = n > max ? NULL : rd_take(r, n);
	if (!p || memchr(p, 0, n)) {
		r->bad = true;
		return NULL;
	}
	s = talloc_strndup(mem, (const char *)p, n);
	if (!s)
		r->bad = true;
	return s;
}

static const char *get_some_text(TALLOC_CTX *mem, struct rd *r, uint32_t max)
{
	const char *s = get_text(mem, r, max);

	if (!s)
		r->bad = true;
	return s;
}

/* Room for `cap` bytes and a writer over it. */
static uint8_t *begin(TALLOC_CTX *mem, size_t cap, struct wr *w)
{
	uint8_t *p = talloc_size(mem, cap);

	*w = wr_over(p, p ? cap : 0);
	return p;
}

static uint8_t *end(uint8_t *p, const struct wr *w, size_t *len)
{
	*len = 0;
	if (!p)
		return NULL;
	if (!wr_ok(w)) {
		talloc_free(p);
		return NULL;
	}
	*len = w->pos;
	return p;
}

static bool is_over(const struct rd *r) { return rd_ok(r) && rd_left(r) == 0; }

static size_t text_size(const char *s) { return 4 + (s ? strlen(s) : 0); }

/* ---- question ---- */

#define Q_NTLMSSP 1u
#define Q_PLAINTEXT 2u
#define Q_ANONYMOUS 4u

uint8_t *auth_question_pack(TALLOC_CTX *mem, const struct auth_question *q, size_t *len)
{
	struct wr w;
	size_t cap = 128 + text_size(q->user) + text_size(q->domain) + text_size(q->workstation) +
		     (size_t)q->lm_len + q->nt_len + q->enc_session_key_len + q->mic_messages_len;
	uint8_t *p = begin(mem, cap, &w);

	wr_u32(&w, QUESTION_V1);
	put_text(&w, q->user ? q->user : "");
	put_text(&w, q->domain ? q->domain : "");
	put_text(&w, q->workstation ? q->workstation : "");
	put_blob(&w, q->lm, q->lm_len);
	put_blob(&w, q->nt, q->nt_len);
	wr_bytes(&w, q->challenge, AUTH_CHALLENGE_LEN);
	wr_u32(&w, q->ntlmssp_flags);
	wr_u32(&w, (q->ntlmssp ? Q_NTLMSSP : 0) | (q->plaintext ? Q_PLAINTEXT : 0) |
			   (q->anonymous ? Q_ANONYMOUS : 0));
	put_blob(&w, q->enc_session_key, q->enc_session_key_len);
	put_blob(&w, q->mic_messages, q->mic_messages_len);
	wr_bytes(&w, q->mic, 16);
	return end(p, &w, len);
}

struct auth_question *auth_question_unpack(TALLOC_CTX *mem, const uint8_t *p, size_t len)
{
	struct auth_question *q = talloc_zero(mem, struct auth_question);
	struct rd r = rd_over(p, len);
	uint32_t bits;

	if (!q)
		return NULL;
	r.bad |= rd_u32(&r) != QUESTION_V1;
	q->user = get_some_text(q, &r, AUTH_MAX_NAME);
	q->domain = get_some_text(q, &r, AUTH_MAX_NAME);
	q->workstation = get_some_text(q, &r, AUTH_MAX_NAME);
	q->lm = get_blob(q, &r, AUTH_MAX_RESPONSE, &q->lm_len);
	q->nt = get_blob(q, &r, AUTH_MAX_RESPONSE, &q->nt_len);
	rd_copy(&r, q->challenge, AUTH_CHALLENGE_LEN);
	q->ntlmssp_flags = rd_u32(&r);
	bits = rd_u32(&r);
	q->ntlmssp = (bits & Q_NTLMSSP) != 0;
	q->plaintext = (bits & Q_PLAINTEXT) != 0;
	q->anonymous = (bits & Q_ANONYMOUS) != 0;
	q->enc_session_key = get_blob(q, &r, 64, &q->enc_session_key_len);
	q->mic_messages = get_blob(q, &r, AUTH_MAX_MIC_MESSAGES, &q->mic_messages_len);
	rd_copy(&r, q->mic, 16);
	if (!is_over(&r))
		TALLOC_FREE(q);
	return q;
}

/* ---- verdict ---- */

#define V_GUEST 1u
#define V_ANONYMOUS 2u
#define V_USED_LM 4u
#define V_IDENT 8u
#define I_GUEST 1u
#define I_ANONYMOUS 2u
#define I_ADMIN 4u

static void put_ident(struct wr *w, const struct ident *id)
{
	wr_u32(w, id->uid);
	wr_u32(w, id->gid);
	wr_u32(w, (id->guest ? I_GUEST : 0) | (id->anonymous ? I_ANONYMOUS : 0) | (id->admin ? I_ADMIN : 0));
	wr_bytes(w, id->uid_ticket, sizeof(id->uid_ticket));
	wr_bytes(w, id->gid_ticket, sizeof(id->gid_ticket));
	put_text(w, id->user ? id->user : "");
	put_text(w, id->domain ? id->domain : "");
	put_text(w, id->home ? id->home : "");
	wr_u32(w, id->ngroups);
	for (uint32_t i = 0; i < id->ngroups; i++)
		wr_u32(w, id->groups[i]);
}

static struct ident *get_ident(TALLOC_CTX *mem, struct rd *r)
{
	struct ident *id = talloc_zero(mem, struct ident);
	uint32_t bits;

	if (!id) {
		r->bad = true;
		return NULL;
	}
	id->uid = rd_u32(r);
	id->gid = rd_u32(r);
	bits = rd_u32(r);
	id->guest = (bits & I_GUEST) != 0;
	id->anonymous = (bits & I_ANONYMOUS) != 0;
	id->admin = (bits & I_ADMIN) != 0;
	rd_copy(r, id->uid_ticket, sizeof(id->uid_ticket));
	rd_copy(r, id->gid_ticket, sizeof(id->gid_ticket));
	id->user = get_some_text(id, r, AUTH_MAX_NAME);
	id->domain = get_some_text(id, r, AUTH_MAX_NAME);
	id->home = get_some_text(id, r, MAX_PATH);
	id->ngroups = rd_u32(r);
	if (!rd_ok(r) || id->ngroups > MAX_IDENT_GROUPS || id->ngroups > rd_left(r) / 4) {
		id->ngroups = 0;
		r->bad = true;
		return id;
	}
	id->groups = talloc_array(id, gid_t, id->ngroups + 1);
	r->bad |= id->groups == NULL;
	for (uint32_t i = 0; rd_ok(r) && i < id->ngroups; i++)
		id->groups[i] = rd_u32(r);
	return id;
}

uint8_t *auth_verdict_pack(TALLOC_CTX *mem, const struct auth_verdict *v, size_t *len)
{
	const struct ident *id = v->ident;
	size_t cap = 128 + (size_t)v->mac_key_len + text_size(v->account) + text_size(v->reason) +
		     text_size(v->rule);
	struct wr w;
	uint8_t *p;

	if (id)
		cap += 64 + text_size(id->user) + text_size(id->domain) + text_size(id->home) +
		       4 * (size_t)id->ngroups;
	p = begin(mem, cap, &w);
	wr_u32(&w, VERDICT_V2);
	wr_u32(&w, v->status);
	wr_u32(&w, (v->guest ? V_GUEST : 0) | (v->anonymous ? V_ANONYMOUS : 0) |
			   (v->used_lm ? V_USED_LM : 0) | (id ? V_IDENT : 0));
	wr_bytes(&w, v->session_key, 16);
	if (v->mac_key_len <= sizeof(v->mac_key))
		put_blob(&w, v->mac_key, v->mac_key_len);
	else
		w.bad = true;
	put_text(&w, v->account);
	put_text(&w, v->reason);
	put_text(&w, v->rule);
	if (id)
		put_ident(&w, id);
	return end(p, &w, len);
}

static int wipe_verdict(struct auth_verdict *v)
{
	str_wipe(v->session_key, sizeof(v->session_key));
	str_wipe(v->mac_key, sizeof(v->mac_key));
	return 0;
}

struct auth_verdict *verdict_new(TALLOC_CTX *mem)
{
	struct auth_verdict *v = talloc_zero(mem, struct auth_verdict);

	if (v)
		talloc_set_destructor(v, wipe_verdict);
	return v;
}

struct auth_verdict *auth_verdict_unpack(TALLOC_CTX *mem, const uint8_t *p, size_t len)
{
	struct auth_verdict *v = verdict_new(mem);
	struct rd r = rd_over(p, len);
	uint32_t bits;

	if (!v)
		return NULL;
	r.bad |= rd_u32(&r) != VERDICT_V2;
	v->status = rd_u32(&r);
	bits = rd_u32(&r);
	v->guest = (bits & V_GUEST) != 0;
	v->anonymous = (bits & V_ANONYMOUS) != 0;
	v->used_lm = (bits & V_USED_LM) != 0;
	rd_copy(&r, v->session_key, 16);
	v->mac_key_len = rd_u32(&r);
	if (v->mac_key_len > sizeof(v->mac_key)) {
		v->mac_key_len = 0;
		r.bad = true;
	}
	rd_copy(&r, v->mac_key, v->mac_key_len);
	v->account = get_text(v, &r, AUTH_MAX_NAME);
	v->reason = get_text(v, &r, MAX_REASON);
	v->rule = get_text(v, &r, AUTH_MAX_NAME);
	if (bits & V_IDENT)
		v->ident = get_ident(v, &r);
	if (!is_over(&r) || (v->status == ST_OK && !v->ident))
		TALLOC_FREE(v);
	return v;
}

/* ---- talk ---- */

#define T_RAW 1u
#define T_HELLO 2u

uint8_t *auth_talk_pack(TALLOC_CTX *mem, const struct auth_talk *t, size_t *len)
{
	struct wr w;
	uint8_t *p =
		begin(mem, 128 + t->msg1_len + t->msg2_len + t->mechs_len + t->mic_len + t->partial_len, &w);

	wr_u32(&w, TALK_V1);
	wr_u32(&w, (uint32_t)t->state);
	wr_u32(&w, (t->raw ? T_RAW : 0) | (t->said_hello ? T_HELLO : 0));
	wr_u32(&w, t->flags);
	wr_bytes(&w, t->server.challenge, AUTH_CHALLENGE_LEN);
	put_blob(&w, t->msg1, (uint32_t)t->msg1_len);
	put_blob(&w, t->msg2, (uint32_t)t->msg2_len);
	put_blob(&w, t->mechs, (uint32_t)t->mechs_len);
	put_blob(&w, t->mic, (uint32_t)t->mic_len);
	put_blob(&w, t->partial, (uint32_t)t->partial_len);
	return end(p, &w, len);
}

static uint8_t *talk_blob(struct auth_talk *t, struct rd *r, uint32_t max, size_t *len)
{
	uint32_t n;
	const uint8_t *p = get_blob(t, r, max, &n);

	*len = n;
	return (uint8_t *)(uintptr_t)p;
}

struct auth_talk *auth_talk_unpack(TALLOC_CTX *mem, const struct auth_talk_server *s, const uint8_t *p,
				   size_t len)
{
	struct auth_talk *t = auth_talk_new(mem, s);
	struct rd r = rd_over(p, len);
	uint32_t state, bits;

	if (!t)
		return NULL;
	r.bad |= rd_u32(&r) != TALK_V1;
	state = rd_u32(&r);
	r.bad |= state > TALK_OVER;
	t->state = state > TALK_OVER ? TALK_OVER : (enum talk_state)state;
	bits = rd_u32(&r);
	t->raw = (bits & T_RAW) != 0;
	t->said_hello = (bits & T_HELLO) != 0;
	t->flags = rd_u32(&r);
	rd_copy(&r, t->server.challenge, AUTH_CHALLENGE_LEN);
	t->msg1 = talk_blob(t, &r, AUTH_MAX_NEGOTIATE, &t->msg1_len);
	t->msg2 = talk_blob(t, &r, AUTH_MAX_NEGOTIATE, &t->msg2_len);
	t->mechs = talk_blob(t, &r, AUTH_MAX_MECHS, &t->mechs_len);
	t->mic = talk_blob(t, &r, sizeof(uint8_t[16]), &t->mic_len);
	t->partial = talk_blob(t, &r, AUTH_MAX_BLOB, &t->partial_len);
	if (!is_over(&r))
		TALLOC_FREE(t);
	return t;
}
