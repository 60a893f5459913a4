/* listener.c - the loop of the first process: signals, children, the keeper, the end. */
#include "proc/inner.h"
#include "db/msg.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define TOLD_MS 3000     /* from "end" to SIGTERM */
#define PRESSED_MS 5000  /* ... and to SIGKILL */
#define KEEPER_READY_MS 30000

struct client *listener_find(struct daemon *d, uint32_t id)
{
	struct client *c = d->clients;

	while (c && c->id != id)
		c = c->next;
	return c;
}

void listener_complain(struct daemon *d, const char *what, int err)
{
	uint64_t now = clock_ms();

	if (d->complained == 0 || now - d->complained > 5000)
		log_error(LOG_PROC, "%s: %s", what, strerror(err));
	d->complained = now;
}

static void close_if(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void listener_close_for_child(struct daemon *d, const struct client *but)
{
	for (unsigned i = 0; i < d->listen.n; i++)
		close(d->listen.fd[i]);
	for (unsigned i = 0; i < d->nbase_fd; i++)
		close(d->base_fd[i]);
	for (const struct client *c = d->clients; c; c = c->next)
		if (c != but && c->ctl >= 0)
			close(c->ctl);
	control_close_for_child(d);
	nursery_close(d);
	close_if(&d->signal_fd);
	close_if(&d->pid_fd);
	close_if(&d->reserve_fd);
	close_if(&d->keeper_ctl);
	close_if(&d->watcher_ctl);
}

void listener_debug(struct daemon *d, const signed char level[LOG_CLASSES])
{
	uint8_t text[1 + LOG_CLASSES];

	memmove(log_level, level, LOG_CLASSES);
	memcpy(text + 1, log_level, LOG_CLASSES);
	text[0] = KEEPER_DEBUG;
	(void)msg_send(d->keeper_ctl, text, sizeof(text), NULL, 0, false);
	text[0] = WATCHER_DEBUG;
	(void)msg_send(d->watcher_ctl, text, sizeof(text), NULL, 0, false);
	nursery_renew(d);
	text[0] = WORKER_DEBUG;
	for (struct client *c = d->clients; c; c = c->next)
		(void)msg_send(c->ctl, text, sizeof(text), NULL, 0, false);
}

static void step_debug(struct daemon *d, int step)
{
	signed char level[LOG_CLASSES];

	for (int i = 0; i < LOG_CLASSES; i++) {
		int v = log_level[i] + step;

		level[i] = (signed char)(v < 0 ? 0 : v > 10 ? 10 : v);
	}
	listener_debug(d, level);
	log_at(LOG_PROC, 0, "debug level is now %d", level[LOG_ALL]);
}

/* ---- the keeper ---- */
static void keeper_word(struct daemon *d, struct msg *m)
{
	struct rd r = rd_over(m->p, m->len);
	const char *why;

	switch (rd_u8(&r)) {
	case KEEPER_SPAWN:
		accept_worker(d, m);
		break;
	case KEEPER_WHY:
		why = msg_get_str(m->p, &r);
		if (why)
			why_keep(why, m->p + rd_tell(&r), rd_left(&r));
		break;
	case KEEPER_READY:
		log_error(LOG_PROC, "a new keeper is there: new clients can log in; those already logged in go on but "
			  "cannot log in further users");
		break;
	case KEEPER_FAILED:
		why = msg_get_str(m->p, &r);
		log_error(LOG_PROC, "no new keeper: %s", why ? why : "out of memory");
		break;
	}
}

static void on_keeper(evutil_socket_t fd, short what, void *arg)
{
	struct daemon *d = arg;
	struct msg m;

	(void)what;
	switch (msg_recv(d, (int)fd, &m)) {
	case MSG_NONE:
		return;
	case MSG_GOT:
		if (m.len > 0)
			keeper_word(d, &m);
		msg_drop(&m);
		return;
	case MSG_BAD: /* the client of this login is lost: its porch has gone */
		listener_complain(d, "no descriptors or memory for a login", EMFILE);
		return;
	default: /* SIGCHLD tells the rest */
		event_free(d->keeper_ev);
		d->keeper_ev = NULL;
		close_if(&d->keeper_ctl);
	}
}

/* The keeper's first word: ready, or why not. */
static bool keeper_ready(struct daemon *d, const char **why)
{
	struct pollfd p = { .fd = d->keeper_ctl, .events = POLLIN };
	struct msg m;
	struct rd r;
	bool ready = false;

	*why = "the keeper does not start";
	while (poll(&p, 1, KEEPER_READY_MS) < 0 && errno == EINTR)
		;
	if (msg_recv(d, d->keeper_ctl, &m) != MSG_GOT)
		return false;
	r = rd_over(m.p, m.len);
	ready = rd_u8(&r) == KEEPER_READY;
	if (!ready)
		*why = msg_get_str(d, &r);
	msg_drop(&m);
	return ready;
}

bool listener_keeper_start(struct daemon *d, const char **why)
{
	int ctl[2];

	if (why)
		*why = "no socket pair or process for the keeper";
	if (!msg_pair(ctl))
		return false;
	d->keeper_pid = fork();
	if (d->keeper_pid == 0)
		keeper_run(d, ctl[1]);
	close(ctl[1]);
	d->keeper_ctl = ctl[0];
	d->keeper_started = clock_ms();
	if (d->keeper_pid < 0 || (why && !keeper_ready(d, why))) {
		close_if(&d->keeper_ctl);
		return false;
	}
	(void)evutil_make_socket_nonblocking(d->keeper_ctl);
	d->keeper_ev = event_new(d->base, d->keeper_ctl, EV_READ | EV_PERSIST, on_keeper, d);
	return d->keeper_ev && event_add(d->keeper_ev, NULL) == 0;
}

static void on_keeper_retry(evutil_socket_t fd, short what, void *arg)
{
	struct daemon *d = arg;
	struct timeval tv = { .tv_sec = 1 };

	(void)fd;
	(void)what;
	if (d->ending || d->keeper_ctl >= 0 || listener_keeper_start(d, NULL))
		return;
	listener_complain(d, "no new keeper", errno);
	if (d->keeper_pid <= 0)
		event_add(d->keeper_retry_ev, &tv);
}

static void keeper_died(struct daemon *d, int status)
{
	struct timeval tv = { 0 };

	d->keeper_pid = 0;
	if (d->keeper_ev)
		event_free(d->keeper_ev);
	d->keeper_ev = NULL;
	close_if(&d->keeper_ctl);
	if (d->ending)
		return;
	if (WIFSIGNALED(status))
		log_error(LOG_PROC, "the keeper was ended by signal %d (%s)", WTERMSIG(status),
			  strsignal(WTERMSIG(status)));
	else
		log_error(LOG_PROC, "the keeper ended with status %d", WEXITSTATUS(status));
	d->keeper_deaths = clock_ms() - d->keeper_started > 10000 ? 0 : d->keeper_deaths + 1;
	if (d->keeper_deaths > 1) /* slower and slower, up to a minute */
		tv.tv_sec = d->keeper_deaths > 60 ? 60 : (time_t)d->keeper_deaths;
	event_add(d->keeper_retry_ev, &tv);
}

/* ---- children ---- */
static void client_died(struct daemon *d, struct client *c, int status)
{
	if (!c->worker && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_HANDED_OVER) {
		c->pid = 0; /* the keeper's word is on its way */
		c->since = clock_ms();
		return;
	}
	if (c->worker) {
		accept_last_words(d, c);
		if (c->start_time == 0)
			c->start_time = damage_start_time(d, c);
		if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) /* a clean end has left nothing behind */
			damage_worker_died(d, c, status);
		box_forget(d->db, c->pid, c->start_time);
	}
	if (WIFSIGNALED(status) && !c->ending && !(d->ending && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM)))
		log_error(LOG_PROC, "%s: its %s process %ld was ended by signal %d (%s)%s", c->addr,
			  c->worker ? "worker" : "login", (long)c->pid, WTERMSIG(status), strsignal(WTERMSIG(status)),
			  WTERMSIG(status) == SIGSYS ? ": it asked for a forbidden system call" : "");
	else
		log_at(LOG_PROC, 3, "%s: its %s process %ld has ended", c->addr, c->worker ? "worker" : "login",
		       (long)c->pid);
	accept_client_free(d, c);
}

