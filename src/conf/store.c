/* store.c - the text of a configuration before it means anything.
 *
 * iniparser's dictionary keeps the values under "section:parameter"; its own file reader would cut
 * values at '#' and ';', so lex.c feeds it.  Beside each value stand file and line. */
#include "conf/room.h"
#include "base/util.h"
#include <string.h>

static int store_free(struct store *s)
{
	dictionary_del(s->d);
	return 0;
}

struct store *store_new(TALLOC_CTX *mem)
{
	struct store *s = talloc_zero(mem, struct store);

	s->d = dictionary_new(0);
	if (s->d == NULL)
		util_panic("no memory for a configuration");
	talloc_set_destructor(s, store_free);
	store_section(s, (struct where){ "", 0 }, "global");
	return s;
}

struct section *store_find(const struct store *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (name_eq(s->sec[i]->name, name))
			return s->sec[i];
	return NULL;
}

/* Blanks inside a name count once: "My  Files" is shown as "My Files". */
static char *tidy_name(TALLOC_CTX *mem, const char *name)
{
	char *out = talloc_strdup(mem, name), *p = out;

	for (const char *s = name; *s; s++) {
		bool is_blank = *s == ' ' || *s == '\t';

		if (is_blank && p > out && p[-1] == ' ')
			continue;
		*p++ = is_blank ? ' ' : *s;
	}
	*p = '\0';
	return out;
}

struct section *store_section(struct store *s, struct where w, const char *name)
{
	struct section *sec = store_find(s, name);

	if (sec != NULL) {
		if (sec->w.line == 0)
			sec->w = w;
		return sec;
	}
	sec = talloc_zero(s, struct section);
	sec->name = tidy_name(sec, name);
	sec->key = name_key(sec, name);
	sec->w = w;
	s->sec = talloc_realloc(s, s->sec, struct section *, (unsigned)s->n + 1);
	s->sec[s->n++] = sec;
	return sec;
}

static struct setting *find(const struct section *sec, const char *name)
{
	for (size_t i = 0; i < sec->n; i++)
		if (name_eq(sec->set[i].name, name))
			return &sec->set[i];
	return NULL;
}

const struct setting *store_get(const struct section *sec, const char *name)
{
	return find(sec, name);
}

const char *store_text(const struct store *s, const struct setting *set)
{
	return dictionary_get(s->d, set->key, "");
}

void store_set(struct store *s, struct section *sec, const struct setting *what, const char *value)
{
	struct setting *set = find(sec, what->name);
	const char *key;

	if (set == NULL) {
		char *tail = name_key(NULL, what->name);

		sec->set = talloc_realloc(sec, sec->set, struct setting, (unsigned)sec->n + 1);
		set = &sec->set[sec->n++];
		key = talloc_asprintf(sec, "%s:%s", sec->key, tail);
		talloc_free(tail);
	} else {
		key = set->key;
	}
	*set = *what;
	set->name = talloc_strdup(sec, what->name);
	set->key = key;
	if (dictionary_set(s->d, key, value) != 0)
		util_panic("no memory for a configuration");
}

void store_copy(struct store *s, struct section *to, const struct section *from)
{
	for (size_t i = 0; i < from->n; i++) {
		struct setting one = from->set[i], *there = find(to, one.name);

		if (there != NULL && !there->copied)
			continue;
		one.copied = true;
		store_set(s, to, &one, store_text(s, &from->set[i]));
	}
}
