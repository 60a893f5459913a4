/* explain_file.c - why a file is kept from the client: by a read-only share, by `veto files`, by links, by its
 * attributes, by its mode or access list, by the kernel. */
#include "cmd/explain.h"
#include "srv/open.h"

const char *explain_path(const struct req *q, const struct cmd_row *row)
{
	struct rd r = rd_over(q->msg, q->len);
	const struct open *o = NULL;

	if (q->asked)
		return q->asked;
	rd_seek(&r, q->link_off + (row->flags & ANDX ? 5 : 1));
	if (row->flags & HANDLE)
		o = open_find(q->c, q->chain_fid != 0xffff ? q->chain_fid : rd_u16(&r));
	return o && o->node ? o->node->path : NULL;
}

/* A sentence is cut at its end, where the reason stands: names are cut in the middle instead. */
#define NAME_ENDS 80

const char *explain_name(const struct req *q, const struct cmd_row *row)
{
	const char *path = explain_path(q, row);
	size_t n = path ? strlen(path) : 0;

	if (!path)
		return row->flags & HANDLE ? "an open file" : "a name";
	if (n <= 2 * NAME_ENDS + 5)
		return talloc_asprintf(q->mem, "\"%s\"", path);
	return talloc_asprintf(q->mem, "\"%.*s[...]%s\"", NAME_ENDS, path, path + n - NAME_ENDS);
}

/* Which setting keeps this user from writing? */
static const char *write_rule(const struct req *q, const char **fix)
{
	if (q->t->share->p.read_list[0] && !q->t->share->p.read_only) {
		*fix = "`read list` without this user";
		return "read list";
	}
	*fix = "`read only = no`, or the user's name in `write list`";
	return "read only";
}

/* ---- permissions ---- */

/* The file, or the nearest folder above it that this user can see.  NULL: none. */
static struct fs_node *nearest(struct req *q, const char *path)
{
	char *name = talloc_strdup(q->mem, path), *cut;
	struct fs_node *node;

	while (name) {
		if (fs_lookup(q->t->fs, q->mem, name, 0, &node) == ST_OK && node->exists)
			return node;
		cut = strrchr(name, '/');
		if (*name == '\0')
			break;
		*(cut ? cut : name) = '\0';
	}
	return NULL;
}

static char *shown(struct req *q, const struct fs_node *n)
{
	return talloc_asprintf(q->mem, "\"%s\" has mode %04o, owner %u, group %u", n->path, (unsigned)n->st.mode & 07777u,
			       (unsigned)n->st.uid, (unsigned)n->st.gid);
}

/* What there is, and the folder it lies in. */
static const char *modes(struct req *q, const char *path, const struct fs_node *n)
{
	const char *cut = strrchr(path, '/'), *own = shown(q, n);
	const struct fs_node *folder;

	if (strcmp(n->path, path) != 0 || *path == '\0')
		return talloc_asprintf(q->mem, "other permissions: %s", own ? own : "");
	folder = nearest(q, talloc_strndup(q->mem, path, cut ? (size_t)(cut - path) : 0));
	return talloc_asprintf(q->mem, "other permissions: %s; its folder %s", own ? own : "", folder ? shown(q, folder) : "?");
}

static void by_permissions(struct req *q, struct why *no, const struct cmd_row *row, const struct told *before)
{
	bool kernel = fs_refused.kernel != before->fs.kernel, lists = fs_refused.lists != before->fs.lists;
	const struct tree_user *u = tree_user(q->t, q->s);
	const char *path = explain_path(q, row), *because;
	const struct fs_node *n;

	if (!why_can_tell() || !u || u->status != ST_OK || fs_become(u->id) != ST_OK)
		return;
	n = path ? nearest(q, path) : NULL;
	no->fix = "other permissions of the file and the folders above it";
	if (kernel || lists) {
		because = kernel ? "the kernel" : "its mode or access list";
		if (n)
			no->fix = modes(q, path, n);
		why_refused(no, "share %s: %s of %s: %s does not let Unix user %s (%u) do this", q->t->share_name, row->name, explain_name(q, row),
			    because, u->id->user, (unsigned)u->id->uid);
		return;
	}
	because = "its kind or attributes do not allow it";
	no->fix = NULL;
	if ((row->flags & HANDLE) && !q->asked) {
		because = "it was not opened for this";
		no->fix = "a client that opens files for what it does with them";
	} else if (n && (n->st.attrs & FS_ATTR_READONLY) && !fs_is_dir(&n->st)) {
		because = "it is read-only";
		no->fix = "its read-only attribute taken off";
	}
	why_refused(no, "share %s: %s of %s: %s", q->t->share_name, row->name, explain_name(q, row), because);
}

