/* crypt.c - sealed frames.
 *
 *   NTLMSSP   FF 'E', context u16, signature 16 bytes, then the message behind its first four bytes, encrypted
 *   AEAD      FF 'E', context u16, number u64, tag 16 bytes, then the same
 *
 * A message is opened where it lies in the receive buffer, and FF 'S' 'M' 'B' written in front of it; sealed
 * where it was built, and sent behind a head of its own.  Signatures of SMB, where they are on, are inside and go
 * on as before. */
#include "srv/crypt.h"
#include "base/aead.h"
#include "base/log.h"
#include "base/str.h"
#include "base/util.h"
#include "conf/why.h"

#define HEAD 4u  /* FF 'E', context; also the bytes of a message that are not sealed */
#define FRAME 4u
#define NUMBER 8u
#define NTLMSSP_CONTEXT 0u
#define AEAD_CONTEXT 1u
#define AEAD_CHACHA20_POLY1305 1u

/* What would let a connection live that ends here. */
#define KEEPS "a client that stays with the encryption it has asked for"
static const struct why keeps = { LOG_SMB, .fix = KEEPS };
static const struct why untouched = { LOG_SMB, .fix = "a client and a network that leave sealed frames as they are" };

enum strength { CRC_ONLY = 1, RC4 = DB_ENCRYPTED_RC4 + 1, AEAD = DB_ENCRYPTED_AEAD + 1 };

struct crypt {
	enum strength strength;
	uint16_t context;
	union {
		struct seal seal;
		struct aead aead;
	} u;
};

struct crypt_setup {
	struct auth_talk *talk;
	uint64_t offered, asked; /* capabilities */
	struct crypt *next;      /* agreed on; up after the reply at hand */
};

static int wipe_crypt(struct crypt *k)
{
	str_wipe(k, sizeof(*k));
	return 0;
}

static struct crypt_setup *setup_of(struct conn *c)
{
	if (!c->crypt_setup)
		c->crypt_setup = talloc_zero(c, struct crypt_setup);
	return c->crypt_setup;
}

static const char *how(enum strength s)
{
	return s == AEAD ? "ChaCha20-Poly1305" :
	       s == RC4 ? "NTLMSSP, RC4" : "NTLMSSP without extended session security";
}

/* ---- who wants it ---- */

static bool must(const struct tree *t)
{
	return t->share->p.server_smb_encrypt == CONF_SERVER_SMB_ENCRYPT_REQUIRED;
}

uint64_t crypt_caps(const struct tree *t)
{
	if (t->share->p.server_smb_encrypt == CONF_SERVER_SMB_ENCRYPT_OFF)
		return 0;
	return UNIX_CAP_CRYPT | UNIX_CAP_AEAD | (must(t) ? UNIX_CAP_CRYPT_MUST : 0);
}

bool crypt_closed_to(const struct tree *t)
{
	return must(t) && (!t->c->crypt || t->c->crypt->strength < RC4);
}

status_t crypt_admits(struct tree *t)
{
	const char *fix = "a client that encrypts, or another value";

	if (!crypt_closed_to(t))
		return ST_OK;
	if (t->told)
		return ST_ACCESS_DENIED;
	if (!(t->c->caps & CAP_UNIX))
		fix = "`smb1 unix extensions = yes`, which encryption is part of, and a client that speaks NT LM 0.12";
	why_refused(&(struct why){ LOG_SMB, .conf = t->c->conf, .share = t->share, .param = "server smb encrypt",
				   .where = t->share_name, .fix = fix },
		    "requests in share %s: %s", t->share_name, t->c->crypt ?
		    "the client encrypts without extended session security" : "the client does not encrypt");
	t->told = true;
	return ST_ACCESS_DENIED;
}

void crypt_offered(struct conn *c, uint64_t caps)
{
	if (setup_of(c))
		c->crypt_setup->offered = caps;
}

bool crypt_asked(struct conn *c, uint64_t caps)
{
	if (c->crypt && c->crypt->strength == AEAD && !(caps & UNIX_CAP_AEAD)) {
		conn_refuse(c, &keeps, "the client drops the capability of the encryption that is in use (%s)", how(AEAD));
		return false;
	}
	if (setup_of(c))
		c->crypt_setup->asked = caps;
	return true;
}

uint8_t crypt_shown(const struct conn *c)
{
	return !c->crypt ? 0 : c->crypt->strength == AEAD ? DB_ENCRYPTED_AEAD : DB_ENCRYPTED_RC4;
}

/* ---- the agreement ---- */

/* The salt makes the keys new even if the session key is not. */
static void agree_aead(struct crypt *k, const struct crypt_setup *u, const struct auth_verdict *v,
		       struct crypt_reply *r)
{
	struct aead_agreed g = { .offered = u->offered, .asked = u->asked };
	struct wr w = wr_over(r->params, sizeof(r->params));

