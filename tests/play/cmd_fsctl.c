/* cmd_fsctl.c - control codes.
 *
 *   fsctl F code=N [d=]
 *   copychunk T K1 K2 K3 [from to len] ... [code= count=N repeat=N]   K1 to K3: the key, as three numbers
 *          -> chunks= bytes= total=
 *   by_owner D UID [anew=0]                                            -> names=
 * And what transactions take (cmd_trans.c). */
#include "base/str.h"
#include "base/util.h"
#include "transact.h"

static struct transact now;

static void start(struct play *p, const struct step *s, uint32_t code)
{
	transact_new(p, &now, 0xa0);
	now.function = 2;
	now.nsetup = 4;
	now.setup[0] = (uint16_t)code;
	now.setup[1] = (uint16_t)(code >> 16);
	now.setup[2] = (uint16_t)arg_pos_num(p, s, 0, 0xffff);
	now.setup[3] = 1;
}

static void build_fsctl(struct play *p, const struct step *s, struct message *m)
{
	size_t n;
	const uint8_t *b = arg_bytes(p, s, "d", &n);

	start(p, s, (uint32_t)arg_num(p, s, "code", 0));
	wr_bytes(&now.d, b, n);
	transact_build(p, s, m, &now);
}

static void parse_fsctl(struct play *p, const struct step *s, const struct block *b)
{
	transact_collect(p, s, &now, b);
}

static void build_copychunk(struct play *p, const struct step *s, struct message *m)
{
	uint32_t n = 0, at;
	struct wr *w = &now.d;

	start(p, s, (uint32_t)arg_num(p, s, "code", 0x1440f2));
	for (unsigned i = 1; i < 4; i++)
		wr_u64(w, arg_pos_num(p, s, i, 0));
	at = wr_tell(w);
	wr_zero(w, 8);
	for (uint64_t round = arg_num(p, s, "repeat", 1); round > 0; round--)
		for (unsigned i = 4; arg_pos_num(p, s, i + 2, UINT64_MAX) != UINT64_MAX; i += 3, n++) {
			wr_u64(w, arg_pos_num(p, s, i, 0));
			wr_u64(w, arg_pos_num(p, s, i + 1, 0));
			wr_u32(w, (uint32_t)arg_pos_num(p, s, i + 2, 0));
			wr_u32(w, 0);
		}
	wr_u32_at(w, at, (uint32_t)arg_num(p, s, "count", n));
	transact_build(p, s, m, &now);
}

static void parse_copychunk(struct play *p, const struct step *s, const struct block *b)
{
	struct rd r;

	if (!transact_collect(p, s, &now, b) || now.rd_len < 12)
		return;
	r = rd_over(now.rd, now.rd_len);
	field_num(p, "chunks", rd_u32(&r));
	field_num(p, "bytes", rd_u32(&r));
	field_num(p, "total", rd_u32(&r));
}

static void build_by_owner(struct play *p, const struct step *s, struct message *m)
{
	start(p, s, 0x9008f);
	wr_u32(&now.d, (uint32_t)arg_num(p, s, "anew", 0));
	wr_bytes(&now.d, "\x01\x02\0\0\0\0\0\x16\x01\0\0\0", 12);
	wr_u32(&now.d, (uint32_t)arg_pos_num(p, s, 1, 0));
	transact_build(p, s, m, &now);
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void parse_by_owner(struct play *p, const struct step *s, const struct block *b)
{
	char *list[64], *names = talloc_strdup(p->step_mem, "");
	size_t n = 0;
	uint32_t at = 0, next;

	if (!transact_collect(p, s, &now, b))
		return;
	for (next = now.rd_len ? 1 : 0; next && n < ARRAY_LEN(list); at += next) {
		struct rd r = rd_over(now.rd, now.rd_len);
		uint32_t len;
		const uint8_t *name;

		rd_seek(&r, at);
		next = rd_u32(&r);
		rd_skip(&r, 4);
		len = rd_u32(&r);
		name = rd_take(&r, len);
		if (!rd_ok(&r)) {
			play_fail(p, "a name inside the data");
			return;
		}
		list[n++] = str_from_utf16(p->step_mem, name, len);
	}
	qsort(list, n, sizeof(*list), by_text);
	for (size_t i = 0; i < n; i++)
		names = talloc_asprintf_append_buffer(names, "%s%s", i ? "," : "", list[i]);
	field_text(p, "names", names);
}

const struct command fsctl_commands[] = {
	{ "fsctl", 0xa0, WORDS(0) | WORDS_FROM(18), build_fsctl, parse_fsctl, NULL },
	{ "copychunk", 0xa0, WORDS_FROM(18), build_copychunk, parse_copychunk, NULL },
	{ "by_owner", 0xa0, WORDS_FROM(18), build_by_owner, parse_by_owner, NULL },
	{ .name = NULL },
};
