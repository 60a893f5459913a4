/* copy_data.c - the bytes of COPY and MOVE.
 *
 * The kernel copies, and shares blocks where the file system can.  A source in text mode ends before its first ^Z, a
 * target in text mode gets one at its end, and what is appended to such a target takes the place of the one it had.
 * Verify: both are read again and compared.  MS-CIFS 2.2.4.34. */
#include "base/clock.h"
#include "base/util.h"
#include "cmd/copy.h"

#define PIECE (32u * 1024)
#define STEP (4u << 20) /* one call of the kernel: a few milliseconds where it really copies */
#define CTRL_Z 0x1au

/* The size of a text: up to the first ^Z. */
static status_t look_for_end(struct open *in, struct copy_data *d)
{
	uint8_t buf[PIECE];
	uint32_t got;
	status_t st = fs_read(in->fd, d->off, buf, (uint32_t)min_u64(d->size - d->off, sizeof(buf)), &got);
	const uint8_t *end = st == ST_OK ? memchr(buf, CTRL_Z, got) : NULL;

	if (end)
		d->size = d->off + (uint64_t)(end - buf);
	d->off = end || got == 0 ? d->size : d->off + got;
	return st;
}

static status_t copy_bytes(struct req *q, struct open *in, struct open *out, struct copy_data *d)
{
	uint64_t n = min_u64(d->size - d->off, STEP), done = 0;
	status_t st = open_may_read(q, in, d->off, n); /* others may have locked it meanwhile */

	if (st == ST_OK)
		st = fs_copy_data(in->fd, d->off, out->fd, d->at + d->off, n, &done);
	d->off += done;
	out->written |= done > 0;
	if (st == ST_OK && done == 0)
		d->size = d->off; /* the source has become shorter */
	return st;
}

static status_t compare(struct open *in, struct open *out, struct copy_data *d)
{
	uint8_t a[PIECE], b[PIECE];
	uint32_t got, also, n = (uint32_t)min_u64(d->size - d->off, PIECE);
	status_t st = fs_read(in->fd, d->off, a, n, &got);

	if (st == ST_OK)
		st = fs_read(out->fd, d->at + d->off, b, n, &also);
	if (st != ST_OK)
		return st;
	d->off += n;
	return got == n && also == n && memcmp(a, b, n) == 0 ? ST_OK : ST_DATA_ERROR;
}

static status_t replace_end(struct open *out, struct copy_data *d)
{
	uint8_t last = 0;
	uint32_t got = 0;
	status_t st = d->at ? fs_read(out->fd, d->at - 1, &last, 1, &got) : ST_OK;

	if (st == ST_OK && got == 1 && last == CTRL_Z)
		d->at--;
	return st;
}

static status_t put_end(struct open *out, uint64_t at)
{
	const uint8_t end = CTRL_Z;
	uint32_t done;
	status_t st = fs_write(out->fd, at, &end, 1, &done);

	return st == ST_OK && done == 0 ? ST_DISK_FULL : st;
}

/* A phase is over: what is done between it and the next. */
static status_t next_phase(struct open *out, const struct copy_how *how, struct copy_data *d)
{
	status_t st = ST_OK;

	switch (d->phase) {
	case COPY_LOOK_FOR_END:
		d->phase = COPY_BYTES;
		break;
	case COPY_BYTES:
		if (how->text_to)
			st = put_end(out, d->at + d->size);
		out->written = true;
		d->phase = how->verify ? COPY_COMPARE : COPY_OVER;
		break;
	case COPY_COMPARE:
	case COPY_OVER:
		d->phase = COPY_OVER;
		break;
	}
	d->off = 0;
	return st;
}

status_t copy_data_begin(struct open *in, struct open *out, const struct copy_how *how, struct copy_data *d)
{
	status_t st;

	*d = (struct copy_data){ .phase = how->text_from ? COPY_LOOK_FOR_END : COPY_BYTES };
	st = fs_size(in->fd, &d->size);
	if (st == ST_OK && how->append)
		st = fs_size(out->fd, &d->was);
	d->at = d->was;
	if (st == ST_OK && how->append && how->text_to)
		st = replace_end(out, d);
	return st;
}

status_t copy_data_go_on(struct req *q, struct open *in, struct open *out, const struct copy_how *how, struct copy_data *d)
{
	status_t st = ST_OK;

	while (st == ST_OK && d->phase != COPY_OVER) {
		if (d->off >= d->size)
			st = next_phase(out, how, d);
		else if (clock_ms() >= how->until)
			return ST_PENDING;
		else if (d->phase == COPY_LOOK_FOR_END)
			st = look_for_end(in, d);
		else if (d->phase == COPY_BYTES)
			st = copy_bytes(q, in, out, d);
		else
			st = compare(in, out, d);
	}
	return st;
}

void copy_data_undo(struct open *out, const struct copy_data *d)
{
	if (d->at < d->was)
		(void)put_end(out, d->at);
	(void)fs_truncate(out->fd, d->was);
}
