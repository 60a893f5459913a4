/* test_auth_talk.c - NTLMSSP and SPNEGO conversations with the client of ntlm_client.h; then the
 * same messages cut at every length and with every bit turned. */
#include "auth/internal.h"
#include "auth/talk.h"
#include "base/log.h"
#include "ntlm_client.h"
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

static const struct auth_talk_server server = { .netbios_name = "TESTSRV", .domain = "WORKGROUP",
						.dns_name = "testsrv.example", .dns_domain = "",
						.challenge = { 1, 2, 3, 4, 5, 6, 7, 8 } };
static const struct ntlm_allow all = { true, true, true, true, true };

/* One side of a conversation and what it came to. */
struct play {
	struct auth_talk *t;
	struct ntlm_client c;
	uint8_t blob[9000], mechs[128];
	size_t len, mechs_len, reply_len;
	uint8_t *reply;
	const struct auth_question *q;
};

static struct play *start(struct ntlm_client c)
{
	struct play *p = talloc_zero(NULL, struct play);

	p->t = auth_talk_new(p, &server);
	p->c = c;
	return p;
}

static status_t step(struct play *p)
{
	return auth_talk_step(p->t, p, p->blob, p->len, &p->reply, &p->reply_len, &p->q);
}

static void say_type1(struct play *p, const char *oids)
{
	uint8_t msg[512];
	size_t n = ntlmc_type1(&p->c, msg, sizeof(msg));

	if (oids) {
		p->mechs_len = spnegoc_mechs(p->mechs, oids);
		p->len = spnegoc_init(p->blob, oids, msg, n);
	} else {
		memcpy(p->blob, msg, n);
		p->len = n;
	}
}

static void hear_type2(struct play *p, bool wrapped)
{
	struct spnegoc_reply r;

	if (!wrapped) {
		assert_true(ntlmc_read_type2(&p->c, p->reply, p->reply_len));
		return;
	}
	assert_true(spnegoc_read(p->reply, p->reply_len, &r));
	assert_int_equal(r.state, 1);
	assert_int_equal(r.mic_len, 0);
	assert_true(ntlmc_read_type2(&p->c, r.token, r.token_len));
}

static void say_type3(struct play *p, bool wrapped, bool mic)
{
	uint8_t msg[8192], sig[16];
	size_t n = ntlmc_type3(&p->c, msg, sizeof(msg));

	assert_true(n > 0);
	if (mic)
		ntlmc_mech_mic(&p->c, false, p->mechs, p->mechs_len, sig);
	if (wrapped) {
		p->len = spnegoc_resp(p->blob, msg, n, mic ? sig : NULL);
	} else {
		memcpy(p->blob, msg, n);
		p->len = n;
	}
}

/* Up to the question. */
static status_t converse(struct play *p, const char *oids, bool mic)
{
	say_type1(p, oids);
	assert_int_equal(step(p), ST_MORE_PROCESSING_REQUIRED);
	hear_type2(p, oids != NULL);
	say_type3(p, oids != NULL, mic);
	return step(p);
}

static struct auth_account account_of(const char *password)
{
	struct auth_account a = { .user = "anna" };

	auth_account_set_password(&a, password, true);
	return a;
}

/* The keeper's part, by the mathematics alone. */
static bool judge(struct play *p, struct auth_verdict *v)
{
	struct auth_account a = account_of("secret");
	struct ntlm_result r;

	memset(v, 0, sizeof(*v));
	if (!ntlm_check(&a, p->q, server.challenge, &all, &r))
		return false;
	memcpy(v->session_key, r.session_key, 16);
	return true;
}

static void finish_raw(struct play *p)
{
	struct auth_verdict *v = talloc_zero(p, struct auth_verdict);

	assert_non_null(p->q);
	assert_true(judge(p, v));
	assert_memory_equal(v->session_key, p->c.exported, 16);
	assert_true(auth_talk_finish(p->t, p, v, &p->reply, &p->reply_len));
	assert_int_equal(p->reply_len, 0);
}

