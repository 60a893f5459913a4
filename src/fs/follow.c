/* follow.c - where an open file lies now, whoever has moved it: the kernel knows the name of every descriptor. */
#include "base/str.h"
#include "base/util.h"
#include "fs/inner.h"
#include <string.h>

status_t fs_follow(struct fs_share *share, TALLOC_CTX *mem, int fd, char **path)
{
	char root[PATH_MAX], now[PATH_MAX];
	const char *utf8;
	size_t n;

	if (fd < 0 || !util_fd_path(share->root, root) || !util_fd_path(fd, now))
		return ST_OBJECT_NAME_NOT_FOUND;
	n = strcmp(root, "/") == 0 ? 0 : strlen(root);
	if (strncmp(now, root, n) != 0 || now[n] != '/')
		return ST_OBJECT_NAME_NOT_FOUND;
	utf8 = str_from_disk(mem, now + n + 1);
	*path = utf8 ? talloc_strdup(mem, utf8) : NULL;
	return *path ? ST_OK : ST_NO_MEMORY;
}
