/* Sealed frames: NTLMSSP without extended session security as a real client and server sent it, and our AEAD form
 * against vectors made by another implementation. */
#include "base/aead.h"
#include "base/cursor.h"
#include "base/seal.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* made by an implementation of its own from docs/encryption.md, RFC 5869 and RFC 8439 */
#define AEAD_BODY "2b565bf016ff6539d2559b025411567715c20d476f403b5f0dbb3f73a0ffd693081e72e0df53c2"
#define AEAD_TAG_WANTED "5a9a8c352794ee83fbd4bf5849276b39"

static size_t unhex(const char *s, uint8_t *out)
{
	size_t n = 0;
	unsigned b;

	for (; sscanf(s, "%2x", &b) == 1; s += 2)
		out[n++] = (uint8_t)b;
	return n;
}

/* Flags 0x62008235; the list of mechanisms is signed by the client, then by us; then it sends its first frame. */
static void test_captured_old(void **state)
{
	static const char list[] = "300c060a2b06010401823702020a";
	uint8_t key[16], mechs[32], mic[16], frame[16], sig[16], wrong[16];
	size_t n = unhex(list, mechs);
	struct seal s;

	(void)state;
	unhex("258127eb2c6b58d1d9cb38a87bd30f64", key);
	unhex("01000000b95a3b419b6dbc73923bc876", mic);
	seal_start(&s, key, 0x62008235);
	assert_false(s.extended);
	assert_true(seal_in(&s, mechs, n, NULL, 0, mic));
	assert_int_equal(seal_expects(&s), 1);
	seal_out(&s, mechs, n, NULL, 0, sig);
	unhex("010000006b887917b47c032291f589dc", mic);
	assert_memory_equal(sig, mic, 16);
	/* anew: what one side seals the other opens, and nothing twice */
	seal_start_signed(&s, key, 0x62008235);
	assert_int_equal(seal_expects(&s), 2);
	memcpy(frame, "0123456789abcdef", 16);
	seal_out(&s, frame, 16, frame, 16, sig);
	memcpy(wrong, frame, 16);
	seal_start_signed(&s, key, 0x62008235);
	assert_true(seal_in(&s, frame, 16, frame, 16, sig));
	assert_memory_equal(frame, "0123456789abcdef", 16);
	assert_false(seal_in(&s, wrong, 16, wrong, 16, sig));
}

static void test_aead(void **state)
{
	struct aead_agreed g = { .offered = 0x10000000001fbull, .asked = 0x1000000000030ull };
	uint8_t key[16], want[64], head[16], body[] = "the message behind its first four bytes", tag[16];
	struct aead a, b;
	struct wr w = wr_over(head, sizeof(head));

	(void)state;
	for (uint8_t i = 0; i < 32; i++)
		g.salt[i] = i;
	for (uint8_t i = 0; i < 16; i++)
		key[i] = (uint8_t)(0xf0 + i);
	wr_u32(&w, 0x43000000);
	wr_bytes(&w, "\xff" "E\1\0", 4);
	wr_u64(&w, 0);
	aead_start(&a, key, &g);
	aead_seal(&a.in, head, sizeof(head), body, 39, tag);
	unhex(AEAD_BODY, want);
	assert_memory_equal(body, want, 39);
	unhex(AEAD_TAG_WANTED, want);
	assert_memory_equal(tag, want, 16);
	aead_start(&b, key, &g);
	assert_true(aead_open(&b.in, head, sizeof(head), body, 39, tag));
	assert_memory_equal(body, "the message behind its first four bytes", 39);
	/* the other way, a changed head, other capabilities: other keys or other tags */
	aead_start(&a, key, &g);
	aead_seal(&a.in, head, sizeof(head), body, 39, tag);
	aead_start(&b, key, &g);
	assert_false(aead_open(&b.out, head, sizeof(head), body, 39, tag));
	head[8] ^= 1;
	assert_false(aead_open(&b.in, head, sizeof(head), body, 39, tag));
	head[8] ^= 1;
	g.offered ^= 0x100;
	aead_start(&b, key, &g);
	assert_false(aead_open(&b.in, head, sizeof(head), body, 39, tag));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_captured_old), cmocka_unit_test(test_aead) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
