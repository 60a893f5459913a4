/* close.c - the end of an open file: its share mode goes, and the name too if it was doomed.
 *
 * The last opener of a delete-pending file stays in the database until the name is gone, so that
 * nobody opens what is about to vanish; no lock is held while the file system works. */
#include "base/log.h"
#include "srv/open.h"

struct leaving {
	struct open *o;
	bool doomed; /* we are the last, and the name has to go */
};

static status_t try_leave(struct db_file *f, void *arg)
{
	struct leaving *l = arg;
	struct db_owner me = db_me();

	if (l->o->delete_on_close && !f->delete_pending) {
		f->delete_pending = true;
		f->changed = true;
	}
	if (f->delete_pending && f->n <= 1)
		l->doomed = true;
	else
		db_file_remove(f, &me, l->o->open_id);
	return ST_OK;
}

static status_t leave(struct db_file *f, void *arg)
{
	struct leaving *l = arg;
	struct db_owner me = db_me();

	db_file_remove(f, &me, l->o->open_id);
	f->delete_pending = false;
	f->changed = true;
	return ST_OK;
}

/* The name may mean another file by now (renamed by somebody else): then nothing is deleted. */
static status_t delete_name(struct open *o)
{
	status_t st = fs_refresh(o->node);

	if (st != ST_OK || !o->node->exists)
		return ST_OK;
	if (o->node->st.dev != o->id.dev || o->node->st.ino != o->id.ino) {
		log_at(LOG_SMB, 1, "%s is another file by now: not deleted", o->node->path);
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

static status_t close_file(struct open *o, nttime_t write_time)
{
	struct leaving l = { .o = o };
	struct db *db = o->c->host->db;
	struct tree_user *u = become_opener(o);
	status_t st;

	if (!write_time)
		write_time = o->close_write_time;
	if (write_time && u && u->may_write) {
		struct fs_times t = { .write = write_time };

		fs_set_times(o->node, o->fd, &t);
	}
	fs_close(&o->fd);
	st = db_share_with(db, &o->id, try_leave, &l);
	if (st != ST_OK || !l.doomed)
		return st;
	st = u ? delete_name(o) : ST_ACCESS_DENIED;
	db_share_with(db, &o->id, leave, &l);
	return st;
}

status_t open_close(struct open **op, nttime_t write_time)
{
	struct open *o = *op;
	status_t st = ST_OK;

	if (o->kind != OPEN_PIPE)
		st = close_file(o, write_time);
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

void open_close_pid(struct conn *c, uint32_t pid, const struct tree *t)
{
	struct open *o;
	uint16_t id = 0;

	while ((o = idtab_next(c->opens, id, &id)) != NULL)
		if (o->pid == pid && o->t == t)
			open_close(&o, 0);
}
