/* process_exit.c - PROCESS_EXIT (0x11): W=0, reply W=0.  A program of the client has ended: its files on this
 * tree are closed.  MS-CIFS 2.2.4.18. */
#include "cmd/cmd.h"

status_t cmd_process_exit(struct req *q)
{
	if (q->t)
		open_close_pid(q->c, q->h.pid, q->t);
	req_empty(q);
	return ST_OK;
}
