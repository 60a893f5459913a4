/* auth.h - who is it?  Accounts, password mathematics, NTLMSSP and SPNEGO.
 *
 * Split by privilege.  The *talking* half (auth_ntlmssp_*, auth_spnego_*) runs in the process that
 * speaks with the client, parses hostile blobs and holds no secret: it turns blobs into one
 * flat question.  The *keeper* half (auth_keeper_*, auth_db_*) alone reads hashes, answers the
 * question with a verdict, and never sees a packet.  Password mathematics: negotiate-session, MS-NLMP 3.3.
 *
 * The keeper must be able to answer for many clients, so nothing here waits. */
#ifndef SMB1D_AUTH_AUTH_H
#define SMB1D_AUTH_AUTH_H
#include "base/cursor.h"
#include "base/ident.h"
#include "base/seal.h"
#include "base/status.h"
#include "conf/conf.h"
#include <talloc.h>

#define AUTH_CHALLENGE_LEN 8
#define AUTH_MAX_NAME 256      /* bytes of UTF-8 of a user, domain or workstation name */
#define AUTH_MAX_RESPONSE 4096 /* bytes of an NT response; longer ones are refused */

/* What the talking half asks.  Names are UTF-8; responses as the client sent them. */
struct auth_question {
	const char *user, *domain, *workstation;
	const uint8_t *lm, *nt;     /* responses; len 0 = none */
	uint32_t lm_len, nt_len;
	uint8_t challenge[AUTH_CHALLENGE_LEN]; /* the effective one the keeper checks is its own: see ntlmssp_flags */
	uint32_t ntlmssp_flags;     /* 0 = not NTLMSSP */
	bool ntlmssp;
	bool plaintext;             /* lm holds the password itself (share level, `encrypt passwords = no`) */
	bool anonymous;             /* no name and no proof: asks for a null session */
	/* NTLMSSP only, for the MIC and the key exchange */
	const uint8_t *enc_session_key; uint32_t enc_session_key_len;
	const uint8_t *mic_messages;    uint32_t mic_messages_len; /* type 1 || 2 || 3 with the MIC zeroed; 0 = no MIC sent */
	uint8_t mic[16];
};

/* The keeper's verdict. */
struct auth_verdict {
	status_t status;          /* ST_OK, or why not (LOGON_FAILURE also for unknown names) */
	struct ident *ident;      /* on ST_OK; talloc child of the verdict */
	bool guest, anonymous, used_lm;
	uint8_t session_key[16];  /* exported session key after key exchange; zeros for guest */
	uint8_t mac_key[16 + AUTH_MAX_RESPONSE]; uint32_t mac_key_len; /* signing key, framing section 8; 0 = cannot sign */
	const char *account;      /* name as stored, for logs and %u */
	const char *reason;       /* one sentence for the log; behind its first "; ", if any, what would change it */
	const char *rule;         /* the parameter that decided; NULL: none */
};

/* ---- keeper half ---- */
struct auth_keeper;
/* Opens (creates) the account store in `private dir`.  c stays the caller's and must live until the next
 * reload or the keeper's end.  NULL with a sentence in *why (a child of mem, or
 * static) if the store is damaged beyond its own backup. */
struct auth_keeper *auth_keeper_open(TALLOC_CTX *mem, const struct conf *c, const char **why);
void auth_keeper_reload(struct auth_keeper *k, const struct conf *c);
/* Answers one question about a client at m->client_addr.  `challenge` is the one the keeper gave this
 * connection; the question's copy is not trusted.  Never NULL but out of memory. */
struct auth_verdict *auth_keeper_answer(TALLOC_CTX *mem, struct auth_keeper *k, const struct auth_question *q,
					const uint8_t challenge[AUTH_CHALLENGE_LEN], const struct conf_macros *m);
/* The identity of a Unix account (`force user`, guest account): NULL if there is none.  When smb1d was
 * not started by root every account is the one smb1d runs as. */
struct ident *auth_ident_of(TALLOC_CTX *mem, const char *unix_user);
/* The account with this user id and the groups that the system gives it; NULL if there is none.  Child of mem. */
struct ident *auth_ident_by_uid(TALLOC_CTX *mem, uid_t uid);

/* Question and verdict as flat records for the keeper's door.  Decoders check every length. */
uint8_t *auth_question_pack(TALLOC_CTX *mem, const struct auth_question *q, size_t *len);
struct auth_question *auth_question_unpack(TALLOC_CTX *mem, const uint8_t *p, size_t len);
uint8_t *auth_verdict_pack(TALLOC_CTX *mem, const struct auth_verdict *v, size_t *len);
struct auth_verdict *auth_verdict_unpack(TALLOC_CTX *mem, const uint8_t *p, size_t len);

