/* quota.c - the file system of a story has the quotas that the story says, where machines have none.
 *
 * The linker puts __wrap_fs_quota() in the place of fs_quota(), and the same for fs_quota_set(): what is set there, one process
 * sees. */
#include "play.h"

static struct { uint32_t uid; struct fs_quota q; } known[8];
static size_t n;

status_t __real_fs_quota(struct fs_share *share, uint32_t uid, struct fs_quota *out);
status_t __wrap_fs_quota(struct fs_share *share, uint32_t uid, struct fs_quota *out);
status_t __real_fs_quota_set(struct fs_share *share, uint32_t uid, const struct fs_quota *q);
status_t __wrap_fs_quota_set(struct fs_share *share, uint32_t uid, const struct fs_quota *q);

void quota_forget(void) { n = 0; }

void quota_set(uint32_t uid, uint64_t used, uint64_t soft, uint64_t hard)
{
	if (n < sizeof(known) / sizeof(known[0])) {
		known[n].uid = uid;
		known[n++].q = (struct fs_quota){ .used = used, .soft = soft, .hard = hard };
	}
}

status_t __wrap_fs_quota(struct fs_share *share, uint32_t uid, struct fs_quota *out)
{
	if (n == 0)
		return __real_fs_quota(share, uid, out);
	for (size_t i = 0; i < n; i++)
		if (known[i].uid == uid) {
			*out = known[i].q;
			return ST_OK;
		}
	return ST_ACCESS_DENIED;
}

status_t __wrap_fs_quota_set(struct fs_share *share, uint32_t uid, const struct fs_quota *q)
{
	if (n == 0)
		return __real_fs_quota_set(share, uid, q);
	for (size_t i = 0; i < n; i++)
		if (known[i].uid == uid) {
			known[i].q.soft = q->soft;
			known[i].q.hard = q->hard;
			return ST_OK;
		}
	return ST_NOT_SUPPORTED;
}