static void finish_wrapped(struct play *p, bool mic)
{
	struct auth_verdict *v = talloc_zero(p, struct auth_verdict);
	struct spnegoc_reply r;
	uint8_t sig[16];

	assert_non_null(p->q);
	assert_true(judge(p, v));
	assert_memory_equal(v->session_key, p->c.exported, 16);
	assert_true(auth_talk_finish(p->t, p, v, &p->reply, &p->reply_len));
	assert_true(spnegoc_read(p->reply, p->reply_len, &r));
	assert_int_equal(r.state, 0);
	assert_int_equal(r.token_len, 0);
	assert_int_equal(r.mic_len, mic ? 16 : 0);
	if (mic) {
		ntlmc_mech_mic(&p->c, true, p->mechs, p->mechs_len, sig);
		assert_memory_equal(r.mic, sig, 16);
	}
}

static void test_hello(void **state)
{
	static const char want[] =
		"\x60\x48\x06\x06\x2b\x06\x01\x05\x05\x02\xa0\x3e\x30\x3c\xa0\x0e\x30\x0c" SPNEGOC_NTLMSSP
		"\xa3\x2a\x30\x28\xa0\x26\x1b\x24not_defined_in_RFC4178@please_ignore";
	uint8_t out[128];

	(void)state;
	assert_int_equal(auth_spnego_hello(out, sizeof(out)), sizeof(want) - 1);
	assert_memory_equal(out, want, sizeof(want) - 1);
	assert_int_equal(auth_spnego_hello(out, sizeof(want) - 2), 0);
}

static void test_raw(void **state)
{
	static const enum ntlmc_kind kinds[] = { NTLMC_KIND_V2, NTLMC_KIND_V1, NTLMC_KIND_SESSION,
						 NTLMC_KIND_LM };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct ntlm_client c = ntlmc_new("anna", "HOME", "secret");
		struct play *p;

		c.kind = kinds[i];
		if (kinds[i] == NTLMC_KIND_V1 || kinds[i] == NTLMC_KIND_LM)
			c.flags &= ~NTLMC_ESS;
		p = start(c);
		assert_int_equal(converse(p, NULL, false), ST_OK);
		assert_string_equal(p->q->user, "anna");
		assert_string_equal(p->q->domain, "HOME");
		assert_string_equal(p->q->workstation, "TESTPC");
		assert_true(p->q->ntlmssp);
		assert_false(p->q->anonymous);
		finish_raw(p);
		talloc_free(p);
	}
}

static void test_challenge_fields(void **state)
{
	static const uint16_t order[] = { 2, 1, 4, 3, 7, 0 };
	struct play *p = start(ntlmc_new("anna", "HOME", "secret"));
	struct rd r;

	(void)state;
	say_type1(p, NULL);
	assert_int_equal(step(p), ST_MORE_PROCESSING_REQUIRED);
	hear_type2(p, false);
	assert_int_equal(p->c.flags, 0x628a8215);
	assert_memory_equal(p->c.challenge, server.challenge, 8);
	r = rd_over(p->c.info, p->c.info_len);
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(rd_u16(&r), order[i]);
		rd_skip(&r, rd_u16(&r));
	}
	assert_true(rd_ok(&r));
	assert_int_equal(rd_left(&r), 0);
	talloc_free(p);
}

static void test_spnego(void **state)
{
	struct play *p;

	(void)state;
	for (int mic = 0; mic < 2; mic++) {
		struct ntlm_client c = ntlmc_new("anna", "HOME", "secret");

		c.mic = mic != 0;
		p = start(c);
		assert_int_equal(converse(p, SPNEGOC_NTLMSSP, mic != 0), ST_OK);
		assert_int_equal(p->q->mic_messages_len > 0, mic);
		finish_wrapped(p, mic != 0);
		talloc_free(p);
	}
}

