/* search.c - SEARCH (0x81), FIND (0x82), FIND_UNIQUE (0x83), FIND_CLOSE (0x84): listings of DOS and OS/2 1.x.
 *
 *   W=2: count, search attributes; FF4 pattern, FF5 length16 resume key (none, or 21 bytes)
 *   reply W=1: count; FF5 length16, entries of 43 bytes:
 *     key: attributes asked, pattern 11, search id, place32, client's own 32;
 *     attributes, time, date, size32, name 13
 *
 * MS-CIFS 2.2.4.58 - 61.  The client goes on with the key of any entry it has, also an earlier one.  Oddities:
 * - the key has one byte for the search and eleven for the pattern: the pattern is kept here, and there are 256
 *   searches;
 * - DOS never ends a search (only FIND has FIND_CLOSE): the least recently used one is recycled, never "no more"
 *   (Q169362); a key of a recycled one finds the end;
 * - names are 8.3, a long one shows its alias; clients that do not know long names get capitals; always OEM;
 * - attributes of the volume bit alone ask for the label: one entry;
 * - nothing found is ERRDOS/18; nothing more is success with no entries (X/Open: an error is for the first call, and
 *   clients throw away what they have when they meet it later). */
#include "base/str.h"
#include "base/util.h"
#include "cmd/cmd.h"

#define KEY_LEN 21u
#define ENTRY_LEN 43u
#define SHORT_ROOM 13u
#define PLACE_BITS 24 /* of a key's place; above them the search's turn */

struct search_args {
	uint16_t count, attrs;
	char *pattern;         /* as the client sent it */
	bool resume;
	uint8_t slot;
	uint32_t place, client; /* of the key */
	const uint8_t *key_name;
};

static status_t search_decode(struct req *q, struct search_args *a)
{
	struct rd key;
	uint32_t len;
	status_t st;

	a->count = rd_u16(&q->words);
	a->attrs = rd_u16(&q->words);
	st = req_str_fmt(q, &q->bytes, 4, &a->pattern);
	if (st != ST_OK)
		return st;
	if (rd_left(&q->bytes) == 0)
		return ST_OK;
	if (rd_u8(&q->bytes) != 5)
		return ST_INVALID_SMB;
	len = rd_u16(&q->bytes);
	if (!rd_ok(&q->bytes) || (len != 0 && (len < KEY_LEN || rd_left(&q->bytes) < KEY_LEN)))
		return ST_INVALID_SMB;
	if (len == 0)
		return ST_OK;
	key = rd_window(&q->bytes, rd_tell(&q->bytes), KEY_LEN);
	a->resume = true;
	rd_skip(&key, 1);
	a->key_name = rd_take(&key, 11);
	a->slot = rd_u8(&key);
	a->place = rd_u32(&key);
	a->client = rd_u32(&key);
	return ST_OK;
}

/* ---- the key ---- */

/* "A*.TXT" -> "A*      TXT" */
static void key_pattern(const char *pattern, uint8_t out[11])
{
	const char *dot = strrchr(pattern, '.');
	uint8_t text[64];
	size_t n, base = dot ? (size_t)(dot - pattern) : strlen(pattern);
	char part[64];

	memset(out, ' ', 11);
	n = base < sizeof(part) ? base : sizeof(part) - 1;
	memcpy(part, pattern, n);
	part[n] = '\0';
	n = str_to_oem(part, text, sizeof(text));
	memcpy(out, text, n <= sizeof(text) ? min_u32((uint32_t)n, 8) : 0);
	if (dot) {
		n = str_to_oem(dot + 1, text, sizeof(text));
		memcpy(out + 8, text, n <= sizeof(text) ? min_u32((uint32_t)n, 3) : 0);
	}
}

