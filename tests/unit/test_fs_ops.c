/* mkdir, unlink, rmdir, rename, link: what happens and which status says so. */
#include "fs_play.h"

static char *content(struct play *y, const char *rel)
{
	char buf[64] = "";
	int fd = open(play_path(y, rel), O_RDONLY);

	if (fd < 0)
		return NULL;
	if (read(fd, buf, sizeof(buf) - 1) < 0)
		buf[0] = '\0';
	close(fd);
	return talloc_strdup(y->mem, buf);
}

static status_t rename_how(struct play *y, const char *from, const char *to, bool replace)
{
	return fs_rename(look(y, from), look(y, to), replace);
}

static void folders(void **state)
{
	struct play *y = *state;
	struct fs_node *n = look(y, "d");

	assert_int_equal(fs_mkdir(n, 0, false, 0), ST_OK);
	assert_true(n->exists && fs_is_dir(&n->st));
	assert_int_equal(n->st.attrs, FS_ATTR_DIRECTORY);
	assert_int_equal(fs_mkdir(look(y, "D"), 0, false, 0), ST_OBJECT_NAME_COLLISION);
	n = look(y, "e");
	play_dir(y, "share/e");
	assert_int_equal(fs_mkdir(n, 0, false, 0), ST_OBJECT_NAME_COLLISION);
	n = look(y, "d/sub");
	assert_int_equal(rmdir(play_path(y, "share/d")), 0);
	assert_int_equal(fs_mkdir(n, 0, false, 0), ST_OBJECT_PATH_NOT_FOUND);
	assert_int_equal(fs_mkdir(look(y, ""), 0, false, 0), ST_OBJECT_NAME_COLLISION);
}

static void rmdir_cases(void **state)
{
	struct play *y = *state;

	play_dir(y, "share/d");
	play_file(y, "share/d/f", "x");
	play_file(y, "share/f", "x");
	assert_int_equal(fs_rmdir(there(y, "d")), ST_DIRECTORY_NOT_EMPTY);
	assert_int_equal(fs_dir_empty(there(y, "d")), ST_DIRECTORY_NOT_EMPTY);
	assert_int_equal(fs_rmdir(there(y, "f")), ST_NOT_A_DIRECTORY);
	assert_int_equal(fs_dir_empty(there(y, "f")), ST_NOT_A_DIRECTORY);
	assert_int_equal(fs_rmdir(look(y, "n")), ST_OBJECT_NAME_NOT_FOUND);
	assert_int_equal(fs_rmdir(there(y, "")), ST_ACCESS_DENIED);
	assert_int_equal(fs_unlink(there(y, "d")), ST_FILE_IS_A_DIRECTORY);
	assert_int_equal(fs_unlink(there(y, "d/f")), ST_OK);
	assert_int_equal(fs_dir_empty(there(y, "d")), ST_OK);
	assert_int_equal(fs_rmdir(there(y, "d")), ST_OK);
	assert_false(play_exists(y, "share/d"));
}

static void rmdir_vetoed(void **state)
{
	struct play *y = *state;

	y->p.veto_files = "/.trash/*.tmp/";
	play_rules_changed(y);
	play_dir(y, "share/d");
	play_dir(y, "share/d/.trash");
	play_dir(y, "share/d/.trash/deep");
	play_file(y, "share/d/.trash/deep/x", "x");
	play_file(y, "share/d/a.tmp", "x");
	play_file(y, "outside", "x");
	play_link(y, "../../../outside", "share/d/.trash/link");
	assert_int_equal(fs_dir_empty(there(y, "d")), ST_DIRECTORY_NOT_EMPTY);
	assert_int_equal(fs_rmdir(there(y, "d")), ST_DIRECTORY_NOT_EMPTY);
	assert_true(play_exists(y, "share/d/a.tmp"));
	y->p.delete_veto_files = true;
	play_file(y, "share/d/keep", "x");
	assert_int_equal(fs_rmdir(there(y, "d")), ST_DIRECTORY_NOT_EMPTY);
	assert_true(play_exists(y, "share/d/a.tmp"));
	assert_int_equal(fs_unlink(there(y, "d/keep")), ST_OK);
	assert_int_equal(fs_dir_empty(there(y, "d")), ST_OK);
	assert_int_equal(fs_rmdir(there(y, "d")), ST_OK);
	assert_false(play_exists(y, "share/d"));
	assert_true(play_exists(y, "outside"));
}

