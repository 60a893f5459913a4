/*
 * files.c - file tests inside the virtual machine.
 *   files all FOLDER FOLDER unix|nounix TEXT   both folders are the same, seen through two mounts with sessions of
 *                                         their own; the tests whose name has TEXT
 *   files hold FILE                       a write lock on byte 0 and a byte written now and then, until killed
 *   files try FILE                        exit status 0 if that lock can be had
 * Prints "ok - MODE: name" or "not ok - MODE: name: line, errno".
 */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *one, *two; /* the folder through the first mount, through the second */

#define MUST(x) do { if (!(x)) return __LINE__; } while (0)
#define FAILS(x, e) do { errno = 0; if ((x) != -1 || errno != (e)) return __LINE__; } while (0)

/* A path in a folder; the last eight stay valid. */
static const char *in(const char *folder, const char *fmt, ...)
{
	static char ring[8][4096];
	static unsigned turn;
	char *s = ring[turn++ % 8], name[2048];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(name, sizeof name, fmt, ap);
	va_end(ap);
	snprintf(s, sizeof ring[0], "%s/%s", folder, name);
	return s;
}

static int put(const char *path, const char *text)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
	ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));

	return fd >= 0 && close(fd) == 0 && n == (ssize_t)strlen(text);
}

static int is(const char *path, const char *text)
{
	char b[256];
	errno = 0;
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, b, sizeof b);

	if (n == (ssize_t)strlen(text) && memcmp(b, text, (size_t)n) == 0)
		return close(fd) == 0;
	printf("# %s: %s \"%.*s\", not \"%s\"\n", path, strerror(errno), n > 0 ? (int)n : 0, b, text);
	if (fd >= 0)
		close(fd);
	return 0;
}

static int listed(const char *folder, const char *name)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	int n = 0;

	while (d && (e = readdir(d)))
		n += name ? strcmp(e->d_name, name) == 0 : e->d_name[0] != '.';
	if (d)
		closedir(d);
	errno = 0;
	return n;
}

static int lock(int fd, int how, short type, off_t start, off_t len)
{
	struct flock l = { .l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = len };

	return fcntl(fd, how, &l);
}

static int sizes(void)
{
	static const size_t size[] = { 0, 1, 511, 4096, 4097, 65535, 65537, 131073, 1048577 };
	static unsigned char out[1048577], back[1048578];

	for (size_t i = 0; i < sizeof out; i++)
		out[i] = (unsigned char)(i * 2654435761u >> 13);
	for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
		int fd = open(in(one, "size"), O_CREAT | O_TRUNC | O_WRONLY, 0644);
		MUST(fd >= 0 && write(fd, out, size[i]) == (ssize_t)size[i] && close(fd) == 0);
		fd = open(in(two, "size"), O_RDONLY);
		MUST(fd >= 0);
		size_t n = 0;
		ssize_t r;
		while ((r = read(fd, back + n, sizeof back - n)) > 0)
			n += (size_t)r;
		MUST(r == 0 && n == size[i] && memcmp(out, back, n) == 0 && close(fd) == 0);
	}
	MUST(unlink(in(two, "size")) == 0);
	return 0;
}

static int many(void)
{
	struct stat st;

	MUST(mkdir(in(one, "many"), 0755) == 0);
	for (int i = 0; i < 2000; i++) {
		int fd = open(in(one, "many/a file numbered %d", i), O_CREAT | O_EXCL | O_WRONLY, 0644);
		MUST(fd >= 0 && close(fd) == 0);
	}
	MUST(listed(in(two, "many"), NULL) == 2000);
	for (int i = 0; i < 2000; i += 100)
		MUST(stat(in(two, "many/a file numbered %d", i), &st) == 0 && st.st_size == 0);
	for (int i = 0; i < 2000; i++)
		MUST(unlink(in(one, "many/a file numbered %d", i)) == 0);
	MUST(rmdir(in(one, "many")) == 0);
	return 0;
}

static int renames(void)
{
	char b[8];
	struct stat st;

	MUST(put(in(one, "r1"), "new") && put(in(one, "r2"), "old") && rename(in(one, "r1"), in(one, "r2")) == 0);
	FAILS(stat(in(one, "r1"), &st), ENOENT);
	MUST(is(in(two, "r2"), "new"));
	int fd = open(in(one, "r2"), O_RDWR);
	MUST(fd >= 0 && mkdir(in(one, "rd"), 0755) == 0 && rename(in(one, "r2"), in(one, "rd/r3")) == 0);
	MUST(pwrite(fd, "+", 1, 3) == 1 && pread(fd, b, 8, 0) == 4 && close(fd) == 0);
	/* not read by the other session, which may show its old page of the file it knows (Linux without UNIX extensions) */
	MUST(stat(in(two, "rd/r3"), &st) == 0 && st.st_size == 4 && is(in(one, "rd/r3"), "new+"));
	FAILS(rename(in(one, "nothing"), in(one, "r4")), ENOENT);
	FAILS(rmdir(in(one, "rd")), ENOTEMPTY);
	MUST(unlink(in(two, "rd/r3")) == 0 && rmdir(in(one, "rd")) == 0);
	return 0;
}

