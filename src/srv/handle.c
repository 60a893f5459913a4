/* handle.c - what is done with an open file, or with a name nobody may have open. */
#include "base/log.h"
#include "base/util.h"
#include "srv/lock.h"
#include "srv/message.h"
#include "srv/sharemode.h"
#include "srv/wtime.h"
#include "srv/audit.h"
#include <sys/stat.h>

#define LEAP (16u << 20) /* bytes that a write may leave out before anybody asks whether there is room */

/* ---- may this handle ...? ---- */

/* A raw write that nobody waited for has failed: the next command with this FID says so, once. */
static status_t take_late(const struct open *o)
{
	status_t st = *o->late;

	*o->late = ST_OK;
	return st;
}

HOT status_t open_may_read(const struct req *q, struct open *o, uint64_t off, uint64_t len)
{
	uint32_t need = ACC_READ_DATA | (q->h.flags2 & FLAG2_PAGING_IO ? ACC_EXECUTE : 0);

	if (o->kind == OPEN_DIR)
		return ST_INVALID_DEVICE_REQUEST;
	if (o->late && *o->late != ST_OK)
		return take_late(o);
	if (audit_wants(o->t, AUDIT_READ) && !o->read_told && (o->access & need) && o->node) {
		o->read_told = true;
		audit_say(o->t, AUDIT_READ, o->node->path, NULL, ST_OK);
	}
	return o->access & need ? lock_check_io(lock_pid(&q->h), o, off, len, false) : ST_ACCESS_DENIED;
}

/* Clients of DOS, OS/2 and NT take a size they have set for room they have got; so a file cannot end where the disk has no
 * room for it.  One that was marked as sparse can, and any file of a Unix client unless `strict allocate` says
 * otherwise. */
status_t open_room(const struct req *q, struct open *o, uint64_t end)
{
	bool unix_like = q->c->unix_asked || strcmp(q->c->arch, "CIFSFS") == 0;

	if ((o->node->st.attrs & FS_ATTR_SPARSE) || (unix_like && !o->t->share->p.strict_allocate))
		return ST_OK;
	return fs_reserve(o->t->fs, o->fd, end);
}

/* A write that leaves a hole behind it.  Small gaps are not worth a look. */
static bool leaps(const struct open *o, uint64_t off)
{
	uint64_t gap = off > o->seek_pos ? off - o->seek_pos : 0;

	return gap > (o->t->share->p.strict_allocate ? 0 : LEAP);
}

HOT status_t open_may_write(const struct req *q, struct open *o, uint64_t off, uint64_t len)
{
	status_t st;

	if (o->kind == OPEN_DIR)
		return ST_INVALID_DEVICE_REQUEST;
	if (o->late && *o->late != ST_OK)
		return take_late(o);
	if (!(o->access & (ACC_WRITE_DATA | ACC_APPEND)))
		return ST_ACCESS_DENIED;
	if (off > INT64_MAX || len > (uint64_t)INT64_MAX - off)
		return ST_INVALID_PARAMETER;
	if (!o->write_seen && len > 0)
		wtime_first_write(q, o);
	oplock_break_level2(q->c, o);
	st = lock_check_io(lock_pid(&q->h), o, off, len, true);
	return st == ST_OK && len > 0 && leaps(o, off) ? open_room(q, o, off + len) : st;
}

/* ---- stat ---- */

struct known {
	const struct open *o;
	bool pending, moved;
	struct wtime time;
};

/* Is the name in the record ours? */
static bool same_name(const char *full, const struct open *o)
{
	size_t n = strlen(o->t->root);

	return strncmp(full, o->t->root, n) == 0 && full[n] == '/' && strcmp(full + n + 1, o->node->path) == 0;
}

static status_t read_record(struct db_file *f, void *arg)
{
	struct known *k = arg;

	k->pending = f->delete_pending;
	wtime_get(f, &k->time);
	k->moved = f->path[0] && !same_name(f->path, k->o);
	return ST_OK;
}

struct fs_stat open_pipe_stat(const struct open *o)
{
	return (struct fs_stat){ .mode = S_IFIFO | 0600, .nlink = 1, .alloc = 4096, .ino = o->fid };
}

