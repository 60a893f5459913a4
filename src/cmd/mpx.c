/* mpx.c - READ_MPX (0x1b) and WRITE_MPX (0x1e): reads and writes in many small messages, for networks without
 * connections.  On ours the client is told to use the standard commands (ERRSRV/251).  MS-CIFS 2.2.4.23, 2.2.4.26. */
#include "cmd/cmd.h"

status_t cmd_mpx(struct req *q)
{
	(void)q;
	return ST_SMB_USE_STANDARD;
}
