/* test_auth_keeper.c - the policy: questions of every kind against settings of every kind. */
#include "keeper_fixture.h"

static void yes(struct auth_keeper *k, const char *user, enum proof how, const char *password)
{
	struct auth_verdict *v = ask(k, user, how, password);

	if (v->status != ST_OK)
		print_error("%s: %s\n", user, v->reason);
	assert_int_equal(v->status, ST_OK);
	assert_false(v->guest || v->anonymous);
	talloc_free(v);
}

/* Refused, with these words in the sentence. */
static void no(struct auth_keeper *k, const char *user, enum proof how, const char *password, status_t st,
	       const char *words)
{
	struct auth_verdict *v = ask(k, user, how, password);

	assert_int_equal(v->status, st);
	if (!strstr(v->reason, words))
		print_error("%s: %s\n", user, v->reason);
	assert_non_null(strstr(v->reason, words));
	talloc_free(v);
}

static void guest(struct auth_keeper *k, const char *user, enum proof how, const char *password)
{
	static const uint8_t zeros[16];
	struct auth_verdict *v = ask(k, user, how, password);

	if (v->status != ST_OK)
		print_error("%s: %s\n", user, v->reason);
	assert_int_equal(v->status, ST_OK);
	assert_true(v->guest && v->ident->guest && !v->anonymous);
	assert_string_equal(v->account, "nobody");
	assert_int_equal(v->mac_key_len, 0);
	assert_memory_equal(v->session_key, zeros, 16);
	assert_non_null(strstr(v->reason, "map to guest"));
	talloc_free(v);
}

static void test_right_and_wrong(void **state)
{
	struct auth_keeper *k = keeper(top, "lanman auth = yes");

	(void)state;
	for (enum proof how = V1; how <= BOTH; how++) {
		yes(k, "daemon", how, "secret");
		yes(k, "DAEMON", how, "secret");
		no(k, "daemon", how, "wrong", ST_LOGON_FAILURE, "wrong password");
		no(k, "stranger", how, "secret", ST_LOGON_FAILURE, "map to guest");
	}
	yes(k, "bin", V2, "Mixed");
	no(k, "bin", LM, "Mixed", ST_LOGON_FAILURE, "no LM hash is stored");
	no(k, "daemon", NOTHING, "", ST_LOGON_FAILURE, "no password was sent");
	talloc_free(k);
}

static void test_identity(void **state)
{
	struct auth_keeper *k = keeper(top, "");
	struct auth_verdict *v = ask(k, "Daemon", V1, "secret");

	(void)state;
	assert_int_equal(v->status, ST_OK);
	assert_string_equal(v->account, "daemon");
	assert_string_equal(v->ident->user, "daemon");
	assert_string_equal(v->ident->domain, "HOME");
	if (geteuid() == 0)
		assert_int_equal(v->ident->uid, 1);
	else
		assert_int_equal(v->ident->uid, geteuid());
	for (uint32_t i = 1; i < v->ident->ngroups; i++)
		assert_true(v->ident->groups[i - 1] <= v->ident->groups[i]);
	talloc_free(k);
}

/* The signing keys of framing, section 8. */
static void test_signing_keys(void **state)
{
	struct auth_keeper *k = keeper(top, "lanman auth = yes");
	uint8_t nt[16], lm[16], want[16], resp[24];
	struct auth_verdict *v;

	(void)state;
	auth_nt_hash("secret", nt);
	auth_lm_hash("secret", lm);
	v = ask(k, "daemon", V1, "secret");
	auth_md4(nt, 16, want);
	ntlmc_v1("secret", challenge, resp);
	assert_int_equal(v->mac_key_len, 40);
	assert_memory_equal(v->mac_key, want, 16);
	assert_memory_equal(v->mac_key + 16, resp, 24);
	assert_false(v->used_lm);
	v = ask(k, "daemon", LM, "secret");
	memset(lm + 8, 0, 8);
	ntlmc_lm("secret", challenge, resp);
	assert_int_equal(v->mac_key_len, 40);
	assert_memory_equal(v->mac_key, lm, 16);
	assert_memory_equal(v->mac_key + 16, resp, 24);
	assert_true(v->used_lm);
	v = ask(k, "daemon", V2, "secret");
	assert_int_equal(v->mac_key_len, 16 + 16 + 28 + 4);
	assert_memory_equal(v->mac_key, v->session_key, 16);
	talloc_free(k);
}

