/* copy.c - contents from one open file into another without passing through us, where the kernel can do that:
 * shared blocks (reflink) or a copy inside the file system or the server behind it; else through a buffer. */
#include "fs/inner.h"
#include <errno.h>
#include <unistd.h>

#define STEP (64u << 20)   /* one call: long enough to be cheap, short enough to be interrupted */
#define BUFFER (64u * 1024)

static bool cannot(int err)
{
	return err == ENOSYS || err == EXDEV || err == EINVAL || err == EOPNOTSUPP || err == EBADF || err == EPERM ||
	       err == ETXTBSY || err == EIO;
}

static status_t by_buffer(int from, uint64_t off, int to, uint64_t to_off, uint64_t len, uint64_t *done)
{
	char buf[BUFFER];
	status_t st = ST_OK;

	while (st == ST_OK && *done < len) {
		uint32_t got, put;

		st = fs_read(from, off + *done, buf, (uint32_t)min_u64(len - *done, sizeof(buf)), &got);
		if (st != ST_OK || got == 0)
			break;
		st = fs_write(to, to_off + *done, buf, got, &put);
		*done += put;
		if (st == ST_OK && put < got)
			st = ST_DISK_FULL;
	}
	return st;
}

/* Onto a later part of itself: from the end, so that nothing is read after it was overwritten. */
static status_t from_behind(int from, uint64_t off, int to, uint64_t to_off, uint64_t len, uint64_t *done)
{
	char buf[BUFFER];
	uint32_t got, put;
	uint64_t size, left;
	status_t st = fs_size(from, &size);

	if (st != ST_OK || off >= size)
		return st;
	left = len = min_u64(len, size - off);
	while (st == ST_OK && left > 0) {
		uint32_t n = (uint32_t)min_u64(left, sizeof(buf));

		left -= n;
		st = fs_read(from, off + left, buf, n, &got);
		if (st == ST_OK)
			st = fs_write(to, to_off + left, buf, got, &put);
		if (st == ST_OK && (got < n || put < got))
			st = ST_DISK_FULL;
	}
	*done = st == ST_OK ? len : 0;
	return st;
}

static bool same_file(int a, int b)
{
	struct stat x, y;

	return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_ino == y.st_ino && x.st_dev == y.st_dev;
}

status_t fs_copy_data(int from, uint64_t off, int to, uint64_t to_off, uint64_t len, uint64_t *done)
{
	*done = 0;
	if (off > INT64_MAX || to_off > INT64_MAX || len > INT64_MAX - off || len > INT64_MAX - to_off)
		return ST_INVALID_PARAMETER;
	if (to_off > off && to_off - off < len && same_file(from, to))
		return from_behind(from, off, to, to_off, len, done);
	while (*done < len) {
		loff_t in = (loff_t)(off + *done), out = (loff_t)(to_off + *done);
		ssize_t n = copy_file_range(from, &in, to, &out, (size_t)min_u64(len - *done, STEP), 0);

		if (n > 0)
			*done += (uint64_t)n;
		else if (n == 0 && *done > 0)
			return ST_OK;
		else if (n == 0 || cannot(errno)) /* some file systems say "nothing there" for "cannot" */
			return by_buffer(from, off, to, to_off, len, done);
		else if (errno != EINTR)
			return fs_status(FS_DATA, errno);
	}
	return ST_OK;
}