static void unlink_cases(void **state)
{
	struct play *y = *state;
	struct fs_node *n;

	play_file(y, "share/f", "x");
	n = there(y, "F");
	assert_int_equal(fs_unlink(n), ST_OK);
	assert_false(n->exists);
	assert_int_equal(fs_unlink(n), ST_OBJECT_NAME_NOT_FOUND);
	play_file(y, "share/g", "x");
	n = there(y, "g");
	assert_int_equal(unlink(play_path(y, "share/g")), 0);
	assert_int_equal(fs_unlink(n), ST_OBJECT_NAME_NOT_FOUND);
	/* links go themselves */
	play_dir(y, "share/d");
	play_file(y, "share/d/x", "x");
	play_link(y, "d/x", "share/l");
	play_link(y, "d", "share/ld");
	assert_int_equal(fs_unlink(there(y, "l")), ST_OK);
	assert_int_equal(fs_rmdir(there(y, "ld")), ST_OK);
	assert_true(play_exists(y, "share/d/x"));
	assert_false(play_exists(y, "share/l") || play_exists(y, "share/ld"));
}

static void rename_plain(void **state)
{
	struct play *y = *state;

	play_dir(y, "share/d");
	play_file(y, "share/a", "a");
	play_file(y, "share/b", "b");
	assert_int_equal(rename_how(y, "a", "d/New", false), ST_OK);
	assert_string_equal(content(y, "share/d/New"), "a");
	assert_int_equal(rename_how(y, "D/NEW", "b", false), ST_OBJECT_NAME_COLLISION);
	assert_string_equal(content(y, "share/b"), "b");
	assert_int_equal(rename_how(y, "D/NEW", "b", true), ST_OK);
	assert_string_equal(content(y, "share/b"), "a");
	assert_false(play_exists(y, "share/d/New"));
	assert_int_equal(rename_how(y, "none", "x", false), ST_OBJECT_NAME_NOT_FOUND);
	assert_int_equal(rename_how(y, "b", "d", true), ST_ACCESS_DENIED);
	assert_int_equal(rename_how(y, "b", "d", false), ST_OBJECT_NAME_COLLISION);
	assert_int_equal(rename_how(y, "d", "e", false), ST_OK);
	assert_true(fs_is_dir(&there(y, "e")->st));
	assert_int_equal(rename_how(y, "e", "e/f", false), ST_INVALID_PARAMETER);
	assert_int_equal(rename_how(y, "", "x", false), ST_ACCESS_DENIED);
	assert_int_equal(rename_how(y, "b", "", true), ST_ACCESS_DENIED);
	assert_int_equal(rename_how(y, "b", "b", false), ST_OK);
}

static void rename_letters(void **state)
{
	struct play *y = *state;
	struct fs_node *from, *to;

	play_dir(y, "share/d");
	play_file(y, "share/d/new", "x");
	from = there(y, "d/new");
	to = look(y, "D/NEW");
	assert_int_equal(fs_rename(from, to, false), ST_OK);
	assert_string_equal(to->path, "d/NEW");
	assert_string_equal(to->name, "NEW");
	assert_true(play_exists(y, "share/d/NEW") && !play_exists(y, "share/d/new"));
	assert_int_equal(rename_how(y, "d", "D", false), ST_OK);
	assert_true(play_exists(y, "share/D/NEW"));
	/* the new name's letters win when something is replaced */
	play_file(y, "share/D/other", "other");
	to = look(y, "d/new");
	assert_int_equal(fs_rename(there(y, "d/other"), to, true), ST_OK);
	assert_string_equal(to->path, "D/new");
	assert_true(play_exists(y, "share/D/new") && !play_exists(y, "share/D/NEW"));
	assert_string_equal(content(y, "share/D/new"), "other");
}

