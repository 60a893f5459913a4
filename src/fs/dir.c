/* dir.c - listing a folder.
 *
 * The kernel's entries are read 32 KiB at a time and numbered as they come: "." is 1, ".." is 2, the rest
 * goes on from 3.  The number is the cookie, so it fits in the 32 bits of old resume keys and does not care
 * what a file system thinks of positions.  The last few slices stay in memory: a client that deletes what
 * it lists and goes back a little finds every number where it was.  Older slices are read again from their
 * start. */
#include "base/budget.h"
#include "fs/inner.h"
#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SLICE 32768
#define KEPT 8 /* slices in memory */
#define DOTS 2 /* numbers before the first entry */

struct slice {
	int64_t start;         /* position of the folder's descriptor */
	uint64_t first;        /* number of its first entry, from 0 */
	uint32_t count, bytes;
	char *data;            /* NULL: to be read again */
};

struct fs_dir {
	struct fs_share *share;
	TALLOC_CTX *names;     /* the entry's name, where it had to be converted */
	bool converted;
	char *path;
	int fd;
	unsigned flags;
	bool shut;             /* `dont descend`: nothing but the dots */
	bool end;              /* the last slice has been read */
	struct slice *slices;
	size_t n;
	int64_t tail;          /* where the next slice starts */
	int64_t pos;           /* where the descriptor stands; -1 = unknown */
	uint64_t next;         /* cookie of the entry given last: number of the one to come */
	size_t cur, at;        /* slice, and place in it, of that one (only once past the dots) */
	uint32_t in_slice;     /* entries of it that are behind us */
	char short_name[64], alias[64];
};

static int dir_destroy(struct fs_dir *d)
{
	if (d->fd >= 0)
		close(d->fd);
	return 0;
}

status_t fs_dir_open(TALLOC_CTX *mem, struct fs_node *node, unsigned flags, struct fs_dir **out)
{
	struct fs_dir *d;
	int nofollow = node->flags & FS_LOOKUP_POSIX ? O_NOFOLLOW : 0;

	*out = NULL;
	share_scratch_reset(node->share);
	if (!node->exists)
		return ST_OBJECT_NAME_NOT_FOUND;
	if (!fs_is_dir(&node->st))
		return ST_NOT_A_DIRECTORY;
	if (node->st.has_sd && fs_access_lacks(node, 1))
		return ST_ACCESS_DENIED;
	d = talloc_zero(mem, struct fs_dir);
	if (!d)
		return ST_NO_MEMORY;
	d->share = node->share;
	d->flags = flags | (node->share->posix ? FS_DIR_POSIX : 0);
	d->names = talloc_new(d);
	d->path = talloc_strdup(d, node->path);
	d->fd = beneath_open(node->share, node->path, O_RDONLY | O_DIRECTORY | nofollow, 0);
	d->shut = share_dont_descend(node->share, node->path);
	talloc_set_destructor(d, dir_destroy);
	if (d->fd < 0 || !d->path || !d->names) {
		status_t st = d->fd < 0 ? fs_status(FS_LAST, d->fd) : ST_NO_MEMORY;

		talloc_free(d);
		return st;
	}
	*out = d;
	return ST_OK;
}

void fs_dir_close(struct fs_dir **d)
{
	TALLOC_FREE(*d);
}

/* ---- slices ---- */

static void slice_count(struct fs_dir *d, struct slice *s, int64_t *tail)
{
	const struct linux_dirent64 *e;

	s->count = 0;
	for (size_t at = 0; (e = dirent_next(s->data, s->bytes, &at)) != NULL;) {
		s->count++;
		d->pos = *tail = e->d_off;
	}
}

/* Memory for old slices goes to new ones. */
static void slices_trim(struct fs_dir *d, size_t around)
{
	size_t kept = budget_allows(SLICE) ? KEPT : 1;

	for (size_t i = 0; i < d->n; i++)
		if (i + kept <= around || i >= around + kept)
			TALLOC_FREE(d->slices[i].data);
}

static int slice_read(struct fs_dir *d, int64_t start, struct slice *s)
{
	char *buf;
	long n;

	if (start != d->pos && lseek(d->fd, start, SEEK_SET) < 0)
		return -errno;
	d->pos = -1;
	buf = talloc_size(d, SLICE);
	if (!buf)
		return -ENOMEM;
	n = syscall(SYS_getdents64, d->fd, buf, SLICE);
	if (n < 0) {
		n = -errno;
		talloc_free(buf);
		return (int)n;
	}
	s->start = start;
	s->bytes = (uint32_t)n;
	s->data = talloc_realloc_size(d, buf, n ? (size_t)n : 1);
	return s->data ? 0 : -ENOMEM;
}