/* 56 and 40 bit, and without key exchange: other keys for the signature. */
static void test_weaker_keys(void **state)
{
	static const uint32_t off[] = { NTLMC_128, NTLMC_KEY_EXCH, NTLMC_128 | NTLMC_KEY_EXCH };

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		struct ntlm_client c = ntlmc_new("anna", "HOME", "secret");
		struct play *p;

		c.flags = (c.flags & ~off[i % 3]) | (i > 2 ? 0x80000000u : 0);
		p = start(c);
		assert_int_equal(converse(p, SPNEGOC_NTLMSSP, true), ST_OK);
		finish_wrapped(p, true);
		talloc_free(p);
	}
}

static void test_wrong_mics(void **state)
{
	struct auth_verdict *v = talloc_zero(NULL, struct auth_verdict);
	struct ntlm_client c = ntlmc_new("anna", "HOME", "secret");
	struct play *p = start(c);

	(void)state;
	assert_int_equal(converse(p, SPNEGOC_NTLMSSP, true), ST_OK);
	assert_true(judge(p, v));
	v->session_key[0] ^= 1; /* as if the list had been changed */
	assert_false(auth_talk_finish(p->t, p, v, &p->reply, &p->reply_len));
	talloc_free(p);
	/* a guest's signature cannot be checked and is not answered */
	p = start(c);
	assert_int_equal(converse(p, SPNEGOC_NTLMSSP, true), ST_OK);
	memset(v, 0, sizeof(*v));
	v->guest = true;
	assert_true(auth_talk_finish(p->t, p, v, &p->reply, &p->reply_len));
	assert_int_equal(p->reply_len, 9);
	assert_memory_equal(p->reply, "\xa1\x07\x30\x05\xa0\x03\x0a\x01\x00", 9);
	talloc_free(p);
	/* the MIC of NTLMSSP: one bit of the first message changed on the way */
	c.mic = true;
	p = start(c);
	say_type1(p, NULL);
	p->blob[15] ^= 0x80; /* the 56-bit flag */
	assert_int_equal(step(p), ST_MORE_PROCESSING_REQUIRED);
	hear_type2(p, false);
	say_type3(p, false, false);
	assert_int_equal(step(p), ST_OK);
	assert_false(judge(p, v));
	talloc_free(p);
	talloc_free(v);
}

/* Kerberos first, as Windows and MIT put it: we name NTLMSSP, they begin anew. */
static void test_kerberos_first(void **state)
{
	static const char *const lists[] = { SPNEGOC_KRB5 SPNEGOC_NTLMSSP,
					     SPNEGOC_MSKRB5 SPNEGOC_KRB5 SPNEGOC_NTLMSSP,
					     SPNEGOC_NEGOEX SPNEGOC_MSKRB5 SPNEGOC_NTLMSSP };

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		struct play *p = start(ntlmc_new("anna", "HOME", "secret"));
		struct spnegoc_reply r;
		uint8_t msg[512];
		size_t n;

		p->mechs_len = spnegoc_mechs(p->mechs, lists[i % 3]);
		p->len = spnegoc_init(p->blob, lists[i % 3],
				      i > 2 ? (const uint8_t *)"\x60\x03\x02\x01\x05" : NULL, 5);
		assert_int_equal(step(p), ST_MORE_PROCESSING_REQUIRED);
		assert_true(spnegoc_read(p->reply, p->reply_len, &r));
		assert_int_equal(r.state, i % 3 == 2 ? 3 : 1);
		assert_true(r.names_ntlmssp);
		assert_int_equal(r.token_len, 0);
		n = ntlmc_type1(&p->c, msg, sizeof(msg));
		p->len = spnegoc_resp(p->blob, msg, n, NULL);
		assert_int_equal(step(p), ST_MORE_PROCESSING_REQUIRED);
		hear_type2(p, true);
		say_type3(p, true, true);
		assert_int_equal(step(p), ST_OK);
		finish_wrapped(p, true);
		talloc_free(p);
	}
}