static void rename_hard_links(void **state)
{
	struct play *y = *state;

	play_file(y, "share/a", "x");
	assert_int_equal(link(play_path(y, "share/a"), play_path(y, "share/b")), 0);
	assert_int_equal(rename_how(y, "a", "b", true), ST_OK);
	assert_false(play_exists(y, "share/a"));
	assert_string_equal(content(y, "share/b"), "x");
}

/* The name was free at the look-up and is taken now: only `replace` may lose it. */
static void rename_race(void **state)
{
	struct play *y = *state;
	struct fs_node *to = look(y, "b");

	play_file(y, "share/a", "a");
	play_file(y, "share/b", "b");
	assert_int_equal(fs_rename(there(y, "a"), to, false), ST_OBJECT_NAME_COLLISION);
	assert_string_equal(content(y, "share/b"), "b");
	assert_int_equal(fs_rename(there(y, "a"), to, true), ST_OK);
	assert_string_equal(content(y, "share/b"), "a");
}

static void rename_out(void **state)
{
	struct play *y = *state;

	play_dir(y, "outside");
	play_file(y, "share/a", "a");
	play_link(y, "../outside", "share/out");
	assert_int_equal(look_status(y, "out/a"), ST_OBJECT_PATH_NOT_FOUND);
	assert_int_equal(rename_how(y, "out", "renamed", false), ST_OK);
	assert_true(play_exists(y, "share/renamed") && play_exists(y, "outside"));
}

static void rename_archive(void **state)
{
	struct play *y = *state;
	struct fs_node *n, *to;

	if (!play_keeps_xattrs(y))
		skip();
	assert_int_equal(make_file(y, "f", 0), ST_OK);
	assert_int_equal(fs_set_attrs(there(y, "f"), -1, FS_ATTR_HIDDEN), ST_OK);
	assert_int_equal(rename_how(y, "f", "g", false), ST_OK);
	assert_int_equal(there(y, "g")->st.attrs, FS_ATTR_HIDDEN | FS_ATTR_ARCHIVE);
	assert_int_equal(fs_set_attrs(there(y, "g"), -1, FS_ATTR_HIDDEN), ST_OK);
	assert_int_equal(look_how(y, "g", FS_LOOKUP_POSIX, &n), ST_OK);
	assert_int_equal(look_how(y, "h", FS_LOOKUP_POSIX, &to), ST_OK);
	assert_int_equal(fs_rename(n, to, false), ST_OK);
	assert_int_equal(there(y, "h")->st.attrs, FS_ATTR_HIDDEN);
	play_file(y, "share/r", "x");
	assert_int_equal(fs_set_attrs(there(y, "r"), -1, FS_ATTR_READONLY), ST_OK);
	assert_int_equal(rename_how(y, "h", "r", true), ST_ACCESS_DENIED);
	assert_int_equal(rename_how(y, "r", "s", false), ST_OK);
	assert_int_equal(fs_unlink(there(y, "s")), ST_CANNOT_DELETE);
}

static void links(void **state)
{
	struct play *y = *state;

	play_file(y, "share/a", "x");
	assert_int_equal(fs_link(there(y, "a"), look(y, "b")), ST_OK);
	assert_int_equal(there(y, "b")->st.nlink, 2);
	assert_int_equal(there(y, "a")->st.ino, there(y, "b")->st.ino);
	assert_int_equal(fs_link(there(y, "a"), look(y, "B")), ST_OBJECT_NAME_COLLISION);
	assert_int_equal(fs_link(look(y, "n"), look(y, "c")), ST_OBJECT_NAME_NOT_FOUND);
	play_dir(y, "share/e");
	assert_int_equal(fs_link(there(y, "e"), look(y, "c")), ST_FILE_IS_A_DIRECTORY);
}

int main(void)
{
#define PLAY(f) cmocka_unit_test_setup_teardown(f, play_begin, play_end)
	const struct CMUnitTest tests[] = {
		PLAY(folders),           PLAY(rmdir_cases),  PLAY(rmdir_vetoed),
		PLAY(unlink_cases),      PLAY(rename_plain), PLAY(rename_letters),
		PLAY(rename_hard_links), PLAY(rename_race),  PLAY(rename_out),
		PLAY(rename_archive),    PLAY(links),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
