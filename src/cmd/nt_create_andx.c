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
#include "cmd/dos_open.h"
#include "cmd/nt_create.h"

static status_t create_decode(struct req *q, struct nt_create *a)
{
	struct rd *w = &q->words;
	uint16_t name_len;

	*a = (struct nt_create){ 0 };
	rd_skip(w, 1);
	name_len = rd_u16(w);
	a->flags = rd_u32(w);
	a->root_fid = rd_u32(w);
	nt_create_fields(w, a);
	rd_skip(w, 5);
	a->client_name = wire_str_n(q->mem, &q->bytes, req_unicode(q), name_len);
	if (!a->client_name)
		return ST_NO_MEMORY;
	return rd_ok(w) && rd_ok(&q->bytes) ? ST_OK : ST_INVALID_SMB;
}

static void create_encode(struct req *q, const struct nt_create *a, const struct open *o, const struct open_result *r)
{
	struct wr *w = req_words_andx(q, a->flags & CREATE_EXTENDED ? 42 : 34);

	wr_u8(w, r->oplock);
	wr_u16(w, o->fid);
	wr_u32(w, r->action);
	/* no file id: who believes in 42 words takes its first half for the byte count */
	nt_create_answer(w, a, o, r, 0);
	req_bytes(q);
	req_done(q);
}

status_t cmd_nt_create_andx(struct req *q)
{
	struct nt_create a;
	struct open_result r = { .action = ACTION_OPENED };
	struct open *o;
	status_t st = create_decode(q, &a);

	if (st == ST_OK)
		st = nt_create_name(q, &a);
	if (st != ST_OK)
		return st;
	st = dos_open(q, &a.want, &o, &r);
	if (st != ST_OK)
		return st;
	q->chain_fid = o->fid;
	create_encode(q, &a, o, &r);
	return ST_OK;
}
