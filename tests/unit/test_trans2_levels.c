/* Levels of TRANS2 as bytes: listings, files, volumes, extended attributes, descriptors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include "base/str.h"
#include "base/util.h"
#include "cmd/trans2/ea.h"
#include "cmd/trans2/find_levels.h"
#include "cmd/trans2/fs_levels.h"
#include "cmd/trans2/info_levels.h"

#define Y2K 125911584000000000ull /* 2000-01-01 00:00 UTC */

static const struct fs_stat file = {
	.dev = 0, .ino = 77, .mode = 0100644, .nlink = 2, .uid = 1000, .gid = 100, .size = 0x123456789abull,
	.alloc = 4096, .attrs = FS_ATTR_ARCHIVE, .create = Y2K, .access = Y2K + 1, .write = Y2K + 2, .change = Y2K + 3,
};
static uint8_t buf[2048];

static uint16_t at16(uint32_t off) { return (uint16_t)(buf[off] | buf[off + 1] << 8); }
static uint32_t at32(uint32_t off) { return at16(off) | (uint32_t)at16(off + 2) << 16; }
static uint64_t at64(uint32_t off) { return at32(off) | (uint64_t)at32(off + 4) << 32; }

static struct find_item item(bool unicode)
{
	return (struct find_item){ .name = "q1.txt", .short_name = "Q1~1.TXT", .st = &file, .unicode = unicode };
}

static uint32_t put_find(uint16_t level, const struct find_item *i)
{
	struct wr w = wr_over(buf, sizeof(buf));
	uint32_t last = UINT32_MAX;

	memset(buf, 0xee, sizeof(buf));
	assert_non_null(find_level(level));
	assert_true(find_put(&w, find_level(level), i, &last));
	assert_int_equal(last, 0);
	return wr_tell(&w);
}

static void find_sizes(void **state)
{
	struct find_item i = item(true), oem = item(false);

	(void)state;
	assert_int_equal(put_find(1, &i), 38);
	assert_int_equal(put_find(2, &i), 40);
	assert_int_equal(put_find(3, &i), 22 + 4 + 1 + 12 + 1);
	assert_int_equal(put_find(1, &oem), 23 + 6 + 1);
	assert_int_equal(put_find(2, &oem), 27 + 6 + 1);
	assert_int_equal(put_find(0x101, &i), 64 + 12);
	assert_int_equal(put_find(0x102, &i), 68 + 12);
	assert_int_equal(put_find(0x103, &i), 12 + 12);
	assert_int_equal(put_find(0x104, &i), 94 + 12);
	assert_int_equal(put_find(0x104, &oem), 94 + 6 + 1); /* a NUL that counts */
	assert_int_equal(put_find(0x105, &i), 80 + 12);
	assert_int_equal(put_find(0x106, &i), 104 + 12);
	assert_null(find_level(4));
	assert_int_equal(put_find(0x202, &i), 108 + 14);
	assert_int_equal(at32(8 + 84), 0644);
	assert_int_equal(put_find(0x20b, &i), 128 + 14);
	assert_int_equal(at32(124), 12);
	assert_null(find_level(0x203));
}

static void find_standard(void **state)
{
	struct find_item i = item(true);

	(void)state;
	i.keys = true;
	i.key = 0x10005;
	assert_int_equal(put_find(1, &i), 42);
	assert_int_equal(at32(0), 0x10005);
	assert_int_equal(at16(4), 20 << 9 | 1 << 5 | 1);
	assert_int_equal(at16(6), 0);
	assert_int_equal(at32(16), 0xffffffff); /* 4 GiB and more do not fit */
	assert_int_equal(at32(20), 4096);
	assert_int_equal(at16(24), FS_ATTR_ARCHIVE);
	assert_int_equal(buf[26], 12);
	assert_memory_equal(buf + 28, "q\0" "1\0.\0t\0x\0t\0\0\0", 14);
}

static void find_both(void **state)
{
	struct find_item i = item(true);

	(void)state;
	put_find(0x104, &i);
	assert_int_equal(at32(0), 0);
	assert_true(at64(8) == Y2K && at64(16) == Y2K + 1 && at64(24) == Y2K + 2 && at64(32) == Y2K + 3);
	assert_true(at64(40) == file.size && at64(48) == file.alloc);
	assert_int_equal(at32(56), FS_ATTR_ARCHIVE);
	assert_int_equal(at32(60), 12);
	assert_int_equal(buf[68], 16);
	assert_memory_equal(buf + 70, "Q\0" "1\0~\0" "1\0.\0T\0X\0T\0\0\0\0\0\0\0\0\0", 24);
	assert_memory_equal(buf + 94, "q\0", 2);
	put_find(0x106, &i);
	assert_true(at64(96) == 77);
	put_find(0x105, &i);
	assert_true(at64(72) == 77);
}

