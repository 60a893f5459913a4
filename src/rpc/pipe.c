/* pipe.c - connection-oriented DCE/RPC on one open pipe: bytes in, reply PDUs out.
 *
 * Header of every PDU: version 5, minor, type, flags, data representation 10 00 00 00,
 * fragment length u16, authentication length u16, call id u32.  C706 chapter 12, MS-RPCE 2.2.2. */
#include "rpc/pipe.h"
#include "base/log.h"
#include "base/util.h"

#define VERSION_MAJOR 5
#define DREP_LITTLE_ASCII 0x10
#define DREP_BIG_ASCII 0x00

struct rpc_pipe *rpc_pipe_open(TALLOC_CTX *mem, const char *name)
{
	const struct rpc_door *d = rpc_door_of(name);
	struct rpc_pipe *p;

	if (d == NULL)
		return NULL;
	p = talloc_zero(mem, struct rpc_pipe);
	if (p == NULL)
		return NULL;
	p->door = d;
	p->fragment = RPC_FRAGMENT;
	return p;
}

const char *rpc_pipe_name(const struct rpc_pipe *p)
{
	return p->door->pipe;
}

bool rpc_pipe_exists(const char *name)
{
	return rpc_door_of(name) != NULL;
}

/* ---- replies ---- */

/* Makes room for `more` bytes behind the tail: first by moving what waits to the front. */
static bool queue_room(struct rpc_pipe *p, uint32_t more)
{
	uint32_t waiting = p->tail - p->head, cap;
	uint8_t *grown;

	if (more > RPC_MAX_QUEUE - waiting)
		return false;
	if (more <= p->queue_cap - p->tail)
		return true;
	if (p->head != 0) {
		memmove(p->queue, p->queue + p->head, waiting);
		p->head = 0;
		p->tail = waiting;
		if (more <= p->queue_cap - p->tail)
			return true;
	}
	cap = min_u32(max_u32(2 * p->queue_cap, waiting + more), RPC_MAX_QUEUE);
	grown = talloc_realloc(p, p->queue, uint8_t, cap);
	if (grown == NULL)
		return false;
	p->queue = grown;
	p->queue_cap = cap;
	return true;
}

bool rpc_pipe_reply(struct rpc_pipe *p, uint8_t type, uint8_t flags, uint32_t call_id, uint32_t size,
		    struct wr *w)
{
	if (!queue_room(p, size)) {
		log_at(LOG_RPC, 1, "%s: too many replies that nobody reads", p->door->pipe);
		p->broken = true;
		return false;
	}
	if (p->head == p->tail)
		p->first_left = size;
	*w = wr_over(p->queue + p->tail, size);
	p->tail += size;
	memset(w->msg, 0, size);
	wr_u8(w, VERSION_MAJOR);
	wr_u8(w, 0);
	wr_u8(w, type);
	wr_u8(w, flags);
	wr_u32(w, DREP_LITTLE_ASCII);
	wr_u16(w, (uint16_t)size);
	wr_u16(w, 0);
	wr_u32(w, call_id);
	return true;
}

size_t rpc_pipe_read(struct rpc_pipe *p, uint8_t *out, size_t want, bool *more)
{
	uint32_t n = want < p->first_left ? (uint32_t)want : p->first_left;

	if (n != 0)
		memcpy(out, p->queue + p->head, n);
	p->head += n;
	p->first_left -= n;
	*more = p->first_left != 0;
	if (p->first_left != 0)
		return n;
	if (p->head == p->tail) {
		TALLOC_FREE(p->queue);
		p->head = p->tail = p->queue_cap = 0;
	} else {
		const uint8_t *next = p->queue + p->head;

		p->first_left = (uint32_t)next[8] | (uint32_t)next[9] << 8;
	}
	return n;
}

void rpc_pipe_peek(const struct rpc_pipe *p, size_t *all, size_t *first)
{
	*all = p->tail - p->head;
	*first = p->first_left;
}

/* ---- requests ---- */

