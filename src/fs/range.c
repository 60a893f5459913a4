/* range.c - which bytes of a file have blocks: holes made and found. */
#include "fs/inner.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define BUFFER (64u * 1024)
#define BY_HAND (16u << 20) /* bytes that one call may write where the file system cannot make holes */

static int change_blocks(int fd, int mode, uint64_t from, uint64_t to)
{
	int n;

	do {
		n = fallocate(fd, mode | FALLOC_FL_KEEP_SIZE, (off_t)from, (off_t)(to - from));
	} while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : 0;
}

static status_t write_zeros(int fd, uint64_t from, uint64_t to)
{
	static const uint8_t zeros[BUFFER];
	status_t st = ST_OK;
	uint32_t done;

	if (to - from > BY_HAND)
		return ST_NOT_SUPPORTED;
	while (st == ST_OK && from < to) {
		st = fs_write(fd, from, zeros, (uint32_t)min_u64(to - from, BUFFER), &done);
		from += done;
		if (st == ST_OK && done == 0)
			st = ST_DISK_FULL;
	}
	return st;
}

status_t fs_zero(struct fs_share *share, int fd, uint64_t from, uint64_t to)
{
	int err;

	if (from >= to || to > INT64_MAX)
		return from == to ? ST_OK : ST_INVALID_PARAMETER;
	if (share->p->strict_allocate)
		err = change_blocks(fd, FALLOC_FL_ZERO_RANGE, from, to);
	else
		err = change_blocks(fd, FALLOC_FL_PUNCH_HOLE, from, to);
	if (err == -EOPNOTSUPP || err == -ENOSYS || err == -EINVAL)
		return write_zeros(fd, from, to);
	return fs_status(FS_DATA, err);
}

status_t fs_next_data(int fd, uint64_t from, uint64_t to, struct fs_range *out)
{
	off_t at, hole;
	uint64_t size;
	status_t st = fs_size(fd, &size);

	*out = (struct fs_range){ .off = from };
	to = min_u64(to, size);
	if (st != ST_OK || from >= to)
		return st;
	at = lseek(fd, (off_t)from, SEEK_DATA);
	if (at < 0 && errno == ENXIO) /* nothing but a hole */
		return ST_OK;
	hole = at < 0 ? -1 : lseek(fd, at, SEEK_HOLE);
	if (at < 0 || hole < 0) { /* a file system that does not know */
		at = (off_t)from;
		hole = (off_t)to;
	}
	if ((uint64_t)at < to) {
		out->off = (uint64_t)at;
		out->len = min_u64((uint64_t)hole, to) - (uint64_t)at;
	}
	return ST_OK;
}
