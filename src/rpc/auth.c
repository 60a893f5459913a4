/* auth.c - authenticated DCE/RPC. */
#include "rpc/auth.h"
#include "base/log.h"
#include "base/str.h"
#include "rpc/iface.h"

#define TYPE_SPNEGO 9
#define TYPE_NTLMSSP 10

enum { LEVEL_CONNECT = 2, LEVEL_INTEGRITY = 5, LEVEL_PRIVACY = 6 };
#define STUB_PADDING 16u

bool rpc_trailer_take(struct ndr_in *body, uint16_t auth_len, struct rpc_trailer *t)
{
	uint32_t size = RPC_TRAILER + auth_len;
	struct ndr_in in = { .big = body->big };

	memset(t, 0, sizeof(*t));
	if (auth_len == 0)
		return true;
	if (size > rd_left(&body->r))
		return false;
	t->at = body->r.end - size;
	in.r = rd_window(&body->r, t->at, size);
	t->type = rd_u8(&in.r);
	t->level = rd_u8(&in.r);
	t->pad = rd_u8(&in.r);
	rd_skip(&in.r, 1);
	t->context = in.big ? rd_be32(&in.r) : rd_u32(&in.r);
	t->token = rd_take(&in.r, auth_len);
	t->len = auth_len;
	body->r.end -= size;
	return rd_ok(&in.r);
}

static bool level_known(uint8_t level)
{
	return level >= LEVEL_CONNECT && level <= LEVEL_PRIVACY;
}

/* The last leg: keys, and who it is. */
static bool finish(struct rpc_auth *a, const struct rpc_host *host, const struct rpc_login_answer *r)
{
	if (!r->seal.extended && a->level >= LEVEL_INTEGRITY) {
		rpc_refused(host, "bind", RPC_WEAK_LOGIN);
		return false;
	}
	a->seal = r->seal;
	a->user = r->user;
	a->user_known = r->user_known;
	a->state = RPC_AUTH_DONE;
	log_at(LOG_RPC, 3, "login inside the pipe: %s, level %u", a->user, (unsigned)a->level);
	return true;
}

bool rpc_auth_leg(struct rpc_auth *a, TALLOC_CTX *mem, const struct rpc_host *host, const struct rpc_trailer *t,
		  uint8_t **reply, size_t *reply_len)
{
	struct rpc_login_answer r = { .reply = NULL };
	status_t st = ST_ACCESS_DENIED;
	bool ok = false;

	if (a->state == RPC_AUTH_NONE) {
		a->type = t->type;
		/* what lies between is protected like integrity */
		a->level = t->level > LEVEL_CONNECT && t->level < LEVEL_INTEGRITY ? LEVEL_INTEGRITY : t->level;
		a->context = t->context;
		a->state = RPC_AUTH_TALKING;
	}
	if (a->state == RPC_AUTH_TALKING && host->login != NULL && level_known(a->level) && t->type == a->type &&
	    (a->type == TYPE_SPNEGO || a->type == TYPE_NTLMSSP))
		st = host->login(host->arg, mem, &a->talk, t->token, t->len, &r);
	else
		rpc_refused(host, "bind", RPC_NO_LOGIN);
	if (st == ST_OK)
		ok = finish(a, host, &r);
	else
		ok = st == ST_MORE_PROCESSING_REQUIRED;
	str_wipe(&r.seal, sizeof(r.seal));
	if (r.reply_len > RPC_AUTH_MAX_REPLY)
		ok = false;
	if (!ok)
		a->state = RPC_AUTH_REFUSED;
	*reply = r.reply;
	*reply_len = r.reply_len;
	return ok;
}

void rpc_trailer_put(struct wr *w, const struct rpc_auth *a, uint8_t pad, const uint8_t *token, size_t len)
{
	wr_u16_at(w, 10, (uint16_t)len);
	wr_u8(w, a->type);
	wr_u8(w, a->level);
	wr_u8(w, pad);
	wr_u8(w, 0);
	wr_u32(w, a->context);
	wr_bytes(w, token, len);
}

bool rpc_auth_protects(const struct rpc_auth *a)
{
	return a->state == RPC_AUTH_DONE && a->level >= LEVEL_INTEGRITY;
}

/* Whose signature is right is let in: an integrity or privacy bind takes nothing else. */
uint32_t rpc_auth_check(struct rpc_auth *a, uint8_t *pdu, struct rd *r, const struct rpc_trailer *t)
{
	const uint8_t *whole = pdu + r->pos;
	uint32_t len = rd_left(r);
	uint8_t *secret = a->level == LEVEL_PRIVACY ? pdu + r->pos : NULL;

	if (a->state == RPC_AUTH_REFUSED || a->state == RPC_AUTH_TALKING)
		return FAULT_ACCESS_DENIED;
	if (a->state == RPC_AUTH_NONE) /* a token that only says "connected" needs no agreement */
		return t->token != NULL && t->level > LEVEL_CONNECT ? FAULT_ACCESS_DENIED : 0;
	if (a->level < LEVEL_INTEGRITY)
		return 0;
	if (t->token == NULL || t->len != SEAL_SIGNATURE || t->type != a->type)
		return FAULT_ACCESS_DENIED;
	if (a->whole) {
		whole = pdu;
		len = t->at + RPC_TRAILER;
	}
	return seal_in(&a->seal, whole, len, secret, rd_left(r), t->token) ? 0 : FAULT_ACCESS_DENIED;
}

void rpc_auth_protect(struct rpc_auth *a, struct wr *w, uint32_t from)
{
	static const uint8_t none[SEAL_SIGNATURE];
	uint32_t pad = (STUB_PADDING - ((w->pos - from) & (STUB_PADDING - 1))) & (STUB_PADDING - 1), end;
	uint8_t signature[SEAL_SIGNATURE];

	wr_zero(w, pad);
	end = w->pos;
	rpc_trailer_put(w, a, (uint8_t)pad, none, sizeof(none));
	if (!wr_ok(w))
		return;
	if (a->whole)
		seal_out(&a->seal, w->msg, w->pos - SEAL_SIGNATURE, a->level == LEVEL_PRIVACY ? w->msg + from : NULL,
			 end - from, signature);
	else
		seal_out(&a->seal, w->msg + from, end - from, a->level == LEVEL_PRIVACY ? w->msg + from : NULL,
			 end - from, signature);
	memcpy(w->msg + w->pos - SEAL_SIGNATURE, signature, sizeof(signature));
}
