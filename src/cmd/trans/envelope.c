/* envelope.c - the six commands that carry transactions.
 *
 *   0x25 TRANSACTION, 0x32 TRANSACTION2 (W = 14 + setup)     0x26, 0x33 their secondaries (W = 8, 9)
 *   0xa0 NT_TRANSACT (W = 19 + setup)                        0xa1 its secondary (W = 18)
 *
 * A primary that brings everything is run where it lies in the message.  Otherwise it is answered at once
 * by an empty interim reply and waits (pending.c); its secondaries get no reply, the one that completes it
 * is answered in the primary's name.  A secondary nobody waits for is dropped without a word. */
#include "cmd/trans/trans.h"
#include "base/log.h"
#include "srv/park.h"

#define TOTAL_MAX_16 65535u
#define TOTAL_MAX_32 (1u << 20)

/* ---- decode ---- */

static void get_setup(struct rd *w, struct trans *t)
{
	for (unsigned i = 0; i < t->nsetup; i++) {
		uint16_t word = rd_u16(w);

		if (i < TRANS_SETUP_MAX)
			t->setup[i] = word;
	}
}

static status_t primary_16(struct req *q, struct trans *t, struct trans_piece *pc)
{
	struct rd *w = &q->words;
	const uint8_t *p = rd_take(w, 28);

	if (!p)
		return ST_INVALID_PARAMETER;
	pc->total_p = get_u16(p);
	pc->total_d = get_u16(p + 2);
	t->max_p = get_u16(p + 4);
	t->max_d = get_u16(p + 6);
	t->max_setup = p[8];
	t->flags = get_u16(p + 10);
	t->timeout = get_u32(p + 12);
	pc->p_count = get_u16(p + 18);
	pc->p_off = get_u16(p + 20);
	pc->d_count = get_u16(p + 22);
	pc->d_off = get_u16(p + 24);
	t->nsetup = p[26];
	get_setup(w, t);
	if (!rd_ok(w) || t->nsetup > TRANS_SETUP_MAX)
		return ST_INVALID_PARAMETER;
	if (t->cmd == 0x25)
		t->name = req_str(q, &q->bytes);
	return t->name ? ST_OK : ST_NO_MEMORY;
}

static status_t primary_32(struct req *q, struct trans *t, struct trans_piece *pc)
{
	struct rd *w = &q->words;

	t->max_setup = rd_u8(w);
	rd_skip(w, 2);
	pc->total_p = rd_u32(w);
	pc->total_d = rd_u32(w);
	t->max_p = rd_u32(w);
	t->max_d = rd_u32(w);
	pc->p_count = rd_u32(w);
	pc->p_off = rd_u32(w);
	pc->d_count = rd_u32(w);
	pc->d_off = rd_u32(w);
	t->nsetup = rd_u8(w);
	t->function = rd_u16(w);
	get_setup(w, t);
	return rd_ok(w) && t->nsetup <= TRANS_SETUP_MAX ? ST_OK : ST_INVALID_PARAMETER;
}

static status_t secondary_16(struct req *q, struct trans_piece *pc)
{
	struct rd *w = &q->words;

	pc->total_p = rd_u16(w);
	pc->total_d = rd_u16(w);
	pc->p_count = rd_u16(w);
	pc->p_off = rd_u16(w);
	pc->p_disp = rd_u16(w);
	pc->d_count = rd_u16(w);
	pc->d_off = rd_u16(w);
	pc->d_disp = rd_u16(w);
	return rd_ok(w) ? ST_OK : ST_INVALID_PARAMETER;
}

static status_t secondary_32(struct req *q, struct trans_piece *pc)
{
	struct rd *w = &q->words;

	rd_skip(w, 3);
	pc->total_p = rd_u32(w);
	pc->total_d = rd_u32(w);
	pc->p_count = rd_u32(w);
	pc->p_off = rd_u32(w);
	pc->p_disp = rd_u32(w);
	pc->d_count = rd_u32(w);
	pc->d_off = rd_u32(w);
	pc->d_disp = rd_u32(w);
	return rd_ok(w) ? ST_OK : ST_INVALID_PARAMETER;
}

/* ---- run ---- */

static status_t execute(struct req *q, struct trans *t)
{
	struct trans_reply r;
	status_t st;

	trans_reply_start(&r);
	if (t->cmd == 0x25)
		st = trans_run(q, t, &r);
	else if (t->cmd == 0x32)
		st = trans2_run(q, t, &r);
	else
		st = nttrans_run(q, t, &r);
	if (st == ST_PENDING)
		return st;
	if (t->flags & TRANS_ONE_WAY) {
		q->no_reply = true;
		st = ST_OK;
	} else if (!q->no_reply) {
		st = trans_send(q, t, &r, st);
	}
	if (t->flags & TRANS_DISCONNECT) {
		trans_free_tree(q->c, q->t->tid);
		req_leave_tree(q);
	}
	return st;
}

