/* open.c - the one walk that every open-like command takes.
 *
 *   resolve -> decide -> share mode -> open | create | truncate -> result
 *
 * An existing file enters the share-mode database before it is opened, so nothing is truncated
 * that somebody denies; a new one is created exclusively and enters behind.  When the name
 * changes hands between the steps (another worker renamed or deleted it) the walk starts anew.
 *
 *   FID states:  (none) --open--> open --CLOSE, tree or session end, process exit--> (none)  */
#include "srv/open.h"
#include "base/log.h"
#include "base/util.h"

#define MAX_TRIES 5
#define DATA_ACCESS (ACC_READ_DATA | ACC_WRITE_DATA | ACC_APPEND | ACC_EXECUTE | ACC_DELETE)
#define WRITE_ACCESS (ACC_WRITE_DATA | ACC_APPEND | ACC_WRITE_EA | ACC_WRITE_ATTR | ACC_DELETE | ACC_DELETE_CHILD | \
		      ACC_WRITE_DAC | ACC_WRITE_OWNER)

/* One open on its way. */
struct walk {
	struct req *q;
	const struct open_want *w;
	struct fs_node *node;
	struct open *o;
	uint32_t access;   /* generic bits mapped */
	bool truncate;
	uint32_t action;
	uint8_t oplock;    /* granted */
};

static uint32_t map_generic(uint32_t a)
{
	if (a & ACC_GENERIC_ALL)
		a |= ACC_FILE_ALL;
	if (a & ACC_GENERIC_EXECUTE)
		a |= ACC_FILE_EXECUTE;
	if (a & ACC_GENERIC_WRITE)
		a |= ACC_FILE_WRITE;
	if (a & ACC_GENERIC_READ)
		a |= ACC_FILE_READ;
	return a & ~(ACC_GENERIC_ALL | ACC_GENERIC_EXECUTE | ACC_GENERIC_WRITE | ACC_GENERIC_READ);
}

/* ---- decide ---- */

static status_t sane(const struct open_want *w)
{
	if (w->disposition > DISP_OVERWRITE_IF || w->share > 7)
		return ST_INVALID_PARAMETER;
	if (w->options & OPT_BY_FILE_ID)
		return ST_NOT_SUPPORTED;
	if ((w->options & OPT_DIRECTORY) && (w->options & OPT_NON_DIRECTORY))
		return ST_INVALID_PARAMETER;
	if ((w->options & OPT_DIRECTORY) &&
	    (w->disposition == DISP_SUPERSEDE || w->disposition == DISP_OVERWRITE || w->disposition == DISP_OVERWRITE_IF))
		return ST_INVALID_PARAMETER;
	if ((w->options & OPT_DELETE_ON_CLOSE) && !(map_generic(w->access) & (ACC_DELETE | ACC_MAXIMUM_ALLOWED)))
		return ST_INVALID_PARAMETER;
	if (fs_has_wildcard(w->name))
		return ST_OBJECT_NAME_INVALID;
	return ST_OK;
}

static status_t decide_dir(struct walk *k)
{
	const struct open_want *w = k->w;

	if (w->options & OPT_NON_DIRECTORY)
		return ST_FILE_IS_A_DIRECTORY;
	if (w->disposition == DISP_CREATE)
		return ST_OBJECT_NAME_COLLISION;
	if (w->disposition != DISP_OPEN && w->disposition != DISP_OPEN_IF)
		return ST_OBJECT_NAME_COLLISION; /* a folder cannot be overwritten */
	k->action = ACTION_OPENED;
	return ST_OK;
}

static status_t decide_file(struct walk *k)
{
	const struct open_want *w = k->w;
	uint32_t attrs = k->node->st.attrs, hidden = FS_ATTR_HIDDEN | FS_ATTR_SYSTEM;

	if (w->options & OPT_DIRECTORY)
		return ST_NOT_A_DIRECTORY;
	if (w->search_attrs_matter && (attrs & hidden & ~(uint32_t)w->search_attrs))
		return ST_OBJECT_NAME_NOT_FOUND;
	switch (w->disposition) {
	case DISP_CREATE:
		return ST_OBJECT_NAME_COLLISION;
	case DISP_OPEN:
	case DISP_OPEN_IF:
		k->action = ACTION_OPENED;
		break;
	default:
		if (attrs & hidden & ~w->attrs)
			return ST_ACCESS_DENIED;
		if (attrs & FS_ATTR_READONLY)
			return ST_ACCESS_DENIED;
		k->truncate = true;
		k->action = w->disposition == DISP_SUPERSEDE ? ACTION_SUPERSEDED : ACTION_OVERWRITTEN;
	}
	if ((attrs & FS_ATTR_READONLY) && (k->access & (ACC_WRITE_DATA | ACC_APPEND)))
		return ST_ACCESS_DENIED;
	if ((attrs & FS_ATTR_READONLY) && (w->options & OPT_DELETE_ON_CLOSE) && !k->q->t->share->p.delete_readonly)
		return ST_CANNOT_DELETE;
	return ST_OK;
}

