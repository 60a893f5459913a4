/* info_levels.c - encoders of the query levels.  transactions section 4.
 *
 * Levels 1 to 4 are OS/2's, 0x101 to 0x10b NT's, 1000 and above those of MS-FSCC as they stand there.  Names
 * are in UTF-16 always, whatever the message says (MS-CIFS 2.2.8.3: WCHAR), and without NUL.  Folders have no size
 * and only named streams. */
#include "cmd/trans2/info_levels.h"
#include "base/str.h"
#include "base/util.h"
#include "cmd/trans2/ea.h"
#include "cmd/trans2/find_levels.h"
#include "wire/wire.h"
#include <sys/stat.h>

static uint32_t clip32(uint64_t v) { return v > UINT32_MAX ? UINT32_MAX : (uint32_t)v; }
static uint32_t nt_attrs(const struct fs_stat *st) { return st->attrs ? st->attrs : FS_ATTR_NORMAL; }

static void put_dos_time(struct wr *w, nttime_t t, int zone)
{
	wr_u16(w, dos_date(t, zone));
	wr_u16(w, dos_time(t, zone));
}

/* ---- OS/2 ---- */

static void put_standard_dos(struct wr *w, const struct info_item *i)
{
	put_dos_time(w, i->st->create, i->zone);
	put_dos_time(w, i->st->access, i->zone);
	put_dos_time(w, i->st->write, i->zone);
	wr_u32(w, clip32(i->st->size));
	wr_u32(w, clip32(i->st->alloc));
	wr_u16(w, (uint16_t)(i->st->attrs & FS_ATTR_DOS));
}

static void put_ea_size_dos(struct wr *w, const struct info_item *i)
{
	put_standard_dos(w, i);
	wr_u32(w, i->ea_size);
}

static void put_eas(struct wr *w, const struct info_item *i) { ea_put_list(w, i->eas, i->neas); }

/* IS_NAME_VALID: that we came here is the answer. */
static void put_nothing(struct wr *w, const struct info_item *i) { (void)w, (void)i; }

/* ---- NT ---- */

static void fill_times(uint8_t *p, const struct fs_stat *st)
{
	put_u64(p, st->create);
	put_u64(p + 8, st->access);
	put_u64(p + 16, st->write);
	put_u64(p + 24, st->change);
}

static void put_basic(struct wr *w, const struct info_item *i)
{
	uint8_t *p = wr_take(w, 40);

	if (!p)
		return;
	fill_times(p, i->st);
	put_u32(p + 32, nt_attrs(i->st));
	put_u32(p + 36, 0);
}

static void put_standard(struct wr *w, const struct info_item *i)
{
	uint32_t links = fs_is_dir(i->st) ? 1 : i->st->nlink; /* of folders Unix counts the sub-folders too */
	uint8_t *p = wr_take(w, 24);

	if (!p)
		return;
	if (i->delete_pending && links > 0 && !S_ISFIFO(i->st->mode)) /* a pipe is doomed from the start, and has its link */
		links--;
	put_u64(p, i->st->alloc);
	put_u64(p + 8, i->st->size);
	put_u32(p + 16, links);
	p[20] = i->delete_pending;
	p[21] = fs_is_dir(i->st);
	put_u16(p + 22, 0);
}

static void put_ea_size(struct wr *w, const struct info_item *i) { wr_u32(w, i->ea_size); }

static void put_text(struct wr *w, const char *text)
{
	uint32_t at = wr_tell(w);

	wr_u32(w, 0);
	wr_u32_at(w, at, wire_put_str(w, text, true, 0));
}

static void put_path(struct wr *w, const struct info_item *i) { put_text(w, i->path); }
static void put_short(struct wr *w, const struct info_item *i) { put_text(w, i->short_name); }

/* Ours for 1018 as well: clients of this protocol take either for the shorter one without ids and access. */
static void put_all(struct wr *w, const struct info_item *i)
{
	put_basic(w, i);
	put_standard(w, i);
	put_ea_size(w, i);
	put_path(w, i);
}

/* ":name:$DATA"; *last is where the entry before began. */
static void put_stream(struct wr *w, const struct fs_stream *s, uint32_t *last)
{
	uint32_t at, len = 0;

	if (wr_tell(w) > 0) {
		wr_align(w, 8);
		wr_u32_at(w, *last, wr_tell(w) - *last);
	}
	*last = at = wr_tell(w);
	wr_zero(w, 8);
	wr_u64(w, s->size);
	wr_u64(w, s->alloc);
	len += wire_put_str(w, ":", true, 0);
	len += wire_put_str(w, s->name, true, 0);
	len += wire_put_str(w, ":$DATA", true, 0);
	wr_u32_at(w, at + 4, len);
}

static void put_streams(struct wr *w, const struct info_item *i)
{
	uint32_t last = 0;

	for (size_t k = 0; k < i->nstreams; k++)
		put_stream(w, &i->streams[k], &last);
}

/* What a path is called once every alias in it is spelled out: from the share's root, without `\\` in front. */
static void put_normalized(struct wr *w, const struct info_item *i) { put_text(w, i->path + 1); }
static void put_alloc(struct wr *w, const struct info_item *i) { wr_u64(w, i->st->alloc); }
static void put_end(struct wr *w, const struct info_item *i) { wr_u64(w, i->st->size); }
static void put_pending(struct wr *w, const struct info_item *i) { wr_u8(w, i->delete_pending); }
static void put_full_eas(struct wr *w, const struct info_item *i) { ea_put_full(w, i->eas, i->neas); }

