/* control.c - smb1ctl's door to the running daemon: smb1d.sock in `lock directory`.
 *
 * Only root and the user the daemon runs as may come in.  One text command per message, one text answer; a
 * slow or silent smb1ctl holds nobody up: what cannot be sent at once is dropped with its connection. */
#include "proc/inner.h"
#include "smb1d_version.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define ADMINS_MAX 16
#define SILENT_SECONDS 10
#define COMMAND_MAX 512

struct admin {
	struct admin *next;
	struct daemon *d;
	int fd;
	struct event *ev;
	bool waits;             /* for the workers' counters */
};

static const struct timeval silence = { .tv_sec = SILENT_SECONDS };

/* The address of the socket, through a descriptor of its folder: `sun_path` is short. */
static bool address(struct sockaddr_un *sa, int dir)
{
	*sa = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(sa->sun_path, sizeof(sa->sun_path), "/proc/self/fd/%d/smb1d.sock", dir);
	return dir >= 0;
}

/* ---- the commands: the answer (talloc child of mem), or NULL: list_clients() after a moment ---- */
typedef char *command_fn(struct daemon *d, TALLOC_CTX *mem, const char *arg);

static char *on_ping(struct daemon *d, TALLOC_CTX *mem, const char *arg)
{
	(void)arg;
	return talloc_asprintf(mem, "ok smb1d %s, process %ld, %u logged in, %u not yet", SMB1D_VERSION,
			       (long)getpid(), d->nworker, d->nporch);
}

static char *on_reload(struct daemon *d, TALLOC_CTX *mem, const char *arg)
{
	char *why = NULL;

	(void)arg;
	if (reload_all(d, mem, &why))
		return talloc_strdup(mem, "ok configuration read again");
	return talloc_asprintf(mem, "error: %s", why ? why : "out of memory");
}

static char *on_stop(struct daemon *d, TALLOC_CTX *mem, const char *arg)
{
	(void)arg;
	log_at(LOG_PROC, 1, "ends: smb1ctl stop");
	listener_end(d);
	return talloc_strdup(mem, "ok ends");
}

static char *on_debug(struct daemon *d, TALLOC_CTX *mem, const char *arg)
{
	signed char level[LOG_CLASSES];

	if (!*arg || !log_parse_level(arg, level))
		return talloc_asprintf(mem, "error: \"%s\" is no debug level (0 to 10, then class:level)", arg);
	listener_debug(d, level);
	return talloc_asprintf(mem, "ok debug level %s", arg);
}

static char *on_kill_client(struct daemon *d, TALLOC_CTX *mem, const char *arg)
{
	const uint8_t word = WORKER_KILL;
	unsigned n = 0;

	nursery_look(d);
	for (struct client *c = d->clients; c; c = c->next) {
		if (c->pid <= 0 || strcmp(c->addr, arg) != 0)
			continue;
		n++;
		if (!c->worker || !msg_send(c->ctl, &word, 1, NULL, 0, false))
			kill(c->pid, SIGTERM);
	}
	if (n == 0)
		return talloc_asprintf(mem, "error: no client has the address %s", arg);
	log_at(LOG_PROC, 1, "smb1ctl kill-client %s: %u connections end", arg, n);
	return talloc_asprintf(mem, "ok %u connections of %s end", n, arg);
}

static char *on_close_share(struct daemon *d, TALLOC_CTX *mem, const char *arg)
{
	uint8_t text[COMMAND_MAX + 8];
	struct wr w = wr_over(text, sizeof(text));
	const struct conf_share *share = conf_find(d->conf, arg);
	unsigned n = 0;

	wr_u8(&w, WORKER_CLOSE_SHARE);
	msg_put_str(&w, share ? share->name : arg);
	for (struct client *c = d->clients; c && wr_ok(&w); c = c->next)
		n += c->worker && msg_send(c->ctl, text, wr_tell(&w), NULL, 0, false);
	if (!share && !conf_homes(d->conf)) /* a share that a reload has taken away may still be in use */
		return talloc_asprintf(mem, "ok share %s is not in smb.conf; %u clients were told all the same", arg, n);
	log_at(LOG_PROC, 1, "smb1ctl close-share %s: %u clients were told", arg, n);
	return talloc_asprintf(mem, "ok %u clients were told to close %s", n, arg);
}

static char *on_why(struct daemon *d, TALLOC_CTX *mem, const char *arg)
{
	(void)d;
	return why_answer(mem, arg);
}

/* Workers are asked for their counters; the answer is given when they had time to say them. */
static char *on_clients(struct daemon *d, TALLOC_CTX *mem, const char *arg)
{
	const uint8_t word = WORKER_STATUS;

	(void)arg;
	(void)mem;
	for (struct client *c = d->clients; c; c = c->next)
		if (c->worker)
			(void)msg_send(c->ctl, &word, 1, NULL, 0, false);
	return NULL;
}

/* One line per connection. */
static char *list_clients(struct daemon *d, TALLOC_CTX *mem)
{
	char *text = talloc_strdup(mem, "ok");
	uint64_t now = clock_ms();

	nursery_look(d);
	for (struct client *c = d->clients; c && text && talloc_get_size(text) < 100000; c = c->next)
		text = talloc_asprintf_append(text, "\n%ld %s %s since=%llus requests=%llu in=%llu out=%llu",
					      (long)c->pid, c->addr, c->worker ? "worker" : "porch",
					      (unsigned long long)(now - c->since) / 1000,
					      (unsigned long long)c->requests, (unsigned long long)c->bytes_in,
					      (unsigned long long)c->bytes_out);
	return text;
}

