/* DOS attributes and times, with and without a place to keep them; extended attributes. */
#include "fs_play.h"
#include "fs/inner.h"
#include <sys/xattr.h>

static unsigned way; /* 0: the kernel's best; 1: /proc; 2: real opens */

static uint32_t attrs_of(struct play *y, const char *name)
{
	return there(y, name)->st.attrs;
}

static char *record_of(struct play *y, const char *rel)
{
	char buf[64] = "";
	ssize_t n = lgetxattr(play_path(y, rel), "user.DOSATTRIB", buf, sizeof(buf) - 1);

	return n < 0 ? NULL : talloc_strndup(y->mem, buf, (size_t)n);
}

static void new_files(void **state)
{
	struct play *y = *state;

	assert_int_equal(make_file(y, "f", 0), ST_OK);
	assert_int_equal(attrs_of(y, "f"), FS_ATTR_ARCHIVE);
	assert_null(record_of(y, "share/f")); /* the usual case costs nothing */
	assert_int_equal(
		make_file(y, "h", FS_ATTR_HIDDEN | FS_ATTR_SYSTEM | FS_ATTR_DIRECTORY | FS_ATTR_NORMAL),
		ST_OK);
	assert_int_equal(attrs_of(y, "h"), FS_ATTR_HIDDEN | FS_ATTR_SYSTEM | FS_ATTR_ARCHIVE);
	assert_string_equal(record_of(y, "share/h"), "0x26");
	assert_int_equal(fs_mkdir(look(y, "d"), FS_ATTR_HIDDEN | FS_ATTR_DIRECTORY, false, 0), ST_OK);
	assert_int_equal(attrs_of(y, "d"), FS_ATTR_HIDDEN | FS_ATTR_DIRECTORY);
}

static void round_trip(void **state)
{
	struct play *y = *state;
	struct fs_open_want a = { .attributes_only = true };
	struct fs_node *n;
	struct fs_stat st;
	bool created;
	int fd;

	play_file(y, "share/f", "x");
	play_dir(y, "share/d");
	for (uint32_t attrs = 0; attrs < 0x28; attrs++) {
		if (attrs & (FS_ATTR_DIRECTORY | FS_ATTR_VOLUME))
			continue;
		n = there(y, "f");
		assert_int_equal(fs_set_attrs(n, -1, attrs | FS_ATTR_NORMAL | FS_ATTR_DIRECTORY), ST_OK);
		assert_int_equal(n->st.attrs, attrs);
		assert_int_equal(attrs_of(y, "f"), attrs);
	}
	assert_int_equal(fs_set_attrs(there(y, "d"), -1, FS_ATTR_READONLY | FS_ATTR_HIDDEN), ST_OK);
	assert_int_equal(attrs_of(y, "d"), FS_ATTR_READONLY | FS_ATTR_HIDDEN | FS_ATTR_DIRECTORY);
	/* through a handle */
	n = there(y, "f");
	assert_int_equal(fs_open(n, &a, &fd, &created), ST_OK);
	assert_int_equal(fs_set_attrs(n, fd, FS_ATTR_SYSTEM), ST_OK);
	assert_int_equal(fs_fstat(y->share, fd, "f", &st), ST_OK);
	assert_int_equal(st.attrs, FS_ATTR_SYSTEM);
	fs_close(&fd);
	/* a handle that is O_PATH only; its record cannot be read without its name or /proc */
	fd = open(play_path(y, "share/f"), O_PATH);
	assert_int_equal(fs_set_attrs(n, fd, FS_ATTR_HIDDEN), ST_OK);
	assert_int_equal(fs_fstat(y->share, fd, "f", &st), ST_OK);
	assert_int_equal(st.attrs, way == 2 ? FS_ATTR_ARCHIVE : FS_ATTR_HIDDEN);
	fs_close(&fd);
	assert_int_equal(attrs_of(y, "f"), FS_ATTR_HIDDEN);
}

