/* ntlm.c - does a response prove a password?  MS-NLMP 3.3, 3.4.5; MS-CIFS 3.1.4.1.
 *
 * The kind of a response is not written on it.  By its length and place:
 *
 *   NT field 24 bytes   NTLMv1, or NTLM2 session if NTLMSSP's flag says so
 *   NT field >= 44      NTLMv2
 *   LM field 24 bytes   LMv2, or an NTLMv1 response in the wrong field, or LM
 *
 * The NT field is looked at first: it is the stronger proof and the one that clients sign
 * with.  What is right but not allowed is remembered, so that the log can name the setting. */
#include "auth/internal.h"
#include "base/str.h"
#include "base/util.h"

#define RESPONSE_V1 24u
#define RESPONSE_V2_MIN 44u /* proof and the fixed part of the blob */

bool ntlm_no_proof(const struct auth_question *q)
{
	return q->nt_len == 0 && (q->lm_len == 0 || (q->lm_len == 1 && q->lm[0] == 0));
}

const char *ntlm_kind_name(enum ntlm_kind k)
{
	switch (k) {
	case NTLM_PLAIN: return "plaintext";
	case NTLM_LM: return "LM";
	case NTLM_V1: return "NTLMv1";
	case NTLM_SESSION: return "NTLM2 session";
	case NTLM_LMV2: return "LMv2";
	case NTLM_V2: return "NTLMv2";
	case NTLM_NONE: break;
	}
	return "no";
}

/* ---- version 1 ---- */

/* LM_KEY of MS-NLMP 3.4.5.1: only ever used when a client insists on it. */
static void lm_session_key(const uint8_t lm_hash[16], const uint8_t *response, uint8_t key[16])
{
	uint8_t second[7] = { lm_hash[7], 0xbd, 0xbd, 0xbd, 0xbd, 0xbd, 0xbd };

	auth_des7(lm_hash, response, key);
	auth_des7(second, response, key + 8);
	str_wipe(second, sizeof(second));
}

static void key_v1(const struct auth_account *a, const struct auth_question *q, uint8_t key[16])
{
	bool lm_key = q->ntlmssp && (q->ntlmssp_flags & NTLMSSP_LM_KEY) && !(q->ntlmssp_flags & NTLMSSP_ESS);

	if (lm_key && a->has_lm && q->lm_len == RESPONSE_V1)
		lm_session_key(a->lm, q->lm, key);
	else
		auth_md4(a->nt, 16, key);
}

static bool try_v1(const struct auth_account *a, const struct auth_question *q, const uint8_t *resp,
		   const uint8_t challenge[8], struct ntlm_result *r)
{
	uint8_t want[24];
	bool right;

	auth_des_response(a->nt, challenge, want);
	right = auth_equal(want, resp, sizeof(want));
	str_wipe(want, sizeof(want));
	if (right)
		key_v1(a, q, r->key);
	return right;
}

static bool is_session_form(const struct auth_question *q)
{
	static const uint8_t zeros[16];

	return q->ntlmssp && (q->ntlmssp_flags & NTLMSSP_ESS) && q->nt_len == RESPONSE_V1 &&
	       q->lm_len == RESPONSE_V1 && memcmp(q->lm + 8, zeros, 16) == 0;
}

static bool try_session(const struct auth_account *a, const struct auth_question *q,
			const uint8_t challenge[8], struct ntlm_result *r)
{
	uint8_t effective[16], want[24], base[16];
	bool right;

	auth_md5_2(challenge, 8, q->lm, 8, effective);
	auth_des_response(a->nt, effective, want);
	right = auth_equal(want, q->nt, sizeof(want));
	if (right) {
		auth_md4(a->nt, 16, base);
		auth_hmac_md5_2(base, 16, challenge, 8, q->lm, 8, r->key);
		str_wipe(base, sizeof(base));
	}
	str_wipe(want, sizeof(want));
	return right;
}

static bool try_lm(const struct auth_account *a, const struct auth_question *q, const uint8_t challenge[8],
		   struct ntlm_result *r)
{
	uint8_t want[24];
	bool right;

	if (!a->has_lm)
		return false;
	auth_des_response(a->lm, challenge, want);
	right = auth_equal(want, q->lm, sizeof(want));
	str_wipe(want, sizeof(want));
	if (!right)
		return false;
	memset(r->key, 0, 16);
	if (q->ntlmssp && (q->ntlmssp_flags & NTLMSSP_LM_KEY) && !(q->ntlmssp_flags & NTLMSSP_ESS))
		lm_session_key(a->lm, q->lm, r->key);
	else
		memcpy(r->key, a->lm, 8);
	return true;
}

