/* notify_local.c - changes by local programs, as the watcher process sees them.
 *
 * It is handed descriptors of the folders, opened with the user's own rights, and numbers: the watch's, with the
 * place in `below` in the upper 16 bits.  A watch of a tree is one of every folder in it, up to a bound; a
 * folder that appears later is added when its coming is seen. */
#include "base/budget.h"
#include "base/log.h"
#include "base/str.h"
#include "srv/notify.h"

#define MAX_FOLDERS 256u /* of one watch */
#define MAX_LOOKED_AT 8192u /* entries, looking for folders */
#define ID_BITS 48

struct notify_local {
	char **below;      /* way from the watched folder; "" itself; NULL: gone */
	unsigned n;
	unsigned looked_at;
};

static uint64_t number(const struct notify *n, unsigned i) { return n->id | (uint64_t)i << ID_BITS; }

static const char *join(TALLOC_CTX *mem, const char *a, const char *b)
{
	return str_join(mem, a, *a && *b ? "/" : "", b);
}

static bool become(const struct open *o)
{
	struct session *s = session_find(o->c, o->uid);
	struct tree_user *u = s ? tree_user(o->t, s) : NULL;

	return u && u->status == ST_OK && fs_become(u->id) == ST_OK;
}

/* Which kinds of events are needed: those asked for, and new folders to follow. */
static uint32_t filter(const struct notify *n) { return n->filter | (n->tree ? FS_WHAT_DIR_NAME : 0); }

/* False: no more of them. */
static bool add_folder(struct open *o, const char *below)
{
	struct notify_local *l = o->notify->local;
	const struct watch_host *host = &o->c->host->watch;
	struct fs_open_want want = { .directory = true, .read = true };
	struct fs_node *node = NULL;
	bool created, ok = true;
	TALLOC_CTX *mem;
	int fd = -1;

	if (l->n >= MAX_FOLDERS || !budget_allows(strlen(below)))
		return false;
	mem = talloc_new(l);
	if (fs_lookup(o->t->fs, mem, join(mem, o->node->path, below), FS_LOOKUP_POSIX, &node) == ST_OK &&
	    node->exists && fs_is_dir(&node->st) && fs_open(node, &want, &fd, &created) == ST_OK) {
		l->below[l->n] = talloc_strdup(l->below, below);
		ok = l->below[l->n] && host->add(host->arg, number(o->notify, l->n), fd, filter(o->notify));
		l->n++;
	}
	fs_close(&fd);
	talloc_free(mem);
	return ok;
}

static void add_children(struct open *o, const char *below)
{
	struct notify_local *l = o->notify->local;
	TALLOC_CTX *mem = talloc_new(l);
	struct fs_node *node;
	struct fs_dir *dir;
	struct fs_entry e;
	bool more = true;

	if (fs_lookup(o->t->fs, mem, join(mem, o->node->path, below), FS_LOOKUP_POSIX, &node) == ST_OK &&
	    node->exists && fs_dir_open(mem, node, FS_DIR_STAT | FS_DIR_POSIX, &dir) == ST_OK) {
		while (more && l->looked_at++ < MAX_LOOKED_AT && fs_dir_next(dir, NULL, NULL, &e) == ST_OK)
			if (fs_is_dir(&e.st) && strcmp(e.name, ".") != 0 && strcmp(e.name, "..") != 0)
				more = add_folder(o, join(mem, below, e.name));
		fs_dir_close(&dir);
	}
	talloc_free(mem);
}

/* This folder and all below it, the near ones first. */
static void follow(struct open *o, unsigned from)
{
	struct notify_local *l = o->notify->local;

	for (unsigned i = from; i < l->n && l->n < MAX_FOLDERS; i++)
		if (l->below[i])
			add_children(o, l->below[i]);
	if (l->n >= MAX_FOLDERS)
		log_at(LOG_SMB, 2, "%s: changes by local programs are seen in its first %u folders only",
		       o->notify->folder, MAX_FOLDERS);
}

