/* open.c - opening and creating files.
 *
 *   what is there? ─ nothing ──▶ create? ──▶ O_CREAT|O_EXCL, then the attribute record
 *        │ file, folder                         │ EEXIST: somebody was quicker
 *        ▼                                      ▼
 *   may it be opened so? ──▶ open ──▶ look again at what we have got ──▶ truncate
 *
 * O_TRUNC is never given to the kernel: the read-only attribute is read from the very file we have opened,
 * and only then is anything lost.  O_NONBLOCK keeps a FIFO that slips in from holding us. */
#include "fs/inner.h"
#include "fs/stream.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static int access_flags(const struct fs_open_want *w)
{
	bool write = w->write || w->append || w->truncate;
	int flags = O_NONBLOCK;

	flags |= w->read && write ? O_RDWR : write ? O_WRONLY : O_RDONLY;
	if (w->append)
		flags |= O_APPEND;
	return flags;
}

static int nofollow(const struct fs_node *n)
{
	return n->flags & FS_LOOKUP_POSIX ? O_NOFOLLOW : 0;
}

/* With `inherit acls` the folder's default list alone says who may what in it. */
static bool folder_rules(struct fs_node *n)
{
	struct fs_place place;
	struct fs_ref f = { .share = n->share };
	bool has;

	if (!n->share->p->inherit_acls || place_open(n->share, n->path, &place) < 0)
		return false;
	f.fd = place.dir;
	has = xattr_get(&f, "system.posix_acl_default", NULL, 0) > 0;
	place_close(&place);
	return has;
}

/* `inherit owner`: what is made in somebody's folder is his. */
static void give_to_folder(struct fs_node *n, const struct fs_ref *f)
{
	struct fs_place place;
	struct stat st;

	if (n->share->p->inherit_owner == CONF_INHERIT_OWNER_NO || place_open(n->share, n->path, &place) < 0)
		return;
	if (fstat(place.dir, &st) == 0 && st.st_uid != geteuid()) {
		int err = favour_ask(f, &(struct fs_favour){ .what = FS_FAVOUR_OWNER, .folder = place.dir });

		if (err < 0) /* why, says who asked for the file: srv/favour.c */
			log_at(LOG_FS, 2, "%s does not get the owner of its folder: %s", n->path, strerror(-err));
	}
	place_close(&place);
}

/* Mode bits a new item takes from its folder with `inherit permissions`; 0 if that cannot be seen. */
static mode_t folder_mode(struct fs_node *n)
{
	struct fs_place place;
	struct stat st = { 0 };

	if (place_open(n->share, n->path, &place) < 0)
		return 0;
	if (fstat(place.dir, &st) < 0)
		st.st_mode = 0;
	place_close(&place);
	return st.st_mode & 07777;
}

static mode_t new_file_mode(struct fs_node *n, const struct fs_open_want *w, uint32_t attrs)
{
	const struct conf_params *p = n->share->p;
	mode_t mode = 0666;

	if (w->posix_mode_set)
		return w->posix_mode & 07777;
	if (folder_rules(n))
		return mode;
	if (!n->share->store)
		mode = attr_to_mode(p, mode, attrs);
	if (p->inherit_permissions)
		return (folder_mode(n) & 0666 & (mode | 0444)) | (mode & 0111);
	return (mode & (mode_t)p->create_mask) | (mode_t)p->force_create_mode;
}

/* Takes over what the descriptor says.  The attribute record is read again only if the file has changed
 * since the look-up: setting an extended attribute moves the change time. */
static int look_again(struct fs_node *n, int fd, unsigned how)
{
	struct fs_ref f = { .fd = fd, .share = n->share, .path = n->path };
	struct fs_stat st;
	int err;

	if (how == 0 && n->exists && !(n->flags & FS_LOOKUP_NO_STAT)) {
		err = stat_ref(n->share, &f, n->name, STAT_NO_ATTRS, &st);
		if (err == 0 && st.ino == n->st.ino && st.dev == n->st.dev && st.change == n->st.change) {
			st.attrs = n->st.attrs;
			st.create = n->st.create;
			st.has_sd = n->st.has_sd;
			n->st = st;
			return 0;
		}
	}
	err = stat_ref(n->share, &f, n->name, how, &n->st);
	if (err == 0) {
		n->exists = true;
		if (!(how & STAT_NO_ATTRS))
			n->flags &= ~FS_LOOKUP_NO_STAT;
	}
	return err;
}

