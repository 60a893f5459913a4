/* test_auth_record.c - question and verdict there and back; every cut and every turned bit. */
#include "auth/auth.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static struct auth_question sample_question(void)
{
	static const uint8_t lm[24] = { 1, 2, 3 }, nt[300] = { 4, 5, 6 }, key[16] = { 7 }, mic[500] = { 8 };
	struct auth_question q = {
		.user = "anna",
		.domain = "",
		.workstation = "M\xc3\x9cHLE",
		.lm = lm,
		.lm_len = 24,
		.nt = nt,
		.nt_len = 300,
		.challenge = { 9, 9, 9 },
		.ntlmssp_flags = 0x62088215,
		.ntlmssp = true,
		.enc_session_key = key,
		.enc_session_key_len = 16,
		.mic_messages = mic,
		.mic_messages_len = 500,
		.mic = { 10 },
	};

	return q;
}

static void test_question(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct auth_question q = sample_question(), *u;
	size_t n;
	uint8_t *p = auth_question_pack(mem, &q, &n);

	(void)state;
	u = auth_question_unpack(mem, p, n);
	assert_non_null(u);
	assert_string_equal(u->user, "anna");
	assert_string_equal(u->domain, "");
	assert_string_equal(u->workstation, "M\xc3\x9cHLE");
	assert_int_equal(u->lm_len, 24);
	assert_memory_equal(u->lm, q.lm, 24);
	assert_int_equal(u->nt_len, 300);
	assert_memory_equal(u->nt, q.nt, 300);
	assert_memory_equal(u->challenge, q.challenge, 8);
	assert_int_equal(u->ntlmssp_flags, q.ntlmssp_flags);
	assert_true(u->ntlmssp && !u->plaintext && !u->anonymous);
	assert_int_equal(u->enc_session_key_len, 16);
	assert_int_equal(u->mic_messages_len, 500);
	assert_memory_equal(u->mic_messages, q.mic_messages, 500);
	assert_memory_equal(u->mic, q.mic, 16);
	talloc_free(mem);
}

static void test_question_limits(void **state)
{
	static uint8_t big[AUTH_MAX_RESPONSE + 1];
	char name[AUTH_MAX_NAME + 2];
	TALLOC_CTX *mem = talloc_new(NULL);
	struct auth_question q = { .user = name, .domain = "", .workstation = "", .nt = big };
	uint8_t *p;
	size_t n;

	(void)state;
	memset(name, 'n', sizeof(name));
	name[AUTH_MAX_NAME + 1] = '\0';
	p = auth_question_pack(mem, &q, &n);
	assert_null(auth_question_unpack(mem, p, n));
	name[AUTH_MAX_NAME] = '\0';
	q.nt_len = AUTH_MAX_RESPONSE;
	p = auth_question_pack(mem, &q, &n);
	assert_non_null(auth_question_unpack(mem, p, n));
	q.nt_len++;
	p = auth_question_pack(mem, &q, &n);
	assert_null(auth_question_unpack(mem, p, n));
	talloc_free(mem);
}

static struct auth_verdict *sample_verdict(TALLOC_CTX *mem)
{
	struct auth_verdict *v = talloc_zero(mem, struct auth_verdict);

	v->ident = talloc_zero(v, struct ident);
	v->ident->uid = 1000;
	v->ident->gid = 100;
	v->ident->user = "anna";
	v->ident->domain = "HOME";
	v->ident->home = "/home/anna";
	v->ident->ngroups = 3;
	v->ident->groups = talloc_zero_array(v, gid_t, 3);
	v->ident->groups[1] = 27;
	v->ident->groups[2] = 100;
	v->used_lm = true;
	memset(v->session_key, 5, 16);
	memset(v->mac_key, 6, 40);
	v->mac_key_len = 40;
	v->account = "anna";
	v->reason = "because";
	return v;
}

static void test_verdict(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct auth_verdict *v = sample_verdict(mem), *u;
	size_t n;
	uint8_t *p = auth_verdict_pack(mem, v, &n);

	(void)state;
	u = auth_verdict_unpack(mem, p, n);
	assert_non_null(u);
	assert_int_equal(u->status, ST_OK);
	assert_true(u->used_lm && !u->guest && !u->anonymous);
	assert_memory_equal(u->session_key, v->session_key, 16);
	assert_int_equal(u->mac_key_len, 40);
	assert_memory_equal(u->mac_key, v->mac_key, 40);
	assert_string_equal(u->account, "anna");
	assert_string_equal(u->reason, "because");
	assert_int_equal(u->ident->uid, 1000);
	assert_int_equal(u->ident->ngroups, 3);
	assert_int_equal(u->ident->groups[2], 100);
	assert_string_equal(u->ident->home, "/home/anna");
	/* a yes without an identity is none; a no needs none */
	v->ident = NULL;
	p = auth_verdict_pack(mem, v, &n);
	assert_null(auth_verdict_unpack(mem, p, n));
	v->status = ST_LOGON_FAILURE;
	v->account = NULL;
	p = auth_verdict_pack(mem, v, &n);
	u = auth_verdict_unpack(mem, p, n);
	assert_non_null(u);
	assert_null(u->ident);
	assert_null(u->account);
	talloc_free(mem);
}

static void test_damage(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct auth_question q = sample_question();
	size_t nq, nv;
	uint8_t *pq = auth_question_pack(mem, &q, &nq),
		*pv = auth_verdict_pack(mem, sample_verdict(mem), &nv);

	(void)state;
	for (size_t cut = 0; cut < nq; cut++)
		assert_null(auth_question_unpack(mem, pq, cut));
	for (size_t cut = 0; cut < nv; cut++)
		assert_null(auth_verdict_unpack(mem, pv, cut));
	for (size_t bit = 0; bit < nq * 8; bit++) {
		pq[bit / 8] ^= (uint8_t)(1 << bit % 8);
		talloc_free(auth_question_unpack(mem, pq, nq));
		pq[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	for (size_t bit = 0; bit < nv * 8; bit++) {
		struct auth_verdict *v;

		pv[bit / 8] ^= (uint8_t)(1 << bit % 8);
		v = auth_verdict_unpack(mem, pv, nv);
		if (v)
			assert_true(v->mac_key_len <= sizeof(v->mac_key));
		talloc_free(v);
		pv[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_question),
		cmocka_unit_test(test_question_limits),
		cmocka_unit_test(test_verdict),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
