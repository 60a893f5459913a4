/* cmd_files.c - open, read, write, close.
 *
 *   nt_create "name" [access=N share=7 disp=1 options=0x40 attrs=0x80 flags=0 root=0 alloc=0 extended]
 *   open_andx "name" [access=r|w|rw|x deny=dos|all|write|read|none func=1 attrs= search= flags= mode=]
 *   read_andx F [off= count= high= words=12]    write_andx F [off= data= mode= len= at= words=14]
 *   read F [off= count=]   write F [off= data= count= len=]   close F [time=]   flush F */
#include "play.h"

static uint16_t fid_of(struct play *p, const struct step *s) { return (uint16_t)arg_pos_num(p, s, 0, 0xffff); }

/* ---- nt_create ---- */

static void build_nt_create(struct play *p, const struct step *s, struct message *m)
{
	const char *name = arg_pos(s, 0, "");
	uint8_t bytes[4096];
	struct wr n = wr_over(bytes, sizeof(bytes)), *w = &m->w;

	msg_name(p, &n, name, arg_has_word(s, "nul"));
	msg_block(m);
	msg_andx(m);
	wr_u8(w, 0);
	wr_u16(w, (uint16_t)arg_num(p, s, "namelen", n.pos));
	wr_u32(w, (uint32_t)arg_num(p, s, "cflags", arg_has_word(s, "extended") ? 0x10 : 0));
	wr_u32(w, (uint32_t)arg_num(p, s, "root", 0));
	wr_u32(w, (uint32_t)arg_num(p, s, "access", 0x12019f));
	wr_u64(w, arg_num(p, s, "alloc", 0));
	wr_u32(w, (uint32_t)arg_num(p, s, "attrs", 0x80));
	wr_u32(w, (uint32_t)arg_num(p, s, "share", 7));
	wr_u32(w, (uint32_t)arg_num(p, s, "disp", 1));
	wr_u32(w, (uint32_t)arg_num(p, s, "options", 0));
	wr_u32(w, 2);
	wr_u8(w, 3);
	msg_bytes(m);
	if (p->c->unicode)
		wr_align(w, 2);
	wr_bytes(w, bytes, n.pos);
	msg_done(m);
}

static void parse_nt_create(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words;

	(void)s;
	rd_skip(&w, 4);
	field_num(p, "oplock", rd_u8(&w));
	field_num(p, "fid", rd_u16(&w));
	field_num(p, "action", rd_u32(&w));
	field_num(p, "created", rd_u64(&w));
	field_num(p, "accessed", rd_u64(&w));
	field_num(p, "written", rd_u64(&w));
	field_num(p, "changed", rd_u64(&w));
	field_num(p, "attrs", rd_u32(&w));
	field_num(p, "alloc", rd_u64(&w));
	field_num(p, "size", rd_u64(&w));
	field_num(p, "type", rd_u16(&w));
	field_num(p, "state", rd_u16(&w));
	field_num(p, "dir", rd_u8(&w));
	if (b->wct != 42)
		return;
	rd_skip(&w, 16);
	field_num(p, "file_id", rd_u64(&w));
	field_num(p, "max_access", rd_u32(&w));
}

/* ---- open_andx ---- */

static uint16_t word_of(struct play *p, const struct step *s, const char *name, const char *const *words,
			uint16_t def)
{
	const struct arg *a = arg_find(s, name);

	if (!a)
		return def;
	for (uint16_t i = 0; words[i]; i++)
		if (strcmp(words[i], a->v.text ? a->v.text : "") == 0)
			return i;
	return (uint16_t)value_num(p, &a->v, name);
}

static uint16_t dos_mode(struct play *p, const struct step *s)
{
	static const char *const access[] = { "r", "w", "rw", "x", NULL };
	static const char *const deny[] = { "dos", "all", "write", "read", "none", "5", "6", "fcb", NULL };

	unsigned what = word_of(p, s, "access", access, 0), denied = word_of(p, s, "deny", deny, 4);

	return (uint16_t)arg_num(p, s, "mode", what | denied << 4);
}

