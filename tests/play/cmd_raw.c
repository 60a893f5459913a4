/* cmd_raw.c - messages nobody should send.
 *
 *   raw hex:...                      bytes as they are, no frame made; nothing is read
 *   frame hex:... [len=N]            a frame head in front
 *   raw_smb cmd=0x99 [words=hex: bytes=hex: wct= bcc= cut= ...]      one block; the reply is taken
 *   listen                           takes a reply nobody asked for:  fields as of any reply
 *   head                             takes the head of a frame: type= length=; its body is thrown away */
#include "play.h"
#include <sys/socket.h>

static void run_raw(struct play *p, const struct step *s)
{
	const char *hex = NULL;
	size_t n = 0;

	for (size_t i = 0; i < s->nargs; i++)
		if (!s->args[i].name) {
			hex = s->args[i].v.text;
			n = s->args[i].v.len;
		}
	p->c->bare = true;
	if (!hex)
		play_fail(p, "bytes to send");
	else
		client_send(p, p->c, (const uint8_t *)hex, n);
	p->c->bare = false;
}

static void run_frame(struct play *p, const struct step *s)
{
	for (size_t i = 0; i < s->nargs; i++)
		if (!s->args[i].name) {
			const struct value *v = &s->args[i].v;
			uint8_t *all = talloc_size(p->step_mem, v->len + 4);

			wire_frame_write(all, (uint8_t)arg_num(p, s, "type", 0), (uint32_t)arg_num(p, s, "len", v->len));
			memcpy(all + 4, v->text, v->len);
			p->c->bare = true;
			client_send(p, p->c, all, v->len + 4);
			p->c->bare = false;
			return;
		}
	play_fail(p, "bytes to send");
}

static void build_raw_smb(struct play *p, const struct step *s, struct message *m)
{
	size_t nw, nb;
	const uint8_t *words = arg_bytes(p, s, "words", &nw), *bytes = arg_bytes(p, s, "bytes", &nb);

	m->buf[4 + 4] = (uint8_t)arg_num(p, s, "cmd", 0);
	msg_block(m);
	wr_bytes(&m->w, words, nw & ~1u);
	msg_bytes(m);
	wr_bytes(&m->w, bytes, nb);
	msg_done(m);
}

static void run_listen(struct play *p, const struct step *s)
{
	struct block b;

	(void)s;
	if (!client_recv(p, p->c, &p->reply))
		return;
	field_num(p, "closed", p->reply.closed);
	if (p->reply.closed || !reply_block(p, &p->reply, SMB_HDR_LEN, true, &b))
		return;
	field_bytes(p, "reply", p->reply.msg, p->reply.len);
	field_num(p, "command", p->reply.command);
	field_num(p, "status", p->reply.status);
	field_num(p, "mid", p->reply.mid);
	field_num(p, "wct", b.wct);
}

static void run_head(struct play *p, const struct step *s)
{
	uint8_t head[4], body;
	uint32_t n;

	(void)s;
	if (!client_recv_head(p, p->c, head))
		return;
	n = (uint32_t)head[1] << 16 | (uint32_t)head[2] << 8 | head[3];
	field_num(p, "type", head[0]);
	field_num(p, "length", n);
	while (n-- > 0 && recv(p->c->fd, &body, 1, 0) == 1)
		;
}

const struct command raw_commands[] = {
	{ .name = "raw", .run = run_raw },
	{ .name = "frame", .run = run_frame },
	{ "raw_smb", 0, ~0ull, build_raw_smb, NULL, NULL },
	{ .name = "listen", .run = run_listen },
	{ .name = "head", .run = run_head },
	{ .name = NULL },
};
