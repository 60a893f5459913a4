/* handle.c - what is done with an open file, or with a name nobody may have open. */
#include "base/log.h"
#include "srv/open.h"

/* ---- may this handle ...? ---- */

status_t open_may_read(const struct req *q, const struct open *o, uint64_t off, uint64_t len)
{
	uint32_t need = ACC_READ_DATA | (q->h.flags2 & FLAG2_PAGING_IO ? ACC_EXECUTE : 0);

	(void)off;
	(void)len;
	if (o->kind == OPEN_DIR)
		return ST_INVALID_DEVICE_REQUEST;
	return o->access & need ? ST_OK : ST_ACCESS_DENIED;
}

status_t open_may_write(const struct req *q, const struct open *o, uint64_t off, uint64_t len)
{
	(void)q;
	if (o->kind == OPEN_DIR)
		return ST_INVALID_DEVICE_REQUEST;
	if (!(o->access & (ACC_WRITE_DATA | ACC_APPEND)))
		return ST_ACCESS_DENIED;
	if (off > INT64_MAX || len > (uint64_t)INT64_MAX - off)
		return ST_INVALID_PARAMETER;
	return ST_OK;
}

/* ---- stat ---- */

static status_t read_pending(struct db_file *f, void *arg)
{
	*(bool *)arg = f->delete_pending;
	return ST_OK;
}

status_t open_stat(struct open *o, struct fs_stat *st, bool *delete_pending)
{
	status_t s;

	if (o->kind == OPEN_PIPE)
		return ST_INVALID_DEVICE_REQUEST;
	if (o->fd >= 0) {
		s = fs_fstat(o->t->fs, o->fd, o->node->name, st);
	} else {
		s = fs_refresh(o->node);
		*st = o->node->st;
	}
	*delete_pending = o->delete_on_close;
	if (s == ST_OK && !*delete_pending)
		s = db_share_with(o->c->host->db, &o->id, read_pending, delete_pending);
	return s;
}

/* ---- delete on close by disposition ---- */

struct disposition {
	bool on;
};

static status_t set_pending(struct db_file *f, void *arg)
{
	const struct disposition *d = arg;

	if (f->delete_pending != d->on) {
		f->delete_pending = d->on;
		f->changed = true;
	}
	return ST_OK;
}

status_t open_set_delete(struct open *o, bool on)
{
	struct disposition d = { .on = on };
	struct fs_stat st;
	bool pending;
	status_t s;

	if (!(o->access & ACC_DELETE))
		return ST_ACCESS_DENIED;
	if (on) {
		s = open_stat(o, &st, &pending);
		if (s != ST_OK)
			return s;
		if ((st.attrs & FS_ATTR_READONLY) && !o->t->share->p.delete_readonly)
			return ST_CANNOT_DELETE;
		s = o->kind == OPEN_DIR ? fs_dir_empty(o->node) : ST_OK;
		if (s != ST_OK)
			return s;
	}
	return db_share_with(o->c->host->db, &o->id, set_pending, &d);
}

/* ---- names ---- */

static status_t test_delete(struct db_file *f, void *arg)
{
	(void)arg;
	return db_share_conflict(f, ACC_DELETE, SHARE_READ | SHARE_WRITE | SHARE_DELETE, 0);
}

status_t open_name_free(struct req *q, const struct fs_node *node)
{
	struct db_file_id id = { node->st.dev, node->st.ino };

	return db_share_with(q->c->host->db, &id, test_delete, NULL);
}

static status_t note_path(struct db_file *f, void *arg)
{
	if (f->n > 0) {
		f->path = talloc_strdup(f, arg);
		f->changed = true;
	}
	return ST_OK;
}

/* Our other handles on the file learn its new name; other workers find it in the record. */
static void spread_name(struct open *o, const struct fs_node *to)
{
	struct open *other;
	uint16_t id = 0;
	char *path = talloc_asprintf(o, "%s/%s", o->t->root, to->path);

	while ((other = idtab_next(o->c->opens, id, &id)) != NULL) {
		struct fs_node *fresh;

		if (other == o || other->kind == OPEN_PIPE || other->t != o->t || other->id.dev != o->id.dev ||
		    other->id.ino != o->id.ino)
			continue;
		if (fs_lookup(o->t->fs, other, to->path, 0, &fresh) == ST_OK) {
			talloc_free(other->node);
			other->node = fresh;
		}
	}
	db_share_with(o->c->host->db, &o->id, note_path, path);
	talloc_free(path);
}

status_t open_rename(struct req *q, struct open *o, const char *new_name, bool replace)
{
	struct fs_node *to;
	status_t st;

	if (!(o->access & ACC_DELETE))
		return ST_ACCESS_DENIED;
	if (!req_may_write(q))
		return ST_ACCESS_DENIED;
	st = fs_lookup(q->t->fs, o, new_name, 0, &to);
	if (st == ST_OK && to->exists && replace && (to->st.dev != o->id.dev || to->st.ino != o->id.ino))
		st = open_name_free(q, to);
	if (st == ST_OK)
		st = fs_rename(o->node, to, replace);
	if (st == ST_OK)
		st = fs_refresh(to);
	if (st != ST_OK) {
		talloc_free(to);
		return st;
	}
	talloc_free(o->node);
	o->node = to;
	spread_name(o, to);
	return ST_OK;
}

status_t open_truncate(struct req *q, struct open *o, uint64_t size)
{
	status_t st = open_may_write(q, o, size, 0);

	if (st == ST_OK)
		st = fs_truncate(o->fd, size);
	if (st == ST_OK)
		o->written = true;
	return st;
}
