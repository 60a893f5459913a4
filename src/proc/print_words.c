/* print_words.c - a command of smb.conf with %-macros, made into the arguments of a program.
 *
 * The values of macros come from clients and are never read as syntax.  A command without shell syntax is split
 * into words at its blanks, quotes honoured, and each macro becomes (part of) one argument.  With shell syntax the
 * shell gets the command as it is written, with "$1", "$2" ... in place of the macros, and their values as
 * arguments:   lpr -P %p %s; rm %s    ->   /bin/sh -c 'lpr -P "${1}" "${2}"; rm "${3}"' smb1d-print lp /x/y /x/y */
#include "proc/inner.h"

#define SHELL_SYNTAX ";|&<>$()`\\{}[]*?!#~=\n"

bool print_words_add(struct print_words *w, char *text)
{
	if (w->n == PRINT_WORDS_MAX || !text)
		return false;
	w->v[w->n++] = text;
	w->v[w->n] = NULL;
	return true;
}

/* The value of a macro.  Where it begins a word, a client's "-o..." must not become an option of the admin's program. */
static char *value_of(TALLOC_CTX *mem, print_value_fn value, const void *arg, char macro, bool begins)
{
	char *text = value(mem, arg, macro);

	if (text && begins && *text == '-')
		*text = '_';
	return text;
}

/* One word from *p on, its quotes gone and its macros replaced. */
static char *one_word(TALLOC_CTX *mem, print_value_fn value, const void *arg, const char **p)
{
	char *out = talloc_strdup(mem, "");
	char quote = 0;

	for (; out && **p && (quote || (**p != ' ' && **p != '\t')); (*p)++) {
		if (quote ? **p == quote : **p == '"' || **p == '\'')
			quote = quote ? 0 : **p;
		else if (**p == '%' && (*p)[1])
			out = talloc_strdup_append(out, value_of(mem, value, arg, *++*p, *out == '\0'));
		else
			out = talloc_strndup_append(out, *p, 1);
	}
	return out;
}

static bool by_words(TALLOC_CTX *mem, const char *command, print_value_fn value, const void *arg, struct print_words *w)
{
	for (const char *p = command + strspn(command, " \t"); *p; p += strspn(p, " \t"))
		if (!print_words_add(w, one_word(mem, value, arg, &p)))
			return false;
	return w->n > 0;
}

/* "${N}" where a macro stands; inside the author's own quotes without breaking them. */
static char *parameter(char *out, int n, char quote)
{
	if (quote == '\'')
		return talloc_asprintf_append(out, "'\"${%d}\"'", n);
	return talloc_asprintf_append(out, quote ? "${%d}" : "\"${%d}\"", n);
}

static bool by_shell(TALLOC_CTX *mem, const char *command, print_value_fn value, const void *arg, struct print_words *w)
{
	char *program = talloc_strdup(mem, "");
	char quote = 0;

	w->v[0] = talloc_strdup(mem, "/bin/sh");
	w->v[1] = talloc_strdup(mem, "-c");
	w->v[3] = talloc_strdup(mem, "smb1d-print");
	w->n = 4;
	for (const char *p = command; *p && program; p++) {
		if (*p == '\\' && p[1] && p[1] != '%' && quote != '\'') {
			program = talloc_strndup_append(program, p++, 2);
		} else if (*p == '%' && p[1]) {
			program = parameter(program, w->n - 3, quote);
			if (!print_words_add(w, value_of(mem, value, arg, *++p, true)))
				return false;
		} else {
			if (quote ? *p == quote : *p == '"' || *p == '\'')
				quote = quote ? 0 : *p;
			program = talloc_strndup_append(program, p, 1);
		}
	}
	w->v[2] = program;
	return program && w->v[0] && w->v[1] && w->v[3];
}

bool print_words_make(TALLOC_CTX *mem, const char *command, print_value_fn value, const void *arg,
		      struct print_words *w)
{
	*w = (struct print_words){ .n = 0 };
	return strpbrk(command, SHELL_SYNTAX) ? by_shell(mem, command, value, arg, w)
					      : by_words(mem, command, value, arg, w);
}
