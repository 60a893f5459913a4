/* bind.c - bind and alter_context: the client names interfaces and encodings, we take or leave each.
 *
 * Request: max xmit u16, max recv u16, group u32, count u8, 3 pad; per context: id u16, count of
 * encodings u8, pad, interface 16 + version u32, encodings 16 + version u32 each.
 * Answer: the same numbers, secondary address (u16 length, text with NUL), pad to 4, count u8,
 * 3 pad; per context: result u16, reason u16, encoding 20.  C706 12.6.4, MS-RPCE 2.2.2.5, 3.3.1.5.3. */
#include "rpc/pipe.h"
#include "base/log.h"
#include "base/str.h"
#include "base/util.h"
#include <stdio.h>

/* Without context handles all associations may be one; it must not be 0. */
#define GROUP 0x000053f0u

enum { RESULT_ACCEPT = 0, RESULT_REJECT = 2, RESULT_FEATURES = 3 };
enum { WHY_NONE = 0, WHY_INTERFACE = 1, WHY_ENCODING = 2 };
enum { NAK_UNSPECIFIED = 0, NAK_LIMIT = 2, NAK_AUTH = 8 };

#define SYNTAX_LEN 20u
#define RESULT_LEN 24u

/* 8a885d04-1ceb-11c9-9fe8-08002b104860 version 2 */
static const uint8_t ndr_syntax[SYNTAX_LEN] = {
	0x04, 0x5d, 0x88, 0x8a, 0xeb, 0x1c, 0xc9, 0x11, 0x9f, 0xe8, 0x08, 0x00, 0x2b, 0x10, 0x48, 0x60,
	2, 0, 0, 0,
};

/* 6cb71c2c-9812-4540-...: no encoding but a question, the rest of the UUID says which features. */
static const uint8_t feature_prefix[8] = { 0x2c, 0x1c, 0xb7, 0x6c, 0x12, 0x98, 0x40, 0x45 };

struct bind_result {
	uint16_t id, result, reason;
	const struct rpc_iface *iface; /* if accepted */
};

struct bind_args {
	uint16_t max_xmit, max_recv;
	uint32_t group;
	uint8_t count;
	struct bind_result result[RPC_MAX_CONTEXTS];
};

bool rpc_bind_nak(struct rpc_pipe *p, uint32_t call_id, uint16_t reason)
{
	struct wr w;

	log_at(LOG_RPC, 2, "%s: bind refused, reason %u", p->door->pipe, (unsigned)reason);
	if (!rpc_pipe_reply(p, PDU_BIND_NAK, PFC_FIRST | PFC_LAST, call_id, 24, &w))
		return false;
	wr_u16(&w, reason);
	wr_u8(&w, 1); /* versions we speak: 5.0 */
	wr_u8(&w, 5);
	wr_u8(&w, 0);
	wr_zero(&w, 3);
	return true;
}

/* UUID fields of a big-endian client come with the high byte first; the wire form we know has it last. */
static void uuid_read(struct ndr_in *in, uint8_t uuid[16])
{
	put_u32(uuid, ndr_rd_u32(in));
	put_u16(uuid + 4, ndr_rd_u16(in));
	put_u16(uuid + 6, ndr_rd_u16(in));
	rd_copy(&in->r, uuid + 8, 8);
}

static void syntax_read(struct ndr_in *in, uint8_t syntax[SYNTAX_LEN])
{
	uuid_read(in, syntax);
	put_u32(syntax + 16, ndr_rd_u32(in));
}

/* One context and our answer to it. */
static void context_decode(const struct rpc_door *door, struct ndr_in *in, struct bind_result *out)
{
	uint8_t encodings, uuid[16], s[SYNTAX_LEN];
	bool ndr = false, features = false;
	const struct rpc_iface *iface;

	out->id = ndr_rd_u16(in);
	encodings = ndr_rd_u8(in);
	rd_skip(&in->r, 1);
	uuid_read(in, uuid);
	iface = rpc_door_iface(door, uuid, ndr_rd_u32(in));
	for (uint8_t i = 0; i < encodings && ndr_rd_ok(in); i++) {
		syntax_read(in, s);
		ndr |= memcmp(s, ndr_syntax, SYNTAX_LEN) == 0;
		features |= memcmp(s, feature_prefix, sizeof(feature_prefix)) == 0;
	}
	if (iface != NULL && ndr) {
		out->result = RESULT_ACCEPT;
		out->reason = WHY_NONE;
		out->iface = iface;
	} else if (features) {
		out->result = RESULT_FEATURES; /* in place of the reason: the features we have, none */
		out->reason = 0;
	} else {
		out->result = RESULT_REJECT;
		out->reason = iface ? WHY_ENCODING : WHY_INTERFACE;
	}
}

static bool bind_decode(const struct rpc_door *door, struct ndr_in *in, struct bind_args *a)
{
	a->max_xmit = ndr_rd_u16(in);
	a->max_recv = ndr_rd_u16(in);
	a->group = ndr_rd_u32(in);
	a->count = ndr_rd_u8(in);
	rd_skip(&in->r, 3);
	for (uint8_t i = 0; i < a->count && i < RPC_MAX_CONTEXTS; i++) {
		rd_align(&in->r, 4);
		context_decode(door, in, &a->result[i]);
	}
	return ndr_rd_ok(in);
}

/* Remembers what was agreed on; a context named before is renamed.  False: too many. */
static bool context_keep(struct rpc_pipe *p, const struct bind_result *r)
{
	size_t i = 0;

	while (i < p->contexts && p->context[i].id != r->id)
		i++;
	if (i == RPC_MAX_CONTEXTS)
		return false;
	if (i == p->contexts)
		p->contexts++;
	p->context[i] = (struct rpc_context){ r->id, r->iface };
	return true;
}

