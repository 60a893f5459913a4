/* story.c - reads a story. */
#include "story.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
	TALLOC_CTX *mem;
	const char *p;
	unsigned line;
	char *why;
};

static bool fail(struct parser *s, const char *what, const char *detail)
{
	if (!s->why)
		s->why = talloc_asprintf(s->mem, "%s%s%s", what, detail ? ": " : "", detail ? detail : "");
	return false;
}

/* ---- blanks ---- */

/* Blanks and comments inside a line. */
static void skip_blanks(struct parser *s)
{
	while (*s->p == ' ' || *s->p == '\t' || *s->p == '\r')
		s->p++;
	if (*s->p == '#')
		while (*s->p && *s->p != '\n')
			s->p++;
}

static void skip_ends(struct parser *s)
{
	for (skip_blanks(s); *s->p == '\n' || *s->p == ';'; skip_blanks(s)) {
		if (*s->p == '\n')
			s->line++;
		s->p++;
	}
}

static bool at_end_of_step(const struct parser *s)
{
	return *s->p == '\0' || *s->p == '\n' || *s->p == ';' || (*s->p == '}' && strchr(" \t\r\n;", s->p[1]));
}

/* ---- values ---- */

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void add(struct parser *s, struct value *v, const char *p, size_t n)
{
	char *all = talloc_size(s->mem, v->len + n + 1);

	if (v->len)
		memcpy(all, v->text, v->len);
	if (n)
		memcpy(all + v->len, p, n);
	v->len += n;
	all[v->len] = '\0';
	v->text = all;
}

/* "..." or '...' or hex:... ; appended once to *term. */
static bool read_term(struct parser *s, struct value *term)
{
	char quote = *s->p;

	*term = (struct value){ .kind = VALUE_BYTES, .text = "" };
	if (quote == '"' || quote == '\'') {
		const char *end = strchr(s->p + 1, quote);

		if (!end)
			return fail(s, "a text that does not end", NULL);
		add(s, term, s->p + 1, (size_t)(end - s->p - 1));
		s->p = end + 1;
		return true;
	}
	for (s->p += 4; hex_digit(s->p[0]) >= 0 && hex_digit(s->p[1]) >= 0; s->p += 2) {
		char c = (char)(hex_digit(s->p[0]) * 16 + hex_digit(s->p[1]));

		add(s, term, &c, 1);
	}
	return true;
}

static bool read_bytes(struct parser *s, struct value *v)
{
	*v = (struct value){ .kind = VALUE_BYTES, .text = "" };
	for (;;) {
		struct value term;
		unsigned long times = 1;

		if (*s->p != '"' && *s->p != '\'' && strncmp(s->p, "hex:", 4) != 0)
			return fail(s, "bytes expected behind +", NULL);
		if (!read_term(s, &term))
			return false;
		if (*s->p == '*') {
			char *end;

			times = strtoul(s->p + 1, &end, 0);
			s->p = end;
		}
		if (times > 1000000 || times * term.len > 10000000)
			return fail(s, "too many bytes", NULL);
		if (times == 1) {
			add(s, v, term.text, term.len);
		} else if (term.len) {
			char *all = talloc_size(s->mem, times * term.len + 1);

			for (unsigned long i = 0; i < times; i++)
				memcpy(all + i * term.len, term.text, term.len);
			add(s, v, all, times * term.len);
		}
		if (*s->p != '+')
			return true;
		s->p++;
	}
}

static bool read_value(struct parser *s, struct value *v)
{
	const char *start = s->p;
	char *word, *end;

	if (*s->p == '"' || *s->p == '\'' || strncmp(s->p, "hex:", 4) == 0)
		return read_bytes(s, v);
	while (*s->p && !strchr(" \t\r\n;", *s->p))
		s->p++;
	word = talloc_strndup(s->mem, start, (size_t)(s->p - start));
	*v = (struct value){ .kind = VALUE_WORD, .text = word, .len = strlen(word) };
	if (!isdigit((unsigned char)word[0]) && word[0] != '-')
		return true;
	errno = 0;
	v->num = strtoull(word, &end, 0);
	if (*end == '\0' && end != word && errno == 0)
		v->kind = VALUE_NUM;
	return true;
}

/* ---- arguments ---- */

