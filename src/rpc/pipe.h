/* pipe.h - one open pipe, as its three files see it: pipe.c (bytes in, replies out), bind.c
 * (which interfaces the client may talk to), call.c (one request).
 *
 *   fresh --bind--> bound --bind, alter_context, request...--> bound
 *     any --rubbish, or replies nobody fetches--> broken (queued replies can still be read) */
#ifndef SMB1D_RPC_PIPE_H
#define SMB1D_RPC_PIPE_H
#include "rpc/auth.h"
#include "rpc/iface.h"

/* Bounds of one pipe: a PDU being received and a request being put together; a reply being
 * written and the replies waiting. */
#define RPC_MAX_PDU 65535u
#define RPC_MAX_STUB_IN ((1u << 20) - RPC_MAX_PDU)
#define RPC_MAX_STUB_OUT (3u << 19)
#define RPC_MAX_QUEUE (5u << 19)
#define RPC_MAX_CONTEXTS 32u

/* What we offer as largest fragment, and the least we believe a client. */
#define RPC_FRAGMENT 4280u
#define RPC_FRAGMENT_MIN 1024u

#define PDU_HEADER 16u
enum {
	PDU_REQUEST = 0, PDU_RESPONSE = 2, PDU_FAULT = 3, PDU_BIND = 11, PDU_BIND_ACK = 12, PDU_BIND_NAK = 13,
	PDU_ALTER = 14, PDU_ALTER_RESP = 15, PDU_AUTH3 = 16, PDU_SHUTDOWN = 17, PDU_CANCEL = 18,
	PDU_ORPHANED = 19,
};
enum { PFC_FIRST = 0x01, PFC_LAST = 0x02, PFC_SIGN_HEADERS = 0x04, PFC_DID_NOT_EXECUTE = 0x20, PFC_OBJECT = 0x80 };

struct rpc_pdu {
	uint8_t type, flags;
	uint16_t auth_len;
	uint32_t call_id;
	struct ndr_in body; /* after the header; offsets count from the header */
};

struct rpc_context {
	uint16_t id;
	const struct rpc_iface *iface; /* NULL: refused */
};

struct rpc_pipe {
	const struct rpc_door *door;
	struct rpc_handles handles;
	struct rpc_auth auth;
	bool broken, bound;
	uint16_t fragment; /* largest reply fragment */
	struct rpc_context context[RPC_MAX_CONTEXTS];
	size_t contexts;

	uint8_t *pdu; /* the PDU being received */
	uint32_t pdu_have;

	bool calling; /* a request in several fragments is on its way */
	uint32_t call_id;
	uint16_t call_context, call_op;
	bool call_big; /* its numbers have the high byte first */
	uint8_t *stub;
	uint32_t stub_len, stub_cap;

	/* Whole reply PDUs, one behind the other; each tells its length itself. */
	uint8_t *queue;
	uint32_t head, tail, queue_cap;
	uint32_t first_left; /* bytes of the first one not yet read */
};

/* Room for one reply PDU of `size` bytes, its header already written, in a cursor whose offsets
 * count from that header.  The caller fills it to the last byte.  False: the pipe is broken now. */
bool rpc_pipe_reply(struct rpc_pipe *p, uint8_t type, uint8_t flags, uint32_t call_id, uint32_t size,
		    struct wr *w);

/* Each takes one PDU.  False: rubbish, the pipe is to be broken. */
bool rpc_bind(struct rpc_pipe *p, const struct rpc_host *host, const struct rpc_pdu *pdu);
/* The last leg of a login; never answered. */
bool rpc_auth3(struct rpc_pipe *p, const struct rpc_host *host, const struct rpc_pdu *pdu);
bool rpc_request(struct rpc_pipe *p, const struct rpc_host *host, const struct rpc_pdu *pdu);
void rpc_call_drop(struct rpc_pipe *p);

/* A fault as Windows and others lay it out: 32 bytes, "did not execute". */
bool rpc_fault(struct rpc_pipe *p, uint32_t call_id, uint16_t context, uint32_t status);
/* The refusal of a bind.  Reasons: 0 none given, 2 local limit, 4 version, 8 authentication. */
bool rpc_bind_nak(struct rpc_pipe *p, uint32_t call_id, uint16_t reason);
#endif
