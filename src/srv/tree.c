/* tree.c - TIDs: a share somebody connected to, and who may do what in it. */
#include "base/budget.h"
#include "base/log.h"
#include "base/str.h"
#include "base/util.h"
#include "conf/why.h"
#include "srv/audit.h"
#include "srv/crypt.h"
#include "srv/exec.h"
#include "srv/notify.h"
#include <strings.h>

#define TREE_BYTES 2048u /* a tree, */
#define USER_BYTES 512u  /* and a user in it, roughly */

/* ---- users of a tree ---- */

static bool in_list(const struct conn *c, const struct session *s, const struct tree *t, const char *const *list,
		    const char **rule)
{
	struct conf_macros m;

	if (!list[0])
		return false;
	conn_macros(c, s, t, &m);
	return conf_user_in(list, s->id->user, s->id->groups, s->id->ngroups, &m, rule);
}

static bool member_of(const struct ident *id, gid_t gid)
{
	for (uint32_t i = 0; i < id->ngroups; i++)
		if (id->groups[i] == gid)
			return true;
	return id->gid == gid;
}

/* `force group`: "+group" changes only members. */
static bool force_group(const struct srv_host *host, struct ident *id, const char *name)
{
	bool members_only = name[0] == '+';
	struct ident with = *id;

	if (!host->group_of(host->arg, name + members_only + (name[members_only] == '@'), &with))
		return false;
	if (!members_only || member_of(id, with.gid))
		*id = with;
	return true;
}

static struct ident *copy_ident(TALLOC_CTX *mem, const struct ident *id)
{
	struct ident *n = talloc_memdup(mem, id, sizeof(*id));

	if (!n)
		return NULL;
	n->groups = talloc_memdup(n, id->groups, sizeof(gid_t) * id->ngroups);
	n->user = talloc_strdup(n, id->user);
	n->home = talloc_strdup(n, id->home ? id->home : "");
	n->domain = talloc_strdup(n, id->domain ? id->domain : "");
	return id->ngroups && !n->groups ? NULL : n;
}

/* Whose rights the files see: the session's, the guest's or the forced user's. */
static status_t settle_ident(struct tree *t, const struct session *s, struct tree_user *u)
{
	const struct conf_params *p = &t->share->p;
	const struct srv_host *host = t->c->host;
	struct conf_macros m;
	const char *rule, *name = NULL;

	conn_macros(t->c, s, t, &m);
	if (p->force_user[0])
		name = conf_expand(u, p->force_user, &m);
	else if (p->guest_only)
		name = t->c->conf->g.guest_account;
	u->id = name ? host->ident_of(host->arg, u, name) : copy_ident(u, s->id);
	if (!u->id) {
		why_refused(&(struct why){ LOG_SMB, .conf = t->c->conf, .share = t->share, .user = s->account,
					   .where = t->share_name, .param = p->force_user[0] ? "force user" : "guest account",
					   .fix = "a Unix account of that name" },
			    "share %s: there is no Unix account \"%s\"", t->share_name, name ? name : "?");
		return ST_ACCESS_DENIED;
	}
	if (p->force_group[0] && !force_group(host, u->id, conf_expand(u, p->force_group, &m))) {
		why_refused(&(struct why){ LOG_SMB, .conf = t->c->conf, .share = t->share, .user = s->account,
					   .where = t->share_name, .param = "force group", .fix = "a Unix group of that name" },
			    "share %s: there is no Unix group of that name", t->share_name);
		return ST_ACCESS_DENIED;
	}
	u->id->admin = in_list(t->c, s, t, p->admin_users, &rule);
	return ST_OK;
}

