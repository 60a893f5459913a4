/* notify.c - NT_TRANSACT NOTIFY_CHANGE (4): tell me when something changes in this folder.
 *
 *   setup: filter u32, FID u16, tree u8, 0   ->   P: changes (srv/notify_list.h); no data
 *
 * Answered when there is something to tell.  NOTIFY_ENUM_DIR without a byte: the client's buffer is too small for it.
 * Success without a byte: more has changed between two requests than is kept (look for yourself), or the handle goes;
 * smbtorture raw.notify.{overflow,exit,tdis} insist on success where NOTIFY_ENUM_DIR and NOTIFY_CLEANUP would be
 * the plainer words, and clients take an empty answer for them.  NT_CANCEL: CANCELLED.  A client of DOS
 * errors would take NOTIFY_ENUM_DIR for one: it gets success.  MS-CIFS 2.2.7.4, transactions section 10. */
#include "cmd/nttrans/nttrans.h"
#include "srv/notify.h"
#include "srv/park.h"

static status_t may_watch(const struct open *o, uint32_t filter)
{
	if (!o)
		return ST_INVALID_HANDLE;
	if (o->kind != OPEN_DIR || filter == 0) /* bits that nobody knows never match */
		return ST_INVALID_PARAMETER;
	return o->access & ACC_READ_DATA ? ST_OK : ST_ACCESS_DENIED;
}

/* The first request of a handle settles what is watched. */
static status_t watch(struct req *q, const struct trans *t, struct open *o, uint32_t filter, bool tree)
{
	status_t st = may_watch(o, filter);

	if (st != ST_OK || o->notify)
		return st;
	st = req_become(q);
	return st == ST_OK ? notify_start(o, filter, tree, t->max_p) : st;
}

static status_t take_changes(struct req *q, const struct trans *t, struct open *o, struct trans_reply *r)
{
	uint8_t *p;
	uint32_t len;

	switch (notify_list_take(&o->notify->list, q->mem, t->max_p, &p, &len)) {
	case NOTIFY_TOLD:
		r->p = wr_over(p, len);
		r->p.pos = len;
		return ST_OK;
	case NOTIFY_SMALL:
		return q->h.flags2 & FLAG2_NT_STATUS ? ST_NOTIFY_ENUM_DIR : ST_OK;
	default:
		return ST_OK;
	}
}

status_t nttrans_notify(struct req *q, struct trans *t, struct trans_reply *r)
{
	uint32_t filter = t->setup[0] | (uint32_t)t->setup[1] << 16;
	struct open *o = req_open(q, t->setup[2]);
	status_t st;

	if (!q->c->conf->g.change_notify)
		return req_refuse(q, ST_NOT_SUPPORTED, "change notify", "nobody is told of changes", "`change notify = yes`");
	if (t->nsetup < 4)
		return ST_INVALID_PARAMETER;
	if (q->resumed && q->resumed->cancelled)
		return ST_CANCELLED;
	if (!q->resumed) {
		st = watch(q, t, o, filter, t->setup[3] & 0xff);
		if (st != ST_OK)
			return st;
	}
	if (!o || !o->notify || o->notify->closing)
		return ST_OK;
	if (notify_list_some(&o->notify->list))
		return take_changes(q, t, o, r);
	return req_park(q, PARK_NOTIFY, NULL, o->fid, PARK_FOREVER);
}
