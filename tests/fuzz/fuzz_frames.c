/* fuzz_frames.c - a client's byte stream into a whole connection with a share, in this process.
 *
 * A stream that begins with `L` comes behind a login and a tree connect that have gone well, so that the bytes
 * reach the commands; anything else starts with the first byte on the wire, as the recordings of the stories do. */
#include "play/local.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define MEMORY_MAX (8u << 20)
#define FRESH_EVERY 200u

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct world *world;
static struct local local;
static uint8_t hello[512];
static size_t hello_len;

static void end(void) { world_free(&world); }

/* ---- the good beginning: NEGOTIATE, SESSION_SETUP as guest, TREE_CONNECT_ANDX ---- */

static void begin(struct wr *w, uint32_t *start, uint8_t cmd, uint16_t uid)
{
	wr_zero(w, 4);
	*start = w->pos;
	wr_bytes(w, "\xffSMB", 4);
	wr_u8(w, cmd);
	wr_u32(w, 0);
	wr_u8(w, FLAG_CASELESS);
	wr_u16(w, FLAG2_NT_STATUS | FLAG2_LONG_NAMES);
	wr_zero(w, 16);
	wr_u16(w, uid);
	wr_u16(w, 1);
}

static void finish(struct wr *w, uint32_t start) { wire_frame_write(w->msg + start - 4, 0, w->pos - start); }

static void make_hello(void)
{
	struct wr w = wr_over(hello, sizeof(hello));
	uint32_t start;

	begin(&w, &start, 0x72, 0);
	wr_bytes(&w, "\0\x0c\0\x02NT LM 0.12", 15);
	finish(&w, start);
	begin(&w, &start, 0x73, 0);
	wr_bytes(&w, "\x0d\xff\0\0\0\xff\xff\x02\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\x5c\xc0\0\0\x09\0guest\0\0\0\0", 38);
	finish(&w, start);
	begin(&w, &start, 0x75, 1);
	wr_bytes(&w, "\x04\xff\0\0\0\0\0\x01\0\x0d\0\0share\0?????\0", 24);
	finish(&w, start);
	hello_len = w.pos;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char *why = NULL;

	(void)argc, (void)argv;
	signal(SIGPIPE, SIG_IGN);
	world_drop_root();
	world = world_new(NULL, "lanman auth = yes\n", WORLD_QUIET, &why);
	if (!world) {
		fprintf(stderr, "%s\n", why);
		exit(1);
	}
	atexit(end);
	make_hello();
	if (!local_open(&local, world))
		exit(1);
	local_refill(world);
	local_send(&local, hello, hello_len);
	if (!tree_find(local.c, 1)) {
		fprintf(stderr, "the login behind which the bytes shall come does not work\n");
		exit(1);
	}
	local_close(&local);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static unsigned runs;
	bool logged_in = size > 0 && data[0] == 'L';

	if (runs++ % FRESH_EVERY == 0)
		local_refill(world);
	if (!local_open(&local, world))
		abort();
	if (logged_in) {
		local_send(&local, hello, hello_len);
		data++, size--;
	}
	local_send(&local, data, size);
	/* where a READ_RAW may have been asked, an answer need not be an SMB */
	if (!local_reply_ok(&local, size >= 5 && memmem(data, size, "\xffSMB\x1a", 5)) || talloc_total_size(local.c) > MEMORY_MAX)
		abort();
	local_close(&local);
	return 0;
}
