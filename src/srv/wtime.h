/* wtime.h - when others see that the write time of an open file has moved.
 *
 *   first write through a handle ──▶ the old time is shown for `smbd:writetimeupdatedelay`, then the moment when
 *                                    that is over; later writes show when the handle closes
 *   the size is set, cut or grown ─▶ shown at once, then nothing more until the handle closes
 *   a client sets the time ────────▶ that one, whatever is written through this handle; through another one, until
 *                                    that closes
 *
 * The disk always has its own time; what is shown instead lies in the share-mode record, so it costs nothing
 * per write and all workers agree. */
#ifndef SMB1D_SRV_WTIME_H
#define SMB1D_SRV_WTIME_H
#include "srv/open.h"

#define WTIME_STUCK 0u            /* write_due: set by a client */
#define WTIME_HELD UINT64_MAX     /* write_due: until a writer closes */

struct wtime {
	nttime_t held, change;
	uint64_t due;
};
void wtime_get(const struct db_file *f, struct wtime *t);
/* What to show instead of st->write and st->change. */
void wtime_show(const struct wtime *t, struct fs_stat *st);
/* Before the first write through this handle: the write time stays for a while, and the file gets its archive bit. */
void wtime_first_write(const struct req *q, struct open *o);
/* The size was set through it. */
void wtime_cut(struct open *o);
/* The time was set, through o (may be NULL) or by name. */
void wtime_set(struct conn *c, struct open *o, const struct fs_node *node, nttime_t t);
struct wtime_rest {
	nttime_t t;   /* 0: nothing to do */
	bool exactly; /* the disk must have this write time; else none older */
};
/* Inside the call in which o leaves the record; closing: the time that CLOSE brought, 0 none. */
void wtime_leave(struct db_file *f, const struct open *o, nttime_t closing, struct wtime_rest *rest);
/* After it, with the rights of the opener: the disk gets what others have been shown. */
void wtime_settle(struct open *o, const struct wtime_rest *rest);
/* st->write as others shall see it; *pending whether the name is doomed. */
void wtime_look(struct conn *c, const struct db_file_id *id, struct fs_stat *st, bool *pending);
#endif
