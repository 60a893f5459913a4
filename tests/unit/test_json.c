/* What comes out is JSON whatever the strings hold.  The tool's writer is no part of the library, so its
 * source is taken in here. */
#include "ctl/json.c"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const char *value)
{
	static char out[500];
	FILE *to = fmemopen(out, sizeof(out), "w");

	memset(out, 0, sizeof(out));
	assert_non_null(to);
	put_text(to, value);
	assert_int_equal(fclose(to), 0);
	return out;
}

static void test_escapes(void **state)
{
	static const struct { const char *in, *out; } rows[] = {
		{ NULL, "\"\"" }, { "", "\"\"" }, { "plain /x", "\"plain /x\"" }, { "a\"b\\c", "\"a\\\"b\\\\c\"" },
		{ "\n\t\x1b\x7f", "\"\\u000a\\u0009\\u001b\\u007f\"" },
		{ "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"" },
		{ "\xc2\x9b", "\"\\u009b\"" }, { "\xc2\xa0", "\"\xc2\xa0\"" },
		{ "\xff", "\"\\ufffd\"" }, { "\x80" "a", "\"\\ufffda\"" },
		{ "\xc0\x80", "\"\\ufffd\\ufffd\"" },                     /* overlong */
		{ "\xe0\x80\x80", "\"\\ufffd\\ufffd\\ufffd\"" },
		{ "\xf0\x80\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"" },
		{ "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"" },          /* lone surrogate */
		{ "\xed\x9f\xbf", "\"\xed\x9f\xbf\"" },
		{ "\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"" }, /* above U+10FFFF */
		{ "\xe2\x82", "\"\\ufffd\\ufffd\"" }, { "\xf0", "\"\\ufffd\"" }, /* cut */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(text_of(rows[i].in), rows[i].out);
}

static void test_shape(void **state)
{
	char *text = NULL;
	size_t len = 0;
	struct json j = { .to = open_memstream(&text, &len) };

	(void)state;
	assert_non_null(j.to);
	json_open(&j, NULL);
	json_open(&j, "empty");
	json_close(&j);
	json_open(&j, "a\"");
	json_num(&j, "n", UINT64_MAX);
	json_bool(&j, "b", false);
	json_close(&j);
	json_hex(&j, "h", 0x12019f);
	json_str(&j, "s", "x");
	json_close(&j);
	assert_int_equal(fclose(j.to), 0);
	assert_string_equal(text, "{\n  \"empty\": {},\n  \"a\\\"\": {\n    \"n\": 18446744073709551615,\n"
				  "    \"b\": false\n  },\n  \"h\": \"0x0012019F\",\n  \"s\": \"x\"\n}\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_escapes), cmocka_unit_test(test_shape) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