status_t open_stat(struct open *o, struct fs_stat *st, bool *delete_pending)
{
	struct known k = { .o = o };
	status_t s;

	if (o->kind == OPEN_PIPE)
		return ST_INVALID_DEVICE_REQUEST;
	if (o->fd >= 0) {
		s = fs_node_fstat(o->node, o->fd, st);
	} else {
		s = fs_refresh(o->node);
		*st = o->node->st;
	}
	if (s == ST_OK)
		s = db_share_with(o->c->host->db, &o->id, read_record, &k);
	*delete_pending = k.pending;
	wtime_show(&k.time, st);
	if (s == ST_OK && o->alloc > st->alloc && o->kind == OPEN_FILE)
		st->alloc = o->alloc;
	if (s == ST_OK && k.moved)
		(void)open_follow(o);
	return s;
}

uint16_t open_status_flags(const struct open *o)
{
	uint16_t flags = 4;

	if (fs_ea_size(o->node) == 0)
		flags |= 1;
	if (!fs_stream_any(o->node))
		flags |= 2;
	return flags;
}

/* ---- delete on close by disposition ---- */

struct disposition {
	bool on;
	const struct ident *who;
	struct db_owner waiters[DB_WAITERS_MAX];
	size_t n;
};

static status_t set_pending(struct db_file *f, void *arg)
{
	struct disposition *d = arg;

	if (f->delete_pending != d->on) {
		f->delete_pending = d->on;
		f->delete_uid = d->on && d->who ? d->who->uid : 0;
		f->delete_gid = d->on && d->who ? d->who->gid : 0;
		f->changed = true;
		d->n = db_file_wake(f, d->waiters);
	}
	return ST_OK;
}

status_t open_set_delete(struct open *o, bool on)
{
	struct disposition d = { .on = on };
	struct session *who = session_find(o->c, o->uid);
	struct tree_user *u = who ? tree_user(o->t, who) : NULL;
	struct fs_stat st;
	bool pending;
	status_t s;

	if (!(o->access & ACC_DELETE))
		return ST_ACCESS_DENIED;
	d.who = u && u->status == ST_OK ? u->id : NULL;
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
	s = db_share_with(o->c->host->db, &o->id, set_pending, &d);
	message_wake(o->c, &o->id, d.waiters, d.n);
	return s;
}

/* ---- names ---- */

status_t open_name_free(struct req *q, struct fs_node *node)
{
	struct db_file_id id = { node->st.dev, node->st.ino };

	if (node->st.has_sd && fs_access_lacks(node, ACC_DELETE))
		return ST_ACCESS_DENIED;
	return sharemode_remove(q, &id, NULL, !fs_is_dir(&node->st));
}

status_t open_follow(struct open *o)
{
	struct fs_node *now;
	char *path;
	status_t st = fs_refresh(o->node);

	if (st == ST_OK && o->node->exists && o->node->st.dev == o->id.dev && o->node->st.ino == o->id.ino)
		return ST_OK;
	if (o->node->through_link || o->node->stream)
		return ST_OBJECT_NAME_NOT_FOUND;
	st = fs_follow(o->t->fs, o, o->fd, &path);
	if (st != ST_OK)
		return st;
	st = fs_lookup(o->t->fs, o, path, o->node->flags, &now);
	talloc_free(path);
	if (st != ST_OK)
		return st;
	if (!now->exists || now->st.dev != o->id.dev || now->st.ino != o->id.ino) {
		talloc_free(now);
		return ST_OBJECT_NAME_NOT_FOUND;
	}
	talloc_free(o->node);
	o->node = now;
	return ST_OK;
}

static status_t note_path(struct db_file *f, void *arg)
{
	if (f->n > 0) {
		f->path = arg;
		f->changed = true;
	}
	return ST_OK;
}