/* Records as others write them. */
static void foreign_records(void **state)
{
	static const struct { const char *text; size_t len; uint32_t attrs;
	} t[] = {
		{ "0x1", 3, 1 },           { "0x27", 4, 0x27 },         { "0X02", 4, 2 },
		{ "0x3\0\3\0\0\0", 8, 3 }, { "0x", 2, 0x20 },           { "23", 2, 0x20 },
		{ "0x10", 4, 0 },          { "\0\0\3\0\3\0", 6, 0x20 }, { "0xffffffffffff", 14, 0x3327 },
	};
	struct play *y = *state;

	play_file(y, "share/f", "x");
	for (size_t i = 0; i < ARRAY_LEN(t); i++) {
		assert_int_equal(setxattr(play_path(y, "share/f"), "user.DOSATTRIB", t[i].text, t[i].len, 0),
				 0);
		if (attrs_of(y, "f") != t[i].attrs)
			fail_msg("%s: %x", t[i].text, attrs_of(y, "f"));
	}
}

static void names_hide(void **state)
{
	struct play *y = *state;

	play_file(y, "share/.x", "");
	play_file(y, "share/desktop.ini", "");
	assert_int_equal(attrs_of(y, ".x"), FS_ATTR_HIDDEN | FS_ATTR_ARCHIVE);
	assert_int_equal(attrs_of(y, "desktop.ini"), FS_ATTR_ARCHIVE);
	y->p.hide_files = "/DESKTOP.*/";
	y->p.hide_dot_files = false;
	play_rules_changed(y);
	assert_int_equal(attrs_of(y, ".x"), FS_ATTR_ARCHIVE);
	assert_int_equal(attrs_of(y, "desktop.ini"), FS_ATTR_HIDDEN | FS_ATTR_ARCHIVE);
}

static void in_the_mode(void **state)
{
	struct play *y = *state;

	y->p.store_dos_attributes = false;
	y->p.map_hidden = y->p.map_system = true;
	y->p.map_readonly = CONF_MAP_READONLY_YES;
	y->p.create_mask = 0777;
	play_rules_changed(y);
	assert_int_equal(make_file(y, "a", 0), ST_OK);
	assert_int_equal(play_mode(y, "share/a"), 0766);
	assert_int_equal(attrs_of(y, "a"), FS_ATTR_ARCHIVE);
	assert_int_equal(make_file(y, "b", FS_ATTR_HIDDEN | FS_ATTR_SYSTEM), ST_OK);
	assert_int_equal(play_mode(y, "share/b"), 0777);
	assert_int_equal(make_file(y, "c", FS_ATTR_READONLY), ST_OK);
	assert_int_equal(play_mode(y, "share/c"), 0544);
	for (uint32_t attrs = 0; attrs < 0x28; attrs++) {
		if (attrs & (FS_ATTR_DIRECTORY | FS_ATTR_VOLUME))
			continue;
		assert_int_equal(fs_set_attrs(there(y, "a"), -1, attrs), ST_OK);
		assert_int_equal(attrs_of(y, "a"), attrs);
	}
	assert_null(record_of(y, "share/a"));
	assert_int_equal(fs_set_attrs(there(y, "a"), -1, FS_ATTR_READONLY), ST_OK);
	assert_int_equal(fs_unlink(there(y, "a")), ST_CANNOT_DELETE);
	y->p.map_readonly = CONF_MAP_READONLY_NO;
	play_rules_changed(y);
	assert_int_equal(attrs_of(y, "a"), 0);
	play_dir(y, "share/d");
	assert_int_equal(fs_set_attrs(there(y, "d"), -1, FS_ATTR_HIDDEN), ST_OK);
	assert_int_equal(play_mode(y, "share/d"), 0755);
}

