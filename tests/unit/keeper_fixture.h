/* keeper_fixture.h - a keeper with accounts of its own, and questions as clients ask them.
 *
 * Runs as root (accounts are daemon, bin, root of any Debian) and as anybody else, where all accounts are the user the test
 * runs as. */
#ifndef TEST_KEEPER_FIXTURE_H
#define TEST_KEEPER_FIXTURE_H
#include "auth/auth.h"
#include "base/log.h"
#include "ntlm_client.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>
#include <nettle/md5.h>

static char dir[200];
static TALLOC_CTX *top; /* emptied after each test */
static const uint8_t challenge[8] = { 8, 7, 6, 5, 4, 3, 2, 1 };
static const struct conf_macros from = { .client_addr = "192.0.2.7",
					 .client_dns = "old.example",
					 .client_name = "OLD" };

static inline int setup(void **state)
{
	const char *tmp = getenv("TMPDIR"), *why;

	(void)state;
	top = talloc_new(NULL);
	snprintf(dir, sizeof(dir), "%s/smb1d-keeper-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	for (int i = 0; i < LOG_CLASSES; i++)
		log_level[i] = -1;
	return mkdtemp(dir) && str_setup("CP850", "UTF-8", &why) ? 0 : -1;
}

static inline int teardown(void **state)
{
	char cmd[300];

	(void)state;
	TALLOC_FREE(top);
	snprintf(cmd, sizeof(cmd), "rm -rf '%s'", dir);
	return system(cmd) == 0 ? 0 : -1;
}

static inline void write_text(const char *name, const char *text)
{
	char path[300];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static inline struct conf *conf_of(TALLOC_CTX *mem, const char *settings)
{
	char path[300], *text;
	struct conf_source src = { .file = path };
	struct conf_report rep = { 0 };
	struct conf *c = NULL;

	text = talloc_asprintf(mem,
			       "[global]\nworkgroup = HOME\nprivate dir = %s\nguest account = nobody\n%s\n",
			       dir, settings);
	write_text("smb.conf", text);
	snprintf(path, sizeof(path), "%s/smb.conf", dir);
	assert_true(conf_load(mem, &src, &c, &rep));
	return c;
}

static inline void add(struct auth_db *db, const char *user, const char *password, uint32_t flags)
{
	struct auth_account a = { .user = user };

	auth_account_set_password(&a, password, true);
	a.flags |= flags;
	assert_true(auth_db_put(db, &a));
}

/* A keeper with accounts: daemon "secret", bin "Mixed" without LM hash, sys disabled, games empty, root,
 * and one that is no Unix account. */
static inline struct auth_keeper *keeper(TALLOC_CTX *mem, const char *settings)
{
	const char *why;
	struct auth_db *db = auth_db_open(mem, dir, true, &why);
	struct auth_account bin = { .user = "bin" };
	struct auth_keeper *k;

	assert_non_null(db);
	add(db, "daemon", "secret", 0);
	auth_account_set_password(&bin, "Mixed", false);
	assert_true(auth_db_put(db, &bin));
	add(db, "sys", "secret", AUTH_ACCT_DISABLED);
	add(db, "games", "", 0);
	add(db, "root", "toor", 0);
	add(db, "no-unix-account", "secret", 0);
	talloc_free(db);
	k = auth_keeper_open(mem, conf_of(mem, settings), &why);
	assert_non_null(k);
	return k;
}

enum proof { V1, LM, V2, LMV2, BOTH, PLAIN, NOTHING, ZERO_BYTE, V1_AS_LM, SESSION };

/* NTLM2 session: the client's nonce stands in the LM field and is part of the challenge. */
static inline void session_form(const char *password, const uint8_t nonce[8], uint8_t lm[24], uint8_t nt[24])
{
	uint8_t digest[MD5_DIGEST_SIZE];
	struct md5_ctx md5;

	md5_init(&md5);
	md5_update(&md5, 8, challenge);
	md5_update(&md5, 8, nonce);
	md5_digest(&md5, sizeof(digest), digest);
	ntlmc_v1(password, digest, nt);
	memset(lm, 0, 24);
	memcpy(lm, nonce, 8);
}

/* Asks as a client without NTLMSSP would; a SESSION form as one with it. */
static inline struct auth_verdict *ask(struct auth_keeper *k, const char *user, enum proof how, const char *password)
{
	static const uint8_t cc[8] = { 1, 1, 2, 3, 5, 8, 13, 21 };
	uint8_t lm[24] = { 0 }, nt[256];
	struct auth_question q = {
		.user = user, .domain = "ANYDOMAIN", .workstation = "PC", .lm = lm, .nt = nt
	};
	struct auth_verdict *v;

	ntlmc_lm(password, challenge, lm);
	ntlmc_v1(password, challenge, nt);
	q.lm_len = how == LM || how == BOTH || how == LMV2 ? 24 : 0;
	q.nt_len = how == V1 || how == BOTH ? 24 : 0;
	if (how == V2)
		q.nt_len = (uint32_t)ntlmc_v2(user, "ANYDOMAIN", password, challenge, cc, NULL, 0, nt,
					      sizeof(nt));
	if (how == LMV2)
		ntlmc_lmv2(user, "ANYDOMAIN", password, challenge, cc, lm);
	if (how == PLAIN) {
		q.plaintext = true;
		q.lm = (const uint8_t *)password;
		q.lm_len = (uint32_t)strlen(password);
	}
	if (how == V1_AS_LM) {
		ntlmc_v1(password, challenge, lm);
		q.lm_len = 24;
	}
	if (how == SESSION) {
		session_form(password, cc, lm, nt);
		q.lm_len = q.nt_len = 24;
		q.ntlmssp = true;
		q.ntlmssp_flags = NTLMC_ESS;
	}
	if (how == ZERO_BYTE) {
		lm[0] = 0;
		q.lm_len = 1;
	}
	v = auth_keeper_answer(k, k, &q, challenge, &from);
	assert_non_null(v);
	assert_non_null(v->reason);
	assert_int_equal(v->status == ST_OK, v->ident != NULL);
	assert_true(v->status == ST_OK || (v->mac_key_len == 0 && !v->guest && !v->anonymous));
	return v;
}
#endif
