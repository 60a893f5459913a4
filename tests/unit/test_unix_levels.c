/* Levels of the UNIX extensions as bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "cmd/trans2/find_levels.h"
#include "cmd/trans2/unix_levels.h"
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

static uint8_t buf[256];

static uint16_t at16(uint32_t off) { return (uint16_t)(buf[off] | buf[off + 1] << 8); }
static uint32_t at32(uint32_t off) { return at16(off) | (uint32_t)at16(off + 2) << 16; }
static uint64_t at64(uint32_t off) { return at32(off) | (uint64_t)at32(off + 4) << 32; }

static struct fs_stat file(void)
{
	return (struct fs_stat){ .dev = 0x801, .ino = 77, .mode = 0104751, .nlink = 3, .uid = 1000, .gid = 100,
				 .size = 0x123456789abull, .disk = 8192, .alloc = 1 << 20, .create = 9, .access = 10,
				 .write = 11, .change = 12, .attrs = FS_ATTR_HIDDEN };
}

static void basic(void **state)
{
	struct fs_stat st = file();
	struct wr w = wr_over(buf, sizeof(buf));

	(void)state;
	unix_put_info2(&w, &st);
	assert_int_equal(wr_tell(&w), UNIX_INFO2_LEN);
	assert_int_equal(at64(0), 0x123456789abull);
	assert_int_equal(at64(8), 8192); /* not what rules round it up to */
	assert_int_equal(at64(16), 12);
	assert_int_equal(at64(24), 10);
	assert_int_equal(at64(32), 11);
	assert_int_equal(at64(40), 1000);
	assert_int_equal(at64(48), 100);
	assert_int_equal(at32(56), 0);
	assert_int_equal(at64(76), info_file_id(&st));
	assert_int_equal(at64(84), 04751);
	assert_int_equal(at64(92), 3);
	assert_int_equal(at64(100), 9);
	assert_int_equal(at32(108), UNIX_HIDDEN);
	assert_int_equal(at32(112), UNIX_HIDDEN);
}

static void types(void **state)
{
	static const uint32_t mode[] = { S_IFREG, S_IFDIR, S_IFLNK, S_IFCHR, S_IFBLK, S_IFIFO, S_IFSOCK };
	struct fs_stat st = file();

	(void)state;
	st.rdev = makedev(300, 70000);
	for (uint32_t i = 0; i < 7; i++) {
		struct wr w = wr_over(buf, sizeof(buf));

		st.mode = mode[i] | 0600;
		unix_put_basic(&w, &st);
		assert_int_equal(wr_tell(&w), UNIX_BASIC_LEN);
		assert_int_equal(at32(56), i);
		assert_int_equal(at64(60), 300);
		assert_int_equal(at64(68), 70000);
	}
}

/* Other file system, other birth: another file. */
static void ids(void **state)
{
	struct fs_stat a = file(), b = file();

	(void)state;
	b.dev++;
	assert_int_not_equal(info_file_id(&a), info_file_id(&b));
	b = a;
	b.born = 133000000000000000ull;
	assert_int_not_equal(info_file_id(&a), info_file_id(&b));
	a.born = b.born + 1;
	assert_int_not_equal(info_file_id(&a), info_file_id(&b));
	b = a;
	b.create = 5; /* what clients set does not count */
	assert_int_equal(info_file_id(&a), info_file_id(&b));
}

static void put_want(struct wr *w, uint64_t size, uint64_t ids, uint32_t type, uint64_t mode)
{
	wr_u64(w, size);
	wr_u64(w, UINT64_MAX);
	wr_u64(w, UINT64_MAX);
	wr_u64(w, UINT64_MAX);
	wr_u64(w, 77);
	wr_u64(w, ids);
	wr_u64(w, ids);
	wr_u32(w, type);
	wr_u64(w, 1);
	wr_u64(w, 3);
	wr_u64(w, UINT64_MAX);
	wr_u64(w, mode);
	wr_u64(w, UINT64_MAX);
}

static void want(void **state)
{
	struct wr w = wr_over(buf, sizeof(buf));
	struct unix_want u;
	struct rd r;

	(void)state;
	put_want(&w, UINT64_MAX, UINT64_MAX, 3, UINT64_MAX);
	r = rd_over(buf, wr_tell(&w));
	assert_int_equal(unix_get_want(&r, false, &u), ST_OK);
	assert_true(u.size == UNIX_KEEP && u.uid == UNIX_KEEP_ID && u.gid == UNIX_KEEP_ID && u.mode == UNIX_KEEP_ID);
	assert_true(u.access == 0 && u.write == 77 && u.node == S_IFCHR && u.rdev == makedev(1, 3));
	r = rd_over(buf, wr_tell(&w) - 1);
	assert_int_equal(unix_get_want(&r, false, &u), ST_INVALID_PARAMETER);
	r = rd_over(buf, wr_tell(&w));
	assert_int_equal(unix_get_want(&r, true, &u), ST_INVALID_PARAMETER);

	w = wr_over(buf, sizeof(buf));
	put_want(&w, 0, UINT32_MAX, 0, 0100644);
	r = rd_over(buf, wr_tell(&w));
	assert_int_equal(unix_get_want(&r, false, &u), ST_OK);
	assert_true(u.size == 0 && u.uid == UNIX_KEEP_ID && u.mode == 0100644 && u.node == 0);

	w = wr_over(buf, sizeof(buf));
	put_want(&w, 0, 1ull << 32, 0, 0644);
	r = rd_over(buf, wr_tell(&w));
	assert_int_equal(unix_get_want(&r, false, &u), ST_INVALID_PARAMETER);
}

static void acls(void **state)
{
	struct fs_acl_entry e[] = { { FS_ACL_OWNER, 6, UINT32_MAX }, { FS_ACL_USER, 4, 1234 }, { FS_ACL_OTHER, 0, UINT32_MAX } };
	struct unix_acl a = { .list = e, .n = 3 }, d = { .list = e, .n = 1 }, a2, d2;
	struct wr w = wr_over(buf, sizeof(buf));
	TALLOC_CTX *mem = talloc_new(NULL);
	struct rd r;

	(void)state;
	unix_put_acl(&w, &a, &d);
	assert_int_equal(wr_tell(&w), 6 + 4 * 10);
	assert_int_equal(at64(6 + 2), UINT64_MAX);
	assert_int_equal(at64(16 + 2), 1234);
	r = rd_over(buf, wr_tell(&w));
	assert_int_equal(unix_get_acl(mem, &r, &a2, &d2), ST_OK);
	assert_true(a2.n == 3 && d2.n == 1 && !a2.keep && !d2.keep);
	assert_true(a2.list[1].tag == FS_ACL_USER && a2.list[1].id == 1234 && a2.list[1].perm == 4);
	r = rd_over(buf, wr_tell(&w) - 1);
	assert_int_equal(unix_get_acl(mem, &r, &a2, &d2), ST_INVALID_PARAMETER);
	buf[6] = 3; /* no such tag */
	r = rd_over(buf, wr_tell(&w));
	assert_int_equal(unix_get_acl(mem, &r, &a2, &d2), ST_INVALID_PARAMETER);
	memset(buf + 2, 0xff, 4); /* both parts stay */
	r = rd_over(buf, 6);
	assert_int_equal(unix_get_acl(mem, &r, &a2, &d2), ST_OK);
	assert_true(a2.keep && d2.keep);
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(basic), cmocka_unit_test(types), cmocka_unit_test(ids), cmocka_unit_test(want), cmocka_unit_test(acls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
