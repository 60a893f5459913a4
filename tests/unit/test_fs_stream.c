/* Alternate streams: names, life and death, and that nobody sees the store. */
#include "fs_play.h"

#define STORE "share/.smb1d.streams"

static status_t open_how(struct fs_node *n, struct fs_open_want w, int *fd)
{
	bool created;

	return fs_open(n, &w, fd, &created);
}

static void put_stream(struct play *y, const char *name, const char *text)
{
	struct fs_node *n = look(y, name);
	uint32_t done;
	int fd;

	assert_int_equal(open_how(n, (struct fs_open_want){ .write = true, .create = true, .truncate = true }, &fd), ST_OK);
	assert_int_equal(fs_write(fd, 0, text, (uint32_t)strlen(text), &done), ST_OK);
	fs_close(&fd);
}

static char *get_stream(struct play *y, const char *name)
{
	struct fs_node *n = look(y, name);
	char *buf = talloc_zero_size(y->mem, 64);
	uint32_t got;
	int fd;

	if (!n->exists || open_how(n, (struct fs_open_want){ .read = true }, &fd) != ST_OK)
		return NULL;
	assert_int_equal(fs_read(fd, 0, buf, 63, &got), ST_OK);
	fs_close(&fd);
	return buf;
}

static size_t count(struct play *y, const char *name)
{
	struct fs_stream *list;
	size_t n;

	assert_int_equal(fs_stream_list(look(y, name), y->mem, &list, &n), ST_OK);
	return n;
}

static void names(void **state)
{
	struct play *y = *state;
	struct fs_node *n;

	play_file(y, "share/a", "data");
	n = there(y, "a::$DATA");
	assert_true(!n->stream && n->data_asked && n->st.size == 4);
	n = look(y, "A:Zone:$data");
	assert_true(n->stream && !n->exists && n->base_exists);
	assert_string_equal(n->path, "a");
	assert_int_equal(look_status(y, "a:"), ST_OBJECT_NAME_INVALID);
	assert_int_equal(look_status(y, "a:x:"), ST_OBJECT_NAME_INVALID);
	assert_int_equal(look_status(y, "a:x:$INDEX"), ST_OBJECT_NAME_INVALID);
	assert_int_equal(look_status(y, "b/c:x"), ST_OBJECT_PATH_NOT_FOUND);
	put_stream(y, "a:..", "dots are a name like any other");
	put_stream(y, "a:*?\"<>|\1", "so are these");
	assert_int_equal(count(y, "a"), 2);
	assert_string_equal(get_stream(y, "a:.."), "dots are a name like any other");
}

static void life(void **state)
{
	struct play *y = *state;
	struct fs_stream *list;
	struct fs_node *n;
	size_t k;

	play_file(y, "share/f", "data");
	assert_false(fs_stream_any(look(y, "f")));
	put_stream(y, "f:one", "1");
	put_stream(y, "f:two", "22");
	assert_true(fs_stream_any(look(y, "f")));
	n = there(y, "F:ONE");
	assert_string_equal(n->stream, "one");
	assert_int_equal(n->st.size, 1);
	assert_true(n->st.ino != there(y, "f")->st.ino);
	assert_int_equal(fs_stream_list(look(y, "f"), y->mem, &list, &k), ST_OK);
	assert_int_equal(k, 2);
	assert_int_equal(rename(play_path(y, "share/f"), play_path(y, "share/g")), 0); /* by somebody else */
	assert_string_equal(get_stream(y, "g:two"), "22");
	assert_int_equal(fs_rename(there(y, "g:two"), look(y, "g:Three"), false), ST_OK);
	assert_null(get_stream(y, "g:two"));
	assert_string_equal(get_stream(y, "g:three"), "22");
	assert_int_equal(fs_rename(there(y, "g:three"), there(y, "g:one"), false), ST_OBJECT_NAME_COLLISION);
	assert_int_equal(fs_unlink(there(y, "g:three")), ST_OK);
	assert_int_equal(count(y, "g"), 1);
}

