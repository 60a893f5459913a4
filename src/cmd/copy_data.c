/* copy_data.c - the bytes of COPY and MOVE.
 *
 * The kernel copies, and shares blocks where the file system can.  A source in text mode ends before its first ^Z, a
 * target in text mode gets one at its end, and what is appended to such a target takes the place of the one it had.
 * Verify: both are read again and compared.  MS-CIFS 2.2.4.34. */
#include "base/util.h"
#include "cmd/names.h"

#define PIECE (32u * 1024)
#define CTRL_Z 0x1au

struct copying {
	struct open *in, *out;
	uint64_t size, at; /* bytes to copy, to where */
};

/* The size of a text: up to the first ^Z. */
static status_t cut_at_ctrl_z(struct copying *c)
{
	uint8_t buf[PIECE];
	uint32_t got;

	for (uint64_t off = 0; off < c->size; off += got) {
		status_t st = fs_read(c->in->fd, off, buf, (uint32_t)min_u64(c->size - off, sizeof(buf)), &got);
		const uint8_t *end = st == ST_OK ? memchr(buf, CTRL_Z, got) : NULL;

		if (st != ST_OK)
			return st;
		if (end)
			c->size = off + (uint64_t)(end - buf);
		if (end || got == 0)
			return ST_OK;
	}
	return ST_OK;
}

static status_t append_to_text(struct copying *c)
{
	uint8_t last = 0;
	uint32_t got = 0;
	status_t st = c->at ? fs_read(c->out->fd, c->at - 1, &last, 1, &got) : ST_OK;

	if (st == ST_OK && got == 1 && last == CTRL_Z)
		c->at--;
	return st;
}

static status_t end_text(const struct copying *c)
{
	const uint8_t end = CTRL_Z;
	uint32_t done;
	status_t st = fs_write(c->out->fd, c->at + c->size, &end, 1, &done);

	return st == ST_OK && done == 0 ? ST_DISK_FULL : st;
}

static status_t compare(const struct copying *c)
{
	uint8_t a[PIECE], b[PIECE];
	uint32_t got, also;

	for (uint64_t off = 0; off < c->size; off += got) {
		uint32_t n = (uint32_t)min_u64(c->size - off, PIECE);
		status_t st = fs_read(c->in->fd, off, a, n, &got);

		if (st == ST_OK)
			st = fs_read(c->out->fd, c->at + off, b, n, &also);
		if (st != ST_OK)
			return st;
		if (got != n || also != n || memcmp(a, b, n) != 0)
			return ST_DATA_ERROR;
	}
	return ST_OK;
}

/* Where it begins and how much there is. */
static status_t plan(struct req *q, struct copying *c, const struct copy_how *how)
{
	status_t st = fs_size(c->in->fd, &c->size);

	if (st == ST_OK)
		st = open_may_read(q, c->in, 0, c->size); /* others may have locked a part */
	if (st == ST_OK && how->text_from)
		st = cut_at_ctrl_z(c);
	if (st == ST_OK && how->append)
		st = fs_size(c->out->fd, &c->at);
	if (st == ST_OK && how->append && how->text_to)
		st = append_to_text(c);
	return st;
}

status_t copy_contents(struct req *q, struct open *in, struct open *out, const struct copy_how *how,
		       const struct fs_stat *st)
{
	const struct fs_times t = { .write = st->write };
	struct copying c = { .in = in, .out = out };
	uint64_t done = 0;
	status_t s = plan(q, &c, how);

	if (s == ST_OK)
		s = fs_copy_data(in->fd, 0, out->fd, c.at, c.size, &done);
	c.size = min_u64(c.size, done);
	if (s == ST_OK && how->text_to)
		s = end_text(&c);
	if (s == ST_OK && how->verify)
		s = compare(&c);
	if (s == ST_OK && !how->append)
		fs_set_times(out->node, out->fd, &t);
	out->written = true;
	return s;
}
