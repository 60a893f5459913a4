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
#include "base/budget.h"
#include "base/log.h"
#include "base/util.h"
#include "srv/audit.h"
#include "srv/basemode.h"
#include "srv/sharemode.h"
#include "srv/wtime.h"

#define MAX_TRIES 5
#define OPEN_BYTES 1024u /* an open file, roughly */
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

static status_t sane(const struct req *q, const struct open_want *w)
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
	if (!w->posix && req_wild(q, w->name))
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

	if (k->node->flags & FS_LOOKUP_POSIX) /* the mode says what may be done */
		attrs = 0;
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

static bool administers(const struct walk *k)
{
	const struct tree_user *u = tree_user(k->q->t, k->q->s);

	return u && u->id && (u->id->admin || u->id->uid == 0);
}

/* Everything he may do; what else was asked for must be among it. */
static void maximum(struct walk *k)
{
	uint32_t max = k->node->exists ? fs_access_max(k->node) : ACC_FILE_ALL;

	if (!req_may_write(k->q))
		max &= ~WRITE_ACCESS;
	if (k->node->exists && (k->node->st.attrs & FS_ATTR_READONLY) && !fs_is_dir(&k->node->st) &&
	    !(k->node->flags & FS_LOOKUP_POSIX))
		max &= ~(ACC_WRITE_DATA | ACC_APPEND);
	k->access = (k->access & ~ACC_MAXIMUM_ALLOWED) | max;
}

/* Over the wire to run is to read: with MAXIMUM_ALLOWED, the generic right to run is there for whoever may read
 * (Windows; base.maximum_allowed). */
static bool runs_by_reading(const struct walk *k)
{
	const uint32_t both = ACC_MAXIMUM_ALLOWED | ACC_GENERIC_EXECUTE;

	return (k->w->access & both) == both && !(k->w->access & (ACC_EXECUTE | ACC_GENERIC_ALL)) && k->node->exists &&
	       !fs_is_dir(&k->node->st) && fs_access_lacks(k->node, ACC_EXECUTE) && !fs_access_lacks(k->node, ACC_READ_DATA);
}

/* Read-only trees, privileges, and what mode and access list say. */
static status_t decide_access(struct walk *k)
{
	uint32_t asked;

	if (runs_by_reading(k))
		k->access &= ~ACC_EXECUTE;
	asked = k->access & ~ACC_MAXIMUM_ALLOWED;
	if (asked & ~(ACC_FILE_ALL | ACC_SYSTEM_SECURITY)) /* bits that mean nothing are nobody's right */
		return ST_ACCESS_DENIED;
	if (k->access & ACC_MAXIMUM_ALLOWED)
		maximum(k);
	if (!req_may_write(k->q) && ((k->access & WRITE_ACCESS) || k->truncate))
		return ST_ACCESS_DENIED;
	if ((k->access & ACC_SYSTEM_SECURITY) && !administers(k)) {
		k->q->no_admin = true;
		return ST_PRIVILEGE_NOT_HELD;
	}
	if (k->node->exists &&
	    fs_access_lacks(k->node, (asked & ~ACC_SYSTEM_SECURITY) | (k->truncate ? ACC_WRITE_DATA : 0)))
		return ST_ACCESS_DENIED;
	return ST_OK;
}

static status_t decide(struct walk *k)
{
	status_t st;

	k->access = map_generic(k->w->access);
	k->truncate = false;
	if ((k->w->options & OPT_DIRECTORY) && (k->node->stream || k->node->data_asked))
		st = ST_NOT_A_DIRECTORY;
	else if (k->node->data_asked && k->node->exists && fs_is_dir(&k->node->st))
		st = ST_FILE_IS_A_DIRECTORY;
	else if (!k->node->exists)
		st = decide_new(k);
	else if (fs_is_dir(&k->node->st))
		st = decide_dir(k);
	else
		st = decide_file(k);
	return st == ST_OK ? decide_access(k) : st;
}

/* ---- share mode ---- */

/* A batch oplock keeps a name open behind its user's back.  NT gives none to the name of a stream, "::$DATA" among
 * them; an exclusive one it does (raw.oplock.stream1). */
static uint8_t oplock_wanted(const struct walk *k)
{
	return k->w->oplock == 2 && (k->node->stream || k->node->data_asked) ? 0 : k->w->oplock;
}

static status_t enter_share_mode(struct walk *k)
{
	struct open *o = k->o;
	struct sharemode_want w = {
		.access = k->access, .share = k->w->share, .truncates = k->truncate, .oplock = oplock_wanted(k),
		.keeps_oplocks = k->w->keeps_oplocks,
		.flags = k->w->db_flags | (o->delete_on_close ? DB_OPEN_DELETE_ON_CLOSE : 0),
	};

	if (fs_is_dir(&k->node->st))
		o->kind = OPEN_DIR;
	o->id = (struct db_file_id){ k->node->st.dev, k->node->st.ino };
	o->open_id = ++o->c->next_open_id;
	return sharemode_enter(k->q, o, &w, &k->oplock);
}

/* ---- open, create, truncate ---- */

