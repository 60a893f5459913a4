/* follow.c - where an open file lies now, whoever has moved it: the kernel knows the name of every descriptor. */
#include "base/str.h"
#include "fs/inner.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* False: the kernel does not tell. */
static bool path_of(int fd, char out[PATH_MAX])
{
	char link[40];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, out, PATH_MAX - 1);
	if (n <= 0 || out[0] != '/')
		return false;
	out[n] = '\0';
	return true;
}

status_t fs_follow(struct fs_share *share, TALLOC_CTX *mem, int fd, char **path)
{
	char root[PATH_MAX], now[PATH_MAX];
	const char *utf8;
	size_t n;

	if (fd < 0 || !path_of(share->root, root) || !path_of(fd, now))
		return ST_OBJECT_NAME_NOT_FOUND;
	n = strcmp(root, "/") == 0 ? 0 : strlen(root);
	if (strncmp(now, root, n) != 0 || now[n] != '/')
		return ST_OBJECT_NAME_NOT_FOUND;
	utf8 = str_from_disk(mem, now + n + 1);
	*path = utf8 ? talloc_strdup(mem, utf8) : NULL;
	return *path ? ST_OK : ST_NO_MEMORY;
}
