/* Listings: the dots, every name once, cookies while names come and go, rules that leave names out. */
#include "fs_play.h"

#define MANY 5000

static void fill(struct play *y, int n)
{
	play_dir(y, "share/many");
	for (int i = 0; i < n; i++)
		play_file(y, talloc_asprintf(y->mem, "share/many/a rather long file name, number %d", i), "");
}

static void dots_first(void **state)
{
	struct play *y = *state;
	struct fs_dir *d;
	struct fs_entry e;

	play_dir(y, "share/d");
	play_file(y, "share/d/f", "123");
	assert_int_equal(fs_dir_open(y->mem, there(y, "D"), FS_DIR_STAT | FS_DIR_SHORT, &d), ST_OK);
	assert_int_equal(fs_dir_next(d, NULL, NULL, &e), ST_OK);
	assert_string_equal(e.name, ".");
	assert_int_equal(e.st.ino, there(y, "d")->st.ino);
	assert_int_equal(e.cookie, 1);
	assert_int_equal(fs_dir_next(d, NULL, NULL, &e), ST_OK);
	assert_string_equal(e.name, "..");
	assert_int_equal(e.st.ino, there(y, "")->st.ino);
	assert_int_equal(fs_dir_next(d, NULL, NULL, &e), ST_OK);
	assert_string_equal(e.name, "f");
	assert_string_equal(e.short_name, "");
	assert_int_equal(e.st.size, 3);
	assert_int_equal(e.st.attrs, FS_ATTR_ARCHIVE);
	assert_int_equal(fs_dir_next(d, NULL, NULL, &e), ST_NO_MORE_FILES);
	assert_int_equal(fs_dir_next(d, NULL, NULL, &e), ST_NO_MORE_FILES);
	assert_int_equal(fs_dir_seek(d, 1), ST_OK);
	assert_int_equal(fs_dir_next(d, NULL, NULL, &e), ST_OK);
	assert_string_equal(e.name, "..");
	play_file(y, "share/d/g", "");
	assert_int_equal(fs_dir_seek(d, 0), ST_OK);
	for (int i = 0; i < 4; i++)
		assert_int_equal(fs_dir_next(d, NULL, NULL, &e), ST_OK);
	fs_dir_close(&d);
	assert_null(d);
	/* the root's parent is the root */
	assert_int_equal(fs_dir_open(y->mem, there(y, ""), FS_DIR_STAT, &d), ST_OK);
	assert_int_equal(fs_dir_next(d, NULL, NULL, &e), ST_OK);
	assert_int_equal(fs_dir_next(d, NULL, NULL, &e), ST_OK);
	assert_string_equal(e.name, "..");
	assert_int_equal(e.st.ino, there(y, "")->st.ino);
	fs_dir_close(&d);
}

/* The number in a name, or -1. */
static int number_of(const char *name)
{
	const char *p = strrchr(name, ' ');

	return p ? atoi(p + 1) : -1;
}

static void each_once(void **state)
{
	struct play *y = *state;
	static unsigned char seen[MANY];
	struct fs_dir *d;
	struct fs_entry e;
	uint64_t last = 0;
	int n = 0;

	memset(seen, 0, sizeof(seen));
	fill(y, MANY);
	assert_int_equal(fs_dir_open(y->mem, there(y, "many"), 0, &d), ST_OK);
	while (fs_dir_next(d, NULL, NULL, &e) == ST_OK) {
		int i = number_of(e.name);

		assert_true(e.cookie > last && e.cookie <= UINT32_MAX);
		last = e.cookie;
		if (i < 0)
			continue;
		assert_int_equal(seen[i], 0);
		seen[i] = 1;
		n++;
	}
	assert_int_equal(n, MANY);
	fs_dir_close(&d);
}

/* A client that deletes what it is shown, ten names at a time, and comes back with the cookie each time. */
static void delete_while_listing(void **state)
{
	struct play *y = *state;
	struct fs_dir *d;
	struct fs_entry e;
	uint64_t cookie = 2;
	int gone = 0;

	fill(y, MANY);
	assert_int_equal(fs_dir_open(y->mem, there(y, "many"), FS_DIR_STAT, &d), ST_OK);
	for (;;) {
		char names[10][128];
		int n = 0;

		assert_int_equal(fs_dir_seek(d, cookie), ST_OK);
		while (n < 10 && fs_dir_next(d, NULL, NULL, &e) == ST_OK) {
			snprintf(names[n++], 128, "%s", e.name);
			cookie = e.cookie;
		}
		for (int i = 0; i < n; i++)
			assert_int_equal(fs_unlink(there(y, talloc_asprintf(y->mem, "many/%s", names[i]))),
					 ST_OK);
		gone += n;
		if (n == 0)
			break;
	}
	assert_int_equal(gone, MANY);
	fs_dir_close(&d);
	assert_int_equal(fs_rmdir(there(y, "many")), ST_OK);
}

/* Back to any cookie ever given, near or far, the listing goes on behind it. */
static void seek_back(void **state)
{
	struct play *y = *state;
	static int order[MANY + 3];
	struct fs_dir *d;
	struct fs_entry e;
	uint32_t rnd = 1;

	fill(y, MANY);
	assert_int_equal(fs_dir_open(y->mem, there(y, "many"), 0, &d), ST_OK);
	while (fs_dir_next(d, NULL, NULL, &e) == ST_OK)
		order[e.cookie <= MANY + 2 ? e.cookie : 0] =
			number_of(e.name); /* "." and ".." of the disk have a number too */
	for (int i = 0; i < 300; i++) {
		uint64_t to;

		rnd = rnd * 1103515245u + 12345u;
		to = 2 + rnd / 65536 % (MANY - 10);
		assert_int_equal(fs_dir_seek(d, to), ST_OK);
		for (int k = 0; k < 3; k++) {
			assert_int_equal(fs_dir_next(d, NULL, NULL, &e), ST_OK);
			assert_true(e.cookie > to);
			if (e.cookie <= MANY + 2)
				assert_int_equal(order[e.cookie], number_of(e.name));
			to = e.cookie;
		}
	}
	/* nonsense from a client */
	assert_int_equal(fs_dir_seek(d, UINT64_MAX), ST_OK);
	assert_int_equal(fs_dir_next(d, NULL, NULL, &e), ST_NO_MORE_FILES);
	fs_dir_close(&d);
}

