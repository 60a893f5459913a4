/* lease.c - the kernel's leases: it tells us when a local program opens or cuts the file, and lets it wait. */
#include "base/log.h"
#include "fs/fs.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

bool fs_lease(int fd, int sig)
{
	if (fd >= 0 && fcntl(fd, F_SETSIG, sig) == 0 && fcntl(fd, F_SETLEASE, F_WRLCK) == 0)
		return true;
	log_at(LOG_LOCKING, errno == EAGAIN ? 3 : 2, "no lease, so no oplock: %s",
	       errno == EAGAIN ? "a local program has the file open" :
	       errno == EACCES ? "the file belongs to another user" : strerror(errno));
	return false;
}

bool fs_lease_kept(int fd) { return fcntl(fd, F_GETLEASE) == F_WRLCK; }

void fs_lease_end(int fd) { (void)fcntl(fd, F_SETLEASE, F_UNLCK); }