static bool pdu_run(struct rpc_pipe *p, const struct rpc_host *host, const struct rpc_pdu *pdu)
{
	switch (pdu->type) {
	case PDU_REQUEST:
		return rpc_request(p, host, pdu);
	case PDU_BIND:
	case PDU_ALTER:
		return rpc_bind(p, host, pdu);
	case PDU_ORPHANED: /* the client lost interest in a request it has not finished */
		if (p->calling && p->call_id == pdu->call_id)
			rpc_call_drop(p);
		return true;
	case PDU_AUTH3:
		return rpc_auth3(p, host, pdu);
	case PDU_CANCEL: /* every call has ended by the time this is read */
		return true;
	default:
		return false;
	}
}

/* Looks at the sixteen bytes of a header.  False: no PDU we could ever read. */
static bool header_read(struct rpc_pipe *p, struct rpc_pdu *pdu, uint32_t *length)
{
	struct ndr_in in = { .r = rd_over(p->pdu, PDU_HEADER) };
	uint8_t major = ndr_rd_u8(&in), minor = ndr_rd_u8(&in), drep;

	pdu->type = ndr_rd_u8(&in);
	pdu->flags = ndr_rd_u8(&in);
	drep = ndr_rd_u8(&in);
	rd_skip(&in.r, 3);
	in.big = drep == DREP_BIG_ASCII;
	*length = ndr_rd_u16(&in);
	pdu->auth_len = ndr_rd_u16(&in);
	pdu->call_id = ndr_rd_u32(&in);
	pdu->body.big = in.big;
	if ((drep != DREP_LITTLE_ASCII && drep != DREP_BIG_ASCII) || *length < PDU_HEADER)
		return false;
	if (major == VERSION_MAJOR && minor <= 1)
		return true;
	if (pdu->type == PDU_BIND)
		rpc_bind_nak(p, pdu->call_id, 4);
	return false;
}

/* Moves bytes from the client into the PDU until it holds `upto` of them. */
static bool gather(struct rpc_pipe *p, struct rd *in, uint32_t upto)
{
	uint32_t n;

	if (p->pdu_have >= upto)
		return true;
	n = min_u32(upto - p->pdu_have, rd_left(in));
	rd_copy(in, p->pdu + p->pdu_have, n);
	p->pdu_have += n;
	return p->pdu_have == upto;
}

/* One PDU out of what came, or as much of it as there is.  False: rubbish. */
static bool pdu_step(struct rpc_pipe *p, const struct rpc_host *host, struct rd *in)
{
	struct rpc_pdu pdu;
	uint32_t length;
	bool ok;

	if (p->pdu == NULL)
		p->pdu = talloc_size(p, PDU_HEADER);
	if (p->pdu == NULL)
		return false;
	if (!gather(p, in, PDU_HEADER))
		return true;
	if (!header_read(p, &pdu, &length))
		return false;
	if (talloc_get_size(p->pdu) < length) {
		uint8_t *grown = talloc_realloc(p, p->pdu, uint8_t, length);

		if (grown == NULL)
			return false;
		p->pdu = grown;
	}
	if (!gather(p, in, length))
		return true;
	pdu.body.r = rd_over(p->pdu, length);
	rd_skip(&pdu.body.r, PDU_HEADER);
	ok = pdu_run(p, host, &pdu);
	TALLOC_FREE(p->pdu);
	p->pdu_have = 0;
	return ok;
}

status_t rpc_pipe_write(struct rpc_pipe *p, const struct rpc_host *host, const uint8_t *data, size_t len)
{
	struct rd in;

	if (len > RPC_MAX_STUB_IN)
		p->broken = true;
	in = rd_over(data, len);
	while (!p->broken && rd_left(&in) != 0) {
		if (!pdu_step(p, host, &in)) {
			log_at(LOG_RPC, 1, "%s: this is no DCE/RPC", p->door->pipe);
			p->broken = true;
		}
	}
	if (p->broken) {
		TALLOC_FREE(p->pdu);
		p->pdu_have = 0;
		rpc_call_drop(p);
		return ST_PIPE_BROKEN;
	}
	return ST_OK;
}
