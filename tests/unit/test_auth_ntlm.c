/* test_auth_ntlm.c - every kind of response, right and wrong; vectors of MS-NLMP 4.2. */
#include "auth/internal.h"
#include "base/str.h"
#include "ntlm_client.h"
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

static const uint8_t server[8] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef };
static const uint8_t client[8] = { 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa };
static const struct ntlm_allow all = { true, true, true, true, true };
static struct auth_account account;
static struct ntlm_result res;

static void is_hex(const uint8_t *p, size_t n, const char *hex)
{
	char text[129] = "";

	for (size_t i = 0; i < n; i++)
		snprintf(text + 2 * i, 3, "%02x", p[i]);
	assert_string_equal(text, hex);
}

static int setup(void **state)
{
	const char *why;

	(void)state;
	str_setup("CP850", "UTF-8", &why);
	memset(&account, 0, sizeof(account));
	account.user = "user";
	auth_account_set_password(&account, "Password", true);
	return 0;
}

static struct auth_question plain_question(const uint8_t *lm, uint32_t lm_len, const uint8_t *nt,
					   uint32_t nt_len)
{
	return (struct auth_question){ .user = "User",
				       .domain = "Domain",
				       .workstation = "COMPUTER",
				       .lm = lm,
				       .lm_len = lm_len,
				       .nt = nt,
				       .nt_len = nt_len };
}

