/* scan.c - a name that is not on disk as it is spelled: is it there in other letters, or as an alias?
 * An exact name wins over one that differs in case, that one over an alias. */
#include "fs/cache.h"
#include "fs/inner.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

const struct linux_dirent64 *dirent_next(const char *buf, size_t n, size_t *at)
{
	const struct linux_dirent64 *d;

	if (*at >= n)
		return NULL;
	d = (const void *)(buf + *at);
	*at += d->d_reclen;
	return d;
}

bool dirent_is_dots(const char *name)
{
	return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

struct scan {
	struct fs_share *s;
	const char *want;
	bool blind, alias; /* what to look for */
	size_t seen;
	TALLOC_CTX *mem;
	char *exact, *cased, *aliased;
};

/* Most names part at the first letter. */
static bool caseeq(const char *a, const char *b)
{
	unsigned char x = (unsigned char)*a, y = (unsigned char)*b;

	if (x < 0x80 && y < 0x80 && x != y && ((x ^ y) != 0x20 || (x | 0x20) < 'a' || (x | 0x20) > 'z'))
		return false;
	return str_caseeq(a, b);
}

static void keep(struct scan *c, char **where, const char *name)
{
	if (!*where && !share_vetoed(c->s, name))
		*where = talloc_strdup(c->mem, name);
}

static void look_at(struct scan *c, const char *disk)
{
	const char *name = share_utf8(c->s, disk);
	char alias[64];

	if (!name || dirent_is_dots(name))
		return;
	c->seen++;
	if (strcmp(name, c->want) == 0) {
		keep(c, &c->exact, name);
	} else if (c->blind && caseeq(name, c->want)) {
		keep(c, &c->cased, name);
	} else if (c->alias && !c->aliased && (name_needs_alias(c->s, name) || !fs_is_83(name))) {
		name_alias(c->s, name, alias);
		if (str_caseeq(alias, c->want))
			keep(c, &c->aliased, name);
	}
}

static int scan_entries(struct scan *c, int fd)
{
	char buf[32768];
	const struct linux_dirent64 *d;
	long n;

	while (!c->exact && (n = syscall(SYS_getdents64, fd, buf, sizeof(buf))) != 0) {
		if (n < 0)
			return -errno;
		for (size_t at = 0; (d = dirent_next(buf, (size_t)n, &at)) != NULL;)
			look_at(c, d->d_name);
	}
	return 0;
}

int scan_folder(struct fs_share *s, int dir, const char *want, TALLOC_CTX *mem, char **found)
{
	struct scan c = {
		.s = s, .want = want, .mem = mem, .blind = s->blind, .alias = name_may_be_alias(s, want)
	};
	int fd, err;

	*found = NULL;
	if (!c.blind && !c.alias)
		return -ENOENT;
	if (!c.alias) {
		switch (fs_cache_find(s, dir, want, mem, found)) {
		case FS_CACHE_FOUND:
			return 0;
		case FS_CACHE_ABSENT:
			return -ENOENT;
		default:
			break;
		}
	}
	fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) /* a folder one may enter but not read: only exact names */
		return errno == EACCES ? -ENOENT : -errno;
	err = scan_entries(&c, fd);
	*found = c.exact ? c.exact : c.cased ? c.cased : c.aliased;
	if (err == 0 && !c.exact && !c.aliased && c.blind)
		fs_cache_learn(s, fd, c.seen);
	close(fd);
	return *found ? 0 : err < 0 ? err : -ENOENT;
}
