/* talk.c - one NTLMSSP exchange with a client, raw or inside SPNEGO.  No secrets here.
 *
 * What clients do, and why it is allowed:
 *   raw NTLMSSP, answered raw                        Linux sec=ntlmssp, XP, embedded stacks
 *   SPNEGO with NTLMSSP first and its token          everybody else
 *   Kerberos first, with or without its token        Windows in a domain once, MIT: we name NTLMSSP and
 *                                                    wait for its first message
 *   a token cut over several session setups          Windows with a small MaxBufferSize: DER tells the length
 *   an empty first blob                              asks for our NegTokenInit */
#include "auth/talk.h"
#include "base/log.h"
#include "base/str.h"

static int wipe_talk(struct auth_talk *t)
{
	str_wipe(&t->q, sizeof(t->q));
	return 0;
}

struct auth_talk *auth_talk_new(TALLOC_CTX *mem, const struct auth_talk_server *s)
{
	struct auth_talk *t = talloc_zero(mem, struct auth_talk);

	if (!t)
		return NULL;
	talloc_set_destructor(t, wipe_talk);
	t->server.netbios_name = talloc_strdup(t, s->netbios_name ? s->netbios_name : "");
	t->server.domain = talloc_strdup(t, s->domain ? s->domain : "");
	t->server.dns_name = talloc_strdup(t, s->dns_name ? s->dns_name : "");
	t->server.dns_domain = talloc_strdup(t, s->dns_domain ? s->dns_domain : "");
	memcpy(t->server.challenge, s->challenge, AUTH_CHALLENGE_LEN);
	if (!t->server.netbios_name || !t->server.domain || !t->server.dns_name || !t->server.dns_domain)
		TALLOC_FREE(t);
	return t;
}

/* Keeps a copy in the talk. */
static bool keep(struct auth_talk *t, uint8_t **to, size_t *to_len, const uint8_t *p, size_t len)
{
	TALLOC_FREE(*to);
	*to_len = 0;
	if (len == 0)
		return true;
	*to = talloc_memdup(t, p, len);
	*to_len = *to ? len : 0;
	return *to != NULL;
}

/* What one step works with. */
struct step {
	struct auth_talk *t;
	TALLOC_CTX *mem;
	const uint8_t *token; /* the NTLMSSP message */
	size_t token_len;
	bool in_init;         /* it came in a NegTokenInit: the answer names the mechanism */
	uint8_t **reply;
	size_t *reply_len;
};

static status_t answer(struct step *s, enum spnego_state state, bool name_mech, const uint8_t *token,
		       size_t len)
{
	*s->reply = spnego_response(s->mem, state, name_mech, token, len, NULL, 0, s->reply_len);
	return *s->reply ? ST_MORE_PROCESSING_REQUIRED : ST_NO_MEMORY;
}

/* ---- the messages of NTLMSSP ---- */

static status_t challenge(struct step *s)
{
	struct auth_talk *t = s->t;
	status_t st = ntlmssp_read_negotiate(s->token, s->token_len, &t->flags);

	if (st != ST_OK)
		return st;
	TALLOC_FREE(t->msg2);
	t->msg2 = ntlmssp_challenge(t, &t->server, t->flags, &t->msg2_len);
	if (!t->msg2 || !keep(t, &t->msg1, &t->msg1_len, s->token, s->token_len))
		return ST_NO_MEMORY;
	t->state = TALK_CHALLENGED;
	if (!t->raw)
		return answer(s, NEG_INCOMPLETE, s->in_init, t->msg2, t->msg2_len);
	*s->reply = talloc_memdup(s->mem, t->msg2, t->msg2_len);
	*s->reply_len = *s->reply ? t->msg2_len : 0;
	return *s->reply ? ST_MORE_PROCESSING_REQUIRED : ST_NO_MEMORY;
}

/* type 1 || 2 || 3 with the MIC zeroed: what the MIC is made of. */
static bool gather_mic(struct auth_talk *t, const uint8_t *msg3, size_t len)
{
	size_t total = t->msg1_len + t->msg2_len + len;
	uint8_t *all = talloc_size(t, total);

	if (!all)
		return false;
	memcpy(all, t->msg1, t->msg1_len);
	memcpy(all + t->msg1_len, t->msg2, t->msg2_len);
	memcpy(all + t->msg1_len + t->msg2_len, msg3, len);
	memset(all + t->msg1_len + t->msg2_len + NTLMSSP_MIC_OFFSET, 0, 16);
	t->q.mic_messages = all;
	t->q.mic_messages_len = (uint32_t)total;
	return true;
}

