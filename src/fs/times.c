/* times.c - setting times, attributes and modes, by descriptor (also one that is only O_PATH) or by node.
 *
 * `dos filetimes` and `dos filemode`: whoever may write the file may do what the kernel leaves to its
 * owner.  We prove the write access first, then ask for a favour (favour.c). */
#include "fs/inner.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

int node_ref(struct fs_node *n, int fd, struct fs_ref *out)
{
	struct fs_place place;
	int err = 0;

	*out = (struct fs_ref){ .fd = fd, .share = n->share, .path = n->path };
	if (fd >= 0 && !n->stream)
		return 0;
	out->fd = -1;
	if (n->through_link || n->name[0] == '\0') {
		out->fd = beneath_open(n->share, n->path, O_PATH, 0);
		return out->fd < 0 ? out->fd : 0;
	}
	err = place_open(n->share, n->path, &place);
	out->fd = err < 0 ? -1 : place.dir;
	out->name = place.last;
	return err;
}

void node_unref(int fd, struct fs_ref *f)
{
	if (f->fd != fd && f->fd >= 0 && f->fd != f->share->root)
		close(f->fd);
	f->fd = -1;
}

static bool proc_path(const struct fs_ref *f, char path[40])
{
	snprintf(path, 40, "/proc/self/fd/%d", f->fd);
	return ref_have_proc();
}

/* ---- modes ---- */

static int chmod_act(void *arg, int fd)
{
	return fchmod(fd, *(const mode_t *)arg) < 0 ? -errno : 0;
}

static int chmod_fd(const struct fs_ref *f, mode_t mode)
{
	char path[40];

	if (fchmod(f->fd, mode) == 0)
		return 0;
	if (errno != EBADF)
		return -errno;
	if (proc_path(f, path)) /* O_PATH: the kernel has no other way before 6.6 */
		return chmod(path, mode) < 0 ? -errno : 0;
	return ref_reopen(f, chmod_act, &mode);
}

