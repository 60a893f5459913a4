/* fs_levels.c - encoders of the file system levels, and sizes in units.  transactions section 6. */
#include "cmd/trans2/fs_levels.h"
#include "base/util.h"
#include "wire/wire.h"

void fs_units_fit(const struct fs_space *s, uint64_t max_units, struct fs_units *out)
{
	uint64_t unit = s->unit >= FS_SECTOR ? s->unit / FS_SECTOR : 1;

	if (unit > 1u << 20)
		unit = 1u << 20;
	while (s->total / FS_SECTOR / unit > max_units && unit < 1u << 31)
		unit *= 2;
	out->sectors = (uint32_t)unit;
	out->total = min_u64(s->total / FS_SECTOR / unit, max_units);
	if (out->total == 0)
		out->total = 1; /* clients divide by it */
	out->avail = min_u64(s->avail / FS_SECTOR / unit, out->total);
}

#define MAC_NO_SUPPORT 0x100u

static void put_allocation(struct wr *w, const struct fs_item *i)
{
	struct fs_units u;

	fs_units_fit(&i->space, 0x7fffffff, &u); /* old clients compute with signed numbers */
	wr_u32(w, i->serial);
	wr_u32(w, u.sectors);
	wr_u32(w, (uint32_t)u.total);
	wr_u32(w, (uint32_t)u.avail);
	wr_u16(w, FS_SECTOR);
}

static void put_volume_dos(struct wr *w, const struct fs_item *i)
{
	uint32_t bytes;

	wr_u32(w, i->serial);
	wr_u8(w, 0);
	bytes = wire_put_str(w, i->label, i->unicode, WSTR_NUL); /* the NUL is not counted: Windows */
	if (wr_ok(w))
		w->msg[4] = (uint8_t)min_u32(bytes, 255);
}

/* Text of NT levels is UTF-16 even for clients that otherwise speak OEM, and has no NUL: Windows 9x knows a
 * file system with long names by it. */
static void put_text_at(struct wr *w, uint32_t len_at, const char *text)
{
	wr_u32_at(w, len_at, wire_put_str(w, text, true, 0));
}

static void put_label(struct wr *w, const struct fs_item *i)
{
	wr_u32(w, 0);
	put_text_at(w, 0, i->label);
}

static void put_volume(struct wr *w, const struct fs_item *i)
{
	wr_u64(w, i->created);
	wr_u32(w, i->serial);
	wr_u32(w, 0);
	wr_u16(w, 0);
	put_text_at(w, 12, i->label);
}

static void put_size(struct wr *w, const struct fs_item *i)
{
	struct fs_units u;

	fs_units_fit(&i->space, INT64_MAX, &u);
	wr_u64(w, u.total);
	wr_u64(w, u.avail);
	wr_u32(w, u.sectors);
	wr_u32(w, FS_SECTOR);
}

/* No quotas are kept: nothing used, no limits. */
static void put_quota(struct wr *w, const struct fs_item *i)
{
	(void)i;
	wr_zero(w, 24);
	wr_u64(w, UINT64_MAX);
	wr_u64(w, UINT64_MAX);
	wr_zero(w, 8);
}

static void put_full_size(struct wr *w, const struct fs_item *i)
{
	struct fs_units u;

	fs_units_fit(&i->space, INT64_MAX, &u);
	wr_u64(w, u.total);
	wr_u64(w, u.avail);
	wr_u64(w, u.avail);
	wr_u32(w, u.sectors);
	wr_u32(w, FS_SECTOR);
}

static void put_device(struct wr *w, const struct fs_item *i)
{
	(void)i;
	wr_u32(w, 7);    /* disk */
	wr_u32(w, 0x20); /* mounted */
}

static void put_attribute(struct wr *w, const struct fs_item *i)
{
	wr_u32(w, i->attributes);
	wr_u32(w, 255);
	wr_u32(w, 0);
	put_text_at(w, 8, i->fs_name);
}

static void put_object_id(struct wr *w, const struct fs_item *i)
{
	wr_bytes(w, i->object_id, sizeof(i->object_id));
	wr_zero(w, 48);
}

static void put_sector_size(struct wr *w, const struct fs_item *i)
{
	(void)i;
	wr_u32(w, FS_SECTOR); /* logical */
	wr_u32(w, 4096);      /* physical: atomic, fast, in effect */
	wr_u32(w, 4096);
	wr_u32(w, 4096);
	wr_u32(w, 3);         /* device and partition are aligned */
	wr_u32(w, 0);
	wr_u32(w, 0);
}

/* What a Macintosh wants to know of a disk.  Finder information, comments and access rights are not kept apart: its
 * client is told so and puts them into files of its own. */
static void put_macintosh(struct wr *w, const struct fs_item *i)
{
	struct fs_units u;

	fs_units_fit(&i->space, 0x7fffffff, &u);
	wr_u64(w, i->created);
	wr_u64(w, i->created);
	wr_u64(w, 0); /* last backup */
	wr_u32(w, (uint32_t)u.total);
	wr_u32(w, (uint32_t)min_u64((uint64_t)u.sectors * FS_SECTOR, UINT32_MAX));
	wr_u32(w, (uint32_t)u.avail);
	wr_zero(w, 32 + 4 * 4); /* Finder information; files and folders in the root, in all: not counted */
	wr_u32(w, MAC_NO_SUPPORT);
}

static const struct fs_level levels[] = {
	{ 0x0001, "ALLOCATION", 18, put_allocation },
	{ 0x0002, "VOLUME", 5, put_volume_dos },
	{ 0x0101, "LABEL", 4, put_label },
	{ 0x0102, "VOLUME", 18, put_volume },
	{ 0x0103, "SIZE", 24, put_size },
	{ 0x0104, "DEVICE", 8, put_device },
	{ 0x0105, "ATTRIBUTE", 12, put_attribute },
	{ 0x0301, "MAC_FS", 88, put_macintosh },
	{ 1001, "Volume", 18, put_volume },
	{ 1002, "Label", 4, put_label },
	{ 1003, "Size", 24, put_size },
	{ 1004, "Device", 8, put_device },
	{ 1005, "Attribute", 12, put_attribute },
	{ 1006, "QuotaControl", 48, put_quota },
	{ 1007, "FullSize", 32, put_full_size },
	{ 1008, "ObjectId", 64, put_object_id },
	{ 1011, "SectorSize", 28, put_sector_size },
};

const struct fs_level *fs_level(uint16_t level)
{
	for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
		if (levels[i].level == level)
			return &levels[i];
	}
	return NULL;
}

bool fs_level_at(size_t i, struct table_row *out)
{
	if (i >= ARRAY_LEN(levels))
		return false;
	*out = (struct table_row){ levels[i].level, levels[i].name, true };
	return true;
}
