/* name_ops.c - unlink, rmdir, rename, link: always by the folder's descriptor and one plain name, so a link
 * put in between the look-up and now is itself the victim, never what it points to. */
#include "fs/inner.h"
#include "fs/stream.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_DEPTH 64 /* of vetoed folders that go with their parent */

static bool posix(const struct fs_node *n)
{
	return n->flags & FS_LOOKUP_POSIX;
}

static int remove_at(struct fs_node *n, int flags)
{
	struct fs_place place;
	int err = place_open(n->share, n->path, &place);

	if (err < 0)
		return err;
	if (unlinkat(place.dir, place.last, flags) < 0)
		err = -errno;
	/* what looks like a folder may be a link to one: then the link goes */
	if (err == -ENOTDIR && flags)
		err = unlinkat(place.dir, place.last, 0) < 0 ? -errno : 0;
	place_close(&place);
	return err;
}

/* Where the streams lie that go with this name; nowhere if the file has another one, or there are none. */
static struct stream_key dying_streams(struct fs_node *n)
{
	struct stream_key k = { .text = "" };

	if (!n->exists || n->through_link || !stream_here(n->share) || !stream_key(n, &k) || !k.last_link)
		k.text[0] = '\0';
	return k;
}

status_t fs_unlink(struct fs_node *node)
{
	struct stream_key k;
	int err;

	share_scratch_reset(node->share);
	if (!node->exists)
		return ST_OBJECT_NAME_NOT_FOUND;
	if (node->stream)
		return stream_unlink(node);
	if (fs_is_dir(&node->st))
		return ST_FILE_IS_A_DIRECTORY;
	if ((node->st.attrs & FS_ATTR_READONLY) && !node->share->p->delete_readonly && !posix(node))
		return ST_CANNOT_DELETE;
	k = dying_streams(node);
	err = remove_at(node, 0);
	if (err == 0) {
		stream_forget(node->share, &k);
		node->exists = false;
		fs_changed(node, FS_REMOVED, FS_WHAT_FILE_NAME);
	}
	return fs_status(FS_LAST, err);
}

/* ---- rmdir ---- */

/* Calls for each entry but the dots until one says no (0 = on, else the result). */
static int each_entry(int fd, int (*visit)(void *arg, int dir, const struct linux_dirent64 *d), void *arg)
{
	char buf[8192];
	const struct linux_dirent64 *d;
	long n;
	int err = 0;

	while (err == 0 && (n = syscall(SYS_getdents64, fd, buf, sizeof(buf))) != 0) {
		if (n < 0)
			return -errno;
		for (size_t at = 0; err == 0 && (d = dirent_next(buf, (size_t)n, &at)) != NULL;)
			if (!dirent_is_dots(d->d_name))
				err = visit(arg, fd, d);
	}
	return err;
}

static int remove_tree(int dir, const char *name, unsigned depth);

static int remove_entry(void *arg, int dir, const struct linux_dirent64 *d)
{
	const unsigned *depth = arg;

	return remove_tree(dir, d->d_name, *depth + 1);
}

static int remove_tree(int dir, const char *name, unsigned depth)
{
	int fd, err;

	if (unlinkat(dir, name, 0) == 0)
		return 0;
	if (errno != EISDIR || depth > MAX_DEPTH)
		return -errno;
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = each_entry(fd, remove_entry, &depth);
	close(fd);
	if (err == 0 && unlinkat(dir, name, AT_REMOVEDIR) < 0)
		err = -errno;
	return err;
}

static bool entry_vetoed(struct fs_share *s, const struct linux_dirent64 *d)
{
	const char *name = share_utf8(s, d->d_name);

	return name && share_vetoed(s, name);
}

/* -ENOTEMPTY at the first entry that keeps the folder. */
static int count_entry(void *arg, int dir, const struct linux_dirent64 *d)
{
	struct fs_share *s = arg;

	(void)dir;
	return s->p->delete_veto_files && entry_vetoed(s, d) ? 0 : -ENOTEMPTY;
}

static int remove_vetoed(void *arg, int dir, const struct linux_dirent64 *d)
{
	struct fs_share *s = arg;

	return entry_vetoed(s, d) ? remove_tree(dir, d->d_name, 0) : -ENOTEMPTY;
}

static int keep_if_seen(void *arg, int dir, const struct linux_dirent64 *d)
{
	(void)dir;
	return entry_vetoed(arg, d) ? 0 : -ENOTEMPTY;
}

