/* session.c - UIDs.
 *
 *   (none) --first leg--> talking --proof--> ready --LOGOFF--> (none)
 *      \________one leg (no SPNEGO)________/  */
#include "base/budget.h"
#include "base/log.h"
#include "base/str.h"
#include "base/util.h"
#include "conf/why.h"
#include "srv/crypt.h"
#include "srv/open.h"

#define SESSION_BYTES 2048u /* one of them, roughly */

struct session *session_new(struct conn *c)
{
	struct session *s = budget_allows(SESSION_BYTES) ? talloc_zero(c, struct session) : NULL;

	if (!s)
		return NULL;
	s->c = c;
	s->uid = idtab_add(c->sessions, s);
	if (s->uid == 0) {
		talloc_free(s);
		return NULL;
	}
	return s;
}

void session_server(const struct conn *c, struct auth_talk_server *who)
{
	*who = (struct auth_talk_server){
		.netbios_name = c->conf->g.netbios_name,
		.domain = c->conf->g.workgroup,
		.dns_name = c->conf->g.netbios_name,
		.dns_domain = "",
	};
	memcpy(who->challenge, c->host->challenge, sizeof(who->challenge));
}

/* What the trees worked out about this user. */
static void forget_in_trees(struct conn *c, uint16_t uid)
{
	struct tree *t;
	uint16_t id = 0;

	while ((t = idtab_next(c->trees, id, &id)) != NULL) {
		struct tree_user **at = &t->users;

		while (*at) {
			struct tree_user *u = *at;

			if (u->uid == uid) {
				*at = u->next;
				talloc_free(u);
			} else {
				at = &u->next;
			}
		}
	}
}

void session_put_again(const struct session *s)
{
	const struct conn *c = s->c;
	struct db_session e = {
		.owner = db_me(), .uid = s->uid, .unix_uid = s->id->uid, .unix_gid = s->id->gid,
		.user = s->account, .domain = s->domain, .client_name = c->calling.name,
		.client_addr = c->client_addr, .dialect = c->dialect_name, .guest = s->guest,
		.signing = c->sign.active, .encrypted = crypt_shown(c), .since = s->since,
	};

	if (c->host->db)
		db_session_put(c->host->db, &e);
}

void session_login(struct session *s, struct auth_verdict *v)
{
	struct conn *c = s->c;

	if (s->ready) { /* the same UID proves itself anew: what the old identity was given goes */
		forget_in_trees(c, s->uid);
		talloc_free(s->id);
	}
	s->id = talloc_steal(s, v->ident);
	s->account = talloc_strdup(s, v->account ? v->account : v->ident->user);
	s->domain = talloc_strdup(s, v->ident->domain ? v->ident->domain : c->conf->g.workgroup);
	s->guest = v->guest;
	s->anonymous = v->anonymous;
	memcpy(s->session_key, v->session_key, sizeof(s->session_key));
	TALLOC_FREE(s->talk);
	TALLOC_FREE(s->blob);
	s->blob_len = 0;
	s->ready = true;
	conn_log_who(c, s, NULL);
	log_at(LOG_AUTH, 2, "logged in as Unix user %s%s, dialect %s", s->id->user,
	       s->guest ? " (guest)" : s->anonymous ? " (anonymous)" : "", c->dialect_name);
	s->since = clock_now();
	session_put_again(s);
}

void session_refused(const struct conn *c, const char *user, const struct auth_verdict *v)
{
	const char *reason = v->reason ? v->reason : status_name(v->status), *cut = strstr(reason, "; ");
	size_t n = cut ? (size_t)(cut - reason) : strlen(reason);

	why_refused(&(struct why){ LOG_AUTH, .conf = c->conf, .param = v->rule, .user = user, .fix = cut ? cut + 2 : NULL },
		    "login: %.*s", (int)n, reason);
}

HOT struct session *session_find(const struct conn *c, uint16_t uid)
{
	struct session *s = idtab_get(c->sessions, uid);

	return s && s->ready ? s : NULL;
}

struct session *session_talking(const struct conn *c, uint16_t uid)
{
	struct session *s = idtab_get(c->sessions, uid);

	return s && s->talk ? s : NULL;
}

void session_free(struct session **sp)
{
	struct session *s = *sp;
	struct conn *c = s->c;

	if (s->ready) {
		c->logged_off = true;
		open_close_uid(c, s->uid);
		search_free_uid(c, s->uid);
		forget_in_trees(c, s->uid);
		if (c->host->db)
			db_session_del(c->host->db, s->uid);
	}
	idtab_del(c->sessions, s->uid);
	str_wipe(s->session_key, sizeof(s->session_key));
	talloc_free(s);
	*sp = NULL;
}
