/* levels.c - information levels taken apart: where each field lies. */
#include "base/str.h"
#include "base/util.h"
#include "transact.h"
#include <stdlib.h>

struct place {
	uint32_t level;
	const char *name;
	uint32_t off, size;
};

static uint64_t number(const uint8_t *d, uint32_t off, uint32_t size)
{
	uint64_t v = 0;

	while (size-- > 0)
		v = v << 8 | d[off + size];
	return v;
}

static void show_places(struct play *p, const struct place *t, size_t n, uint32_t level, const uint8_t *d,
			uint32_t len)
{
	for (size_t i = 0; i < n; i++)
		if (t[i].level == level && t[i].off + t[i].size <= len)
			field_num(p, t[i].name, number(d, t[i].off, t[i].size));
}

/* A length in bytes, then a name of that length. */
static void show_name(struct play *p, const char *field, const uint8_t *d, uint32_t len, uint32_t len_at,
		      uint32_t len_size, uint32_t at)
{
	uint32_t n;

	if (len_at + len_size > len)
		return;
	n = (uint32_t)number(d, len_at, len_size);
	if (at > len || n > len - at)
		play_fail(p, "a name inside the data, got %u bytes at %u of %u", n, at, len);
	else
		field_text(p, field, str_from_utf16(p->step_mem, d + at, n));
}

void level_fields(struct play *p, uint32_t level, const uint8_t *d, uint32_t len)
{
	static const struct place places[] = {
		{ 1, "write_date", 8, 2 },    { 1, "write_time", 10, 2 },   { 1, "size", 12, 4 },	{ 1, "alloc", 16, 4 },
		{ 1, "attrs", 20, 2 },	      { 2, "size", 12, 4 },	    { 2, "attrs", 20, 2 },	{ 2, "ea_size", 22, 4 },
		{ 0x101, "created", 0, 8 },   { 0x101, "accessed", 8, 8 },  { 0x101, "written", 16, 8 },
		{ 0x101, "changed", 24, 8 },  { 0x101, "attrs", 32, 4 },    { 0x102, "alloc", 0, 8 },
		{ 0x102, "size", 8, 8 },      { 0x102, "links", 16, 4 },    { 0x102, "pending", 20, 1 },
		{ 0x102, "dir", 21, 1 },      { 0x103, "ea_size", 0, 4 },   { 0x107, "written", 16, 8 },
		{ 0x107, "attrs", 32, 4 },    { 0x107, "size", 48, 8 },	    { 0x107, "links", 56, 4 },
		{ 0x107, "dir", 61, 1 },      { 1006, "file_id", 0, 8 },    { 1008, "access", 0, 4 },
		{ 1014, "position", 0, 8 },   { 1034, "written", 16, 8 },   { 1034, "alloc", 32, 8 },
		{ 1034, "size", 40, 8 },      { 1034, "attrs", 48, 4 },	    { 1035, "attrs", 0, 4 },
	};
	uint32_t same = level == 1004 ? 0x101 : level == 1005 ? 0x102 : level == 1007 ? 0x103 : level == 1009 ? 0x104
		      : level == 1021 ? 0x108 : level;

	show_places(p, places, ARRAY_LEN(places), same, d, len);
	if (same == 0x104 || same == 0x108)
		show_name(p, "name", d, len, 0, 4, 4);
	if (same == 0x107)
		show_name(p, "name", d, len, 68, 4, 72);
}

void fs_level_fields(struct play *p, uint32_t level, const uint8_t *d, uint32_t len)
{
	static const struct place places[] = {
		{ 1, "sectors", 4, 4 },	       { 1, "units", 8, 4 },	   { 1, "free", 12, 4 },       { 1, "bytes", 16, 2 },
		{ 2, "serial", 0, 4 },	       { 0x102, "serial", 8, 4 },  { 0x103, "units", 0, 8 },   { 0x103, "free", 8, 8 },
		{ 0x103, "sectors", 16, 4 },   { 0x103, "bytes", 20, 4 },  { 0x104, "type", 0, 4 },
		{ 0x105, "attrs", 0, 4 },      { 0x105, "max_name", 4, 4 },
		{ 1007, "units", 0, 8 },       { 1007, "free", 8, 8 },
	};
	static const uint32_t passed[] = { 0x102, 0x101, 0x103, 0x104, 0x105 };
	uint32_t same = level > 1000 && level < 1006 ? passed[level - 1001] : level;

	show_places(p, places, ARRAY_LEN(places), same, d, len);
	if (same == 0x102)
		show_name(p, "label", d, len, 12, 4, 18);
	if (same == 0x105)
		show_name(p, "fs", d, len, 8, 4, 12);
}