static void find_chain_and_end(void **state)
{
	struct find_item i = item(true);
	const struct find_level *l = find_level(0x104);
	struct wr w = wr_over(buf, 250);
	uint32_t last = UINT32_MAX;

	(void)state;
	assert_true(find_put(&w, l, &i, &last));
	assert_true(find_put(&w, l, &i, &last));
	assert_int_equal(last, 112);
	assert_int_equal(at32(0), 112);
	assert_int_equal(at32(112), 0);
	assert_int_equal(wr_tell(&w), 112 + 106);
	assert_false(find_put(&w, l, &i, &last)); /* full: as it was */
	assert_int_equal(wr_tell(&w), 112 + 106);
	assert_true(wr_ok(&w));
	assert_int_equal(last, 112);
	assert_int_equal(at32(112), 0);
}

/* However much room is left, an entry that does not fit leaves those before it as they are. */
static void find_what_does_not_fit(void **state)
{
	static const uint16_t level[] = { 1, 2, 3, 0x101, 0x102, 0x103, 0x104, 0x105, 0x106, 0x202, 0x20b };
	static uint8_t kept[sizeof(buf)];
	struct find_item i = item(true);

	(void)state;
	for (size_t l = 0; l < ARRAY_LEN(level); l++) {
		uint32_t n = put_find(level[l], &i), refused = 0;

		memcpy(kept, buf, n);
		for (uint32_t room = n; room < n + 200; room++) {
			struct wr w = wr_over(buf, room);
			uint32_t last = UINT32_MAX;

			assert_true(find_put(&w, find_level(level[l]), &i, &last));
			if (find_put(&w, find_level(level[l]), &i, &last))
				continue;
			refused++;
			assert_memory_equal(buf, kept, n);
			assert_int_equal(wr_tell(&w), n);
			assert_int_equal(last, 0);
			assert_true(wr_ok(&w));
		}
		assert_in_range(refused, n - 8, n + 7);
	}
}

static void find_long_names_in_old_levels(void **state)
{
	char name[200];
	struct find_item i = item(true);

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	i.name = name; /* 398 bytes of UTF-16: its length is no byte */
	assert_int_equal(put_find(1, &i), 24 + 16 + 2);
	assert_int_equal(buf[22], 16);
}

/* ---- files ---- */

static struct info_item info(void)
{
	return (struct info_item){ .st = &file, .path = "\\a\\q1.txt", .short_name = "q1.txt" };
}

static uint32_t put_info(uint16_t level, const struct info_item *i)
{
	struct wr w = wr_over(buf, info_room(i));
	const struct info_level *l = info_level(level);

	memset(buf, 0xee, sizeof(buf));
	assert_non_null(l);
	l->put(&w, i);
	assert_true(wr_ok(&w));
	assert_true(wr_tell(&w) >= l->fixed);
	return wr_tell(&w);
}

static void info_sizes(void **state)
{
	static const struct { uint16_t level; uint32_t bytes; } want[] = {
		{ 1, 22 }, { 2, 26 }, { 3, 4 }, { 4, 4 }, { 6, 0 }, { 0x101, 40 }, { 0x102, 24 }, { 0x103, 4 },
		{ 0x104, 4 + 18 }, { 0x107, 72 + 18 }, { 0x108, 4 + 12 }, { 0x109, 24 + 14 }, { 0x10b, 16 }, { 1004, 40 },
		{ 1005, 24 }, { 1006, 8 }, { 1007, 4 }, { 1008, 4 }, { 1009, 22 }, { 1014, 8 }, { 1016, 4 }, { 1017, 4 },
		{ 1018, 90 }, { 1021, 16 }, { 1022, 38 }, { 1028, 16 }, { 1034, 56 }, { 1035, 8 },
	};
	static const struct fs_stream data = { "", 5, 4096 }, both[] = { { "", 5, 4096 }, { "zone", 7, 4096 } };
	struct info_item i = info();

	(void)state;
	i.streams = &data;
	i.nstreams = 1;
	for (size_t k = 0; k < ARRAY_LEN(want); k++)
		assert_int_equal(put_info(want[k].level, &i), want[k].bytes);
	assert_null(info_level(0x200));
	assert_null(info_level(5));
	assert_null(info_level(1012));
	i.streams = both;
	i.nstreams = 2;
	assert_int_equal(put_info(1022, &i), 40 + 24 + 22); /* the second at a multiple of eight */
	assert_int_equal(at32(0), 40);
	assert_int_equal(at32(40), 0);
	assert_int_equal(at32(44), 22);
	assert_true(at64(48) == 7);
}

