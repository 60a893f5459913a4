/* lock.h - byte-range locks: the rules, and the locks of one open file.
 *
 *   asked --free--> held --UNLOCK, close--> (gone)
 *     \--in the way, timeout--> waiting --whoever unlocks grants it, in the order of coming--> held
 *                                  \--timeout, cancel, close--> refused
 *
 * Owner of a lock is (open file, client PID).  A waiting wish lies in the database beside the locks, and
 * the process that takes the obstacle away grants it there, so nobody who comes later slips in between;
 * the waiter is then only told.  A request of several ranges keeps those it has got while it waits for the
 * next one, and gives all of them back when it fails. */
#ifndef SMB1D_SRV_LOCK_H
#define SMB1D_SRV_LOCK_H
#include "srv/open.h"

#define LOCK_FOREVER 0xffffffffu
#define LOCK_BYTES 96u /* of memory, about: in the list of its open file and in that of the file */

struct lock_range {
	uint32_t pid;
	uint64_t start, length;
	bool large; /* came in the 64-bit form: whoever wants to cancel it must use the same */
};

/* LOCKING_ANDX has room for 16 bits of a PID, so nothing more counts anywhere. */
static inline uint32_t lock_pid(const struct smb_hdr *h)
{
	return h->pid & 0xffff;
}

/* ---- what clients ask ---- */
/* All ranges or none.  timeout in ms: 0 answers at once, LOCK_FOREVER waits without end.  ST_PENDING: the
 * request was parked, call again with the same ranges when it is resumed (q->resumed). */
status_t lock_take(struct req *q, struct open *o, const struct lock_range *r, size_t n, bool exclusive,
		   uint32_t timeout);
/* One after the other; stops at the first that is not locked exactly so (ST_RANGE_NOT_LOCKED). */
status_t lock_release(struct open *o, const struct lock_range *r, size_t n);
/* The waiting request of this open for exactly this range fails.  False: there is none. */
bool lock_cancel(struct open *o, const struct lock_range *r);
/* The open file goes (its descriptor is closed already): so do its locks and waiting requests. */
void lock_close(struct open *o);
/* May these bytes be read or written by this lock_pid()?  ST_OK or ST_FILE_LOCK_CONFLICT.  One look at shared memory while
 * the file has no locks. */
status_t lock_check_io(uint32_t pid, struct open *o, uint64_t off, uint64_t len, bool write);

/* ---- for local programs, also for srv/posix_lock.c ---- */
struct held_lock {
	uint64_t start, length;
	uint32_t pid;
	bool exclusive;
	bool shown; /* to local programs */
};
/* Brings the descriptor's locks in these bytes in line with what the open file holds, of both kinds.  False: a local
 * program forbids it. */
bool lock_show(const struct open *o, uint64_t start, uint64_t length);

/* ---- what this open file holds (srv/lock_held.c) ---- */
/* Takes the ranges the database gave us.  False: a local program has one of them, or no memory; then
 * nothing is held. */
bool lock_hold(struct open *o, const struct lock_range *r, size_t n, bool exclusive);
void lock_let_go(struct open *o, uint32_t i);
/* Of stacked locks the exclusive one goes first.  False: there is none exactly so. */
bool lock_find_held(const struct open *o, const struct lock_range *r, uint32_t *at);

/* ---- waiters, also for srv/posix_lock.c ---- */
#define LOCK_MOST_TOLD 64u /* processes woken after one release; the others look again by themselves */

/* Who was granted what he waited for, or should try again. */
struct lock_told {
	struct db_owner who[LOCK_MOST_TOLD];
	size_t n;
};
/* Inside db_lock_with(): wishes that nothing stands in the way of any more. */
void lock_grant_waiting(struct db_locks *l, struct lock_told *t);
/* Behind it. */
void lock_tell(struct conn *c, const struct db_file_id *id, const struct lock_told *t);

/* ---- the rules (srv/lock_rules.c), pure ---- */
/* Does it wrap around the end of 64 bits? */
static inline bool lock_range_bad(uint64_t start, uint64_t length)
{
	return length > 0 && start + (length - 1) < start;
}
/* Bytes in common; an empty range has one with another that it lies strictly inside of. */
bool lock_overlap(uint64_t start1, uint64_t length1, uint64_t start2, uint64_t length2);
/* The held lock that forbids this one, or NULL. */
const struct db_lock *lock_conflict(const struct db_locks *l, const struct db_lock *want);
/* The held lock that forbids `who` (owner, open_id, pid) to read or write, or NULL. */
const struct db_lock *lock_io_conflict(const struct db_locks *l, const struct db_lock *who, uint64_t off,
				       uint64_t len, bool write);
#endif
