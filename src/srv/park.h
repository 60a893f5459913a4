/* park.h - requests that cannot be answered yet: an oplock must be broken, a lock is held, a sharing
 * violation may go away, nothing has changed in a watched folder; or that have worked long enough for one turn (PARK_PIECES:
 * they run again as soon as those are served that have come meanwhile).
 *
 *   run --req_park()--> parked --woken, time to look again, deadline, cancelled--> run again, from its link
 *
 * A parked request keeps a copy of its message and of the reply built by earlier links of its chain.  When
 * something happens that may concern it, the same command runs again from decode; q->resumed tells it how
 * often and how long it has waited, and whether it must give an answer now.  Messages between workers may be
 * lost, so each parked request also looks again by itself, later and later. */
#ifndef SMB1D_SRV_PARK_H
#define SMB1D_SRV_PARK_H
#include "srv/req.h"

#define PARK_FOREVER UINT64_MAX
#define PARK_MOST 256u /* per connection: beyond that a request is told there are no resources */

enum park_kind { PARK_SHARING, PARK_OPLOCK, PARK_LOCK, PARK_POSIX_LOCK, PARK_NOTIFY, PARK_PIECES, PARK_COMMAND };

struct parked {
	struct parked *next;
	struct conn *c;
	enum park_kind kind;
	struct db_file_id id;   /* the file it waits for (zero: none) */
	uint16_t fid;           /* the FID it waits on (0: none) */
	uint64_t since;         /* clock_ms() of the first time */
	uint64_t deadline;      /* clock_ms(); the command must decide when it is over */
	uint64_t look_at;       /* clock_ms() of the next look without being woken */
	uint32_t look_every;    /* ms; 0: later and later */
	uint32_t tries;
	status_t verdict;       /* the answer is this error, without running again; ST_OK: not settled */
	bool woken, cancelled, over; /* over: the deadline has passed */
	void (*now)(struct parked *p); /* the dispatcher's: runs it in the middle of another request */
	void *state;            /* the command's own, talloc child of the parked */
	uint32_t done;          /* names dealt with before it had to wait */
	struct transaction *pieces; /* of a transaction in several messages; child of the parked */

	/* the request as it was */
	uint8_t *msg, *reply;
	uint32_t len, reply_len;
	struct req saved;
};

/* Called by a command instead of an answer; the dispatcher does the rest.  Returns ST_PENDING.  On a resumed request the
 * first deadline, since and state stay.  deadline: clock_ms() value or PARK_FOREVER. */
status_t req_park(struct req *q, enum park_kind kind, const struct db_file_id *id, uint16_t fid, uint64_t deadline);

/* ---- for the dispatcher ---- */
void park_store(struct req *q);                       /* the request into c->parked */
uint32_t park_count(const struct conn *c);
struct parked *park_next_due(struct conn *c, uint64_t now); /* taken off the list, `over` set; NULL: none */
void park_restore(struct parked *p, struct req *q);   /* the request as it stood before its link */

/* ---- wake-ups ---- */
void park_wake_file(struct conn *c, const struct db_file_id *id);
/* Requests that wait on this FID run once more, before the request at hand is answered. */
void park_answer_now(struct conn *c, uint16_t fid, enum park_kind kind);
/* The same, but they do not run: this error is their answer. */
void park_refuse_now(struct conn *c, uint16_t fid, enum park_kind kind, status_t st);
/* NT_CANCEL: the request with these header fields.  True if one was found. */
bool park_cancel(struct conn *c, const struct smb_hdr *h);
/* The connection ends: what works in pieces gives up, while all it needs is still there. */
void park_stop_pieces(struct conn *c);
/* clock_ms() at which cmd_tick() must be called; UINT64_MAX: not needed. */
uint64_t park_next_time(const struct conn *c);
#endif
