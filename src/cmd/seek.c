/* seek.c - SEEK (0x12): W=4 FID, mode (0 start, 1 here, 2 end), offset s32.  Reply W=2: position32.
 *
 * The position means something to SEEK itself alone: reads and writes move it but bring their own offset, and the
 * position of NT information levels is another.  MS-CIFS 2.2.4.19.  Oddities: a place before the start is the start; from the
 * start the offset has no sign, but to clients of the core protocol; the end of a file
 * beyond 32 bits is told as the last place there is, a step over that end comes out at the start (torture raw.seek). */
#include "cmd/cmd.h"

static status_t seek_from(struct req *q, struct open *o, uint16_t mode, int64_t *from)
{
	struct fs_stat st;
	bool pending;
	status_t s;

	(void)q;
	switch (mode) {
	case 0:
		*from = 0;
		return ST_OK;
	case 1:
		*from = (int64_t)(o->seek_pos & INT64_MAX);
		return ST_OK;
	case 2:
		s = open_stat(o, &st, &pending);
		*from = (int64_t)(st.size & INT64_MAX);
		return s;
	default:
		return ST_INVALID_PARAMETER;
	}
}

status_t cmd_seek(struct req *q)
{
	struct open *o = req_open(q, rd_u16(&q->words));
	uint16_t mode = rd_u16(&q->words);
	int64_t offset = (int32_t)rd_u32(&q->words);
	int64_t from = 0;
	struct wr *w;
	status_t st;

	if (!o || o->kind == OPEN_PIPE)
		return ST_INVALID_HANDLE;
	if (o->kind == OPEN_DIR)
		return ST_INVALID_DEVICE_REQUEST;
	st = seek_from(q, o, mode, &from);
	if (st != ST_OK)
		return st;
	if (mode == 0 && q->c->dialect > DIALECT_COREPLUS)
		offset &= 0xffffffff;
	else if (from + offset < 0)
		offset = -from;
	o->seek_pos = (uint64_t)(from + offset);
	w = req_words(q, 2);
	wr_u32(w, mode == 2 && o->seek_pos > UINT32_MAX ? UINT32_MAX : (uint32_t)o->seek_pos);
	req_bytes(q);
	req_done(q);
	return ST_OK;
}
