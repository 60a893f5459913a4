/* errno.c - errno to status, knowing the place: the table "errno -> NT" of the protocol notes. */
#include "fs/inner.h"
#include <errno.h>

struct fs_refused fs_refused;

status_t fs_status(enum fs_where where, int err)
{
	if (err < 0)
		err = -err;
	switch (err) {
	case 0:
		return ST_OK;
	case ENOENT:
		return where == FS_ON_THE_WAY ? ST_OBJECT_PATH_NOT_FOUND : ST_OBJECT_NAME_NOT_FOUND;
	case ENOTDIR:
		return where == FS_ON_THE_WAY ? ST_OBJECT_PATH_NOT_FOUND : ST_NOT_A_DIRECTORY;
	case EXDEV: /* "stay beneath" says this for a way out of the share */
		if (where == FS_TWO_NAMES)
			return ST_NOT_SAME_DEVICE;
		fs_refused.links_out++;
		return where == FS_ON_THE_WAY ? ST_OBJECT_PATH_NOT_FOUND : ST_OBJECT_NAME_NOT_FOUND;
	case ELOOP:
		fs_refused.links++;
		return where == FS_ON_THE_WAY ? ST_OBJECT_PATH_NOT_FOUND : ST_OBJECT_NAME_NOT_FOUND;
	case ENXIO: /* a FIFO without a reader, a socket: never opened for data */
		return where == FS_DATA ? status_from_errno(err) : ST_ACCESS_DENIED;
	case EACCES:
	case EPERM:
		fs_refused.kernel++;
		return status_from_errno(err);
	default:
		return status_from_errno(err);
	}
}
