/* damage.h - a lock database that was scribbled over, cut or taken away under the feet of its users.
 *
 *   a worker gets an error, or dies, or stays inside a call ──> the listener suspects the file
 *   db_probe() in a child: sound? ── no, or it dies or hangs ──> db_renew(): moved aside, made anew
 *   every worker: db_rejoin() ──> goes on, unless what it had there is lost: then its connection ends
 *
 * No session is told that a file is free because the list of those who have it was lost. */
#ifndef SMB1D_DB_DAMAGE_H
#define SMB1D_DB_DAMAGE_H
#include "db/db.h"
#include <stdatomic.h>

enum db_which { DB_OPENS, DB_SESSIONS, DB_TREES, DB_LOCKS, DB_WATCHES, DB_FILES };
#define DB_GRANTS DB_FILES /* where a file is suspected: that of the counters, see grants.c */
const char *db_file_name(enum db_which which);

/* ---- in a worker ---- */
/* Called when a database fails this process, from inside its calls or a signal: it may send a word and no more. */
void db_on_suspect(void (*fn)(void *arg, enum db_which which, bool certain), void *arg);
enum db_joined {
	DB_SAME,   /* it is the file we have */
	DB_JOINED, /* the new one is open; what we had in the old one can be put in again: sessions, trees, watches */
	DB_LOST,   /* the new one is open, but we had files open or locked: nobody knows any more, the session must end */
	DB_FAILED  /* it cannot be opened: the session must end */
};
/* Not inside a call. */
enum db_joined db_rejoin(struct db *db, enum db_which which);

/* Where this process shows that it is inside a call: 0 outside, changes with each call; see db_pulse_inside(). */
#define DB_PULSE_STEP 16u
void db_pulse_at(_Atomic uint32_t *slot);
/* Which database it is inside of; DB_FILES: none. */
enum db_which db_pulse_inside(uint32_t pulse);

/* ---- in the listener ---- */
/* A child that may die of what it looks at, or stay in it: no core, and SIGALRM after so many seconds. */
void db_child_at_risk(unsigned seconds);
/* In a child of the listener, which it may kill, or keep for ever: is the file sound? */
bool db_probe(struct db *db, enum db_which which);
/* Moves the file aside, makes it anew, tells all workers that have a message box (MSG_REJOIN). */
bool db_renew(struct db *db, enum db_which which, const char **why);
/* Workers that could not open a new file by now have lost it; true if there was one. */
bool db_settle(struct db *db);
/* The file of counters (db_share_grants) is as long as it must be, or made so again: then says so and true. */
bool db_mend_grants(struct db *db);
#endif
