/* lock_byte_range.c - LOCK_BYTE_RANGE (0x0c): W=5 FID, count32, offset32; an exclusive lock of the process in
 * the header, granted or refused at once; reply W=0.  MS-CIFS 2.2.4.13.  Story: lock-ranges. */
#include "cmd/cmd.h"
#include "srv/lock.h"
#include "srv/oplock.h"

status_t cmd_lock_byte_range(struct req *q)
{
	struct open *o = req_open(q, rd_u16(&q->words));
	uint32_t count = rd_u32(&q->words), off = rd_u32(&q->words);
	struct lock_range r = { .pid = lock_pid(&q->h), .start = off, .length = count };
	status_t st;

	if (!o || o->kind == OPEN_PIPE)
		return ST_INVALID_HANDLE;
	oplock_break_level2(q->c, o);
	st = lock_take(q, o, &r, 1, true, 0);
	if (st == ST_OK)
		req_empty(q);
	return st;
}
