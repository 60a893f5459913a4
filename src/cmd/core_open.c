/* core_open.c - OPEN (0x02): how DOS opens an existing file.
 *
 *   W=2: access mode, search attributes; FF4 name
 *   reply W=7: FID, attributes, write UTIME32, size32, granted access
 *
 * MS-CIFS 2.2.4.3.  Oddities: hidden and system files are found only if the search attributes name them; the
 * granted access echoes the mode asked for (FCB clients break on anything else, reports 68); oplocks are asked
 * for and granted in the header's Flags; on a printer share every open begins a job. */
#include "base/util.h"
#include "cmd/cmd.h"
#include "cmd/dos_open.h"

static status_t open_decode(struct req *q, struct open_want *w, uint16_t *mode)
{
	char *client, *name;
	status_t st;

	*w = (struct open_want){ .disposition = DISP_OPEN, .search_attrs_matter = true };
	*mode = rd_u16(&q->words);
	w->search_attrs = rd_u16(&q->words);
	st = req_str_fmt(q, &q->bytes, 4, &client);
	if (st == ST_OK)
		st = req_path(q, client, &name);
	if (st != ST_OK)
		return st;
	w->name = name;
	if (q->h.flags & FLAG_OPLOCK)
		w->oplock = q->h.flags & FLAG_OPBATCH ? 2 : 1;
	return dos_access_mode(*mode, client, w);
}

status_t cmd_open(struct req *q)
{
	struct open_result r = { .action = ACTION_OPENED };
	struct open_want want;
	struct open *o;
	uint16_t mode;
	struct wr *w;
	status_t st = open_decode(q, &want, &mode);

	if (st == ST_OK)
		st = dos_open(q, &want, &o, &r);
	if (st != ST_OK)
		return st;
	q->chain_fid = o->fid;
	q->reply_flags |= dos_oplock_flags(r.oplock);
	w = req_words(q, 7);
	wr_u16(w, o->fid);
	wr_u16(w, (uint16_t)(r.st.attrs & FS_ATTR_DOS));
	wr_u32(w, utime_from_nttime(r.st.write, q->c->zone));
	wr_u32(w, (uint32_t)min_u64(r.st.size, 0xffffffffu));
	wr_u16(w, (mode & 0xff) == 0xff ? mode : (uint16_t)((mode & 0xf0) | dos_granted(o->access)));
	req_bytes(q);
	req_done(q);
	return ST_OK;
}
