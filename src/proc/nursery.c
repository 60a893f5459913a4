/* nursery.c - two processes that fork the others.
 *
 *   listener ── a client's socket, door and record ──> nursery ── clone ──> porch, or worker
 *            <─────── pid, in a page of memory ────────┘                (the listener's child, not the nursery's)
 *
 * The porches' nursery has their user, empty root, limits and filter of system calls already; the workers' has what all
 * workers share.  Neither serves a client, decodes a byte of one, or changes its memory from one fork to the next, so that
 * whatever a child has not written itself stays the same page for all, whoever came and went before (docs/fast-path.md).
 * What they may do and a child must not - to fork - each child gives up before it sees its client's first byte; the page
 * is not in its memory at all.  The listener does not wait for the pid: it looks for it when somebody asks.
 *
 * Both are snapshots of the listener: a new configuration, debug level or lock database means new ones.  Where there is
 * none (it has died, or the kernel does not tell where the C library keeps a thread's id) the listener forks itself. */
#include "proc/inner.h"
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ORDER_MAX 2048u  /* two addresses, a user's name and home; the listener forks for longer ones itself */
#define LATE_MS 10000    /* a fork takes a fraction of a millisecond */
#define AGAIN_MS 1000    /* from one start to the next */
#define EXIT_USELESS 12  /* of a nursery: this kernel has not what it takes */

/* ---- the page ---- */
#define PLACES 64u
static struct {
	_Atomic int32_t *pid; /* written by the kernel in a nursery's clone(); 0: not yet, < 0: -errno, there will be none */
	struct client *c[PLACES];
	uint64_t since[PLACES]; /* clock_ms(); 0: the place is free */
	enum nursery_kind kind[PLACES];
	int porch[PLACES];      /* of a worker's order: nursery_porch_fd(); -1: none */
	unsigned taken;
} page;

#define PAGE_BYTES (PLACES * sizeof(*page.pid))

/* ---- a porch that may have ended, and its pid be another's, when an order comes to its turn ---- */
int nursery_porch_fd(pid_t pid)
{
#ifdef SYS_pidfd_open
	return pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
#else
	(void)pid;
	return -1;
#endif
}

void nursery_signal_porch(int fd, pid_t pid, int sig)
{
#ifdef SYS_pidfd_open
	if (fd >= 0)
		(void)syscall(SYS_pidfd_send_signal, fd, sig, NULL, 0);
	else
#endif
	if (pid > 0)
		kill(pid, sig);
}

/* ---- orders ---- */
static void order(struct wr *w, const struct client *c, unsigned place)
{
	wr_u32(w, place);
	wr_u32(w, c->pid > 0 ? (uint32_t)c->pid : 0); /* a worker's: its client's porch */
	wr_u32(w, c->id);
	wr_u16(w, c->port);
	wr_u32(w, c->pulse);
	wr_bytes(w, c->challenge, sizeof(c->challenge));
	msg_put_str(w, c->addr);
	msg_put_str(w, c->server);
}

static void order_worker(struct wr *w, const struct worker_start *s)
{
	wr_u32(w, s->uid);
	wr_u32(w, s->gid);
	wr_bytes(w, s->key, sizeof(s->key));
	msg_put_str(w, s->user);
	msg_put_str(w, s->home);
}

static void get_text(struct rd *r, char out[ADDR_TEXT])
{
	char *text = msg_get_str(NULL, r);

	snprintf(out, ADDR_TEXT, "%s", text ? text : "");
	talloc_free(text);
}

static void get_client(struct rd *r, struct client *c)
{
	*c = (struct client){ .ctl = -1 };
	rd_skip(r, 4);
	c->pid = (pid_t)rd_u32(r);
	c->id = rd_u32(r);
	c->port = rd_u16(r);
	c->pulse = rd_u32(r);
	rd_copy(r, c->challenge, sizeof(c->challenge));
	get_text(r, c->addr);
	get_text(r, c->server);
}

/* ---- in the child ---- */
static struct { int *tid; void *robust; size_t robust_len; } thread; /* what the C library's fork() sets right in a child */

