/* exec.c - `preexec` and `postexec`.  A worker starts no programs: it says when, and to whom it happens; which command
 * that is, the listener takes from its own configuration (proc/run.c). */
#include "srv/exec.h"
#include "base/log.h"
#include "conf/why.h"
#include "srv/park.h"
#include <unistd.h>

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

/* ---- commands take their time ---- */

#define LOOK_MS 50
#define MOST_MS 40000  /* the host ends it long before */

status_t exec_wait(struct req *q, uint32_t most_ms)
{
	status_t st;

	if (q->resumed && q->resumed->cancelled)
		return ST_CANCELLED;
	st = req_park(q, PARK_COMMAND, NULL, 0, clock_ms() + most_ms);
	if (st == ST_PENDING)
		q->parking->look_every = LOOK_MS;
	return st;
}

struct started { int fd; };

static int forget_command(struct started *run)
{
	if (run->fd >= 0)
		close(run->fd);
	return 0;
}

/* Its exit status; SRV_RUNNING: the request has been parked, or *st says why not. */
static int run_preexec(struct req *q, const struct tree *t, const struct conf_macros *m, status_t *st)
{
	const struct srv_host *host = q->c->host;
	struct started *run = q->resumed ? q->resumed->state : NULL;
	bool first = !run;
	int status;

	*st = ST_OK;
	if (q->resumed && q->resumed->cancelled)
		*st = ST_CANCELLED;
	else if (first && !(run = talloc_zero(q->mem, struct started)))
		*st = ST_NO_MEMORY;
	if (*st != ST_OK)
		return SRV_RUNNING;
	if (first) {
		run->fd = host->command(host->arg, &(struct srv_command){ SRV_PREEXEC, t->share->name, m });
		talloc_set_destructor(run, forget_command);
	}
	status = run->fd < 0 ? SRV_UNKNOWN : host->command_end(run->fd, first ? EXEC_AT_ONCE_MS : 0, NULL);
	if (status != SRV_RUNNING || (q->resumed && q->resumed->over))
		return status == SRV_RUNNING ? SRV_UNKNOWN : status;
	*st = exec_wait(q, MOST_MS);
	if (*st == ST_PENDING)
		q->parking->state = talloc_steal(q->parking, run);
	return SRV_RUNNING;
}

status_t exec_before(struct req *q, struct tree *t, const struct session *s, const struct ident *id)
{
	const struct conf_params *p = &t->share->p;
	struct conf_macros m;
	status_t st;
	int status;

	if (!t->c->host->command || (!p->preexec[0] && !p->postexec[0]))
		return ST_OK;
	if (!q)
		return p->preexec[0] && p->preexec_close ? ST_ACCESS_DENIED : ST_OK;
	conn_macros(t->c, s, t, &m);
	m.user = id->user;
	status = p->preexec[0] ? run_preexec(q, t, &m, &st) : 0;
	if (status == SRV_RUNNING)
		return st;
	if (p->preexec[0])
		log_at(LOG_SMB, status == 0 ? 3 : 1, "share %s: `preexec` ended with status %d", t->share_name, status);
	if (status == 0 || !p->preexec_close) {
		if (p->postexec[0])
			remember(t, &m, id);
		return ST_OK;
	}
	why_refused(&(struct why){ LOG_SMB, .conf = t->c->conf, .share = t->share, .user = s->account, .where = t->share_name,
				   .param = "preexec close", .fix = "a `preexec` that ends with 0, or `preexec close = no`" },
		    "share %s: its `preexec` ended with status %d", t->share_name, status);
	return ST_ACCESS_DENIED;
}

void exec_after(struct tree *t)
{
	const struct srv_host *host = t->c->host;
	int fd;

	if (!t->exec || fs_become(&t->exec->id) != ST_OK)
		return;
	fd = host->command(host->arg, &(struct srv_command){ SRV_POSTEXEC, t->share->name, &t->exec->macros });
	if (fd >= 0) /* nobody waits for it */
		close(fd);
}
