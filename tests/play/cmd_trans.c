/* cmd_trans.c - transactions.
 *
 *   trans2 find_first "pattern" [search=0x16 count=100 flags=0 level=0x104]
 *          -> sid= count= eos= names= order= last=
 *   trans2 find_next SID [level= count= key= flags= name=]
 *   trans2 qpath "name" level=N    trans2 qfile F level=N    trans2 qfs level=N
 *   trans2 spath "name" level=N data=...    trans2 sfile F level=N data=...
 *   trans2 mkdir "name"    trans2 open2 "name" [mode= func= attrs=]    trans2 dfs "name"
 *   trans2 code=N p= d=
 *   rap share_enum [level=1 buf=8000] | rap code=N "WrLeh" "B13BWz" [args=hex:]
 *   pipe F [func=0x26] [d=bytes]    shares F [server="host"]    bind, rpc: cmd_rpc.c
 *   trans name="\PIPE\" [setup=hex: p= d=]    nttrans fn=N [fid=F] [setup=hex: p= d=]    fsctl: cmd_fsctl.c
 * In all: maxp= maxd= totalp= totald= pcount= dcount= poff= doff= tflags= split=N [backwards] */
#include "base/util.h"
#include "transact.h"

static struct transact now; /* the one under way */

/* ---- what TRANS2 asks ---- */

static void name_param(struct play *p, const struct step *s, unsigned i)
{
	msg_name(p, &now.p, arg_pos(s, i, ""), true);
}

static void put_data_arg(struct play *p, const struct step *s, const char *name, struct wr *w)
{
	size_t n;
	const uint8_t *b = arg_bytes(p, s, name, &n);

	wr_bytes(w, b, n);
}

static uint16_t level_of(struct play *p, const struct step *s, uint16_t def)
{
	return (uint16_t)arg_num(p, s, "level", def);
}

static void ask_find_first(struct play *p, const struct step *s)
{
	now.max_p = 10;
	wr_u16(&now.p, (uint16_t)arg_num(p, s, "search", 0x16));
	wr_u16(&now.p, (uint16_t)arg_num(p, s, "count", 100));
	wr_u16(&now.p, (uint16_t)arg_num(p, s, "flags", 0));
	wr_u16(&now.p, level_of(p, s, 0x104));
	wr_u32(&now.p, 0);
	name_param(p, s, 1);
	put_data_arg(p, s, "d", &now.d);
}

static void ask_find_next(struct play *p, const struct step *s)
{
	now.max_p = 8;
	wr_u16(&now.p, (uint16_t)arg_pos_num(p, s, 1, 0));
	wr_u16(&now.p, (uint16_t)arg_num(p, s, "count", 100));
	wr_u16(&now.p, level_of(p, s, 0x104));
	wr_u32(&now.p, (uint32_t)arg_num(p, s, "key", 0));
	wr_u16(&now.p, (uint16_t)arg_num(p, s, "flags", 8));
	msg_name(p, &now.p, arg_text(p, s, "name", ""), true);
}

static void ask_qfs(struct play *p, const struct step *s) { wr_u16(&now.p, level_of(p, s, 0x102)); }

static void ask_path(struct play *p, const struct step *s)
{
	wr_u16(&now.p, level_of(p, s, 0x101));
	wr_u32(&now.p, 0);
	name_param(p, s, 1);
	put_data_arg(p, s, "data", &now.d);
}

static void ask_file(struct play *p, const struct step *s)
{
	wr_u16(&now.p, (uint16_t)arg_pos_num(p, s, 1, 0xffff));
	wr_u16(&now.p, level_of(p, s, 0x101));
	if (now.setup[0] == 8)
		wr_u16(&now.p, 0);
	put_data_arg(p, s, "data", &now.d);
}

static void ask_mkdir(struct play *p, const struct step *s)
{
	wr_u32(&now.p, 0);
	name_param(p, s, 1);
}

static void ask_open2(struct play *p, const struct step *s)
{
	wr_u16(&now.p, (uint16_t)arg_num(p, s, "oflags", 1));
	wr_u16(&now.p, (uint16_t)arg_num(p, s, "mode", 0x42));
	wr_u16(&now.p, 0);
	wr_u16(&now.p, (uint16_t)arg_num(p, s, "attrs", 0));
	wr_u32(&now.p, 0);
	wr_u16(&now.p, (uint16_t)arg_num(p, s, "func", 1));
	wr_u32(&now.p, 0);
	wr_zero(&now.p, 10);
	name_param(p, s, 1);
	put_data_arg(p, s, "d", &now.d);
}

static void ask_dfs(struct play *p, const struct step *s)
{
	wr_u16(&now.p, 3);
	name_param(p, s, 1);
}

static void ask_raw(struct play *p, const struct step *s)
{
	put_data_arg(p, s, "p", &now.p);
	put_data_arg(p, s, "d", &now.d);
}