/* Is `path` `folder` itself or below it? */
static bool within(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return strncmp(path, folder, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

/* The handles of this connection whose name ran through the old one.  to->path is where it is now. */
static void move_handles(struct tree *t, const char *from, const struct fs_node *to)
{
	struct open *o;
	uint16_t id = 0;

	while ((o = idtab_next(t->c->opens, id, &id)) != NULL) {
		struct fs_node *fresh;
		char *path;

		if (o->kind == OPEN_PIPE || o->t->fs != t->fs || !o->node || !within(o->node->path, from))
			continue;
		path = talloc_asprintf(o, "%s%s%s%s", to->path, o->node->path + strlen(from), o->node->stream ? ":" : "",
				       o->node->stream ? o->node->stream : "");
		if (path && fs_lookup(t->fs, o, path, o->node->flags, &fresh) == ST_OK) {
			talloc_free(o->node);
			o->node = fresh;
		}
		talloc_free(path);
	}
}

/* A stream keeps its file and gets another name. */
static void rename_streams(struct tree *t, const struct db_file_id *id, const struct fs_node *to)
{
	struct open *o;
	uint16_t fid = 0;

	while ((o = idtab_next(t->c->opens, fid, &fid)) != NULL)
		if (o->kind == OPEN_FILE && o->node && o->node->stream && o->id.ino == id->ino && o->id.dev == id->dev)
			o->node->stream = o->node->stream_asked = talloc_strdup(o->node, to->stream);
}

void open_renamed(struct req *q, const struct fs_node *from, const struct fs_node *to)
{
	struct db_file_id id = { from->st.dev, from->st.ino };
	char *old = talloc_strdup(q->mem, from->path);
	char *full = talloc_asprintf(q->mem, "%s/%s", q->t->root, to->path);

	if (!old || !full)
		return;
	if (to->stream) {
		rename_streams(q->t, &id, to);
		return;
	}
	move_handles(q->t, old, to);
	db_share_with(q->c->host->db, &id, note_path, full);
}

/* ---- folders with something open in them ---- */

struct below {
	const char *folder; /* absolute */
	bool found;
};

static bool look_below(const struct db_file *f, void *arg)
{
	struct below *b = arg;

	b->found = f->path && within(f->path, b->folder) && strcmp(f->path, b->folder) != 0;
	return !b->found;
}

static status_t files_open(struct req *q, bool strict)
{
	return req_refuse(q, ST_ACCESS_DENIED, strict ? "strict rename" : NULL, "files in it are open", "those files closed");
}

/* ACCESS_DENIED if something in the folder is open: with `strict rename` by anybody, else by this client. */
static status_t folder_movable(struct req *q, const struct fs_node *folder)
{
	struct below b = { .folder = talloc_asprintf(q->mem, "%s/%s", q->t->root, folder->path) };
	struct open *o;
	uint16_t id = 0;

	if (q->t->posix && !q->t->share->p.strict_rename)
		return ST_OK;
	while ((o = idtab_next(q->c->opens, id, &id)) != NULL)
		if (o->kind != OPEN_PIPE && o->node && o->t->fs == q->t->fs && within(o->node->path, folder->path) &&
		    strcmp(o->node->path, folder->path) != 0)
			return files_open(q, false);
	if (!b.folder)
		return ST_NO_MEMORY;
	if (q->t->share->p.strict_rename)
		db_share_each(q->c->host->db, look_below, &b);
	return b.found ? files_open(q, true) : ST_OK;
}

status_t open_name_movable(struct req *q, struct fs_node *node)
{
	struct db_file_id id = { node->st.dev, node->st.ino };
	status_t st = fs_is_dir(&node->st) ? folder_movable(q, node) : ST_OK;

	if (node->st.has_sd && fs_access_lacks(node, ACC_DELETE))
		return ST_ACCESS_DENIED;

	return st == ST_OK ? sharemode_remove(q, &id, NULL, false) : st;
}

status_t open_rename(struct req *q, struct open *o, const char *new_name, bool replace)
{
	struct fs_node *to;
	status_t st;

	if (!(o->access & ACC_DELETE))
		return ST_ACCESS_DENIED;
	if (!req_may_write(q))
		return ST_ACCESS_DENIED;
	st = open_follow(o);
	if (st == ST_OK && o->kind == OPEN_DIR)
		st = folder_movable(q, o->node);
	if (st == ST_OK)
		st = fs_lookup(q->t->fs, q->mem, new_name, 0, &to);
	if (st == ST_OK && to->exists && replace && (to->st.dev != o->id.dev || to->st.ino != o->id.ino))
		st = open_name_free(q, to);
	if (st == ST_SHARING_VIOLATION || st == ST_DELETE_PENDING) /* of what would be replaced */
		st = ST_ACCESS_DENIED;
	if (st == ST_OK)
		st = fs_rename(o->node, to, replace);
	if (st == ST_OK)
		open_renamed(q, o->node, to);
	return st;
}

status_t open_truncate(struct req *q, struct open *o, uint64_t size)
{
	status_t st = open_may_write(q, o, size, 0);

	if (st == ST_OK)
		st = open_room(q, o, size);
	if (st == ST_OK)
		st = fs_truncate(o->fd, size);
	if (st == ST_OK)
		fs_changed(o->node, FS_MODIFIED, FS_WHAT_ATTRS | FS_WHAT_SIZE);
	if (st == ST_OK) {
		o->written = true;
		o->alloc = 0;
		wtime_cut(o);
	}
	return st;
}
