/* watcher.c - the one process with inotify, for the change notify of all clients.
 *
 * (A user may have 128 inotify instances, so not every worker can have one.)  Forked by the listener when the first
 * client watches something.  A worker that watches gets a door, a socket pair the listener makes:
 *
 *   worker:  WATCH_ADD id u64, kinds u32 and a descriptor of a folder;  WATCH_DEL id u64
 *   watcher: WATCH_SAW id u64, change u8, kinds u32, name;  WATCH_LOST (some events, of any id)
 *
 *   spot: a folder the kernel watches ──< want: (door, id, kinds) that hears of it >── door
 *
 * The watcher knows no paths and opens none.  That a worker's user may list the folder is shown by the
 * descriptor: it must be open for reading.  After it has passed events on it rests a moment, so that the kernel can
 * put equal ones together (a file written in a thousand pieces is one event). */
#include "proc/inner.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUCKETS 1024u
#define DOOR_WANTS 1024u  /* of one worker */
#define REST_MS 20
#define REST_WRITES_MS 500 /* when nothing but writing was seen */

struct want {
	struct want *next;      /* of the spot */
	struct want *door_next;
	struct watch_door *door;
	struct spot *spot;
	uint64_t id;
	uint32_t kinds;
};

struct spot {
	struct spot *next;      /* of the bucket */
	int wd;
	struct want *wants;
};

struct watch_door {
	struct watch_door *next;
	struct watcher *w;
	int fd;
	struct event *ev, *room_ev;
	struct want *wants;
	unsigned nwants;
	bool lost;              /* events it could not take; to be told when there is room */
};

struct watcher {
	struct event_base *base;
	int ctl, in;
	struct event *ctl_ev, *in_ev, *rest_ev;
	struct spot *spots[BUCKETS];
	struct watch_door *doors;
	unsigned nspots, max_spots;
	bool said;              /* that the kernel refuses */
};

/* ---- spots ---- */

static struct spot **bucket(struct watcher *w, int wd) { return &w->spots[(unsigned)wd % BUCKETS]; }

static struct spot *spot_find(struct watcher *w, int wd)
{
	struct spot *s = *bucket(w, wd);

	while (s && s->wd != wd)
		s = s->next;
	return s;
}

static void spot_free(struct watcher *w, struct spot *s)
{
	struct spot **at = bucket(w, s->wd);

	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
	w->nspots--;
	talloc_free(s);
}

static void want_free(struct want *t)
{
	struct want **at = &t->spot->wants;

	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
	at = &t->door->wants;
	while (*at != t)
		at = &(*at)->door_next;
	*at = t->door_next;
	t->door->nwants--;
	talloc_free(t);
}

/* Nobody looks at it any more. */
static void spot_settle(struct watcher *w, struct spot *s)
{
	if (s->wants)
		return;
	(void)inotify_rm_watch(w->in, s->wd);
	spot_free(w, s);
}

/* ---- doors ---- */

static void door_close(struct watch_door *d)
{
	struct watcher *w = d->w;
	struct watch_door **at = &w->doors;

	while (d->wants) {
		struct spot *s = d->wants->spot;

		want_free(d->wants);
		spot_settle(w, s);
	}
	while (*at != d)
		at = &(*at)->next;
	*at = d->next;
	event_free(d->ev);
	event_free(d->room_ev);
	close(d->fd);
	talloc_free(d);
	if (w->ctl < 0 && !w->doors)
		event_base_loopbreak(w->base);
}

static void tell(struct watch_door *d, const void *p, size_t len)
{
	if (d->lost || msg_send(d->fd, p, len, NULL, 0, false))
		return;
	if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS) {
		d->lost = true;
		event_add(d->room_ev, NULL);
	}
}

static void on_room(evutil_socket_t fd, short what, void *arg)
{
	const uint8_t word = WATCH_LOST;
	struct watch_door *d = arg;

	(void)fd;
	(void)what;
	if (msg_send(d->fd, &word, 1, NULL, 0, false))
		d->lost = false;
	else
		event_add(d->room_ev, NULL);
}

