/* Look-ups: letters, missing things, links that lead out, veto; by the kernel and by hand. */
#include "fs_play.h"
#include <sys/wait.h>
#include "fs/inner.h"

static bool by_hand;

static void letters(void **state)
{
	struct play *y = *state;
	struct fs_node *n;

	play_dir(y, "share/Folder");
	play_dir(y, "share/Folder/Sub");
	play_file(y, "share/Folder/Sub/File.txt", "hello");
	play_file(y, "share/Folder/Sub/\xc3\x84rger", "x");
	n = there(y, "Folder/Sub/File.txt");
	assert_string_equal(n->name, "File.txt");
	assert_int_equal(n->st.size, 5);
	assert_false(fs_is_dir(&n->st));
	n = there(y, "FOLDER/sUB/fILE.TXT");
	assert_string_equal(n->path, "Folder/Sub/File.txt");
	assert_string_equal(n->asked, "fILE.TXT");
	assert_string_equal(there(y, "folder/sub/\xc3\xa4RGER")->name, "\xc3\x84rger");
	n = look(y, "FOLDER/sub/New.txt");
	assert_false(n->exists);
	assert_string_equal(n->path, "Folder/Sub/New.txt");
	/* the exact name wins */
	play_file(y, "share/Folder/Sub/FILE.TXT", "longer one");
	assert_int_equal(there(y, "folder/sub/FILE.TXT")->st.size, 10);
	assert_int_equal(there(y, "folder/sub/File.txt")->st.size, 5);
	n = there(y, "");
	assert_true(fs_is_dir(&n->st));
	assert_string_equal(n->name, "");
	assert_int_equal(n->st.attrs, FS_ATTR_DIRECTORY);
}

static void exact(void **state)
{
	struct play *y = *state;
	struct fs_node *n;

	play_dir(y, "share/Folder");
	play_file(y, "share/Folder/File", "x");
	assert_int_equal(look_how(y, "Folder/FILE", FS_LOOKUP_POSIX, &n), ST_OK);
	assert_false(n->exists);
	assert_int_equal(look_how(y, "folder/File", FS_LOOKUP_POSIX, &n), ST_OBJECT_PATH_NOT_FOUND);
	y->p.case_sensitive = CONF_CASE_SENSITIVE_YES;
	play_rules_changed(y);
	assert_false(look(y, "Folder/FILE")->exists);
	assert_int_equal(look_status(y, "folder/File"), ST_OBJECT_PATH_NOT_FOUND);
}

static void missing(void **state)
{
	struct play *y = *state;
	char name[300];

	play_file(y, "share/file", "x");
	play_dir(y, "share/dir");
	assert_false(look(y, "nothing")->exists);
	assert_false(look(y, "dir/nothing")->exists);
	assert_int_equal(look_status(y, "no/such"), ST_OBJECT_PATH_NOT_FOUND);
	assert_int_equal(look_status(y, "dir/no/such"), ST_OBJECT_PATH_NOT_FOUND);
	assert_int_equal(look_status(y, "file/x"), ST_OBJECT_PATH_NOT_FOUND);
	assert_int_equal(look_status(y, "FILE/x"), ST_OBJECT_PATH_NOT_FOUND);
	memset(name, 'n', 256);
	name[256] = '\0';
	assert_int_equal(look_status(y, name), ST_OBJECT_NAME_INVALID);
	name[255] = '\0';
	assert_false(look(y, name)->exists);
}

static void invalid(void **state)
{
	static const char *const bad[] = { "a:b:c", "*",    "a?", "a<", "a>", "a|", "a\"",    "a\\b",
					   "\x01", "a//b", "a/", "/a", "..", ".",  "a/../b", "a/." };
	struct play *y = *state;
	struct fs_node *n;

	play_dir(y, "share/a");
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		if (look_status(y, bad[i]) != ST_OBJECT_NAME_INVALID)
			fail_msg("%s: %s", bad[i], status_name(look_status(y, bad[i])));
	play_file(y, "share/x:y*", "x");
	assert_int_equal(look_how(y, "x:y*", FS_LOOKUP_POSIX, &n), ST_OK);
	assert_true(n->exists);
	assert_int_equal(look_how(y, "a/../a", FS_LOOKUP_POSIX, &n), ST_OBJECT_NAME_INVALID);
	play_file(y, "share/con.foo", "x");
	assert_true(there(y, "CON.FOO")->exists);
	assert_int_equal(make_file(y, "aux.c", 0), ST_OK);
}

