/* fuzz_sealed.c - the encrypted transport, in this process, behind a login and a tree connect.
 *
 * The first byte says what the rest is: `T` tokens for level 0x203; `R` and `r` bytes on the wire once encryption is up
 * (NTLMSSP, AEAD); else messages that are sealed as they should be (NTLMSSP, or AEAD if it is a small letter), so
 * that they reach the commands.  Pieces: length u8, bytes. */
#include "client.h"
#include "base/aead.h"
#include "base/seal.h"
#include "unit/ntlm_client.h"
#include <stdlib.h>

#define CAP_AEAD 0x1000000000000ull

static struct local local;
static struct seal seal; /* of the client: the two ways are swapped */
static struct aead aead;
static bool modern;

/* SET_FS_INFO of this level. */
static void set_fs(uint16_t level, const uint8_t *d, uint16_t n)
{
	static uint8_t buf[70000];
	struct wr w = wr_over(buf, sizeof(buf));

	fuzz_begin(&w, 0x32, 1, 1);
	wr_u8(&w, 15);
	for (unsigned i = 0; i < 15; i++)
		wr_u16(&w, (const uint16_t[]){ 4, n, 40, 8000, 0, 0, 0, 0, 0, 4, 68, n, 72, 1, 4 }[i]);
	wr_u16(&w, (uint16_t)(3 + 4 + n));
	wr_zero(&w, 3);
	wr_u16(&w, 0);
	wr_u16(&w, level);
	wr_bytes(&w, d, n);
	fuzz_finish(&w);
	local_send(&local, buf, w.pos);
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
	(void)argc, (void)argv;
	fuzz_start("lanman auth = yes\n");
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
	uint8_t kind = size > 0 ? data[0] : 'T';

	fuzz_connect(&local);
	modern = kind >= 'a';
	fuzz_login(&local);
	if (kind != 'T')
		agree();
	if (size > 1 && (kind == 'R' || kind == 'r'))
		local_send(&local, data + 1, size - 1);
	else if (size > 1)
		pieces(data + 1, size - 1, kind == 'T');
	fuzz_check(&local, false);
	local_close(&local);
	return 0;
}
