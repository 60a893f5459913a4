/* pending.c - transactions that wait for their secondaries, newest first, below the connection.
 *
 * A secondary finds its primary by command and (TID, PID, UID, MID) of the header.  A client that never sends
 * the rest costs at most PENDING_MAX slots and PENDING_BYTES of memory: the oldest gives way. */
#include "cmd/trans/trans.h"
#include "base/budget.h"
#include "base/log.h"

#define PENDING_MAX 32u
#define PENDING_BYTES (4u << 20)

static bool is_key(const struct transaction *tr, const struct req *q, uint8_t cmd)
{
	return tr->cmd == cmd && tr->mid == q->h.mid && tr->pid == q->h.pid && tr->tid == q->h.tid &&
	       tr->uid == q->h.uid;
}

struct transaction *trans_pending(const struct req *q, uint8_t cmd)
{
	struct transaction *tr = q->c->transactions;

	while (tr && !is_key(tr, q, cmd))
		tr = tr->next;
	return tr;
}

static void unlink_it(struct conn *c, struct transaction *tr)
{
	struct transaction **at = &c->transactions;

	while (*at && *at != tr)
		at = &(*at)->next;
	if (*at)
		*at = tr->next;
	tr->next = NULL;
}

void trans_take(struct req *q, struct transaction *tr)
{
	unlink_it(q->c, tr);
	talloc_steal(q->mem, tr);
}

void trans_unpend(struct conn *c, struct transaction **tr)
{
	unlink_it(c, *tr);
	talloc_free(*tr);
	*tr = NULL;
}

/* Lets the oldest go until there is room for one more of `bytes`. */
static void make_room(struct conn *c, uint32_t bytes)
{
	unsigned n = 1;
	uint64_t sum = bytes;
	struct transaction *tr = c->transactions, *next;

	for (; tr; tr = next) {
		next = tr->next;
		n++;
		sum += tr->bytes;
		if (n <= PENDING_MAX && sum <= PENDING_BYTES)
			continue;
		log_at(LOG_SMB, 1, "too many unfinished transactions: dropped one of command 0x%02x, MID %u", tr->cmd,
		       tr->mid);
		trans_unpend(c, &tr);
	}
}

struct transaction *trans_pend(struct req *q, const struct trans *t, const struct trans_piece *first)
{
	struct transaction *tr = trans_pending(q, t->cmd);

	if (tr)
		trans_unpend(q->c, &tr);
	make_room(q->c, first->total_p + first->total_d);
	tr = budget_allows(first->total_p + first->total_d) ? talloc_zero(q->c, struct transaction) : NULL;
	if (!tr)
		return NULL;
	tr->cmd = t->cmd;
	tr->tid = q->h.tid;
	tr->uid = q->h.uid;
	tr->mid = q->h.mid;
	tr->pid = q->h.pid;
	tr->bytes = first->total_p + first->total_d;
	tr->t = *t;
	tr->t.name = talloc_strdup(tr, t->name);
	if (!tr->t.name || !trans_parts_start(&tr->parts, tr, first)) {
		talloc_free(tr);
		return NULL;
	}
	tr->next = q->c->transactions;
	q->c->transactions = tr;
	return tr;
}

void trans_free_tree(struct conn *c, uint16_t tid)
{
	for (struct transaction *tr = c->transactions, *next; tr; tr = next) {
		next = tr->next;
		if (tr->tid == tid)
			trans_unpend(c, &tr);
	}
}

