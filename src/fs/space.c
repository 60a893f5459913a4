/* space.c - how big and how full the disk below a share is. */
#include "fs/inner.h"
#include <errno.h>
#include <sys/statvfs.h>

#define DEFAULT_BLOCK 1024 /* `block size` not set: the disk's own unit is told */

void fs_space_said(struct fs_space *s, uint64_t total, uint64_t avail)
{
	s->total = total ? total : s->unit; /* odd file systems know no size; clients divide by it */
	if (fs_process.max_disk_bytes)
		s->total = min_u64(s->total, fs_process.max_disk_bytes);
	s->avail = min_u64(avail, s->total);
}

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
	fs_space_said(out, out->total, out->avail);
	return ST_OK;
}