static status_t may_enter(struct tree *t, struct session *s)
{
	const struct conf_params *p = &t->share->p;
	struct conf_macros m;
	const char *rule;
	struct why no = { LOG_SMB, .conf = t->c->conf, .share = t->share, .user = s->account, .where = t->share_name, .often = t->tid };

	if ((s->guest || s->anonymous) && !p->guest_ok && !p->guest_only) {
		no.param = "guest ok";
		no.fix = "a login with name and password, or `guest ok = yes`";
		why_refused(&no, "share %s: guests may not use it", t->share_name);
		return ST_ACCESS_DENIED;
	}
	conn_macros(t->c, s, t, &m);
	no.param = conf_kept_out(t->share, s->id, &m, &rule);
	if (!no.param)
		return ST_OK;
	if (*rule) {
		no.fix = "`invalid users` without this name";
		why_refused(&no, "share %s: `invalid users` has %s", t->share_name, rule);
	} else {
		no.fix = "the user's name in `valid users`";
		why_refused(&no, "share %s: `valid users` does not name %s", t->share_name, s->id->user);
	}
	return ST_ACCESS_DENIED;
}

bool tree_kept_out(struct tree *t, struct session *s) { return may_enter(t, s) != ST_OK; }

struct tree_user *tree_user(struct tree *t, struct session *s)
{
	struct conf_macros m;
	const char *rule;
	struct tree_user *u;

	for (u = t->users; u; u = u->next)
		if (u->uid == s->uid)
			return u;
	u = budget_allows(USER_BYTES) ? talloc_zero(t, struct tree_user) : NULL;
	if (!u)
		return NULL;
	u->uid = s->uid;
	u->next = t->users;
	t->users = u;
	if (t->ipc) {
		u->id = copy_ident(u, s->id);
		u->status = u->id ? ST_OK : ST_NO_MEMORY;
		if (u->id) /* who may see sessions and open files of others */
			u->id->admin = in_list(t->c, s, t, t->share->p.admin_users, &rule);
		return u;
	}
	u->status = may_enter(t, s);
	if (u->status == ST_OK)
		u->status = settle_ident(t, s, u);
	if (u->status != ST_OK)
		return u;
	conn_macros(t->c, s, t, &m);
	u->may_write = conf_may_write(t->share, s->id, &m);
	return u;
}

void tree_forget_users(struct tree *t)
{
	while (t->users) {
		struct tree_user *u = t->users;

		t->users = u->next;
		talloc_free(u);
	}
}

void tree_settle(struct tree *t)
{
	t->ordinary = !t->ipc && !t->printer && !crypt_closed_to(t);
	t->told = false;
}

/* ---- connecting ---- */

const char *tree_service(const struct tree *t) { return t->ipc ? "IPC" : t->printer ? "LPT1:" : "A:"; }

static const struct conf_share *find_share(const struct conn *c, const struct session *s, const char *name, bool *homes)
{
	const struct conf_share *share = conf_find(c->conf, name);

	*homes = false;
	if (share)
		return share;
	share = conf_homes(c->conf);
	if (share && s && !s->guest && !s->anonymous &&
	    (str_caseeq(name, s->id->user) || str_caseeq(name, s->account) || str_caseeq(name, "homes"))) {
		*homes = true;
		return share;
	}
	return NULL;
}

static status_t right_service(const struct tree *t, const struct session *s, const char *service)
{
	if (strcmp(service, "?????") == 0 || service[0] == '\0' || strcasecmp(service, tree_service(t)) == 0)
		return ST_OK;
	why_refused(&(struct why){ LOG_SMB, .conf = t->c->conf, .share = t->share, .user = s->account, .where = t->share_name,
				   .param = "printable", .fix = "a client that asks for what the share is" },
		    "share %s: it is %s, and the client asks for \"%s\"", t->share_name, t->ipc ? "for pipes" :
		    t->printer ? "a printer" : "a folder", service);
	return ST_BAD_DEVICE_TYPE;
}

