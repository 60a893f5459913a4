/* sane.c - see sane.h. */
#include "sane.h"
#include "wire/wire.h"

#define LINKS 100u /* of a chain */

/* A window of the message that is named by a count and an offset. */
static bool within(const struct rd *m, uint32_t count, uint32_t offset)
{
	struct rd w = rd_window(m, offset, count);

	return count == 0 || rd_ok(&w);
}

static bool has_andx(uint8_t cmd)
{
	return cmd == 0x24 || (cmd >= 0x2d && cmd <= 0x2f) || (cmd >= 0x73 && cmd <= 0x75) || cmd == 0xa2;
}

static const char *trans(const struct rd *m, struct rd w, bool nt)
{
	uint32_t f[8]; /* totals, then count, offset and displacement of parameters and of data */

	if (nt)
		rd_skip(&w, 3);
	for (unsigned i = 0; i < 8; i++) {
		if (!nt && i == 2)
			rd_skip(&w, 2);
		f[i] = nt ? rd_u32(&w) : rd_u16(&w);
	}
	if (!rd_ok(&w))
		return "a transaction's reply has too few words";
	if (!within(m, f[2], f[3]) || !within(m, f[5], f[6]))
		return "parameters or data of a transaction leave the message";
	if (f[2] + f[4] > f[0] || f[5] + f[7] > f[1])
		return "a piece of a transaction leaves its whole";
	return NULL;
}

static const char *read_andx(const struct rd *m, struct rd w)
{
	uint32_t count, offset;

	rd_skip(&w, 10);
	count = rd_u16(&w);
	offset = rd_u16(&w);
	count |= rd_u32(&w) << 16;
	return rd_ok(&w) && within(m, count, offset) ? NULL : "what was read leaves the message";
}

/* The block at r's place; *next: offset of the one behind it, 0 none. */
static const char *block(struct rd *r, const struct rd *m, uint8_t *cmd, uint32_t *next)
{
	uint8_t wct = rd_u8(r), this = *cmd;
	uint32_t words = rd_tell(r), bytes;
	struct rd w = rd_window(m, words, 2u * wct);

	*next = 0;
	rd_skip(r, 2u * wct);
	bytes = rd_u16(r);
	rd_skip(r, bytes);
	if (!rd_ok(r))
		return "words or bytes leave the message";
	if (has_andx(this) && wct >= 2) {
		*cmd = rd_u8(&w);
		rd_skip(&w, 1);
		*next = rd_u16(&w);
		if (*cmd == 0xff)
			*next = 0;
		else if (*next < words + 2u * wct + 2)
			return "a chain leads backwards";
	}
	if ((this == 0x32 || this == 0x25) && wct >= 10)
		return trans(m, rd_window(m, words, 2u * wct), false);
	if (this == 0xa0 && wct >= 18)
		return trans(m, rd_window(m, words, 2u * wct), true);
	return this == 0x2e && wct == 12 ? read_andx(m, w) : NULL;
}

const char *sane_reply(const uint8_t *smb, size_t len)
{
	struct rd m = rd_over(smb, len), r = m;
	const char *wrong = NULL;
	struct smb_hdr h;
	uint32_t next = SMB_HDR_LEN;
	uint8_t cmd;

	if (!wire_hdr_read(smb, len, &h))
		return "no message";
	if (!(h.flags & FLAG_REPLY) && h.command != 0x24) /* an oplock break is no reply */
		return "no reply";
	cmd = h.command;
	for (unsigned i = 0; next && !wrong && i < LINKS; i++) {
		rd_seek(&r, next);
		wrong = block(&r, &m, &cmd, &next);
	}
	return wrong;
}
