/* notify.c - watching handles, and telling them and other workers of our changes.
 *
 *   NOTIFY between workers: watch id u64, change u8 (0: some were lost), name below the folder */
#include "srv/notify.h"
#include "srv/audit.h"
#include "base/budget.h"
#include "base/log.h"
#include "base/str.h"
#include "base/util.h"
#include "srv/message.h"
#include "srv/park.h"
#include <stdio.h>

#define AGAIN_MS 20u
#define GIVE_UP_MS 30000u
#define TREE_BYTES 32768u /* a watch of a whole tree, with the names of its folders */
#define MAX_KEPT 256u /* messages kept for workers whose queue is full */

/* A message that found the other's queue full. */
struct kept {
	struct kept *next;
	struct db_owner to;
	uint64_t id, give_up; /* clock_ms() */
	uint8_t body[MSG_MAX];
	uint32_t len;
};

struct notify_out {
	struct kept *first;
	unsigned n;
	uint64_t next_id;
};

static struct notify_out *out_of(struct conn *c)
{
	if (!c->notify_out)
		c->notify_out = talloc_zero(c, struct notify_out);
	return c->notify_out;
}

/* ---- handles ---- */

struct open *notify_find(const struct conn *c, uint64_t id)
{
	struct open *o = open_find(c, (uint16_t)(id & 0xffff));

	return o && o->notify && o->notify->id == id && !o->notify->closing ? o : NULL;
}

static const char *watched_folder(TALLOC_CTX *mem, const struct open *o)
{
	const char *root = fs_share_real(o->t->fs), *path = o->node->path;

	return str_join(mem, root, *path ? "/" : "", path);
}

static status_t put_in_db(struct conn *c, const struct notify *n)
{
	struct db_watch w = { .id = n->id, .filter = n->filter, .tree = n->tree };

	return db_watch_put(c->host->db, n->folder, &w);
}

void notify_put_again(struct open *o)
{
	(void)put_in_db(o->c, o->notify);
	notify_lost(o);
}

status_t notify_start(struct open *o, uint32_t filter, bool tree, uint32_t max)
{
	struct notify_out *out = out_of(o->c);
	struct notify *n = budget_allows(tree ? TREE_BYTES : sizeof(*n)) ? talloc_zero(o, struct notify) : NULL;
	status_t st;

	if (!n || !out) {
		talloc_free(n);
		return ST_INSUFF_SERVER_RESOURCES;
	}
	n->filter = filter;
	n->tree = tree;
	n->list.max = max;
	n->folder = watched_folder(n, o);
	n->id = ++out->next_id << 16 | o->fid;
	st = n->folder ? put_in_db(o->c, n) : ST_NO_MEMORY;
	if (st != ST_OK) {
		talloc_free(n);
		return st;
	}
	o->notify = n;
	notify_local_start(o);
	log_at(LOG_SMB, 3, "watches %s%s, filter 0x%x", *n->folder ? n->folder : "/", tree ? " and below" : "",
	       filter);
	return ST_OK;
}

void notify_close(struct open *o)
{
	struct notify *n = o->notify;

	if (!n)
		return;
	n->closing = true;
	notify_local_stop(o);
	db_watch_del(o->c->host->db, n->folder, n->id);
	park_answer_now(o->c, o->fid, PARK_NOTIFY);
	TALLOC_FREE(o->notify);
}

/* The oldest request that waits goes on. */
static void wake(struct open *o)
{
	for (struct parked *p = o->c->parked; p; p = p->next) {
		if (p->kind == PARK_NOTIFY && p->fid == o->fid) {
			p->woken = o->c->tick_due = true;
			return;
		}
	}
}

void notify_deliver(struct open *o, enum fs_change change, const char *name, bool local)
{
	if (o->notify->local && notify_twice(o->c, o->notify->id, change, name, local))
		return;
	notify_list_add(&o->notify->list, o->notify, change, name);
	if (change != FS_RENAMED_FROM) /* the other half is on its way: both in one answer */
		wake(o);
}

void notify_lost(struct open *o)
{
	notify_list_lost(&o->notify->list);
	wake(o);
}

/* ---- to other workers ---- */

static uint32_t put_body(uint8_t body[MSG_MAX], uint64_t id, unsigned change, const char *name)
{
	size_t len = change ? strlen(name) : 0;
	struct wr w = wr_over(body, MSG_MAX);

	wr_u64(&w, id);
	wr_u8(&w, (uint8_t)(len > MSG_MAX - 9 ? 0 : change));
	wr_bytes(&w, name, len > MSG_MAX - 9 ? 0 : len);
	return wr_tell(&w);
}

