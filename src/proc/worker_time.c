/* worker_time.c - the worker's clock: memory given back at rest, dead time, keepalive frames, clients that stopped. */
#include "proc/worker.h"
#include <malloc.h>
#include <sys/mman.h>

#define TICK_MAX 60      /* seconds */
#define IDLE_AFTER 2000  /* ms without a request until what was remembered of folders is given back, too */
#define STACK_DEEP 65536u /* bytes of stack that are given back at rest */

static bool dead_time_over(const struct worker *w, uint64_t idle)
{
	int64_t minutes = w->c->conf->g.deadtime;

	return minutes > 0 && idle >= (uint64_t)minutes * 60000 && idtab_count(w->c->opens) == 0;
}

/* An empty NetBIOS frame, for networks whose machines in between forget quiet connections. */
static void keepalive(struct worker *w, uint64_t now)
{
	static const uint8_t frame[4] = { 0x85, 0, 0, 0 };
	uint64_t every = (uint64_t)w->c->conf->g.keepalive * 1000;
	struct rope r = { .n = 0 };

	if (every == 0 || !w->c->nbt || fastio_unsent(w->io) || now - w->last_frame + 500 < every ||
	    now - w->c->last_request + 500 < every)
		return;
	w->last_frame = now;
	rope_mem(&r, frame, sizeof(frame));
	switch (fastio_send(w->io, &r)) {
	case FASTIO_OK:
		break;
	case FASTIO_AGAIN:
		worker_await_reader(w);
		break;
	default:
		worker_end(w);
	}
}

/* The start and the last requests went deeper than where we stand now. */
static void rest_stack(void)
{
	uintptr_t end = ((uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)4095) - 4096; /* the call below needs a little */

	(void)madvise((void *)(end - STACK_DEEP), STACK_DEEP, MADV_DONTNEED);
}

static void rest(struct worker *w, uint64_t idle)
{
	enum rest now = idle >= IDLE_AFTER ? IDLE : idle >= REST_AFTER ? RESTED : AWAKE;

	if (now <= w->rest)
		return;
	w->rest = now;
	conn_idle(w->c, now == IDLE);
	malloc_trim(0);
	rest_stack();
}

void worker_on_tick(void *arg)
{
	struct worker *w = arg;
	uint64_t now, idle, next = TICK_MAX * 1000;
	int64_t every = w->c->conf->g.keepalive;

	if (w->stall.stuck && !fastio_unsent(w->io)) /* less of a long frame may be here than we are woken for */
		worker_on_readable(fastio_fd(w->io), w);
	if (w->loop.over)
		return;
	now = clock_ms();
	idle = now - w->c->last_request;
	if (dead_time_over(w, idle)) {
		log_at(LOG_PROC, 2, "nothing asked for %ld minutes (`deadtime`): the connection ends",
		       (long)w->c->conf->g.deadtime);
		worker_end(w);
		return;
	}
	if (!worker_moves(w)) {
		worker_end(w);
		return;
	}
	rest(w, idle);
	if (w->rest != IDLE)
		next = (w->rest == AWAKE ? REST_AFTER : IDLE_AFTER) - idle + 10;
	keepalive(w, now);
	if (every > 0 && (uint64_t)every * 1000 < next)
		next = (uint64_t)every * 1000;
	if (w->stall.stuck)
		next = min_u64(next, w->stall.since + worker_stall_limit(w) + 1 - now);
	worker_schedule(w, next);
}
