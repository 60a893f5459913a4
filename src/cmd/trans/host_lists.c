/* host_lists.c - sessions, open files and trees of all workers, and the jobs of a printer. */
#include "cmd/trans/host.h"
#include "base/str.h"
#include "base/util.h"
#include "srv/spool.h"

#define LIST_MAX 65536u

static uint32_t seconds_since(uint64_t then)
{
	uint64_t now = clock_now();

	return then == 0 || then > now ? 0 : (uint32_t)min_u64((now - then) / 10000000, UINT32_MAX);
}

static const char *copy(TALLOC_CTX *mem, const char *s)
{
	const char *out = talloc_strdup(mem, s ? s : "");

	return out ? out : "";
}

static bool same_owner(const struct db_owner *a, const struct db_owner *b)
{
	return a->pid == b->pid && a->start_time == b->start_time;
}

/* ---- sessions; `who` is kept beside, to know whose files and trees others are ---- */

static bool add_session(const struct db_session *e, void *arg)
{
	struct host_sessions *s = arg;

	s->list = talloc_realloc(s, s->list, struct rpc_session_info, (unsigned)s->n + 1);
	s->who = talloc_realloc(s, s->who, struct db_session, (unsigned)s->n + 1);
	if (!s->list || !s->who) {
		s->n = 0;
		return false;
	}
	s->who[s->n] = *e;
	s->list[s->n++] = (struct rpc_session_info){
		.client = copy(s, e->client_name && *e->client_name ? e->client_name : e->client_addr),
		.user = copy(s, e->user), .seconds = seconds_since(e->since), .guest = e->guest,
	};
	return s->n < LIST_MAX;
}

/* NULL: nobody known any more. */
static struct rpc_session_info *session_of(const struct host_sessions *s, const struct db_owner *owner, uint16_t uid)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->who[i].uid == uid && same_owner(&s->who[i].owner, owner))
			return &s->list[i];
	return NULL;
}

static bool count_opens(const struct db_file *f, void *arg)
{
	struct host_sessions *s = arg;

	for (size_t i = 0; i < f->n; i++) {
		struct rpc_session_info *e = session_of(s, &f->openers[i].owner, f->openers[i].client_uid);

		if (e)
			e->opens++;
	}
	return true;
}

static struct host_sessions *sessions(struct view *v)
{
	if (!v->sessions) {
		v->sessions = talloc_zero(v->q->mem, struct host_sessions);
		if (v->sessions && v->q->c->host->db) {
			(void)db_session_each(v->q->c->host->db, add_session, v->sessions);
			(void)db_share_each(v->q->c->host->db, count_opens, v->sessions);
		}
	}
	return v->sessions;
}

static bool session(void *arg, size_t i, struct rpc_session_info *out)
{
	const struct host_sessions *s = sessions(arg);

	if (!s || i >= s->n)
		return false;
	*out = s->list[i];
	return true;
}

/* ---- open files ---- */

static uint32_t access_bits(uint32_t access)
{
	return (access & (ACC_READ_DATA | ACC_EXECUTE) ? 1u : 0) | (access & (ACC_WRITE_DATA | ACC_APPEND) ? 2u : 0);
}

/* A path as Windows would have it. */
static const char *with_drive(TALLOC_CTX *mem, const char *path)
{
	char *p = talloc_asprintf(mem, "C:%s", path ? path : "");

	for (char *c = p; c && *c; c++) {
		if (*c == '/')
			*c = '\\';
	}
	return p ? p : "";
}

static bool add_files(const struct db_file *f, void *arg)
{
	struct view *v = arg;
	struct host_files *l = v->files;

	for (size_t i = 0; i < f->n && l->n < LIST_MAX; i++) {
		const struct db_opener *o = &f->openers[i];
		const struct rpc_session_info *s = v->sessions ? session_of(v->sessions, &o->owner, o->client_uid) : NULL;

		l->list = talloc_realloc(l, l->list, struct rpc_file_info, (unsigned)l->n + 1);
		if (!l->list) {
			l->n = 0;
			return false;
		}
		l->list[l->n++] = (struct rpc_file_info){
			.path = with_drive(l, f->path), .user = s ? s->user : "", .access = access_bits(o->access),
			/* the same for the same open, as long as it lasts */
			.id = (uint32_t)o->owner.pid << 16 ^ (uint32_t)o->open_id,
		};
	}
	return l->n < LIST_MAX;
}

