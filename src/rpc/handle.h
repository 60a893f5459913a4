/* handle.h - context handles: what a client has opened on one pipe (a policy, a domain, a key).
 *
 * On the wire u32 0 and a GUID.  They belong to the pipe, die with it and mean nothing on another
 * one.  Ours hold no resource but their row of the table. */
#ifndef SMB1D_RPC_HANDLE_H
#define SMB1D_RPC_HANDLE_H
#include "rpc/ndr.h"

#define RPC_HANDLES 256u /* at once on a pipe */
#define RPC_HANDLE_LEN 20u

enum rpc_handle_kind {
	HANDLE_FREE, HANDLE_POLICY, HANDLE_SAM, HANDLE_DOMAIN, HANDLE_USER, HANDLE_KEY,
};

struct rpc_handle {
	enum rpc_handle_kind kind;
	uint8_t id[16];
	uint32_t access; /* as asked for */
	uint32_t what;   /* domain: 0 ours, 1 Builtin; user: rid; key: its number */
};

struct rpc_handles {
	struct rpc_handle *row; /* talloc, grows; NULL with count 0 */
	uint32_t count;
};

/* Makes one and writes it.  False: too many (zeros are written then). */
bool rpc_handle_open(TALLOC_CTX *mem, struct rpc_handles *t, struct ndr *out, enum rpc_handle_kind kind,
		     uint32_t access, uint32_t what);
/* The twenty bytes of an error reply or of a closed handle. */
void rpc_handle_null(struct ndr *out);
/* Reads one.  NULL: it is no handle of this kind on this pipe (HANDLE_FREE: of any kind). */
struct rpc_handle *rpc_handle_read(struct rpc_handles *t, struct ndr_in *in, enum rpc_handle_kind kind);
void rpc_handle_close(struct rpc_handle *h);
#endif