static void slices_drop(struct fs_dir *d)
{
	for (size_t i = 0; i < d->n; i++)
		TALLOC_FREE(d->slices[i].data);
	d->n = 0;
	d->tail = 0;
	d->end = false;
}

/* The next slice of the folder; -ENOENT at its end. */
static int slice_append(struct fs_dir *d)
{
	struct slice s = { 0 }, *more;
	int err;

	if (d->end)
		return -ENOENT;
	err = slice_read(d, d->tail, &s);
	if (err == 0 && s.bytes == 0) {
		TALLOC_FREE(s.data);
		d->end = true;
		return -ENOENT;
	}
	more = err == 0 ? talloc_realloc(d, d->slices, struct slice, (unsigned)d->n + 1) : NULL;
	if (!more) {
		TALLOC_FREE(s.data);
		return err < 0 ? err : -ENOMEM;
	}
	d->slices = more;
	if (d->n)
		s.first = more[d->n - 1].first + more[d->n - 1].count;
	slice_count(d, &s, &d->tail);
	more[d->n++] = s;
	slices_trim(d, d->n - 1);
	return 0;
}

/* Makes the slice's entries readable again.  If some have been deleted meanwhile, its numbers are short of
 * a few. */
static int slice_revive(struct fs_dir *d, struct slice *s)
{
	struct slice again = { 0 };
	int64_t tail;
	int err;

	if (s->data)
		return 0;
	err = slice_read(d, s->start, &again);
	if (err < 0)
		return err;
	slice_count(d, &again, &tail);
	s->data = again.data;
	s->bytes = again.bytes;
	slices_trim(d, (size_t)(s - d->slices));
	return 0;
}

static int dir_raw(struct fs_dir *d, const struct linux_dirent64 **e)
{
	for (;;) {
		struct slice *s;
		int err;

		if (d->cur == d->n) {
			err = slice_append(d);
			if (err < 0)
				return err;
		}
		s = &d->slices[d->cur];
		err = slice_revive(d, s);
		if (err < 0)
			return err;
		*e = d->in_slice < s->count ? dirent_next(s->data, s->bytes, &d->at) : NULL;
		if (*e) {
			d->next = DOTS + s->first + ++d->in_slice;
			return 0;
		}
		d->cur++;
		d->at = 0;
		d->in_slice = 0;
	}
}

status_t fs_dir_seek(struct fs_dir *d, uint64_t cookie)
{
	uint64_t want;
	size_t i = 0;

	d->next = cookie;
	d->cur = d->at = 0;
	d->in_slice = 0;
	if (cookie == 0) /* from the start: as the folder is now */
		slices_drop(d);
	if (cookie <= DOTS)
		return ST_OK;
	want = cookie - DOTS; /* entries behind us */
	while (i < d->n && want >= d->slices[i].first + d->slices[i].count)
		i++;
	d->cur = i;
	if (i == d->n) /* behind all we have seen, or exactly at its end */
		return ST_OK;
	if (slice_revive(d, &d->slices[i]) < 0)
		return ST_OK; /* the next call says what is wrong */
	while (d->in_slice < want - d->slices[i].first &&
	       dirent_next(d->slices[i].data, d->slices[i].bytes, &d->at))
		d->in_slice++;
	return ST_OK;
}

/* ---- entries ---- */

static bool special_type(unsigned char type)
{
	return type == DT_FIFO || type == DT_SOCK || type == DT_CHR || type == DT_BLK;
}

/* Everything that can be told from the name alone; false: not for this client. */
static bool entry_name(struct fs_dir *d, const struct linux_dirent64 *raw, const char *name,
		       struct fs_entry *e)
{
	struct fs_share *s = d->share;

	if (!name || name[0] == '\0' || dirent_is_dots(name) || share_vetoed(s, name))
		return false;
	if (s->p->hide_special_files && special_type(raw->d_type))
		return false;
	e->name = name;
	e->short_name = "";
	if (!(d->flags & FS_DIR_POSIX) && name_needs_alias(s, name)) {
		name_alias(s, name, d->alias);
		e->name = d->alias; /* and that is its short name as well */
	} else if (d->flags & FS_DIR_SHORT) {
		fs_short_name(s, name, d->short_name);
		e->short_name = d->short_name;
	}
	return true;
}

