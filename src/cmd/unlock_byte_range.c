/* unlock_byte_range.c - UNLOCK_BYTE_RANGE (0x0d): W=5 FID, count32, offset32, exactly as they were locked by
 * the process in the header; reply W=0.  MS-CIFS 2.2.4.14.  Story: lock-ranges. */
#include "cmd/cmd.h"
#include "srv/lock.h"

status_t cmd_unlock_byte_range(struct req *q)
{
	struct open *o = req_open(q, rd_u16(&q->words));
	uint32_t count = rd_u32(&q->words), off = rd_u32(&q->words);
	struct lock_range r = { .pid = lock_pid(&q->h), .start = off, .length = count };
	status_t st;

	if (!o || o->kind == OPEN_PIPE)
		return ST_INVALID_HANDLE;
	st = lock_release(o, &r, 1);
	if (st == ST_OK)
		req_empty(q);
	return st;
}
