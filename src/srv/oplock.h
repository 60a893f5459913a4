/* oplock.h - oplocks from the holder's side: the break goes out, the client answers or does not.
 *
 *   none <── level II <── ack ──┐
 *     ^         │ write, lock   │
 *     └─────────┘           breaking <── somebody opens ── exclusive, batch
 *     ^                         │
 *     └──── ack, time over ─────┘                 CLOSE ends all of it
 *
 * The record of the file (db) says what everybody must know: the level held.  That a break is under way is
 * known here alone; whoever waits for its end is in the record's list and is woken. */
#ifndef SMB1D_SRV_OPLOCK_H
#define SMB1D_SRV_OPLOCK_H
#include "srv/open.h"
#include "srv/oplock_rules.h"

/* Somebody wants the oplock to fall (OPLOCK_NONE or OPLOCK_LEVEL_II).  Told to the client at once, or when a raw
 * transfer is over or `oplock break wait time` has passed.  Asking again does no harm. */
void oplock_break(struct open *o, uint8_t to);
/* The client's answer (LOCKING_ANDX with bit 0x02); level as in the packet: 0 none, 1 level II. */
void oplock_ack(struct req *q, struct open *o, uint8_t level);
/* It cannot be kept, and its client has not been told of it yet. */
void oplock_lost(struct open *o);
/* The handle goes; the record is not touched (close.c does that). */
void oplock_closed(struct open *o);
/* FIDs have run out: some batch oplocks are broken, since clients keep files under them that their programs closed long
 * ago.  False: there is none to break. */
bool oplock_make_room(struct conn *c);
/* Breaks that are due, resent or given up.  The clock_ms() of the next, UINT64_MAX none. */
uint64_t oplock_tick(struct conn *c);
/* Data or locks of the file change: all level II oplocks on it fall, the handle's own too.  One read of memory when
 * nobody has got one since this handle last asked. */
void oplock_break_level2(struct conn *c, struct open *o);

/* ---- for the share-mode step ---- */
/* Openers whose level II oplock has just been taken away in the record and who must be told. */
struct oplock_losers { struct db_opener *list; size_t n; };
/* Inside the call with the record: takes it from all but open_id of this process (0: nobody). */
void oplock_take_level2(TALLOC_CTX *mem, struct db_file *f, uint64_t but, struct oplock_losers *losers);
void oplock_tell_losers(struct conn *c, const struct db_file_id *id, const struct oplock_losers *losers);
/* What this client, in this share, may be given.  wanted as in open_want. */
uint8_t oplock_allowed(const struct tree *t, const char *name, uint8_t wanted);
bool oplock_level2_ok(const struct tree *t);
#endif
