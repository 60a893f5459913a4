/* data.c - bytes of an open file. */
#include "fs/inner.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

static bool beyond(uint64_t off, uint64_t len)
{
	return off > INT64_MAX || len > INT64_MAX - off;
}

HOT status_t fs_read(int fd, uint64_t off, void *buf, uint32_t want, uint32_t *got)
{
	char *p = buf;

	*got = 0;
	if (beyond(off, want))
		return ST_OK; /* nothing is there */
	while (*got < want) {
		ssize_t n = pread(fd, p + *got, want - *got, (off_t)(off + *got));

		if (n > 0)
			*got += (uint32_t)n;
		else if (n == 0)
			break;
		else if (errno != EINTR)
			return *got ? ST_OK : fs_status(FS_DATA, errno);
	}
	return ST_OK;
}

HOT status_t fs_write(int fd, uint64_t off, const void *buf, uint32_t len, uint32_t *done)
{
	const char *p = buf;

	*done = 0;
	if (beyond(off, len))
		return ST_INVALID_PARAMETER;
	while (*done < len) {
		ssize_t n = pwrite(fd, p + *done, len - *done, (off_t)(off + *done));

		if (n > 0)
			*done += (uint32_t)n;
		else if (n == 0)
			return *done ? ST_OK : ST_DISK_FULL;
		else if (errno != EINTR)
			return *done ? ST_OK : fs_status(FS_DATA, errno);
	}
	return ST_OK;
}

status_t fs_data_status(int err) { return fs_status(FS_DATA, err); }

status_t fs_truncate(int fd, uint64_t size)
{
	int n;

	if (size > INT64_MAX)
		return ST_INVALID_PARAMETER;
	do {
		n = ftruncate(fd, (off_t)size);
	} while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EINVAL) /* open for reading only */
		return ST_ACCESS_DENIED;
	return n < 0 ? fs_status(FS_DATA, errno) : ST_OK;
}

/* Would that many more bytes fit, on the disk and in the user's share of it? */
static status_t would_fit(struct fs_share *share, int fd, uint64_t more)
{
	struct statvfs v;
	struct fs_quota own;

	if (fstatvfs(fd, &v) == 0 && v.f_frsize > 0 && v.f_blocks > 0 && more / v.f_frsize > v.f_bavail)
		return ST_DISK_FULL;
	if (fs_quota(share, geteuid(), &own) == ST_OK && own.hard > 0 &&
	    (own.used > own.hard || more > own.hard - own.used))
		return ST_DISK_FULL;
	return ST_OK;
}

static status_t reserve(struct fs_share *share, int fd, const struct stat *st, uint64_t end)
{
	uint64_t have = (uint64_t)st->st_blocks * 512;

	if (have < (uint64_t)st->st_size) /* holes that are there already stay holes */
		have = (uint64_t)st->st_size;
	if (end <= have)
		return ST_OK;
	if (!share->p->strict_allocate)
		return would_fit(share, fd, end - have);
	if (fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)end) == 0)
		return ST_OK;
	return errno == EOPNOTSUPP || errno == ENOSYS ? would_fit(share, fd, end - have) : fs_status(FS_DATA, errno);
}

status_t fs_reserve(struct fs_share *share, int fd, uint64_t end)
{
	struct stat st;

	if (end > INT64_MAX)
		return ST_INVALID_PARAMETER;
	return fstat(fd, &st) < 0 ? fs_status(FS_DATA, errno) : reserve(share, fd, &st, end);
}

status_t fs_allocate(struct fs_share *share, int fd, uint64_t size)
{
	struct stat st;

	if (size > INT64_MAX)
		return ST_INVALID_PARAMETER;
	if (fstat(fd, &st) < 0)
		return fs_status(FS_DATA, errno);
	return size < (uint64_t)st.st_size ? fs_truncate(fd, size) : reserve(share, fd, &st, size);
}

HOT status_t fs_size(int fd, uint64_t *size)
{
	off_t end = lseek(fd, 0, SEEK_END); /* cheaper than a stat; nobody uses the descriptor's own position */

	if (end < 0)
		return fs_status(FS_DATA, errno);
	*size = (uint64_t)end;
	return ST_OK;
}

status_t fs_write_time(int fd, nttime_t *t, nttime_t *change)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return fs_status(FS_DATA, errno);
	*t = nttime_from_ts(st.st_mtim);
	*change = nttime_from_ts(st.st_ctim);
	return ST_OK;
}

static status_t sync_by(int (*sync_fd)(int), int fd)
{
	int n;

	do {
		n = sync_fd(fd);
	} while (n < 0 && errno == EINTR);
	if (n < 0 && (errno == EINVAL || errno == EBADF || errno == EROFS)) /* nothing that could be dirty */
		return ST_OK;
	return n < 0 ? fs_status(FS_DATA, errno) : ST_OK;
}

void fs_advise(int fd, enum fs_pattern p)
{
	(void)posix_fadvise(fd, 0, 0, p == FS_SEQUENTIAL ? POSIX_FADV_SEQUENTIAL : POSIX_FADV_RANDOM);
}

status_t fs_sync(int fd)
{
	return sync_by(fsync, fd);
}

status_t fs_sync_data(int fd)
{
	return sync_by(fdatasync, fd);
}
