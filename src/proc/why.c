/* why.c - the latest refusals, for `smb1ctl why`.
 *
 *   worker ── WORKER_WHY ──────────────────────> listener ── "why" ──> smb1ctl
 *   porch ─── DOOR_WHY ──> keeper ─ KEEPER_WHY ──┘
 *
 * Each address has a place of its own for its last few, so that a flood by one client pushes out nobody
 * else's; the address heard of longest ago gives its place to a new one.  The same refusal again is counted, not
 * kept twice.  The listener alone has this memory: it is not there in the processes it forks. */
#include "proc/inner.h"
#include "conf/why.h"
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/mman.h>
#include <time.h>

#define PLACES 64
#define OF_ONE 16
#define ANSWER_MAX 100000u

struct kept {
	time_t at;
	uint32_t times;
	uint16_t len;
	uint8_t record[WHY_RECORD_MAX];
};

struct place {
	uint8_t key[16];
	char addr[ADDR_TEXT]; /* of the last one: IPv6 addresses of a network share a place */
	uint64_t heard;       /* a counter; 0: free */
	unsigned n, next;
	struct kept kept[OF_ONE];
};

void why_send(int fd, uint8_t word, const uint8_t *record, size_t len)
{
	uint8_t text[1 + WHY_RECORD_MAX];

	if (len > WHY_RECORD_MAX)
		return;
	text[0] = word;
	memcpy(text + 1, record, len);
	(void)msg_send(fd, text, len + 1, NULL, 0, false);
}

static struct place *places;
static uint64_t counter;

/* Of the client that the listener itself is looking at. */
static const char *now_about;

static struct place *place_for(const uint8_t key[16])
{
	struct place *oldest = &places[0];

	for (struct place *p = places; p < places + PLACES; p++) {
		if (p->heard && memcmp(p->key, key, 16) == 0)
			return p;
		if (p->heard < oldest->heard)
			oldest = p;
	}
	oldest->n = oldest->next = 0;
	memcpy(oldest->key, key, 16);
	return oldest;
}

void why_keep(const char *addr, const uint8_t *record, size_t len)
{
	uint8_t key[16];
	struct place *p;
	struct kept *k;

	if (!places || len > WHY_RECORD_MAX)
		return;
	sockets_text_key(addr, key);
	p = place_for(key);
	p->heard = ++counter;
	snprintf(p->addr, sizeof(p->addr), "%s", addr);
	for (k = p->kept; k < p->kept + p->n; k++)
		if (k->len == len && memcmp(k->record, record, len) == 0) {
			k->times++;
			k->at = time(NULL);
			return;
		}
	k = &p->kept[p->next];
	p->next = (p->next + 1) % OF_ONE;
	if (p->n < OF_ONE)
		p->n++;
	k->at = time(NULL);
	k->times = 1;
	k->len = (uint16_t)len;
	memcpy(k->record, record, len);
}

static void own(void *arg, const uint8_t *record, size_t len)
{
	(void)arg;
	if (now_about)
		why_keep(now_about, record, len);
}

void why_about(const char *addr)
{
	now_about = addr;
	log_who(addr ? addr : "");
}

void why_open(void)
{
	size_t size = PLACES * sizeof(struct place);
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return;
	(void)madvise(p, size, MADV_DONTFORK);
	places = p;
	why_to(own, NULL);
}

void why_child(void)
{
	places = NULL;
	why_to(NULL, NULL);
}

/* ---- the answer ---- */
struct line {
	const struct place *p;
	const struct kept *k;
};

static int by_time(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return x->k->at < y->k->at ? -1 : x->k->at > y->k->at;
}

static char *show(TALLOC_CTX *mem, const struct line *l, const struct why_record *w)
{
	char when[32] = "", times[32] = "";
	struct tm tm;

	if (localtime_r(&l->k->at, &tm))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S", &tm);
	if (l->k->times > 1)
		snprintf(times, sizeof(times), " (%u times)", l->k->times);
	return talloc_asprintf(mem, "\n%s %s%s%s%s%s: %s%s%s%s%s%s%s%s%s", when, l->p->addr, *w->user ? " " : "", w->user,
			       *w->where ? "@" : "", w->where, w->what, times, *w->rule ? "\n    rule: " : "", w->rule,
			       *w->rule ? " (" : "", w->place, *w->rule ? ")" : "",
			       *w->fix ? "\n    would allow it: " : "", w->fix);
}

static bool asked_for(const char *arg, const struct line *l, const struct why_record *w)
{
	return !*arg || strcmp(arg, l->p->addr) == 0 || strcasecmp(arg, w->user) == 0 || strcasecmp(arg, w->where) == 0;
}

/* Oldest first; of too many the newest. */
char *why_answer(TALLOC_CTX *mem, const char *arg)
{
	struct line *lines = talloc_zero_array(mem, struct line, PLACES * OF_ONE);
	char *text = talloc_strdup(mem, "");
	size_t n = 0;

	for (const struct place *p = places; p && lines && p < places + PLACES; p++)
		for (unsigned i = 0; p->heard && i < p->n; i++)
			lines[n++] = (struct line){ p, &p->kept[i] };
	if (n > 0)
		qsort(lines, n, sizeof(*lines), by_time);
	while (n-- > 0 && text && strlen(text) < ANSWER_MAX) {
		TALLOC_CTX *tmp = talloc_new(mem);
		struct why_record w;
		char *one;

		if (why_read(tmp, lines[n].k->record, lines[n].k->len, &w) && asked_for(arg, &lines[n], &w) &&
		    (one = show(tmp, &lines[n], &w)) != NULL)
			text = talloc_asprintf(mem, "%s%s", one, text);
		talloc_free(tmp);
	}
	talloc_free(lines);
	return talloc_asprintf(mem, "ok%s", text && *text ? text : "\nnobody was refused");
}