/* ---- version 2 ---- */

/* NTOWFv2 over UPPER(user) || domain; both in UTF-8 here. */
static bool owf_v2(const uint8_t nt[16], const char *user, const char *domain, uint8_t out[16])
{
	char *up = str_upper(NULL, user);
	char *text = up ? talloc_asprintf(up, "%s%s", up, domain) : NULL;
	size_t n = text ? str_to_utf16(text, NULL, 0) : 0;
	uint8_t *wide = text ? talloc_size(up, n + 1) : NULL;

	if (wide) {
		str_to_utf16(text, wide, n);
		auth_hmac_md5(nt, 16, wide, n, out);
	}
	talloc_free(up);
	return wide != NULL;
}

/* proof is the first 16 bytes of the response; the rest went into it. */
static bool try_v2_names(const struct auth_account *a, const uint8_t *resp, uint32_t len,
			 const uint8_t challenge[8], const char *user, const char *domain,
			 struct ntlm_result *r)
{
	uint8_t owf[16], want[16];
	bool right = false;

	if (!owf_v2(a->nt, user, domain, owf))
		return false;
	auth_hmac_md5_2(owf, 16, challenge, 8, resp + 16, len - 16, want);
	if (auth_equal(want, resp, 16)) {
		auth_hmac_md5(owf, 16, want, 16, r->key);
		right = true;
	}
	str_wipe(owf, sizeof(owf));
	str_wipe(want, sizeof(want));
	return right;
}

/* Clients disagree which domain they hash: as sent, in capitals, or none; and for
 * "DOMAIN\user" or "user@domain" in the user field, whether it is taken apart first. */
static bool try_v2(const struct auth_account *a, const struct auth_question *q, const uint8_t *resp,
		   uint32_t len, const uint8_t challenge[8], struct ntlm_result *r)
{
	TALLOC_CTX *tmp = talloc_new(NULL);
	const char *slash = strchr(q->user, '\\'), *at = strrchr(q->user, '@');
	const char *users[3] = { q->user, slash ? slash + 1 : NULL, NULL };
	const char *domains[4] = { q->domain, str_upper(tmp, q->domain), "", NULL };
	bool right = false;

	if (slash)
		domains[3] = talloc_strndup(tmp, q->user, (size_t)(slash - q->user));
	if (at)
		users[2] = talloc_strndup(tmp, q->user, (size_t)(at - q->user));
	for (size_t u = 0; u < ARRAY_LEN(users) && !right; u++)
		for (size_t d = 0; users[u] && d < ARRAY_LEN(domains) && !right; d++)
			right = domains[d] && try_v2_names(a, resp, len, challenge, users[u], domains[d], r);
	talloc_free(tmp);
	return right;
}

/* ---- plaintext ---- */

static bool text_proves(const struct auth_account *a, const char *text)
{
	uint8_t h[16];
	bool right = false;

	if (a->has_nt) {
		auth_nt_hash(text, h);
		right = auth_equal(h, a->nt, 16);
	}
	/* DOS clients send capitals; an LM hash is there only for those who asked for it */
	if (!right && a->has_lm && str_to_oem(text, NULL, 0) <= 14) {
		auth_lm_hash(text, h);
		right = auth_equal(h, a->lm, 16);
	}
	str_wipe(h, sizeof(h));
	return right;
}

/* As sent, then in lower case. */
static bool try_text(const struct auth_account *a, char *text)
{
	char *low = text ? str_lower(text, text) : NULL;
	bool right = low && (text_proves(a, text) || text_proves(a, low));

	if (low)
		str_wipe(low, strlen(low));
	if (text)
		str_wipe(text, strlen(text));
	talloc_free(text);
	return right;
}

static bool try_plain(const struct auth_account *a, const struct auth_question *q)
{
	/* Both forms of text in both fields: clients with Unicode names send either (Amiga smbfs). */
	return try_text(a, str_from_oem(NULL, q->lm_len ? q->lm : (const uint8_t *)"", q->lm_len)) ||
	       (q->lm_len >= 2 && try_text(a, str_from_utf16(NULL, q->lm, q->lm_len))) ||
	       (q->nt_len >= 1 && try_text(a, str_from_oem(NULL, q->nt, q->nt_len))) ||
	       (q->nt_len >= 2 && try_text(a, str_from_utf16(NULL, q->nt, q->nt_len)));
}

