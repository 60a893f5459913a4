/* inner.h - what the files of the proc room share. */
#ifndef SMB1D_PROC_INNER_H
#define SMB1D_PROC_INNER_H
#include "base/cursor.h"
#include "base/log.h"
#include "base/str.h"
#include "base/util.h"
#include "proc/proc.h"
#include "srv/conn.h"
#include "proc/loop.h"
#include <event2/event.h>
#include <limits.h>
#include <netinet/in.h>
#include <sys/socket.h>

#define ADDR_TEXT 64      /* a printable address with its scope */
#define HANDOVER_MAX (1u << 20) /* bytes of a porch's record */

/* ---- msg.c: messages with descriptors on SOCK_SEQPACKET pairs ---- */
#define MSG_FDS 5         /* most descriptors in one message */
struct msg {
	uint8_t *p;       /* talloc */
	size_t len;
	int fd[MSG_FDS];  /* close-on-exec, MSG_NO_FDS at first; msg_drop() closes those that are not -1 */
	unsigned nfds;
};
#define MSG_NO_FDS { -1, -1, -1, -1, -1 }
enum msg_event { MSG_GOT, MSG_NONE, MSG_CLOSED, MSG_BAD };
bool msg_pair(int sv[2]); /* blocking, close-on-exec, buffers large enough for a verdict */
/* One whole message; `wait`: may block.  False if it cannot be sent (now). */
bool msg_send(int fd, const void *p, size_t len, const int *fds, unsigned nfds, bool wait);
/* MSG_NONE: nothing there.  On MSG_GOT m->p is a talloc child of mem.  MSG_BAD: one message was taken and
 * lost, for want of memory or descriptors or because it broke the rules. */
enum msg_event msg_recv(TALLOC_CTX *mem, int fd, struct msg *m);
void msg_drop(struct msg *m);
/* Takes descriptor i out of the message: the caller's from now on; -1 if there is none. */
int msg_take_fd(struct msg *m, unsigned i);
/* Bytes in a file without a name; -1 on failure. */
int msg_memfd(const void *p, size_t len, bool sealed);
/* All of it (talloc), NULL if it is longer than max. */
uint8_t *msg_memfd_read(TALLOC_CTX *mem, int fd, size_t max, size_t *len);
/* Text in records: u16 length, bytes.  Longer than 4096: cut.  NULL from get: malformed or out of memory. */
void msg_put_str(struct wr *w, const char *s);
char *msg_get_str(TALLOC_CTX *mem, struct rd *r);

/* ---- the words of each conversation: first byte of every message ---- */
enum door_word { DOOR_ASK = 1, DOOR_IDENT, DOOR_HANDOFF, DOOR_GROUP, DOOR_WHY, DOOR_ANSWER = 0x80 };
enum keeper_word { KEEPER_CLIENT = 1, KEEPER_CONF, KEEPER_DEBUG, KEEPER_STOP, KEEPER_SPAWN = 0x81,
		   KEEPER_READY, KEEPER_FAILED, KEEPER_WHY };
enum worker_word { WORKER_CONF = 1, WORKER_DEBUG, WORKER_CLOSE_SHARE, WORKER_KILL, WORKER_STATUS, WORKER_DOOR,
		   WORKER_REJOIN, WORKER_AUDIT, WORKER_HELLO = 0x81, WORKER_COUNTS, WORKER_PRINT, WORKER_WATCH, WORKER_WHY, WORKER_SUSPECTS,
		   WORKER_BROKER, WORKER_RUN, WORKER_ADOPTED };
enum watcher_word { WATCHER_DOOR = 1, WATCHER_DEBUG };               /* listener to watcher */
enum watch_word { WATCH_ADD = 1, WATCH_DEL, WATCH_SAW = 0x81, WATCH_LOST }; /* worker and watcher */

