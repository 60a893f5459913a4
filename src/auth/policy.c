/* policy.c - LM, NTLMv1, NTLMv2, passwords in the clear: what is taken from whom.
 *
 *   what is said for all  <  what `smb1d: ... clients` says of this client  <  what `smb1d: ... users` says of the account
 *
 * A client is its address; the NetBIOS name it claims counts only together with that.  An account can only be denied
 * what its client may do. */
#include "auth/ask.h"

int ask_listed(const struct ask *a, const char *const *list)
{
	if (!list[0] || !a->m->client_addr || !*a->m->client_addr)
		return 0;
	return conf_client_rule(list, &(struct conf_peer){ .addr = a->m->client_addr, .dns = a->m->client_dns,
							   .claimed = a->q->workstation });
}

/* What a list says of this client goes before what is said for all. */
static bool may(const struct ask *a, const char *const *clients, bool all)
{
	int rule = ask_listed(a, clients);

	return rule > 0 || (rule == 0 && all);
}

void ask_find_allowed(struct ask *a)
{
	const struct conf_globals *g = &a->g;

	a->allow = (struct ntlm_allow){
		.lm = may(a, g->smb1d_lanman_clients, g->lanman_auth),
		.v1 = may(a, g->smb1d_ntlmv1_clients, g->ntlm_auth == CONF_NTLM_AUTH_NTLMV1_PERMITTED),
		.v2 = may(a, g->smb1d_ntlmv2_clients, g->ntlm_auth != CONF_NTLM_AUTH_DISABLED),
		.raw_v2 = may(a, g->smb1d_ntlmv2_clients, g->raw_ntlmv2_auth),
		.plain = may(a, g->smb1d_plaintext_clients, !g->encrypt_passwords),
	};
}

/* The settings of a kind of proof: for all, by client, by account. */
static const struct kind_row { const char *all, *clients, *users; } kind_rows[] = {
	[NTLM_PLAIN] = { "encrypt passwords", "smb1d: plaintext clients", "smb1d: plaintext users" },
	[NTLM_LM] = { "lanman auth", "smb1d: lanman clients", "smb1d: lanman users" },
	[NTLM_V1] = { "ntlm auth", "smb1d: ntlmv1 clients", "smb1d: ntlmv1 users" },
	[NTLM_SESSION] = { "ntlm auth", "smb1d: ntlmv1 clients", "smb1d: ntlmv1 users" },
	[NTLM_LMV2] = { "ntlm auth", "smb1d: ntlmv2 clients", "smb1d: ntlmv2 users" },
	[NTLM_V2] = { "ntlm auth", "smb1d: ntlmv2 clients", "smb1d: ntlmv2 users" },
};

static const char *const *users_of(const struct ask *a)
{
	static const char *const anybody[] = { NULL };

	switch (a->res.kind) {
	case NTLM_PLAIN: return a->g.smb1d_plaintext_users;
	case NTLM_LM: return a->g.smb1d_lanman_users;
	case NTLM_V1:
	case NTLM_SESSION: return a->g.smb1d_ntlmv1_users;
	case NTLM_LMV2:
	case NTLM_V2: return a->g.smb1d_ntlmv2_users;
	case NTLM_NONE: break;
	}
	return anybody;
}

static const char *const *clients_of(const struct ask *a)
{
	switch (a->res.refused) {
	case NTLM_LM: return a->g.smb1d_lanman_clients;
	case NTLM_V1:
	case NTLM_SESSION: return a->g.smb1d_ntlmv1_clients;
	case NTLM_LMV2:
	case NTLM_V2: return a->g.smb1d_ntlmv2_clients;
	default: return a->g.smb1d_plaintext_clients;
	}
}

const char *ask_refused_kind(const struct ask *a, const char **rule)
{
	const struct kind_row *row = &kind_rows[a->res.refused];

	*rule = row->all;
	if (a->res.refused != NTLM_NONE && ask_listed(a, clients_of(a)) < 0) {
		*rule = row->clients;
		return talloc_asprintf(a->v, "its password is right, but this client may not send it so; without its \"!\" in "
				       "`%s` it might", row->clients);
	}
	switch (a->res.refused) {
	case NTLM_LM:
		return "its LM response is right, but `lanman auth = no`; yes, or the client's address in "
		       "`smb1d: lanman clients`, would take it";
	case NTLM_V1:
	case NTLM_SESSION:
		return "its NTLMv1 response is right, but `ntlm auth` wants better; `ntlm auth = "
		       "ntlmv1-permitted`, or the client's address in `smb1d: ntlmv1 clients`, would take it";
	case NTLM_V2:
	case NTLM_LMV2:
		if (!a->allow.v2)
			return "its NTLMv2 response is right, but `ntlm auth = disabled`; ntlmv2-only, or the "
			       "client's address in `smb1d: ntlmv2 clients`, would take it";
		*rule = "raw NTLMv2 auth";
		return "its NTLMv2 response came outside NTLMSSP; `raw NTLMv2 auth = yes` would take it";
	case NTLM_PLAIN:
		return "its password came in the clear; `encrypt passwords = no`, or the client's address in "
		       "`smb1d: plaintext clients`, would take it";
	case NTLM_NONE: break;
	}
	*rule = NULL;
	return NULL;
}

const char *ask_account_rule(const struct ask *a)
{
	const char *const *users = users_of(a);
	const struct ident *id = a->v->ident;
	struct conf_macros m = *a->m;
	const char *item;

	m.conf = a->k->c;
	if (!users[0] || conf_user_in(users, id->user, id->groups, id->ngroups, &m, &item))
		return NULL;
	return kind_rows[a->res.kind].users;
}
