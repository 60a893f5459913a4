/* quota.c - what the file system itself says about a user's share of the disk.
 *
 * Asked through the share's own descriptor (quotactl_fd, Linux 5.14), so no device name is needed.  A user may ask
 * about himself; about others, or setting anything, needs a right workers do not have.  The limits of somebody are set by
 * the broker (favour.c, proc/broker.c), for administrators. */
#include "fs/inner.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/quota.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_quotactl_fd
#define SYS_quotactl_fd 443
#endif

#define BLOCK 1024u /* unit of the limits */

static status_t quota_status(int err)
{
	if (err == EPERM || err == EACCES)
		return ST_ACCESS_DENIED;
	return err == EDOM || err == ERANGE ? ST_INVALID_PARAMETER : ST_NOT_SUPPORTED; /* no quotas here, or no such call */
}

status_t fs_quota(struct fs_share *share, uint32_t uid, struct fs_quota *out)
{
	struct dqblk d = { .dqb_valid = 0 };
	long n;

	*out = (struct fs_quota){ .used = 0 };
	n = syscall(SYS_quotactl_fd, share->root, (int)((unsigned)Q_GETQUOTA << SUBCMDSHIFT | USRQUOTA), uid, &d);
	if (n < 0)
		return quota_status(errno);
	out->used = d.dqb_curspace;
	out->soft = d.dqb_bsoftlimit * BLOCK;
	out->hard = d.dqb_bhardlimit * BLOCK;
	return ST_OK;
}

status_t fs_quota_set(struct fs_share *share, uint32_t uid, const struct fs_quota *q)
{
	const struct fs_ref root = { .fd = share->root };
	struct fs_favour f = { .what = FS_FAVOUR_QUOTA, .uid = uid, .soft = q->soft, .hard = q->hard };
	int err = favour_ask(&root, &f);

	return err == 0 ? ST_OK : quota_status(-err);
}
