/* size.c - small questions to a descriptor. */
#include "fs/fs.h"
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

status_t fs_size(int fd, uint64_t *size)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return status_from_errno(errno);
	*size = (uint64_t)st.st_size;
	return ST_OK;
}

status_t fs_sync_data(int fd) { return fdatasync(fd) == 0 ? ST_OK : status_from_errno(errno); }
