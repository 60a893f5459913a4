/* information.c - QUERY_INFORMATION (0x08) and SET_INFORMATION (0x09): attributes and write time by name.
 *
 *   0x08  W=0; FF4 name.  Reply W=10: attributes, write UTIME32, size32, 0 x 5
 *   0x09  W=8: attributes, write UTIME32, 0 x 5; FF4 name.  Reply W=0
 *
 * MS-CIFS 2.2.4.9 and 10.  Oddities: a time of 0 stays as it is; "" and `\` are the root, which can be
 * asked about but not changed; the folder bit on a file is refused. */
#include "base/util.h"
#include "cmd/cmd.h"
#include "srv/wtime.h"

static status_t existing_node(struct req *q, struct fs_node **node)
{
	char *client, *name;
	status_t st = req_str_fmt(q, &q->bytes, 4, &client);

	if (st == ST_OK)
		st = req_path(q, client, &name);
	if (st == ST_OK)
		st = fs_lookup(q->t->fs, q->mem, name, 0, node);
	return st == ST_OK && !(*node)->exists ? ST_OBJECT_NAME_NOT_FOUND : st;
}

status_t cmd_query_information(struct req *q)
{
	struct fs_node *node;
	struct wr *w;
	bool pending;
	status_t st = existing_node(q, &node);

	if (st != ST_OK)
		return st;
	wtime_look(q->c, &(struct db_file_id){ node->st.dev, node->st.ino }, &node->st, &pending);
	w = req_words(q, 10);
	wr_u16(w, (uint16_t)(node->st.attrs & FS_ATTR_DOS));
	wr_u32(w, utime_from_nttime(node->st.write, q->c->zone));
	wr_u32(w, (uint32_t)min_u64(node->st.size, 0xffffffffu));
	wr_zero(w, 10);
	req_bytes(q);
	req_done(q);
	return ST_OK;
}

status_t cmd_set_information(struct req *q)
{
	uint16_t attrs = rd_u16(&q->words);
	struct fs_times t = { .write = utime_to_nttime(rd_u32(&q->words), q->c->zone) };
	struct fs_node *node;
	status_t st = existing_node(q, &node);

	if (st != ST_OK)
		return st;
	if (node->path[0] == '\0')
		return ST_ACCESS_DENIED;
	if ((attrs & FS_ATTR_DIRECTORY) && !fs_is_dir(&node->st))
		return ST_INVALID_PARAMETER;
	st = attrs == FS_ATTR_NORMAL ? ST_OK : fs_set_attrs(node, -1, attrs); /* "normal" alone: as they are */
	if (st == ST_OK && t.write)
		st = fs_set_times(node, -1, &t);
	if (st == ST_OK && t.write)
		wtime_set(q->c, NULL, node, t.write);
	if (st == ST_OK)
		req_empty(q);
	return st;
}
