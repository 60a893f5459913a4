/* cmd_old.c - commands of DOS and OS/2 1.x.
 *
 *   open "name" [mode=0x42 search=0x16]      -> fid= attrs= size= granted=
 *   create | create_new "name" [attrs=0]     -> fid=       create_temp "folder" -> fid= name=
 *   seek F [mode=0 offset=]                  -> offset=
 *   write_close F data= [offset= count=]     -> count=     close_tdis F
 *   nt_rename "old" "new" [level=0x104 search=0x16]
 *   copy | move "from" "to" [func=0x10 flags=0 tid2=0xffff] -> count=
 *   search | find | find_unique | fclose "pattern" [count=10 attrs=0x16 resume key=N] -> count= names=
 *        resume: with the key of the last entry of the last listing, or of entry N of it
 *   read_raw F [offset= count=]              -> length= data=
 *   write_raw F [count= data= offset= mode=0] -> remaining=   (then `frame`, and `listen` in mode 1)
 *   open_print "name" -> fid=   write_print F data=   close_print F   print_queue [max= start=] -> count= next= names=
 *   ioctl F [cat=0x53 func=0x60] -> job= */
#include "play.h"
#include <sys/socket.h>

#define KEY 21u
#define ENTRY 43u

static void put_path(struct play *p, const struct step *s, struct message *m, unsigned i)
{
	wr_u8(&m->w, (uint8_t)arg_num(p, s, "format", 4));
	msg_str(p, m, arg_pos(s, i, ""));
}

static void build_open(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "mode", 0x42));
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "search", 0x16));
	msg_bytes(m);
	put_path(p, s, m, 0);
	msg_done(m);
}

static void parse_open(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words;

	(void)s;
	field_num(p, "fid", rd_u16(&w));
	field_num(p, "attrs", rd_u16(&w));
	rd_skip(&w, 4);
	field_num(p, "size", rd_u32(&w));
	field_num(p, "granted", rd_u16(&w));
}

static void build_create(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "attrs", 0));
	wr_u32(&m->w, 0);
	msg_bytes(m);
	put_path(p, s, m, 0);
	msg_done(m);
}

static void parse_fid(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words, r = b->bytes;

	(void)s;
	field_num(p, "fid", rd_u16(&w));
	if (rd_left(&r) > 0)
		field_text(p, "name", reply_str(p, &r));
}

static void build_seek(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	wr_u16(&m->w, (uint16_t)arg_pos_num(p, s, 0, 0));
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "mode", 0));
	wr_u32(&m->w, (uint32_t)arg_num(p, s, "offset", 0));
	msg_bytes(m);
	msg_done(m);
}

static void parse_seek(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words;

	(void)s;
	field_num(p, "offset", rd_u32(&w));
}

static void build_write_close(struct play *p, const struct step *s, struct message *m)
{
	size_t n;
	const uint8_t *data = arg_bytes(p, s, "data", &n);

	msg_block(m);
	wr_u16(&m->w, (uint16_t)arg_pos_num(p, s, 0, 0));
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "count", n));
	wr_u32(&m->w, (uint32_t)arg_num(p, s, "offset", 0));
	wr_u32(&m->w, 0);
	msg_bytes(m);
	wr_u8(&m->w, 0);
	wr_bytes(&m->w, data, n);
	msg_done(m);
}

static void parse_count(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words;

	(void)s;
	field_num(p, "count", rd_u16(&w));
}

static void build_close_tdis(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	wr_u16(&m->w, (uint16_t)arg_pos_num(p, s, 0, 0));
	wr_u32(&m->w, 0);
	msg_bytes(m);
	msg_done(m);
}

static void build_nt_rename(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "search", 0x16));
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "level", 0x104));
	wr_u32(&m->w, 0);
	msg_bytes(m);
	put_path(p, s, m, 0);
	put_path(p, s, m, 1);
	msg_done(m);
}

static void build_copy(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "tid2", 0xffff));
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "func", 0x10));
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "flags", 0));
	msg_bytes(m);
	put_path(p, s, m, 0);
	put_path(p, s, m, 1);
	msg_done(m);
}

/* ---- listings ---- */
static uint8_t keys[400][KEY]; /* of the last listing */
static unsigned nkeys;

