/* close.c - the end of an open file: its share mode goes, and the name too if it was doomed.
 *
 * The last opener of a delete-pending file stays in the database until the name is gone, so that
 * nobody opens what is about to vanish; no lock is held while the file system works. */
#include "base/log.h"
#include "srv/basemode.h"
#include "srv/durable.h"
#include "srv/lock.h"
#include "srv/message.h"
#include "srv/notify.h"
#include "srv/open.h"
#include "srv/oplock.h"
#include "srv/posix_lock.h"
#include "srv/spool.h"
#include "srv/wtime.h"

struct leaving {
	struct open *o;
	nttime_t closing;  /* write time the client gave */
	struct wtime_rest rest;
	bool doomed; /* we are the last, and the name has to go */
	struct ident asker; /* who wants it so: only uid and gid; uid 0 not known */
	struct db_owner waiters[DB_WAITERS_MAX];
	size_t n;
};

static status_t try_leave(struct db_file *f, void *arg)
{
	struct leaving *l = arg;
	struct db_owner me = db_me();

	wtime_leave(f, l->o, l->closing, &l->rest);
	if (l->o->delete_on_close && !f->delete_pending) {
		f->delete_pending = true;
		f->delete_uid = l->asker.uid;
		f->delete_gid = l->asker.gid;
		f->changed = true;
	}
	if (f->delete_pending && f->n > 1)
		db_file_bury(f); /* those who died are no reason to keep the name */
	if (f->delete_pending && f->n <= 1) {
		l->doomed = true;
		l->asker.uid = f->delete_uid;
		l->asker.gid = f->delete_gid;
	} else {
		db_file_remove(f, &me, l->o->open_id);
		l->n = db_file_wake(f, l->waiters);
	}
	return ST_OK;
}

static status_t leave(struct db_file *f, void *arg)
{
	struct leaving *l = arg;
	struct db_owner me = db_me();

	db_file_remove(f, &me, l->o->open_id);
	f->delete_pending = false;
	f->changed = true;
	l->n = db_file_wake(f, l->waiters);
	return ST_OK;
}

/* The name may mean another file by now (renamed by somebody else): then nothing is deleted. */
static status_t delete_name(struct open *o)
{
	status_t st = open_follow(o);

	if (st != ST_OK) {
		log_at(LOG_SMB, 2, "%s is gone or another file by now: not deleted", o->node->path);
		return ST_OK;
	}
	st = o->kind == OPEN_DIR ? fs_rmdir(o->node) : fs_unlink(o->node);
	if (st != ST_OK)
		log_at(LOG_SMB, 1, "delete on close of %s: %s", o->node->path, status_name(st));
	return st;
}

/* The rights the file was opened with; NULL if its user is gone. */
static struct tree_user *become_opener(const struct open *o)
{
	struct session *s = session_find(o->c, o->uid);
	struct tree_user *u = s ? tree_user(o->t, s) : NULL;

	return u && u->status == ST_OK && fs_become(u->id) == ST_OK ? u : NULL;
}

/* Whoever asked for it had the right; the last to close may be another, who has none in this folder. */
static status_t delete_doomed(const struct leaving *l, const struct tree_user *u)
{
	status_t st = ST_ACCESS_DENIED;

	if (l->asker.uid != 0 && !(u && u->id->uid == l->asker.uid) && fs_become(&l->asker) == ST_OK)
		st = delete_name(l->o);
	if (st == ST_ACCESS_DENIED && u && fs_become(u->id) == ST_OK)
		st = delete_name(l->o);
	return st;
}

static void put_time(struct open *o, nttime_t write_time)
{
	struct fs_times t = { .write = write_time };

	if (write_time)
		fs_set_times(o->node, o->fd, &t);
}

static status_t close_file(struct open *o, nttime_t write_time)
{
	struct leaving l = { .o = o };
	struct db *db = o->c->host->db;
	struct tree_user *u = become_opener(o);
	status_t st, durable = o->delete_on_close ? ST_OK : durable_close(o);

	if (!u || !u->may_write)
		write_time = 0;
	if (u)
		l.asker = (struct ident){ .uid = u->id->uid, .gid = u->id->gid, .user = "", .domain = "", .home = "" };
	put_time(o, write_time);
	l.closing = write_time;
	notify_written(o);
	oplock_closed(o);
	st = db_share_with(db, &o->id, try_leave, &l);
	if (u && !l.doomed)
		wtime_settle(o, &l.rest);
	if (st == ST_OK && l.doomed) { /* the descriptor still knows where the file is */
		st = delete_doomed(&l, u);
		db_share_with(db, &o->id, leave, &l);
	}
	basemode_leave(o, u != NULL);
	fs_close(&o->fd);
	posix_lock_close(o);
	lock_close(o); /* a waiter that is granted our lock shall not meet the descriptor's */
	message_wake(o->c, &o->id, l.waiters, l.n);
	return st == ST_OK ? durable : st;
}

status_t open_close(struct open **op, nttime_t write_time)
{
	struct open *o = *op;
	status_t st = ST_OK, late = o->late ? *o->late : ST_OK;

	notify_close(o);
	if (o->job)
		spool_close(o);
	if (o->kind != OPEN_PIPE)
		st = close_file(o, write_time);
	if (st == ST_OK)
		st = late;
	o->t->nopen--;
	idtab_del(o->c->opens, o->fid);
	talloc_free(o);
	*op = NULL;
	return st;
}

/* ---- many at once ---- */

void open_close_tree(struct conn *c, const struct tree *t)
{
	struct open *o;
	uint16_t id = 0;

	while (t->nopen > 0 && (o = idtab_next(c->opens, id, &id)) != NULL)
		if (o->t == t)
			open_close(&o, 0);
}

void open_close_uid(struct conn *c, uint16_t uid)
{
	struct open *o;
	uint16_t id = 0;

	while ((o = idtab_next(c->opens, id, &id)) != NULL)
		if (o->uid == uid)
			open_close(&o, 0);
}

void open_close_pid(struct conn *c, uint32_t pid, uint16_t uid)
{
	struct open *o;
	uint16_t id = 0;

	while ((o = idtab_next(c->opens, id, &id)) != NULL)
		if (o->pid == pid && o->uid == uid)
			open_close(&o, 0);
}
