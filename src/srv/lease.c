/* lease.c - see lease.h. */
#include "srv/lease.h"
#include "base/util.h"
#include "srv/oplock.h"

#define LOOK_EVERY_MS 1000u

bool lease_take(struct open *o)
{
	struct conn *c = o->c;

	if (!o->t->share->p.kernel_oplocks)
		return true;
	if (c->host->lease_signal == 0 || !fs_lease(o->fd, c->host->lease_signal))
		return false;
	o->oplock.lease = true;
	c->leases++;
	return true;
}

void lease_end(struct open *o)
{
	if (!o->oplock.lease)
		return;
	fs_lease_end(o->fd);
	o->oplock.lease = false;
	o->c->leases--;
}

void lease_look(struct conn *c)
{
	uint32_t left = c->leases;
	struct open *o;
	uint16_t fid = 0;

	c->lease_look = clock_ms() + LOOK_EVERY_MS;
	while (left > 0 && (o = idtab_next(c->opens, fid, &fid)) != NULL) {
		if (!o->oplock.lease)
			continue;
		left--;
		if (!fs_lease_kept(o->fd))
			oplock_break(o, OPLOCK_NONE);
	}
}

/* The kernel signals the user who took the lease: with several on one connection we may be another by now. */
uint64_t lease_tick(struct conn *c)
{
	if (c->leases == 0 || idtab_count(c->sessions) < 2)
		return UINT64_MAX;
	if (clock_ms() >= c->lease_look)
		lease_look(c);
	return c->lease_look;
}