static void times(void **state)
{
	struct play *y = *state;
	nttime_t base = 132223104000000000ull; /* 2020-01-01 */
	struct fs_times t = { .create = base + 1, .access = base + 20000002, .write = base + 30000003 };
	struct fs_open_want o = { .attributes_only = true };
	struct fs_node *n;
	struct stat st;
	bool created;
	int fd;

	play_file(y, "share/f", "x");
	play_dir(y, "share/d");
	for (int i = 0; i < 2; i++) {
		const char *name = i ? "d" : "f";

		assert_int_equal(fs_set_times(there(y, name), -1, &t), ST_OK);
		n = there(y, name);
		assert_true(n->st.create == t.create && n->st.access == t.access && n->st.write == t.write);
		assert_int_equal(n->st.attrs, i ? FS_ATTR_DIRECTORY : FS_ATTR_ARCHIVE);
	}
	assert_int_equal(stat(play_path(y, "share/f"), &st), 0);
	assert_int_equal(st.st_mtim.tv_sec, 1577836803);
	assert_int_equal(st.st_mtim.tv_nsec, 300);
	/* attributes and the creation time do not tread on each other */
	assert_int_equal(fs_set_attrs(there(y, "f"), -1, FS_ATTR_HIDDEN), ST_OK);
	assert_true(there(y, "f")->st.create == t.create);
	assert_int_equal(attrs_of(y, "f"), FS_ATTR_HIDDEN);
	t = (struct fs_times){ .create = base + 7 };
	assert_int_equal(fs_set_times(there(y, "f"), -1, &t), ST_OK);
	n = there(y, "f");
	assert_true(n->st.create == base + 7 && n->st.write == base + 30000003);
	assert_int_equal(n->st.attrs, FS_ATTR_HIDDEN);
	/* -1 and -2 leave alone */
	t = (struct fs_times){ UINT64_MAX, UINT64_MAX - 1, base, 0 };
	assert_int_equal(fs_open(n, &o, &fd, &created), ST_OK);
	assert_int_equal(fs_set_times(n, fd, &t), ST_OK);
	fs_close(&fd);
	fd = open(play_path(y, "share/f"), O_PATH);
	t.write = base + 10;
	assert_int_equal(fs_set_times(n, fd, &t), ST_OK);
	fs_close(&fd);
	n = there(y, "f");
	assert_true(n->st.create == base + 7 && n->st.access == base + 20000002 && n->st.write == base + 10);
	y->p.dos_filetime_resolution = true;
	assert_true(there(y, "f")->st.write == base);
	y->p.fake_directory_create_times = true;
	assert_true(there(y, "d")->st.create == 119600064000000000ull);
}

static void birth(void **state)
{
	struct play *y = *state;
	struct timespec old[2] = { { .tv_sec = 1000000000 }, { .tv_sec = 1000000000 } };
	nttime_t now = clock_now(), then;

	play_file(y, "share/f", "x");
	assert_int_equal(utimensat(AT_FDCWD, play_path(y, "share/f"), old, 0), 0);
	then = there(y, "f")->st.create; /* the disk's birth time, or the oldest it knows */
	assert_true(then == nttime_from_ts(old[0]) || (then > now - 600000000 && then < now + 600000000));
}

static void modes(void **state)
{
	struct play *y = *state;
	struct fs_node *n;
	int fd;

	play_file(y, "share/f", "x");
	n = there(y, "f");
	assert_int_equal(fs_chmod(n, -1, 0640), ST_OK);
	assert_int_equal(play_mode(y, "share/f"), 0640);
	assert_int_equal(n->st.mode, S_IFREG | 0640);
	fd = open(play_path(y, "share/f"), O_PATH);
	assert_int_equal(fs_chmod(n, fd, 0600), ST_OK);
	assert_int_equal(play_mode(y, "share/f"), 0600);
	fs_close(&fd);
	/* the owner of a file that may not be written still sets its attributes */
	assert_int_equal(fs_chmod(n, -1, 0444), ST_OK);
	assert_int_equal(fs_set_attrs(there(y, "f"), -1, FS_ATTR_HIDDEN), ST_OK);
	assert_int_equal(attrs_of(y, "f"), FS_ATTR_HIDDEN);
	assert_int_equal(play_mode(y, "share/f"), 0444);
}

