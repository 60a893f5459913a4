/* fuzz_sealed.c - the encrypted transport, in this process, behind a login and a tree connect.
 *
 * The first byte says what the rest is: `T` tokens for level 0x203; `R` and `r` bytes on the wire once encryption is up
 * (NTLMSSP, AEAD); else messages that are sealed as they should be (NTLMSSP, or AEAD if it is a small letter), so
 * that they reach the commands.  Pieces: length u8, bytes. */
#include "base/aead.h"
#include "base/seal.h"
#include "play/local.h"
#include "unit/ntlm_client.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define MEMORY_MAX (8u << 20)
#define FRESH_EVERY 200u
#define CAP_AEAD 0x1000000000000ull

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct world *world;
static struct local local;
static struct seal seal; /* of the client: the two ways are swapped */
static struct aead aead;
static bool modern;

static void end(void) { world_free(&world); }

/* ---- a client ---- */

static void begin(struct wr *w, uint8_t cmd)
{
	wr_zero(w, 4);
	wr_bytes(w, "\xffSMB", 4);
	wr_u8(w, cmd);
	wr_u32(w, 0);
	wr_u8(w, FLAG_CASELESS);
	wr_u16(w, FLAG2_NT_STATUS | FLAG2_LONG_NAMES);
	wr_zero(w, 12);
	wr_u16(w, 1);
	wr_u16(w, 0);
	wr_u16(w, 1);
	wr_u16(w, 1);
}

static void finish(struct wr *w)
{
	wire_frame_write(w->msg, 0, w->pos - 4);
	local_send(&local, w->msg, w->pos);
}

static void say(uint8_t cmd, const char *rest, size_t n)
{
	uint8_t buf[256];
	struct wr w = wr_over(buf, sizeof(buf));

	begin(&w, cmd);
	wr_bytes(&w, rest, n);
	finish(&w);
}

static void login(void)
{
	say(0x72, "\0\x0c\0\x02NT LM 0.12", 15);
	say(0x73, "\x0d\xff\0\0\0\xff\xff\x02\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\x5c\xc0\0\0\x09\0guest\0\0\0\0", 38);
	say(0x75, "\x04\xff\0\0\0\0\0\x01\0\x0d\0\0share\0?????\0", 24);
}

/* SET_FS_INFO of this level. */
static void set_fs(uint16_t level, const uint8_t *d, uint16_t n)
{
	static uint8_t buf[70000];
	struct wr w = wr_over(buf, sizeof(buf));

	begin(&w, 0x32);
	wr_u8(&w, 15);
	for (unsigned i = 0; i < 15; i++)
		wr_u16(&w, (const uint16_t[]){ 4, n, 40, 8000, 0, 0, 0, 0, 0, 4, 68, n, 72, 1, 4 }[i]);
	wr_u16(&w, (uint16_t)(3 + 4 + n));
	wr_zero(&w, 3);
	wr_u16(&w, 0);
	wr_u16(&w, level);
	wr_bytes(&w, d, n);
	finish(&w);
}

static void agree(void)
{
	struct ntlm_client n = ntlmc_new("anna", "WORKGROUP", "secret1");
	struct aead_agreed g = { .offered = 0, .asked = CAP_AEAD };
	static const uint8_t caps[12] = { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0 };
	uint8_t token[4096];
	const uint8_t *at;

	if (modern)
		set_fs(0x200, caps, sizeof(caps));
	n.flags |= SEAL_FLAG_SEAL;
	set_fs(0x203, token, (uint16_t)ntlmc_type1(&n, token, sizeof(token)));
	at = memmem(local.out, local.out_len, "NTLMSSP", 8);
	if (!at || !ntlmc_read_type2(&n, at, (size_t)(local.out + local.out_len - at)))
		abort();
	set_fs(0x203, token, (uint16_t)ntlmc_type3(&n, token, sizeof(token)));
	if (local.over || !local.c->crypt)
		abort();
	seal_start(&seal, n.exported, n.flags);
	seal.out = seal.in; /* what we seal; nothing is opened here */
	at = memmem(local.out, local.out_len, "\1\0\1\0", 4);
	if (!modern)
		return;
	if (!at || (size_t)(local.out + local.out_len - at) < 36)
		abort();
	memcpy(g.salt, at + 4, sizeof(g.salt));
	aead_start(&aead, n.exported, &g);
}

static void send_sealed(const uint8_t *p, size_t n)
{
	uint8_t buf[512];
	struct wr w = wr_over(buf, sizeof(buf));
	uint32_t extra = modern ? 24 : SEAL_SIGNATURE;

	wr_u32(&w, 0);
	wire_frame_write(buf, 0, (uint32_t)(4 + extra + n));
	wr_bytes(&w, modern ? "\xff" "E\1" : "\xff" "E\0", 4);
	memcpy(buf + 8 + extra, p, n);
	if (modern) {
		wr_u64(&w, aead.in.number);
		aead_seal(&aead.in, buf, 16, buf + 32, n, buf + 16);
	} else {
		seal_out(&seal, buf + 24, n, buf + 24, n, buf + 8);
	}
	local_send(&local, buf, 8 + extra + n);
}

/* ---- the target ---- */

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
	return 0;
}

static void pieces(const uint8_t *p, size_t n, bool tokens)
{
	while (n > 0 && !local.over) {
		size_t k = p[0] < n - 1 ? p[0] : n - 1;

		if (tokens)
			set_fs(0x203, p + 1, (uint16_t)k);
		else
			send_sealed(p + 1, k);
		p += 1 + k;
		n -= 1 + k;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static unsigned runs;
	uint8_t kind = size > 0 ? data[0] : 'T';

	if (runs++ % FRESH_EVERY == 0)
		local_refill(world);
	if (!local_open(&local, world))
		abort();
	modern = kind >= 'a';
	login();
	if (kind != 'T')
		agree();
	if (size > 1 && (kind == 'R' || kind == 'r'))
		local_send(&local, data + 1, size - 1);
	else if (size > 1)
		pieces(data + 1, size - 1, kind == 'T');
	if (!local_reply_ok(&local, false) || talloc_total_size(local.c) > MEMORY_MAX)
		abort();
	local_close(&local);
	return 0;
}