/* ---- account store: smb1d-passdb.tdb in `private dir` ---- */
struct auth_db;
struct auth_account {
	const char *user;       /* as given; found blind to case */
	uid_t uid;
	bool has_nt, has_lm;
	uint8_t nt[16], lm[16];
	uint32_t flags;         /* AUTH_ACCT_* */
	int64_t last_set;       /* seconds since 1970 */
};
#define AUTH_ACCT_DISABLED 1u
#define AUTH_ACCT_NO_PASSWORD 2u /* N in smbpasswd: empty password allowed if `null passwords` */
struct auth_db *auth_db_open(TALLOC_CTX *mem, const char *private_dir, bool create, const char **why);
/* 1 found, 0 no such account, -1 damaged record */
int auth_db_get(TALLOC_CTX *mem, struct auth_db *db, const char *user, struct auth_account **out);
bool auth_db_put(struct auth_db *db, const struct auth_account *a);    /* in a transaction */
bool auth_db_delete(struct auth_db *db, const char *user);
bool auth_db_each(struct auth_db *db, void (*fn)(const struct auth_account *a, void *arg), void *arg);
/* smbpasswd(5) lines; both return the number of accounts, -1 on an error with a sentence in *why. */
int auth_db_import(struct auth_db *db, const char *file, const char **why);
int auth_db_export(struct auth_db *db, FILE *to);
/* With `passdb backend = smbpasswd[:FILE]` the text file that is used instead (read, never written), else NULL. */
char *auth_store_text_file(TALLOC_CTX *mem, const struct conf *c);
/* Hashes of a password in UTF-8.  want_lm: store an LM hash too (`lanman auth` or asked for). */
void auth_account_set_password(struct auth_account *a, const char *password, bool want_lm);

/* ---- talking half ---- */
/* One NTLMSSP exchange, raw or inside SPNEGO; one object per session setup in progress. */
struct auth_talk;
struct auth_talk_server { /* what we say about ourselves */
	const char *netbios_name, *domain, *dns_name, *dns_domain;
	uint8_t challenge[AUTH_CHALLENGE_LEN];
};
struct auth_talk *auth_talk_new(TALLOC_CTX *mem, const struct auth_talk_server *s);
/* Feeds one blob.  ST_MORE_PROCESSING_REQUIRED: send *reply and wait for the next.  ST_OK: *q is ready for the
 * keeper (fields point into the talk).  Anything else ends the exchange.  *reply (len may be 0) is a child of mem. */
status_t auth_talk_step(struct auth_talk *t, TALLOC_CTX *mem, const uint8_t *blob, size_t len, uint8_t **reply,
			size_t *reply_len, const struct auth_question **q);
/* After the keeper's yes: the last blob (accept-completed and, if the client sent one, our mechListMIC, which
 * needs the session key).  False if the client's own mechListMIC is wrong: the login must fail. */
bool auth_talk_finish(struct auth_talk *t, TALLOC_CTX *mem, const struct auth_verdict *v, uint8_t **reply, size_t *reply_len);
/* After that: the keys for what both sides seal from now on, as they have agreed (question's ntlmssp_flags). */
void auth_talk_seal(const struct auth_talk *t, const struct auth_verdict *v, struct seal *s);
/* The blob of the negotiate reply (NegTokenInit with NTLMSSP). */
size_t auth_spnego_hello(uint8_t *out, size_t cap);
/* State of a half-finished exchange as a flat record, so that the worker can go on where the pre-login process
 * stopped; and back.  NULL if malformed. */
uint8_t *auth_talk_pack(TALLOC_CTX *mem, const struct auth_talk *t, size_t *len);
struct auth_talk *auth_talk_unpack(TALLOC_CTX *mem, const struct auth_talk_server *s, const uint8_t *p, size_t len);

/* ---- mathematics (auth/hash.c), also used by signing and by test clients ---- */
void auth_md4(const void *p, size_t n, uint8_t out[16]);
void auth_md5(const void *p, size_t n, uint8_t out[16]);
void auth_hmac_md5(const uint8_t *key, size_t klen, const void *p, size_t n, uint8_t out[16]);
void auth_nt_hash(const char *password, uint8_t out[16]);
void auth_lm_hash(const char *password, uint8_t out[16]);
void auth_des_response(const uint8_t hash[16], const uint8_t challenge[8], uint8_t out[24]);
#endif
