/* copy.c - COPY (0x29) and MOVE (0x2a): files copied or moved on the server, for OS/2's COPY and MOVE and LAN
 * Manager's NET COPY.
 *
 *   W=3: TID of the target's tree (0xffff the same), open function, flags; FF4 source, FF4 target
 *   flags: 1 the target must be a file, 2 ... a folder, 4 target and 8 source in text mode, 0x10 verify, 0x20 whole tree
 *   reply W=1: how many
 *
 * MS-CIFS 2.2.4.34 and 35.  A large one is copied in pieces (copy_work.c).  The open function says what becomes of a target that exists: 0x10 refused, 0x11 (0x01)
 * appended to, 0x12 (0x02) replaced.  Wildcards work as in RENAME.  What text mode and verify do: copy_data.c.
 * Oddities: names may come without their format bytes; a folder without flag 0x20 cannot be copied (ERRDOS/266). */
#include "base/util.h"
#include "cmd/copy.h"
#include "cmd/dos_open.h"
#include "cmd/names.h"
#include "srv/crypt.h"

#define TARGET_FILE 0x01u
#define TARGET_FOLDER 0x02u
#define TEXT_TARGET 0x04u
#define TEXT_SOURCE 0x08u
#define VERIFY 0x10u
#define WHOLE_TREE 0x20u

struct copy_args {
	struct copy_how how;
	uint16_t flags;
	char *from, *to;
};

/* The target of one source: in the folder that was named, by the pattern, or the name itself. */
static char *target_of(struct req *q, const struct copy_args *a, const char *from, bool into)
{
	if (into)
		return talloc_asprintf(q->mem, "%s%s%s", a->to, *a->to ? "/" : "", names_last(from));
	return fs_has_wildcard(a->to) ? names_target(q->mem, from, a->to) : a->to;
}

/* What is to be copied to where. */
static status_t plan(struct req *q, const struct copy_args *a, struct copy_work *w)
{
	bool into = copy_is_folder(q, a->how.to_tree, a->to);
	char **list = (char **)(uintptr_t)&a->from;
	size_t n = 1;
	status_t st = ST_OK;

	if ((a->flags & TARGET_FILE) && into)
		return ST_FILE_IS_A_DIRECTORY;
	if ((a->flags & TARGET_FOLDER) && !into && !(a->flags & WHOLE_TREE))
		return ST_OBJECT_PATH_NOT_FOUND;
	if (fs_has_wildcard(a->from))
		st = names_matching(q, a->from, a->flags & WHOLE_TREE ? FS_ATTR_DIRECTORY : 0, &list, &n);
	for (size_t i = 0; st == ST_OK && i < n; i++) {
		char *to = target_of(q, a, list[i], into);

		st = to ? copy_work_add(w, list[i], to) : ST_NO_MEMORY;
	}
	return st;
}

/* A name with its format byte, or without. */
static status_t loose_name(struct req *q, char **out)
{
	char *client;

	if (rd_left(&q->bytes) > 0 && q->bytes.msg[q->bytes.pos] == 4)
		rd_skip(&q->bytes, 1);
	client = req_str(q, &q->bytes);
	return client ? req_path(q, client, out) : ST_NO_MEMORY;
}

static status_t copy_decode(struct req *q, struct copy_args *a)
{
	struct open_want w = { 0 };
	uint16_t tid = rd_u16(&q->words), function = rd_u16(&q->words);
	struct tree_user *user;
	status_t st;

	a->flags = rd_u16(&q->words);
	a->how.to_tree = tid == 0xffff ? q->t : tree_find(q->c, tid);
	if (!a->how.to_tree)
		return ST_SMB_BAD_TID;
	user = tree_user(a->how.to_tree, q->s);
	if (!user || user->status != ST_OK || !a->how.to_tree->fs || a->how.to_tree->printer)
		return ST_ACCESS_DENIED;
	if ((function & 0x13) == 0)
		function = 0x10;
	st = crypt_admits(a->how.to_tree);
	if (st == ST_OK)
		st = dos_open_function(function, &w);
	a->how.disposition = w.disposition;
	a->how.append = (function & 3) == 1;
	a->how.text_from = a->flags & TEXT_SOURCE;
	a->how.text_to = a->flags & TEXT_TARGET;
	a->how.verify = a->flags & VERIFY;
	a->how.whole_tree = a->flags & WHOLE_TREE;
	if ((a->flags & TARGET_FILE) && (a->flags & TARGET_FOLDER))
		return ST_INVALID_PARAMETER;
	if (st == ST_OK)
		st = loose_name(q, &a->from);
	if (st == ST_OK)
		st = loose_name(q, &a->to);
	return st;
}

static status_t copy_or_move(struct req *q, bool move)
{
	struct copy_args a = { .how.move = move };
	struct copy_work *work = NULL;
	uint32_t count = 0;
	bool fresh = false;
	struct wr *w;
	status_t st = copy_decode(q, &a);

	if (st == ST_OK) {
		work = copy_work_of(q, fs_has_wildcard(a.from), &fresh);
		st = !work ? ST_NO_MEMORY : fresh ? plan(q, &a, work) : ST_OK;
	}
	if (st == ST_OK)
		st = copy_work_run(q, work, &a.how, &count);
	if (st != ST_OK)
		return st;
	w = req_words(q, 1);
	wr_u16(w, (uint16_t)min_u32(count, 0xffff));
	req_bytes(q);
	req_done(q);
	return ST_OK;
}

status_t cmd_copy(struct req *q) { return copy_or_move(q, false); }
status_t cmd_move(struct req *q) { return copy_or_move(q, true); }