/* They are looked for by halves. */
static void info_every_level_is_found(void **state)
{
	struct table_row row;

	(void)state;
	for (size_t i = 0; info_level_at(i, &row); i++) {
		assert_non_null(info_level((uint16_t)row.number));
		assert_int_equal(info_level((uint16_t)row.number)->level, row.number);
	}
	assert_null(info_level(0));
	assert_null(info_level(5));
	assert_null(info_level(0x10a));
	assert_null(info_level(0xffff));
}

static void info_all(void **state)
{
	struct info_item i = info();

	(void)state;
	i.ea_size = 15;
	i.delete_pending = true;
	put_info(0x107, &i);
	assert_int_equal(at32(32), FS_ATTR_ARCHIVE);
	assert_true(at64(40) == 4096 && at64(48) == file.size);
	assert_int_equal(at32(56), 1); /* one of two links is as good as gone */
	assert_int_equal(buf[60], 1);
	assert_int_equal(buf[61], 0);
	assert_int_equal(at32(64), 15);
	assert_int_equal(at32(68), 18);
	assert_memory_equal(buf + 72, "\\\0a\0\\\0q\0", 8);
}

static void info_folders(void **state)
{
	struct fs_stat dir = { .mode = 0040755, .nlink = 3, .attrs = FS_ATTR_DIRECTORY };
	struct info_item i = info();
	struct wr w = wr_over(buf, sizeof(buf));

	(void)state;
	i.st = &dir;
	info_level(0x109)->put(&w, &i);
	assert_int_equal(wr_tell(&w), 0);
	put_info(0x102, &i);
	assert_int_equal(buf[21], 1);
	dir.attrs = 0;
	put_info(0x101, &i);
	assert_int_equal(at32(32), FS_ATTR_NORMAL);
}

static void info_long_paths_fit(void **state)
{
	char path[800];
	struct info_item i = info();

	(void)state;
	memset(path, 'y', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	i.path = path;
	assert_int_equal(put_info(0x107, &i), 72 + 2 * 799);
}

/* ---- volumes ---- */

static uint32_t put_fs(uint16_t level, const struct fs_item *i)
{
	struct wr w = wr_over(buf, sizeof(buf));
	const struct fs_level *l = fs_level(level);

	assert_non_null(l);
	l->put(&w, i);
	assert_true(wr_ok(&w));
	return wr_tell(&w);
}

static void fs_sizes(void **state)
{
	static const struct { uint16_t level; uint32_t bytes; } want[] = {
		{ 1, 18 }, { 2, 5 + 12 }, { 0x101, 4 + 10 }, { 0x102, 18 + 10 }, { 0x103, 24 }, { 0x104, 8 },
		{ 0x105, 12 + 8 }, { 1001, 28 }, { 1002, 14 }, { 1003, 24 }, { 1004, 8 }, { 1005, 20 }, { 1006, 48 },
		{ 1007, 32 }, { 1008, 64 }, { 1011, 28 },
	};
	struct fs_item i = {
		.space = { .total = 1u << 30, .avail = 1u << 20, .unit = 1024 }, .label = "share",
		.fs_name = "NTFS", .unicode = true,
	};

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(want); k++)
		assert_int_equal(put_fs(want[k].level, &i), want[k].bytes);
	put_fs(2, &i);
	assert_int_equal(buf[4], 10); /* without its NUL */
	put_fs(1, &i);
	assert_int_equal(at32(4), 2);
	assert_int_equal(at32(8), 1u << 20);
	assert_int_equal(at32(12), 1u << 10);
	assert_int_equal(at16(16), 512);
	assert_null(fs_level(0x200));
}

static void fs_scaling(void **state)
{
	static const uint64_t totals[] = {
		0, 1, 511, 512, 1u << 20, 1ull << 32, 1ull << 41, 1ull << 44, 1ull << 62, UINT64_MAX
	};
	struct fs_units u;

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(totals); k++) {
		struct fs_space s = { .total = totals[k], .avail = totals[k], .unit = 4096 };

		fs_units_fit(&s, 0x7fffffff, &u);
		assert_in_range(u.total, 1, 0x7fffffff);
		assert_true(u.avail <= u.total);
		assert_true(u.sectors >= 8);
		if (totals[k] >= 1u << 20 && totals[k] <= 1ull << 44)
			assert_true(u.total * u.sectors * 512 == totals[k]);
	}
	fs_units_fit(&(struct fs_space){ .total = 1000000, .avail = 0, .unit = 0 }, 0x7fffffff, &u);
	assert_int_equal(u.sectors, 1);
	assert_int_equal(u.avail, 0);
}

/* ---- extended attributes ---- */

