/* data.c - bytes: readx writex read write readraw writeraw, and fill and fillraw, which write until the disk is full. */
#include "load.h"
#include <stdlib.h>
#include <string.h>

#define DISK_FULL 0xc000007fu
#define WRITES_MAX 65536 /* of fill and fillraw */
#define WRITTEN 0xa5     /* what these modes write differs from what the file is made with */

static uint8_t block[131072];
static uint8_t twist;    /* WRITTEN from the first write on */

/* What belongs at this place of the file. */
static uint8_t byte_at(uint64_t off) { return (uint8_t)(off * 7 + (off >> 8) * 13 + (off >> 16)) ^ twist; }

static void fill(uint8_t *p, uint64_t off, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		p[i] = byte_at(off + i);
}

static void check(const struct load *l, const uint8_t *p, uint64_t off, uint32_t n, uint32_t want)
{
	if (l->cut ? n > want : n != want)
		fail("%u bytes at %llu, wanted %u", n, (unsigned long long)off, want);
	for (uint32_t i = 0; i < n; i++)
		if (p[i] != byte_at(off + i) && (!l->cut || p[i] != 0))
			fail("wrong byte at %llu", (unsigned long long)(off + i));
}

/* Where operation i works: in turn through the file. */
static uint64_t place(const struct load *l, long i)
{
	uint64_t blocks = l->total / l->size;

	return blocks ? (uint64_t)i % blocks * l->size : 0;
}

/* Bytes of the reply at `at`, if they are there. */
static const uint8_t *reply_bytes(uint32_t at, uint32_t n)
{
	if (at > s.len || n > s.len - at)
		fail("lengths that do not fit");
	return s.in + 4 + at;
}

/* ---- reading ---- */

static void ask_readx_at(const struct load *l, uint64_t off, uint32_t n)
{
	struct wr *w = smb_begin(&s, 0x2e, 12);

	wr_u32(w, 0xff);
	wr_u16(w, l->fid);
	wr_u32(w, (uint32_t)off);
	wr_u16(w, (uint16_t)n);
	wr_u16(w, 0);
	wr_u32(w, n >> 16);
	wr_u16(w, 0);
	wr_u32(w, (uint32_t)(off >> 32));
	smb_bytes(&s);
	smb_send(&s);
}

static void take_readx_at(const struct load *l, uint64_t off, uint32_t want)
{
	uint32_t st = smb_recv(&s, !l->verify), n, data;
	struct rd r = smb_words(&s);

	if (st)
		fail("read: status 0x%08x", st);
	if (!l->verify)
		return;
	rd_skip(&r, 10);
	n = rd_u16(&r);
	data = rd_u16(&r);
	n |= rd_u32(&r) << 16;
	if (!rd_ok(&r))
		fail("read: a short reply");
	check(l, reply_bytes(data, n), off, n, want);
}

static void ask_readx(struct load *l, long i) { ask_readx_at(l, place(l, i), l->size); }

static void take_readx(struct load *l, long i)
{
	take_readx_at(l, place(l, i), l->size);
	l->moved += l->size;
}

static void ask_read(struct load *l, long i)
{
	struct wr *w = smb_begin(&s, 0x0a, 5);

	wr_u16(w, l->fid);
	wr_u16(w, (uint16_t)l->size);
	wr_u32(w, (uint32_t)place(l, i));
	wr_u16(w, 0);
	smb_bytes(&s);
	smb_send(&s);
}

static void take_read(struct load *l, long i)
{
	uint32_t st = smb_recv(&s, !l->verify), n;
	struct rd r = smb_words(&s);

	if (st)
		fail("read: status 0x%08x", st);
	l->moved += l->size;
	if (!l->verify)
		return;
	n = rd_u16(&r);
	check(l, reply_bytes(48, n), place(l, i), n, l->size); /* header, 5 words, byte count, block head */
}

static void need_raw(void)
{
	if (s.raw_max == 0)
		fail("the server has no raw mode");
}

static void op_readraw(struct load *l, long i)
{
	struct wr *w = smb_begin(&s, 0x1a, 10);
	uint64_t off = place(l, i);

	need_raw();
	wr_u16(w, l->fid);
	wr_u32(w, (uint32_t)off);
	wr_u16(w, (uint16_t)l->size);
	wr_u16(w, 0);
	wr_u32(w, 0);
	wr_u16(w, 0);
	wr_u32(w, (uint32_t)(off >> 32));
	smb_bytes(&s);
	smb_send(&s);
	smb_recv(&s, !l->verify);
	l->moved += s.len;
	if (l->verify)
		check(l, s.in + 4, off, s.len, l->size);
	else if (s.len != l->size)
		fail("raw read: %u bytes", s.len);
}

/* ---- writing ---- */

static void ask_writex_at(struct load *l, uint64_t off, uint32_t n)
{
	struct wr *w = smb_begin(&s, 0x2f, 14);

	wr_u32(w, 0xff);
	wr_u16(w, l->fid);
	wr_u32(w, (uint32_t)off);
	wr_u32(w, 0);
	wr_u16(w, 0);
	wr_u16(w, 0);
	wr_u16(w, (uint16_t)(n >> 16));
	wr_u16(w, (uint16_t)n);
	wr_u16(w, 64);
	wr_u32(w, (uint32_t)(off >> 32));
	w = smb_bytes(&s);
	wr_u8(w, 0);
	if (l->verify)
		fill(block, off, n);
	wr_bytes(w, block, n);
	smb_send(&s);
	l->moved += n;
}

