/* create_directory.c - TRANS2 CREATE_DIRECTORY (0D): a folder, with extended attributes for OS/2.
 *
 *   P: reserved u32, name;  D: EA list (may be missing)   ->   P: EA error offset u16 */
#include "cmd/trans2/trans2.h"

static status_t run(struct req *q, const char *path, const struct fs_ea *eas, size_t n)
{
	struct fs_node *node;
	status_t st;

	if (req_wild(q, path))
		return ST_OBJECT_NAME_INVALID;
	st = fs_lookup(q->t->fs, q->mem, path, 0, &node);
	if (st == ST_OK && node->exists)
		st = ST_OBJECT_NAME_COLLISION;
	if (st == ST_OK)
		st = fs_mkdir(node, 0, false, 0);
	if (st == ST_OK && n > 0)
		st = fs_refresh(node);
	if (st != ST_OK || n == 0)
		return st;
	st = trans2_set_eas(q, node, eas, n);
	if (st != ST_OK)
		fs_rmdir(node); /* all or nothing */
	return st;
}

status_t trans2_create_directory(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct fs_ea *eas = NULL;
	size_t n = 0;
	char *path;
	status_t st;

	rd_skip(&t->p, 4);
	if (!rd_ok(&t->p))
		return ST_INVALID_PARAMETER;
	st = trans2_path(q, &t->p, &path);
	if (st == ST_OK && rd_left(&t->d) >= 4)
		st = ea_get_list(q->mem, &t->d, &eas, &n);
	if (st == ST_OK)
		st = run(q, path, eas, n);
	if (st == ST_OBJECT_NAME_COLLISION && !req_nt(q))
		st = ST_ACCESS_DENIED; /* what LAN Manager says here */
	return st == ST_OK ? trans2_no_ea_error(q, r) : st;
}
