/* Links, FIFOs, owners, POSIX access lists. */
#include "fs_play.h"
#include <sys/xattr.h>

static struct fs_node *exact(struct play *y, const char *name)
{
	struct fs_node *n;

	assert_int_equal(fs_lookup(y->share, y->mem, name, FS_LOOKUP_POSIX, &n), ST_OK);
	return n;
}

static void symlinks(void **state)
{
	struct play *y = *state;
	struct fs_node *n;
	char *text;

	assert_int_equal(fs_symlink(exact(y, "l"), "../../etc/passwd"), ST_OK);
	assert_int_equal(fs_symlink(exact(y, "l"), "x"), ST_OBJECT_NAME_COLLISION);
	assert_int_equal(fs_symlink(exact(y, ""), "x"), ST_INVALID_PARAMETER);
	n = exact(y, "l");
	assert_true(n->exists && S_ISLNK(n->st.mode) && !n->through_link);
	assert_int_equal(fs_readlink(n, y->mem, &text), ST_OK);
	assert_string_equal(text, "../../etc/passwd"); /* told, never followed */
	n = exact(y, "l");
	assert_int_equal(fs_open(n, &(struct fs_open_want){ .read = true }, &(int){ -1 }, &(bool){ false }),
			 ST_OBJECT_NAME_NOT_FOUND);
	assert_int_equal(fs_unlink(exact(y, "l")), ST_OK);
	play_dir(y, "share/d");
	assert_int_equal(fs_readlink(exact(y, "d"), y->mem, &text), ST_INVALID_PARAMETER);
	assert_int_equal(fs_readlink(exact(y, "none"), y->mem, &text), ST_OBJECT_NAME_NOT_FOUND);
}

static void nodes(void **state)
{
	struct play *y = *state;
	struct fs_node *n = exact(y, "fifo");
	status_t st;

	assert_int_equal(fs_mknod(n, S_IFIFO | 0640, 0), ST_OK);
	assert_true(n->exists && n->st.mode == (S_IFIFO | 0640));
	assert_int_equal(fs_mknod(n, S_IFIFO | 0640, 0), ST_OBJECT_NAME_COLLISION);
	assert_int_equal(fs_mknod(exact(y, "sock"), S_IFSOCK | 0600, 0), ST_OK);
	assert_int_equal(fs_mknod(exact(y, "file"), S_IFREG | 0600, 0), ST_INVALID_PARAMETER);
	st = fs_mknod(exact(y, "null"), S_IFCHR | 0600, 0x103);
	assert_true(st == ST_ACCESS_DENIED || (st == ST_OK && geteuid() == 0));
}

static void owners(void **state)
{
	struct play *y = *state;
	struct fs_node *n;

	assert_int_equal(fs_symlink(exact(y, "l"), "nowhere"), ST_OK);
	n = exact(y, "l");
	assert_int_equal(fs_chown(n, -1, geteuid(), (uint32_t)-1), ST_OK);
	if (geteuid() != 0) {
		assert_int_equal(fs_chown(n, -1, 0, (uint32_t)-1), ST_ACCESS_DENIED);
		return;
	}
	assert_int_equal(fs_chown(n, -1, 1234, 77), ST_OK);
	assert_true(n->st.uid == 1234 && n->st.gid == 77);
	n = exact(y, "l");
	assert_true(n->st.uid == 1234 && n->st.gid == 77);
}