static int errors(void)
{
	struct stat st;

	MUST(mkdir(in(one, "e"), 0755) == 0 && put(in(one, "e/f"), "f"));
	FAILS(mkdir(in(one, "e"), 0755), EEXIST);
	FAILS(open(in(one, "e/f"), O_CREAT | O_EXCL | O_WRONLY, 0644), EEXIST);
	FAILS(open(in(one, "e/none"), O_RDONLY), ENOENT);
	FAILS(stat(in(one, "e/f/x"), &st), ENOTDIR);
	FAILS(open(in(one, "e"), O_WRONLY), EISDIR);
	FAILS(rmdir(in(one, "e/f")), ENOTDIR);
	MUST(unlink(in(one, "e/f")) == 0 && rmdir(in(one, "e")) == 0);
	return 0;
}

static int lengths(void)
{
	struct stat st;
	off_t far = (off_t)5 << 30;
	char b[4];

	MUST(put(in(one, "l"), "hello world") && truncate(in(one, "l"), 5) == 0 && is(in(two, "l"), "hello"));
	int fd = open(in(one, "l"), O_RDWR);
	MUST(fd >= 0 && pwrite(fd, "end", 3, far) == 3 && fsync(fd) == 0 && close(fd) == 0);
	MUST(stat(in(two, "l"), &st) == 0 && st.st_size == far + 3);
	fd = open(in(two, "l"), O_RDONLY);
	MUST(fd >= 0 && pread(fd, b, 4, far - 1) == 4 && memcmp(b, "\0end", 4) == 0 && close(fd) == 0);
	fd = open(in(one, "l"), O_WRONLY | O_TRUNC | O_APPEND);
	int other = open(in(one, "l"), O_WRONLY | O_APPEND);
	MUST(fd >= 0 && other >= 0 && write(fd, "a", 1) == 1 && write(other, "b", 1) == 1 && write(fd, "c", 1) == 1);
	MUST(close(fd) == 0 && close(other) == 0 && is(in(two, "l"), "abc") && unlink(in(one, "l")) == 0);
	return 0;
}

static int names(void)
{
	static const char *const n[] = { "caf\xc3\xa9", "\xe6\x97\xa5\xe6\x9c\xac", "g\xf0\x9f\x98\x80", "a b  c", "tilde~1", "con.foo" };

	for (size_t i = 0; i < sizeof n / sizeof *n; i++)
		MUST(put(in(one, "%s", n[i]), n[i]) && is(in(two, "%s", n[i]), n[i]) && listed(two, n[i]) == 1 && unlink(in(one, "%s", n[i])) == 0);
	return 0;
}

static int posix_names(void)
{
	static const char *const n[] = { "co:lon", "a*b", "q?m", "l<g>", "dot.", "space ", "AbC", "aBc", "aux" };

	for (size_t i = 0; i < sizeof n / sizeof *n; i++)
		MUST(put(in(one, "%s", n[i]), n[i]));
	for (size_t i = 0; i < sizeof n / sizeof *n; i++)
		MUST(is(in(two, "%s", n[i]), n[i]) && listed(two, n[i]) == 1 && unlink(in(one, "%s", n[i])) == 0);
	return 0;
}

static int unlink_open(void)
{
	char b[8];
	struct stat st;
	int fd = open(in(one, "gone"), O_CREAT | O_RDWR, 0644);

	MUST(fd >= 0 && write(fd, "12345", 5) == 5 && unlink(in(one, "gone")) == 0);
	FAILS(stat(in(one, "gone"), &st), ENOENT);
	MUST(pwrite(fd, "6", 1, 5) == 1 && pread(fd, b, 8, 0) == 6 && memcmp(b, "123456", 6) == 0 && close(fd) == 0);
	FAILS(stat(in(two, "gone"), &st), ENOENT);
	return 0;
}

static int hard_links(void)
{
	struct stat a, b;

	MUST(put(in(one, "h1"), "h") && link(in(one, "h1"), in(one, "h2")) == 0);
	MUST(stat(in(two, "h1"), &a) == 0 && stat(in(two, "h2"), &b) == 0 && a.st_ino == b.st_ino && a.st_nlink == 2);
	FAILS(link(in(one, "h1"), in(one, "h2")), EEXIST);
	MUST(put(in(one, "h2"), "both") && is(in(two, "h1"), "both") && unlink(in(one, "h1")) == 0 && is(in(one, "h2"), "both"));
	MUST(unlink(in(one, "h2")) == 0);
	return 0;
}

