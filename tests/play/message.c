/* message.c - requests written and replies taken apart, from the client's side. */
#include "play.h"
#include "base/str.h"
#include "base/util.h"

void msg_start(struct play *p, struct message *m, uint8_t cmd)
{
	struct client *c = p->c;

	*m = (struct message){ .buf = talloc_zero_size(p->step_mem, MESSAGE_MAX) };
	m->w = wr_over(m->buf + 4, MESSAGE_MAX - 4);
	wr_bytes(&m->w, "\xffSMB", 4);
	wr_u8(&m->w, cmd);
	wr_u32(&m->w, 0);
	wr_u8(&m->w, FLAG_CASELESS);
	wr_u16(&m->w, (uint16_t)(FLAG2_LONG_NAMES | (c->unicode ? FLAG2_UNICODE : 0) |
				 (c->ntstatus ? FLAG2_NT_STATUS : 0) | (c->ext ? FLAG2_EXTENDED_SECURITY : 0)));
	wr_zero(&m->w, 12);
	wr_u16(&m->w, c->tid);
	wr_u16(&m->w, c->smb_pid);
	wr_u16(&m->w, c->uid);
	wr_u16(&m->w, ++c->mid);
}

void msg_block(struct message *m)
{
	m->block = m->w.pos;
	wr_u8(&m->w, 0);
}

void msg_andx(struct message *m)
{
	m->link = m->w.pos;
	wr_u32(&m->w, 0xff);
}

void msg_bytes(struct message *m)
{
	m->buf[4 + m->block] = (uint8_t)((m->w.pos - m->block - 1) / 2);
	m->bcc = m->w.pos;
	wr_u16(&m->w, 0);
}

void msg_done(struct message *m) { wr_u16_at(&m->w, m->bcc, (uint16_t)(m->w.pos - m->bcc - 2)); }

void msg_next(struct message *m, uint8_t cmd)
{
	if (!m->link)
		return;
	wr_align(&m->w, 4);
	m->buf[4 + m->link] = cmd;
	wr_u16_at(&m->w, m->link + 2, (uint16_t)m->w.pos);
	m->link = 0;
}

void msg_name(struct play *p, struct wr *w, const char *s, bool nul)
{
	size_t n = p->c->unicode ? str_to_utf16(s, NULL, 0) : str_to_oem(s, NULL, 0);
	uint8_t *to = wr_take(w, (uint32_t)n);

	if (to && p->c->unicode)
		str_to_utf16(s, to, n);
	else if (to)
		str_to_oem(s, to, n);
	if (nul)
		wr_zero(w, p->c->unicode ? 2 : 1);
}

void msg_str(struct play *p, struct message *m, const char *s)
{
	if (p->c->unicode)
		wr_align(&m->w, 2);
	msg_name(p, &m->w, s, true);
}

void msg_str_fmt(struct play *p, struct message *m, const char *s)
{
	wr_u8(&m->w, 4);
	msg_str(p, m, s);
}

void msg_ascii(struct message *m, const char *s) { wr_bytes(&m->w, s, strlen(s) + 1); }

/* Whatever the story wants to be wrong about the message, or other than usual. */
static void twist(struct play *p, const struct step *s, struct message *m)
{
	static const struct { const char *name; uint32_t off, size; } header[] = {
		{ "command", 4, 1 }, { "flags", 9, 1 }, { "flags2", 10, 2 }, { "pid_high", 12, 2 }, { "tid", 24, 2 },
		{ "pid", 26, 2 },    { "uid", 28, 2 },  { "mid", 30, 2 },
	};
	uint8_t *smb = m->buf + 4;

	for (size_t i = 0; i < sizeof(header) / sizeof(header[0]); i++)
		if (arg_find(s, header[i].name)) {
			uint64_t v = arg_num(p, s, header[i].name, 0);

			smb[header[i].off] = (uint8_t)v;
			if (header[i].size == 2)
				smb[header[i].off + 1] = (uint8_t)(v >> 8);
		}
	if (arg_find(s, "wct"))
		smb[m->block] = (uint8_t)arg_num(p, s, "wct", 0);
	if (arg_find(s, "bcc"))
		put_u16(smb + m->bcc, (uint16_t)arg_num(p, s, "bcc", 0));
	if (arg_find(s, "andx_off") && m->link)
		put_u16(smb + m->link + 2, (uint16_t)arg_num(p, s, "andx_off", 0));
	if (arg_find(s, "andx_cmd") && m->link)
		smb[m->link] = (uint8_t)arg_num(p, s, "andx_cmd", 0xff);
	if (arg_find(s, "cut"))
		m->w.pos -= min_u32(m->w.pos, (uint32_t)arg_num(p, s, "cut", 0));
}

