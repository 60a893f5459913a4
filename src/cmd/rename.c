/* rename.c - RENAME (0x07): W=1 search attributes; FF4 old name, FF4 new name.  Reply W=0.
 *
 * Files and folders, also into another folder of the share; a target that exists is refused, unless it is the
 * same file in another spelling.  MS-CIFS 2.2.4.8.  Oddity: DOS sends `REN *.C *.BAK` as it stands: wildcards
 * in the last part of both names (other servers dropped this, reports 115).  Then folders are renamed only if
 * the search attributes name them, and one that cannot be renamed ends the command only if none could. */
#include "cmd/cmd.h"
#include "cmd/names.h"
#include "srv/park.h"

struct rename_args {
	uint16_t attrs;
	char *from, *to;
};

status_t rename_names(struct req *q, char **from, char **to)
{
	char *a, *b;
	status_t st = req_str_fmt(q, &q->bytes, 4, &a);

	if (st == ST_OK)
		st = req_str_fmt(q, &q->bytes, 4, &b);
	if (st == ST_OK)
		st = req_path(q, a, from);
	if (st == ST_OK)
		st = req_path(q, b, to);
	return st;
}

static status_t rename_decode(struct req *q, struct rename_args *a)
{
	a->attrs = rd_u16(&q->words);
	return rename_names(q, &a->from, &a->to);
}

status_t rename_one(struct req *q, const char *old_name, const char *new_name, uint16_t attrs)
{
	struct fs_node *from, *to;
	status_t st = fs_lookup(q->t->fs, q->mem, old_name, 0, &from);

	if (st != ST_OK)
		return st;
	if (!from->exists)
		return ST_OBJECT_NAME_NOT_FOUND;
	if (from->path[0] == '\0')
		return ST_ACCESS_DENIED;
	if (from->st.attrs & (FS_ATTR_HIDDEN | FS_ATTR_SYSTEM) & ~(uint32_t)attrs)
		return ST_NO_SUCH_FILE;
	if (from->stream && new_name[0] == ':') /* of a stream only the stream's name is given */
		new_name = talloc_asprintf(q->mem, "%s%s", from->path, new_name);
	if (!new_name)
		return ST_NO_MEMORY;
	st = fs_lookup(q->t->fs, q->mem, new_name, 0, &to);
	if (st != ST_OK)
		return st;
	if (to->exists && (to->st.dev != from->st.dev || to->st.ino != from->st.ino))
		return ST_OBJECT_NAME_COLLISION;
	st = open_name_movable(q, from);
	if (st == ST_OK)
		st = fs_rename(from, to, false);
	if (st == ST_OK)
		open_renamed(q, from, to);
	return st;
}

static status_t rename_matching(struct req *q, const struct rename_args *a)
{
	char **list;
	size_t n, done = q->resumed ? q->resumed->done : 0;
	status_t st = names_matching(q, a->from, a->attrs, &list, &n), bad = ST_NO_SUCH_FILE;

	if (st != ST_OK)
		return st;
	for (size_t i = 0; i < n; i++) {
		TALLOC_CTX *all = names_one(q);
		char *to = names_target(q->mem, list[i], a->to);

		st = to ? rename_one(q, list[i], to, a->attrs) : ST_NO_MEMORY;
		names_one_over(q, all);
		if (st == ST_PENDING) { /* runs anew when the oplock has fallen, with what is left */
			q->parking->done = (uint32_t)done;
			return st;
		}
		if (st == ST_OK)
			done++;
		else
			bad = st;
	}
	return done > 0 ? ST_OK : bad;
}

status_t cmd_rename(struct req *q)
{
	struct rename_args a;
	status_t st = rename_decode(q, &a);

	if (st == ST_OK && req_wild(q, a.from))
		st = rename_matching(q, &a);
	else if (st == ST_OK && req_wild(q, a.to))
		st = ST_OBJECT_NAME_INVALID;
	else if (st == ST_OK)
		st = rename_one(q, a.from, a.to, a.attrs);
	if (st == ST_OK)
		req_empty(q);
	return st;
}
