/* match.c - wildcards on names.
 *
 * A pattern is run as a little machine: the set of places in the pattern where the text read so far could
 * have led.  So a hostile pattern ("*a*a*a*a*b") costs pattern times name and no more.
 *
 *   *  any run, dots too          ?  exactly one character
 *   <  any run up to, and possibly with, the last dot
 *   >  one character that is no dot (but a final one), or nothing at a dot or at the end
 *   "  a dot, or nothing at the end */
#include "fs/inner.h"

#define MAX_PATTERN 512 /* characters; names have at most 255 */

static uint32_t fold(uint32_t c)
{
	if (c < 0x80)
		return c >= 'a' && c <= 'z' ? c - 32 : c;
	return c < 0x10000 ? str_upper_char((uint16_t)c) : c;
}

struct machine {
	uint32_t pat[MAX_PATTERN];
	bool at[MAX_PATTERN + 1], next[MAX_PATTERN + 1];
	size_t n;
	bool dos;
};

static bool load(struct machine *m, const char *pattern, unsigned how)
{
	m->n = 0;
	m->dos = how & MATCH_DOS;
	while (*pattern) {
		uint32_t c = str_next(&pattern);

		if (c == '*' && m->n > 0 && m->pat[m->n - 1] == '*')
			continue;
		if (m->n == MAX_PATTERN)
			return false;
		m->pat[m->n++] = how & MATCH_BLIND ? fold(c) : c;
	}
	return true;
}

/* Places reached without reading; c is what stands next in the name (0 at its end). */
static bool spread(struct machine *m, bool *set, uint32_t c)
{
	bool any = false;

	for (size_t i = 0; i <= m->n; i++) {
		if (!set[i])
			continue;
		any = true;
		if (i == m->n)
			break;
		if (m->pat[i] == '*' ||
		    (m->dos && (m->pat[i] == '<' || (m->pat[i] == '>' && (c == 0 || c == '.')) ||
				(m->pat[i] == '"' && c == 0))))
			set[i + 1] = true;
	}
	return any;
}

static void read_char(struct machine *m, uint32_t c, bool last_dot, bool at_end)
{
	memset(m->next, 0, (m->n + 1) * sizeof(bool));
	for (size_t i = 0; i < m->n; i++) {
		uint32_t p = m->pat[i];

		if (!m->at[i])
			continue;
		if (p == '*')
			m->next[i] = true;
		else if (m->dos && p == '<')
			m->next[last_dot ? i + 1 : i] = true;
		else if (p == '?' || (m->dos && p == '>' && (c != '.' || at_end)) ||
			 (m->dos && p == '"' && c == '.') || p == c)
			m->next[i + 1] = true;
	}
	memcpy(m->at, m->next, (m->n + 1) * sizeof(bool));
}

static bool run(struct machine *m, const char *name, unsigned how)
{
	const char *last_dot = strrchr(name, '.');

	memset(m->at, 0, (m->n + 1) * sizeof(bool));
	m->at[0] = true;
	while (*name) {
		const char *here = name;
		uint32_t c = str_next(&name);

		if (how & MATCH_BLIND)
			c = fold(c);
		if (!spread(m, m->at, c))
			return false;
		read_char(m, c, here == last_dot, *name == '\0');
	}
	spread(m, m->at, 0);
	return m->at[m->n];
}

bool match_name(const char *pattern, const char *name, unsigned how)
{
	struct machine m;

	if (pattern[0] == '*' && pattern[1] == '\0')
		return true;
	if ((how & MATCH_DOS) && strcmp(pattern, "*.*") == 0)
		return true;
	if (!strpbrk(pattern, how & MATCH_DOS ? "*?<>\"" : "*?"))
		return how & MATCH_BLIND ? str_caseeq(pattern, name) : strcmp(pattern, name) == 0;
	return load(&m, pattern, how) && run(&m, name, how);
}

bool fs_match(const char *pattern, const char *name, bool exact)
{
	if (strcmp(name, "..") == 0)
		name = ".";
	return match_name(pattern, name, exact ? 0 : MATCH_BLIND | MATCH_DOS);
}

bool fs_has_wildcard(const char *name)
{
	name = strpbrk(name, ":*?<>\"");
	return name && *name != ':';
}
