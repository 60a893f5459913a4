/* seal.c - signatures and encryption of NTLMSSP.
 *
 *   signature: version u32 1, first 8 bytes of HMAC-MD5(signing key, number || message), number u32
 *              (the eight are encrypted too where a key was exchanged, behind the message in the same stream)
 *   without extended session security: version u32 1, then encrypted: 0 u32, CRC-32 of the message, number u32 */
#include "base/seal.h"
#include "base/cursor.h"
#include "base/str.h"
#include <nettle/hmac.h>
#include <nettle/md5.h>
#include <nettle/memops.h>

#define FLAG_128 0x20000000u
#define FLAG_56 0x80000000u

static void derive(const uint8_t *key, size_t len, const char *magic, uint8_t out[16])
{
	struct md5_ctx c;

	md5_init(&c);
	md5_update(&c, len, key);
	md5_update(&c, strlen(magic) + 1, (const uint8_t *)magic); /* the NUL counts */
	md5_digest(&c, 16, out);
}

static void way_start(struct seal_way *w, const uint8_t key[16], size_t strength, const char *sign, const char *seal)
{
	uint8_t rc4[16];

	derive(key, 16, sign, w->sign_key);
	derive(key, strength, seal, rc4);
	arcfour_set_key(&w->rc4, sizeof(rc4), rc4);
	w->number = 0;
	str_wipe(rc4, sizeof(rc4));
}

void seal_start(struct seal *s, const uint8_t key[16], uint32_t flags)
{
	size_t strength = flags & FLAG_128 ? 16 : flags & FLAG_56 ? 7 : 5;

	s->extended = flags & SEAL_FLAG_EXTENDED;
	s->key_exchange = flags & SEAL_FLAG_KEY_EXCHANGE;
	way_start(&s->in, key, strength, "session key to client-to-server signing key magic constant",
		  "session key to client-to-server sealing key magic constant");
	way_start(&s->out, key, strength, "session key to server-to-client signing key magic constant",
		  "session key to server-to-client sealing key magic constant");
	if (!s->extended) /* the key itself; it is weakened only together with an LM key, which we never offer */
		arcfour_set_key(&s->in.rc4, 16, key);
}

void seal_start_signed(struct seal *s, const uint8_t key[16], uint32_t flags)
{
	seal_start(s, key, flags);
	s->in.number = s->extended ? 1 : 2;
	s->out.number = 1;
}

uint32_t seal_expects(const struct seal *s) { return s->in.number; }

static uint32_t crc32_of(const uint8_t *p, size_t len)
{
	uint32_t crc = ~0u;

	for (; len > 0; len--) {
		crc ^= *p++;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

/* What comes first: made of the message in the clear. */
static void checksum(const struct seal *s, const struct seal_way *w, const uint8_t *whole, size_t len, uint8_t out[8])
{
	struct hmac_md5_ctx c;
	uint8_t number[4];

	if (!s->extended) {
		put_u32(out, 0);
		put_u32(out + 4, crc32_of(whole, len));
		return;
	}
	put_u32(number, w->number);
	hmac_md5_set_key(&c, sizeof(w->sign_key), w->sign_key);
	hmac_md5_update(&c, sizeof(number), number);
	hmac_md5_update(&c, len, whole);
	hmac_md5_digest(&c, 8, out);
	str_wipe(&c, sizeof(c));
}

static void signature_of(struct seal *s, struct seal_way *w, const uint8_t sum[8], uint8_t out[SEAL_SIGNATURE])
{
	put_u32(out, 1);
	memcpy(out + 4, sum, 8);
	put_u32(out + 12, w->number++);
	if (!s->extended)
		arcfour_crypt(&w->rc4, 12, out + 4, out + 4);
	else if (s->key_exchange)
		arcfour_crypt(&w->rc4, 8, out + 4, out + 4);
}

void seal_out(struct seal *s, const uint8_t *whole, size_t len, uint8_t *secret, size_t secret_len,
	      uint8_t signature[SEAL_SIGNATURE])
{
	struct seal_way *w = s->extended ? &s->out : &s->in;
	uint8_t sum[8];

	checksum(s, w, whole, len, sum);
	if (secret != NULL)
		arcfour_crypt(&w->rc4, secret_len, secret, secret);
	signature_of(s, w, sum, signature);
}

bool seal_in(struct seal *s, const uint8_t *whole, size_t len, uint8_t *secret, size_t secret_len,
	     const uint8_t signature[SEAL_SIGNATURE])
{
	struct seal_way *w = &s->in;
	uint8_t sum[8], want[SEAL_SIGNATURE];

	if (secret != NULL)
		arcfour_crypt(&w->rc4, secret_len, secret, secret);
	checksum(s, w, whole, len, sum);
	signature_of(s, w, sum, want);
	return memeql_sec(want, signature, sizeof(want)) != 0;
}
