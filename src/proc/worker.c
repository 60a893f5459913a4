/* worker.c - a connection after login.
 *
 * Forked by the listener with the client's socket, a fresh door to the keeper and the porch's record.  It
 * shuts its own door behind itself before it reads the first byte of that record: no user id 0, no
 * capabilities but those to become the users that log in, no new programs.  (Only an `include` or a
 * `log file` with the client's name in it must be opened before, and needs the record for that.)  The record
 * was made by a process that spoke with the client: it is read like everything else a client sends.
 *
 *   socket readable ──> fill, pump, until the socket is empty ──> wait
 *   socket writable ──> flush what a slow reader has left; then read again
 *   listener        ──> new configuration, debug level, close a share, end
 *   other workers   ──> oplock breaks, "look again": requests that wait may go on
 *   wake            ──> requests that wait look again, oplock breaks are given up
 *   tick            ──> idle memory, dead time, keepalive frames */
#include "base/budget.h"
#include "cmd/cmd.h"
#include "conf/why.h"
#include "fs/sid.h"
#include "rpc/rpc.h"
#include "proc/inner.h"
#include "srv/audit.h"
#include "srv/exec.h"
#include "srv/message.h"
#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define TICK_MAX 60      /* seconds */
#define TURNS_MAX 64     /* receives in a row */
#define REST_AFTER 200   /* ms without a request until buffers, heap and stack are given back */
#define IDLE_AFTER 2000  /* ... and what was remembered of folders */
#define STACK_DEEP 65536u /* bytes of stack that are given back at rest */
#define POOL 16384       /* bytes that are not touched before they are needed */
#define EAGER 4          /* vain receives until we stop trying them (docs/fast-path.md) */
#define PROBE_EVERY 32   /* requests until we try one all the same */

struct worker {
	struct daemon *d;
	struct loop loop;
	TALLOC_CTX *mem;         /* all of the connection's small things, next to each other */
	struct conn *c;
	struct fastio *io;
	struct srv_host host;
	struct door_client door;
	struct watch_client watch;
	struct broker_client broker;
	int ctl;
	enum rest { AWAKE, RESTED, IDLE } rest; /* what was given back since the last request */
	unsigned eager;          /* > 0: the client sends before it has its answer */
	unsigned calm;           /* requests since the last vain receive */
	uint64_t last_frame;     /* keepalive frame sent at */
	struct {
		uint64_t since;  /* clock_ms() */
		uint64_t bytes, requests; /* that had passed then */
		bool stuck;      /* half a message is here, or a reply cannot go out */
	} stall;
};

static void on_readable(int fd, void *arg);
static void on_writable(int fd, void *arg);
static void on_listener(int fd, void *arg);

static void end(struct worker *w) { w->loop.over = true; }
static void schedule(struct worker *w, uint64_t ms) { loop_at(&w->loop, LOOP_TICK, clock_ms() + ms); }

/* ---- SIGTERM: it ends the wait for the client, not the request being worked on ---- */
static volatile sig_atomic_t term_socket = -1, term_how = SHUT_RD, termed;

static void on_term(int sig)
{
	(void)sig;
	termed = 1;
	(void)shutdown(term_socket, term_how);
}

/* ---- clients that stop in the middle ---- */

#define MOVES 4096u /* bytes that count as going on: a byte now and then does not */

static uint64_t stall_limit(const struct worker *w) { return (uint64_t)w->c->conf->g.smb1d_stall_timeout * 1000; }

/* False: for too long only half a message has been here, or a reply could not go out. */
static bool moves(struct worker *w)
{
	const struct fastio_stats *s = fastio_stats(w->io);
	uint64_t bytes = s->in_bytes + s->out_bytes;
	bool unread = fastio_unsent(w->io);
	size_t have;

	fastio_data(w->io, &have);
	if (have == 0 && !unread) {
		w->stall.stuck = false;
		return true;
	}
	if (!w->stall.stuck || w->stall.requests != w->c->requests || bytes - w->stall.bytes >= MOVES) {
		w->stall.stuck = true;
		w->stall.since = clock_ms();
		w->stall.bytes = bytes;
		w->stall.requests = w->c->requests;
	}
	if (clock_ms() - w->stall.since < stall_limit(w))
		return true;
	why_refused(&(struct why){ LOG_PROC, .conf = w->c->conf, .param = "smb1d: stall timeout",
				   .fix = "a longer `smb1d: stall timeout`" },
		    "a client that %s for %lu seconds", unread ? "has not read its replies" : "has sent half a message",
		    (unsigned long)(stall_limit(w) / 1000));
	return false;
}

