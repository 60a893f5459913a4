/* copy.c - COPY (0x29) and MOVE (0x2a): files copied or moved on the server, for OS/2's COPY and MOVE and LAN
 * Manager's NET COPY.
 *
 *   W=3: TID of the target's tree (0xffff the same), open function, flags; FF4 source, FF4 target
 *   flags: 1 the target must be a file, 2 ... a folder, 4 target and 8 source in text mode, 0x10 verify, 0x20 whole tree
 *   reply W=1: how many
 *
 * MS-CIFS 2.2.4.34 and 35.  The open function says what becomes of a target that exists: 0x10 refused, 0x11 (0x01)
 * appended to, 0x12 (0x02) replaced.  Wildcards work as in RENAME.  What text mode and verify do: copy_data.c.
 * Oddities: names may come without their format bytes; a folder without flag 0x20 cannot be copied (ERRDOS/266). */
#include "base/log.h"
#include "base/util.h"
#include "cmd/dos_open.h"
#include "cmd/names.h"
#include "srv/crypt.h"

#define TARGET_FILE 0x01u
#define TARGET_FOLDER 0x02u
#define TEXT_TARGET 0x04u
#define TEXT_SOURCE 0x08u
#define VERIFY 0x10u
#define WHOLE_TREE 0x20u
#define DEEPEST 64u

struct copy_args {
	struct copy_how how;
	uint16_t flags;
	bool move;
	char *from, *to;
};

/* ---- one file ---- */

/* Runs in the target's tree from now on, or back in the own. */
static status_t enter_tree(struct req *q, struct tree *t)
{
	q->t = t;
	return req_become(q);
}

static status_t open_source(struct req *q, const char *name, struct open **o, struct open_result *r)
{
	const struct open_want w = {
		.name = name, .access = ACC_FILE_READ, .share = SHARE_READ, .disposition = DISP_OPEN,
		.options = OPT_NON_DIRECTORY,
	};

	return open_file(q, &w, o, r);
}

/* A copy that cannot be finished leaves nothing behind. */
static void undo(struct req *q, const char *name)
{
	struct fs_node *node;

	if (fs_lookup(q->t->fs, q->mem, name, 0, &node) == ST_OK && node->exists)
		fs_unlink(node);
}

status_t copy_one(struct req *q, const char *from, const char *to, const struct copy_how *how)
{
	struct tree *mine = q->t;
	struct open *in, *out;
	struct open_result r, made;
	struct open_want w = {
		.name = to, .access = ACC_FILE_WRITE | ACC_FILE_READ, .disposition = how->disposition,
		.options = OPT_NON_DIRECTORY,
	};
	status_t st = open_source(q, from, &in, &r);

	if (st != ST_OK)
		return st;
	w.attrs = r.st.attrs & (FS_ATTR_READONLY | FS_ATTR_HIDDEN | FS_ATTR_SYSTEM | FS_ATTR_ARCHIVE);
	st = enter_tree(q, how->to_tree);
	if (st == ST_OK && !req_may_write(q))
		st = ST_ACCESS_DENIED;
	if (st == ST_OK)
		st = open_file(q, &w, &out, &made);
	if (st == ST_OK) {
		st = copy_contents(q, in, out, how, &r.st);
		open_close(&out, 0);
		if (st != ST_OK && made.action == ACTION_CREATED)
			undo(q, to);
	}
	(void)enter_tree(q, mine);
	open_close(&in, 0);
	return st;
}

/* ---- many, and whole trees ---- */

static bool is_folder(struct req *q, struct tree *t, const char *name)
{
	struct fs_node *node;

	return fs_lookup(t->fs, q->mem, name, 0, &node) == ST_OK && node->exists && fs_is_dir(&node->st);
}

/* A copy among many does not wait for others: what is in use is left out. */
static status_t without_waiting(struct req *q, status_t st)
{
	if (st != ST_PENDING)
		return st;
	if (!q->resumed)
		talloc_free(q->parking);
	q->parking = NULL;
	return ST_SHARING_VIOLATION;
}

static status_t make_folder(struct req *q, struct tree *t, const char *name)
{
	struct tree *mine = q->t;
	struct fs_node *node;
	status_t st = enter_tree(q, t);

	if (st == ST_OK && !req_may_write(q))
		st = ST_ACCESS_DENIED;
	if (st == ST_OK) {
		st = fs_lookup(t->fs, q->mem, name, 0, &node);
		if (st == ST_OK && !node->exists)
			st = fs_mkdir(node, 0, false, 0);
		else if (st == ST_OK && !fs_is_dir(&node->st))
			st = ST_OBJECT_NAME_COLLISION;
	}
	(void)enter_tree(q, mine);
	return st;
}

