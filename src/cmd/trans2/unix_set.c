/* unix_set.c - UNIX extensions, SET_PATH_INFO and SET_FILE_INFO.
 *
 *   0x200 BASIC, 0x20b INFO2, 0x204 ACL   unix_levels.h; BASIC makes a FIFO, socket or device of
 *                                         a name that is not there
 *   0x201 LINK     P: new link; D: where it leads
 *   0x203 HLINK    P: new name; D: existing name
 *   0x208 LOCK     D: type u16, flags u16 (1 wait), pid u32, start u64, length u64; a handle only
 *   0x209 OPEN     unix_open.c
 *   0x20a UNLINK   D: 1 folder, 0 else u16.  At once, also while the file is open
 *   ->   P: EA error offset u16 */
#include "cmd/trans2/unix_ext.h"
#include "base/util.h"
#include "cmd/trans2/unix_levels.h"
#include "srv/posix_lock.h"
#include "srv/sharemode.h"
#include "srv/wtime.h"
#include <sys/stat.h>

struct set {
	struct req *q;
	struct rd *d;
	struct open *o;        /* NULL: by path */
	const char *path;
	struct fs_node *node;
	int fd;
};

uint32_t unix_new_mode(const struct req *q, uint32_t mode, bool dir)
{
	const struct conf_params *p = &q->t->share->p;

	if (mode == UNIX_KEEP_ID)
		return mode;
	if (dir)
		return (mode & 07777 & (uint32_t)p->directory_mask) | (uint32_t)p->force_directory_mode;
	return (mode & 07777 & (uint32_t)p->create_mask) | (uint32_t)p->force_create_mode;
}

/* ---- BASIC, INFO2 ---- */

static status_t cut(struct set *s, uint64_t size)
{
	struct open_want want = {
		.name = s->path, .access = ACC_WRITE_DATA, .share = SHARE_READ | SHARE_WRITE | SHARE_DELETE,
		.disposition = DISP_OPEN, .posix = true,
	};
	struct open_result res;
	struct open *o = s->o;
	status_t st = ST_OK, closed = ST_OK;

	if (size > INT64_MAX || !S_ISREG(s->node->st.mode))
		return ST_INVALID_PARAMETER;
	if (!o)
		st = open_file(s->q, &want, &o, &res);
	if (st != ST_OK)
		return st;
	st = open_truncate(s->q, o, size);
	if (!s->o)
		closed = open_close(&o, 0);
	return st == ST_OK ? closed : st;
}

/* An opener from the Windows side may have had the old time kept for others to see. */
static void tell_time(struct set *s, nttime_t t)
{
	struct db_file_id id = { s->node->st.dev, s->node->st.ino };
	struct fs_stat shown = s->node->st;
	bool pending;

	wtime_look(s->q->c, &id, &shown, &pending);
	if (shown.write != s->node->st.write)
		wtime_set(s->q->c, NULL, s->node, t);
}

static status_t set_times(struct set *s, const struct unix_want *w)
{
	struct fs_times t = { .create = w->create, .access = w->access, .write = w->write };
	status_t st;

	if (!t.create && !t.access && !t.write)
		return ST_OK;
	st = fs_set_times(s->node, s->fd, &t);
	if (st == ST_OK && t.write)
		tell_time(s, t.write);
	return st;
}

static status_t set_owner(struct set *s, const struct unix_want *w)
{
	const struct fs_stat *st = &s->node->st;

	if ((w->uid == UNIX_KEEP_ID || w->uid == st->uid) && (w->gid == UNIX_KEEP_ID || w->gid == st->gid))
		return ST_OK;
	return fs_chown(s->node, s->fd, w->uid, w->gid);
}

static status_t set_flags(struct set *s, const struct unix_want *w)
{
	uint32_t attrs = s->node->st.attrs;

	if (w->flags_mask & ~UNIX_HIDDEN)
		return ST_NOT_SUPPORTED;
	if (!(w->flags_mask & UNIX_HIDDEN) || !(w->flags & UNIX_HIDDEN) == !(attrs & FS_ATTR_HIDDEN))
		return ST_OK;
	return fs_set_attrs(s->node, s->fd, attrs ^ FS_ATTR_HIDDEN);
}

static status_t set_existing(struct set *s, const struct unix_want *w)
{
	status_t st = ST_OK;

	if (w->size != UNIX_KEEP && w->size != s->node->st.size)
		st = cut(s, w->size);
	if (st == ST_OK)
		st = set_owner(s, w);
	if (st == ST_OK && w->mode != UNIX_KEEP_ID && !S_ISLNK(s->node->st.mode))
		st = fs_chmod(s->node, s->fd, w->mode & 07777);
	if (st == ST_OK)
		st = set_flags(s, w);
	return st == ST_OK ? set_times(s, w) : st;
}

static status_t make_node(struct set *s, struct unix_want *w)
{
	uint32_t mode = unix_new_mode(s->q, w->mode == UNIX_KEEP_ID ? 0600 : w->mode, false);
	status_t st;

	if (w->node == 0)
		return ST_OBJECT_NAME_NOT_FOUND;
	st = fs_mknod(s->node, w->node | mode, S_ISCHR(w->node) || S_ISBLK(w->node) ? w->rdev : 0);
	return st == ST_OK ? set_owner(s, w) : st;
}

static status_t set_basic(struct set *s, bool info2)
{
	struct unix_want w;
	status_t st = unix_get_want(s->d, info2, &w);

	if (st != ST_OK)
		return st;
	if (s->node->exists)
		return set_existing(s, &w);
	return make_node(s, &w);
}

/* ---- links ---- */