/* ---- all together ---- */

/* Takes a right answer if it is allowed; remembers it if not. */
static bool settle(struct ntlm_result *r, bool allowed, enum ntlm_kind kind, const uint8_t *resp,
		   uint32_t len)
{
	r->kind = kind;
	if (!allowed) {
		r->refused = kind;
		str_wipe(r->key, sizeof(r->key));
		return false;
	}
	r->response = resp;
	r->response_len = len;
	return true;
}

static bool check_nt_field(const struct auth_account *a, const struct auth_question *q,
			   const uint8_t challenge[8], const struct ntlm_allow *allow, struct ntlm_result *r)
{
	if (!a->has_nt)
		return false;
	if (is_session_form(q)) {
		r->kind = NTLM_SESSION;
		return try_session(a, q, challenge, r) &&
		       settle(r, allow->v1, NTLM_SESSION, q->nt, q->nt_len);
	}
	if (q->nt_len == RESPONSE_V1) {
		r->kind = NTLM_V1;
		return try_v1(a, q, q->nt, challenge, r) && settle(r, allow->v1, NTLM_V1, q->nt, q->nt_len);
	}
	if (q->nt_len >= RESPONSE_V2_MIN) {
		r->kind = NTLM_V2;
		return try_v2(a, q, q->nt, q->nt_len, challenge, r) &&
		       settle(r, allow->v2 && (q->ntlmssp || allow->raw_v2), NTLM_V2, q->nt, q->nt_len);
	}
	return false;
}

static bool check_lm_field(const struct auth_account *a, const struct auth_question *q,
			   const uint8_t challenge[8], const struct ntlm_allow *allow, struct ntlm_result *r)
{
	if (q->lm_len != RESPONSE_V1 || is_session_form(q))
		return false;
	if (r->kind == NTLM_NONE)
		r->kind = NTLM_LM;
	if (a->has_nt && try_v2(a, q, q->lm, q->lm_len, challenge, r))
		return settle(r, allow->v2 && (q->ntlmssp || allow->raw_v2), NTLM_LMV2, q->lm, q->lm_len);
	if (a->has_nt && try_v1(a, q, q->lm, challenge, r))
		return settle(r, allow->v1, NTLM_V1, q->lm, q->lm_len);
	if (try_lm(a, q, challenge, r))
		return settle(r, allow->lm, NTLM_LM, q->lm, q->lm_len);
	return false;
}

bool ntlm_finish(const struct auth_question *q, struct ntlm_result *r)
{
	uint8_t mic[16];

	memcpy(r->session_key, r->key, 16);
	if (!q->ntlmssp)
		return true;
	if ((q->ntlmssp_flags & NTLMSSP_KEY_EXCH) && q->enc_session_key_len != 0) {
		if (q->enc_session_key_len != 16) {
			r->bad_key = true;
			return false;
		}
		auth_rc4(r->key, 16, q->enc_session_key, 16, r->session_key);
	}
	if (q->mic_messages_len == 0)
		return true;
	auth_hmac_md5(r->session_key, 16, q->mic_messages, q->mic_messages_len, mic);
	r->bad_mic = !auth_equal(mic, q->mic, 16);
	str_wipe(mic, sizeof(mic));
	return !r->bad_mic;
}

bool ntlm_check(const struct auth_account *a, const struct auth_question *q,
		const uint8_t challenge[AUTH_CHALLENGE_LEN], const struct ntlm_allow *allow,
		struct ntlm_result *r)
{
	memset(r, 0, sizeof(*r));
	if (q->plaintext) {
		r->kind = NTLM_PLAIN;
		if (!try_plain(a, q))
			return false;
		return settle(r, allow->plain, NTLM_PLAIN, NULL, 0);
	}
	if (!check_nt_field(a, q, challenge, allow, r) && !check_lm_field(a, q, challenge, allow, r))
		return false;
	return ntlm_finish(q, r);
}

bool ntlm_check_password(const char *password, const struct auth_question *q,
			 const uint8_t challenge[AUTH_CHALLENGE_LEN], const struct ntlm_allow *allow,
			 struct ntlm_result *r)
{
	struct auth_account a = { .user = "", .has_nt = true, .has_lm = true };
	bool right;

	auth_nt_hash(password, a.nt);
	auth_lm_hash(password, a.lm);
	right = ntlm_check(&a, q, challenge, allow, r);
	str_wipe(&a, sizeof(a));
	return right;
}