static status_t right_host(const struct conn *c, const struct session *s, const struct conf_share *share)
{
	const char *rule;

	if (conf_host_allowed(share->p.hosts_allow, share->p.hosts_deny, c->client_addr, NULL, &rule))
		return ST_OK;
	why_refused(&(struct why){ LOG_SMB, .conf = c->conf, .share = share, .where = share->name, .user = s ? s->account : NULL,
				   .param = *rule || !share->p.hosts_allow[0] ? "hosts deny" : "hosts allow",
				   .fix = "the client's address in `hosts allow` of the share" },
		    "share %s: its address%s%s", share->name, *rule ? " matches " : "", rule);
	return ST_ACCESS_DENIED;
}

static status_t no_folder(const struct tree *t, const struct session *s, const struct tree_user *u, status_t st)
{
	struct why no = { LOG_SMB, .conf = t->c->conf, .share = t->share, .user = s->account, .where = t->share_name,
			  .param = "path", .fix = "that folder, with a way to it for this user" };

	why_refused(&no, "share %s: there is no folder \"%s\", or Unix user %s may not enter it", t->share_name,
		    t->root ? t->root : "", u->id->user);
	return st;
}

/* The fence around the folders that were known when this client logged in. */
static status_t outside(const struct tree *t, const struct session *s)
{
	struct why no = { LOG_SMB, .conf = t->c->conf, .share = t->share, .user = s->account, .where = t->share_name,
			  .param = "path", .fix = "a new connection" };

	why_refused(&no, "share %s: its folder \"%s\" was added, made or mounted after this client had logged in", t->share_name,
		    t->root);
	return ST_BAD_NETWORK_NAME;
}

/* The folder: `path`, or the home directory for [homes] without one. */
static status_t open_root(struct tree *t, struct req *q, struct session *s)
{
	struct tree_user *u = tree_user(t, s);
	unsigned fence = fs_refused.fence;
	struct conf_macros m;
	status_t st;

	if (!u)
		return ST_NO_MEMORY;
	if (u->status != ST_OK || t->ipc)
		return u->status;
	conn_macros(t->c, s, t, &m);
	t->root = conf_expand(t, t->share->p.path[0] ? t->share->p.path : t->homes ? "%H" : "", &m);
	if (!t->root || !t->root[0])
		return no_folder(t, s, u, ST_BAD_NETWORK_NAME);
	st = fs_become(u->id);
	if (st == ST_OK)
		st = exec_before(q, t, s, u->id);
	if (st != ST_OK)
		return st;
	st = fs_share_open(t, t->root, &t->share->p, &t->fs);
	if (st != ST_OK)
		return fence != fs_refused.fence ? outside(t, s) : no_folder(t, s, u, st);
	notify_observe(t);
	return ST_OK;
}

/* max: trees of that share there may be in all; 0 no limit. */
static status_t put_in_db(struct tree *t, uint16_t uid, uint32_t max)
{
	struct conn *c = t->c;
	struct db_tree e = {
		.owner = db_me(), .tid = t->tid, .uid = uid, .share = t->share_name,
		.client_addr = c->client_addr, .client_name = c->calling.name, .since = clock_now(),
	};

	return c->host->db ? db_tree_put(c->host->db, &e, max) : ST_OK;
}

void tree_put_again(struct tree *t) { (void)put_in_db(t, 0, 0); }

static status_t enter_in_db(struct tree *t, const struct session *s)
{
	int64_t max = t->share->p.max_connections;
	status_t st = put_in_db(t, s->uid, max > 0 ? (uint32_t)max : 0);

	if (st == ST_REQUEST_NOT_ACCEPTED)
		why_refused(&(struct why){ LOG_SMB, .conf = t->c->conf, .share = t->share, .user = s->account,
					   .where = t->share_name, .param = "max connections", .fix = "a larger `max connections`" },
			    "share %s: all its connections are taken", t->share_name);
	return st;
}

