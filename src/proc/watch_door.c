/* watch_door.c - the ways to the watcher: how the listener starts it and hands out doors, and a worker's side of
 * a door.
 *
 *   worker                  listener                      watcher
 *     │ first folder to watch  │                             │
 *     ├─ WORKER_WATCH ────────>│ (starts it)                 │
 *     │<── WORKER_DOOR, fd ────┤── WATCHER_DOOR, fd ────────>│
 *     ├─ WATCH_ADD, folder ──────────────────────────────────>│
 *     │<──────────────────────────────────────────── WATCH_SAW ┤
 *
 * When the watcher dies its doors close; workers have their clients look for themselves and ask for another. */
#include "proc/inner.h"
#include "srv/notify.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define START_AGAIN_MS 5000 /* one that dies sooner is not started again at once */
#define ASK_AGAIN_MS 10000

/* ---- in the listener ---- */

static bool start(struct daemon *d)
{
	int ctl[2];

	if (d->ending || (d->watcher_started != 0 && clock_ms() - d->watcher_started < START_AGAIN_MS) ||
	    !msg_pair(ctl))
		return false;
	d->watcher_started = clock_ms();
	d->watcher_pid = fork();
	if (d->watcher_pid == 0)
		watcher_run(d, ctl[1]);
	close(ctl[1]);
	if (d->watcher_pid < 0) {
		listener_complain(d, "no process for the watcher", errno);
		close(ctl[0]);
		d->watcher_pid = 0;
		return false;
	}
	(void)evutil_make_socket_nonblocking(ctl[0]);
	d->watcher_ctl = ctl[0];
	return true;
}

static bool give_door(struct daemon *d, struct client *c)
{
	const uint8_t to_watcher = WATCHER_DOOR, to_worker = WORKER_DOOR;
	int pair[2];
	bool ok;

	if (!msg_pair(pair))
		return false;
	ok = msg_send(d->watcher_ctl, &to_watcher, 1, &pair[0], 1, false) &&
	     msg_send(c->ctl, &to_worker, 1, &pair[1], 1, false);
	close(pair[0]);
	close(pair[1]);
	return ok;
}

void watch_wanted(struct daemon *d, struct client *c)
{
	c->wants_door = !((d->watcher_pid > 0 || start(d)) && give_door(d, c));
}

bool watch_died(struct daemon *d, pid_t pid, int status)
{
	if (pid != d->watcher_pid)
		return false;
	d->watcher_pid = 0;
	close(d->watcher_ctl);
	d->watcher_ctl = -1;
	if (d->ending)
		return true;
	log_error(LOG_PROC, "the watcher of `kernel change notify` has ended (%s %d)",
		  WIFSIGNALED(status) ? "signal" : "status",
		  WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	for (struct client *c = d->clients; c; c = c->next)
		if (c->wants_door)
			watch_wanted(d, c);
	return true;
}

void watch_end(struct daemon *d)
{
	if (d->watcher_pid <= 0)
		return;
	kill(d->watcher_pid, SIGTERM);
	(void)waitpid(d->watcher_pid, NULL, 0);
	d->watcher_pid = 0;
}

/* ---- in a worker ---- */

static void ask(struct watch_client *k)
{
	const uint8_t word = WORKER_WATCH;
	uint64_t now = clock_ms();

	if (k->asked != 0 && now - k->asked < ASK_AGAIN_MS)
		return;
	k->asked = now;
	(void)msg_send(k->ctl, &word, 1, NULL, 0, false);
}

static void shut(struct watch_client *k)
{
	loop_del(k->loop, k->fd);
	if (k->fd >= 0)
		close(k->fd);
	k->fd = -1;
}

static void word_of_watcher(struct watch_client *k, struct rd *r)
{
	char name[NAME_MAX + 1];
	uint64_t id;
	unsigned change, kinds;
	uint32_t len;
	const uint8_t *p;

	switch (rd_u8(r)) {
	case WATCH_SAW:
		id = rd_u64(r);
		change = rd_u8(r);
		kinds = rd_u32(r);
		len = rd_left(r);
		p = rd_take(r, len);
		if (!rd_ok(r) || len == 0 || len > NAME_MAX || change < FS_ADDED || change > FS_RENAMED_TO)
			return;
		memcpy(name, p, len);
		name[len] = '\0';
		notify_local_event(k->c, id, (enum fs_change)change, kinds, name);
		break;
	case WATCH_LOST:
		notify_local_lost(k->c);
		break;
	}
}

static void on_watcher(int fd, void *arg)
{
	struct watch_client *k = arg;
	struct msg m;
	struct rd r;

	for (int i = 0; i < 64; i++) {
		enum msg_event e = msg_recv(k->c, fd, &m);

		if (e == MSG_NONE)
			break;
		if (e == MSG_CLOSED) {
			shut(k);
			notify_local_lost(k->c);
			ask(k);
			break;
		}
		if (e == MSG_BAD)
			continue;
		r = rd_over(m.p, m.len);
		word_of_watcher(k, &r);
		msg_drop(&m);
	}
	k->after(k->after_arg);
}

void watch_client_door(struct watch_client *k, int fd)
{
	shut(k);
	if (fd < 0)
		return;
	(void)evutil_make_socket_nonblocking(fd);
	k->asked = 0; /* when this one closes, another is worth asking for */
	k->fd = fd;
	if (!loop_add(k->loop, fd, on_watcher, k))
		shut(k);
	else
		notify_local_again(k->c);
}

bool watch_client_add(void *arg, uint64_t id, int fd, uint32_t kinds)
{
	struct watch_client *k = arg;
	uint8_t text[13];
	struct wr w = wr_over(text, sizeof(text));

	if (k->fd < 0)
		ask(k);
	wr_u8(&w, WATCH_ADD);
	wr_u64(&w, id);
	wr_u32(&w, kinds);
	return k->fd >= 0 && msg_send(k->fd, text, wr_tell(&w), &fd, 1, false);
}

void watch_client_del(void *arg, uint64_t id)
{
	struct watch_client *k = arg;
	uint8_t text[9];
	struct wr w = wr_over(text, sizeof(text));

	wr_u8(&w, WATCH_DEL);
	wr_u64(&w, id);
	(void)msg_send(k->fd, text, wr_tell(&w), NULL, 0, false);
}
