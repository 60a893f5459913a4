/* args.c - the arguments of a step. */
#include "play.h"

const struct arg *arg_find(const struct step *s, const char *name)
{
	for (size_t i = 0; i < s->nargs; i++)
		if (s->args[i].name && strcmp(s->args[i].name, name) == 0)
			return &s->args[i];
	return NULL;
}

bool arg_has_word(const struct step *s, const char *word)
{
	for (size_t i = 0; i < s->nargs; i++)
		if (!s->args[i].name && s->args[i].v.kind == VALUE_WORD && strcmp(s->args[i].v.text, word) == 0)
			return true;
	return false;
}

bool bound_find(const struct play *p, const char *word, uint64_t *num)
{
	for (size_t i = 0; i < p->nbound; i++)
		if (strcmp(p->bound[i].name, word) == 0) {
			*num = p->bound[i].num;
			return true;
		}
	return false;
}

uint64_t value_num(struct play *p, const struct value *v, const char *what)
{
	uint64_t num = 0;

	if (v->kind == VALUE_NUM)
		return v->num;
	if (v->kind == VALUE_WORD && !bound_find(p, v->text, &num))
		play_fail(p, "a number for %s, got the word %s", what, v->text);
	if (v->kind == VALUE_BYTES)
		play_fail(p, "a number for %s, got text", what);
	return num;
}

uint64_t arg_num(struct play *p, const struct step *s, const char *name, uint64_t otherwise)
{
	const struct arg *a = arg_find(s, name);

	return a ? value_num(p, &a->v, name) : otherwise;
}

static const struct arg *positional(const struct step *s, unsigned i)
{
	for (size_t k = 0; k < s->nargs; k++)
		if (!s->args[k].name && i-- == 0)
			return &s->args[k];
	return NULL;
}

uint64_t arg_pos_num(struct play *p, const struct step *s, unsigned i, uint64_t otherwise)
{
	const struct arg *a = positional(s, i);

	return a ? value_num(p, &a->v, s->cmd) : otherwise;
}

const char *arg_text(struct play *p, const struct step *s, const char *name, const char *otherwise)
{
	const struct arg *a = arg_find(s, name);

	(void)p;
	return a ? a->v.text : otherwise;
}

const char *arg_pos(const struct step *s, unsigned i, const char *otherwise)
{
	const struct arg *a = positional(s, i);

	return a ? a->v.text : otherwise;
}

const uint8_t *arg_bytes(struct play *p, const struct step *s, const char *name, size_t *n)
{
	const struct arg *a = arg_find(s, name);

	*n = 0;
	if (!a)
		return (const uint8_t *)"";
	if (a->v.kind != VALUE_BYTES)
		play_fail(p, "text or hex: for %s", name);
	*n = a->v.len;
	return (const uint8_t *)a->v.text;
}