static status_t open_read(struct play *y, const char *name)
{
	struct fs_open_want w = { .read = true };
	struct fs_node *n;
	bool created;
	status_t st = look_how(y, name, 0, &n);
	int fd;

	if (st != ST_OK)
		return st;
	st = fs_open(n, &w, &fd, &created);
	fs_close(&fd);
	return st;
}

static void links_inside(void **state)
{
	struct play *y = *state;

	play_dir(y, "share/d");
	play_dir(y, "share/d/e");
	play_file(y, "share/d/file", "12345");
	play_link(y, "d/file", "share/rel");
	play_link(y, "../file", "share/d/e/up");
	play_link(y, "d", "share/dirlink");
	play_link(y, talloc_asprintf(y->mem, "%s/d/file", y->root), "share/abs");
	play_link(y, talloc_asprintf(y->mem, "%s/d", y->root), "share/absdir");
	play_link(y, y->root, "share/absroot");
	assert_int_equal(there(y, "rel")->st.size, 5);
	assert_int_equal(there(y, "d/e/up")->st.size, 5);
	assert_int_equal(there(y, "dirlink/file")->st.size, 5);
	assert_int_equal(there(y, "DIRLINK/E/UP")->st.size, 5);
	assert_int_equal(there(y, "abs")->st.size, 5);
	assert_int_equal(there(y, "absdir/file")->st.size, 5);
	assert_int_equal(there(y, "AbsDir/File")->st.size, 5);
	assert_int_equal(there(y, "absroot/absdir/e/up")->st.size, 5);
	assert_true(fs_is_dir(&there(y, "absdir")->st));
	assert_int_equal(open_read(y, "abs"), ST_OK);
	assert_int_equal(open_read(y, "absroot/absdir/e/up"), ST_OK);
}

static void links_outside(void **state)
{
	static const char *const out[] = { "abs",  "dots",     "d/dots",  "chain",
					   "loop", "dangling", "sibling", "etc" };
	struct play *y = *state;

	play_dir(y, "outside");
	play_dir(y, "share/d");
	play_file(y, "outside/secret", "secret");
	/* a folder whose path only begins like the share's */
	play_dir(y, "share2");
	play_file(y, "share2/secret", "secret");
	play_link(y, play_path(y, "outside/secret"), "share/abs");
	play_link(y, "../outside/secret", "share/dots");
	play_link(y, "../../outside/secret", "share/d/dots");
	play_link(y, "abs", "share/chain");
	play_link(y, "loop", "share/loop");
	play_link(y, "nowhere", "share/dangling");
	play_link(y, play_path(y, "share2/secret"), "share/sibling");
	play_link(y, "/etc/passwd", "share/etc");
	play_link(y, play_path(y, "outside"), "share/dir");
	play_link(y, "..", "share/up");
	play_link(y, talloc_asprintf(y->mem, "%s/../outside/secret", y->root), "share/sly");
	for (size_t i = 0; i < ARRAY_LEN(out); i++) {
		struct fs_node *n = there(y, out[i]); /* the link itself, so that it can be removed */

		if (!S_ISLNK(n->st.mode) || open_read(y, out[i]) != ST_OBJECT_NAME_NOT_FOUND)
			fail_msg("%s: %s", out[i], status_name(open_read(y, out[i])));
	}
	assert_int_equal(open_read(y, "sly"), ST_OBJECT_NAME_NOT_FOUND);
	assert_int_equal(look_status(y, "dir/secret"), ST_OBJECT_PATH_NOT_FOUND);
	assert_int_equal(look_status(y, "up/outside"), ST_OBJECT_PATH_NOT_FOUND);
	assert_int_equal(look_status(y, "up/share/d"), ST_OBJECT_PATH_NOT_FOUND);
	assert_int_equal(look_status(y, "dangling/x"), ST_OBJECT_PATH_NOT_FOUND);
	assert_int_equal(fs_unlink(there(y, "dangling")), ST_OK);
	assert_int_equal(fs_unlink(there(y, "abs")), ST_OK);
	assert_true(play_exists(y, "outside/secret"));
}

