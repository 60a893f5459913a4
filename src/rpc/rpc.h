/* rpc.h - what old clients ask through IPC$: RAP on \PIPE\LANMAN and DCE/RPC on named pipes.
 *
 * Pure functions of bytes and a "host" that tells what may be shown to this user; the room
 * touches no file and no socket.  MS-RAP, C706/MS-RPCE, MS-SRVS, MS-WKST, MS-LSAT, MS-SAMR. */
#ifndef SMB1D_RPC_RPC_H
#define SMB1D_RPC_RPC_H
#include "base/cursor.h"
#include "base/row.h"
#include "base/seal.h"
#include "base/status.h"
#include <talloc.h>

struct rpc_share_info {
	const char *name, *comment, *path; /* path as shown to clients: "C:\\data" */
	uint32_t type;                     /* 0 disk, 1 printer, 3 IPC; 0x80000000 added for hidden ones */
	uint32_t max_uses, current_uses;   /* 0xffffffff = no limit */
};

/* A user or group of the machine; no NULLs. */
struct rpc_account {
	const char *name, *full_name;
	uint32_t id; /* uid or gid */
	bool group;
};

struct rpc_session_info {
	const char *client, *user;
	uint32_t opens, seconds, idle; /* files open; age and idle time */
	bool guest;
};
struct rpc_file_info {
	const char *path, *user;
	uint32_t id, access, locks; /* access: 1 read, 2 write, 4 create */
};
struct rpc_tree_info {
	const char *share, *client, *user;
	uint32_t id, type, opens, seconds;
};
struct rpc_job_info {
	const char *user, *title;
	uint16_t id;
	uint32_t bytes;
	uint64_t submitted; /* NT time */
	bool spooling;      /* the client has not finished it */
};

/* What a login inside a pipe came to. */
struct rpc_login_answer {
	uint8_t *reply;      /* the token for the client, child of mem; reply_len may be 0 */
	size_t reply_len;
	/* on ST_OK */
	struct seal seal;    /* for what follows */
	const char *user;    /* child of mem */
	bool user_known;     /* not guest or anonymous */
};

/* Why a call was refused.  Which setting that was knows the host. */
enum rpc_refusal {
	RPC_FOR_ADMINS,  /* may_administer is needed */
	RPC_FOR_USERS,   /* user_known is needed */
	RPC_FOR_ITSELF,  /* about others nobody is told */
	RPC_FOR_NOBODY,  /* nothing is changed or stopped from outside */
	RPC_NO_DOMAIN,   /* of a domain controller */
	RPC_NO_LOGIN,    /* a kind of login inside a pipe that we do not know */
	RPC_WEAK_LOGIN,  /* one whose keys are too weak to sign with */
	RPC_NO_PROOF,    /* a request that is not signed as agreed, or before the login is over */
};

/* Answers come from the connection that asks; all strings UTF-8, valid during the call. */
struct rpc_host {
	const char *server_name, *domain, *comment, *user, *client_name;
	uint32_t server_type;      /* SV_TYPE_* bits we announce */
	uint8_t major, minor;      /* version we claim: 6, 1 unless configured */
	int zone;                  /* minutes west of UTC */
	bool may_administer;       /* sessions, files, connections may be listed */
	bool user_known;           /* not guest or anonymous */
	/* i-th share this user may see in lists, false at the end */
	bool (*share)(void *arg, size_t i, struct rpc_share_info *out);
	/* one share by name, blind to case, listed or not */
	bool (*share_by_name)(void *arg, const char *name, struct rpc_share_info *out);
	/* The rest may be NULL: there is nothing to tell.  A user, or else a group, of that name (no domain) */
	bool (*account_by_name)(void *arg, const char *name, struct rpc_account *out);
	bool (*account_by_id)(void *arg, bool group, uint32_t id, struct rpc_account *out);
	/* the i-th user to be shown in lists, by uid ascending */
	bool (*account)(void *arg, size_t i, struct rpc_account *out);
	/* lists for administrators; of the sessions others may see their own */
	bool (*session)(void *arg, size_t i, struct rpc_session_info *out);
	bool (*file)(void *arg, size_t i, struct rpc_file_info *out);
	bool (*tree)(void *arg, size_t i, struct rpc_tree_info *out);
	/* the i-th job of a printer share */
	bool (*job)(void *arg, const char *printer, size_t i, struct rpc_job_info *out);
	/* One leg of an NTLMSSP or SPNEGO login inside a pipe.  *state starts as NULL and is a child of mem.
	 * ST_MORE_PROCESSING_REQUIRED: another leg follows; ST_OK: the keeper said yes.  NULL: no such logins. */
	status_t (*login)(void *arg, TALLOC_CTX *mem, void **state, const uint8_t *token, size_t len,
			  struct rpc_login_answer *out);
	/* Told of each call that is refused, as who it was made: for the log.  May be NULL. */
	void (*refused)(void *arg, const char *user, const char *call, enum rpc_refusal why);
	void *arg;
};
static inline void rpc_refused(const struct rpc_host *h, const char *call, enum rpc_refusal why)
{
	if (h->refused)
		h->refused(h->arg, h->user, call, why);
}

/* ---- DCE/RPC on one open pipe ---- */
struct rpc_pipe;
/* The base name without \PIPE\, blind to case.  NULL if we serve no such pipe. */
struct rpc_pipe *rpc_pipe_open(TALLOC_CTX *mem, const char *name);
const char *rpc_pipe_name(const struct rpc_pipe *p);
bool rpc_pipe_exists(const char *name);
/* Bytes the client wrote, in any pieces.  Complete PDUs are executed and their reply PDUs queued.
 * ST_PIPE_BROKEN after rubbish; memory per pipe is bounded (1 MiB in, 4 MiB out). */
status_t rpc_pipe_write(struct rpc_pipe *p, const struct rpc_host *host, const uint8_t *data, size_t len);
/* Takes up to want bytes of the *first* queued reply fragment (message mode: never two in one read).
 * *more: bytes of that fragment are left.  0 bytes when nothing is queued. */
size_t rpc_pipe_read(struct rpc_pipe *p, uint8_t *out, size_t want, bool *more);
/* Bytes waiting in all and in the first message (PeekNmPipe). */
void rpc_pipe_peek(const struct rpc_pipe *p, size_t *all, size_t *first);

/* The three numbers of the machine's SID, S-1-5-21-x-y-z, always the same for a name (blind to case).  lsarpc
 * and samr name users as its rid 1000 + 2 * uid, groups as 1001 + 2 * gid. */
void rpc_machine_sid(const char *server_name, uint32_t sub[3]);

/* ---- RAP ---- */
/* One call: parameter bytes in, parameter and data bytes out within the given limits (capacities
 * of out_p and out_d are the client's MaxParameterCount and MaxDataCount).  The RAP status is in
 * the reply parameters; pointers in the data count from where out_d stood (converter 0).
 * ST_OK, or ST_INVALID_PARAMETER for what is no RAP at all. */
status_t rpc_rap_call(const struct rpc_host *host, struct rd params, struct rd data, struct wr *out_p,
		      struct wr *out_d);
bool rpc_rap_at(size_t i, struct table_row *out); /* table_row_fn */
#endif
