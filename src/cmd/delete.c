/* delete.c - DELETE (0x06): W=1 search attributes; FF4 name, whose last part may have wildcards.  Reply W=0.
 *
 * Deletes every file that matches and whose hidden and system bits are named in the attributes; folders
 * never.  MS-CIFS 2.2.4.7.  Oddities: DOS sends `*.*` and means it (other servers dropped this);
 * the first file that cannot go ends the command with its error, unless it was found by a wildcard and
 * some other file could go. */
#include "cmd/names.h"
#include "srv/park.h"

static status_t delete_one(struct req *q, struct fs_node *node, uint16_t attrs)
{
	status_t st;

	if (fs_is_dir(&node->st))
		return ST_FILE_IS_A_DIRECTORY;
	if (node->st.attrs & (FS_ATTR_HIDDEN | FS_ATTR_SYSTEM) & ~(uint32_t)attrs)
		return ST_NO_SUCH_FILE;
	if ((node->st.attrs & FS_ATTR_READONLY) && !q->t->share->p.delete_readonly)
		return ST_CANNOT_DELETE;
	st = open_name_free(q, node);
	return st == ST_OK ? fs_unlink(node) : st;
}

static status_t delete_plain(struct req *q, const char *name, uint16_t attrs)
{
	struct fs_node *node;
	status_t st = fs_lookup(q->t->fs, q->mem, name, 0, &node);

	if (st != ST_OK)
		return st;
	return node->exists ? delete_one(q, node, attrs) : ST_OBJECT_NAME_NOT_FOUND;
}

/* What the listing says was, not is: looked up anew.  ST_NO_SUCH_FILE: not one of those that are meant. */
static status_t delete_found(struct req *q, const char *folder, int folder_len, const struct fs_entry *e, uint16_t attrs)
{
	struct fs_node *node;
	char *name;

	if (strcmp(e->name, ".") == 0 || strcmp(e->name, "..") == 0 || fs_is_dir(&e->st))
		return ST_NO_SUCH_FILE;
	name = talloc_asprintf(q->mem, "%.*s%s", folder_len, folder, e->name);
	if (!name || fs_lookup(q->t->fs, q->mem, name, 0, &node) != ST_OK || !node->exists)
		return ST_NO_SUCH_FILE;
	return delete_one(q, node, attrs);
}

static status_t delete_matching(struct req *q, char *name, uint16_t attrs)
{
	const struct fs_entry *e;
	struct search *s;
	int folder = (int)(names_last(name) - name);
	status_t st = search_new(q, name, attrs & 0xff, FS_DIR_STAT, &s), bad = ST_NO_SUCH_FILE;
	uint32_t gone = q->resumed ? q->resumed->done : 0;

	if (st != ST_OK)
		return st;
	while (search_next(s, &e) == ST_OK) {
		TALLOC_CTX *all = names_one(q);

		st = delete_found(q, name, folder, e, attrs);
		names_one_over(q, all);
		if (st == ST_OK)
			gone++;
		else if (st != ST_NO_SUCH_FILE)
			bad = st;
		if (st == ST_PENDING) { /* runs anew when the oplock has fallen, with what is left */
			q->parking->done = gone;
			break;
		}
	}
	search_free(&s);
	if (st == ST_PENDING)
		return st;
	return gone > 0 ? ST_OK : bad;
}

status_t cmd_delete(struct req *q)
{
	uint16_t attrs = rd_u16(&q->words);
	char *client, *name;
	status_t st = req_str_fmt(q, &q->bytes, 4, &client);

	if (st == ST_OK)
		st = req_path(q, client, &name);
	if (st != ST_OK)
		return st;
	st = req_wild(q, name) ? delete_matching(q, name, attrs) : delete_plain(q, name, attrs);
	if (st == ST_OK)
		req_empty(q);
	return st;
}