static void links_not_followed(void **state)
{
	struct play *y = *state;

	play_dir(y, "share/d");
	play_file(y, "share/d/file", "x");
	play_link(y, "d/file", "share/rel");
	play_link(y, "d", "share/dir");
	y->p.follow_symlinks = false;
	play_rules_changed(y);
	assert_int_equal(open_read(y, "rel"), ST_OBJECT_NAME_NOT_FOUND);
	assert_int_equal(look_status(y, "dir/file"), ST_OBJECT_PATH_NOT_FOUND);
	assert_int_equal(open_read(y, "d/file"), ST_OK);
}

static void links_wide(void **state)
{
	struct play *y = *state;

	play_dir(y, "outside");
	play_file(y, "outside/file", "12345");
	play_link(y, "../outside", "share/out");
	y->p.wide_links = true;
	play_rules_changed(y);
	assert_int_equal(there(y, "out/file")->st.size, 5);
	assert_int_equal(open_read(y, "OUT/FILE"), ST_OK);
	y->p.follow_symlinks = false;
	play_rules_changed(y);
	assert_int_equal(look_status(y, "out/file"), ST_OBJECT_PATH_NOT_FOUND);
}

static void links_posix(void **state)
{
	struct play *y = *state;
	struct fs_node *n;

	play_file(y, "share/file", "12345");
	play_link(y, "file", "share/link");
	assert_int_equal(look_how(y, "link", FS_LOOKUP_POSIX, &n), ST_OK);
	assert_true(n->exists && S_ISLNK(n->st.mode));
	assert_int_equal(n->st.size, 4);
	assert_int_equal(there(y, "link")->st.size, 5);
}

static void veto(void **state)
{
	struct play *y = *state;
	struct fs_node *n;

	play_dir(y, "share/secret.d");
	play_file(y, "share/secret.d/x", "x");
	play_file(y, "share/a.tmp", "x");
	play_file(y, "share/Long Name To Veto.tmp", "x");
	y->p.veto_files = "/*.tmp/secret?d/";
	play_rules_changed(y);
	assert_false(look(y, "a.tmp")->exists);
	assert_false(look(y, "A.TMP")->exists);
	assert_int_equal(look_status(y, "secret.d/x"), ST_OBJECT_PATH_NOT_FOUND);
	assert_int_equal(look_status(y, "SECRET.D/x"), ST_OBJECT_PATH_NOT_FOUND);
	assert_int_equal(make_file(y, "a.tmp", 0), ST_ACCESS_DENIED);
	assert_int_equal(make_file(y, "b.tmp", 0), ST_ACCESS_DENIED);
	assert_int_equal(fs_mkdir(look(y, "c.tmp"), 0, false, 0), ST_ACCESS_DENIED);
	play_file(y, "share/ok", "x");
	assert_int_equal(fs_rename(there(y, "ok"), look(y, "ok.tmp"), true), ST_ACCESS_DENIED);
	assert_int_equal(look_how(y, "a.tmp", FS_LOOKUP_POSIX, &n), ST_OK);
	assert_false(n->exists);
	assert_string_equal(list_all(y, "", 0), "ok");
}

static void new_letters(void **state)
{
	struct play *y = *state;

	y->p.short_preserve_case = false;
	play_rules_changed(y);
	assert_string_equal(look(y, "UPPER.TXT")->path, "upper.txt");
	assert_string_equal(look(y, "Mixed.txt")->path, "Mixed.txt");
	y->p.preserve_case = false;
	y->p.default_case = CONF_DEFAULT_CASE_UPPER;
	play_rules_changed(y);
	assert_string_equal(look(y, "a long Name.text")->path, "A LONG NAME.TEXT");
}

/* The names of a big folder are remembered; whatever happens to it must be seen at once. */
static void big_folder(void **state)
{
	struct play *y = *state;

	play_dir(y, "share/big");
	for (int i = 0; i < 600; i++)
		play_file(y, talloc_asprintf(y->mem, "share/big/File%d", i), "");
	for (int i = 0; i < 5; i++)
		assert_false(look(y, "big/none")->exists);
	play_file(y, "share/big/NONE", "");
	assert_string_equal(there(y, "big/none")->name, "NONE");
	assert_string_equal(there(y, "big/FILE17")->name, "File17");
	assert_int_equal(rename(play_path(y, "share/big/File17"), play_path(y, "share/big/fILE17")), 0);
	assert_string_equal(there(y, "big/FILE17")->name, "fILE17");
	assert_int_equal(rename(play_path(y, "share/big/fILE17"), play_path(y, "share/File17")), 0);
	assert_false(look(y, "big/FILE17")->exists);
	assert_int_equal(unlink(play_path(y, "share/big/NONE")), 0);
	assert_false(look(y, "big/none")->exists);
	for (int i = 0; i < 600; i++) {
		assert_int_equal(make_file(y, talloc_asprintf(y->mem, "BIG/new%d", i), 0), ST_OK);
		assert_true(there(y, talloc_asprintf(y->mem, "big/NEW%d", i))->exists);
	}
	y->p.veto_files = "/new5/";
	play_rules_changed(y);
	assert_false(look(y, "big/NEW5")->exists);
	/* the folder itself goes and another takes its name */
	assert_int_equal(rename(play_path(y, "share/big"), play_path(y, "share/old")), 0);
	play_dir(y, "share/big");
	assert_false(look(y, "big/NEW6")->exists);
	assert_true(there(y, "old/NEW6")->exists);
}

