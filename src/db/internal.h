/* internal.h - what the files of the db room share.  Nobody else includes it. */
#ifndef SMB1D_DB_INTERNAL_H
#define SMB1D_DB_INTERNAL_H
#include "base/cursor.h"
#include "db/damage.h"
#include "db/db.h"
#include "db/msg.h"
#include <stdatomic.h>
#include <tdb.h>

struct db_counter;
struct db_held; /* a tree of this process: its number and the share it is listed under */

struct db {
	struct tdb_context *tdb[DB_FILES]; /* NULL after a failed reopen */
	const char *dir;                   /* `lock directory`, absolute */
	bool alone;                        /* nobody used the file of opens when we opened it */
	bool renewed[DB_FILES];            /* made anew beside living users, who may join until db_settle() */
	uint32_t lock_epoch;               /* another for each file of locks we had; see db_lock_seqnum() */
	bool inside;                       /* a db_share_with() or db_lock_with() is running */

	/* standing memory of db_share_with(), grown as needed */
	uint8_t *rec, *path;
	struct db_opener *openers;
	struct db_owner *waiters;

	/* counters of level II oplocks given, open files and messages, shared by all processes; see grants.c */
	struct db_counter *counters;
	int grants_fd;                     /* the listener's, to mend it; -1 in others */
	struct db_lock *locks, *wishes; /* of db_lock_with(); and what they hold while nobody has changed any lock: */
	struct lock_memory { struct db_file_id id; uint32_t seq; bool known; size_t nheld, nwaiting, mine; } lock_memory;

	struct db_watch_cache *watch_cache; /* of db_watch_find() */

	/* messages: the folder of the sockets and the key of their names; see msg.c */
	int msg_dir;
	uint8_t msg_key[32];

	/* what this process has in the databases */
	uint64_t my_opens, my_locks; /* wishes count as locks */
	uint32_t my_sessions, my_watches;
	struct db_held *held;
	size_t nheld;
};

