/* cache.h - the names of a few big folders, so that "is there no such name in any case?" does not read
 * ten thousand entries for each new file.  Inside of the fs room.
 *
 * A folder that rests is trusted as long as its change time stands still; one that is being worked in only while
 * inotify watches it, and every question first takes the waiting events in.  Folders of disks that others may change
 * behind the kernel's back (NFS and the like) are never kept.  At most four a share, of 12 MiB each; a worker that
 * rests has none, and no inotify instance. */
#ifndef SMB1D_FS_CACHE_H
#define SMB1D_FS_CACHE_H
#include "fs/inner.h"

struct fs_cache;
enum fs_cached { FS_CACHE_UNKNOWN, FS_CACHE_FOUND, FS_CACHE_ABSENT };

struct fs_cache *fs_cache_new(TALLOC_CTX *mem);
void fs_cache_reset(struct fs_cache *c);
/* Gives memory and the inotify instance back. */
void fs_cache_rest(struct fs_cache *c);
/* The best spelling of `want` in the folder `dir` (any descriptor): the same, else one that differs in
 * case. */
enum fs_cached fs_cache_find(struct fs_share *s, int dir, const char *want, TALLOC_CTX *mem, char **found);
/* A scan of the folder `fd` (readable) had to look at `count` names: worth keeping if it goes on like that. */
void fs_cache_learn(struct fs_share *s, int fd, size_t count);
#endif
