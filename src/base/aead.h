/* aead.h - the modern way to seal frames of the encrypted transport: ChaCha20-Poly1305 (RFC 8439), a key for each way
 * made by HKDF-SHA256 (RFC 5869), numbers of 64 bits as nonces.  docs/encryption.md has it byte by byte. */
#ifndef SMB1D_BASE_AEAD_H
#define SMB1D_BASE_AEAD_H
#include <nettle/chacha-poly1305.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AEAD_TAG 16u
#define AEAD_SALT 32u

struct aead_way {
	struct chacha_poly1305_ctx ctx;
	uint64_t number; /* of the next frame */
};

struct aead {
	struct aead_way in, out; /* of the server; a client swaps them */
};

/* What both sides must have seen alike: if anybody changed it on the way, the keys differ. */
struct aead_agreed {
	uint64_t offered, asked; /* capabilities, of the server and of the client */
	uint8_t salt[AEAD_SALT]; /* the server's */
};

void aead_start(struct aead *a, const uint8_t session_key[16], const struct aead_agreed *g);
/* Encrypts in place under the next number, which is in the head as well. */
void aead_seal(struct aead_way *w, const uint8_t *head, size_t head_len, uint8_t *p, size_t len, uint8_t tag[AEAD_TAG]);
/* False: not sealed by the other side, or not as its next frame; then the bytes are worth nothing. */
bool aead_open(struct aead_way *w, const uint8_t *head, size_t head_len, uint8_t *p, size_t len,
	       const uint8_t tag[AEAD_TAG]);
#endif
