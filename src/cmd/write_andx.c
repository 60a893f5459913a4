/* write_andx.c - WRITE_ANDX (0x2f): bytes into an open file or pipe.
 *
 *   W=12 or 14: AndX, FID, offset32, timeout32, mode, remaining, length high, length, data offset, [offset high]
 *   reply W=6: AndX, count, remaining 0xffff, count high, 0
 *
 * MS-CIFS 2.2.4.43, MS-SMB 2.2.4.3.  Oddities:
 * - the data lie where DataOffset says, not behind the words, and the byte count wraps at 64 KiB;
 * - a length beyond what was received is refused (CVE-2017-12163 of another server: it wrote its own memory);
 * - length 0 changes nothing, it does not truncate;
 * - mode bit 0 is write-through: the data are on disk before the reply. */
#include "base/util.h"
#include "cmd/cmd.h"
#include "cmd/pipe.h"
#include "cmd/write_direct.h"
#include "cmd/write_group.h"
#include "srv/durable.h"

struct write_args {
	uint16_t fid, mode;
	uint64_t offset;
	uint32_t len;
	const uint8_t *data;
};

static status_t write_decode(struct req *q, struct write_args *a)
{
	struct rd *w = &q->words, data = rd_over(q->msg, q->len);
	uint32_t at, high;

	a->fid = rd_u16(w);
	a->offset = rd_u32(w);
	rd_skip(w, 4);
	a->mode = rd_u16(w);
	rd_skip(w, 2);
	high = rd_u16(w);
	a->len = rd_u16(w);
	at = rd_u16(w);
	if (q->wct == 14)
		a->offset |= (uint64_t)rd_u32(w) << 32;
	if (q->c->caps & CAP_LARGE_WRITEX)
		a->len |= high << 16;
	a->data = NULL;
	if (write_direct_asks(q)) /* they are still to come, as many as the words say */
		return rd_ok(w) ? ST_OK : ST_INVALID_SMB;
	rd_seek(&data, a->len ? at : 0);
	a->data = rd_take(&data, a->len);
	return rd_ok(w) && rd_ok(&data) ? ST_OK : ST_INVALID_SMB;
}

static void write_encode(struct req *q, uint32_t done)
{
	struct wr *w = req_words_andx(q, 6);

	wr_u16(w, (uint16_t)done);
	wr_u16(w, 0xffff);
	wr_u16(w, (uint16_t)(done >> 16));
	wr_u16(w, 0);
	req_bytes(q);
	req_done(q);
}

void write_answer_later(struct req *q, struct write_answer *a)
{
	*a = (struct write_answer){ .h = q->h, .seq = q->seq };
	memcpy(a->head, q->msg, SMB_MIN_LEN);
	q->no_reply = true;
}

void write_answer(struct conn *c, const struct write_answer *a)
{
	struct req q = {
		.c = c, .msg = a->head, .len = SMB_MIN_LEN, .h = a->h, .cmd = 0x2f, .seq = a->seq, .tail_fd = -1,
		.mem = c->arena, .reply_uid = 0x10000, .reply_tid = 0x10000, .out = wr_over(c->out + 4, c->out_cap - 4),
	};

	wr_zero(&q.out, SMB_HDR_LEN);
	if (a->status == ST_OK)
		write_encode(&q, a->done);
	else
		req_empty(&q);
	req_finish(&q, a->status);
}

static status_t write_run(struct req *q, struct open *o, const struct write_args *a, uint32_t *done)
{
	status_t st = open_may_write(q, o, a->offset, a->len);

	*done = 0;
	if (st != ST_OK || a->len == 0)
		return st;
	if (write_direct_asks(q)) {
		write_direct_accept(q, o, a->offset, a->mode & 1);
		return ST_OK;
	}
	st = fs_write(o->fd, a->offset, a->data, a->len, done);
	if (*done > 0) {
		o->written = true;
		o->seek_pos = a->offset + *done;
	}
	if (st == ST_OK && durable_wanted(o, a->mode & 1) && !write_group_join(q, o, *done))
		st = durable_now(o);
	return st;
}

HOT status_t cmd_write_andx(struct req *q)
{
	struct write_args a;
	struct open *o;
	uint32_t done;
	status_t st = write_decode(q, &a);

	if (st != ST_OK)
		return st;
	o = req_open(q, a.fid);
	if (!o)
		return ST_INVALID_HANDLE;
	if (o->kind == OPEN_PIPE) {
		st = pipe_write(q, o, a.data, a.len);
		done = a.len;
	} else {
		st = write_run(q, o, &a, &done);
	}
	if (st == ST_OK && !q->no_reply)
		write_encode(q, done);
	return st;
}