static void put_head(struct wr *w, const struct search_args *a, const uint8_t name[11], uint8_t slot, uint32_t place)
{
	wr_u8(w, (uint8_t)a->attrs);
	wr_bytes(w, name, 11);
	wr_u8(w, slot);
	wr_u32(w, place);
	wr_u32(w, a->client);
}

static void put_name(struct wr *w, const char *name, bool upper)
{
	uint8_t text[SHORT_ROOM] = { 0 };
	char *up = upper ? str_upper(NULL, name) : NULL;

	str_to_oem(up ? up : name, text, SHORT_ROOM - 1);
	wr_bytes(w, text, sizeof(text));
	talloc_free(up);
}

/* ---- searches by their byte ---- */

static struct search *by_slot(const struct req *q, uint8_t slot)
{
	struct search *s = q->c->core_sid[slot] ? search_find(q, q->c->core_sid[slot]) : NULL;

	return s && s->core && s->slot == slot ? s : NULL;
}

/* A byte for a new search: a free one, or that of the search not used for the longest time. */
static uint8_t take_slot(struct req *q)
{
	struct conn *c = q->c;
	struct search *oldest = NULL;
	unsigned best = 0;

	for (unsigned i = 0; i < 256; i++) {
		unsigned slot = (c->core_next + i) & 0xff;
		struct search *s = c->core_sid[slot] ? idtab_get(c->searches, c->core_sid[slot]) : NULL;

		if (!s || !s->core || s->slot != slot) {
			c->core_next = (uint8_t)(slot + 1);
			return (uint8_t)slot;
		}
		if (!oldest || s->used < oldest->used) {
			oldest = s;
			best = slot;
		}
	}
	search_free(&oldest);
	c->core_next = (uint8_t)(best + 1);
	return (uint8_t)best;
}

static status_t begin(struct req *q, const struct search_args *a, struct search **out)
{
	char *name;
	uint8_t slot;
	status_t st = req_path(q, a->pattern, &name);

	if (st == ST_OK)
		st = search_new(q, name, a->attrs, FS_DIR_STAT | FS_DIR_SHORT, out);
	if (st != ST_OK)
		return st;
	slot = take_slot(q);
	(*out)->core = true;
	(*out)->slot = slot;
	(*out)->turn = ++q->c->core_turn;
	q->c->core_sid[slot] = (*out)->sid;
	return ST_OK;
}

static status_t resume(struct req *q, const struct search_args *a, struct search **out)
{
	struct search *s = by_slot(q, a->slot);
	uint8_t name[11];

	if (!s)
		return ST_NO_MORE_FILES;
	key_pattern(s->pattern_asked, name);
	if (memcmp(name, a->key_name, sizeof(name)) != 0 || a->place >> PLACE_BITS != s->turn)
		return ST_NO_MORE_FILES; /* the byte is another search's by now */
	search_after_cookie(s, a->place & ((1u << PLACE_BITS) - 1));
	*out = s;
	return ST_OK;
}

/* ---- entries ---- */

/* The 8.3 name of an entry; NULL if it has none (`mangled names = no`). */
static const char *short_form(const struct search *s, const struct fs_entry *e, char alias[64])
{
	if (e->short_name && *e->short_name)
		return e->short_name;
	if (fs_is_83(e->name))
		return e->name;
	fs_short_name(s->t->fs, e->name, alias);
	return *alias ? alias : NULL;
}

static bool hidden_dots(const struct req *q, const struct search *s, const char *name)
{
	return name[0] == '.' && *s->folder == '\0' && !req_nt(q) && (name[1] == '\0' || strcmp(name, "..") == 0);
}

