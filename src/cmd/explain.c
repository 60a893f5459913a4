/* explain.c - a file that was not given to a client: by a read-only share, by `veto files`, or by the file's own
 * permissions.  What already has been explained on the way is left alone. */
#include "cmd/cmd.h"
#include "conf/why.h"
#include "srv/audit.h"

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

static void denied(const struct req *q, struct why *no, const char *command, const char *path)
{
	const struct tree_user *u = tree_user(q->t, q->s);

	if (q->no_write) {
		no->param = write_rule(q, &no->fix);
		why_refused(no, "share %s: %s of \"%s\", as the share is read-only for this user", q->t->share_name, command, path);
		return;
	}
	no->conf = NULL;
	no->fix = "other permissions of the file and the folders above it";
	why_refused(no, "share %s: %s of \"%s\": mode, access list or attributes do not let Unix user %s do this",
		    q->t->share_name, command, path, u && u->id ? u->id->user : "?");
}

static bool not_found(status_t st)
{
	return st == ST_OBJECT_NAME_NOT_FOUND || st == ST_OBJECT_PATH_NOT_FOUND || st == ST_NO_SUCH_FILE;
}

void cmd_explain(struct req *q, const struct cmd_row *row, status_t st)
{
	struct why no = { LOG_SMB, .conf = q->c->conf, .often = true };

	if (!q->t || !q->s || !q->t->fs || !q->s->ready)
		return;
	no.share = q->t->share;
	no.user = q->s->account;
	no.where = q->t->share_name;
	if (st == ST_ACCESS_DENIED) {
		denied(q, &no, row->name, q->asked ? q->asked : "an open file");
	} else if (not_found(st) && q->asked && fs_path_vetoed(q->t->fs, q->asked)) {
		no.param = "veto files";
		no.fix = "`veto files` without a pattern for this name";
		why_refused(&no, "share %s: %s of \"%s\", whose name is vetoed", q->t->share_name, row->name, q->asked);
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