static const struct {
	const char *name;
	uint16_t code;
	void (*ask)(struct play *p, const struct step *s);
} subs[] = {
	{ "open2", 0, ask_open2 }, { "find_first", 1, ask_find_first }, { "find_next", 2, ask_find_next },
	{ "qfs", 3, ask_qfs },	   { "qpath", 5, ask_path },		{ "spath", 6, ask_path },
	{ "qfile", 7, ask_file },  { "sfile", 8, ask_file },		{ "mkdir", 0x0d, ask_mkdir },
	{ "dfs", 0x10, ask_dfs },
};

static void build_trans2(struct play *p, const struct step *s, struct message *m)
{
	const char *sub = arg_pos(s, 0, "");
	void (*ask)(struct play *, const struct step *) = ask_raw;

	transact_new(p, &now, 0x32);
	now.nsetup = 1;
	now.setup[0] = (uint16_t)arg_num(p, s, "code", 0xff);
	for (size_t i = 0; i < ARRAY_LEN(subs); i++)
		if (strcmp(subs[i].name, sub) == 0) {
			now.setup[0] = subs[i].code;
			ask = subs[i].ask;
		}
	if (ask == ask_raw && !arg_find(s, "code"))
		play_fail(p, "a TRANS2 sub-command, not %s", sub);
	ask(p, s);
	transact_build(p, s, m, &now);
}

/* ---- what TRANS2 answers ---- */

static void show_find(struct play *p, const struct step *s, bool first)
{
	struct rd r = rd_over(now.rp, now.rp_len);
	uint32_t count;

	if (first)
		field_num(p, "sid", rd_u16(&r));
	count = rd_u16(&r);
	field_num(p, "count", count);
	field_num(p, "eos", rd_u16(&r));
	field_num(p, "ea_error", rd_u16(&r));
	field_num(p, "last_off", rd_u16(&r));
	if (!rd_ok(&r))
		play_fail(p, "all parameters of a listing, got %u bytes", now.rp_len);
	else
		find_fields(p, level_of(p, s, 0x104), (arg_num(p, s, "flags", 0) & 4) != 0, now.rd, now.rd_len, count);
}

static void show_open2(struct play *p)
{
	struct rd r = rd_over(now.rp, now.rp_len);

	field_num(p, "fid", rd_u16(&r));
	field_num(p, "attrs", rd_u16(&r));
	field_num(p, "time", rd_u32(&r));
	field_num(p, "size", rd_u32(&r));
	field_num(p, "granted", rd_u16(&r));
	field_num(p, "type", rd_u16(&r));
	field_num(p, "state", rd_u16(&r));
	field_num(p, "action", rd_u16(&r));
}

static void parse_trans2(struct play *p, const struct step *s, const struct block *b)
{
	if (!transact_collect(p, s, &now, b))
		return;
	switch (now.setup[0]) {
	case 0:
		show_open2(p);
		break;
	case 1:
	case 2:
		show_find(p, s, now.setup[0] == 1);
		break;
	case 3:
		fs_level_fields(p, level_of(p, s, 0x102), now.rd, now.rd_len);
		break;
	case 5:
	case 7:
		level_fields(p, level_of(p, s, 0x101), now.rd, now.rd_len);
		break;
	}
}

/* ---- RAP ---- */

static void build_rap(struct play *p, const struct step *s, struct message *m)
{
	bool shares = arg_has_word(s, "share_enum");

	transact_new(p, &now, 0x25);
	now.name = arg_text(p, s, "name", "\\PIPE\\LANMAN");
	now.max_p = 8;
	now.max_d = (uint32_t)arg_num(p, s, "buf", 8000);
	wr_u16(&now.p, (uint16_t)arg_num(p, s, "code", 0));
	if (shares) {
		wr_bytes(&now.p, "WrLeh", 6);
		wr_bytes(&now.p, arg_num(p, s, "level", 1) ? "B13BWz" : "B13\0", arg_num(p, s, "level", 1) ? 7 : 4);
		wr_u16(&now.p, level_of(p, s, 1));
		wr_u16(&now.p, (uint16_t)now.max_d);
	} else {
		for (unsigned i = 0; i < 2 && arg_pos(s, i, NULL); i++)
			wr_bytes(&now.p, arg_pos(s, i, ""), strlen(arg_pos(s, i, "")) + 1);
		put_data_arg(p, s, "args", &now.p);
	}
	transact_build(p, s, m, &now);
}

