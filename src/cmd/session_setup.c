/* session_setup.c - SESSION_SETUP_ANDX (0x73): a user logs in and gets a UID.
 *
 *   W=10 LANMAN   buffer, mux, vc, key32, password length, reserved32;  password, account, domain, os, lanman
 *   W=13 NT1      buffer, mux, vc, key32, oem length, unicode length, reserved32, caps32;
 *                 oem response, unicode response, account, domain, os, lanman
 *   W=12 SPNEGO   buffer, mux, vc, key32, blob length, reserved32, caps32;  blob, os, lanman
 *   reply W=3 (action) or W=4 (action, blob length), then os, lanman, domain
 *
 * MS-CIFS 2.2.4.53, MS-SMB 2.2.4.6.  Oddities:
 * - the session key is ignored, clients send anything (reports 10);
 * - a buffer size below 1024 counts as 1024 (reports 12);
 * - lengths of responses are bounded by what really came (Win95 sends garbage for the second);
 * - a blob longer than a message comes in several requests, told by its ASN.1 length;
 * - in the porch a login that succeeds is not answered: the worker runs the same frame again. */
#include "base/budget.h"
#include "base/log.h"
#include "base/util.h"
#include "cmd/cmd.h"
#include "conf/why.h"
#include "srv/neighbour.h"

struct setup_args {
	uint16_t max_buffer, vc;
	uint32_t caps;
	const uint8_t *first, *second; /* OEM and Unicode response, or the blob alone */
	uint32_t first_len, second_len;
	char *account, *domain, *os, *lanman;
};

struct setup_reply {
	uint16_t action; /* 1 guest, 2 LM key used */
	uint8_t *blob;
	size_t blob_len;
};

static void decode_strings(struct req *q, struct setup_args *a, bool names)
{
	struct rd *b = &q->bytes;

	a->account = names ? req_str(q, b) : NULL;
	a->domain = names ? req_str(q, b) : NULL;
	a->os = req_str(q, b);
	a->lanman = req_str(q, b);
}

static status_t setup_decode(struct req *q, struct setup_args *a)
{
	struct rd *w = &q->words, *b = &q->bytes;

	a->max_buffer = rd_u16(w);
	rd_skip(w, 2);
	a->vc = rd_u16(w);
	rd_skip(w, 4);
	a->first_len = rd_u16(w);
	if (q->wct == 13)
		a->second_len = rd_u16(w);
	rd_skip(w, 4);
	if (q->wct >= 12)
		a->caps = rd_u32(w);
	if (!rd_ok(w))
		return ST_INVALID_SMB;
	if (q->wct == 12 && a->first_len > rd_left(b))
		return ST_INVALID_PARAMETER;
	a->first_len = min_u32(a->first_len, rd_left(b));
	a->first = rd_take(b, a->first_len);
	a->second_len = min_u32(a->second_len, rd_left(b));
	a->second = rd_take(b, a->second_len);
	decode_strings(q, a, q->wct != 12);
	return ST_OK;
}