static void want_fd(const struct walk *k, struct fs_open_want *f)
{
	*f = (struct fs_open_want){
		.read = k->access & (ACC_READ_DATA | ACC_EXECUTE),
		.write = (k->access & (ACC_WRITE_DATA | ACC_APPEND)) || k->truncate,
		.truncate = k->truncate,
		.attrs = k->w->attrs,
		.posix_mode_set = k->w->mode_set, .posix_mode = k->w->mode,
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
	if (o->kind == OPEN_DIR) {
		f.directory = true;
		f.write = false;
	}
	st = fs_open(k->node, &f, &o->fd, &created);
	if (st == ST_ACCESS_DENIED && f.read && !(k->access & ACC_READ_DATA)) { /* may be run, not read */
		f.read = false;
		f.attributes_only = !f.write;
		st = fs_open(k->node, &f, &o->fd, &created);
	}
	if (st == ST_OK && (k->node->st.dev != o->id.dev || k->node->st.ino != o->id.ino)) {
		fs_close(&o->fd);
		st = ST_RETRY;
	}
	if (st != ST_OK)
		sharemode_leave(o);
	return st;
}

static status_t create_dir(struct walk *k)
{
	struct fs_open_want f = { .directory = true, .attributes_only = !(k->access & ACC_READ_DATA), .read = true };
	bool created;
	status_t st = fs_mkdir(k->node, k->w->attrs, k->w->mode_set, k->w->mode);

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
	if (created && k->w->alloc > 0)
		st = fs_reserve(o->t->fs, o->fd, k->w->alloc);
	if (st == ST_OK)
		st = enter_share_mode(k);
	else
		fs_unlink(k->node); /* there is no room for it */
	if (st != ST_OK)
		fs_close(&o->fd);
	return st;
}

/* ---- the walk ---- */

static struct open *new_open(struct req *q, enum open_kind kind)
{
	struct open *o = budget_allows(OPEN_BYTES) ? talloc_zero(q->c, struct open) : NULL;

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

/* The file of a stream must know of it. */
static status_t join_file(struct walk *k)
{
	status_t st = basemode_enter(k->o, k->w->share);

	if (st == ST_OK)
		return ST_OK;
	if (k->action == ACTION_CREATED)
		fs_unlink(k->node);
	sharemode_leave(k->o);
	fs_close(&k->o->fd);
	return st;
}

static status_t walk_once(struct walk *k)
{
	status_t st = fs_lookup(k->q->t->fs, k->o, k->w->name, k->w->posix ? FS_LOOKUP_POSIX : 0, &k->node);

	if (st == ST_OK)
		st = decide(k);
	if (st != ST_OK)
		return st;
	k->o->node = k->node;
	k->node->new_sd = k->w->sd;
	st = k->node->exists ? open_existing(k) : create_new(k);
	return st == ST_OK ? join_file(k) : st;
}

static status_t walk(struct req *q, const struct open_want *w, struct open **out, struct open_result *res)
{
	struct walk k = { .q = q, .w = w };
	status_t st = sane(q, w);

	if (st != ST_OK)
		return st;
	k.o = new_open(q, OPEN_FILE);
	if (!k.o)
		return sharemode_no_room(q);
	k.o->delete_on_close = w->options & OPT_DELETE_ON_CLOSE;
	st = ST_RETRY;
	for (int i = 0; st == ST_RETRY && i < MAX_TRIES; i++)
		st = walk_once(&k);
	if (st != ST_OK) {
		log_at(LOG_SMB, 3, "open %s, access 0x%x: %s", w->name, w->access, status_name(st));
		drop_open(k.o);
		return st == ST_RETRY ? ST_SHARING_VIOLATION : st;
	}
	sharemode_opened(k.o, &k.oplock);
	if (w->options & (OPT_SEQUENTIAL | OPT_RANDOM_ACCESS) && k.o->kind == OPEN_FILE && k.o->fd >= 0)
		fs_advise(k.o->fd, w->options & OPT_SEQUENTIAL ? FS_SEQUENTIAL : FS_RANDOM);
	k.o->access = k.access | ACC_READ_ATTR; /* seeing a name is enough for it */
	k.o->share = w->share;
	k.o->options = w->options;
	log_at(LOG_SMB, 3, "open %s: fid %u, access 0x%x", w->name, k.o->fid, k.access);
	*res = (struct open_result){ .action = k.action, .oplock = k.oplock, .st = k.node->st };
	wtime_show(&(struct wtime){ .held = k.o->held_time, .due = k.o->held_due }, &res->st);
	*out = k.o;
	return ST_OK;
}

status_t open_file(struct req *q, const struct open_want *w, struct open **out, struct open_result *res)
{
	status_t st = walk(q, w, out, res);

	if (audit_wants(q->t, AUDIT_OPEN) && st != ST_PENDING)
		audit_say(q->t, AUDIT_OPEN, w->name, NULL, st);
	return st;
}

status_t open_pipe(struct req *q, const char *name, uint32_t access, struct open **out)
{
	struct open *o;
	const char *base = name + 5;

	if (strncasecmp(name, "pipe/", 5) != 0)
		return ST_OBJECT_PATH_SYNTAX_BAD;
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

HOT struct open *open_find(const struct conn *c, uint16_t fid) { return idtab_get(c->opens, fid); }
