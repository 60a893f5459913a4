/* neighbour.h - other connections from our client's address: do they live, or has the client come back?
 *
 * A machine that lost its power or its network leaves a connection that looks alive until TCP gives up, with
 * its files open.  When it is back and wants one of them, the other worker probes its connection:
 *
 *   conflict with an opener of our address ─> PROBE ─> heard from since we began? ── yes ──> ALIVE
 *                                                        │ no: TCP keepalive at once
 *                                                        ├── an answer ──> ALIVE ─> the conflict stands
 *                                                        └── 3 s silence ─> it ends ─> the file is free
 *
 * The client's SMB layer sees nothing of it.  Who is refused by others' opens alone waits for nothing. */
#ifndef SMB1D_SRV_NEIGHBOUR_H
#define SMB1D_SRV_NEIGHBOUR_H
#include "srv/conn.h"

#define NEIGHBOUR_WAIT_MS 5000u /* how long a request waits for the verdict */
#define NEIGHBOURS_MAX 8u

/* Workers with our client's address that may hold what a dead connection left. */
struct neighbours {
	struct db_owner who[NEIGHBOURS_MAX];
	size_t n;
};

/* The same number for the same client address, for db_opener.client; never 0. */
uint32_t neighbour_key(const char *addr);
/* Whose openers in this record may be of a dead connection of our client. */
void neighbour_among(const struct conn *c, const struct db_file *f, struct neighbours *out);
/* The record as it would be without them: *rest shares all else with f.  False: out of memory. */
bool neighbour_without(TALLOC_CTX *mem, const struct db_file *f, const struct neighbours *n, struct db_file *rest);
/* Is the owner of this entry one of them? */
bool neighbour_is(const struct conn *c, const struct db_opener *o);
/* The same for an owner of whom only the file is known (it has it open). */
bool neighbour_holds(const struct conn *c, const struct db_file_id *id, const struct db_owner *who);
void neighbour_ask(struct conn *c, const struct neighbours *n);
void neighbour_ask_one(struct conn *c, const struct db_owner *who);

/* `reset on zero vc`: the other connections of our client end; by a guest only those of guests. */
void neighbour_reset(struct conn *c, const struct session *by);

/* ---- messages that came, and time ---- */
void neighbour_probed(struct conn *c, const struct db_owner *from, struct rd *body);
void neighbour_lives(struct conn *c, const struct db_owner *from);
void neighbour_end(struct conn *c, struct rd *body);
/* Returns the clock_ms() at which it wants to be called again, UINT64_MAX never. */
uint64_t neighbour_tick(struct conn *c);
#endif
