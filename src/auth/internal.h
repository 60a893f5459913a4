/* internal.h - what the files of the auth room share; nobody outside includes it. */
#ifndef SMB1D_AUTH_INTERNAL_H
#define SMB1D_AUTH_INTERNAL_H
#include "auth/auth.h"

#define AUTH_MAX_BLOB 65536u    /* bytes of one SPNEGO or NTLMSSP blob, reassembled */
#define AUTH_MAX_NEGOTIATE 2048u /* bytes of a NEGOTIATE or CHALLENGE message */
#define AUTH_MAX_MECHS 512u     /* bytes of a client's mechanism list */
#define AUTH_MAX_MIC_MESSAGES (AUTH_MAX_BLOB + 2 * AUTH_MAX_NEGOTIATE)

/* ---- hash.c ---- */
/* HMAC-MD5 over two pieces, as if they were one. */
void auth_hmac_md5_2(const uint8_t *key, size_t klen, const void *a, size_t na, const void *b, size_t nb,
		     uint8_t out[16]);
void auth_md5_2(const void *a, size_t na, const void *b, size_t nb, uint8_t out[16]);
void auth_rc4(const uint8_t *key, size_t klen, const uint8_t *in, size_t n, uint8_t *out);
/* One DES block under a key of seven bytes. */
void auth_des7(const uint8_t key[7], const uint8_t in[8], uint8_t out[8]);
/* Takes the same time whatever differs. */
bool auth_equal(const void *a, const void *b, size_t n);

/* ---- ntlm.c: do these responses prove the password? ---- */
enum ntlm_kind { NTLM_NONE, NTLM_PLAIN, NTLM_LM, NTLM_V1, NTLM_SESSION, NTLM_LMV2, NTLM_V2 };

/* Which kinds may count; a kind that would have proved the password but is not allowed is told. */
struct ntlm_allow {
	bool lm, v1, v2, raw_v2, plain;
};
struct ntlm_result {
	enum ntlm_kind kind;     /* what proved it, or what was looked at last */
	enum ntlm_kind refused;  /* right, but not allowed; NTLM_NONE if none */
	uint8_t key[16];         /* key exchange key: before NTLMSSP's key exchange */
	uint8_t session_key[16]; /* after it */
	const uint8_t
		*response; /* the response that counted, for the signing key; points into the question */
	uint32_t response_len;
	bool bad_key, bad_mic;   /* the password is right but the NTLMSSP extras are not */
};
/* True if the question proves the account's password in an allowed way. */
bool ntlm_check(const struct auth_account *a, const struct auth_question *q,
		const uint8_t challenge[AUTH_CHALLENGE_LEN], const struct ntlm_allow *allow,
		struct ntlm_result *out);
/* True if the question proves the password that `a` would have with this (clear) password. */
bool ntlm_check_password(const char *password, const struct auth_question *q,
			 const uint8_t challenge[AUTH_CHALLENGE_LEN], const struct ntlm_allow *allow,
			 struct ntlm_result *out);
/* No response at all, or the single zero byte that stands for it. */
bool ntlm_no_proof(const struct auth_question *q);
/* Key exchange and MIC for a key that is known (zeros for a null session). */
bool ntlm_finish(const struct auth_question *q, struct ntlm_result *r);
const char *ntlm_kind_name(enum ntlm_kind k);

/* ---- usermap.c: `username map` ---- */
struct usermap;
struct usermap *usermap_new(TALLOC_CTX *mem);
/* The Unix name the file maps `user` to (talloc child of mem), or NULL if no line does.  Reads the
 * file again when it has changed; a file that cannot be read is said once and maps nothing. */
const char *usermap_find(TALLOC_CTX *mem, struct usermap *u, const char *file, const char *user,
			 const char *domain);

/* ---- ident.c ---- */
/* True if smb1d runs without root's rights: then all accounts are one. */
bool ident_unprivileged(void);
/* The Unix account of that name, trying lower case and up to `level` upper-case letters. */
struct ident *ident_find(TALLOC_CTX *mem, const char *name, unsigned level);
bool ident_in_group(const char *user, const char *group);

/* ---- passdb.c ---- */
/* All in one transaction, one backup afterwards. */
bool auth_db_put_many(struct auth_db *db, const struct auth_account *a, size_t n);
/* Follows a store that another process has put back from its backup. */
void auth_db_follow(struct auth_db *db);