/* What a client calls itself, for %a.  negotiate-session section 8. */
static const char *guess_arch(const char *os, const char *lanman)
{
	static const struct { const char *os, *lanman, *arch; } known[] = {
		{ "Unix", "Samba", "Samba" },      { "CIFS VFS Client for Linux", "", "CIFSFS" },
		{ "Linux version", "", "CIFSFS" }, { "Windows 4.0", "", "Win95" },
		{ "Windows NT 1381", "", "WinNT" },{ "Windows NT 4.0", "", "WinNT" },
		{ "Windows 2000", "", "Win2K" },   { "Windows 2002", "", "WinXP" },
		{ "Windows Server 2003", "", "Win2K3" }, { "Windows XP", "", "WinXP" },
		{ "Windows Vista", "", "Vista" },  { "Mac OS X", "", "OSX" },
		{ "OS/2", "", "OS2" },             { "", "Windows NT", "WinNT" },
		{ "", "CIFS VFS Client for Linux", "CIFSFS" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strncmp(os, known[i].os, strlen(known[i].os)) == 0 &&
		    strncmp(lanman, known[i].lanman, strlen(known[i].lanman)) == 0)
			return known[i].arch;
	return "Unknown";
}

static void note_client(struct req *q, const struct setup_args *a)
{
	struct conn *c = q->c;
	uint32_t max = a->max_buffer & ~3u;

	c->client_max = max < 1024 ? 1024 : max;
	if (q->wct >= 12)
		c->client_caps = a->caps;
	if (a->os && a->lanman)
		c->arch = guess_arch(a->os, a->lanman);
}

/* Win9x asks for another password only on ERRSRV/ERRbadpw (negotiate-session 2.4). */
static status_t for_client(const struct req *q, status_t st)
{
	if (st == ST_LOGON_FAILURE && !(q->h.flags2 & FLAG2_NT_STATUS))
		return ST_SMB_BAD_PASSWORD;
	return st;
}

/* Signing starts with the first real user, if we offered it and the client wants it or we insist.  Who cannot sign
 * where we insist is not let in. */
static status_t maybe_sign(struct req *q, const struct auth_verdict *v)
{
	struct conn *c = q->c;
	int mode = c->conf->g.server_signing;
	bool wants = q->h.flags2 & (FLAG2_SIGNATURE | FLAG2_SIGNATURE_REQUIRED);

	if (mode == CONF_SERVER_SIGNING_DISABLED || c->sign.active)
		return ST_OK;
	if (v->mac_key_len == 0 || c->dialect < DIALECT_NT1) {
		if (mode != CONF_SERVER_SIGNING_MANDATORY)
			return ST_OK;
		sign_refused(c, v->anonymous ? "a client without a name" : v->guest ? "a guest" :
			     c->dialect < DIALECT_NT1 ? "a client of this dialect" : "a password in the clear", v->account);
		return ST_ACCESS_DENIED;
	}
	if (wants || mode == CONF_SERVER_SIGNING_MANDATORY) {
		sign_start(c, v->mac_key, v->mac_key_len);
		q->seq = 0;
	}
	return ST_OK;
}

/* Asks the keeper and, in the worker, lets the session in. */
static status_t ask(struct req *q, struct session *s, const struct auth_question *question, struct auth_talk *talk,
		    struct setup_reply *r)
{
	struct conn *c = q->c;
	struct auth_verdict *v = c->host->ask(c->host->arg, q->mem, question);
	status_t st;

	if (!v) {
		conn_kill(c, "the keeper does not answer");
		return ST_INTERNAL_ERROR;
	}
	if (v->status != ST_OK) {
		session_refused(c, question->user, v);
		return v->status;
	}
	if (talk && !auth_talk_finish(talk, q->mem, v, &r->blob, &r->blob_len)) {
		why_refused(&(struct why){ LOG_AUTH, .user = question->user },
			    "login of \"%s\": wrong mechListMIC, somebody changed the exchange", question->user);
		return ST_LOGON_FAILURE;
	}
	if (c->host->porch) {
		c->handover = true;
		return ST_OK;
	}
	st = maybe_sign(q, v);
	if (st != ST_OK)
		return st;
	r->action = (uint16_t)((v->guest ? 1 : 0) | (v->used_lm ? 2 : 0));
	session_login(s, v);
	return ST_OK;
}

/* ---- without SPNEGO ---- */

static status_t run_plain(struct req *q, const struct setup_args *a, struct setup_reply *r, uint16_t *uid)
{
	struct auth_question question = {
		.user = a->account, .domain = a->domain, .workstation = q->c->calling.name,
		.lm = a->first, .lm_len = a->first_len, .nt = a->second, .nt_len = a->second_len,
		.plaintext = q->c->plaintext,
	};
	struct session *s;
	status_t st;

	if (!a->account || !a->domain)
		return ST_NO_MEMORY;
	if (a->first_len > AUTH_MAX_RESPONSE || a->second_len > AUTH_MAX_RESPONSE)
		return ST_INVALID_PARAMETER;
	if (strlen(a->account) > AUTH_MAX_NAME || strlen(a->domain) > AUTH_MAX_NAME) {
		why_refused(&(struct why){ LOG_AUTH, .fix = "a shorter one" },
			    "login: a user or domain name of more than %d bytes", AUTH_MAX_NAME);
		return ST_LOGON_FAILURE;
	}
	question.anonymous = a->account[0] == '\0' && a->second_len == 0 &&
			     (a->first_len == 0 || (a->first_len == 1 && a->first[0] == 0));
	memcpy(question.challenge, q->c->host->challenge, sizeof(question.challenge));
	s = session_new(q->c);
	if (!s)
		return ST_SMB_TOO_MANY_UIDS;
	*uid = s->uid;
	st = ask(q, s, &question, NULL, r);
	if (st != ST_OK || q->c->handover)
		session_free(&s);
	return st;
}

/* ---- SPNEGO and raw NTLMSSP ---- */

/* Bytes the whole blob has by its ASN.1 head; 0 = no SPNEGO, it is whole as it is. */
static size_t asn1_size(const uint8_t *p, size_t n)
{
	if (n < 2 || (p[0] != 0x60 && p[0] != 0xa1))
		return 0;
	if (p[1] < 0x80)
		return 2u + p[1];
	if (p[1] == 0x81 && n >= 3)
		return 3u + p[2];
	if (p[1] == 0x82 && n >= 4)
		return 4u + ((size_t)p[2] << 8 | p[3]);
	return 0;
}

#define MAX_BLOB 65535u

/* Adds this piece to what came before; *whole tells whether it is complete. */
static status_t collect(struct session *s, const struct setup_args *a, const uint8_t **p, size_t *n, bool *whole)
{
	if (s->blob_len + a->first_len > MAX_BLOB)
		return ST_INVALID_PARAMETER;
	*p = a->first;
	*n = a->first_len;
	*whole = true;
	if (s->blob_len == 0 && asn1_size(a->first, a->first_len) <= a->first_len)
		return ST_OK;
	if (!budget_allows(a->first_len))
		return ST_INSUFF_SERVER_RESOURCES;
	s->blob = talloc_realloc(s, s->blob, uint8_t, (unsigned)(s->blob_len + a->first_len));
	if (!s->blob)
		return ST_NO_MEMORY;
	memcpy(s->blob + s->blob_len, a->first, a->first_len);
	s->blob_len += a->first_len;
	*p = s->blob;
	*n = s->blob_len;
	*whole = asn1_size(s->blob, s->blob_len) <= s->blob_len;
	return ST_OK;
}

static status_t step(struct req *q, struct session *s, const struct setup_args *a, struct setup_reply *r)
{
	const struct auth_question *question = NULL;
	const uint8_t *p;
	bool whole;
	size_t n;
	status_t st = collect(s, a, &p, &n, &whole);

	if (st != ST_OK || !whole)
		return st != ST_OK ? st : ST_MORE_PROCESSING_REQUIRED;
	st = auth_talk_step(s->talk, q->mem, p, n, &r->blob, &r->blob_len, &question);
	if (st == ST_OK)
		st = ask(q, s, question, s->talk, r);
	if (st == ST_MORE_PROCESSING_REQUIRED && s->blob) {
		TALLOC_FREE(s->blob);
		s->blob_len = 0;
	}
	return st;
}

static status_t run_spnego(struct req *q, const struct setup_args *a, struct setup_reply *r, uint16_t *uid)
{
	struct session *s = session_talking(q->c, q->h.uid);
	struct auth_talk_server who;
	status_t st;

	if (!s)
		s = session_find(q->c, q->h.uid); /* a live UID proves itself anew */
	if (!s && q->h.uid != 0)
		return ST_SMB_BAD_UID; /* a dead or foreign one does not */
	if (!s)
		s = session_new(q->c);
	if (!s)
		return ST_SMB_TOO_MANY_UIDS;
	if (!s->talk) {
		session_server(q->c, &who);
		s->talk = auth_talk_new(s, &who);
	}
	*uid = s->uid;
	st = s->talk ? step(q, s, a, r) : ST_NO_MEMORY;
	if (st != ST_OK && st != ST_MORE_PROCESSING_REQUIRED) {
		if (q->s == s) /* who asks is gone, too */
			q->s = NULL;
		session_free(&s);
	}
	return st;
}

/* ---- reply ---- */

static void setup_encode(struct req *q, const struct setup_reply *r, bool spnego)
{
	const struct conf *conf = q->c->conf;
	bool unicode = req_unicode(q);
	struct wr *w = req_words_andx(q, spnego ? 4 : 3);

	wr_u16(w, r->action);
	if (spnego)
		wr_u16(w, (uint16_t)r->blob_len);
	req_bytes(q);
	if (spnego && r->blob_len)
		wr_bytes(w, r->blob, r->blob_len);
	if (q->c->dialect >= DIALECT_NT1) {
		wire_put_str(w, conf->g.smb1d_native_os, unicode, WSTR_NUL | WSTR_ALIGN);
		wire_put_str(w, conf->g.smb1d_native_lanman, unicode, WSTR_NUL);
		wire_put_str(w, conf->g.workgroup, unicode, WSTR_NUL);
	}
	req_done(q);
}

/* At share level a login is only a name, to be tried with the passwords of shares; no UID is looked at later. */
static status_t share_level_setup(struct req *q, const struct setup_args *a)
{
	const struct setup_reply r = { 0 };

	if (a->account && a->account[0])
		q->c->last_user = talloc_strdup(q->c, a->account);
	q->reply_uid = 1;
	setup_encode(q, &r, false);
	return ST_OK;
}

status_t cmd_session_setup(struct req *q)
{
	struct setup_args a = { 0 };
	struct setup_reply r = { 0 };
	bool spnego = q->wct == 12;
	uint16_t uid = 0;
	status_t st = setup_decode(q, &a);

	if (st != ST_OK)
		return st;
	if (spnego != q->c->ext_sec && spnego)
		return ST_INVALID_PARAMETER; /* a blob without having agreed on it */
	note_client(q, &a);
	if (q->c->share_level)
		return share_level_setup(q, &a);
	st = spnego ? run_spnego(q, &a, &r, &uid) : run_plain(q, &a, &r, &uid);
	if (q->c->handover)
		return ST_OK;
	if (st != ST_OK && st != ST_MORE_PROCESSING_REQUIRED)
		return for_client(q, st);
	if (st == ST_OK && a.vc == 0 && q->c->conf->g.reset_on_zero_vc && idtab_count(q->c->sessions) == 1)
		neighbour_reset(q->c, session_find(q->c, uid));
	q->h.uid = uid; /* the rest of the chain runs as this user */
	q->reply_uid = uid;
	setup_encode(q, &r, spnego);
	return st;
}