static void reap(struct daemon *d)
{
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		struct client *c = d->clients;

		nursery_look(d); /* now: it may have been forked and ended since the last one's end */
		if (pid == d->keeper_pid) {
			keeper_died(d, status);
			continue;
		}
		if (watch_died(d, pid, status) || damage_reaped(d, pid, status) || broker_died(d, pid) ||
		    nursery_died(d, pid, status))
			continue;
		while (c && c->pid != pid)
			c = c->next;
		if (c)
			client_died(d, c, status);
	}
	if (d->once && d->once_taken && !d->clients && !d->ending)
		listener_end(d);
}

/* ---- the end ---- */
static void signal_clients(struct daemon *d, int sig)
{
	for (struct client *c = d->clients; c; c = c->next)
		if (c->pid > 0)
			kill(c->pid, sig);
}

static void on_end(evutil_socket_t fd, short what, void *arg)
{
	struct daemon *d = arg;
	struct timeval tv = { .tv_usec = 50000 };
	uint64_t gone = clock_ms() - d->end_since;
	struct client *next;

	(void)fd;
	(void)what;
	nursery_look(d);
	for (struct client *c = d->clients; c; c = next) {
		next = c->next;
		if (c->pid == 0)
			accept_client_free(d, c);
	}
	if (!d->clients || gone > PRESSED_MS) {
		signal_clients(d, SIGKILL);
		event_base_loopbreak(d->base);
		return;
	}
	if (gone > TOLD_MS && !d->pressed) {
		d->pressed = true;
		signal_clients(d, SIGTERM);
	}
	event_add(d->end_ev, &tv);
}

