/* cmd_names.c - commands that work on names.
 *
 *   delete "name" [search=0x16]   rename "old" "new" [search=]   mkdir | rmdir | checkdir "name"
 *   getatr "name"   setatr "name" [attrs= time=]   dskattr   find_close N */
#include "play.h"

static void put_search(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "search", 0x16));
	msg_bytes(m);
}

static void put_path(struct play *p, const struct step *s, struct message *m, unsigned i)
{
	wr_u8(&m->w, (uint8_t)arg_num(p, s, "format", 4));
	msg_str(p, m, arg_pos(s, i, ""));
}

static void build_delete(struct play *p, const struct step *s, struct message *m)
{
	put_search(p, s, m);
	put_path(p, s, m, 0);
	msg_done(m);
}

static void build_rename(struct play *p, const struct step *s, struct message *m)
{
	put_search(p, s, m);
	put_path(p, s, m, 0);
	put_path(p, s, m, 1);
	msg_done(m);
}

static void build_path(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	msg_bytes(m);
	put_path(p, s, m, 0);
	msg_done(m);
}

static void parse_getatr(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words;

	(void)s;
	field_num(p, "attrs", rd_u16(&w));
	field_num(p, "time", rd_u32(&w));
	field_num(p, "size", rd_u32(&w));
	for (int i = 0; i < 5; i++)
		if (rd_u16(&w) != 0)
			play_fail(p, "reserved words of 0 in the reply");
}

static void build_setatr(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	wr_u16(&m->w, (uint16_t)arg_num(p, s, "attrs", 0));
	wr_u32(&m->w, (uint32_t)arg_num(p, s, "time", 0));
	wr_zero(&m->w, 10);
	msg_bytes(m);
	put_path(p, s, m, 0);
	msg_done(m);
}

static void build_nothing(struct play *p, const struct step *s, struct message *m)
{
	(void)p, (void)s;
	msg_block(m);
	msg_bytes(m);
	msg_done(m);
}

static void parse_dskattr(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words;

	(void)s;
	field_num(p, "units", rd_u16(&w));
	field_num(p, "blocks", rd_u16(&w));
	field_num(p, "bytes", rd_u16(&w));
	field_num(p, "free", rd_u16(&w));
}

static void build_find_close(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	wr_u16(&m->w, (uint16_t)arg_pos_num(p, s, 0, 0));
	msg_bytes(m);
	msg_done(m);
}

const struct command name_commands[] = {
	{ "delete", 0x06, WORDS(0), build_delete, NULL, NULL },
	{ "rename", 0x07, WORDS(0), build_rename, NULL, NULL },
	{ "mkdir", 0x00, WORDS(0), build_path, NULL, NULL },
	{ "rmdir", 0x01, WORDS(0), build_path, NULL, NULL },
	{ "checkdir", 0x10, WORDS(0), build_path, NULL, NULL },
	{ "getatr", 0x08, WORDS(10), build_path, parse_getatr, NULL },
	{ "setatr", 0x09, WORDS(0), build_setatr, NULL, NULL },
	{ "dskattr", 0x80, WORDS(5), build_nothing, parse_dskattr, NULL },
	{ "find_close", 0x34, WORDS(0), build_find_close, NULL, NULL },
	{ .name = NULL },
};
