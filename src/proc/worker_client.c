/* worker_client.c - the client's socket: requests in, replies out, and clients that stop in between.
 *
 *   socket readable ──> fill, pump, until the socket is empty ──> wait
 *   socket writable ──> flush what a slow reader has left; then read again
 *   wake            ──> requests that wait look again, oplock breaks are given up */
#include "proc/worker.h"
#include "cmd/cmd.h"
#include "conf/why.h"
#include "db/msg.h"
#include <signal.h>

#define TURNS_MAX 64     /* receives in a row */
#define EAGER 4          /* vain receives until we stop trying them (docs/fast-path.md) */
#define PROBE_EVERY 32   /* requests until we try one all the same */

static void on_writable(int fd, void *arg);

/* ---- SIGTERM: it ends the wait for the client, not the request being worked on ---- */
static volatile sig_atomic_t term_socket = -1, term_how = SHUT_RD, termed;

static void on_term(int sig)
{
	(void)sig;
	termed = 1;
	(void)shutdown(term_socket, term_how);
}

bool worker_hear_term(struct worker *w)
{
	struct sigaction term = { .sa_handler = on_term };

	term_socket = fastio_fd(w->io);
	return sigaction(SIGTERM, &term, NULL) == 0;
}

/* ---- clients that stop in the middle ---- */

#define MOVES 4096u /* bytes that count as going on: a byte now and then does not */

uint64_t worker_stall_limit(const struct worker *w) { return (uint64_t)w->c->conf->g.smb1d_stall_timeout * 1000; }

bool worker_moves(struct worker *w)
{
	const struct fastio_stats *s = fastio_stats(w->io);
	uint64_t bytes = s->in_bytes + s->out_bytes;
	bool unread = fastio_unsent(w->io);
	size_t have;

	fastio_data(w->io, &have);
	if (have == 0 && !unread && !fastio_diverting(w->io)) {
		w->stall.stuck = false;
		return true;
	}
	if (!w->stall.stuck || w->stall.requests != w->c->requests || bytes - w->stall.bytes >= MOVES) {
		w->stall.stuck = true;
		w->stall.since = clock_ms();
		w->stall.bytes = bytes;
		w->stall.requests = w->c->requests;
	}
	if (clock_ms() - w->stall.since < worker_stall_limit(w))
		return true;
	why_refused(&(struct why){ LOG_PROC, .conf = w->c->conf, .param = "smb1d: stall timeout",
				   .fix = "a longer `smb1d: stall timeout`" },
		    "a client that %s for %lu seconds", unread ? "has not read its replies" : "has sent half a message",
		    (unsigned long)(worker_stall_limit(w) / 1000));
	return false;
}

void worker_await_reader(struct worker *w)
{
	term_how = SHUT_RDWR;
	loop_want(&w->loop, fastio_fd(w->io), EPOLLOUT, on_writable);
	if (termed)
		worker_end(w);
}

static void await_request(struct worker *w)
{
	term_how = SHUT_RD;
	loop_want(&w->loop, fastio_fd(w->io), EPOLLIN, worker_on_readable);
	if (termed)
		worker_end(w);
}

/* ---- requests that wait ---- */

void worker_look_again(struct worker *w)
{
	uint64_t next = w->c->dead ? LOOP_NEVER : cmd_tick(w->c);

	if (w->c->dead || termed) {
		worker_end(w);
	} else if (fastio_unsent(w->io)) { /* a reader that is slower than we: no more work before it has read */
		worker_await_reader(w);
		next = LOOP_NEVER;
	}
	loop_at(&w->loop, LOOP_WAKE, next);
}

void worker_on_wake(void *arg) { worker_look_again(arg); }

/* ---- the client ---- */

/* Receive once more before we wait?  A client that waits for every answer makes that call a vain one each time; with
 * requests in flight, or half a frame here, it saves the wait. */
static bool ask_again(struct worker *w, bool *whole)
{
	size_t have;

	fastio_data(w->io, &have);
	*whole = have == 0;
	if (have > 0)
		return true;
	if (loop_quick(&w->loop)) /* the wait is a receive */
		return false;
	if (w->eager > 0)
		return true;
	if (++w->calm < PROBE_EVERY)
		return false;
	w->calm = 0;
	return true;
}

/* The usual end of a round: all is answered, nothing is left of it, and nobody but the client is waited for. */
static bool only_the_client(const struct worker *w)
{
	return !w->stall.stuck && w->rest == AWAKE && !conn_busy(w->c) && w->loop.at[LOOP_WAKE] == LOOP_NEVER && !termed;
}

HOT void worker_pump(struct worker *w)
{
	bool more = cmd_pump(w->c), whole = false;

	/* a busy client does not keep us from hearing the listener and the clock */
	for (int i = 0; more && !w->c->dead && i < TURNS_MAX && ask_again(w, &whole); i++) {
		enum fastio_event e = fastio_fill(w->io);

		if (whole && e == FASTIO_OK)
			w->eager = EAGER;
		else if (whole && w->eager > 0)
			w->eager--;
		if (e == FASTIO_AGAIN)
			break;
		if (e != FASTIO_OK) {
			log_at(LOG_PROC, 3, "the client has left");
			worker_end(w);
			return;
		}
		more = cmd_pump(w->c);
		whole = false;
	}
	if (more && whole && only_the_client(w))
		return;
	if (w->rest != AWAKE && !w->c->dead) {
		w->rest = AWAKE;
		worker_schedule(w, REST_AFTER);
	}
	(void)worker_moves(w);
	worker_look_again(w);
}

static void received(struct worker *w, enum fastio_event e)
{
	if (e == FASTIO_OK) {
		worker_pump(w);
	} else if (e != FASTIO_AGAIN) {
		log_at(LOG_PROC, 3, "the client has left");
		worker_end(w);
	}
}

void worker_on_readable(int fd, void *arg)
{
	struct worker *w = arg;

	(void)fd;
	received(w, fastio_fill(w->io));
}

/* What tells that the clock has not moved is the last request: where there was none we do not know. */
HOT bool worker_client_alone(void *arg, uint64_t now)
{
	struct worker *w = arg;
	enum fastio_event e;
	uint64_t before;

	do {
		before = w->c->requests;
		e = fastio_unsent(w->io) || box_rung(w->host.box) ? FASTIO_AGAIN : fastio_wait(w->io);
		if (e != FASTIO_AGAIN)
			received(w, e);
	} while (e == FASTIO_OK && w->c->requests != before && w->c->last_request == now && !w->loop.over &&
		 w->loop.at[LOOP_WAKE] == LOOP_NEVER);
	return e != FASTIO_AGAIN;
}

static void on_writable(int fd, void *arg)
{
	struct worker *w = arg;

	(void)fd;
	switch (fastio_flush(w->io)) {
	case FASTIO_AGAIN:
		return;
	case FASTIO_OK:
		await_request(w);
		worker_pump(w);
		return;
	default:
		worker_end(w);
	}
}