int chmod_ref(const struct fs_ref *f, mode_t mode)
{
	struct fs_ref end = { .share = f->share, .path = f->path };
	int err;

	if (!f->name)
		return chmod_fd(f, mode);
	if (!xattr_by_hand) {
		if (syscall(SYS_fchmodat2, f->fd, f->name, mode, AT_SYMLINK_NOFOLLOW) == 0)
			return 0;
		if (errno != ENOSYS)
			return -errno;
	}
	end.fd = openat(f->fd, f->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (end.fd < 0)
		return -errno;
	err = chmod_fd(&end, mode);
	close(end.fd);
	return err;
}

int chmod_ruled(const struct fs_ref *f, const struct fs_stat *st, mode_t mode, bool writers_may)
{
	int err = chmod_ref(f, mode);

	if (err == -EPERM && may_access(f, st, W_OK))
		err = favour_ruled(f, &(struct fs_favour){ .what = FS_FAVOUR_MODE, .mode = mode }, writers_may);
	return err;
}

status_t fs_chmod(struct fs_node *node, int fd, uint32_t mode)
{
	struct fs_ref f;
	int err;

	share_scratch_reset(node->share);
	err = node_ref(node, fd, &f);
	if (err == 0)
		err = chmod_ruled(&f, &node->st, mode & 07777, node->share->p->dos_filemode);
	if (err == 0)
		node->st.mode = (node->st.mode & S_IFMT) | (mode & 07777);
	node_unref(fd, &f);
	if (err == 0)
		fs_changed(node, FS_MODIFIED, FS_WHAT_ATTRS | FS_WHAT_SECURITY);
	return fs_status(FS_LAST, err);
}

/* ---- times ---- */

static int times_act(void *arg, int fd)
{
	return futimens(fd, arg) < 0 ? -errno : 0;
}

static int times_plain(const struct fs_ref *f, struct timespec ts[2])
{
	char path[40];

	if (f->name)
		return utimensat(f->fd, f->name, ts, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0;
	if (futimens(f->fd, ts) == 0)
		return 0;
	if (errno != EBADF)
		return -errno;
	if (syscall(SYS_utimensat, f->fd, "", ts, AT_EMPTY_PATH) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOENT)
		return -errno;
	if (proc_path(f, path))
		return utimensat(AT_FDCWD, path, ts, 0) < 0 ? -errno : 0;
	return ref_reopen(f, times_act, ts);
}

static int times_ref(const struct fs_ref *f, const struct fs_stat *st, struct timespec ts[2],
		     bool writers_may)
{
	int err = times_plain(f, ts);

	if (err == -EPERM && may_access(f, st, W_OK))
		err = favour_ruled(f, &(struct fs_favour){ .what = FS_FAVOUR_TIMES, .times = { ts[0], ts[1] } }, writers_may);
	return err;
}

/* 0, -1 and -2 say "leave it alone" on the wire. */
static bool given(nttime_t t)
{
	return t != 0 && t < UINT64_MAX - 1;
}

static struct timespec timespec_or_omit(nttime_t t)
{
	return given(t) ? nttime_to_ts(t) : (struct timespec){ .tv_nsec = UTIME_OMIT };
}

static unsigned what_times(const struct fs_times *t)
{
	return (given(t->create) ? FS_WHAT_CREATE_TIME : 0) | (given(t->access) ? FS_WHAT_ACCESS_TIME : 0) |
	       (given(t->write) ? FS_WHAT_WRITE_TIME : 0);
}

status_t fs_set_times(struct fs_node *node, int fd, const struct fs_times *t)
{
	struct timespec ts[2] = { timespec_or_omit(t->access), timespec_or_omit(t->write) };
	struct fs_ref f;
	int err;

	share_scratch_reset(node->share);
	err = node_ref(node, fd, &f);
	if (err == 0 && given(t->create) && node->share->store &&
	    attr_store_create(&f, t->create, attr_unset(node->st.mode)) == 0)
		node->st.create = t->create;
	if (err == 0 && (given(t->access) || given(t->write)))
		err = times_ref(&f, &node->st, ts, node->share->p->dos_filetimes);
	if (err == 0 && given(t->access))
		node->st.access = t->access;
	if (err == 0 && given(t->write))
		node->st.write = t->write;
	if (err == 0 && given(t->change) && node->share->store &&
	    attr_store_change(&f, t->change, attr_unset(node->st.mode)) == 0)
		node->st.change = t->change;
	node_unref(fd, &f);
	if (err == 0 && (given(t->create) || given(t->access) || given(t->write)))
		fs_changed(node, FS_MODIFIED, what_times(t));
	return fs_status(FS_LAST, err);
}

/* ---- attributes ---- */

/* The owner of a file without a write bit may still change its record: the bit is lent. */
static int store_as_owner(const struct fs_ref *f, struct fs_node *n, uint32_t attrs)
{
	mode_t mode = n->st.mode & 07777;
	int err;

	if (n->st.uid != geteuid() || chmod_ref(f, mode | S_IWUSR) < 0)
		return -EACCES;
	err = attr_store(f, attrs, attr_unset(n->st.mode));
	chmod_ref(f, mode);
	return err;
}

static int attrs_to_mode(const struct fs_ref *f, struct fs_node *n, uint32_t attrs)
{
	mode_t old = n->st.mode & 07777, mode = attr_to_mode(n->share->p, old, attrs);
	int err;

	if (!S_ISREG(n->st.mode) || mode == old)
		return 0;
	err = chmod_ruled(f, &n->st, mode, true);
	if (err == 0)
		n->st.mode = (n->st.mode & S_IFMT) | mode;
	return err;
}

int node_set_attrs(struct fs_node *node, int fd, uint32_t attrs)
{
	struct fs_share *s = node->share;
	bool records = s->store && (S_ISREG(node->st.mode) || fs_is_dir(&node->st));
	struct fs_ref f;
	int err;

	attrs &= ~(FS_ATTR_DIRECTORY | FS_ATTR_NORMAL | FS_ATTR_VOLUME);
	err = node_ref(node, fd, &f);
	if (err == 0 && records) {
		err = attr_store(&f, attrs, attr_unset(node->st.mode));
		if (err == -EACCES || err == -EPERM)
			err = store_as_owner(&f, node, attrs);
	}
	if ((err == 0 && !records) || err == -EOPNOTSUPP)
		err = attrs_to_mode(&f, node, attrs);
	if (err == 0)
		node->st.attrs = attrs | (fs_is_dir(&node->st) ? FS_ATTR_DIRECTORY : 0) |
				 stat_name_attrs(s, node->name);
	node_unref(fd, &f);
	return err;
}

status_t fs_set_attrs(struct fs_node *node, int fd, uint32_t attrs)
{
	uint32_t before = node->st.attrs;
	int err;

	share_scratch_reset(node->share);
	err = node_set_attrs(node, fd, attrs);
	if (err == 0 && node->st.attrs != before)
		fs_changed(node, FS_MODIFIED, FS_WHAT_ATTRS);
	return fs_status(FS_LAST, err);
}