static status_t copy_tree(struct req *q, const char *from, const char *to, const struct copy_how *how, unsigned depth,
			  uint32_t *count)
{
	char **list, *pattern = talloc_asprintf(q->mem, "%s/*", from);
	size_t n, skip = strlen(from), under = strlen(to);
	status_t st = pattern && depth < DEEPEST ? make_folder(q, how->to_tree, to) : ST_OS2_CANNOT_COPY;

	/* into itself it would never end */
	if (how->to_tree == q->t && strncmp(to, from, skip) == 0 && (under == skip || to[skip] == '/'))
		return ST_OS2_CANNOT_COPY;
	if (st == ST_OK)
		st = names_matching(q, pattern, FS_ATTR_HIDDEN | FS_ATTR_SYSTEM | FS_ATTR_DIRECTORY, &list, &n);
	if (st == ST_NO_SUCH_FILE)
		return ST_OK;
	for (size_t i = 0; st == ST_OK && i < n; i++) {
		char *target = talloc_asprintf(q->mem, "%s/%s", to, names_last(list[i]));

		if (!target)
			return ST_NO_MEMORY;
		if (is_folder(q, q->t, list[i])) {
			st = copy_tree(q, list[i], target, how, depth + 1, count);
			continue;
		}
		st = without_waiting(q, copy_one(q, list[i], target, how));
		*count += st == ST_OK;
	}
	return st;
}

/* ---- the two commands ---- */

static status_t move_one(struct req *q, const struct copy_args *a, const char *from, const char *to)
{
	struct fs_node *node;
	status_t st;

	if (a->how.to_tree == q->t && a->how.disposition != DISP_OVERWRITE_IF && a->how.disposition != DISP_OVERWRITE)
		return rename_one(q, from, to, 0xff);
	st = fs_lookup(q->t->fs, q->mem, from, 0, &node);
	if (st == ST_OK && !node->exists)
		st = ST_OBJECT_NAME_NOT_FOUND;
	if (st == ST_OK && !req_may_write(q))
		st = ST_ACCESS_DENIED;
	if (st == ST_OK && (node->st.attrs & FS_ATTR_READONLY) && !q->t->share->p.delete_readonly)
		st = ST_CANNOT_DELETE;
	if (st == ST_OK)
		st = copy_one(q, from, to, &a->how);
	if (st == ST_OK)
		st = open_name_free(q, node);
	return st == ST_OK ? fs_unlink(node) : st;
}

static status_t one(struct req *q, const struct copy_args *a, const char *from, const char *to, uint32_t *count)
{
	status_t st;

	if (is_folder(q, q->t, from) && !(a->move && a->how.to_tree == q->t)) {
		if (a->move || !(a->flags & WHOLE_TREE))
			return ST_OS2_CANNOT_COPY;
		return copy_tree(q, from, to, &a->how, 0, count);
	}
	st = a->move ? move_one(q, a, from, to) : copy_one(q, from, to, &a->how);
	*count += st == ST_OK;
	return st;
}

/* The target of one source: in the folder that was named, by the pattern, or the name itself. */
static char *target_of(struct req *q, const struct copy_args *a, const char *from, bool into)
{
	if (into)
		return talloc_asprintf(q->mem, "%s%s%s", a->to, *a->to ? "/" : "", names_last(from));
	return fs_has_wildcard(a->to) ? names_target(q->mem, from, a->to) : a->to;
}

static status_t copy_run(struct req *q, const struct copy_args *a, uint32_t *count)
{
	bool into = is_folder(q, a->how.to_tree, a->to), many = fs_has_wildcard(a->from);
	char **list = (char **)(uintptr_t)&a->from;
	size_t n = 1;
	status_t st = ST_OK, bad = ST_OK;

	if ((a->flags & TARGET_FILE) && into)
		return ST_FILE_IS_A_DIRECTORY;
	if ((a->flags & TARGET_FOLDER) && !into && !(a->flags & WHOLE_TREE))
		return ST_OBJECT_PATH_NOT_FOUND;
	if (many)
		st = names_matching(q, a->from, a->flags & WHOLE_TREE ? FS_ATTR_DIRECTORY : 0, &list, &n);
	for (size_t i = 0; st == ST_OK && i < n; i++) {
		char *to = target_of(q, a, list[i], into);
		status_t s = to ? one(q, a, list[i], to, count) : ST_NO_MEMORY;

		if (many)
			s = without_waiting(q, s);
		if (s != ST_OK)
			bad = s;
	}
	if (st != ST_OK)
		return st;
	return *count > 0 && many ? ST_OK : bad;
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
	struct copy_args a = { .move = move };
	uint32_t count = 0;
	struct wr *w;
	status_t st = copy_decode(q, &a);

	if (st == ST_OK)
		st = copy_run(q, &a, &count);
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
