/* why.c - refusals as log lines and records: six texts, each with its length (2). */
#include "conf/why.h"
#include "base/cursor.h"
#include "base/util.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define AT_ONCE 30.0
#define A_SECOND 2.0

static struct {
	void (*sink)(void *arg, const uint8_t *record, size_t len);
	void *arg;
	double purse;
	struct timespec filled;
	unsigned count;
} out = { .purse = AT_ONCE };

void why_to(void (*sink)(void *arg, const uint8_t *record, size_t len), void *arg)
{
	out.sink = sink;
	out.arg = arg;
	out.purse = AT_ONCE;
	clock_gettime(CLOCK_MONOTONIC_COARSE, &out.filled);
}

HOT unsigned why_count(void) { return out.count; }

bool why_can_tell(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	out.purse += A_SECOND * ((double)(now.tv_sec - out.filled.tv_sec) + 1e-9 * (double)(now.tv_nsec - out.filled.tv_nsec));
	if (out.purse > AT_ONCE)
		out.purse = AT_ONCE;
	out.filled = now;
	return out.purse >= 1;
}

static void put(struct wr *w, const char *s, size_t max)
{
	size_t n = s ? strnlen(s, max) : 0;

	wr_u16(w, (uint16_t)n);
	wr_bytes(w, s ? s : "", n);
}

static void tell(const struct why *w, const char *what, const char *rule, const char *place)
{
	uint8_t buf[WHY_RECORD_MAX];
	struct wr r = wr_over(buf, sizeof(buf));

	if (!out.sink)
		return;
	put(&r, w->user, 64);
	put(&r, w->where, 80);
	put(&r, what, 300);
	put(&r, rule, 160);
	put(&r, place, 140);
	put(&r, w->fix, 240);
	if (wr_ok(&r))
		out.sink(out.arg, buf, wr_tell(&r));
}

static void say(const struct why *w, const char *what, const char *rule, const char *place)
{
	const char *semicolon = w->fix ? "; would allow it: " : "", *fix = w->fix ? w->fix : "";

	if (place)
		log_at(w->cls, 1, "refused: %s; by `%s` (%s)%s%s", what, rule, place, semicolon, fix);
	else
		log_at(w->cls, 1, "refused: %s%s%s", what, semicolon, fix);
}

void why_refused(const struct why *w, const char *fmt, ...)
{
	char what[400], rule[200] = "", *place = NULL;
	bool tells = why_can_tell();
	TALLOC_CTX *mem;
	int keep = errno;
	va_list ap;

	out.count++;
	if (!tells && w->often)
		return;
	out.purse -= tells;
	mem = talloc_new(NULL);
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	if (w->conf && w->param) {
		place = conf_where(mem, w->conf, w->share, w->param);
		snprintf(rule, sizeof(rule), "%s = %s", w->param, conf_value(mem, w->conf, w->share, w->param));
	}
	say(w, what, rule, place);
	if (tells)
		tell(w, what, rule, place);
	talloc_free(mem);
	errno = keep;
}

/* Length of the UTF-8 sequence at p, 0 if it is none. */
static size_t sequence(const uint8_t *p, size_t left)
{
	size_t n = *p < 0x80 ? 1 : *p >= 0xc2 && *p < 0xe0 ? 2 : *p >= 0xe0 && *p < 0xf0 ? 3 : *p >= 0xf0 && *p < 0xf5 ? 4 : 0;

	if (n == 0 || n > left)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((n == 1 && (*p < 0x20 || *p == 0x7f)) || (n == 2 && *p == 0xc2 && p[1] < 0xa0))
		return 0; /* what a terminal would obey */
	return n;
}

static char *get(TALLOC_CTX *mem, struct rd *r)
{
	uint16_t len = rd_u16(r);
	const uint8_t *p = rd_take(r, len);
	char *s = talloc_strndup(mem, p ? (const char *)p : "", p ? len : 0);

	for (size_t i = 0, left = s ? strlen(s) : 0, n; left > 0; i += n, left -= n) {
		n = sequence((uint8_t *)s + i, left);
		if (n == 0) {
			s[i] = '?';
			n = 1;
		}
	}
	return s;
}

bool why_read(TALLOC_CTX *mem, const uint8_t *p, size_t len, struct why_record *w)
{
	struct rd r = rd_over(p, len);

	if (len > WHY_RECORD_MAX)
		return false;
	w->user = get(mem, &r);
	w->where = get(mem, &r);
	w->what = get(mem, &r);
	w->rule = get(mem, &r);
	w->place = get(mem, &r);
	w->fix = get(mem, &r);
	return rd_ok(&r) && rd_left(&r) == 0 && w->user && w->where && w->what && w->rule && w->place && w->fix;
}
