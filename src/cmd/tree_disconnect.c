/* tree_disconnect.c - TREE_DISCONNECT (0x71): W=0, reply W=0.  Closes the tree's files and searches;
 * another tree on the same share keeps its own (reports 39).  MS-CIFS 2.2.4.51. */
#include "cmd/cmd.h"

status_t cmd_tree_disconnect(struct req *q)
{
	req_leave_tree(q);
	req_empty(q);
	return ST_OK;
}
