/* worker.c - a connection after login.
 *
 * Forked by the listener with the client's socket, a fresh door to the keeper and the porch's record.  It
 * shuts its own door behind itself before it reads the first byte of that record: no user id 0, no
 * capabilities but those to become the users that log in, no new programs.  (Only an `include` or a
 * `log file` with the client's name in it must be opened before, and needs the record for that.)  The record
 * was made by a process that spoke with the client: it is read like everything else a client sends.
 * What it does from then on is in worker_client.c, worker_time.c and worker_orders.c. */
#include "proc/worker.h"
#include "base/budget.h"
#include "conf/why.h"
#include "fs/sid.h"
#include "rpc/rpc.h"
#include "srv/message.h"
#include "srv/audit.h"
#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#define POOL 16384       /* bytes that are not touched before they are needed */

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
void worker_file_rules(const struct conf_globals *g)
{
	uint32_t sub[3];

	rpc_machine_sid(g->netbios_name, sub);
	sid_set_machine(sub);
	fs_process_rules(g);
	budget_set((size_t)g->smb1d_max_memory << 20);
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

	if (!loop_open(l, w))
		return false;
	w->watch = (struct watch_client){ .c = w->c, .loop = l, .fd = -1, .ctl = w->ctl, .after = worker_on_wake, .after_arg = w };
	w->host.watch = (struct watch_host){ watch_client_add, watch_client_del, &w->watch };
	l->due[LOOP_TICK] = worker_on_tick;
	l->due[LOOP_WAKE] = worker_on_wake;
	l->client = worker_client_alone;
	w->host.lease_signal = lease_signal_listen(w->c, l, worker_on_wake, w);
	worker_schedule(w, REST_AFTER);
	return loop_add(l, fastio_fd(w->io), worker_on_readable, NULL) && loop_add(l, w->ctl, worker_on_listener, NULL) &&
	       loop_add(l, box_fd(w->host.box), worker_on_box, NULL) && worker_hear_term(w);
}

void worker_prepare(struct daemon *d, const struct client *c)
{
	listener_close_for_child(d, c);
	accept_child();
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_TRIM_THRESHOLD, 64 * 1024);
	mallopt(M_TOP_PAD, 16 * 1024);
	fs_process_setup();
	walls_worker_base();
}

void worker_run(struct daemon *d, struct worker_start *s, const struct client *c)
{
	static struct worker w;
	const char *why = "out of memory";

	/* What the porch was talked into by its client cannot be known: it must not live beside us with the same socket. */
	nursery_signal_porch(s->porch, c->pid, SIGKILL);
	if (s->porch >= 0)
		close(s->porch);
	(void)prctl(PR_SET_NAME, "smb1d-worker", 0, 0, 0);
	log_who(c->addr);
	/* not into the holes of the listener's heap: each would be a page of our own */
	w = (struct worker){ .d = d, .mem = talloc_pool(NULL, POOL), .ctl = s->ctl, .door = { .fd = s->door } };
	w.host = (struct srv_host){ .ask = door_ask, .ident_of = door_ident, .group_of = door_group, .print = worker_on_print,
				   .command = worker_on_command, .command_end = run_end, .arg = &w.door, .db = d->db };
	memcpy(w.host.challenge, c->challenge, sizeof(w.host.challenge));
	w.host.port = c->port;
	why_to(worker_send_why, &w);
	audit_to(d->audit_fd);
	conf_profile_apply(d->conf, c->addr);
	choose_processor(d->conf, c->id);
	if (!db_after_fork(d->db, c->start_time))
		_exit(EXIT_NO_DATABASE);
	damage_watched(d, c, &w.ctl);
	w.host.box = box_open(w.mem, d->db, &why);
	if (!w.host.box) {
		log_error(LOG_PROC, "%s: the connection ends", why);
		_exit(1);
	}
	if (!enter(&w, s, c))
		_exit(1);
	log_at(LOG_PROC, 2, "served by worker %ld", (long)getpid());
	worker_file_rules(&w.c->conf->g);
	w.broker = (struct broker_client){ .door = -1, .ctl = &w.ctl };
	fs_process_favours(broker_ask, &w.broker);
	if (!events(&w)) {
		log_error(LOG_PROC, "out of memory or descriptors: the connection ends");
		_exit(1);
	}
	worker_pump(&w);
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
