/* nt_rename.c - NT_RENAME (0xa5): rename, move or hard link.
 *
 *   W=4: search attributes, level, cluster count32; FF4 old name, FF4 new name.  Reply W=0
 *   level 0x103 hard link, 0x104 rename, 0x102 move of clusters (a rename to us), 0x105 copy
 *
 * MS-CIFS 2.2.4.66.  Oddity: no wildcards here, not even where RENAME takes them. */
#include "cmd/cmd.h"
#include "cmd/copy.h"
#include "cmd/names.h"

#define LEVEL_MOVE_CLUSTERS 0x102u
#define LEVEL_LINK 0x103u
#define LEVEL_RENAME 0x104u
#define LEVEL_COPY 0x105u

struct nt_rename_args {
	uint16_t attrs, level;
	char *from, *to;
};

static status_t nt_rename_decode(struct req *q, struct nt_rename_args *a)
{
	status_t st;

	a->attrs = rd_u16(&q->words);
	a->level = rd_u16(&q->words);
	st = rename_names(q, &a->from, &a->to);
	if (st == ST_OK && (req_wild(q, a->from) || req_wild(q, a->to)))
		st = ST_OBJECT_PATH_SYNTAX_BAD;
	return st;
}

static status_t existing(struct req *q, const struct nt_rename_args *a, struct fs_node **from)
{
	status_t st = fs_lookup(q->t->fs, q->mem, a->from, 0, from);

	if (st != ST_OK)
		return st;
	if (!(*from)->exists)
		return ST_OBJECT_NAME_NOT_FOUND;
	if ((*from)->st.attrs & (FS_ATTR_HIDDEN | FS_ATTR_SYSTEM) & ~(uint32_t)a->attrs)
		return ST_NO_SUCH_FILE;
	return fs_is_dir(&(*from)->st) ? ST_FILE_IS_A_DIRECTORY : ST_OK;
}

static status_t make_link(struct req *q, const struct nt_rename_args *a)
{
	struct fs_node *from, *to;
	status_t st = existing(q, a, &from);

	if (st == ST_OK)
		st = fs_lookup(q->t->fs, q->mem, a->to, 0, &to);
	return st == ST_OK ? fs_link(from, to) : st;
}

static status_t copy(struct req *q, const struct nt_rename_args *a)
{
	struct copy_how how = { .to_tree = q->t, .disposition = DISP_CREATE };
	struct copy_work *w;
	struct fs_node *from;
	uint32_t count;
	bool fresh;
	status_t st = existing(q, a, &from);

	if (st != ST_OK)
		return st;
	w = copy_work_of(q, false, &fresh);
	if (!w)
		return ST_NO_MEMORY;
	if (fresh)
		st = copy_work_add(w, a->from, a->to);
	return st == ST_OK ? copy_work_run(q, w, &how, &count) : st;
}

status_t cmd_nt_rename(struct req *q)
{
	struct nt_rename_args a;
	status_t st = nt_rename_decode(q, &a);

	if (st != ST_OK)
		return st;
	switch (a.level) {
	case LEVEL_MOVE_CLUSTERS:
	case LEVEL_RENAME:
		st = rename_one(q, a.from, a.to, a.attrs);
		break;
	case LEVEL_LINK:
		st = make_link(q, &a);
		break;
	case LEVEL_COPY:
		st = copy(q, &a);
		break;
	default:
		return ST_ACCESS_DENIED;
	}
	if (st == ST_OK)
		req_empty(q);
	return st;
}
