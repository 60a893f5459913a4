/* write_raw.c - WRITE_RAW (0x1d): some bytes in the request, the rest as one bare frame behind our "go on".
 *
 *   W=12 or 14: FID, count in all, reserved, offset32, timeout32, mode, reserved32, length here, offset of these,
 *               [offset high]; pad, data
 *   interim reply W=1: remaining 0xffff (an error instead ends it: no frame follows)
 *   then one frame of data without a header; then, in write-through mode only, WRITE_COMPLETE (0x20) W=1: count
 *
 *     idle --request--> waiting for the frame --frame of any length--> idle
 *
 * MS-CIFS 2.2.4.25.  Oddities: the frame comes even when nothing is left, with no bytes (that also ends a transfer
 * early); keepalives may come in between; an error that nobody waits for is told by the next command with this FID;
 * not with signing or encryption (ERRSRV/251: use the standard command). */
#include "base/log.h"
#include "base/util.h"
#include "cmd/cmd.h"
#include "srv/durable.h"
#include "srv/lock.h"
#include "srv/oplock.h"

#define WRITE_THROUGH 1u
#define HEAD_KEPT SMB_MIN_LEN

/* What is known between request and frame. */
struct raw_write {
	uint8_t head[HEAD_KEPT]; /* of the request, for the last reply */
	struct smb_hdr h;
	uint16_t fid, mode;
	uint64_t off;            /* of the next byte */
	uint32_t left, done;
	status_t status;         /* of what has been written so far */
};

struct raw_args {
	uint16_t fid, count, mode, len;
	uint64_t off;
	const uint8_t *data;
};

static status_t raw_decode(struct req *q, struct raw_args *a)
{
	struct rd *w = &q->words, data = rd_over(q->msg, q->len);
	uint16_t at;

	a->fid = rd_u16(w);
	a->count = rd_u16(w);
	rd_skip(w, 2);
	a->off = rd_u32(w);
	rd_skip(w, 4);
	a->mode = rd_u16(w);
	rd_skip(w, 4);
	a->len = rd_u16(w);
	at = rd_u16(w);
	if (q->wct == 14)
		a->off |= (uint64_t)rd_u32(w) << 32;
	rd_seek(&data, a->len ? at : 0);
	a->data = rd_take(&data, a->len);
	return rd_ok(w) && rd_ok(&data) && a->len <= a->count ? ST_OK : ST_INVALID_SMB;
}

static void put(struct raw_write *r, struct open *o, const uint8_t *p, uint32_t len)
{
	uint32_t done = 0;

	if (len == 0 || r->status != ST_OK)
		return;
	r->status = fs_write(o->fd, r->off, p, len, &done);
	if (r->status == ST_OK && done < len)
		r->status = ST_DISK_FULL;
	o->written = true;
	r->off += done;
	r->done += done;
	o->seek_pos = r->off;
}

status_t cmd_raw_may(const struct conn *c, uint64_t off, size_t len)
{
	struct open *o = open_find(c, c->raw->fid);

	return o ? lock_check_io(lock_pid(&c->raw->h), o, off, len, true) : ST_INVALID_HANDLE;
}

/* Bytes that have come later than the request: others may have got locks meanwhile. */
static void put_later(struct conn *c, struct open *o, const uint8_t *p, uint32_t len)
{
	if (c->raw->status == ST_OK)
		c->raw->status = cmd_raw_may(c, c->raw->off, len);
	put(c->raw, o, p, len);
}

