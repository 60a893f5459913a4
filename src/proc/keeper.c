/* keeper.c - the one process that reads password hashes.
 *
 * It sees no packet, only small records on doors (keeper_door.c).  When the listener is gone it stays for the living
 * workers. */
#include "proc/keeper.h"
#include <sys/prctl.h>
#include <unistd.h>

/* ---- the listener's messages ---- */
static void on_new_conf(struct keeper *k, struct msg *m)
{
	int fd = msg_take_fd(m, 0);
	struct conf *c = fd >= 0 ? reload_read(k, fd) : NULL;

	if (fd >= 0)
		close(fd);
	if (!c) {
		log_error(LOG_PROC, "the keeper cannot read the new configuration and keeps the old one");
		return;
	}
	auth_keeper_reload(k->auth, c);
	TALLOC_FREE(k->conf);
	k->conf = c;
}

static void on_listener(evutil_socket_t fd, short what, void *arg)
{
	struct keeper *k = arg;
	struct msg m;
	enum msg_event e = msg_recv(k, (int)fd, &m);
	struct rd r;

	(void)what;
	if (e == MSG_BAD)
		log_error(LOG_PROC, "the keeper has no descriptors or memory left: a connection is lost");
	if (e == MSG_NONE || e == MSG_BAD)
		return;
	if (e != MSG_GOT) { /* the listener is gone; whoever is logged in goes on */
		event_free(k->ctl_ev);
		close(k->ctl);
		k->ctl_ev = NULL;
		k->ctl = -1;
		if (!k->doors)
			event_base_loopbreak(k->base);
		return;
	}
	r = rd_over(m.p, m.len);
	switch (rd_u8(&r)) {
	case KEEPER_CLIENT:
		keeper_new_client(k, &m, &r);
		break;
	case KEEPER_CONF:
		on_new_conf(k, &m);
		break;
	case KEEPER_DEBUG:
		rd_copy(&r, log_level, LOG_CLASSES);
		break;
	case KEEPER_STOP:
		event_base_loopbreak(k->base);
		break;
	}
	msg_drop(&m);
}

static void report(int ctl, uint8_t word, const char *text)
{
	uint8_t buf[1024];
	struct wr w = wr_over(buf, sizeof(buf));

	wr_u8(&w, word);
	msg_put_str(&w, text);
	if (wr_ok(&w))
		(void)msg_send(ctl, buf, wr_tell(&w), NULL, 0, true);
}

void keeper_run(struct daemon *d, int ctl)
{
	int keep[2] = { ctl, log_fd() };
	struct keeper *k;
	const char *why = "out of memory";

	accept_child();
	start_output(d);
	walls_close_others(keep, 2);
	(void)prctl(PR_SET_NAME, "smb1d-keeper", 0, 0, 0);
	k = talloc_zero(NULL, struct keeper);
	if (k) {
		k->ctl = ctl;
		k->base = event_base_new();
		k->conf = talloc_steal(k, d->conf);
		k->auth = auth_keeper_open(k, k->conf, &why);
	}
	if (!k || !k->base || !k->auth) {
		report(ctl, KEEPER_FAILED, why ? why : "out of memory");
		_exit(1);
	}
	walls_keeper();
	(void)evutil_make_socket_nonblocking(ctl);
	k->ctl_ev = event_new(k->base, ctl, EV_READ | EV_PERSIST, on_listener, k);
	if (!k->ctl_ev || event_add(k->ctl_ev, NULL) != 0)
		_exit(1);
	report(ctl, KEEPER_READY, "");
	event_base_dispatch(k->base);
	_exit(0);
}
