/* jsontext.c - text as a JSON string. */
#include "base/jsontext.h"
#include <stdio.h>
#include <string.h>

/* The length of the UTF-8 character at p, 0 if it is none (overlong, surrogate, too high, cut). */
static unsigned utf8_length(const unsigned char *p)
{
	unsigned n = p[0] < 0x80 ? 1 : p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;

	if (n == 1)
		return 1;
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return 0;
	for (unsigned i = 1; i < n; i++) /* the NUL at the end ends this too */
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf0 && p[1] < 0x90) ||
	    (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return n;
}

char *json_text(TALLOC_CTX *mem, const char *text)
{
	const unsigned char *p = (const unsigned char *)(text ? text : "");
	size_t cap = 6 * strlen((const char *)p) + 3, at = 1; /* a byte becomes six at most */
	char *out = talloc_size(mem, cap);

	if (!out)
		return NULL;
	out[0] = '"';
	while (*p) {
		unsigned n = utf8_length(p);

		if (n == 0)
			at += (size_t)snprintf(out + at, cap - at, "\\ufffd");
		else if (*p == '"' || *p == '\\')
			at += (size_t)snprintf(out + at, cap - at, "\\%c", *p);
		else if (*p < 0x20 || *p == 0x7f)
			at += (size_t)snprintf(out + at, cap - at, "\\u%04x", *p);
		else if (*p == 0xc2 && p[1] < 0xa0) /* terminals obey these too */
			at += (size_t)snprintf(out + at, cap - at, "\\u%04x", p[1]);
		else
			memcpy(out + at, p, n), at += n;
		p += n ? n : 1;
	}
	out[at++] = '"';
	out[at] = '\0';
	return out;
}
