/* cmd_rpc.c - DCE/RPC on pipes.
 *
 *   bind F srvsvc|wkssvc|lsarpc|... [again] [token=]    -> type=    again: alter_context; token: of NTLMSSP, level "connect"
 *   rpc F op=N [keep=K] [keepsid] argument ...          -> type= fault= status= stub=
 *          arguments: a number (u32); u16 and a number; ptr (a pointer to something); null; "text" (a counted text in
 *          UTF-16 with NUL); bytes and hex: (as they are); h1 to h4 (a handle that `keep` has put away);
 *          sid (what `keepsid` has)
 * status is the last number of the answer. */
#include "base/str.h"
#include "base/util.h"
#include "rpc/iface.h"
#include "transact.h"

static struct transact now;
static uint8_t kept[5][20]; /* handles */
static uint8_t sid[36];      /* the last one that `keepsid` has put away */
static size_t sid_len;

static void put_pdu(struct wr *w, uint8_t type, const void *body, size_t n, const uint8_t *token, size_t token_len)
{
	wr_bytes(w, "\x05\x00", 2);
	wr_u8(w, type);
	wr_u8(w, 3);
	wr_u32(w, 0x10);
	wr_u16(w, (uint16_t)(16 + n + (token_len ? 8 + token_len : 0)));
	wr_u16(w, (uint16_t)token_len);
	wr_u32(w, 1);
	wr_bytes(w, body, n);
	if (token_len == 0)
		return;
	wr_u8(w, 10);
	wr_u8(w, 2);
	wr_zero(w, 6); /* padding, context */
	wr_bytes(w, token, token_len);
}

static void start(struct play *p, const struct step *s)
{
	transact_new(p, &now, 0x25);
	now.name = arg_text(p, s, "name", "\\PIPE\\");
	now.nsetup = 2;
	now.setup[0] = 0x26;
	now.setup[1] = (uint16_t)arg_pos_num(p, s, 0, 0xffff);
	now.max_d = 4280;
}

static void build_bind(struct play *p, const struct step *s, struct message *m)
{
	static const uint8_t ndr[20] = { 0x04, 0x5d, 0x88, 0x8a, 0xeb, 0x1c, 0xc9, 0x11, 0x9f, 0xe8,
					 0x08, 0x00, 0x2b, 0x10, 0x48, 0x60, 2 };
	const struct rpc_iface *i = NULL;
	uint8_t body[56];
	struct wr w = wr_over(body, sizeof(body));
	const uint8_t *token;
	size_t n;

	for (size_t k = 0; rpc_iface_at(k); k++)
		if (strcmp(rpc_iface_at(k)->name, arg_pos(s, 1, "srvsvc")) == 0)
			i = rpc_iface_at(k);
	if (!i) {
		play_fail(p, "an interface, not %s", arg_pos(s, 1, ""));
		return;
	}
	wr_u16(&w, 4280);
	wr_u16(&w, 4280);
	wr_u32(&w, 0);
	wr_u32(&w, 1);
	wr_u32(&w, 0x00010000);
	wr_bytes(&w, i->uuid, 16);
	wr_u16(&w, i->major);
	wr_u16(&w, i->minor);
	wr_bytes(&w, ndr, 20);
	start(p, s);
	token = arg_bytes(p, s, "token", &n);
	put_pdu(&now.d, arg_has_word(s, "again") ? 14 : 11, body, w.pos, token, n);
	transact_build(p, s, m, &now);
}

static void parse_bind(struct play *p, const struct step *s, const struct block *b)
{
	if (!transact_collect(p, s, &now, b) || now.rd_len < 24)
		return;
	field_num(p, "type", now.rd[2]);
}

/* ---- a call ---- */

static void put_text(struct wr *w, const char *text)
{
	uint32_t n = (uint32_t)str_to_utf16(text, NULL, 0);
	uint8_t *to;

	wr_u32(w, n / 2 + 1);
	wr_u32(w, 0);
	wr_u32(w, n / 2 + 1);
	to = wr_take(w, n);
	if (to)
		str_to_utf16(text, to, n);
	wr_u16(w, 0);
}

