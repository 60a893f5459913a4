/* 8.3 names: which are, what the others are called, and that each alias listed opens its file. */
#include "fs_play.h"
#include <ctype.h>

static void is_83(void **state)
{
	static const char *const yes[] = { "A",  "ABCDEFGH.TXT",     "abc.txt",  "A-B_C.1", ".",
					   "..", "\xc3\x84PFEL.TXT", "CON1.TXT", "LPT.TXT", "COM10" };
	static const char *const no[] = { "",       "ABCDEFGHI", "A.TEXT",
					  "A.B.C",  ".DOT",      "A B",
					  "A+B",    "A.",        "a;b",
					  "CON",    "con.foo",   "NUL.TXT",
					  "LPT9.X", "com1",      "\xd0\x96.TXT" /* not in CP850 */,
					  "A\xff" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(yes); i++)
		if (!fs_is_83(yes[i]))
			fail_msg("%s is 8.3", yes[i]);
	for (size_t i = 0; i < ARRAY_LEN(no); i++)
		if (fs_is_83(no[i]))
			fail_msg("%s is not 8.3", no[i]);
}

static void legal(void **state)
{
	(void)state;
	assert_true(fs_name_legal("a b.c+d;e"));
	assert_true(fs_name_legal("con.foo"));
	assert_true(fs_name_legal(".x"));
	assert_true(fs_name_legal(".."));
	assert_false(fs_name_legal(""));
	assert_false(fs_name_legal("a:b"));
	assert_false(fs_name_legal("a\\b"));
	assert_false(fs_name_legal("a\x01"));
	assert_false(fs_name_legal("a."));
	assert_false(fs_name_legal("a "));
	assert_true(fs_name_legal("\xef\x80\xa2")); /* U+F022, a mapped ':' */
	assert_true(fs_name_reserved("con"));
	assert_true(fs_name_reserved("Con .txt"));
	assert_true(fs_name_reserved("lpt1.x.y"));
	assert_false(fs_name_reserved("con1"));
	assert_false(fs_name_reserved("com0"));
	assert_false(fs_name_reserved("xcon"));
}

static void check_alias(const char *alias)
{
	size_t n = strlen(alias);

	assert_true(n >= 8 && n <= 12);
	assert_true(fs_is_83(alias));
	for (size_t i = 0; i < n; i++)
		assert_false(islower((unsigned char)alias[i]) || (unsigned char)alias[i] >= 0x80);
}

static void aliases(void **state)
{
	struct play *y = *state;
	char a[64], b[64];

	fs_short_name(y->share, "README.TXT", a);
	assert_string_equal(a, "");
	fs_short_name(y->share, "a long name.html", a);
	check_alias(a);
	assert_int_equal(a[0], 'A');
	assert_int_equal(a[6], '~');
	assert_string_equal(a + 8, ".HTM");
	fs_short_name(y->share, "A Long Name.HTML", b);
	assert_string_equal(a, b);
	fs_short_name(y->share, "a long name.htmx", b);
	assert_string_not_equal(a, b);
	fs_short_name(y->share, ".bashrc", a);
	check_alias(a);
	fs_short_name(y->share, "\xd0\x96\xd0\x96", a);
	check_alias(a);
	assert_int_equal(a[0], '_');
	fs_short_name(y->share, "x\xff\xfe", a);
	fs_short_name(y->share, "x\xfe\xff", b);
	assert_string_not_equal(a, b);
	y->p.mangling_char = "^";
	play_rules_changed(y);
	fs_short_name(y->share, "a long name.html", a);
	assert_int_equal(a[6], '^');
	y->p.mangled_names = CONF_MANGLED_NAMES_NO;
	play_rules_changed(y);
	fs_short_name(y->share, "a long name.html", a);
	assert_string_equal(a, "");
}