/* What inotify has to look for, so that these kinds of changes are seen. */
static uint32_t mask_of(uint32_t kinds)
{
	uint32_t m = IN_ONLYDIR | IN_EXCL_UNLINK | IN_MASK_ADD;

	if (kinds & (FS_WHAT_FILE_NAME | FS_WHAT_DIR_NAME))
		m |= IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO;
	if (kinds & (FS_WHAT_SIZE | FS_WHAT_WRITE_TIME))
		m |= IN_MODIFY;
	if (kinds & ~(uint32_t)(FS_WHAT_FILE_NAME | FS_WHAT_DIR_NAME | FS_WHAT_SIZE))
		m |= IN_ATTRIB;
	return m;
}

static void refused(struct watcher *w, const char *why)
{
	if (!w->said)
		log_error(LOG_PROC, "changes by local programs are not seen everywhere (`kernel change notify`): %s",
			  why);
	w->said = true;
}

static bool readable_folder(int fd)
{
	struct stat st;
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && !(flags & O_PATH) && (flags & O_ACCMODE) != O_WRONLY && fstat(fd, &st) == 0 &&
	       S_ISDIR(st.st_mode);
}

static struct spot *spot_take(struct watcher *w, int fd, uint32_t kinds)
{
	char path[40];
	struct spot *s;
	int wd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	wd = inotify_add_watch(w->in, path, mask_of(kinds));
	if (wd < 0) {
		refused(w, errno == ENOSPC ? "fs.inotify.max_user_watches is too low" : strerror(errno));
		return NULL;
	}
	s = spot_find(w, wd);
	if (s)
		return s;
	s = w->nspots < w->max_spots ? talloc_zero(w, struct spot) : NULL;
	if (!s) {
		(void)inotify_rm_watch(w->in, wd);
		refused(w, "too many folders are watched (half of fs.inotify.max_user_watches)");
		return NULL;
	}
	s->wd = wd;
	s->next = *bucket(w, wd);
	*bucket(w, wd) = s;
	w->nspots++;
	return s;
}

static void on_add(struct watch_door *d, struct rd *r, int fd)
{
	struct watcher *w = d->w;
	uint64_t id = rd_u64(r);
	uint32_t kinds = rd_u32(r);
	struct want *t;
	struct spot *s;

	if (!rd_ok(r) || fd < 0 || !readable_folder(fd) || d->nwants >= DOOR_WANTS)
		return;
	s = spot_take(w, fd, kinds);
	t = s ? talloc_zero(w, struct want) : NULL;
	if (t) {
		*t = (struct want){ .next = s->wants, .door_next = d->wants, .door = d, .spot = s, .id = id,
				    .kinds = kinds };
		s->wants = d->wants = t;
		d->nwants++;
	} else if (s) {
		spot_settle(w, s);
	}
}

static void on_del(struct watch_door *d, struct rd *r)
{
	uint64_t id = rd_u64(r);

	for (struct want *t = d->wants; t; t = t->door_next) {
		struct spot *s = t->spot;

		if (t->id != id)
			continue;
		want_free(t);
		spot_settle(d->w, s);
		return;
	}
}

static void on_door(evutil_socket_t fd, short what, void *arg)
{
	struct watch_door *d = arg;
	struct msg m;
	struct rd r;
	int folder;

	(void)what;
	switch (msg_recv(d, (int)fd, &m)) {
	case MSG_NONE:
	case MSG_BAD:
		return;
	case MSG_CLOSED:
		door_close(d);
		return;
	case MSG_GOT:
		break;
	}
	r = rd_over(m.p, m.len);
	folder = msg_take_fd(&m, 0);
	switch (rd_u8(&r)) {
	case WATCH_ADD:
		on_add(d, &r, folder);
		break;
	case WATCH_DEL:
		on_del(d, &r);
		break;
	}
	if (folder >= 0)
		close(folder);
	msg_drop(&m);
}