/* All bytes are in this message: they stay there. */
static status_t run_whole(struct req *q, struct trans *t, const struct trans_piece *pc)
{
	struct rd msg = rd_over(q->msg, q->len);
	struct rd p = rd_window(&msg, pc->p_count ? pc->p_off : 0, pc->p_count);
	struct rd d = rd_window(&msg, pc->d_count ? pc->d_off : 0, pc->d_count);

	if (!rd_ok(&p) || !rd_ok(&d))
		return ST_INVALID_PARAMETER;
	t->p = rd_over(q->msg + p.pos, pc->p_count);
	t->d = rd_over(q->msg + d.pos, pc->d_count);
	return execute(q, t);
}

static status_t start(struct req *q, const struct trans *t, const struct trans_piece *pc)
{
	struct rd msg = rd_over(q->msg, q->len);
	struct transaction *tr = trans_pend(q, t, pc);
	status_t st;

	if (!tr)
		return ST_NO_MEMORY;
	st = trans_parts_add(&tr->parts, &msg, pc);
	if (st != ST_OK) {
		trans_unpend(q->c, &tr);
		return st;
	}
	req_empty(q); /* the interim reply: go on with the rest */
	return ST_OK;
}

static status_t primary(struct req *q, uint8_t cmd)
{
	struct trans t = { .cmd = cmd, .name = "" };
	struct trans_piece pc = { .total_p = 0 };
	uint32_t max = cmd == 0xa0 ? TOTAL_MAX_32 : TOTAL_MAX_16;
	status_t st = cmd == 0xa0 ? primary_32(q, &t, &pc) : primary_16(q, &t, &pc);

	if (st != ST_OK)
		return st;
	if (pc.total_p > max || pc.total_d > max)
		return ST_INSUFFICIENT_RESOURCES;
	if (pc.p_count > pc.total_p || pc.d_count > pc.total_d)
		return ST_INVALID_PARAMETER;
	if (pc.p_count == pc.total_p && pc.d_count == pc.total_d)
		return run_whole(q, &t, &pc);
	return start(q, &t, &pc);
}

/* From now on this message is answered under the primary's command, with its own signing number. */
static status_t answer_as(struct req *q, uint8_t cmd)
{
	uint8_t *msg = talloc_memdup(q->mem, q->msg, q->len);

	q->no_reply = false;
	if (!msg)
		return ST_NO_MEMORY;
	msg[4] = q->h.command = cmd;
	q->msg = msg;
	return ST_OK;
}

/* If it has to wait, the pieces wait with it: the message that is kept is only the last of them. */
static status_t complete(struct req *q, struct transaction *tr)
{
	status_t st;

	tr->t.p = rd_over(tr->parts.p, tr->parts.total_p);
	tr->t.d = rd_over(tr->parts.d, tr->parts.total_d);
	st = execute(q, &tr->t);
	if (st == ST_PENDING && q->parking)
		q->parking->pieces = talloc_steal(q->parking, tr);
	return st;
}

static status_t secondary(struct req *q, uint8_t cmd)
{
	struct rd msg = rd_over(q->msg, q->len);
	struct trans_piece pc = { .total_p = 0 };
	struct transaction *tr = trans_pending(q, cmd);
	status_t st, answer;

	if (q->resumed && q->resumed->pieces)
		return complete(q, q->resumed->pieces);
	q->no_reply = true;
	if (!tr) {
		log_at(LOG_SMB, 2, "a secondary of 0x%02x without its transaction: dropped", cmd);
		return ST_OK;
	}
	st = cmd == 0xa0 ? secondary_32(q, &pc) : secondary_16(q, &pc);
	if (st == ST_OK)
		st = trans_parts_add(&tr->parts, &msg, &pc);
	if (st == ST_OK && !trans_parts_done(&tr->parts))
		return ST_OK;
	trans_take(q, tr);
	answer = answer_as(q, cmd);
	if (answer != ST_OK)
		return answer;
	return st == ST_OK ? complete(q, tr) : st;
}

status_t cmd_transaction(struct req *q) { return primary(q, 0x25); }
status_t cmd_transaction2(struct req *q) { return primary(q, 0x32); }
status_t cmd_nt_transact(struct req *q) { return primary(q, 0xa0); }
status_t cmd_transaction_secondary(struct req *q) { return secondary(q, 0x25); }
status_t cmd_transaction2_secondary(struct req *q) { return secondary(q, 0x32); }
status_t cmd_nt_transact_secondary(struct req *q) { return secondary(q, 0xa0); }
