/* information2.c - QUERY_INFORMATION2 (0x23) and SET_INFORMATION2 (0x22): times by FID.
 *
 *   0x23  W=1: FID.  Reply W=11: create, access, write as date and time; size32, allocation32, attributes
 *   0x22  W=7: FID, create, access, write as date and time.  Reply W=0
 *
 * MS-CIFS 2.2.4.30 and 31.  Date stands before time; a pair of zeros stays as it is. */
#include "base/util.h"
#include "cmd/cmd.h"
#include "srv/wtime.h"

static void put_when(struct wr *w, nttime_t t, int zone)
{
	wr_u16(w, dos_date(t, zone));
	wr_u16(w, dos_time(t, zone));
}

static nttime_t get_when(struct rd *r, int zone)
{
	uint16_t date = rd_u16(r);

	return dos_to_nttime(date, rd_u16(r), zone);
}

status_t cmd_query_information2(struct req *q)
{
	struct open *o = req_open(q, rd_u16(&q->words));
	struct fs_stat st;
	struct wr *w;
	bool pending;
	status_t s = ST_OK;

	if (!o)
		return ST_INVALID_HANDLE;
	if (o->kind == OPEN_PIPE)
		st = open_pipe_stat(o);
	else
		s = open_stat(o, &st, &pending);
	if (s != ST_OK)
		return s;
	w = req_words(q, 11);
	put_when(w, st.create, q->c->zone);
	put_when(w, st.access, q->c->zone);
	put_when(w, st.write, q->c->zone);
	wr_u32(w, (uint32_t)min_u64(st.size, 0xffffffffu));
	wr_u32(w, (uint32_t)min_u64(st.alloc, 0xffffffffu));
	wr_u16(w, (uint16_t)(st.attrs & FS_ATTR_DOS));
	req_bytes(q);
	req_done(q);
	return ST_OK;
}

status_t cmd_set_information2(struct req *q)
{
	struct open *o = req_open(q, rd_u16(&q->words));
	struct fs_times t = { .change = 0 };
	status_t st;

	t.create = get_when(&q->words, q->c->zone);
	t.access = get_when(&q->words, q->c->zone);
	t.write = get_when(&q->words, q->c->zone);
	if (!o || o->kind == OPEN_PIPE)
		return ST_INVALID_HANDLE;
	if (!req_may_write(q))
		return ST_ACCESS_DENIED;
	st = fs_set_times(o->node, o->fd, &t);
	if (st == ST_OK && t.write)
		wtime_set(q->c, o, o->node, t.write);
	if (st == ST_OK)
		req_empty(q);
	return st;
}
