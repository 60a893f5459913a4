/* log.c - log lines to a file, standard error and syslog. */
#include "base/log.h"
#include "base/util.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

signed char log_level[LOG_CLASSES] = { 1, 1, 1, 1, 1, 1, 1, 1, 1 };

static const char *const class_names[LOG_CLASSES] = { "all", "smb", "auth", "fs", "locking", "rpc", "conf", "tdb", "proc" };

static struct {
	int fd;
	char path[512];
	long max_size_kib;
	bool to_stderr, to_syslog, timestamp, hires, pid, uid;
	int syslog_level;
	char who[124];
	unsigned lines; /* since the size was looked at */
} out = { .fd = -1, .to_stderr = true, .timestamp = true, .hires = true };

int log_fd(void) { return out.fd; }

void log_who(const char *who) { snprintf(out.who, sizeof(out.who), "%s", who ? who : ""); }

static void open_file(void)
{
	int fd = open(out.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0640);

	if (fd < 0) {
		if (errno != ENOENT || out.fd < 0)
			fprintf(stderr, "smb1d: cannot open the log file %s: %s\n", out.path, strerror(errno));
		return;
	}
	if (out.fd >= 0)
		close(out.fd);
	out.fd = fd;
}

void log_open(const struct log_setup *how)
{
	out.max_size_kib = how->max_size_kib;
	out.to_stderr = how->to_stderr;
	out.to_syslog = how->to_syslog;
	out.syslog_level = how->syslog_level;
	out.timestamp = how->timestamp;
	out.hires = how->hires;
	out.pid = how->pid;
	out.uid = how->uid;
	if (out.to_syslog)
		openlog("smb1d", LOG_PID | LOG_NDELAY, LOG_DAEMON);
	if (!how->file || !*how->file)
		return;
	snprintf(out.path, sizeof(out.path), "%s", how->file);
	open_file();
}

/* FILE is copied to FILE.old and cut, never renamed: workers write on into the file they have and may open no
 * other.  All append, so the next line of each begins at the new end. */