_Noreturn static void be_porch(struct daemon *d, struct rd *r, const int *fd, uint64_t born)
{
	struct client c;

	(void)born;
	get_client(r, &c);
	if (!rd_ok(r))
		_exit(1);
	porch_run(d, fd[0], fd[1], &c);
}

_Noreturn static void be_worker(struct daemon *d, struct rd *r, const int *fd, uint64_t born)
{
	struct worker_start s = { .sock = fd[0], .door = fd[1], .record = fd[2], .ctl = fd[3], .porch = fd[4] };
	struct client c;

	/* locks in the databases are given back by it when we die */
	(void)syscall(SYS_set_robust_list, thread.robust, thread.robust_len);
	get_client(r, &c);
	if (born == util_start_time_now()) /* ten milliseconds are long: mostly it need not be read in /proc */
		c.start_time = born;
	s.uid = rd_u32(r);
	s.gid = rd_u32(r);
	rd_copy(r, s.key, sizeof(s.key));
	s.user = msg_get_str(NULL, r);
	s.home = msg_get_str(NULL, r);
	if (!rd_ok(r) || !s.user || !s.home)
		_exit(1);
	str_wipe((void *)(uintptr_t)r->msg, r->end); /* the key */
	worker_run(d, &s, &c);
}

static const struct kind {
	const char *name;
	unsigned nfds, most; /* descriptors of an order */
	void (*be)(struct daemon *d, struct rd *r, const int *fd, uint64_t born); /* does not return */
} kinds[NURSERY_KINDS] = {
	[NURSERY_PORCH] = { "login", 2, 2, be_porch },
	[NURSERY_WORKER] = { "worker", 4, 5, be_worker },
};

/* ---- the nursery ---- */
/* Restartable sequences, which nobody here uses: the kernel writes into their page in parent and child after each fork. */
static void no_sequences(void)
{
#if defined(RSEQ_SIG) && defined(SYS_rseq)
	if (__rseq_size > 0)
		(void)syscall(SYS_rseq, (char *)__builtin_thread_pointer() + __rseq_offset, 32, RSEQ_FLAG_UNREGISTER, RSEQ_SIG);
#endif
}

static bool look_at_thread(void)
{
	no_sequences();
	return prctl(PR_GET_TID_ADDRESS, &thread.tid, 0, 0, 0) == 0 && thread.tid &&
	       syscall(SYS_get_robust_list, 0, &thread.robust, &thread.robust_len) == 0;
}

/* As fork(), but its child is the listener's, who hears of its end and knows that the pid is nobody else's until then. */
static pid_t sibling(_Atomic int32_t *pid)
{
#if defined(__s390x__)
	return (pid_t)syscall(SYS_clone, 0, NURSERY_CLONE, pid, thread.tid, 0);
#elif defined(__aarch64__) || defined(__arm__) || defined(__i386__)
	return (pid_t)syscall(SYS_clone, NURSERY_CLONE, 0, pid, 0, thread.tid);
#else
	return (pid_t)syscall(SYS_clone, NURSERY_CLONE, 0, pid, thread.tid, 0);
#endif
}

/* The bytes of an order, 0 when the listener is gone. */
static size_t receive(int ctl, void *buf, size_t cap, int fd[MSG_FDS], unsigned *nfds)
{
	union { struct cmsghdr h; char room[CMSG_SPACE(sizeof(int) * MSG_FDS)]; } control;
	struct iovec iov = { .iov_base = buf, .iov_len = cap };
	struct msghdr mh = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control) };
	ssize_t n;

	do {
		n = recvmsg(ctl, &mh, MSG_CMSG_CLOEXEC);
	} while (n < 0 && errno == EINTR);
	*nfds = 0;
	memset(fd, 0xff, sizeof(int) * MSG_FDS);
	if (n > 0 && mh.msg_controllen >= CMSG_LEN(0)) {
		*nfds = (unsigned)((control.h.cmsg_len - CMSG_LEN(0)) / sizeof(int));
		memcpy(fd, CMSG_DATA(&control.h), *nfds * sizeof(int));
	}
	return n > 0 && !(mh.msg_flags & MSG_TRUNC) ? (size_t)n : 0;
}

