/* explain.c - why a command was refused, for what is told by no other place: limits that are reached, what a setting has
 * switched off, what else a part of smb1d has left a note of; files are explain_file.c's. */
#include "base/budget.h"
#include "cmd/explain.h"
#include "srv/audit.h"
#include "srv/park.h"
#include <stdio.h>

status_t cmd_no_disk(struct req *q)
{
	static const char fix[] = "a share with a folder";

	if (q->t->ipc)
		return req_refuse(q, ST_ACCESS_DENIED, NULL, "it has pipes and no files", fix);
	return req_refuse(q, ST_ACCESS_DENIED, "printable", "it is a printer and has no files", fix);
}

status_t cmd_no_printer(struct req *q)
{
	status_t st = q->h.flags2 & FLAG2_NT_STATUS ? ST_ACCESS_DENIED : ST_SMB_BAD_DEVICE;

	return req_refuse(q, st, "printable", "it is no printer", "a share with `printable = yes`");
}

void cmd_explain_part(struct req *q, const struct cmd_row *row)
{
	static const char *const parts[] = {
		[FS_FAVOUR_MODE] = "mode", [FS_FAVOUR_TIMES] = "times", [FS_FAVOUR_OWNER] = "its folder's owner",
		[FS_FAVOUR_QUOTA] = "limits",
	};
	char what[80];

	if (!q->t || !q->s || tree_find(q->c, q->h.tid) != q->t || session_find(q->c, q->h.uid) != q->s)
		return; /* files that were closed with their tree or user, who are gone */
	snprintf(what, sizeof(what), "%s, %s", row->name, parts[fs_favour_last()->what]);
	req_favour_refused(q, what, explain_name(q, row));
}

/* Something of which there is too much on this connection already. */
static void too_much(const struct req *q, struct why *no, const struct cmd_row *row, status_t st)
{
	static unsigned full_before;
	const struct conn *c = q->c;
	char what[120] = "too much for one connection";

	no->share = NULL;
	no->fix = "a larger number there";
	if (st == ST_TOO_MANY_OPENED_FILES && idtab_count(c->opens) >= (uint32_t)c->conf->g.max_open_files) {
		no->param = "max open files";
		snprintf(what, sizeof(what), "too many open files");
	} else if (db_disk_full() != full_before) {
		no->param = "lock directory";
		no->fix = "room on the disk where it lies";
		snprintf(what, sizeof(what), "the disk with the databases is full");
		full_before = db_disk_full();
	} else if (budget_over() && !c->host->porch) {
		no->param = "smb1d: max memory";
		snprintf(what, sizeof(what), "too much for one connection, which fills its memory");
	} else {
		no->conf = NULL;
		no->fix = "fewer of them at once";
		if (st == ST_SMB_TOO_MANY_UIDS && idtab_count(c->sessions) >= CONN_USERS)
			snprintf(what, sizeof(what), "it has %u users", CONN_USERS);
		else if (idtab_count(c->trees) >= CONN_TREES)
			snprintf(what, sizeof(what), "it has %u shares", CONN_TREES);
		else if (park_count(c) >= PARK_MOST)
			snprintf(what, sizeof(what), "%u requests wait", PARK_MOST);
		else if (row->flags & HANDLE)
			snprintf(what, sizeof(what), "more locks than %u in a file or %u in all", DB_LOCKS_IN_FILE, DB_LOCKS_IN_ALL);
	}
	why_refused(no, "%s: %s", row->name, what);
}

/* What its place has left: req_refuse(). */
static void noted(const struct req *q, struct why *no, const struct cmd_row *row)
{
	no->param = q->no.rule;
	no->fix = q->no.fix;
	if (!q->no.rule || !q->t)
		no->conf = NULL;
	why_refused(no, "%s%s: %s%s%s: %s", q->t ? "share " : "a share it has left", q->t ? no->where : "", row->name,
		    q->asked ? " of " : "", q->asked ? explain_name(q, row) : "", q->no.because);
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
	if (q->no.because)
		noted(q, &no, row);
	else if (st == ST_TOO_MANY_OPENED_FILES || st == ST_SMB_TOO_MANY_UIDS || st == ST_INSUFF_SERVER_RESOURCES)
		too_much(q, &no, row, st);
	else if (q->t && no.user && q->t->fs)
		explain_file(q, &no, row, st, before);
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