/* ---- listings ---- */

struct layout { uint32_t level, size_at, attrs_at, len_at, short_at, name_at; };

static const struct layout layouts[] = {
	{ 0x101, 40, 56, 60, 0, 64 }, { 0x102, 40, 56, 60, 0, 68 },  { 0x103, 0, 0, 8, 0, 12 },
	{ 0x104, 40, 56, 60, 68, 94 }, { 0x105, 40, 56, 60, 0, 80 }, { 0x106, 40, 56, 60, 68, 104 },
};

static char *name_of(struct play *p, const uint8_t *b, uint32_t n)
{
	return p->reply.flags2 & FLAG2_UNICODE ? str_from_utf16(p->step_mem, b, n) : str_from_oem(p->step_mem, b, n);
}

/* One entry of levels 1 to 3 at *at: its name, and *at behind it. */
static char *dos_entry(struct play *p, uint32_t level, bool keys, const uint8_t *d, uint32_t len, uint32_t *at,
		       bool first)
{
	bool unicode = p->reply.flags2 & FLAG2_UNICODE;
	uint32_t off = *at + (keys ? 4 : 0), n, name;

	if (off + 27 > len)
		return NULL;
	if (first) {
		field_num(p, "size", number(d, off + 12, 4));
		field_num(p, "attrs", number(d, off + 20, 2));
	}
	off += 22;
	if (level == 2)
		off += 4;
	if (level == 3)
		off += (uint32_t)number(d, off, 4);
	if (off >= len)
		return NULL;
	n = d[off];
	name = off + 1 + (level == 1 && unicode ? 1 : 0);
	*at = name + n + (level == 1 && unicode ? 2 : 1);
	return *at > len ? NULL : name_of(p, d + name, n);
}

static char *nt_entry(struct play *p, const struct layout *l, const uint8_t *d, uint32_t len, uint32_t *at,
		      bool first)
{
	uint32_t off = *at, next, n;

	if (off > len || l->name_at > len - off)
		return NULL;
	next = (uint32_t)number(d, off, 4);
	n = (uint32_t)number(d, off + l->len_at, 4);
	if (n > len - off - l->name_at)
		return NULL;
	if (first && l->size_at) {
		field_num(p, "size", number(d, off + l->size_at, 8));
		field_num(p, "attrs", number(d, off + l->attrs_at, 4));
	}
	if (first && l->short_at && d[off + l->short_at] <= 24)
		field_text(p, "short", str_from_utf16(p->step_mem, d + off + l->short_at + 2, d[off + l->short_at]));
	if (next % 4)
		play_fail(p, "entries at multiples of 4, got a distance of %u", next);
	if (first)
		field_num(p, "name_len", n);
	field_num(p, "next", next);
	*at = next ? off + next : len;
	return name_of(p, d + off + l->name_at, n);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *join(struct play *p, char **names, uint32_t n)
{
	char *all = talloc_strdup(p->step_mem, "");

	for (uint32_t i = 0; i < n; i++)
		all = talloc_asprintf_append_buffer(all, "%s%s", i ? "," : "", names[i]);
	return all;
}

void find_fields(struct play *p, uint32_t level, bool keys, const uint8_t *d, uint32_t len, uint32_t count)
{
	char **names = talloc_zero_array(p->step_mem, char *, count + 1);
	static const uint32_t same[][2] = { { 1001, 0x101 }, { 1002, 0x102 }, { 1003, 0x104 }, { 1012, 0x103 },
					    { 1037, 0x106 }, { 1038, 0x105 } };
	const struct layout *l = NULL;
	uint32_t at = 0;

	for (size_t i = 0; i < ARRAY_LEN(same); i++)
		level = level == same[i][0] ? same[i][1] : level;
	for (size_t i = 0; i < ARRAY_LEN(layouts); i++)
		if (layouts[i].level == level)
			l = &layouts[i];
	if (!l && level > 3)
		return; /* of UNIX: not taken apart */
	for (uint32_t i = 0; i < count; i++) {
		names[i] = l ? nt_entry(p, l, d, len, &at, i == 0)
			     : level <= 3 ? dos_entry(p, level, keys, d, len, &at, i == 0) : NULL;
		if (!names[i] || !names[i][0]) {
			play_fail(p, "%u whole entries with names, got %u in %u bytes", count, i, len);
			return;
		}
	}
	field_text(p, "order", join(p, names, count));
	if (count)
		field_text(p, "last", names[count - 1]);
	qsort(names, count, sizeof(*names), by_name);
	field_text(p, "names", join(p, names, count));
}
