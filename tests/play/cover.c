/* cover.c - the outcomes that stories have seen: kept, merged, written, read. */
#include "cover.h"
#include <stdlib.h>
#include <string.h>

const struct cover_row *cover_find(const struct coverage *all, const char *table, uint32_t number)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->row[i].number == number && strcmp(all->row[i].table, table) == 0)
			return &all->row[i];
	return NULL;
}

static struct cover_row *row_of(struct coverage *all, const char *table, uint32_t number)
{
	const struct cover_row *have = cover_find(all, table, number);

	if (have)
		return &all->row[have - all->row];
	all->row = talloc_realloc(all, all->row, struct cover_row, (unsigned)all->n + 1);
	all->row[all->n] = (struct cover_row){ .table = talloc_strdup(all, table), .number = number };
	return &all->row[all->n++];
}

void cover_keep(struct coverage *all, const struct coverage *seen, const char *story)
{
	const char *base = strrchr(story, '/');
	char *name;

	base = base ? base + 1 : story;
	name = talloc_strndup(all, base, strcspn(base, "."));
	for (size_t i = 0; i < seen->n; i++) {
		const struct cover_row *s = &seen->row[i];
		struct cover_row *r = row_of(all, s->table, s->number);

		if (s->right && !r->right)
			r->right = name;
		if (s->wrong && !r->wrong) {
			r->wrong = name;
			r->status = talloc_strdup(all, s->status);
		}
	}
}

/* ---- as a file ---- */

static int by_number(const void *a, const void *b)
{
	const struct cover_row *x = a, *y = b;
	int d = strcmp(x->table, y->table);

	return d ? d : x->number < y->number ? -1 : x->number > y->number;
}

void cover_write(struct coverage *all, FILE *to)
{
	if (all->n)
		qsort(all->row, all->n, sizeof(*all->row), by_number);
	for (size_t i = 0; i < all->n; i++) {
		const struct cover_row *r = &all->row[i];

		fprintf(to, "%s 0x%x %s %s %s\n", r->table, r->number, r->right ? r->right : "-",
			r->wrong ? r->wrong : "-", r->status ? r->status : "-");
	}
}

static const char *word(TALLOC_CTX *mem, const char *s)
{
	return strcmp(s, "-") == 0 ? NULL : talloc_strdup(mem, s);
}

bool cover_read(TALLOC_CTX *mem, FILE *from, struct coverage **out)
{
	struct coverage *all = talloc_zero(mem, struct coverage);
	char line[400], table[60], right[80], wrong[80], status[60];

	*out = all;
	while (fgets(line, sizeof(line), from)) {
		struct cover_row *r;
		unsigned number;

		if (sscanf(line, "%59s %x %79s %79s %59s", table, &number, right, wrong, status) != 5)
			return false;
		r = row_of(all, table, number);
		r->right = word(all, right);
		r->wrong = word(all, wrong);
		r->status = word(all, status);
	}
	return true;
}
