/* hash.c - the password mathematics of LAN Manager and Windows NT, by nettle.  MS-NLMP 3.3, 6. */
#include "auth/internal.h"
#include "base/str.h"
#include <nettle/arcfour.h>
#include <nettle/des.h>
#include <nettle/hmac.h>
#include <nettle/md4.h>
#include <nettle/md5.h>
#include <nettle/memops.h>

void auth_md4(const void *p, size_t n, uint8_t out[16])
{
	struct md4_ctx c;

	md4_init(&c);
	md4_update(&c, n, p);
	md4_digest(&c, 16, out);
	str_wipe(&c, sizeof(c));
}

void auth_md5_2(const void *a, size_t na, const void *b, size_t nb, uint8_t out[16])
{
	struct md5_ctx c;

	md5_init(&c);
	md5_update(&c, na, a);
	md5_update(&c, nb, b);
	md5_digest(&c, 16, out);
	str_wipe(&c, sizeof(c));
}

void auth_md5(const void *p, size_t n, uint8_t out[16]) { auth_md5_2(p, n, "", 0, out); }

void auth_hmac_md5_2(const uint8_t *key, size_t klen, const void *a, size_t na, const void *b, size_t nb,
		     uint8_t out[16])
{
	struct hmac_md5_ctx c;

	hmac_md5_set_key(&c, klen, key);
	hmac_md5_update(&c, na, a);
	hmac_md5_update(&c, nb, b);
	hmac_md5_digest(&c, 16, out);
	str_wipe(&c, sizeof(c));
}

void auth_hmac_md5(const uint8_t *key, size_t klen, const void *p, size_t n, uint8_t out[16])
{
	auth_hmac_md5_2(key, klen, p, n, "", 0, out);
}

void auth_rc4(const uint8_t *key, size_t klen, const uint8_t *in, size_t n, uint8_t *out)
{
	struct arcfour_ctx c;

	arcfour_set_key(&c, klen, key);
	arcfour_crypt(&c, n, out, in);
	str_wipe(&c, sizeof(c));
}

bool auth_equal(const void *a, const void *b, size_t n) { return memeql_sec(a, b, n) != 0; }

/* 56 bits spread to the upper seven bits of eight bytes; DES ignores the lowest. */
void auth_des7(const uint8_t key[7], const uint8_t in[8], uint8_t out[8])
{
	struct des_ctx c;
	uint8_t k[8];
	uint64_t bits = 0;

	for (int i = 0; i < 7; i++)
		bits = bits << 8 | key[i];
	for (int i = 0; i < 8; i++)
		k[i] = (uint8_t)(bits >> (49 - 7 * i) << 1);
	/* "weak key" is only advice: the key is set all the same, and passwords do give such keys */
	(void)des_set_key(&c, k);
	des_encrypt(&c, 8, out, in);
	str_wipe(&c, sizeof(c));
	str_wipe(k, sizeof(k));
}

/* The character at *s, alone and with its NUL; moves on. */
static bool next_char(const char **s, char one[5])
{
	const char *from = *s;

	if (str_next(s) == 0)
		return false;
	memset(one, 0, 5);
	memcpy(one, from, (size_t)(*s - from));
	return true;
}

/* Character by character: no copy of the password is made on the way. */
void auth_nt_hash(const char *password, uint8_t out[16])
{
	struct md4_ctx c;
	uint8_t units[4];
	char one[5];

	md4_init(&c);
	while (next_char(&password, one))
		md4_update(&c, str_to_utf16(one, units, sizeof(units)), units);
	md4_digest(&c, 16, out);
	str_wipe(&c, sizeof(c));
	str_wipe(units, sizeof(units));
	str_wipe(one, sizeof(one));
}

/* One character in upper case in the OEM charset; as it is where the capital is not in the page. */
static size_t oem_upper(const char one[5], uint8_t out[8])
{
	char up[5] = { 0 };
	const char *p = one;
	uint32_t c = str_next(&p);

	if (c <= 0xffff)
		c = str_upper_char((uint16_t)c);
	*str_put(up, c) = '\0';
	return str_to_oem(str_fits_oem(up) ? up : one, out, 8);
}

void auth_lm_hash(const char *password, uint8_t out[16])
{
	static const uint8_t magic[8] = { 'K', 'G', 'S', '!', '@', '#', '$', '%' };
	uint8_t key[14] = { 0 }, oem[8];
	size_t used = 0;
	char one[5];

	while (used < sizeof(key) && next_char(&password, one)) {
		size_t n = oem_upper(one, oem);

		for (size_t i = 0; i < n && used < sizeof(key); i++)
			key[used++] = oem[i];
	}
	auth_des7(key, magic, out);
	auth_des7(key + 7, magic, out + 8);
	str_wipe(key, sizeof(key));
	str_wipe(oem, sizeof(oem));
	str_wipe(one, sizeof(one));
}

void auth_des_response(const uint8_t hash[16], const uint8_t challenge[8], uint8_t out[24])
{
	uint8_t key[21] = { 0 };

	memcpy(key, hash, 16);
	for (int i = 0; i < 3; i++)
		auth_des7(key + 7 * i, challenge, out + 8 * i);
	str_wipe(key, sizeof(key));
}
