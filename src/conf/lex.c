/* lex.c - a file cut into logical lines.
 *
 * smb.conf(5): a line is a [section], a `name = value`, empty, or a comment that begins with ';' or
 * '#'.  A line that ends with '\' goes on in the next one, whose leading blanks do not count.  Only
 * the first '=' separates; what follows is taken as it is, '#', ';' and quotes included.  Lines may
 * have any length. */
#include "conf/room.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

static char *trim(char *s, size_t *len)
{
	while (*len && blank(s[*len - 1]))
		(*len)--;
	while (*len && blank(*s)) {
		s++;
		(*len)--;
	}
	s[*len] = '\0';
	return s;
}

/* True if the line, cut to its text, asks for the next one; the backslash is then gone. */
static bool goes_on(char *s, size_t *len)
{
	if (*len == 0 || s[*len - 1] != '\\')
		return false;
	s[--*len] = '\0';
	return true;
}

struct lex {
	FILE *f;
	char *raw; /* of getline */
	size_t cap;
	struct where w; /* of the first physical line */
	unsigned line;  /* physical lines read */
	struct report *r;
};

/* One physical line without its end and outer blanks; NULL at the end of the file. */
static char *physical(struct lex *x, size_t *len)
{
	ssize_t n = getline(&x->raw, &x->cap, x->f);
	char *s = x->raw;

	if (n < 0)
		return NULL;
	x->line++;
	*len = (size_t)n;
	if (x->line == 1 && n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0) { /* a byte order mark */
		s += 3;
		*len -= 3;
	}
	if (memchr(s, 0, *len) != NULL) {
		report_error(x->r, (struct where){ x->w.file, x->line }, "this line holds a zero byte");
		*len = 0;
	}
	return trim(s, len);
}

/* The next logical line, talloc child of mem, or NULL. */
static char *logical(struct lex *x, TALLOC_CTX *mem)
{
	size_t len;
	char *s = physical(x, &len), *whole;

	if (s == NULL)
		return NULL;
	x->w.line = x->line;
	if (*s == ';' || *s == '#')
		return talloc_strdup(mem, ""); /* a comment does not go on */
	whole = talloc_strdup(mem, "");
	while (goes_on(s, &len)) {
		whole = talloc_strndup_append_buffer(whole, s, len);
		s = physical(x, &len);
		if (s == NULL)
			return whole;
	}
	return talloc_strndup_append_buffer(whole, s, len);
}

static void take_section(struct lex *x, const struct lex_sink *sink, char *line)
{
	char *end = strchr(line, ']'), *name = line + 1;
	size_t len;

	if (end == NULL) {
		report_error(x->r, x->w, "the section name has no end; did you mean \"%s]\"?", line);
		return;
	}
	len = (size_t)(end - name);
	*end++ = '\0';
	name = trim(name, &len);
	if (len == 0) {
		report_error(x->r, x->w, "a section without a name; a share is written as [name]");
		return;
	}
	while (blank(*end))
		end++;
	if (*end && *end != ';' && *end != '#')
		report_warning(x->r, x->w, "\"%s\" after [%s] is not looked at", end, name);
	sink->section(sink->arg, x->w, name);
}

/* `read only no` was meant as `read only = no`: the longest known name it begins with. */
static void no_setting(struct lex *x, const char *line)
{
	TALLOC_CTX *tmp = talloc_new(NULL);
	char *name = talloc_strdup(tmp, line), *cut;
	bool inverse;

	while ((cut = strpbrk(name, " \t:")) != NULL && (cut = name + strlen(name)) > name) {
		while (cut > name && !blank(*cut) && *cut != ':')
			cut--;
		*cut = '\0';
		if (param_find(name, &inverse) != NULL) {
			const char *value = line + strlen(name) + 1;

			report_error(x->r, x->w, "\"%s\" is no setting; did you mean \"%s = %s\"?", line,
				     name, value + strspn(value, " \t:"));
			talloc_free(tmp);
			return;
		}
	}
	report_error(x->r, x->w, "\"%s\" is neither a comment, a [section] nor a \"name = value\"", line);
	talloc_free(tmp);
}

static void take_setting(struct lex *x, const struct lex_sink *sink, char *line)
{
	char *eq = strchr(line, '='), *name, *value;
	size_t nlen, vlen;

	if (eq == NULL) {
		no_setting(x, line);
		return;
	}
	nlen = (size_t)(eq - line);
	vlen = strlen(eq + 1);
	*eq = '\0';
	name = trim(line, &nlen);
	value = trim(eq + 1, &vlen);
	if (nlen == 0)
		report_error(x->r, x->w, "nothing stands before the \"=\"");
	else
		sink->setting(sink->arg, x->w, name, value);
}

bool lex_file(TALLOC_CTX *mem, const char *path, struct report *r, const struct lex_sink *sink)
{
	struct lex x = { .f = fopen(path, "re"), .w = { path, 0 }, .r = r };
	struct stat st;
	char *line;

	if (x.f == NULL)
		return false;
	if (fstat(fileno(x.f), &st) == 0 && S_ISDIR(st.st_mode)) {
		fclose(x.f);
		errno = EISDIR;
		return false;
	}
	while ((line = logical(&x, mem)) != NULL) {
		size_t len = strlen(line);
		char *text = trim(line, &len);

		if (*text == '[')
			take_section(&x, sink, text);
		else if (*text)
			take_setting(&x, sink, text);
		talloc_free(line);
	}
	free(x.raw);
	fclose(x.f);
	return true;
}
