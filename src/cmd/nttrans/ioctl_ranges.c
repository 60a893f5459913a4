/* ioctl_ranges.c - what of a file has blocks: set sparse, zero a range, list the ranges.
 *
 *   SET_SPARSE              D: yes or no u8 (yes if it is missing)
 *   SET_ZERO_DATA           D: first byte u64, byte behind the last u64
 *   QUERY_ALLOCATED_RANGES  D: offset u64, length u64   ->   D: offset u64, length u64 ...
 *
 * Every file may have holes anyway; SET_SPARSE only moves the attribute.  Zeroed blocks go back to the disk, but with
 * `strict allocate`.  Byte-range locks are obeyed as in a write of the range.  MS-FSCC 2.3.47 to 69. */
#include "cmd/nttrans/ioctl.h"
#include "base/util.h"
#include "srv/durable.h"

#define ENTRY 16u
#define MOST_RANGES 4096u

status_t ioctl_set_sparse(struct ioctl *i)
{
	bool on = rd_left(&i->in) == 0 || rd_u8(&i->in) != 0;
	struct fs_stat st;
	bool pending;

	if (!(i->o->access & (ACC_WRITE_DATA | ACC_APPEND | ACC_WRITE_ATTR)))
		return ST_ACCESS_DENIED;
	if (open_stat(i->o, &st, &pending) != ST_OK || on == ((st.attrs & FS_ATTR_SPARSE) != 0))
		return ST_OK;
	/* where attributes are not kept the file is sparse all the same */
	(void)fs_set_attrs(i->o->node, i->o->fd, on ? st.attrs | FS_ATTR_SPARSE : st.attrs & ~FS_ATTR_SPARSE);
	return ST_OK;
}

/* The file stays as long as it is: a range beyond its end has nothing to zero. */
status_t ioctl_set_zero_data(struct ioctl *i)
{
	uint64_t from = rd_u64(&i->in), to = rd_u64(&i->in), size;
	status_t st;

	if (!rd_ok(&i->in) || from > to || to > INT64_MAX)
		return ST_INVALID_PARAMETER;
	if (!(i->o->access & ACC_WRITE_DATA))
		return ST_ACCESS_DENIED;
	st = open_may_write(i->q, i->o, from, to - from);
	if (st == ST_OK)
		st = fs_size(i->o->fd, &size);
	if (st != ST_OK)
		return st;
	to = min_u64(to, size);
	if (from >= to)
		return ST_OK;
	i->o->written = true;
	st = fs_zero(i->q->t->fs, i->o->fd, from, to);
	return st == ST_OK ? durable_written(i->o, false) : st;
}

status_t ioctl_allocated_ranges(struct ioctl *i)
{
	uint64_t off = rd_u64(&i->in), len = rd_u64(&i->in);
	uint32_t room = min_u32(i->t->max_d / ENTRY, MOST_RANGES);
	struct fs_range range;
	struct wr *d;
	status_t st;

	if (!rd_ok(&i->in) || off > INT64_MAX || len > INT64_MAX - off)
		return ST_INVALID_PARAMETER;
	st = open_may_read(i->q, i->o, off, 0); /* no byte is told, so locks do not matter */
	d = st == ST_OK ? trans_reply_data(i->q, i->r, room * ENTRY) : NULL;
	if (!d)
		return st == ST_OK ? ST_NO_MEMORY : st;
	for (uint64_t end = off + len; off < end; off = range.off + range.len) {
		st = fs_next_data(i->o->fd, off, end, &range);
		if (st != ST_OK || range.len == 0)
			return st;
		if (room == 0)
			return wr_tell(d) ? ST_BUFFER_OVERFLOW : ST_BUFFER_TOO_SMALL;
		room--;
		wr_u64(d, range.off);
		wr_u64(d, range.len);
	}
	return ST_OK;
}