/* file.c */
const char *db_because(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* static memory */
struct tdb_context *file_join(const char *path, enum db_which which, int open_flags); /* says nothing; errno */
/* What became of the file: nobody used it, so it is empty; others use it; it was damaged in use and made anew. */
enum file_was { FILE_ALONE, FILE_JOINED, FILE_RENEWED };
/* NULL with a sentence in *why. */
struct tdb_context *file_open(const char *path, enum db_which which, enum file_was *was, const char **why);
struct tdb_context *file_open_to_read(const char *path, enum db_which which, enum file_was *was, const char **why);
void file_says(struct tdb_context *tdb); /* from now on what tdb complains of goes to the log */
bool file_move_aside(const char *path, const char **why);
/* Can all of it be locked and walked?  A damaged file may kill who asks, or keep him for ever. */
bool file_walk(struct tdb_context *tdb);

/* damage.c: what this process does, for the listener to see (db_pulse_at).  Two stores in shared memory. */
extern struct pulse { _Atomic uint32_t *slot; uint32_t beat; } pulse;
static inline void pulse_in(enum db_which which)
{
	pulse.beat += DB_PULSE_STEP;
	atomic_store_explicit(pulse.slot, pulse.beat + which + 1, memory_order_relaxed);
}
static inline void pulse_out(void) { atomic_store_explicit(pulse.slot, pulse.beat, memory_order_relaxed); }
/* Something is wrong with this file: the listener is told.  certain: it need not look. */
void db_suspect(enum db_which which, bool certain);
void db_open_for_workers(struct db *db, enum db_which which);

/* grants.c */
bool grants_prepare(struct db *db, const char *lock_directory, const char **why);
void grants_close(struct db *db);
/* Before there is a record of this file among the opens, and after there is none any more; with it locked. */
void files_count(struct db *db, const struct db_file_id *id, bool there);
/* Behind each message to that process.  Another count than before: it has one, or one whose pid has the same counter. */
void bell_ring(struct db *db, pid_t pid);
uint32_t bell_count(const struct db *db, pid_t pid);

/* msg.c */
bool box_prepare(struct db *db, const char *lock_directory, const char **why);
void box_tell_all(struct db *db, enum msg_type type, const void *body, size_t len); /* the listener, to every worker */

/* owner.c */
bool owner_same(const struct db_owner *a, const struct db_owner *b);
bool owner_is_me(const struct db_owner *o);
void owner_refresh(uint64_t start_time); /* after fork; 0: to be looked up */
void owner_cache_begin(void);  /* db_alive() remembers from here ... */
void owner_cache_end(void);    /* ... to here */
#define OWNER_BYTES 12u
void wr_owner(struct wr *w, const struct db_owner *o);
struct db_owner rd_owner(struct rd *r); /* marks r bad for an impossible pid */

/* db.c */
static inline TDB_DATA db_datum(const void *p, size_t n)
{
	return (TDB_DATA){ .dptr = (unsigned char *)(uintptr_t)p, .dsize = n };
}

/* Locks the record, fetches it into *into (grown by talloc, a child of db) and tells its length; 0 = none.
 * On anything but ST_OK the record is not locked. */
status_t db_rec_lock(struct db *db, enum db_which which, TDB_DATA key, uint8_t **into, size_t *len);
/* The same in two steps. */
status_t db_rec_take(struct db *db, enum db_which which, TDB_DATA key);
status_t db_rec_fetch(struct db *db, enum db_which which, TDB_DATA key, uint8_t **into, size_t *len);
void db_rec_unlock(struct db *db, enum db_which which, TDB_DATA key);
/* len 0 deletes. */
status_t db_rec_store(struct db *db, enum db_which which, TDB_DATA key, const uint8_t *rec, size_t len);
status_t db_rec_store_parts(struct db *db, enum db_which which, TDB_DATA key, const TDB_DATA *part, int n);
void db_rec_damaged(enum db_which which, const char *what);
/* At least n bytes in *buf, a talloc child of db. */
bool db_room(struct db *db, uint8_t **buf, size_t n);

/* The key of a file's record in the databases of opens and locks. */
#define ID_BYTES 16u
TDB_DATA db_id_key(const struct db_file_id *id, uint8_t key[ID_BYTES]);
struct db_raw;
bool db_key_id(const struct db_raw *raw, struct db_file_id *id);
/* Slots: structs as they lie in memory, since these files never leave the machine.  Each begins with its owner; the holes
 * in it are zero.  Has one of these the owner? */
bool db_slots_name(const uint8_t *p, size_t len, size_t slot, const struct db_owner *who);

/* Strings in records: u16 length, bytes.  rd_text() refuses NULs; NULL when bad or out of memory. */
size_t db_text_bytes(const char *s);
void wr_text(struct wr *w, const char *s);
char *rd_text(struct rd *r, TALLOC_CTX *mem);
/* Counts the times a record could not be decoded for want of memory: it is not damaged. */
extern unsigned db_starved;

/* A record as it was. */
struct db_raw {
	uint8_t *key, *rec;
	uint32_t key_len, rec_len;
};
/* Copies those that `want` chooses (NULL: all), then shows them one after the other, without a lock, until `see` says no.
 * `mem` lasts as long as that.  False: they could not be copied. */
bool db_each_record(struct db *db, enum db_which which, bool (*want)(TDB_DATA key, TDB_DATA rec, const void *who),
		    const void *who, bool (*see)(struct db *db, TALLOC_CTX *mem, const struct db_raw *raw, void *arg),
		    void *arg);

/* Each database's part of db_forget(). */
void share_forget(struct db *db, const struct db_owner *who);
void brl_forget(struct db *db, const struct db_owner *who);
void session_forget(struct db *db, const struct db_owner *who);
void tree_forget(struct db *db, const struct db_owner *who);
void watch_forget(struct db *db, const struct db_owner *who);
#endif