void notify_local_start(struct open *o)
{
	const struct watch_host *host = &o->c->host->watch;
	struct notify *n = o->notify;

	if (!host->add || !o->c->conf->g.kernel_change_notify || o->fd < 0)
		return;
	n->local = talloc_zero(n, struct notify_local);
	if (!n->local)
		return;
	n->local->below = talloc_array(n->local, char *, n->tree ? MAX_FOLDERS : 1);
	if (!n->local->below || !(n->local->below[0] = talloc_strdup(n->local, "")) ||
	    !host->add(host->arg, number(n, 0), o->fd, filter(n))) {
		TALLOC_FREE(n->local);
		return;
	}
	n->local->n = 1;
	if (n->tree && become(o))
		follow(o, 0);
}

static void drop(struct open *o, unsigned i)
{
	struct notify_local *l = o->notify->local;

	if (!l->below[i])
		return;
	o->c->host->watch.del(o->c->host->watch.arg, number(o->notify, i));
	TALLOC_FREE(l->below[i]);
}

void notify_local_stop(struct open *o)
{
	struct notify *n = o->notify;

	for (unsigned i = 0; n->local && i < n->local->n; i++)
		drop(o, i);
	TALLOC_FREE(n->local);
}

void notify_local_again(struct conn *c)
{
	struct open *o;
	uint16_t fid = 0;

	while ((o = idtab_next(c->opens, fid, &fid)) != NULL) {
		if (!o->notify || o->notify->closing)
			continue;
		TALLOC_FREE(o->notify->local);
		notify_local_start(o);
	}
}

/* A folder of a watched tree went, with all below it. */
static void gone(struct open *o, const char *name)
{
	struct notify_local *l = o->notify->local;
	size_t len = strlen(name);

	for (unsigned i = 1; i < l->n; i++)
		if (l->below[i] && strncmp(l->below[i], name, len) == 0 &&
		    (l->below[i][len] == '/' || l->below[i][len] == '\0'))
			drop(o, i);
	while (l->n > 1 && !l->below[l->n - 1])
		l->n--;
}

static bool vetoed(struct open *o, TALLOC_CTX *mem, const char *name)
{
	struct fs_node *node;

	if (o->t->share->p.veto_files[0] == '\0')
		return false;
	return fs_lookup(o->t->fs, mem, join(mem, o->node->path, name), FS_LOOKUP_NO_STAT, &node) == ST_OK &&
	       node->vetoed;
}

void notify_local_event(struct conn *c, uint64_t id, enum fs_change change, unsigned what, const char *disk_name)
{
	struct open *o = notify_find(c, id & ((UINT64_C(1) << ID_BITS) - 1));
	unsigned i = (unsigned)(id >> ID_BITS);
	struct notify_local *l = o ? o->notify->local : NULL;
	TALLOC_CTX *mem;
	const char *name;

	if (!l || i >= l->n || !l->below[i])
		return;
	mem = talloc_new(NULL);
	name = str_from_disk(mem, disk_name);
	name = name ? join(mem, l->below[i], name) : NULL;
	if (name && !vetoed(o, mem, name)) {
		if (o->notify->tree && (what & FS_WHAT_DIR_NAME) && (change == FS_REMOVED || change == FS_RENAMED_FROM))
			gone(o, name);
		if (o->notify->tree && (what & FS_WHAT_DIR_NAME) && (change == FS_ADDED || change == FS_RENAMED_TO) &&
		    become(o) && add_folder(o, name))
			follow(o, l->n - 1);
		if (notify_wants(o->notify->filter, o->notify->tree, what, name))
			notify_deliver(o, change, name, true);
	}
	talloc_free(mem);
}

void notify_local_lost(struct conn *c)
{
	struct open *o;
	uint16_t fid = 0;

	while ((o = idtab_next(c->opens, fid, &fid)) != NULL)
		if (o->notify && o->notify->local)
			notify_lost(o);
}
