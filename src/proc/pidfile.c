/* pidfile.c - smb1d.pid: who runs here, and the lock that keeps a second one out. */
#include "proc/inner.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char sentence[640];

static void name(char *out, size_t cap, const char *dir) { snprintf(out, cap, "%s/smb1d.pid", dir); }

/* A record lock of the process, not of the descriptor: children do not inherit it, so that a worker which
 * outlives a killed listener does not keep the next one from starting. */
int pidfile_take(const char *dir, const char **why)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET }, other = lock;
	char path[512], text[24];
	int fd, n;

	*why = sentence;
	name(path, sizeof(path), dir);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (fd < 0) {
		snprintf(sentence, sizeof(sentence), "cannot open the pid file %s: %s", path, strerror(errno));
		return -1;
	}
	if (fcntl(fd, F_SETLK, &lock) != 0) {
		int err = errno;

		if (fcntl(fd, F_GETLK, &other) == 0 && other.l_type != F_UNLCK && other.l_pid > 0)
			snprintf(sentence, sizeof(sentence), "smb1d already runs with the pid file %s (process %ld)",
				 path, (long)other.l_pid);
		else
			snprintf(sentence, sizeof(sentence), "cannot lock the pid file %s: %s", path, strerror(err));
		close(fd);
		return -1;
	}
	n = snprintf(text, sizeof(text), "%ld\n", (long)getpid());
	if (ftruncate(fd, 0) != 0 || write(fd, text, (size_t)n) != n) {
		snprintf(sentence, sizeof(sentence), "cannot write the pid file %s: %s", path, strerror(errno));
		close(fd);
		return -1;
	}
	return fd;
}

void pidfile_drop(const char *dir, int *fd)
{
	char path[512];

	if (*fd < 0)
		return;
	name(path, sizeof(path), dir);
	unlink(path);
	close(*fd);
	*fd = -1;
}
