/* spool.c - printer shares: each open is a job, a file in the share's `path`, handed on when it is closed.
 *
 *   open -> spooling (somebody has the file open) --CLOSE--> `print command` runs -> gone, when it has removed it
 *
 * The file's name carries all that is known of the job: smb1d-<number>-<4 hex digits>-<title>.  So the queue is the
 * folder, and survives us.  Numbers are 1..65535 and unique in the folder: who finds another file with the
 * number it has just taken, and a smaller name, gives its own up and tries the next. */
#include "base/log.h"
#include "conf/why.h"
#include "base/util.h"
#include "srv/open.h"
#include "srv/spool.h"
#include <stdlib.h>

#define PREFIX "smb1d-"
#define TITLE_MAX 40u
#define NAME_TAIL 11u /* 00001-9F3A- */

/* ---- names ---- */

/* False: no job's. */
static bool read_name(const char *name, struct spool_entry *e)
{
	const char *p = name + strlen(PREFIX);
	char *end;
	unsigned long n;

	if (strncmp(name, PREFIX, strlen(PREFIX)) != 0 || strlen(p) <= NAME_TAIL || p[5] != '-' || p[10] != '-')
		return false;
	n = strtoul(p, &end, 10);
	if (end != p + 5 || n == 0 || n > 65535)
		return false;
	e->job = (uint16_t)n;
	e->file = name;
	e->title = p + NAME_TAIL;
	return true;
}

static void clean_title(const char *asked, char out[TITLE_MAX + 1])
{
	const char *slash = strrchr(asked, '/');
	size_t n = 0;

	for (const char *p = slash ? slash + 1 : asked; *p && n < TITLE_MAX; p++) {
		bool plain = (*p >= '0' && *p <= '9') || (*p >= 'A' && *p <= 'Z') || (*p >= 'a' && *p <= 'z') ||
			     *p == '.' || *p == '_';

		out[n++] = plain ? *p : '_';
	}
	if (n == 0)
		memcpy(out, "job", n = 3);
	out[n] = '\0';
}

/* ---- the queue ---- */

static status_t is_open(struct db_file *f, void *arg)
{
	*(bool *)arg = f->n > 0;
	return ST_OK;
}

static int by_age(const void *a, const void *b)
{
	const struct spool_entry *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->job < y->job ? -1 : x->job > y->job;
}

status_t spool_list(struct tree *t, TALLOC_CTX *mem, struct spool_entry **list, size_t *n)
{
	struct spool_entry e = { 0 };
	struct fs_entry f;
	struct fs_node *root;
	struct fs_dir *dir;
	status_t st = fs_lookup(t->fs, mem, "", 0, &root);

	*list = talloc_array(mem, struct spool_entry, 0);
	*n = 0;
	if (st == ST_OK)
		st = fs_dir_open(mem, root, FS_DIR_STAT, &dir);
	if (st != ST_OK)
		return st;
	while (fs_dir_next(dir, NULL, NULL, &f) == ST_OK) {
		struct db_file_id id = { f.st.dev, f.st.ino };

		if (fs_is_dir(&f.st) || !read_name(talloc_strdup(mem, f.name), &e))
			continue;
		e.size = f.st.size;
		e.time = f.st.create ? f.st.create : f.st.write;
		e.spooling = false;
		(void)db_share_with(t->c->host->db, &id, is_open, &e.spooling);
		*list = talloc_realloc(mem, *list, struct spool_entry, (unsigned)(*n + 1));
		if (!*list) {
			st = ST_NO_MEMORY;
			break;
		}
		(*list)[(*n)++] = e;
	}
	fs_dir_close(&dir);
	if (st == ST_OK)
		qsort(*list, *n, sizeof(**list), by_age);
	return st;
}

/* ---- a new job ---- */

static bool taken(const struct spool_entry *list, size_t n, uint16_t job)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].job == job)
			return true;
	return false;
}

static uint16_t next_number(const struct spool_entry *list, size_t n, uint16_t after)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].job > after)
			after = list[i].job;
	do
		after = (uint16_t)(after == 65535 ? 1 : after + 1);
	while (taken(list, n, after));
	return after;
}

static bool outvoted(const struct spool_entry *list, size_t n, uint16_t job, const char *file)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].job == job && strcmp(list[i].file, file) < 0)
			return true;
	return false;
}

