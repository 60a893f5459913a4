/* conn.h - the living objects of one client: connection, sessions, trees.
 *
 *   conn ──┬── session (UID) ── who logged in; before that, a login between its legs ("talk")
 *          └── tree (TID) ───── a connected share; open files and searches hang below it
 *
 * One process serves one connection, so nothing here is shared or locked.  Before login the
 * same objects live in the porch process, which has no trees and no files; on success the state
 * is packed (conn_pack), the socket passed on, and the worker goes on with the very frame that
 * brought the proof. */
#ifndef SMB1D_SRV_CONN_H
#define SMB1D_SRV_CONN_H
#include "auth/auth.h"
#include "base/idtab.h"
#include "conf/conf.h"
#include "db/damage.h"
#include "fastio/fastio.h"
#include "fs/fs.h"
#include "wire/wire.h"

enum dialect { DIALECT_NONE, DIALECT_CORE, DIALECT_COREPLUS, DIALECT_LANMAN1, DIALECT_LANMAN2, DIALECT_LANMAN21, DIALECT_NT1 };

#define CAP_RAW_MODE 0x00000001u
#define CAP_UNICODE 0x00000004u
#define CAP_LARGE_FILES 0x00000008u
#define CAP_NT_SMBS 0x00000010u
#define CAP_RPC_REMOTE_APIS 0x00000020u
#define CAP_STATUS32 0x00000040u
#define CAP_LEVEL_II_OPLOCKS 0x00000080u
#define CAP_LOCK_AND_READ 0x00000100u
#define CAP_NT_FIND 0x00000200u
#define CAP_DFS 0x00001000u
#define CAP_INFOLEVEL_PASSTHRU 0x00002000u
#define CAP_LARGE_READX 0x00004000u
#define CAP_LARGE_WRITEX 0x00008000u
#define CAP_UNIX 0x00800000u
#define CAP_EXTENDED_SECURITY 0x80000000u

struct spool_order;
struct srv_command;
struct req;
struct tree_exec;

/* The watcher process, for change notify; add is NULL where there is none. */
struct watch_host {
	/* Changes in this folder (a readable descriptor; it stays the caller's) of these kinds (FS_WHAT_*) come by
	 * notify_local_event(id) from now on.  False: there is no watcher now; notify_local_again() will be called. */
	bool (*add)(void *arg, uint64_t id, int fd, uint32_t filter);
	void (*del)(void *arg, uint64_t id);
	void *arg;
};

/* What the process that holds the connection gives to srv: the keeper's door and the rest of the
 * outside world.  Filled by proc; by tests with whatever they like. */
struct srv_host {
	/* Asks the keeper (a short question and answer on a socket).  Never NULL but when the keeper is gone:
	 * then the connection must end. */
	struct auth_verdict *(*ask)(void *arg, TALLOC_CTX *mem, const struct auth_question *q);
	/* The identity of a Unix account, for `force user` and `guest account`; NULL: unknown. */
	struct ident *(*ident_of)(void *arg, TALLOC_CTX *mem, const char *unix_user);
	/* The Unix group takes the place of id's own, for `force group`; false: unknown. */
	bool (*group_of)(void *arg, const char *unix_group, struct ident *id);
	/* A print job is complete (srv/spool.h).  NULL: nobody prints. */
	void (*print)(void *arg, const struct spool_order *order);
	/* Starts a command of the configuration (srv/exec.h): a descriptor that tells its end, to be closed; -1 not started.
	 * NULL: none are run. */
	int (*command)(void *arg, const struct srv_command *c);
	/* Its exit status when it has ended within `ms`, SRV_RUNNING, or SRV_UNKNOWN; once only.  What it wrote goes to `answer`,
	 * SRV_ANSWER_MAX bytes with the NUL; NULL: nobody reads it. */
	int (*command_end)(int fd, int ms, char *answer);
	void *arg;
	bool porch;              /* before login: SESSION_SETUP that succeeds asks for a hand-over */
	status_t refuse;          /* porch: if not ST_OK the answer to all requests: the client cannot go on */
	struct db *db;           /* NULL in the porch */
	struct msg_box *box;     /* messages of other workers; NULL in the porch, and where nobody sends any */
	uint8_t challenge[8];    /* the keeper's for this connection */
	uint16_t port;           /* of ours; 0 not known */
	int lease_signal;        /* on it lease_look() is called (srv/lease.h); 0: nobody listens */
	struct watch_host watch;
};