void listener_end(struct daemon *d)
{
	const uint8_t word = WORKER_KILL;

	if (d->ending)
		return;
	d->ending = true;
	d->end_since = clock_ms();
	notify_service_manager("STOPPING=1");
	accept_stop(d);
	nursery_look(d);
	for (struct client *c = d->clients; c; c = c->next)
		if (c->pid > 0 && !(c->worker && msg_send(c->ctl, &word, 1, NULL, 0, false)))
			kill(c->pid, SIGTERM);
	on_end(-1, 0, d);
}

static void end_keeper(struct daemon *d)
{
	const uint8_t word = KEEPER_STOP;

	if (d->keeper_pid <= 0)
		return;
	if (!msg_send(d->keeper_ctl, &word, 1, NULL, 0, false))
		kill(d->keeper_pid, SIGTERM);
	for (int i = 0; i < 100; i++) {
		struct timespec ts = { .tv_nsec = 10000000 };

		if (waitpid(d->keeper_pid, NULL, WNOHANG) != 0)
			return;
		nanosleep(&ts, NULL);
	}
	kill(d->keeper_pid, SIGKILL);
	waitpid(d->keeper_pid, NULL, 0);
}

/* ---- signals ---- */
static void reload_by_signal(struct daemon *d)
{
	char *why = NULL;

	(void)reload_all(d, d, &why); /* said in the log */
	talloc_free(why);
}

static void on_signal(evutil_socket_t fd, short what, void *arg)
{
	struct daemon *d = arg;
	struct signalfd_siginfo si;

	(void)what;
	while (read((int)fd, &si, sizeof(si)) == (ssize_t)sizeof(si)) {
		switch (si.ssi_signo) {
		case SIGCHLD:
			reap(d);
			break;
		case SIGHUP:
			reload_by_signal(d);
			break;
		case SIGUSR1:
			step_debug(d, 1);
			break;
		case SIGUSR2:
			step_debug(d, -1);
			break;
		default:
			log_at(LOG_PROC, 1, "ends: %s", strsignal((int)si.ssi_signo));
			listener_end(d);
		}
	}
}

static bool signals(struct daemon *d)
{
	static const int ours[] = { SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_LEN(ours); i++) {
		signal(ours[i], SIG_DFL); /* a parent may have ignored them */
		sigaddset(&set, ours[i]);
	}
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_SETMASK, &set, NULL);
	d->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (d->signal_fd < 0)
		return false;
	d->signal_ev = event_new(d->base, d->signal_fd, EV_READ | EV_PERSIST, on_signal, d);
	return d->signal_ev && event_add(d->signal_ev, NULL) == 0;
}

/* Workers fill the log too, but may not cut it. */
static void on_tidy(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	log_tidy();
	reload_audit_tidy(arg);
}

int listener_run(struct daemon *d)
{
	const struct timeval often = { .tv_sec = 5 };

	d->end_ev = evtimer_new(d->base, on_end, d);
	d->keeper_retry_ev = evtimer_new(d->base, on_keeper_retry, d);
	d->tidy_ev = event_new(d->base, -1, EV_PERSIST, on_tidy, d);
	if (!damage_setup(d) || !d->end_ev || !d->keeper_retry_ev || !d->tidy_ev || event_add(d->tidy_ev, &often) != 0 || !signals(d) || !accept_start(d))
		return 1;
	reap(d); /* the keeper may have died before its signal could be heard */
	if (!d->once) {
		nursery_start(d);
		adopt_orphans(d);
	}
	event_base_dispatch(d->base);
	nursery_close(d);
	end_keeper(d);
	watch_end(d);
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	return d->exit_status;
}