static void unlink_new(struct fs_node *n)
{
	struct fs_place place;

	if (place_open(n->share, n->path, &place) < 0)
		return;
	unlinkat(place.dir, place.last, 0);
	place_close(&place);
}

static status_t create(struct fs_node *n, const struct fs_open_want *w, int *fd)
{
	uint32_t attrs =
		(w->attrs & ~(FS_ATTR_DIRECTORY | FS_ATTR_NORMAL | FS_ATTR_VOLUME)) | FS_ATTR_ARCHIVE;
	struct fs_ref f = { .share = n->share, .path = n->path };
	unsigned how = STAT_NO_RECORD;
	bool listed = false;
	int err;

	if (n->vetoed || !ntacl_may_add(n, false))
		return ST_ACCESS_DENIED;
	*fd = beneath_open(n->share, n->path, access_flags(w) | O_CREAT | O_EXCL, new_file_mode(n, w, attrs));
	if (*fd < 0)
		return fs_status(FS_LAST, *fd);
	f.fd = *fd;
	if (n->share->store && !w->posix_mode_set && attrs != FS_ATTR_ARCHIVE &&
	    attr_store(&f, attrs, FS_ATTR_ARCHIVE) == 0)
		how = 0;
	err = w->posix_mode_set ? 0 : ntacl_new(n, &f, false, &listed);
	give_to_folder(n, &f);
	if (err < 0) { /* all or nothing */
		unlink_new(n);
		return fs_status(FS_DATA, err);
	}
	return fs_status(FS_DATA, look_again(n, *fd, listed ? 0 : how));
}

/* Before anything is touched: does what we know of the file allow it? */
static status_t check_kind(const struct fs_node *n, const struct fs_open_want *w)
{
	bool dir = fs_is_dir(&n->st);

	if (S_ISLNK(n->st.mode) && !w->attributes_only)
		return ST_OBJECT_NAME_NOT_FOUND; /* it leads nowhere, or must not be followed */
	if (w->directory && !dir)
		return ST_NOT_A_DIRECTORY;
	if (dir && !w->directory && !w->attributes_only)
		return ST_FILE_IS_A_DIRECTORY;
	if (!dir && !w->attributes_only && !S_ISREG(n->st.mode))
		return ST_ACCESS_DENIED;
	return ST_OK;
}

static bool wants_write(const struct fs_open_want *w)
{
	return w->write || w->append || w->truncate;
}

static bool read_only(const struct fs_node *n, const struct fs_open_want *w)
{
	return wants_write(w) && !fs_is_dir(&n->st) && (n->st.attrs & FS_ATTR_READONLY) &&
	       !(n->flags & FS_LOOKUP_POSIX);
}

/* Regular files and folders get a real descriptor where they may be read: it can do more than O_PATH. */
static int open_attributes(struct fs_node *n)
{
	int fd = -EACCES;

	if (S_ISREG(n->st.mode) || fs_is_dir(&n->st))
		fd = beneath_open(n->share, n->path, O_RDONLY | O_NONBLOCK | nofollow(n), 0);
	if (fd == -EACCES || fd == -EPERM || fd == -EAGAIN)
		fd = beneath_open(n->share, n->path,
				  O_PATH | (S_ISLNK(n->st.mode) ? O_NOFOLLOW : nofollow(n)), 0);
	return fd;
}

static status_t open_existing(struct fs_node *n, const struct fs_open_want *w, int *fd)
{
	status_t st = check_kind(n, w);
	int err;

	if (st != ST_OK)
		return st;
	if (read_only(n, w) && !(n->flags & FS_LOOKUP_NO_STAT))
		return ST_ACCESS_DENIED;
	if (w->attributes_only && !wants_write(w) && !w->read)
		*fd = open_attributes(n);
	else if (fs_is_dir(&n->st))
		*fd = beneath_open(n->share, n->path, O_RDONLY | O_DIRECTORY | O_NONBLOCK | nofollow(n), 0);
	else
		*fd = beneath_open(n->share, n->path, access_flags(w) | nofollow(n), 0);
	if (*fd == -EAGAIN) /* a lease of a local program */
		return ST_SHARING_VIOLATION;
	if (*fd < 0)
		return fs_status(FS_LAST, *fd);
	err = look_again(n, *fd, 0);
	if (err < 0)
		return fs_status(FS_DATA, err);
	st = check_kind(n, w);
	if (st == ST_OK && read_only(n, w))
		st = ST_ACCESS_DENIED;
	return st;
}

