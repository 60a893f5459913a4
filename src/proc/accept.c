/* accept.c - new connections, the processes that serve them, and how many there may be. */
#include "proc/inner.h"
#include "conf/why.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#define RETRY_MS 100
#define HANDOVER_MS 10000

/* ---- the list ---- */
static struct client *client_new(struct daemon *d)
{
	struct client *c = talloc_zero(d, struct client);

	if (!c)
		return NULL;
	c->id = ++d->next_id;
	c->ctl = -1;
	c->since = clock_ms();
	c->next = d->clients;
	if (c->next)
		c->next->prev = c;
	d->clients = c;
	d->nporch++;
	return c;
}

void accept_client_free(struct daemon *d, struct client *c)
{
	if (c->next)
		c->next->prev = c->prev;
	if (c->prev)
		c->prev->next = c->next;
	else
		d->clients = c->next;
	damage_worker_free(d, c);
	if (c->worker)
		d->nworker--;
	else
		d->nporch--;
	if (c->ctl_ev)
		event_free(c->ctl_ev);
	if (c->ctl >= 0)
		close(c->ctl);
	talloc_free(c);
}

void accept_child(void)
{
	sigset_t none;

	why_child();
	signal(SIGHUP, SIG_IGN); /* signals for the listener reach its whole group from a terminal */
	signal(SIGINT, SIG_IGN);
	signal(SIGUSR1, SIG_IGN);
	signal(SIGUSR2, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* ---- may it come in? ---- */
/* Connections of one address (key NULL: of all) that have not logged in; *oldest is the one that has not for longest, of those
 * whose process is known yet. */
static unsigned waiting_from(const struct daemon *d, const uint8_t key[16], struct client **oldest)
{
	unsigned n = 0;

	*oldest = NULL;
	for (struct client *c = d->clients; c; c = c->next) {
		if (c->worker || c->pid == 0 || c->ending || (key && memcmp(c->key, key, 16) != 0))
			continue;
		n++;
		if (c->pid > 0 && (!*oldest || c->since <= (*oldest)->since)) /* the list begins with the newest */
			*oldest = c;
	}
	return n;
}

#define YOUNG_MS 1500u /* a login takes milliseconds; one that is under way is not disturbed */
#define BURST 8u       /* times the limit, while all are young: everybody logs in at once after a power cut */

/* An address that fills its share with connections that say nothing must not shut out those behind the same
 * address that do (terminal servers, NAT): the oldest silent one goes. */
static bool make_room(const struct daemon *d, const uint8_t *key, uint64_t max, const char *param)
{
	const struct why rule = { LOG_PROC, .conf = d->conf, .param = param,
				  .fix = "a larger number there, or a client that logs in sooner" };
	struct client *oldest;
	unsigned n = waiting_from(d, key, &oldest);

	if (n < max)
		return true;
	if (oldest && clock_ms() - oldest->since > YOUNG_MS) {
		why_refused(&rule, "%u connections without login: the oldest one ends", n);
		oldest->ending = true;
		kill(oldest->pid, SIGKILL);
		return true;
	}
	if (key && n < max * BURST)
		return true;
	why_refused(&rule, "a connection; there are %u without login", n);
	return false;
}

/* Porches that said they had handed over, and nothing came of it. */
static void sweep(struct daemon *d)
{
	struct client *next;

	nursery_look(d);
	for (struct client *c = d->clients; c; c = next) {
		next = c->next;
		if (c->pid == 0 && clock_ms() - c->since > HANDOVER_MS)
			accept_client_free(d, c);
	}
}

static bool may_enter(struct daemon *d, const char *addr, const uint8_t key[16])
{
	const struct conf_globals *g = &d->conf->g;
	const struct conf_params *p = &d->conf->defaults;
	struct why rule = { LOG_PROC, .conf = d->conf };
	const char *item = "";

	if (!conf_host_allowed(p->hosts_allow, p->hosts_deny, addr, NULL, &item)) {
		rule.param = *item || !p->hosts_allow[0] ? "hosts deny" : "hosts allow";
		rule.fix = "the address in `hosts allow` of [global]";
		why_refused(&rule, "a connection%s%s", *item ? ": matches " : "", item);
		return false;
	}
	if (g->max_smbd_processes > 0 && d->nporch + d->nworker >= (uint64_t)g->max_smbd_processes) {
		rule.param = "max smbd processes";
		rule.fix = "a larger `max smbd processes`";
		why_refused(&rule, "a connection; there are %u already", d->nporch + d->nworker);
		return false;
	}
	return make_room(d, key, (uint64_t)g->smb1d_max_unauthenticated, "smb1d: max unauthenticated") &&
	       make_room(d, NULL, (uint64_t)g->smb1d_max_unauthenticated_total, "smb1d: max unauthenticated total");
}

/* ---- a porch for it ---- */
static bool tell_keeper(struct daemon *d, const struct client *c, int door)
{
	uint8_t text[64 + 2 * ADDR_TEXT];
	struct wr w = wr_over(text, sizeof(text));

	wr_u8(&w, KEEPER_CLIENT);
	wr_u32(&w, c->id);
	wr_bytes(&w, c->challenge, sizeof(c->challenge));
	msg_put_str(&w, c->addr);
	msg_put_str(&w, c->server);
	return wr_ok(&w) && msg_send(d->keeper_ctl, text, wr_tell(&w), &door, 1, false);
}

static pid_t fork_porch(struct daemon *d, struct client *c, int sock, int door)
{
	const int keep[3] = { sock, door, log_fd() };
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	porch_prepare(d, keep, 3, false);
	porch_run(d, sock, door, c);
}

static bool start_porch(struct daemon *d, struct client *c, int sock)
{
	int door[2];

	util_random(c->challenge, sizeof(c->challenge));
	if (!msg_pair(door)) {
		listener_complain(d, "no socket pair for a connection", errno);
		return false;
	}
	if (!tell_keeper(d, c, door[1])) {
		listener_complain(d, "the keeper takes no connection", errno);
		close(door[0]);
		close(door[1]);
		return false;
	}
	close(door[1]);
	if (!nursery_porch(d, c, sock, door[0]))
		c->pid = fork_porch(d, c, sock, door[0]);
	close(door[0]);
	if (c->pid == -1) {
		listener_complain(d, "no process for a connection", errno);
		return false;
	}
	return true;
}

void accept_client(struct daemon *d, int fd)
{
	struct sockaddr_storage peer, self;
	socklen_t plen = sizeof(peer), slen = sizeof(self);
	char addr[ADDR_TEXT];
	uint8_t key[16];
	struct client *c;

	memset(&peer, 0, sizeof(peer));
	memset(&self, 0, sizeof(self));
	if (getpeername(fd, (struct sockaddr *)&peer, &plen) != 0) { /* reset already: a port probe */
		close(fd);
		return;
	}
	(void)getsockname(fd, (struct sockaddr *)&self, &slen);
	sockets_name(&peer, addr);
	sockets_key(&peer, key);
	sweep(d);
	why_about(addr);
	c = may_enter(d, addr, key) ? client_new(d) : NULL;
	why_about(NULL);
	if (c) {
		memcpy(c->addr, addr, sizeof(c->addr));
		memcpy(c->key, key, sizeof(c->key));
		sockets_name(&self, c->server);
		c->port = sockets_port(&self);
		if (start_porch(d, c, fd))
			log_at(LOG_PROC, 3, "%s connected", c->addr);
		else
			accept_client_free(d, c);
	}
	close(fd);
}

/* ---- accepting ---- */
static void on_retry(evutil_socket_t fd, short what, void *arg)
{
	struct daemon *d = arg;

	(void)fd;
	(void)what;
	for (unsigned i = 0; i < d->listen.n && !d->ending; i++)
		event_add(d->listen.ev[i], NULL);
}

/* No descriptors: give up the reserve for a moment, let the caller know by closing, and wait a little. */
static void exhausted(struct daemon *d, int listener, int err)
{
	struct timeval tv = { .tv_usec = RETRY_MS * 1000 };

	listener_complain(d, "cannot accept a connection", err);
	if (d->reserve_fd >= 0) {
		int fd;

		close(d->reserve_fd);
		fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd >= 0)
			close(fd);
	}
	d->reserve_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	for (unsigned i = 0; i < d->listen.n; i++)
		event_del(d->listen.ev[i]);
	event_add(d->retry_ev, &tv);
}

static void on_accept(evutil_socket_t sock, short what, void *arg)
{
	struct daemon *d = arg;

	(void)what;
	for (int i = 0; i < 16; i++) { /* a burst, but the children's ends and the admin are heard too */
		int fd = accept4((int)sock, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0) {
			if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
				exhausted(d, (int)sock, errno);
			return; /* EAGAIN, or the client has gone again */
		}
		if (d->once && d->once_taken) {
			close(fd);
			continue;
		}
		d->once_taken = true;
		accept_client(d, fd);
		if (d->once) {
			accept_stop(d);
			return;
		}
	}
}

/* Connected sockets have it from the listening one: a porch may set nothing. */
void accept_tune(const struct daemon *d)
{
	for (unsigned i = 0; i < d->listen.n; i++)
		sockets_tune(d->conf, d->listen.fd[i]);
}

bool accept_start(struct daemon *d)
{
	accept_tune(d);
	d->retry_ev = evtimer_new(d->base, on_retry, d);
	d->reserve_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (!d->retry_ev)
		return false;
	for (unsigned i = 0; i < d->listen.n; i++) {
		d->listen.ev[i] = event_new(d->base, d->listen.fd[i], EV_READ | EV_PERSIST, on_accept, d);
		if (!d->listen.ev[i] || event_add(d->listen.ev[i], NULL) != 0)
			return false;
	}
	return true;
}

void accept_stop(struct daemon *d)
{
	for (unsigned i = 0; i < d->listen.n; i++) {
		if (d->listen.ev[i])
			event_free(d->listen.ev[i]);
		close(d->listen.fd[i]);
	}
	d->listen.n = 0;
}

/* ---- a worker for it ---- */
static void worker_word(struct daemon *d, struct client *c, struct msg *m)
{
	struct rd r = rd_over(m->p, m->len);

	nursery_look(d);
	if (c->box && !c->worker && m->p[0] != WORKER_ADOPTED) /* nobody knows yet who it is */
		return;
	switch (rd_u8(&r)) {
	case WORKER_HELLO:
		reload_hello(d, c, &r);
		break;
	case WORKER_WATCH:
		watch_wanted(d, c);
		break;
	case WORKER_SUSPECTS:
		damage_suspected(d, c, &r);
		break;
	case WORKER_RUN:
		run_wanted(d, c, &r, msg_take_fd(m, 0));
		break;
	case WORKER_BROKER:
		broker_wanted(d, c, msg_take_fd(m, 0));
		break;
	case WORKER_ADOPTED:
		adopt_hello(d, c, &r);
		break;
	case WORKER_PRINT:
		print_job(d, c, &r, msg_take_fd(m, 0));
		break;
	case WORKER_WHY:
		why_keep(c->addr, m->p + 1, m->len - 1);
		break;
	case WORKER_COUNTS:
		c->requests = rd_u64(&r);
		c->bytes_in = rd_u64(&r);
		c->bytes_out = rd_u64(&r);
		break;
	}
}

static void on_worker(evutil_socket_t fd, short what, void *arg)
{
	struct client *c = arg;
	struct daemon *d = talloc_get_type_abort(talloc_parent(c), struct daemon);
	struct msg m;

	(void)what;
	switch (msg_recv(c, (int)fd, &m)) {
	case MSG_NONE:
	case MSG_BAD:
		return;
	case MSG_GOT:
		if (m.len > 0)
			worker_word(d, c, &m);
		msg_drop(&m);
		return;
	default: /* it ends; SIGCHLD tells the rest, but of children only */
		if (c->box)
			adopt_ended(d, c);
		else
			accept_hang_up(c);
	}
}

void accept_hang_up(struct client *c)
{
	if (c->ctl_ev)
		event_free(c->ctl_ev);
	c->ctl_ev = NULL;
	close(c->ctl);
	c->ctl = -1;
}

static void hear(struct daemon *d, struct client *c, int ctl)
{
	c->ctl = ctl;
	c->ctl_ev = event_new(d->base, c->ctl, EV_READ | EV_PERSIST, on_worker, c);
	if (c->ctl_ev)
		event_add(c->ctl_ev, NULL);
}

struct client *accept_orphan(struct daemon *d, int ctl)
{
	struct client *c = client_new(d);

	if (c)
		hear(d, c, ctl);
	else
		close(ctl);
	return c;
}

void accept_is_worker(struct daemon *d, struct client *c)
{
	c->worker = true;
	d->nporch--;
	d->nworker++;
}

void accept_last_words(struct daemon *d, struct client *c)
{
	struct msg m;

	for (int i = 0; i < 100 && c->ctl >= 0 && msg_recv(c, c->ctl, &m) == MSG_GOT; i++) {
		const uint8_t word = m.len > 0 ? m.p[0] : 0;

		if (word == WORKER_WHY || word == WORKER_PRINT)
			worker_word(d, c, &m);
		msg_drop(&m);
	}
}

void accept_no_worker(const struct client *c, int err)
{
	why_about(c->addr);
	why_refused(&(struct why){ LOG_PROC, .fix = "more processes, memory or descriptors for smb1d", .often = true },
		    "a login: there is no process for it: %s", strerror(err));
	why_about(NULL);
}

/* Its porch, which is there until a worker ends it, tells the client. */
static void no_worker(const struct client *c, int err)
{
	accept_no_worker(c, err);
	if (c->pid > 0)
		kill(c->pid, SIGUSR1);
}

static pid_t fork_worker(struct daemon *d, const struct client *c, struct worker_start *s, int other_end)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	close(other_end);
	worker_prepare(d, c);
	worker_run(d, s, c);
}

