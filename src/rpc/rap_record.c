/* rap_record.c - writes records as their descriptor says.
 *
 * Data: record 0, record 1, ..., then the texts in the same order.  A pointer is the offset of
 * its text from the start of the data (the converter we send is 0). */
#include "rpc/rap.h"
#include "base/str.h"
#include "base/util.h"

const char *rap_oem(TALLOC_CTX *mem, const char *s, size_t max)
{
	char *out, *cut;
	size_t n;

	if (s == NULL)
		s = "";
	n = str_to_oem(s, NULL, 0);
	if (n > max) {
		cut = talloc_strdup(mem, s);
		if (cut == NULL)
			return "";
		/* A character is never longer in OEM than 4 bytes nor in UTF-8 than 4. */
		for (size_t len = strlen(cut); n > max; n = str_to_oem(cut, NULL, 0)) {
			do {
				len--;
			} while (len > 0 && ((uint8_t)cut[len] & 0xc0) == 0x80);
			cut[len] = '\0';
		}
		s = cut;
	}
	out = talloc_size(mem, n + 1);
	if (out == NULL)
		return "";
	str_to_oem(s, (uint8_t *)out, n);
	out[n] = '\0';
	return out;
}

/* The next member: its letter, and the number behind it (0 if none). */
static char next_member(const char **desc, uint32_t *n)
{
	char letter = *(*desc)++;

	for (*n = 0; **desc >= '0' && **desc <= '9'; (*desc)++)
		*n = *n * 10 + (uint32_t)(**desc - '0');
	return letter;
}

static uint32_t fixed_size(const char *desc)
{
	uint32_t size = 0, n;

	while (*desc) {
		switch (next_member(&desc, &n)) {
		case 'B':
			size += n ? n : 1;
			break;
		case 'W':
		case 'N':
			size += 2;
			break;
		default: /* D z b l */
			size += 4;
			break;
		}
	}
	return size;
}

/* Bytes behind the pointer of this member, 0 if it has none. */
static uint32_t pointee_size(char letter, uint32_t n, const struct rap_value *v)
{
	if (letter == 'b')
		return n;
	return letter == 'z' && v->text != NULL ? (uint32_t)strlen(v->text) + 1 : 0;
}

static uint32_t heap_size(const char *desc, const struct rap_value *v)
{
	uint32_t size = 0, n;

	for (; *desc; v++) {
		char letter = next_member(&desc, &n);

		size += pointee_size(letter, n, v);
	}
	return size;
}

static void put_text(struct wr *d, const char *text, uint32_t n)
{
	uint32_t len = text ? (uint32_t)strlen(text) : 0;

	len = min_u32(len, n - 1);
	wr_bytes(d, text, len);
	wr_zero(d, n - len);
}

/* The fixed part.  *heap is where the next text will lie; one that would not fit the room is
 * a null pointer, and put_heap() comes to the same decision. */
static void put_record(struct rap_call *c, const struct rap_value *v, uint32_t *heap)
{
	const char *desc = c->desc;
	uint32_t n, size;

	for (; *desc; v++) {
		char letter = next_member(&desc, &n);

		switch (letter) {
		case 'B':
			if (n)
				put_text(&c->d, v->text, n);
			else
				wr_u8(&c->d, (uint8_t)v->num);
			break;
		case 'W':
		case 'N':
			wr_u16(&c->d, (uint16_t)v->num);
			break;
		case 'z':
		case 'b':
			size = pointee_size(letter, n, v);
			if (size != 0 && size <= c->room - *heap) {
				wr_u32(&c->d, *heap);
				*heap += size;
			} else {
				wr_u32(&c->d, 0);
			}
			break;
		default:
			wr_u32(&c->d, v->num);
			break;
		}
	}
}

static void put_heap(struct rap_call *c, const struct rap_value *v)
{
	const char *desc = c->desc;
	uint32_t n;

	for (; *desc; v++) {
		char letter = next_member(&desc, &n);
		uint32_t size = pointee_size(letter, n, v);
		uint8_t *p;

		if (size == 0 || size > c->room - wr_tell(&c->d))
			continue;
		p = wr_take(&c->d, size);
		if (p == NULL)
			continue;
		if (letter == 'z')
			memcpy(p, v->text, size);
		else
			memset(p, (int)(v->num & 0xff), size);
	}
}

uint16_t rap_info(struct rap_call *c, const struct rap_value *v)
{
	uint32_t fixed = fixed_size(c->desc), all = fixed + heap_size(c->desc, v), heap = fixed;

	c->available = (uint16_t)min_u32(all, 0xffff);
	if (fixed > c->room)
		return RAP_BUFFER_TOO_SMALL;
	put_record(c, v, &heap);
	put_heap(c, v);
	return all > c->room ? RAP_MORE_DATA : RAP_OK;
}

/* What goes out of a list: records, those that count, and how many count in all. */
struct fit {
	size_t records, entries, all;
	uint32_t fixed; /* bytes of the records without their texts */
	uint32_t bytes; /* of everything there is */
};

static void fitting(struct rap_call *c, rap_entry_fn entry, const void *list, size_t count, struct fit *f)
{
	struct rap_value v[RAP_MAX_VALUES];
	uint32_t used = 0, fixed = 0;
	bool full = false;

	*f = (struct fit){ .records = 0 };
	for (size_t i = 0; i < count && f->all < 0xffff; i++) {
		c->part = false;
		entry(c, list, i, v);
		if (!c->part) { /* everything before is whole */
			if (!full)
				*f = (struct fit){ i, f->all, f->all, fixed, used };
			f->all++;
		}
		fixed += fixed_size(c->desc);
		used += fixed_size(c->desc) + heap_size(c->desc, v);
		full |= used > c->room;
	}
	if (!full)
		*f = (struct fit){ count, f->all, f->all, fixed, used };
	f->bytes = used;
}

static void put_list(struct rap_call *c, rap_entry_fn entry, const void *list, const struct fit *f)
{
	struct rap_value v[RAP_MAX_VALUES];
	uint32_t heap = f->fixed;

	for (size_t i = 0; i < f->records; i++) {
		entry(c, list, i, v);
		put_record(c, v, &heap);
	}
	for (size_t i = 0; i < f->records; i++) {
		entry(c, list, i, v);
		put_heap(c, v);
	}
}

uint16_t rap_list(struct rap_call *c, rap_entry_fn entry, const void *list, size_t count)
{
	struct fit f;

	fitting(c, entry, list, count, &f);
	put_list(c, entry, list, &f);
	c->entries = (uint16_t)f.entries;
	c->available = (uint16_t)f.all;
	return f.entries < f.all ? RAP_MORE_DATA : RAP_OK;
}

uint16_t rap_info_list(struct rap_call *c, rap_entry_fn entry, const void *list, size_t count)
{
	struct fit f;

	fitting(c, entry, list, count, &f);
	c->available = (uint16_t)min_u32(f.bytes, 0xffff);
	if (f.entries < f.all)
		return RAP_BUFFER_TOO_SMALL;
	put_list(c, entry, list, &f);
	return RAP_OK;
}