static void names_for_clients(void **state)
{
	struct play *y = *state;
	char *all;

	play_file(y, "share/con.foo", "");
	play_file(y, "share/a:b", "");
	all = list_all(y, "", FS_DIR_SHORT);
	assert_non_null(strstr(all, "con.foo"));
	assert_null(strstr(all, ":"));
	assert_non_null(strstr(all, "~"));
	all = list_all(y, "", FS_DIR_POSIX);
	assert_non_null(strstr(all, "a:b"));
	y->p.mangled_names = CONF_MANGLED_NAMES_NO;
	play_rules_changed(y);
	all = list_all(y, "", FS_DIR_SHORT);
	assert_non_null(strstr(all, "a:b"));
}

static bool wants_txt(void *arg, const char *name, const char *short_name)
{
	++*(int *)arg;
	return fs_match("*.txt", name, false) || (*short_name && fs_match("*.txt", short_name, false));
}

static void match_first(void **state)
{
	struct play *y = *state;
	struct fs_dir *d;
	struct fs_entry e;
	int asked = 0;

	play_file(y, "share/a.txt", "");
	play_file(y, "share/b.doc", "");
	assert_int_equal(fs_dir_open(y->mem, there(y, ""), FS_DIR_STAT | FS_DIR_SHORT, &d), ST_OK);
	assert_int_equal(fs_dir_next(d, wants_txt, &asked, &e), ST_OK);
	assert_string_equal(e.name, "a.txt");
	assert_int_equal(fs_dir_next(d, wants_txt, &asked, &e), ST_NO_MORE_FILES);
	assert_int_equal(asked, 4);
	fs_dir_close(&d);
}

static void left_out(void **state)
{
	struct play *y = *state;

	play_file(y, "share/a", "");
	play_file(y, "share/.b", "");
	assert_int_equal(mkfifo(play_path(y, "share/fifo"), 0666), 0);
	y->p.veto_files = "/.*/";
	y->p.hide_special_files = true;
	play_rules_changed(y);
	assert_string_equal(list_all(y, "", FS_DIR_STAT), "a");
	y->p.hide_new_files_timeout = 100;
	assert_string_equal(list_all(y, "", 0), "");
	y->p.hide_new_files_timeout = 0;
	play_dir(y, "share/proc");
	play_file(y, "share/proc/x", "");
	{
		static const char *const list[] = { "/proc", NULL };

		y->p.dont_descend = list;
		play_rules_changed(y);
		assert_string_equal(list_all(y, "PROC", 0), "");
	}
}

static void vanished(void **state)
{
	struct play *y = *state;
	struct fs_dir *d;
	struct fs_entry e;

	play_file(y, "share/a", "");
	assert_int_equal(fs_dir_open(y->mem, there(y, ""), FS_DIR_STAT, &d), ST_OK);
	assert_int_equal(fs_dir_next(d, NULL, NULL, &e), ST_OK);
	assert_int_equal(fs_dir_next(d, NULL, NULL, &e), ST_OK);
	play_file(y, "share/b", "");
	assert_int_equal(fs_dir_next(d, NULL, NULL, &e), ST_OK);
	assert_int_equal(unlink(play_path(y, "share/a")), 0);
	assert_int_equal(unlink(play_path(y, "share/b")), 0);
	assert_int_equal(fs_dir_next(d, NULL, NULL, &e), ST_NO_MORE_FILES);
	fs_dir_close(&d);
}

static void links(void **state)
{
	struct play *y = *state;
	struct fs_dir *d;
	struct fs_entry e;

	play_dir(y, "outside");
	play_dir(y, "share/d");
	play_link(y, "../outside", "share/d/out");
	play_dir(y, "share/inner");
	play_link(y, "../inner", "share/d/in");
	assert_int_equal(fs_dir_open(y->mem, there(y, "d"), FS_DIR_STAT, &d), ST_OK);
	while (fs_dir_next(d, NULL, NULL, &e) == ST_OK) {
		if (strcmp(e.name, "out") == 0)
			assert_true(S_ISLNK(e.st.mode));
		if (strcmp(e.name, "in") == 0)
			assert_int_equal(e.st.ino, there(y, "inner")->st.ino);
	}
	fs_dir_close(&d);
}

static void refused(void **state)
{
	struct play *y = *state;
	struct fs_dir *d;

	play_file(y, "share/f", "");
	assert_int_equal(fs_dir_open(y->mem, there(y, "f"), 0, &d), ST_NOT_A_DIRECTORY);
	assert_null(d);
	assert_int_equal(fs_dir_open(y->mem, look(y, "n"), 0, &d), ST_OBJECT_NAME_NOT_FOUND);
}

int main(void)
{
#define PLAY(f) cmocka_unit_test_setup_teardown(f, play_begin, play_end)
	const struct CMUnitTest tests[] = {
		PLAY(dots_first), PLAY(each_once),         PLAY(delete_while_listing),
		PLAY(seek_back),  PLAY(names_for_clients), PLAY(match_first),
		PLAY(left_out),   PLAY(vanished),          PLAY(links),
		PLAY(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
