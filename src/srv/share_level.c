/* share_level.c - logins at the door of a share, for clients that name no user: `security = share`, and the core
 * protocol, which knows no SESSION_SETUP at all.
 *
 *   user level:   SESSION_SETUP --> session (UID) --> any number of trees
 *   share level:  TREE_CONNECT with a password --> a tree and its own session, which ends with it
 *
 * Whose password could it be?  We try, in this order: the name of the client's last SESSION_SETUP, the share's
 * `username` list (with `only user` nothing else), the share's own name (home directories), the names in the
 * NetBIOS session request.  Of a group in the list each member is tried.  Without a password, or when none fits, a
 * share with `guest ok` takes the guest; one with `guest only` asks nobody.
 * The password itself goes to the keeper, who alone can tell; this half knows nothing but names. */
#include "base/log.h"
#include "base/str.h"
#include "conf/why.h"
#include "srv/conn.h"

#define NAMES_MAX 64

struct names {
	const char *list[NAMES_MAX];
	size_t n;
};

static void add_name(struct names *l, const char *name)
{
	if (!name || !*name || strlen(name) > AUTH_MAX_NAME || l->n == NAMES_MAX)
		return;
	for (size_t i = 0; i < l->n; i++)
		if (str_caseeq(l->list[i], name))
			return;
	l->list[l->n++] = name;
}

/* An account of the `username` list, or everybody in a group of it (@group, +group, &group). */
static void add_item(struct names *l, const struct conf *conf, const char *item)
{
	size_t marks = strspn(item, "@+&");

	if (marks == 0) {
		add_name(l, item);
		return;
	}
	for (size_t i = 0; i < conf->ngroups; i++)
		if (strcmp(conf->groups[i].name, item + marks) == 0)
			for (const char *const *m = conf->groups[i].members; *m; m++)
				add_name(l, *m);
}

static void collect_names(const struct conn *c, TALLOC_CTX *mem, const char *name, const struct conf_share *share,
			  struct names *l)
{
	const char *const *u = share->p.username;
	struct conf_macros m;

	conn_macros(c, NULL, NULL, &m);
	m.service = name;
	if (!share->p.only_user)
		add_name(l, c->last_user);
	for (; *u; u++)
		add_item(l, c->conf, conf_expand(mem, *u, &m));
	if (share->p.only_user)
		return;
	add_name(l, name);
	add_name(l, c->calling.name);
	add_name(l, c->called.name);
}

static bool guest_may(const struct conn *c, const struct conf_share *share)
{
	const char *const *clients = c->conf->g.smb1d_guest_clients;

	if (clients[0] && conf_client_rule(clients, &(struct conf_peer){ .addr = c->client_addr, .claimed = c->calling.name }) < 0)
		return false;
	return share->p.guest_ok || share->p.guest_only || share->kind == CONF_IPC;
}

static bool no_password(const struct tree_password *pw)
{
	for (uint32_t i = 0; i < pw->len; i++)
		if (pw->p[i] != 0 && (pw->p[i] != ' ' || i > 0))
			return false;
	return true;
}

static struct auth_verdict *ask(struct conn *c, TALLOC_CTX *mem, const char *user, const struct tree_password *pw)
{
	struct auth_question *q = talloc_zero(mem, struct auth_question);
	struct auth_verdict *v = NULL;

	if (q) {
		q->user = user;
		q->domain = "";
		q->workstation = c->calling.name;
		q->lm = pw ? pw->p : NULL;
		q->lm_len = pw ? pw->len : 0;
		q->plaintext = pw && c->plaintext;
		q->anonymous = !pw;
		memcpy(q->challenge, c->host->challenge, sizeof(q->challenge));
		v = c->host->ask(c->host->arg, mem, q);
	}
	if (!v)
		conn_kill(c, "the keeper does not answer");
	return v;
}

/* A null session is what the keeper knows of people without a name; here they are guests. */
static struct auth_verdict *ask_guest(struct conn *c, TALLOC_CTX *mem)
{
	struct auth_verdict *v = ask(c, mem, "", NULL);

	if (v && v->status == ST_OK) {
		v->guest = true;
		v->anonymous = false;
		if (v->ident) {
			v->ident->guest = true;
			v->ident->anonymous = false;
		}
	}
	return v;
}

static struct auth_verdict *ask_names(struct conn *c, TALLOC_CTX *mem, const struct names *l,
				      const struct tree_password *pw, const char *share)
{
	struct auth_verdict *v = NULL;

	for (size_t i = 0; i < l->n && !c->dead; i++) {
		v = ask(c, mem, l->list[i], pw);
		if (v && v->status == ST_OK && !v->guest && !v->anonymous)
			return v;
		if (v)
			log_at(LOG_AUTH, 3, "share %s: not the password of \"%s\": %s", share, l->list[i],
			       v->reason ? v->reason : status_name(v->status));
	}
	return NULL;
}

static const struct conf_share *which(const struct conn *c, const char *name)
{
	const struct conf_share *s = conf_find(c->conf, name);

	return s ? s : conf_homes(c->conf);
}

static void no_password_fits(const struct conn *c, const struct conf_share *share, const char *name,
			     const struct names *l, const struct auth_verdict *v)
{
	bool clear = c->plaintext && c->conf->g.encrypt_passwords;
	struct why rule = { LOG_AUTH, .conf = c->conf, .share = share, .user = l->n ? l->list[0] : NULL, .where = name,
			    .param = clear ? "smb1d: plaintext clients" : "username" };

	rule.fix = clear ? "the client's address in `smb1d: plaintext clients`, as its password comes in the clear" :
		   "the right password of an account in `username`, or `guest ok = yes`";
	why_refused(&rule, "the password for share %s is that of none of %zu names tried (first: \"%s\")%s%s", name, l->n,
		    l->n ? l->list[0] : "", v && v->reason ? "; guest: " : "", v && v->reason ? v->reason : "");
}

status_t share_level_login(struct conn *c, TALLOC_CTX *mem, const char *name, const struct tree_password *pw,
			   struct session **out)
{
	const struct conf_share *share = which(c, name);
	struct names l = { .n = 0 };
	struct auth_verdict *v = NULL;

	*out = NULL;
	if (!share || !share->p.available) {
		tree_no_share(c, share, c->last_user, name);
		return ST_BAD_NETWORK_NAME;
	}
	collect_names(c, mem, name, share, &l);
	if (!share->p.guest_only && pw->len <= AUTH_MAX_RESPONSE && (!no_password(pw) || !guest_may(c, share)))
		v = ask_names(c, mem, &l, pw, name);
	if (!v && !c->dead && guest_may(c, share))
		v = ask_guest(c, mem);
	if (c->dead)
		return ST_INTERNAL_ERROR;
	if (!v || v->status != ST_OK) {
		no_password_fits(c, share, name, &l, v);
		return ST_WRONG_PASSWORD;
	}
	if (c->conf->g.server_signing == CONF_SERVER_SIGNING_MANDATORY) {
		sign_refused(c, "a client with a password for each share", l.n ? l.list[0] : NULL);
		return ST_ACCESS_DENIED;
	}
	if (c->host->porch) {
		c->handover = true;
		return ST_OK;
	}
	*out = session_new(c);
	if (!*out)
		return ST_SMB_TOO_MANY_UIDS;
	session_login(*out, v);
	return ST_OK;
}

struct session *share_level_session(const struct conn *c, const struct tree *t)
{
	uint16_t id = 0;
	struct session *s;

	if (t)
		return t->own;
	while ((s = idtab_next(c->sessions, id, &id)) != NULL)
		if (s->ready)
			return s;
	return NULL;
}