static void test_map_to_guest(void **state)
{
	static const char *const settings[] = { "map to guest = Never", "map to guest = Bad User",
						"map to guest = Bad Password", "map to guest = Bad Uid" };

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct auth_keeper *k = keeper(top, settings[i]);

		yes(k, "daemon", V2, "secret");
		if (i == 1 || i == 2) {
			guest(k, "stranger", V2, "any");
			guest(k, "guest", BOTH, "");
			guest(k, "stranger", NOTHING, "");
		} else {
			no(k, "stranger", V2, "any", ST_LOGON_FAILURE, "map to guest = Bad User");
		}
		if (i == 2)
			guest(k, "daemon", V2, "wrong");
		else
			no(k, "daemon", V2, "wrong", ST_LOGON_FAILURE, "wrong password");
		no(k, "sys", V2, "secret", ST_ACCOUNT_DISABLED, "disabled");
		no(k, "sys", V2, "wrong", ST_LOGON_FAILURE, "disabled besides");
		if (geteuid() == 0 && i == 3)
			guest(k, "no-unix-account", V2, "secret");
		else if (geteuid() == 0)
			no(k, "no-unix-account", V2, "secret", ST_LOGON_FAILURE, "has no Unix account");
		talloc_free(k);
	}
}

static void test_bad_guest_accounts(void **state)
{
	struct auth_keeper *k;

	(void)state;
	if (geteuid() != 0)
		skip();
	k = keeper(top, "map to guest = Bad User\nguest account = surely-not-there");
	no(k, "stranger", V1, "x", ST_LOGON_FAILURE, "guest account = surely-not-there");
	no(k, "", NOTHING, "", ST_LOGON_FAILURE, "guest account");
	talloc_free(k);
	k = keeper(top, "map to guest = Bad User\nguest account = root");
	no(k, "stranger", V1, "x", ST_LOGON_FAILURE, "user id 0");
	talloc_free(k);
}

static void test_anonymous(void **state)
{
	static const enum proof empty[] = { NOTHING, ZERO_BYTE };

	(void)state;
	for (int level = 0; level < 3; level++) {
		char set[64];
		struct auth_keeper *k;

		snprintf(set, sizeof(set), "restrict anonymous = %d", level);
		k = keeper(top, set);
		for (int i = 0; i < 2; i++) {
			struct auth_verdict *v = ask(k, "", empty[i], "");

			assert_int_equal(v->status, level == 2 ? ST_ACCESS_DENIED : ST_OK);
			if (level < 2)
				assert_true(v->anonymous && v->ident->anonymous && !v->guest &&
					    v->mac_key_len == 0);
		}
		no(k, "", V1, "x", ST_LOGON_FAILURE, "unknown"); /* a proof without a name is none */
		talloc_free(k);
	}
}

static void test_kinds_by_setting(void **state)
{
	struct auth_keeper *k = keeper(top, "ntlm auth = ntlmv2-only");

	(void)state;
	no(k, "daemon", V1, "secret", ST_LOGON_FAILURE, "ntlm auth = ntlmv1-permitted");
	no(k, "daemon", LM, "secret", ST_LOGON_FAILURE, "lanman auth");
	yes(k, "daemon", V2, "secret");
	yes(k, "daemon", LMV2, "secret");
	talloc_free(k);
	k = keeper(top, "ntlm auth = disabled");
	no(k, "daemon", V2, "secret", ST_LOGON_FAILURE, "ntlm auth = disabled");
	no(k, "daemon", V1, "secret", ST_LOGON_FAILURE, "ntlm auth");
	talloc_free(k);
	k = keeper(top, "raw NTLMv2 auth = no");
	no(k, "daemon", V2, "secret", ST_LOGON_FAILURE, "raw NTLMv2 auth");
	no(k, "daemon", LMV2, "secret", ST_LOGON_FAILURE, "raw NTLMv2 auth");
	yes(k, "daemon", V1, "secret");
	talloc_free(k);
	k = keeper(top, "smb1d: lanman clients = 192.0.2.");
	yes(k, "daemon", LM, "secret");
	talloc_free(k);
	k = keeper(top, "lanman auth = yes\nsmb1d: lanman clients = !192.0.2.7");
	no(k, "daemon", LM, "secret", ST_LOGON_FAILURE, "smb1d: lanman clients");
	yes(k, "daemon", V1, "secret");
	talloc_free(k);
	k = keeper(top, "lanman auth = yes\nsmb1d: lanman users = games");
	no(k, "daemon", LM, "secret", ST_LOGON_FAILURE, "smb1d: lanman users");
	yes(k, "daemon", V1, "secret");
	talloc_free(k);
	k = keeper(top, "smb1d: lanman clients = PC@192.0.2.0/24\nsmb1d: lanman users = daemon");
	yes(k, "daemon", LM, "secret");
	talloc_free(k);
	k = keeper(top, "smb1d: lanman clients = 198.51.100.");
	no(k, "daemon", LM, "secret", ST_LOGON_FAILURE, "smb1d: lanman clients");
	talloc_free(k);
}

