/* names.c - requests that move no bytes of files: echo stat miss open lock meta find connect. */
#include "load.h"
#include <stdio.h>
#include <string.h>

#define NOT_FOUND 0xc0000034u
#define NOT_LOCKED 0xc000007eu
#define ACCESS 0x12019fu /* read and write */

static void take_ok(const char *what)
{
	uint32_t st = smb_recv(&s, false);

	if (st)
		fail("%s: status 0x%08x", what, st);
}

static void ask_echo(struct load *l, long i)
{
	struct wr *w = smb_begin(&s, 0x2b, 1);

	(void)l, (void)i;
	wr_u16(w, 1);
	wr_bytes(smb_bytes(&s), "hello", 5);
	smb_send(&s);
}

static void take_echo(struct load *l, long i)
{
	(void)i;
	take_ok("echo");
	if (l->verify && (s.len < 5 || memcmp(s.in + 4 + s.len - 5, "hello", 5) != 0))
		fail("echo: something else");
}

/* ---- transactions ---- */

static struct wr *begin_trans2(uint16_t sub, uint16_t max_p, uint16_t max_d, uint32_t *counts)
{
	struct wr *w = smb_begin(&s, 0x32, 15);

	*counts = wr_tell(w);
	wr_zero(w, 4);
	wr_u16(w, max_p);
	wr_u16(w, max_d);
	wr_zero(w, 10);
	wr_zero(w, 2); /* count of parameters, known later */
	wr_u16(w, 68);
	wr_u32(w, 0);
	wr_u16(w, 1);
	wr_u16(w, sub);
	w = smb_bytes(&s);
	wr_zero(w, 68 - wr_tell(w));
	return w;
}

static void end_trans2(uint32_t counts)
{
	uint16_t n = (uint16_t)(wr_tell(&s.w) - 68);

	wr_u16_at(&s.w, counts, n);
	wr_u16_at(&s.w, counts + 18, n);
}

/* Parameters and data of a reply that came in one piece. */
static void trans2_reply(struct rd *p, struct rd *d)
{
	struct rd w = smb_words(&s), msg = rd_over(s.in + 4, s.len);
	uint32_t np, op, nd, od;

	rd_skip(&w, 6);
	np = rd_u16(&w);
	op = rd_u16(&w);
	rd_skip(&w, 2);
	nd = rd_u16(&w);
	od = rd_u16(&w);
	*p = rd_window(&msg, op, np);
	*d = rd_window(&msg, od, nd);
	if (!rd_ok(&w) || !rd_ok(p) || !rd_ok(d))
		fail("a transaction reply that does not fit");
}

static void ask_size(const char *name, uint16_t level)
{
	uint32_t counts;
	struct wr *w = begin_trans2(5, 2, 1024, &counts);

	wr_u16(w, level);
	wr_u32(w, 0);
	smb_name(w, name);
	end_trans2(counts);
	smb_send(&s);
}

static uint64_t take_size(void)
{
	struct rd p, d;

	take_ok("query");
	trans2_reply(&p, &d);
	rd_skip(&d, 48);
	return rd_u64(&d);
}

static void ask_stat(struct load *l, long i)
{
	(void)i;
	ask_size(l->file, 0x107);
}

static void take_stat(struct load *l, long i)
{
	uint64_t size = take_size();

	(void)i;
	if (l->verify && size != l->total)
		fail("stat: another size");
}

static void not_there(const char *name)
{
	ask_size(name, 0x101);
	if (smb_recv(&s, false) != NOT_FOUND)
		fail("%s: it is there, or its folder is not", name);
}

static void op_miss(struct load *l, long i)
{
	char name[128];

	snprintf(name, sizeof(name), "%s\\no such file %ld.txt", l->folder, i);
	not_there(name);
}

/* The names of entries at level 0x104: "Document number 000001.doc" and so on, and two dots.  Their numbers, added up. */
static uint64_t sum_of_names(struct rd d, uint32_t n)
{
	uint64_t sum = 0;

	for (uint32_t next = 1, k = 0; k < n; k++, rd_skip(&d, next)) {
		char text[64] = "";
		unsigned number = 0;
		uint32_t len;
		struct rd e = d;

		if (next == 0)
			fail("find: fewer entries than it says");
		next = rd_u32(&e);
		rd_skip(&e, 56);
		len = rd_u32(&e);
		rd_skip(&e, 4 + 26);
		for (uint32_t c = 0; c < len / 2 && c < sizeof(text) - 1; c++)
			text[c] = (char)rd_u16(&e);
		if (!rd_ok(&e) || (text[0] != '.' && sscanf(text, "Document number %u.doc", &number) != 1))
			fail("find: a strange name");
		sum += number;
	}
	return sum;
}

