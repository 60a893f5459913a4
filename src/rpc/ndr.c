/* ndr.c - Network Data Representation on the cursors. */
#include "rpc/ndr.h"
#include "base/str.h"

/* Referents are only names; these are the values Windows starts with. */
#define NDR_FIRST_REF 0x00020000u
#define NDR_REF_STEP 4u

uint32_t ndr_rd_u32(struct rd *r)
{
	rd_align(r, 4);
	return rd_u32(r);
}

bool ndr_rd_ptr(struct rd *r)
{
	return ndr_rd_u32(r) != 0;
}

const char *ndr_rd_string(TALLOC_CTX *mem, struct rd *r)
{
	uint32_t max = ndr_rd_u32(r);
	uint32_t offset = rd_u32(r);
	uint32_t actual = rd_u32(r);
	const uint8_t *p;
	char *s;

	if (offset != 0 || actual > max || actual > rd_left(r) / 2) {
		r->bad = true;
		return "";
	}
	p = rd_take(r, actual * 2);
	if (p == NULL || r->bad)
		return "";
	s = str_from_utf16(mem, p, actual * 2);
	if (s == NULL) {
		r->bad = true;
		return "";
	}
	return s;
}

const char *ndr_rd_ptr_string(TALLOC_CTX *mem, struct rd *r)
{
	return ndr_rd_ptr(r) ? ndr_rd_string(mem, r) : NULL;
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
