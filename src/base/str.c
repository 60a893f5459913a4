/* str.c - charsets. */
#include "base/str.h"
#include "base/util.h"
#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A one-byte code page as tables; wider ones go through iconv. */
static struct charset {
	iconv_t to, from; /* UTF-8 -> charset, charset -> UTF-8 */
	bool coded, single; /* not UTF-8; a byte a character */
	uint16_t to_ucs[256];
	uint8_t from_ucs[65536]; /* 0 = not in the page (but for U+0000) */
} charsets[3] SELDOM; /* the third: for the next change */
static struct charset *dos = &charsets[0], *disk = &charsets[1], *fresh = &charsets[2];

void str_wipe(void *p, size_t n) { explicit_bzero(p, n); }

char *str_join(TALLOC_CTX *mem, const char *a, const char *b, const char *c)
{
	size_t na = strlen(a), nb = strlen(b), nc = strlen(c);
	char *out = talloc_size(mem, na + nb + nc + 1);

	if (!out)
		return NULL;
	memcpy(out, a, na);
	memcpy(out + na, b, nb);
	memcpy(out + na + nb, c, nc + 1);
	return out;
}

uint32_t str_next(const char **s)
{
	const unsigned char *p = (const unsigned char *)*s;
	uint32_t c = p[0];
	int more = 0;

	if (c == 0)
		return 0;
	if (c < 0x80) {
		*s += 1;
		return c;
	}
	if (c >= 0xc2 && c < 0xe0) {
		c &= 0x1f;
		more = 1;
	} else if (c >= 0xe0 && c < 0xf0) {
		c &= 0x0f;
		more = 2;
	} else if (c >= 0xf0 && c < 0xf5) {
		c &= 0x07;
		more = 3;
	}
	for (int i = 1; i <= more; i++) {
		if ((p[i] & 0xc0) != 0x80) {
			more = 0;
			break;
		}
		c = c << 6 | (p[i] & 0x3fu);
	}
	if (more == 0 || (more == 2 && c < 0x800) || (more == 3 && (c < 0x10000 || c > 0x10ffff))) {
		*s += 1;
		return 0xfffd;
	}
	*s += 1 + more;
	return c;
}

char *str_put(char *p, uint32_t c)
{
	if (c < 0x80) {
		*p++ = (char)c;
	} else if (c < 0x800) {
		*p++ = (char)(0xc0 | c >> 6);
		*p++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*p++ = (char)(0xe0 | c >> 12);
		*p++ = (char)(0x80 | (c >> 6 & 0x3f));
		*p++ = (char)(0x80 | (c & 0x3f));
	} else {
		*p++ = (char)(0xf0 | c >> 18);
		*p++ = (char)(0x80 | (c >> 12 & 0x3f));
		*p++ = (char)(0x80 | (c >> 6 & 0x3f));
		*p++ = (char)(0x80 | (c & 0x3f));
	}
	return p;
}

/* ---- UTF-16: plain ASCII goes four characters a step ---- */

#define UNITS(v) ((v) * 0x0001000100010001ull)

/* The lowest zero unit shows in the top bit of its place; above it there may be others. */
static inline bool has_nul(uint64_t v) { return ((v - UNITS(1ull)) & ~v & UNITS(0x8000ull)) != 0; }
static inline bool ascii_units(uint64_t v) { return (v & UNITS(0xff80ull)) == 0; }

/* The low bytes of four units. */
static inline uint32_t narrow(uint64_t v)
{
	v = (v | v >> 8) & 0x0000ffff0000ffffull;
	return (uint32_t)(v | v >> 16);
}

static inline uint64_t widen(uint32_t four)
{
	uint64_t v = four;

	v = (v | v << 16) & 0x0000ffff0000ffffull;
	return (v | v << 8) & 0x00ff00ff00ff00ffull;
}

void str_from_utf16_in(char *out, const uint8_t *p, size_t bytes)
{
	size_t units = bytes / 2;
	char *w = out;

	for (size_t i = 0; i < units; i++) {
		uint32_t c;

		for (; i + 4 <= units; i += 4, w += 4) {
			uint64_t four = get_u64(p + 2 * i);

			if (!ascii_units(four) || has_nul(four))
				break;
			put_u32(w, narrow(four));
		}
		c = i < units ? get_u16(p + 2 * i) : 0;
		if (c == 0)
			break;
		if (c < 0x80) {
			*w++ = (char)c;
			continue;
		}
		if (c >= 0xd800 && c < 0xdc00 && i + 1 < units) {
			uint32_t d = get_u16(p + 2 * i + 2);

			if (d >= 0xdc00 && d < 0xe000) {
				c = 0x10000 + ((c - 0xd800) << 10) + (d - 0xdc00);
				i++;
			}
		}
		w = str_put(w, c);
	}
	*w = '\0';
}

