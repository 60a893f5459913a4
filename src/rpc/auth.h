/* auth.h - authenticated DCE/RPC: the trailer of a PDU, the login in bind, alter_context and auth3, and the
 * protection of requests and responses.  MS-RPCE 2.2.2.11, 3.3.1.5.2.
 *
 *   none --bind with a token--> talking --alter_context or auth3--> done, protected as the level says
 *                                  \--> refused: no calls any more */
#ifndef SMB1D_RPC_AUTH_H
#define SMB1D_RPC_AUTH_H
#include "base/seal.h"
#include "rpc/ndr.h"
#include "rpc/rpc.h"

#define RPC_TRAILER 8u /* type, level, pad length, 0, context id u32; then the token */
#define RPC_AUTH_MAX_REPLY 4096u

enum rpc_auth_state { RPC_AUTH_NONE, RPC_AUTH_TALKING, RPC_AUTH_DONE, RPC_AUTH_REFUSED };

struct rpc_trailer {
	uint8_t type, level, pad;
	uint32_t context;
	uint32_t at;          /* its offset in the PDU */
	const uint8_t *token; /* NULL: the PDU has no trailer */
	uint16_t len;
};

struct rpc_auth {
	enum rpc_auth_state state;
	uint8_t type, level;
	uint32_t context;
	bool whole;           /* headers are signed too */
	void *talk;           /* of the host, while talking */
	struct seal seal;
	const char *user;     /* who this turned out to be */
	bool user_known;
};

/* Takes the trailer off the end of the body.  False: malformed. */
bool rpc_trailer_take(struct ndr_in *body, uint16_t auth_len, struct rpc_trailer *t);
/* One leg.  False: refused.  The reply (child of mem) goes into rpc_trailer_put(). */
bool rpc_auth_leg(struct rpc_auth *a, TALLOC_CTX *mem, const struct rpc_host *host, const struct rpc_trailer *t,
		  uint8_t **reply, size_t *reply_len);
void rpc_trailer_put(struct wr *w, const struct rpc_auth *a, uint8_t pad, const uint8_t *token, size_t len);

/* Are requests and responses protected? */
bool rpc_auth_protects(const struct rpc_auth *a);
/* Checks (and decrypts) the request in `pdu`, whose stub is the window r.  0 or a fault. */
uint32_t rpc_auth_check(struct rpc_auth *a, uint8_t *pdu, struct rd *r, const struct rpc_trailer *t);
/* Signs (and encrypts) a response: stub bytes [from, upto) are written; writes the padding and the trailer. */
void rpc_auth_protect(struct rpc_auth *a, struct wr *w, uint32_t from);
/* Room a fragment needs for its padding and trailer. */
#define RPC_AUTH_ROOM (RPC_TRAILER + SEAL_SIGNATURE + 15u)
#endif