static void put_compression(struct wr *w, const struct info_item *i)
{
	wr_u64(w, i->st->size);
	wr_zero(w, 8); /* not compressed */
}

static void put_file_id(struct wr *w, const struct info_item *i) { wr_u64(w, info_file_id(i->st)); }
static void put_access(struct wr *w, const struct info_item *i) { wr_u32(w, i->access); }
static void put_pos(struct wr *w, const struct info_item *i) { wr_u64(w, i->pos); }
static void put_mode(struct wr *w, const struct info_item *i) { wr_u32(w, i->mode); }
static void put_alignment(struct wr *w, const struct info_item *i) { (void)i, wr_u32(w, 0); }

static void put_network_open(struct wr *w, const struct info_item *i)
{
	uint8_t *p = wr_take(w, 56);

	if (!p)
		return;
	fill_times(p, i->st);
	put_u64(p + 32, i->st->alloc);
	put_u64(p + 40, i->st->size);
	put_u32(p + 48, nt_attrs(i->st));
	put_u32(p + 52, 0);
}

static void put_attribute_tag(struct wr *w, const struct info_item *i)
{
	wr_u32(w, nt_attrs(i->st));
	wr_u32(w, 0);
}

/* In order. */
static const struct info_level levels[] = {
	{ 0x0001, "STANDARD", 0, 22, put_standard_dos },
	{ 0x0002, "EA_SIZE", INFO_EA, 26, put_ea_size_dos },
	{ 0x0003, "EAS_FROM_LIST", INFO_EA | INFO_EA_NAMES | INFO_EA_LIST | INFO_NO_PIPE, 4, put_eas },
	{ 0x0004, "ALL_EAS", INFO_EA | INFO_EA_LIST | INFO_NO_PIPE, 4, put_eas },
	{ 0x0006, "IS_NAME_VALID", INFO_NO_PIPE, 0, put_nothing },
	{ 0x0101, "BASIC", 0, 40, put_basic },
	{ 0x0102, "STANDARD", 0, 24, put_standard },
	{ 0x0103, "EA", INFO_EA, 4, put_ea_size },
	{ 0x0104, "NAME", INFO_PATH, 4, put_path },
	{ 0x0105, "ALLOCATION", 0, 8, put_alloc },
	{ 0x0106, "END_OF_FILE", 0, 8, put_end },
	{ 0x0107, "ALL", INFO_EA | INFO_PATH, 72, put_all },
	{ 0x0108, "ALT_NAME", INFO_SHORT | INFO_NO_PIPE, 4, put_short },
	{ 0x0109, "STREAM", INFO_STREAMS | INFO_NO_PIPE, 24, put_streams },
	{ 0x010b, "COMPRESSION", INFO_NO_PIPE, 16, put_compression },
	{ 1004, "Basic", 0, 40, put_basic },
	{ 1005, "Standard", 0, 24, put_standard },
	{ 1006, "Internal", 0, 8, put_file_id },
	{ 1007, "Ea", INFO_EA, 4, put_ea_size },
	{ 1008, "Access", INFO_ACCESS, 4, put_access },
	{ 1009, "Name", INFO_PATH, 4, put_path },
	{ 1013, "Disposition", 0, 1, put_pending },
	{ 1014, "Position", 0, 8, put_pos },
	{ 1015, "FullEa", INFO_EA | INFO_EA_LIST | INFO_EA_SOME | INFO_NO_PIPE, 9, put_full_eas },
	{ 1016, "Mode", 0, 4, put_mode },
	{ 1017, "Alignment", 0, 4, put_alignment },
	{ 1018, "All", INFO_EA | INFO_PATH, 72, put_all },
	{ 1019, "Allocation", 0, 8, put_alloc },
	{ 1020, "EndOfFile", 0, 8, put_end },
	{ 1021, "AlternateName", INFO_SHORT | INFO_NO_PIPE, 4, put_short },
	{ 1022, "Stream", INFO_STREAMS | INFO_NO_PIPE, 24, put_streams },
	{ 1028, "Compression", INFO_NO_PIPE, 16, put_compression },
	{ 1034, "NetworkOpen", INFO_NO_PIPE, 56, put_network_open },
	{ 1035, "AttributeTag", INFO_NO_PIPE, 8, put_attribute_tag },
	{ 1048, "NormalizedName", INFO_PATH | INFO_NO_PIPE, 4, put_normalized },
};

const struct info_level *info_level(uint16_t level)
{
	size_t from = 0, to = ARRAY_LEN(levels);

	while (from < to) {
		size_t i = (from + to) / 2;

		if (levels[i].level == level)
			return &levels[i];
		if (levels[i].level < level)
			from = i + 1;
		else
			to = i;
	}
	return NULL;
}

uint32_t info_room(const struct info_item *i)
{
	/* no character of UTF-8 becomes longer than two bytes for each of its own */
	uint32_t room = 256 + 2 * (uint32_t)strlen(i->path) + ea_full_size(i->eas, i->neas);

	for (size_t k = 0; k < i->nstreams; k++)
		room += 48 + 2 * (uint32_t)strlen(i->streams[k].name);
	return room;
}

bool info_level_at(size_t i, struct table_row *out)
{
	if (i >= ARRAY_LEN(levels))
		return false;
	*out = (struct table_row){ levels[i].level, levels[i].name, true };
	return true;
}
