/* oplock_rules.h - who may open beside whom, and which oplocks that breaks and gives.  Pure: looks at the record of
 * a file and decides, nothing else.  files sections 1 to 3.
 *
 *   someone opens:  doomed? -> batch holder broken -> sharing test -> exclusive holder broken -> let in, oplock given */
#ifndef SMB1D_SRV_OPLOCK_RULES_H
#define SMB1D_SRV_OPLOCK_RULES_H
#include "db/db.h"

enum { OPLOCK_NONE, OPLOCK_EXCLUSIVE, OPLOCK_BATCH, OPLOCK_LEVEL_II };

static inline bool oplock_is_sole(uint8_t level) { return level == OPLOCK_EXCLUSIVE || level == OPLOCK_BATCH; }

/* What the newcomer is to be told. */
enum opening {
	OPENING_ENTER,
	OPENING_BREAK,     /* the oplock of *holder must fall first */
	OPENING_VIOLATION,
	OPENING_DOOMED,    /* delete pending */
};

#define RULE_TRUNCATES 1u     /* cuts or replaces the data */
#define RULE_KEEPS_OPLOCKS 2u /* touches no data, whatever the access says */
/* `me` is the entry that would be added (its oplock field does not matter).  *holder is set with OPENING_BREAK. */
enum opening rule_open(const struct db_file *f, const struct db_opener *me, unsigned manner, const struct db_opener **holder);

/* A name is to vanish or change: a batch oplock falls first.  Then nobody who does more than look may have the file open
 * (alone: DELETE by name), or all who have it must share deletion (rename, remove a folder).
 * `open_id` of `who` (may be NULL) is the handle it is done through. */
enum opening rule_remove(const struct db_file *f, const struct db_owner *who, uint64_t open_id, bool alone,
			 const struct db_opener **holder);

/* The oplock given to who comes beside the openers in f, having been let in.  wanted: none, exclusive or batch;
 * level2: the client and the share can have level II. */
uint8_t rule_grant(const struct db_file *f, uint8_t wanted, bool level2);

/* To what an exclusive or batch oplock falls: level II or none. */
uint8_t rule_fall(bool truncates, bool level2, bool linux_client);
#endif