	util_random(g.salt, sizeof(g.salt));
	k->strength = AEAD;
	k->context = AEAD_CONTEXT;
	aead_start(&k->u.aead, v->session_key, &g);
	wr_u16(&w, AEAD_CONTEXT);
	wr_u16(&w, AEAD_CHACHA20_POLY1305);
	wr_bytes(&w, g.salt, sizeof(g.salt));
	r->params_len = wr_tell(&w);
}

static void agree_ntlmssp(struct crypt *k, const struct crypt_setup *u, const struct auth_verdict *v,
			  struct crypt_reply *r)
{
	auth_talk_seal(u->talk, v, &k->u.seal);
	k->strength = k->u.seal.extended ? RC4 : CRC_ONLY;
	k->context = NTLMSSP_CONTEXT;
	put_u16(r->params, NTLMSSP_CONTEXT);
	r->params_len = 2;
}

static status_t agree(struct conn *c, const struct auth_verdict *v, const struct auth_question *q,
		      struct crypt_reply *r)
{
	struct crypt_setup *u = c->crypt_setup;
	struct crypt *k = talloc_zero(u, struct crypt);

	if (!k)
		return ST_NO_MEMORY;
	talloc_set_destructor(k, wipe_crypt);
	if (u->asked & UNIX_CAP_AEAD)
		agree_aead(k, u, v, r);
	else
		agree_ntlmssp(k, u, v, r);
	if (c->crypt && k->strength < c->crypt->strength) {
		conn_refuse(c, &(struct why){ LOG_AUTH, .user = q->user, .fix = KEEPS },
			    "the client asks for a weaker encryption (%s) than is in use", how(k->strength));
		return ST_ACCESS_DENIED;
	}
	talloc_free(u->next);
	u->next = k;
	c->tick_due = true;
	log_at(LOG_AUTH, 2, "encryption agreed on with \"%s\": %s", q->user, how(k->strength));
	return ST_OK;
}

/* A guest's key is no secret, nor is that of nobody; with AEAD the client must have had a say in it. */
static const char *unfit(const struct auth_verdict *v, const struct auth_question *q, bool aead)
{
	uint32_t want = SEAL_FLAG_SIGN | SEAL_FLAG_SEAL | (aead ? SEAL_FLAG_EXTENDED | SEAL_FLAG_KEY_EXCHANGE : 0);

	if (v->status != ST_OK)
		return v->reason ? v->reason : status_name(v->status);
	if (v->guest || v->anonymous)
		return "guests have no key to encrypt with";
	if (~q->ntlmssp_flags & want)
		return "the client has not agreed to sealing with the flags of NTLMSSP it takes";
	return NULL;
}

static status_t verdict(struct conn *c, TALLOC_CTX *mem, const struct auth_question *q, struct crypt_reply *r)
{
	struct auth_verdict *v = c->host->ask(c->host->arg, mem, q);
	const char *why;

	if (!v) {
		conn_kill(c, "the keeper does not answer");
		return ST_INTERNAL_ERROR;
	}
	why = unfit(v, q, c->crypt_setup->asked & UNIX_CAP_AEAD);
	if (why) {
		why_refused(&(struct why){ LOG_AUTH, .conf = c->conf, .param = v->status != ST_OK ? v->rule : NULL,
					   .user = q->user },
			    "encryption for \"%s\": %s", q->user, why);
		return v->status != ST_OK ? v->status : ST_ACCESS_DENIED;
	}
	if (!auth_talk_finish(c->crypt_setup->talk, mem, v, &r->token, &r->token_len))
		return ST_LOGON_FAILURE;
	return agree(c, v, q, r);
}

status_t crypt_leg(struct tree *t, TALLOC_CTX *mem, const uint8_t *token, size_t len, uint32_t max_params,
		   struct crypt_reply *r)
{
	struct conn *c = t->c;
	struct crypt_setup *u = setup_of(c);
	const struct auth_question *q = NULL;
	struct auth_talk_server who;
	status_t st;

	r->params_len = 0;
	if (!u)
		return ST_NO_MEMORY;
	if (crypt_caps(t) == 0) {
		why_refused(&(struct why){ LOG_SMB, .conf = c->conf, .share = t->share, .param = "server smb encrypt",
					   .where = t->share_name, .fix = "any other value" },
			    "encryption in share %s", t->share_name);
		return ST_NOT_SUPPORTED;
	}
	if (max_params < (u->asked & UNIX_CAP_AEAD ? CRYPT_PARAMS_MAX : 2u))
		return ST_INVALID_PARAMETER;
	if (!u->talk) {
		session_server(c, &who);
		u->talk = auth_talk_new(u, &who);
	}
	if (!u->talk)
		return ST_NO_MEMORY;
	st = auth_talk_step(u->talk, mem, token, len, &r->token, &r->token_len, &q);
	if (st == ST_MORE_PROCESSING_REQUIRED)
		return ST_OK;
	if (st == ST_OK)
		st = verdict(c, mem, q, r);
	TALLOC_FREE(u->talk);
	return st;
}

