/* nt_cancel.c - NT_CANCEL (0xa4): W=0; never answered.  The header names the request (TID, PID, UID, MID) that
 * shall stop waiting.  One that does not wait has been answered already: nothing to do.  MS-CIFS 2.2.4.65. */
#include "cmd/cmd.h"
#include "srv/park.h"

status_t cmd_nt_cancel(struct req *q)
{
	park_cancel(q->c, &q->h);
	q->no_reply = true;
	return ST_OK;
}
