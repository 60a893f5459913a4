/* security.c - NT_TRANSACT SET_SECURITY_DESC (3), QUERY_SECURITY_DESC (6).
 *
 *   3  P: FID, reserved, security information u32; D: descriptor   ->   nothing
 *   6  P: FID, reserved, security information u32   ->   P: bytes needed u32; D: descriptor
 *
 * Too small a buffer: BUFFER_TOO_SMALL with P and no D.  Unix users are S-1-22-1-uid, groups S-1-22-2-gid.  The
 * audit list can be seen and set by administrators alone, through a handle opened for it. */
#include "cmd/nttrans/nttrans.h"

#define ALL_PARTS (SD_OWNER | SD_GROUP | SD_DACL | SD_SACL)

struct security_args {
	struct open *o;
	uint32_t parts;
};

static status_t decode(struct req *q, struct trans *t, struct security_args *a)
{
	a->o = req_open(q, rd_u16(&t->p));
	rd_skip(&t->p, 2);
	a->parts = rd_u32(&t->p) & ALL_PARTS;
	if (!rd_ok(&t->p))
		return ST_INVALID_PARAMETER;
	if (!a->o)
		return ST_INVALID_HANDLE;
	if (a->o->kind != OPEN_PIPE && !a->o->t->share->p.nt_acl_support)
		return req_refuse(q, ST_NOT_SUPPORTED, "nt acl support", "access lists are not served", "`nt acl support = yes`");
	if (a->o->kind == OPEN_PIPE)
		return ST_NOT_SUPPORTED;
	return req_become(q);
}

static status_t may_query(const struct security_args *a)
{
	if ((a->parts & SD_SACL) && !(a->o->access & ACC_SYSTEM_SECURITY))
		return ST_ACCESS_DENIED;
	return (a->parts & ~SD_SACL) && !(a->o->access & ACC_READ_CONTROL) ? ST_ACCESS_DENIED : ST_OK;
}

static status_t may_set(struct req *q, const struct security_args *a)
{
	uint32_t need = 0;

	if (a->parts & (SD_OWNER | SD_GROUP))
		need |= ACC_WRITE_OWNER;
	if (a->parts & SD_DACL)
		need |= ACC_WRITE_DAC;
	if (a->parts & SD_SACL)
		need |= ACC_SYSTEM_SECURITY;
	return (a->o->access & need) == need && req_may_write(q) ? ST_OK : ST_ACCESS_DENIED;
}

status_t nttrans_query_security(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct security_args a;
	struct sd sd;
	struct wr *d, *p;
	uint32_t size;
	status_t st = decode(q, t, &a);

	if (st == ST_OK)
		st = may_query(&a);
	if (st == ST_OK)
		st = fs_sd_get(a.o->node, q->mem, &sd);
	if (st != ST_OK)
		return st;
	size = sd_size(&sd, a.parts);
	p = trans_reply_params(q, r, 4);
	d = p ? trans_reply_data(q, r, size) : NULL;
	if (!d)
		return ST_NO_MEMORY;
	wr_u32(p, size);
	if (size > t->max_d) {
		r->always = true;
		return ST_BUFFER_TOO_SMALL;
	}
	sd_put(d, &sd, a.parts);
	return wr_ok(d) ? ST_OK : ST_INTERNAL_ERROR;
}

status_t nttrans_set_security(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct security_args a;
	struct sd sd;
	status_t st = decode(q, t, &a);

	(void)r;
	if (st == ST_OK)
		st = may_set(q, &a);
	if (st != ST_OK || a.parts == 0)
		return st;
	if (!sd_parse(&t->d, &sd))
		return ST_INVALID_SECURITY_DESCR;
	return fs_sd_set(a.o->node, &sd, a.parts);
}
