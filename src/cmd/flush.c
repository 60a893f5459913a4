/* flush.c - FLUSH (0x05): W=1 FID (0xffff: all of this process in this tree), reply W=0.
 * `strict sync = no` answers without waiting for the disk.  MS-CIFS 2.2.4.6. */
#include "cmd/cmd.h"
#include "srv/durable.h"

static status_t flush_all(struct req *q)
{
	struct open *o;
	uint16_t id = 0;
	status_t st = ST_OK;

	while ((o = idtab_next(q->c->opens, id, &id)) != NULL && st == ST_OK)
		if (o->t == q->t && o->pid == q->h.pid && o->written)
			st = durable_flush(o);
	return st;
}

status_t cmd_flush(struct req *q)
{
	uint16_t fid = rd_u16(&q->words);
	struct open *o = fid == 0xffff ? NULL : req_open(q, fid);
	status_t st;

	if (fid != 0xffff && !o)
		return ST_INVALID_HANDLE;
	st = o ? durable_flush(o) : flush_all(q);
	if (st == ST_OK)
		req_empty(q);
	return st;
}
