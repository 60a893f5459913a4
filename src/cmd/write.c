/* write.c - WRITE (0x0b): W=5 FID, count, offset32, remaining; FF1 length data; reply W=1 count.
 * A count of 0 sets the file's size to the offset.  MS-CIFS 2.2.4.12.
 * Oddity: count and block length may differ; the smaller is written, and never more than came. */
#include "base/util.h"
#include "cmd/cmd.h"
#include "cmd/pipe.h"
#include "srv/durable.h"

status_t cmd_write_block(struct req *q, struct open *o, uint32_t off, uint32_t count, uint32_t *done)
{
	uint32_t len;
	const uint8_t *p;
	status_t st;

	if (rd_u8(&q->bytes) != 1)
		return ST_INVALID_SMB;
	len = min_u32(rd_u16(&q->bytes), count);
	p = rd_take(&q->bytes, len);
	if (!rd_ok(&q->bytes) || len < count)
		return ST_INVALID_SMB;
	*done = len;
	if (o->kind == OPEN_PIPE)
		return pipe_write(q, o, p, len);
	st = open_may_write(q, o, off, len);
	if (st == ST_OK)
		st = fs_write(o->fd, off, p, len, done);
	o->written = true;
	return st == ST_OK ? durable_written(o, false) : st;
}

status_t cmd_write(struct req *q)
{
	struct open *o = req_open(q, rd_u16(&q->words));
	uint32_t count = rd_u16(&q->words), off = rd_u32(&q->words), done = 0;
	struct wr *w;
	status_t st;

	if (!o)
		return ST_INVALID_HANDLE;
	if (count > 0)
		st = cmd_write_block(q, o, off, count, &done);
	else
		st = o->kind == OPEN_PIPE ? ST_OK : open_truncate(q, o, off);
	if (st != ST_OK)
		return st;
	o->seek_pos = (uint64_t)off + done;
	w = req_words(q, 1);
	wr_u16(w, (uint16_t)done);
	req_bytes(q);
	req_done(q);
	return ST_OK;
}