static void build_open_andx(struct play *p, const struct step *s, struct message *m)
{
	struct wr *w = &m->w;

	msg_block(m);
	msg_andx(m);
	wr_u16(w, (uint16_t)arg_num(p, s, "oflags", 1));
	wr_u16(w, dos_mode(p, s));
	wr_u16(w, (uint16_t)arg_num(p, s, "search", 0x16));
	wr_u16(w, (uint16_t)arg_num(p, s, "attrs", 0));
	wr_u32(w, 0);
	wr_u16(w, (uint16_t)arg_num(p, s, "func", 1));
	wr_u32(w, (uint32_t)arg_num(p, s, "alloc", 0));
	wr_zero(w, 8);
	msg_bytes(m);
	msg_str(p, m, arg_pos(s, 0, ""));
	msg_done(m);
}

static void parse_open_andx(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words;

	(void)s;
	rd_skip(&w, 4);
	field_num(p, "fid", rd_u16(&w));
	field_num(p, "attrs", rd_u16(&w));
	field_num(p, "time", rd_u32(&w));
	field_num(p, "size", rd_u32(&w));
	field_num(p, "granted", rd_u16(&w));
	field_num(p, "type", rd_u16(&w));
	field_num(p, "state", rd_u16(&w));
	field_num(p, "action", rd_u16(&w));
}

/* ---- reading ---- */

static void build_read_andx(struct play *p, const struct step *s, struct message *m)
{
	uint64_t off = arg_num(p, s, "off", 0), count = arg_num(p, s, "count", 512);
	struct wr *w = &m->w;

	msg_block(m);
	msg_andx(m);
	wr_u16(w, fid_of(p, s));
	wr_u32(w, (uint32_t)off);
	wr_u16(w, (uint16_t)count);
	wr_u16(w, (uint16_t)arg_num(p, s, "min", 0));
	wr_u32(w, (uint32_t)arg_num(p, s, "high", count >> 16));
	wr_u16(w, 0);
	if (arg_num(p, s, "words", 12) == 12)
		wr_u32(w, (uint32_t)(off >> 32));
	msg_bytes(m);
	msg_done(m);
}

static void parse_read_andx(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words, data = rd_over(p->reply.msg, p->reply.len);
	uint32_t n, at;

	(void)s;
	rd_skip(&w, 4);
	field_num(p, "remaining", rd_u16(&w));
	field_num(p, "zeros", rd_u32(&w));
	n = rd_u16(&w);
	at = rd_u16(&w);
	n |= (uint32_t)rd_u16(&w) << 16;
	for (int i = 0; i < 4; i++)
		if (rd_u16(&w) != 0)
			play_fail(p, "reserved words of 0 in the reply");
	rd_seek(&data, at);
	field_num(p, "at", at);
	field_num(p, "count", n);
	if (rd_left(&data) < n || at < b->bytes.pos)
		play_fail(p, "data inside the reply, got %u bytes at %u of %u", n, at, p->reply.len);
	else
		field_bytes(p, "data", data.msg + at, n);
}

static void build_read(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	wr_u16(&m->w, fid_of(p, s));
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "count", 512));
	wr_u32(&m->w, (uint32_t)arg_num(p, s, "off", 0));
	wr_u16(&m->w, 0);
	msg_bytes(m);
	msg_done(m);
}

static void parse_read(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words, d = b->bytes;
	uint16_t count = rd_u16(&w), len;

	(void)s;
	if (rd_u8(&d) != 1)
		play_fail(p, "a data block (format 1) in the reply");
	len = rd_u16(&d);
	if (len != count || len != rd_left(&d))
		play_fail(p, "the same count in words, block and bytes, got %u, %u and %u", count, len, rd_left(&d));
	field_num(p, "count", count);
	field_bytes(p, "data", d.msg + d.pos, rd_left(&d));
}

/* ---- writing ---- */