/* The argument at *a; some take the one behind it too. */
static void put_arg(struct play *p, struct wr *w, const struct step *s, size_t *a)
{
	const struct value *v = &s->args[*a].v;
	const struct value *next = *a + 1 < s->nargs ? &s->args[*a + 1].v : v;
	bool word = v->kind == VALUE_WORD;

	if (word && strcmp(v->text, "u16") == 0) {
		wr_u16(w, (uint16_t)value_num(p, next, "u16"));
		++*a;
		return;
	}
	if (word && strcmp(v->text, "bytes") == 0) {
		wr_bytes(w, next->text, next->len);
		++*a;
		return;
	}
	if (word && strcmp(v->text, "keepsid") == 0)
		return;
	wr_align(w, 4);
	if (word && strcmp(v->text, "sid") == 0)
		wr_bytes(w, sid, sid_len);
	else if (word && strcmp(v->text, "ptr") == 0)
		wr_u32(w, 0x20000 + (uint32_t)*a);
	else if (word && strcmp(v->text, "null") == 0)
		wr_u32(w, 0);
	else if (word && v->text[0] == 'h' && v->text[1] >= '1' && v->text[1] <= '4' && !v->text[2])
		wr_bytes(w, kept[v->text[1] - '0'], 20);
	else if (v->kind == VALUE_BYTES)
		put_text(w, v->text);
	else
		wr_u32(w, (uint32_t)value_num(p, v, "an argument"));
}

static void build_rpc(struct play *p, const struct step *s, struct message *m)
{
	uint8_t *body = talloc_zero_size(p->step_mem, 4000);
	struct wr w = wr_over(body, 4000);
	bool first = true;

	start(p, s);
	wr_u32(&w, 0);
	wr_u16(&w, 0);
	wr_u16(&w, (uint16_t)arg_num(p, s, "op", 0));
	for (size_t a = 0; a < s->nargs; a++) {
		if (s->args[a].name)
			continue;
		if (!first)
			put_arg(p, &w, s, &a);
		first = false;
	}
	put_pdu(&now.d, 0, body, w.pos, NULL, 0);
	transact_build(p, s, m, &now);
}

/* A pointer, then a SID: number of parts u32, eight bytes, parts. */
static void keep_sid(const uint8_t *stub, size_t n)
{
	size_t len = n >= 8 ? 12 + 4u * stub[4] : 0;

	if (len > 0 && len <= sizeof(sid) && len + 4 <= n) {
		memcpy(sid, stub + 4, len);
		sid_len = len;
	}
}

static void parse_rpc(struct play *p, const struct step *s, const struct block *b)
{
	uint64_t keep = arg_num(p, s, "keep", 0);
	struct rd r;
	uint8_t type;

	if (!transact_collect(p, s, &now, b))
		return;
	r = rd_over(now.rd, now.rd_len);
	rd_seek(&r, 2);
	type = rd_u8(&r);
	field_num(p, "type", type);
	rd_seek(&r, 24);
	if (!rd_ok(&r)) {
		play_fail(p, "a whole PDU, got %u bytes", now.rd_len);
		return;
	}
	field_bytes(p, "stub", now.rd + 24, now.rd_len - 24);
	if (keep > 0 && keep < 5 && now.rd_len >= 44)
		memcpy(kept[keep], now.rd + 24, 20);
	if (arg_has_word(s, "keepsid"))
		keep_sid(now.rd + 24, now.rd_len - 24);
	field_num(p, "fault", type == 3 ? rd_u32(&r) : 0);
	rd_seek(&r, now.rd_len - 4);
	field_num(p, "status", rd_u32(&r));
}

#define REPLY16 (WORDS(0) | WORDS(10) | WORDS(11) | WORDS(12))

const struct command rpc_commands[] = {
	{ "bind", 0x25, REPLY16, build_bind, parse_bind, NULL },
	{ "rpc", 0x25, REPLY16, build_rpc, parse_rpc, NULL },
	{ .name = NULL },
};