/* XP: Kerberos in the list but NTLMSSP's token at once. */
static void test_ntlmssp_token_at_once(void **state)
{
	struct play *p = start(ntlmc_new("anna", "HOME", "secret"));

	(void)state;
	assert_int_equal(converse(p, SPNEGOC_MSKRB5 SPNEGOC_KRB5 SPNEGOC_NTLMSSP, false), ST_OK);
	finish_wrapped(p, false);
	talloc_free(p);
}

static void test_no_ntlmssp(void **state)
{
	struct play *p = start(ntlmc_new("anna", "HOME", "secret"));

	(void)state;
	p->len = spnegoc_init(p->blob, SPNEGOC_KRB5, NULL, 0);
	assert_int_equal(step(p), ST_LOGON_FAILURE);
	assert_int_equal(step(p), ST_INVALID_PARAMETER); /* and it is over */
	talloc_free(p);
}

/* Windows 95 and NT 4: short messages, OEM text, no key, no flags. */
static void test_old_clients(void **state)
{
	static const uint32_t stops[] = { 52, 60, 64, 72 };

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		struct ntlm_client c = ntlmc_new("ANNA", "HOME", "secret");
		struct play *p;

		c.kind = NTLMC_KIND_V1;
		c.flags = NTLMC_NTLM | NTLMC_TARGET | (i > 3 ? NTLMC_UNICODE : NTLMC_OEM);
		c.stop_at = stops[i % 4];
		p = start(c);
		assert_int_equal(converse(p, i % 2 ? SPNEGOC_NTLMSSP : NULL, false), ST_OK);
		assert_string_equal(p->q->user, "ANNA");
		assert_string_equal(p->q->workstation, "TESTPC");
		assert_int_equal(p->q->enc_session_key_len, 0);
		if (i % 2)
			finish_wrapped(p, false);
		else
			finish_raw(p);
		talloc_free(p);
	}
}

static void test_twelve_bytes(void **state)
{
	struct play *p = start(ntlmc_new("ANNA", "HOME", "secret"));

	(void)state;
	memcpy(p->blob, "NTLMSSP\0\1\0\0\0", 12);
	p->len = 12;
	assert_int_equal(step(p), ST_MORE_PROCESSING_REQUIRED);
	talloc_free(p);
}

static void test_anonymous(void **state)
{
	struct ntlm_client c = ntlmc_new("", "", "");
	struct play *p;

	(void)state;
	c.kind = NTLMC_KIND_NONE;
	p = start(c);
	assert_int_equal(converse(p, SPNEGOC_NTLMSSP, false), ST_OK);
	assert_true(p->q->anonymous);
	talloc_free(p);
}

static void test_empty_first_blob(void **state)
{
	struct play *p = start(ntlmc_new("anna", "HOME", "secret"));

	(void)state;
	assert_int_equal(step(p), ST_MORE_PROCESSING_REQUIRED);
	assert_int_equal(p->reply_len, 0x4a);
	assert_int_equal(converse(p, NULL, false), ST_OK);
	finish_raw(p);
	talloc_free(p);
}

static void test_long_names(void **state)
{
	char name[300];
	struct ntlm_client c = ntlmc_new("anna", "HOME", "secret");
	struct play *p;

	(void)state;
	memset(name, 'w', sizeof(name));
	name[63] = '\0';
	c.workstation = name;
	p = start(c);
	assert_int_equal(converse(p, NULL, false), ST_OK);
	assert_string_equal(p->q->workstation, name);
	talloc_free(p);
	name[63] = 'w';
	name[299] = '\0';
	p = start(c); /* an absurd workstation is forgotten, an absurd user refused */
	assert_int_equal(converse(p, NULL, false), ST_OK);
	assert_string_equal(p->q->workstation, "");
	talloc_free(p);
	c.user = name;
	p = start(c);
	assert_int_equal(converse(p, NULL, false), ST_INVALID_PARAMETER);
	talloc_free(p);
}

