/* util.c - small things every room uses. */
#include "base/util.h"
#include "base/log.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

void util_random(void *p, size_t n)
{
	uint8_t *b = p;

	while (n > 0) {
		ssize_t got = getrandom(b, n, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			util_panic("no random numbers from the kernel: %s", strerror(errno));
		b += got;
		n -= (size_t)got;
	}
}

unsigned util_distance(const char *a, const char *b)
{
	unsigned row[65];
	size_t la = strnlen(a, 64), lb = strnlen(b, 64);

	for (size_t j = 0; j <= lb; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= la; i++) {
		unsigned diag = row[0];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= lb; j++) {
			unsigned best = diag + (a[i - 1] != b[j - 1]);

			diag = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[lb];
}

bool util_fd_path(int fd, char path[PATH_MAX])
{
	char name[32];
	ssize_t n;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = readlink(name, path, PATH_MAX - 1);
	if (n <= 0 || path[0] != '/')
		return false;
	path[n] = '\0';
	return true;
}

bool util_make_folder(const char *path, mode_t mode)
{
	char part[PATH_MAX];
	size_t n = strlen(path);
	struct stat st;

	if (n == 0 || n >= sizeof(part)) {
		errno = n ? ENAMETOOLONG : ENOENT;
		return false;
	}
	memcpy(part, path, n + 1);
	while (n > 1 && part[n - 1] == '/')
		part[--n] = '\0'; /* or the last one would be made as one of those above */
	for (char *p = strchr(part + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		(void)mkdir(part, 0755);
		*p = '/';
	}
	if (mkdir(path, mode) == 0)
		return true;
	if (errno == EEXIST && stat(path, &st) == 0 && !S_ISDIR(st.st_mode))
		errno = ENOTDIR;
	return errno == EEXIST;
}

uint64_t util_start_time(pid_t pid)
{
	char path[40], text[1024], *p;
	unsigned long long start = 0;
	int fd, field;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	/* the command name may hold blanks and brackets: count from the last ')' */
	p = strrchr(text, ')');
	for (field = 2; p && field < 22; field++)
		p = strchr(p + 1, ' ');
	if (p)
		start = strtoull(p, NULL, 10);
	return start;
}

uint64_t util_start_time_now(void)
{
	struct timespec ts;
	const uint64_t a_second = (uint64_t)sysconf(_SC_CLK_TCK);

	if (clock_gettime(CLOCK_BOOTTIME, &ts) != 0 || a_second == 0 || 1000000000u % a_second != 0)
		return 0;
	return (uint64_t)ts.tv_sec * a_second + (uint64_t)ts.tv_nsec / (1000000000u / a_second);
}

void util_panic(const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	log_write(LOG_ALL, 0, "panic: %s", text);
	abort();
}
