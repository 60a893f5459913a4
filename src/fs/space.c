/* space.c - how big and how full the disk below a share is. */
#include "fs/inner.h"
#include <errno.h>
#include <sys/statvfs.h>

#define DEFAULT_BLOCK 1024 /* `block size` not set: the disk's own unit is told */

status_t fs_space(struct fs_share *share, struct fs_space *out)
{
	struct statvfs v;
	uint64_t frag, unit = (uint64_t)share->p->block_size;

	*out = (struct fs_space){ 0 };
	if (fstatvfs(share->root, &v) < 0)
		return fs_status(FS_DATA, errno);
	frag = v.f_frsize ? v.f_frsize : v.f_bsize ? v.f_bsize : 512;
	out->unit = unit != DEFAULT_BLOCK && unit >= 512 ? unit : frag;
	out->total = v.f_blocks > UINT64_MAX / frag ? UINT64_MAX : v.f_blocks * frag;
	out->avail = v.f_bavail > UINT64_MAX / frag ? UINT64_MAX : v.f_bavail * frag;
	out->files = v.f_files;
	out->files_free = v.f_favail;
	if (out->total == 0) /* odd file systems know no size; clients divide by it */
		out->total = out->unit;
	if (fs_process.max_disk_bytes)
		out->total = min_u64(out->total, fs_process.max_disk_bytes);
	out->avail = min_u64(out->avail, out->total);
	return ST_OK;
}
