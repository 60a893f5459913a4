/* create.c - NT_TRANSACT CREATE (1): NT_CREATE_ANDX that brings a descriptor and extended attributes.
 *
 *   P: flags32, root FID32, access32, allocation64, attributes32, share32, disposition32, options32,
 *      SD length32, EA length32, name length32, impersonation32, security u8, [pad], name
 *   D: security descriptor, then at the next multiple of four the attributes (full EA list)
 *   -> P: oplock u8, 0, FID, action32, EA error offset32, four times, attributes32, allocation64, size64,
 *         type, state, folder u8 = 69 bytes; with flag 0x10 volume GUID, file id64, two access masks more
 *
 * A new file gets the descriptor that was sent; what that leaves open it has from its folder. */
#include "cmd/nt_create.h"
#include "cmd/nttrans/nttrans.h"
#include "cmd/trans2/find_levels.h"
#include "cmd/trans2/trans2.h"
#include "wire/wire.h"

struct create_args {
	struct nt_create nt;
	struct sd sd;
	struct fs_ea *eas;
	size_t neas;
};

/* SD and EA lists of the data. */
static status_t get_lists(struct req *q, struct rd *d, uint32_t sd_len, uint32_t ea_len,
			  struct create_args *a)
{
	struct rd eas, sd = rd_window(d, rd_tell(d), sd_len);

	if (sd_len > 0 && (!rd_ok(&sd) || !sd_parse(&sd, &a->sd)))
		return rd_ok(&sd) ? ST_INVALID_SECURITY_DESCR : ST_INVALID_PARAMETER;
	a->nt.want.sd = sd_len && q->t->share->p.nt_acl_support ? &a->sd : NULL;
	rd_skip(d, sd_len);
	if (ea_len == 0)
		return rd_ok(d) ? ST_OK : ST_INVALID_PARAMETER;
	rd_align(d, 4);
	eas = rd_window(d, rd_tell(d), ea_len);
	if (!rd_ok(d) || !rd_ok(&eas))
		return ST_INVALID_PARAMETER;
	return ea_get_full(q->mem, &eas, &a->eas, &a->neas);
}

static status_t decode(struct req *q, struct trans *t, struct create_args *a)
{
	struct rd *p = &t->p;
	uint32_t sd_len, ea_len, name_len;
	struct rd name;

	a->nt.flags = rd_u32(p);
	a->nt.root_fid = rd_u32(p);
	nt_create_fields(p, &a->nt);
	sd_len = rd_u32(p);
	ea_len = rd_u32(p);
	name_len = rd_u32(p);
	rd_skip(p, 5);
	if (req_unicode(q) && rd_left(p) > name_len)
		rd_skip(p, 1); /* some clients align the name, some do not */
	if (!rd_ok(p) || name_len > rd_left(p))
		return ST_INVALID_PARAMETER;
	name = rd_over(p->msg + p->pos, name_len); /* its own start, so that it counts as aligned */
	a->nt.client_name = wire_str_n(q->mem, &name, req_unicode(q), name_len);
	if (!a->nt.client_name)
		return ST_NO_MEMORY;
	return get_lists(q, &t->d, sd_len, ea_len, a);
}

/* ---- run ---- */

static status_t open_it(struct req *q, struct create_args *a, struct open **o, struct open_result *res)
{
	status_t st;

	if (q->t->ipc)
		return open_pipe(q, a->nt.want.name, a->nt.want.access, o);
	st = open_file(q, &a->nt.want, o, res);
	if (st != ST_OK || res->action == ACTION_OPENED || a->neas == 0)
		return st;
	st = trans2_set_eas(q, (*o)->node, a->eas, a->neas);
	if (st == ST_OK)
		return st;
	if (res->action == ACTION_CREATED)
		(*o)->delete_on_close = true; /* all or nothing */
	open_close(o, 0);
	return st;
}

static status_t encode(struct req *q, const struct create_args *a, const struct open *o,
		       const struct open_result *res, struct trans_reply *r)
{
	struct wr *w = trans_reply_params(q, r, 101);

	if (!w)
		return ST_NO_MEMORY;
	wr_u8(w, res->oplock);
	wr_u8(w, 0);
	wr_u16(w, o->fid);
	wr_u32(w, res->action);
	wr_u32(w, 0);
	nt_create_answer(w, &a->nt, o, res, o->kind == OPEN_PIPE ? 0 : info_file_id(&res->st));
	return ST_OK;
}

/* A mere warning: clients want a whole reply with it, without a file. */
static status_t warn(struct req *q, struct trans_reply *r)
{
	struct wr *w = trans_reply_params(q, r, 69);

	if (!w)
		return ST_NO_MEMORY;
	wr_zero(w, 69);
	return ST_INVALID_EA_NAME;
}

status_t nttrans_create(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct create_args a = { .neas = 0 };
	struct open_result res = { .action = ACTION_OPENED };
	struct open *o = NULL;
	status_t st = decode(q, t, &a);

	if (st == ST_OK)
		st = req_become(q);
	if (st == ST_OK)
		st = nt_create_name(q, &a.nt);
	if (st == ST_OK)
		st = open_it(q, &a, &o, &res);
	if (st == ST_OK)
		st = encode(q, &a, o, &res, r);
	if (st != ST_OK && o)
		open_close(&o, 0);
	return st == ST_INVALID_EA_NAME ? warn(q, r) : st;
}