static void build_write_andx(struct play *p, const struct step *s, struct message *m)
{
	uint64_t off = arg_num(p, s, "off", 0);
	size_t n;
	const uint8_t *data = arg_bytes(p, s, "data", &n);
	bool high = arg_num(p, s, "words", 14) == 14;
	uint32_t at;
	struct wr *w = &m->w;

	msg_block(m);
	msg_andx(m);
	wr_u16(w, fid_of(p, s));
	wr_u32(w, (uint32_t)off);
	wr_u32(w, 0);
	wr_u16(w, (uint16_t)arg_num(p, s, "mode", 0));
	wr_u16(w, 0);
	wr_u16(w, (uint16_t)(arg_num(p, s, "len", n) >> 16));
	wr_u16(w, (uint16_t)arg_num(p, s, "len", n));
	at = w->pos;
	wr_u16(w, 0);
	if (high)
		wr_u32(w, (uint32_t)(off >> 32));
	msg_bytes(m);
	wr_u8(w, 0);
	wr_u16_at(w, at, (uint16_t)arg_num(p, s, "at", w->pos));
	wr_bytes(w, data, n);
	msg_done(m);
}

static void parse_write_andx(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words;
	uint32_t count;

	(void)s;
	rd_skip(&w, 4);
	count = rd_u16(&w);
	field_num(p, "remaining", rd_u16(&w));
	field_num(p, "count", count | (uint32_t)rd_u16(&w) << 16);
}

static void build_write(struct play *p, const struct step *s, struct message *m)
{
	size_t n;
	const uint8_t *data = arg_bytes(p, s, "data", &n);

	msg_block(m);
	wr_u16(&m->w, fid_of(p, s));
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "count", n));
	wr_u32(&m->w, (uint32_t)arg_num(p, s, "off", 0));
	wr_u16(&m->w, 0);
	msg_bytes(m);
	wr_u8(&m->w, (uint8_t)arg_num(p, s, "format", 1));
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "len", n));
	wr_bytes(&m->w, data, n);
	msg_done(m);
}

static void parse_write(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words;

	(void)s;
	field_num(p, "count", rd_u16(&w));
}

/* ---- the rest ---- */

static void build_close(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	wr_u16(&m->w, fid_of(p, s));
	wr_u32(&m->w, (uint32_t)arg_num(p, s, "time", 0xffffffff));
	msg_bytes(m);
	msg_done(m);
}

static void build_fid(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	wr_u16(&m->w, fid_of(p, s));
	msg_bytes(m);
	msg_done(m);
}

static void parse_getattre(struct play *p, const struct step *s, const struct block *b)
{
	static const char *const names[] = { "create_date", "create_time", "access_date", "access_time", "write_date",
					     "write_time" };
	struct rd w = b->words;

	(void)s;
	for (size_t i = 0; i < 6; i++)
		field_num(p, names[i], rd_u16(&w));
	field_num(p, "size", rd_u32(&w));
	field_num(p, "alloc", rd_u32(&w));
	field_num(p, "attrs", rd_u16(&w));
}

static void build_setattre(struct play *p, const struct step *s, struct message *m)
{
	static const char *const names[] = { "create_date", "create_time", "access_date", "access_time", "write_date",
					     "write_time" };

	msg_block(m);
	wr_u16(&m->w, fid_of(p, s));
	for (size_t i = 0; i < 6; i++)
		wr_u16(&m->w, (uint16_t)arg_num(p, s, names[i], 0));
	msg_bytes(m);
	msg_done(m);
}

const struct command file_commands[] = {
	{ "nt_create", 0xa2, WORDS(34) | WORDS(42), build_nt_create, parse_nt_create, NULL },
	{ "open_andx", 0x2d, WORDS(15) | WORDS(19), build_open_andx, parse_open_andx, NULL },
	{ "read_andx", 0x2e, WORDS(12), build_read_andx, parse_read_andx, NULL },
	{ "read", 0x0a, WORDS(5), build_read, parse_read, NULL },
	{ "write_andx", 0x2f, WORDS(6), build_write_andx, parse_write_andx, NULL },
	{ "write", 0x0b, WORDS(1), build_write, parse_write, NULL },
	{ "close", 0x04, WORDS(0), build_close, NULL, NULL },
	{ "flush", 0x05, WORDS(0), build_fid, NULL, NULL },
	{ "getattre", 0x23, WORDS(11), build_fid, parse_getattre, NULL },
	{ "setattre", 0x22, WORDS(0), build_setattre, NULL, NULL },
	{ .name = NULL },
};
