/* favour.c - why the broker, or the rule before it, did not do what this user's own rights do not allow (fs/favour.c,
 * proc/broker.c). */
#include "conf/why.h"
#include "srv/req.h"
#include <stdio.h>

static const struct {
	const char *because, *fix, *behind; /* what would allow it, the rule between the two */
} reasons[FS_NO_REASONS] = {
	[FS_NO_REASON] = { "the kernel does not allow it", "other permissions or attributes of the file" },
	[FS_NO_WRITERS] = { "it belongs to another user", "`", " = yes`" },
	[FS_NO_BROKER] = { "it needs rights that this server does not have", "smb1d started as root" },
	[FS_NO_USER] = { "this user is no account of the system", "an account in /etc/passwd, other than root" },
	[FS_NO_FILE] = { "it is neither a file nor a folder", NULL },
	[FS_NO_FOLDER] = { "it lies in no share's folder, as far as that is known without a client", "a `path` without links and macros" },
	[FS_NO_RULE] = { "the share does not allow it to this user", "the share's `", "`" },
	[FS_NO_ENTRY] = { "this user, with the groups of /etc/group, may not be in the share or write there", "the share's `", "`" },
	[FS_NO_WRITE] = { "this user, with the groups of /etc/group, may not write to it", "other permissions of the file" },
	[FS_NO_SETID] = { "a file with set-id bits is its owner's alone", "those bits taken off" },
	[FS_NO_NEW] = { "only a new file of the user's gets another owner", NULL },
	[FS_NO_RIGHT] = { "smb1d may set no limits on this disk", "CAP_SYS_ADMIN for smb1d, and quotas in the file system" },
};

void req_favour_refused(const struct req *q, const char *what, const char *path)
{
	const struct fs_favour_no *no = &fs_favour_last()->no;
	struct why w = { LOG_SMB, .share = q->t->share, .where = q->t->share_name, .user = q->s->account, .often = true };
	unsigned reason = no->reason < FS_NO_REASONS ? no->reason : FS_NO_REASON;
	char fix[120];

	w.fix = reasons[reason].fix;
	if (reasons[reason].behind) {
		snprintf(fix, sizeof(fix), "%s%s%s", reasons[reason].fix, no->rule, reasons[reason].behind);
		w.fix = fix;
	}
	if (no->rule[0]) {
		w.conf = q->c->conf;
		w.param = no->rule;
	}
	why_refused(&w, "share %s: %s of %s: %s", q->t->share_name, what, path, reasons[reason].because);
}
