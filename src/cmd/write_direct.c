/* write_direct.c - see write_direct.h.
 *
 *   none --head here, data not all--> run --accepted--> data to the file --all have come--> answered
 *                                      `--refused, answered--> data dropped --all have come--> none
 *
 * An error of the file in the middle (disk full, quota), or a lock that somebody else gets in what is still to come, drops
 * the rest; the count in the answer says how much is there. */
#include "cmd/write_direct.h"
#include "cmd/write_group.h"
#include "srv/durable.h"
#include "srv/lock.h"
#include "srv/oplock.h"

#define LONG_WRITE (1u << 20) /* a longer one is not received as a whole even if the admin has said that none goes this way */

struct write_direct {
	const uint8_t *msg;      /* the request, while it is run */
	struct write_answer a;
	uint16_t fid;
	uint64_t off;
	status_t stopped;        /* why the rest is dropped */
	bool accepted, through;
	bool raw;                /* data of a WRITE_RAW: cmd/write_raw.c knows the rest */
};

struct place { uint32_t at, len; }; /* of the data, from the SMB header on */

/* A WRITE_ANDX on its own, to a file, whose data end with the frame, and all before them is here. */
static bool andx_fits(const struct conn *c, const struct wire_frame *f, const uint8_t *p, size_t have, struct place *data)
{
	struct rd r = rd_over(p + 4, have - 4);
	const struct open *o;
	struct smb_hdr h;
	uint32_t high;
	uint8_t wct;

	if (!wire_hdr_read(p + 4, have - 4, &h) || h.command != 0x2f || h.flags & FLAG_REPLY)
		return false;
	rd_seek(&r, SMB_HDR_LEN);
	wct = rd_u8(&r);
	if (rd_u8(&r) != 0xff) /* a chain */
		return false;
	rd_skip(&r, 3);
	o = open_find(c, rd_u16(&r));
	rd_skip(&r, 12);
	high = rd_u16(&r);
	data->len = rd_u16(&r);
	data->at = rd_u16(&r);
	if (c->caps & CAP_LARGE_WRITEX)
		data->len |= high << 16;
	return rd_ok(&r) && (wct == 12 || wct == 14) && o && o->kind == OPEN_FILE && o->fd >= 0 &&
	       data->at >= SMB_HDR_LEN + 1u + 2u * wct + 2u && data->at <= have - 4 &&
	       (uint64_t)data->at + data->len == f->len;
}

/* The part of the data that came with the head.  Where the rest goes: a descriptor, or -1. */
static int put_first(struct conn *c, struct write_direct *d, const uint8_t *p, uint32_t n)
{
	const struct open *o = d->accepted ? open_find(c, d->fid) : NULL;

	if (!o)
		return -1;
	d->a.status = fs_write(o->fd, d->off, p, n, &d->a.done);
	return d->a.status == ST_OK && d->a.done == n ? o->fd : -1;
}

/* The locks were looked at for the head; by now others may have got some. */
static bool may_go_on(void *arg, uint64_t off, size_t len)
{
	struct conn *c = arg;
	struct write_direct *d = c->direct;
	struct open *o = d->raw ? NULL : open_find(c, d->fid);

	if (d->raw)
		d->stopped = cmd_raw_may(c, off, len);
	else
		d->stopped = o ? lock_check_io(lock_pid(&d->a.h), o, off, len, true) : ST_INVALID_HANDLE;
	return d->stopped == ST_OK;
}

bool write_direct_begin(struct conn *c, const struct wire_frame *f, const uint8_t *p, size_t have)
{
	size_t least = c->conf->g.min_receivefile_size ? (size_t)c->conf->g.min_receivefile_size : LONG_WRITE, here;
	struct place data = { 0, f->len };
	struct write_direct *d;
	uint64_t off;
	int fd;

	if (f->len <= least || f->type != NBT_MESSAGE || c->crypt || c->sign.active || c->host->porch)
		return false;
	if (!(c->raw ? cmd_raw_takes(c, f->len) : andx_fits(c, f, p, have, &data) && data.len > least) ||
	    !fastio_can_divert(c->io, 4 + (size_t)f->len) || !(d = talloc_zero(c, struct write_direct)))
		return false;
	here = have - 4 - data.at;
	d->raw = c->raw != NULL;
	c->direct = d;
	fastio_consume(c->io, have); /* what is at p stays there until the next fill */
	if (d->raw) {
		fd = cmd_raw_begin(c, p + 4, (uint32_t)here, &off);
	} else {
		d->msg = p + 4;
		cmd_message(c, d->msg, data.at);
		d->msg = NULL;
		fd = put_first(c, d, p + 4 + data.at, (uint32_t)here);
		off = d->off + d->a.done;
	}
	fastio_divert(c->io, fd, off, data.len - here, may_go_on, c);
	(void)fastio_fill(c->io); /* more has come by now; an end shows again */
	return true;
}

bool write_direct_asks(const struct req *q) { return q->c->direct && q->c->direct->msg == q->msg; }

void write_direct_accept(struct req *q, struct open *o, uint64_t off, bool through)
{
	struct write_direct *d = q->c->direct;

	write_answer_later(q, &d->a);
	d->fid = o->fid;
	d->off = off;
	d->through = through;
	d->accepted = true;
	o->written = true; /* bytes are there even if the client leaves in the middle */
}

/* As in fs_write(): an error behind bytes that are there is told by their count. */
static status_t settle(struct conn *c, struct write_direct *d, size_t written, status_t rest)
{
	struct open *o = open_find(c, d->fid);

	if (!o) /* its tree was closed by the admin meanwhile */
		return ST_INVALID_HANDLE;
	d->a.done += (uint32_t)written;
	if (d->a.done == 0)
		return d->a.status != ST_OK ? d->a.status : rest;
	oplock_break_level2(c, o); /* of whoever got one, and read, while the bytes came */
	o->seek_pos = d->off + d->a.done;
	return durable_written(o, d->through);
}

void write_direct_end(struct conn *c)
{
	struct write_direct *d = c->direct;
	int error;
	size_t written = fastio_diverted(c->io, &error);
	status_t rest = d->stopped != ST_OK ? d->stopped : error != 0 ? fs_data_status(error) : ST_OK;

	c->direct = NULL;
	c->last_request = clock_ms();
	if (d->raw) {
		cmd_raw_end(c, written, rest);
	} else if (d->accepted) {
		d->a.status = settle(c, d, written, rest);
		write_answer(c, &d->a);
	}
	talloc_free(d);
	talloc_free_children(c->arena);
}
