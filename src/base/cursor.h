/* cursor.h - the only way bytes are read from or written to a buffer.
 *
 * Reading: set up a window, read field after field, ask rd_ok() once at the end.  A read
 * outside the window gives zero and sets the sticky "bad" mark, so no field can be read
 * that was not received.  Offsets (rd_seek, rd_tell) count from `msg`, which is the first
 * byte of the SMB header when the window lies in a message.
 *
 * Writing mirrors it: a write past the end is dropped and sets "bad".  Every byte between
 * the start and `pos` was written by us (gaps are zeroed), so no stale memory goes out. */
#ifndef SMB1D_BASE_CURSOR_H
#define SMB1D_BASE_CURSOR_H
#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Fields of bytes that somebody has counted: rd_take(), wr_take() of a whole block.  One load or store each. */
static inline uint16_t get_u16(const void *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return le16toh(v);
}

static inline uint32_t get_u32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return le32toh(v);
}

static inline uint64_t get_u64(const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return le64toh(v);
}

static inline void put_u16(void *p, uint16_t v)
{
	v = htole16(v);
	memcpy(p, &v, sizeof(v));
}

static inline void put_u32(void *p, uint32_t v)
{
	v = htole32(v);
	memcpy(p, &v, sizeof(v));
}

static inline void put_u64(void *p, uint64_t v)
{
	v = htole64(v);
	memcpy(p, &v, sizeof(v));
}

struct rd {
	const uint8_t *msg; /* offsets count from here */
	uint32_t pos, end;  /* next byte, first byte not to be read */
	bool bad;
};

static inline struct rd rd_over(const void *p, size_t len)
{
	return (struct rd){ .msg = p, .end = len > 0x7fffffffu ? 0x7fffffffu : (uint32_t)len };
}

/* A window of `len` bytes at offset `off` of the same message; bad if it leaves r's message
 * end (`r->end`). */
static inline struct rd rd_window(const struct rd *r, uint32_t off, uint32_t len)
{
	struct rd w = *r;

	if (off > r->end || len > r->end - off) {
		w.pos = w.end = r->end;
		w.bad = true;
		return w;
	}
	w.pos = off;
	w.end = off + len;
	w.bad = false;
	return w;
}

static inline bool rd_ok(const struct rd *r) { return !r->bad; }
static inline uint32_t rd_left(const struct rd *r) { return r->end - r->pos; }
static inline uint32_t rd_tell(const struct rd *r) { return r->pos; }

/* The next n bytes, or NULL (and bad).  The pointer lives as long as the message. */
static inline const uint8_t *rd_take(struct rd *r, uint32_t n)
{
	const uint8_t *p = r->msg + r->pos;

	if (n > r->end - r->pos) {
		r->bad = true;
		r->pos = r->end;
		return NULL;
	}
	r->pos += n;
	return p;
}

static inline void rd_skip(struct rd *r, uint32_t n) { (void)rd_take(r, n); }

static inline void rd_seek(struct rd *r, uint32_t off)
{
	if (off > r->end) {
		r->bad = true;
		off = r->end;
	}
	r->pos = off;
}

/* Move forward to a multiple of n (a power of two) counted from msg; never past the end. */
static inline void rd_align(struct rd *r, uint32_t n)
{
	uint32_t to = (r->pos + n - 1) & ~(n - 1);

	r->pos = to > r->end ? r->end : to;
}

static inline uint8_t rd_u8(struct rd *r)
{
	const uint8_t *p = rd_take(r, 1);

	return p ? p[0] : 0;
}

static inline uint16_t rd_u16(struct rd *r)
{
	const uint8_t *p = rd_take(r, 2);

	return p ? get_u16(p) : 0;
}

static inline uint32_t rd_u32(struct rd *r)
{
	const uint8_t *p = rd_take(r, 4);

	return p ? get_u32(p) : 0;
}

static inline uint64_t rd_u64(struct rd *r)
{
	const uint8_t *p = rd_take(r, 8);

	return p ? get_u64(p) : 0;
}

