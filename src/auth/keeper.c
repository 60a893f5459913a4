/* keeper.c - the policy: one question in, one verdict out.
 *
 *   lengths -> null session -> `username map` -> account (blind to case; "DOM\user", "user@dom") ->
 *   password (which kinds count) -> disabled -> Unix account -> uid 0 only for `admin users` -> yes
 *
 * A no may become the guest account (`map to guest`): an unknown name with Bad User or Bad
 * Password, a wrong password with Bad Password, a missing Unix account with Bad Uid.  The domain
 * a client names is never a reason: all accounts are our own, whatever it calls them.
 * Every verdict carries a sentence that names the rule and the setting that would change it. */
#include "auth/ask.h"
#include "base/log.h"
#include "base/str.h"
#include "base/util.h"
#include <stdarg.h>

struct auth_keeper *auth_keeper_open(TALLOC_CTX *mem, const struct conf *c, const char **why)
{
	struct auth_keeper *k = talloc_zero(mem, struct auth_keeper);

	*why = "out of memory";
	if (!k)
		return NULL;
	k->c = c;
	k->map = usermap_new(k);
	k->store = talloc_steal(k, auth_store_open(mem, c, why));
	if (!k->store || !k->map)
		TALLOC_FREE(k);
	return k;
}

void auth_keeper_reload(struct auth_keeper *k, const struct conf *c) { k->c = c; }

/* ---- words for the log ---- */

/* At most 64 bytes, without control characters: the name comes from the network. */
static const char *fit_for_log(TALLOC_CTX *mem, const char *name)
{
	char *s = talloc_strndup(mem, name, 64);

	for (char *p = s; p && *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f || *p == '"')
			*p = '?';
	return s ? s : "?";
}

static void say(struct ask *a, const char *fmt, va_list ap)
{
	char *s = talloc_vasprintf(a->v, fmt, ap);

	if (s && strlen(s) > 1000)
		s[1000] = '\0';
	a->v->reason = s ? s : "out of memory";
}

