/* basemode.c - see basemode.h. */
#include "srv/basemode.h"
#include "base/log.h"
#include "srv/message.h"

struct base {
	const struct open *o;
	uint32_t share;
	bool doomed;
	struct db_owner waiters[DB_WAITERS_MAX];
	size_t n;
};

static struct db_file_id id_of(const struct open *o)
{
	return (struct db_file_id){ o->node->base_dev, o->node->base_ino };
}

static status_t enter(struct db_file *f, void *arg)
{
	const struct base *b = arg;
	struct db_opener e = {
		.owner = db_me(), .open_id = b->o->open_id, .share = b->share, .flags = DB_OPEN_STAT | DB_OPEN_STREAM,
		.client = b->o->c->client_key, .client_pid = b->o->pid, .client_uid = b->o->uid, .opened = clock_now(),
	};

	if (f->delete_pending)
		return ST_DELETE_PENDING;
	return db_file_add(f, &e) ? ST_OK : ST_NO_MEMORY;
}

status_t basemode_enter(struct open *o, uint32_t share)
{
	struct base b = { .o = o, .share = share };
	struct db_file_id id;

	if (!o->node->stream)
		return ST_OK;
	id = id_of(o);
	return db_share_with(o->c->host->db, &id, enter, &b);
}

static status_t try_leave(struct db_file *f, void *arg)
{
	struct base *b = arg;
	struct db_owner me = db_me();

	if (f->delete_pending && f->n > 1)
		db_file_bury(f);
	b->doomed = f->delete_pending && f->n <= 1;
	if (!b->doomed) {
		db_file_remove(f, &me, b->o->open_id);
		b->n = db_file_wake(f, b->waiters);
	}
	return ST_OK;
}

static status_t leave(struct db_file *f, void *arg)
{
	struct base *b = arg;
	struct db_owner me = db_me();

	db_file_remove(f, &me, b->o->open_id);
	f->delete_pending = false;
	f->changed = true;
	b->n = db_file_wake(f, b->waiters);
	return ST_OK;
}

/* The file was doomed while the stream was open, and nobody else is left. */
static void delete_file(struct open *o)
{
	struct fs_node *file;
	status_t st = fs_lookup(o->t->fs, o, o->node->path, 0, &file);

	if (st != ST_OK || !file->exists || file->st.ino != o->node->base_ino || file->st.dev != o->node->base_dev)
		return;
	st = fs_is_dir(&file->st) ? fs_rmdir(file) : fs_unlink(file);
	if (st != ST_OK)
		log_at(LOG_SMB, 1, "delete on close of %s: %s", file->path, status_name(st));
}

void basemode_leave(struct open *o, bool may_delete)
{
	struct base b = { .o = o };
	struct db_file_id id;

	if (!o->node || !o->node->stream)
		return;
	id = id_of(o);
	if (db_share_with(o->c->host->db, &id, try_leave, &b) == ST_OK && b.doomed) {
		if (may_delete)
			delete_file(o);
		db_share_with(o->c->host->db, &id, leave, &b);
	}
	message_wake(o->c, &id, b.waiters, b.n);
}
