/* lock_and_read.c - LOCK_AND_READ (0x13): W=5 FID, count, offset32, remaining; an exclusive lock of these bytes
 * for the process in the header, then READ; reply as READ.  MS-CIFS 2.2.4.20.
 * Oddity: the lock is on all bytes asked for, even if the file ends before; a read that fails gives it back.
 * Story: lock-ranges. */
#include "cmd/cmd.h"
#include "srv/lock.h"
#include "srv/oplock.h"

status_t cmd_lock_and_read(struct req *q)
{
	struct open *o = req_open(q, rd_u16(&q->words));
	uint32_t want = rd_u16(&q->words), off = rd_u32(&q->words);
	struct lock_range r = { .pid = lock_pid(&q->h), .start = off, .length = want };
	status_t st;

	if (!o || o->kind == OPEN_PIPE)
		return ST_INVALID_HANDLE;
	oplock_break_level2(q->c, o);
	st = lock_take(q, o, &r, 1, true, 0);
	if (st != ST_OK)
		return st;
	st = cmd_read_block(q, o, off, want);
	if (st != ST_OK)
		(void)lock_release(o, &r, 1);
	return st;
}
