/* ea.c - lists of extended attributes to and from bytes. */
#include "cmd/trans2/ea.h"
#include "base/str.h"

static bool fits(const struct fs_ea *ea, size_t *name_len)
{
	*name_len = str_to_oem(ea->name, NULL, 0);
	return *name_len <= 255 && ea->len <= 65535;
}

uint32_t ea_list_size(const struct fs_ea *list, size_t n)
{
	uint32_t size = 4;
	size_t name_len;

	for (size_t i = 0; i < n; i++) {
		if (fits(&list[i], &name_len))
			size += 5 + (uint32_t)name_len + list[i].len;
	}
	return size;
}

/* What both forms have of one: flags, lengths, name, NUL, value. */
static void put_one(struct wr *w, const struct fs_ea *ea, uint8_t *scratch, size_t room, size_t name_len)
{
	str_to_oem(ea->name, scratch, room);
	wr_u8(w, 0);
	wr_u8(w, (uint8_t)name_len);
	wr_u16(w, (uint16_t)ea->len);
	wr_bytes(w, scratch, name_len);
	wr_u8(w, 0);
	wr_bytes(w, ea->value, ea->len);
}

void ea_put_list(struct wr *w, const struct fs_ea *list, size_t n)
{
	uint8_t name[256];
	size_t len;

	wr_u32(w, ea_list_size(list, n));
	for (size_t i = 0; i < n; i++) {
		if (fits(&list[i], &len))
			put_one(w, &list[i], name, sizeof(name), len);
	}
}

void ea_put_full(struct wr *w, const struct fs_ea *list, size_t n)
{
	uint32_t last = UINT32_MAX;
	uint8_t name[256];
	size_t len;

	for (size_t i = 0; i < n; i++) {
		if (!fits(&list[i], &len))
			continue;
		wr_align(w, 4);
		if (last != UINT32_MAX)
			wr_u32_at(w, last, wr_tell(w) - last);
		last = wr_tell(w);
		wr_u32(w, 0);
		put_one(w, &list[i], name, sizeof(name), len);
	}
}

uint32_t ea_full_size(const struct fs_ea *list, size_t n)
{
	return ea_list_size(list, n) + 7 * (uint32_t)n; /* a distance and a pad each */
}

/* ---- reading ---- */

struct grow {
	TALLOC_CTX *mem;
	struct fs_ea *list;
	size_t n;
};

static status_t add(struct grow *g, const uint8_t *name, uint32_t name_len, const uint8_t *value,
		    uint32_t len)
{
	const char *text = str_from_oem(g->mem, name, name_len);
	struct fs_ea *more;

	if (!text)
		return ST_NO_MEMORY;
	if (*text == '\0' || strpbrk(text, "*?<>\"/\\[]:+|,;="))
		return ST_INVALID_EA_NAME;
	more = talloc_realloc(g->mem, g->list, struct fs_ea, (unsigned)g->n + 1);
	if (!more)
		return ST_NO_MEMORY;
	g->list = more;
	g->list[g->n++] = (struct fs_ea){ .name = text, .value = value, .len = len };
	return ST_OK;
}

/* flags, lengths, name, NUL, value: the part both forms share. */
static status_t get_one(struct grow *g, struct rd *r)
{
	uint32_t name_len, len;
	const uint8_t *name, *value;

	rd_skip(r, 1);
	name_len = rd_u8(r);
	len = rd_u16(r);
	name = rd_take(r, name_len);
	rd_skip(r, 1);
	value = rd_take(r, len);
	return rd_ok(r) ? add(g, name, name_len, value, len) : ST_EA_LIST_INCONSISTENT;
}

/* The window of a list that begins with its own length. */
static status_t list_window(struct rd *r, struct rd *out)
{
	uint32_t start = rd_tell(r), total = rd_u32(r);

	if (!rd_ok(r) || total < 4)
		return ST_EA_LIST_INCONSISTENT;
	*out = rd_window(r, start, total);
	rd_skip(out, 4);
	return rd_ok(out) ? ST_OK : ST_EA_LIST_INCONSISTENT;
}

status_t ea_get_list(TALLOC_CTX *mem, struct rd *r, struct fs_ea **list, size_t *n)
{
	struct grow g = { .mem = mem };
	struct rd w;
	status_t st = list_window(r, &w);

	while (st == ST_OK && rd_left(&w) > 0)
		st = get_one(&g, &w);
	*list = g.list;
	*n = g.n;
	return st;
}

status_t ea_get_full(TALLOC_CTX *mem, struct rd *r, struct fs_ea **list, size_t *n)
{
	struct grow g = { .mem = mem };
	status_t st = ST_OK;
	uint32_t at = rd_tell(r), next = 0;

	if (rd_left(r) > 0) {
		do {
			rd_seek(r, at);
			next = rd_u32(r);
			st = get_one(&g, r);
			if (next > r->end - at || (next != 0 && next < 8))
				st = ST_EA_LIST_INCONSISTENT;
			at += next;
		} while (st == ST_OK && next != 0);
	}
	*list = g.list;
	*n = g.n;
	return st;
}

status_t ea_get_names(TALLOC_CTX *mem, struct rd *r, struct fs_ea **list, size_t *n)
{
	struct grow g = { .mem = mem };
	struct rd w;
	status_t st = list_window(r, &w);

	while (st == ST_OK && rd_left(&w) > 0) {
		uint32_t len = rd_u8(&w);
		const uint8_t *name = rd_take(&w, len);

		rd_skip(&w, 1);
		st = rd_ok(&w) ? add(&g, name, len, NULL, 0) : ST_EA_LIST_INCONSISTENT;
	}
	*list = g.list;
	*n = g.n;
	return st;
}

void ea_pick(struct fs_ea *asked, size_t n, const struct fs_ea *have, size_t nhave)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < nhave; j++) {
			if (!str_caseeq(asked[i].name, have[j].name))
				continue;
			asked[i].value = have[j].value;
			asked[i].len = have[j].len;
		}
	}
}
