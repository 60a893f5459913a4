/* db.h - what workers share: opens with their share modes, byte-range locks, sessions, trees.
 *
 * tdb files in `lock directory`, opened (db_open) while we still may, reopened after each fork
 * (db_after_fork).  Every record starts with a version byte and is encoded with the cursors of
 * base/cursor.h; a record that does not decode counts as damaged: it is logged, dropped, and the
 * operation goes on as if it was empty.  Robust mutexes (TDB_MUTEX_LOCKING with TDB_CLEAR_IF_FIRST),
 * so a contended lock costs no file lock and a dead holder blocks nobody.
 *
 * Nobody holds a lock by hand: db_*_with() locks, decodes, calls, encodes, unlocks.  Nothing slow
 * may happen inside the call-back: no file access, no message.  Lock order: share modes before
 * sessions before trees; never two records of one database.
 *
 * An entry names its owner by pid and start time.  Nothing is decided against anybody because of an
 * entry whose owner is dead: such entries are buried first (see db_share_with).  A dead owner's wish
 * to delete a file dies with the last opener: the file stays, as after a power cut. */
#ifndef SMB1D_DB_DB_H
#define SMB1D_DB_DB_H
#include "base/status.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <talloc.h>

struct db;

/* Creates missing directories (0755) and files (0600).  NULL and a sentence in *why on failure.
 * A damaged file is moved aside (".bad") and made anew, with a log line. */
struct db *db_open(TALLOC_CTX *mem, const char *lock_directory, const char **why);
/* For tools: opens what is there, makes nothing, clears nothing, moves nothing. */
struct db *db_open_reader(TALLOC_CTX *mem, const char *lock_directory, const char **why);
/* In every child that goes on using it, while it may still open the files by name and read /proc.  start_time: of this
 * process, 0: to be looked up.  False: the worker must end. */
bool db_after_fork(struct db *db, uint64_t start_time);
/* Removes what this process left (all its opens, locks, sessions and trees).  Costs nothing if it left nothing. */
void db_forget_me(struct db *db);
/* The same for a process that died: called by the listener when a child ends badly.  Walks the whole
 * databases, so spare it for a child that said goodbye with db_forget_me(). */
void db_forget(struct db *db, pid_t pid, uint64_t start_time);

struct db_owner { pid_t pid; uint64_t start_time; };
struct db_owner db_me(void);
/* A zombie is dead.  Within one db_*_with() or db_*_each() each owner is looked up once. */
bool db_alive(const struct db_owner *o);

/* How often this process could not write for want of room on the disk: ST_INSUFF_SERVER_RESOURCES each time. */
unsigned db_disk_full(void);

/* Of one process, in one file and in all: byte-range locks and requests that wait for one. */
#define DB_LOCKS_IN_FILE 16384u
#define DB_LOCKS_IN_ALL 65536u

/* ---- share modes ---- */
struct db_file_id { uint64_t dev, ino; };

#define DB_OPEN_DENY_DOS 1u      /* DOS compatibility mode */
#define DB_OPEN_FCB 2u
#define DB_OPEN_STAT 4u          /* access touches no data: never conflicts */
#define DB_OPEN_DELETE_ON_CLOSE 8u /* asked at open: becomes delete_pending when this opener closes */
#define DB_OPEN_POSIX 16u
#define DB_OPEN_STREAM 32u       /* has a stream of the file open: only deletions ask what it shares */

struct db_opener {
	struct db_owner owner;
	uint64_t open_id;      /* unique within the owner */
	uint32_t access, share;/* NT masks; share bits 1 read 2 write 4 delete */
	uint32_t flags;        /* DB_OPEN_* */
	uint32_t client;       /* a hash of the client's address, 0 unknown */
	uint32_t client_pid;   /* SMB PID and UID that opened, for DOS same-process rules */
	uint16_t client_uid;
	uint8_t oplock;        /* 0 none 1 exclusive 2 batch 3 level II */
	uint32_t unix_uid;
	uint64_t opened;       /* NT time */
};

/* The decoded record of one file.  Change openers only with db_file_add/remove and the flags by
 * setting fields; db_share_with() writes back what changed and deletes the record when empty. */
