/* convert.c - text of smb.conf to fields and back, by the table. */
#include "conf/room.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BOOL_YES "yes|true|1|on"
#define BOOL_NO "no|false|0|off"

static const char *first_word(TALLOC_CTX *mem, const char *spellings)
{
	return talloc_strndup(mem, spellings, strcspn(spellings, "|"));
}

static const char *to_bool(TALLOC_CTX *mem, const char *text, bool inverse, bool *out)
{
	bool yes = name_among(BOOL_YES, text, true, NULL);

	if (!yes && !name_among(BOOL_NO, text, true, NULL))
		return talloc_asprintf(mem, "\"%s\" is neither yes nor no", text);
	*out = yes != inverse;
	return NULL;
}

static const char *to_enum(TALLOC_CTX *mem, const struct param *p, const char *text, int *out)
{
	char *all = talloc_strdup(mem, "");

	for (const struct word *w = p->words; w->spellings; w++) {
		if (*text && name_among(w->spellings, text, true, NULL)) {
			*out = w->value;
			return NULL;
		}
		all = talloc_asprintf_append(all, "%s%s", w == p->words ? "" : ", ",
					     first_word(all, w->spellings));
	}
	return talloc_asprintf(mem, "\"%s\" is none of: %s", text, all);
}

/* 64K, 1M, 2G behind a number; 0 if it is something else. */
static int64_t unit_of(const char *s)
{
	static const char letters[] = "kmg";
	const char *at;

	if (*s == '\0')
		return 1;
	if (s[0] >= 'A' && s[0] <= 'Z')
		at = memchr(letters, s[0] + 32, 3);
	else
		at = memchr(letters, s[0], 3);
	if (at == NULL || s[1] != '\0')
		return 0;
	return INT64_C(1) << (10 * (at - letters + 1));
}

static const char *to_int(TALLOC_CTX *mem, const struct param *p, const char *text, int64_t *out)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	long long v;
	int64_t unit;
	char *end;

	errno = 0;
	v = strtoll(text, &end, hex ? 16 : 10);
	unit = p->type == P_SIZE ? unit_of(end) : *end == '\0';
	if (end == text || unit == 0 || *text == '\0')
		return talloc_asprintf(mem, "\"%s\" is no number", text);
	if (errno == ERANGE || __builtin_mul_overflow(v, unit, &v) || v < p->lo || v > p->hi)
		return talloc_asprintf(mem, "\"%s\" is out of range: %lld to %lld", text, (long long)p->lo,
				       (long long)p->hi);
	*out = v;
	return NULL;
}

static const char *to_octal(TALLOC_CTX *mem, const struct param *p, const char *text, int64_t *out)
{
	size_t digits = strspn(text, "01234567");
	unsigned long v;

	if (text[0] == '\0' || text[digits] != '\0')
		return talloc_asprintf(mem, "\"%s\" is no octal number such as 0755", text);
	errno = 0;
	v = strtoul(text, NULL, 8);
	if (errno == ERANGE || v > (unsigned long)p->hi)
		return talloc_asprintf(mem, "\"%s\" is out of range: 0 to %04llo", text,
				       (unsigned long long)p->hi);
	*out = (int64_t)v;
	return NULL;
}

/* One pair of quotes around the whole value is for the reader, not for us. */
const char *convert_text(TALLOC_CTX *mem, const char *text)
{
	size_t len = strlen(text);

	if (len >= 2 && text[0] == '"' && text[len - 1] == '"' && memchr(text + 1, '"', len - 2) == NULL)
		return talloc_strndup(mem, text + 1, len - 2);
	return talloc_strdup(mem, text);
}

static bool separates(char c)
{
	return c == ' ' || c == '\t' || c == ',' || c == '\r' || c == '\n';
}

/* The next item of a list, or NULL; quotes are dropped, what they hold is kept. */
static char *next_item(TALLOC_CTX *mem, const char **s)
{
	const char *p = *s;
	char *item, *o;
	bool quoted = false;

	while (separates(*p))
		p++;
	if (*p == '\0')
		return NULL;
	o = item = talloc_array(mem, char, (unsigned)strlen(p) + 1);
	for (; *p && (quoted || !separates(*p)); p++) {
		if (*p == '"')
			quoted = !quoted;
		else
			*o++ = *p;
	}
	*o = '\0';
	*s = p;
	return talloc_realloc(mem, item, char, (unsigned)(o - item) + 1);
}

