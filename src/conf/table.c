/* table.c - params.def turned into an array, and looking a name up in it. */
#include "conf/room.h"
#include "base/util.h"
#include <string.h>

#define WORDS(name) static const struct word words_##name[] = {
#define WORD(name, val, spell) { .spellings = spell, .value = CONF_##name##_##val },
#define WORDS_END { .spellings = NULL } };
#include "conf/words.def"
#undef WORDS
#undef WORD
#undef WORDS_END

#define ACTS PARAM_ACTS, ""
#define LATER PARAM_LATER, "not built yet"
#define NO(reason) PARAM_NO, reason
#define START RELOAD_START
#define NEW RELOAD_NEW
#define TREE RELOAD_TREE
#define NOW RELOAD_NOW
#define CONF_GLOBAL_G true
#define CONF_GLOBAL_S false
#define CONF_OFFSET_G(field) offsetof(struct conf_globals, field)
#define CONF_OFFSET_S(field) offsetof(struct conf_params, field)

/* ACTS, LATER and NO() stand for two columns; ..._OF() gives them the time to become two. */
#define ROW(t, scope, field, name_, syn_, def_, lo_, hi_, words_, reload_, acts_, why_, help_) \
	{ .type = t, .global = CONF_GLOBAL_##scope, .name = name_, .syn = syn_, .def = def_, .lo = lo_, .hi = hi_, \
	  .words = words_, .offset = CONF_OFFSET_##scope(field), .reload = reload_, .acts = acts_, .why = why_, \
	  .help = help_ },
#define ROW_OF(...) ROW(__VA_ARGS__)
#define PLAIN(t, hi, scope, field, name, syn, def, reload, acts, why, help) \
	ROW(t, scope, field, name, syn, def, 0, hi, NULL, reload, acts, why, help)
#define PLAIN_OF(...) PLAIN(__VA_ARGS__)
#define BOOL(...) PLAIN_OF(P_BOOL, 1, __VA_ARGS__)
#define OCTAL(...) PLAIN_OF(P_OCTAL, 07777, __VA_ARGS__)
#define STR(...) PLAIN_OF(P_STR, 0, __VA_ARGS__)
#define LIST(...) PLAIN_OF(P_LIST, 0, __VA_ARGS__)
#define INT(scope, field, name, syn, def, lo, hi, reload, acts, help) \
	ROW_OF(P_INT, scope, field, name, syn, def, lo, hi, NULL, reload, acts, help)
#define SIZE(scope, field, name, syn, def, lo, hi, reload, acts, help) \
	ROW_OF(P_SIZE, scope, field, name, syn, def, lo, hi, NULL, reload, acts, help)
#define ENUM(scope, field, name, syn, def, words, reload, acts, help) \
	ROW_OF(P_ENUM, scope, field, name, syn, def, 0, 0, words_##words, reload, acts, help)
#define HEAD(title) { .type = P_HEAD, .name = title, .syn = "", .def = "", .why = "", .help = "" },
#define LANGUAGE(scope, name_, syn_, help_) \
	{ .type = P_LANGUAGE, .global = CONF_GLOBAL_##scope, .name = name_, .syn = syn_, .def = "", .why = "", \
	  .help = help_ },
#define UNUSED(scope, name_, syn_, why_) \
	{ .type = P_UNUSED, .global = CONF_GLOBAL_##scope, .name = name_, .syn = syn_, .def = "", .acts = PARAM_NO, \
	  .why = why_, .help = "" },

const struct param param_table[] = {
#include "conf/params.def"
};
const size_t param_count = ARRAY_LEN(param_table);

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* The next letter of a name that counts, moving *s behind it; 0 at the end. */
static char next_letter(const char **s, const char *end, bool loose)
{
	while (*s < end && (is_blank(**s) || (loose && (**s == '-' || **s == '_'))))
		(*s)++;
	return *s < end ? lower(*(*s)++) : '\0';
}

static bool same(const char *a, size_t alen, const char *b, bool loose)
{
	const char *aend = a + alen, *bend = b + strlen(b);
	char c;

	do {
		c = next_letter(&a, aend, loose);
		if (c != next_letter(&b, bend, loose))
			return false;
	} while (c != '\0');
	return true;
}

bool name_eq(const char *a, const char *b)
{
	return same(a, strlen(a), b, false);
}

char *name_key(TALLOC_CTX *mem, const char *name)
{
	const char *end = name + strlen(name);
	char *key = talloc_strdup(mem, name), *p = key;

	do {
		*p = next_letter(&name, end, false);
	} while (*p++ != '\0');
	return key;
}

bool name_among(const char *parts, const char *name, bool loose, bool *inverse)
{
	size_t len;

	for (; *parts; parts += len + (parts[len] == '|')) {
		bool opposite = *parts == '!';

		parts += opposite;
		len = strcspn(parts, "|");
		if (len && same(parts, len, name, loose)) {
			if (inverse)
				*inverse = opposite;
			return true;
		}
	}
	return false;
}

const struct param *param_find(const char *name, bool *inverse)
{
	*inverse = false;
	for (const struct param *p = param_table; p < param_table + param_count; p++) {
		if (p->type == P_HEAD)
			continue;
		if (name_eq(p->name, name) || name_among(p->syn, name, false, inverse))
			return p;
	}
	return NULL;
}

/* Remembers the nearer of two names. */
static void nearer(TALLOC_CTX *tmp, const char *wanted, const char *name, size_t len, unsigned *best,
		   char **found)
{
	char *one = talloc_strndup(tmp, name, len);
	unsigned d = util_distance(wanted, name_key(tmp, one));

	if (d < *best) {
		*best = d;
		*found = one;
	}
}

const char *param_nearest(TALLOC_CTX *mem, const char *name)
{
	TALLOC_CTX *tmp = talloc_new(mem);
	const char *wanted = name_key(tmp, name);
	size_t len = strlen(wanted);
	unsigned best = len <= 4 ? 2 : len <= 8 ? 3 : 4; /* one, two or three letters may be wrong */
	char *found = NULL;

	for (const struct param *p = param_table; len < 64 && p < param_table + param_count; p++) {
		if (p->type == P_HEAD)
			continue;
		nearer(tmp, wanted, p->name, strlen(p->name), &best, &found);
		for (const char *s = p->syn; *s; s += strcspn(s, "|"), s += *s == '|') {
			s += *s == '!';
			nearer(tmp, wanted, s, strcspn(s, "|"), &best, &found);
		}
	}
	found = talloc_steal(mem, found);
	talloc_free(tmp);
	return found;
}
