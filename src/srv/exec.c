/* exec.c - `preexec` and `postexec`.  A worker starts no programs: it says when, and to whom it happens; which command
 * that is, the listener takes from its own configuration (proc/run.c). */
#include "srv/exec.h"
#include "base/log.h"
#include "conf/why.h"

struct tree_exec {
	struct ident id;
	struct conf_macros macros;
};

static const char *kept(TALLOC_CTX *mem, const char *s) { return talloc_strdup(mem, s ? s : ""); }

/* When the tree ends, its session may be gone. */
static void remember(struct tree *t, const struct conf_macros *m, const struct ident *id)
{
	struct tree_exec *e = talloc_zero(t, struct tree_exec);

	if (!e)
		return;
	e->id = *id;
	e->id.groups = talloc_memdup(e, id->groups, sizeof(gid_t) * id->ngroups);
	if (!e->id.groups)
		e->id.ngroups = 0;
	e->macros = (struct conf_macros){
		.client_name = kept(e, m->client_name), .client_addr = kept(e, m->client_addr), .arch = kept(e, m->arch),
		.user_asked = kept(e, m->user_asked), .user = kept(e, m->user), .home = kept(e, m->home),
		.domain = kept(e, m->domain), .service = kept(e, m->service), .path = kept(e, m->path),
	};
	t->exec = e;
}

status_t exec_before(struct tree *t, const struct session *s, const struct ident *id)
{
	const struct conf_params *p = &t->share->p;
	const struct srv_host *host = t->c->host;
	struct conf_macros m;
	int status;

	if (!host->command || (!p->preexec[0] && !p->postexec[0]))
		return ST_OK;
	conn_macros(t->c, s, t, &m);
	m.user = id->user;
	if (p->postexec[0])
		remember(t, &m, id);
	if (!p->preexec[0])
		return ST_OK;
	status = host->command(host->arg, &(struct srv_command){ SRV_PREEXEC, t->share->name, &m, true, NULL });
	if (status == 0 || !p->preexec_close) {
		log_at(LOG_SMB, status == 0 ? 3 : 1, "share %s: `preexec` ended with status %d", t->share_name, status);
		return ST_OK;
	}
	t->exec = NULL;
	why_refused(&(struct why){ LOG_SMB, .conf = t->c->conf, .share = t->share, .user = s->account, .where = t->share_name,
				   .param = "preexec close", .fix = "a `preexec` that ends with 0, or `preexec close = no`" },
		    "share %s: its `preexec` ended with status %d", t->share_name, status);
	return ST_ACCESS_DENIED;
}

void exec_after(struct tree *t)
{
	const struct srv_host *host = t->c->host;

	if (t->exec && fs_become(&t->exec->id) == ST_OK)
		(void)host->command(host->arg, &(struct srv_command){ SRV_POSTEXEC, t->share->name, &t->exec->macros, false, NULL });
}
