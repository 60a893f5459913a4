/* fail_nth.c - loaded into the daemon by tests: the Nth call of a function fails.
 *
 * What shall fail stands in a file that FAIL_CTL names and that is mapped before the daemon forks, so that the test
 * changes it while the daemon runs and processes behind a fence see it too.  `clock` moves the wall clock of all. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

enum { EVERYBODY, WORKERS, LISTENER };
#define SHORT (-1) /* in place of an error: half of the bytes */

static struct control {
	char call[32];
	int32_t error;
	uint32_t nth;   /* 1: the next one; 0: none */
	uint32_t who;
	uint32_t seen, fired;
	uint32_t every; /* not only the Nth, but all from there on */
	int64_t clock;  /* seconds */
} *ctl;
static pid_t listener;
static int worker;

__attribute__((constructor)) static void load(void)
{
	const char *file = getenv("FAIL_CTL");
	int fd = file ? open(file, O_RDWR | O_CLOEXEC) : -1;
	void *p = fd >= 0 ? mmap(NULL, sizeof(*ctl), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;

	if (fd >= 0)
		close(fd);
	listener = getpid();
	ctl = p == MAP_FAILED ? NULL : p;
}

/* Is it this one's turn?  errno is set. */
static int turn(const char *call)
{
	uint32_t n;

	if (!ctl || ctl->nth == 0 || strcmp(ctl->call, call) != 0)
		return 0;
	if ((ctl->who == WORKERS && !worker) || (ctl->who == LISTENER && worker))
		return 0;
	n = __atomic_add_fetch(&ctl->seen, 1, __ATOMIC_SEQ_CST);
	if (ctl->every ? n < ctl->nth : n != ctl->nth)
		return 0;
	__atomic_add_fetch(&ctl->fired, 1, __ATOMIC_SEQ_CST);
	errno = ctl->error > 0 ? ctl->error : 0;
	return 1;
}

#define REAL(type, name, ...) \
	static type (*real)(__VA_ARGS__); \
	if (!real) \
		real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)
#define PLAIN(name, args, types, ...) \
	int name args \
	{ \
		REAL(int, #name, __VA_ARGS__); \
		return turn(#name) ? -1 : real types; \
	}

PLAIN(fsync, (int fd), (fd), int)
PLAIN(fdatasync, (int fd), (fd), int)
PLAIN(ftruncate, (int fd, off_t n), (fd, n), int, off_t)
PLAIN(ftruncate64, (int fd, off_t n), (fd, n), int, off_t)
PLAIN(fallocate, (int fd, int how, off_t at, off_t n), (fd, how, at, n), int, int, off_t, off_t)
/* How tdb makes its files longer; the error is what it returns, and it leaves errno alone.  The disk is full then. */
#define ROOM(name) \
	int name(int fd, off_t at, off_t n) \
	{ \
		int keep = errno, no = turn("posix_fallocate"); \
		REAL(int, #name, int, off_t, off_t); \
		errno = keep; \
		return no ? ctl->error : real(fd, at, n); \
	}
ROOM(posix_fallocate)
ROOM(posix_fallocate64)
#define DISK(name, type) \
	int name(int fd, struct type *s) \
	{ \
		int r; \
		REAL(int, #name, int, struct type *); \
		r = real(fd, s); \
		if (ctl && ctl->nth && strcmp(ctl->call, "posix_fallocate") == 0) \
			s->f_bavail = 0; \
		return r; \
	}
DISK(fstatvfs, statvfs)
DISK(fstatvfs64, statvfs64)
PLAIN(mkdirat, (int fd, const char *p, mode_t m), (fd, p, m), int, const char *, mode_t)
PLAIN(unlinkat, (int fd, const char *p, int how), (fd, p, how), int, const char *, int)
PLAIN(renameat, (int a, const char *p, int b, const char *q), (a, p, b, q), int, const char *, int, const char *)
PLAIN(renameat2, (int a, const char *p, int b, const char *q, unsigned how), (a, p, b, q, how), int, const char *, int,
      const char *, unsigned)
PLAIN(fsetxattr, (int fd, const char *n, const void *v, size_t len, int how), (fd, n, v, len, how), int, const char *,
      const void *, size_t, int)
PLAIN(accept4, (int fd, struct sockaddr *a, socklen_t *len, int how), (fd, a, len, how), int, struct sockaddr *, socklen_t *, int)
PLAIN(socketpair, (int d, int t, int p, int sv[2]), (d, t, p, sv), int, int, int, int *)

pid_t fork(void)
{
	REAL(pid_t, "fork", void);
	return turn("fork") ? -1 : real();
}

int prctl(int what, ...)
{
	unsigned long a[4];
	va_list ap;
	REAL(int, "prctl", int, ...);

	va_start(ap, what);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(ap, unsigned long);
	va_end(ap);
	if (what == PR_SET_NAME)
		worker = strcmp((const char *)a[0], "smb1d-worker") == 0;
	return real(what, a[0], a[1], a[2], a[3]);
}

int openat(int fd, const char *p, int how, ...)
{
	va_list ap;
	mode_t mode;
	REAL(int, "openat", int, const char *, int, ...);

	va_start(ap, how);
	mode = (mode_t)va_arg(ap, int);
	va_end(ap);
	return turn("open") ? -1 : real(fd, p, how, mode);
}

int open(const char *p, int how, ...)
{
	va_list ap;
	mode_t mode;
	REAL(int, "open", const char *, int, ...);

	va_start(ap, how);
	mode = (mode_t)va_arg(ap, int);
	va_end(ap);
	return turn("open") ? -1 : real(p, how, mode);
}

/* clone: the nurseries' way to fork */
long syscall(long number, ...)
{
	long a[6];
	va_list ap;
	REAL(long, "syscall", long, ...);

	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if ((number == SYS_openat2 && turn("open")) || (number == SYS_getdents64 && turn("getdents64")) ||
	    (number == SYS_clone && turn("fork")))
		return -1;
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

#define BYTES(name, call, buf) \
	ssize_t name(int fd, buf p, size_t n, off_t at) \
	{ \
		REAL(ssize_t, #name, int, buf, size_t, off_t); \
		if (!turn(call)) \
			return real(fd, p, n, at); \
		return ctl->error == SHORT && n > 1 ? real(fd, p, n / 2, at) : -1; \
	}
BYTES(pwrite, "pwrite", const void *)
BYTES(pwrite64, "pwrite", const void *)
BYTES(pread, "pread", void *)
BYTES(pread64, "pread", void *)

ssize_t sendfile(int out, int in, off_t *at, size_t n)
{
	REAL(ssize_t, "sendfile", int, int, off_t *, size_t);
	if (!turn("sendfile"))
		return real(out, in, at, n);
	return ctl->error == SHORT && n > 1 ? real(out, in, at, n / 2) : -1;
}

/* ---- memory: dlsym() itself allocates, so the C library's own names are used ---- */

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);

void *malloc(size_t n) { return turn("malloc") ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return turn("malloc") ? NULL : __libc_calloc(n, size); }
void *realloc(void *p, size_t n) { return n && turn("malloc") ? NULL : __libc_realloc(p, n); }

/* ---- time ---- */

int clock_gettime(clockid_t which, struct timespec *ts)
{
	int r;
	REAL(int, "clock_gettime", clockid_t, struct timespec *);

	r = real(which, ts);
	if (r == 0 && ctl && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE))
		ts->tv_sec += ctl->clock;
	return r;
}
