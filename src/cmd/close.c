/* close.c - CLOSE (0x04): W=3 FID, last write time (UTIME; 0 and -1 leave it), reply W=0.
 * Frees the share mode; deletes the file if it was doomed and this was the last FID.  MS-CIFS 2.2.4.5. */
#include "cmd/cmd.h"

status_t cmd_close(struct req *q)
{
	struct open *o = req_open(q, rd_u16(&q->words));
	nttime_t when = utime_to_nttime(rd_u32(&q->words), q->c->zone);
	status_t st;

	if (!o)
		return ST_INVALID_HANDLE;
	st = open_close(&o, when);
	if (st == ST_OK)
		req_empty(q);
	return st;
}