static int symbolic_links(void)
{
	char b[64];
	struct stat st;

	MUST(put(in(one, "target"), "t") && symlink("target", in(one, "s1")) == 0 && symlink("/nowhere/at/all", in(one, "s2")) == 0);
	MUST(readlink(in(two, "s1"), b, sizeof b) == 6 && memcmp(b, "target", 6) == 0 && is(in(two, "s1"), "t"));
	MUST(lstat(in(two, "s1"), &st) == 0 && S_ISLNK(st.st_mode) && readlink(in(two, "s2"), b, sizeof b) == 15);
	FAILS(stat(in(two, "s2"), &st), ENOENT);
	MUST(unlink(in(one, "s1")) == 0 && unlink(in(one, "s2")) == 0 && is(in(one, "target"), "t") && unlink(in(one, "target")) == 0);
	return 0;
}

static int modes(void)
{
	struct stat st;
	struct timespec when[2] = { { 1000000000, 0 }, { 1000000001, 123456700 } };

	umask(0);
	int fd = open(in(one, "m"), O_CREAT | O_WRONLY, 0640);
	MUST(fd >= 0 && close(fd) == 0 && stat(in(two, "m"), &st) == 0 && (st.st_mode & 07777) == 0640);
	MUST(chmod(in(one, "m"), 0751) == 0 && stat(in(two, "m"), &st) == 0 && (st.st_mode & 07777) == 0751);
	MUST(utimensat(AT_FDCWD, in(one, "m"), when, 0) == 0 && stat(in(two, "m"), &st) == 0 && st.st_mtim.tv_sec == 1000000001 &&
		st.st_mtim.tv_nsec == 123456700);
	MUST(mkfifo(in(one, "p"), 0600) == 0 && lstat(in(two, "p"), &st) == 0 && S_ISFIFO(st.st_mode));
	MUST(unlink(in(one, "m")) == 0 && unlink(in(one, "p")) == 0);
	umask(022);
	return 0;
}

static int locks(void)
{
	MUST(put(in(one, "k"), "0123456789"));
	int a = open(in(one, "k"), O_RDWR), b = open(in(two, "k"), O_RDWR), st;
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 2 };

	MUST(a >= 0 && b >= 0);
	usleep(200000); /* the break of the first one's oplock */
	MUST(lock(a, F_SETLK, F_WRLCK, 0, 4) == 0 && lock(b, F_SETLK, F_WRLCK, 3, 1) == -1 && (errno == EACCES || errno == EAGAIN));
	MUST(lock(b, F_SETLK, F_WRLCK, 4, 2) == 0 && fcntl(b, F_GETLK, &l) == 0 && l.l_type == F_WRLCK);
	pid_t p = fork();
	if (p == 0) {
		alarm(20);
		_exit(lock(b, F_SETLKW, F_WRLCK, 0, 1) ? 1 : 0);
	}
	usleep(500000);
	MUST(waitpid(p, &st, WNOHANG) == 0 && lock(a, F_SETLK, F_UNLCK, 0, 4) == 0 && waitpid(p, &st, 0) == p && st == 0);
	MUST(lock(b, F_SETLK, F_UNLCK, 4, 2) == 0); /* else it is in its own way where locks are Windows' */
	MUST(lock(b, F_SETLK, F_WRLCK, 0, 0) == 0 && close(b) == 0 && lock(a, F_SETLK, F_WRLCK, 0, 0) == 0 && close(a) == 0);
	MUST(unlink(in(one, "k")) == 0);
	return 0;
}

static int split_locks(void)
{
	MUST(put(in(one, "k"), "0123456789"));
	int a = open(in(one, "k"), O_RDWR), b = open(in(two, "k"), O_RDWR);

	MUST(a >= 0 && b >= 0);
	usleep(200000);
	MUST(lock(a, F_SETLK, F_WRLCK, 0, 10) == 0 && lock(a, F_SETLK, F_UNLCK, 4, 2) == 0);
	MUST(lock(b, F_SETLK, F_WRLCK, 4, 2) == 0 && lock(b, F_SETLK, F_WRLCK, 3, 1) == -1 && lock(b, F_SETLK, F_WRLCK, 6, 1) == -1);
	MUST(lock(a, F_SETLK, F_RDLCK, 0, 4) == 0 && lock(b, F_SETLK, F_RDLCK, 0, 4) == 0);
	MUST(close(a) == 0 && close(b) == 0 && unlink(in(one, "k")) == 0);
	return 0;
}

