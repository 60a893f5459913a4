/* porch.c - a connection before login.
 *
 * Whoever reaches our port talks to this process first: it decodes the first, most attacked messages and has
 * nothing worth taking: an empty root, a user id without account, no descriptors but the client's socket and
 * the door, a handful of system calls.  It ends when the client leaves, is not welcome, has not logged in in
 * time, or has logged in: then the socket goes on to a worker. */
#include "base/budget.h"
#include "cmd/cmd.h"
#include "conf/why.h"
#include "proc/inner.h"
#include <errno.h>
#include <string.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define PORCH_BYTES (1u << 20) /* of memory for logins under way */
#define HANDOVER_WAIT_S 10      /* for the worker that ends us */
#define POOL 16384 /* bytes next to each other, not in the holes of the listener's heap: each would be a page of our own */

struct porch {
	struct conn *c;
	struct fastio *io;
	struct door_client door;
	struct srv_host host;
	uint64_t deadline;   /* clock_ms() */
};

static bool hand_over(struct porch *p)
{
	size_t len = 0;
	uint8_t *record = conn_handover(p->c, p->c, &len);
	int fd = record && len <= HANDOVER_MAX ? msg_memfd(record, len, false) : -1;

	if (fd < 0) {
		log_error(LOG_PROC, "cannot pass the connection on after login: %s", strerror(errno));
		return false;
	}
	return door_handoff(&p->door, fastio_fd(p->io), fd);
}

/* ---- there may be no process for the client: the keeper says so by the door, the listener with a signal ---- */
static volatile sig_atomic_t refused;

static void on_refused(int sig)
{
	(void)sig;
	refused = 1;
}

/* Before the hand-over; the signal comes while we wait for it. */
static void hear_refusal(sigset_t *usual)
{
	struct sigaction act = { .sa_handler = on_refused };
	sigset_t block;

	sigemptyset(&block);
	sigaddset(&block, SIGUSR1);
	(void)sigprocmask(SIG_BLOCK, &block, usual);
	(void)sigaction(SIGUSR1, &act, NULL);
}

/* After it: the worker's first deed is to end us.  The door is closed by a keeper that has taken the hand-over. */
static bool no_worker(const struct porch *p, const sigset_t *usual)
{
	const struct timespec most = { .tv_sec = HANDOVER_WAIT_S };
	struct pollfd f = { .fd = p->door.fd, .events = POLLIN };
	struct msg m;

	if (ppoll(&f, 1, &most, usual) > 0 && msg_recv(p->c, f.fd, &m) == MSG_GOT)
		return true;
	if (!refused)
		(void)ppoll(NULL, 0, &most, usual);
	return refused;
}

/* The frame that logged in is still there, and gets another answer. */
static void refuse(struct porch *p)
{
	p->c->handover = false;
	p->host.refuse = ST_REQUEST_NOT_ACCEPTED;
	(void)cmd_pump(p->c);
}

/* False when the connection ends here. */
static bool receive(struct porch *p, bool *more)
{
	switch (fastio_fill(p->io)) {
	case FASTIO_OK:
		*more = cmd_pump(p->c);
		return true;
	case FASTIO_AGAIN:
		*more = false;
		return true;
	default: /* left, or reset: port scanners and clients that try two ports do this all day */
		log_at(LOG_PROC, 3, "the client has left before login");
		return false;
	}
}

/* Serves what is there.  False when the connection ends here. */
static bool turn(struct porch *p, bool readable)
{
	bool more = readable;

	if (fastio_unsent(p->io)) {
		enum fastio_event e = fastio_flush(p->io);

		if (e != FASTIO_OK && e != FASTIO_AGAIN)
			return false;
		if (e == FASTIO_OK)
			more = cmd_pump(p->c);
	}
	while (more && !p->c->dead && !p->c->handover && !fastio_unsent(p->io))
		if (!receive(p, &more))
			return false;
	return !p->c->dead && !p->c->handover;
}

static void serve(struct porch *p)
{
	struct pollfd f = { .fd = fastio_fd(p->io) };

	while (turn(p, f.revents & (POLLIN | POLLHUP | POLLERR))) {
		uint64_t now = clock_ms();

		if (now >= p->deadline) {
			why_refused(&(struct why){ LOG_PROC, .conf = p->c->conf, .param = "smb1d: login timeout",
						   .fix = "a client that logs in, or a longer `smb1d: login timeout`" },
				    "a connection without a login in %ld seconds",
				    (long)p->c->conf->g.smb1d_login_timeout);
			return;
		}
		f.events = fastio_unsent(p->io) ? POLLOUT : POLLIN;
		f.revents = 0;
		if (poll(&f, 1, (int)(p->deadline - now) + 1) < 0 && errno != EINTR)
			return;
	}
}

/* What is still to be sent to a client that was told why it may not go on. */
static void linger(struct porch *p)
{
	struct pollfd f = { .fd = fastio_fd(p->io), .events = POLLOUT };

	for (int i = 0; i < 10 && fastio_unsent(p->io) && fastio_flush(p->io) == FASTIO_AGAIN; i++)
		(void)poll(&f, 1, 100);
}

static bool filter_each; /* each porch has to put up its filter by itself */

static void filter(bool nursery)
{
	if (!seccomp_porch(nursery))
		walls_missing(WALL_SECCOMP, "no filter of system calls: %s", strerror(errno));
}

void porch_prepare(struct daemon *d, const int *keep, unsigned n, bool nursery)
{
	accept_child();
	walls_porch(&d->walls, keep, n, nursery ? 2 : 0);
	/* one that the listener forks has a name and limits to get yet, which only a nursery's filter allows; uid 0, where it cannot
	 * be left, may fork whatever its limit is */
	filter_each = !nursery || geteuid() == 0;
	if (!filter_each)
		filter(true);
}

void porch_run(struct daemon *d, int sock, int door, const struct client *c)
{
	struct fastio_tuning tuning;
	static struct porch p;
	TALLOC_CTX *mem;

	(void)prctl(PR_SET_NAME, "smb1d-porch", 0, 0, 0);
	walls_porch_last();
	if (filter_each)
		filter(false);
	log_who(c->addr);
	conf_profile_apply(d->conf, c->addr);
	p.door.fd = door;
	why_to(door_why, &p.door);
	p.host = (struct srv_host){ .ask = door_ask, .ident_of = door_ident, .arg = &p.door, .porch = true };
	memcpy(p.host.challenge, c->challenge, sizeof(p.host.challenge));
	p.host.port = c->port;
	p.deadline = clock_ms() + (uint64_t)d->conf->g.smb1d_login_timeout * 1000;
	conn_tuning(d->conf, &tuning);
	tuning.socket_options = NULL; /* the listening socket has given them to it; to set them it has no right */
	tuning.tcp_keepalive = false;
	mem = talloc_pool(NULL, POOL);
	p.io = mem ? fastio_new(mem, sock, &tuning) : NULL;
	p.c = p.io ? conn_new(mem, &p.host, d->conf, p.io, c->addr, c->server) : NULL;
	if (!p.c) {
		log_error(LOG_PROC, "out of memory: the connection ends");
		_exit(1);
	}
	budget_set(PORCH_BYTES);
	serve(&p);
	if (p.c->handover && !p.c->dead) {
		sigset_t usual;

		hear_refusal(&usual);
		if (!hand_over(&p))
			log_error(LOG_PROC, "logged in, but the connection cannot be handed over: %s; it ends", strerror(errno));
		else if (!no_worker(&p, &usual))
			_exit(EXIT_HANDED_OVER);
		refuse(&p);
	}
	linger(&p);
	_exit(0);
}
