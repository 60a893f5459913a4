/* nt_create.c - the parts of an NT open that come in two envelopes. */
#include "base/str.h"
#include "cmd/nt_create.h"

void nt_create_fields(struct rd *r, struct nt_create *c)
{
	c->want.access = rd_u32(r);
	c->want.alloc = rd_u64(r);
	c->want.attrs = rd_u32(r);
	c->want.share = rd_u32(r);
	c->want.disposition = rd_u32(r);
	c->want.options = rd_u32(r);
	if (c->flags & CREATE_EXCLUSIVE)
		c->want.oplock = 1;
	if (c->flags & CREATE_BATCH)
		c->want.oplock = 2;
}

/* Where NTFS keeps the quotas of a disk: clients open it to ask about them.  Here any handle will do for that, so it is
 * one of the share's root, with which nothing else can be done. */
static void open_quota_file(struct open_want *w)
{
	w->access = ACC_READ_ATTR | ACC_READ_CONTROL;
	w->share = SHARE_READ | SHARE_WRITE | SHARE_DELETE;
	w->disposition = DISP_OPEN;
	w->options = 0;
}

status_t nt_create_name(struct req *q, struct nt_create *c)
{
	char *name;
	struct open *root;
	status_t st = req_path(q, c->client_name, &name);

	if (st != ST_OK)
		return st;
	if (c->root_fid != 0) {
		root = c->root_fid < 0xffff ? req_open(q, (uint16_t)c->root_fid) : NULL;
		if (!root || root->kind != OPEN_DIR)
			return ST_INVALID_HANDLE;
		if (root->node->path[0])
			name = talloc_asprintf(q->mem, "%s%s%s", root->node->path, name[0] ? "/" : "", name);
	}
	if (name && (c->flags & CREATE_OPEN_PARENT)) { /* the folder of the name is meant */
		char *slash = strrchr(name, '/');

		*(slash ? slash : name) = '\0';
	}
	if (name && !q->t->ipc && str_caseeq(name, "$Extend/$Quota:$Q:$INDEX_ALLOCATION")) {
		open_quota_file(&c->want);
		name = talloc_strdup(q->mem, "");
	}
	if (q->t->ipc && name) /* a pipe is `\srvsvc` here, `\PIPE\srvsvc` in the older opens (open_pipe) */
		name = talloc_asprintf(q->mem, "pipe/%s", name);
	c->want.name = name;
	return name ? ST_OK : ST_NO_MEMORY;
}

void nt_create_answer(struct wr *w, const struct nt_create *c, const struct open *o, const struct open_result *r,
		      uint64_t file_id)
{
	bool extended = c->flags & CREATE_EXTENDED, pipe = o->kind == OPEN_PIPE;

	wr_u64(w, r->st.create);
	wr_u64(w, r->st.access);
	wr_u64(w, r->st.write);
	wr_u64(w, r->st.change);
	wr_u32(w, r->st.attrs ? r->st.attrs : FS_ATTR_NORMAL);
	wr_u64(w, r->st.alloc);
	wr_u64(w, r->st.size);
	wr_u16(w, pipe ? 2 : o->job ? 3 : 0);
	wr_u16(w, pipe ? o->pipe_state : extended ? open_status_flags(o) : 0);
	wr_u8(w, o->kind == OPEN_DIR);
	if (!extended)
		return;
	wr_zero(w, 16); /* volume GUID */
	wr_u64(w, file_id);
	wr_u32(w, pipe ? ACC_FILE_ALL : fs_access_max(o->node));
	wr_u32(w, 0);
}
