/* run.c - commands of the configuration, run outside the process that serves the client.
 *
 *   worker (may start no program) ── WORKER_RUN, token ──> listener ── fork ──> runner ── fork ──> command
 *     ^                                                                           │ the user's rights, no more
 *     └────────────────────────────── its exit status ────────────────────────────┘
 *
 * The worker names a share and fills in macros; the command is the configuration's.  With whose rights it runs says
 * the token, a socket pair the worker made as its user: the kernel tells who that is.  Macros are arguments, never
 * text of a program (print_words.c); a command is never run as root. */
#include "proc/inner.h"
#include "srv/exec.h"
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define COMMAND_SECONDS 30 /* then it is ended; the request has waited all the time */
#define DFREE_SECONDS 5
#define BURST 20u          /* commands of one connection... */
#define BURST_MS 10000u    /* ...in this time */

/* ---- the child ---- */
void run_prepare(const struct run_as *r, const int *keep, unsigned n)
{
	struct passwd *pw = getpwnam(r->user);
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	walls_close_others(keep, n);
	if (geteuid() == 0 &&
	    ((pw && pw->pw_uid == r->uid ? initgroups(r->user, r->gid) : setgroups(0, NULL)) != 0 ||
	     setresgid(r->gid, r->gid, r->gid) != 0 || setresuid(r->uid, r->uid, r->uid) != 0)) {
		log_error(LOG_PROC, "%s: cannot become user id %ld: %s", r->what, (long)r->uid, strerror(errno));
		_exit(1);
	}
}

_Noreturn void run_exec(const struct run_as *r, struct print_words *w)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd < 3; fd++)
		if (dup2(fd == 1 && r->out >= 0 ? r->out : null, fd) < 0)
			_exit(1);
	if (log_fd() >= 3)
		(void)fcntl(log_fd(), F_SETFD, FD_CLOEXEC);
	(void)setsid();
	clearenv();
	setenv("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", 1);
	setenv("USER", r->user, 1);
	if (chdir(r->folder) != 0)
		(void)!chdir("/");
	execvp(w->v[0], w->v);
	log_error(LOG_PROC, "%s: cannot start %s: %s", r->what, w->v[0], strerror(errno));
	_exit(127);
}

