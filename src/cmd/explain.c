/* explain.c - why a command was refused, for what is told by no other place: files kept from the client by a read-only share, by
 * `veto files`, by links, by their attributes or permissions; limits that are reached. */
#include "base/budget.h"
#include "cmd/cmd.h"
#include "conf/why.h"
#include "srv/audit.h"
#include <stdio.h>

/* The file that was asked for: by name, or by its FID, which is the first word there. */
static const char *file_of(const struct req *q, const struct cmd_row *row)
{
	struct rd r = rd_over(q->msg, q->len);
	const struct open *o = NULL;

	if (q->asked)
		return q->asked;
	rd_seek(&r, q->link_off + (row->flags & ANDX ? 5 : 1));
	if (row->flags & HANDLE)
		o = open_find(q->c, q->chain_fid != 0xffff ? q->chain_fid : rd_u16(&r));
	return o && o->node ? o->node->path : "an open file";
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

static void denied(const struct req *q, struct why *no, const struct cmd_row *row, const struct told *before)
{
	const struct tree_user *u = tree_user(q->t, q->s);
	const char *path = file_of(q, row), *command = row->name;

	if (q->no_write) {
		no->param = write_rule(q, &no->fix);
		why_refused(no, "share %s: %s of \"%s\", as the share is read-only for this user", q->t->share_name, command, path);
		return;
	}
	if (q->no_admin) {
		no->param = "admin users";
		no->fix = "the user's name in `admin users`";
		why_refused(no, "share %s: %s: only administrators may do this", q->t->share_name, command);
		return;
	}
	if (fs_refused.favours != before->fs.favours && fs_favour_last()->what != FS_FAVOUR_OWNER) {
		req_favour_refused(q, command, path);
		return;
	}
	no->conf = NULL;
	no->fix = "other permissions of the file and the folders above it";
	why_refused(no, "share %s: %s of \"%s\": mode, access list or attributes do not let Unix user %s do this",
		    q->t->share_name, command, path, u && u->id ? u->id->user : "?");
}

void cmd_explain_part(struct req *q, const struct cmd_row *row)
{
	static const char *const parts[] = { [FS_FAVOUR_MODE] = "mode", [FS_FAVOUR_TIMES] = "times", [FS_FAVOUR_OWNER] = "its folder's owner",
					     [FS_FAVOUR_QUOTA] = "limits" };
	char what[80];

	if (!q->t || !q->s || tree_find(q->c, q->h.tid) != q->t || session_find(q->c, q->h.uid) != q->s)
		return; /* files that were closed with their tree or user, who are gone */
	snprintf(what, sizeof(what), "%s, %s", row->name, parts[fs_favour_last()->what]);
	req_favour_refused(q, what, file_of(q, row));
}

/* A name that is not there, or so it seems. */
static void unseen(const struct req *q, struct why *no, const char *command, const struct told *before)
{
	const struct conf_params *p = &q->t->share->p;

	if (fs_path_vetoed(q->t->fs, q->asked)) {
		no->param = "veto files";
		no->fix = "`veto files` without a pattern for this name";
		why_refused(no, "share %s: %s of \"%s\", whose name is vetoed", q->t->share_name, command, q->asked);
	} else if (p->follow_symlinks && fs_refused.links_out != before->fs.links_out) {
		no->param = "wide links";
		no->fix = "a link that leads into the share, or `wide links = yes`";
		why_refused(no, "share %s: %s of \"%s\": a link leads out of the share", q->t->share_name, command, q->asked);
	} else if (!p->follow_symlinks && fs_refused.links != before->fs.links) {
		no->param = "follow symlinks";
		no->fix = "`follow symlinks = yes`";
		why_refused(no, "share %s: %s of \"%s\": there is a link on the way", q->t->share_name, command, q->asked);
	}
}

static void kept(const struct req *q, struct why *no, const struct cmd_row *row, status_t st)
{
	const char *path = file_of(q, row), *command = row->name;

	if (st == ST_CANNOT_DELETE) {
		no->param = "delete readonly";
		no->fix = "its read-only attribute taken off, or `delete readonly = yes`";
		why_refused(no, "share %s: %s of \"%s\", which is read-only", q->t->share_name, command, path);
	} else if (q->asked && !q->t->share->p.delete_veto_files && fs_vetoed_only(q->t->fs, q->asked)) {
		no->param = "delete veto files";
		no->fix = "`delete veto files = yes`";
		why_refused(no, "share %s: %s of \"%s\": vetoed files are in it", q->t->share_name, command, path);
	}
}

/* Something of which there is too much on this connection already. */
static void too_much(const struct req *q, struct why *no, const char *command, status_t st)
{
	bool handles = st == ST_TOO_MANY_OPENED_FILES && idtab_count(q->c->opens) >= (uint32_t)q->c->conf->g.max_open_files;

	no->share = NULL;
	no->param = handles ? "max open files" : !budget_allows(0) ? "smb1d: max memory" : NULL;
	if (!no->param)
		no->conf = NULL;
	no->fix = no->param ? "a larger number there" : "fewer of them at once";
	why_refused(no, "%s: %s", command, handles ? "too many open files" : "too much for one connection");
}

void cmd_explain(struct req *q, const struct cmd_row *row, status_t st, const struct told *before)
{
	struct why no = { LOG_SMB, .conf = q->c->conf, .often = true };

	if (before->refusals != why_count())
		return;
	if (q->s && q->s->ready)
		no.user = q->s->account;
	if (q->t) {
		no.share = q->t->share;
		no.where = q->t->share_name;
	}
	if (st == ST_TOO_MANY_OPENED_FILES || st == ST_SMB_TOO_MANY_UIDS || st == ST_INSUFF_SERVER_RESOURCES)
		too_much(q, &no, row->name, st);
	if (!q->t || !no.user || !q->t->fs)
		return;
	switch (st) {
	case ST_PRIVILEGE_NOT_HELD:
	case ST_ACCESS_DENIED: denied(q, &no, row, before); break;
	case ST_CANNOT_DELETE:
	case ST_DIRECTORY_NOT_EMPTY: kept(q, &no, row, st); break;
	case ST_OBJECT_NAME_NOT_FOUND:
	case ST_OBJECT_PATH_NOT_FOUND:
	case ST_NO_SUCH_FILE:
		if (q->asked)
			unseen(q, &no, row->name, before);
		break;
	default: break;
	}
}

void cmd_audit(const struct req *q, status_t st)
{
	static const struct { uint8_t cmd; enum conf_audit op; } ops[] = {
		{ 0x00, AUDIT_CREATE }, { 0x01, AUDIT_DELETE }, { 0x06, AUDIT_DELETE }, { 0x07, AUDIT_RENAME },
		{ 0x09, AUDIT_ATTRIBUTES }, { 0xa5, AUDIT_RENAME },
	};

	for (size_t i = 0; q->asked && i < sizeof(ops) / sizeof(ops[0]); i++)
		if (ops[i].cmd == q->cmd)
			audit_say(q->t, ops[i].op, q->asked, NULL, st);
}
