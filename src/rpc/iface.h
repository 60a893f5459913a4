/* iface.h - an interface is a table: who it is, and one row per operation.
 *
 * An operation is a pure function of the request stub and the host: it may be run again with
 * more room when its answer did not fit. */
#ifndef SMB1D_RPC_IFACE_H
#define SMB1D_RPC_IFACE_H
#include "rpc/ndr.h"
#include "rpc/handle.h"
#include "rpc/rpc.h"

/* Fault statuses.  C706 appendix E, MS-RPCE 2.2.2. */
#define FAULT_ACCESS_DENIED 0x00000005u
#define FAULT_NDR 0x000006F7u             /* the stub cannot be decoded */
#define FAULT_CONTEXT 0x1C00001Au         /* a call before any bind, a handle that is none of ours */
#define FAULT_NO_MEMORY 0x1C00001Bu
#define FAULT_OP_RANGE 0x1C010002u
#define FAULT_UNKNOWN_IF 0x1C010003u      /* a context that was never accepted */
#define FAULT_PROTOCOL 0x1C01000Bu
#define FAULT_REPLY_TOO_BIG 0x1C010013u

/* The Win32 errors the operations answer with. */
#define WERR_OK 0u
#define WERR_ACCESS_DENIED 5u
#define WERR_NOT_ENOUGH_MEMORY 8u
#define WERR_NOT_SUPPORTED 50u
#define WERR_INVALID_NAME 123u
#define WERR_UNKNOWN_LEVEL 124u
#define WERR_MORE_DATA 234u
#define WERR_NET_NAME_NOT_FOUND 2310u

struct rpc_call {
	TALLOC_CTX *mem; /* lives for the call */
	const struct rpc_host *host;
	const char *name; /* of the operation */
	struct ndr_in in; /* request stub */
	struct ndr out;   /* response stub */
	TALLOC_CTX *pipe;                /* lives for the pipe */
	struct rpc_handles *handles;     /* of this pipe */
	const struct rpc_door *door;    /* the pipe itself, for its mgmt interface */
};

/* Says why, and is WERR_ACCESS_DENIED (the fault of that name has the same number). */
static inline uint32_t rpc_denied(const struct rpc_call *c, enum rpc_refusal why)
{
	rpc_refused(c->host, c->name, why);
	return WERR_ACCESS_DENIED;
}

/* 0: the response stub is written.  Else a fault status, and what was written is dropped. */
typedef uint32_t (*rpc_op_fn)(struct rpc_call *c);

struct rpc_op {
	uint16_t num;
	const char *name;
	rpc_op_fn fn;
};

struct rpc_iface {
	const char *name;
	uint8_t uuid[16];    /* as on the wire */
	uint16_t major, minor;
	const struct rpc_op *ops;
	size_t op_count;
};

/* A pipe and what is spoken on it, besides the management interface that is spoken on all. */
#define RPC_DOOR_IFACES 5
struct rpc_door {
	const char *pipe;    /* name without \PIPE\ */
	const char *address; /* the name we tell in a bind: several pipes may be one server */
	const struct rpc_iface *iface[RPC_DOOR_IFACES]; /* NULL at the end */
};

extern const struct rpc_iface srvsvc_iface, wkssvc_iface, lsarpc_iface, dssetup_iface, samr_iface, winreg_iface,
	netlogon_iface, mgmt_iface;
const struct rpc_door *rpc_door_of(const char *name);
/* NULL: nothing of that name and version is spoken there. */
const struct rpc_iface *rpc_door_iface(const struct rpc_door *d, const uint8_t *uuid, uint32_t version);
const struct rpc_op *rpc_iface_op(const struct rpc_iface *i, uint16_t num);
const struct rpc_iface *rpc_iface_at(size_t i); /* each once; NULL behind the last */

/* operations of srvsvc on shares (srvsvc_share.c) */
uint32_t srvsvc_share_enum(struct rpc_call *c);
uint32_t srvsvc_share_enum_sticky(struct rpc_call *c);
uint32_t srvsvc_share_get_info(struct rpc_call *c);
uint32_t srvsvc_share_check(struct rpc_call *c);
/* for administrators (srvsvc_admin.c) */
uint32_t srvsvc_connection_enum(struct rpc_call *c);
uint32_t srvsvc_file_enum(struct rpc_call *c);
uint32_t srvsvc_file_get_info(struct rpc_call *c);
uint32_t srvsvc_session_enum(struct rpc_call *c);
uint32_t srvsvc_refuse(struct rpc_call *c);
uint32_t srvsvc_refuse_set(struct rpc_call *c);
#endif
