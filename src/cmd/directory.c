/* directory.c - CREATE_DIRECTORY (0x00), DELETE_DIRECTORY (0x01), CHECK_DIRECTORY (0x10).
 *
 *   W=0; FF4 name.  Reply W=0.  MS-CIFS 2.2.4.1, 2.2.4.2, 2.2.4.17.
 *
 * Oddities: LANMAN clients know ERRDOS/5, not "exists", when a folder is there already; the root is always
 * a folder; a missing folder in CHECK_DIRECTORY is a bad path to DOS clients. */
#include "cmd/cmd.h"

static status_t named_node(struct req *q, struct fs_node **node)
{
	char *client, *name = NULL;
	status_t st = req_str_fmt(q, &q->bytes, 4, &client);

	if (st == ST_OK)
		st = req_path(q, client, &name);
	if (st == ST_OK && req_wild(q, name))
		st = ST_OBJECT_NAME_INVALID;
	return st == ST_OK ? fs_lookup(q->t->fs, q->mem, name, 0, node) : st;
}

status_t cmd_create_directory(struct req *q)
{
	struct fs_node *node;
	status_t st = named_node(q, &node);

	if (st == ST_OK)
		st = node->exists ? ST_OBJECT_NAME_COLLISION : fs_mkdir(node, 0, false, 0);
	if (st == ST_OBJECT_NAME_COLLISION && !(q->h.flags2 & FLAG2_NT_STATUS))
		st = ST_ACCESS_DENIED;
	if (st == ST_OK)
		req_empty(q);
	return st;
}

status_t cmd_delete_directory(struct req *q)
{
	struct fs_node *node;
	status_t st = named_node(q, &node);

	if (st == ST_OK && !node->exists)
		st = ST_OBJECT_NAME_NOT_FOUND;
	if (st == ST_OK && !fs_is_dir(&node->st))
		st = ST_NOT_A_DIRECTORY;
	if (st == ST_OK && node->path[0] == '\0')
		st = ST_ACCESS_DENIED;
	if (st == ST_OK)
		st = fs_dir_empty(node);
	if (st == ST_OK)
		st = open_name_free(q, node);
	if (st == ST_OK)
		st = fs_rmdir(node);
	if (st == ST_OK)
		req_empty(q);
	return st;
}

status_t cmd_check_directory(struct req *q)
{
	struct fs_node *node;
	status_t st = named_node(q, &node);

	if (st == ST_OK && !node->exists)
		st = q->h.flags2 & FLAG2_NT_STATUS ? ST_OBJECT_NAME_NOT_FOUND : ST_OBJECT_PATH_NOT_FOUND;
	if (st == ST_OK && !fs_is_dir(&node->st))
		st = ST_NOT_A_DIRECTORY;
	if ((st == ST_NOT_A_DIRECTORY || st == ST_OBJECT_NAME_INVALID) && !(q->h.flags2 & FLAG2_NT_STATUS))
		st = ST_OBJECT_PATH_NOT_FOUND;
	if (st == ST_OK)
		req_empty(q);
	return st;
}
