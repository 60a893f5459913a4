/* write_and_close.c - WRITE_AND_CLOSE (0x2c): the last bytes of a file, then its end.
 *
 *   W=6 or 12: FID, count, offset32, last write UTIME32, [reserved]; pad byte, data
 *   reply W=1: count
 *
 * MS-CIFS 2.2.4.40.  Oddities: with a count the FID is closed even if the write failed; without one nothing
 * happens at all, it neither cuts the file nor closes it; a count beyond what came is refused (reports 86). */
#include "base/util.h"
#include "cmd/cmd.h"
#include "cmd/pipe.h"
#include "srv/durable.h"

static status_t write_bytes(struct req *q, struct open *o, uint32_t off, uint32_t count, uint32_t *done)
{
	const uint8_t *p;
	status_t st;

	rd_skip(&q->bytes, 1);
	p = rd_take(&q->bytes, count);
	if (!p)
		return ST_INVALID_SMB;
	*done = count;
	if (o->kind == OPEN_PIPE)
		return pipe_write(q, o, p, count);
	st = open_may_write(q, o, off, count);
	if (st == ST_OK)
		st = fs_write(o->fd, off, p, count, done);
	o->written = true;
	return st == ST_OK ? durable_written(o, false) : st;
}

status_t cmd_write_and_close(struct req *q)
{
	struct open *o = req_open(q, rd_u16(&q->words));
	uint32_t count = rd_u16(&q->words), off = rd_u32(&q->words), done = 0;
	nttime_t when = utime_to_nttime(rd_u32(&q->words), q->c->zone);
	struct wr *w;
	status_t st = ST_OK, closed;

	if (!o)
		return ST_INVALID_HANDLE;
	if (count > 0) {
		st = write_bytes(q, o, off, count, &done);
		closed = open_close(&o, when);
		if (st == ST_OK)
			st = closed;
	}
	if (st != ST_OK)
		return st;
	w = req_words(q, 1);
	wr_u16(w, (uint16_t)done);
	req_bytes(q);
	req_done(q);
	return ST_OK;
}
