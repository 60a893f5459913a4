/* posix_lock.h - advisory byte-range locks of the UNIX extensions, as fcntl() has them.
 *
 * Owner of a lock is (process of the daemon, client PID): through which open file it came does not matter.  A new
 * lock takes the place of what its owner has there, an unlock takes a piece out; what is left is split, what
 * touches is joined.  All locks of a PID on a file end when it closes any open file of it.  They keep others from
 * locking, never from reading and writing.
 *
 * They lie among the other locks in the database (DB_LOCK_POSIX).  A wish there only says who wants to be told:
 *
 *   asked --free--> held --unlock, close--> (gone)
 *     \--in the way, wait--> parked, wish --told--> asked again
 *                               \--cancelled, closed--> refused */
#ifndef SMB1D_SRV_POSIX_LOCK_H
#define SMB1D_SRV_POSIX_LOCK_H
#include "srv/lock.h"

enum posix_lock_type { POSIX_LOCK_READ, POSIX_LOCK_WRITE, POSIX_LOCK_UNLOCK }; /* as on the wire */

struct posix_lock {
	enum posix_lock_type type;
	uint32_t pid;
	uint64_t start, length; /* 0 = to the end, wherever that will be */
};

/* ST_OK, ST_FILE_LOCK_CONFLICT, ST_INVALID_PARAMETER; with `wait` also ST_PENDING: call again when resumed. */
status_t posix_lock_set(struct req *q, struct open *o, const struct posix_lock *want, bool wait);
/* Who is in the way?  *found gets type, pid and range of his lock; type UNLOCK: nobody. */
status_t posix_lock_query(struct open *o, const struct posix_lock *want, struct posix_lock *found);
/* The open file goes. */
void posix_lock_close(struct open *o);

/* ---- the rules (srv/posix_rules.c), pure ---- */
/* The held lock that forbids this one, or NULL. */
const struct db_lock *posix_lock_conflict(const struct db_locks *l, const struct db_lock *want);
/* Puts it in the place of what its owner has there; unlock: nothing comes instead.  False: out of memory or too many;
 * then l must not be written. */
bool posix_lock_apply(struct db_locks *l, const struct db_lock *want, bool unlock);
#endif