static status_t decide_new(struct walk *k)
{
	if (k->w->disposition == DISP_OPEN || k->w->disposition == DISP_OVERWRITE)
		return ST_OBJECT_NAME_NOT_FOUND;
	if (!req_may_write(k->q))
		return ST_ACCESS_DENIED;
	if ((k->w->options & OPT_DELETE_ON_CLOSE) && (k->w->attrs & FS_ATTR_READONLY))
		return ST_CANNOT_DELETE;
	k->action = ACTION_CREATED;
	return ST_OK;
}

/* Read-only trees, and bits that only the file's modes can tell about. */
static status_t decide_access(struct walk *k)
{
	bool writable = req_may_write(k->q);
	uint32_t max;

	if (k->access & ACC_MAXIMUM_ALLOWED) {
		max = k->node->exists ? fs_access_max(k->node) : ACC_FILE_ALL;
		if (!writable)
			max &= ~WRITE_ACCESS;
		if (k->node->exists && (k->node->st.attrs & FS_ATTR_READONLY) && !fs_is_dir(&k->node->st))
			max &= ~(ACC_WRITE_DATA | ACC_APPEND);
		k->access = (k->access & ~ACC_MAXIMUM_ALLOWED) | max;
	}
	if (!writable && ((k->access & WRITE_ACCESS) || k->truncate))
		return ST_ACCESS_DENIED;
	if (k->access & ACC_SYSTEM_SECURITY)
		return ST_PRIVILEGE_NOT_HELD;
	if (k->node->exists && (k->access & (ACC_DELETE | ACC_WRITE_DAC | ACC_WRITE_OWNER)) &&
	    (k->access & ~fs_access_max(k->node) & (ACC_DELETE | ACC_WRITE_DAC | ACC_WRITE_OWNER)))
		return ST_ACCESS_DENIED;
	return ST_OK;
}

static status_t decide(struct walk *k)
{
	status_t st;

	k->access = map_generic(k->w->access);
	k->truncate = false;
	if (!k->node->exists)
		st = decide_new(k);
	else if (fs_is_dir(&k->node->st))
		st = decide_dir(k);
	else
		st = decide_file(k);
	return st == ST_OK ? decide_access(k) : st;
}

/* ---- share mode ---- */

static status_t enter(struct db_file *f, void *arg)
{
	struct walk *k = arg;
	struct open *o = k->o;
	uint32_t access = k->access | (k->truncate ? ACC_WRITE_DATA : 0);
	uint32_t flags = k->w->db_flags | (access & DATA_ACCESS ? 0 : DB_OPEN_STAT) |
			 (o->delete_on_close ? DB_OPEN_DELETE_ON_CLOSE : 0);
	struct db_opener e = {
		.owner = db_me(), .open_id = o->open_id, .access = access, .share = k->w->share, .flags = flags,
		.client_pid = o->pid, .client_uid = o->uid, .unix_uid = tree_user(o->t, k->q->s)->id->uid,
		.opened = clock_now(),
	};
	status_t st = db_share_conflict(f, access, k->w->share, flags);

	if (st != ST_OK)
		return st;
	if (!f->path)
		f->path = talloc_asprintf(f, "%s/%s", o->t->root, o->node->path);
	return db_file_add(f, &e) ? ST_OK : ST_NO_MEMORY;
}

static status_t leave(struct db_file *f, void *arg)
{
	const struct open *o = arg;
	struct db_owner me = db_me();

	db_file_remove(f, &me, o->open_id);
	return ST_OK;
}

static status_t enter_share_mode(struct walk *k)
{
	struct open *o = k->o;

	o->id = (struct db_file_id){ k->node->st.dev, k->node->st.ino };
	o->open_id = ++o->c->next_open_id;
	return db_share_with(o->c->host->db, &o->id, enter, k);
}

/* ---- open, create, truncate ---- */

static void want_fd(const struct walk *k, struct fs_open_want *f)
{
	*f = (struct fs_open_want){
		.read = k->access & (ACC_READ_DATA | ACC_EXECUTE),
		.write = (k->access & (ACC_WRITE_DATA | ACC_APPEND)) || k->truncate,
		.truncate = k->truncate,
		.attrs = k->w->attrs,
		.sync = k->w->options & OPT_WRITE_THROUGH,
	};
	f->attributes_only = !f->read && !f->write;
}

/* A database entry for what exists, then the descriptor.  ST_RETRY: the name has changed hands. */
static status_t open_existing(struct walk *k)
{
	struct open *o = k->o;
	struct fs_open_want f;
	bool created;
	status_t st = enter_share_mode(k);

	if (st != ST_OK)
		return st;
	want_fd(k, &f);
	if (fs_is_dir(&k->node->st)) {
		o->kind = OPEN_DIR;
		f.directory = true;
		f.write = false;
	}
	st = fs_open(k->node, &f, &o->fd, &created);
	if (st == ST_OK && (k->node->st.dev != o->id.dev || k->node->st.ino != o->id.ino)) {
		fs_close(&o->fd);
		st = ST_RETRY;
	}
	if (st != ST_OK)
		db_share_with(o->c->host->db, &o->id, leave, o);
	return st;
}