static void await_reader(struct worker *w)
{
	term_how = SHUT_RDWR;
	loop_want(&w->loop, fastio_fd(w->io), EPOLLOUT, on_writable);
	if (termed)
		end(w);
}

static void await_request(struct worker *w)
{
	term_how = SHUT_RD;
	loop_want(&w->loop, fastio_fd(w->io), EPOLLIN, on_readable);
	if (termed)
		end(w);
}

/* ---- requests that wait ---- */

/* After anything that may have changed what they wait for; and when their time has come. */
static void look_again(struct worker *w)
{
	uint64_t next = w->c->dead ? LOOP_NEVER : cmd_tick(w->c);

	if (w->c->dead || termed) {
		end(w);
	} else if (fastio_unsent(w->io)) { /* a reader that is slower than we: no more work before it has read */
		await_reader(w);
		next = LOOP_NEVER;
	}
	loop_at(&w->loop, LOOP_WAKE, next);
}

static void on_wake(void *arg) { look_again(arg); }

/* Ours was killed and there is another. */
static void new_listener(struct worker *w, int fd)
{
	for (int i = 0; i < 64 && w->ctl >= 0; i++) /* its end may not have been heard yet */
		on_listener(w->ctl, w);
	if (fd < 0 || w->ctl >= 0 || !loop_add(&w->loop, fd, on_listener, NULL)) {
		if (fd >= 0)
			close(fd);
		return;
	}
	w->ctl = w->watch.ctl = fd;
	log_at(LOG_PROC, 2, "a new listener is there");
	if (!adopt_accept(w->c, fd))
		on_listener(fd, w);
}

static void deliver(void *arg, enum msg_type type, const struct db_owner *from, struct rd body)
{
	struct worker *w = arg;

	if (type == MSG_ADOPT)
		new_listener(w, box_take_fd(w->host.box));
	else if (type != MSG_REJOIN)
		conn_message(w->c, type, from, body);
	else if (!damage_rejoin(w->c, rd_u8(&body)))
		end(w);
}

static void on_box(int fd, void *arg)
{
	struct worker *w = arg;

	(void)fd;
	box_receive(w->host.box, deliver, w);
	look_again(w);
}

/* ---- the client ---- */

/* Receive once more before we wait?  A client that waits for every answer makes that call a vain one each time; with
 * requests in flight, or half a frame here, it saves the wait. */
static bool ask_again(struct worker *w, bool *whole)
{
	size_t have;

	fastio_data(w->io, &have);
	*whole = have == 0;
	if (have > 0 || w->eager > 0)
		return true;
	if (++w->calm < PROBE_EVERY)
		return false;
	w->calm = 0;
	return true;
}

static void pump(struct worker *w)
{
	bool more = cmd_pump(w->c), whole;

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
			end(w);
			return;
		}
		more = cmd_pump(w->c);
	}
	if (w->rest != AWAKE && !w->c->dead) {
		w->rest = AWAKE;
		schedule(w, REST_AFTER);
	}
	(void)moves(w);
	look_again(w);
}

static void on_readable(int fd, void *arg)
{
	struct worker *w = arg;
	enum fastio_event e = fastio_fill(w->io);

	(void)fd;
	if (e == FASTIO_OK) {
		pump(w);
	} else if (e != FASTIO_AGAIN) {
		log_at(LOG_PROC, 3, "the client has left");
		end(w);
	}
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
		pump(w);
		return;
	default:
		end(w);
	}
}

/* ---- time ---- */
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
		await_reader(w);
		break;
	default:
		end(w);
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

