/* set_info.c - SET_PATH_INFO (06), SET_FILE_INFO (08).
 *
 *   PATH P: level, reserved u32, name;   FILE P: FID, level, reserved;   D by level
 *   ->   P: EA error offset u16
 *
 * Times, attributes and EAs of a path are set where they lie.  What sharing has a say in (sizes, deleting,
 * renaming) opens the path for the moment and takes the same way as a handle.  transactions section 5. */
#include "cmd/trans2/trans2.h"
#include "cmd/trans2/unix_ext.h"
#include "base/log.h"
#include "base/str.h"
#include "base/util.h"
#include "srv/wtime.h"

struct set {
	struct req *q;
	struct rd *d;
	struct open *o;       /* NULL: by path */
	struct fs_node *node;
	int fd;               /* -1: none */
};

#define NO_WRITE 1u    /* changes nothing on disk */
#define NEEDS_OPEN 2u  /* by path: opened with `access` first */
#define NO_DATA 8u     /* by path: oplocks of others stay */
#define HANDLE_ONLY 4u /* by path: INVALID_LEVEL, once sharing has had its say; as Windows has it */

#define MODE_BITS 0x3eu
#define CLUSTER 4096u

struct set_level {
	uint16_t level;
	const char *name;
	unsigned flags;
	uint32_t access;     /* the handle must have one of these bits; 0 = none */
	uint32_t min;        /* bytes of data */
	status_t (*run)(struct set *s);
};

/* ---- times and attributes ---- */

static status_t set_times(struct set *s, const struct fs_times *t)
{
	status_t st = ST_OK;

	if (t->create || t->access || t->write || t->change)
		st = fs_set_times(s->node, s->fd, t);
	if (st == ST_OK && t->write)
		wtime_set(s->q->c, s->o, s->node, t->write);
	return st;
}

static nttime_t get_dos_time(struct set *s)
{
	uint16_t date = rd_u16(s->d), time = rd_u16(s->d);

	return date || time ? dos_to_nttime(date, time, s->q->c->zone) : 0;
}

static status_t set_standard(struct set *s)
{
	struct fs_times t = { .change = 0 };

	t.create = get_dos_time(s);
	t.access = get_dos_time(s);
	t.write = get_dos_time(s);
	return set_times(s, &t);
}

#define STAYS UINT64_MAX         /* from now on, whatever happens through this handle */
#define MOVES (UINT64_MAX - 1)   /* again by itself */

/* 0 leaves a time alone; so do -1 and -2, which tell when it moves by itself. */
static nttime_t get_nt_time(struct set *s)
{
	nttime_t t = rd_u64(s->d);

	return t >= MOVES ? 0 : t;
}

static nttime_t get_write_time(struct set *s)
{
	struct rd peek = *s->d;
	nttime_t t = rd_u64(&peek);
	struct fs_stat st;
	bool pending;

	if (t == STAYS && s->o && open_stat(s->o, &st, &pending) == ST_OK)
		wtime_set(s->q->c, s->o, s->node, st.write);
	if (t == MOVES && s->o)
		s->o->close_write_time = 0;
	return get_nt_time(s);
}

/* Attributes 0 stay as they are, "normal" alone takes all away. */
static status_t set_attrs(struct set *s, uint32_t attrs)
{
	bool dir = fs_is_dir(&s->node->st);

	if (attrs == 0)
		return ST_OK;
	if ((attrs & FS_ATTR_DIRECTORY) && !dir)
		return ST_INVALID_PARAMETER;
	if ((attrs & FS_ATTR_TEMPORARY) && dir)
		return ST_INVALID_PARAMETER;
	return fs_set_attrs(s->node, s->fd, attrs);
}

static status_t set_basic(struct set *s)
{
	struct fs_times t;
	status_t st;

	t.create = get_nt_time(s);
	t.access = get_nt_time(s);
	t.write = get_write_time(s);
	t.change = get_nt_time(s);
	st = set_attrs(s, rd_u32(s->d));
	return st == ST_OK ? set_times(s, &t) : st;
}

