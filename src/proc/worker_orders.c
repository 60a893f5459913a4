/* worker_orders.c - what the listener and other workers say.
 *
 *   listener        ──> new configuration, debug level, close a share, end
 *   other workers   ──> oplock breaks, "look again": requests that wait may go on */
#include "proc/worker.h"
#include "conf/why.h"
#include "srv/audit.h"
#include "srv/exec.h"
#include "srv/message.h"
#include <unistd.h>

#define MORE_TO_SAY 1000 /* ms after a message of another worker in which the client is not waited for alone */

/* Ours was killed and there is another. */
static void new_listener(struct worker *w, int fd)
{
	for (int i = 0; i < 64 && w->ctl >= 0; i++) /* its end may not have been heard yet */
		worker_on_listener(w->ctl, w);
	if (fd < 0 || w->ctl >= 0 || !loop_add(&w->loop, fd, worker_on_listener, NULL)) {
		if (fd >= 0)
			close(fd);
		return;
	}
	w->ctl = w->watch.ctl = fd;
	log_at(LOG_PROC, 2, "a new listener is there");
	if (!adopt_accept(w->c, fd))
		worker_on_listener(fd, w);
}

static void deliver(void *arg, enum msg_type type, const struct db_owner *from, struct rd body)
{
	struct worker *w = arg;

	if (type == MSG_ADOPT)
		new_listener(w, box_take_fd(w->host.box));
	else if (type != MSG_REJOIN)
		conn_message(w->c, type, from, body);
	else if (!damage_rejoin(w->c, rd_u8(&body)))
		worker_end(w);
}

void worker_on_box(int fd, void *arg)
{
	struct worker *w = arg;

	(void)fd;
	loop_not_quick(&w->loop, MORE_TO_SAY);
	box_receive(w->host.box, deliver, w);
	worker_look_again(w);
}

/* ---- the listener ---- */
void worker_on_print(void *arg, const struct spool_order *order)
{
	const struct door_client *door = arg;
	const struct worker *w = (const struct worker *)(const void *)((const char *)door - offsetof(struct worker, door));

	print_send(w->ctl, order);
}

int worker_on_command(void *arg, const struct srv_command *c)
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
	worker_file_rules(&w->c->conf->g);
	w->host.lease_signal = lease_signal_listen(w->c, &w->loop, worker_on_wake, w);
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

void worker_send_why(void *arg, const uint8_t *record, size_t len)
{
	const struct worker *w = arg;

	why_send(w->ctl, WORKER_WHY, record, len);
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
		worker_end(w);
		break;
	case WORKER_DOOR:
		watch_client_door(&w->watch, msg_take_fd(m, 0));
		break;
	case WORKER_REJOIN:
		if (!damage_rejoin(w->c, rd_u8(&r)))
			worker_end(w);
		break;
	case WORKER_AUDIT:
		audit_to(msg_take_fd(m, 0));
		break;
	case WORKER_STATUS:
		send_counts(w);
		break;
	}
	if (w->c->dead)
		worker_end(w);
}

void worker_on_listener(int fd, void *arg)
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
