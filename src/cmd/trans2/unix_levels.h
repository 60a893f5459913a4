/* unix_levels.h - what the UNIX extensions put into messages.  Pure.  transactions section 8.
 *
 *   BASIC  size, bytes on disk, change, access, modify time u64 each @0..; uid, gid u64 @40; type u32 @56; device
 *          major, minor u64 @60; unique id u64 @76; permissions u64 @84; links u64 @92              100 bytes
 *   INFO2  BASIC, birth time u64 @100; flags u32 @108; flags that mean something u32 @112            116 bytes
 *   ACL    version u16 1; entries u16; entries for new things u16; { tag u8, perm u8, id u64 } each */
#ifndef SMB1D_CMD_TRANS2_UNIX_LEVELS_H
#define SMB1D_CMD_TRANS2_UNIX_LEVELS_H
#include "base/cursor.h"
#include "fs/fs.h"

#define UNIX_BASIC_LEN 100u
#define UNIX_INFO2_LEN 116u
#define UNIX_HIDDEN 0x80u /* the one flag of INFO2 that we keep */

void unix_put_basic(struct wr *w, const struct fs_stat *st);
void unix_put_info2(struct wr *w, const struct fs_stat *st);

/* What BASIC and INFO2 ask to be set. */
#define UNIX_KEEP UINT64_MAX
#define UNIX_KEEP_ID UINT32_MAX
struct unix_want {
	uint64_t size;                  /* UNIX_KEEP */
	nttime_t access, write, create; /* 0: keep */
	uint32_t uid, gid, mode;        /* UNIX_KEEP_ID */
	uint32_t node;                  /* S_IFIFO ... of what is to be made; 0: a file */
	uint64_t rdev;
	uint32_t flags, flags_mask;
};
/* ST_INVALID_PARAMETER if it is too short, or an id cannot be. */
status_t unix_get_want(struct rd *d, bool info2, struct unix_want *out);

struct unix_acl {
	struct fs_acl_entry *list;
	size_t n;
	bool keep; /* set: this part stays as it is */
};
void unix_put_acl(struct wr *w, const struct unix_acl *acl, const struct unix_acl *dflt);
status_t unix_get_acl(TALLOC_CTX *mem, struct rd *d, struct unix_acl *acl, struct unix_acl *dflt);
#endif