/* Waits for the command, but not for ever.  Its exit status, or -1. */
static int wait_for(pid_t pid, const sigset_t *child, const struct run_as *r)
{
	const struct timespec most = { .tv_sec = r->seconds };
	int status = -1;

	if (waitpid(pid, &status, WNOHANG) != pid &&
	    (sigtimedwait(child, NULL, &most) < 0 || waitpid(pid, &status, WNOHANG) != pid)) {
		log_error(LOG_PROC, "%s has not ended within %d seconds and is killed", r->what, r->seconds);
		(void)kill(-pid, SIGKILL);
		return -1;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The exit status, and what it wrote. */
struct run_result { int32_t status; char text[SRV_ANSWER_MAX]; };

static _Noreturn void runner(struct run_as *r, struct print_words *w, int token, bool heard)
{
	int keep[2] = { token, log_fd() }, pipefd[2] = { -1, -1 };
	struct run_result res = { .status = -1 };
	ssize_t n = 0;
	sigset_t child;
	pid_t pid;

	run_prepare(r, keep, 2);
	if (heard && pipe2(pipefd, O_CLOEXEC | O_NONBLOCK) != 0)
		_exit(1);
	r->out = pipefd[1];
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	pid = fork();
	if (pid == 0) {
		sigprocmask(SIG_UNBLOCK, &child, NULL);
		run_exec(r, w);
	}
	if (pid > 0)
		res.status = wait_for(pid, &child, r);
	if (heard)
		n = read(pipefd[0], res.text, sizeof(res.text) - 1);
	(void)msg_send(token, &res, sizeof(res.status) + (n > 0 ? (size_t)n : 0), NULL, 0, false);
	_exit(0);
}

/* ---- in the listener ---- */
static char *value_of(TALLOC_CTX *mem, const void *arg, char c)
{
	const char macro[3] = { '%', c, '\0' };

	return c == '%' ? talloc_strdup(mem, "%") : conf_expand(mem, macro, arg);
}

static bool read_order(TALLOC_CTX *mem, struct rd *r, enum srv_command_kind *kind, char **share, struct conf_macros *m)
{
	const char **text[] = { &m->service, &m->path, &m->user, &m->user_asked, &m->home, &m->domain, &m->client_name, &m->arch };
	bool ok;

	*kind = rd_u8(r);
	*share = msg_get_str(mem, r);
	ok = *share != NULL;
	for (size_t i = 0; i < ARRAY_LEN(text); i++)
		ok &= (*text[i] = msg_get_str(mem, r)) != NULL;
	return ok && rd_ok(r) && rd_left(r) == 0;
}

bool run_too_many(struct burst *b, unsigned most)
{
	uint64_t now = clock_ms();

	if (now - b->since > BURST_MS)
		*b = (struct burst){ .since = now };
	return ++b->n > most;
}

const char *run_token(const struct client *c, int token, struct ucred *who)
{
	socklen_t len = sizeof(*who);

	if (token < 0 || getsockopt(token, SOL_SOCKET, SO_PEERCRED, who, &len) != 0 || who->pid != c->pid)
		return "an order without a token";
	if (who->uid == 0 && geteuid() == 0)
		return "a command is never run as root";
	return NULL;
}

static const char *command_of(const struct conf_share *share, enum srv_command_kind kind, const char **param)
{
	switch (kind) {
	case SRV_PREEXEC:
		*param = "preexec";
		return share->p.preexec;
	case SRV_POSTEXEC:
		*param = "postexec";
		return share->p.postexec;
	case SRV_DFREE:
		*param = "dfree command";
		return share->p.dfree_command;
	default:
		return "";
	}
}

static const char *start(struct daemon *d, struct client *c, TALLOC_CTX *mem, struct rd *r, int token)
{
	struct conf_macros m = { .client_addr = c->addr, .server_addr = c->server, .server_name = d->conf->g.netbios_name };
	const struct conf_share *share;
	const char *command, *param = "";
	enum srv_command_kind kind;
	struct print_words w;
	struct run_as as;
	struct ucred cred;
	const char *bad;
	char *name;
	pid_t pid;

	if (!read_order(mem, r, &kind, &name, &m))
		return "an order that cannot be read";
	bad = run_token(c, token, &cred);
	if (bad)
		return bad;
	share = conf_find(d->conf, name);
	command = share ? command_of(share, kind, &param) : "";
	if (!*command)
		return "the share has no such command";
	if (run_too_many(&c->runs, BURST))
		return "too many commands at once";
	if (!print_words_make(mem, command, value_of, &m, &w) ||
	    (kind == SRV_DFREE && !print_words_add(&w, talloc_strdup(mem, "."))))
		return "too many words, or out of memory";
	as = (struct run_as){ .uid = cred.uid, .gid = cred.gid, .user = m.user, .folder = m.path,
			      .what = talloc_asprintf(mem, "`%s` of [%s]", param, share->name),
			      .out = -1, .seconds = kind == SRV_DFREE ? DFREE_SECONDS : COMMAND_SECONDS };
	pid = fork();
	if (pid == 0)
		runner(&as, &w, token, kind == SRV_DFREE);
	if (pid < 0)
		listener_complain(d, "no process for a command", errno);
	else
		log_at(LOG_PROC, 3, "%s: %s: %s", c->addr, as.what, w.v[0]);
	return NULL;
}

void run_order(struct daemon *d, struct client *c, struct rd *r, int token, const char *what,
	       const char *(*obey)(struct daemon *d, struct client *c, TALLOC_CTX *mem, struct rd *r, int token))
{
	TALLOC_CTX *mem = talloc_new(NULL);
	const char *why = mem ? obey(d, c, mem, r, token) : "out of memory";

	if (why)
		log_error(LOG_PROC, "%s: its worker asked for a %s: %s", c->addr, what, why);
	if (token >= 0)
		close(token);
	talloc_free(mem);
}

void run_wanted(struct daemon *d, struct client *c, struct rd *r, int token)
{
	run_order(d, c, r, token, "command", start);
}

/* ---- in the worker ---- */
int run_end(int token, int ms, char *answer)
{
	struct pollfd p = { .fd = token, .events = POLLIN };
	int32_t status = SRV_UNKNOWN;
	struct msg m;

	if (poll(&p, 1, ms) <= 0)
		return SRV_RUNNING;
	if (msg_recv(NULL, token, &m) == MSG_GOT) {
		if (m.len >= sizeof(status) && m.len < sizeof(struct run_result)) {
			memcpy(&status, m.p, sizeof(status));
			if (answer)
				memcpy(answer, m.p + sizeof(status), m.len - sizeof(status));
		}
		msg_drop(&m);
	}
	return status;
}

int run_send(int ctl, const struct srv_command *c)
{
	const struct conf_macros *m = c->macros;
	const char *text[] = { c->share, m->service, m->path, m->user, m->user_asked, m->home, m->domain, m->client_name, m->arch };
	uint8_t buf[8192];
	struct wr w = wr_over(buf, sizeof(buf));
	int token[2];

	if (ctl < 0 || !msg_pair(token))
		return -1;
	wr_u8(&w, WORKER_RUN);
	wr_u8(&w, (uint8_t)c->kind);
	for (size_t i = 0; i < ARRAY_LEN(text); i++)
		msg_put_str(&w, text[i]);
	if (!wr_ok(&w) || !msg_send(ctl, buf, wr_tell(&w), &token[1], 1, true)) {
		close(token[0]);
		token[0] = -1;
	}
	close(token[1]);
	return token[0];
}