/* ---- sockets.c ---- */
#define LISTEN_MAX 64
struct listen_set { int fd[LISTEN_MAX]; struct event *ev[LISTEN_MAX]; unsigned n; };
/* Sockets handed over by systemd; call before anything else opens descriptors.  Their number. */
unsigned sockets_from_service_manager(struct listen_set *s);
/* As `interfaces`, `bind interfaces only` and the ports say.  False with a sentence in *why (static). */
bool sockets_open(struct listen_set *s, const struct conf *c, const char *ports, const char **why);
/* Is this address of a device meant by an item of `interfaces`? */
bool sockets_item_matches(const char *item, const char *device, const struct sockaddr *sa);
/* The item is one plain address (no network): filled in.  Port 0. */
bool sockets_item_address(const char *item, struct sockaddr_storage *ss, socklen_t *len);
/* Printable address without port; v4-mapped ones as IPv4. */
void sockets_name(const struct sockaddr_storage *ss, char out[ADDR_TEXT]);
uint16_t sockets_port(const struct sockaddr_storage *ss); /* 0: it has none */
/* What counts as one address for limits: an IPv4 address, or the /64 of an IPv6 one. */
void sockets_key(const struct sockaddr_storage *ss, uint8_t key[16]);
void sockets_tune(const struct conf *c, int fd); /* `socket options`, keepalive; on a listening one: for those it accepts */
void sockets_text_key(const char *addr, uint8_t key[16]); /* of a printable address; zeros if it is none */

/* ---- pidfile.c ---- */
/* Locked as long as the process lives.  The descriptor, or -1 with a sentence in *why (static). */
int pidfile_take(const char *dir, const char **why);
void pidfile_drop(const char *dir, int *fd);

/* ---- notify.c ---- */
void notify_service_manager(const char *state); /* "READY=1" */

/* ---- walls.c: what a process gives up ---- */
struct daemon;
enum wall { WALL_ROOT, WALL_CHROOT, WALL_USER, WALL_SECCOMP, WALL_CAPS, WALL_BITS, WALL_NEW_PRIVS, WALL_FENCE,
	    WALL_KINDS };