static void methods(void **state)
{
	struct play *y = *state;
	static struct conf_globals g;
	char a[64];

	g.mangle_prefix = 4;
	g.mangling_method = CONF_MANGLING_METHOD_HASH2;
	fs_process_rules(&g);
	fs_short_name(y->share, "a long name.html", a);
	check_alias(a);
	assert_memory_equal(a, "ALON", 4);
	assert_int_equal(a[6], '~');
	g.mangling_method = CONF_MANGLING_METHOD_HASH;
	fs_process_rules(&g);
	play_file(y, "share/a long name.html", "x");
	fs_short_name(y->share, "a long name.html", a);
	check_alias(a);
	assert_memory_equal(a, "ALONG~", 6);
	assert_string_equal(there(y, a)->path, "a long name.html");
	g.mangling_method = CONF_MANGLING_METHOD_HASH2;
	g.mangle_prefix = 1;
	fs_process_rules(&g);
}

/* Every short name in a listing, in whatever letters, opens the file it stands for. */
static void listed_opens(void **state)
{
	static const char *const files[] = { "a long name.txt",
					     "another long name.txt",
					     "con.foo",
					     "a:b",
					     "back\\slash",
					     "dot.",
					     "blank ",
					     "q?",
					     "\xc3\xa4\xc3\xb6 umlauts.text",
					     "bad\xff"
					     "bytes",
					     "plain.txt",
					     ".hidden",
					     "x.y.z",
					     "tab\there",
					     "ABCDEFGHI" };
	struct play *y = *state;
	struct fs_dir *d;
	struct fs_entry e;
	size_t seen = 0;

	play_dir(y, "share/A Folder Of Files");
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		play_file(y, talloc_asprintf(y->mem, "share/A Folder Of Files/%s", files[i]), files[i]);
	assert_int_equal(fs_dir_open(y->mem, there(y, "a folder of files"), FS_DIR_STAT | FS_DIR_SHORT, &d),
			 ST_OK);
	while (fs_dir_next(d, NULL, NULL, &e) == ST_OK) {
		struct fs_node *n;
		char *lower;

		if (e.name[0] == '.' && e.st.attrs & FS_ATTR_DIRECTORY)
			continue;
		seen++;
		assert_true(fs_name_legal(e.name));
		n = there(y, talloc_asprintf(y->mem, "A Folder Of Files/%s", e.name));
		assert_int_equal(n->st.ino, e.st.ino);
		if (!*e.short_name) {
			assert_true(fs_is_83(e.name));
			continue;
		}
		check_alias(e.short_name);
		lower = str_lower(y->mem, e.short_name);
		n = there(y, talloc_asprintf(y->mem, "a folder of files/%s", lower));
		assert_int_equal(n->st.ino, e.st.ino);
	}
	assert_int_equal(seen, ARRAY_LEN(files));
	fs_dir_close(&d);
}

/* A folder by its alias, on the way too; and a file that is really called so wins. */
static void alias_on_the_way(void **state)
{
	struct play *y = *state;
	char a[64];

	play_dir(y, "share/Long Folder Name");
	play_file(y, "share/Long Folder Name/file.txt", "x");
	fs_short_name(y->share, "Long Folder Name", a);
	assert_string_equal(there(y, talloc_asprintf(y->mem, "%s/FILE.TXT", a))->path,
			    "Long Folder Name/file.txt");
	play_file(y, talloc_asprintf(y->mem, "share/%s", a), "x");
	assert_string_equal(there(y, a)->path, a);
	y->p.mangled_names = CONF_MANGLED_NAMES_NO;
	play_rules_changed(y);
	play_file(y, "share/Other Long Name", "x");
	fs_short_name(y->share, "Other Long Name", a);
	assert_string_equal(a, "");
}

int main(void)
{
#define PLAY(f) cmocka_unit_test_setup_teardown(f, play_begin, play_end)
	const struct CMUnitTest tests[] = { PLAY(is_83),   PLAY(legal),        PLAY(aliases),
					    PLAY(methods), PLAY(listed_opens), PLAY(alias_on_the_way) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
