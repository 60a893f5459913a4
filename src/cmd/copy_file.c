/* copy_file.c - one file of COPY and MOVE.
 *
 * While it is copied the target is marked to be deleted when it is closed: so it goes if the copy is refused, cancelled, or
 * the connection ends, by the way that every such file goes.  One that is appended to is cut to its old length. */
#include "cmd/copy.h"

/* Runs in the target's tree from now on, or back in the own. */
static status_t enter_tree(struct req *q, struct tree *t)
{
	q->t = t;
	return req_become(q);
}

static struct open *still_open(struct conn *c, uint16_t fid, uint64_t id)
{
	struct open *o = id ? open_find(c, fid) : NULL;

	return o && o->open_id == id ? o : NULL;
}

static void close_one(struct conn *c, uint16_t fid, uint64_t *id)
{
	struct open *o = still_open(c, fid, *id);

	*id = 0;
	if (o)
		open_close(&o, 0);
}

static status_t open_source(struct req *q, const char *name, struct open **o, struct open_result *r)
{
	const struct open_want w = {
		.name = name, .access = ACC_FILE_READ, .share = SHARE_READ, .disposition = DISP_OPEN,
		.options = OPT_NON_DIRECTORY,
	};
	uint64_t size;
	status_t st = open_file(q, &w, o, r);

	if (st != ST_OK)
		return st;
	st = fs_size((*o)->fd, &size);
	if (st == ST_OK)
		st = open_may_read(q, *o, 0, size); /* others may have locked a part */
	if (st != ST_OK)
		open_close(o, 0);
	return st;
}

static status_t open_target(struct req *q, const char *name, const struct copy_how *how, uint32_t attrs, struct open **o,
			    struct open_result *r)
{
	struct tree *mine = q->t;
	const struct open_want w = {
		.name = name, .access = ACC_FILE_WRITE | ACC_FILE_READ, .disposition = how->disposition,
		.options = OPT_NON_DIRECTORY,
		.attrs = attrs & (FS_ATTR_READONLY | FS_ATTR_HIDDEN | FS_ATTR_SYSTEM | FS_ATTR_ARCHIVE),
	};
	status_t st = enter_tree(q, how->to_tree);

	if (st == ST_OK && !req_may_write(q))
		st = ST_ACCESS_DENIED;
	if (st == ST_OK)
		st = open_file(q, &w, o, r);
	(void)enter_tree(q, mine);
	return st;
}

static status_t may_move(struct req *q, const char *name)
{
	struct fs_node *node;
	status_t st = fs_lookup(q->t->fs, q->mem, name, 0, &node);

	if (st != ST_OK)
		return st;
	if (!node->exists)
		return ST_OBJECT_NAME_NOT_FOUND;
	if (!req_may_write(q))
		return ST_ACCESS_DENIED;
	return (node->st.attrs & FS_ATTR_READONLY) && !q->t->share->p.delete_readonly ? ST_CANNOT_DELETE : ST_OK;
}

static status_t begin(struct req *q, const char *from, const char *to, const struct copy_how *how, struct copy_file *f)
{
	struct open *in, *out;
	struct open_result r, made;
	status_t st = how->move ? may_move(q, from) : ST_OK;

	if (st == ST_OK)
		st = open_source(q, from, &in, &r);
	if (st != ST_OK)
		return st;
	st = open_target(q, to, how, r.st.attrs, &out, &made);
	if (st != ST_OK) {
		open_close(&in, 0);
		return st;
	}
	*f = (struct copy_file){ .begun = true, .in = in->fid, .in_id = in->open_id, .out = out->fid, .out_id = out->open_id,
				 .written = r.st.write, .appended = how->append && made.action == ACTION_OPENED };
	out->delete_on_close = !f->appended;
	return copy_data_begin(in, out, how, &f->d);
}

static status_t go_on(struct req *q, const struct copy_how *how, struct copy_file *f)
{
	struct open *in = still_open(q->c, f->in, f->in_id), *out = still_open(q->c, f->out, f->out_id);
	struct tree *mine = q->t;
	const struct fs_times t = { .write = f->written };
	status_t st;

	if (!in || !out)
		return ST_INVALID_HANDLE; /* the client has closed it, or its program has ended */
	st = enter_tree(q, how->to_tree);
	if (st == ST_OK)
		st = copy_data_go_on(q, in, out, how, &f->d);
	if (st == ST_OK && !how->append)
		fs_set_times(out->node, out->fd, &t);
	(void)enter_tree(q, mine);
	return st;
}

static status_t remove_source(struct req *q, const char *name)
{
	struct fs_node *node;
	status_t st = fs_lookup(q->t->fs, q->mem, name, 0, &node);

	if (st == ST_OK && !node->exists)
		st = ST_OBJECT_NAME_NOT_FOUND;
	if (st == ST_OK)
		st = open_name_free(q, node);
	return st == ST_OK ? fs_unlink(node) : st;
}

status_t copy_file_run(struct req *q, const char *from, const char *to, const struct copy_how *how, struct copy_file *f)
{
	status_t st = f->begun ? ST_OK : begin(q, from, to, how, f);

	if (st == ST_OK && f->d.phase != COPY_OVER)
		st = go_on(q, how, f);
	if (st == ST_OK && how->move) {
		close_one(q->c, f->in, &f->in_id);
		st = still_open(q->c, f->out, f->out_id) ? remove_source(q, from) : ST_INVALID_HANDLE;
	}
	if (st != ST_PENDING)
		copy_file_end(q->c, st, f);
	return st;
}

void copy_file_end(struct conn *c, status_t st, struct copy_file *f)
{
	struct open *out = still_open(c, f->out, f->out_id);

	if (out && st == ST_OK)
		out->delete_on_close = false;
	else if (out && f->appended)
		copy_data_undo(out, &f->d);
	close_one(c, f->out, &f->out_id);
	close_one(c, f->in, &f->in_id);
	f->begun = false;
}