/* rule: the parameter that decides, NULL: none */
static void refuse(struct ask *a, status_t st, const char *rule, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
static void refuse(struct ask *a, status_t st, const char *rule, const char *fmt, ...)
{
	va_list ap;

	a->v->status = st;
	a->v->rule = rule;
	va_start(ap, fmt);
	say(a, fmt, ap);
	va_end(ap);
}

static void admit(struct ask *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void admit(struct ask *a, const char *fmt, ...)
{
	va_list ap;

	a->v->status = ST_OK;
	a->v->ident->domain = talloc_strdup(a->v->ident, a->g.workgroup);
	va_start(ap, fmt);
	say(a, fmt, ap);
	va_end(ap);
}

/* ---- guests and null sessions ---- */

/* The guest account as the verdict's identity; refuses if it cannot be. */
static bool take_guest_ident(struct ask *a)
{
	const char *name = a->g.guest_account;

	a->v->ident = auth_ident_of(a->v, name);
	if (!a->v->ident) {
		refuse(a, ST_LOGON_FAILURE, "guest account",
		       "`guest account = %s` is no Unix account, so \"%s\" cannot be a guest; `useradd %s` would make it one",
		       name, a->shown, name);
		return false;
	}
	if (a->v->ident->uid == 0 && !ident_unprivileged()) {
		TALLOC_FREE(a->v->ident);
		refuse(a, ST_LOGON_FAILURE, "guest account",
		       "`guest account = %s` has user id 0 and is never used; an ordinary one would be", name);
		return false;
	}
	a->v->account = talloc_strdup(a->v, name);
	return true;
}

static void make_guest(struct ask *a, const char *because, const char *rule)
{
	if (ask_listed(a, a->g.smb1d_guest_clients) < 0) {
		refuse(a, ST_LOGON_FAILURE, "smb1d: guest clients",
		       "%s, and this client has no guests; without its \"!\" in `smb1d: guest clients` it would be one",
		       because);
		return;
	}
	if (!take_guest_ident(a))
		return;
	a->v->guest = a->v->ident->guest = true;
	admit(a, "%s: `map to guest = %s` makes it the guest account \"%s\"", because, rule,
	      a->g.guest_account);
}

static void null_session(struct ask *a)
{
	int rule = ask_listed(a, a->g.smb1d_anonymous_clients);

	if (rule < 0) {
		refuse(a, ST_ACCESS_DENIED, "smb1d: anonymous clients",
		       "a null session; without the client's \"!\" in `smb1d: anonymous clients` it would be let in");
		return;
	}
	if (rule == 0 && a->g.restrict_anonymous >= 2) {
		refuse(a, ST_ACCESS_DENIED, "restrict anonymous",
		       "null sessions are refused by `restrict anonymous = 2`; 0 or 1, or the client's address in `smb1d: "
		       "anonymous clients`, allow them");
		return;
	}
	if (!take_guest_ident(a))
		return;
	a->v->anonymous = a->v->ident->anonymous = true;
	if (ntlm_finish(a->q, &a->res))
		memcpy(a->v->session_key, a->res.session_key, 16);
	admit(a, "null session as \"%s\"; `restrict anonymous = 2` would refuse it", a->g.guest_account);
}

/* ---- which account ---- */

/* 1 found, 0 unknown, -1 damaged. */
static int find_account(struct ask *a)
{
	const char *user = a->q->user, *slash = strchr(user, '\\'), *at = strrchr(user, '@');
	const char *file, *mapped = NULL;
	const char *domain = slash ? talloc_strndup(a->v, user, (size_t)(slash - user)) : a->q->domain;
	const char *names[3] = { user, slash ? slash + 1 : NULL, NULL };
	int found = 0;

	if (at && at != user)
		names[2] = talloc_strndup(a->v, user, (size_t)(at - user));
	file = *a->g.username_map ? conf_expand(a->v, a->g.username_map, a->m) : NULL;
	for (size_t i = 0; file && domain && i < ARRAY_LEN(names) && !mapped; i++)
		if (names[i] && (i > 0 || !slash))
			mapped = usermap_find(a->v, a->k->map, file, names[i], domain);
	if (mapped)
		return auth_store_get(a->v, a->k->store, mapped, &a->account);
	for (size_t i = 0; i < ARRAY_LEN(names) && found == 0; i++)
		found = names[i] && *names[i] ? auth_store_get(a->v, a->k->store, names[i], &a->account) : 0;
	return found;
}

static void unknown_user(struct ask *a)
{
	char *because = talloc_asprintf(a->v, "user \"%s\" is unknown", a->shown);
	int map = a->g.map_to_guest;

	if (map == CONF_MAP_TO_GUEST_NEVER && ask_listed(a, a->g.smb1d_guest_clients) > 0)
		map = CONF_MAP_TO_GUEST_BAD_USER;
	switch (map) {
	case CONF_MAP_TO_GUEST_BAD_USER: make_guest(a, because, "Bad User"); break;
	case CONF_MAP_TO_GUEST_BAD_PASSWORD: make_guest(a, because, "Bad Password"); break;
	default:
		refuse(a, ST_LOGON_FAILURE, "map to guest",
		       "%s; `smb1ctl passwd -a` would add it, `map to guest = Bad User` would let it in "
		       "as guest",
		       because);
	}
}

/* ---- the password ---- */

static const char *why_wrong(const struct ask *a, const char **rule)
{
	const struct auth_account *acc = a->account;
	const char *kind = ask_refused_kind(a, rule);

	if (a->res.bad_mic)
		return "the message integrity code is wrong: the exchange was changed on the way";
	if (a->res.bad_key)
		return "the client's session key has a wrong length";
	if (kind)
		return kind;
	if (acc->flags & AUTH_ACCT_NO_PASSWORD && !a->g.null_passwords) {
		*rule = "null passwords";
		return "the account has an empty password; `null passwords = yes` or `smb1ctl passwd` with "
		       "a password would let it in";
	}
	if (!acc->has_nt && !acc->has_lm && !(acc->flags & AUTH_ACCT_NO_PASSWORD))
		return "no password is stored for it; `smb1ctl passwd` sets one";
	if (ntlm_no_proof(a->q))
		return "no password was sent";
	if (a->res.kind == NTLM_LM && !acc->has_lm)
		return "only an LM response was sent, and no LM hash is stored; set `lanman auth = yes` "
		       "and the password again, or use `smb1ctl passwd --lm`";
	return "wrong password; `smb1ctl passwd` sets a new one";
}

static void wrong_password(struct ask *a)
{
	const char *rule, *why = why_wrong(a, &rule);
	char *because = talloc_asprintf(a->v, "user \"%s\" (%s response): %s", a->shown,
					ntlm_kind_name(a->res.kind), why);

	if (a->account->flags & AUTH_ACCT_DISABLED)
		refuse(a, ST_LOGON_FAILURE, NULL,
		       "%s; the account is disabled besides, `smb1ctl passwd -e` enables it", because);
	else if (a->g.map_to_guest == CONF_MAP_TO_GUEST_BAD_PASSWORD && !a->res.bad_mic)
		make_guest(a, because, "Bad Password");
	else
		refuse(a, ST_LOGON_FAILURE, rule, "%s", because);
}

static bool has_empty_password(const struct auth_account *acc)
{
	uint8_t empty[16];

	auth_nt_hash("", empty);
	return (acc->flags & AUTH_ACCT_NO_PASSWORD) || (acc->has_nt && auth_equal(acc->nt, empty, 16));
}

/* Nothing, or the single blank that Windows for Workgroups sends for it. */
static bool sent_nothing(const struct auth_question *q)
{
	const uint8_t *p = q->lm_len ? q->lm : q->nt;
	uint32_t n = q->lm_len ? q->lm_len : q->nt_len;

	if (ntlm_no_proof(q))
		return true;
	if (!q->plaintext)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (p[i] != 0 && (p[i] != ' ' || i > 0))
			return false;
	return true;
}

static bool password_right(struct ask *a)
{
	if (has_empty_password(a->account)) {
		a->account->flags |= AUTH_ACCT_NO_PASSWORD;
		if (!a->g.null_passwords)
			return false;
		return sent_nothing(a->q) ||
		       ntlm_check_password("", a->q, a->challenge, &a->allow, &a->res) ||
		       ntlm_check_password(" ", a->q, a->challenge, &a->allow, &a->res);
	}
	return ntlm_check(a->account, a->q, a->challenge, &a->allow, &a->res);
}

/* ---- who that is on this machine ---- */

static bool is_admin_somewhere(const struct ask *a, const struct ident *id)
{
	const struct conf *c = a->k->c;
	const char *rule;

	for (size_t i = 0; i < c->nshares; i++)
		if (conf_user_in(c->shares[i]->p.admin_users, id->user, id->groups, id->ngroups, a->m, &rule))
			return true;
	return false;
}

static bool take_ident(struct ask *a)
{
	const char *name = a->account->user;

	a->v->ident = ident_find(a->v, name, (unsigned)a->g.username_level);
	if (!a->v->ident && a->g.map_to_guest == CONF_MAP_TO_GUEST_BAD_UID) {
		make_guest(a, talloc_asprintf(a->v, "account \"%s\" has no Unix account", name), "Bad Uid");
		return false;
	}
	if (!a->v->ident) {
		refuse(a, ST_LOGON_FAILURE, "map to guest",
		       "account \"%s\" has no Unix account; `useradd %s` would make one, `map to guest = "
		       "Bad Uid` would make it the guest",
		       name, name);
		return false;
	}
	if (a->v->ident->uid == 0 && !ident_unprivileged() && !is_admin_somewhere(a, a->v->ident)) {
		TALLOC_FREE(a->v->ident);
		refuse(a, ST_LOGON_FAILURE, "admin users",
		       "account \"%s\" has user id 0; it may log in only if `admin users` of some share "
		       "names it",
		       name);
		return false;
	}
	return true;
}

/* The signing key: bare under NTLMSSP, else followed by the response that counted. */
static void take_keys(struct ask *a)
{
	struct auth_verdict *v = a->v;

	memcpy(v->session_key, a->res.session_key, 16);
	if (a->res.kind == NTLM_NONE || a->res.kind == NTLM_PLAIN)
		return;
	memcpy(v->mac_key, a->res.session_key, 16);
	v->mac_key_len = 16;
	if (!a->q->ntlmssp && a->res.response_len <= AUTH_MAX_RESPONSE) {
		memcpy(v->mac_key + 16, a->res.response, a->res.response_len);
		v->mac_key_len += a->res.response_len;
	}
}

static void known_user(struct ask *a)
{
	const char *rule;

	if (!password_right(a)) {
		wrong_password(a);
		return;
	}
	a->v->account = talloc_strdup(a->v, a->account->user);
	if (a->account->flags & AUTH_ACCT_DISABLED) {
		refuse(a, ST_ACCOUNT_DISABLED, NULL, "account \"%s\" is disabled; `smb1ctl passwd -e` enables it",
		       a->account->user);
		return;
	}
	if (!take_ident(a))
		return;
	rule = ask_account_rule(a);
	if (rule) {
		TALLOC_FREE(a->v->ident);
		refuse(a, ST_LOGON_FAILURE, rule,
		       "account \"%s\" may not log in with an %s response; its name in `%s` would let it",
		       a->account->user, ntlm_kind_name(a->res.kind), rule);
		return;
	}
	a->v->used_lm = a->res.kind == NTLM_LM;
	take_keys(a);
	admit(a, "account \"%s\" proved by its %s response", a->account->user, ntlm_kind_name(a->res.kind));
}

static void answer(struct ask *a)
{
	if (a->q->nt_len > AUTH_MAX_RESPONSE || a->q->lm_len > AUTH_MAX_RESPONSE) {
		refuse(a, ST_INVALID_PARAMETER, NULL, "a response longer than %d bytes is refused",
		       AUTH_MAX_RESPONSE);
		return;
	}
	if (!*a->q->user && ntlm_no_proof(a->q)) {
		null_session(a);
		return;
	}
	ask_find_allowed(a);
	switch (find_account(a)) {
	case 1: known_user(a); break;
	case 0: unknown_user(a); break;
	default:
		refuse(a, ST_LOGON_FAILURE, NULL,
		       "the record of \"%s\" in the account store is damaged; `smb1ctl passwd -a` writes it "
		       "anew",
		       a->shown);
	}
}

struct auth_verdict *auth_keeper_answer(TALLOC_CTX *mem, struct auth_keeper *k, const struct auth_question *q,
					const uint8_t challenge[AUTH_CHALLENGE_LEN],
					const struct conf_macros *m)
{
	static const struct conf_macros nothing;
	struct ask a = { .k = k, .g = k->c->g, .q = q, .challenge = challenge, .m = m ? m : &nothing };

	a.v = verdict_new(mem);
	if (!a.v)
		return NULL;
	conf_profile_globals(a.v, k->c, a.m->client_addr, &a.g);
	a.v->status = ST_LOGON_FAILURE;
	a.shown = fit_for_log(a.v, q->user);
	answer(&a);
	TALLOC_FREE(a.account);
	str_wipe(&a.res, sizeof(a.res));
	return a.v;
}
