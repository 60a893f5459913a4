/* xattr.c - extended attributes of a file we hold by its folder and name, or by descriptor.
 *
 * A real descriptor is the easy case (fgetxattr).  Otherwise, in this order:
 *   getxattrat and its brothers (Linux 6.13), with the folder's descriptor and a name; they take no O_PATH of
 *   the file itself;
 *   /proc/self/fd/N[/name] with lgetxattr, where /proc is in sight;
 *   a short real open, of the name or beneath the share. */
#include "fs/inner.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifndef SYS_setxattrat
#define SYS_setxattrat 463
#define SYS_getxattrat 464
#define SYS_listxattrat 465
#define SYS_removexattrat 466
#endif

bool xattr_by_hand, xattr_no_proc;

struct at_args { /* struct xattr_args of newer kernel headers */
	uint64_t value;
	uint32_t size, flags;
};

struct job {
	enum { GET, SET, REMOVE, LIST } what;
	const char *attr;
	void *buf;
	const void *value;
	size_t size;
	ssize_t got;
};

static ssize_t job_at(const struct job *j, int fd, const char *name)
{
	struct at_args a = { .size = (uint32_t)j->size };
	const unsigned flags = AT_SYMLINK_NOFOLLOW;

	switch (j->what) {
	case GET:
		a.value = (uintptr_t)j->buf;
		return syscall(SYS_getxattrat, fd, name, flags, j->attr, &a, sizeof(a));
	case SET:
		a.value = (uintptr_t)j->value;
		return syscall(SYS_setxattrat, fd, name, flags, j->attr, &a, sizeof(a));
	case REMOVE:
		return syscall(SYS_removexattrat, fd, name, flags, j->attr);
	default:
		return syscall(SYS_listxattrat, fd, name, flags, j->buf, j->size);
	}
}

static ssize_t job_fd(const struct job *j, int fd)
{
	switch (j->what) {
	case GET:
		return fgetxattr(fd, j->attr, j->buf, j->size);
	case SET:
		return fsetxattr(fd, j->attr, j->value, j->size, 0);
	case REMOVE:
		return fremovexattr(fd, j->attr);
	default:
		return flistxattr(fd, j->buf, j->size);
	}
}

/* Through /proc: the descriptor's own link is followed, a name behind it is not. */
static ssize_t job_proc(const struct job *j, const char *path, bool named)
{
	switch (j->what) {
	case GET:
		return named ? lgetxattr(path, j->attr, j->buf, j->size)
			     : getxattr(path, j->attr, j->buf, j->size);
	case SET:
		return named ? lsetxattr(path, j->attr, j->value, j->size, 0) :
			       setxattr(path, j->attr, j->value, j->size, 0);
	case REMOVE:
		return named ? lremovexattr(path, j->attr) : removexattr(path, j->attr);
	default:
		return named ? llistxattr(path, j->buf, j->size) : listxattr(path, j->buf, j->size);
	}
}

static int job_act(void *arg, int fd)
{
	struct job *j = arg;

	j->got = job_fd(j, fd);
	return j->got < 0 ? -errno : 0;
}

bool ref_have_proc(void)
{
	static enum { UNKNOWN, NO, YES } have;

	if (have == UNKNOWN)
		have = access("/proc/self/fd", F_OK) == 0 ? YES : NO;
	return have == YES && !xattr_no_proc;
}

static int open_again(const struct fs_ref *f)
{
	static const int ways[] = { O_RDONLY, O_WRONLY };
	const int plain = O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC;
	int fd = -1, err = EBADF;

	for (size_t i = 0; fd < 0 && i < ARRAY_LEN(ways); i++) {
		if (f->name)
			fd = openat(f->fd, f->name, ways[i] | plain);
		else if (f->share && f->path)
			fd = beneath_open(f->share, f->path, ways[i] | O_NONBLOCK, 0);
		if (fd < -1)
			err = -fd;
		else if (fd < 0 && f->name)
			err = errno;
		if (err != EACCES)
			break;
	}
	return fd < 0 ? -err : fd;
}

int ref_reopen(const struct fs_ref *f, int (*act)(void *arg, int fd), void *arg)
{
	struct stat now, then;
	int fd = open_again(f), err;

	if (fd < 0)
		return fd;
	/* by path it could be another file by now */
	if (!f->name && fstat(f->fd, &then) == 0 && fstat(fd, &now) == 0 &&
	    (now.st_ino != then.st_ino || now.st_dev != then.st_dev))
		err = -ENOENT;
	else
		err = act(arg, fd);
	close(fd);
	return err;
}

static ssize_t run(struct job *j, const struct fs_ref *f)
{
	char path[64 + NAME_MAX];
	ssize_t got;
	int err;

	if (!f->name) {
		got = job_fd(j, f->fd);
		if (got >= 0 || errno != EBADF)
			return got < 0 ? -errno : got;
	}
	if (f->name && !xattr_by_hand) {
		got = job_at(j, f->fd, f->name);
		if (got >= 0 || errno != ENOSYS)
			return got < 0 ? -errno : got;
		xattr_by_hand = true;
	}
	if (ref_have_proc()) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d%s%s", f->fd, f->name ? "/" : "",
			 f->name ? f->name : "");
		got = job_proc(j, path, f->name != NULL);
		return got < 0 ? -errno : got;
	}
	err = ref_reopen(f, job_act, j);
	return err < 0 ? err : j->got;
}

ssize_t xattr_get(const struct fs_ref *f, const char *attr, void *buf, size_t size)
{
	struct job j = { .what = GET, .attr = attr, .buf = buf, .size = size };

	return run(&j, f);
}

int xattr_set(const struct fs_ref *f, const char *attr, const void *value, size_t size)
{
	struct job j = { .what = SET, .attr = attr, .value = value, .size = size };

	return (int)run(&j, f);
}

int xattr_remove(const struct fs_ref *f, const char *attr)
{
	struct job j = { .what = REMOVE, .attr = attr };

	return (int)run(&j, f);
}

ssize_t xattr_list(const struct fs_ref *f, char *buf, size_t size)
{
	struct job j = { .what = LIST, .buf = buf, .size = size };

	return run(&j, f);
}