static status_t ask(struct step *s, const struct auth_question **q)
{
	struct auth_talk *t = s->t;
	uint8_t *msg3 = talloc_memdup(t, s->token, s->token_len);
	struct ntlmssp_auth a;
	status_t st;

	if (!msg3)
		return ST_NO_MEMORY;
	st = ntlmssp_read_auth(t, msg3, s->token_len, t->flags, &a);
	if (st != ST_OK)
		return st;
	t->flags = a.flags;
	t->q = (struct auth_question){
		.user = a.user, .domain = a.domain, .workstation = a.workstation,
		.lm = a.lm, .lm_len = a.lm_len, .nt = a.nt, .nt_len = a.nt_len,
		.ntlmssp = true, .ntlmssp_flags = a.flags,
		.enc_session_key = a.key, .enc_session_key_len = a.key_len,
	};
	memcpy(t->q.challenge, t->server.challenge, AUTH_CHALLENGE_LEN);
	memcpy(t->q.mic, a.mic, sizeof(a.mic));
	t->q.anonymous = !*a.user && ntlm_no_proof(&t->q);
	if (a.key_len > 64 || (a.has_mic && !gather_mic(t, msg3, s->token_len)))
		return ST_INVALID_PARAMETER;
	t->state = TALK_ASKED;
	*q = &t->q;
	return ST_OK;
}

static status_t take_message(struct step *s, const struct auth_question **q)
{
	uint32_t type = ntlmssp_type(s->token, s->token_len);

	if (type == 1 && s->t->state == TALK_START)
		return challenge(s);
	if (type == 3 && s->t->state == TALK_CHALLENGED)
		return ask(s, q);
	return ST_INVALID_PARAMETER;
}

/* ---- the wrapping ---- */

static status_t take_init(struct step *s, const struct spnego_token *n, const struct auth_question **q)
{
	if (s->t->state != TALK_START)
		return ST_INVALID_PARAMETER;
	if (!n->has_ntlmssp) {
		log_at(LOG_AUTH, 1,
		       "the client offers no NTLMSSP, only mechanisms smb1d does not speak (Kerberos?)");
		return ST_LOGON_FAILURE;
	}
	if (!keep(s->t, &s->t->mechs, &s->t->mechs_len, n->mechs, n->mechs_len))
		return ST_NO_MEMORY;
	if (ntlmssp_is(n->token, n->token_len)) {
		s->in_init = true;
		return take_message(s, q);
	}
	/* "request-mic" is of RFC 4178; those before it know only "incomplete" */
	return answer(s, n->first != MECH_NTLMSSP && n->has_negoex ? NEG_REQUEST_MIC : NEG_INCOMPLETE, true,
		      NULL, 0);
}

static status_t take_wrapped(struct step *s, const uint8_t *blob, size_t len, const struct auth_question **q)
{
	struct spnego_token n;

	if (!spnego_read(blob, len, &n))
		return ST_INVALID_PARAMETER;
	s->t->raw = false;
	s->token = n.token;
	s->token_len = n.token_len;
	if (n.init)
		return take_init(s, &n, q);
	/* Windows 2000 repeats its token where the MIC belongs: that is none */
	if (n.mic_len == 16 && !keep(s->t, &s->t->mic, &s->t->mic_len, n.mic, n.mic_len))
		return ST_NO_MEMORY;
	return take_message(s, q);
}

/* An empty blob at the start asks what we can do. */
static status_t take_empty(struct step *s)
{
	uint8_t hello[128];
	size_t n = auth_spnego_hello(hello, sizeof(hello));

	if (s->t->state != TALK_START || s->t->said_hello || n == 0)
		return ST_INVALID_PARAMETER;
	s->t->said_hello = true;
	*s->reply = talloc_memdup(s->mem, hello, n);
	*s->reply_len = *s->reply ? n : 0;
	return *s->reply ? ST_MORE_PROCESSING_REQUIRED : ST_NO_MEMORY;
}

