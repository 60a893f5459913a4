/* find_levels.c - entries of listings.  transactions section 3.
 *
 * Levels 1 to 3 are packed one behind the other (OS/2, DOS, Windows 9x); a resume key goes in front if asked
 * for.  The others begin with the distance to the next entry.  Names are in the charset of the message, and
 * in UTF-16 without NUL; the short name is UTF-16 always. */
#include "cmd/trans2/find_levels.h"
#include "base/str.h"
#include "base/util.h"
#include "cmd/trans2/ea.h"
#include "cmd/trans2/unix_levels.h"
#include "wire/wire.h"

/* An inode number that is used again is another file (Linux would show the pages of the old one): the time of birth
 * goes into the upper half. */
uint64_t info_file_id(const struct fs_stat *st)
{
	uint64_t born = (st->born * 0x9e3779b97f4a7c15ull) >> 32;

	return st->ino ^ (st->dev << 48 | st->dev >> 16) ^ born << 32;
}

static uint32_t clip32(uint64_t v) { return v > UINT32_MAX ? UINT32_MAX : (uint32_t)v; }

/* ---- levels 1 to 3 ---- */

static void put_dos_time(struct wr *w, nttime_t t, int zone)
{
	wr_u16(w, dos_date(t, zone));
	wr_u16(w, dos_time(t, zone));
}

/* Times, sizes, attributes: 22 bytes. */
static void put_dos(struct wr *w, const struct find_item *i)
{
	if (i->keys)
		wr_u32(w, i->key);
	put_dos_time(w, i->st->create, i->zone);
	put_dos_time(w, i->st->access, i->zone);
	put_dos_time(w, i->st->write, i->zone);
	wr_u32(w, clip32(i->st->size));
	wr_u32(w, clip32(i->st->alloc));
	wr_u16(w, (uint16_t)(i->st->attrs & FS_ATTR_DOS));
}

/* A name whose length is one byte: the alias when it is too long for that. */
static const char *short_enough(const struct find_item *i)
{
	uint8_t scratch[520];
	struct wr w = wr_over(scratch, sizeof(scratch));
	uint32_t bytes = wire_put_str(&w, i->name, i->unicode, 0);

	return wr_ok(&w) && bytes <= 255 ? i->name : i->short_name;
}

static void put_name_8(struct wr *w, const struct find_item *i, bool pad, unsigned nul)
{
	uint32_t at = wr_tell(w), bytes;

	wr_u8(w, 0);
	if (pad && i->unicode)
		wr_u8(w, 0);
	bytes = wire_put_str(w, short_enough(i), i->unicode, 0);
	if (wr_ok(w))
		w->msg[at] = (uint8_t)bytes;
	wr_zero(w, nul);
}

static void put_1(struct wr *w, const struct find_item *i)
{
	put_dos(w, i);
	put_name_8(w, i, true, i->unicode ? 2 : 1);
}

static void put_2(struct wr *w, const struct find_item *i)
{
	put_dos(w, i);
	wr_u32(w, i->ea_size);
	put_name_8(w, i, false, 1);
}

static void put_3(struct wr *w, const struct find_item *i)
{
	put_dos(w, i);
	ea_put_list(w, i->eas, i->neas);
	put_name_8(w, i, false, 1);
}

/* ---- levels with a distance in front ---- */

#define DIR_BYTES 64u
#define SHORT_BYTES 26u

/* DIR_BYTES: everything up to the length of the name, which is patched. */
static void fill_dir(uint8_t *p, const struct fs_stat *st)
{
	put_u64(p, 0);
	put_u64(p + 8, st->create);
	put_u64(p + 16, st->access);
	put_u64(p + 24, st->write);
	put_u64(p + 32, st->change);
	put_u64(p + 40, st->size);
	put_u64(p + 48, st->alloc);
	put_u32(p + 56, st->attrs ? st->attrs : FS_ATTR_NORMAL);
	put_u32(p + 60, 0);
}

/* Returns where the name length is to be patched. */
static uint32_t put_dir(struct wr *w, const struct find_item *i)
{
	uint8_t *p = wr_take(w, DIR_BYTES);

	if (p)
		fill_dir(p, i->st);
	return wr_tell(w) - 4;
}

static void put_name(struct wr *w, const struct find_item *i, uint32_t len_at)
{
	/* 8-bit clients get a NUL, and it counts (NT and Samba; smbtorture looks) */
	uint32_t bytes = wire_put_str(w, i->name, i->unicode, i->unicode ? 0 : WSTR_NUL);

	wr_u32_at(w, len_at, bytes + !i->unicode);
}

/* A reparse point has its tag where others have the size of their attributes; we show none. */
static void put_ea_size(struct wr *w, const struct find_item *i) { wr_u32(w, i->ea_size); }

