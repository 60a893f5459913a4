/* info_levels.h - what QUERY_PATH_INFO and QUERY_FILE_INFO tell, level by level.  Pure encoders. */
#ifndef SMB1D_CMD_TRANS2_INFO_LEVELS_H
#define SMB1D_CMD_TRANS2_INFO_LEVELS_H
#include "base/cursor.h"
#include "base/row.h"
#include "fs/fs.h"

struct info_item {
	const struct fs_stat *st;
	const char *path;        /* with INFO_PATH: from the share's root with leading '\' */
	const char *short_name;  /* with INFO_SHORT: the 8.3 name, or the name itself if it is 8.3 */
	const struct fs_stream *streams; /* with INFO_STREAMS; the file's own data are the first, named "" */
	size_t nstreams;
	const struct fs_ea *eas; /* with INFO_EA: all; with INFO_EA_NAMES: those asked for */
	size_t neas;
	uint32_t ea_size;        /* with INFO_EA */
	uint32_t access;         /* granted; with INFO_ACCESS */
	uint32_t mode;           /* create options in force */
	uint64_t pos;
	bool delete_pending;
	int zone;
};

#define INFO_EA 1u
#define INFO_EA_NAMES 2u /* the request has a list of names */
#define INFO_SHORT 4u
#define INFO_ACCESS 8u
#define INFO_STREAMS 32u
#define INFO_EA_SOME 128u /* to have none is an error */
#define INFO_EA_LIST 64u /* means nothing on an alternate stream */
#define INFO_NO_PIPE 16u /* means nothing on a pipe */
#define INFO_PATH 256u

struct info_level {
	uint16_t level;
	const char *name;
	unsigned flags;
	uint32_t fixed;      /* bytes that must fit, or INFO_LENGTH_MISMATCH */
	void (*put)(struct wr *w, const struct info_item *i);
};
/* NULL: there is no such level. */
const struct info_level *info_level(uint16_t level);
bool info_level_at(size_t i, struct table_row *out); /* table_row_fn */
/* Room that is enough for any level. */
uint32_t info_room(const struct info_item *i);
#endif
