/* rename.c - RENAME (0x07): W=1 search attributes; FF4 old name, FF4 new name.  Reply W=0.
 * Files and folders, also into another folder of the share; a target that exists is refused, unless it is
 * the same file in another spelling.  MS-CIFS 2.2.4.8. */
#include "cmd/cmd.h"

struct rename_args {
	uint16_t attrs;
	char *from, *to;
};

static status_t rename_decode(struct req *q, struct rename_args *a)
{
	char *from, *to;
	status_t st;

	a->attrs = rd_u16(&q->words);
	st = req_str_fmt(q, &q->bytes, 4, &from);
	if (st == ST_OK)
		st = req_str_fmt(q, &q->bytes, 4, &to);
	if (st == ST_OK)
		st = req_path(q, from, &a->from);
	if (st == ST_OK)
		st = req_path(q, to, &a->to);
	return st;
}

static status_t rename_run(struct req *q, const struct rename_args *a)
{
	struct fs_node *from, *to;
	status_t st = fs_lookup(q->t->fs, q->mem, a->from, 0, &from);

	if (st != ST_OK)
		return st;
	if (!from->exists)
		return ST_OBJECT_NAME_NOT_FOUND;
	if (from->path[0] == '\0')
		return ST_ACCESS_DENIED;
	if (from->st.attrs & (FS_ATTR_HIDDEN | FS_ATTR_SYSTEM) & ~(uint32_t)a->attrs)
		return ST_NO_SUCH_FILE;
	st = fs_lookup(q->t->fs, q->mem, a->to, 0, &to);
	if (st != ST_OK)
		return st;
	if (to->exists && (to->st.dev != from->st.dev || to->st.ino != from->st.ino))
		return ST_OBJECT_NAME_COLLISION;
	st = open_name_free(q, from);
	return st == ST_OK ? fs_rename(from, to, false) : st;
}

status_t cmd_rename(struct req *q)
{
	struct rename_args a;
	status_t st = rename_decode(q, &a);

	if (st == ST_OK)
		st = rename_run(q, &a);
	if (st == ST_OK)
		req_empty(q);
	return st;
}