_Noreturn static void serve(struct daemon *d, const struct kind *k, int ctl)
{
	uint8_t buf[ORDER_MAX];
	int fd[MSG_FDS];
	unsigned nfds;
	size_t n;

	while ((n = receive(ctl, buf, sizeof(buf), fd, &nfds)) > 0) {
		struct rd r = rd_over(buf, n);
		uint32_t place = rd_u32(&r);
		pid_t porch = (pid_t)rd_u32(&r);
		uint64_t born;
		pid_t pid;

		if (!rd_ok(&r) || place >= PLACES || nfds < k->nfds || nfds > k->most)
			_exit(1);
		born = util_start_time_now();
		pid = sibling(&page.pid[place]);
		if (pid == 0) {
			close(ctl);
			r = rd_over(buf, n);
			k->be(d, &r, fd, born);
		}
		if (pid < 0) {
			atomic_store(&page.pid[place], -errno);
			nursery_signal_porch(fd[4], porch, SIGUSR1); /* it tells the client */
		}
		str_wipe(buf, n);
		for (unsigned i = 0; i < nfds; i++)
			close(fd[i]);
	}
	_exit(0);
}

_Noreturn static void nursery_run(struct daemon *d, enum nursery_kind kind, int ctl)
{
	const int keep[2] = { ctl, log_fd() };

	(void)prctl(PR_SET_NAME, "smb1d-nursery", 0, 0, 0);
	if (!look_at_thread() || madvise((void *)(uintptr_t)page.pid, PAGE_BYTES, MADV_DONTFORK) != 0)
		_exit(EXIT_USELESS);
	if (kind == NURSERY_PORCH) {
		TALLOC_FREE(d->db); /* fifteen mappings that no porch may use, in none of them */
		damage_unmap(d);
		porch_prepare(d, keep, 2, true);
	} else {
		worker_prepare(d, NULL);
	}
	serve(d, &kinds[kind], ctl);
}

/* ---- the listener ---- */
static void shut(struct nursery *n)
{
	if (n->ctl >= 0)
		close(n->ctl);
	n->ctl = -1;
}

static bool make_page(void)
{
	void *p = page.pid ? NULL : mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p && p != MAP_FAILED)
		page.pid = p;
	return page.pid != NULL;
}

static void start(struct daemon *d, enum nursery_kind kind)
{
	struct nursery *n = &d->nursery[kind];
	int ctl[2];

	if (d->once || d->ending || n->useless || (n->started != 0 && clock_ms() - n->started < AGAIN_MS))
		return;
	n->started = clock_ms();
	if (!make_page() || !msg_pair(ctl))
		return;
	(void)madvise((void *)(uintptr_t)page.pid, PAGE_BYTES, MADV_DOFORK); /* for this child alone */
	n->pid = fork();
	if (n->pid == 0) {
		close(ctl[0]);
		nursery_run(d, kind, ctl[1]);
	}
	n->useless = madvise((void *)(uintptr_t)page.pid, PAGE_BYTES, MADV_DONTFORK) != 0;
	close(ctl[1]);
	n->ctl = ctl[0];
	if (n->pid < 0 || n->useless)
		shut(n);
}

void nursery_start(struct daemon *d)
{
	for (int i = 0; i < NURSERY_KINDS; i++)
		start(d, (enum nursery_kind)i);
}

void nursery_renew(struct daemon *d)
{
	for (int i = 0; i < NURSERY_KINDS; i++) {
		shut(&d->nursery[i]); /* which ends it when it has done what it was told */
		d->nursery[i].started = 0;
	}
	nursery_start(d);
}

static void free_place(unsigned i)
{
	if (page.porch[i] >= 0)
		close(page.porch[i]);
	page.since[i] = 0;
	page.taken--;
}

void nursery_close(struct daemon *d)
{
	for (int i = 0; i < NURSERY_KINDS; i++)
		shut(&d->nursery[i]);
	for (unsigned i = 0; i < PLACES; i++)
		if (page.since[i])
			free_place(i);
}

/* ---- the pids ---- */

/* There is none and will be none: to be forgotten as if it had ended (accept.c). */
static void none(struct client *c, int err)
{
	if (c->worker)
		accept_no_worker(c, err);
	else
		log_error(LOG_PROC, "%s: no process for its connection: %s", c->addr, strerror(err));
	c->pid = 0;
	c->since = 0;
}