static void ea_of_the_dossier(void **state)
{
	static const uint8_t want[] = { 15, 0, 0, 0, 0, 3, 3, 0, 'f', 'o', 'o', 0, 'b', 'a', 'r' };
	struct fs_ea one = { .name = "foo", .value = (const uint8_t *)"bar", .len = 3 }, *list;
	struct wr w = wr_over(buf, sizeof(buf));
	TALLOC_CTX *mem = talloc_new(NULL);
	struct rd r;
	size_t n;

	(void)state;
	ea_put_list(&w, &one, 1);
	assert_int_equal(wr_tell(&w), sizeof(want));
	assert_memory_equal(buf, want, sizeof(want));
	assert_int_equal(ea_list_size(&one, 1), sizeof(want));
	assert_int_equal(ea_list_size(NULL, 0), 4);
	r = rd_over(want, sizeof(want));
	assert_int_equal(ea_get_list(mem, &r, &list, &n), ST_OK);
	assert_int_equal(n, 1);
	assert_string_equal(list[0].name, "foo");
	assert_memory_equal(list[0].value, "bar", 3);
	for (size_t cut = 0; cut < sizeof(want); cut++) {
		r = rd_over(want, cut);
		assert_int_equal(ea_get_list(mem, &r, &list, &n), ST_EA_LIST_INCONSISTENT);
	}
	talloc_free(mem);
}

static void ea_full_lists(void **state)
{
	static const uint8_t two[] = {
		16, 0, 0, 0, 0, 1, 2, 0, 'a', 0, 'x', 'y', 0, 0, 0, 0,
		0, 0, 0, 0, 0, 1, 1, 0, 'b', 0, 'z',
	};
	static const uint8_t loop[] = { 4, 0, 0, 0, 0, 1, 0, 0, 'a', 0 };
	static const uint8_t far[] = { 99, 0, 0, 0, 0, 1, 0, 0, 'a', 0 };
	static const uint8_t bad[] = { 0, 0, 0, 0, 0, 2, 0, 0, 'a', '*', 0 };
	TALLOC_CTX *mem = talloc_new(NULL);
	struct rd r = rd_over(two, sizeof(two));
	struct fs_ea *list;
	size_t n;

	(void)state;
	assert_int_equal(ea_get_full(mem, &r, &list, &n), ST_OK);
	assert_int_equal(n, 2);
	assert_string_equal(list[1].name, "b");
	assert_int_equal(list[0].len, 2);
	r = rd_over(loop, sizeof(loop));
	assert_int_equal(ea_get_full(mem, &r, &list, &n), ST_EA_LIST_INCONSISTENT);
	r = rd_over(far, sizeof(far));
	assert_int_equal(ea_get_full(mem, &r, &list, &n), ST_EA_LIST_INCONSISTENT);
	r = rd_over(bad, sizeof(bad));
	assert_int_equal(ea_get_full(mem, &r, &list, &n), ST_INVALID_EA_NAME);
	talloc_free(mem);
}

static void ea_asked_for(void **state)
{
	static const uint8_t gea[] = { 16, 0, 0, 0, 4, 'n', 'o', 'n', 'e', 0, 3, 'F', 'O', 'O', 0, 0 };
	struct fs_ea have = { .name = "foo", .value = (const uint8_t *)"bar", .len = 3 }, *list;
	TALLOC_CTX *mem = talloc_new(NULL);
	struct rd r = rd_over(gea, sizeof(gea));
	size_t n;

	(void)state;
	assert_int_equal(ea_get_names(mem, &r, &list, &n), ST_EA_LIST_INCONSISTENT); /* a byte too many */
	memcpy(buf, gea, sizeof(gea));
	buf[0] = 15;
	r = rd_over(buf, 15);
	assert_int_equal(ea_get_names(mem, &r, &list, &n), ST_OK);
	assert_int_equal(n, 2);
	ea_pick(list, n, &have, 1);
	assert_int_equal(list[0].len, 0);
	assert_int_equal(list[1].len, 3);
	talloc_free(mem);
}

static int setup(void **state)
{
	const char *why;

	(void)state;
	return str_setup("CP850", "UTF-8", &why) ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(find_sizes),
		cmocka_unit_test(find_standard),
		cmocka_unit_test(find_both),
		cmocka_unit_test(find_chain_and_end),
		cmocka_unit_test(find_what_does_not_fit),
		cmocka_unit_test(find_long_names_in_old_levels),
		cmocka_unit_test(info_sizes),
		cmocka_unit_test(info_every_level_is_found),
		cmocka_unit_test(info_all),
		cmocka_unit_test(info_folders),
		cmocka_unit_test(info_long_paths_fit),
		cmocka_unit_test(fs_sizes),
		cmocka_unit_test(fs_scaling),
		cmocka_unit_test(ea_of_the_dossier),
		cmocka_unit_test(ea_full_lists),
		cmocka_unit_test(ea_asked_for),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