/* name, name[1:2], name&0x3 with an operator behind; a->name stays NULL when it is none. */
static void read_name(struct parser *s, struct arg *a)
{
	const char *q = s->p, *end;
	uint64_t mask = UINT64_MAX;
	char *after;

	if (!isalpha((unsigned char)*q) && *q != '_')
		return;
	while (isalnum((unsigned char)*q) || *q == '_' || *q == '.')
		q++;
	if (*q == '[')
		while (*q && *q != ']' && *q != '\n')
			q++;
	if (*q == ']')
		q++;
	end = q;
	if (*q == '&' && isdigit((unsigned char)q[1])) {
		mask = strtoull(q + 1, &after, 0);
		q = after;
	}
	a->op = *q;
	if (*q == '=' && q[1] == '=')
		q += 2, a->op = 'e';
	else if (*q == '=' || *q == '~')
		q++;
	else if ((*q == '!' || *q == '<' || *q == '>') && q[1] == '=')
		q += 2;
	else
		return;
	a->mask = mask;
	a->name = talloc_strndup(s->mem, s->p, (size_t)(end - s->p));
	s->p = q;
}

static bool read_args(struct parser *s, struct arg **list, size_t *n)
{
	for (skip_blanks(s); !at_end_of_step(s); skip_blanks(s)) {
		struct arg a = { .op = '=' };

		if ((s->p[0] == '-' && s->p[1] == '>') || *s->p == '{')
			return true;
		read_name(s, &a);
		if (!read_value(s, &a.v))
			return false;
		*list = talloc_realloc(s->mem, *list, struct arg, (unsigned)*n + 1);
		(*list)[(*n)++] = a;
	}
	return true;
}

/* ---- steps ---- */

/* Everything up to a line that is only `}`. */
static bool read_config(struct parser *s, struct step *st)
{
	const char *start, *q;

	q = strchr(s->p, '\n');
	if (!q)
		return fail(s, "config without a block", NULL);
	s->line++;
	for (start = ++q; *q; q++) {
		const char *line = q;

		while (*line == ' ' || *line == '\t')
			line++;
		if (*line == '}') {
			st->text = talloc_strndup(s->mem, start, (size_t)(q - start));
			s->p = line + 1;
			return true;
		}
		q = strchr(q, '\n');
		if (!q)
			break;
		s->line++;
	}
	return fail(s, "a config block that does not end", NULL);
}

static bool read_steps(struct parser *s, bool inner, struct step **list, size_t *n);

static bool read_step(struct parser *s, struct step *st)
{
	const char *start;

	*st = (struct step){ .line = s->line, .client = 1 };
	if (isdigit((unsigned char)s->p[0]) && s->p[1] == ':') {
		st->client = (unsigned)(s->p[0] - '0');
		s->p += 2;
		skip_blanks(s);
	}
	for (start = s->p; isalnum((unsigned char)*s->p) || *s->p == '_'; s->p++)
		;
	if (s->p == start || st->client == 0)
		return fail(s, "a command was expected", NULL);
	st->cmd = talloc_strndup(s->mem, start, (size_t)(s->p - start));
	if (!read_args(s, &st->args, &st->nargs))
		return false;
	if (*s->p == '{') {
		s->p++;
		if (strcmp(st->cmd, "config") == 0)
			return read_config(s, st);
		if (!read_steps(s, true, &st->inner, &st->ninner))
			return false;
		skip_blanks(s);
	}
	if (s->p[0] == '-' && s->p[1] == '>') {
		s->p += 2;
		st->expects = true;
		return read_args(s, &st->expect, &st->nexpect);
	}
	return true;
}

static bool read_steps(struct parser *s, bool inner, struct step **list, size_t *n)
{
	for (skip_ends(s); *s->p; skip_ends(s)) {
		struct step st;

		if (inner && *s->p == '}') {
			s->p++;
			return true;
		}
		if (!read_step(s, &st))
			return false;
		if (!at_end_of_step(s))
			return fail(s, "rubbish behind a step", NULL);
		*list = talloc_realloc(s->mem, *list, struct step, (unsigned)*n + 1);
		(*list)[(*n)++] = st;
	}
	return !inner || fail(s, "a block that does not end", NULL);
}

/* ---- file ---- */

static char *slurp(TALLOC_CTX *mem, const char *file)
{
	FILE *f = fopen(file, "r");
	char *text = talloc_strdup(mem, ""), buf[4096];
	size_t n;

	if (!f)
		return NULL;
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		text = talloc_strndup_append_buffer(text, buf, n);
	fclose(f);
	return text;
}

bool story_read(TALLOC_CTX *mem, const char *file, struct story **out, char **why, unsigned *line)
{
	struct story *st = talloc_zero(mem, struct story);
	struct parser s = { .mem = st, .line = 1 };

	*line = 0;
	s.p = slurp(st, file);
	if (!s.p) {
		*why = talloc_asprintf(mem, "cannot read it: %s", strerror(errno));
		return false;
	}
	st->file = talloc_strdup(st, file);
	if (!read_steps(&s, false, &st->steps, &st->n)) {
		*why = s.why;
		*line = s.line;
		return false;
	}
	*out = st;
	return true;
}
