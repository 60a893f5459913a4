/* beneath.c - paths that cannot leave the share.
 *
 * The kernel does the work: openat2() with RESOLVE_BENEATH.  Two cases are walked by hand, one name
 * at a time and never through a link the kernel follows for us:
 *   - there is no openat2 (before Linux 5.6, or a system call filter refuses it);
 *   - the kernel said EXDEV.  That may be a real way out (we say EXDEV again), or an absolute link
 *     whose text begins with the share's own path: such a link stays inside and works.
 *
 * The walk keeps the text of the way it has really gone (`done`, free of links), so ".." is a step
 * back in that text and a fresh walk, never a ".." the kernel would resolve. */
#include "fs/inner.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_LINKS 40
#define MAX_STEPS 8192

bool beneath_by_hand;

struct walk {
	struct fs_share *s;
	int dir;             /* where we stand; the share's root is not ours to close */
	unsigned links, steps;
	char done[PATH_MAX]; /* the way to dir */
	char todo[PATH_MAX]; /* the rest */
};

static void stand_on(struct walk *w, int dir)
{
	if (w->dir != w->s->root)
		close(w->dir);
	w->dir = dir;
}

/* todo = head + "/" + tail. */
static int set_todo(struct walk *w, const char *head, const char *tail)
{
	char text[PATH_MAX];
	int n = snprintf(text, sizeof(text), "%s%s%s", head, *tail ? "/" : "", tail);

	if (n < 0 || (size_t)n >= sizeof(text))
		return -ENAMETOOLONG;
	memcpy(w->todo, text, (size_t)n + 1);
	return 0;
}

static void start_over(struct walk *w)
{
	stand_on(w, w->s->root);
	w->done[0] = '\0';
}

/* One step back: the parent's way is walked again. */
static int step_back(struct walk *w, const char *rest)
{
	char parent[PATH_MAX];
	char *slash;
	int err;

	if (w->done[0] == '\0')
		return -EXDEV;
	memcpy(parent, w->done, strlen(w->done) + 1);
	slash = strrchr(parent, '/');
	if (slash)
		*slash = '\0';
	else
		parent[0] = '\0';
	err = set_todo(w, parent, rest);
	start_over(w);
	return err;
}

/* The rest of an absolute link text behind the share's path, or NULL if it leads elsewhere. */
static const char *inside(const char *target, const char *share_path)
{
	size_t n = strlen(share_path);

	if (n == 0 || strncmp(target, share_path, n) != 0 || (target[n] != '/' && target[n] != '\0'))
		return NULL;
	return target + n;
}

/* The link `fd` stands before `rest`: its text takes its place. */
static int follow(struct walk *w, int fd, const char *rest)
{
	char target[PATH_MAX];
	const char *tail;
	ssize_t n;

	if (!w->s->p->follow_symlinks || ++w->links > MAX_LINKS)
		return -ELOOP;
	n = readlinkat(fd, "", target, sizeof(target) - 1);
	if (n < 0)
		return -errno;
	target[n] = '\0';
	if (target[0] != '/')
		return set_todo(w, target, rest);
	tail = inside(target, w->s->path);
	if (!tail)
		tail = inside(target, w->s->real);
	if (!tail)
		return -EXDEV;
	start_over(w);
	return set_todo(w, tail, rest);
}