static void test_plaintext(void **state)
{
	struct auth_keeper *k = keeper(top, "");

	(void)state;
	no(k, "daemon", PLAIN, "secret", ST_LOGON_FAILURE, "smb1d: plaintext clients");
	no(k, "daemon", PLAIN, "wrong", ST_LOGON_FAILURE, "wrong password");
	talloc_free(k);
	k = keeper(top, "encrypt passwords = no");
	yes(k, "daemon", PLAIN, "secret");
	yes(k, "DAEMON", PLAIN, "SECRET");
	yes(k, "bin", PLAIN, "Mixed");
	no(k, "bin", PLAIN, "MIXED", ST_LOGON_FAILURE, "wrong password");
	assert_int_equal(ask(k, "daemon", PLAIN, "secret")->mac_key_len, 0);
	talloc_free(k);
	k = keeper(top, "smb1d: plaintext clients = old.example");
	yes(k, "daemon", PLAIN, "secret");
	talloc_free(k);
	k = keeper(top, "smb1d: plaintext clients = OLD"); /* the NetBIOS name is only what the client says */
	no(k, "daemon", PLAIN, "secret", ST_LOGON_FAILURE, "plaintext");
	talloc_free(k);
}

static void test_empty_passwords(void **state)
{
	struct auth_keeper *k = keeper(top, "lanman auth = yes");

	(void)state;
	no(k, "games", NOTHING, "", ST_LOGON_FAILURE, "null passwords");
	no(k, "games", V1, "", ST_LOGON_FAILURE, "null passwords");
	talloc_free(k);
	k = keeper(top, "null passwords = yes\nlanman auth = yes");
	yes(k, "games", NOTHING, "");
	yes(k, "games", ZERO_BYTE, "");
	yes(k, "games", V1, "");
	yes(k, "games", V2, "");
	yes(k, "games", LM, " "); /* Windows for Workgroups */
	yes(k, "games", PLAIN, " ");
	yes(k, "games", PLAIN, "");
	no(k, "games", V1, "x", ST_LOGON_FAILURE, "wrong password");
	no(k, "games", PLAIN, "x", ST_LOGON_FAILURE, "wrong password");
	no(k, "daemon", NOTHING, "", ST_LOGON_FAILURE, "no password was sent");
	talloc_free(k);
}

static void test_root(void **state)
{
	struct auth_keeper *k = keeper(top, "[a]\npath = /tmp\n[b]\npath = /tmp\nadmin users = daemon");

	(void)state;
	if (geteuid() == 0)
		no(k, "root", V2, "toor", ST_LOGON_FAILURE, "admin users");
	else
		yes(k, "root", V2, "toor");
	talloc_free(k);
	k = keeper(top, "[a]\npath = /tmp\n[b]\npath = /tmp\nadmin users = daemon, root");
	yes(k, "root", V2, "toor");
	no(k, "root", V2, "wrong", ST_LOGON_FAILURE, "wrong password");
	talloc_free(k);
}

static void test_forms_of_names(void **state)
{
	struct auth_keeper *k = keeper(top, "");

	(void)state;
	yes(k, "HOME\\daemon", V1, "secret");
	yes(k, "daemon@home.example", V1, "secret");
	yes(k, "HOME\\daemon", V2, "secret");
	no(k, "HOME\\stranger", V1, "secret", ST_LOGON_FAILURE, "unknown");
	no(k, "\\", V1, "secret", ST_LOGON_FAILURE, "unknown");
	no(k, "@", V1, "secret", ST_LOGON_FAILURE, "unknown");
	no(k, "bad\nname\"", V1, "secret", ST_LOGON_FAILURE, "\"bad?name?\"");
	talloc_free(k);
}