static status_t create_dir(struct walk *k)
{
	struct fs_open_want f = { .directory = true, .attributes_only = !(k->access & ACC_READ_DATA), .read = true };
	bool created;
	status_t st = fs_mkdir(k->node, k->w->attrs, false, 0);

	if (st == ST_OBJECT_NAME_COLLISION)
		return ST_RETRY;
	if (st == ST_OK)
		st = fs_refresh(k->node);
	if (st != ST_OK)
		return st;
	k->o->kind = OPEN_DIR;
	return fs_open(k->node, &f, &k->o->fd, &created);
}

static status_t create_new(struct walk *k)
{
	struct open *o = k->o;
	struct fs_open_want f;
	bool created = false;
	status_t st;

	if (k->w->options & OPT_DIRECTORY) {
		st = create_dir(k);
	} else {
		want_fd(k, &f);
		f.create = f.exclusive = f.read = f.write = true;
		f.attributes_only = false;
		st = fs_open(k->node, &f, &o->fd, &created);
		if (st == ST_OBJECT_NAME_COLLISION)
			return ST_RETRY;
	}
	if (st != ST_OK)
		return st;
	st = enter_share_mode(k);
	if (st != ST_OK)
		fs_close(&o->fd);
	else if (created && k->w->alloc > 0 && o->t->share->p.strict_allocate)
		st = fs_allocate(o->t->fs, o->fd, k->w->alloc);
	return st;
}

/* ---- the walk ---- */

static struct open *new_open(struct req *q, enum open_kind kind)
{
	struct open *o = talloc_zero(q->c, struct open);

	if (!o)
		return NULL;
	o->fid = idtab_add(q->c->opens, o);
	if (o->fid == 0) {
		talloc_free(o);
		return NULL;
	}
	o->c = q->c;
	o->t = q->t;
	o->uid = q->h.uid;
	o->pid = q->h.pid;
	o->kind = kind;
	o->fd = -1;
	q->t->nopen++;
	return o;
}

static void drop_open(struct open *o)
{
	o->t->nopen--;
	idtab_del(o->c->opens, o->fid);
	talloc_free(o);
}

static status_t walk_once(struct walk *k)
{
	status_t st = fs_lookup(k->q->t->fs, k->o, k->w->name, 0, &k->node);

	if (st == ST_OK)
		st = decide(k);
	if (st != ST_OK)
		return st;
	k->o->node = k->node;
	return k->node->exists ? open_existing(k) : create_new(k);
}

status_t open_file(struct req *q, const struct open_want *w, struct open **out, struct open_result *res)
{
	struct walk k = { .q = q, .w = w };
	status_t st = sane(w);

	if (st != ST_OK)
		return st;
	k.o = new_open(q, OPEN_FILE);
	if (!k.o)
		return ST_TOO_MANY_OPENED_FILES;
	k.o->delete_on_close = w->options & OPT_DELETE_ON_CLOSE;
	st = ST_RETRY;
	for (int i = 0; st == ST_RETRY && i < MAX_TRIES; i++)
		st = walk_once(&k);
	if (st != ST_OK) {
		log_at(LOG_SMB, 3, "open %s: %s", w->name, status_name(st));
		drop_open(k.o);
		return st == ST_RETRY ? ST_SHARING_VIOLATION : st;
	}
	k.o->access = k.access;
	k.o->share = w->share;
	k.o->options = w->options;
	log_at(LOG_SMB, 3, "open %s: fid %u, access 0x%x", w->name, k.o->fid, k.access);
	*res = (struct open_result){ .action = k.action, .oplock = k.oplock, .st = k.node->st };
	*out = k.o;
	return ST_OK;
}

status_t open_pipe(struct req *q, const char *name, uint32_t access, struct open **out)
{
	struct open *o;
	const char *base = name;

	if (strncasecmp(base, "pipe/", 5) == 0)
		base += 5;
	if (!rpc_pipe_exists(base)) {
		log_at(LOG_RPC, 3, "there is no pipe %s", base);
		return ST_OBJECT_NAME_NOT_FOUND;
	}
	o = new_open(q, OPEN_PIPE);
	if (!o)
		return ST_TOO_MANY_OPENED_FILES;
	o->pipe = rpc_pipe_open(o, base);
	if (!o->pipe) {
		drop_open(o);
		return ST_NO_MEMORY;
	}
	o->access = map_generic(access);
	o->pipe_state = 0x05ff;
	*out = o;
	return ST_OK;
}

struct open *open_find(const struct conn *c, uint16_t fid) { return idtab_get(c->opens, fid); }