/* Takes the next name off todo into name (NAME_MAX + 1 bytes); *rest points behind it.  False at the end. */
static int take_name(struct walk *w, char *name, char *rest)
{
	const char *p = w->todo;
	size_t n;

	for (;;) {
		while (*p == '/')
			p++;
		if (*p == '\0')
			return 0;
		n = strcspn(p, "/");
		if (n == 1 && *p == '.')
			p++;
		else
			break;
	}
	if (n > NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(name, p, n);
	name[n] = '\0';
	p += n;
	while (*p == '/')
		p++;
	memcpy(rest, p, strlen(p) + 1);
	return 1;
}

/* A folder on the way, or a link that takes its place. */
static int step_in(struct walk *w, const char *name, const char *rest)
{
	struct stat st;
	size_t have = strlen(w->done);
	int fd = openat(w->dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0) {
		err = -errno;
	} else if (S_ISLNK(st.st_mode)) {
		err = follow(w, fd, rest);
	} else if (!S_ISDIR(st.st_mode)) {
		err = -ENOTDIR;
	} else if (have + strlen(name) + 2 > sizeof(w->done)) {
		err = -ENAMETOOLONG;
	} else {
		snprintf(w->done + have, sizeof(w->done) - have, "%s%s", have ? "/" : "", name);
		stand_on(w, fd);
		return set_todo(w, rest, "");
	}
	close(fd);
	return err;
}

/* The last name.  *again: it was a link, walk on. */
static int step_last(struct walk *w, const char *name, int flags, mode_t mode, bool *again)
{
	struct stat st;
	int fd, err;

	*again = false;
	if (!(flags & O_NOFOLLOW)) {
		fd = openat(w->dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0 && errno != ENOENT)
			return -errno;
		if (fd >= 0 && fstat(fd, &st) == 0 && S_ISLNK(st.st_mode)) {
			*again = true;
			err = (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL) ? -EEXIST
										 : follow(w, fd, "");
			close(fd);
			return err;
		}
		if (fd >= 0)
			close(fd);
	}
	fd = openat(w->dir, name, flags | O_NOFOLLOW, mode);
	return fd < 0 ? -errno : fd;
}

static int walk_on(struct walk *w, int flags, mode_t mode)
{
	char name[NAME_MAX + 1], rest[PATH_MAX];
	bool again;
	int got;

	while (w->steps++ < MAX_STEPS) {
		got = take_name(w, name, rest);
		if (got < 0)
			return got;
		if (got == 0) {
			got = openat(w->dir, ".", flags & ~(O_CREAT | O_EXCL), mode);
			return got < 0 ? -errno : got;
		}
		if (strcmp(name, "..") == 0) {
			got = step_back(w, rest);
		} else if (*rest) {
			got = step_in(w, name, rest);
		} else {
			got = step_last(w, name, flags, mode, &again);
			if (!again)
				return got;
		}
		if (got < 0)
			return got;
	}
	return -ELOOP;
}

static int open_by_hand(struct fs_share *s, const char *disk, int flags, mode_t mode)
{
	struct walk w;
	size_t len = strlen(disk);
	int got;

	if (len >= sizeof(w.todo))
		return -ENAMETOOLONG;
	w.s = s; /* one by one: to clear the buffers would be most of the work */
	w.dir = s->root;
	w.links = w.steps = 0;
	w.done[0] = '\0';
	memcpy(w.todo, disk, len + 1);
	got = walk_on(&w, flags, mode);
	stand_on(&w, s->root);
	return got;
}

static int open_by_kernel(struct fs_share *s, const char *disk, int flags, mode_t mode)
{
	struct open_how how = {
		.flags = (uint64_t)(unsigned)flags,
		.mode = flags & O_CREAT ? mode & 07777 : 0,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};
	long fd;
	int tries = 0;

	if (!s->p->follow_symlinks)
		how.resolve |= RESOLVE_NO_SYMLINKS;
	do { /* EAGAIN: a rename somewhere made the kernel unsure about a ".." in a link */
		fd = syscall(SYS_openat2, s->root, disk, &how, sizeof(how));
	} while (fd < 0 && (errno == EINTR || (errno == EAGAIN && ++tries < 64)));
	return fd < 0 ? -errno : (int)fd;
}

int beneath_open(struct fs_share *s, const char *path, int flags, mode_t mode)
{
	const char *disk = *path ? share_disk(s, path) : ".";
	int fd;

	if (!disk)
		return -ENOMEM;
	flags |= O_CLOEXEC;
	if (!(flags & O_PATH))
		flags |= O_NOCTTY;
	if (s->p->wide_links && s->p->follow_symlinks) {
		fd = openat(s->root, disk, flags, mode);
		return fd < 0 ? -errno : fd;
	}
	if (!beneath_by_hand) {
		fd = open_by_kernel(s, disk, flags, mode);
		if (fd == -ENOSYS) {
			beneath_by_hand = true;
			log_at(LOG_FS, 1, "this kernel has no openat2: paths are walked name by name");
		} else if (fd != -EXDEV || !s->p->follow_symlinks) {
			return fd;
		}
	}
	return open_by_hand(s, disk, flags, mode);
}

int place_open(struct fs_share *s, const char *path, struct fs_place *out)
{
	const char *slash = strrchr(path, '/');
	char dir[PATH_MAX];

	*out = (struct fs_place){ .dir = s->root };
	out->last = share_disk(s, slash ? slash + 1 : path);
	if (!out->last)
		return -ENOMEM;
	if (!slash)
		return 0;
	if ((size_t)(slash - path) >= sizeof(dir))
		return -ENAMETOOLONG;
	memcpy(dir, path, (size_t)(slash - path));
	dir[slash - path] = '\0';
	out->dir = beneath_open(s, dir, O_PATH | O_DIRECTORY, 0);
	if (out->dir < 0)
		return out->dir;
	out->owned = true;
	return 0;
}

void place_close(struct fs_place *p)
{
	if (p->owned)
		close(p->dir);
	p->owned = false;
	p->dir = -1;
}
