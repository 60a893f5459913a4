/* messenger.c - SEND_* (0xd0 - 0xd7): WinPopup messages of the LAN Manager era.
 * There is no messenger here: as a Windows without that service we answer "unknown command" (ERRSRV/22), by which
 * a client knows that nobody has read it.  MS-CIFS 2.2.4.71 - 78 name them only. */
#include "base/log.h"
#include "cmd/cmd.h"

status_t cmd_messenger(struct req *q)
{
	log_at(LOG_SMB, 3, "refused: messenger command 0x%02x; there is no messenger here", q->cmd);
	return ST_SMB_BAD_COMMAND;
}