static status_t room(struct tree *t, size_t jobs)
{
	const struct conf_params *p = &t->share->p;
	const struct session *s = session_find(t->c, t->c->acting);
	struct why no = { LOG_SMB, .conf = t->c->conf, .share = t->share, .where = t->share_name, .user = s ? s->account : NULL };
	struct fs_space space;

	if (jobs >= 65000 || (p->max_print_jobs > 0 && jobs >= (size_t)p->max_print_jobs)) {
		no.param = "max print jobs";
		no.fix = "a larger `max print jobs`";
		why_refused(&no, "printer %s: a print job; it has %zu", t->share_name, jobs);
		return ST_PRINT_QUEUE_FULL;
	}
	if (p->min_print_space > 0 && fs_space(t->fs, &space) == ST_OK &&
	    space.avail / 1024 < (uint64_t)p->min_print_space) {
		no.param = "min print space";
		no.fix = "more free space, or a smaller `min print space`";
		why_refused(&no, "printer %s: a print job; %llu KiB are free", t->share_name, (unsigned long long)(space.avail / 1024));
		return ST_NO_SPOOL_SPACE;
	}
	return ST_OK;
}

static status_t make_file(struct req *q, const char *file, struct open **out, struct open_result *r)
{
	const struct open_want w = {
		.name = file, .access = ACC_FILE_WRITE | ACC_FILE_READ | ACC_DELETE, .share = SHARE_READ,
		.disposition = DISP_CREATE, .options = OPT_NON_DIRECTORY,
	};
	status_t st = open_file(q, &w, out, r);

	if (st == ST_OK)
		(void)fs_chmod((*out)->node, (*out)->fd, 0600);
	return st;
}

static status_t try_number(struct req *q, uint16_t job, const char *title, struct open **out, struct open_result *r)
{
	struct spool_entry *list;
	uint16_t random;
	char *file;
	size_t n;
	status_t st;

	util_random(&random, sizeof(random));
	file = talloc_asprintf(q->mem, PREFIX "%05u-%04X-%s", job, random, title);
	st = file ? make_file(q, file, out, r) : ST_NO_MEMORY;
	if (st != ST_OK)
		return st;
	if (spool_list(q->t, q->mem, &list, &n) == ST_OK && outvoted(list, n, job, file)) {
		(void)open_set_delete(*out, true);
		open_close(out, 0);
		return ST_OBJECT_NAME_COLLISION;
	}
	return ST_OK;
}

status_t spool_open(struct req *q, const char *name, struct open **out, struct open_result *r)
{
	char title[TITLE_MAX + 1];
	struct spool_entry *list;
	struct spool_job *job;
	uint16_t number = 0;
	size_t n;
	status_t st = spool_list(q->t, q->mem, &list, &n);

	if (st == ST_OK)
		st = room(q->t, n);
	if (st != ST_OK)
		return st;
	clean_title(name, title);
	st = ST_OBJECT_NAME_COLLISION;
	for (int i = 0; i < 20 && st == ST_OBJECT_NAME_COLLISION; i++) {
		number = next_number(list, n, number);
		st = try_number(q, number, title, out, r);
	}
	if (st != ST_OK)
		return st;
	job = talloc_zero(*out, struct spool_job);
	if (!job) {
		open_close(out, 0);
		return ST_NO_MEMORY;
	}
	job->number = number;
	job->title = talloc_strdup(job, title);
	(*out)->job = job;
	r->action = ACTION_CREATED;
	log_at(LOG_SMB, 2, "print job %u on %s begins", number, q->t->share_name);
	return ST_OK;
}

/* ---- its end ---- */

void spool_close(struct open *o)
{
	struct tree *t = o->t;
	struct session *s = session_find(o->c, o->uid);
	struct tree_user *u = s ? tree_user(t, s) : NULL;
	struct spool_order order = { .tree = t, .session = s, .file = o->node->name, .title = o->job->title,
				     .number = o->job->number };

	if (o->fd < 0 || !u || u->status != ST_OK || fs_size(o->fd, &order.size) != ST_OK)
		return;
	/* nothing to print: clients open and close to see whether they may; or half a job, its client gone */
	if (order.size == 0 || o->c->ending) {
		o->delete_on_close = true;
		return;
	}
	order.ident = u->id;
	if (fs_become(u->id) != ST_OK) /* the job is printed with whose rights we have */
		return;
	log_at(LOG_SMB, 2, "print job %u on %s: %llu bytes", order.number, t->share_name, (unsigned long long)order.size);
	if (!t->share->p.print_command[0])
		log_at(LOG_SMB, 3, "printer %s has no `print command`: the job stays in %s", t->share_name, t->root);
	else if (o->c->host->print)
		o->c->host->print(o->c->host->arg, &order);
}