static void parse_rap(struct play *p, const struct step *s, const struct block *b)
{
	struct rd r;
	char *names = talloc_strdup(p->step_mem, "");
	uint32_t count, record = arg_num(p, s, "level", 1) ? 20 : 13;

	if (!transact_collect(p, s, &now, b))
		return;
	r = rd_over(now.rp, now.rp_len);
	field_num(p, "rap", rd_u16(&r));
	field_num(p, "converter", rd_u16(&r));
	count = rd_u16(&r);
	field_num(p, "count", count);
	field_num(p, "available", rd_u16(&r));
	if (!arg_has_word(s, "share_enum"))
		return;
	if (count * record > now.rd_len) {
		play_fail(p, "%u share records, got %u bytes", count, now.rd_len);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		names = talloc_asprintf_append_buffer(names, "%s%.13s", i ? "," : "", (const char *)now.rd + i * record);
	field_text(p, "names", names);
}

/* ---- pipes ---- */

static void build_pipe(struct play *p, const struct step *s, struct message *m)
{
	transact_new(p, &now, 0x25);
	now.name = arg_text(p, s, "name", "\\PIPE\\");
	now.nsetup = 2;
	now.setup[0] = (uint16_t)arg_num(p, s, "func", 0x26);
	now.setup[1] = (uint16_t)arg_pos_num(p, s, 0, 0xffff);
	now.max_d = 4280;
	ask_raw(p, s);
	transact_build(p, s, m, &now);
}

static void parse_transact(struct play *p, const struct step *s, const struct block *b)
{
	transact_collect(p, s, &now, b);
}

static void put_pdu(struct wr *w, uint8_t type, const void *body, size_t n)
{
	wr_bytes(w, "\x05\x00", 2);
	wr_u8(w, type);
	wr_u8(w, 3);
	wr_u32(w, 0x10);
	wr_u16(w, (uint16_t)(16 + n));
	wr_u16(w, 0);
	wr_u32(w, 1);
	wr_bytes(w, body, n);
}

static void build_shares(struct play *p, const struct step *s, struct message *m)
{
	const char *server = arg_text(p, s, "server", "host");
	uint32_t n = (uint32_t)strlen(server) + 1;
	uint8_t body[600];
	struct wr w = wr_over(body, sizeof(body));

	build_pipe(p, s, m);
	p->c->mid--;
	msg_start(p, m, 0x25);
	wr_u32(&w, 0);
	wr_u32(&w, 15u << 16);
	wr_u32(&w, 0x20000);
	wr_u32(&w, n);
	wr_u32(&w, 0);
	wr_u32(&w, n);
	for (uint32_t i = 0; i < n; i++)
		wr_u16(&w, (uint8_t)server[i]);
	wr_align(&w, 4);
	for (unsigned i = 0; i < 8; i++)
		wr_u32(&w, (const uint32_t[]){ 1, 1, 0x20004, 0, 0, 0xffffffff, 0x20008, 0 }[i]);
	put_pdu(&now.d, 0, body, w.pos);
	transact_build(p, s, m, &now);
}

static void parse_shares(struct play *p, const struct step *s, const struct block *b)
{
	if (!transact_collect(p, s, &now, b) || now.rd_len < 44)
		return;
	field_num(p, "type", now.rd[2]);
	field_num(p, "count", now.rd[36] | (uint32_t)now.rd[37] << 8);
}

/* ---- as they come ---- */

static void put_setup(struct play *p, const struct step *s)
{
	size_t n;
	const uint8_t *b = arg_bytes(p, s, "setup", &n);

	for (size_t i = 0; i + 1 < n && now.nsetup < 8; i += 2)
		now.setup[now.nsetup++] = (uint16_t)(b[i] | b[i + 1] << 8);
}

static void build_trans(struct play *p, const struct step *s, struct message *m)
{
	transact_new(p, &now, 0x25);
	now.name = arg_text(p, s, "name", "\\PIPE\\");
	put_setup(p, s);
	ask_raw(p, s);
	transact_build(p, s, m, &now);
}

static void build_nttrans(struct play *p, const struct step *s, struct message *m)
{
	transact_new(p, &now, 0xa0);
	now.function = (uint16_t)arg_num(p, s, "fn", 2);
	put_setup(p, s);
	if (arg_find(s, "fid"))
		wr_u16(&now.p, (uint16_t)arg_num(p, s, "fid", 0));
	ask_raw(p, s);
	transact_build(p, s, m, &now);
}

#define REPLY16 (WORDS(0) | WORDS(10) | WORDS(11) | WORDS(12))

const struct command trans_commands[] = {
	{ "trans2", 0x32, REPLY16, build_trans2, parse_trans2, NULL },
	{ "rap", 0x25, REPLY16, build_rap, parse_rap, NULL },
	{ "pipe", 0x25, REPLY16, build_pipe, parse_transact, NULL },
	{ "shares", 0x25, REPLY16, build_shares, parse_shares, NULL },
	{ "trans", 0x25, REPLY16, build_trans, parse_transact, NULL },
	{ "nttrans", 0xa0, WORDS(0) | WORDS_FROM(18), build_nttrans, parse_transact, NULL },
	{ .name = NULL },
};