static bool start_worker(struct daemon *d, struct client *c, struct worker_start *s)
{
	pid_t pid = 0;
	int ctl[2];

	if (!msg_pair(ctl)) {
		no_worker(c, errno);
		return false;
	}
	s->ctl = ctl[1];
	s->porch = nursery_porch_fd(c->pid);
	damage_worker_new(d, c);
	if (!nursery_worker(d, c, s)) {
		pid = fork_worker(d, c, s, ctl[0]);
		if (pid > 0)
			c->pid = pid;
	}
	close(ctl[1]);
	if (s->porch >= 0)
		close(s->porch);
	if (pid < 0) {
		no_worker(c, errno);
		close(ctl[0]);
		return false;
	}
	c->start_time = c->pid > 0 ? util_start_time(c->pid) : 0; /* else it shows it in damage.c's table */
	accept_is_worker(d, c);
	hear(d, c, ctl[0]);
	return true;
}

void accept_worker(struct daemon *d, struct msg *spawn)
{
	struct rd r = rd_over(spawn->p, spawn->len);
	struct worker_start s = { .ctl = -1, .porch = -1 };
	struct client *c;

	nursery_look(d);
	rd_skip(&r, 1);
	c = listener_find(d, rd_u32(&r));
	s.uid = rd_u32(&r);
	s.gid = rd_u32(&r);
	s.user = msg_get_str(spawn->p, &r);
	s.home = msg_get_str(spawn->p, &r);
	rd_copy(&r, s.key, sizeof(s.key));
	str_wipe(spawn->p, spawn->len); /* the key is nobody's but the worker's, who wipes it too */
	s.sock = msg_take_fd(spawn, 0);
	s.door = msg_take_fd(spawn, 1);
	s.record = msg_take_fd(spawn, 2);
	if (!s.user || !s.home || !rd_ok(&r) || s.record < 0)
		log_error(LOG_PROC, "the keeper's word about a login cannot be read");
	else if (c && !c->worker && !d->ending && start_worker(d, c, &s))
		log_at(LOG_PROC, 2, "%s logged in as Unix user %s", c->addr, s.user);
	str_wipe(s.key, sizeof(s.key));
	if (c && !c->worker && c->pid == 0)
		accept_client_free(d, c);
	if (s.sock >= 0)
		close(s.sock);
	if (s.door >= 0)
		close(s.door);
	if (s.record >= 0)
		close(s.record);
}
