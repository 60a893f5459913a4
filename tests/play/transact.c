/* transact.c - transactions from the client's side. */
#include "transact.h"
#include "base/util.h"

#define BUF 70000u

void transact_new(struct play *p, struct transact *t, uint8_t cmd)
{
	*t = (struct transact){ .cmd = cmd, .max_p = 100, .max_d = 16000, .name = "" };
	t->p = wr_over(talloc_zero_size(p->step_mem, BUF), BUF);
	t->d = wr_over(talloc_zero_size(p->step_mem, BUF), BUF);
}

/* ---- the primary ---- */

struct part { uint32_t p, d; }; /* bytes in this message */

static void words_16(struct play *p, const struct step *s, struct message *m, struct transact *t, struct part n)
{
	struct wr *w = &m->w;

	wr_u16(w, (uint16_t)arg_num(p, s, "totalp", t->p.pos));
	wr_u16(w, (uint16_t)arg_num(p, s, "totald", t->d.pos));
	wr_u16(w, (uint16_t)arg_num(p, s, "maxp", t->max_p));
	wr_u16(w, (uint16_t)arg_num(p, s, "maxd", t->max_d));
	wr_u16(w, 0);
	wr_u16(w, (uint16_t)arg_num(p, s, "tflags", 0));
	wr_u32(w, 0);
	wr_u16(w, 0);
	wr_u16(w, (uint16_t)arg_num(p, s, "pcount", n.p));
	wr_u16(w, 0); /* offsets are patched */
	wr_u16(w, (uint16_t)arg_num(p, s, "dcount", n.d));
	wr_u16(w, 0);
	wr_u16(w, (uint16_t)arg_num(p, s, "setups", t->nsetup));
}

static void words_32(struct play *p, const struct step *s, struct message *m, struct transact *t, struct part n)
{
	struct wr *w = &m->w;

	wr_zero(w, 3);
	wr_u32(w, (uint32_t)arg_num(p, s, "totalp", t->p.pos));
	wr_u32(w, (uint32_t)arg_num(p, s, "totald", t->d.pos));
	wr_u32(w, (uint32_t)arg_num(p, s, "maxp", t->max_p));
	wr_u32(w, (uint32_t)arg_num(p, s, "maxd", t->max_d));
	wr_u32(w, (uint32_t)arg_num(p, s, "pcount", n.p));
	wr_u32(w, 0);
	wr_u32(w, (uint32_t)arg_num(p, s, "dcount", n.d));
	wr_u32(w, 0);
	wr_u8(w, (uint8_t)arg_num(p, s, "setups", t->nsetup));
	wr_u16(w, t->function);
}

static void patch(struct message *m, bool wide, uint32_t at, uint32_t v)
{
	if (wide)
		wr_u32_at(&m->w, at, v);
	else
		wr_u16_at(&m->w, at, (uint16_t)v);
}

/* The pieces behind the byte count; their offsets go to the two places. */
static void put_pieces(struct play *p, const struct step *s, struct message *m, struct transact *t, struct part from,
		       struct part n, uint32_t p_at, uint32_t d_at)
{
	bool wide = t->cmd == 0xa0;

	wr_align(&m->w, 4);
	patch(m, wide, p_at, (uint32_t)arg_num(p, s, "poff", m->w.pos));
	wr_bytes(&m->w, t->p.msg + from.p, n.p);
	wr_align(&m->w, 4);
	patch(m, wide, d_at, (uint32_t)arg_num(p, s, "doff", m->w.pos));
	wr_bytes(&m->w, t->d.msg + from.d, n.d);
	msg_done(m);
}

void transact_build(struct play *p, const struct step *s, struct message *m, struct transact *t)
{
	uint32_t most = (uint32_t)arg_num(p, s, "split", BUF), words;
	struct part n = { min_u32(most, t->p.pos), min_u32(most, t->d.pos) };
	bool wide = t->cmd == 0xa0;

	m->buf[4 + 4] = t->cmd;
	msg_block(m);
	words = m->w.pos;
	if (wide)
		words_32(p, s, m, t, n);
	else
		words_16(p, s, m, t, n);
	for (unsigned i = 0; i < t->nsetup; i++)
		wr_u16(&m->w, t->setup[i]);
	msg_bytes(m);
	if (t->cmd == 0x25)
		msg_str(p, m, t->name);
	put_pieces(p, s, m, t, (struct part){ 0, 0 }, n, words + (wide ? 23 : 20), words + (wide ? 31 : 24));
}

/* ---- secondaries ---- */

static void build_secondary(struct play *p, const struct step *s, struct message *m, struct transact *t,
			    struct part from, struct part n)
{
	uint16_t mid = p->c->mid;
	uint32_t words;