const char *const *convert_list(TALLOC_CTX *mem, const char *text)
{
	const char **list = talloc_array(mem, const char *, 1);
	unsigned n = 0;
	char *item;

	while ((item = next_item(list, &text)) != NULL) {
		if (*item == '\0') {
			talloc_free(item);
			continue;
		}
		list = talloc_realloc(mem, list, const char *, n + 2);
		list[n++] = item;
	}
	list[n] = NULL;
	return list;
}

const char *convert(TALLOC_CTX *mem, const struct param *p, const char *text, bool inverse, void *field)
{
	switch (p->type) {
	case P_BOOL:
		return to_bool(mem, text, inverse, field);
	case P_ENUM:
		return to_enum(mem, p, text, field);
	case P_INT:
	case P_SIZE:
		return to_int(mem, p, text, field);
	case P_OCTAL:
		return to_octal(mem, p, text, field);
	case P_STR:
		*(const char **)field = convert_text(mem, text);
		return NULL;
	case P_LIST:
		*(const char *const **)field = convert_list(mem, text);
		return NULL;
	case P_LANGUAGE:
	case P_UNUSED:
	case P_HEAD:
		break;
	}
	return NULL;
}

void convert_defaults(TALLOC_CTX *mem, bool global, struct conf_globals *g, struct conf_params *s)
{
	for (const struct param *p = param_table; p < param_table + param_count; p++)
		if (param_has_field(p) && p->global == global)
			convert(mem, p, p->def, false, param_field(p, g, s));
}

static char *show_list(TALLOC_CTX *mem, const char *const *list)
{
	char *out = talloc_strdup(mem, "");

	for (size_t i = 0; list[i]; i++) {
		const char *quote = strpbrk(list[i], " \t,") ? "\"" : "";

		out = talloc_asprintf_append_buffer(out, "%s%s%s%s", i ? ", " : "", quote, list[i], quote);
	}
	return out;
}

static char *show_string(TALLOC_CTX *mem, const char *s)
{
	size_t len = strlen(s);
	bool outer = len && (strchr(" \t", s[0]) || strchr(" \t", s[len - 1]) || s[len - 1] == '\\');

	return talloc_asprintf(mem, outer ? "\"%s\"" : "%s", s);
}

char *convert_show(TALLOC_CTX *mem, const struct param *p, const void *field)
{
	switch (p->type) {
	case P_BOOL:
		return talloc_strdup(mem, *(const bool *)field ? "Yes" : "No");
	case P_INT:
	case P_SIZE:
		return talloc_asprintf(mem, "%lld", (long long)*(const int64_t *)field);
	case P_OCTAL:
		return talloc_asprintf(mem, "%04llo", (unsigned long long)*(const int64_t *)field);
	case P_STR:
		return show_string(mem, *(const char *const *)field);
	case P_LIST:
		return show_list(mem, *(const char *const *const *)field);
	case P_ENUM:
		for (const struct word *w = p->words; w->spellings; w++)
			if (w->value == *(const int *)field)
				return talloc_strndup(mem, w->spellings, strcspn(w->spellings, "|"));
		break;
	case P_LANGUAGE:
	case P_UNUSED:
	case P_HEAD:
		break;
	}
	return talloc_strdup(mem, "");
}

static bool same_list(const char *const *a, const char *const *b)
{
	while (*a && *b)
		if (strcmp(*a++, *b++) != 0)
			return false;
	return *a == *b;
}

bool convert_same(const struct param *p, const void *a, const void *b)
{
	switch (p->type) {
	case P_BOOL:
		return *(const bool *)a == *(const bool *)b;
	case P_INT:
	case P_SIZE:
	case P_OCTAL:
		return *(const int64_t *)a == *(const int64_t *)b;
	case P_ENUM:
		return *(const int *)a == *(const int *)b;
	case P_STR:
		return strcmp(*(const char *const *)a, *(const char *const *)b) == 0;
	case P_LIST:
		return same_list(*(const char *const *const *)a, *(const char *const *const *)b);
	case P_LANGUAGE:
	case P_UNUSED:
	case P_HEAD:
		break;
	}
	return true;
}
