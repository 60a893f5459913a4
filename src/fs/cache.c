/* cache.c - see cache.h.
 *
 *   scanned twice ──▶ unchanged for 2 s? ──yes──▶ read, trusted while its change time stays ──▶ forgotten
 *                          │ no: it is being worked in
 *                          └──▶ watched, read ──event──▶ name added or removed
 *                                   │
 *                                   └─ queue overflow, watch gone, too many names ──▶ forgotten
 *
 * Why the change time tells (docs/fast-path.md has the long form): who adds, removes or renames holds the folder's
 * lock and stamps it with the kernel's coarse clock before he lets go.  We see that clock beyond the old stamp, and by
 * more than any file system rounds, before we read; so a change that our reading missed has a later stamp, and so has
 * every change after it. */
#include "fs/cache.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FOLDERS 4
#define WORTH_IT 256u         /* names; fewer are read as fast as asked for */
#define MAX_TEXT (8u << 20)   /* bytes of names of one folder */
#define MAX_SLOTS (1u << 19)  /* and their number: three quarters of it */
#define SETTLED_NS 2000000000ll /* no local file system rounds its times by more */
#define CLOCK_BACK_NS 1000000000ll
#define EMPTY 0u
#define DELETED 1u
#define EVENTS \
	(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK)

struct slot {
	uint32_t hash, off; /* off: EMPTY, DELETED or place of the name in text */
};

/* As the file system and the kernel's coarse clock have it. */
typedef int64_t nanoseconds;

struct folder {
	uint64_t dev, ino;
	bool kept;           /* false: nothing here */
	int wd;              /* -1 = trusted by its times: */
	nanoseconds changed;
	nanoseconds offset;  /* of the calendar to the clock that nobody sets, when it was read */
	uint32_t turn;
	char *text;
	uint32_t used, cap;
	struct slot *slots;
	uint32_t nslots, filled; /* a power of two; slots that are not EMPTY */
};

struct fs_cache {
	int watch; /* inotify; -1 = none */
	bool refused; /* no watch was to be had since the worker last rested */
	uint64_t last_dev, last_ino; /* last big folder scanned in vain */
	uint32_t turn;
	unsigned nfolders; /* of those that follow: in use */
	struct folder folders[FOLDERS];
};

static void folder_forget(struct fs_cache *c, struct folder *f)
{
	if (f->wd >= 0 && c->watch >= 0)
		inotify_rm_watch(c->watch, f->wd);
	TALLOC_FREE(f->text);
	TALLOC_FREE(f->slots);
	c->nfolders -= f->kept;
	*f = (struct folder){ .wd = -1 };
}

static void close_watch(struct fs_cache *c)
{
	if (c->watch >= 0)
		close(c->watch);
	c->watch = -1;
}

static int cache_destroy(struct fs_cache *c)
{
	close_watch(c);
	return 0;
}

struct fs_cache *fs_cache_new(TALLOC_CTX *mem)
{
	struct fs_cache *c = talloc_zero(mem, struct fs_cache);

	if (!c)
		return NULL;
	c->watch = -1;
	for (size_t i = 0; i < FOLDERS; i++)
		c->folders[i].wd = -1;
	talloc_set_destructor(c, cache_destroy);
	return c;
}

void fs_cache_reset(struct fs_cache *c)
{
	for (size_t i = 0; i < FOLDERS; i++)
		folder_forget(c, &c->folders[i]);
	c->last_ino = 0;
}

void fs_cache_rest(struct fs_cache *c)
{
	fs_cache_reset(c);
	close_watch(c);
	c->refused = false;
}

/* The slot of exactly this name, or the place to put it. */
static struct slot *slot_of(struct folder *f, const char *name, uint32_t hash)
{
	struct slot *hole = NULL;

	for (uint32_t i = hash;; i++) {
		struct slot *s = &f->slots[i & (f->nslots - 1)];

		if (s->off == EMPTY)
			return hole ? hole : s;
		if (s->off == DELETED)
			hole = hole ? hole : s;
		else if (s->hash == hash && strcmp(f->text + s->off, name) == 0)
			return s;
	}
}

static bool folder_grow(struct fs_cache *c, struct folder *f)
{
	uint32_t n = f->nslots ? f->nslots * 2 : 1024;
	struct slot *old = f->slots;
	uint32_t old_n = f->nslots;

	if (n > MAX_SLOTS)
		return false;
	f->slots = talloc_zero_array(c, struct slot, n);
	if (!f->slots) {
		f->slots = old;
		return false;
	}
	f->nslots = n;
	f->filled = 0;
	for (uint32_t i = 0; i < old_n; i++) {
		if (old[i].off <= DELETED)
			continue;
		*slot_of(f, f->text + old[i].off, old[i].hash) = old[i];
		f->filled++;
	}
	talloc_free(old);
	return true;
}

