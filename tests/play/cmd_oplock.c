/* cmd_oplock.c - what the server asks by itself.
 *
 *   oplock_break -> fid= level= tid= len=     the break comes (nothing else before it)
 *   oplock_ack FID [level=0|1]                the answer; it gets no reply, which the steps behind it find out */
#include "play.h"
#include "base/util.h"

static void take_break(struct play *p, const struct step *s)
{
	struct block b;
	struct smb_hdr h;
	uint8_t type;

	(void)s;
	if (!client_recv(p, p->c, &p->reply))
		return;
	if (p->reply.closed || !wire_hdr_read(p->reply.msg, p->reply.len, &h) || h.command != 0x24 || (h.flags & FLAG_REPLY)) {
		play_fail(p, "an oplock break, got %s of command 0x%02x",
			  p->reply.closed ? "the end of the connection" : "a message", p->reply.command);
		return;
	}
	if (h.mid != 0xffff || h.status != 0 || !reply_block(p, &p->reply, SMB_HDR_LEN, true, &b) || b.wct != 8) {
		play_fail(p, "a break with MID 0xffff and 8 words, got MID %u", h.mid);
		return;
	}
	rd_skip(&b.words, 4);
	field_num(p, "fid", rd_u16(&b.words));
	type = rd_u8(&b.words);
	if (type != 2)
		play_fail(p, "lock type 2 in the break, got %u", type);
	field_num(p, "level", rd_u8(&b.words));
	field_num(p, "tid", p->reply.tid);
	field_num(p, "len", p->reply.len);
}

static void send_ack(struct play *p, const struct step *s)
{
	struct message m;

	msg_start(p, &m, 0x24);
	msg_block(&m);
	msg_andx(&m);
	wr_u16(&m.w, (uint16_t)arg_pos_num(p, s, 0, 0));
	wr_u8(&m.w, 2);
	wr_u8(&m.w, (uint8_t)arg_num(p, s, "level", 0));
	wr_zero(&m.w, 8);
	msg_bytes(&m);
	msg_done(&m);
	client_send(p, p->c, m.buf, msg_finish(p, s, &m));
}

const struct command oplock_commands[] = {
	{ .name = "oplock_break", .run = take_break },
	{ .name = "oplock_ack", .run = send_ack },
	{ .name = NULL },
};