/* Right once, then wrong with any bit of the first `proof` bytes of the response turned. */
static void right_then_wrong(struct auth_question *q, uint8_t *response, uint32_t proof, enum ntlm_kind kind)
{
	assert_true(ntlm_check(&account, q, server, &all, &res));
	assert_int_equal(res.kind, kind);
	for (uint32_t bit = 0; bit < proof * 8; bit++) {
		struct ntlm_result wrong;

		response[bit / 8] ^= (uint8_t)(1 << bit % 8);
		assert_false(ntlm_check(&account, q, server, &all, &wrong));
		response[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	assert_false(ntlm_check(&account, q, client, &all, &res)); /* another challenge */
	assert_true(ntlm_check(&account, q, server, &all, &res));
}

static void test_v1(void **state)
{
	uint8_t nt[24];
	struct auth_question q = plain_question(NULL, 0, nt, 24);

	(void)state;
	ntlmc_v1("Password", server, nt);
	is_hex(nt, 24, "67c43011f30298a2ad35ece64f16331c44bdbed927841f94");
	right_then_wrong(&q, nt, 24, NTLM_V1);
	is_hex(res.session_key, 16, "d87262b0cde4b1cb7499becccdf10784");
	assert_ptr_equal(res.response, nt);
	assert_int_equal(res.response_len, 24);
	q = plain_question(nt, 24, NULL, 0); /* in the wrong field */
	assert_true(ntlm_check(&account, &q, server, &all, &res));
	assert_int_equal(res.kind, NTLM_V1);
}

static void test_lm(void **state)
{
	uint8_t lm[24];
	struct auth_question q = plain_question(lm, 24, NULL, 0);

	(void)state;
	ntlmc_lm("PASSWORD", server, lm);
	right_then_wrong(&q, lm, 24, NTLM_LM);
	is_hex(res.session_key, 16, "e52cac67419a9a220000000000000000");
	account.has_lm = false;
	assert_false(ntlm_check(&account, &q, server, &all, &res));
	setup(NULL);
}

static void test_lmv2(void **state)
{
	uint8_t lm[24];
	struct auth_question q = plain_question(lm, 24, NULL, 0);

	(void)state;
	ntlmc_lmv2("User", "Domain", "Password", server, client, lm);
	is_hex(lm, 24, "86c35097ac9cec102554764a57cccc19aaaaaaaaaaaaaaaa");
	right_then_wrong(&q, lm, 24, NTLM_LMV2);
}

/* The blob of MS-NLMP 4.2.4: no time, two names. */
static size_t nlmp_response(uint8_t *nt, size_t cap, const char *domain)
{
	uint8_t info[64];
	struct wr w = wr_over(info, sizeof(info));
	uint8_t owf[16];
	size_t n;

	wr_u16(&w, 2);
	wr_u16(&w, 12);
	wr_bytes(&w, "D\0o\0m\0a\0i\0n\0", 12);
	wr_u16(&w, 1);
	wr_u16(&w, 12);
	wr_bytes(&w, "S\0e\0r\0v\0e\0r\0", 12);
	wr_u32(&w, 0);
	n = ntlmc_v2("User", domain, "Password", server, client, info, wr_tell(&w), nt, cap);
	memset(nt + 24, 0, 8);
	ntlmc_owf2("User", domain, "Password", owf);
	ntlmc_proof(owf, server, nt + 16, n - 16, nt);
	return n;
}

static void test_v2(void **state)
{
	uint8_t nt[256];
	uint32_t n = (uint32_t)nlmp_response(nt, sizeof(nt), "Domain");
	struct auth_question q = plain_question(NULL, 0, nt, n);

	(void)state;
	is_hex(nt, 16, "68cd0ab851e51c96aabc927bebef6a1c");
	right_then_wrong(&q, nt, n, NTLM_V2);
	is_hex(res.session_key, 16, "8de40ccadbc14a82f15cb0ad0de95ca3");
}

static void test_v2_domains(void **state)
{
	static const struct {
		const char *user, *domain, *hashed_user, *hashed_domain;
		bool right;
	} cases[] = {
		{ "User", "Domain", "User", "Domain", true }, { "user", "Domain", "USER", "Domain", true },
		{ "User", "Domain", "User", "DOMAIN", true }, { "User", "Domain", "User", "", true },
		{ "User", "", "User", "", true },             { "Home\\User", "", "User", "Home", true },
		{ "Home\\User", "", "Home\\User", "", true }, { "User@home", "", "User@home", "", true },
		{ "User@home", "", "User", "", true },        { "User", "Domain", "User", "Other", false },
		{ "User", "Domain", "Uter", "Domain", false },
	};
	uint8_t nt[256];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		size_t n = ntlmc_v2(cases[i].hashed_user, cases[i].hashed_domain, "Password", server, client,
				    NULL, 0, nt, sizeof(nt));
		struct auth_question q = plain_question(NULL, 0, nt, (uint32_t)n);

		q.user = cases[i].user;
		q.domain = cases[i].domain;
		assert_int_equal(ntlm_check(&account, &q, server, &all, &res), cases[i].right);
	}
}

static void test_session_form(void **state)
{
	uint8_t lm[24] = { 0 }, nt[24], both[16], eff[16], h[16];
	struct auth_question q = plain_question(lm, 24, nt, 24);

	(void)state;
	memcpy(lm, client, 8);
	memcpy(both, server, 8);
	memcpy(both + 8, client, 8);
	auth_md5(both, 16, eff);
	auth_nt_hash("Password", h);
	auth_des_response(h, eff, nt);
	is_hex(nt, 24, "7537f803ae367128ca458204bde7caf81e97ed2683267232");
	assert_false(ntlm_check(&account, &q, server, &all, &res)); /* not without the flag */
	q.ntlmssp = true;
	q.ntlmssp_flags = NTLMSSP_ESS;
	right_then_wrong(&q, nt, 24, NTLM_SESSION);
	is_hex(res.session_key, 16, "eb93429a8bd952f8b89c55b87f475edc");
}

static void test_key_exchange(void **state)
{
	uint8_t nt[24], lm[24], enc[16], random[16];
	struct auth_question q = plain_question(lm, 24, nt, 24);

	(void)state;
	ntlmc_v1("Password", server, nt);
	ntlmc_lm("Password", server, lm);
	q.ntlmssp = true;
	q.ntlmssp_flags = NTLMSSP_KEY_EXCH;
	memset(random, 0x55, 16);
	ntlmc_rc4((const uint8_t *)"\xd8\x72\x62\xb0\xcd\xe4\xb1\xcb\x74\x99\xbe\xcc\xcd\xf1\x07\x84", 16,
		  random, 16, enc);
	is_hex(enc, 16, "518822b1b3f350c8958682ecbb3e3cb7");
	q.enc_session_key = enc;
	q.enc_session_key_len = 16;
	assert_true(ntlm_check(&account, &q, server, &all, &res));
	assert_memory_equal(res.session_key, random, 16);
	q.enc_session_key_len = 15;
	assert_false(ntlm_check(&account, &q, server, &all, &res));
	assert_true(res.bad_key);
	q.enc_session_key_len = 0;
	q.ntlmssp_flags = NTLMSSP_LM_KEY;
	assert_true(ntlm_check(&account, &q, server, &all, &res));
	is_hex(res.session_key, 16, "b09e379f7fbecb1eaf0afdcb0383c8a0");
}

static void test_not_allowed(void **state)
{
	struct ntlm_allow a = all;
	uint8_t nt[256], lm[24];
	struct auth_question q = plain_question(NULL, 0, nt, 24);

	(void)state;
	ntlmc_v1("Password", server, nt);
	a.v1 = false;
	assert_false(ntlm_check(&account, &q, server, &a, &res));
	assert_int_equal(res.refused, NTLM_V1);
	q.nt_len = (uint32_t)nlmp_response(nt, sizeof(nt), "Domain");
	a = (struct ntlm_allow){ .v2 = true };
	assert_false(ntlm_check(&account, &q, server, &a, &res)); /* raw NTLMv2 auth */
	assert_int_equal(res.refused, NTLM_V2);
	q.ntlmssp = true;
	assert_true(ntlm_check(&account, &q, server, &a, &res));
	a.v2 = false;
	assert_false(ntlm_check(&account, &q, server, &a, &res));
	q = plain_question(lm, 24, NULL, 0);
	ntlmc_lm("Password", server, lm);
	assert_false(ntlm_check(&account, &q, server, &a, &res));
	assert_int_equal(res.refused, NTLM_LM);
	a.lm = true;
	assert_true(ntlm_check(&account, &q, server, &a, &res));
}

/* NTLM off, LM on: a client that sends both gets in by its LM response. */
static void test_second_field_counts(void **state)
{
	struct ntlm_allow a = { .lm = true };
	uint8_t nt[24], lm[24];
	struct auth_question q = plain_question(lm, 24, nt, 24);

	(void)state;
	ntlmc_v1("Password", server, nt);
	ntlmc_lm("Password", server, lm);
	assert_true(ntlm_check(&account, &q, server, &a, &res));
	assert_int_equal(res.kind, NTLM_LM);
	assert_ptr_equal(res.response, lm);
}

static void check_plain(const char *text, size_t n, bool in_nt, bool right)
{
	struct auth_question q = plain_question(NULL, 0, NULL, 0);

	if (in_nt) {
		q.nt = (const uint8_t *)text;
		q.nt_len = (uint32_t)n;
	} else {
		q.lm = (const uint8_t *)text;
		q.lm_len = (uint32_t)n;
	}
	q.plaintext = true;
	assert_int_equal(ntlm_check(&account, &q, server, &all, &res), right);
}

static void test_plaintext(void **state)
{
	(void)state;
	check_plain("Password", 8, false, true);
	check_plain("Password", 9, false, true); /* with its NUL */
	check_plain("P\0a\0s\0s\0w\0o\0r\0d\0", 16, false, true);
	check_plain("P\0a\0s\0s\0w\0o\0r\0d\0", 16, true, true);
	check_plain("PASSWORD", 8, false, true); /* by the LM hash */
	check_plain("Passwort", 8, false, false);
	check_plain("", 0, false, false);
	account.has_lm = false;
	check_plain("PASSWORD", 8, false, false);
	auth_account_set_password(&account, "secret", false);
	check_plain("SECRET", 6, false, true); /* a DOS client's capitals of a small password */
	setup(NULL);
}

/* Odd lengths are simply wrong. */
static void test_lengths(void **state)
{
	uint8_t junk[600];

	(void)state;
	memset(junk, 0x17, sizeof(junk));
	for (uint32_t lm = 0; lm <= 30; lm++)
		for (uint32_t nt = 0; nt <= sizeof(junk); nt += nt < 60 ? 1 : 97)
			for (uint32_t flags = 0; flags < 2; flags++) {
				struct auth_question q = plain_question(junk, lm, junk, nt);

				q.ntlmssp = flags != 0;
				q.ntlmssp_flags = NTLMSSP_ESS | NTLMSSP_KEY_EXCH;
				assert_false(ntlm_check(&account, &q, server, &all, &res));
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_v1),
		cmocka_unit_test(test_lm),
		cmocka_unit_test(test_lmv2),
		cmocka_unit_test(test_v2),
		cmocka_unit_test(test_v2_domains),
		cmocka_unit_test(test_session_form),
		cmocka_unit_test(test_key_exchange),
		cmocka_unit_test(test_not_allowed),
		cmocka_unit_test(test_second_field_counts),
		cmocka_unit_test(test_plaintext),
		cmocka_unit_test(test_lengths),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
