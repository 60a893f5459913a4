/* fs_levels.h - what QUERY_FS_INFO tells about a share's volume.  Pure encoders. */
#ifndef SMB1D_CMD_TRANS2_FS_LEVELS_H
#define SMB1D_CMD_TRANS2_FS_LEVELS_H
#include "base/cursor.h"
#include "base/row.h"
#include "fs/fs.h"

#define FS_SECTOR 512u

struct fs_units {
	uint64_t total, avail;
	uint32_t sectors; /* of FS_SECTOR bytes in a unit */
};
/* Sizes in units of whole sectors, so large that the total is at most max_units.  Free is never above the
 * total, and the total never 0. */
void fs_units_fit(const struct fs_space *s, uint64_t max_units, struct fs_units *out);

struct fs_item {
	struct fs_space space;
	const char *label, *fs_name;
	uint32_t serial, attributes;
	uint8_t object_id[16];
	nttime_t created;
	bool unicode; /* of the message: level 2 has its label in that charset */
};
struct fs_level {
	uint16_t level;
	const char *name;
	uint32_t fixed; /* bytes that must fit, or INFO_LENGTH_MISMATCH */
	void (*put)(struct wr *w, const struct fs_item *i);
};
/* NULL: there is no such level. */
const struct fs_level *fs_level(uint16_t level);
bool fs_level_at(size_t i, struct table_row *out); /* table_row_fn */
#endif