static uint32_t put_entries(struct req *q, const struct search_args *a, struct search *s, struct wr *w, uint32_t most)
{
	const struct fs_entry *e;
	uint8_t pattern[11];
	char alias[64];
	uint32_t n = 0;

	key_pattern(s->pattern_asked, pattern);
	while (n < most && search_next(s, &e) == ST_OK) {
		const char *name = short_form(s, e, alias);

		if (!name || hidden_dots(q, s, e->name))
			continue;
		put_head(w, a, pattern, s->slot, (uint32_t)e->cookie | (uint32_t)s->turn << PLACE_BITS);
		wr_u8(w, (uint8_t)(e->st.attrs & FS_ATTR_DOS));
		wr_u16(w, dos_time(e->st.write, q->c->zone));
		wr_u16(w, dos_date(e->st.write, q->c->zone));
		wr_u32(w, (uint32_t)min_u64(e->st.size, 0xffffffffu));
		put_name(w, name, !(q->h.flags2 & FLAG2_LONG_NAMES) || q->c->dialect < DIALECT_LANMAN2);
		n++;
	}
	return n;
}

static uint32_t put_label(struct req *q, const struct search_args *a, struct wr *w)
{
	const struct conf_params *p = &q->t->share->p;
	uint8_t pattern[11];

	key_pattern("*.*", pattern);
	put_head(w, a, pattern, 0, 0);
	wr_u8(w, FS_ATTR_VOLUME);
	wr_zero(w, 8);
	put_name(w, p->volume[0] ? p->volume : q->t->share_name, false);
	return 1;
}

static uint32_t room(const struct req *q)
{
	uint32_t head = SMB_HDR_LEN + 1 + 2 + 2 + 3, max = req_max_reply(q);

	return max > head + ENTRY_LEN ? (max - head) / ENTRY_LEN : 1;
}

static status_t no_more(struct req *q)
{
	if (!(q->h.flags2 & FLAG2_NT_STATUS))
		return ST_OS2_NO_MORE_FILES;
	req_empty(q);
	return ST_NO_MORE_FILES;
}

static struct wr *reply_head(struct req *q)
{
	struct wr *w = req_words(q, 1);

	wr_u16(w, 0);
	req_bytes(q);
	wr_u8(w, 5);
	wr_u16(w, 0);
	return w;
}

static void reply_end(struct req *q, uint32_t n)
{
	wr_u16_at(&q->out, q->block + 1, (uint16_t)n);
	wr_u16_at(&q->out, q->bcc + 3, (uint16_t)(n * ENTRY_LEN));
	req_done(q);
}

static status_t list(struct req *q, bool unique)
{
	struct search_args a = { .count = 0 };
	struct search *s = NULL;
	uint32_t n, start = q->out.pos;
	bool label;
	status_t st = search_decode(q, &a);

	if (st != ST_OK)
		return st;
	label = (a.attrs & 0xff) == FS_ATTR_VOLUME;
	if (label && a.resume)
		return no_more(q);
	if (!label)
		st = a.resume && !unique ? resume(q, &a, &s) : begin(q, &a, &s);
	if (st == ST_NO_MORE_FILES || st == ST_NO_SUCH_FILE)
		return no_more(q);
	if (st != ST_OK)
		return st;
	reply_head(q);
	n = s ? put_entries(q, &a, s, &q->out, min_u32(a.count ? a.count : 1, room(q))) : put_label(q, &a, &q->out);
	reply_end(q, n);
	if (s && (unique || (n == 0 && !a.resume)))
		search_free(&s);
	if (n > 0 || (a.resume && !unique))
		return ST_OK;
	q->out.pos = start;
	return no_more(q);
}

status_t cmd_search(struct req *q) { return list(q, false); }
status_t cmd_find(struct req *q) { return list(q, false); }
status_t cmd_find_unique(struct req *q) { return list(q, true); }

status_t cmd_find_close(struct req *q)
{
	struct search_args a = { .count = 0 };
	struct search *s = NULL;
	status_t st = search_decode(q, &a);

	if (st != ST_OK)
		return st;
	if (!a.resume)
		return ST_INVALID_SMB;
	s = by_slot(q, a.slot);
	if (s)
		search_free(&s);
	reply_head(q);
	reply_end(q, 0);
	return ST_OK;
}
