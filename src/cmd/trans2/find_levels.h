/* find_levels.h - one entry of a listing as each level of TRANS2 FIND has it.  Pure encoders. */
#ifndef SMB1D_CMD_TRANS2_FIND_LEVELS_H
#define SMB1D_CMD_TRANS2_FIND_LEVELS_H
#include "base/cursor.h"
#include "base/row.h"
#include "fs/fs.h"

struct find_item {
	const char *name, *short_name; /* short "" if the name is 8.3 */
	const struct fs_stat *st;
	const struct fs_ea *eas;       /* of level 3 */
	size_t neas;
	uint32_t ea_size;              /* bytes of the list of all attributes */
	bool keys;                     /* levels 1 to 3: resume key in front */
	uint32_t key;
	bool unicode;
	int zone;
};

#define FIND_STAT 1u    /* needs st */
#define FIND_SHORT 2u   /* needs the short name */
#define FIND_EA 4u      /* needs ea_size (and eas) */
#define FIND_CHAINED 8u /* entries lie at multiples of 8, begin with the distance to the next; 0 in the last */
#define FIND_POSIX 16u  /* needs the UNIX extensions; names are as they are */

struct find_level {
	uint16_t level;
	const char *name;
	unsigned flags;
	void (*put)(struct wr *w, const struct find_item *i);
};
/* NULL: there is no such level. */
const struct find_level *find_level(uint16_t level);
bool find_level_at(size_t i, struct table_row *out); /* table_row_fn */

/* Appends an entry; *last is the offset of the one before (UINT32_MAX none) and becomes that of the new one.
 * False, with nothing changed, if it does not fit. */
bool find_put(struct wr *w, const struct find_level *l, const struct find_item *i, uint32_t *last);

/* The number shown as file id: the inode, made unique across file systems. */
uint64_t info_file_id(const struct fs_stat *st);
#endif
