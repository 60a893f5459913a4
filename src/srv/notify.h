/* notify.h - change notify: clients that want to hear what happens in a folder.
 *
 *   open folder --first request--> watching --CLOSE, end of tree, user or process--> gone; who waits is answered
 *                                    |    ^
 *                              an event    `-- the next request takes what has come meanwhile, or waits (srv/park.h)
 *                                    v
 *                     wakes the oldest request that waits, which takes all events there are
 *
 * Filter, tree flag and buffer size are those of the first request.  Events come
 *   - from this worker's own changes: fs tells of each (notify_observe),
 *   - from other workers' changes: they find us in the database and send MSG_NOTIFY,
 *   - from local programs: the watcher process has inotify for all of us (notify_local.c). */
#ifndef SMB1D_SRV_NOTIFY_H
#define SMB1D_SRV_NOTIFY_H
#include "srv/notify_list.h"
#include "srv/open.h"

struct notify {
	uint64_t id;             /* low 16 bits: the FID */
	uint32_t filter;
	bool tree;
	const char *folder;      /* real path, as in the database */
	struct notify_list list;
	bool closing;            /* the handle goes: no more events, no more waiting */
	struct notify_local *local; /* NULL: no events of local programs */
};

/* Begins to watch.  max: bytes the client's first request takes. */
status_t notify_start(struct open *o, uint32_t filter, bool tree, uint32_t max);
/* Into the database, which is a new one; changes may have been missed meanwhile. */
void notify_put_again(struct open *o);
/* To be called first when a handle is closed: answers what waits for it. */
void notify_close(struct open *o);
/* Tells the watchers of all changes in this tree from now on. */
void notify_observe(struct tree *t);
/* Data written through this handle: told once, when it is closed. */
void notify_written(struct open *o);
/* MSG_NOTIFY from another worker. */
void notify_message(struct conn *c, struct rd *body);
/* Sends what other workers' queues had no room for.  The clock_ms() to be called again at, UINT64_MAX never. */
uint64_t notify_tick(struct conn *c);

/* ---- changes by local programs (srv/notify_local.c) ---- */
/* The watcher saw something in the folder registered as `id`; `name` is as on disk. */
void notify_local_event(struct conn *c, uint64_t id, enum fs_change change, unsigned what, const char *name);
/* It saw more than it could tell. */
void notify_local_lost(struct conn *c);
/* There is a (new) watcher: asks for everything. */
void notify_local_again(struct conn *c);
void notify_local_start(struct open *o);
void notify_local_stop(struct open *o);

/* ---- between the files of change notify ---- */
/* The watching handle of that number, or NULL. */
struct open *notify_find(const struct conn *c, uint64_t id);
/* One event for one handle; local: not from one of our workers. */
void notify_deliver(struct open *o, enum fs_change change, const char *name, bool local);
void notify_lost(struct open *o);
/* True once for each pair of a worker's word and the kernel's about one change (srv/notify_twice.c). */
bool notify_twice(struct conn *c, uint64_t id, enum fs_change change, const char *name, bool local);
#endif
