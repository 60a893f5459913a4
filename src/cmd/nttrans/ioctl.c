/* ioctl.c - NT_TRANSACT IOCTL (2): control codes on open files.
 *
 *   setup: code u32, FID u16, is_fsctl u8, flags u8;  D: in   ->   setup: length of D; D: out
 *
 * What is not in the table is NOT_SUPPORTED: that is the answer clients have a fall-back for.  So is what we know and
 * decline: object ids are made of the file itself, so nobody sets or deletes them.  MS-SMB 2.2.7.2, MS-FSCC 2.3. */
#include "cmd/nttrans/ioctl.h"
#include "base/log.h"
#include "base/util.h"

#define ON_FILE (1u << OPEN_FILE)
#define ON_DIR (1u << OPEN_DIR)
#define ON_PIPE (1u << OPEN_PIPE)
#define ON_DISK (ON_FILE | ON_DIR)

struct ioctl_row {
	uint32_t code;
	const char *name;
	unsigned on;
	status_t (*run)(struct ioctl *i);
};

/* Nothing of ours is ever "dirty". */
static status_t is_volume_dirty(struct ioctl *i)
{
	struct wr *d = trans_reply_data(i->q, i->r, 4);

	if (!d)
		return ST_NO_MEMORY;
	wr_u32(d, 0);
	return ST_OK;
}

static status_t get_compression(struct ioctl *i)
{
	struct wr *d = trans_reply_data(i->q, i->r, 2);

	if (!d)
		return ST_NO_MEMORY;
	wr_u16(d, 0);
	return ST_OK;
}

static status_t set_compression(struct ioctl *i)
{
	uint16_t format = rd_u16(&i->in);

	if (!rd_ok(&i->in) || format > 2)
		return ST_INVALID_PARAMETER;
	return format == 0 ? ST_OK : ST_NOT_SUPPORTED;
}

/* Previous versions: there are none.  Clients ask with room for sixteen bytes first. */
static status_t enumerate_snapshots(struct ioctl *i)
{
	struct wr *d = i->t->max_d < 16 ? NULL : trans_reply_data(i->q, i->r, 16);

	if (!d)
		return i->t->max_d < 16 ? ST_INVALID_PARAMETER : ST_NO_MEMORY;
	wr_u32(d, 0); /* how many there are, how many follow */
	wr_u32(d, 0);
	wr_u32(d, 2); /* bytes of the list: the NUL that ends it */
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
	{ 0x0009003c, "get_compression", ON_DISK, get_compression },
	{ 0x0009c040, "set_compression", ON_DISK, set_compression },
	{ 0x00090078, "is_volume_dirty", ON_DISK | ON_PIPE, is_volume_dirty },
	{ 0x0009008f, "find_files_by_sid", ON_DIR, ioctl_files_by_sid },
	{ 0x00090098, "set_object_id", ON_DISK, declined },
	{ 0x0009009c, "get_object_id", ON_DISK, ioctl_object_id },
	{ 0x000900a0, "delete_object_id", ON_DISK, declined },
	{ 0x000900a4, "set_reparse_point", ON_DISK, not_a_link },
	{ 0x000900a8, "get_reparse_point", ON_DISK, not_a_link },
	{ 0x000900ac, "delete_reparse_point", ON_DISK, not_a_link },
	{ 0x000900bc, "set_object_id_extended", ON_DISK, declined },
	{ 0x000900c0, "create_or_get_object_id", ON_DISK, ioctl_object_id },
	{ 0x000900c4, "set_sparse", ON_FILE, ioctl_set_sparse },
	{ 0x000940cf, "query_allocated_ranges", ON_FILE, ioctl_allocated_ranges },
	{ 0x000980c8, "set_zero_data", ON_FILE, ioctl_set_zero_data },
	{ 0x0011400c, "pipe_peek", ON_PIPE, ioctl_pipe_peek },
	{ 0x00110018, "pipe_wait", ON_PIPE, ioctl_pipe_wait },
	{ 0x0011c017, "pipe_transceive", ON_PIPE, ioctl_pipe_transceive },
	{ 0x00140078, "request_resume_key", ON_FILE, ioctl_resume_key },
	{ 0x001440f2, "copychunk", ON_FILE, ioctl_copychunk },
	{ 0x001480f2, "copychunk_write", ON_FILE, ioctl_copychunk_write },
	{ 0x00144064, "enumerate_snapshots", ON_DISK, enumerate_snapshots },
};

static status_t run(struct ioctl *i, const struct ioctl_row *row)
{
	status_t st;

	if (!(row->on & 1u << i->o->kind))
		return i->o->kind == OPEN_DIR ? ST_INVALID_PARAMETER : ST_INVALID_DEVICE_REQUEST;
	st = i->o->kind == OPEN_PIPE ? ST_OK : req_become(i->q);
	return st == ST_OK ? row->run(i) : st;
}

status_t nttrans_ioctl(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct ioctl i = { .q = q, .t = t, .in = t->d, .r = r };
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
			st = run(&i, &table[k]);
	}
	log_at(LOG_SMB, 3, "ioctl 0x%08x: %s", code, status_name(st));
	if (!status_is_error(st) && t->max_setup > 0) {
		r->nsetup = 1;
		r->setup[0] = (uint16_t)min_u32(r->d.pos, t->max_d);
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
