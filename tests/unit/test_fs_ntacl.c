/* Descriptors on disk: kept exactly, mapped to the mode, void after a chmod by somebody else, inherited. */
#include "fs_play.h"

static uint8_t list_buf[1024];

/* A list of one entry for everyone and one for the owner, from the file's own descriptor. */
static struct sd listed(const struct sd *from, uint8_t flags, uint32_t everyone)
{
	struct wr w = wr_over(list_buf, sizeof(list_buf));
	struct sd sd = *from;

	acl_begin(&w);
	acl_add(&w, ACE_ALLOW, flags, 0x1f01ff, &from->owner);
	acl_add(&w, ACE_ALLOW, flags, everyone, &sid_everyone);
	acl_end(&w, &sd.dacl);
	return sd;
}

static struct sd get(struct play *y, const char *name)
{
	struct sd sd;

	assert_int_equal(fs_sd_get(there(y, name), y->mem, &sd), ST_OK);
	return sd;
}

static void set(struct play *y, const char *name, uint8_t flags, uint32_t everyone)
{
	struct sd old = get(y, name), sd = listed(&old, flags, everyone);

	assert_int_equal(fs_sd_set(there(y, name), &sd, SD_DACL), ST_OK);
}

static bool same_list(const struct sd *a, const struct sd *b)
{
	return a->dacl.len == b->dacl.len && memcmp(a->dacl.list, b->dacl.list, a->dacl.len) == 0;
}

static void exactly(void **state)
{
	struct play *y = *state;
	struct sd want, got;

	play_file(y, "share/f", "x");
	assert_false(there(y, "f")->st.has_sd);
	got = get(y, "f"); /* made of 0644 */
	assert_true(got.has_owner && got.dacl.list);
	want = listed(&got, 0, 0x120089);
	set(y, "f", 0, 0x120089);
	assert_true(there(y, "f")->st.has_sd);
	got = get(y, "f");
	assert_true(same_list(&got, &want));
	assert_int_equal(play_mode(y, "share/f"), 0744);
	assert_int_equal(fs_set_attrs(there(y, "f"), -1, FS_ATTR_HIDDEN), ST_OK); /* keeps the note of it */
	assert_true(there(y, "f")->st.has_sd);
	assert_int_equal(there(y, "f")->st.attrs, FS_ATTR_HIDDEN);
}

static void void_after_chmod(void **state)
{
	struct play *y = *state;
	struct sd want, got;

	play_file(y, "share/f", "x");
	set(y, "f", 0, 0x120089);
	want = get(y, "f");
	assert_int_equal(chmod(play_path(y, "share/f"), 0600), 0);
	got = get(y, "f");
	assert_false(same_list(&got, &want));
	assert_int_equal(chmod(play_path(y, "share/f"), 0744), 0); /* as it was: it fits again */
	got = get(y, "f");
	assert_true(same_list(&got, &want));
}

static void not_among_the_attributes(void **state)
{
	struct play *y = *state;
	struct fs_ea *list;
	size_t n;

	play_file(y, "share/f", "x");
	set(y, "f", 0, 1);
	assert_int_equal(fs_ea_list(there(y, "f"), y->mem, &list, &n), ST_OK);
	assert_int_equal(n, 0);
	assert_int_equal(fs_ea_size(there(y, "f")), 0);
	assert_int_equal(fs_ea_set(there(y, "f"), "smb1d.ntacl", (const uint8_t *)"x", 1), ST_ACCESS_DENIED);
	assert_int_equal(fs_ea_set(there(y, "f"), "SMB1D.NTACL", (const uint8_t *)"x", 1), ST_ACCESS_DENIED);
}

static void inherited(void **state)
{
	struct play *y = *state;
	struct fs_open_want w = { .write = true, .create = true };
	struct fs_node *n;
	struct sd sd;
	struct ace e;
	uint32_t at = 0;
	bool created;
	int fd;

	play_dir(y, "share/d");
	set(y, "d", ACE_OBJECT_INHERIT | ACE_CONTAINER_INHERIT, 0x1200a9);
	n = look(y, "d/f");
	assert_true(n->parent_sd);
	assert_int_equal(fs_open(n, &w, &fd, &created), ST_OK);
	fs_close(&fd);
	assert_true(n->st.has_sd);
	assert_int_equal(play_mode(y, "share/d/f"), 0755);
	sd = get(y, "d/f");
	assert_true(acl_next(&sd.dacl, &at, &e));
	assert_int_equal(e.flags, 0);
	assert_int_equal(fs_mkdir(look(y, "d/sub"), 0, false, 0), ST_OK);
	sd = get(y, "d/sub");
	at = 0;
	assert_true(acl_next(&sd.dacl, &at, &e));
	assert_int_equal(e.flags, ACE_OBJECT_INHERIT | ACE_CONTAINER_INHERIT);
}

static void given(void **state)
{
	struct play *y = *state;
	struct fs_open_want w = { .write = true, .create = true };
	struct fs_node *n = look(y, "new");
	struct sd base, sd;
	bool created;
	int fd;

	play_file(y, "share/other", "x");
	base = get(y, "other");
	sd = listed(&base, 0, 2);
	n->new_sd = &sd;
	assert_int_equal(fs_open(n, &w, &fd, &created), ST_OK);
	fs_close(&fd);
	assert_int_equal(play_mode(y, "share/new"), 0722);
	base = get(y, "new");
	assert_true(same_list(&base, &sd));
}

static void owners(void **state)
{
	struct play *y = *state;
	struct sd sd;

	play_file(y, "share/f", "x");
	sd = get(y, "f");
	sd.owner = sid_everyone;
	assert_int_equal(fs_sd_set(there(y, "f"), &sd, SD_OWNER), ST_INVALID_OWNER);
	if (geteuid() == 0)
		return;
	sd.owner = sid_of_uid(0);
	assert_int_equal(fs_sd_set(there(y, "f"), &sd, SD_OWNER), ST_INVALID_OWNER);
}

#define PLAY(f) cmocka_unit_test_setup_teardown(f, play_begin, play_end)
int main(void)
{
	const struct CMUnitTest tests[] = {
		PLAY(exactly), PLAY(void_after_chmod), PLAY(not_among_the_attributes), PLAY(inherited), PLAY(given),
		PLAY(owners),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
