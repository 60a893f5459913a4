/* seal.h - signatures and encryption of NTLMSSP, for what is agreed on inside a login: pipes, the encrypted transport.
 * MS-NLMP 3.4.  We are the server: `in` is what the client seals (a client of ours swaps the two). */
#ifndef SMB1D_BASE_SEAL_H
#define SMB1D_BASE_SEAL_H
#include <nettle/arcfour.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SEAL_SIGNATURE 16u
#define SEAL_FLAG_SIGN 0x00000010u
#define SEAL_FLAG_SEAL 0x00000020u
#define SEAL_FLAG_EXTENDED 0x00080000u
#define SEAL_FLAG_KEY_EXCHANGE 0x40000000u

struct seal_way { /* one direction */
	uint8_t sign_key[16];
	struct arcfour_ctx rc4;
	uint32_t number; /* of the next message */
};

struct seal {
	struct seal_way in, out; /* without extended session security `in` serves both ways */
	bool extended;           /* else the checksum is a CRC, and both ways share one stream and one number: whoever
				  * sits on the wire can change bits unseen, and requests must wait for replies */
	bool key_exchange;
};

void seal_start(struct seal *s, const uint8_t key[16], uint32_t flags);
/* Behind SPNEGO's signatures over the list of mechanisms, one each way: the numbers go on, the streams begin anew. */
void seal_start_signed(struct seal *s, const uint8_t key[16], uint32_t flags);
/* The number the next message of the client must have. */
uint32_t seal_expects(const struct seal *s);
/* Signs `whole`; `secret`, a part of it, is encrypted afterwards (NULL: nothing is). */
void seal_out(struct seal *s, const uint8_t *whole, size_t len, uint8_t *secret, size_t secret_len,
	      uint8_t signature[SEAL_SIGNATURE]);
/* Decrypts the secret part in place, then checks.  False: forged, or out of order. */
bool seal_in(struct seal *s, const uint8_t *whole, size_t len, uint8_t *secret, size_t secret_len,
	     const uint8_t signature[SEAL_SIGNATURE]);
#endif
