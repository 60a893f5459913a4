/* open_andx.c - OPEN_ANDX (0x2d): how LANMAN clients, Win9x and consoles open files.
 *
 *   W=15: AndX, flags, access mode, search attributes, attributes, creation UTIME32, open function,
 *         allocation32, timeout32, reserved32;  name
 *   reply W=15: AndX, FID, attributes, write UTIME32, size32, granted, type, state, result, server FID32, 0
 *   extended (flag 0x10) W=19: two access masks more
 *
 * MS-CIFS 2.2.4.41.  Oddities: the granted access echoes the low bits of the mode asked for (OS/2, FCB
 * clients); a size of 4 GiB and more is shown as 0xffffffff. */
#include "base/util.h"
#include "cmd/cmd.h"
#include "cmd/dos_open.h"

#define STANDARD_RIGHTS 0x1f0000u

struct openx_args {
	struct open_want want;
	uint16_t flags, mode;
	char *client_name;
};

static status_t openx_decode(struct req *q, struct openx_args *a)
{
	struct rd *w = &q->words;
	uint16_t function;
	status_t st;

	*a = (struct openx_args){ 0 };
	a->flags = rd_u16(w);
	a->mode = rd_u16(w);
	a->want.search_attrs = rd_u16(w);
	a->want.attrs = rd_u16(w);
	rd_skip(w, 4);
	function = rd_u16(w);
	a->want.alloc = rd_u32(w);
	if (!rd_ok(w))
		return ST_INVALID_SMB;
	a->client_name = req_str(q, &q->bytes);
	if (!a->client_name)
		return ST_NO_MEMORY;
	if (a->flags & 2)
		a->want.oplock = a->flags & 4 ? 2 : 1;
	if ((function & 0x13) == 0 && (a->mode & 7) == 3)
		function |= 0x10; /* to execute what is not there yet: as other servers have it (torture raw.open.openx) */
	st = dos_open_function(function, &a->want);
	return st == ST_OK ? dos_access_mode(a->mode, a->client_name, &a->want) : st;
}

static void openx_encode(struct req *q, const struct openx_args *a, const struct open *o, const struct open_result *r)
{
	bool extended = a->flags & 0x10, pipe = o->kind == OPEN_PIPE;
	struct wr *w = req_words_andx(q, extended ? 19 : 15);

	wr_u16(w, o->fid);
	wr_u16(w, (uint16_t)(r->st.attrs & FS_ATTR_DOS));
	wr_u32(w, utime_from_nttime(r->st.write, q->c->zone));
	wr_u32(w, (uint32_t)min_u64(r->st.size, 0xffffffffu));
	wr_u16(w, pipe || (a->mode & 7) == 3 ? a->mode & 7 : dos_granted(o->access));
	wr_u16(w, pipe ? 2 : o->job ? 3 : 0);
	wr_u16(w, pipe ? o->pipe_state : 0);
	wr_u16(w, (uint16_t)(dos_open_result(r->action) | (r->oplock ? 0x8000 : 0)));
	wr_u32(w, 0);
	wr_u16(w, 0);
	if (extended) {
		wr_u32(w, STANDARD_RIGHTS); /* not those of the file: so has Windows it (torture raw.open.openx) */
		wr_u32(w, 0);
	}
	req_bytes(q);
	req_done(q);
}

/* A file that is new or emptied begins with the size asked for (torture raw.open.openx). */
static status_t first_size(struct req *q, struct open *o, const struct openx_args *a, struct open_result *r)
{
	status_t st;

	if (r->action == ACTION_OPENED || a->want.alloc == 0 || o->kind != OPEN_FILE || o->fd < 0)
		return ST_OK;
	st = open_room(q, o, a->want.alloc);
	if (st == ST_OK)
		st = fs_truncate(o->fd, a->want.alloc);
	if (st == ST_OK)
		r->st.size = a->want.alloc;
	return st;
}

status_t cmd_open_andx(struct req *q)
{
	struct openx_args a;
	struct open_result r = { .action = ACTION_OPENED };
	struct open *o;
	char *name;
	status_t st = openx_decode(q, &a);

	if (st == ST_OK)
		st = req_path(q, a.client_name, &name);
	if (st != ST_OK)
		return st;
	a.want.name = name;
	st = dos_open(q, &a.want, &o, &r);
	if (st != ST_OK)
		return st;
	st = first_size(q, o, &a, &r);
	if (st != ST_OK) {
		if (r.action == ACTION_CREATED)
			o->delete_on_close = true; /* all or nothing */
		open_close(&o, 0);
		return st;
	}
	q->chain_fid = o->fid;
	openx_encode(q, &a, o, &r);
	return ST_OK;
}