char *str_from_utf16(TALLOC_CTX *mem, const uint8_t *p, size_t bytes)
{
	char *out = talloc_size(mem, STR_FROM_UTF16_ROOM(bytes));

	if (out)
		str_from_utf16_in(out, p, bytes);
	return out;
}

size_t str_utf16_len(const uint8_t *p, size_t bytes)
{
	size_t i = 0;

	while (i + 8 <= bytes && !has_nul(get_u64(p + i)))
		i += 8;
	while (i + 2 <= bytes && get_u16(p + i))
		i += 2;
	return i;
}

static size_t utf16_bytes(const char *s)
{
	size_t need = 0;

	while (*s)
		need += str_next(&s) > 0xffff ? 4 : 2;
	return need;
}

/* As many characters as are ASCII, at most n; the units have room. */
static size_t widen_ascii(const char *s, size_t n, uint8_t *w)
{
	size_t i = 0;

	for (; i + 4 <= n; i += 4) {
		uint32_t four = get_u32(s + i);

		if (four & 0x80808080u)
			break;
		put_u64(w + 2 * i, widen(four));
	}
	for (; i < n && (signed char)s[i] > 0; i++)
		put_u16(w + 2 * i, (unsigned char)s[i]);
	return i;
}

/* Text that has other characters too, into units that have room for it. */
static uint8_t *widen_text(const char *s, uint8_t *w)
{
	while (*s) {
		uint32_t c = str_next(&s);

		if (c > 0xffff) {
			c -= 0x10000;
			put_u16(w, (uint16_t)(0xd800 + (c >> 10)));
			put_u16(w + 2, (uint16_t)(0xdc00 + (c & 0x3ff)));
			w += 4;
		} else {
			put_u16(w, (uint16_t)c);
			w += 2;
		}
	}
	return w;
}

size_t str_to_utf16(const char *s, uint8_t *out, size_t cap)
{
	size_t len = strlen(s), need, ascii;

	if (!out || cap / 2 < len) { /* else it is sure to fit: no character takes more than twice its bytes */
		need = utf16_bytes(s);
		if (need > cap || !out)
			return need;
	}
	ascii = widen_ascii(s, len, out);
	if (ascii == len)
		return 2 * len;
	return (size_t)(widen_text(s + ascii, out + 2 * ascii) - out);
}

/* ---- charsets ---- */

/* Fills the tables of a one-byte page; false if some byte does not stand alone. */
static bool tabulate(struct charset *cs)
{
	for (int b = 1; b < 256; b++) {
		char in = (char)b, utf8[8] = "", *ip = &in, *op = utf8;
		size_t il = 1, ol = sizeof(utf8) - 1;
		const char *q = utf8;
		uint32_t c = 0xfffd;

		iconv(cs->from, NULL, NULL, NULL, NULL);
		if (iconv(cs->from, &ip, &il, &op, &ol) != (size_t)-1) {
			*op = '\0';
			c = str_next(&q);
			if (*q)
				return false;
		} else if (errno == EINVAL) {
			return false; /* first byte of two */
		}
		if (c > 0xffff)
			c = 0xfffd;
		cs->to_ucs[b] = (uint16_t)c;
		if (c != 0xfffd && cs->from_ucs[c] == 0)
			cs->from_ucs[c] = (uint8_t)b;
	}
	return true;
}

static bool open_charset(struct charset *cs, const char *name)
{
	for (int b = 1; b < 256; b++) /* of an earlier page; few of its 64 KiB, which are memory of every process, are touched */
		cs->from_ucs[cs->to_ucs[b]] = 0;
	memset(cs, 0, offsetof(struct charset, from_ucs));
	cs->to = cs->from = (iconv_t)-1;
	cs->coded = strcasecmp(name, "UTF-8") != 0 && strcasecmp(name, "UTF8") != 0;
	if (!cs->coded)
		return true;
	cs->to = iconv_open(name, "UTF-8");
	cs->from = iconv_open("UTF-8", name);
	if (cs->to == (iconv_t)-1 || cs->from == (iconv_t)-1)
		return false;
	cs->single = tabulate(cs);
	return true;
}

static void close_charset(struct charset *cs)
{
	if (!cs->coded)
		return;
	if (cs->to != (iconv_t)-1)
		iconv_close(cs->to);
	if (cs->from != (iconv_t)-1)
		iconv_close(cs->from);
}