static void put_short(struct wr *w, const struct find_item *i)
{
	uint8_t *p = wr_take(w, SHORT_BYTES);
	size_t n;

	if (!p)
		return;
	memset(p, 0, SHORT_BYTES);
	if (i->short_name[0] == '\0')
		return;
	n = str_to_utf16(i->short_name, p + 2, SHORT_BYTES - 2);
	p[0] = n <= SHORT_BYTES - 2 ? (uint8_t)n : 0;
}

static void put_101(struct wr *w, const struct find_item *i)
{
	put_name(w, i, put_dir(w, i));
}

static void put_102(struct wr *w, const struct find_item *i)
{
	uint32_t at = put_dir(w, i);

	put_ea_size(w, i);
	put_name(w, i, at);
}

static void put_103(struct wr *w, const struct find_item *i)
{
	wr_zero(w, 12);
	put_name(w, i, wr_tell(w) - 4);
}

static void put_104(struct wr *w, const struct find_item *i)
{
	uint32_t at = put_dir(w, i);

	put_ea_size(w, i);
	put_short(w, i);
	put_name(w, i, at);
}

static void put_105(struct wr *w, const struct find_item *i)
{
	uint32_t at = put_dir(w, i);

	put_ea_size(w, i);
	wr_u32(w, 0);
	wr_u64(w, info_file_id(i->st));
	put_name(w, i, at);
}

static void put_106(struct wr *w, const struct find_item *i)
{
	uint32_t at = put_dir(w, i);

	put_ea_size(w, i);
	put_short(w, i);
	wr_u16(w, 0);
	wr_u64(w, info_file_id(i->st));
	put_name(w, i, at);
}

/* ---- UNIX extensions ---- */

static void put_202(struct wr *w, const struct find_item *i)
{
	wr_zero(w, 8);
	unix_put_basic(w, i->st);
	wire_put_str(w, i->name, i->unicode, WSTR_NUL);
}

static void put_20b(struct wr *w, const struct find_item *i)
{
	uint32_t at;

	wr_zero(w, 8);
	unix_put_info2(w, i->st);
	at = wr_tell(w);
	wr_u32(w, 0);
	wr_u32_at(w, at, wire_put_str(w, i->name, i->unicode, WSTR_NUL));
}

#define DIR FIND_STAT | FIND_CHAINED

static const struct find_level levels[] = {
	{ 0x0001, "STANDARD", FIND_STAT, put_1 },
	{ 0x0002, "EA_SIZE", FIND_STAT | FIND_EA, put_2 },
	{ 0x0003, "EAS_FROM_LIST", FIND_STAT | FIND_EA, put_3 },
	{ 0x0101, "DIRECTORY", DIR, put_101 },
	{ 0x0102, "FULL_DIRECTORY", DIR, put_102 },
	{ 0x0103, "NAMES", FIND_CHAINED, put_103 },
	{ 0x0104, "BOTH_DIRECTORY", DIR | FIND_SHORT, put_104 },
	{ 0x0105, "ID_FULL_DIRECTORY", DIR, put_105 },
	{ 0x0106, "ID_BOTH_DIRECTORY", DIR | FIND_SHORT, put_106 },
	{ 0x0202, "UNIX", DIR | FIND_POSIX, put_202 },
	{ 0x020b, "UNIX_INFO2", DIR | FIND_POSIX, put_20b },
	/* the same by their numbers of MS-FSCC 2.4, from 1000 on */
	{ 1001, "DIRECTORY", DIR, put_101 },
	{ 1002, "FULL_DIRECTORY", DIR, put_102 },
	{ 1003, "BOTH_DIRECTORY", DIR | FIND_SHORT, put_104 },
	{ 1012, "NAMES", FIND_CHAINED, put_103 },
	{ 1037, "ID_BOTH_DIRECTORY", DIR | FIND_SHORT, put_106 },
	{ 1038, "ID_FULL_DIRECTORY", DIR, put_105 },
};

const struct find_level *find_level(uint16_t level)
{
	for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
		if (levels[i].level == level)
			return &levels[i];
	}
	return NULL;
}

bool find_put(struct wr *w, const struct find_level *l, const struct find_item *i, uint32_t *last)
{
	uint32_t before = wr_tell(w), start;

	if (l->flags & FIND_CHAINED)
		wr_align(w, 8);
	start = wr_tell(w);
	l->put(w, i);
	if (!wr_ok(w)) {
		w->pos = before;
		w->bad = false;
		return false;
	}
	if ((l->flags & FIND_CHAINED) && *last != UINT32_MAX)
		wr_u32_at(w, *last, start - *last);
	*last = start;
	return true;
}

bool find_level_at(size_t i, struct table_row *out)
{
	if (i >= ARRAY_LEN(levels))
		return false;
	*out = (struct table_row){ levels[i].level, levels[i].name, true };
	return true;
}
