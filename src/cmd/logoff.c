/* logoff.c - LOGOFF_ANDX (0x74): W=2 AndX, reply W=2 AndX.  Closes the files this UID opened; the trees and
 * the other UIDs stay.  MS-CIFS 2.2.4.54. */
#include "cmd/cmd.h"

status_t cmd_logoff(struct req *q)
{
	if (!q->c->share_level) /* there sessions belong to trees */
		session_free(&q->s);
	req_words_andx(q, 2);
	req_bytes(q);
	req_done(q);
	return ST_OK;
}
