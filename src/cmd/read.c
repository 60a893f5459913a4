/* read.c - READ (0x0a): W=5 FID, count, offset32, remaining; reply W=5 count, 0 x 4; FF1 length data.
 * At the end: count 0.  MS-CIFS 2.2.4.11. */
#include "base/util.h"
#include "cmd/cmd.h"

HOT status_t cmd_read_block(struct req *q, struct open *o, uint32_t off, uint32_t want)
{
	uint32_t room = req_max_reply(q) - (SMB_HDR_LEN + 1 + 10 + 2 + 3), got = 0, words = q->out.pos + 1;
	status_t st = open_may_read(q, o, off, want);
	struct wr *w;

	if (st != ST_OK)
		return st;
	w = req_words(q, 5);
	wr_zero(w, 10);
	req_bytes(q);
	wr_u8(w, 1);
	wr_u16(w, 0);
	want = req_whole_pages(want, min_u32(room, wr_left(w)));
	if (cmd_read_tail(q, o, off, want))
		got = q->tail_len;
	else if ((st = fs_read(o->fd, off, w->msg + w->pos, want, &got)) != ST_OK)
		return st;
	wr_u16_at(w, words, (uint16_t)got);
	wr_u16_at(w, w->pos - 2, (uint16_t)got);
	if (q->tail_len == 0)
		wr_take(w, got);
	o->pos = o->seek_pos = (uint64_t)off + got;
	req_done(q);
	return ST_OK;
}

HOT status_t cmd_read(struct req *q)
{
	struct open *o = req_open(q, rd_u16(&q->words));
	uint32_t want = rd_u16(&q->words), off = rd_u32(&q->words);

	if (!o || o->kind == OPEN_PIPE)
		return ST_INVALID_HANDLE;
	return cmd_read_block(q, o, off, want);
}