static void death(void **state)
{
	struct play *y = *state;
	int fd;

	put_stream(y, "new:s", "makes its file");
	assert_true(play_exists(y, "share/new"));
	assert_int_equal(link(play_path(y, "share/new"), play_path(y, "share/twin")), 0);
	assert_int_equal(fs_unlink(there(y, "new")), ST_OK);
	assert_string_equal(get_stream(y, "twin:s"), "makes its file");
	assert_int_equal(fs_unlink(there(y, "twin")), ST_OK);
	assert_int_equal(rmdir(play_path(y, STORE)), 0); /* nothing was left */
	put_stream(y, "o:s", "x");
	assert_int_equal(open_how(there(y, "o"), (struct fs_open_want){ .write = true, .truncate = true }, &fd), ST_OK);
	fs_close(&fd);
	assert_int_equal(count(y, "o"), 0);
	put_stream(y, "o:s", "x");
	put_stream(y, "p:s", "y");
	assert_int_equal(fs_rename(there(y, "p"), there(y, "o"), true), ST_OK);
	assert_string_equal(get_stream(y, "o:s"), "y");
	play_dir(y, "share/d");
	put_stream(y, "d:s", "of a folder");
	assert_int_equal(count(y, "d"), 1);
	assert_int_equal(fs_rmdir(there(y, "d")), ST_OK);
}

static void rules(void **state)
{
	struct play *y = *state;
	struct fs_node *n;
	int fd;

	put_stream(y, "f:s", "x");
	n = there(y, "f:s");
	assert_int_equal(open_how(n, (struct fs_open_want){ .read = true, .directory = true }, &fd), ST_NOT_A_DIRECTORY);
	n = there(y, "f:s");
	assert_int_equal(open_how(n, (struct fs_open_want){ .read = true, .create = true, .exclusive = true }, &fd),
			 ST_OBJECT_NAME_COLLISION);
	assert_int_equal(fs_set_attrs(there(y, "f"), -1, FS_ATTR_READONLY), ST_OK);
	assert_true(there(y, "f:s")->st.attrs & FS_ATTR_READONLY);
	assert_int_equal(open_how(there(y, "f:s"), (struct fs_open_want){ .write = true }, &fd), ST_ACCESS_DENIED);
	assert_int_equal(fs_unlink(there(y, "f:s")), ST_CANNOT_DELETE);
	assert_int_equal(fs_link(there(y, "f:s"), look(y, "l")), ST_INVALID_PARAMETER);
	y->p.smb1d_streams = false;
	play_rules_changed(y);
	assert_int_equal(open_how(look(y, "f:t"), (struct fs_open_want){ .write = true, .create = true }, &fd),
			 ST_OBJECT_NAME_INVALID);
}

static void hidden(void **state)
{
	struct play *y = *state;
	struct fs_entry e;
	struct fs_dir *d;
	size_t n = 0;

	put_stream(y, "f:s", "x");
	assert_int_equal(play_mode(y, STORE), 01733);
	assert_false(look(y, ".smb1d.streams")->exists);
	assert_false(look(y, ".SMB1D.STREAMS")->exists);
	assert_int_equal(fs_mkdir(look(y, ".smb1d.streams"), 0, false, 0), ST_ACCESS_DENIED);
	assert_int_equal(look_status(y, ".smb1d.streams/x"), ST_OBJECT_PATH_NOT_FOUND);
	assert_int_equal(fs_rename(there(y, "f"), look(y, ".smb1d.streams"), true), ST_ACCESS_DENIED);
	assert_int_equal(fs_dir_open(y->mem, look(y, ""), 0, &d), ST_OK);
	while (fs_dir_next(d, NULL, NULL, &e) == ST_OK)
		n++;
	assert_int_equal(n, 3); /* the dots and f */
}

/* A folder in the store that is not the file owner's was put there to listen. */
static void not_trusted(void **state)
{
	struct play *y = *state;
	char cmd[512];
	int fd;

	if (geteuid() != 0)
		skip();
	put_stream(y, "f:s", "x");
	snprintf(cmd, sizeof(cmd), "chown 65534 %s/*", play_path(y, STORE));
	assert_int_equal(system(cmd), 0);
	assert_int_equal(look_status(y, "f:s"), ST_ACCESS_DENIED);
	assert_int_equal(open_how(look(y, "f"), (struct fs_open_want){ .read = true }, &fd), ST_OK);
	fs_close(&fd);
}

#define PLAY(f) cmocka_unit_test_setup_teardown(f, play_begin, play_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLAY(names), PLAY(life), PLAY(death), PLAY(rules), PLAY(hidden), PLAY(not_trusted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