static bool file(void *arg, size_t i, struct rpc_file_info *out)
{
	struct view *v = arg;

	if (!v->files) {
		(void)sessions(v);
		v->files = talloc_zero(v->q->mem, struct host_files);
		if (v->files && v->q->c->host->db)
			(void)db_share_each(v->q->c->host->db, add_files, v);
	}
	if (!v->files || i >= v->files->n)
		return false;
	*out = v->files->list[i];
	return true;
}

/* ---- trees ---- */

static uint32_t share_type(const struct conf *conf, const char *name)
{
	const struct conf_share *s = conf_find(conf, name);

	return !s ? 0 : s->kind == CONF_IPC ? 3 : s->kind == CONF_PRINTER ? 1 : 0;
}

static bool add_tree(const struct db_tree *e, void *arg)
{
	struct view *v = arg;
	struct host_trees *l = v->trees;
	const struct rpc_session_info *s = v->sessions ? session_of(v->sessions, &e->owner, e->uid) : NULL;

	l->list = talloc_realloc(l, l->list, struct rpc_tree_info, (unsigned)l->n + 1);
	if (!l->list) {
		l->n = 0;
		return false;
	}
	l->list[l->n++] = (struct rpc_tree_info){
		.share = copy(l, e->share), .user = s ? s->user : "",
		.client = copy(l, e->client_name && *e->client_name ? e->client_name : e->client_addr),
		.id = (uint32_t)e->owner.pid << 16 ^ e->tid, .type = share_type(v->q->c->conf, e->share),
		.opens = s ? s->opens : 0, .seconds = seconds_since(e->since),
	};
	return l->n < LIST_MAX;
}

static bool tree(void *arg, size_t i, struct rpc_tree_info *out)
{
	struct view *v = arg;

	if (!v->trees) {
		(void)sessions(v);
		v->trees = talloc_zero(v->q->mem, struct host_trees);
		if (v->trees && v->q->c->host->db)
			(void)db_tree_each(v->q->c->host->db, add_tree, v);
	}
	if (!v->trees || i >= v->trees->n)
		return false;
	*out = v->trees->list[i];
	return true;
}

/* ---- print jobs ---- */

/* The tree of this printer, if the client has one; else one of our own for the moment of the question. */
static struct tree *printer_tree(struct view *v, const char *printer, struct tree **own)
{
	const struct conn *c = v->q->c;
	struct tree *t;
	uint16_t id = 0;

	*own = NULL;
	while ((t = idtab_next(c->trees, id, &id)) != NULL)
		if (t->printer && str_caseeq(t->share->name, printer))
			return t;
	if (tree_connect(v->q->c, NULL, v->q->s, printer, "LPT1:", own) != ST_OK)
		*own = NULL;
	return *own;
}

static struct host_jobs *jobs_of(struct view *v, const char *printer)
{
	struct host_jobs *l = talloc_zero(v->q->mem, struct host_jobs);
	struct spool_entry *e = NULL;
	struct tree *t, *own;
	size_t n = 0;

	if (!l)
		return NULL;
	l->printer = copy(l, printer);
	t = printer_tree(v, printer, &own);
	if (t && t->printer && spool_list(t, l, &e, &n) == ST_OK)
		l->list = talloc_zero_array(l, struct rpc_job_info, (unsigned)n + 1);
	for (size_t i = 0; l->list && i < n; i++)
		l->list[l->n++] = (struct rpc_job_info){
			.user = "", .title = copy(l, e[i].title), .id = e[i].job, .submitted = e[i].time,
			.bytes = (uint32_t)min_u64(e[i].size, UINT32_MAX), .spooling = e[i].spooling,
		};
	if (own)
		tree_free(&own);
	return l;
}

static bool job(void *arg, const char *printer, size_t i, struct rpc_job_info *out)
{
	struct view *v = arg;

	if (!v->jobs || !str_caseeq(v->jobs->printer, printer))
		v->jobs = jobs_of(v, printer);
	if (!v->jobs || i >= v->jobs->n)
		return false;
	*out = v->jobs->list[i];
	return true;
}

void host_lists(struct rpc_host *h)
{
	h->session = session;
	h->file = file;
	h->tree = tree;
	h->job = job;
}