/* A token that comes in pieces over several session setups. */
static void test_pieces(void **state)
{
	struct play *p = start(ntlmc_new("anna", "HOME", "secret"));
	uint8_t whole[9000];
	size_t n;

	(void)state;
	say_type1(p, SPNEGOC_NTLMSSP);
	assert_int_equal(step(p), ST_MORE_PROCESSING_REQUIRED);
	hear_type2(p, true);
	say_type3(p, true, true);
	n = p->len;
	memcpy(whole, p->blob, n);
	for (size_t at = 0; at < n; at += 100) {
		p->len = n - at < 100 ? n - at : 100;
		memcpy(p->blob, whole + at, p->len);
		assert_int_equal(step(p), at + 100 < n ? ST_MORE_PROCESSING_REQUIRED : ST_OK);
		assert_int_equal(p->reply_len, 0);
	}
	finish_wrapped(p, true);
	talloc_free(p);
}

static void test_out_of_turn(void **state)
{
	struct play *p = start(ntlmc_new("anna", "HOME", "secret"));

	(void)state;
	say_type3(p, false, false); /* type 3 first */
	assert_int_equal(step(p), ST_INVALID_PARAMETER);
	talloc_free(p);
	p = start(ntlmc_new("anna", "HOME", "secret"));
	say_type1(p, NULL);
	assert_int_equal(step(p), ST_MORE_PROCESSING_REQUIRED);
	assert_int_equal(step(p), ST_INVALID_PARAMETER); /* type 1 again */
	talloc_free(p);
}

/* Between any two legs the talk may move to another process. */
static struct auth_talk *moved(struct play *p)
{
	size_t n;
	uint8_t *flat = auth_talk_pack(p, p->t, &n);
	struct auth_talk *t;

	assert_non_null(flat);
	for (size_t cut = 0; cut < n; cut++)
		assert_null(auth_talk_unpack(p, &server, flat, cut));
	t = auth_talk_unpack(p, &server, flat, n);
	assert_non_null(t);
	talloc_free(p->t);
	return t;
}

static void test_moves(void **state)
{
	struct play *p = start(ntlmc_new("anna", "HOME", "secret"));
	struct auth_verdict *v = talloc_zero(p, struct auth_verdict);
	struct spnegoc_reply r;
	uint8_t sig[16];

	(void)state;
	p->c.mic = true;
	p->t = moved(p);
	say_type1(p, SPNEGOC_NTLMSSP);
	assert_int_equal(step(p), ST_MORE_PROCESSING_REQUIRED);
	p->t = moved(p);
	hear_type2(p, true);
	say_type3(p, true, true);
	assert_int_equal(step(p), ST_OK);
	assert_true(judge(p, v));
	p->t = moved(p);
	assert_true(auth_talk_finish(p->t, p, v, &p->reply, &p->reply_len));
	assert_true(spnegoc_read(p->reply, p->reply_len, &r));
	ntlmc_mech_mic(&p->c, true, p->mechs, p->mechs_len, sig);
	assert_int_equal(r.mic_len, 16);
	assert_memory_equal(r.mic, sig, 16);
	talloc_free(p);
}

/* ---- hostile bytes ---- */

static void sane(status_t st, const struct auth_question *q)
{
	assert_true(st == ST_OK || st == ST_MORE_PROCESSING_REQUIRED || st == ST_INVALID_PARAMETER ||
		    st == ST_LOGON_FAILURE);
	assert_int_equal(st == ST_OK, q != NULL);
	if (q) {
		assert_true(strlen(q->user) <= AUTH_MAX_NAME && strlen(q->domain) <= AUTH_MAX_NAME);
		assert_true(q->nt_len <= AUTH_MAX_RESPONSE && q->lm_len <= AUTH_MAX_RESPONSE);
	}
}