static void on_tick(void *arg)
{
	struct worker *w = arg;
	uint64_t now = clock_ms(), idle = now - w->c->last_request, next = TICK_MAX * 1000;
	int64_t every = w->c->conf->g.keepalive;

	if (dead_time_over(w, idle)) {
		log_at(LOG_PROC, 2, "nothing asked for %ld minutes (`deadtime`): the connection ends",
		       (long)w->c->conf->g.deadtime);
		end(w);
		return;
	}
	if (!moves(w)) {
		end(w);
		return;
	}
	rest(w, idle);
	if (w->rest != IDLE)
		next = (w->rest == AWAKE ? REST_AFTER : IDLE_AFTER) - idle + 10;
	keepalive(w, now);
	if (every > 0 && (uint64_t)every * 1000 < next)
		next = (uint64_t)every * 1000;
	if (w->stall.stuck)
		next = min_u64(next, w->stall.since + stall_limit(w) + 1 - now);
	schedule(w, next);
}

/* `smb1d: cpu affinity`; processors this machine has not do not count. */
static void choose_processor(const struct conf *conf, uint32_t client)
{
	cpu_set_t set;
	const char *bad;
	bool each;
	unsigned mine;

	if (!conf_cpus(conf->g.smb1d_cpu_affinity, &set, &each, &bad) || CPU_COUNT(&set) == 0)
		return;
	mine = each ? client % (unsigned)CPU_COUNT(&set) : 0;
	for (unsigned i = 0, n = 0; each && i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set) && n++ != mine)
			CPU_CLR(i, &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		log_at(LOG_PROC, 1, "`smb1d: cpu affinity`: %s; the worker runs anywhere", strerror(errno));
}

/* What rooms that know no connection take from the globals. */
static void file_rules(const struct conf_globals *g)
{
	uint32_t sub[3];

	rpc_machine_sid(g->netbios_name, sub);
	sid_set_machine(sub);
	fs_process_rules(g);
	budget_set((size_t)g->smb1d_max_memory << 20);
}

/* ---- the listener ---- */
static void on_print(void *arg, const struct spool_order *order)
{
	const struct door_client *door = arg;
	const struct worker *w = (const struct worker *)(const void *)((const char *)door - offsetof(struct worker, door));

	print_send(w->ctl, order);
}

static int on_command(void *arg, const struct srv_command *c)
{
	const struct door_client *door = arg;
	const struct worker *w = (const struct worker *)(const void *)((const char *)door - offsetof(struct worker, door));

	return run_send(w->ctl, c);
}

static void on_new_conf(struct worker *w, struct msg *m)
{
	int fd = msg_take_fd(m, 0);
	struct conf *c = fd >= 0 ? reload_read(w->c, fd) : NULL;
	struct fastio_tuning tuning;

	audit_to(msg_take_fd(m, 1));
	if (fd >= 0)
		close(fd);
	if (!c) {
		log_error(LOG_PROC, "cannot read the new configuration: the old one stays");
		return;
	}
	conf_profile_apply(c, w->c->client_addr);
	conn_reload(w->c, c);
	file_rules(&w->c->conf->g);
	w->host.lease_signal = lease_signal_listen(w->c, &w->loop, on_wake, w);
	conn_tuning_of(w->c, &tuning);
	fastio_tune(w->io, &tuning);
	log_at(LOG_PROC, 2, "has the new configuration");
}

static void send_counts(struct worker *w)
{
	const struct fastio_stats *s = fastio_stats(w->io);
	uint8_t text[32];
	struct wr r = wr_over(text, sizeof(text));

	wr_u8(&r, WORKER_COUNTS);
	wr_u64(&r, w->c->requests);
	wr_u64(&r, s->in_bytes);
	wr_u64(&r, s->out_bytes);
	(void)msg_send(w->ctl, text, wr_tell(&r), NULL, 0, false);
}

static void send_why(void *arg, const uint8_t *record, size_t len)
{
	struct worker *w = arg;
	uint8_t text[1 + WHY_RECORD_MAX];

	if (len > WHY_RECORD_MAX)
		return;
	text[0] = WORKER_WHY;
	memcpy(text + 1, record, len);
	(void)msg_send(w->ctl, text, len + 1, NULL, 0, false);
}

