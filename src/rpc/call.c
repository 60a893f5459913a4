/* call.c - one request: put together from its fragments, run, answered in fragments.
 *
 * Request: hint u32, context u16, operation u16, [object 16 if flag 0x80], stub.
 * Response: hint u32 (stub bytes still to come), context u16, cancels u8, 0, stub.
 * Fault: hint u32, context u16, cancels u8, 0, status u32, reserved u32.  C706 12.6.4. */
#include "rpc/pipe.h"
#include "base/log.h"
#include "base/str.h"
#include "base/util.h"

#define RESPONSE_HEADER 24u
#define FAULT_LEN 32u
#define OBJECT_LEN 16u

#define FIRST_TRY 4096u

bool rpc_fault(struct rpc_pipe *p, uint32_t call_id, uint16_t context, uint32_t status)
{
	struct wr w;

	log_at(LOG_RPC, 3, "%s: fault 0x%08x", p->door->pipe, (unsigned)status);
	if (!rpc_pipe_reply(p, PDU_FAULT, PFC_FIRST | PFC_LAST | PFC_DID_NOT_EXECUTE, call_id, FAULT_LEN, &w))
		return false;
	wr_u32(&w, 0);
	wr_u16(&w, context);
	wr_u16(&w, 0);
	wr_u32(&w, status);
	wr_u32(&w, 0);
	return true;
}

void rpc_call_drop(struct rpc_pipe *p)
{
	TALLOC_FREE(p->stub);
	p->stub_len = p->stub_cap = 0;
	p->calling = false;
}

/* Stub bytes go in multiples of eight, so that no number is cut by a fragment's end. */
static bool send_response(struct rpc_pipe *p, const uint8_t *stub, uint32_t len)
{
	bool protect = rpc_auth_protects(&p->auth);
	uint32_t room = (p->fragment - RESPONSE_HEADER - (protect ? RPC_AUTH_ROOM : 0)) & ~7u, at = 0;

	do {
		uint32_t n = min_u32(len - at, room), size = RESPONSE_HEADER + n;
		uint8_t flags = (uint8_t)((at == 0 ? PFC_FIRST : 0) | (at + n == len ? PFC_LAST : 0));
		struct wr w;

		if (protect)
			size = RESPONSE_HEADER + ((n + 15) & ~15u) + RPC_TRAILER + SEAL_SIGNATURE;
		if (!rpc_pipe_reply(p, PDU_RESPONSE, flags, p->call_id, size, &w))
			return false;
		wr_u32(&w, len - at);
		wr_u16(&w, p->call_context);
		wr_u16(&w, 0);
		wr_bytes(&w, stub + at, n);
		if (protect)
			rpc_auth_protect(&p->auth, &w, RESPONSE_HEADER);
		at += n;
	} while (at < len);
	return true;
}

/* Runs the operation with more and more room until its answer fits. */
static bool run_op(struct rpc_pipe *p, const struct rpc_host *host, const struct rpc_op *op,
		   const uint8_t *stub, uint32_t len)
{
	uint32_t fault = FAULT_REPLY_TOO_BIG, cap = FIRST_TRY;
	struct rpc_host who = *host;
	bool ok;

	if (p->auth.state == RPC_AUTH_DONE) { /* who logged in inside the pipe is who asks */
		who.may_administer &= p->auth.user_known && str_caseeq(who.user, p->auth.user);
		who.user = p->auth.user;
		who.user_known = p->auth.user_known;
	}
	for (;;) {
		struct rpc_call c = { .host = &who, .name = op->name, .in = { rd_over(stub, len), p->call_big },
				      .pipe = p, .handles = &p->handles, .door = p->door };
		uint8_t *out;

		c.mem = talloc_new(p);
		out = c.mem ? talloc_size(c.mem, cap) : NULL;
		if (out == NULL) {
			talloc_free(c.mem);
			return rpc_fault(p, p->call_id, p->call_context, FAULT_NO_MEMORY);
		}
		c.out.w = wr_over(out, cap);
		fault = op->fn(&c);
		if (fault == 0 && !wr_ok(&c.out.w) && cap < RPC_MAX_STUB_OUT) {
			talloc_free(c.mem);
			cap = min_u32(4 * cap, RPC_MAX_STUB_OUT);
			continue;
		}
		if (fault == 0 && !wr_ok(&c.out.w))
			fault = FAULT_REPLY_TOO_BIG;
		if (fault != 0)
			ok = rpc_fault(p, p->call_id, p->call_context, fault);
		else
			ok = send_response(p, out, wr_tell(&c.out.w));
		talloc_free(c.mem);
		return ok;
	}
}

