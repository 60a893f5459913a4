/* ioctl.c - NT_TRANSACT IOCTL (2): control codes on open files.
 *
 *   setup: code u32, FID u16, is_fsctl u8, flags u8;  D: in   ->   setup: length of D; D: out
 *
 * Files are sparse anyway, and nothing of ours is ever "dirty".  What is not in the table is NOT_SUPPORTED:
 * that is the answer clients have a fall-back for. */
#include "cmd/nttrans/nttrans.h"
#include "base/log.h"
#include "base/util.h"

struct ioctl {
	struct req *q;
	struct open *o;
	struct trans_reply *r;
};
struct ioctl_row {
	uint32_t code;
	const char *name;
	status_t (*run)(struct ioctl *i);
};

/* The file may have holes: every file of ours may. */
static status_t set_sparse(struct ioctl *i)
{
	if (i->o->kind != OPEN_FILE)
		return ST_INVALID_PARAMETER;
	return i->o->access & (ACC_WRITE_DATA | ACC_APPEND | ACC_WRITE_ATTR) ? ST_OK : ST_ACCESS_DENIED;
}

static status_t is_volume_dirty(struct ioctl *i)
{
	struct wr *d = trans_reply_data(i->q, i->r, 4);

	if (!d)
		return ST_NO_MEMORY;
	wr_u32(d, 0);
	return ST_OK;
}

static status_t not_a_link(struct ioctl *i)
{
	(void)i;
	return ST_NOT_A_REPARSE_POINT;
}

static status_t declined(struct ioctl *i)
{
	(void)i;
	return ST_NOT_SUPPORTED;
}

static const struct ioctl_row table[] = {
	{ 0x00090078, "is_volume_dirty", is_volume_dirty },
	{ 0x000900a4, "set_reparse_point", not_a_link },
	{ 0x000900a8, "get_reparse_point", not_a_link },
	{ 0x000900ac, "delete_reparse_point", not_a_link },
	{ 0x000900c4, "set_sparse", set_sparse },
	{ 0x00140078, "request_resume_key", declined },
	{ 0x001440f2, "copychunk", declined },
	{ 0x00144064, "enumerate_snapshots", declined },
};

status_t nttrans_ioctl(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct ioctl i = { .q = q, .r = r };
	uint32_t code;
	status_t st = ST_NOT_SUPPORTED;

	if (t->nsetup < 4)
		return ST_INVALID_PARAMETER;
	code = t->setup[0] | (uint32_t)t->setup[1] << 16;
	i.o = req_open(q, t->setup[2]);
	if (!i.o)
		return ST_INVALID_HANDLE;
	if (!(t->setup[3] & 0xff))
		return ST_NOT_SUPPORTED; /* of a device, not of a file system */
	for (size_t k = 0; k < ARRAY_LEN(table); k++) {
		if (table[k].code == code)
			st = table[k].run(&i);
	}
	log_at(LOG_SMB, 3, "ioctl 0x%08x: %s", code, status_name(st));
	if (st == ST_OK && t->max_setup > 0) {
		r->nsetup = 1;
		r->setup[0] = (uint16_t)r->d.pos;
	}
	return st;
}

bool nttrans_ioctl_at(size_t i, struct table_row *out)
{
	if (i >= ARRAY_LEN(table))
		return false;
	*out = (struct table_row){ table[i].code, table[i].name,
				   table[i].run != declined && table[i].run != not_a_link };
	return true;
}