struct sign_state {
	bool active;             /* every message is checked and signed */
	bool first_seen;         /* a signature of the client was right */
	uint32_t next_seq;       /* of the next request */
	uint8_t *key;
	uint32_t key_len;
};

struct session {
	struct conn *c;
	uint16_t uid;            /* SMB UID */
	bool ready;              /* logged in; else only a talk */
	struct auth_talk *talk;  /* NTLMSSP exchange between its legs, or NULL */
	uint8_t *blob;           /* pieces of a blob longer than a message */
	size_t blob_len;
	struct ident *id;
	const char *account, *domain;
	bool guest, anonymous;
	uint64_t since;          /* NT time of the login */
	uint8_t session_key[16];
};

/* What one session may do in one tree: worked out once, at first use. */
struct tree_user {
	struct tree_user *next;
	uint16_t uid;
	status_t status;         /* ST_OK, or why this user may not use the tree */
	struct ident *id;        /* force user, guest only, admin users applied */
	bool may_write;
};

struct tree {
	struct conn *c;
	uint16_t tid;
	const struct conf_share *share; /* the connection's configuration owns it */
	const char *share_name;  /* as it is called by this client: the user's name for [homes] */
	const char *root;        /* `path` with macros expanded; "" for IPC$ */
	struct fs_share *fs;     /* NULL for IPC$ */
	bool ipc, printer, homes;
	bool ordinary;           /* a disk, and its requests may come as they are: nothing to look at (tree_settle) */
	bool told;               /* the log has said why its requests are refused */
	bool posix;              /* its client has asked for POSIX names: only '/' separates, case counts, nothing is mangled */
	struct tree_user *users;
	struct session *own;     /* share level: who came in with the password of this connect; ends with it */
	uint32_t nopen;
	struct disk_word *disk;  /* what `dfree command` said (srv/disk.c), or NULL */
	struct tree_exec *exec;  /* what `postexec` needs (srv/exec.c), or NULL */
	unsigned audit;          /* `smb1d: audit` as bits (srv/audit.h) */
};

struct crypt;
struct crypt_setup;
struct parked;
struct raw_write;
struct write_group;
struct transaction;
struct unsent;
struct neighbourhood;
struct msg_box;

/* Users and trees one connection may have. */
#define CONN_USERS 1024u
#define CONN_TREES 1024u

struct conn {
	struct fastio *io;
	struct conf *conf;       /* replaced whole on reload; trees are moved over by name */
	const struct srv_host *host;

	/* who and where */
	const char *client_addr, *server_addr; /* printable, without port */
	uint32_t client_key;     /* the client's address as a number (srv/neighbour.h) */
	uint64_t began;          /* clock_ms() */
	bool nbt;                /* a NetBIOS session request came: 17-bit lengths, keepalives allowed */
	struct wire_nbt_name called, calling;
	const char *arch;        /* %a, guessed: "Unknown", "WinNT", "Samba", ... */

	/* agreed on */
	bool negotiated;
	enum dialect dialect;
	const char *dialect_name;
	uint32_t caps;           /* server capabilities announced */
	uint32_t client_caps;    /* from SESSION_SETUP */
	bool ext_sec;            /* SPNEGO login agreed on */
	bool plaintext;          /* no challenge was sent */
	bool share_level;        /* a password per tree; also all clients of the core protocol */
	bool unix_asked;         /* SET_FS_INFO asked for the UNIX extensions, in any tree */
	const char *last_user;   /* share level: name in the last SESSION_SETUP, or NULL */
	uint32_t client_max;     /* largest reply the client takes, bytes of SMB */
	uint32_t server_max;     /* MaxBufferSize announced */
	bool large;              /* reads and writes far beyond 64 KiB may come: UNIX extensions, no NetBIOS */
	uint32_t session_key;    /* the useless one of NEGOTIATE */
	int zone;                /* minutes west, fixed at negotiate */
	struct sign_state sign;
	struct crypt *crypt;     /* every frame is sealed (srv/crypt.c); NULL: none is */
	struct crypt_setup *crypt_setup; /* what was said about it; NULL: nothing */