static bool text_add(struct fs_cache *c, struct folder *f, const char *name, uint32_t *off)
{
	size_t n = strlen(name) + 1;

	if (f->used == 0)
		f->used = DELETED + 1;
	if (n > f->cap - f->used || f->cap < f->used) {
		uint32_t cap = f->cap ? f->cap * 2 : 32768;
		char *more = cap > MAX_TEXT ? NULL : talloc_realloc(c, f->text, char, cap);

		if (!more)
			return false;
		f->text = more;
		f->cap = cap;
	}
	memcpy(f->text + f->used, name, n);
	*off = f->used;
	f->used += (uint32_t)n;
	return true;
}

static bool folder_add(struct fs_cache *c, struct folder *f, const char *name)
{
	uint32_t hash = str_casehash(name), off;
	struct slot *s;

	if (f->filled * 4 >= f->nslots * 3 && !folder_grow(c, f))
		return false;
	s = slot_of(f, name, hash);
	if (s->off > DELETED)
		return true;
	if (!text_add(c, f, name, &off))
		return false;
	f->filled += s->off == EMPTY;
	*s = (struct slot){ .hash = hash, .off = off };
	return true;
}

static void folder_remove(struct folder *f, const char *name)
{
	struct slot *s = slot_of(f, name, str_casehash(name));

	if (s->off > DELETED)
		s->off = DELETED;
}

static struct folder *folder_by_wd(struct fs_cache *c, int wd)
{
	for (size_t i = 0; i < FOLDERS; i++)
		if (c->folders[i].wd == wd && wd >= 0)
			return &c->folders[i];
	return NULL;
}

static void take_event(struct fs_share *s, const struct inotify_event *e)
{
	struct fs_cache *c = s->cache;
	struct folder *f = folder_by_wd(c, e->wd);
	const char *name;

	if (e->mask & IN_Q_OVERFLOW) {
		fs_cache_reset(c);
		return;
	}
	if (!f)
		return;
	if (e->mask & (IN_IGNORED | IN_DELETE_SELF | IN_UNMOUNT)) {
		if (e->mask & IN_IGNORED)
			f->wd = -1; /* the kernel has removed it already */
		folder_forget(c, f);
		return;
	}
	if (e->len == 0)
		return;
	name = share_utf8(s, e->name);
	if (!name)
		folder_forget(c, f);
	else if (e->mask & (IN_DELETE | IN_MOVED_FROM))
		folder_remove(f, name);
	else if (!folder_add(c, f, name))
		folder_forget(c, f);
}

static void take_events(struct fs_share *s)
{
	_Alignas(struct inotify_event) char buf[8192];
	ssize_t n;

	while ((n = read(s->cache->watch, buf, sizeof(buf))) > 0) {
		for (char *p = buf; p < buf + n;) {
			const struct inotify_event *e = (const void *)p;

			take_event(s, e);
			p += sizeof(*e) + e->len;
		}
	}
}

static struct folder *folder_of(struct fs_cache *c, const struct stat *st)
{
	for (size_t i = 0; i < FOLDERS; i++)
		if (c->folders[i].kept && c->folders[i].ino == st->st_ino && c->folders[i].dev == st->st_dev)
			return &c->folders[i];
	return NULL;
}

/* ---- times ---- */

static nanoseconds nanoseconds_of(struct timespec t) { return (nanoseconds)t.tv_sec * 1000000000 + t.tv_nsec; }

static nanoseconds clock_coarse(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return nanoseconds_of(t);
}

/* Moves when somebody sets the clock. */
static nanoseconds clock_offset(void)
{
	return clock_coarse(CLOCK_REALTIME_COARSE) - clock_coarse(CLOCK_MONOTONIC_COARSE);
}

static bool unchanged(const struct folder *f, const struct stat *st)
{
	return nanoseconds_of(st->st_ctim) == f->changed && clock_offset() + CLOCK_BACK_NS >= f->offset;
}

/* The folder as it is by now, or NULL. */
static struct folder *folder_now(struct fs_share *s, const struct stat *st)
{
	struct fs_cache *c = s->cache;
	struct folder *f = folder_of(c, st);

	if (!f)
		return NULL;
	if (f->wd < 0 && unchanged(f, st))
		return f;
	if (f->wd < 0) {
		folder_forget(c, f);
		return NULL;
	}
	take_events(s);
	return folder_of(c, st);
}

enum fs_cached fs_cache_find(struct fs_share *s, int dir, const char *want, TALLOC_CTX *mem, char **found)
{
	struct fs_cache *c = s->cache;
	uint32_t hash = str_casehash(want);
	const char *best = NULL;
	struct folder *f;
	struct stat st;

