/* write_and_unlock.c - WRITE_AND_UNLOCK (0x14): W=5 FID, count, offset32, remaining; FF1 length data: WRITE,
 * then the lock of exactly these bytes goes; reply W=1 count.  MS-CIFS 2.2.4.21.
 * Oddities: a count of 0 does nothing at all; a write that fails keeps the lock.
 * Story: lock-ranges. */
#include "cmd/cmd.h"
#include "srv/lock.h"

status_t cmd_write_and_unlock(struct req *q)
{
	struct open *o = req_open(q, rd_u16(&q->words));
	uint32_t count = rd_u16(&q->words), off = rd_u32(&q->words), done = 0;
	struct lock_range r = { .pid = lock_pid(&q->h), .start = off, .length = count };
	struct wr *w;
	status_t st;

	if (!o || o->kind == OPEN_PIPE)
		return ST_INVALID_HANDLE;
	st = count > 0 ? cmd_write_block(q, o, off, count, &done) : ST_OK;
	if (st == ST_OK && count > 0)
		st = lock_release(o, &r, 1);
	if (st != ST_OK)
		return st;
	w = req_words(q, 1);
	wr_u16(w, (uint16_t)done);
	req_bytes(q);
	req_done(q);
	return ST_OK;
}
