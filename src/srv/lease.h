/* lease.h - `kernel oplocks`: oplocks that local programs break, too.
 *
 *   oplock given ─> lease of the open file ── local open ─> signal ─> break ─> client answers ─> lease ends, it goes on
 *                     └ refused (somebody has the file open; another user's): no oplock
 *
 * The kernel gives leases to a file's owner only.  There are none for reading: no level II. */
#ifndef SMB1D_SRV_LEASE_H
#define SMB1D_SRV_LEASE_H
#include "srv/open.h"

/* In a share with `kernel oplocks` each exclusive and batch oplock needs one.  False: it must be given back. */
bool lease_take(struct open *o);
/* The oplock has ended. */
void lease_end(struct open *o);
/* A signal of the kernel has come: breaks the oplocks of files that somebody waits for. */
void lease_look(struct conn *c);
/* Looks by itself where signals may not come.  The clock_ms() at which it wants to be called again, UINT64_MAX never. */
uint64_t lease_tick(struct conn *c);
#endif
