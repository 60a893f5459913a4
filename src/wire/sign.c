/* sign.c - message signatures: MD5 over key and message, MS-SMB 3.1.4.1. */
#include "wire/wire.h"
#include <nettle/md5.h>

void wire_sign_mac(const uint8_t *key, size_t key_len, const uint8_t *msg, size_t len, uint32_t seq, uint8_t mac[8])
{
	struct md5_ctx md5;
	uint8_t field[8] = { 0 };

	put_u32(field, seq);
	md5_init(&md5);
	md5_update(&md5, key_len, key);
	md5_update(&md5, 14, msg);
	md5_update(&md5, 8, field);
	md5_update(&md5, len - 22, msg + 22);
	md5_digest(&md5, 8, mac);
}
