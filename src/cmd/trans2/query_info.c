/* query_info.c - QUERY_PATH_INFO (05), QUERY_FILE_INFO (07).
 *
 *   PATH P: level, reserved u32, name;   FILE P: FID, level;   D (level 3): names of attributes
 *   ->   P: EA error offset u16;  D: info_levels.c
 *
 * A path needs no open: it is looked up and told.  What somebody has doomed answers DELETE_PENDING by path
 * but not through a handle. */
#include "cmd/trans2/info_levels.h"
#include "cmd/trans2/trans2.h"
#include "cmd/trans2/unix_ext.h"
#include "base/log.h"
#include "base/util.h"

struct query {
	struct req *q;
	struct trans *t;
	const struct info_level *l;
	struct fs_node *node; /* NULL: a pipe */
	struct fs_stat st;
	struct info_item i;
};

static status_t find_level(struct query *y, uint16_t level)
{
	y->l = info_level(level);
	if (y->l)
		return ST_OK;
	log_at(LOG_SMB, 3, "query level 0x%x: unknown", level);
	return ST_INVALID_LEVEL;
}

#define SHORT_PATH 512

/* `a/b` as the client calls it: `\a\b`, `\a\b:stream`.  In `room` where SHORT_PATH bytes are enough. */
static const char *client_path(TALLOC_CTX *mem, const struct fs_node *n, char *room)
{
	size_t len = strlen(n->path), more = n->stream ? strlen(n->stream) + 1 : 0;
	char *p = len + more + 2 <= SHORT_PATH ? room : talloc_size(mem, len + more + 2), *w = p;

	if (!p)
		return NULL;
	*w++ = '\\';
	memcpy(w, n->path, len + 1);
	for (char *slash = strchr(w, '/'); slash; slash = strchr(slash, '/'))
		*slash = '\\';
	if (n->stream) {
		w[len] = ':';
		memcpy(w + len + 1, n->stream, more);
	}
	return p;
}

static status_t add_eas(struct query *y)
{
	struct fs_ea *all, *asked = NULL;
	size_t n, nasked = 0;
	status_t st;

	if (!y->node)
		return ST_OK;
	if (y->node->stream && (y->l->flags & INFO_EA_LIST))
		return ST_INVALID_PARAMETER;
	if (y->l->flags & INFO_EA_NAMES) {
		st = ea_get_names(y->q->mem, &y->t->d, &asked, &nasked);
		if (st != ST_OK)
			return st;
	}
	st = trans2_eas(y->q, y->node, &all, &n);
	if (st != ST_OK)
		return st;
	y->i.ea_size = trans2_ea_size(y->q, all, n);
	y->i.eas = all;
	y->i.neas = n;
	if (n == 0 && (y->l->flags & INFO_EA_SOME))
		return ST_NO_EAS_ON_FILE;
	if (y->l->flags & INFO_EA_NAMES) {
		ea_pick(asked, nasked, all, n);
		y->i.eas = asked;
		y->i.neas = nasked;
	}
	return ST_OK;
}

/* The file's own data first. */
static status_t add_streams(struct query *y)
{
	struct fs_stream *named, *all;
	struct fs_node *file = y->node;
	size_t n;
	status_t st = ST_OK;

	if (file->stream)
		st = fs_lookup(y->q->t->fs, y->q->mem, file->path, 0, &file);
	else
		file->st = y->st;
	if (st == ST_OK)
		st = fs_stream_list(file, y->q->mem, &named, &n);
	if (st != ST_OK)
		return st;
	all = talloc_array(y->q->mem, struct fs_stream, (unsigned)n + 1);
	if (!all)
		return ST_NO_MEMORY;
	if (!fs_is_dir(&file->st))
		all[y->i.nstreams++] = (struct fs_stream){ "", file->st.size, file->st.alloc };
	for (size_t k = 0; k < n; k++)
		all[y->i.nstreams++] = named[k];
	y->i.streams = all;
	return ST_OK;
}

static status_t add_short(struct query *y)
{
	char *alias = talloc_size(y->q->mem, 64);

	if (!alias)
		return ST_NO_MEMORY;
	fs_short_name(y->q->t->fs, y->node->name, alias);
	y->i.short_name = *alias ? alias : y->node->name;
	return *y->i.short_name ? ST_OK : ST_OBJECT_NAME_NOT_FOUND; /* the root has none */
}

