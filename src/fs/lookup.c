/* lookup.c - from a client's name to a node.
 *
 *   the names may be ──▶ folder as spelled? ──no──▶ name by name: as spelled, else by scan
 *                            │ yes (one open)              │
 *                            ▼                             ▼
 *                       last name as spelled? ◀────────────┘
 *                            │ no            └──yes──▶ done (one stat)
 *                            ▼
 *                       scan the folder ──▶ found in other letters, or a name for something new */
#include "fs/inner.h"
#include "fs/stream.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Ends a run of plain letters: the separator, control characters, and what no name may have. */
static const bool special[256] = {
	[0 ... 0x1f] = true,
	['/'] = true, ['"'] = true, ['*'] = true, [':'] = true, ['<'] = true, ['>'] = true, ['?'] = true, ['\\'] = true,
	['|'] = true,
};

/* Bytes of the component at p; may it be at all?  Vetoed ones are told apart by the caller. */
static size_t component(const char *p, unsigned flags, bool *ok)
{
	size_t len = 0;

	while (!special[(unsigned char)p[len]])
		len++;
	*ok = p[len] == '/' || p[len] == '\0' || (flags & FS_LOOKUP_POSIX);
	if (p[len] != '/' && p[len] != '\0')
		len += strcspn(p + len, "/");
	if (len == 0 || len > FS_NAME_BYTES || (p[0] == '.' && (len == 1 || (len == 2 && p[1] == '.'))))
		*ok = false;
	return len;
}

