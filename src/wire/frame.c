/* frame.c - the four bytes in front of each message, and NetBIOS session requests. */
#include "base/util.h"
#include "wire/wire.h"

HOT bool wire_frame_read(const uint8_t p[4], bool nbt, struct wire_frame *f)
{
	f->type = p[0];
	if (nbt) {
		if (p[1] & 0xfe)
			return false;
		f->len = (uint32_t)(p[1] & 1) << 16 | (uint32_t)p[2] << 8 | p[3];
	} else {
		f->len = (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
	}
	return f->type == NBT_MESSAGE || (f->type >= NBT_REQUEST && f->type <= NBT_KEEPALIVE);
}

HOT void wire_frame_write(uint8_t p[4], uint8_t type, uint32_t len)
{
	p[0] = type;
	p[1] = (uint8_t)(len >> 16);
	p[2] = (uint8_t)(len >> 8);
	p[3] = (uint8_t)len;
}

bool wire_sealed_read(const uint8_t *p, size_t len, uint16_t *context)
{
	struct rd r = rd_over(p, len);
	uint16_t magic = rd_u16(&r);

	*context = rd_u16(&r);
	return rd_ok(&r) && magic == 0x45ff;
}

void wire_sealed_write(struct wr *w, uint16_t context)
{
	wr_u16(w, 0x45ff);
	wr_u16(w, context);
}

/* Length byte 32, 32 letters, scope labels, zero (RFC 1001 14.1).  Pointers do not occur here. */
static bool name_read(struct rd *r, struct wire_nbt_name *n)
{
	const uint8_t *p;
	uint8_t raw[16];
	unsigned end = 15;

	if (rd_u8(r) != 32 || !(p = rd_take(r, 32)))
		return false;
	for (int i = 0; i < 16; i++) {
		uint8_t hi = (uint8_t)(p[2 * i] - 'A'), lo = (uint8_t)(p[2 * i + 1] - 'A');

		if (hi > 15 || lo > 15)
			return false;
		raw[i] = (uint8_t)(hi << 4 | lo);
	}
	for (uint8_t label = rd_u8(r); rd_ok(r) && label != 0; label = rd_u8(r)) {
		if (label > 63)
			return false;
		rd_skip(r, label);
	}
	while (end > 0 && (raw[end - 1] == ' ' || raw[end - 1] == 0))
		end--;
	memset(n, 0, sizeof(*n));
	for (unsigned i = 0; i < end; i++)
		n->name[i] = raw[i] < 0x20 || raw[i] == 0x7f ? '_' : (char)raw[i];
	n->suffix = raw[15];
	return rd_ok(r);
}

bool wire_nbt_request(const uint8_t *p, size_t len, struct wire_nbt_name *called, struct wire_nbt_name *calling)
{
	struct rd r = rd_over(p, len);

	return name_read(&r, called) && name_read(&r, calling);
}
