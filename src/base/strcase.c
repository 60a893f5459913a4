/* strcase.c - upper and lower case of 16-bit characters, and text compared without it. */
#include "base/str.h"
#include "base/util.h"
#include <locale.h>
#include <string.h>
#include <wctype.h>

static uint16_t upper_of[65536] SELDOM, lower_of[65536] SELDOM;
static bool cases_ready;

static void setup_cases(void)
{
	locale_t loc = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);

	for (uint32_t c = 0; c < 65536; c++) {
		bool surrogate = c >= 0xd800 && c < 0xe000;
		wint_t up = c, low = c;

		if (loc && !surrogate) {
			up = towupper_l((wint_t)c, loc);
			low = towlower_l((wint_t)c, loc);
		} else if (c < 128) {
			up = c >= 'a' && c <= 'z' ? c - 32 : c;
			low = c >= 'A' && c <= 'Z' ? c + 32 : c;
		}
		upper_of[c] = up < 65536 ? (uint16_t)up : (uint16_t)c;
		lower_of[c] = low < 65536 ? (uint16_t)low : (uint16_t)c;
	}
	if (loc)
		freelocale(loc);
	cases_ready = true;
}

uint16_t str_upper_char(uint16_t c)
{
	if (!cases_ready)
		setup_cases();
	return upper_of[c];
}

uint16_t str_lower_char(uint16_t c)
{
	if (!cases_ready)
		setup_cases();
	return lower_of[c];
}

static inline uint32_t fold(uint32_t c)
{
	if (c < 0x80)
		return c >= 'a' && c <= 'z' ? c - 32 : c;
	return c < 65536 ? str_upper_char((uint16_t)c) : c;
}

static char *recase(TALLOC_CTX *mem, const char *s, bool up)
{
	char *out = talloc_size(mem, strlen(s) * 3 + 1), *w = out;

	if (!out)
		return NULL;
	while (*s) {
		const char *start = s;
		uint32_t c = str_next(&s);

		if (c == 0xfffd && (unsigned char)*start != 0xef) /* a byte that is no UTF-8 stays as it is */
			*w++ = *start;
		else
			w = str_put(w, c > 0xffff ? c : up ? str_upper_char((uint16_t)c) : str_lower_char((uint16_t)c));
	}
	*w = '\0';
	return out;
}

char *str_upper(TALLOC_CTX *mem, const char *s) { return recase(mem, s, true); }
char *str_lower(TALLOC_CTX *mem, const char *s) { return recase(mem, s, false); }

int str_casecmp(const char *a, const char *b)
{
	for (;;) {
		uint32_t x = fold(str_next(&a)), y = fold(str_next(&b));

		if (x != y)
			return x < y ? -1 : 1;
		if (x == 0)
			return 0;
	}
}

bool str_caseeq(const char *a, const char *b) { return str_casecmp(a, b) == 0; }

uint32_t str_casehash(const char *s)
{
	uint32_t h = 2166136261u;

	while (*s)
		h = (h ^ fold(str_next(&s))) * 16777619u;
	return h;
}

bool str_has_lower(const char *s)
{
	while (*s) {
		uint32_t c = str_next(&s);

		if (c < 65536 && str_upper_char((uint16_t)c) != c)
			return true;
	}
	return false;
}