static void new_door(struct watcher *w, int fd)
{
	struct watch_door *d = fd >= 0 ? talloc_zero(w, struct watch_door) : NULL;

	if (d) {
		(void)evutil_make_socket_nonblocking(fd);
		d->w = w;
		d->fd = fd;
		d->ev = event_new(w->base, fd, EV_READ | EV_PERSIST, on_door, d);
		d->room_ev = event_new(w->base, fd, EV_WRITE, on_room, d);
	}
	if (!d || !d->ev || !d->room_ev || event_add(d->ev, NULL) != 0) {
		if (d && d->ev)
			event_free(d->ev);
		if (d && d->room_ev)
			event_free(d->room_ev);
		talloc_free(d);
		if (fd >= 0)
			close(fd);
		return;
	}
	d->next = w->doors;
	w->doors = d;
}

/* ---- events ---- */

static void pass_on(struct spot *s, enum fs_change change, uint32_t kinds, const char *name)
{
	uint8_t buf[14 + NAME_MAX + 1];
	size_t len = strnlen(name, NAME_MAX);

	for (struct want *t = s->wants; t; t = t->next) {
		struct wr w = wr_over(buf, sizeof(buf));

		if (!(t->kinds & kinds))
			continue;
		wr_u8(&w, WATCH_SAW);
		wr_u64(&w, t->id);
		wr_u8(&w, (uint8_t)change);
		wr_u32(&w, kinds);
		wr_bytes(&w, name, len);
		tell(t->door, buf, wr_tell(&w));
	}
}

static void all_lost(struct watcher *w)
{
	const uint8_t word = WATCH_LOST;

	for (struct watch_door *d = w->doors; d; d = d->next)
		tell(d, &word, 1);
}

/* The kernel has let go of a folder: it is gone. */
static void spot_gone(struct watcher *w, struct spot *s)
{
	while (s->wants)
		want_free(s->wants);
	spot_free(w, s);
}

#define ATTRIB_KINDS (FS_WHAT_ATTRS | FS_WHAT_WRITE_TIME | FS_WHAT_ACCESS_TIME | FS_WHAT_CREATE_TIME | FS_WHAT_EA | \
		      FS_WHAT_SECURITY)

/* paired: the other half of a rename within the folder is the event behind (or before). */
static void one_event(struct watcher *w, const struct inotify_event *e, bool paired)
{
	struct spot *s = spot_find(w, e->wd);
	uint32_t name = e->mask & IN_ISDIR ? FS_WHAT_DIR_NAME : FS_WHAT_FILE_NAME;

	if (e->mask & IN_Q_OVERFLOW)
		all_lost(w);
	if (s && (e->mask & IN_IGNORED))
		spot_gone(w, s);
	else if (s && e->len > 0 && (e->mask & IN_CREATE))
		pass_on(s, FS_ADDED, name, e->name);
	else if (s && e->len > 0 && (e->mask & IN_DELETE))
		pass_on(s, FS_REMOVED, name, e->name);
	else if (s && e->len > 0 && (e->mask & IN_MOVED_FROM))
		pass_on(s, paired ? FS_RENAMED_FROM : FS_REMOVED, name, e->name);
	else if (s && e->len > 0 && (e->mask & IN_MOVED_TO))
		pass_on(s, paired ? FS_RENAMED_TO : FS_ADDED, name, e->name);
	else if (s && e->len > 0 && (e->mask & IN_MODIFY))
		pass_on(s, FS_MODIFIED, FS_WHAT_SIZE | FS_WHAT_WRITE_TIME, e->name);
	else if (s && e->len > 0 && (e->mask & IN_ATTRIB))
		pass_on(s, FS_MODIFIED, ATTRIB_KINDS, e->name);
}

static bool pair(const struct inotify_event *from, const struct inotify_event *to)
{
	return (from->mask & IN_MOVED_FROM) && (to->mask & IN_MOVED_TO) && from->cookie == to->cookie &&
	       from->wd == to->wd;
}

