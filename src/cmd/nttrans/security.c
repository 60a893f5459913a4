/* security.c - NT_TRANSACT QUERY_SECURITY_DESC (6): a descriptor made of the file's mode.
 *
 *   P: FID, reserved, security information u32   ->   P: bytes needed u32; D: descriptor
 *
 * Too small a buffer: BUFFER_TOO_SMALL with P and no D.  Unix users are S-1-22-1-uid, groups S-1-22-2-gid. */
#include "cmd/nttrans/nttrans.h"
#include "base/util.h"

#define SD_SELF_RELATIVE 0x8000u
#define SD_DACL_PRESENT 0x4u

#define ALWAYS (ACC_READ_ATTR | ACC_READ_CONTROL | ACC_SYNCHRONIZE) /* whatever the mode */

struct sid { uint8_t authority; uint32_t n, sub[2]; };

static void put_sid(struct wr *w, const struct sid *s)
{
	wr_u8(w, 1);
	wr_u8(w, (uint8_t)s->n);
	wr_zero(w, 5);
	wr_u8(w, s->authority);
	for (uint32_t i = 0; i < s->n; i++)
		wr_u32(w, s->sub[i]);
}

/* rwx of one class as an access mask.  The owner may change the rest as well. */
static uint32_t rights(uint32_t rwx, bool owner, bool dir)
{
	uint32_t a = ALWAYS;

	if (rwx == 7 && owner)
		return ACC_FILE_ALL;
	if (rwx & 4)
		a |= ACC_FILE_READ;
	if (rwx & 2)
		a |= ACC_FILE_WRITE | ACC_DELETE | (dir ? ACC_DELETE_CHILD : 0);
	if (rwx & 1)
		a |= ACC_FILE_EXECUTE;
	if (owner)
		a |= ACC_WRITE_ATTR | ACC_WRITE_EA | ACC_WRITE_DAC | ACC_WRITE_OWNER | ACC_READ_CONTROL;
	return a;
}

static void put_ace(struct wr *w, uint32_t mask, const struct sid *s)
{
	wr_u8(w, 0); /* allow */
	wr_u8(w, 0);
	wr_u16(w, (uint16_t)(8 + 8 + 4 * s->n));
	wr_u32(w, mask);
	put_sid(w, s);
}

static void put_dacl(struct wr *w, const struct fs_stat *st, const struct sid who[3])
{
	uint32_t start = wr_tell(w);
	bool dir = fs_is_dir(st);

	wr_u8(w, 2);
	wr_u8(w, 0);
	wr_u16(w, 0);
	wr_u16(w, 3);
	wr_u16(w, 0);
	for (unsigned i = 0; i < 3; i++)
		put_ace(w, rights(st->mode >> (6 - 3 * i) & 7, i == 0, dir), &who[i]);
	wr_u16_at(w, start + 2, (uint16_t)(wr_tell(w) - start));
}

void security_from_mode(struct wr *w, const struct fs_stat *st, uint32_t parts)
{
	const struct sid who[3] = {
		{ 22, 2, { 1, st->uid } },
		{ 22, 2, { 2, st->gid } },
		{ 1, 1, { 0 } },
	};
	uint32_t start = wr_tell(w);

	wr_u8(w, 1);
	wr_u8(w, 0);
	wr_u16(w, (uint16_t)(SD_SELF_RELATIVE | (parts & SECURITY_DACL ? SD_DACL_PRESENT : 0)));
	wr_zero(w, 16);
	if (parts & SECURITY_OWNER) {
		wr_u32_at(w, start + 4, wr_tell(w) - start);
		put_sid(w, &who[0]);
	}
	if (parts & SECURITY_GROUP) {
		wr_u32_at(w, start + 8, wr_tell(w) - start);
		put_sid(w, &who[1]);
	}
	if (parts & SECURITY_DACL) {
		wr_u32_at(w, start + 16, wr_tell(w) - start);
		put_dacl(w, st, who);
	}
}

static status_t may_query(const struct open *o, uint32_t parts)
{
	if (o->kind == OPEN_PIPE)
		return ST_NOT_SUPPORTED;
	if (parts & SECURITY_SACL)
		return ST_ACCESS_DENIED; /* nobody has the right to see audits */
	if ((parts & (SECURITY_OWNER | SECURITY_GROUP | SECURITY_DACL)) && !(o->access & ACC_READ_CONTROL))
		return ST_ACCESS_DENIED;
	return o->t->share->p.nt_acl_support ? ST_OK : ST_NOT_SUPPORTED;
}

status_t nttrans_query_security(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct open *o = req_open(q, rd_u16(&t->p));
	struct wr *d, *p;
	struct fs_stat fst;
	uint32_t parts;
	bool pending;
	status_t st;

	rd_skip(&t->p, 2);
	parts = rd_u32(&t->p);
	if (!rd_ok(&t->p))
		return ST_INVALID_PARAMETER;
	if (!o)
		return ST_INVALID_HANDLE;
	st = may_query(o, parts);
	if (st == ST_OK)
		st = req_become(q);
	if (st == ST_OK)
		st = open_stat(o, &fst, &pending);
	if (st != ST_OK)
		return st;
	p = trans_reply_params(q, r, 4);
	d = p ? trans_reply_data(q, r, SECURITY_MAX) : NULL;
	if (!d)
		return ST_NO_MEMORY;
	security_from_mode(d, &fst, parts);
	wr_u32(p, wr_tell(d));
	if (wr_tell(d) <= t->max_d)
		return ST_OK;
	d->pos = 0;
	r->always = true;
	return ST_BUFFER_TOO_SMALL;
}
