/* ask.h - one question on its way through the rules, for keeper.c and policy.c. */
#ifndef SMB1D_AUTH_ASK_H
#define SMB1D_AUTH_ASK_H
#include "auth/talk.h"

struct auth_keeper {
	struct auth_store *store;
	struct usermap *map;
	const struct conf *c; /* the caller's, until the next reload */
};

struct ask {
	struct auth_keeper *k;
	struct conf_globals g; /* with the client's profile */
	const struct auth_question *q;
	const uint8_t *challenge;
	const struct conf_macros *m;
	struct auth_verdict *v;
	struct ntlm_allow allow;
	struct ntlm_result res;
	struct auth_account *account;
	const char *shown; /* the client's name for itself, fit for a log line */
};

/* ---- policy.c: which kinds of proof, from which client, for which account ---- */
/* What a list says of this client: 1 yes, -1 no, 0 nothing. */
int ask_listed(const struct ask *a, const char *const *list);
/* Fills a->allow. */
void ask_find_allowed(struct ask *a);
/* The response is right (a->res.refused), but of a kind that is not taken here: what would take it, and in *rule the
 * setting that says no.  NULL: that was not it. */
const char *ask_refused_kind(const struct ask *a, const char **rule);
/* May the identity of the verdict use the kind of proof it used?  Else the setting that says no. */
const char *ask_account_rule(const struct ask *a);
#endif