static void build_search(struct play *p, const struct step *s, struct message *m)
{
	bool resume = arg_has_word(s, "resume");
	unsigned which = (unsigned)arg_num(p, s, "key", nkeys ? nkeys - 1 : 0);

	msg_block(m);
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "count", 10));
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "attrs", 0x16));
	msg_bytes(m);
	put_path(p, s, m, 0);
	wr_u8(&m->w, 5);
	wr_u16(&m->w, resume ? KEY : 0);
	if (resume)
		wr_bytes(&m->w, keys[which % 400], KEY);
	msg_done(m);
}

static void parse_search(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words, r = b->bytes;
	uint16_t n = rd_u16(&w), len;
	char *names = talloc_strdup(p->step_mem, "");

	(void)s;
	if (rd_u8(&r) != 5)
		play_fail(p, "a variable block in the reply");
	len = rd_u16(&r);
	if (len != n * ENTRY || rd_left(&r) != len)
		play_fail(p, "%u entries of 43 bytes, got %u bytes", n, len);
	nkeys = 0;
	for (unsigned i = 0; i < n && rd_ok(&r); i++) {
		const uint8_t *e = rd_take(&r, ENTRY);

		if (!e)
			break;
		if (i < 400)
			memcpy(keys[nkeys++], e, KEY);
		names = talloc_asprintf_append_buffer(names, "%s%.13s", i ? "," : "", (const char *)e + 30);
		field_num(p, "attrs", e[21]);
	}
	field_num(p, "count", n);
	field_text(p, "names", names);
}

/* ---- raw ---- */
static bool take(int fd, uint8_t *p, size_t n)
{
	while (n > 0) {
		ssize_t got = recv(fd, p, n, 0);

		if (got <= 0)
			return false;
		p += got;
		n -= (size_t)got;
	}
	return true;
}

static void build_read_raw(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	wr_u16(&m->w, (uint16_t)arg_pos_num(p, s, 0, 0));
	wr_u32(&m->w, (uint32_t)arg_num(p, s, "offset", 0));
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "count", 1000));
	wr_zero(&m->w, 8);
	msg_bytes(m);
	msg_done(m);
}

/* By itself, not in a chain: the reply is no message. */
static void run_read_raw(struct play *p, const struct step *s)
{
	struct message m;
	uint8_t head[4], *body;
	uint32_t n;

	msg_start(p, &m, 0x1a);
	build_read_raw(p, s, &m);
	n = (uint32_t)msg_finish(p, s, &m);
	if (!client_send(p, p->c, m.buf, n) || !take(p->c->fd, head, 4))
		return play_fail(p, "a raw reply");
	n = (uint32_t)head[1] << 16 | (uint32_t)head[2] << 8 | head[3];
	body = talloc_size(p->step_mem, n + 1);
	if (!take(p->c->fd, body, n))
		return play_fail(p, "%u bytes of a raw reply", n);
	cover_got(p->cover, &p->c->cover, body, n);
	field_num(p, "length", n);
	field_bytes(p, "data", body, n);
}

static void build_write_raw(struct play *p, const struct step *s, struct message *m)
{
	size_t n;
	const uint8_t *data = arg_bytes(p, s, "data", &n);

	msg_block(m);
	wr_u16(&m->w, (uint16_t)arg_pos_num(p, s, 0, 0));
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "count", n));
	wr_u16(&m->w, 0);
	wr_u32(&m->w, (uint32_t)arg_num(p, s, "offset", 0));
	wr_u32(&m->w, 0);
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "mode", 0));
	wr_u32(&m->w, 0);
	wr_u16(&m->w, (uint16_t)n);
	wr_u16(&m->w, (uint16_t)(m->w.pos + 2 + 2 + 1));
	msg_bytes(m);
	wr_u8(&m->w, 0);
	wr_bytes(&m->w, data, n);
	msg_done(m);
}

static void parse_write_raw(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words;

	(void)s;
	field_num(p, "remaining", rd_u16(&w));
}

/* ---- printing ---- */
static void build_open_print(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	wr_u16(&m->w, 0);
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "mode", 1));
	msg_bytes(m);
	put_path(p, s, m, 0);
	msg_done(m);
}

