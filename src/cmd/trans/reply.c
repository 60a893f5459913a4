/* reply.c - the reply of a transaction, cut into messages the client can take.
 *
 * Totals are the same in each message, displacements grow, parameters go first; both blocks begin at
 * multiples of four from the header.  Alone in a message the parameters lie at 56 (0x25, 0x32) or 72 (0xa0).
 * The first message may be the last link of an AndX chain. */
#include "cmd/trans/trans.h"
#include "base/util.h"

#define MESSAGE_MIN 512u /* we cut no smaller than this, whatever the client said */

/* Without the small buffers, which would be most of the work. */
void trans_reply_start(struct trans_reply *r)
{
	memset(r, 0, offsetof(struct trans_reply, small_p));
}

struct wr *trans_reply_params(struct req *q, struct trans_reply *r, uint32_t cap)
{
	uint8_t *p = cap <= sizeof(r->small_p) ? r->small_p : talloc_array(q->mem, uint8_t, cap + 1u);

	if (!p)
		return NULL;
	r->p = wr_over(p, cap);
	return &r->p;
}

struct wr *trans_reply_data(struct req *q, struct trans_reply *r, uint32_t cap)
{
	uint8_t *p = cap <= sizeof(r->small_d) ? r->small_d : talloc_array(q->mem, uint8_t, cap + 1u);

	if (!p)
		return NULL;
	r->d = wr_over(p, cap);
	return &r->d;
}

static uint32_t align4(uint32_t n) { return (n + 3u) & ~3u; }

void trans_fragment_plan(uint32_t base, uint32_t limit, uint32_t left_p, uint32_t left_d,
			 struct trans_fragment *f)
{
	f->p_off = align4(base);
	f->p_count = f->p_off < limit ? min_u32(left_p, limit - f->p_off) : 0;
	f->d_off = align4(f->p_off + f->p_count);
	f->d_count = f->d_off < limit ? min_u32(left_d, limit - f->d_off) : 0;
	if (left_d == 0)
		f->d_off = 0;
}

struct cut {
	uint32_t total_p, total_d, done_p, done_d;
	struct trans_fragment f;
};

static void put_words_16(struct wr *w, const struct cut *c)
{
	uint8_t *p = wr_take(w, 18);

	if (!p)
		return;
	put_u16(p, (uint16_t)c->total_p);
	put_u16(p + 2, (uint16_t)c->total_d);
	put_u16(p + 4, 0);
	put_u16(p + 6, (uint16_t)c->f.p_count);
	put_u16(p + 8, (uint16_t)c->f.p_off);
	put_u16(p + 10, (uint16_t)c->done_p);
	put_u16(p + 12, (uint16_t)c->f.d_count);
	put_u16(p + 14, (uint16_t)c->f.d_off);
	put_u16(p + 16, (uint16_t)c->done_d);
}

static void put_words_32(struct wr *w, const struct cut *c)
{
	wr_zero(w, 3);
	wr_u32(w, c->total_p);
	wr_u32(w, c->total_d);
	wr_u32(w, c->f.p_count);
	wr_u32(w, c->f.p_off);
	wr_u32(w, c->done_p);
	wr_u32(w, c->f.d_count);
	wr_u32(w, c->f.d_off);
	wr_u32(w, c->done_d);
}

/* One message in q->out. */
static void put_fragment(struct req *q, const struct trans *t, const struct trans_reply *r, struct cut *c)
{
	bool nt = t->cmd == 0xa0;
	unsigned words = (nt ? 18u : 10u) + r->nsetup;
	uint32_t limit = max_u32(min_u32(req_max_reply(q), q->out.cap), MESSAGE_MIN);
	struct wr *w;

	trans_fragment_plan(wr_tell(&q->out) + 1 + words * 2 + 2, limit, c->total_p - c->done_p,
			    c->total_d - c->done_d, &c->f);
	w = req_words(q, words);
	if (nt)
		put_words_32(w, c);
	else
		put_words_16(w, c);
	wr_u8(w, r->nsetup);
	if (!nt)
		wr_u8(w, 0);
	for (unsigned i = 0; i < r->nsetup; i++)
		wr_u16(w, r->setup[i]);
	w = req_bytes(q);
	wr_align(w, 4);
	if (c->f.p_count)
		wr_bytes(w, r->p.msg + c->done_p, c->f.p_count);
	if (c->f.d_count) {
		wr_align(w, 4);
		wr_bytes(w, r->d.msg + c->done_d, c->f.d_count);
	}
	req_done(q);
	c->done_p += c->f.p_count;
	c->done_d += c->f.d_count;
}

status_t trans_send(struct req *q, const struct trans *t, const struct trans_reply *r, status_t st)
{
	struct cut c = { .total_p = min_u32(r->p.pos, t->max_p), .total_d = min_u32(r->d.pos, t->max_d) };

	if (status_is_error(st) && !r->always)
		return st;
	if (st != ST_OK && t->cmd != 0xa0 && r->p.pos == 0 && r->d.pos == 0) {
		req_empty(q); /* a warning that has nothing to tell; NT_TRANSACT has its words even then */
		return st;
	}
	if (c.total_d < r->d.pos && st == ST_OK)
		st = ST_BUFFER_OVERFLOW;
	for (;;) {
		put_fragment(q, t, r, &c);
		if (c.done_p == c.total_p && c.done_d == c.total_d)
			break;
		if (c.f.p_count == 0 && c.f.d_count == 0)
			return ST_INSUFFICIENT_RESOURCES; /* behind a chain that filled the message */
		req_send(q, st);
	}
	if (!status_is_error(st))
		return st;
	req_send(q, st); /* an error with a body: the dispatcher would make an empty one of it */
	q->no_reply = true;
	return ST_OK;
}
