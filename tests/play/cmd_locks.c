/* cmd_locks.c - byte ranges.
 *
 *   lock F [off= len= owner= shared small timeout= off2= len2= type= locks=]    LOCKING_ANDX, 64-bit ranges unless `small`
 *   unlock F [off= len= owner= small off2= len2= unlocks=]                      the same with the ranges as unlocks
 *   relock F off= len= off2= len2=        unlocks the first range and locks the second, in one request
 *   lock_byte F [off= len=]   unlock_byte F [off= len=]                       the core commands: the header's pid counts
 *   lock_read F [off= count=]   write_unlock F [off= data= count=] */
#include "play.h"

static uint16_t fid_of(struct play *p, const struct step *s) { return (uint16_t)arg_pos_num(p, s, 0, 0xffff); }

static void put_range(struct play *p, const struct step *s, struct wr *w, const char *off_name, const char *len_name)
{
	uint64_t off = arg_num(p, s, off_name, 0), len = arg_num(p, s, len_name, 10);

	wr_u16(w, (uint16_t)arg_num(p, s, "owner", p->c->smb_pid));
	if (arg_has_word(s, "small")) {
		wr_u32(w, (uint32_t)off);
		wr_u32(w, (uint32_t)len);
		return;
	}
	wr_u16(w, 0);
	wr_u32(w, (uint32_t)(off >> 32));
	wr_u32(w, (uint32_t)off);
	wr_u32(w, (uint32_t)(len >> 32));
	wr_u32(w, (uint32_t)len);
}

static void locking(struct play *p, const struct step *s, struct message *m, unsigned unlocks, unsigned locks)
{
	unsigned type = (arg_has_word(s, "shared") ? 1u : 0) | (arg_has_word(s, "small") ? 0 : 0x10u);
	struct wr *w = &m->w;

	msg_block(m);
	msg_andx(m);
	wr_u16(w, fid_of(p, s));
	wr_u8(w, (uint8_t)arg_num(p, s, "type", type));
	wr_u8(w, (uint8_t)arg_num(p, s, "level", 0));
	wr_u32(w, (uint32_t)arg_num(p, s, "timeout", 0));
	wr_u16(w, (uint16_t)arg_num(p, s, "unlocks", unlocks));
	wr_u16(w, (uint16_t)arg_num(p, s, "locks", locks));
	msg_bytes(m);
	put_range(p, s, w, "off", "len");
	if (arg_find(s, "off2"))
		put_range(p, s, w, "off2", "len2");
	msg_done(m);
}

static void build_lock(struct play *p, const struct step *s, struct message *m)
{
	locking(p, s, m, 0, arg_find(s, "off2") ? 2 : 1);
}

static void build_unlock(struct play *p, const struct step *s, struct message *m)
{
	locking(p, s, m, arg_find(s, "off2") ? 2 : 1, 0);
}

static void build_relock(struct play *p, const struct step *s, struct message *m) { locking(p, s, m, 1, 1); }

static void build_byte(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	wr_u16(&m->w, fid_of(p, s));
	wr_u32(&m->w, (uint32_t)arg_num(p, s, "len", 10));
	wr_u32(&m->w, (uint32_t)arg_num(p, s, "off", 0));
	msg_bytes(m);
	msg_done(m);
}

static void build_lock_read(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	wr_u16(&m->w, fid_of(p, s));
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "count", 10));
	wr_u32(&m->w, (uint32_t)arg_num(p, s, "off", 0));
	wr_u16(&m->w, 0);
	msg_bytes(m);
	msg_done(m);
}

static void parse_lock_read(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words, d = b->bytes;

	(void)s;
	field_num(p, "count", rd_u16(&w));
	rd_skip(&d, 3);
	field_bytes(p, "data", d.msg + d.pos, rd_left(&d));
}

static void build_write_unlock(struct play *p, const struct step *s, struct message *m)
{
	size_t n;
	const uint8_t *data = arg_bytes(p, s, "data", &n);

	msg_block(m);
	wr_u16(&m->w, fid_of(p, s));
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "count", n));
	wr_u32(&m->w, (uint32_t)arg_num(p, s, "off", 0));
	wr_u16(&m->w, 0);
	msg_bytes(m);
	wr_u8(&m->w, 1);
	wr_u16(&m->w, (uint16_t)n);
	wr_bytes(&m->w, data, n);
	msg_done(m);
}

static void parse_count(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words;

	(void)s;
	field_num(p, "count", rd_u16(&w));
}

const struct command lock_commands[] = {
	{ "lock", 0x24, WORDS(2), build_lock, NULL, NULL },
	{ "unlock", 0x24, WORDS(2), build_unlock, NULL, NULL },
	{ "relock", 0x24, WORDS(2), build_relock, NULL, NULL },
	{ "lock_byte", 0x0c, WORDS(0), build_byte, NULL, NULL },
	{ "unlock_byte", 0x0d, WORDS(0), build_byte, NULL, NULL },
	{ "lock_read", 0x13, WORDS(5), build_lock_read, parse_lock_read, NULL },
	{ "write_unlock", 0x14, WORDS(1), build_write_unlock, parse_count, NULL },
	{ .name = NULL },
};