static void build_write_print(struct play *p, const struct step *s, struct message *m)
{
	size_t n;
	const uint8_t *data = arg_bytes(p, s, "data", &n);

	msg_block(m);
	wr_u16(&m->w, (uint16_t)arg_pos_num(p, s, 0, 0));
	msg_bytes(m);
	wr_u8(&m->w, 1);
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "count", n));
	wr_bytes(&m->w, data, n);
	msg_done(m);
}

static void build_one(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	wr_u16(&m->w, (uint16_t)arg_pos_num(p, s, 0, 0));
	msg_bytes(m);
	msg_done(m);
}

static void build_print_queue(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "max", 10));
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "start", 0));
	msg_bytes(m);
	msg_done(m);
}

static void parse_print_queue(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words, r = b->bytes;
	uint16_t n = rd_u16(&w);
	char *names = talloc_strdup(p->step_mem, "");

	(void)s;
	field_num(p, "count", n);
	field_num(p, "next", rd_u16(&w));
	if (rd_u8(&r) != 1 || rd_u16(&r) != n * 28)
		play_fail(p, "entries of 28 bytes");
	for (unsigned i = 0; i < n; i++) {
		const uint8_t *e = rd_take(&r, 28);

		if (!e)
			return play_fail(p, "%u entries", n);
		names = talloc_asprintf_append_buffer(names, "%s%.16s", i ? "," : "", (const char *)e + 12);
		field_num(p, "state", e[4]);
	}
	field_text(p, "names", names);
}

static void build_ioctl(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	wr_u16(&m->w, (uint16_t)arg_pos_num(p, s, 0, 0));
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "cat", 0x53));
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "func", 0x60));
	wr_zero(&m->w, 22);
	msg_bytes(m);
	msg_done(m);
}

static void parse_ioctl(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words, d = b->bytes;
	uint16_t at;

	(void)s;
	rd_skip(&w, 10);
	field_num(p, "len", rd_u16(&w));
	at = rd_u16(&w);
	rd_seek(&d, at);
	field_num(p, "job", rd_u16(&d));
	field_text(p, "server", talloc_strndup(p->step_mem, (const char *)rd_take(&d, 15), 15));
}

const struct command old_commands[] = {
	{ "open", 0x02, WORDS(7), build_open, parse_open, NULL },
	{ "create", 0x03, WORDS(1), build_create, parse_fid, NULL },
	{ "create_new", 0x0f, WORDS(1), build_create, parse_fid, NULL },
	{ "create_temp", 0x0e, WORDS(1), build_create, parse_fid, NULL },
	{ "seek", 0x12, WORDS(2), build_seek, parse_seek, NULL },
	{ "write_close", 0x2c, WORDS(1), build_write_close, parse_count, NULL },
	{ "close_tdis", 0x31, WORDS(0), build_close_tdis, NULL, NULL },
	{ "nt_rename", 0xa5, WORDS(0), build_nt_rename, NULL, NULL },
	{ "copy", 0x29, WORDS(1), build_copy, parse_count, NULL },
	{ "move", 0x2a, WORDS(1), build_copy, parse_count, NULL },
	{ "search", 0x81, WORDS(1), build_search, parse_search, NULL },
	{ "find", 0x82, WORDS(1), build_search, parse_search, NULL },
	{ "find_unique", 0x83, WORDS(1), build_search, parse_search, NULL },
	{ "fclose", 0x84, WORDS(1), build_search, parse_search, NULL },
	{ "read_raw", 0x1a, 0, build_read_raw, NULL, run_read_raw },
	{ "write_raw", 0x1d, WORDS(1), build_write_raw, parse_write_raw, NULL },
	{ "open_print", 0xc0, WORDS(1), build_open_print, parse_fid, NULL },
	{ "write_print", 0xc1, WORDS(0), build_write_print, NULL, NULL },
	{ "close_print", 0xc2, WORDS(0), build_one, NULL, NULL },
	{ "print_queue", 0xc3, WORDS(2), build_print_queue, parse_print_queue, NULL },
	{ "ioctl", 0x27, WORDS(8), build_ioctl, parse_ioctl, NULL },
	{ .name = NULL },
};
