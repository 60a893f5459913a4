/* read_andx.c - READ_ANDX (0x2e): bytes of an open file or pipe.
 *
 *   W=10 or 12: AndX, FID, offset32, max count, min count, timeout32 or max count high, remaining, [offset high]
 *   reply W=12: AndX, remaining (0xffff files, 0 pipes), 0, 0, length, data offset, length high, 0 x 4; pad, data
 *
 * MS-CIFS 2.2.4.42, MS-SMB 2.2.4.2.  Oddities:
 * - the high count may be half of a timeout of -1: values above 0xff count as 0 (reports 82);
 * - at or past the end: success with 0 bytes, the data offset still valid (reports 83);
 * - reserved words are 0 (reports 84);
 * - the file piece is sent without a copy where that is possible (read_tail.c). */
#include "base/util.h"
#include "cmd/cmd.h"
#include "cmd/pipe.h"

struct read_args {
	uint16_t fid;
	uint64_t offset;
	uint32_t want;
};

#define HEAD 64u             /* header, words, byte count, pad */
#define LARGEST (0x1ffffu - HEAD) /* what a 17-bit frame length has room for */
#define LARGEST_UNIX 0xff0000u /* 24-bit lengths; through memory less */

static status_t read_decode(struct req *q, struct read_args *a)
{
	struct rd *w = &q->words;
	uint32_t high;

	a->fid = rd_u16(w);
	a->offset = rd_u32(w);
	a->want = rd_u16(w);
	rd_skip(w, 2);
	high = rd_u32(w);
	if (high <= 0xff && (q->c->caps & CAP_LARGE_READX))
		a->want |= high << 16;
	rd_skip(w, 2);
	if (q->wct == 12)
		a->offset |= (uint64_t)rd_u32(w) << 32;
	return rd_ok(w) ? ST_OK : ST_INVALID_SMB;
}

/* How much one reply may carry to this client. */
static uint32_t most(const struct req *q)
{
	if (q->chained || !(q->c->caps & q->c->client_caps & CAP_LARGE_READX))
		return req_max_reply(q) > q->out.pos + HEAD ? req_max_reply(q) - q->out.pos - HEAD + SMB_HDR_LEN : 0;
	return q->c->large ? LARGEST_UNIX : LARGEST;
}

/* Words of the reply; the caller writes the data behind and calls read_end. */
static HOT struct wr *read_head(struct req *q, bool pipe)
{
	struct wr *w = req_words_andx(q, 12);

	wr_u16(w, pipe ? 0 : 0xffff);
	wr_zero(w, 18);
	req_bytes(q);
	wr_u8(w, 0);
	if (w->pos & 1)
		wr_u8(w, 0);
	return w;
}

static HOT void read_end(struct req *q, uint32_t data, uint32_t len)
{
	uint32_t words = q->block + 1;

	wr_u16_at(&q->out, words + 10, (uint16_t)len);
	wr_u16_at(&q->out, words + 12, (uint16_t)data);
	wr_u16_at(&q->out, words + 14, (uint16_t)(len >> 16));
	req_done(q);
}

static status_t read_pipe(struct req *q, struct open *o, uint32_t want)
{
	struct wr *w = read_head(q, true);
	uint32_t data = w->pos;
	bool more;
	size_t n = rpc_pipe_read(o->pipe, w->msg + w->pos, min_u32(want, wr_left(w)), &more);

	if (n == 0 && want > 0)
		return ST_PIPE_EMPTY;
	wr_take(w, (uint32_t)n);
	read_end(q, data, (uint32_t)n);
	return more ? ST_BUFFER_OVERFLOW : ST_OK;
}

/* Through memory. */
static status_t read_copy(struct req *q, struct open *o, const struct read_args *a)
{
	struct wr *w = read_head(q, false);
	uint32_t data = w->pos, got = 0;
	status_t st = fs_read(o->fd, a->offset, w->msg + w->pos, min_u32(a->want, wr_left(w)), &got);

	if (st != ST_OK)
		return st;
	wr_take(w, got);
	o->pos = o->seek_pos = a->offset + got;
	read_end(q, data, got);
	return ST_OK;
}

/* Straight from the file, which is the reply's tail. */
static status_t read_direct(struct req *q, struct open *o, const struct read_args *a)
{
	struct wr *w = read_head(q, false);

	o->pos = o->seek_pos = a->offset + q->tail_len;
	read_end(q, w->pos, q->tail_len);
	return ST_OK;
}

HOT status_t cmd_read_andx(struct req *q)
{
	struct read_args a;
	struct open *o;
	status_t st = read_decode(q, &a);

	if (st != ST_OK)
		return st;
	o = req_open(q, a.fid);
	if (!o)
		return ST_INVALID_HANDLE;
	a.want = req_whole_pages(a.want, most(q));
	if (o->kind == OPEN_PIPE)
		return read_pipe(q, o, a.want);
	st = open_may_read(q, o, a.offset, a.want);
	if (st != ST_OK)
		return st;
	if (a.offset > INT64_MAX)
		a.want = 0;
	return cmd_read_tail(q, o, a.offset, a.want) ? read_direct(q, o, &a) : read_copy(q, o, &a);
}