	/* objects */
	bool logged_off;         /* somebody was logged in and is not any more */
	struct idtab *sessions;  /* struct session, by UID */
	struct idtab *trees;
	struct idtab *opens;     /* struct open */
	struct idtab *searches;  /* struct search */
	uint16_t core_sid[256];  /* SEARCH and FIND: search ids by the byte in their resume keys; 0 none */
	uint8_t core_next;       /* byte tried first for the next one */
	uint8_t core_turn;       /* counts them */
	struct parked *parked;   /* requests that wait */
	uint32_t breaking;       /* open files with an oplock break under way */
	uint32_t leases;         /* open files with a lease of the kernel (srv/lease.c) */
	uint64_t lease_look;     /* clock_ms() of the next look at them */
	bool tick_due;           /* cmd_tick() before the next request: change notify has an answer, encryption comes up */
	struct notify_out *notify_out;   /* change notify: messages of that kind (srv/notify.c) */
	struct notify_told *notify_told; /* and what was told lately (srv/notify_twice.c) */
	uint32_t posix_locks;    /* open files through which advisory locks were taken (srv/posix_lock.c) */
	struct unsent *unsent;   /* messages to workers whose queue was full (srv/message.c) */
	struct neighbourhood *hood; /* other connections of this client (srv/neighbour.c) */
	bool raw_busy;           /* a raw transfer is under way: nothing else may be sent */
	uint8_t next_cmd;        /* of the request behind the current one; 0xff: not here yet, 0xfe: a chain, or sealed */
	struct write_group *group; /* write-through writes that wait for the disk together (cmd/write_group.h) */
	struct raw_write *raw;   /* WRITE_RAW: the next frame is its data; nothing else is answered before */
	struct write_direct *direct; /* a long write whose data go to its file as they come (cmd/write_direct.h) */
	struct transaction *transactions; /* waiting for their secondaries */
	uint64_t next_open_id;

	/* buffers */
	uint8_t *out;            /* reply under construction: 4 bytes frame head, then SMB */
	size_t out_cap;
	TALLOC_CTX *arena;       /* per-request memory, emptied after each reply */

	/* state */
	bool handover;           /* porch: the current frame proved somebody; stop and pass on */
	uint8_t *before;         /* porch: packed state from before the current frame */
	size_t before_len;
	bool ending;             /* everything is being closed because the client is gone */
	const char *dead;        /* why the connection must end, or NULL */
	uint16_t acting;         /* UID of the request being worked on, for the audit log */
	uint64_t last_request;   /* clock_ms() */
	uint64_t requests;
};

/* What the configuration says about a client's socket. */
void conn_tuning(const struct conf *conf, struct fastio_tuning *t);
/* As conn_tuning(), with what this client may send. */
void conn_tuning_of(const struct conn *c, struct fastio_tuning *t);
/* This client may send long frames from now on, if the transport has room for their length. */
void conn_large(struct conn *c);
/* Takes over io; copies the addresses. */
struct conn *conn_new(TALLOC_CTX *mem, const struct srv_host *host, struct conf *conf, struct fastio *io,
		      const char *client_addr, const char *server_addr);
/* Closes every file, tree and session, then the socket. */
void conn_free(struct conn **c);
/* The connection ends after the current request; logged once with the reason at level 1. */
void conn_kill(struct conn *c, const char *fmt, ...) __attribute__((cold, format(printf, 2, 3)));
/* The same for what somebody can do something about: why_refused() (conf/why.h) with the sentence. */
struct why;
void conn_refuse(struct conn *c, const struct why *w, const char *fmt, ...) __attribute__((cold, format(printf, 3, 4)));
/* Hand-over from the porch to the worker: the pre-login state as it was before the current frame, and every
 * byte received and not yet answered, that frame included, as one flat record; and back, into a fresh conn
 * whose receive buffer is then filled with these bytes.  False if malformed. */
uint8_t *conn_handover(TALLOC_CTX *mem, struct conn *c, size_t *len);
bool conn_takeover(struct conn *c, const uint8_t *p, size_t len);
/* cmd calls it in the porch before a frame that may end in a hand-over. */
void conn_remember(struct conn *c);
/* A new configuration (c owns it from now on).  Trees whose share is gone are disconnected. */
void conn_reload(struct conn *c, struct conf *conf);
/* Is anything under way that does not wait for the client's next request, so that cmd_tick() has to look? */
static inline bool conn_busy(const struct conn *c)
{
	return c->parked || c->tick_due || c->breaking || c->notify_out || c->leases || c->hood || c->unsent || c->raw || c->direct;
}
/* Oplock breaks and messages that are due.  The clock_ms() at which it wants to be called again, UINT64_MAX never. */
uint64_t conn_timers(struct conn *c);
/* Nothing has happened for a while: gives memory back; `forget`: also what it remembers of folders. */
void conn_idle(struct conn *c, bool forget);
/* Closes all trees of a share (by its configured name), as `smb1ctl close-share` asks.  May end a Linux client's
 * connection (c->dead): see end_tree(). */