static bool replace_charset(struct charset **cs, const char *name)
{
	struct charset *old = *cs;

	if (!open_charset(fresh, name)) {
		close_charset(fresh);
		return false;
	}
	close_charset(old);
	*cs = fresh;
	fresh = old;
	return true;
}

bool str_setup(const char *dos_charset, const char *unix_charset, const char **why)
{
	static char text[160];

	(void)str_upper_char(0); /* fills the table */
	*why = NULL;
	if (!replace_charset(&dos, dos_charset))
		snprintf(text, sizeof(text), "`dos charset = %s` is unknown to this system's iconv", dos_charset);
	else if (!replace_charset(&disk, unix_charset))
		snprintf(text, sizeof(text), "`unix charset = %s` is unknown to this system's iconv", unix_charset);
	else
		return true;
	*why = text;
	return false;
}

/* Bytes of a charset to UTF-8, stopping before NUL. */
static char *decode(TALLOC_CTX *mem, struct charset *cs, const uint8_t *p, size_t n)
{
	const uint8_t *nul = memchr(p, 0, n);
	char *out, *w, *in = (char *)(uintptr_t)p;
	size_t room;

	if (nul)
		n = (size_t)(nul - p);
	out = w = talloc_size(mem, n * 4 + 1);
	if (!out)
		return NULL;
	if (!cs->coded) {
		memcpy(out, p, n);
		out[n] = '\0';
		return out;
	}
	if (cs->single) {
		for (size_t i = 0; i < n; i++)
			w = p[i] < 0x80 ? (*w = (char)p[i], w + 1) : str_put(w, cs->to_ucs[p[i]]);
		*w = '\0';
		return out;
	}
	room = n * 4;
	iconv(cs->from, NULL, NULL, NULL, NULL);
	while (n > 0) {
		if (iconv(cs->from, &in, &n, &w, &room) != (size_t)-1)
			break;
		in++; /* a byte without meaning */
		n--;
		w = str_put(w, 0xfffd);
		room -= 3;
	}
	*w = '\0';
	return out;
}

/* One character into a charset: bytes written (0 = not in it). */
static size_t encode_char(struct charset *cs, uint32_t c, uint8_t *out)
{
	char utf8[4], *ip = utf8, *op = (char *)out;
	size_t il = (size_t)(str_put(utf8, c) - utf8), ol = 4;

	if (c < 0x80) {
		out[0] = (uint8_t)c;
		return 1;
	}
	if (!cs->coded) {
		memcpy(out, utf8, il);
		return il;
	}
	if (cs->single) {
		if (c > 0xffff || cs->from_ucs[c] == 0)
			return 0;
		out[0] = cs->from_ucs[c];
		return 1;
	}
	iconv(cs->to, NULL, NULL, NULL, NULL);
	if (iconv(cs->to, &ip, &il, &op, &ol) == (size_t)-1)
		return 0;
	return (size_t)(op - (char *)out);
}

static size_t encode(struct charset *cs, const char *s, uint8_t *out, size_t cap, bool *lost)
{
	size_t need = 0;

	*lost = false;
	while (*s) {
		uint8_t b[8];
		size_t n = encode_char(cs, str_next(&s), b);

		if (n == 0) {
			b[0] = '_';
			n = 1;
			*lost = true;
		}
		if (out && need + n <= cap)
			memcpy(out + need, b, n);
		need += n;
	}
	return need;
}

char *str_from_oem(TALLOC_CTX *mem, const uint8_t *p, size_t bytes) { return decode(mem, dos, p, bytes); }

size_t str_to_oem(const char *s, uint8_t *out, size_t cap)
{
	bool lost;

	return encode(dos, s, out, cap, &lost);
}

bool str_fits_oem(const char *s)
{
	bool lost;

	encode(dos, s, NULL, 0, &lost);
	return !lost;
}

const char *str_from_disk(TALLOC_CTX *mem, const char *name)
{
	return !disk->coded ? name : decode(mem, disk, (const uint8_t *)name, strlen(name));
}

static __attribute__((noinline)) const char *disk_copy(TALLOC_CTX *mem, const char *s)
{
	bool lost;
	size_t need;
	char *out;

	need = encode(disk, s, NULL, 0, &lost);
	out = talloc_size(mem, need + 1);
	if (!out)
		return NULL;
	encode(disk, s, (uint8_t *)out, need, &lost);
	out[need] = '\0';
	return out;
}

const char *str_to_disk(TALLOC_CTX *mem, const char *s) { return !disk->coded ? s : disk_copy(mem, s); }