static void test_username_map(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct auth_keeper *k;
	char set[300];

	(void)state;
	write_text("map", "# comment\n; comment\nno equals sign\n"
			  "daemon = boss \"Anna Meier\" meier\n"
			  "!bin = stopper\n"
			  "daemon = stopper chained\n"
			  "!bin = chained OFFICE\\clerk\n"
			  "sys = @surely-no-such-group\n"
			  "!daemon = *\n");
	snprintf(set, sizeof(set), "username map = %s/map", dir);
	k = keeper(mem, set);
	yes(k, "BOSS", V1, "secret");
	yes(k, "anna meier", V1, "secret");
	yes(k, "meier", V1, "secret");
	yes(k, "stopper", V1, "Mixed");
	yes(k, "OFFICE\\clerk", V1, "Mixed");
	yes(k, "HOME\\clerk", V1, "secret"); /* falls to the star */
	yes(k, "anybody", V1, "secret");
	/* a change is seen; a file that goes away maps as before */
	write_text("map", "bin = anybody\n");
	yes(k, "anybody", V1, "Mixed");
	no(k, "boss", V1, "secret", ST_LOGON_FAILURE, "unknown");
	unlink(talloc_asprintf(mem, "%s/map", dir));
	yes(k, "anybody", V1, "Mixed");
	talloc_free(mem);
}

/* Quotes, domains, groups: each line alone decides, there is no star behind it. */
static void test_username_map_words(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct auth_keeper *k;
	char set[300];

	(void)state;
	write_text("map", "!bin = \"Anna Meier\"\n!bin = OFFICE\\clerk\n!bin = \"@daemon\"\n!bin=left,right\n= nobody\n!bin\n");
	snprintf(set, sizeof(set), "username map = %s/map", dir);
	k = keeper(mem, set);
	yes(k, "anna MEIER", V1, "Mixed");
	no(k, "anna", V1, "Mixed", ST_LOGON_FAILURE, "unknown");
	no(k, "meier", V1, "Mixed", ST_LOGON_FAILURE, "unknown");
	yes(k, "office\\CLERK", V1, "Mixed");
	no(k, "OFFICER\\clerk", V1, "Mixed", ST_LOGON_FAILURE, "unknown");
	no(k, "OFF\\clerk", V1, "Mixed", ST_LOGON_FAILURE, "unknown");
	no(k, "clerk", V1, "Mixed", ST_LOGON_FAILURE, "unknown");
	yes(k, "right", V1, "Mixed");
	if (geteuid() == 0) { /* the Unix user daemon is in the group of that name, sys is not */
		yes(k, "daemon", V1, "Mixed");
		no(k, "sys", V1, "Mixed", ST_LOGON_FAILURE, "wrong password");
		write_text("map", "bin = &daemon\n");
		yes(k, "daemon", V1, "Mixed");
		write_text("map", "!bin = +daemon\nsys = +bin\n");
		yes(k, "daemon", V1, "Mixed");
	}
	talloc_free(mem);
}

static void test_text_backend(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct auth_keeper *k;
	const char *why;
	char set[300];

	(void)state;
	write_text("smbpasswd",
		   "daemon:1:XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX:8846F7EAEE8FB117AD06BDD830B7586C:[U          ]:"
		   "LCT-00000001:\n");
	snprintf(set, sizeof(set), "passdb backend = smbpasswd\nsmb passwd file = %s/smbpasswd", dir);
	k = keeper(mem, set);
	yes(k, "daemon", V2, "password");
	no(k, "daemon", V2, "secret", ST_LOGON_FAILURE, "wrong password");
	no(k, "bin", V2, "Mixed", ST_LOGON_FAILURE, "unknown");
	write_text("smbpasswd", "garbage\n"); /* what was read stays */
	yes(k, "daemon", V2, "password");
	assert_null(auth_keeper_open(mem, conf_of(mem, set), &why));
	assert_non_null(strstr(why, "smbpasswd:1"));
	talloc_free(mem);
}

static void test_damaged_store(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	const char *why;

	(void)state;
	write_text("smb1d-passdb.tdb", "");
	assert_null(auth_keeper_open(mem, conf_of(mem, ""), &why));
	assert_non_null(strstr(why, "empty file"));
	talloc_free(mem);
}

static void test_reload(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct auth_keeper *k = keeper(mem, "map to guest = Never");

	(void)state;
	no(k, "stranger", V1, "x", ST_LOGON_FAILURE, "map to guest");
	auth_keeper_reload(k, conf_of(mem, "map to guest = Bad User"));
	guest(k, "stranger", V1, "x");
	talloc_free(mem);
}

/* The right password, but the messages are not those the client sent: nobody is let in, not even as a guest. */
static void changed_on_the_way(struct auth_keeper *k, struct auth_question q)
{
	struct auth_verdict *v;

	q.mic[5] ^= 1;
	auth_keeper_reload(k, conf_of(k, "map to guest = Bad Password"));
	v = auth_keeper_answer(k, k, &q, challenge, &from);
	assert_int_equal(v->status, ST_LOGON_FAILURE);
	assert_non_null(strstr(v->reason, "integrity"));
}