static void on_events(evutil_socket_t fd, short what, void *arg)
{
	static _Alignas(struct inotify_event) char buf[65536] SELDOM;
	struct watcher *w = arg;
	struct timeval rest = { .tv_usec = REST_WRITES_MS * 1000 };
	ssize_t n = read((int)fd, buf, sizeof(buf));
	const struct inotify_event *before = NULL, *e, *next;

	(void)what;
	for (ssize_t at = 0; at + (ssize_t)sizeof(*e) <= n; at += (ssize_t)(sizeof(*e) + e->len)) {
		e = (const void *)(buf + at);
		next = at + (ssize_t)(2 * sizeof(*e) + e->len) <= n ? (const void *)(e->name + e->len) : NULL;
		if (!(e->mask & IN_MODIFY))
			rest.tv_usec = REST_MS * 1000;
		one_event(w, e, (next && pair(e, next)) || (before && pair(before, e)));
		before = e;
	}
	if (n > 0) {
		event_del(w->in_ev);
		event_add(w->rest_ev, &rest);
	}
}

static void on_rested(evutil_socket_t fd, short what, void *arg)
{
	struct watcher *w = arg;

	(void)fd;
	(void)what;
	event_add(w->in_ev, NULL);
}

/* ---- the listener, and the start ---- */

static void on_listener(evutil_socket_t fd, short what, void *arg)
{
	struct watcher *w = arg;
	struct msg m;
	enum msg_event e = msg_recv(w, (int)fd, &m);
	struct rd r;

	(void)what;
	if (e == MSG_NONE || e == MSG_BAD)
		return;
	if (e != MSG_GOT) { /* the listener is gone; whoever is logged in goes on */
		event_free(w->ctl_ev);
		close(w->ctl);
		w->ctl_ev = NULL;
		w->ctl = -1;
		if (!w->doors)
			event_base_loopbreak(w->base);
		return;
	}
	r = rd_over(m.p, m.len);
	switch (rd_u8(&r)) {
	case WATCHER_DOOR:
		new_door(w, msg_take_fd(&m, 0));
		break;
	case WATCHER_DEBUG:
		rd_copy(&r, log_level, LOG_CLASSES);
		break;
	}
	msg_drop(&m);
}

/* Half of what a user may have: others want to watch, too. */
static unsigned most_spots(void)
{
	FILE *f = fopen("/proc/sys/fs/inotify/max_user_watches", "re");
	unsigned n = 8192;

	if (f && fscanf(f, "%u", &n) != 1)
		n = 8192;
	if (f)
		fclose(f);
	return n / 2 < 65536 ? n / 2 : 65536;
}

void watcher_run(struct daemon *d, int ctl)
{
	int keep[2] = { ctl, log_fd() };
	struct watcher *w;

	accept_child();
	start_output(d);
	walls_close_others(keep, 2);
	(void)prctl(PR_SET_NAME, "smb1d-watcher", 0, 0, 0);
	w = talloc_zero(NULL, struct watcher);
	if (!w)
		_exit(1);
	w->ctl = ctl;
	w->max_spots = most_spots();
	w->base = event_base_new();
	w->in = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (w->in < 0)
		refused(w, strerror(errno));
	(void)evutil_make_socket_nonblocking(ctl);
	if (!w->base || w->in < 0 || !walls_watcher(&d->walls))
		_exit(1);
	w->ctl_ev = event_new(w->base, ctl, EV_READ | EV_PERSIST, on_listener, w);
	w->in_ev = event_new(w->base, w->in, EV_READ | EV_PERSIST, on_events, w);
	w->rest_ev = evtimer_new(w->base, on_rested, w);
	if (!w->ctl_ev || !w->in_ev || !w->rest_ev || event_add(w->ctl_ev, NULL) != 0 || event_add(w->in_ev, NULL) != 0)
		_exit(1);
	event_base_dispatch(w->base);
	_exit(0);
}
