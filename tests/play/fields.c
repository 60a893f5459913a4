/* fields.c - what a step has found out, and what the story expects of it. */
#include "play.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static struct field *new_field(struct play *p, const char *name)
{
	p->fields = talloc_realloc(p->step_mem, p->fields, struct field, (unsigned)p->nfields + 1);
	p->fields[p->nfields] = (struct field){ .name = talloc_strdup(p->step_mem, name) };
	return &p->fields[p->nfields++];
}

void field_num(struct play *p, const char *name, uint64_t v) { new_field(p, name)->num = v; }

void field_bytes(struct play *p, const char *name, const void *b, size_t n)
{
	struct field *f = new_field(p, name);

	f->is_bytes = true;
	f->p = n ? talloc_memdup(p->step_mem, b, n) : (const uint8_t *)"";
	f->n = n;
}

void field_text(struct play *p, const char *name, const char *s) { field_bytes(p, name, s, strlen(s)); }

/* ---- looking up ---- */

/* name[off:len] as a number. */
static bool look_inside(struct play *p, const char *name, struct field *out)
{
	const char *open = strchr(name, '[');
	unsigned long off, len;
	char *end;

	off = strtoul(open + 1, &end, 0);
	len = *end == ':' ? strtoul(end + 1, &end, 0) : 1;
	for (size_t i = p->nfields; i-- > 0;) {
		const struct field *f = &p->fields[i];

		if (strlen(f->name) != (size_t)(open - name) || strncmp(f->name, name, (size_t)(open - name)) != 0)
			continue;
		if (!f->is_bytes || off > f->n || len > f->n - off) {
			play_fail(p, "%s to be there, got %zu bytes", name, f->n);
			return false;
		}
		*out = (struct field){ .name = name, .is_bytes = len > 8, .p = f->p + off, .n = len };
		for (unsigned long k = len; k-- > 0 && len <= 8;)
			out->num = out->num << 8 | f->p[off + k];
		return true;
	}
	play_fail(p, "a field %s, which %s does not have", name, p->step->cmd);
	return false;
}

/* The latest of that name. */
static bool find(struct play *p, const char *name, struct field *out)
{
	if (strchr(name, '['))
		return look_inside(p, name, out);
	for (size_t i = p->nfields; i-- > 0;)
		if (strcmp(p->fields[i].name, name) == 0) {
			*out = p->fields[i];
			return true;
		}
	play_fail(p, "a field %s, which %s does not have", name, p->step->cmd);
	return false;
}

/* ---- comparing ---- */

static const char *shown(struct play *p, const uint8_t *b, size_t n)
{
	char *s = talloc_strdup(p->step_mem, "\"");

	for (size_t i = 0; i < n && i < 400; i++)
		s = isprint(b[i]) ? talloc_asprintf_append_buffer(s, "%c", b[i])
				  : talloc_asprintf_append_buffer(s, "<%02x>", b[i]);
	return talloc_asprintf(p->step_mem, "%s\"%s", s, n > 400 ? "..." : "");
}

static void expect_bytes(struct play *p, const struct arg *e, const struct field *f)
{
	bool same = f->n == e->v.len && (f->n == 0 || memcmp(f->p, e->v.text, f->n) == 0);
	bool part = e->v.len == 0 || memmem(f->p, f->n, e->v.text, e->v.len) != NULL;

	if (!f->is_bytes)
		play_fail(p, "%s to be text, got 0x%llx", e->name, (unsigned long long)f->num);
	else if (((e->op == '=' || e->op == 'e') && !same) || (e->op == '!' && same) || (e->op == '~' && !part))
		play_fail(p, "%s%s%s, got %s (%zu bytes)", e->name, e->op == '=' ? "=" : e->op == '!' ? "!=" : "~",
			  shown(p, (const uint8_t *)e->v.text, e->v.len), shown(p, f->p, f->n), f->n);
}

static bool holds(char op, uint64_t got, uint64_t want)
{
	switch (op) {
	case '=':
	case 'e':
		return got == want;
	case '!':
		return got != want;
	case '<':
		return got <= want;
	case '>':
		return got >= want;
	default: /* ~: these bits are set */
		return (got & want) == want;
	}
}

void bind_word(struct play *p, const char *word, uint64_t num)
{
	for (size_t i = 0; i < p->nbound; i++)
		if (strcmp(p->bound[i].name, word) == 0) {
			p->bound[i].num = num;
			return;
		}
	p->bound = talloc_realloc(p->mem, p->bound, struct bound, (unsigned)p->nbound + 1);
	p->bound[p->nbound++] = (struct bound){ .name = word, .num = num };
}

void field_expect(struct play *p, const struct arg *e)
{
	struct field f;
	uint64_t want;

	if (!find(p, e->name, &f))
		return;
	if (e->v.kind == VALUE_BYTES) {
		expect_bytes(p, e, &f);
		return;
	}
	if (f.is_bytes) {
		play_fail(p, "%s to be a number, got %s", e->name, shown(p, f.p, f.n));
		return;
	}
	if (e->v.kind == VALUE_WORD && isupper((unsigned char)e->v.text[0]) && e->op == '=') {
		bind_word(p, e->v.text, f.num);
		return;
	}
	f.num &= e->mask;
	want = value_num(p, &e->v, e->name);
	if (!p->why && !holds(e->op, f.num, want))
		play_fail(p, "%s%c%s%s (0x%llx), got %llu (0x%llx)", e->name, e->op == 'e' ? '=' : e->op,
			  e->op == '=' || e->op == '~' ? "" : "=",
			  e->v.text ? e->v.text : "", (unsigned long long)want, (unsigned long long)f.num,
			  (unsigned long long)f.num);
}
