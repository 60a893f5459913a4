/* lookup.c - from a client's name to a node.
 *
 *   the names may be ──▶ right spelling? ──yes──▶ done: one open, one stat
 *                            │ no
 *                            ▼
 *                     folder right? ──no──▶ name by name: as spelled, else by scan
 *                            │ yes                │
 *                            ▼                    ▼
 *                     scan for the last name ◀────┘ ──▶ found in other letters, or a name for something new */
#include "fs/inner.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* One component: may it be at all?  Vetoed ones are told apart by the caller. */
static bool component_ok(const char *name, size_t len, unsigned flags)
{
	if (len == 0 || len > FS_NAME_BYTES || (name[0] == '.' && (len == 1 || (len == 2 && name[1] == '.'))))
		return false;
	if (flags & FS_LOOKUP_POSIX)
		return true;
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)name[i] < 0x20 || strchr("\"*:<>?\\|", name[i]))
			return false;
	return true;
}

static status_t check_names(struct fs_node *n)
{
	const char *p = n->path;
	char one[FS_NAME_BYTES + 1];

	while (*p) {
		size_t len = strcspn(p, "/");
		bool last = p[len] == '\0';

		if (!component_ok(p, len, n->flags) || (!last && p[len + 1] == '\0'))
			return ST_OBJECT_NAME_INVALID;
		if (n->share->veto.n > 0) {
			memcpy(one, p, len);
			one[len] = '\0';
			if (share_vetoed(n->share, one)) {
				if (!last)
					return ST_OBJECT_PATH_NOT_FOUND;
				n->vetoed = true;
			}
		}
		p += len + !last;
	}
	return ST_OK;
}

static void set_path(struct fs_node *n, char *path)
{
	char *slash = strrchr(path, '/');

	n->path = path;
	n->name = slash ? slash + 1 : path;
}

/* The letters of a name that is about to be made: `preserve case` and its like. */
static const char *new_letters(struct fs_node *n, const char *name)
{
	const struct conf_params *p = n->share->p;
	bool keep = p->preserve_case;

	if (n->flags & FS_LOOKUP_POSIX)
		return name;
	if (keep && !p->short_preserve_case && fs_is_83(name) && !str_has_lower(name))
		keep = false;
	if (keep)
		return name;
	return p->default_case == CONF_DEFAULT_CASE_UPPER ? str_upper(n, name) : str_lower(n, name);
}

static status_t finish(struct fs_node *n, const char *way, const char *last)
{
	char *path;

	if (!last)
		return ST_NO_MEMORY;
	path = talloc_asprintf(n, "%s%s%s", way, *way ? "/" : "", last);
	if (!path)
		return ST_NO_MEMORY;
	set_path(n, path);
	return ST_OK;
}

/* One folder further: `name` as spelled, else as the scan finds it.  *way grows, *dir moves. */
static int enter(struct fs_node *n, char **way, int *dir, const char *name)
{
	struct fs_share *s = n->share;
	const char *sep = **way ? "/" : "";
	char *next = talloc_asprintf(n, "%s%s%s", *way, sep, name), *found;
	int fd, err;

	if (!next)
		return -ENOMEM;
	fd = beneath_open(s, next, O_PATH | O_DIRECTORY, 0);
	if (fd == -ENOENT && !(n->flags & FS_LOOKUP_POSIX)) {
		err = scan_folder(s, *dir, name, n, &found);
		if (err < 0)
			return err;
		next = talloc_asprintf(n, "%s%s%s", *way, sep, found);
		if (!next)
			return -ENOMEM;
		fd = beneath_open(s, next, O_PATH | O_DIRECTORY, 0);
	}
	if (fd < 0)
		return fd;
	if (*dir != s->root)
		close(*dir);
	*dir = fd;
	*way = next;
	return 0;
}

/* Opens the folder of the last name in whatever letters; *way is its spelling on disk. */
static int find_folder(struct fs_node *n, char **way, int *dir)
{
	const char *p = n->path, *slash = strrchr(p, '/');
	char one[FS_NAME_BYTES + 1];
	int err = 0;

	*dir = n->share->root;
	*way = slash ? talloc_strndup(n, p, (size_t)(slash - p)) : talloc_strdup(n, "");
	if (!*way)
		return -ENOMEM;
	if (!slash)
		return 0;
	*dir = beneath_open(n->share, *way, O_PATH | O_DIRECTORY, 0);
	if (*dir != -ENOENT || (n->flags & FS_LOOKUP_POSIX))
		return *dir < 0 ? *dir : 0;
	*dir = n->share->root;
	*way = talloc_strdup(n, "");
	while (err == 0 && p < slash) {
		size_t len = strcspn(p, "/");

		memcpy(one, p, len);
		one[len] = '\0';
		err = *way ? enter(n, way, dir, one) : -ENOMEM;
		p += len + 1;
	}
	return err;
}

static status_t search(struct fs_node *n, unsigned how)
{
	char *way, *found = NULL;
	status_t st;
	int dir, err = find_folder(n, &way, &dir);

	if (err < 0) {
		if (dir >= 0 && dir != n->share->root)
			close(dir);
		return fs_status(FS_ON_THE_WAY, err);
	}
	if (!n->vetoed && !(n->flags & FS_LOOKUP_POSIX))
		err = scan_folder(n->share, dir, n->asked, n, &found);
	if (dir != n->share->root)
		close(dir);
	if (err < 0 && err != -ENOENT)
		return fs_status(FS_LAST, err);
	if (!found)
		return finish(n, way, new_letters(n, n->asked));
	st = finish(n, way, found);
	if (st != ST_OK)
		return st;
	err = stat_path(n->share, n->path, n->name, n->flags, how, &n->st);
	n->exists = err == 0;
	return err == 0 || err == -ENOENT ? ST_OK : fs_status(FS_LAST, err);
}

static status_t lookup(struct fs_node *n)
{
	unsigned how = n->flags & FS_LOOKUP_NO_STAT ? STAT_NO_ATTRS : 0;
	status_t st = check_names(n);
	int err;

	if (st != ST_OK)
		return st;
	err = n->vetoed ? -ENOENT : stat_path(n->share, n->path, n->name, n->flags, how, &n->st);
	if (err == 0) {
		n->exists = true;
		return ST_OK;
	}
	if (err == -ENOENT)
		return search(n, how);
	/* EACCES on the last name cannot be: what fails here is a folder */
	return fs_status(FS_ON_THE_WAY, err);
}

status_t fs_lookup(struct fs_share *share, TALLOC_CTX *mem, const char *name, unsigned flags, struct fs_node **out)
{
	struct fs_node *n = talloc_zero(mem, struct fs_node);
	char *path = n ? talloc_strdup(n, name) : NULL;
	status_t st = ST_NO_MEMORY;

	share_scratch_reset(share);
	*out = NULL;
	if (path) {
		n->share = share;
		n->flags = flags;
		set_path(n, path);
		n->asked = n->name;
		st = lookup(n);
	}
	if (st == ST_OK)
		*out = n;
	else
		talloc_free(n);
	return st;
}
