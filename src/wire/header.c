/* header.c - the 32 bytes of the SMB header and strings behind it. */
#include "base/str.h"
#include "base/util.h"
#include "wire/wire.h"

HOT bool wire_hdr_read(const uint8_t *p, size_t len, struct smb_hdr *h)
{
	struct rd r = rd_over(p, len);

	if (len < SMB_MIN_LEN || p[0] != 0xff || p[1] != 'S' || p[2] != 'M' || p[3] != 'B')
		return false;
	rd_skip(&r, 4);
	h->command = rd_u8(&r);
	h->status = rd_u32(&r);
	h->flags = rd_u8(&r);
	h->flags2 = rd_u16(&r);
	h->pid = (uint32_t)rd_u16(&r) << 16;
	rd_copy(&r, h->sig, 8);
	rd_skip(&r, 2);
	h->tid = rd_u16(&r);
	h->pid |= rd_u16(&r);
	h->uid = rd_u16(&r);
	h->mid = rd_u16(&r);
	return true;
}

HOT void wire_hdr_write(uint8_t *p, const struct smb_hdr *h)
{
	struct wr w = wr_over(p, SMB_HDR_LEN);

	wr_bytes(&w, "\xffSMB", 4);
	wr_u8(&w, h->command);
	if (h->flags2 & FLAG2_NT_STATUS) {
		wr_u32(&w, h->status);
	} else {
		uint8_t cls;
		uint16_t code;

		status_to_dos(h->status, &cls, &code);
		wr_u8(&w, cls);
		wr_u8(&w, 0);
		wr_u16(&w, code);
	}
	wr_u8(&w, h->flags);
	wr_u16(&w, h->flags2);
	wr_u16(&w, (uint16_t)(h->pid >> 16));
	wr_bytes(&w, h->sig, 8);
	wr_u16(&w, 0);
	wr_u16(&w, h->tid);
	wr_u16(&w, (uint16_t)h->pid);
	wr_u16(&w, h->uid);
	wr_u16(&w, h->mid);
}

char *wire_str_in(TALLOC_CTX *mem, struct rd *r, bool unicode, char *room, size_t size)
{
	uint32_t start, n;
	const uint8_t *p;

	if (unicode && (r->pos & 1) && r->pos < r->end)
		r->pos++;
	start = r->pos;
	p = r->msg + start;
	n = r->end - start;
	if (unicode) {
		uint32_t i = (uint32_t)str_utf16_len(p, n);

		r->pos = start + (i + 2 < n ? i + 2 : n);
		if (STR_FROM_UTF16_ROOM(i) > size)
			return str_from_utf16(mem, p, i);
		str_from_utf16_in(room, p, i);
		return room;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (p[i] == 0) {
			r->pos = start + i + 1;
			return str_from_oem(mem, p, i);
		}
	}
	r->pos = r->end;
	return str_from_oem(mem, p, n);
}

char *wire_str(TALLOC_CTX *mem, struct rd *r, bool unicode) { return wire_str_in(mem, r, unicode, NULL, 0); }

char *wire_str_n(TALLOC_CTX *mem, struct rd *r, bool unicode, uint32_t bytes)
{
	const uint8_t *p;

	if (unicode && (r->pos & 1) && r->pos < r->end)
		r->pos++;
	p = rd_take(r, bytes);
	if (!p)
		return talloc_strdup(mem, "");
	return unicode ? str_from_utf16(mem, p, bytes) : str_from_oem(mem, p, bytes);
}

uint32_t wire_put_str(struct wr *w, const char *s, bool unicode, unsigned flags)
{
	size_t need;
	uint8_t *p;

	if (unicode && (flags & WSTR_ALIGN))
		wr_align(w, 2);
	p = w->msg + w->pos;
	need = unicode ? str_to_utf16(s, p, wr_left(w)) : str_to_oem(s, p, wr_left(w));
	if (need > wr_left(w) || !wr_take(w, (uint32_t)need)) {
		w->bad = true;
		return 0;
	}
	if (flags & WSTR_NUL)
		wr_zero(w, unicode ? 2 : 1);
	return (uint32_t)need;
}