	if (c->nfolders == 0 || fstat(dir, &st) < 0)
		return FS_CACHE_UNKNOWN;
	f = folder_now(s, &st);
	if (!f)
		return FS_CACHE_UNKNOWN;
	f->turn = ++c->turn;
	for (uint32_t i = hash; f->slots[i & (f->nslots - 1)].off != EMPTY; i++) {
		const struct slot *at = &f->slots[i & (f->nslots - 1)];
		const char *name = f->text + at->off;

		if (at->off == DELETED || at->hash != hash || !str_caseeq(name, want) ||
		    share_vetoed(s, name))
			continue;
		if (!best || strcmp(name, want) == 0)
			best = name;
	}
	if (!best)
		return FS_CACHE_ABSENT;
	*found = talloc_strdup(mem, best);
	return *found ? FS_CACHE_FOUND : FS_CACHE_UNKNOWN;
}

/* ---- taking a folder in ---- */

static bool only_ours(int fd)
{
	static const long local[] = {
		0xef53,           0x58465342, 0x9123683e, 0x01021994, 0x2fc12fc1,
		(long)0xf2f52010, 0x3153464a, 0x52654973, 0x794c7630, (long)0xca451a4e
	};
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(local); i++)
		if ((uint32_t)fs.f_type == (uint32_t)local[i])
			return true;
	return false;
}

/* inotify wants a path: through /proc, or as "." of a moment. */
static int watch_folder(struct fs_cache *c, int fd)
{
	char path[40];
	int wd;

	if (c->watch < 0)
		c->watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (c->watch < 0)
		return -1;
	if (ref_have_proc()) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		return inotify_add_watch(c->watch, path, EVENTS);
	}
	if (fchdir(fd) < 0)
		return -1;
	wd = inotify_add_watch(c->watch, ".", EVENTS);
	if (chdir("/") < 0)
		log_at(LOG_FS, 1, "cannot go back to the root folder: %s", strerror(errno));
	return wd;
}

static bool folder_read(struct fs_share *s, struct folder *f, int fd)
{
	char buf[32768];
	const struct linux_dirent64 *d;
	long n;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return false;
	while ((n = syscall(SYS_getdents64, fd, buf, sizeof(buf))) > 0) {
		for (size_t at = 0; (d = dirent_next(buf, (size_t)n, &at)) != NULL;) {
			const char *name = share_utf8(s, d->d_name);

			if (!name || (!dirent_is_dots(name) && !folder_add(s->cache, f, name)))
				return false;
		}
	}
	return n == 0;
}

static struct folder *folder_oldest(struct fs_cache *c)
{
	struct folder *best = &c->folders[0];

	for (size_t i = 1; i < FOLDERS && best->kept; i++)
		if (!c->folders[i].kept || c->folders[i].turn < best->turn)
			best = &c->folders[i];
	return best;
}

/* Its times, if a change from now on is sure to move them. */
static bool settled(int fd, struct folder *f)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return false;
	f->offset = clock_offset();
	f->changed = nanoseconds_of(st.st_ctim);
	return clock_coarse(CLOCK_REALTIME_COARSE) - f->changed > SETTLED_NS;
}

static bool read_by_times(struct fs_share *s, struct folder *f, int fd)
{
	struct stat st;

	return folder_grow(s->cache, f) && folder_read(s, f, fd) && fstat(fd, &st) == 0 && unchanged(f, &st);
}

static bool read_watched(struct fs_share *s, struct folder *f, int fd)
{
	struct fs_cache *c = s->cache;

	f->wd = c->refused ? -1 : watch_folder(c, fd);
	if (f->wd < 0) {
		c->refused = c->refused || errno != EACCES;
		return false;
	}
	return folder_grow(c, f) && folder_read(s, f, fd);
}

void fs_cache_learn(struct fs_share *s, int fd, size_t count)
{
	struct fs_cache *c = s->cache;
	struct folder *f;
	struct stat st;

	if (count < WORTH_IT || fstat(fd, &st) < 0)
		return;
	if (c->last_ino != st.st_ino || c->last_dev != st.st_dev) {
		c->last_ino = st.st_ino;
		c->last_dev = st.st_dev;
		return;
	}
	if (folder_of(c, &st) || !only_ours(fd))
		return;
	f = folder_oldest(c);
	folder_forget(c, f);
	f->kept = true;
	c->nfolders++;
	f->dev = st.st_dev;
	f->ino = st.st_ino;
	f->turn = ++c->turn;
	if (!(settled(fd, f) ? read_by_times(s, f, fd) : read_watched(s, f, fd)))
		folder_forget(c, f);
}