/* A whole listing. */
static void op_find(struct load *l, long i)
{
	char pattern[300];
	uint32_t counts, n = 0, sid = 0, end = 0, here;
	uint64_t sum = 0;
	bool look = l->verify && l->level == 0x104;
	struct rd p, d;

	(void)i;
	snprintf(pattern, sizeof(pattern), "%s\\*", l->folder);
	for (bool first = true; !end; first = false) {
		struct wr *w = begin_trans2(first ? 1 : 2, 10, 49152, &counts);

		wr_u16(w, (uint16_t)(first ? 0x16 : sid));
		wr_u16(w, 1000);
		wr_u16(w, (uint16_t)(first ? 2 : l->level));
		if (first) {
			wr_u16(w, (uint16_t)l->level);
			wr_u32(w, 0);
		} else {
			wr_u32(w, 0);
			wr_u16(w, 2 | 8);
		}
		smb_name(w, first ? pattern : "");
		end_trans2(counts);
		smb_call(&s);
		trans2_reply(&p, &d);
		if (first)
			sid = rd_u16(&p);
		here = rd_u16(&p);
		end = rd_u16(&p);
		if (!rd_ok(&p))
			fail("find: a short reply");
		n += here;
		sum += look ? sum_of_names(d, here) : 0;
	}
	if (l->entries && n != l->entries + 2)
		fail("find: %u entries, wanted %u and two dots", n, l->entries);
	if (look && l->entries && sum != (uint64_t)l->entries * (l->entries + 1) / 2)
		fail("find: other names");
	l->moved += n;
}

/* ---- files ---- */

static void op_open(struct load *l, long i)
{
	uint16_t fid = smb_open(&s, l->file, ACCESS, 1);
	struct rd r = smb_words(&s);

	(void)i;
	rd_skip(&r, 55); /* to the end of file */
	if (l->verify && rd_u64(&r) != l->total)
		fail("open: another size");
	smb_close_file(&s, fid);
}

static uint32_t lock(const struct load *l, bool un)
{
	struct wr *w = smb_begin(&s, 0x24, 8);

	wr_u32(w, 0xff);
	wr_u16(w, l->fid);
	wr_u16(w, 0);
	wr_u32(w, 0);
	wr_u16(w, un);
	wr_u16(w, !un);
	w = smb_bytes(&s);
	wr_u16(w, 100);
	wr_u32(w, 10);
	wr_u32(w, 1);
	smb_send(&s);
	return smb_recv(&s, false);
}

static void op_lock(struct load *l, long i)
{
	(void)i;
	if (lock(l, false) || lock(l, true))
		fail("lock: refused");
	if (l->verify && lock(l, true) != NOT_LOCKED)
		fail("lock: it was not let go");
}

static void rename_to(const char *from, const char *to)
{
	struct wr *w = smb_begin(&s, 0x07, 1);

	wr_u16(w, 0x16);
	w = smb_bytes(&s);
	wr_u8(w, 4);
	smb_name(w, from);
	wr_u8(w, 4);
	smb_name(w, to);
	smb_call(&s);
}

void load_delete(const char *name)
{
	struct wr *w = smb_begin(&s, 0x06, 1);

	wr_u16(w, 0x16);
	w = smb_bytes(&s);
	wr_u8(w, 4);
	smb_name(w, name);
	smb_call(&s);
}

/* A file's short life: made, asked for, renamed, asked for by both names, deleted. */
static void op_meta(struct load *l, long i)
{
	char name[128], other[128];

	(void)i;
	snprintf(name, sizeof(name), "%s.new", l->file);
	snprintf(other, sizeof(other), "%s.renamed", l->file);
	smb_close_file(&s, smb_open(&s, name, ACCESS, 2));
	ask_size(name, 0x107);
	if (take_size() != 0)
		fail("meta: a new file is not empty");
	rename_to(name, other);
	not_there(name);
	ask_size(other, 0x107);
	(void)take_size();
	load_delete(other);
	not_there(other);
}

static void op_connect(struct load *l, long i)
{
	(void)i;
	smb_close(&s);
	smb_connect(&s, &l->t);
}

const struct mode name_modes[] = {
	{ "echo", ask_echo, take_echo, NULL, false }, { "stat", ask_stat, take_stat, NULL, false },
	{ "miss", op_miss, NULL, NULL, false },       { "open", op_open, NULL, NULL, false },
	{ "lock", op_lock, NULL, NULL, true },        { "meta", op_meta, NULL, NULL, false },
	{ "find", op_find, NULL, NULL, false },       { "connect", op_connect, NULL, NULL, false },
	{ 0 },
};
