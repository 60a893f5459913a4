/* close_and_tree_disc.c - CLOSE_AND_TREE_DISC (0x31): CLOSE (0x04) and TREE_DISCONNECT (0x71) in one.
 * W=3 FID, last write UTIME32; reply W=0.  MS-CIFS 2.2.4.45 only names it; no client is known. */
#include "cmd/cmd.h"

status_t cmd_close_and_tree_disc(struct req *q)
{
	struct open *o = req_open(q, rd_u16(&q->words));
	nttime_t when = utime_to_nttime(rd_u32(&q->words), q->c->zone);
	status_t st;

	if (!o)
		return ST_INVALID_HANDLE;
	st = open_close(&o, when);
	req_leave_tree(q);
	if (st == ST_OK)
		req_empty(q);
	return st;
}
