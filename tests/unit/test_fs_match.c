/* Wildcards: the table of facts in the protocol notes, and what a hostile pattern costs. */
#include "fs_play.h"
#include <time.h>

static const char *const names[] = { "abc", "abc.txt", "abc.d.txt", "a", ".dot", "x.y.z" };

static char *matches(const char *pattern)
{
	static char all[256];

	all[0] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (fs_match(pattern, names[i], false))
			snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", *all ? " " : "",
				 names[i]);
	return all;
}

static void facts(void **state)
{
	(void)state;
	assert_string_equal(matches("<.txt"), "abc.txt abc.d.txt");
	assert_string_equal(matches("<.*"), "abc.txt abc.d.txt .dot x.y.z");
	assert_string_equal(matches("<\"txt"), "abc.txt abc.d.txt");
	assert_string_equal(matches("abc\""), "abc");
	assert_string_equal(matches("*\"*"), "abc abc.txt abc.d.txt a .dot x.y.z");
	assert_string_equal(matches("a>"), "a");
	assert_string_equal(matches("a?"), "");
	assert_string_equal(matches("abc>>>>"), "abc");
	assert_string_equal(matches(".*"), ".dot");
	assert_string_equal(matches("x.<"), "");
}

static void dos_forms(void **state)
{
	(void)state;
	/* ????????.??? of a DOS program, as its dialect is translated */
	assert_string_equal(matches(">>>>>>>>\">>>"), "abc abc.txt a .dot");
	assert_string_equal(matches("*.*"), "abc abc.txt abc.d.txt a .dot x.y.z");
	assert_true(fs_match("x>>.txt", "x1.txt", false));
	assert_true(fs_match("<", "abc", false));
	assert_true(fs_match("a.>>>", "a.", false));
	assert_true(fs_match("a>", "a.", false)); /* a final dot */
	assert_false(fs_match("a>b", "a.b", false));
	assert_true(fs_match("a>.b", "a.b", false));
}

static void plain_forms(void **state)
{
	(void)state;
	assert_true(fs_match("*", "", false));
	assert_true(fs_match("a*c", "abbbc", false));
	assert_false(fs_match("a*c", "abbbd", false));
	assert_true(fs_match("?b?", "abc", false));
	assert_true(fs_match("ABC", "abc", false));
	assert_true(fs_match("\xc3\x84*", "\xc3\xa4pfel", false)); /* ae */
	assert_true(fs_match("?pfel", "\xc3\xa4pfel", false));
	assert_true(fs_match(".", "..", false));
	assert_true(fs_match("*.", "..", false));
	assert_false(fs_match("?", "..x", false));
}

static void exact_forms(void **state)
{
	(void)state;
	assert_false(fs_match("ABC", "abc", true));
	assert_true(fs_match("a<b", "a<b", true));
	assert_false(fs_match("a<", "abc", true));
	assert_false(fs_match("*.*", "abc", true));
	assert_true(fs_match("a*", "abc", true));
}

static void has_wildcard(void **state)
{
	(void)state;
	assert_true(fs_has_wildcard("a*"));
	assert_true(fs_has_wildcard("a\""));
	assert_false(fs_has_wildcard("a.b~c"));
}

static void hostile(void **state)
{
	char pattern[600], name[256];
	time_t start = time(NULL);

	(void)state;
	for (size_t i = 0; i + 2 < sizeof(pattern); i += 2)
		memcpy(pattern + i, i % 4 ? "<a" : "*a", 2);
	memcpy(pattern + 500, "b", 2);
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (int i = 0; i < 100; i++)
		assert_false(fs_match(pattern, name, false));
	assert_true(time(NULL) - start < 5);
	memset(pattern, '?', sizeof(pattern) - 1);
	pattern[sizeof(pattern) - 1] = '\0';
	assert_false(fs_match(pattern, name, false));
	memset(pattern, '*', sizeof(pattern) - 1);
	assert_true(fs_match(pattern, name, false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts), cmocka_unit_test(dos_forms), cmocka_unit_test(plain_forms),
		cmocka_unit_test(exact_forms), cmocka_unit_test(has_wildcard), cmocka_unit_test(hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