/* What only some levels need. */
static status_t gather(struct query *y, char *room)
{
	status_t st = ST_OK;

	y->i.st = &y->st;
	y->i.zone = y->q->c->zone;
	if (!y->i.path)
		y->i.path = y->l->flags & INFO_PATH ? client_path(y->q->mem, y->node, room) : "";
	if (!y->i.path)
		return ST_NO_MEMORY;
	if (y->l->flags & INFO_EA)
		st = add_eas(y);
	if (st == ST_OK && (y->l->flags & INFO_STREAMS) && y->node)
		st = add_streams(y);
	if (st == ST_OK && (y->l->flags & INFO_SHORT))
		st = add_short(y);
	if (st == ST_OK && (y->l->flags & INFO_ACCESS) && y->i.access == 0 && y->node)
		y->i.access = fs_access_max(y->node);
	return st;
}

static status_t encode(struct query *y, struct trans_reply *r)
{
	struct wr *d = trans_reply_data(y->q, r, info_room(&y->i));

	if (!d)
		return ST_NO_MEMORY;
	y->l->put(d, &y->i);
	if (!wr_ok(d))
		return ST_INTERNAL_ERROR;
	if (wr_tell(d) > y->t->max_d && y->t->max_d < y->l->fixed)
		return ST_INFO_LENGTH_MISMATCH;
	return trans2_no_ea_error(y->q, r); /* longer than the client takes: cut with BUFFER_OVERFLOW */
}

static status_t finish(struct query *y, struct trans_reply *r)
{
	char room[SHORT_PATH];
	status_t st = gather(y, room);

	return st == ST_OK ? encode(y, r) : st;
}

/* IS_NAME_VALID asks about the text, not about a file. */
static status_t name_valid(struct query *y, const char *path, struct trans_reply *r)
{
	const char *slash = strrchr(path, '/');

	if (!fs_name_legal(slash ? slash + 1 : path))
		return ST_OBJECT_NAME_INVALID;
	return trans2_no_ea_error(y->q, r);
}

status_t trans2_query_path(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct query y = { .q = q, .t = t };
	uint16_t level = rd_u16(&t->p);
	char *path;
	status_t st;

	rd_skip(&t->p, 4);
	if (!rd_ok(&t->p))
		return ST_INVALID_PARAMETER;
	if (unix_level(q, level))
		return unix_query_path(q, t, level, r);
	st = find_level(&y, level);
	if (st == ST_OK)
		st = trans2_path(q, &t->p, &path);
	if (st != ST_OK)
		return st;
	if (level == 6)
		return name_valid(&y, path, r);
	if (req_wild(q, path))
		return ST_OBJECT_NAME_INVALID;
	st = fs_lookup(q->t->fs, q->mem, path, 0, &y.node);
	if (st != ST_OK)
		return st;
	if (!y.node->exists)
		return ST_OBJECT_NAME_NOT_FOUND;
	y.st = y.node->st;
	st = trans2_delete_pending(q, &y.st);
	return st == ST_OK ? finish(&y, r) : st;
}

/* Delete pending, as NT shows it; it has no attributes that somebody might read. */
static status_t query_pipe(struct query *y, const struct open *o, struct trans_reply *r)
{
	if (y->l->flags & INFO_EA_LIST)
		return ST_ACCESS_DENIED;
	if (y->l->flags & INFO_NO_PIPE)
		return ST_INVALID_PARAMETER;
	y->st = open_pipe_stat(o);
	y->i.path = talloc_asprintf(y->q->mem, "\\%s", rpc_pipe_name(o->pipe));
	y->i.access = o->access;
	y->i.delete_pending = true;
	return finish(y, r);
}

status_t trans2_query_file(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct query y = { .q = q, .t = t };
	struct open *o = req_open(q, rd_u16(&t->p));
	uint16_t level = rd_u16(&t->p);
	status_t st;

	if (!rd_ok(&t->p))
		return ST_INVALID_PARAMETER;
	if (!o)
		return ST_INVALID_HANDLE;
	if (unix_level(q, level))
		return unix_query_file(q, t, o, level, r);
	st = level == 6 ? ST_INVALID_LEVEL : find_level(&y, level);
	if (st != ST_OK)
		return st;
	y.i.access = o->access;
	y.i.pos = o->pos;
	y.i.mode = o->options & 0x103e; /* those of class 16: write through ... delete on close */
	if (o->kind == OPEN_PIPE)
		return query_pipe(&y, o, r);
	st = req_become(q);
	if (st == ST_OK)
		st = open_stat(o, &y.st, &y.i.delete_pending);
	y.node = o->node;
	return st == ST_OK ? finish(&y, r) : st;
}