static int caches(void)
{
	char b[8];

	MUST(put(in(one, "c"), "v1") && is(in(two, "c"), "v1") && put(in(two, "c"), "second") && is(in(one, "c"), "second"));
	int f = open(in(one, "c"), O_RDWR);
	MUST(f >= 0 && pwrite(f, "AAAA", 4, 0) == 4);
	int g = open(in(two, "c"), O_RDWR);
	MUST(g >= 0 && pread(g, b, 4, 0) == 4 && memcmp(b, "AAAA", 4) == 0 && pwrite(g, "BBBB", 4, 0) == 4 && fsync(g) == 0);
	MUST(pread(f, b, 4, 0) == 4 && memcmp(b, "BBBB", 4) == 0 && close(f) == 0 && close(g) == 0);
	int fd = open(in(one, "c"), O_RDWR);
	MUST(fd >= 0 && ftruncate(fd, 100000) == 0);
	char *m = mmap(NULL, 100000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	MUST(m != MAP_FAILED);
	memcpy(m + 90000, "mapped", 6);
	MUST(msync(m, 100000, MS_SYNC) == 0 && munmap(m, 100000) == 0 && close(fd) == 0);
	fd = open(in(two, "c"), O_RDONLY);
	MUST(fd >= 0 && pread(fd, b, 6, 90000) == 6 && memcmp(b, "mapped", 6) == 0 && close(fd) == 0 && unlink(in(one, "c")) == 0);
	return 0;
}

static int crowd(void)
{
	int fd[300], st;
	struct statfs fs;

	MUST(statfs(one, &fs) == 0 && fs.f_blocks > 0 && fs.f_bavail <= fs.f_blocks && fs.f_namelen >= 255);
	for (int i = 0; i < 300; i++)
		MUST((fd[i] = open(in(one, "o%d", i), O_CREAT | O_RDWR, 0644)) >= 0);
	for (int i = 0; i < 300; i++)
		MUST(close(fd[i]) == 0 && unlink(in(one, "o%d", i)) == 0);
	for (int p = 0; p < 6; p++) {
		if (fork())
			continue;
		for (int i = 0; i < 20; i++) {
			const char *folder = p % 2 ? one : two;
			if (!put(in(folder, "p%d-%d", p, i), "mine") || !is(in(folder, "p%d-%d", p, i), "mine") ||
				rename(in(folder, "p%d-%d", p, i), in(folder, "q%d", p)) || unlink(in(folder, "q%d", p)))
				_exit(1);
		}
		_exit(0);
	}
	for (int p = 0; p < 6; p++)
		MUST(wait(&st) > 0 && st == 0);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(void);
	int only_unix;
} table[] = {
	{ "hard links", hard_links, 0 }, /* first: Linux gives server inode numbers up when a folder turns up elsewhere */
	{ "files of nine sizes", sizes, 0 }, { "2000 files", many, 0 }, { "rename", renames, 0 }, { "error numbers", errors, 0 },
	{ "truncate, sparse, append", lengths, 0 }, { "names", names, 0 }, { "names of POSIX only", posix_names, 1 },
	{ "unlink of an open file", unlink_open, 0 }, { "symbolic links", symbolic_links, 1 }, { "modes, times, pipes", modes, 1 },
	{ "locks", locks, 0 }, { "locks split and lowered", split_locks, 1 }, { "caches and mappings", caches, 0 },
	{ "300 open files, six processes", crowd, 0 },
};

static int all(const char *mode, const char *only)
{
	int bad = 0;

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		if (!strstr(table[i].name, only) || (table[i].only_unix && strcmp(mode, "unix") != 0))
			continue;
		errno = 0;
		int line = table[i].run();
		if (line)
			printf("not ok - %s: %s: files.c line %d, %s\n", mode, table[i].name, line, strerror(errno));
		else
			printf("ok - %s: %s\n", mode, table[i].name);
		bad |= line;
	}
	return bad != 0;
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	umask(022);
	if (argc == 6 && strcmp(argv[1], "all") == 0) {
		one = argv[2];
		two = argv[3];
		return all(argv[4], argv[5]);
	}
	if (argc != 3)
		return 2;
	int fd = open(argv[2], O_RDWR);
	if (fd < 0 || lock(fd, F_SETLK, F_WRLCK, 0, 1))
		return 1;
	while (strcmp(argv[1], "hold") == 0) { /* Linux opens a file anew, and locks it, when it is used */
		usleep(200000);
		if (pwrite(fd, "x", 1, 5) == 1)
			fsync(fd);
	}
	return 0;
}