static status_t set_eas(struct set *s)
{
	struct fs_ea *list;
	size_t n;
	status_t st;

	if (s->node->stream)
		return ST_INVALID_PARAMETER; /* only files have attributes */
	if (rd_left(s->d) == 0)
		return ST_OK;
	st = ea_get_list(s->q->mem, s->d, &list, &n);
	return st == ST_OK ? trans2_set_eas(s->q, s->node, list, n) : st;
}

static status_t set_full_eas(struct set *s)
{
	struct fs_ea *list;
	size_t n;
	status_t st;

	if (s->node->stream)
		return ST_INVALID_PARAMETER;
	st = ea_get_full(s->q->mem, s->d, &list, &n);
	return st == ST_OK ? trans2_set_eas(s->q, s->node, list, n) : st;
}

/* ---- through a handle ---- */

static status_t set_disposition(struct set *s)
{
	if (!s->q->asked) /* its own copy: the open may be closed before anybody reads it */
		s->q->asked = talloc_strdup(s->q->mem, s->o->node->path);
	return open_set_delete(s->o, rd_u8(s->d) & 1);
}

static status_t set_size(struct set *s)
{
	uint64_t size = rd_u64(s->d);

	if (s->o->kind == OPEN_DIR)
		return ST_INVALID_PARAMETER;
	return size > INT64_MAX ? ST_INVALID_PARAMETER : open_truncate(s->q, s->o, size);
}

/* Below the end it cuts the file, above it only reserves. */
static status_t set_allocation(struct set *s)
{
	uint64_t size = rd_u64(s->d);
	struct fs_stat st;
	bool pending;
	status_t ret;

	if (s->o->kind == OPEN_DIR || size > INT64_MAX)
		return ST_INVALID_PARAMETER;
	ret = open_may_write(s->q, s->o, 0, 0);
	if (ret == ST_OK)
		ret = open_stat(s->o, &st, &pending);
	if (ret != ST_OK)
		return ret;
	if (size < st.size)
		return open_truncate(s->q, s->o, size);
	ret = fs_allocate(s->q->t->fs, s->o->fd, size);
	if (ret == ST_OK) /* shown in whole clusters, kept or not */
		s->o->alloc = (size + CLUSTER - 1) & ~(uint64_t)(CLUSTER - 1);
	return ret;
}

/* The new name, in the same folder: UTF-16 even in an 8-bit message (MS-FSCC 2.4).  Windows takes no path here; of a
 * link we do. */
static status_t new_name(struct set *s, bool path_too, char **out)
{
	const char *slash = strrchr(s->node->path, '/');
	uint32_t len;
	char *name;
	status_t st;

	if (rd_u32(s->d) != 0) /* root FID */
		return ST_INVALID_PARAMETER;
	len = rd_u32(s->d);
	if (!rd_ok(s->d) || len > rd_left(s->d))
		return ST_INVALID_PARAMETER;
	name = wire_str_n(s->q->mem, s->d, true, len);
	if (!name)
		return ST_NO_MEMORY;
	if (!path_too && strpbrk(name, "\\/"))
		return ST_NOT_SUPPORTED;
	if (name[0] == ':') { /* a stream gets another name */
		*out = talloc_asprintf(s->q->mem, "%s%s", s->node->path, name);
		return *out ? ST_OK : ST_NO_MEMORY;
	}
	st = req_path(s->q, name, out);
	if (st != ST_OK || **out == '\0' || req_wild(s->q, *out))
		return st != ST_OK ? st : ST_OBJECT_NAME_INVALID;
	if (slash && !strpbrk(name, "\\/"))
		*out = talloc_asprintf(s->q->mem, "%.*s/%s", (int)(slash - s->node->path), s->node->path, *out);
	return *out ? ST_OK : ST_NO_MEMORY;
}

static status_t set_rename(struct set *s)
{
	bool replace = rd_u8(s->d) & 1;
	char *name;
	status_t st;

	rd_skip(s->d, 3);
	st = new_name(s, false, &name);
	return st == ST_OK ? open_rename(s->q, s->o, name, replace) : st;
}

