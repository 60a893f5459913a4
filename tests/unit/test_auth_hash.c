/* test_auth_hash.c - known vectors: RFC 1320, 1321, 2104, MS-NLMP 4.2, and our own capture. */
#include "auth/internal.h"
#include "base/str.h"
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <cmocka.h>

static void is_hex(const uint8_t *p, size_t n, const char *hex)
{
	char text[129] = "";

	for (size_t i = 0; i < n; i++)
		snprintf(text + 2 * i, 3, "%02x", p[i]);
	assert_string_equal(text, hex);
}

static void test_plain_hashes(void **state)
{
	uint8_t h[16];

	(void)state;
	auth_md4("", 0, h);
	is_hex(h, 16, "31d6cfe0d16ae931b73c59d7e0c089c0");
	auth_md4("message digest", 14, h);
	is_hex(h, 16, "d9130a8164549fe818874806e1c7014b");
	auth_md5("message digest", 14, h);
	is_hex(h, 16, "f96b697d7cb7938d525a2f31aaf161d0");
	auth_hmac_md5((const uint8_t *)"Jefe", 4, "what do ya want for nothing?", 28, h);
	is_hex(h, 16, "750c783e6ab0b503eaa86e310a5db738");
	auth_hmac_md5_2((const uint8_t *)"Jefe", 4, "what do ya ", 11, "want for nothing?", 17, h);
	is_hex(h, 16, "750c783e6ab0b503eaa86e310a5db738");
}

static void test_password_hashes(void **state)
{
	uint8_t h[16];

	(void)state;
	auth_nt_hash("", h);
	is_hex(h, 16, "31d6cfe0d16ae931b73c59d7e0c089c0");
	auth_nt_hash("password", h);
	is_hex(h, 16, "8846f7eaee8fb117ad06bdd830b7586c");
	auth_nt_hash("Password", h);
	is_hex(h, 16, "a4f49c406510bdcab6824ee7c30fd852");
	auth_lm_hash("", h);
	is_hex(h, 16, "aad3b435b51404eeaad3b435b51404ee");
	auth_lm_hash("Password", h);
	is_hex(h, 16, "e52cac67419a9a224a3b108f3fa6cb6d");
	auth_lm_hash("pAsSwOrD", h);
	is_hex(h, 16, "e52cac67419a9a224a3b108f3fa6cb6d");
}

/* The OEM code page and its capitals: e-acute is 82 in CP850, its capital 90. */
static void test_lm_charset(void **state)
{
	static const uint8_t magic[8] = { 'K', 'G', 'S', '!', '@', '#', '$', '%' };
	const uint8_t first[7] = { 0x90, 'A' }, second[7] = { 0 };
	uint8_t h[16], want[16];
	const char *why;

	(void)state;
	assert_true(str_setup("CP850", "UTF-8", &why));
	auth_des7(first, magic, want);
	auth_des7(second, magic, want + 8);
	auth_lm_hash("\xc3\xa9" "a", h);
	assert_memory_equal(h, want, 16);
	auth_lm_hash("\xc3\x89" "A", h);
	assert_memory_equal(h, want, 16);
	/* more than 14 characters: only the first 14 count */
	auth_lm_hash("12345678901234", h);
	auth_lm_hash("123456789012345", want);
	assert_memory_equal(h, want, 16);
}

static void test_wide_passwords(void **state)
{
	uint8_t h[16], want[16];
	const uint8_t utf16[] = { 0xe9, 0x00, 0x3d, 0xd8, 0x00, 0xde };

	(void)state;
	auth_nt_hash("\xc3\xa9\xf0\x9f\x98\x80", h);
	auth_md4(utf16, sizeof(utf16), want);
	assert_memory_equal(h, want, 16);
}

static void test_des_response(void **state)
{
	static const uint8_t challenge[8] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef };
	uint8_t h[16], r[24];

	(void)state;
	auth_nt_hash("Password", h);
	auth_des_response(h, challenge, r);
	is_hex(r, 24, "67c43011f30298a2ad35ece64f16331c44bdbed927841f94");
	auth_lm_hash("Password", h);
	auth_des_response(h, challenge, r);
	is_hex(r, 24, "98def7b87f88aa5dafe2df779688a172def11c7d5ccdef13");
}

/* A session of a real client: smbuser, WORKGROUP, pass1. */
static void test_captured_session(void **state)
{
	static const uint8_t proof[16] = { 0x5d, 0x06, 0x8d, 0xfb, 0xa6, 0xac, 0xf8, 0xb7,
					   0x09, 0x2a, 0x21, 0x4a, 0x37, 0x42, 0x0e, 0xaa };
	static const uint8_t enc[16] = { 0xcd, 0xeb, 0x8a, 0x39, 0x3d, 0x42, 0x8a, 0xd6,
					 0xe4, 0x53, 0x13, 0x06, 0x0b, 0xd7, 0x21, 0x3d };
	static const uint8_t mechs[14] = { 0x30, 0x0c, 0x06, 0x0a, 0x2b, 0x06, 0x01, 0x04,
					   0x01, 0x82, 0x37, 0x02, 0x02, 0x0a };
	uint8_t nt[16], owf[16], key[16], exported[16], sig[16], name[64];
	static const uint8_t from_client[16] = { 1, 0, 0, 0, 0xd4, 0x93, 0x30, 0x83,
						 0xc3, 0xbd, 0xb5, 0x6d, 0, 0, 0, 0 };
	size_t n = str_to_utf16("SMBUSERWORKGROUP", name, sizeof(name));
	struct seal seal;

	(void)state;
	auth_nt_hash("pass1", nt);
	auth_hmac_md5(nt, 16, name, n, owf);
	auth_hmac_md5(owf, 16, proof, 16, key);
	auth_rc4(key, 16, enc, 16, exported);
	is_hex(exported, 16, "78d59b9a65bf87a122c6ed25acf9fddb");
	seal_start(&seal, exported, 0x62088215);
	assert_true(seal_in(&seal, mechs, sizeof(mechs), NULL, 0, from_client));
	seal_out(&seal, mechs, sizeof(mechs), NULL, 0, sig);
	is_hex(sig, 16, "01000000abeba561f362c91d00000000");
	assert_false(seal_in(&seal, mechs, sizeof(mechs), NULL, 0, from_client)); /* twice */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain_hashes), cmocka_unit_test(test_password_hashes),
		cmocka_unit_test(test_lm_charset), cmocka_unit_test(test_wide_passwords),
		cmocka_unit_test(test_des_response), cmocka_unit_test(test_captured_session),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
