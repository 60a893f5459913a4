/* lock.c - locks that local programs and NFS servers see.
 *
 * Open-file-description locks: they belong to the descriptor and not to the process, so closing another
 * descriptor of the same file does not drop them, and each open file excludes its neighbours. */
#include "base/log.h"
#include "fs/inner.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

static struct flock range(short type, uint64_t first, uint64_t last)
{
	struct flock fl = { .l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)first };

	if (last < INT64_MAX) /* else 0: to the end of all bytes */
		fl.l_len = (off_t)(last - first + 1);
	return fl;
}

static int set_lock(int fd, short type, uint64_t first, uint64_t last)
{
	struct flock fl = range(type, first, last);
	int n;

	do {
		n = fcntl(fd, F_OFD_SETLK, &fl);
	} while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : 0;
}

bool fs_lock(int fd, enum fs_lock_type type, uint64_t first, uint64_t last)
{
	int err;

	if (fd < 0 || first > INT64_MAX)
		return true;
	if (type == FS_LOCK_NONE)
		err = set_lock(fd, F_UNLCK, first, last);
	else
		err = set_lock(fd, type == FS_LOCK_EXCLUSIVE ? F_WRLCK : F_RDLCK, first, last);
	if (err == -EBADF && type == FS_LOCK_EXCLUSIVE) /* read-only: keep others from writing at least */
		err = set_lock(fd, F_RDLCK, first, last);
	if (err == -EAGAIN || err == -EACCES)
		return false;
	if (err != 0 && err != -EBADF)
		log_at(LOG_LOCKING, 3, "a lock cannot be shown to local programs: %s", strerror(-err));
	return true;
}

bool fs_lock_query(int fd, bool exclusive, uint64_t first, uint64_t last, struct fs_lock_found *found)
{
	struct flock fl = range(exclusive ? F_WRLCK : F_RDLCK, first, last);

	if (fd < 0 || first > INT64_MAX || fcntl(fd, F_OFD_GETLK, &fl) != 0 || fl.l_type == F_UNLCK)
		return false;
	*found = (struct fs_lock_found){ .exclusive = fl.l_type == F_WRLCK, .pid = fl.l_pid, .first = (uint64_t)fl.l_start };
	found->last = fl.l_len == 0 ? INT64_MAX : (uint64_t)(fl.l_start + fl.l_len - 1);
	return true;
}