/* An overwritten file loses its streams too. */
static status_t truncate_opened(struct fs_node *n, int fd)
{
	status_t st = fs_truncate(fd, 0);
	struct stream_key k;
	uint32_t attrs = n->st.attrs;
	nttime_t born = n->st.create;
	bool has_sd = n->st.has_sd;

	if (st != ST_OK)
		return st;
	if (stream_here(n->share) && stream_key(n, &k))
		stream_forget(n->share, &k);
	st = fs_status(FS_DATA, look_again(n, fd, STAT_NO_ATTRS));
	n->st.attrs = attrs;
	n->st.create = born;
	n->st.has_sd = has_sd;
	return st;
}

status_t fs_open(struct fs_node *node, const struct fs_open_want *w, int *fd, bool *created)
{
	status_t st;
	int got = -1;

	*fd = -1;
	*created = false;
	share_scratch_reset(node->share);
	if (node->stream)
		return stream_open(node, w, fd, created);
	for (int tries = 0;; tries++) {
		bool existed = node->exists;

		if (existed && w->create && w->exclusive)
			return ST_OBJECT_NAME_COLLISION;
		if (!existed && (!w->create || w->directory))
			return ST_OBJECT_NAME_NOT_FOUND;
		st = existed ? open_existing(node, w, &got) : create(node, w, &got);
		*created = st == ST_OK && !existed;
		/* the name came or went between look-up and open: look once more */
		if (tries >= 2 || st != (existed ? ST_OBJECT_NAME_NOT_FOUND : ST_OBJECT_NAME_COLLISION) ||
		    fs_refresh(node) != ST_OK || node->exists == existed)
			break;
		fs_close(&got);
	}
	if (st == ST_OK && w->truncate && !*created && !fs_is_dir(&node->st))
		st = truncate_opened(node, got);
	if (st != ST_OK) {
		if (got >= 0)
			close(got);
		return st;
	}
	*fd = got;
	if (*created)
		fs_changed(node, FS_ADDED, FS_WHAT_FILE_NAME);
	else if (w->truncate && !fs_is_dir(&node->st))
		fs_changed(node, FS_MODIFIED, FS_WHAT_ATTRS | FS_WHAT_SIZE | FS_WHAT_WRITE_TIME);
	return ST_OK;
}

void fs_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* ---- folders are made here too: the same masks ---- */

static mode_t new_folder_mode(struct fs_node *n, bool set, uint32_t posix_mode)
{
	const struct conf_params *p = n->share->p;

	if (set)
		return posix_mode & 07777;
	if (folder_rules(n))
		return 0777;
	if (p->inherit_permissions)
		return folder_mode(n) & 0777;
	return (0777 & (mode_t)p->directory_mask) | (mode_t)p->force_directory_mode;
}

status_t fs_mkdir(struct fs_node *node, uint32_t attrs, bool posix_mode_set, uint32_t posix_mode)
{
	struct fs_place place;
	struct fs_ref f = { .share = node->share, .path = node->path };
	unsigned how = STAT_NO_RECORD;
	bool listed = false;
	mode_t mode;
	int err;

	share_scratch_reset(node->share);
	if (node->exists)
		return ST_OBJECT_NAME_COLLISION;
	if (node->vetoed || !ntacl_may_add(node, true))
		return ST_ACCESS_DENIED;
	mode = new_folder_mode(node, posix_mode_set, posix_mode);
	err = place_open(node->share, node->path, &place);
	if (err < 0)
		return fs_status(FS_ON_THE_WAY, err);
	f.fd = place.dir;
	f.name = place.last;
	err = mkdirat(place.dir, place.last, mode) < 0 ? -errno : 0;
	if (err == 0 && (mode & (S_ISUID | S_ISGID)))
		chmod_ref(&f, mode); /* mkdir knows only the other bits */
	attrs &= FS_ATTR_READONLY | FS_ATTR_HIDDEN | FS_ATTR_SYSTEM | FS_ATTR_ARCHIVE;
	if (err == 0 && attrs && node->share->store && attr_store(&f, attrs, 0) == 0)
		how = 0;
	if (err == 0 && !posix_mode_set && ntacl_new(node, &f, true, &listed) < 0)
		log_at(LOG_FS, 2, "%s: the folder inherits no access list", node->path);
	if (listed)
		how = 0;
	if (err == 0)
		give_to_folder(node, &f);
	if (err == 0) {
		err = stat_ref(node->share, &f, node->name, how, &node->st);
		node->exists = err == 0;
	}
	place_close(&place);
	if (err == 0)
		fs_changed(node, FS_ADDED, FS_WHAT_DIR_NAME);
	return fs_status(FS_LAST, err);
}