void tree_no_share(const struct conn *c, const struct conf_share *share, const char *user, const char *name)
{
	struct why no = { LOG_SMB, .user = user, .where = name };

	if (share) {
		no.conf = c->conf;
		no.share = share;
		no.param = "available";
		no.fix = share->p.path[0] ? "`available = yes`" : "a `path` for the share";
	} else {
		no.fix = conf_homes(c->conf) ? "a section of that name, or a login with it" : "a section of that name in smb.conf";
	}
	why_refused(&no, "there is no share %s", name);
}

status_t tree_connect(struct conn *c, struct req *q, struct session *s, const char *name, const char *service,
		      struct tree **out)
{
	bool homes;
	const struct conf_share *share = find_share(c, s, name, &homes);
	struct tree *t;
	status_t st;

	if (!share || !share->p.available) {
		tree_no_share(c, share, s ? s->account : NULL, name);
		return ST_BAD_NETWORK_NAME;
	}
	st = right_host(c, s, share);
	if (st != ST_OK)
		return st;
	t = budget_allows(TREE_BYTES) ? talloc_zero(c, struct tree) : NULL;
	if (!t)
		return ST_INSUFF_SERVER_RESOURCES;
	t->c = c;
	t->share = share;
	t->homes = homes;
	t->share_name = talloc_strdup(t, homes ? s->id->user : share->name);
	t->root = "";
	t->audit = conf_audit_mask(share->p.smb1d_audit, NULL);
	t->ipc = share->kind == CONF_IPC;
	t->printer = share->kind == CONF_PRINTER;
	tree_settle(t);
	st = right_service(t, s, service);
	if (st == ST_OK && !(c->caps & CAP_UNIX)) /* others can still ask for encryption, and do it in a tree */
		st = crypt_admits(t);
	if (st == ST_OK)
		st = open_root(t, q, s);
	if (st == ST_OK) {
		t->tid = idtab_add(c->trees, t);
		st = t->tid ? enter_in_db(t, s) : ST_INSUFF_SERVER_RESOURCES;
	}
	t->own = c->share_level ? s : NULL; /* whose connect it is; the caller says whose it stays */
	if (st != ST_PENDING)
		audit_say(t, AUDIT_CONNECT, "", NULL, st);
	t->own = NULL;
	if (st != ST_OK) {
		exec_after(t);
		if (t->tid)
			idtab_del(c->trees, t->tid);
		talloc_free(t);
		return st;
	}
	if ((c->caps & CAP_UNIX) && strcmp(c->arch, "CIFSFS") == 0) /* it may forget to ask for it after a reconnect */
		conn_large(c);
	log_at(LOG_SMB, 2, "connected to share %s (%s)", t->share_name, t->ipc ? "pipes" : t->root);
	*out = t;
	return ST_OK;
}

HOT struct tree *tree_find(const struct conn *c, uint16_t tid) { return idtab_get(c->trees, tid); }

void tree_free(struct tree **tp)
{
	struct tree *t = *tp;
	struct conn *c = t->c;

	open_close_tree(c, t);
	audit_say(t, AUDIT_DISCONNECT, "", NULL, ST_OK);
	search_free_tree(c, t);
	if (c->host->db)
		db_tree_del(c->host->db, t->tid);
	idtab_del(c->trees, t->tid);
	if (t->fs)
		fs_share_close(&t->fs);
	exec_after(t);
	if (t->own)
		session_free(&t->own);
	log_at(LOG_SMB, 2, "left share %s", t->share_name);
	talloc_free(t);
	*tp = NULL;
}

bool tree_visible(const struct conn *c, const struct session *s, const struct conf_share *share)
{
	struct tree probe = { .share_name = share->name, .root = "" };
	struct conf_macros m;

	if (!share->p.available || !share->p.browseable || share->kind == CONF_HOMES || share->kind == CONF_PRINTERS)
		return false;
	if (!share->p.access_based_share_enum || share->kind == CONF_IPC)
		return true;
	if (!s)
		return false;
	conn_macros(c, s, &probe, &m);
	return !conf_kept_out(share, s->id, &m, NULL);
}