void log_tidy(void)
{
	char old[520];
	struct stat st;
	off_t at = 0;
	int from, to;

	if (out.max_size_kib <= 0 || out.fd < 0 || fstat(out.fd, &st) != 0 || !S_ISREG(st.st_mode) ||
	    st.st_size / 1024 < out.max_size_kib)
		return;
	snprintf(old, sizeof(old), "%s.old", out.path);
	from = open(out.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	to = from < 0 ? -1 : open(old, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0640);
	if (to >= 0) {
		while (sendfile(to, from, &at, 1u << 20) > 0)
			;
		(void)!ftruncate(out.fd, 0);
		close(to);
	}
	if (from >= 0)
		close(from);
}

/* Clients must not be able to fill the disk with lines about them.  Of lines this process may write LINES_AT_ONCE, then
 * LINES_A_SECOND; of errors so many of each kind, so that one that comes again and again hides no other.  A kind is a
 * text before anything is put into it; two that fall on one place share its purse.  Whoever asked for level 3 and more
 * gets all. */
#define LINES_AT_ONCE 200
#define LINES_A_SECOND 10
#define ERRORS_AT_ONCE 100
#define ERRORS_A_SECOND 1
#define ERROR_KINDS 32u

struct purse {
	double left;   /* lines that may be written at once */
	time_t filled; /* 0: not yet */
	unsigned left_out;
};

static struct purse lines, errors[ERROR_KINDS] SELDOM;

static bool pay(struct purse *p, double at_once, double a_second)
{
	time_t now = time(NULL);

	if (now > p->filled) /* not where the clock was set back: that would be hours of silence */
		p->left += (double)(now - p->filled) * a_second;
	if (p->filled == 0 || p->left > at_once)
		p->left = at_once;
	p->filled = now;
	if (p->left < 1) {
		p->left_out++;
		return false;
	}
	p->left--;
	return true;
}

static void put_line(enum log_class cls, int lvl, const char *fmt, va_list ap);

static void put(enum log_class cls, int lvl, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void put(enum log_class cls, int lvl, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_line(cls, lvl, fmt, ap);
	va_end(ap);
}

static bool may_write(enum log_class cls, int lvl, const char *fmt)
{
	struct purse *p = lvl > 0 ? &lines : &errors[(uintptr_t)fmt / 16 % ERROR_KINDS];
	unsigned n = p->left_out;

	if (log_level[cls] >= 3)
		return true;
	if (!pay(p, lvl > 0 ? LINES_AT_ONCE : ERRORS_AT_ONCE, lvl > 0 ? LINES_A_SECOND : ERRORS_A_SECOND))
		return false;
	p->left_out = 0;
	if (n > 0)
		put(cls, 0, "%u %s were left out here: too many at once", n, lvl > 0 ? "lines" : "errors like the next one");
	return true;
}

static size_t head(char *line, size_t cap, enum log_class cls, int lvl)
{
	struct timespec ts;
	struct tm tm;
	size_t n = 0;

	if (out.timestamp) {
		clock_gettime(out.hires ? CLOCK_REALTIME : CLOCK_REALTIME_COARSE, &ts);
		if (localtime_r(&ts.tv_sec, &tm))
			n = strftime(line, cap, "%Y-%m-%d %H:%M:%S", &tm);
		if (out.hires)
			n += (size_t)snprintf(line + n, cap - n, ".%06ld", ts.tv_nsec / 1000);
		line[n++] = ' ';
	}
	if (out.pid)
		n += (size_t)snprintf(line + n, cap - n, "[%ld] ", (long)getpid());
	if (out.uid)
		n += (size_t)snprintf(line + n, cap - n, "(uid %ld) ", (long)geteuid());
	n += (size_t)snprintf(line + n, cap - n, "%d %s ", lvl, class_names[cls]);
	if (out.who[0])
		n += (size_t)snprintf(line + n, cap - n, "%s: ", out.who);
	return n;
}

/* One event, one line: a client's name cannot forge another, nor say anything to a terminal.  Those in 8 bits, which some
 * terminals obey, are there in UTF-8 behind 0xc2 only, and alone in what is no UTF-8. */
static void clean(char *line, size_t n)
{
	unsigned more = 0; /* bytes of a UTF-8 character that are to come */

	for (size_t i = 0; i < n; i++) {
		uint8_t c = (uint8_t)line[i], before = i > 0 ? (uint8_t)line[i - 1] : 0;
		bool inside = more > 0 && (c & 0xc0) == 0x80;

		if (c < 0x20 || c == 0x7f || (c >= 0x80 && c < 0xa0 && (!inside || before == 0xc2)))
			line[i] = '?';
		if (inside && before == 0xc2 && line[i] == '?')
			line[i - 1] = '?';
		more = inside ? more - 1 : c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc2 ? 1 : 0;
	}
}

static void put_line(enum log_class cls, int lvl, const char *fmt, va_list ap)
{
	char line[2048];
	size_t n, body;
	int m;

	n = head(line, 400, cls, lvl);
	m = vsnprintf(line + n, sizeof(line) - n - 1, fmt, ap);
	body = m < 0 ? 0 : (size_t)m;
	if (body > sizeof(line) - n - 2)
		body = sizeof(line) - n - 2;
	n += body;
	clean(line, n);
	line[n++] = '\n';
	if (out.fd >= 0) {
		if (write(out.fd, line, n) < 0 && out.to_stderr) {
			/* the disk is full: standard error below still gets it */
		}
		if (++out.lines % 50 == 0)
			log_tidy();
	}
	if (out.to_stderr && write(STDERR_FILENO, line, n) < 0)
		out.to_stderr = false;
	if (out.to_syslog && lvl <= out.syslog_level)
		syslog(lvl == 0 ? LOG_ERR : lvl == 1 ? LOG_NOTICE : LOG_INFO, "%.*s", (int)(n - 1),
		       line);
}

void log_write(enum log_class cls, int lvl, const char *fmt, ...)
{
	int keep = errno;
	va_list ap;

	if (may_write(cls, lvl, fmt)) {
		va_start(ap, fmt);
		put_line(cls, lvl, fmt, ap);
		va_end(ap);
	}
	errno = keep;
}

static int class_of(const char *name, size_t len)
{
	for (int i = 0; i < LOG_CLASSES; i++)
		if (strlen(class_names[i]) == len && strncasecmp(class_names[i], name, len) == 0)
			return i;
	return -1;
}

bool log_parse_level(const char *text, signed char level[LOG_CLASSES])
{
	signed char got[LOG_CLASSES];
	bool first = true;

	memset(got, 1, sizeof(got));
	for (const char *p = text; *p;) {
		size_t len = strcspn(p, " \t,");
		const char *colon = memchr(p, ':', len);
		char *end;
		long v;
		int cls = LOG_ALL;

		if (len == 0) {
			p++;
			continue;
		}
		if (colon)
			cls = class_of(p, (size_t)(colon - p));
		v = strtol(colon ? colon + 1 : p, &end, 10);
		/* "1 auth:3@/var/log/auth" names a file of its own in some servers: the level counts */
		if ((end != p + len && *end != '@') || end == (colon ? colon + 1 : p) || v < 0 || v > 100)
			return false;
		if (cls == LOG_ALL && first)
			memset(got, (int)(v > 10 ? 10 : v), sizeof(got));
		else if (cls >= 0)
			got[cls] = (signed char)(v > 10 ? 10 : v);
		first = false;
		p += len;
	}
	memcpy(level, got, sizeof(got));
	return true;
}
