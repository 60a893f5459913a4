/* adopt.c - workers of a listener that was killed serve on; the new one takes them in.
 *
 *   new listener ── MSG_ADOPT with a control socket ──> every message box in `lock directory`/msg
 *   orphan       ── WORKER_ADOPTED: who I am ─────────> known from now on: reload, kill-client, close-share, stop
 *                                  its end is the end of that socket, since it is nobody's child
 *
 * A worker takes a control socket only from a process of the daemon's user, and only when its own listener is gone. What
 * it says about itself is believed as far as it can be tested: the name of a box, which only the daemon's user can make,
 * says whose it is. */
#include "db/msg.h"
#include "proc/inner.h"
#include <arpa/inet.h>
#include <unistd.h>

/* ---- the listener ---- */

static int offer(void *arg, const char *box)
{
	struct daemon *d = arg;
	int ctl[2];
	struct client *c;

	if (!msg_pair(ctl))
		return -1;
	c = accept_orphan(d, ctl[0]);
	if (c && (c->box = talloc_strdup(c, box)) != NULL)
		return ctl[1];
	if (c)
		accept_client_free(d, c);
	close(ctl[1]);
	return -1;
}

void adopt_orphans(struct daemon *d) { box_offer_all(d->db, offer, d); }

/* For limits and commands by address; nothing else may stand in lines about it. */
static bool set_address(struct client *c, const char *addr)
{
	struct sockaddr_storage ss = { .ss_family = AF_INET };

	if (inet_pton(AF_INET, addr, &((struct sockaddr_in *)(void *)&ss)->sin_addr) != 1) {
		ss.ss_family = AF_INET6;
		if (inet_pton(AF_INET6, addr, &((struct sockaddr_in6 *)(void *)&ss)->sin6_addr) != 1)
			return false;
	}
	sockets_name(&ss, c->addr);
	sockets_key(&ss, c->key);
	return true;
}

void adopt_hello(struct daemon *d, struct client *c, struct rd *r)
{
	struct db_owner who = { (pid_t)rd_u32(r), 0 };
	char *addr, *server;

	who.start_time = rd_u64(r);
	addr = msg_get_str(c, r);
	server = msg_get_str(c, r);
	if (!c->box || c->worker || !addr || !server || !set_address(c, addr) || !box_is_named(d->db, c->box, &who) ||
	    util_start_time(who.pid) != who.start_time) {
		log_error(LOG_PROC, "a process that says it is a worker of an earlier listener is not believed");
		accept_hang_up(c);
		return;
	}
	snprintf(c->server, sizeof(c->server), "%s", server);
	c->pid = who.pid;
	c->start_time = who.start_time;
	accept_is_worker(d, c);
	reload_hello(d, c, r);
	reload_one(d, c);
	log_at(LOG_PROC, 2, "worker %ld of %s, whose listener was killed, is ours now", (long)c->pid, c->addr);
}

void adopt_ended(struct daemon *d, struct client *c)
{
	if (c->worker) {
		log_at(LOG_PROC, 3, "%s: its adopted worker %ld has ended", c->addr, (long)c->pid);
		damage_worker_died(d, c, 0);
		box_forget(d->db, c->pid, c->start_time);
	}
	accept_client_free(d, c);
}

/* ---- the worker ---- */

bool adopt_accept(const struct conn *c, int fd)
{
	struct db_owner me = db_me();
	struct conf_macros m;
	uint8_t hello[800];
	struct wr w = wr_over(hello, sizeof(hello));

	conn_macros(c, NULL, NULL, &m);
	wr_u8(&w, WORKER_ADOPTED);
	wr_u32(&w, (uint32_t)me.pid);
	wr_u64(&w, me.start_time);
	msg_put_str(&w, c->client_addr);
	msg_put_str(&w, c->server_addr);
	msg_put_str(&w, m.client_name);
	msg_put_str(&w, m.arch);
	return wr_ok(&w) && msg_send(fd, hello, wr_tell(&w), NULL, 0, false);
}