/* How many bytes were acknowledged. */
static uint32_t take_writex_any(uint32_t *st)
{
	struct rd r;
	uint32_t n;

	*st = smb_recv(&s, false);
	r = smb_words(&s);
	rd_skip(&r, 4);
	n = rd_u16(&r);
	rd_skip(&r, 2);
	return *st ? 0 : n | (uint32_t)rd_u16(&r) << 16;
}

static void take_whole(const char *what, uint32_t want, uint32_t got, uint32_t st)
{
	if (st)
		fail("%s: status 0x%08x", what, st);
	if (got != want)
		fail("%s: %u bytes taken of %u", what, got, want);
}

static void ask_writex(struct load *l, long i)
{
	twist = WRITTEN;
	ask_writex_at(l, place(l, i), l->size);
}

static void take_writex(struct load *l, long i)
{
	uint32_t st, n = take_writex_any(&st);

	(void)i;
	take_whole("write", l->size, l->t.ideal ? l->size : n, st); /* that one does not count */
}

static void ask_write(struct load *l, long i)
{
	struct wr *w = smb_begin(&s, 0x0b, 5);

	twist = WRITTEN;
	wr_u16(w, l->fid);
	wr_u16(w, (uint16_t)l->size);
	wr_u32(w, (uint32_t)place(l, i));
	wr_u16(w, 0);
	w = smb_bytes(&s);
	wr_u8(w, 1);
	wr_u16(w, (uint16_t)l->size);
	if (l->verify)
		fill(block, place(l, i), l->size);
	wr_bytes(w, block, l->size);
	smb_send(&s);
	l->moved += l->size;
}

static void take_write(struct load *l, long i)
{
	uint32_t st = smb_recv(&s, false);
	struct rd r = smb_words(&s);

	(void)i;
	take_whole("write", l->size, rd_u16(&r), st);
}

/* The status of one raw write, that of the last answer if there were two. */
static uint32_t raw_write(struct load *l, uint64_t off)
{
	struct wr *w = smb_begin(&s, 0x1d, 12);
	uint32_t st;

	need_raw();
	wr_u16(w, l->fid);
	wr_u16(w, (uint16_t)l->size);
	wr_u16(w, 0);
	wr_u32(w, (uint32_t)off);
	wr_u32(w, 0);
	wr_u16(w, 1); /* write-through: a second reply says that it is done */
	wr_u32(w, 0);
	wr_u16(w, 0);
	wr_u16(w, 0);
	smb_bytes(&s);
	smb_send(&s);
	st = smb_recv(&s, false);
	if (st)
		return st;
	if (l->verify)
		fill(block, off, l->size);
	smb_raw_send(&s, block, l->size);
	l->moved += l->size;
	return smb_recv(&s, false);
}

static void op_writeraw(struct load *l, long i)
{
	uint32_t st;

	twist = WRITTEN;
	st = raw_write(l, place(l, i));
	if (st)
		fail("raw write: status 0x%08x", st);
}

/* All that was written, read again. */
static void end_write(struct load *l)
{
	long n = (long)(l->total / l->size);

	if (!l->verify)
		return;
	n = n < l->done ? n : l->done;
	for (long i = 0; i < n; i++) {
		ask_readx(l, i);
		take_readx(l, i);
	}
}

/* ---- until the disk is full ---- */

static void note(struct load *l, long i, uint32_t st, uint32_t n)
{
	if (st != 0 && st != DISK_FULL)
		fail("write %ld: status 0x%08x", i, st);
	if (i >= WRITES_MAX)
		fail("the disk does not fill");
	if (!l->taken)
		l->taken = calloc(WRITES_MAX, sizeof(*l->taken));
	l->full = l->full || st == DISK_FULL;
	l->taken[i] = n;
}

static void ask_fill(struct load *l, long i)
{
	twist = WRITTEN;
	ask_writex_at(l, (uint64_t)i * l->size, l->size);
}

static void take_fill(struct load *l, long i)
{
	uint32_t st, n = take_writex_any(&st);

	note(l, i, st, n);
}

static void op_fillraw(struct load *l, long i)
{
	uint32_t st;

	twist = WRITTEN;
	st = raw_write(l, (uint64_t)i * l->size);
	note(l, i, st, st ? 0 : l->size);
}

/* What was acknowledged is there, and there is room again. */
static void end_fill(struct load *l)
{
	if (!l->full)
		fail("the disk has not filled");
	for (long i = 0; i < l->done; i++) {
		if (l->taken[i] == 0)
			continue;
		ask_readx_at(l, (uint64_t)i * l->size, l->taken[i]);
		take_readx_at(l, (uint64_t)i * l->size, l->taken[i]);
	}
	smb_close_file(&s, l->fid);
	load_delete(l->file);
}

/* ---- the file ---- */

void load_prepare(struct load *l)
{
	bool verify = l->verify;
	uint32_t n, st, took;

	l->verify = true;
	l->fid = smb_open(&s, l->file, 0x12019f, 5);
	for (uint64_t off = 0; off < l->total; off += n) {
		n = (uint32_t)(l->total - off < 32768 ? l->total - off : 32768);
		ask_writex_at(l, off, n);
		took = take_writex_any(&st);
		take_whole("the file", n, took, st);
	}
	smb_close_file(&s, l->fid);
	l->verify = verify;
	l->moved = 0;
}

const struct mode data_modes[] = {
	{ "readx", ask_readx, take_readx, NULL, true },     { "read", ask_read, take_read, NULL, true },
	{ "readraw", op_readraw, NULL, NULL, true },        { "writex", ask_writex, take_writex, end_write, true },
	{ "write", ask_write, take_write, end_write, true }, { "writeraw", op_writeraw, NULL, end_write, true },
	{ "fill", ask_fill, take_fill, end_fill, true },    { "fillraw", op_fillraw, NULL, end_fill, true },
	{ 0 },
};
