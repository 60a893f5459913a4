/* loop.c - see loop.h. */
#include "proc/loop.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/util.h"
#include <errno.h>
#include <limits.h>
#include <string.h>

#define QUICK_AFTER 32 /* short waits in a row until the client is waited for alone */
#define QUICK_MS 5     /* what is short: a tick of the coarse clock */

bool loop_open(struct loop *l, void *arg)
{
	*l = (struct loop){ .arg = arg };
	for (unsigned i = 0; i < LOOP_FDS; i++)
		l->fds[i].fd = -1;
	for (unsigned i = 0; i < LOOP_TIMERS; i++)
		l->at[i] = LOOP_NEVER;
	l->ep = epoll_create1(EPOLL_CLOEXEC);
	return l->ep >= 0;
}

/* fd -1: a free place. */
static int place_of(const struct loop *l, int fd)
{
	for (int i = 0; i < LOOP_FDS; i++)
		if (l->fds[i].fd == fd)
			return i;
	return -1;
}

bool loop_add(struct loop *l, int fd, void (*ready)(int fd, void *arg), void *arg)
{
	int i = place_of(l, -1);
	struct epoll_event e = { .events = EPOLLIN, .data.u32 = (uint32_t)i };

	if (i < 0 || epoll_ctl(l->ep, EPOLL_CTL_ADD, fd, &e) < 0)
		return false;
	l->fds[i] = (struct loop_fd){ fd, ready, arg ? arg : l->arg };
	return true;
}

void loop_want(struct loop *l, int fd, uint32_t events, void (*ready)(int fd, void *arg))
{
	int i = place_of(l, fd);
	struct epoll_event e = { .events = events, .data.u32 = (uint32_t)i };

	if (i < 0 || l->fds[i].ready == ready)
		return;
	if (epoll_ctl(l->ep, EPOLL_CTL_MOD, fd, &e) < 0)
		l->over = true;
	l->fds[i].ready = ready;
}

void loop_del(struct loop *l, int fd)
{
	int i = place_of(l, fd);

	if (fd < 0 || i < 0)
		return;
	(void)epoll_ctl(l->ep, EPOLL_CTL_DEL, fd, NULL);
	l->fds[i].fd = -1;
}

void loop_at(struct loop *l, enum loop_timer t, uint64_t at) { l->at[t] = at; }

static uint64_t first(const struct loop *l)
{
	uint64_t at = l->at[0];

	for (unsigned i = 1; i < LOOP_TIMERS; i++)
		at = l->at[i] < at ? l->at[i] : at;
	return at;
}

static int wait_ms(const struct loop *l, uint64_t now)
{
	uint64_t at = first(l);

	if (at == LOOP_NEVER)
		return -1;
	if (at <= now)
		return 0;
	return at - now > INT_MAX ? INT_MAX : (int)(at - now);
}

static void run_due(struct loop *l)
{
	uint64_t now = clock_ms();

	for (unsigned i = 0; i < LOOP_TIMERS; i++) {
		if (now < l->at[i])
			continue;
		l->at[i] = LOOP_NEVER;
		l->due[i](l->arg);
	}
}

HOT bool loop_quick(const struct loop *l) { return l->quick.row >= QUICK_AFTER; }

void loop_not_quick(struct loop *l, uint64_t ms) { l->quick.not_before = clock_ms() + ms; }

/* All descriptors and clocks are looked at as soon as the coarse clock has moved, and at once where something is being
 * waited for: so nobody waits for more than two ticks because the client is quick. */
static bool client_alone(struct loop *l, uint64_t now)
{
	uint64_t since = now - l->quick.looked;

	l->quick.looked = now;
	l->quick.row = since <= QUICK_MS ? l->quick.row + 1 : 0;
	return l->client && since == 0 && loop_quick(l) && now >= l->quick.not_before && l->at[LOOP_WAKE] == LOOP_NEVER;
}

void loop_run(struct loop *l)
{
	struct epoll_event e;

	while (!l->over) {
		uint64_t now = clock_ms();
		int wait, n;

		if (client_alone(l, now)) {
			if (l->client(l->arg, now))
				continue;
			l->quick.row = 0;
			now = clock_ms();
		}
		wait = wait_ms(l, now);
		n = epoll_wait(l->ep, &e, 1, wait);
		if (n > 0) {
			struct loop_fd *f = &l->fds[e.data.u32];

			if (f->fd >= 0)
				f->ready(f->fd, f->arg);
		} else if (n < 0 && errno != EINTR) {
			log_error(LOG_PROC, "cannot wait for the client: %s", strerror(errno));
			return;
		}
		if (n == 0 || wait == 0) /* a busy client does not stop the clock */
			run_due(l);
	}
}
