/* audit.c - the audit log. */
#include "base/util.h"
#include "srv/audit.h"
#include "base/jsontext.h"
#include "base/log.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int file = -1;
static bool full; /* was said */

void audit_to(int fd)
{
	if (file >= 0 && file != fd)
		close(file);
	file = fd;
}

static void put_line(const char *line, size_t n)
{
	ssize_t done = write(file, line, n);

	if (done == (ssize_t)n) {
		full = false;
	} else if (!full) {
		log_error(LOG_SMB, "the audit log cannot be written: %s; lines are lost",
			  done < 0 ? strerror(errno) : "only a part went in");
		full = true;
	}
}

static void now(char *out, size_t cap)
{
	struct timespec ts;
	struct tm tm;
	size_t n = 0;

	clock_gettime(CLOCK_REALTIME, &ts);
	if (gmtime_r(&ts.tv_sec, &tm))
		n = strftime(out, cap, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(out + n, cap - n, ".%06ldZ", ts.tv_nsec / 1000);
}

/* At most `room` bytes of the text as JSON; *cut if there was more. */
static const char *fit(TALLOC_CTX *mem, const char *text, size_t room, bool *cut)
{
	char *quoted = json_text(mem, text);

	for (size_t n = strlen(text); quoted && strlen(quoted) > room; n = n * 3 / 4) {
		*cut = true;
		quoted = json_text(mem, talloc_strndup(mem, text, n));
	}
	return quoted ? quoted : "\"\"";
}

void audit_say(const struct tree *t, enum conf_audit op, const char *path, const char *to, status_t st)
{
	const struct session *s = t->own ? t->own : session_find(t->c, t->c->acting);
	const char *user = s && s->ready ? s->anonymous ? "" : s->account : "";
	char line[AUDIT_LINE_MAX], when[40] = "";
	TALLOC_CTX *mem;
	bool cut = false;
	int n;

	if (file < 0 || !(t->audit & op))
		return;
	mem = talloc_new(NULL);
	now(when, sizeof(when));
	n = snprintf(line, sizeof(line), "{\"time\":\"%s\",\"address\":%s,\"user\":%s,\"share\":%s,\"op\":\"%s\",\"path\":%s",
		     when, fit(mem, t->c->client_addr, 100, &cut), fit(mem, user, 1000, &cut),
		     fit(mem, t->share_name, 600, &cut), conf_audit_word(op), fit(mem, path, 2800, &cut));
	if (to)
		n += snprintf(line + n, sizeof(line) - (size_t)n, ",\"to\":%s", fit(mem, to, 2800, &cut));
	n += snprintf(line + n, sizeof(line) - (size_t)n, ",\"result\":\"%s\"%s}\n", status_name(st), cut ? ",\"cut\":true" : "");
	put_line(line, (size_t)n);
	talloc_free(mem);
}

void audit_change(const struct tree *t, const char *path, enum fs_change change, unsigned what)
{
	static char from[4096] SELDOM;
	bool moved = what & FS_WHAT_MOVED;

	if (change == FS_RENAMED_FROM || (change == FS_REMOVED && moved))
		snprintf(from, sizeof(from), "%s", path);
	else if (change == FS_RENAMED_TO || (change == FS_ADDED && moved))
		audit_say(t, AUDIT_RENAME, from, path, ST_OK);
	else if (change == FS_REMOVED)
		audit_say(t, AUDIT_DELETE, path, NULL, ST_OK);
	else if (change == FS_ADDED)
		audit_say(t, AUDIT_CREATE, path, NULL, ST_OK);
	else if (what & (FS_WHAT_SIZE | FS_WHAT_STREAM_SIZE | FS_WHAT_STREAM_WRITE))
		audit_say(t, AUDIT_WRITE, path, NULL, ST_OK);
	else
		audit_say(t, AUDIT_ATTRIBUTES, path, NULL, ST_OK);
}
