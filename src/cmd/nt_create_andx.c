/* nt_create_andx.c - NT_CREATE_ANDX (0xa2): how NT clients open everything.
 *
 *   W=24: AndX, u8, name length, flags32, root FID32, access32, allocation64, attributes32, share32,
 *         disposition32, options32, impersonation32, security u8;  name
 *   reply W=34: AndX, oplock u8, FID, action32, four times, attributes32, allocation64, size64, type, state, dir u8
 *   extended (flag 0x10): the word count says 42, and 50 words follow
 *
 * MS-CIFS 2.2.4.64, MS-SMB 2.2.4.9.  Oddities: the name may lack its NUL and is counted in bytes;
 * NORMAL (0x80) is shown when there is no other attribute; "42 words" is what Windows and Linux expect,
 * and the field behind them must be 0 (torture raw.open). */
#include "cmd/cmd.h"
#include "cmd/dos_open.h"

#define CREATE_EXCLUSIVE 2u
#define CREATE_BATCH 4u
#define CREATE_OPEN_PARENT 8u
#define CREATE_EXTENDED 0x10u

struct create_args {
	struct open_want want;
	uint32_t flags, root_fid;
	char *client_name;
};

static status_t create_decode(struct req *q, struct create_args *a)
{
	struct rd *w = &q->words;
	uint16_t name_len;

	*a = (struct create_args){ 0 };
	rd_skip(w, 1);
	name_len = rd_u16(w);
	a->flags = rd_u32(w);
	a->root_fid = rd_u32(w);
	a->want.access = rd_u32(w);
	a->want.alloc = rd_u64(w);
	a->want.attrs = rd_u32(w);
	a->want.share = rd_u32(w);
	a->want.disposition = rd_u32(w);
	a->want.options = rd_u32(w);
	rd_skip(w, 5);
	if (a->flags & CREATE_EXCLUSIVE)
		a->want.oplock = 1;
	if (a->flags & CREATE_BATCH)
		a->want.oplock = 2;
	a->client_name = wire_str_n(q->mem, &q->bytes, req_unicode(q), name_len);
	if (!a->client_name)
		return ST_NO_MEMORY;
	return rd_ok(w) && rd_ok(&q->bytes) ? ST_OK : ST_INVALID_SMB;
}

/* Relative to an open folder, or from the share's root. */
static status_t full_name(struct req *q, struct create_args *a)
{
	char *name;
	struct open *root;
	status_t st = req_path(q, a->client_name, &name);

	if (st != ST_OK)
		return st;
	if (a->root_fid != 0) {
		root = a->root_fid < 0xffff ? req_open(q, (uint16_t)a->root_fid) : NULL;
		if (!root || root->kind != OPEN_DIR)
			return ST_INVALID_HANDLE;
		if (root->node->path[0])
			name = talloc_asprintf(q->mem, "%s%s%s", root->node->path, name[0] ? "/" : "", name);
	}
	if (a->flags & CREATE_OPEN_PARENT) { /* the folder of the name is meant */
		char *slash = strrchr(name, '/');

		*(slash ? slash : name) = '\0';
	}
	a->want.name = name;
	return name ? ST_OK : ST_NO_MEMORY;
}

static void create_encode(struct req *q, const struct create_args *a, const struct open *o, const struct open_result *r)
{
	bool extended = a->flags & CREATE_EXTENDED, pipe = o->kind == OPEN_PIPE;
	struct wr *w = req_words_andx(q, extended ? 42 : 34);

	wr_u8(w, r->oplock);
	wr_u16(w, o->fid);
	wr_u32(w, r->action);
	wr_u64(w, r->st.create);
	wr_u64(w, r->st.access);
	wr_u64(w, r->st.write);
	wr_u64(w, r->st.change);
	wr_u32(w, r->st.attrs ? r->st.attrs : FS_ATTR_NORMAL);
	wr_u64(w, r->st.alloc);
	wr_u64(w, r->st.size);
	wr_u16(w, pipe ? 2 : 0);
	wr_u16(w, pipe ? o->pipe_state : extended ? open_status_flags(o) : 0);
	wr_u8(w, o->kind == OPEN_DIR);
	if (extended) {
		wr_zero(w, 16); /* volume GUID */
		wr_u64(w, 0);   /* file id: who believes in 42 words takes its first half for the byte count */
		wr_u32(w, pipe ? ACC_FILE_ALL : fs_access_max(o->node));
		wr_u32(w, 0);
	}
	req_bytes(q);
	req_done(q);
}

status_t cmd_nt_create_andx(struct req *q)
{
	struct create_args a;
	struct open_result r = { .action = ACTION_OPENED };
	struct open *o;
	status_t st = create_decode(q, &a);

	if (st == ST_OK)
		st = full_name(q, &a);
	if (st != ST_OK)
		return st;
	st = dos_open(q, &a.want, &o, &r);
	if (st != ST_OK)
		return st;
	q->chain_fid = o->fid;
	create_encode(q, &a, o, &r);
	return ST_OK;
}