static void on_order(struct worker *w, struct msg *m)
{
	struct rd r = rd_over(m->p, m->len);
	signed char level[LOG_CLASSES];
	char *name;

	switch (rd_u8(&r)) {
	case WORKER_CONF:
		on_new_conf(w, m);
		break;
	case WORKER_DEBUG:
		rd_copy(&r, level, sizeof(level));
		if (rd_ok(&r))
			memcpy(log_level, level, sizeof(level));
		break;
	case WORKER_CLOSE_SHARE:
		name = msg_get_str(m->p, &r);
		if (name)
			conn_close_share(w->c, name);
		break;
	case WORKER_KILL:
		end(w);
		break;
	case WORKER_DOOR:
		watch_client_door(&w->watch, msg_take_fd(m, 0));
		break;
	case WORKER_REJOIN:
		if (!damage_rejoin(w->c, rd_u8(&r)))
			end(w);
		break;
	case WORKER_STATUS:
		send_counts(w);
		break;
	}
	if (w->c->dead)
		end(w);
}

static void on_listener(int fd, void *arg)
{
	struct worker *w = arg;
	struct msg m;

	switch (msg_recv(w->c, fd, &m)) {
	case MSG_NONE:
	case MSG_BAD:
		return;
	case MSG_GOT:
		on_order(w, &m);
		msg_drop(&m);
		return;
	default: /* the listener is gone: the client need not notice */
		loop_del(&w->loop, w->ctl);
		close(w->ctl);
		w->ctl = -1;
	}
}

/* ---- start ---- */
static bool passes_file_modes(const struct conf *c)
{
	for (size_t i = 0; i < c->nshares; i++)
		if (c->shares[i]->p.admin_users[0])
			return true;
	return c->defaults.admin_users[0] != NULL;
}

static bool is_root(const char *user) { return strcmp(user, "root") == 0 || strcmp(user, "0") == 0; }

/* Only if the admin has said so: by an account root, or a share that forces root. */
static bool needs_root(const struct conf *c, uid_t uid)
{
	for (size_t i = 0; i < c->nshares; i++)
		if (is_root(c->shares[i]->p.force_user))
			return true;
	return uid == 0 || is_root(c->defaults.force_user) || is_root(c->g.guest_account);
}

/* include = ...%m, log file = ...%m: the files for this client, while we may still open them. */
static void load_for_client(struct worker *w)
{
	struct conf_macros m;
	struct conf *c;
	char *why, hello[600];
	struct wr r = wr_over(hello, sizeof(hello));

	conn_macros(w->c, NULL, NULL, &m);
	start_log(w->d, w->c->conf, &m);
	if (!w->c->conf->per_client)
		return;
	if (start_load(w->d, w->c, &m, &c, &why)) {
		conf_profile_apply(c, w->c->client_addr);
		conn_reload(w->c, c);
	} else {
		log_error(LOG_PROC, "the configuration for this client is not used: %s", why);
	}
	wr_u8(&r, WORKER_HELLO); /* a later reload is read by the listener for us */
	msg_put_str(&r, m.client_name);
	msg_put_str(&r, m.arch);
	if (wr_ok(&r))
		(void)msg_send(w->ctl, hello, wr_tell(&r), NULL, 0, false);
}

static bool take_over(struct worker *w, const struct worker_start *s, const struct client *c)
{
	struct fastio_tuning tuning;
	size_t len = 0;
	uint8_t *record = msg_memfd_read(NULL, s->record, HANDOVER_MAX, &len);
	bool ok;

	close(s->record);
	conn_tuning(w->d->conf, &tuning);
	w->io = fastio_new(w->mem, s->sock, &tuning);
	w->c = w->io ? conn_new(w->mem, &w->host, w->d->conf, w->io, c->addr, c->server) : NULL;
	ok = record && w->c && conn_takeover(w->c, record, len);
	talloc_free(record);
	if (!ok)
		log_error(LOG_PROC, "the record of the connection's login process cannot be read: the connection ends");
	return ok;
}

static bool shut_the_door(struct worker *w, struct worker_start *s, const struct conf *c)
{
	struct worker_walls walls = {
		.uid = s->uid != 0 ? s->uid : w->d->walls.uid,
		.gid = s->uid != 0 ? s->gid : w->d->walls.gid,
		.key = s->key,
		.files = passes_file_modes(c),
		.may_be_root = w->d->root && needs_root(c, s->uid),
	};
	bool ok;

	if (c != w->d->conf || !fence_fits(w->d->fence, s->home)) {
		talloc_free(w->d->fence);
		w->d->fence = fence_make(w->d, c, s->home);
	}
	walls.fence = w->d->fence;
	if (fence_missing(w->d->fence))
		walls_missing(WALL_FENCE, "workers see the whole file tree: %s", fence_missing(w->d->fence));
	if (walls.may_be_root)
		walls_missing(WALL_ROOT, "workers may become root, because an account or a share of root is in use");
	ok = walls_worker(&walls);
	fence_shut(w->d->fence);
	w->d->fence = NULL;
	return ok;
}