/* ---- smbpasswd.c ---- */
struct smbpasswd; /* the accounts of a text file; wiped when freed */
/* NULL with a sentence in *why (child of why_mem) if the file cannot be read whole. */
struct smbpasswd *smbpasswd_read(TALLOC_CTX *mem, TALLOC_CTX *why_mem, const char *file, const char **why);
const struct auth_account *smbpasswd_at(const struct smbpasswd *p, size_t i); /* NULL behind the last */

/* ---- lookup.c: where the keeper looks ---- */
struct auth_store;
struct auth_store *auth_store_open(TALLOC_CTX *mem, const struct conf *c, const char **why);
int auth_store_get(TALLOC_CTX *mem, struct auth_store *s, const char *user, struct auth_account **out);

/* ---- ntlmssp.c: the three messages ---- */
#define NTLMSSP_UNICODE 0x00000001u
#define NTLMSSP_OEM 0x00000002u
#define NTLMSSP_REQUEST_TARGET 0x00000004u
#define NTLMSSP_SIGN 0x00000010u
#define NTLMSSP_SEAL 0x00000020u
#define NTLMSSP_LM_KEY 0x00000080u
#define NTLMSSP_NTLM 0x00000200u
#define NTLMSSP_ANONYMOUS 0x00000800u
#define NTLMSSP_ALWAYS_SIGN 0x00008000u
#define NTLMSSP_TARGET_DOMAIN 0x00010000u
#define NTLMSSP_TARGET_SERVER 0x00020000u
#define NTLMSSP_ESS 0x00080000u
#define NTLMSSP_NON_NT_KEY 0x00400000u
#define NTLMSSP_TARGET_INFO 0x00800000u
#define NTLMSSP_VERSION 0x02000000u
#define NTLMSSP_128 0x20000000u
#define NTLMSSP_KEY_EXCH 0x40000000u
#define NTLMSSP_56 0x80000000u

struct ntlmssp_auth { /* an AUTHENTICATE message; byte fields point into it */
	const char *user, *domain, *workstation;
	const uint8_t *lm, *nt, *key;
	uint32_t lm_len, nt_len, key_len, flags;
	bool has_mic;
	uint8_t mic[16];
};
bool ntlmssp_is(const uint8_t *p, size_t len);
/* Type of a message (1..3), 0 if it is none. */
uint32_t ntlmssp_type(const uint8_t *p, size_t len);
/* What we answer to the flags of a NEGOTIATE message. */
status_t ntlmssp_read_negotiate(const uint8_t *p, size_t len, uint32_t *flags);
/* The CHALLENGE message (talloc child of mem); NULL if out of memory or the names are absurd. */
uint8_t *ntlmssp_challenge(TALLOC_CTX *mem, const struct auth_talk_server *s, uint32_t flags, size_t *len);
/* `negotiated` are the flags of our challenge, for messages that stop before their own. */
status_t ntlmssp_read_auth(TALLOC_CTX *mem, const uint8_t *p, size_t len, uint32_t negotiated,
			   struct ntlmssp_auth *out);
#define NTLMSSP_MIC_OFFSET 72u

/* ---- spnego.c ---- */
enum spnego_mech { MECH_NONE, MECH_NTLMSSP, MECH_KERBEROS, MECH_NEGOEX, MECH_OTHER };
enum spnego_state { NEG_COMPLETED, NEG_INCOMPLETE, NEG_REJECT, NEG_REQUEST_MIC, NEG_ABSENT };

struct spnego_token { /* pointers into the blob */
	bool init;                /* NegTokenInit, else NegTokenResp */
	enum spnego_mech first;
	bool has_ntlmssp, has_negoex;
	const uint8_t *mechs;     /* DER of the mechanism list, with its header */
	uint32_t mechs_len;
	const uint8_t *token;
	uint32_t token_len;
	const uint8_t *mic;
	uint32_t mic_len;
};
bool spnego_read(const uint8_t *p, size_t len, struct spnego_token *t);
/* Bytes the outermost element says it has, header included; 0 if it does not look like SPNEGO. */
size_t spnego_full_length(const uint8_t *p, size_t len);
/* NegTokenResp; mech_ntlmssp: name the mechanism; token and mic may be NULL.  Child of mem. */
uint8_t *spnego_response(TALLOC_CTX *mem, enum spnego_state state, bool name_mech, const uint8_t *token,
			 size_t token_len, const uint8_t *mic, size_t mic_len, size_t *len);
#endif