/* The same for one that has rested: its change time is what is trusted. */
static void big_folder_at_rest(void **state)
{
	struct play *y = *state;

	play_dir(y, "share/rest");
	for (int i = 0; i < 600; i++)
		play_file(y, talloc_asprintf(y->mem, "share/rest/File%d", i), "");
	usleep(2100000);
	for (int i = 0; i < 5; i++) {
		assert_false(look(y, "rest/none")->exists);
		assert_string_equal(there(y, "rest/FILE17")->name, "File17");
	}
	fs_share_rest(y->share);
	for (int i = 0; i < 5; i++)
		assert_false(look(y, "rest/none")->exists);
	play_file(y, "share/rest/NONE", "");
	assert_string_equal(there(y, "rest/none")->name, "NONE");
	assert_int_equal(unlink(play_path(y, "share/rest/NONE")), 0);
	assert_false(look(y, "rest/none")->exists);
	usleep(2100000);
	for (int i = 0; i < 5; i++)
		assert_string_equal(there(y, "rest/FILE17")->name, "File17");
	assert_int_equal(rename(play_path(y, "share/rest/File17"), play_path(y, "share/rest/fILE17")), 0);
	assert_string_equal(there(y, "rest/FILE17")->name, "fILE17");
}

/* Somebody else renames to and fro without a break while we look: what is true all along must be found each time, and
 * who says he has finished must be believed at once. */