/* For `smb1ctl status`: which stand, as far as any process has said something else. */
char *walls_list(TALLOC_CTX *mem, const struct daemon *d);
void walls_setup(void); /* in the listener, before any fork: shared "was said already" marks */
/* A wall that could not be put up: one log line of its kind for all processes together. */
void walls_missing(enum wall w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct porch_walls { uid_t uid; gid_t gid; char empty[512]; };
/* Chooses the user before login and makes the empty folder. */
void walls_porch_prepare(struct porch_walls *p, const struct conf *c);
/* Everything but the filter of system calls and walls_porch_last(); keeps the descriptors in keep[] (sorted or not)
 * and leaves room for `more`. */
void walls_porch(const struct porch_walls *p, const int *keep, unsigned n, unsigned more);
void walls_porch_last(void); /* of each porch: no processes, and no more into files than one login can need */
void walls_keeper(void);
/* No user of anything, but may look into all folders.  False: cannot leave root. */
bool walls_watcher(const struct porch_walls *p);
void walls_worker_base(void); /* what is the same for all workers, once, here or in the process that forks them */
/* From root to (uid, gid) with only the capabilities to become another user; `files`: also those that pass
 * file permissions, raised by fs for `admin users` alone.  Wipes the key. */
struct worker_walls { uid_t uid; gid_t gid; uint32_t *key; const struct fence *fence; bool files, may_be_root; };
bool walls_worker(const struct worker_walls *w);
/* No user of anything, but may change what others own, and look at files with their eyes. */
bool walls_broker(const struct porch_walls *p, bool quotas);
bool walls_broker_raise(bool up); /* its capabilities, for a while without */
bool walls_broker_quota(bool up); /* the one that quotas need, if it was kept; false: it was not */
/* Log lines go to syslog too: its descriptor is closed and opened with the others. */
void walls_syslog(bool used);
/* Closes all descriptors from 3 on but keep[]. */
void walls_close_others(const int *keep, unsigned n);

/* ---- fence.c: which folders a worker can see ---- */
struct fence;
/* For this configuration; home: of the user who is to be served, or NULL.  A talloc child of mem whose destructor
 * closes the rules. */
struct fence *fence_make(TALLOC_CTX *mem, const struct conf *c, const char *home);
const char *fence_missing(const struct fence *f); /* why there is none, or NULL */
/* Are the folders still those the rules were made for, and the user's home among them? */
bool fence_fits(const struct fence *f, const char *home);
/* Closes the rules and leaves the memory alone: freeing what a parent made only copies its pages. */
void fence_shut(struct fence *f);
bool fence_enter(const struct fence *f); /* true also if there is none; false with errno */

/* ---- ticket.c: who a worker may become ---- */
#define TICKET_KEY 4 /* words */
enum { TICKET_UID, TICKET_GID };
void ticket_make(const uint32_t key[TICKET_KEY], uint32_t kind, uint32_t id, uint32_t ticket[2]);
void ticket_ident(const uint32_t key[TICKET_KEY], struct ident *id); /* both of an identity */

/* ---- seccomp.c ---- */
/* False with errno set if the kernel has no filters here (ENOSYS: not built for this processor). */
/* nursery: of the process that forks porches; they have it from there, and RLIMIT_NPROC ends their forking. */
bool seccomp_porch(bool nursery);
bool seccomp_broker(void); /* as a worker's, but whose eyes it looks with is its own affair */
/* What is the same for all workers, for the process that forks them. */
bool seccomp_worker_base(void);
/* And the rest.  With a key whoever has a ticket may be become, uid 0 only if `may_be_root`; key NULL: nobody. */
bool seccomp_worker(const uint32_t key[TICKET_KEY], bool may_be_root);

/* ---- door.c: a client process' side of the keeper's door ---- */
struct door_client { int fd; };
/* struct srv_host call-backs; arg is a struct door_client.  After a failure fd is -1. */
struct auth_verdict *door_ask(void *arg, TALLOC_CTX *mem, const struct auth_question *q);
struct ident *door_ident(void *arg, TALLOC_CTX *mem, const char *unix_user);
/* The group takes the place of id's own.  False: there is none. */
bool door_group(void *arg, const char *unix_group, struct ident *id);
bool door_handoff(struct door_client *d, int sock, int record);
void door_why(void *arg, const uint8_t *record, size_t len); /* the porch's refusals: a why_to() sink */
/* Identity as a record, and back. */
uint8_t *door_ident_pack(TALLOC_CTX *mem, const struct ident *id, size_t *len);
struct ident *door_ident_unpack(TALLOC_CTX *mem, const uint8_t *p, size_t len);

/* ---- the listener's state ---- */
enum nursery_kind { NURSERY_PORCH, NURSERY_WORKER, NURSERY_KINDS }; /* nursery.c */
#define EXIT_HANDED_OVER 10 /* of a porch: its client goes on in a worker */
#define EXIT_NO_DATABASE 11 /* of a worker: it could not open them */

struct client { /* a porch or worker */
	struct client *next, *prev;
	uint32_t id;
	pid_t pid;                /* 0: the porch has ended, the keeper's word about its client is to come */
	uint64_t start_time;
	uint64_t since;           /* clock_ms() */
	bool worker;
	bool ending;              /* killed by us to make room */
	struct burst { uint64_t since; unsigned n; } runs, prints; /* commands, counted from clock_ms() since on */
	pid_t broker;             /* its broker, 0 if there is none */
	bool wants_door;          /* to the watcher, which there is none of now */
	int ctl;                  /* worker: our end of its control socket; -1 when gone */
	struct event *ctl_ev;
	char *box;                /* of an earlier listener's worker: the name of its message box (adopt.c) */
	char addr[ADDR_TEXT], server[ADDR_TEXT];
	uint16_t port;            /* of ours */
	uint8_t key[16];
	uint8_t challenge[8];
	unsigned pulse;           /* worker: its place in damage.c's table, 0 none */
	uint32_t pulse_seen;      /* what stood there at the last look, ... */
	uint64_t pulse_since;     /* ... clock_ms() since when, 0: it was inside no call */
	bool pulse_asked;         /* ... and a probe was asked for */
	char *name, *arch;        /* from WORKER_HELLO, for per-client configurations */
	uint64_t requests, bytes_in, bytes_out; /* from WORKER_COUNTS */
};

struct daemon {
	const struct proc_options *o;
	struct conf *conf;
	struct conf_report *notes; /* about conf, until there is a log */
	struct db *db;
	struct event_base *base;
	struct listen_set listen;
	bool root;

	int signal_fd, pid_fd, reserve_fd, control_fd;
	struct event *signal_ev, *control_ev, *retry_ev, *end_ev, *keeper_retry_ev, *tidy_ev;
	int base_fd[8];           /* descriptors of the event base, to be closed in children */
	unsigned nbase_fd;

	pid_t keeper_pid;
	int keeper_ctl;
	struct event *keeper_ev;
	unsigned keeper_deaths;   /* in a row */
	uint64_t keeper_started;  /* clock_ms() */

	struct nursery {
		pid_t pid;        /* 0: there is none */
		int ctl;
		uint64_t started; /* clock_ms() */
		bool useless;     /* this kernel has not what it takes */
	} nursery[NURSERY_KINDS];

	struct damage *damage;    /* damage.c */

	pid_t watcher_pid;        /* 0: none has been needed */
	int watcher_ctl;
	uint64_t watcher_started; /* clock_ms() */

	int audit_fd;             /* `smb1d: audit file`; -1: none */
	struct client *clients;
	struct admin *admins;     /* control.c: connections of smb1ctl */
	unsigned nporch, nworker, nadmin;
	uint32_t next_id;
	struct porch_walls walls;
	struct fence *fence;
	uint64_t complained;      /* clock_ms() of the last line about exhausted resources */
	bool once;                /* -i: end with the one client */
	bool once_taken;
	bool ending;
	uint64_t end_since;       /* clock_ms() */
	bool pressed;             /* SIGTERM was sent to those that did not end when told */
	int exit_status;
};

/* ---- start.c ---- */
/* Reads smb.conf; client: for `include = ...%m`, or NULL.  False with the first error in *why (talloc). */
bool start_load(struct daemon *d, TALLOC_CTX *mem, const struct conf_macros *client, struct conf **out,
		char **why);
/* Standard input, output and error as the options want them from now on. */
void start_output(const struct daemon *d);
/* Opens the log as c says; client NULL: not known (yet). */
void start_log(struct daemon *d, const struct conf *c, const struct conf_macros *client);
bool start_log_per_client(const struct conf *c); /* `log file` has a macro of the client in it */

/* ---- listener.c ---- */
int listener_run(struct daemon *d);
void listener_end(struct daemon *d); /* begins the end */
/* Forks the keeper; with `why` waits until it is ready.  False with a sentence in *why (child of d). */
bool listener_keeper_start(struct daemon *d, const char **why);
void listener_debug(struct daemon *d, const signed char level[LOG_CLASSES]); /* here and everywhere */
/* Descriptors of the listener that a worker must not have. */
void listener_close_for_child(struct daemon *d, const struct client *but);
struct client *listener_find(struct daemon *d, uint32_t id);
void listener_complain(struct daemon *d, const char *what, int err); /* EMFILE and the like: once per burst */

struct worker_start { int sock, door, record, ctl, porch; uid_t uid; gid_t gid; const char *user, *home; uint32_t key[TICKET_KEY]; };

/* ---- nursery.c: two processes that fork porches and workers ---- */
/* Their flags of clone(): the child is the listener's. */
#define NURSERY_CLONE (CLONE_PARENT | CLONE_PARENT_SETTID | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD)
#define PID_TO_COME INT_MIN /* of a client until nursery_look(); no process has it, nor any kill() takes it */
void nursery_start(struct daemon *d); /* those that are not there */
void nursery_renew(struct daemon *d); /* what they have taken from us is out of date */
bool nursery_died(struct daemon *d, pid_t pid, int status); /* was it one of them? */
void nursery_close(struct daemon *d); /* in a child, and at the end */
/* False: the caller has to fork by himself. */
bool nursery_porch(struct daemon *d, struct client *c, int sock, int door);
bool nursery_worker(struct daemon *d, struct client *c, struct worker_start *s); /* takes s->porch */
/* The porch of a client by a descriptor of its process, whose pid may be somebody else's when an order is carried out.  -1: the
 * kernel has none (before Linux 5.3); then it is signalled by its pid, 0: not at all. */
int nursery_porch_fd(pid_t pid); /* of a child that has not been waited for */
void nursery_signal_porch(int fd, pid_t pid, int sig);
void nursery_look(struct daemon *d); /* pids that have come: before anything that asks for clients' pids */

/* ---- accept.c ---- */
bool accept_start(struct daemon *d);  /* events on the listening sockets */
void accept_tune(const struct daemon *d); /* the listening sockets, as the configuration says now */
void accept_stop(struct daemon *d);   /* closes them */
void accept_client(struct daemon *d, int fd); /* takes over a connected socket */
void accept_worker(struct daemon *d, struct msg *spawn); /* KEEPER_SPAWN has come */
void accept_last_words(struct daemon *d, struct client *c); /* what a worker that has ended had still to say */
void accept_no_worker(const struct client *c, int err); /* told to whoever asks why */
void accept_client_free(struct daemon *d, struct client *c);
/* A client whose worker is to say who it is on this end of a control socket; takes ctl over.  NULL: out of memory. */
struct client *accept_orphan(struct daemon *d, int ctl);
void accept_is_worker(struct daemon *d, struct client *c); /* it counts as logged in from now on */
void accept_hang_up(struct client *c);                     /* its control socket is closed */
/* In a fresh child: signals as they were, nothing of the listener's event loop. */
void accept_child(void);

/* ---- keeper.c, porch.c, worker.c, watcher.c: never return ---- */
_Noreturn void watcher_run(struct daemon *d, int ctl);
_Noreturn void keeper_run(struct daemon *d, int ctl);
void porch_prepare(struct daemon *d, const int *keep, unsigned n, bool nursery); /* what is the same for all porches */
_Noreturn void porch_run(struct daemon *d, int sock, int door, const struct client *c); /* prepared, here or before the fork */
void worker_prepare(struct daemon *d, const struct client *c);
_Noreturn void worker_run(struct daemon *d, struct worker_start *s, const struct client *c);

/* ---- print_words.c ---- */
#define PRINT_WORDS_MAX 60
struct print_words { char *v[PRINT_WORDS_MAX + 1]; int n; }; /* for execvp() */
typedef char *(*print_value_fn)(TALLOC_CTX *mem, const void *arg, char macro);
/* False: too many words, or out of memory. */
bool print_words_add(struct print_words *w, char *word); /* behind the others; NULL: out of memory */
bool print_words_make(TALLOC_CTX *mem, const char *command, print_value_fn value, const void *arg,
		      struct print_words *w);

/* ---- run.c ---- */
struct run_as {
	uid_t uid; gid_t gid;
	const char *user, *folder, *what; /* what: for the log */
	int out;          /* its standard output; -1: nobody reads it */
	int seconds;      /* it may take */
};
/* NULL, and who made this token: the worker of c did, and was not root.  Else why no command is run. */
const char *run_token(const struct client *c, int token, struct ucred *who);
/* A worker speaks with its client: what it says is checked like the client's own words.  `obey` does it, or says why not, which
 * the log is told; takes the token. */
void run_order(struct daemon *d, struct client *c, struct rd *r, int token, const char *what,
	       const char *(*obey)(struct daemon *d, struct client *c, TALLOC_CTX *mem, struct rd *r, int token));
bool run_too_many(struct burst *b, unsigned most); /* in ten seconds */
/* In a fresh child: no descriptors but keep[], that user and no other. */
void run_prepare(const struct run_as *r, const int *keep, unsigned n);
_Noreturn void run_exec(const struct run_as *r, struct print_words *w);
void run_wanted(struct daemon *d, struct client *c, struct rd *r, int token); /* WORKER_RUN has come; takes the token */
struct srv_command;
/* In the worker, for srv_host.command and .command_end. */
int run_send(int ctl, const struct srv_command *c);
int run_end(int token, int ms, char *answer);

/* ---- print.c ---- */
struct spool_order;
void print_send(int ctl, const struct spool_order *o); /* in the worker: tells the listener */
/* In the listener: runs `print command`; takes the token. */
void print_job(struct daemon *d, struct client *c, struct rd *r, int token);

/* ---- broker.c: favours that need more than the user's own rights ---- */
void broker_wanted(struct daemon *d, struct client *c, int door); /* WORKER_BROKER has come; takes the door */
void broker_reload(struct daemon *d); /* those with the old configuration end; workers ask for new ones */
bool broker_died(struct daemon *d, pid_t pid);                    /* was it a broker? */
struct broker_client { int door; const int *ctl; }; /* in a worker: -1 before the first favour; the listener */
struct broker_answer { int32_t err; struct fs_favour_no no; }; /* err: 0 or -errno */
int broker_ask(void *arg, struct fs_favour *f); /* for fs_process_favours(); arg is a struct broker_client */

/* ---- watch_door.c: the ways to the watcher ---- */
void watch_wanted(struct daemon *d, struct client *c); /* WORKER_WATCH has come */
bool watch_died(struct daemon *d, pid_t pid, int status); /* was it the watcher? */
void watch_end(struct daemon *d);
struct watch_client { /* in a worker */
	struct conn *c;
	struct loop *loop;
	int fd, ctl;              /* the door, -1 none; the listener */
	uint64_t asked;           /* clock_ms() */
	void (*after)(void *arg); /* something came: requests that wait may go on */
	void *after_arg;
};
void watch_client_door(struct watch_client *k, int fd); /* WORKER_DOOR has come */
/* struct watch_host call-backs; arg is a struct watch_client. */
bool watch_client_add(void *arg, uint64_t id, int fd, uint32_t kinds);
void watch_client_del(void *arg, uint64_t id);

/* ---- lease_signal.c: `kernel oplocks` ---- */
/* In a worker whose configuration has them: hears the kernel's signal; after() may let requests go on.  For
 * srv_host.lease_signal. */
int lease_signal_listen(struct conn *c, struct loop *l, void (*after)(void *arg), void *arg);
/* ---- slow.c: in the keeper, addresses whose logins fail ---- */
uint64_t slow_wait(const char *addr); /* ms before a question of this address is looked at */
void slow_failed(const char *addr);
void slow_forgive(const char *addr, unsigned n); /* the same client has got in after n tries */

/* ---- why.c: the latest refusals, in the listener ---- */
void why_open(void);
void why_send(int fd, uint8_t word, const uint8_t *record, size_t len); /* from elsewhere, to those who bring it there */
void why_child(void);                      /* in a fresh child: neither memory nor sink */
void why_about(const char *addr);          /* whom the listener's own refusals are about; NULL: nobody */
void why_keep(const char *addr, const uint8_t *record, size_t len);
char *why_answer(TALLOC_CTX *mem, const char *arg); /* "" all; else an address, user or share */

/* ---- damage.c: lock databases that are damaged while in use, and the dead ---- */
bool damage_setup(struct daemon *d);  /* before the first worker; after the event base is made */
void damage_worker_new(struct daemon *d, struct client *c);  /* before its fork */
void damage_unmap(const struct daemon *d); /* in a process that has nothing to do with workers */
uint64_t damage_start_time(const struct daemon *d, const struct client *c); /* as its worker has said */
void damage_worker_free(struct daemon *d, struct client *c);
void damage_suspected(struct daemon *d, const struct client *c, struct rd *r); /* WORKER_SUSPECTS has come */
void damage_worker_died(struct daemon *d, const struct client *c, int status);
bool damage_reaped(struct daemon *d, pid_t pid, int status); /* was it one of ours? */
/* In the worker: the listener sees when it hangs, and hears over *ctl when a database fails. */
void damage_watched(const struct daemon *d, const struct client *c, const int *ctl);
/* WORKER_REJOIN or MSG_REJOIN has come.  False: the connection must end. */
bool damage_rejoin(struct conn *c, uint8_t which);

/* ---- adopt.c: workers of a listener that was killed ---- */
void adopt_orphans(struct daemon *d);
void adopt_hello(struct daemon *d, struct client *c, struct rd *r); /* WORKER_ADOPTED has come */
void adopt_ended(struct daemon *d, struct client *c);               /* its control socket has; frees c */
bool adopt_accept(const struct conn *c, int fd);                    /* in the worker: its answer on the new control socket */

/* ---- control.c ---- */
bool control_open(struct daemon *d, const char **why);
void control_close(struct daemon *d); /* and removes the socket */
void control_close_for_child(struct daemon *d);

/* ---- reload.c ---- */
/* False with the first error in *why (talloc child of mem); everything stays as it was. */
bool reload_all(struct daemon *d, TALLOC_CTX *mem, char **why);
void reload_one(struct daemon *d, struct client *c); /* this worker is given the configuration in force */
/* A fresh worker whose configuration depends on the client told us its macros. */
void reload_hello(struct daemon *d, struct client *c, struct rd *r);
/* Opens `smb1d: audit file` (anew: somebody may have renamed it). */
void reload_audit(struct daemon *d);
/* Every few seconds: a file grown too large becomes FILE.old, and all write into a new one. */
void reload_audit_tidy(struct daemon *d);
/* A sealed record in a file without a name, for KEEPER_CONF and WORKER_CONF. */
int reload_record(const struct conf *c);
struct conf *reload_read(TALLOC_CTX *mem, int fd);
#endif
