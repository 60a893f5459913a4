/* ndr.c - Network Data Representation on the cursors. */
#include "rpc/ndr.h"
#include "base/str.h"

/* Referents are only names; these are the values Windows starts with. */
#define NDR_FIRST_REF 0x00020000u
#define NDR_REF_STEP 4u

uint8_t ndr_rd_u8(struct ndr_in *in)
{
	return rd_u8(&in->r);
}

uint16_t ndr_rd_u16(struct ndr_in *in)
{
	rd_align(&in->r, 2);
	return in->big ? rd_be16(&in->r) : rd_u16(&in->r);
}

uint32_t ndr_rd_u32(struct ndr_in *in)
{
	rd_align(&in->r, 4);
	return in->big ? rd_be32(&in->r) : rd_u32(&in->r);
}

bool ndr_rd_ptr(struct ndr_in *in)
{
	return ndr_rd_u32(in) != 0;
}

/* The same characters with the low byte first. */
static const uint8_t *swap_chars(TALLOC_CTX *mem, const uint8_t *p, uint32_t bytes)
{
	uint8_t *out = talloc_size(mem, bytes + 1);

	for (uint32_t i = 0; out != NULL && i + 1 < bytes; i += 2) {
		out[i] = p[i + 1];
		out[i + 1] = p[i];
	}
	return out;
}

const char *ndr_rd_string(TALLOC_CTX *mem, struct ndr_in *in)
{
	uint32_t max = ndr_rd_u32(in);
	uint32_t offset = ndr_rd_u32(in);
	uint32_t actual = ndr_rd_u32(in);
	const uint8_t *p = NULL;
	const char *s;

	if (offset == 0 && actual <= max && actual <= rd_left(&in->r) / 2)
		p = rd_take(&in->r, actual * 2);
	if (p != NULL && in->big)
		p = swap_chars(mem, p, actual * 2);
	s = p != NULL && !in->r.bad ? str_from_utf16(mem, p, actual * 2) : NULL;
	if (s == NULL) {
		in->r.bad = true;
		return "";
	}
	return s;
}

const char *ndr_rd_ptr_string(TALLOC_CTX *mem, struct ndr_in *in)
{
	return ndr_rd_ptr(in) ? ndr_rd_string(mem, in) : NULL;
}

bool ndr_rd_text(struct ndr_in *in)
{
	rd_align(&in->r, 4);
	ndr_rd_u16(in); /* the characters count themselves */
	ndr_rd_u16(in);
	return ndr_rd_ptr(in);
}

const char *ndr_rd_whole_text(TALLOC_CTX *mem, struct ndr_in *in)
{
	return ndr_rd_text(in) ? ndr_rd_string(mem, in) : "";
}

void ndr_u8(struct ndr *n, uint8_t v)
{
	wr_u8(&n->w, v);
}

void ndr_u16(struct ndr *n, uint16_t v)
{
	wr_align(&n->w, 2);
	wr_u16(&n->w, v);
}

void ndr_u32(struct ndr *n, uint32_t v)
{
	wr_align(&n->w, 4);
	wr_u32(&n->w, v);
}

void ndr_ptr(struct ndr *n, bool there)
{
	ndr_u32(n, there ? NDR_FIRST_REF + n->refs++ * NDR_REF_STEP : 0);
}

static void ndr_chars(struct ndr *n, const char *s, size_t bytes)
{
	uint8_t *p;

	ndr_u32(n, 0); /* offset */
	ndr_u32(n, (uint32_t)(bytes / 2) + 1);
	p = wr_take(&n->w, (uint32_t)bytes);
	if (p != NULL)
		str_to_utf16(s, p, bytes);
	wr_u16(&n->w, 0);
}

/* Bytes of the text in UTF-16; more than any buffer of ours is capped to what fails cleanly. */
static size_t ndr_text_bytes(const char *s)
{
	size_t bytes = str_to_utf16(s, NULL, 0);

	return bytes < 0x40000000u ? bytes : 0x40000000u;
}

void ndr_string(struct ndr *n, const char *s)
{
	size_t bytes = ndr_text_bytes(s);

	ndr_u32(n, (uint32_t)(bytes / 2) + 1);
	ndr_chars(n, s, bytes);
}

void ndr_varying_string(struct ndr *n, const char *s)
{
	ndr_chars(n, s, ndr_text_bytes(s));
}

void ndr_record(struct ndr *n, const struct ndr_field *f, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (f[i].is_text)
			ndr_ptr(n, f[i].text != NULL);
		else
			ndr_u32(n, f[i].num);
	}
}

void ndr_deferred(struct ndr *n, const struct ndr_field *f, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (f[i].is_text && f[i].text != NULL)
			ndr_string(n, f[i].text);
}

/* Bytes of a counted text: its length has sixteen bits. */
static size_t counted_bytes(const char *s)
{
	size_t bytes = ndr_text_bytes(s);

	return bytes < 0xfffe ? bytes : 0;
}

void ndr_text(struct ndr *n, const char *s)
{
	uint16_t bytes = s ? (uint16_t)counted_bytes(s) : 0;

	wr_align(&n->w, 4);
	wr_u16(&n->w, bytes);
	wr_u16(&n->w, bytes);
	ndr_ptr(n, s != NULL);
}

void ndr_text_chars(struct ndr *n, const char *s)
{
	size_t bytes;
	uint8_t *p;

	if (s == NULL)
		return;
	bytes = counted_bytes(s);
	ndr_u32(n, (uint32_t)(bytes / 2));
	ndr_u32(n, 0);
	ndr_u32(n, (uint32_t)(bytes / 2));
	p = wr_take(&n->w, (uint32_t)bytes);
	if (p != NULL)
		str_to_utf16(s, p, bytes);
}