static void others_at_work(struct play *y, const char *folder, const char *gone, const char *made, bool pauses)
{
	const char *a = play_path(y, talloc_asprintf(y->mem, "share/%s/%s", folder, gone));
	const char *b = play_path(y, talloc_asprintf(y->mem, "share/%s/%s", folder, made));
	int go[2], done[2];
	char byte = 0;
	pid_t pid;

	assert_int_equal(pipe(go), 0);
	assert_int_equal(pipe(done), 0);
	pid = fork();
	if (pid == 0) {
		close(go[1]);
		for (int i = 0; read(go[0], &byte, 1) == 1; i++)
			if ((i % 2 ? rename(b, a) : rename(a, b)) != 0 || write(done[1], &byte, 1) != 1)
				_exit(1);
		_exit(0);
	}
	for (int i = 0; i < 400; i++) {
		const char *now = i % 2 ? gone : made, *old = i % 2 ? made : gone;

		if (pauses && i % 200 == 50)
			usleep(2100000); /* the folder is trusted by its times from here on */
		for (int k = 0; k < 3; k++)
			look(y, talloc_asprintf(y->mem, "%s/NEVER", folder));
		assert_int_equal(write(go[1], &byte, 1), 1);
		assert_int_equal(read(done[0], &byte, 1), 1);
		assert_string_equal(there(y, str_join(y->mem, folder, "/", str_upper(y->mem, now)))->name, now);
		assert_false(look(y, str_join(y->mem, folder, "/", str_upper(y->mem, old)))->exists);
		assert_string_equal(there(y, str_join(y->mem, folder, "/", "KEPT"))->name, "kept");
	}
	close(go[1]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	close(go[0]);
	close(done[0]);
	close(done[1]);
}

/* No hand-shakes: the folder changes all the time, what others do not touch is always there. */
static void others_in_a_hurry(struct play *y)
{
	const char *a = play_path(y, "share/many/one"), *b = play_path(y, "share/many/another");
	pid_t pid = fork();

	if (pid == 0) {
		for (int i = 0; i < 8000; i++)
			if (rename(a, b) != 0 || rename(b, a) != 0)
				_exit(1);
		_exit(0);
	}
	for (int i = 0; waitpid(pid, NULL, WNOHANG) == 0; i++) {
		assert_string_equal(there(y, "many/KEPT")->name, "kept");
		assert_false(look(y, "many/NEVER")->exists);
	}
	assert_string_equal(there(y, "many/ONE")->name, "one");
	assert_false(look(y, "many/ANOTHER")->exists);
}

static void big_folder_and_others(void **state)
{
	struct play *y = *state;

	play_dir(y, "share/many");
	for (int i = 0; i < 300; i++)
		play_file(y, talloc_asprintf(y->mem, "share/many/File%d", i), "");
	play_file(y, "share/many/kept", "");
	play_file(y, "share/many/one", "");
	others_at_work(y, "many", "one", "another", true);
	others_at_work(y, "many", "one", "another", false);
	others_in_a_hurry(y);
}

static void no_right_to_look(void **state)
{
	struct play *y = *state;

	if (geteuid() == 0)
		skip(); /* nothing is closed to root; test_fs_ident has this for users */
	play_dir(y, "share/closed");
	play_file(y, "share/closed/f", "x");
	assert_int_equal(chmod(play_path(y, "share/closed"), 0), 0);
	assert_int_equal(look_status(y, "closed/f"), ST_ACCESS_DENIED);
	assert_int_equal(chmod(play_path(y, "share/closed"), 0700), 0);
}

/* Names on disk in another character set. */
static void old_disk(void **state)
{
	struct play *y = *state;
	const char *why;

	assert_true(str_setup("CP850", "ISO-8859-1", &why));
	assert_int_equal(fs_mkdir(look(y, "B\xc3\xb6se"), 0, false, 0), ST_OK);
	assert_int_equal(make_file(y, "B\xc3\xb6se/\xc3\xa4.txt", 0), ST_OK);
	assert_true(play_exists(y, "share/B\xf6se/\xe4.txt"));
	assert_string_equal(there(y, "b\xc3\x96SE/\xc3\x84.TXT")->path, "B\xc3\xb6se/\xc3\xa4.txt");
	assert_string_equal(list_all(y, "b\xc3\xb6se", FS_DIR_STAT), "\xc3\xa4.txt");
	assert_int_equal(fs_rename(there(y, "B\xc3\xb6se/\xc3\xa4.txt"), look(y, "\xc3\xbc"), false), ST_OK);
	assert_true(play_exists(y, "share/\xfc"));
	assert_true(str_setup("CP850", "UTF-8", &why));
}

static void no_share(void **state)
{
	struct play *y = *state;
	struct fs_share *s;

	play_file(y, "plain", "x");
	memset(log_level, -1, LOG_CLASSES);
	assert_int_equal(fs_share_open(y->mem, play_path(y, "none"), &y->p, &s), ST_BAD_NETWORK_NAME);
	assert_null(s);
	assert_int_equal(fs_share_open(y->mem, play_path(y, "plain"), &y->p, &s), ST_BAD_NETWORK_NAME);
	assert_int_equal(fs_share_open(y->mem, talloc_asprintf(y->mem, "%s/", y->root), &y->p, &s), ST_OK);
	fs_share_close(&s);
	assert_null(s);
}

static int setup(void **state)
{
	beneath_by_hand = by_hand;
	return play_begin(state);
}

int main(void)
{
#define PLAY(f) cmocka_unit_test_setup_teardown(f, setup, play_end)
	const struct CMUnitTest tests[] = {
		PLAY(letters),
		PLAY(exact),
		PLAY(missing),
		PLAY(invalid),
		PLAY(links_inside),
		PLAY(links_outside),
		PLAY(links_not_followed),
		PLAY(links_wide),
		PLAY(links_posix),
		PLAY(veto),
		PLAY(new_letters),
		PLAY(big_folder),
		PLAY(big_folder_at_rest),
		PLAY(big_folder_and_others),
		PLAY(no_right_to_look), PLAY(old_disk),
		PLAY(no_share),
	};
	int failed = cmocka_run_group_tests_name("openat2", tests, NULL, NULL);

	by_hand = true;
	failed += cmocka_run_group_tests_name("by hand", tests, NULL, NULL);
	xattr_no_proc = xattr_by_hand = true;
	return failed + cmocka_run_group_tests_name("by hand, no /proc", tests, NULL, NULL);
}
