/* json.c - writes JSON to a stream. */
#include "base/jsontext.h"
#include "ctl/json.h"
#include <inttypes.h>

static void put_text(FILE *to, const char *text)
{
	char *quoted = json_text(NULL, text);

	fputs(quoted ? quoted : "\"\"", to);
	talloc_free(quoted);
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