static void lists(void **state)
{
	static const struct fs_acl_entry five[] = {
		{ FS_ACL_OWNER, 6, UINT32_MAX }, { FS_ACL_USER, 4, 1234 }, { FS_ACL_OWNING_GROUP, 4, UINT32_MAX },
		{ FS_ACL_MASK, 4, UINT32_MAX }, { FS_ACL_OTHER, 0, UINT32_MAX },
	};
	struct play *y = *state;
	struct fs_acl_entry *e;
	struct fs_node *n;
	status_t st;
	size_t count;

	play_dir(y, "share/d");
	n = exact(y, "d");
	assert_int_equal(fs_acl_get(n, -1, false, y->mem, &e, &count), ST_OK);
	assert_true(count == 3 && e[0].perm == (n->st.mode >> 6 & 7) && e[2].tag == FS_ACL_OTHER);
	st = fs_acl_set(n, -1, false, five, 5);
	if (st == ST_NOT_SUPPORTED) /* a file system without */
		return;
	assert_int_equal(st, ST_OK);
	assert_int_equal(fs_acl_get(n, -1, false, y->mem, &e, &count), ST_OK);
	assert_int_equal(count, 5);
	for (size_t i = 0; i < 5; i++)
		assert_true(e[i].tag == five[i].tag && e[i].perm == five[i].perm && e[i].id == five[i].id);
	assert_int_equal(fs_acl_get(n, -1, true, y->mem, &e, &count), ST_OK);
	assert_int_equal(count, 0);
	assert_int_equal(fs_acl_set(n, -1, true, five, 5), ST_OK);
	assert_int_equal(fs_acl_get(n, -1, true, y->mem, &e, &count), ST_OK);
	assert_int_equal(count, 5);
	assert_int_equal(fs_acl_set(n, -1, true, NULL, 0), ST_OK);
	assert_int_equal(fs_acl_set(n, -1, true, NULL, 0), ST_OK);
	assert_int_equal(fs_acl_get(n, -1, true, y->mem, &e, &count), ST_OK);
	assert_int_equal(count, 0);
}

static void list_bytes(void **state)
{
	static const uint8_t good[] = { 2, 0, 0, 0, 1, 0, 6, 0, 255, 255, 255, 255, 2, 0, 4, 0, 0xd2, 4, 0, 0 };
	struct play *y = *state;
	struct fs_acl_entry *e;
	uint8_t out[64], bad[sizeof(good)];
	struct wr w = wr_over(out, sizeof(out));
	struct rd r = rd_over(good, sizeof(good));
	size_t n;

	assert_true(fs_acl_unpack(y->mem, &r, &e, &n));
	assert_true(n == 2 && e[1].tag == FS_ACL_USER && e[1].perm == 4 && e[1].id == 1234);
	assert_true(fs_acl_pack(&w, e, n));
	assert_int_equal(wr_tell(&w), sizeof(good));
	assert_memory_equal(out, good, sizeof(good));
	for (size_t cut = 0; cut < sizeof(good); cut++) {
		r = rd_over(good, cut);
		assert_int_equal(fs_acl_unpack(y->mem, &r, &e, &n), cut == 4 || cut == 12);
	}
	memcpy(bad, good, sizeof(bad));
	bad[4] = 3;
	r = rd_over(bad, sizeof(bad));
	assert_false(fs_acl_unpack(y->mem, &r, &e, &n));
	w = wr_over(out, 8);
	assert_false(fs_acl_pack(&w, e, 2));
}

/* Names of a POSIX client: exact, with anything in them. */
static void names(void **state)
{
	static const char *const odd[] = { "AbC", "aBc", "co:lon", "a*b", "q?m", "l<g>", "dot.", "space ", "back\\slash", "aux" };
	struct play *y = *state;
	struct fs_node *n;
	struct fs_dir *d;
	struct fs_entry e;
	size_t seen = 0;

	fs_share_posix(y->share);
	for (size_t i = 0; i < ARRAY_LEN(odd); i++) {
		n = look(y, odd[i]);
		assert_false(n->exists);
		assert_int_equal(fs_mkdir(n, 0, true, 0750), ST_OK);
		assert_int_equal(n->st.mode & 07777, 0750);
	}
	assert_int_equal(fs_dir_open(y->mem, look(y, ""), 0, &d), ST_OK);
	while (fs_dir_next(d, NULL, NULL, &e) == ST_OK)
		for (size_t i = 0; i < ARRAY_LEN(odd); i++)
			seen += strcmp(e.name, odd[i]) == 0;
	assert_int_equal(seen, ARRAY_LEN(odd));
	assert_int_equal(fs_rmdir(look(y, "AbC")), ST_OK);
	assert_true(look(y, "aBc")->exists);
	assert_false(look(y, "ABC")->exists);
}

int main(void)
{
#define PLAY(f) cmocka_unit_test_setup_teardown(f, play_begin, play_end)
	const struct CMUnitTest tests[] = {
		PLAY(symlinks), PLAY(nodes), PLAY(owners), PLAY(lists), PLAY(list_bytes), PLAY(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