/* Feeds damaged bytes, from memory of just their size so that a reader too far is seen. */
static void feed(struct auth_talk *t, const uint8_t *p, size_t n)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	uint8_t *exact = malloc(n ? n : 1), *reply;
	const struct auth_question *q;
	struct auth_verdict *v = talloc_zero(mem, struct auth_verdict);
	size_t len;
	status_t st;

	memcpy(exact, p, n);
	st = auth_talk_step(t, mem, exact, n, &reply, &len, &q);
	free(exact);
	sane(st, q);
	if (q) {
		size_t flat_len;
		uint8_t *flat = auth_question_pack(mem, q, &flat_len);

		assert_non_null(auth_question_unpack(mem, flat, flat_len));
		(void)auth_talk_finish(t, mem, v, &reply, &len);
	}
	talloc_free(mem);
}

static void torture(bool wrapped, bool old, bool last)
{
	struct ntlm_client c = ntlmc_new("anna", "HOME", "secret");
	struct play *p;
	uint8_t *flat;
	size_t flat_len, n;

	c.mic = !old;
	if (old) {
		c.kind = NTLMC_KIND_V1;
		c.flags = NTLMC_NTLM | NTLMC_OEM;
		c.stop_at = 64;
	}
	p = start(c);
	say_type1(p, wrapped ? SPNEGOC_MSKRB5 SPNEGOC_NTLMSSP : NULL);
	if (last) {
		assert_int_equal(step(p), ST_MORE_PROCESSING_REQUIRED);
		hear_type2(p, wrapped);
		say_type3(p, wrapped, !old && wrapped);
	}
	flat = auth_talk_pack(p, p->t, &flat_len);
	n = p->len;
	for (size_t cut = 0; cut < n; cut++) {
		struct auth_talk *t = auth_talk_unpack(p, &server, flat, flat_len);

		feed(t, p->blob, cut);
		talloc_free(t);
	}
	for (size_t bit = 0; bit < n * 8; bit++) {
		struct auth_talk *t = auth_talk_unpack(p, &server, flat, flat_len);

		p->blob[bit / 8] ^= (uint8_t)(1 << bit % 8);
		feed(t, p->blob, n);
		p->blob[bit / 8] ^= (uint8_t)(1 << bit % 8);
		talloc_free(t);
	}
	talloc_free(p);
}

static void test_cuts_and_flips(void **state)
{
	(void)state;
	log_level[LOG_AUTH] = 0;
	for (int i = 0; i < 8; i++)
		torture(i & 1, i & 2, i & 4);
}

/* A flipped bit in the flat talk: refused or harmless. */
static void test_flat_flips(void **state)
{
	struct play *p = start(ntlmc_new("anna", "HOME", "secret"));
	uint8_t *flat;
	size_t n;

	(void)state;
	say_type1(p, SPNEGOC_NTLMSSP);
	assert_int_equal(step(p), ST_MORE_PROCESSING_REQUIRED);
	hear_type2(p, true);
	say_type3(p, true, true);
	flat = auth_talk_pack(p, p->t, &n);
	for (size_t bit = 0; bit < n * 8; bit++) {
		struct auth_talk *t;

		flat[bit / 8] ^= (uint8_t)(1 << bit % 8);
		t = auth_talk_unpack(p, &server, flat, n);
		if (t)
			feed(t, p->blob, p->len);
		talloc_free(t);
		flat[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	talloc_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hello),
		cmocka_unit_test(test_raw),
		cmocka_unit_test(test_challenge_fields),
		cmocka_unit_test(test_spnego),
		cmocka_unit_test(test_weaker_keys),
		cmocka_unit_test(test_wrong_mics),
		cmocka_unit_test(test_kerberos_first),
		cmocka_unit_test(test_ntlmssp_token_at_once),
		cmocka_unit_test(test_no_ntlmssp),
		cmocka_unit_test(test_old_clients),
		cmocka_unit_test(test_twelve_bytes),
		cmocka_unit_test(test_anonymous),
		cmocka_unit_test(test_empty_first_blob),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_out_of_turn),
		cmocka_unit_test(test_moves),
		cmocka_unit_test(test_cuts_and_flips),
		cmocka_unit_test(test_flat_flips),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
