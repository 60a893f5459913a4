/* msg.h - short messages between workers: "break this oplock", "look again at that file".
 *
 * Each worker has a datagram socket in `lock directory`/msg.  Its name is a keyed hash of pid and start
 * time, the key is readable by the daemon's owner alone and kept in memory, so another local user can neither
 * list nor guess it.  Sending never waits: a dead or stuck receiver costs nothing.  So a message may be
 * lost; whoever waits for one looks again from time to time (srv/park.h). */
#ifndef SMB1D_DB_MSG_H
#define SMB1D_DB_MSG_H
#include "base/cursor.h"
#include "db/db.h"

#define MSG_MAX 512u /* bytes of a message's body */

enum msg_type { MSG_BREAK = 1, MSG_WAKE, MSG_NOTIFY, MSG_PROBE, MSG_ALIVE, MSG_RESET, MSG_REJOIN, MSG_ADOPT, MSG_TYPES };

struct msg_box;
/* Makes this process' socket; call after db_after_fork(), while the folder may still be written. */
struct msg_box *box_open(TALLOC_CTX *mem, struct db *db, const char **why);
int box_fd(const struct msg_box *box);
/* Has somebody sent something since the last call (or, rarely, to another process)?  One read of shared memory.  False
 * is no promise: orders of the daemon's own make no sound. */
bool box_rung(struct msg_box *box);
/* False if the receiver is gone or its queue is full. */
bool box_send(struct msg_box *box, const struct db_owner *to, enum msg_type type, const void *body, size_t len);
/* The same from a process that has no box of its own (the listener, for a worker that died). */
bool box_send_once(struct db *db, const struct db_owner *to, enum msg_type type, const void *body, size_t len);
/* Takes what has come (at most 64 messages a call); malformed ones are dropped with a log line. */
void box_receive(struct msg_box *box,
		 void (*fn)(void *arg, enum msg_type type, const struct db_owner *from, struct rd body), void *arg);
/* The descriptor that came with the MSG_ADOPT at hand, the caller's from now on; -1: none, or its sender is not of the user
 * that made this box. */
int box_take_fd(struct msg_box *box);
/* MSG_ADOPT to every box in the folder, with the descriptor that make() returns for it (closed afterwards; -1: none). */
void box_offer_all(struct db *db, int (*make)(void *arg, const char *name), void *arg);
/* Is this the name of that process' box? */
bool box_is_named(const struct db *db, const char *name, const struct db_owner *o);
/* Removes the socket a process that has ended left behind. */
void box_forget(struct db *db, pid_t pid, uint64_t start_time);
#endif
