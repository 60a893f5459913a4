/* basemode.h - whoever has an alternate stream open is known to the file it belongs to: the file cannot be deleted or
 * replaced against his will, and a doomed file waits for him. */
#ifndef SMB1D_SRV_BASEMODE_H
#define SMB1D_SRV_BASEMODE_H
#include "srv/open.h"

/* After the stream was opened.  ST_OK also for what is no stream; ST_DELETE_PENDING: the file is doomed. */
status_t basemode_enter(struct open *o, uint32_t share);
/* When it closes, with the rights of the opener (may_delete false: they are gone). */
void basemode_leave(struct open *o, bool may_delete);
#endif
