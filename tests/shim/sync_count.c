/* sync_count.c - loaded into the daemon by tests: each fsync() and fdatasync() writes one letter (F, D) to the file that
 * SYNC_LOG names, and fails with EIO while there is a file SYNC_FAIL.  posix_fadvise() writes S or R (sequential, random). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int note(const char *letter)
{
	const char *log = getenv("SYNC_LOG"), *fail = getenv("SYNC_FAIL");
	int fd = log ? open(log, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;

	if (fd >= 0) {
		if (write(fd, letter, 1) != 1)
			abort();
		close(fd);
	}
	if (!fail || access(fail, F_OK) != 0)
		return 0;
	errno = EIO;
	return -1;
}

int fsync(int fd)
{
	int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");

	return note("F") != 0 ? -1 : real(fd);
}

int fdatasync(int fd)
{
	int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");

	return note("D") != 0 ? -1 : real(fd);
}

int posix_fadvise(int fd, off_t at, off_t len, int how)
{
	int (*real)(int, off_t, off_t, int) = (int (*)(int, off_t, off_t, int))dlsym(RTLD_NEXT, "posix_fadvise");

	(void)note(how == POSIX_FADV_SEQUENTIAL ? "S" : how == POSIX_FADV_RANDOM ? "R" : "?");
	return real(fd, at, len, how);
}
