/* names.c - wildcards of commands that change names. */
#include "cmd/names.h"
#include "base/budget.h"
#include "base/util.h"

#define MOST 65536u /* names one command may mean */
#define NAME_BYTES 112u /* what one costs besides its own */

const char *names_last(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_dots(const char *name)
{
	return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

static status_t add(struct req *q, char ***list, size_t *n, const char *pattern, const char *name)
{
	int folder = (int)(names_last(pattern) - pattern);

	if (!budget_allows((size_t)folder + strlen(name) + NAME_BYTES))
		return ST_INSUFF_SERVER_RESOURCES;
	if (*n % 64 == 0) {
		char **more = talloc_realloc(q->mem, *list, char *, (unsigned)(*n + 64));

		if (!more || *n >= MOST)
			return ST_NO_MEMORY;
		*list = more;
	}
	(*list)[*n] = talloc_asprintf(q->mem, "%.*s%s", folder, pattern, name);
	return (*list)[(*n)++] ? ST_OK : ST_NO_MEMORY;
}

status_t names_matching(struct req *q, const char *pattern, uint16_t attrs, char ***list, size_t *n)
{
	const struct fs_entry *e;
	struct search *s;
	status_t st;

	*list = NULL;
	*n = 0;
	if (fs_has_wildcard(pattern) && strpbrk(pattern, "*?<>\"") < names_last(pattern))
		return ST_OBJECT_NAME_INVALID;
	st = search_new(q, pattern, attrs & 0xff, FS_DIR_STAT, &s);
	if (st != ST_OK)
		return st;
	while (st == ST_OK && search_next(s, &e) == ST_OK)
		if (!is_dots(e->name))
			st = add(q, list, n, pattern, e->name);
	search_free(&s);
	return st == ST_OK && *n == 0 ? ST_NO_SUCH_FILE : st;
}

TALLOC_CTX *names_one(struct req *q)
{
	TALLOC_CTX *all = q->mem, *one = talloc_new(all);

	if (one)
		q->mem = one;
	return all;
}

void names_one_over(struct req *q, TALLOC_CTX *all)
{
	if (q->mem != all)
		talloc_free(q->mem);
	q->mem = all;
}

/* One part, name or extension: up to `end` of the source. */
static char *fill(char *out, const char *from, const char *end, const char *pat, const char *pat_end)
{
	for (; pat < pat_end; pat++) {
		if (*pat == '*' || *pat == '<') {
			while (from < end)
				*out++ = *from++;
			continue;
		}
		if (*pat != '?' && *pat != '>')
			*out++ = *pat == '"' ? '.' : *pat;
		else if (from < end)
			*out++ = *from;
		from += from < end;
	}
	return out;
}

static const char *dot_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? dot : name + strlen(name);
}

char *names_target(TALLOC_CTX *mem, const char *from, const char *to)
{
	const char *name = names_last(from), *pat = names_last(to);
	const char *name_dot = dot_of(name), *pat_dot = dot_of(pat);
	size_t folder = (size_t)(pat - to);
	char *path = talloc_size(mem, strlen(to) + 2 * strlen(name) + 4), *w = path;

	if (!path)
		return NULL;
	memcpy(w, to, folder);
	w = fill(w + folder, name, name_dot, pat, pat_dot);
	if (*pat_dot) {
		char *ext = w + 1;

		*w = '.';
		w = fill(ext, *name_dot ? name_dot + 1 : name_dot, name_dot + strlen(name_dot), pat_dot + 1,
			 pat + strlen(pat));
		if (w == ext) /* a name without an extension gets no dot */
			w--;
	} else if (pat_dot > pat && (pat_dot[-1] == '*' || pat_dot[-1] == '<')) { /* `*` alone: the extension too */
		size_t n = strlen(name_dot);

		memcpy(w, name_dot, n);
		w += n;
	}
	*w = '\0';
	return path;
}