static status_t set_symlink(struct set *s)
{
	char *target = req_str(s->q, s->d);

	if (!target)
		return ST_NO_MEMORY;
	return *target ? fs_symlink(s->node, target) : ST_OBJECT_NAME_NOT_FOUND;
}

static status_t set_hardlink(struct set *s)
{
	struct req *q = s->q;
	char *client = req_str(q, s->d), *old;
	struct fs_node *from;
	status_t st = client ? req_path(q, client, &old) : ST_NO_MEMORY;

	if (st == ST_OK)
		st = fs_lookup(q->t->fs, q->mem, old, FS_LOOKUP_POSIX, &from);
	if (st != ST_OK)
		return st;
	return from->exists ? fs_link(from, s->node) : ST_OBJECT_NAME_NOT_FOUND;
}

/* ---- access lists ---- */

static status_t set_acl(struct set *s)
{
	struct unix_acl acl, dflt;
	status_t st = unix_get_acl(s->q->mem, s->d, &acl, &dflt);

	if (st == ST_OK && !acl.keep)
		st = fs_acl_set(s->node, s->fd, false, acl.list, acl.n);
	if (st == ST_OK && !dflt.keep)
		st = fs_acl_set(s->node, s->fd, true, dflt.list, dflt.n);
	return st;
}

/* ---- locks ---- */

static status_t set_lock(struct set *s)
{
	uint16_t type = rd_u16(s->d), flags = rd_u16(s->d);
	struct posix_lock want = { .type = (enum posix_lock_type)type, .pid = rd_u32(s->d) };

	want.start = rd_u64(s->d);
	want.length = rd_u64(s->d);
	if (!s->o || !rd_ok(s->d) || type > POSIX_LOCK_UNLOCK)
		return ST_INVALID_PARAMETER;
	if (!s->q->resumed && want.type != POSIX_LOCK_UNLOCK)
		oplock_break_level2(s->q->c, s->o);
	return posix_lock_set(s->q, s->o, &want, flags & 1);
}

/* ---- unlink ---- */

/* Whoever has it open keeps it; only an opener from the Windows side that does not share deletion is in
 * the way. */
static status_t set_unlink(struct set *s)
{
	struct db_file_id id = { s->node->st.dev, s->node->st.ino };
	uint16_t folder = rd_u16(s->d);
	status_t st;

	if (!rd_ok(s->d) || folder > 1)
		return ST_INVALID_PARAMETER;
	if (folder && !fs_is_dir(&s->node->st))
		return ST_NOT_A_DIRECTORY;
	if (!folder && fs_is_dir(&s->node->st))
		return ST_FILE_IS_A_DIRECTORY;
	if (s->node->path[0] == '\0')
		return ST_ACCESS_DENIED;
	st = sharemode_remove(s->q, &id, NULL, false);
	if (st != ST_OK)
		return st;
	return folder ? fs_rmdir(s->node) : fs_unlink(s->node);
}

/* ---- all of them ---- */

#define EXISTS 1u   /* the name must be there */
#define NEEDLESS 2u /* allowed on read-only shares */

static const struct level {
	uint16_t level;
	unsigned flags;
	status_t (*run)(struct set *s);
} levels[] = {
	{ 0x201, 0, set_symlink }, { 0x203, 0, set_hardlink }, { 0x204, EXISTS, set_acl },
	{ 0x208, EXISTS | NEEDLESS, set_lock }, { 0x20a, EXISTS, set_unlink },
};

static status_t run(struct set *s, uint16_t level)
{
	if (level == 0x200 || level == 0x20b)
		return req_may_write(s->q) ? set_basic(s, level == 0x20b) : ST_ACCESS_DENIED;
	for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
		const struct level *l = &levels[i];

		if (l->level != level)
			continue;
		if (!(l->flags & NEEDLESS) && !req_may_write(s->q))
			return ST_ACCESS_DENIED;
		return (l->flags & EXISTS) && !s->node->exists ? ST_OBJECT_NAME_NOT_FOUND : l->run(s);
	}
	return ST_INVALID_LEVEL;
}

status_t unix_set_path(struct req *q, struct trans *t, uint16_t level, struct trans_reply *r)
{
	struct set s = { .q = q, .d = &t->d, .fd = -1 };
	char *path;
	status_t st = trans2_path(q, &t->p, &path);

	if (st == ST_OK && level == 0x209)
		st = unix_posix_open(q, t, path, r);
	else if (st == ST_OK)
		st = fs_lookup(q->t->fs, q->mem, path, FS_LOOKUP_POSIX, &s.node);
	s.path = path;
	if (st == ST_OK && level != 0x209)
		st = run(&s, level);
	return st == ST_OK ? trans2_no_ea_error(q, r) : st;
}

status_t unix_set_file(struct req *q, struct trans *t, struct open *o, uint16_t level, struct trans_reply *r)
{
	struct set s = { .q = q, .d = &t->d, .o = o };
	status_t st;

	if (!o)
		return ST_INVALID_HANDLE;
	if (o->kind == OPEN_PIPE || (level != 0x200 && level != 0x204 && level != 0x208 && level != 0x20b))
		return o->kind == OPEN_PIPE ? ST_INVALID_PARAMETER : ST_INVALID_LEVEL;
	s.node = o->node;
	s.fd = o->fd;
	s.path = o->node->path;
	st = req_become(q);
	if (st == ST_OK && o->fd >= 0 && level != 0x208) /* sizes and owners as they are now */
		st = fs_node_fstat(o->node, o->fd, &o->node->st);
	if (st == ST_OK)
		st = run(&s, level);
	return st == ST_OK ? trans2_no_ea_error(q, r) : st;
}