	msg_start(p, m, t->cmd == 0xa0 ? 0xa1 : (uint8_t)(t->cmd + 1));
	p->c->mid = mid; /* the same as the primary's */
	put_u16(m->buf + 4 + 30, mid);
	msg_block(m);
	if (t->cmd == 0xa0) {
		wr_zero(&m->w, 3);
		words = m->w.pos;
		for (unsigned i = 0; i < 8; i++)
			wr_u32(&m->w, (const uint32_t[]){ t->p.pos, t->d.pos, n.p, 0, from.p, n.d, 0, from.d }[i]);
		wr_u8(&m->w, 0);
	} else {
		words = m->w.pos;
		for (unsigned i = 0; i < 8; i++)
			wr_u16(&m->w, (uint16_t)(const uint32_t[]){ t->p.pos, t->d.pos, n.p, 0, from.p, n.d, 0, from.d }[i]);
		if (t->cmd == 0x32)
			wr_u16(&m->w, 0xffff);
	}
	msg_bytes(m);
	put_pieces(p, s, m, t, from, n, words + (t->cmd == 0xa0 ? 12 : 6), words + (t->cmd == 0xa0 ? 24 : 12));
}

static bool send_rest(struct play *p, const struct step *s, struct transact *t)
{
	uint32_t step = (uint32_t)arg_num(p, s, "split", BUF), top = max_u32(t->p.pos, t->d.pos);
	uint32_t pieces = (top + step - 1) / step;
	struct message m;

	for (uint32_t i = 1; i < pieces; i++) {
		uint32_t at = step * (arg_has_word(s, "backwards") ? pieces - i : i);
		struct part from = { min_u32(at, t->p.pos), min_u32(at, t->d.pos) };
		struct part n = { min_u32(step, t->p.pos - from.p), min_u32(step, t->d.pos - from.d) };

		build_secondary(p, s, &m, t, from, n);
		wire_frame_write(m.buf, NBT_MESSAGE, m.w.pos);
		if (!client_send(p, p->c, m.buf, 4 + m.w.pos))
			return false;
	}
	return client_recv(p, p->c, &p->reply) && !p->reply.closed;
}

/* ---- the reply ---- */

struct counts { uint32_t total_p, total_d, p, p_off, p_disp, d, d_off, d_disp; };

static void read_counts(const struct transact *t, const struct block *b, struct counts *c)
{
	struct rd w = b->words;
	uint32_t v[9];
	bool wide = t->cmd == 0xa0;

	rd_skip(&w, wide ? 3 : 0);
	for (unsigned i = 0, k = 0; k < 8; i++) {
		v[k] = wide ? rd_u32(&w) : rd_u16(&w);
		if (wide || i != 2) /* a reserved word */
			k++;
	}
	*c = (struct counts){ v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7] };
}

static bool take_part(struct play *p, const struct counts *c, struct transact *t, uint32_t *got_p, uint32_t *got_d)
{
	struct rd m = rd_over(p->reply.msg, p->reply.len), pp = rd_window(&m, c->p ? c->p_off : 0, c->p),
		  dd = rd_window(&m, c->d ? c->d_off : 0, c->d);

	if (!rd_ok(&pp) || !rd_ok(&dd) || c->p_disp + c->p > t->rp_len || c->d_disp + c->d > t->rd_len) {
		play_fail(p, "parts inside message and totals, got P %u at %u and D %u at %u", c->p, c->p_off, c->d, c->d_off);
		return false;
	}
	if ((c->p && c->p_off % 4) || (c->d && c->d_off % 4))
		play_fail(p, "parts at multiples of 4, got P at %u, D at %u", c->p_off, c->d_off);
	rd_copy(&pp, t->rp + c->p_disp, c->p);
	rd_copy(&dd, t->rd + c->d_disp, c->d);
	*got_p += c->p;
	*got_d += c->d;
	return true;
}

bool transact_collect(struct play *p, const struct step *s, struct transact *t, const struct block *first)
{
	uint32_t got_p = 0, got_d = 0, fragments = 0, largest = 0;
	struct block b = *first;
	struct counts c;

	if (b.wct == 0 && arg_find(s, "split") &&
	    (!send_rest(p, s, t) || !reply_block(p, &p->reply, SMB_HDR_LEN, true, &b)))
		return false;
	if (b.wct < 10)
		return false; /* an error, or nothing more comes */
	for (;;) {
		read_counts(t, &b, &c);
		if (fragments++ == 0) {
			t->rp_len = c.total_p;
			t->rd_len = c.total_d;
			t->rp = talloc_zero_size(p->step_mem, c.total_p + 1);
			t->rd = talloc_zero_size(p->step_mem, c.total_d + 1);
		}
		largest = max_u32(largest, p->reply.len);
		if (!take_part(p, &c, t, &got_p, &got_d))
			return false;
		if (got_p >= t->rp_len && got_d >= t->rd_len)
			break;
		if (fragments > 2000 || !client_recv(p, p->c, &p->reply) || p->reply.closed ||
		    !reply_block(p, &p->reply, SMB_HDR_LEN, true, &b)) {
			play_fail(p, "%u parameter and %u data bytes, got %u and %u", t->rp_len, t->rd_len, got_p, got_d);
			return false;
		}
	}
	field_bytes(p, "params", t->rp, t->rp_len);
	field_bytes(p, "data", t->rd, t->rd_len);
	field_num(p, "count_d", t->rd_len);
	field_num(p, "fragments", fragments);
	field_num(p, "largest", largest);
	return true;
}