static void eas(void **state)
{
	struct play *y = *state;
	struct fs_node *n;
	struct fs_ea *list;
	size_t count;

	play_file(y, "share/f", "x");
	assert_int_equal(fs_set_attrs(there(y, "f"), -1, FS_ATTR_HIDDEN), ST_OK);
	n = there(y, "f");
	assert_int_equal(fs_ea_list(n, y->mem, &list, &count), ST_OK);
	assert_int_equal(count, 0);
	assert_int_equal(fs_ea_set(n, "foo", (const uint8_t *)"bar", 3), ST_OK);
	assert_int_equal(fs_ea_set(n, "FOO", (const uint8_t *)"barr", 4), ST_OK);
	assert_int_equal(fs_ea_set(n, ".TYPE", (const uint8_t *)"t\0x", 3), ST_OK);
	assert_int_equal(fs_ea_list(n, y->mem, &list, &count), ST_OK);
	assert_int_equal(count, 2);
	for (size_t i = 0; i < count; i++) {
		bool foo = strcmp(list[i].name, "foo") == 0;

		assert_true(foo || strcmp(list[i].name, ".TYPE") == 0);
		assert_int_equal(list[i].len, foo ? 4 : 3);
		assert_memory_equal(list[i].value, foo ? "barr" : "t\0x", list[i].len);
	}
	assert_int_equal(fs_ea_set(n, "Foo", NULL, 0), ST_OK);
	assert_int_equal(fs_ea_set(n, "Foo", NULL, 0), ST_OK);
	assert_int_equal(fs_ea_list(n, y->mem, &list, &count), ST_OK);
	assert_int_equal(count, 1);
	assert_int_equal(fs_ea_set(n, "", (const uint8_t *)"x", 1), ST_INVALID_EA_NAME);
	assert_int_equal(fs_ea_set(n, "a*b", (const uint8_t *)"x", 1), ST_INVALID_EA_NAME);
	assert_int_equal(fs_ea_set(n, "DOSATTRIB", (const uint8_t *)"0x7", 3), ST_ACCESS_DENIED);
	assert_int_equal(fs_ea_set(n, "dosattrib", (const uint8_t *)"0x7", 3), ST_ACCESS_DENIED);
	assert_int_equal(fs_ea_set(n, "smb1d.crtime", (const uint8_t *)"01234567", 8), ST_ACCESS_DENIED);
	assert_int_equal(attrs_of(y, "f"), FS_ATTR_HIDDEN);
	y->p.ea_support = false;
	assert_int_equal(fs_ea_set(n, "x", (const uint8_t *)"x", 1), ST_EAS_NOT_SUPPORTED);
	assert_int_equal(fs_ea_list(n, y->mem, &list, &count), ST_OK);
	assert_int_equal(count, 0);
}

static int setup(void **state)
{
	struct play *y = calloc(1, sizeof(*y));

	xattr_by_hand = way > 0;
	xattr_no_proc = way > 1;
	play_open(y);
	*state = y;
	return 0;
}

/* More names than the first look has room for. */
static void many_eas(void **state)
{
	struct play *y = *state;
	struct fs_node *n;
	struct fs_ea *list;
	size_t count;
	uint32_t size = 0;
	char name[64];

	play_file(y, "share/f", "");
	n = there(y, "f");
	for (int i = 0; i < 30; i++) {
		snprintf(name, sizeof(name), "A NAME OF THIRTY LETTERS NO %02d", i);
		assert_int_equal(fs_ea_set(n, name, (const uint8_t *)"value", 5), ST_OK);
		size += 5 + (uint32_t)strlen(name) + 5;
	}
	assert_int_equal(fs_ea_list(n, y->mem, &list, &count), ST_OK);
	assert_int_equal(count, 30);
	assert_int_equal(fs_ea_size(n), size);
}

int main(void)
{
#define PLAY(f) cmocka_unit_test_setup_teardown(f, setup, play_end)
	const struct CMUnitTest tests[] = {
		PLAY(new_files), PLAY(round_trip), PLAY(foreign_records), PLAY(names_hide), PLAY(in_the_mode),
		PLAY(times),     PLAY(birth),      PLAY(modes),           PLAY(eas),
		PLAY(many_eas),
	};
	struct play probe;
	bool keeps;
	int failed = 0;

	play_open(&probe);
	keeps = play_keeps_xattrs(&probe);
	play_close(&probe);
	if (!keeps) {
		printf("1..0 # SKIP no user attributes in the temporary folder\n");
		return 0;
	}
	for (way = 0; way < 3; way++)
		failed += cmocka_run_group_tests_name(way == 0   ? "at"
						      : way == 1 ? "proc"
								 : "open",
						      tests, NULL, NULL);
	return failed;
}
