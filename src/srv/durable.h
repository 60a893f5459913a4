/* durable.h - when written bytes are on the disk, and not only in the kernel's memory.
 *
 * A request or a handle can be "write-through": the bytes are on the disk before the answer.  `strict sync = no` makes
 * all of this free and promises nothing; `sync always` makes every write one of these; `smb1d: write through = flush`
 * puts it off to the next FLUSH of the handle, or its close.  docs/durability.md tells what each setting promises. */
#ifndef SMB1D_SRV_DURABLE_H
#define SMB1D_SRV_DURABLE_H
#include "srv/open.h"

/* Bytes were written through o.  True: the answer has to wait for durable_now().  `through`: the request said so. */
bool durable_wanted(struct open *o, bool through);
/* Everything written to the file is on the disk; or why not. */
status_t durable_now(struct open *o);
/* Both of the above. */
status_t durable_written(struct open *o, bool through);
/* FLUSH: data and times, whoever wrote them. */
status_t durable_flush(struct open *o);
/* The handle ends: what was put off. */
status_t durable_close(struct open *o);
#endif