static bool enter(struct worker *w, struct worker_start *s, const struct client *c)
{
	if (!w->d->conf->per_client && !start_log_per_client(w->d->conf))
		return shut_the_door(w, s, w->d->conf) && take_over(w, s, c);
	if (!take_over(w, s, c))
		return false;
	load_for_client(w);
	return shut_the_door(w, s, w->c->conf);
}

static bool events(struct worker *w)
{
	struct loop *l = &w->loop;
	struct sigaction term = { .sa_handler = on_term };

	if (!loop_open(l, w))
		return false;
	w->watch = (struct watch_client){ .c = w->c, .loop = l, .fd = -1, .ctl = w->ctl, .after = on_wake, .after_arg = w };
	w->host.watch = (struct watch_host){ watch_client_add, watch_client_del, &w->watch };
	l->due[LOOP_TICK] = on_tick;
	l->due[LOOP_WAKE] = on_wake;
	term_socket = fastio_fd(w->io);
	w->host.lease_signal = lease_signal_listen(w->c, l, on_wake, w);
	schedule(w, REST_AFTER);
	return loop_add(l, fastio_fd(w->io), on_readable, NULL) && loop_add(l, w->ctl, on_listener, NULL) &&
	       loop_add(l, box_fd(w->host.box), on_box, NULL) && sigaction(SIGTERM, &term, NULL) == 0;
}

void worker_run(struct daemon *d, struct worker_start *s, const struct client *c)
{
	static struct worker w;
	const char *why = "out of memory";

	listener_close_for_child(d, c);
	(void)prctl(PR_SET_NAME, "smb1d-worker", 0, 0, 0);
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_TRIM_THRESHOLD, 64 * 1024);
	mallopt(M_TOP_PAD, 16 * 1024);
	log_who(c->addr);
	/* not into the holes of the listener's heap: each would be a page of our own */
	w = (struct worker){ .d = d, .mem = talloc_pool(NULL, POOL), .ctl = s->ctl, .door = { .fd = s->door } };
	w.host = (struct srv_host){ .ask = door_ask, .ident_of = door_ident, .group_of = door_group, .print = on_print,
				   .command = on_command, .arg = &w.door, .db = d->db };
	memcpy(w.host.challenge, c->challenge, sizeof(w.host.challenge));
	w.host.port = c->port;
	accept_child();
	why_to(send_why, &w);
	audit_to(d->audit_fd);
	conf_profile_apply(d->conf, c->addr);
	choose_processor(d->conf, c->id);
	if (!db_after_fork(d->db))
		_exit(EXIT_NO_DATABASE);
	damage_watched(d, c, &w.ctl);
	fs_process_setup();
	w.host.box = box_open(w.mem, d->db, &why);
	if (!w.host.box) {
		log_error(LOG_PROC, "%s: the connection ends", why);
		_exit(1);
	}
	if (!enter(&w, s, c))
		_exit(1);
	file_rules(&w.c->conf->g);
	w.broker = (struct broker_client){ .door = -1, .ctl = &w.ctl };
	fs_process_favours(broker_ask, &w.broker);
	if (!events(&w)) {
		log_error(LOG_PROC, "out of memory or descriptors: the connection ends");
		_exit(1);
	}
	pump(&w);
	loop_run(&w.loop);
	for (int i = 0; i < 10 && w.c->dead && fastio_unsent(w.io); i++) { /* the last word why */
		struct pollfd f = { .fd = fastio_fd(w.io), .events = POLLOUT };

		if (poll(&f, 1, 100) > 0 && fastio_flush(w.io) == FASTIO_ERROR)
			break;
	}
	conn_free(&w.c);
	db_forget_me(d->db);
	talloc_free(w.host.box);
	_exit(0);
}
