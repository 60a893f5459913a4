/* process_exit.c - PROCESS_EXIT (0x11): W=0, reply W=0.  A program of the client has ended: the files it
 * opened as this user are closed, on all trees (the TID is often not set).  MS-CIFS 2.2.4.18. */
#include "cmd/cmd.h"

status_t cmd_process_exit(struct req *q)
{
	open_close_pid(q->c, q->h.pid, q->h.uid);
	req_empty(q);
	return ST_OK;
}