static status_t check_names(struct fs_node *n)
{
	const char *p = n->path;
	char one[FS_NAME_BYTES + 1];
	bool ok;

	while (*p) {
		size_t len = component(p, n->flags, &ok);
		bool last = p[len] == '\0';

		if (!ok || (!last && p[len + 1] == '\0'))
			return ST_OBJECT_NAME_INVALID;
		if (n->share->veto.n > 0 || *p == '.') {
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
	path = str_join(n, way, *way ? "/" : "", last);
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
	char *next = str_join(n, *way, sep, name), *found;
	int fd, err;

	if (!next)
		return -ENOMEM;
	fd = beneath_open(s, next, O_PATH | O_DIRECTORY, 0);
	if (fd == -ENOENT && !(n->flags & FS_LOOKUP_POSIX)) {
		err = scan_folder(s, *dir, name, n, &found);
		if (err < 0)
			return err;
		next = str_join(n, *way, sep, found);
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

/* Name by name to the folder of the last one; *way is its spelling on disk. */
static int walk(struct fs_node *n, char **way, int *dir)
{
	const char *p = n->path, *slash = strrchr(p, '/');
	char one[FS_NAME_BYTES + 1];
	int err = 0;

	*dir = n->share->root;
	*way = talloc_strdup(n, "");
	while (err == 0 && p < slash) {
		size_t len = strcspn(p, "/");

		memcpy(one, p, len);
		one[len] = '\0';
		err = *way ? enter(n, way, dir, one) : -ENOMEM;
		p += len + 1;
	}
	if (err < 0 && *dir != n->share->root)
		close(*dir);
	return err;
}

/* May what is made here inherit something? */
static bool folder_has_sd(struct fs_share *s, int dir)
{
	struct fs_ref f = { .fd = dir, .share = s };
	struct fs_stored rec;

	if (!s->store || !s->p->nt_acl_support)
		return false;
	attr_load(&f, &rec);
	return rec.sd;
}

/* The folder is open, the name is not there as it is spelled. */
static status_t search(struct fs_node *n, const char *way, int dir, unsigned how)
{
	const char *was = NULL;
	char *found = NULL;
	status_t st;
	int err = 0;

	if (!way)
		way = talloc_strndup(n, n->path, n->name > n->path ? (size_t)(n->name - n->path) - 1 : 0);
	if (!way)
		return ST_NO_MEMORY;
	if (!n->vetoed && !(n->flags & FS_LOOKUP_POSIX))
		err = scan_folder(n->share, dir, n->asked, n, &found);
	if (err < 0 && err != -ENOENT)
		return fs_status(FS_LAST, err);
	if (found)
		tunnel_enter(n->share, way, n->asked, found);
	else if (!(n->flags & FS_LOOKUP_POSIX))
		was = tunnel_leave(n->share, way, n->asked);
	if (!found)
		n->parent_sd = folder_has_sd(n->share, dir);
	st = finish(n, way, found ? found : was ? was : new_letters(n, n->asked));
	if (st != ST_OK || !found)
		return st;
	err = stat_node(n, dir, how);
	n->exists = err == 0;
	return err == 0 || err == -ENOENT ? ST_OK : fs_status(FS_LAST, err);
}

/* way NULL: the folder is where the name says, as it is spelled. */
static status_t in_folder(struct fs_node *n, const char *way, int dir)
{
	unsigned how = n->flags & FS_LOOKUP_NO_STAT ? STAT_NO_ATTRS : 0;
	int err = n->vetoed ? -ENOENT : stat_node(n, dir, how);

	n->exists = err == 0;
	if (err == -ENOENT)
		return search(n, way, dir, how);
	/* EACCES says the folder may not be entered */
	return fs_status(FS_LAST, err);
}

static status_t lookup(struct fs_node *n)
{
	status_t st = check_names(n);
	struct fs_place place;
	char *way;
	int err;

	if (st != ST_OK)
		return st;
	err = place_open(n->share, n->path, &place);
	if (err == 0) {
		st = in_folder(n, NULL, place.dir);
		place_close(&place);
		return st;
	}
	if (err == -ENOENT && !(n->flags & FS_LOOKUP_POSIX))
		err = walk(n, &way, &place.dir);
	if (err < 0)
		return fs_status(FS_ON_THE_WAY, err);
	st = finish(n, way, n->asked);
	if (st == ST_OK)
		st = in_folder(n, way, place.dir);
	if (place.dir != n->share->root)
		close(place.dir);
	return st;
}

/* `file:stream` in the last name: the path is that of the file, and the stream goes into the node. */
static status_t cut_stream(struct fs_node *n, char *path)
{
	char *slash = strrchr(path, '/'), *base, *stream;
	status_t st;

	if ((n->flags & FS_LOOKUP_POSIX) || !strchr(path, ':'))
		return ST_OK;
	st = stream_split(n, slash ? slash + 1 : path, &base, &stream);
	if (st != ST_OK || !base)
		return st;
	path[slash ? slash + 1 - path : 0] = '\0';
	set_path(n, talloc_asprintf(n, "%s%s", path, base));
	if (!n->path)
		return ST_NO_MEMORY;
	n->asked = n->name;
	n->data_asked = *stream == '\0';
	if (*stream)
		n->stream = n->stream_asked = stream;
	return *base == '\0' && slash ? ST_OBJECT_NAME_INVALID : ST_OK;
}

static status_t lookup_stream(struct fs_node *n)
{
	status_t st = cut_stream(n, (char *)(uintptr_t)n->path);

	if (st == ST_OK)
		st = lookup(n);
	if (st != ST_OK || !n->stream)
		return st;
	return fs_status(FS_LAST, stream_stat(n));
}

status_t fs_lookup(struct fs_share *share, TALLOC_CTX *mem, const char *name, unsigned flags,
		   struct fs_node **out)
{
	size_t len = strlen(name) + 1;
	struct fs_node *n = talloc_size(mem, sizeof(*n) + len); /* one piece of memory: every request does this */
	status_t st = ST_NO_MEMORY;

	share_scratch_reset(share);
	*out = NULL;
	if (n) {
		char *path = (char *)(n + 1);

		talloc_set_name_const(n, "struct fs_node");
		memset(n, 0, sizeof(*n));
		memcpy(path, name, len);
		n->share = share;
		n->flags = flags | (share->posix ? FS_LOOKUP_POSIX : 0);
		set_path(n, path);
		n->asked = n->name;
		st = lookup_stream(n);
	}
	if (st == ST_OK)
		*out = n;
	else
		talloc_free(n);
	return st;
}
