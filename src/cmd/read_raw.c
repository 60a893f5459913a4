/* read_raw.c - READ_RAW (0x1a): bytes of a file as one bare frame, the fast path of the nineties.
 *
 *   W=8 or 10: FID, offset32, most, least, timeout32, reserved, [offset high]
 *   reply: frame head and data, no SMB header
 *
 * MS-CIFS 2.2.4.22.  Oddities: whatever goes wrong (FID, end of file, lock, access) the answer is a frame of no
 * bytes, and the client asks by READ for the reason (reports 87); the same when it may not come at all (signing,
 * `read raw = no`, an oplock break on its way); the least count is never waited for.  Bare frames cannot be sealed: on
 * an encrypted connection the answer is an error, and at the end of a chain, whose other answers need a message. */
#include "base/util.h"
#include "cmd/cmd.h"

struct raw_piece {
	struct open *o;
	uint64_t off;
	uint32_t want;
};

/* How many bytes can be sent: 0 for every reason not to. */
static uint32_t raw_decide(struct req *q, struct raw_piece *r)
{
	struct rd *w = &q->words;
	uint64_t size;

	r->o = req_open(q, rd_u16(w));
	r->off = rd_u32(w);
	r->want = rd_u16(w);
	rd_skip(w, 8);
	if (q->wct == 10)
		r->off |= (uint64_t)rd_u32(w) << 32;
	if (!rd_ok(w) || !r->o || r->o->kind != OPEN_FILE || q->c->sign.active || !q->c->conf->g.read_raw ||
	    q->c->breaking > 0)
		return 0;
	if (open_may_read(q, r->o, r->off, r->want) != ST_OK || r->off > INT64_MAX ||
	    fs_size(r->o->fd, &size) != ST_OK || r->off >= size)
		return 0;
	return (uint32_t)min_u64(r->want, size - r->off);
}

status_t cmd_read_raw(struct req *q)
{
	struct rope rope = { .n = 0 };
	struct raw_piece r;
	uint8_t *out = q->c->out;
	uint32_t len, got;

	if (q->c->crypt)
		return ST_SMB_USE_STANDARD;
	if (q->chained)
		return ST_INVALID_SMB;
	len = got = raw_decide(q, &r);
	q->raw_reply = true;
	if (len > 0 && !cmd_sends_file(r.o, len)) {
		if (fs_read(r.o->fd, r.off, out + 4, len, &got) != ST_OK)
			got = 0;
		wire_frame_write(out, NBT_MESSAGE, got);
		rope_mem(&rope, out, 4 + (size_t)got);
	} else {
		wire_frame_write(out, NBT_MESSAGE, len);
		rope_mem(&rope, out, 4);
		if (len > 0)
			rope_file(&rope, r.o->fd, r.off, len);
	}
	if (fastio_send(q->c->io, &rope) == FASTIO_ERROR && !q->c->dead)
		q->c->dead = "the client is gone";
	return ST_OK;
}
