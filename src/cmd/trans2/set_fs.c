/* set_fs.c - SET_FS_INFO (04): what a client says to the disk.
 *
 *   P: FID, level   D: of the level   ->   nothing
 *
 * 0x200 and 0x203 belong to the UNIX extensions.  1006 (quota control) is how Windows switches quotas on and gives those who
 * have none a limit:
 *
 *   D: three u64 of the content indexer, threshold u64 and limit u64 of new users, flags u32, reserved u32
 *
 * Here the administrator of the server switches them, and a file system has no limits for new users.  So what already is so
 * succeeds, for who is named in `admin users`; a limit for new users, and a disk without quotas, is NOT_SUPPORTED.
 * MS-FSCC 2.5.2. */
#include "cmd/trans2/set_fs.h"
#include "cmd/trans2/unix_ext.h"

#define QUOTA_CONTROL 1006u
#define QUOTA_LEN 48u
#define KNOWN_FLAGS 0x3ffu
#define NO_LIMIT UINT64_MAX

static status_t quota_control(struct req *q, struct trans *t)
{
	uint64_t threshold, limit;
	struct fs_quota own;
	uint32_t flags;
	status_t st = req_become(q);

	if (rd_left(&t->d) < QUOTA_LEN)
		return ST_INFO_LENGTH_MISMATCH;
	rd_skip(&t->d, 24);
	threshold = rd_u64(&t->d);
	limit = rd_u64(&t->d);
	flags = rd_u32(&t->d);
	if (flags & ~KNOWN_FLAGS)
		return ST_INVALID_PARAMETER;
	if (st != ST_OK || !req_is_admin(q) || !req_may_write(q))
		return ST_ACCESS_DENIED;
	if (threshold != NO_LIMIT || limit != NO_LIMIT)
		return ST_NOT_SUPPORTED;
	return fs_quota(q->t->fs, tree_user(q->t, q->s)->id->uid, &own) == ST_NOT_SUPPORTED ? ST_NOT_SUPPORTED : ST_OK;
}

status_t trans2_set_fs(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct rd p = t->p;

	rd_skip(&p, 2);
	if (rd_u16(&p) != QUOTA_CONTROL || !rd_ok(&p))
		return unix_set_fs(q, t, r);
	return quota_control(q, t);
}

bool trans2_set_fs_at(size_t i, struct table_row *out)
{
	*out = (struct table_row){ QUOTA_CONTROL, "QuotaControl", true };
	return i == 0;
}