static inline uint16_t rd_be16(struct rd *r)
{
	const uint8_t *p = rd_take(r, 2);

	return p ? (uint16_t)((unsigned)p[0] << 8 | (unsigned)p[1]) : 0;
}

static inline uint32_t rd_be32(struct rd *r)
{
	uint32_t high = rd_be16(r);

	return high << 16 | rd_be16(r);
}

/* Copies n bytes to dst; on a short window dst is zeroed and bad is set. */
static inline void rd_copy(struct rd *r, void *dst, uint32_t n)
{
	const uint8_t *p = rd_take(r, n);

	if (p)
		memcpy(dst, p, n);
	else
		memset(dst, 0, n);
}

struct wr {
	uint8_t *msg;      /* offsets count from here */
	uint32_t pos, cap; /* next byte to write, bytes that fit */
	bool bad;
};

static inline struct wr wr_over(void *p, size_t cap)
{
	return (struct wr){ .msg = p, .cap = cap > 0x7fffffffu ? 0x7fffffffu : (uint32_t)cap };
}

static inline bool wr_ok(const struct wr *w) { return !w->bad; }
static inline uint32_t wr_tell(const struct wr *w) { return w->pos; }
static inline uint32_t wr_left(const struct wr *w) { return w->cap - w->pos; }

/* Room for n bytes that the caller fills whole at once, or NULL (and bad). */
static inline uint8_t *wr_take(struct wr *w, uint32_t n)
{
	uint8_t *p = w->msg + w->pos;

	if (w->bad || n > w->cap - w->pos) {
		w->bad = true;
		return NULL;
	}
	w->pos += n;
	return p;
}

static inline void wr_zero(struct wr *w, uint32_t n)
{
	uint8_t *p = wr_take(w, n);

	if (p)
		memset(p, 0, n);
}

static inline void wr_bytes(struct wr *w, const void *src, size_t n)
{
	uint8_t *p = n > 0x7fffffffu ? NULL : wr_take(w, (uint32_t)n);

	if (p && n)
		memcpy(p, src, n);
	else if (!p)
		w->bad = true;
}

static inline void wr_u8(struct wr *w, uint8_t v)
{
	uint8_t *p = wr_take(w, 1);

	if (p)
		p[0] = v;
}

static inline void wr_u16(struct wr *w, uint16_t v)
{
	uint8_t *p = wr_take(w, 2);

	if (p)
		put_u16(p, v);
}

static inline void wr_u32(struct wr *w, uint32_t v)
{
	uint8_t *p = wr_take(w, 4);

	if (p)
		put_u32(p, v);
}

static inline void wr_u64(struct wr *w, uint64_t v)
{
	uint8_t *p = wr_take(w, 8);

	if (p)
		put_u64(p, v);
}

static inline void wr_be16(struct wr *w, uint16_t v)
{
	wr_u8(w, (uint8_t)(v >> 8));
	wr_u8(w, (uint8_t)v);
}

static inline void wr_be32(struct wr *w, uint32_t v)
{
	wr_be16(w, (uint16_t)(v >> 16));
	wr_be16(w, (uint16_t)v);
}

/* Zero bytes up to a multiple of n (a power of two) counted from msg. */
static inline void wr_align(struct wr *w, uint32_t n)
{
	wr_zero(w, (n - (w->pos & (n - 1))) & (n - 1));
}

/* Patch a field that was written before (a length, an offset, a count).  Once something did not fit, offsets
 * told since then are not where one thinks: nothing is patched. */
static inline void wr_u16_at(struct wr *w, uint32_t off, uint16_t v)
{
	if (w->bad || off > w->pos || w->pos - off < 2)
		w->bad = true;
	else
		put_u16(w->msg + off, v);
}

static inline void wr_u32_at(struct wr *w, uint32_t off, uint32_t v)
{
	if (w->bad || off > w->pos || w->pos - off < 4)
		w->bad = true;
	else
		put_u32(w->msg + off, v);
}
#endif
