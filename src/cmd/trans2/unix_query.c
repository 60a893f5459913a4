/* unix_query.c - UNIX extensions, QUERY_PATH_INFO and QUERY_FILE_INFO.
 *
 *   0x200 BASIC, 0x20b INFO2, 0x204 ACL   unix_levels.h
 *   0x201 LINK    D: where it leads, NUL
 *   0x206 FLAGS   D: flags of `lsattr` that exist u64, that are set u64
 *   0x208 LOCK    request D and reply D: type u16, flags u16, pid u32, start u64, length u64; a handle only
 *   ->   P: EA error offset u16
 *
 * Times are those of the disk.  The last name is not followed if it is a link. */
#include "cmd/trans2/unix_ext.h"
#include "base/util.h"
#include "cmd/trans2/unix_levels.h"
#include "srv/posix_lock.h"
#include <sys/stat.h>

#define LSATTR 0x74u /* compressed, immutable, append only, no dump */

struct query {
	struct req *q;
	struct trans *t;
	struct trans_reply *r;
	struct open *o;       /* NULL: by path */
	struct fs_node *node;
	int fd;
	struct fs_stat st;
};

static status_t basic(struct query *y)
{
	struct wr *d = trans_reply_data(y->q, y->r, UNIX_BASIC_LEN);

	if (d)
		unix_put_basic(d, &y->st);
	return d ? ST_OK : ST_NO_MEMORY;
}

static status_t info2(struct query *y)
{
	struct wr *d = trans_reply_data(y->q, y->r, UNIX_INFO2_LEN);

	if (d)
		unix_put_info2(d, &y->st);
	return d ? ST_OK : ST_NO_MEMORY;
}

static status_t link_target(struct query *y)
{
	char *target;
	struct wr *d;
	status_t st = ST_OK;

	if (S_ISLNK(y->st.mode)) /* raw.qfileinfo wants the level on any file: what is no link leads nowhere */
		st = fs_readlink(y->node, y->q->mem, &target);
	else
		target = talloc_strdup(y->q->mem, "");
	if (st == ST_OK && !target)
		st = ST_NO_MEMORY;
	if (st != ST_OK)
		return st;
	d = trans_reply_data(y->q, y->r, 4 + 2 * (uint32_t)strlen(target));
	if (!d)
		return ST_NO_MEMORY;
	wire_put_str(d, target, req_unicode(y->q), WSTR_NUL);
	return ST_OK;
}

static status_t acl(struct query *y)
{
	struct unix_acl a = { .n = 0 }, dflt = { .n = 0 };
	status_t st = fs_acl_get(y->node, y->fd, false, y->q->mem, &a.list, &a.n);
	struct wr *d;

	if (st == ST_OK && fs_is_dir(&y->st))
		st = fs_acl_get(y->node, y->fd, true, y->q->mem, &dflt.list, &dflt.n);
	if (st != ST_OK)
		return st;
	d = trans_reply_data(y->q, y->r, 6 + 10 * (uint32_t)(a.n + dflt.n));
	if (!d)
		return ST_NO_MEMORY;
	unix_put_acl(d, &a, &dflt);
	return ST_OK;
}

static status_t flags(struct query *y)
{
	struct wr *d = trans_reply_data(y->q, y->r, 16);

	if (!d)
		return ST_NO_MEMORY;
	wr_u64(d, LSATTR);
	wr_u64(d, y->st.flags & LSATTR);
	return ST_OK;
}

static status_t lock(struct query *y)
{
	struct rd *p = &y->t->d;
	struct posix_lock want, found;
	struct wr *d = trans_reply_data(y->q, y->r, 24);
	uint16_t type = rd_u16(p);
	status_t st;

	rd_skip(p, 2);
	want = (struct posix_lock){ .type = (enum posix_lock_type)type, .pid = rd_u32(p) };
	want.start = rd_u64(p);
	want.length = rd_u64(p);
	if (!y->o || !rd_ok(p) || type > POSIX_LOCK_UNLOCK)
		return ST_INVALID_PARAMETER;
	st = posix_lock_query(y->o, &want, &found);
	if (st != ST_OK || !d)
		return d ? st : ST_NO_MEMORY;
	wr_u16(d, (uint16_t)found.type);
	wr_u16(d, 0);
	wr_u32(d, found.pid);
	wr_u64(d, found.start);
	wr_u64(d, found.length);
	return ST_OK;
}

static status_t run(struct query *y, uint16_t level)
{
	switch (level) {
	case 0x200:
		return basic(y);
	case 0x201:
		return link_target(y);
	case 0x204:
		return acl(y);
	case 0x206:
		return flags(y);
	case 0x208:
		return lock(y);
	case 0x20b:
		return info2(y);
	default:
		return ST_INVALID_LEVEL;
	}
}

static status_t finish(struct query *y, uint16_t level)
{
	status_t st = run(y, level);

	return st == ST_OK ? trans2_no_ea_error(y->q, y->r) : st;
}

status_t unix_query_path(struct req *q, struct trans *t, uint16_t level, struct trans_reply *r)
{
	struct query y = { .q = q, .t = t, .r = r, .fd = -1 };
	char *path;
	status_t st = trans2_path(q, &t->p, &path);

	if (st == ST_OK)
		st = fs_lookup(q->t->fs, q->mem, path, FS_LOOKUP_POSIX, &y.node);
	if (st != ST_OK)
		return st;
	if (!y.node->exists)
		return ST_OBJECT_NAME_NOT_FOUND;
	y.st = y.node->st;
	st = trans2_delete_pending(q, &y.node->st);
	y.node->st = y.st;
	return st == ST_OK ? finish(&y, level) : st;
}

status_t unix_query_file(struct req *q, struct trans *t, struct open *o, uint16_t level, struct trans_reply *r)
{
	struct query y = { .q = q, .t = t, .r = r, .o = o, .node = o->node, .fd = o->fd };
	status_t st;

	if (o->kind == OPEN_PIPE) {
		y.st = open_pipe_stat(o);
		return level == 0x200 || level == 0x201 ? finish(&y, level) : ST_INVALID_PARAMETER;
	}
	st = req_become(q);
	if (st == ST_OK && level == 0x208)
		return finish(&y, level);
	if (st == ST_OK && o->fd >= 0) {
		st = fs_node_fstat(o->node, o->fd, &y.st);
	} else if (st == ST_OK) {
		st = fs_refresh(o->node);
		y.st = o->node->st;
	}
	return st == ST_OK ? finish(&y, level) : st;
}
