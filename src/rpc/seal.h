/* seal.h - signatures and encryption of NTLMSSP with extended session security.  MS-NLMP 3.4. */
#ifndef SMB1D_RPC_SEAL_H
#define SMB1D_RPC_SEAL_H
#include <nettle/arcfour.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SEAL_SIGNATURE 16u
#define SEAL_FLAG_EXTENDED 0x00080000u
#define SEAL_FLAG_KEY_EXCHANGE 0x40000000u

struct seal_way { /* one direction */
	uint8_t sign_key[16];
	struct arcfour_ctx rc4;
	uint32_t number; /* of the next message */
};

struct seal {
	struct seal_way in, out;
	bool key_exchange;
};

/* False without extended session security: the older way is too weak to be of use. */
bool seal_start(struct seal *s, const uint8_t key[16], uint32_t flags);
/* Signs `whole`; `secret`, a part of it, is encrypted afterwards (NULL: nothing is). */
void seal_out(struct seal *s, const uint8_t *whole, size_t len, uint8_t *secret, size_t secret_len,
	      uint8_t signature[SEAL_SIGNATURE]);
/* Decrypts the secret part in place, then checks.  False: forged, or out of order. */
bool seal_in(struct seal *s, const uint8_t *whole, size_t len, uint8_t *secret, size_t secret_len,
	     const uint8_t signature[SEAL_SIGNATURE]);
#endif
