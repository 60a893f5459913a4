/* json.c - writes JSON to a stream. */
#include "ctl/json.h"
#include <inttypes.h>

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

static void put_text(FILE *to, const char *text)
{
	const unsigned char *p = (const unsigned char *)(text ? text : "");

	putc('"', to);
	while (*p) {
		unsigned n = utf8_length(p);

		if (n == 0)
			fputs("\\ufffd", to);
		else if (*p == '"' || *p == '\\')
			fprintf(to, "\\%c", *p);
		else if (*p < 0x20 || *p == 0x7f)
			fprintf(to, "\\u%04x", *p);
		else if (*p == 0xc2 && p[1] < 0xa0) /* terminals obey these too */
			fprintf(to, "\\u%04x", p[1]);
		else
			fwrite(p, 1, n, to);
		p += n ? n : 1;
	}
	putc('"', to);
}

static void indent(struct json *j)
{
	putc('\n', j->to);
	for (unsigned i = 0; i < j->depth; i++)
		fputs("  ", j->to);
}

static void put_key(struct json *j, const char *key)
{
	if (j->some)
		putc(',', j->to);
	if (j->depth > 0)
		indent(j);
	if (key) {
		put_text(j->to, key);
		fputs(": ", j->to);
	}
	j->some = true;
}

void json_open(struct json *j, const char *key)
{
	put_key(j, key);
	putc('{', j->to);
	j->depth++;
	j->some = false;
}

void json_close(struct json *j)
{
	j->depth--;
	if (j->some)
		indent(j);
	putc('}', j->to);
	if (j->depth == 0)
		putc('\n', j->to);
	j->some = true;
}

void json_str(struct json *j, const char *key, const char *value)
{
	put_key(j, key);
	put_text(j->to, value);
}

void json_num(struct json *j, const char *key, uint64_t value)
{
	put_key(j, key);
	fprintf(j->to, "%" PRIu64, value);
}

void json_bool(struct json *j, const char *key, bool value)
{
	put_key(j, key);
	fputs(value ? "true" : "false", j->to);
}

void json_hex(struct json *j, const char *key, uint32_t value)
{
	put_key(j, key);
	fprintf(j->to, "\"0x%08" PRIX32 "\"", value);
}