static void denied(struct req *q, struct why *no, const struct cmd_row *row, const struct told *before)
{
	const struct tree_user *u = tree_user(q->t, q->s);

	if (u && u->status != ST_OK && tree_kept_out(q->t, q->s)) /* which tells */
		return;
	if (q->no_write) {
		no->param = write_rule(q, &no->fix);
		why_refused(no, "share %s: %s of %s, as the share is read-only for this user", q->t->share_name, row->name, explain_name(q, row));
	} else if (q->no_admin) {
		no->param = "admin users";
		no->fix = "the user's name in `admin users`";
		why_refused(no, "share %s: %s: only administrators may do this", q->t->share_name, row->name);
	} else if (fs_refused.favours != before->fs.favours && fs_favour_last()->what != FS_FAVOUR_OWNER) {
		req_favour_refused(q, row->name, explain_name(q, row));
	} else if (q->asked && fs_path_vetoed(q->t->fs, q->asked)) {
		no->param = "veto files";
		no->fix = "`veto files` without a pattern for this name";
		why_refused(no, "share %s: %s of %s, whose name is vetoed", q->t->share_name, row->name, explain_name(q, row));
	} else {
		no->conf = NULL;
		by_permissions(q, no, row, before);
	}
}

/* ---- names that are not there, or so it seems; what is not to be deleted ---- */

static void unseen(const struct req *q, struct why *no, const struct cmd_row *row, const struct told *before)
{
	const struct conf_params *p = &q->t->share->p;

	if (fs_path_vetoed(q->t->fs, q->asked)) {
		no->param = "veto files";
		no->fix = "`veto files` without a pattern for this name";
		why_refused(no, "share %s: %s of %s, whose name is vetoed", q->t->share_name, row->name, explain_name(q, row));
	} else if (p->follow_symlinks && fs_refused.links_out != before->fs.links_out) {
		no->param = "wide links";
		no->fix = "a link that leads into the share, or `wide links = yes`";
		why_refused(no, "share %s: %s of %s: a link leads out of the share", q->t->share_name, row->name, explain_name(q, row));
	} else if (!p->follow_symlinks && fs_refused.links != before->fs.links) {
		no->param = "follow symlinks";
		no->fix = "`follow symlinks = yes`";
		why_refused(no, "share %s: %s of %s: there is a link on the way", q->t->share_name, row->name, explain_name(q, row));
	}
}

static void kept(const struct req *q, struct why *no, const struct cmd_row *row, status_t st)
{
	if (st == ST_CANNOT_DELETE) {
		no->param = "delete readonly";
		no->fix = "its read-only attribute taken off, or `delete readonly = yes`";
		why_refused(no, "share %s: %s of %s, which is read-only", q->t->share_name, row->name, explain_name(q, row));
	} else if (q->asked && !q->t->share->p.delete_veto_files && fs_vetoed_only(q->t->fs, q->asked)) {
		no->param = "delete veto files";
		no->fix = "`delete veto files = yes`";
		why_refused(no, "share %s: %s of %s: vetoed files are in it", q->t->share_name, row->name, explain_name(q, row));
	}
}

void explain_file(struct req *q, struct why *no, const struct cmd_row *row, status_t st, const struct told *before)
{
	switch (st) {
	case ST_PRIVILEGE_NOT_HELD:
	case ST_ACCESS_DENIED: denied(q, no, row, before); break;
	case ST_CANNOT_DELETE:
	case ST_DIRECTORY_NOT_EMPTY: kept(q, no, row, st); break;
	case ST_OBJECT_NAME_NOT_FOUND:
	case ST_OBJECT_PATH_NOT_FOUND:
	case ST_NO_SUCH_FILE:
		if (q->asked)
			unseen(q, no, row, before);
		break;
	case ST_MEDIA_WRITE_PROTECTED:
		no->conf = NULL;
		no->fix = "that file system mounted for writing";
		why_refused(no, "share %s: %s of %s: the file system is read-only", q->t->share_name, row->name,
			    explain_name(q, row));
		break;
	default: break;
	}
}
