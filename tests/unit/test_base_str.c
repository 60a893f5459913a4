/* The converters' quick ways for plain ASCII, four characters a step, against one character at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "base/str.h"
#include "base/util.h"

#define LONGEST 21u

static const uint32_t odd[] = { 0x7f, 0x80, 0xe9, 0x100, 0x20ac, 0xd800, 0xffff, 0x1f600 };

/* `n` letters of which number `at` is c; in both forms, as UTF-8 and UTF-16 define them. */
static size_t make(size_t n, size_t at, uint32_t c, char *utf8, uint8_t *utf16)
{
	uint8_t *w = utf16;
	char *p = utf8;

	for (size_t i = 0; i < n; i++) {
		uint32_t one = i == at ? c : 'a' + (uint32_t)i;

		p = str_put(p, one);
		if (one > 0xffff) {
			put_u16(w, (uint16_t)(0xd7c0 + (one >> 10)));
			put_u16(w + 2, (uint16_t)(0xdc00 | (one & 0x3ff)));
			w += 4;
		} else {
			put_u16(w, (uint16_t)one);
			w += 2;
		}
	}
	*p = '\0';
	return (size_t)(w - utf16);
}

static void both_ways_at_every_length_and_place(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	char utf8[4 * LONGEST + 1], *back;
	uint8_t utf16[4 * LONGEST], out[4 * LONGEST + 1];

	(void)state;
	for (size_t n = 0; n <= LONGEST; n++)
		for (size_t at = 0; at <= n; at++)
			for (size_t k = 0; k < ARRAY_LEN(odd); k++) {
				size_t bytes = make(n, at, odd[k], utf8, utf16);

				memset(out, 0xee, sizeof(out));
				assert_int_equal(str_to_utf16(utf8, out, bytes), bytes);
				assert_memory_equal(out, utf16, bytes);
				assert_int_equal(out[bytes], 0xee); /* nothing behind what was asked for */
				if (bytes > 0) {
					memset(out, 0xee, sizeof(out));
					assert_int_equal(str_to_utf16(utf8, out, bytes - 1), bytes);
					assert_int_equal(out[0], 0xee);
				}
				back = str_from_utf16(mem, utf16, bytes);
				assert_string_equal(back, utf8);
				talloc_free(back);
			}
	talloc_free(mem);
}

static void reading_stops_before_a_nul(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	char utf8[4 * LONGEST + 1], *back;
	uint8_t *utf16 = talloc_size(mem, 2 * LONGEST);

	(void)state;
	for (size_t n = 1; n <= LONGEST; n++)
		for (size_t at = 0; at < n; at++) {
			uint8_t *exact = malloc(2 * n); /* its end is watched by the sanitizer's build */

			make(n, n, 0, utf8, utf16);
			assert_non_null(exact);
			memcpy(exact, utf16, 2 * n);
			assert_int_equal(str_utf16_len(exact, 2 * n), 2 * n);
			put_u16(exact + 2 * at, 0);
			assert_int_equal(str_utf16_len(exact, 2 * n), 2 * at);
			assert_int_equal(str_utf16_len(exact, 2 * at + 1), 2 * at);
			utf8[at] = '\0';
			back = str_from_utf16(mem, exact, 2 * n);
			assert_string_equal(back, utf8);
			talloc_free(back);
			free(exact);
		}
	talloc_free(mem);
}

static void joined(void **state)
{
	char *s = str_join(NULL, "share", "/", "a.txt");

	(void)state;
	assert_string_equal(s, "share/a.txt");
	talloc_free(s);
	s = str_join(NULL, "", "", "");
	assert_string_equal(s, "");
	talloc_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ways_at_every_length_and_place),
		cmocka_unit_test(reading_stops_before_a_nul),
		cmocka_unit_test(joined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