void conn_close_share(struct conn *c, const char *name);
/* The database of this kind is a new one: what we had in it is put in again, as far as that can be known. */
void conn_put_again(struct conn *c, enum db_which which);
/* For %-macros; strings live as long as the connection's objects. */
void conn_macros(const struct conn *c, const struct session *s, const struct tree *t, struct conf_macros *m);
/* Sets the log's "who" for the objects in use. */
void conn_log_who(const struct conn *c, const struct session *s, const struct tree *t);

/* ---- sessions (srv/session.c) ---- */
struct session *session_new(struct conn *c); /* not ready; NULL when UIDs or memory are out */
void session_login(struct session *s, struct auth_verdict *v); /* ready from now on; steals the identity */
struct session *session_find(const struct conn *c, uint16_t uid);    /* ready ones */
struct session *session_talking(const struct conn *c, uint16_t uid); /* with a talk under way */
/* How we call ourselves in NTLMSSP, and the keeper's challenge. */
void session_server(const struct conn *c, struct auth_talk_server *who);
/* The keeper's no, told to the log and to `smb1ctl why`. */
void session_refused(const struct conn *c, const char *user, const struct auth_verdict *v);
void session_put_again(const struct session *s);  /* into the database of sessions */
void session_free(struct session **s); /* its files are closed first; trees stay */

/* ---- trees (srv/tree.c) ---- */
void tree_put_again(struct tree *t); /* into the database of trees */
/* Checks and connects.  `service` as sent ("A:", "?????"...).  Every refusal is logged with its rule.  ST_PENDING: q was parked
 * and the same call is to be made again; q NULL: for the moment of a question (srv/exec.h). */
status_t tree_connect(struct conn *c, struct req *q, struct session *s, const char *share, const char *service,
		      struct tree **out);
/* Told to the log and to `smb1ctl why`; share: the section that is not available, or NULL. */
void tree_no_share(const struct conn *c, const struct conf_share *share, const char *user, const char *name);
struct tree *tree_find(const struct conn *c, uint16_t tid);
void tree_free(struct tree **t); /* closes its files and searches */
const char *tree_service(const struct tree *t); /* "A:", "IPC", "LPT1:" */
/* The user's rights in this tree; made at first use.  Never NULL but out of memory. */
struct tree_user *tree_user(struct tree *t, struct session *s);
void tree_forget_users(struct tree *t);
/* Do the share's lists keep this user out?  Says why, each time it is asked. */
bool tree_kept_out(struct tree *t, struct session *s);
/* After anything that `ordinary` depends on: its configuration, the encryption of the connection. */
void tree_settle(struct tree *t);
/* May this user see the share in lists? */
bool tree_visible(const struct conn *c, const struct session *s, const struct conf_share *share);

/* The word a client of a very old dialect has for this error (srv/old_errors.c). */
status_t old_error(const struct conn *c, status_t st);

/* ---- share level (srv/share_level.c) ---- */
struct tree_password { const uint8_t *p; uint32_t len; }; /* a response or, if c->plaintext, the text itself */
/* Who opens this share with this password?  In the porch *out stays NULL and c->handover is set; in the worker it is
 * a fresh session, to be kept in the tree's `own` or freed.  ST_WRONG_PASSWORD, ST_BAD_NETWORK_NAME. */
status_t share_level_login(struct conn *c, TALLOC_CTX *mem, const char *share, const struct tree_password *pw,
			   struct session **out);
/* Whose requests these are, whatever UID the client sends: the tree's own session; without a tree any. */
struct session *share_level_session(const struct conn *c, const struct tree *t);

/* ---- signing (srv/sign.c) ---- */
void sign_start(struct conn *c, const uint8_t *key, size_t len); /* the current request is number 0 */
/* `server signing = mandatory`, and this client cannot: told to the log and to `smb1ctl why`. */
void sign_refused(const struct conn *c, const char *what, const char *user);
/* Checks an incoming message; false: the connection must end. */
bool sign_check(struct conn *c, const uint8_t *msg, size_t len, const struct smb_hdr *h, uint32_t seq);
#endif
