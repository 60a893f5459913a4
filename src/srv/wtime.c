/* wtime.c - see wtime.h. */
#include "srv/wtime.h"
#include "base/util.h"

static nttime_t shown(const struct wtime *t, nttime_t disk)
{
	if (t->held == 0)
		return disk;
	return t->due == WTIME_STUCK || t->due == WTIME_HELD || clock_now() < t->due ? t->held : t->due;
}

void wtime_show(const struct wtime *t, struct fs_stat *st)
{
	st->write = shown(t, st->write);
	if (t->held && t->change && t->due != WTIME_STUCK && t->due != WTIME_HELD && clock_now() < t->due)
		st->change = t->change;
}

void wtime_get(const struct db_file *f, struct wtime *t)
{
	*t = (struct wtime){ .held = f->write_time, .change = f->change_time, .due = f->write_due };
}

/* ---- writing ---- */

struct hold {
	nttime_t disk, change; /* before the write, or after the cut */
	uint64_t delay;
};

static status_t hold(struct db_file *f, void *arg)
{
	const struct hold *h = arg;
	nttime_t now = clock_now();
	struct wtime t;

	if (f->write_time && (f->write_due == WTIME_STUCK || (f->write_due != WTIME_HELD && now < f->write_due)))
		return ST_OK; /* somebody's word, or somebody's wait */
	wtime_get(f, &t);
	f->write_time = shown(&t, h->disk);
	f->change_time = h->change;
	f->write_due = now + h->delay;
	f->changed = true;
	return ST_OK;
}

/* A file that is written needs a new backup. */
static void set_archive(struct open *o)
{
	const struct conf_params *p = &o->t->share->p;

	if (!(o->node->st.attrs & FS_ATTR_ARCHIVE) && (p->store_dos_attributes || p->map_archive))
		fs_set_attrs(o->node, o->fd, o->node->st.attrs | FS_ATTR_ARCHIVE);
}

void wtime_first_write(const struct req *q, struct open *o)
{
	struct hold h = { .delay = (uint64_t)o->t->share->p.smbd_writetimeupdatedelay * 10u };
	struct tree_user *u = tree_user(q->t, q->s);

	if (o->write_seen || o->kind != OPEN_FILE || !o->node || o->job || (o->node->flags & FS_LOOKUP_POSIX))
		return; /* to POSIX clients the disk's own time is the truth */
	o->write_seen = true;
	if (o->node->stream || fs_write_time(o->fd, &h.disk, &h.change) != ST_OK)
		return;
	if (u && u->status == ST_OK && fs_become(u->id) == ST_OK)
		set_archive(o);
	if (!o->close_write_time)
		db_share_with(o->c->host->db, &o->id, hold, &h);
}

static status_t show_at_once(struct db_file *f, void *arg)
{
	const struct hold *h = arg;

	f->write_time = h->disk;
	f->write_due = WTIME_HELD;
	f->changed = true;
	return ST_OK;
}

void wtime_cut(struct open *o)
{
	struct hold h = { .delay = 0 };

	if (o->node->flags & FS_LOOKUP_POSIX)
		return;
	o->write_seen = true;
	if (o->close_write_time || o->node->stream || fs_write_time(o->fd, &h.disk, &h.change) != ST_OK)
		return;
	db_share_with(o->c->host->db, &o->id, show_at_once, &h);
}

/* ---- setting ---- */

static status_t stick(struct db_file *f, void *arg)
{
	if (f->n > 0) {
		f->write_time = *(const nttime_t *)arg;
		f->write_due = WTIME_STUCK;
		f->changed = true;
	}
	return ST_OK;
}

void wtime_set(struct conn *c, struct open *o, const struct fs_node *node, nttime_t t)
{
	struct db_file_id id = { node->st.dev, node->st.ino };

	if (node->stream) /* it has the times of its file */
		id = (struct db_file_id){ node->base_dev, node->base_ino };
	if (o)
		o->close_write_time = t; /* it stays, whatever is written before the close */
	db_share_with(c->host->db, &id, stick, &t);
}

/* ---- leaving ---- */

void wtime_leave(struct db_file *f, const struct open *o, nttime_t closing, struct wtime_rest *rest)
{
	*rest = (struct wtime_rest){ .t = 0 };
	if (closing) {
		f->write_time = f->n > 1 ? closing : 0;
		f->write_due = WTIME_STUCK;
		f->changed = true;
	}
	if (closing || !f->write_time || !o->write_seen)
		return;
	if (f->write_due == WTIME_STUCK && o->close_write_time) {
		rest->t = f->write_time;
		rest->exactly = true;
		return;
	}
	if (f->write_due != WTIME_STUCK && f->write_due != WTIME_HELD && clock_now() >= f->write_due)
		rest->t = f->write_due;
	f->write_time = 0;
	f->write_due = 0;
	f->changed = true;
}

void wtime_settle(struct open *o, const struct wtime_rest *rest)
{
	struct fs_times t = { .write = rest->t };
	nttime_t disk, change;

	if (rest->t == 0 || fs_write_time(o->fd, &disk, &change) != ST_OK)
		return;
	if (rest->exactly ? disk != rest->t : disk < rest->t)
		fs_set_times(o->node, o->fd, &t);
}

/* ---- looking ---- */

struct look {
	bool pending;
	struct wtime t;
};

static status_t look_at(struct db_file *f, void *arg)
{
	struct look *l = arg;

	l->pending = f->delete_pending;
	wtime_get(f, &l->t);
	return ST_OK;
}

void wtime_look(struct conn *c, const struct db_file_id *id, struct fs_stat *st, bool *pending)
{
	struct look l = { .pending = false };

	*pending = false;
	if (!c->host->db || db_share_none(c->host->db, id) || db_share_with(c->host->db, id, look_at, &l) != ST_OK)
		return;
	wtime_show(&l.t, st);
	*pending = l.pending;
}
