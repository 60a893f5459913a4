/* stream_store.c - where alternate streams lie.
 *
 *   SHARE/.smb1d.streams/     anybody may add, nobody may list (01733)
 *     1a2f-16f0c8.../         of one file or folder: inode and time of birth; its owner's alone (0700)
 *       :Zone.Identifier      one stream, of any size (0600)
 *
 * A stream hangs on the inode: renaming the file, here or by a local program, changes nothing, and hard links
 * share it.  Whoever may read or write the file may read or write its streams: the kernel is asked about the
 * file with the user's rights, then the store is entered with those of the file's owner (the file system user
 * id alone, and never 0).  So streams need no extended attributes and no privilege beyond the one workers
 * have anyway, and no local user sees more of them than of the files.
 *
 * No client sees the store under its own name: share_vetoed() counts it in.  It is made with the first stream
 * by whoever may write the share's root; an admin may make it before: mkdir -m 1733 SHARE/.smb1d.streams.
 * Streams of a file that a local program deletes stay behind: nobody finds them again, for the next file with
 * that inode is born at another time. */
#include "fs/stream.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/fsuid.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define STORE ".smb1d.streams"
#define ABSENT_MS 500u /* how long we believe that there is no store */

bool stream_is_store(const char *name) { return name[0] == '.' && str_caseeq(name, STORE); }

/* ---- in the owner's name ---- */

void stream_owner_begin(struct stream_owner *w, uid_t uid)
{
	w->uid = geteuid();
	w->changed = uid != w->uid && uid != 0;
	if (w->changed)
		setfsuid(uid);
}

void stream_owner_end(const struct stream_owner *w)
{
	if (w->changed)
		setfsuid(w->uid);
}

/* ---- the store ---- */

static int open_folder(int dir, const char *name, int flags)
{
	int fd = openat(dir, name, flags | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int store_make(struct fs_share *s)
{
	if (mkdirat(s->root, STORE, 01733) < 0 && errno != EEXIST) {
		int err = errno;

		log_at(LOG_FS, 1, "no alternate streams: mkdir -m 1733 %s/%s would help (%s)", s->path, STORE,
		       strerror(err));
		return -err;
	}
	return open_folder(s->root, STORE, O_PATH);
}

/* A descriptor that stays the share's; -ENOENT: no stream has ever been made here. */
static int store_open(struct fs_share *s, bool make)
{
	int fd;

	if (s->streams >= 0)
		return s->streams;
	if (!s->p->smb1d_streams || (!make && s->no_streams && clock_ms() - s->no_streams < ABSENT_MS))
		return -ENOENT;
	fd = open_folder(s->root, STORE, O_PATH);
	if (fd == -ENOENT && make)
		fd = store_make(s);
	if (fd == -ENOENT)
		s->no_streams = clock_ms();
	if (fd >= 0)
		s->streams = fd;
	return fd;
}

bool stream_here(struct fs_share *s) { return store_open(s, false) >= 0; }

void stream_store_close(struct fs_share *s)
{
	if (s->streams >= 0)
		close(s->streams);
	s->streams = -1;
}

/* ---- the folder of one file ---- */

bool stream_key(struct fs_node *n, struct stream_key *k)
{
	const unsigned want = STATX_INO | STATX_UID | STATX_BTIME | STATX_NLINK | STATX_TYPE;
	struct fs_ref f;
	struct statx x;
	uint64_t dev;
	int err;

	*k = (struct stream_key){ .text = "" };
	err = node_ref(n, -1, &f);
	if (err == 0)
		err = statx(f.fd, f.name ? f.name : "", AT_SYMLINK_NOFOLLOW | (f.name ? 0 : AT_EMPTY_PATH), want, &x);
	node_unref(-1, &f);
	if (err < 0 || (!S_ISREG(x.stx_mode) && !S_ISDIR(x.stx_mode)))
		return false;
	dev = makedev(x.stx_dev_major, x.stx_dev_minor);
	k->uid = x.stx_uid;
	k->last_link = S_ISDIR(x.stx_mode) || x.stx_nlink <= 1;
	snprintf(k->text, sizeof(k->text), "%llx-%llx-%x", (unsigned long long)x.stx_ino,
		 x.stx_mask & STATX_BTIME
			 ? (unsigned long long)x.stx_btime.tv_sec * 1000000000u + x.stx_btime.tv_nsec
			 : 0,
		 dev == n->share->dev ? 0 : (unsigned)dev);
	return true;
}

int stream_key_open(struct fs_share *s, const struct stream_key *k, bool make)
{
	int store = store_open(s, make), fd;
	struct stat st;

	if (store < 0)
		return store;
	fd = open_folder(store, k->text, O_RDONLY);
	if (fd == -ENOENT && make) {
		if (mkdirat(store, k->text, 0700) < 0 && errno != EEXIST)
			return -errno;
		fd = open_folder(store, k->text, O_RDONLY);
	}
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0 || st.st_uid != k->uid) {
		close(fd);
		if (make) /* of root's file, and we may not act for root */
			unlinkat(store, k->text, AT_REMOVEDIR);
		return -EACCES;
	}
	return fd;
}

int stream_key_make(struct fs_share *s, const struct stream_key *k)
{
	int fd = stream_key_open(s, k, true);

	if (fd == -ENOENT) {
		stream_store_close(s);
		fd = stream_key_open(s, k, true);
	}
	return fd;
}

int stream_each(int fd, bool (*visit)(void *arg, int dir, const char *file), void *arg)
{
	char buf[8192];
	const struct linux_dirent64 *d;
	long n;

	while ((n = syscall(SYS_getdents64, fd, buf, sizeof(buf))) != 0) {
		if (n < 0)
			return -errno;
		for (size_t at = 0; (d = dirent_next(buf, (size_t)n, &at)) != NULL;)
			if (d->d_name[0] == ':' && !visit(arg, fd, d->d_name))
				return 0;
	}
	return 0;
}