static bool needs_stat(const struct fs_dir *d)
{
	const struct conf_params *p = d->share->p;

	return (d->flags & FS_DIR_STAT) || p->hide_special_files || p->hide_unreadable ||
	       p->hide_unwriteable_files || p->hide_new_files_timeout > 0;
}

static bool entry_hidden(struct fs_dir *d, const struct fs_ref *f, const struct fs_stat *st)
{
	const struct conf_params *p = d->share->p;
	bool dir = fs_is_dir(st);

	if (p->hide_special_files && !dir && !S_ISREG(st->mode) && !S_ISLNK(st->mode))
		return true;
	if (p->hide_unreadable && !may_access(f, st, R_OK))
		return true;
	if (p->hide_unwriteable_files && !dir && !may_access(f, st, W_OK))
		return true;
	if (p->hide_new_files_timeout > 0 && !dir) {
		nttime_t young = (nttime_t)p->hide_new_files_timeout * 10000000u, now = clock_now();

		return st->write <= now && now - st->write < young;
	}
	return false;
}

/* False: the entry has vanished, or a rule leaves it out. */
static bool entry_stat(struct fs_dir *d, const char *disk, const char *name, struct fs_entry *e)
{
	struct fs_ref f = { .fd = d->fd, .name = disk, .share = d->share };
	struct fs_stat target;

	if (!needs_stat(d))
		return true;
	if (stat_ref(d->share, &f, name, 0, &e->st) < 0)
		return false;
	if (S_ISLNK(e->st.mode) && !(d->flags & FS_DIR_POSIX)) {
		char path[PATH_MAX];
		int n = snprintf(path, sizeof(path), "%s%s%s", d->path, *d->path ? "/" : "", name);

		if (n > 0 && (size_t)n < sizeof(path) && stat_target(d->share, path, name, 0, &target) == 0)
			e->st = target;
	}
	return !entry_hidden(d, &f, &e->st);
}

/* "." and "..": of the root, both are the root. */
static status_t entry_dots(struct fs_dir *d, struct fs_entry *e)
{
	char parent[PATH_MAX];
	const char *slash;
	int err = 0;

	e->name = d->next == 0 ? "." : "..";
	e->short_name = "";
	e->cookie = ++d->next;
	if (!(d->flags & FS_DIR_STAT))
		return ST_OK;
	slash = strrchr(d->path, '/');
	if (d->next == 1 || !slash) {
		struct fs_ref f = { .fd = d->next == 1 ? d->fd : d->share->root,
				    .share = d->share,
				    .path = "" };

		err = stat_ref(d->share, &f, e->name, 0, &e->st);
	} else if (strlen(d->path) < sizeof(parent)) {
		memcpy(parent, d->path, (size_t)(slash - d->path));
		parent[slash - d->path] = '\0';
		err = stat_target(d->share, parent, "..", 0, &e->st);
	}
	return fs_status(FS_LAST, err);
}

status_t fs_dir_next(struct fs_dir *d, bool (*match)(void *arg, const char *name, const char *short_name),
		     void *arg, struct fs_entry *e)
{
	const struct linux_dirent64 *raw;

	share_scratch_reset(d->share);
	if (d->converted)
		talloc_free_children(d->names);
	d->converted = false;
	if (!needs_stat(d))
		e->st = (struct fs_stat){ 0 };
	while (d->next < DOTS) {
		status_t st = entry_dots(d, e);

		if (st == ST_OK && (!match || match(arg, e->name, "")))
			return ST_OK;
	}
	while (!d->shut) {
		const char *name;
		int err = dir_raw(d, &raw);

		if (err == -ENOENT)
			break;
		if (err < 0)
			return fs_status(FS_DATA, err);
		name = str_from_disk(d->names, raw->d_name);
		d->converted = d->converted || name != raw->d_name;
		if (!entry_name(d, raw, name, e) || (match && !match(arg, e->name, e->short_name)) ||
		    !entry_stat(d, raw->d_name, name, e))
			continue;
		e->cookie = d->next;
		return ST_OK;
	}
	*e = (struct fs_entry){ 0 };
	return ST_NO_MORE_FILES;
}
