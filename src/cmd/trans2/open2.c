/* open2.c - TRANS2 OPEN2 (00): OS/2 opens a file and gives it extended attributes.
 *
 *   P: flags, access mode, reserved, attributes, creation UTIME u32, open function, allocation u32,
 *      5 reserved words, name;  D: EA list
 *   -> P: FID, attributes, UTIME u32, size u32, granted, type, state, result, server FID u32,
 *         EA error offset, EA length u32      (30 bytes) */
#include "base/util.h"
#include "cmd/dos_open.h"
#include "cmd/trans2/trans2.h"

#define FLAG_OPLOCK_2 2u
#define FLAG_BATCH 4u
#define FLAG_EA_LENGTH 8u

struct open2_args {
	struct open_want want;
	uint16_t flags, mode;
	nttime_t created;
	struct fs_ea *eas;
	size_t neas;
};

static status_t decode(struct req *q, struct trans *t, struct open2_args *a)
{
	struct rd *p = &t->p;
	uint16_t function;
	char *path;
	status_t st;

	a->flags = rd_u16(p);
	a->mode = rd_u16(p);
	rd_skip(p, 2);
	a->want.attrs = rd_u16(p);
	a->created = utime_to_nttime(rd_u32(p), q->c->zone);
	function = rd_u16(p);
	a->want.alloc = rd_u32(p);
	rd_skip(p, 10);
	if (!rd_ok(p))
		return ST_INVALID_PARAMETER;
	st = trans2_path(q, p, &path);
	if (st != ST_OK)
		return st;
	a->want.name = path;
	if (a->flags & FLAG_OPLOCK_2)
		a->want.oplock = a->flags & FLAG_BATCH ? 2 : 1;
	if ((function & 0x13) == 0) /* "fail if it exists, fail if not": no OpenX error here (torture raw.open.t2open) */
		return ST_OBJECT_NAME_COLLISION;
	st = dos_open_function(function, &a->want);
	if (st == ST_OK)
		st = dos_access_mode(a->mode, path, &a->want);
	if (st == ST_OK && rd_left(&t->d) >= 4)
		st = ea_get_list(q->mem, &t->d, &a->eas, &a->neas);
	return st;
}

/* A new file gets its time and attributes; if it cannot have the attributes it is not made. */
static status_t furnish(struct req *q, const struct open2_args *a, struct open *o, struct open_result *res)
{
	struct fs_times times = { .create = a->created };
	status_t st = ST_OK;

	if (res->action == ACTION_CREATED && a->created)
		fs_set_times(o->node, o->fd, &times);
	if (res->action != ACTION_OPENED)
		st = trans2_set_eas(q, o->node, a->eas, a->neas);
	if (st != ST_OK && res->action == ACTION_CREATED)
		o->delete_on_close = true;
	return st;
}

static status_t encode(struct req *q, const struct open2_args *a, struct open *o,
		       const struct open_result *res, struct trans_reply *r)
{
	struct wr *w = trans_reply_params(q, r, 30);
	struct fs_ea *eas = NULL;
	size_t n = 0;

	if (!w)
		return ST_NO_MEMORY;
	if (a->flags & FLAG_EA_LENGTH)
		trans2_eas(q, o->node, &eas, &n);
	wr_u16(w, o->fid);
	wr_u16(w, (uint16_t)(res->st.attrs & FS_ATTR_DOS));
	wr_u32(w, utime_from_nttime(res->st.write, q->c->zone));
	wr_u32(w, (uint32_t)min_u64(res->st.size, UINT32_MAX));
	wr_u16(w, a->mode); /* with the sharing, unlike OpenX */
	wr_u16(w, 0);
	wr_u16(w, 0);
	wr_u16(w, (uint16_t)(dos_open_result(res->action) | (res->oplock ? 0x8000 : 0)));
	wr_u32(w, (uint32_t)res->st.ino);
	wr_u16(w, 0);
	wr_u32(w, a->flags & FLAG_EA_LENGTH ? ea_list_size(eas, n) : 0);
	return ST_OK;
}

status_t trans2_open2(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct open2_args a = { .flags = 0 };
	struct open_result res;
	struct open *o;
	status_t st = decode(q, t, &a);

	if (st == ST_OK)
		st = dos_open(q, &a.want, &o, &res);
	if (st != ST_OK)
		return st;
	st = furnish(q, &a, o, &res);
	if (st == ST_OK)
		st = encode(q, &a, o, &res, r);
	if (st != ST_OK)
		open_close(&o, 0);
	return st;
}
