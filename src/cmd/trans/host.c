/* host.c - what the rpc room may tell the user of this request: the server's names and the shares he sees. */
#include "cmd/trans/host.h"
#include "base/log.h"
#include "base/str.h"

#define TYPE_WORKSTATION 0x1u
#define TYPE_SERVER 0x2u
#define TYPE_TIME 0x20u
#define TYPE_NT 0x1000u
#define TYPE_SERVER_NT 0x8000u

#define SHARE_DISK 0u
#define SHARE_PRINTER 1u
#define SHARE_IPC 3u
#define SHARE_HIDDEN 0x80000000u

static bool is_home(const struct conf_share *s) { return s->kind == CONF_HOMES; }

/* The folder as an administrator of Windows would see it. */
static const char *windows_path(struct view *v, const struct conf_share *s)
{
	char *p;

	if (s->kind == CONF_IPC)
		return "";
	p = talloc_asprintf(v->q->mem, "C:%s", conf_expand(v->q->mem, s->p.path, &v->m));
	for (char *c = p; c && *c; c++) {
		if (*c == '/')
			*c = '\\';
	}
	return p ? p : "";
}

static uint32_t current_uses(const struct conn *c, const struct conf_share *s)
{
	const struct tree *t;
	uint16_t id = 0;
	uint32_t n = 0;

	while ((t = idtab_next(c->trees, id, &id)) != NULL)
		n += t->share == s;
	return n;
}

static void describe(struct view *v, const struct conf_share *s, struct rpc_share_info *out)
{
	const char *name = is_home(s) ? v->q->s->account : s->name, *comment;
	size_t len = strlen(name);

	v->m.service = name;
	comment = conf_expand(v->q->mem, s->p.comment, &v->m);
	*out = (struct rpc_share_info){
		.name = name,
		.comment = comment ? comment : "",
		.path = windows_path(v, s),
		.type = s->kind == CONF_IPC ? SHARE_IPC : s->kind == CONF_PRINTER ? SHARE_PRINTER : SHARE_DISK,
		.max_uses = s->p.max_connections > 0 ? (uint32_t)s->p.max_connections : UINT32_MAX,
		.current_uses = current_uses(v->q->c, s),
	};
	if (s->p.administrative_share || (len > 0 && name[len - 1] == '$'))
		out->type |= SHARE_HIDDEN;
}

/* [printers] is no share; [homes] is one for whoever has a name. */
static bool exists(const struct view *v, const struct conf_share *s)
{
	if (s->kind == CONF_PRINTERS)
		return false;
	if (!is_home(s))
		return true;
	return !v->q->s->guest && !v->q->s->anonymous && v->q->s->account && *v->q->s->account &&
	       !conf_find(v->q->c->conf, v->q->s->account);
}

/* A home is listed as the default of shares says, not as [homes] does: that one hides the template. */
static bool listed(const struct view *v, const struct conf_share *s)
{
	if (!exists(v, s))
		return false;
	if (is_home(s))
		return s->p.available && v->q->c->conf->defaults.browseable;
	return tree_visible(v->q->c, v->q->s, s);
}

static void look_around(struct view *v)
{
	const struct conf *conf = v->q->c->conf;

	v->shown = talloc_array(v->q->mem, const struct conf_share *, (unsigned)conf->nshares + 1);
	for (size_t i = 0; v->shown && i < conf->nshares; i++) {
		const struct conf_share *s = conf->shares[i];

		if (listed(v, s))
			v->shown[v->n++] = s;
	}
}

static bool share(void *arg, size_t i, struct rpc_share_info *out)
{
	struct view *v = arg;

	if (v && !v->shown)
		look_around(v);
	if (!v || !v->shown || i >= v->n)
		return false;
	describe(v, v->shown[i], out);
	return true;
}

static bool share_by_name(void *arg, const char *name, struct rpc_share_info *out)
{
	struct view *v = arg;
	const struct conf_share *s, *home;

	if (!v)
		return false;
	s = conf_find(v->q->c->conf, name);
	home = conf_homes(v->q->c->conf);
	if (!s && home && exists(v, home) && str_caseeq(name, v->q->s->account))
		s = home;
	if (!s || !s->p.available)
		return false;
	describe(v, s, out);
	return true;
}

static const char *or_empty(const char *s) { return s ? s : ""; }

/* Root, and whom `admin users` of [global] or of [IPC$] names. */
static bool administers(struct req *q)
{
	const struct tree_user *u = q->t ? tree_user(q->t, q->s) : NULL;

	return (q->s->id && q->s->id->uid == 0) || (u && u->status == ST_OK && u->id && u->id->admin);
}

void trans_rpc_host(struct req *q, struct rpc_host *h)
{
	const struct conf_globals *g = &q->c->conf->g;
	struct view *v = talloc_zero(q->mem, struct view); /* NULL: no memory, so no shares */
	struct conf_macros m;

	*h = (struct rpc_host){
		.server_type = TYPE_WORKSTATION | TYPE_SERVER | TYPE_NT | TYPE_SERVER_NT,
		.major = 6, .minor = 1, .zone = q->c->zone,
		.may_administer = administers(q),
		.user_known = !q->s->guest && !q->s->anonymous,
		.share = share, .share_by_name = share_by_name, .arg = v,
	};
	conn_macros(q->c, q->s, q->t, &m);
	if (v) {
		*v = (struct view){ .q = q, .m = m };
		host_users(h);
		host_lists(h);
		host_login(h);
		host_refused(h);
	}
	if (g->time_server)
		h->server_type |= TYPE_TIME;
	h->server_name = *g->netbios_name ? g->netbios_name : or_empty(m.server_name);
	h->domain = g->workgroup;
	h->comment = or_empty(conf_expand(q->mem, g->server_string, &m));
	h->user = or_empty(q->s->account);
	h->client_name = or_empty(m.client_name);
}