struct db_file {
	struct db_file_id id;
	const char *path;       /* share root + name on disk, for status and logs; set by the first opener */
	bool delete_pending;    /* the name goes when the last opener closes */
	uint32_t delete_uid, delete_gid; /* who asked */
	uint64_t write_time;    /* shown instead of the one on disk, 0 = none */
	uint64_t write_due;     /* until when (srv/wtime.h) */
	uint64_t change_time;   /* shown with it until then */
	struct db_opener *openers;
	size_t n;
	struct db_owner *waiters; /* to be woken when something changes; use db_file_wait() and db_file_wake() */
	size_t nwaiters;
	bool changed;           /* set by the helpers, or by you after changing a field */
};
struct db_opener *db_file_add(struct db_file *f, const struct db_opener *o); /* NULL: out of memory */
/* Where a deletion hangs on who is left (delete_pending, or the opener leaving has
 * DB_OPEN_DELETE_ON_CLOSE) the dead are buried too, so n == 0 means "I am the last living one". */
bool db_file_remove(struct db_file *f, const struct db_owner *who, uint64_t open_id);
/* The pointers of find and add hold until the next add, remove or bury. */
struct db_opener *db_file_find(struct db_file *f, const struct db_owner *who, uint64_t open_id);
/* Somebody waits for the others to change (an opener leaves, an oplock falls, a deletion is called off).  False:
 * the list is full, he must look again by himself. */
#define DB_WAITERS_MAX 64u
bool db_file_wait(struct db_file *f, const struct db_owner *who);
/* Takes all off the list: for whoever changes something, to be told after the call. */
size_t db_file_wake(struct db_file *f, struct db_owner out[DB_WAITERS_MAX]);
/* Removes the entries of dead processes, says how many.  Needed by hand only where fn asks about the
 * others and then returns ST_OK, as in "am I the last one?" before a deletion. */
size_t db_file_bury(struct db_file *f);

/* Returns what fn returned, or ST_INSUFFICIENT_RESOURCES / ST_INTERNAL_ERROR of its own if memory or the
 * database fails.  When fn returns an error nothing is written.
 *
 * The dead: looking after every owner would make a file that many have open slow, so entries that stand
 * in nobody's way stay.  Before fn is called a dead holder of an exclusive or batch oplock is
 * buried.  When fn returns anything but ST_OK and some owner is dead, what it did is thrown away,
 * the dead are buried, and fn is called ONCE MORE: it must be able to start again. */
status_t db_share_with(struct db *db, const struct db_file_id *id,
		       status_t (*fn)(struct db_file *f, void *arg), void *arg);
/* True: nobody has the file open.  Cheaper than asking the record; for those who only want to look. */
bool db_share_none(struct db *db, const struct db_file_id *id);
/* Read-only walk for `smb1ctl status` on a copy (no lock is held while fn runs), without the dead and
 * without files that have no living opener; fn returning false ends it.  False: the database failed. */
bool db_share_each(struct db *db, bool (*fn)(const struct db_file *f, void *arg), void *arg);

/* Would opening with (access, share, flags) conflict with the others?  ST_OK, ST_SHARING_VIOLATION or
 * ST_DELETE_PENDING.  Pure; the NT sharing test of MS-FSA 2.1.5.1.2 (files section 2). */
status_t db_share_conflict(const struct db_file *f, uint32_t access, uint32_t share, uint32_t flags);
/* Rename, delete, set-disposition: do all other openers share deletion?  ST_OK or ST_SHARING_VIOLATION.
 * who may be NULL: nobody is excepted. */
status_t db_share_delete_conflict(const struct db_file *f, const struct db_owner *who, uint64_t open_id);

/* ---- byte-range locks ---- */
#define DB_LOCK_EXCLUSIVE 1u /* else shared */
#define DB_LOCK_POSIX 2u     /* reserved for advisory locks of the UNIX extensions */

struct db_lock {
	struct db_owner owner;
	uint64_t open_id;      /* of the open it was taken through, unique within the owner */
	uint32_t pid;          /* the client's process */
	uint64_t start, length;
	uint64_t request;      /* number of the request that took or wants it, unique within the owner */
	uint32_t flags;        /* DB_LOCK_* */
};

