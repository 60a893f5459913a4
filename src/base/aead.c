/* aead.c - ChaCha20-Poly1305 for frames. */
#include "base/aead.h"
#include "base/cursor.h"
#include "base/str.h"
#include <nettle/hkdf.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>

#define LABEL "smb1d sealed frames 1"

static void way_start(struct aead_way *w, struct hmac_sha256_ctx *prk, const char *way, const struct aead_agreed *g)
{
	uint8_t info[64], key[CHACHA_POLY1305_KEY_SIZE];
	struct wr i = wr_over(info, sizeof(info));

	wr_bytes(&i, LABEL, sizeof(LABEL)); /* both with their NUL */
	wr_bytes(&i, way, 4);
	wr_u64(&i, g->offered);
	wr_u64(&i, g->asked);
	hkdf_expand(prk, (nettle_hash_update_func *)hmac_sha256_update, (nettle_hash_digest_func *)hmac_sha256_digest,
		    SHA256_DIGEST_SIZE, wr_tell(&i), info, sizeof(key), key);
	chacha_poly1305_set_key(&w->ctx, key);
	w->number = 0;
	str_wipe(key, sizeof(key));
}

void aead_start(struct aead *a, const uint8_t session_key[16], const struct aead_agreed *g)
{
	struct hmac_sha256_ctx c;
	uint8_t prk[SHA256_DIGEST_SIZE];

	hmac_sha256_set_key(&c, AEAD_SALT, g->salt);
	hkdf_extract(&c, (nettle_hash_update_func *)hmac_sha256_update, (nettle_hash_digest_func *)hmac_sha256_digest,
		     sizeof(prk), 16, session_key, prk);
	hmac_sha256_set_key(&c, sizeof(prk), prk);
	way_start(&a->in, &c, "c2s", g);
	way_start(&a->out, &c, "s2c", g);
	str_wipe(prk, sizeof(prk));
	str_wipe(&c, sizeof(c));
}

static void next(struct aead_way *w, const uint8_t *head, size_t head_len)
{
	uint8_t nonce[CHACHA_POLY1305_NONCE_SIZE] = { 0 };
	struct wr n = wr_over(nonce, sizeof(nonce));

	wr_u32(&n, 0);
	wr_u64(&n, w->number++);
	chacha_poly1305_set_nonce(&w->ctx, nonce);
	chacha_poly1305_update(&w->ctx, head_len, head);
}

void aead_seal(struct aead_way *w, const uint8_t *head, size_t head_len, uint8_t *p, size_t len, uint8_t tag[AEAD_TAG])
{
	next(w, head, head_len);
	chacha_poly1305_encrypt(&w->ctx, len, p, p);
	chacha_poly1305_digest(&w->ctx, AEAD_TAG, tag);
}

bool aead_open(struct aead_way *w, const uint8_t *head, size_t head_len, uint8_t *p, size_t len,
	       const uint8_t tag[AEAD_TAG])
{
	uint8_t want[AEAD_TAG];

	next(w, head, head_len);
	chacha_poly1305_decrypt(&w->ctx, len, p, p);
	chacha_poly1305_digest(&w->ctx, sizeof(want), want);
	return memeql_sec(want, tag, sizeof(want)) != 0;
}