static status_t set_link(struct set *s)
{
	bool replace = rd_u8(s->d) & 1;
	struct fs_node *to;
	char *name;
	status_t st;

	rd_skip(s->d, 3);
	st = new_name(s, true, &name);
	if (st == ST_OK)
		st = fs_lookup(s->q->t->fs, s->q->mem, name, 0, &to);
	if (st != ST_OK)
		return st;
	if (to->exists)
		return replace ? ST_NOT_SUPPORTED : ST_OBJECT_NAME_COLLISION;
	return fs_link(s->node, to);
}

static status_t set_position(struct set *s)
{
	if (s->o)
		s->o->pos = rd_u64(s->d);
	return ST_OK;
}

/* Create options that can change while the handle is open: write through, sequential, unbuffered, waiting. */
static status_t set_mode(struct set *s)
{
	uint32_t mode = rd_u32(s->d);

	if (mode & ~MODE_BITS)
		return ST_INVALID_PARAMETER;
	if (s->o)
		s->o->options = (s->o->options & ~MODE_BITS) | mode;
	return ST_OK;
}

/* 8.3 names are made of the long ones here: the one it has may be set, another may not.  Windows wants the right to
 * restore files for it. */
static status_t set_short_name(struct set *s)
{
	uint32_t len = rd_u32(s->d);
	const char *name;
	char alias[64];

	if (!rd_ok(s->d) || len > rd_left(s->d))
		return ST_INVALID_PARAMETER;
	if (!req_is_admin(s->q))
		return ST_PRIVILEGE_NOT_HELD;
	name = wire_str_n(s->q->mem, s->d, true, len);
	if (!name)
		return ST_NO_MEMORY;
	if (!fs_is_83(name))
		return ST_INVALID_PARAMETER;
	fs_short_name(s->q->t->fs, s->node->name, alias);
	return str_caseeq(name, *alias ? alias : s->node->name) ? ST_OK : ST_NOT_SUPPORTED;
}

/* Data the server is told to trust. */
static status_t set_nothing(struct set *s)
{
	(void)s;
	return ST_OK;
}

#define SIZES (ACC_WRITE_DATA | ACC_APPEND)

static const struct set_level levels[] = {
	{ 0x0001, "STANDARD", 0, ACC_WRITE_ATTR | SIZES, 12, set_standard },
	{ 0x0002, "EAS", 0, ACC_WRITE_EA, 0, set_eas },
	{ 0x0101, "BASIC", 0, ACC_WRITE_ATTR | SIZES, 36, set_basic },
	{ 0x0102, "DISPOSITION", NEEDS_OPEN, ACC_DELETE, 1, set_disposition },
	{ 0x0103, "ALLOCATION", NEEDS_OPEN, ACC_WRITE_DATA, 8, set_allocation },
	{ 0x0104, "END_OF_FILE", NEEDS_OPEN | HANDLE_ONLY, ACC_WRITE_DATA, 8, set_size },
	{ 1004, "Basic", 0, ACC_WRITE_ATTR | SIZES, 36, set_basic },
	{ 1010, "Rename", NEEDS_OPEN | NO_DATA, ACC_DELETE, 12, set_rename },
	{ 1011, "Link", 0, 0, 12, set_link },
	{ 1013, "Disposition", NEEDS_OPEN, ACC_DELETE, 1, set_disposition },
	{ 1014, "Position", NO_WRITE, 0, 8, set_position },
	{ 1015, "FullEa", 0, ACC_WRITE_EA, 9, set_full_eas },
	{ 1016, "Mode", NO_WRITE, 0, 4, set_mode },
	{ 1019, "Allocation", NEEDS_OPEN, ACC_WRITE_DATA, 8, set_allocation },
	{ 1020, "EndOfFile", NEEDS_OPEN, ACC_WRITE_DATA, 8, set_size },
	{ 1039, "ValidDataLength", NO_WRITE, 0, 8, set_nothing },
	{ 1040, "ShortName", NO_WRITE, ACC_WRITE_DATA | ACC_WRITE_ATTR | ACC_DELETE, 4, set_short_name },
};

static status_t find_level(const struct set *s, uint16_t level, const struct set_level **out)
{
	*out = NULL;
	for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
		if (levels[i].level == level)
			*out = &levels[i];
	}
	if (!*out) {
		log_at(LOG_SMB, 3, "set level 0x%x: unknown", level);
		return ST_INVALID_LEVEL;
	}
	if (rd_left(s->d) < (*out)->min)
		return ST_INVALID_PARAMETER;
	return ST_OK;
}

