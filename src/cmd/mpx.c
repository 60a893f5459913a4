/* mpx.c - READ_MPX (0x1b) and WRITE_MPX (0x1e): reads and writes in many small messages, for networks without
 * connections.
 *
 * Refused, on purpose: MS-CIFS permits both on connectionless transports only, where a client learns from
 * CAP_MPX_MODE that it may use them; we have none, and never announce it.  On TCP and NetBIOS the answer that makes an
 * old client go on with the standard commands is ERRSRV/251 (use standard), which other servers give as well.  The
 * secondaries (0x1c, 0x1f) belong to a form that no NT dialect has; they are commands nobody knows (ERRSRV/22).
 * MS-CIFS 2.2.4.23 to 27, 3.3.5.25. */
#include "cmd/cmd.h"

status_t cmd_mpx(struct req *q)
{
	(void)q;
	return ST_SMB_USE_STANDARD;
}
