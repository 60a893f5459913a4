/* client.c - see client.h. */
#include "client.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define FRESH_EVERY 200u

struct world *fuzz_world;

static void end(void) { world_free(&fuzz_world); }

void fuzz_start(const char *conf)
{
	char *why = NULL;

	signal(SIGPIPE, SIG_IGN);
	world_drop_root();
	fuzz_world = world_new(NULL, conf, WORLD_QUIET, &why);
	if (!fuzz_world) {
		fprintf(stderr, "%s\n", why);
		exit(1);
	}
	atexit(end);
}

void fuzz_connect(struct local *l)
{
	static unsigned runs;

	if (runs++ % FRESH_EVERY == 0)
		local_refill(fuzz_world);
	if (!local_open(l, fuzz_world))
		abort();
}

void fuzz_check(const struct local *l, bool raw)
{
	if (!local_reply_ok(l, raw) || talloc_total_size(l->c) > FUZZ_MEMORY_MAX)
		abort();
}

void fuzz_begin(struct wr *w, uint8_t cmd, uint16_t uid, uint16_t tid)
{
	wr_zero(w, 4);
	wr_bytes(w, "\xffSMB", 4);
	wr_u8(w, cmd);
	wr_u32(w, 0);
	wr_u8(w, FLAG_CASELESS);
	wr_u16(w, FLAG2_NT_STATUS | FLAG2_LONG_NAMES);
	wr_zero(w, 12);
	wr_u16(w, tid);
	wr_u16(w, 0);
	wr_u16(w, uid);
	wr_u16(w, 1);
}

void fuzz_finish(const struct wr *w) { wire_frame_write(w->msg, NBT_MESSAGE, w->pos - 4); }

static void say(struct local *l, uint8_t cmd, const char *rest, size_t n)
{
	uint8_t buf[256];
	struct wr w = wr_over(buf, sizeof(buf));

	fuzz_begin(&w, cmd, cmd == 0x75, 0);
	wr_bytes(&w, rest, n);
	fuzz_finish(&w);
	local_send(l, buf, w.pos);
}

void fuzz_login(struct local *l)
{
	say(l, 0x72, "\0\x0c\0\x02NT LM 0.12", 15);
	say(l, 0x73, "\x0d\xff\0\0\0\xff\xff\x02\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\x5c\xc0\0\0\x09\0guest\0\0\0\0", 38);
	say(l, 0x75, "\x04\xff\0\0\0\0\0\x01\0\x0d\0\0share\0?????\0", 24);
	if (!tree_find(l->c, 1)) {
		fprintf(stderr, "the login behind which the bytes shall come does not work\n");
		exit(1);
	}
}