static bool run_call(struct rpc_pipe *p, const struct rpc_host *host, const uint8_t *stub, uint32_t len)
{
	const struct rpc_iface *iface = NULL;
	const struct rpc_op *op;

	if (!p->bound)
		return rpc_fault(p, p->call_id, p->call_context, FAULT_CONTEXT);
	for (size_t i = 0; i < p->contexts; i++)
		if (p->context[i].id == p->call_context)
			iface = p->context[i].iface;
	if (iface == NULL)
		return rpc_fault(p, p->call_id, p->call_context, FAULT_UNKNOWN_IF);
	op = rpc_iface_op(iface, p->call_op);
	if (op == NULL) {
		log_at(LOG_RPC, 3, "%s: operation %u is not served", iface->name, (unsigned)p->call_op);
		return rpc_fault(p, p->call_id, p->call_context, FAULT_OP_RANGE);
	}
	log_at(LOG_RPC, 3, "%s: %s", iface->name, op->name);
	return run_op(p, host, op, stub, len);
}

/* Takes the trailer and the padding before it off, and checks what was agreed on. */
static uint32_t strip_trailer(struct rpc_pipe *p, const struct rpc_pdu *pdu, struct ndr_in *in)
{
	struct rpc_trailer t;
	uint32_t fault;

	if (!rpc_trailer_take(in, pdu->auth_len, &t))
		return FAULT_PROTOCOL;
	fault = rpc_auth_check(&p->auth, p->pdu, &in->r, &t);
	if (fault != 0)
		return fault;
	if (t.pad > rd_left(&in->r))
		return FAULT_PROTOCOL;
	in->r.end -= t.pad;
	return 0;
}

static bool stub_append(struct rpc_pipe *p, struct rd *r)
{
	uint32_t n = rd_left(r);

	if (n == 0)
		return true;
	if (n > RPC_MAX_STUB_IN - p->stub_len)
		return false;
	if (n > p->stub_cap - p->stub_len) {
		uint32_t cap = min_u32(max_u32(2 * p->stub_cap, p->stub_len + n), RPC_MAX_STUB_IN);
		uint8_t *grown = talloc_realloc(p, p->stub, uint8_t, cap);

		if (grown == NULL)
			return false;
		p->stub = grown;
		p->stub_cap = cap;
	}
	rd_copy(r, p->stub + p->stub_len, n);
	p->stub_len += n;
	return true;
}

bool rpc_request(struct rpc_pipe *p, const struct rpc_host *host, const struct rpc_pdu *pdu)
{
	struct ndr_in in = pdu->body;
	struct rd r;
	uint16_t context, op;
	uint32_t fault;
	bool ok;

	ndr_rd_u32(&in); /* the hint is not to be trusted */
	context = ndr_rd_u16(&in);
	op = ndr_rd_u16(&in);
	if (pdu->flags & PFC_OBJECT)
		rd_skip(&in.r, OBJECT_LEN);
	if (!ndr_rd_ok(&in))
		return false;
	if (p->calling != !(pdu->flags & PFC_FIRST) || (p->calling && p->call_id != pdu->call_id))
		return false; /* a continuation of nothing, or a call inside a call */
	fault = strip_trailer(p, pdu, &in);
	r = in.r;
	if (fault != 0) {
		if (fault == FAULT_ACCESS_DENIED)
			rpc_refused(host, p->door->pipe, RPC_NO_PROOF);
		rpc_call_drop(p);
		return rpc_fault(p, pdu->call_id, context, fault);
	}
	if (!p->calling) {
		p->call_id = pdu->call_id;
		p->call_context = context;
		p->call_op = op;
		p->call_big = pdu->body.big;
		if (pdu->flags & PFC_LAST) /* the usual case: run it where it lies */
			return run_call(p, host, r.msg + r.pos, rd_left(&r));
		p->calling = true;
	}
	if (!stub_append(p, &r))
		return false;
	if (!(pdu->flags & PFC_LAST))
		return true;
	ok = run_call(p, host, p->stub ? p->stub : r.msg, p->stub_len);
	rpc_call_drop(p);
	return ok;
}