static uint16_t fragment_clamp(uint16_t v)
{
	return (uint16_t)max_u32(min_u32(v, RPC_FRAGMENT), RPC_FRAGMENT_MIN);
}

/* A token to be sent behind the answer; len 0: none. */
struct bind_token {
	uint8_t *bytes;
	size_t len;
};

static bool bind_encode(struct rpc_pipe *p, const struct rpc_pdu *pdu, const struct bind_args *a,
			const struct bind_token *token)
{
	uint8_t flags = (uint8_t)(PFC_FIRST | PFC_LAST | (token->len && p->auth.whole ? PFC_SIGN_HEADERS : 0));
	bool first = pdu->type == PDU_BIND;
	char address[32] = "";
	uint32_t len = 0, size;
	struct wr w;

	if (first)
		len = (uint32_t)snprintf(address, sizeof(address), "\\PIPE\\%s", p->door->address) + 1;
	size = (PDU_HEADER + 8 + 2 + len + 3) & ~3u;
	size += 4 + a->count * RESULT_LEN;
	if (token->len != 0)
		size += RPC_TRAILER + (uint32_t)token->len;
	if (!rpc_pipe_reply(p, first ? PDU_BIND_ACK : PDU_ALTER_RESP, flags, pdu->call_id, size, &w))
		return false;
	wr_u16(&w, p->fragment);
	wr_u16(&w, fragment_clamp(a->max_xmit));
	wr_u32(&w, a->group ? a->group : GROUP);
	wr_u16(&w, (uint16_t)len);
	wr_bytes(&w, address, len);
	wr_align(&w, 4);
	wr_u8(&w, a->count);
	wr_zero(&w, 3);
	for (uint8_t i = 0; i < a->count; i++) {
		wr_u16(&w, a->result[i].result);
		wr_u16(&w, a->result[i].reason);
		if (a->result[i].result == RESULT_ACCEPT)
			wr_bytes(&w, ndr_syntax, SYNTAX_LEN);
		else
			wr_zero(&w, SYNTAX_LEN);
	}
	if (token->len != 0)
		rpc_trailer_put(&w, &p->auth, 0, token->bytes, token->len);
	return true;
}

static bool refuse(struct rpc_pipe *p, const struct rpc_pdu *pdu, uint16_t nak, uint32_t fault)
{
	if (pdu->type == PDU_BIND)
		return rpc_bind_nak(p, pdu->call_id, nak);
	return rpc_fault(p, pdu->call_id, 0, fault);
}

/* One leg of a login, if there is one.  A new bind starts anew. */
static bool bind_login(struct rpc_pipe *p, const struct rpc_host *host, const struct rpc_pdu *pdu,
		       const struct rpc_trailer *t, struct bind_token *token)
{
	*token = (struct bind_token){ NULL, 0 };
	if (pdu->type == PDU_BIND) {
		str_wipe(&p->auth, sizeof(p->auth));
		p->auth = (struct rpc_auth){ .whole = pdu->flags & PFC_SIGN_HEADERS };
	}
	if (t->token == NULL)
		return true;
	if (p->auth.state == RPC_AUTH_DONE) /* a context more on a protected pipe */
		return t->type == p->auth.type && t->context == p->auth.context;
	return rpc_auth_leg(&p->auth, p, host, t, &token->bytes, &token->len);
}

/* A refused bind leaves the pipe unauthenticated and else as it was: the client may try a plainer one. */
bool rpc_bind(struct rpc_pipe *p, const struct rpc_host *host, const struct rpc_pdu *pdu)
{
	struct ndr_in in = pdu->body;
	struct bind_token token;
	struct rpc_trailer t;
	struct bind_args a;

	memset(&a, 0, sizeof(a));
	if (pdu->type == PDU_ALTER && !p->bound)
		return rpc_fault(p, pdu->call_id, 0, FAULT_PROTOCOL);
	if (!rpc_trailer_take(&in, pdu->auth_len, &t) || !bind_decode(p->door, &in, &a))
		return false;
	if (a.count == 0 || a.count > RPC_MAX_CONTEXTS)
		return refuse(p, pdu, a.count ? NAK_LIMIT : NAK_UNSPECIFIED, FAULT_PROTOCOL);
	if (!bind_login(p, host, pdu, &t, &token)) {
		if (pdu->type == PDU_BIND)
			p->auth = (struct rpc_auth){ .state = RPC_AUTH_NONE };
		return refuse(p, pdu, NAK_AUTH, FAULT_ACCESS_DENIED);
	}
	if (pdu->type == PDU_BIND) {
		rpc_call_drop(p);
		p->contexts = 0;
		p->fragment = fragment_clamp(a.max_recv);
		p->bound = true;
	}
	for (uint8_t i = 0; i < a.count; i++) {
		if (!context_keep(p, &a.result[i])) {
			a.result[i].result = RESULT_REJECT;
			a.result[i].reason = WHY_NONE;
		}
	}
	return bind_encode(p, pdu, &a, &token);
}

bool rpc_auth3(struct rpc_pipe *p, const struct rpc_host *host, const struct rpc_pdu *pdu)
{
	struct ndr_in in = pdu->body;
	struct rpc_trailer t;
	size_t len;
	uint8_t *reply;

	if (!rpc_trailer_take(&in, pdu->auth_len, &t))
		return false;
	if (p->auth.state == RPC_AUTH_TALKING && t.token != NULL)
		(void)rpc_auth_leg(&p->auth, p, host, &t, &reply, &len); /* the next call tells */
	return true;
}