/* Too many for one watcher to be kept: one word that says so takes their place. */
static void drop_kept(struct notify_out *out, const struct kept *like)
{
	struct kept **at = &out->first;

	while (*at) {
		struct kept *k = *at;

		if (k->id != like->id || k->to.pid != like->to.pid || k->to.start_time != like->to.start_time) {
			at = &k->next;
			continue;
		}
		*at = k->next;
		out->n--;
		talloc_free(k);
	}
}

static void keep(struct conn *c, const struct db_watch *w, const uint8_t *body, uint32_t len)
{
	struct notify_out *out = out_of(c);
	struct kept *k = out ? talloc_zero(out, struct kept) : NULL, **at;

	if (!k)
		return;
	k->to = w->owner;
	k->id = w->id;
	k->give_up = clock_ms() + GIVE_UP_MS;
	memcpy(k->body, body, len);
	k->len = len;
	if (out->n >= MAX_KEPT) {
		drop_kept(out, k);
		k->len = put_body(k->body, k->id, 0, "");
	}
	for (at = &out->first; *at;)
		at = &(*at)->next;
	*at = k;
	out->n++;
}

/* Does something wait for this worker?  Then the new message stands in line. */
static bool in_line(const struct conn *c, const struct db_owner *to)
{
	for (const struct kept *k = c->notify_out ? c->notify_out->first : NULL; k; k = k->next)
		if (k->to.pid == to->pid && k->to.start_time == to->start_time)
			return true;
	return false;
}

static void send_one(struct conn *c, const char *path, const struct db_watch *w, enum fs_change change,
		     const char *name)
{
	uint8_t body[MSG_MAX];
	uint32_t len = put_body(body, w->id, change, name);

	if (!c->host->box)
		return;
	if (!in_line(c, &w->owner) && box_send(c->host->box, &w->owner, MSG_NOTIFY, body, len))
		return;
	if (db_alive(&w->owner))
		keep(c, w, body, len);
	else
		db_watch_bury(c->host->db, path, w);
}

uint64_t notify_tick(struct conn *c)
{
	struct notify_out *out = c->notify_out;
	struct kept **at;
	uint64_t now;

	if (!out || !out->first)
		return UINT64_MAX;
	now = clock_ms();
	at = &out->first;
	while (*at) {
		struct kept *k = *at;

		if (!box_send(c->host->box, &k->to, MSG_NOTIFY, k->body, k->len) && now < k->give_up &&
		    db_alive(&k->to))
			break; /* in order, whoever it is for: a full queue empties soon */
		*at = k->next;
		out->n--;
		talloc_free(k);
	}
	return out->first ? now + AGAIN_MS : UINT64_MAX;
}

void notify_message(struct conn *c, struct rd *body)
{
	uint64_t id = rd_u64(body);
	unsigned change = rd_u8(body);
	uint32_t len = rd_left(body);
	const uint8_t *p = rd_take(body, len);
	struct open *o = rd_ok(body) ? notify_find(c, id) : NULL;
	char name[MSG_MAX];

	if (!o || len >= sizeof(name) || memchr(p, 0, len) || change > FS_RENAMED_TO)
		return;
	memcpy(name, p, len);
	name[len] = '\0';
	if (change == 0)
		notify_lost(o);
	else
		notify_deliver(o, (enum fs_change)change, name, false);
}

/* ---- our own changes ---- */

static bool is_me(const struct db_owner *o)
{
	struct db_owner me = db_me();

	return o->pid == me.pid && o->start_time == me.start_time;
}

static void tell(struct conn *c, const char *path, enum fs_change change, unsigned what)
{
	const struct db_watch *hits;
	size_t n = db_watch_find(c->host->db, path, &hits);

	for (size_t i = 0; i < n; i++) {
		const struct db_watch *w = &hits[i];
		const char *name = path + w->depth + 1;
		struct open *o;

		if (!notify_wants(w->filter, w->tree, what, name))
			continue;
		if (!is_me(&w->owner)) {
			send_one(c, path, w, change, name);
			continue;
		}
		o = notify_find(c, w->id);
		if (o)
			notify_deliver(o, change, name, false);
	}
}

static void changed(void *arg, const char *root, const char *path, enum fs_change change, unsigned what)
{
	struct tree *t = arg;
	char full[4096 + 4096];
	int n = snprintf(full, sizeof(full), "%s/%s", root, path);

	if (t->audit)
		audit_change(t, path, change, what);
	if (t->c->host->db && t->c->conf->g.change_notify && n > 0 && (size_t)n < sizeof(full))
		tell(t->c, full, change, what);
}

void notify_observe(struct tree *t)
{
	if (t->fs && (t->audit || (t->c->host->db && t->c->conf->g.change_notify)))
		fs_share_observe(t->fs, changed, t);
}

void notify_written(struct open *o)
{
	if (o->written && o->kind == OPEN_FILE && o->node)
		fs_changed(o->node, FS_MODIFIED, FS_WHAT_SIZE | FS_WHAT_WRITE_TIME);
}