/* A whole NTLMSSP login through SPNEGO: talk, keeper, talk. */
static void test_whole_login(void **state)
{
	static const char *const passwords[] = { "secret", "wrong" };
	struct auth_talk_server s = {
		.netbios_name = "SRV", .domain = "HOME", .dns_name = "srv", .dns_domain = ""
	};

	(void)state;
	memcpy(s.challenge, challenge, 8);
	for (int i = 0; i < 2; i++) {
		struct auth_keeper *k = keeper(top, "map to guest = Bad User");
		struct auth_talk *t = auth_talk_new(k, &s);
		struct ntlm_client c = ntlmc_new("Daemon", "WHATEVER", passwords[i]);
		uint8_t msg[8192], blob[8400], mechs[64], sig[16], *reply;
		const struct auth_question *q;
		struct auth_verdict *v;
		struct spnegoc_reply r;
		size_t n, len, nmechs = spnegoc_mechs(mechs, SPNEGOC_NTLMSSP);

		c.mic = true;
		n = ntlmc_type1(&c, msg, sizeof(msg));
		n = spnegoc_init(blob, SPNEGOC_NTLMSSP, msg, n);
		assert_int_equal(auth_talk_step(t, k, blob, n, &reply, &len, &q),
				 ST_MORE_PROCESSING_REQUIRED);
		assert_true(spnegoc_read(reply, len, &r) && ntlmc_read_type2(&c, r.token, r.token_len));
		n = ntlmc_type3(&c, msg, sizeof(msg));
		ntlmc_mech_mic(&c, false, mechs, nmechs, sig);
		n = spnegoc_resp(blob, msg, n, sig);
		assert_int_equal(auth_talk_step(t, k, blob, n, &reply, &len, &q), ST_OK);
		v = auth_keeper_answer(k, k, q, challenge, &from);
		assert_int_equal(v->status, i ? ST_LOGON_FAILURE : ST_OK);
		if (!i)
			changed_on_the_way(k, *q);
		if (!i) {
			assert_int_equal(v->mac_key_len, 16);
			assert_memory_equal(v->mac_key, c.exported, 16);
			assert_memory_equal(v->session_key, c.exported, 16);
			assert_true(auth_talk_finish(t, k, v, &reply, &len));
			assert_true(spnegoc_read(reply, len, &r));
			ntlmc_mech_mic(&c, true, mechs, nmechs, sig);
			assert_int_equal(r.mic_len, 16);
			assert_memory_equal(r.mic, sig, 16);
		}
		talloc_free(k);
	}
}

static void test_long_responses(void **state)
{
	static uint8_t bytes[AUTH_MAX_RESPONSE + 1];
	struct auth_keeper *k = keeper(top, "map to guest = Bad Password");

	(void)state;
	for (int lm = 0; lm < 2; lm++) {
		struct auth_question q = { .user = "daemon", .domain = "", .workstation = "", .lm = bytes, .nt = bytes };

		*(lm ? &q.lm_len : &q.nt_len) = sizeof(bytes);
		assert_int_equal(auth_keeper_answer(k, k, &q, challenge, &from)->status, ST_INVALID_PARAMETER);
	}
	talloc_free(k);
}

/* The challenge in the question is not believed. */
static void test_own_challenge(void **state)
{
	struct auth_keeper *k = keeper(top, "");
	uint8_t other[8] = { 9 }, nt[24];
	struct auth_question q = {
		.user = "daemon", .domain = "", .workstation = "", .nt = nt, .nt_len = 24
	};

	(void)state;
	ntlmc_v1("secret", other, nt);
	memcpy(q.challenge, other, 8);
	assert_int_equal(auth_keeper_answer(k, k, &q, challenge, NULL)->status, ST_LOGON_FAILURE);
	assert_int_equal(auth_keeper_answer(k, k, &q, other, NULL)->status, ST_OK);
	talloc_free(k);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_right_and_wrong),
		T(test_identity),
		T(test_signing_keys),
		T(test_map_to_guest),
		T(test_bad_guest_accounts),
		T(test_anonymous),
		T(test_kinds_by_setting),
		T(test_plaintext),
		T(test_empty_passwords),
		T(test_root),
		T(test_forms_of_names),
		T(test_username_map),
		T(test_username_map_words),
		T(test_text_backend),
		T(test_damaged_store),
		T(test_reload),
		T(test_whole_login),
		T(test_own_challenge),
		T(test_long_responses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