/* Puts the pieces of a long token together.  ST_OK: *blob is whole (or was never cut). */
static status_t gather(struct auth_talk *t, const uint8_t **blob, size_t *len)
{
	size_t have = t->partial_len, full;
	uint8_t *all;

	if (have == 0) {
		full = ntlmssp_is(*blob, *len) ? *len : spnego_full_length(*blob, *len);
		if (full <= *len)
			return ST_OK;
	}
	if (*len == 0 || *len > AUTH_MAX_BLOB - have)
		return ST_INVALID_PARAMETER;
	all = talloc_realloc(t, t->partial, uint8_t, (unsigned)(have + *len));
	if (!all)
		return ST_NO_MEMORY;
	memcpy(all + have, *blob, *len);
	t->partial = all;
	t->partial_len = have + *len;
	full = spnego_full_length(all, t->partial_len);
	if (full > AUTH_MAX_BLOB)
		return ST_INVALID_PARAMETER;
	if (full > t->partial_len)
		return ST_MORE_PROCESSING_REQUIRED;
	*blob = all;
	*len = t->partial_len;
	return ST_OK;
}

status_t auth_talk_step(struct auth_talk *t, TALLOC_CTX *mem, const uint8_t *blob, size_t len,
			uint8_t **reply, size_t *reply_len, const struct auth_question **q)
{
	struct step s = { .t = t, .mem = mem, .reply = reply, .reply_len = reply_len };
	status_t st = ST_INVALID_PARAMETER;

	*reply = NULL;
	*reply_len = 0;
	*q = NULL;
	if (t->state < TALK_ASKED && len <= AUTH_MAX_BLOB)
		st = gather(t, &blob, &len);
	if (st == ST_MORE_PROCESSING_REQUIRED)
		return st;
	if (st == ST_OK && len == 0) {
		st = take_empty(&s);
	} else if (st == ST_OK && ntlmssp_is(blob, len)) {
		t->raw = true;
		s.token = blob;
		s.token_len = len;
		st = take_message(&s, q);
	} else if (st == ST_OK) {
		st = take_wrapped(&s, blob, len, q);
	}
	TALLOC_FREE(t->partial);
	t->partial_len = 0;
	if (st != ST_OK && st != ST_MORE_PROCESSING_REQUIRED)
		t->state = TALK_OVER;
	return st;
}

/* ---- after the verdict ---- */

bool auth_talk_finish(struct auth_talk *t, TALLOC_CTX *mem, const struct auth_verdict *v, uint8_t **reply,
		      size_t *reply_len)
{
	/* a guest's client signed with a key that we cannot know */
	bool can_sign = !v->guest && t->mechs_len > 0 && t->mic_len == 16;
	uint8_t mine[SEAL_SIGNATURE];
	struct seal seal;

	*reply = NULL;
	*reply_len = 0;
	if (t->state != TALK_ASKED || v->status != ST_OK)
		return false;
	t->state = TALK_OVER;
	if (t->raw)
		return true;
	if (can_sign) {
		seal_start(&seal, v->session_key, t->flags);
		can_sign = seal_in(&seal, t->mechs, t->mechs_len, NULL, 0, t->mic);
		if (!can_sign && !v->anonymous && (t->flags & NTLMSSP_ESS)) {
			log_at(LOG_AUTH, 1,
			       "the client's signature over its mechanism list is wrong: changed on the "
			       "way?");
			return false;
		}
	}
	if (can_sign)
		seal_out(&seal, t->mechs, t->mechs_len, NULL, 0, mine);
	str_wipe(&seal, sizeof(seal));
	t->list_signed = can_sign;
	*reply = spnego_response(mem, NEG_COMPLETED, false, NULL, 0, can_sign ? mine : NULL,
				 can_sign ? 16 : 0, reply_len);
	return *reply != NULL;
}

void auth_talk_seal(const struct auth_talk *t, const struct auth_verdict *v, struct seal *s)
{
	if (t->list_signed)
		seal_start_signed(s, v->session_key, t->flags);
	else
		seal_start(s, v->session_key, t->flags);
}