/* A bad name of an attribute is a mere warning: it has the parameters of a success. */
static status_t answer(struct req *q, struct trans_reply *r, status_t st)
{
	status_t made = st == ST_OK || st == ST_INVALID_EA_NAME ? trans2_no_ea_error(q, r) : ST_OK;

	return made == ST_OK ? st : made;
}

/* ---- by path ---- */

static status_t through_open(struct set *s, const struct set_level *l, const char *path)
{
	struct open_want want = {
		.name = path, .access = l->access, .share = SHARE_READ | SHARE_WRITE | SHARE_DELETE,
		.disposition = DISP_OPEN, .keeps_oplocks = l->flags & NO_DATA,
	};
	struct open_result res;
	status_t st = open_file(s->q, &want, &s->o, &res), closed;

	if (st != ST_OK)
		return st;
	s->node = s->o->node;
	st = l->flags & HANDLE_ONLY ? ST_INVALID_LEVEL : l->run(s);
	closed = open_close(&s->o, 0);
	return st == ST_OK ? closed : st;
}

static status_t run_by_path(struct set *s, const struct set_level *l, const char *path)
{
	status_t st;

	if (req_wild(s->q, path))
		return ST_OBJECT_NAME_INVALID;
	if (l->flags & NEEDS_OPEN)
		return through_open(s, l, path);
	st = fs_lookup(s->q->t->fs, s->q->mem, path, 0, &s->node);
	if (st != ST_OK)
		return st;
	if (!s->node->exists)
		return ST_OBJECT_NAME_NOT_FOUND;
	if (s->node->st.has_sd && l->access && !(l->access & ~fs_access_lacks(s->node, l->access)))
		return ST_ACCESS_DENIED;
	st = trans2_delete_pending(s->q, &s->node->st);
	return st == ST_OK ? l->run(s) : st;
}

status_t trans2_set_path(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct set s = { .q = q, .d = &t->d, .fd = -1 };
	uint16_t level = rd_u16(&t->p);
	const struct set_level *l;
	char *path;
	status_t st;

	rd_skip(&t->p, 4);
	if (rd_ok(&t->p) && unix_set_level(q, level))
		return unix_set_path(q, t, level, r);
	st = rd_ok(&t->p) ? find_level(&s, level, &l) : ST_INVALID_PARAMETER;
	if (st == ST_OK)
		st = trans2_path(q, &t->p, &path);
	if (st == ST_OK && !(l->flags & NO_WRITE) && !req_may_write(q))
		st = ST_ACCESS_DENIED;
	if (st == ST_OK)
		st = run_by_path(&s, l, path);
	return answer(q, r, st);
}

/* ---- by handle ---- */

status_t trans2_set_file(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct set s = { .q = q, .d = &t->d, .o = req_open(q, rd_u16(&t->p)) };
	uint16_t level = rd_u16(&t->p);
	const struct set_level *l;
	status_t st;

	if (rd_ok(&t->p) && unix_set_level(q, level))
		return unix_set_file(q, t, s.o, level, r);
	st = rd_ok(&t->p) ? find_level(&s, level, &l) : ST_INVALID_PARAMETER;
	if (st != ST_OK)
		return st;
	if (!s.o)
		return ST_INVALID_HANDLE;
	if (s.o->kind == OPEN_PIPE)
		return ST_INVALID_PARAMETER;
	s.node = s.o->node;
	s.fd = s.o->fd;
	st = req_become(q);
	if (st == ST_OK && l->access && !(s.o->access & l->access))
		st = ST_ACCESS_DENIED;
	if (st == ST_OK && !(l->flags & NO_WRITE) && !req_may_write(q))
		st = ST_ACCESS_DENIED;
	if (st == ST_OK)
		st = l->run(&s);
	return answer(q, r, st);
}

bool trans2_set_level_at(size_t i, struct table_row *out)
{
	if (i >= ARRAY_LEN(levels))
		return false;
	*out = (struct table_row){ levels[i].level, levels[i].name, true };
	return true;
}