bool fs_vetoed_only(struct fs_share *share, const char *path)
{
	int fd = beneath_open(share, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
	bool yes = fd >= 0 && each_entry(fd, keep_if_seen, share) == 0;

	share_scratch_reset(share);
	if (fd >= 0)
		close(fd);
	return yes;
}

static int visit_folder(struct fs_node *n, int (*visit)(void *, int, const struct linux_dirent64 *))
{
	int fd = beneath_open(n->share, n->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0), err;

	if (fd < 0)
		return fd == -ELOOP || fd == -ENOTDIR ? 0 : fd; /* a link to a folder holds nothing itself */
	err = each_entry(fd, visit, n->share);
	close(fd);
	return err;
}

status_t fs_dir_empty(struct fs_node *node)
{
	share_scratch_reset(node->share);
	if (!node->exists)
		return ST_OBJECT_NAME_NOT_FOUND;
	if (!fs_is_dir(&node->st))
		return ST_NOT_A_DIRECTORY;
	return fs_status(FS_LAST, visit_folder(node, count_entry));
}

status_t fs_rmdir(struct fs_node *node)
{
	struct stream_key k;
	int err;

	share_scratch_reset(node->share);
	if (!node->exists)
		return ST_OBJECT_NAME_NOT_FOUND;
	if (!fs_is_dir(&node->st))
		return ST_NOT_A_DIRECTORY;
	if (node->name[0] == '\0')
		return ST_ACCESS_DENIED;
	if ((node->st.attrs & FS_ATTR_READONLY) && !node->share->p->delete_readonly && !posix(node))
		return ST_CANNOT_DELETE;
	k = dying_streams(node);
	err = remove_at(node, AT_REMOVEDIR);
	if ((err == -ENOTEMPTY || err == -EEXIST) && node->share->p->delete_veto_files &&
	    visit_folder(node, count_entry) == 0 && visit_folder(node, remove_vetoed) == 0)
		err = remove_at(node, AT_REMOVEDIR);
	if (err == 0) {
		node->exists = false;
		stream_forget(node->share, &k);
		fs_changed(node, FS_REMOVED, FS_WHAT_DIR_NAME);
	}
	return fs_status(FS_LAST, err == -EEXIST ? -ENOTEMPTY : err);
}

/* ---- rename, link ---- */

struct two_places {
	struct fs_place a, b;
};

static int open_two(struct fs_node *from, struct fs_node *to, const char *to_path, struct two_places *t)
{
	int err = place_open(from->share, from->path, &t->a);

	if (err < 0)
		return err;
	err = place_open(to->share, to_path, &t->b);
	if (err < 0)
		place_close(&t->a);
	return err;
}

static int rename_over(const struct two_places *t)
{
	return renameat(t->a.dir, t->a.last, t->b.dir, t->b.last) < 0 ? -errno : 0;
}

static int rename_new(const struct two_places *t)
{
	struct stat st;

	if (renameat2(t->a.dir, t->a.last, t->b.dir, t->b.last, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	/* a file system without that flag: look, then leap */
	if (fstatat(t->b.dir, t->b.last, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return -EEXIST;
	return rename_over(t);
}

/* Two names of one file: the kernel would do nothing and keep both. */
static bool same_file(const struct two_places *t)
{
	struct stat a, b;

	return fstatat(t->a.dir, t->a.last, &a, AT_SYMLINK_NOFOLLOW) == 0 &&
	       fstatat(t->b.dir, t->b.last, &b, AT_SYMLINK_NOFOLLOW) == 0 && a.st_ino == b.st_ino &&
	       a.st_dev == b.st_dev;
}

/* The path of `to` with its last name in the letters the client used; NULL if they are those on disk. */
static char *respelled(struct fs_node *to)
{
	size_t dir = (size_t)(to->name - to->path);

	if (strcmp(to->asked, to->name) == 0 || !str_caseeq(to->asked, to->name) || posix(to))
		return NULL;
	return talloc_asprintf(to, "%.*s%s", (int)dir, to->path, to->asked);
}

static void node_moved(struct fs_node *from, struct fs_node *to, char *path)
{
	size_t dir = (size_t)(to->name - to->path);

	if (path) {
		to->path = path;
		to->name = to->asked = path + dir;
	}
	to->st = from->st;
	to->exists = true;
	if (from != to)
		from->exists = false;
}

static bool same_folder(const char *a, const char *b)
{
	size_t na = strlen(a) - strlen(strrchr(a, '/') ? strrchr(a, '/') : a);
	size_t nb = strlen(b) - strlen(strrchr(b, '/') ? strrchr(b, '/') : b);

	return na == nb && memcmp(a, b, na) == 0;
}

/* From one folder into another it goes here and comes there.  `over`: something of that name was there. */
static void tell_moved(const struct fs_node *from, const char *old_path, const struct fs_node *to, bool over)
{
	unsigned what = fs_is_dir(&to->st) ? FS_WHAT_DIR_NAME : FS_WHAT_FILE_NAME;
	bool here = same_folder(old_path, to->path);
	struct fs_node old = { .share = from->share, .path = old_path };

	if (over)
		fs_changed(to, FS_REMOVED, what);
	what |= here ? 0 : FS_WHAT_MOVED;
	fs_changed(&old, here ? FS_RENAMED_FROM : FS_REMOVED, what);
	fs_changed(to, here ? FS_RENAMED_TO : FS_ADDED, what);
	if (!fs_is_dir(&to->st))
		fs_changed(to, FS_MODIFIED, FS_WHAT_ATTRS | FS_WHAT_CREATE_TIME);
}

/* "new" to "NEW": one name, other letters. */
static status_t rename_letters(struct fs_node *from, struct fs_node *to)
{
	char *path = respelled(to);
	const char *old = from->path;
	struct two_places t;
	int err;

	if (!path)
		return ST_OK;
	err = open_two(from, to, path, &t);
	if (err < 0)
		return fs_status(FS_ON_THE_WAY, err);
	err = rename_new(&t);
	if (err == -EEXIST && same_file(&t)) /* the file system itself is blind to case */
		err = rename_over(&t);
	place_close(&t.a);
	place_close(&t.b);
	if (err < 0)
		return fs_status(FS_TWO_NAMES, err);
	node_moved(from, to, path);
	from->exists = from == to;
	tell_moved(from, old, to, false);
	return ST_OK;
}

static int rename_replace(struct fs_node *from, struct fs_node *to, const struct two_places *t)
{
	char *path;
	struct stream_key k = dying_streams(to);
	struct two_places again;
	bool same = same_file(t);
	int err;

	if (same)
		err = unlinkat(t->a.dir, t->a.last, 0) < 0 ? -errno : 0;
	else
		err = rename_over(t);
	if (err == 0 && !same)
		stream_forget(to->share, &k);
	path = err == 0 ? respelled(to) : NULL;
	if (path) { /* the letters of the new name win, if nothing stands in the way */
		again = (struct two_places){ .a = t->b, .b = t->b };
		again.b.last = share_disk(to->share, to->asked);
		if (!again.b.last || rename_new(&again) < 0)
			path = NULL;
	}
	if (err == 0)
		node_moved(from, to, path);
	return err;
}

static status_t may_rename(const struct fs_node *from, const struct fs_node *to, bool replace)
{
	if (!from->exists)
		return ST_OBJECT_NAME_NOT_FOUND;
	if (from->name[0] == '\0' || to->name[0] == '\0' || to->vetoed)
		return ST_ACCESS_DENIED;
	if (!to->exists || strcmp(from->path, to->path) == 0)
		return ST_OK;
	if (!replace)
		return ST_OBJECT_NAME_COLLISION;
	if (posix(to))
		return ST_OK;
	return fs_is_dir(&to->st) || (to->st.attrs & FS_ATTR_READONLY) ? ST_ACCESS_DENIED : ST_OK;
}

status_t fs_rename(struct fs_node *from, struct fs_node *to, bool replace)
{
	status_t st = may_rename(from, to, replace);
	const char *old = from->path;
	bool over = to->exists;
	struct two_places t;
	int err;

	share_scratch_reset(from->share);
	if (from->stream || to->stream)
		return stream_rename(from, to, replace);
	if (st != ST_OK)
		return st;
	if (to->exists && strcmp(from->path, to->path) == 0)
		return rename_letters(from, to);
	err = open_two(from, to, to->path, &t);
	if (err < 0)
		return fs_status(FS_ON_THE_WAY, err);
	err = to->exists ? -EEXIST : rename_new(&t);
	if (err == 0)
		node_moved(from, to, NULL);
	else if (err == -EEXIST && replace)
		err = rename_replace(from, to, &t);
	place_close(&t.a);
	place_close(&t.b);
	if (err < 0)
		return fs_status(FS_TWO_NAMES, err == -ENOTEMPTY ? -EEXIST : err);
	tell_moved(from, old, to, over);
	/* DOS: a renamed file has not been backed up under its new name */
	if (!posix(to) && S_ISREG(to->st.mode) && !(to->flags & FS_LOOKUP_NO_STAT) &&
	    !(from->flags & FS_LOOKUP_NO_STAT) && !(to->st.attrs & FS_ATTR_ARCHIVE))
		node_set_attrs(to, -1, to->st.attrs | FS_ATTR_ARCHIVE);
	return ST_OK;
}

status_t fs_link(struct fs_node *from, struct fs_node *to)
{
	struct two_places t;
	int err;

	share_scratch_reset(from->share);
	if (!from->exists)
		return ST_OBJECT_NAME_NOT_FOUND;
	if (from->stream || to->stream)
		return ST_INVALID_PARAMETER;
	if (fs_is_dir(&from->st))
		return ST_FILE_IS_A_DIRECTORY;
	if (to->vetoed)
		return ST_ACCESS_DENIED;
	if (to->exists)
		return ST_OBJECT_NAME_COLLISION;
	err = open_two(from, to, to->path, &t);
	if (err < 0)
		return fs_status(FS_ON_THE_WAY, err);
	err = linkat(t.a.dir, t.a.last, t.b.dir, t.b.last, 0) < 0 ? -errno : 0;
	place_close(&t.a);
	place_close(&t.b);
	if (err == 0) {
		to->exists = true;
		to->st = from->st;
		to->st.nlink = ++from->st.nlink;
		fs_changed(to, FS_ADDED, FS_WHAT_FILE_NAME);
	}
	return fs_status(FS_TWO_NAMES, err);
}