/* The decoded record of one file.  Change it with db_locks_*() only. */
struct db_locks {
	struct db_file_id id;
	struct db_lock *held;    /* in the order they were granted */
	size_t nheld;
	struct db_lock *waiting; /* wishes that were in the way of a held one, in the order they came */
	size_t nwaiting;
	size_t mine;             /* locks and wishes of this process among them */
	const struct db_lock *blocker; /* set by fn: the held lock that made it refuse; NULL before each call */
	bool changed;
};
bool db_locks_add(struct db_locks *l, const struct db_lock *e);  /* false: out of memory, or too many */
bool db_locks_wish(struct db_locks *l, const struct db_lock *e);
void db_locks_drop(struct db_locks *l, size_t i);      /* held[i] goes, the others keep their order */
void db_locks_drop_wish(struct db_locks *l, size_t i); /* waiting[i] likewise */
/* All locks and wishes that keep() says no to go. */
void db_locks_keep(struct db_locks *l, bool (*keep)(const struct db_lock *e, const void *arg), const void *arg);

/* In the manner of db_share_with(): when fn returns an error nothing is written.  If fn left a blocker
 * whose owner is dead, all that owner had in the file is buried, what fn did is thrown away, and fn is
 * called AGAIN.  Call-backs of share modes and of locks must not be nested. */
status_t db_lock_with(struct db *db, const struct db_file_id *id,
		      status_t (*fn)(struct db_locks *l, void *arg), void *arg);
/* Another number whenever any lock of any file changed: one read of shared memory. */
uint32_t db_lock_seqnum(const struct db *db);
/* Walk for status on a copy, without the dead and without files that have no locks of the living. */
bool db_lock_each(struct db *db, bool (*fn)(const struct db_locks *l, void *arg), void *arg);

/* A number that changes when somebody gets a level II oplock on this file (or, rarely, on another one): who finds
 * it unchanged since he last saw that nobody has one need not look again.  One read of shared memory. */
uint32_t db_share_grants(const struct db *db, const struct db_file_id *id);
/* Says that somebody got one; inside the call that gives it. */
void db_share_granted(struct db *db, const struct db_file_id *id);

/* ---- watched folders, for change notify (db/watch.c) ---- */
struct db_watch {
	struct db_owner owner;
	uint64_t id;           /* the owner's own number; never 0 */
	uint32_t filter;       /* of changes, bits as on the wire */
	bool tree;             /* folders below too */
	size_t depth;          /* found ones: bytes of the changed path that are the watched folder's */
};
/* `folder` is a real path without '/' at its end.  The owner is this process. */
status_t db_watch_put(struct db *db, const char *folder, const struct db_watch *w);
void db_watch_del(struct db *db, const char *folder, uint64_t id);
/* Whose watch reaches a change of `path`, by place alone (the filter is for the caller).  *hits lives until the next
 * call.  While nobody watches and the folder is that of the last call it costs one read of shared memory. */
size_t db_watch_find(struct db *db, const char *path, const struct db_watch **hits);
/* A found watch whose owner does not take messages: removed if he is dead. */
void db_watch_bury(struct db *db, const char *path, const struct db_watch *w);

/* ---- sessions and trees, for status and for `max connections` ---- */
#define DB_ENCRYPTED_RC4 1u  /* NTLMSSP */
#define DB_ENCRYPTED_AEAD 2u /* ChaCha20-Poly1305 */
struct db_session {
	struct db_owner owner;
	uint16_t uid;             /* SMB UID */
	uint32_t unix_uid, unix_gid;
	const char *user, *domain, *client_name, *client_addr, *dialect;
	bool guest, signing;
	uint8_t encrypted;        /* 0 no, or DB_ENCRYPTED_* */
	uint64_t since;           /* NT time */
};
struct db_tree {
	struct db_owner owner;
	uint16_t tid, uid;
	const char *share, *client_addr, *client_name;
	uint64_t since;
};
/* An owner with pid 0 means this process.  Putting the same uid (tid) again replaces the entry. */
bool db_session_put(struct db *db, const struct db_session *s);
void db_session_del(struct db *db, uint16_t uid);
/* ST_REQUEST_NOT_ACCEPTED when `max` (0 = no limit) trees of that share are held by living processes. */
status_t db_tree_put(struct db *db, const struct db_tree *t, uint32_t max);
void db_tree_del(struct db *db, uint16_t tid);
/* These walks work on a copy, no lock is held while fn runs; entries of the dead are left out. */
bool db_session_each(struct db *db, bool (*fn)(const struct db_session *s, void *arg), void *arg);
bool db_tree_each(struct db *db, bool (*fn)(const struct db_tree *t, void *arg), void *arg);
#endif
