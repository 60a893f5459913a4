/* shortname.c - 8.3 names, and the alias of a name that is none.
 *
 * An alias is made from the name alone, so it needs no memory and is the same for ever:
 *   hash2  P letters of the name, 6 - P digits of the hash, the mark, one more digit: LH2KQ9~7.TXT
 *   hash   five letters, the mark, two digits:                                         LONGF~7Q.TXT
 * Digits are in base 36; the hash is that of the lower-case name.  The extension is the first three legal
 * characters behind the last dot.  The way back is a look through the folder (scan.c). */
#include "fs/inner.h"

#define NOT_83 "\"*+,/:;<=>?[\\]| "

static bool char_83(unsigned char c)
{
	return c > 0x20 && c != 0x7f && c != '.' && !strchr(NOT_83, c);
}

/* Length in the dos charset of `n` bytes that hold only legal characters; 99 if one is not. */
static size_t part_83(const char *p, size_t n)
{
	char copy[64];
	bool ascii = true;

	if (n >= sizeof(copy))
		return 99;
	for (size_t i = 0; i < n; i++) {
		if (!char_83((unsigned char)p[i]))
			return 99;
		ascii = ascii && (unsigned char)p[i] < 0x80;
	}
	if (ascii)
		return n;
	memcpy(copy, p, n);
	copy[n] = '\0';
	return name_is_utf8(copy) && str_fits_oem(copy) ? str_to_oem(copy, NULL, 0) : 99;
}

bool fs_is_83(const char *name)
{
	const char *dot = strchr(name, '.');
	size_t base = dot ? (size_t)(dot - name) : strlen(name), n;

	if (dirent_is_dots(name))
		return true;
	n = base ? part_83(name, base) : 0;
	if (n < 1 || n > 8 || fs_name_reserved(name))
		return false;
	if (!dot)
		return true;
	n = part_83(dot + 1, strlen(dot + 1));
	return n >= 1 && n <= 3;
}

/* FNV-1a over the lower-case characters, or the bytes where they are no characters. */
static uint64_t name_hash(const char *name)
{
	bool text = name_is_utf8(name);
	uint64_t h = 0xcbf29ce484222325ull;

	while (*name) {
		uint32_t c = text ? str_next(&name) : (unsigned char)*name++;

		if (c < 0x10000 && text)
			c = str_lower_char((uint16_t)c);
		h = (h ^ c) * 0x100000001b3ull;
	}
	return h ^ h >> 29;
}

static char digit(uint64_t *h)
{
	char c = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[*h % 36];

	*h /= 36;
	return c;
}

static char letter(unsigned char c)
{
	return (char)(c >= 'a' && c <= 'z' ? c - 32 : c);
}

/* Up to max plain characters of a text, in upper case; others are left out or become '_'. */
static size_t take(const char *p, const char *end, size_t max, char *out)
{
	size_t n = 0;

	for (; p < end && n < max; p++) {
		unsigned char c = (unsigned char)*p;

		if (c < 0x80 && char_83(c))
			out[n++] = letter(c);
	}
	return n;
}

static void plan(size_t *keep, size_t *before)
{
	*keep = fs_process.old_hash ? 5 : fs_process.prefix;
	*before = fs_process.old_hash ? 0 : 6 - *keep;
}

void name_alias(const struct fs_share *s, const char *name, char out[64])
{
	const char *dot = strrchr(name, '.'), *end = name + strlen(name);
	uint64_t h = name_hash(name);
	size_t keep, before, n;

	plan(&keep, &before);
	if (dot == name)
		dot = NULL;
	n = take(name, dot ? dot : end, keep, out);
	while (n < keep)
		out[n++] = '_';
	while (before-- > 0)
		out[n++] = digit(&h);
	out[n++] = s->mark;
	out[n++] = digit(&h);
	if (fs_process.old_hash)
		out[n++] = digit(&h);
	if (dot) {
		size_t ext = take(dot + 1, end, 3, out + n + 1);

		out[n] = '.';
		n += ext ? ext + 1 : 0;
	}
	out[n] = '\0';
}

/* Could a client mean an alias?  The mark stands at its place. */
bool name_may_be_alias(const struct fs_share *s, const char *name)
{
	size_t keep, before;

	plan(&keep, &before);
	return s->aliases && strlen(name) <= 12 && strlen(name) > keep + before &&
	       name[keep + before] == s->mark;
}

void fs_short_name(const struct fs_share *share, const char *name, char out[64])
{
	out[0] = '\0';
	if (share->aliases && !fs_is_83(name))
		name_alias(share, name, out);
}