/* Nobody will carry out this order: its porch tells the client. */
static void lost(unsigned i, int err)
{
	if (page.c[i])
		none(page.c[i], err);
	page.c[i] = NULL;
	nursery_signal_porch(page.porch[i], 0, SIGUSR1);
}

void nursery_look(struct daemon *d)
{
	for (unsigned i = 0; i < PLACES && page.taken > 0; i++) {
		int32_t pid = atomic_load(&page.pid[i]);
		struct client *c = page.c[i];

		if (page.since[i] == 0)
			continue;
		if (pid == 0 && c && clock_ms() - page.since[i] > LATE_MS) {
			lost(i, ETIMEDOUT); /* the place stays taken: the pid may come yet */
			if (d->nursery[page.kind[i]].pid > 0) /* stopped, or worse: there will be another */
				kill(d->nursery[page.kind[i]].pid, SIGKILL);
		}
		if (pid == 0)
			continue;
		if (c && pid > 0)
			c->pid = pid;
		else if (c)
			none(c, -pid);
		free_place(i);
	}
}

static bool take_place(struct daemon *d, struct client *c, enum nursery_kind kind, unsigned *place)
{
	if (page.taken == PLACES)
		nursery_look(d);
	for (unsigned i = 0; i < PLACES; i++) {
		if (page.since[i])
			continue;
		atomic_store(&page.pid[i], 0);
		page.c[i] = c;
		page.kind[i] = kind;
		*place = i;
		return true;
	}
	return false;
}

bool nursery_died(struct daemon *d, pid_t pid, int status)
{
	enum nursery_kind kind = d->nursery[NURSERY_PORCH].pid == pid ? NURSERY_PORCH : NURSERY_WORKER;
	struct nursery *n = &d->nursery[kind];

	if (n->pid != pid)
		return false;
	n->pid = 0;
	n->useless = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_USELESS;
	if (!n->useless && !d->ending)
		log_error(LOG_PROC, "the process that forks %s processes has ended (status 0x%x): there will be another",
			  kinds[kind].name, (unsigned)status);
	shut(n);
	nursery_look(d);
	for (unsigned i = 0; i < PLACES; i++) /* orders it has not come to */
		if (page.since[i] && page.kind[i] == kind) {
			lost(i, ECHILD);
			free_place(i);
		}
	start(d, kind);
	return true;
}

/* False: the caller has to fork by itself. */
static bool ask(struct daemon *d, enum nursery_kind kind, struct client *c, const struct worker_start *s, const int *fd)
{
	struct nursery *n = &d->nursery[kind];
	uint8_t buf[ORDER_MAX];
	struct wr w = wr_over(buf, sizeof(buf));
	unsigned place, nfds;
	bool sent;

	if (n->ctl < 0)
		start(d, kind);
	if (n->ctl < 0 || !take_place(d, c, kind, &place))
		return false;
	order(&w, c, place);
	if (s)
		order_worker(&w, s);
	nfds = s && s->porch >= 0 ? kinds[kind].most : kinds[kind].nfds;
	sent = wr_ok(&w) && msg_send(n->ctl, buf, wr_tell(&w), fd, nfds, false);
	str_wipe(buf, wr_tell(&w)); /* a worker's key */
	if (!sent) {
		if (wr_ok(&w))
			shut(n); /* it has died, which its signal tells of, or it is far behind */
		return false;
	}
	page.porch[place] = s ? s->porch : -1;
	page.since[place] = clock_ms();
	page.taken++;
	c->pid = PID_TO_COME;
	return true;
}

bool nursery_porch(struct daemon *d, struct client *c, int sock, int door)
{
	const int fd[2] = { sock, door };

	return ask(d, NURSERY_PORCH, c, NULL, fd);
}

bool nursery_worker(struct daemon *d, struct client *c, struct worker_start *s)
{
	const int fd[MSG_FDS] = { s->sock, s->door, s->record, s->ctl, s->porch };

	if (c->pulse == 0 || !ask(d, NURSERY_WORKER, c, s, fd)) /* where it shows us its start time */
		return false;
	s->porch = -1;
	return true;
}