status_t cmd_write_raw(struct req *q)
{
	struct raw_args a;
	struct open *o;
	struct raw_write *r;
	struct wr *w;
	status_t st = raw_decode(q, &a);

	if (st != ST_OK)
		return st;
	if (q->chained)
		return ST_INVALID_SMB;
	if (q->c->sign.active || q->c->crypt || !q->c->conf->g.write_raw)
		return ST_SMB_USE_STANDARD;
	o = req_open(q, a.fid);
	if (!o || o->kind != OPEN_FILE)
		return ST_INVALID_HANDLE;
	st = open_may_write(q, o, a.off, a.count);
	if (st != ST_OK)
		return st;
	r = talloc_zero(q->c, struct raw_write);
	if (!r)
		return ST_NO_MEMORY;
	*r = (struct raw_write){ .h = q->h, .fid = o->fid, .mode = a.mode, .off = a.off };
	memcpy(r->head, q->msg, HEAD_KEPT);
	put(r, o, a.data, a.len);
	if (r->status != ST_OK) {
		st = r->status;
		talloc_free(r);
		return st;
	}
	r->left = (uint32_t)a.count - a.len;
	q->c->raw = r;
	q->c->raw_busy = true;
	w = req_words(q, 1);
	wr_u16(w, 0xffff);
	req_bytes(q);
	req_done(q);
	return ST_OK;
}

/* WRITE_COMPLETE, made from what was kept of the request. */
static void complete(struct conn *c, struct raw_write *r)
{
	struct req q = {
		.c = c, .msg = r->head, .len = HEAD_KEPT, .h = r->h, .cmd = 0x1d, .tail_fd = -1, .mem = c->arena,
		.reply_uid = 0x10000, .reply_tid = 0x10000, .out = wr_over(c->out + 4, c->out_cap - 4),
	};
	struct wr *w;

	r->head[4] = 0x20;
	wr_zero(&q.out, SMB_HDR_LEN);
	if (r->status != ST_OK) {
		req_empty(&q);
	} else {
		w = req_words(&q, 1);
		wr_u16(w, (uint16_t)r->done);
		req_bytes(&q);
		req_done(&q);
	}
	req_finish(&q, r->status);
}

/* All is here: tells the client, or the next command with this FID. */
static void finish(struct conn *c, struct raw_write *r, struct open *o)
{
	c->raw = NULL;
	c->raw_busy = false;
	if (!o)
		r->status = ST_INVALID_HANDLE; /* its tree was closed by the admin meanwhile */
	if (o && r->status == ST_OK)
		r->status = durable_written(o, r->mode & WRITE_THROUGH);
	if (r->mode & WRITE_THROUGH) {
		complete(c, r);
	} else if (o && r->status != ST_OK) {
		log_at(LOG_SMB, 2, "raw write: %s; the next command with FID %u tells the client", status_name(r->status),
		       r->fid);
		if (!o->late)
			o->late = talloc_zero(o, status_t);
		if (o->late)
			*o->late = r->status;
	}
	talloc_free(r);
	talloc_free_children(c->arena);
}

void cmd_raw_data(struct conn *c, const uint8_t *p, size_t len)
{
	struct raw_write *r = c->raw;
	struct open *o = open_find(c, r->fid);

	c->last_request = clock_ms();
	if (o)
		put_later(c, o, p, (uint32_t)min_u64(len, r->left));
	finish(c, r, o);
}

bool cmd_raw_takes(const struct conn *c, uint32_t len) { return len <= c->raw->left; }

int cmd_raw_begin(struct conn *c, const uint8_t *p, uint32_t len, uint64_t *off)
{
	struct raw_write *r = c->raw;
	struct open *o = open_find(c, r->fid);

	if (o)
		put_later(c, o, p, len);
	*off = r->off;
	return o && r->status == ST_OK ? o->fd : -1;
}

void cmd_raw_end(struct conn *c, size_t written, status_t rest)
{
	struct raw_write *r = c->raw;
	struct open *o = open_find(c, r->fid);

	r->off += written;
	r->done += (uint32_t)written;
	if (r->status == ST_OK)
		r->status = rest;
	if (o && r->done > 0) {
		o->written = true;
		o->seek_pos = r->off;
		oplock_break_level2(c, o); /* of whoever got one, and read, while the bytes came */
	}
	finish(c, r, o);
}