static char *on_walls(struct daemon *d, TALLOC_CTX *mem, const char *arg)
{
	char *list = walls_list(mem, d);

	(void)arg;
	return list ? talloc_asprintf(mem, "ok %s", list) : NULL;
}

enum takes { NO_ARG, ONE_ARG, ANY_ARG };

static const struct command { const char *name; enum takes arg; command_fn *run; } commands[] = {
	{ "ping", NO_ARG, on_ping },
	{ "reload", NO_ARG, on_reload },
	{ "stop", NO_ARG, on_stop },
	{ "debug", ONE_ARG, on_debug },
	{ "kill-client", ONE_ARG, on_kill_client },
	{ "close-share", ONE_ARG, on_close_share },
	{ "clients", NO_ARG, on_clients },
	{ "why", ANY_ARG, on_why },
	{ "walls", NO_ARG, on_walls },
};

static char *run_command(struct daemon *d, TALLOC_CTX *mem, const char *text)
{
	size_t n = strcspn(text, " ");
	const char *arg = text + n + (text[n] == ' ');

	for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
		if (strlen(commands[i].name) != n || memcmp(commands[i].name, text, n) != 0)
			continue;
		if (commands[i].arg != ANY_ARG && (commands[i].arg == ONE_ARG) != (*arg != '\0'))
			return talloc_asprintf(mem, "error: %s takes %s argument", commands[i].name,
					       commands[i].arg == ONE_ARG ? "one" : "no");
		return commands[i].run(d, mem, arg);
	}
	return talloc_asprintf(mem, "error: unknown command \"%.*s\"", (int)n, text);
}

/* ---- connections ---- */
static void admin_close(struct admin *a)
{
	struct admin **p = &a->d->admins;

	while (*p != a)
		p = &(*p)->next;
	*p = a->next;
	a->d->nadmin--;
	event_free(a->ev);
	close(a->fd);
	talloc_free(a);
}

static bool answer(struct admin *a, char *text)
{
	bool ok = text && msg_send(a->fd, text, strlen(text), NULL, 0, false);

	talloc_free(text);
	return ok;
}

static bool wait_a_little(struct admin *a)
{
	const struct timeval tv = { .tv_usec = 200000 };

	a->waits = true;
	return event_add(a->ev, &tv) == 0;
}

static void on_admin(evutil_socket_t fd, short what, void *arg)
{
	struct admin *a = arg;
	struct msg m;
	char *text, *reply;
	bool ok = false;

	if ((what & EV_READ) && msg_recv(a, (int)fd, &m) == MSG_GOT) {
		text = m.len <= COMMAND_MAX ? talloc_strndup(a, (char *)m.p, m.len) : NULL;
		reply = text ? run_command(a->d, a, text) : NULL;
		ok = reply ? answer(a, reply) : text && wait_a_little(a);
		msg_drop(&m);
		talloc_free(text);
	} else if (what & EV_TIMEOUT && a->waits) {
		ok = answer(a, list_clients(a->d, a)) && event_add(a->ev, &silence) == 0;
		a->waits = false;
	}
	if (!ok)
		admin_close(a);
}

static bool may_command(int fd)
{
	struct ucred cred;
	socklen_t len = sizeof(cred);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) == 0 && (cred.uid == 0 || cred.uid == geteuid());
}

static void on_connect(evutil_socket_t sock, short what, void *arg)
{
	struct daemon *d = arg;
	int fd = accept4((int)sock, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct admin *a;

	(void)what;
	if (fd < 0)
		return;
	a = d->nadmin < ADMINS_MAX && may_command(fd) ? talloc_zero(d, struct admin) : NULL;
	if (a)
		a->ev = event_new(d->base, fd, EV_READ | EV_PERSIST, on_admin, a);
	if (!a || !a->ev) {
		close(fd);
		talloc_free(a);
		return;
	}
	a->d = d;
	a->fd = fd;
	a->next = d->admins;
	d->admins = a;
	d->nadmin++;
	event_add(a->ev, &silence);
}

bool control_open(struct daemon *d, const char **why)
{
	static char sentence[640];
	int dir = open(d->conf->g.lock_directory, O_PATH | O_DIRECTORY | O_CLOEXEC), fd = -1;
	struct sockaddr_un sa;

	if (address(&sa, dir)) {
		(void)unlinkat(dir, "smb1d.sock", 0); /* of one that was killed: the pid file says nobody runs */
		fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		if (fd >= 0 && (bind(fd, (struct sockaddr *)&sa, sizeof(sa)) != 0 ||
				fchmodat(dir, "smb1d.sock", 0600, 0) != 0 || listen(fd, 8) != 0)) {
			close(fd);
			fd = -1;
		}
	}
	if (fd < 0) {
		snprintf(sentence, sizeof(sentence), "cannot make %s/smb1d.sock: %s", d->conf->g.lock_directory,
			 strerror(errno));
		*why = sentence;
	}
	if (dir >= 0)
		close(dir);
	d->control_fd = fd;
	if (fd < 0)
		return false;
	d->control_ev = event_new(d->base, fd, EV_READ | EV_PERSIST, on_connect, d);
	return d->control_ev && event_add(d->control_ev, NULL) == 0;
}

void control_close(struct daemon *d)
{
	char path[600];

	while (d->admins)
		admin_close(d->admins);
	if (d->control_fd < 0)
		return;
	event_free(d->control_ev);
	close(d->control_fd);
	d->control_fd = -1;
	snprintf(path, sizeof(path), "%s/smb1d.sock", d->conf->g.lock_directory);
	unlink(path);
}

void control_close_for_child(struct daemon *d)
{
	for (struct admin *a = d->admins; a; a = a->next)
		close(a->fd);
	if (d->control_fd >= 0)
		close(d->control_fd);
	d->control_fd = -1;
}