void crypt_up(struct conn *c)
{
	struct crypt_setup *u = c->crypt_setup;
	struct session *s;
	struct tree *t;
	uint16_t id = 0;

	if (!u || !u->next)
		return;
	talloc_free(c->crypt);
	c->crypt = talloc_steal(c, u->next);
	u->next = NULL;
	while ((t = idtab_next(c->trees, id, &id)) != NULL)
		tree_settle(t);
	id = 0;
	while ((s = idtab_next(c->sessions, id, &id)) != NULL)
		if (s->ready)
			session_put_again(s);
}

/* ---- frames coming in ---- */

static bool open_ntlmssp(struct conn *c, struct seal *s, uint8_t *p, uint32_t len)
{
	uint32_t want = seal_expects(s), number;
	struct rd r = rd_over(p, len);
	uint8_t signature[SEAL_SIGNATURE];

	rd_skip(&r, HEAD);
	rd_copy(&r, signature, sizeof(signature));
	if (seal_in(s, p + r.pos, rd_left(&r), p + r.pos, rd_left(&r), signature))
		return true;
	rd_seek(&r, HEAD + SEAL_SIGNATURE - 4);
	number = rd_u32(&r);
	if (s->extended && number != want)
		conn_refuse(c, &untouched, "sealed frame number %u in place of %u: replayed, lost or out of order", number,
			    want);
	else
		conn_refuse(c, &untouched, "sealed frame number %u cannot be opened: wrong key, or changed on the way",
			    want);
	return false;
}

static bool open_aead(struct conn *c, struct aead_way *w, uint8_t *p, uint32_t len)
{
	struct rd r = rd_over(p, len);
	const uint8_t *tag;
	uint64_t number;

	rd_skip(&r, HEAD);
	number = rd_u64(&r);
	tag = rd_take(&r, AEAD_TAG);
	if (number != w->number) {
		conn_refuse(c, &untouched, "sealed frame number %llu in place of %llu: replayed, lost or out of order",
			  (unsigned long long)number, (unsigned long long)w->number);
		return false;
	}
	if (aead_open(w, p - FRAME, FRAME + HEAD + NUMBER, p + r.pos, rd_left(&r), tag))
		return true;
	conn_refuse(c, &untouched, "sealed frame number %llu cannot be opened: wrong key, or changed on the way",
		  (unsigned long long)number);
	return false;
}

uint8_t *crypt_open(struct conn *c, uint8_t *p, uint32_t len, uint32_t *msg_len)
{
	struct crypt *k = c->crypt;
	uint32_t head = k->strength == AEAD ? HEAD + NUMBER + AEAD_TAG : HEAD + SEAL_SIGNATURE;
	uint16_t context;

	if (!wire_sealed_read(p, len, &context)) {
		conn_refuse(c, &keeps, "a frame in the clear on an encrypted connection (%u bytes)", len);
		return NULL;
	}
	if (context != k->context || len <= head) {
		conn_refuse(c, &untouched, "a sealed frame of context %u with %u bytes: there is no such, or it is cut",
			    context, len);
		return NULL;
	}
	if (k->strength == AEAD ? !open_aead(c, &k->u.aead.in, p, len) : !open_ntlmssp(c, &k->u.seal, p, len))
		return NULL;
	memcpy(p + head - HEAD, "\xffSMB", HEAD);
	*msg_len = len - head + HEAD;
	return p + head - HEAD;
}

/* ---- frames going out ---- */

void crypt_send(struct conn *c, uint8_t *msg, uint32_t len)
{
	struct crypt *k = c->crypt;
	uint8_t head[FRAME + HEAD + NUMBER + AEAD_TAG];
	struct wr w = wr_over(head, sizeof(head));
	uint32_t more = k->strength == AEAD ? NUMBER + AEAD_TAG : SEAL_SIGNATURE;
	struct rope r = { .n = 0 };

	wr_u32(&w, 0);
	wire_frame_write(head, NBT_MESSAGE, len + more);
	wire_sealed_write(&w, k->context);
	if (k->strength == AEAD) {
		wr_u64(&w, k->u.aead.out.number);
		aead_seal(&k->u.aead.out, head, wr_tell(&w), msg + HEAD, len - HEAD, head + wr_tell(&w));
	} else {
		seal_out(&k->u.seal, msg + HEAD, len - HEAD, msg + HEAD, len - HEAD, head + wr_tell(&w));
	}
	rope_mem(&r, head, FRAME + HEAD + more);
	rope_mem(&r, msg + HEAD, len - HEAD);
	if (fastio_send(c->io, &r) == FASTIO_ERROR && !c->dead)
		c->dead = "the client is gone";
}