size_t msg_finish(struct play *p, const struct step *s, struct message *m)
{
	if (!wr_ok(&m->w))
		play_fail(p, "a request that fits into %u bytes", MESSAGE_MAX);
	twist(p, s, m);
	wire_frame_write(m->buf, NBT_MESSAGE, (uint32_t)arg_num(p, s, "framelen", m->w.pos));
	return 4 + m->w.pos;
}

/* ---- replies ---- */

static bool is_large_read(const struct reply *r) { return r->command == 0x2e && r->len > 0xffff; }

bool reply_block(struct play *p, const struct reply *r, uint32_t off, bool last, struct block *b)
{
	struct rd m = rd_over(r->msg, r->len);
	uint32_t words;
	uint16_t bcc;

	rd_seek(&m, off);
	b->off = off;
	b->wct = rd_u8(&m);
	words = b->wct == 42 ? 100 : 2u * b->wct; /* the extended reply of NT_CREATE_ANDX says 42 and has 50 */
	b->words = rd_window(&m, rd_tell(&m), words);
	rd_skip(&m, words);
	bcc = rd_u16(&m);
	if (!rd_ok(&m)) {
		play_fail(p, "a reply block of %u words at %u inside the message, which has %u bytes", b->wct, off, r->len);
		return false;
	}
	b->bytes = rd_window(&m, rd_tell(&m), is_large_read(r) ? rd_left(&m) : min_u32(bcc, rd_left(&m)));
	b->end = b->bytes.end;
	if (!is_large_read(r) && (bcc > rd_left(&m) || (last && bcc != rd_left(&m)))) {
		play_fail(p, "a byte count that ends with the message, got %u where %u bytes are left", bcc,
			  rd_left(&m));
		return false;
	}
	return true;
}

char *reply_str(struct play *p, struct rd *r)
{
	return wire_str(p->step_mem, r, p->reply.flags2 & FLAG2_UNICODE);
}

bool reply_matches(struct play *p, const struct message *m, const struct reply *r)
{
	const uint8_t *q = m->buf + 4;
	struct smb_hdr ask, got;

	if (!wire_hdr_read(r->msg, r->len, &got)) {
		play_fail(p, "an SMB header, got %u bytes of something else", r->len);
		return false;
	}
	memset(&ask, 0, sizeof(ask));
	ask.command = q[4];
	ask.mid = (uint16_t)(q[30] | q[31] << 8);
	if (got.command != ask.command)
		play_fail(p, "a reply to command 0x%02x, got one to 0x%02x", ask.command, got.command);
	else if (got.mid != ask.mid)
		play_fail(p, "a reply with MID %u, got %u", ask.mid, got.mid);
	else if (memcmp(q + 26, r->msg + 26, 2) != 0 || memcmp(q + 12, r->msg + 12, 2) != 0)
		play_fail(p, "the PID of the request in the reply");
	else if (!(got.flags & FLAG_REPLY))
		play_fail(p, "the reply bit in Flags, got 0x%02x", got.flags);
	else if ((got.flags2 ^ ((unsigned)q[10] | (unsigned)q[11] << 8)) &
		 (status_is_dos(r->status) ? FLAG2_UNICODE : FLAG2_NT_STATUS | FLAG2_UNICODE))
		play_fail(p, "error and string kind as in the request, got Flags2 0x%04x", got.flags2);
	return p->why == NULL;
}
