/* trans.h - transactions (0x25, 0x32, 0xa0): one request of parameter and data bytes that may be longer
 * than a message, in both directions.
 *
 *   words -> envelope.c ── whole in one message ──────────────┐
 *                 │                                            ├─> transaction.c / trans2.c / nttrans.c
 *                 └─ pending.c: pieces of secondaries (pieces.c)┘            │
 *                                                     reply.c: fragments <───┘
 *
 * A sub-command gets a struct trans, builds a struct trans_reply in the request's memory and returns a
 * status; it never sees how many messages carry the two. */
#ifndef SMB1D_CMD_TRANS_TRANS_H
#define SMB1D_CMD_TRANS_TRANS_H
#include "base/row.h"
#include "cmd/cmd.h"

#define TRANS_SETUP_MAX 16u /* setup words we keep; nobody sends more than four */

#define TRANS_DISCONNECT 1u /* flags: the tree goes after the reply */
#define TRANS_ONE_WAY 2u    /* no reply */

struct trans {
	uint8_t cmd;              /* 0x25, 0x32 or 0xa0 */
	uint16_t function;        /* NT_TRANSACT only */
	uint16_t flags;           /* TRANS_DISCONNECT, TRANS_ONE_WAY */
	uint32_t timeout;         /* ms */
	uint32_t max_p, max_d;    /* bytes the client takes */
	uint8_t max_setup, nsetup;
	uint16_t setup[TRANS_SETUP_MAX];
	const char *name;         /* 0x25 only, else "" */
	struct rd p, d;           /* parameter and data bytes; offset 0 is their first byte */
};

struct trans_reply {
	uint8_t nsetup;
	uint16_t setup[4];
	struct wr p, d;           /* empty until trans_reply_params() and _data() */
	bool always;              /* the bytes go out even with an error status */
	uint8_t small_p[16], small_d[512]; /* the bytes of the common replies; as far as they are written */
};
void trans_reply_start(struct trans_reply *r);

/* Buffers of `cap` bytes in the request's memory or in r, which must stay where it is.  NULL when memory is out. */
struct wr *trans_reply_params(struct req *q, struct trans_reply *r, uint32_t cap);
struct wr *trans_reply_data(struct req *q, struct trans_reply *r, uint32_t cap);

/* ---- pieces.c: reassembly; pure functions of bytes ---- */
struct trans_piece {              /* of one message, as its words say */
	uint32_t total_p, total_d;
	uint32_t p_count, p_off, p_disp;
	uint32_t d_count, d_off, d_disp;
};
struct trans_parts {
	uint32_t total_p, total_d;    /* the smallest seen */
	uint32_t got_p, got_d;
	uint8_t *p, *d;               /* of the first totals, zeroed */
};
/* Takes the totals of the primary and gets memory.  False when it is out. */
bool trans_parts_start(struct trans_parts *t, TALLOC_CTX *mem, const struct trans_piece *first);
/* Order and overlap are free.  ST_INVALID_PARAMETER for totals that grow, and for pieces that leave their
 * total or the message. */
status_t trans_parts_add(struct trans_parts *t, const struct rd *msg, const struct trans_piece *pc);
static inline bool trans_parts_done(const struct trans_parts *t)
{
	return t->got_p >= t->total_p && t->got_d >= t->total_d;
}

/* ---- pending.c: transactions that wait for their secondaries ---- */
struct transaction {
	struct transaction *next;
	uint8_t cmd;
	uint16_t tid, uid, mid;
	uint32_t pid;
	uint32_t bytes;               /* memory of its parts */
	struct trans t;
	struct trans_parts parts;
};
/* Waits under the key of the request's header; replaces one of the same key.  The oldest goes when there
 * are too many.  NULL when memory is out. */
struct transaction *trans_pend(struct req *q, const struct trans *t, const struct trans_piece *first);
struct transaction *trans_pending(const struct req *q, uint8_t cmd);
/* It waits no longer and lives as long as the request. */
void trans_take(struct req *q, struct transaction *tr);
void trans_unpend(struct conn *c, struct transaction **tr);
/* Those of a tree that is gone.  Nothing breaks without it: a pending transaction only holds
 * numbers. */
void trans_free_tree(struct conn *c, uint16_t tid);

/* ---- reply.c ---- */
struct trans_fragment { uint32_t p_off, p_count, d_off, d_count; };
/* What of the bytes left fits in a message whose bytes begin at `base` and that may have `limit` bytes. */
void trans_fragment_plan(uint32_t base, uint32_t limit, uint32_t left_p, uint32_t left_d,
			 struct trans_fragment *f);
/* Sends all fragments but the last, which stays in q->out; returns the status for the dispatcher. */
status_t trans_send(struct req *q, const struct trans *t, const struct trans_reply *r, status_t st);

/* ---- the three families ---- */
status_t trans_run(struct req *q, struct trans *t, struct trans_reply *r);   /* trans/transaction.c */
status_t trans2_run(struct req *q, struct trans *t, struct trans_reply *r);  /* trans2/trans2.c */
status_t nttrans_run(struct req *q, struct trans *t, struct trans_reply *r); /* nttrans/nttrans.c */
status_t trans_pipe(struct req *q, struct trans *t, struct trans_reply *r);  /* trans/pipe.c */
/* A message into the pipe, its answer out.  trans/pipe.c */
status_t trans_pipe_transact(struct req *q, struct trans *t, struct trans_reply *r, struct open *o);
bool trans_pipe_at(size_t i, struct table_row *out);                         /* table_row_fn */
#endif
