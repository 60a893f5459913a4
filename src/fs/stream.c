/* stream.c - alternate streams: names, opening, removing, renaming, listing.  Where they lie: stream_store.c. */
#include "fs/stream.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define MAX_STREAMS 4096u

/* ---- names ---- */

status_t stream_split(TALLOC_CTX *mem, const char *last, char **base, char **stream)
{
	const char *colon = strchr(last, ':'), *type;
	size_t n;

	*base = *stream = NULL;
	if (!colon)
		return ST_OK;
	type = strchr(colon + 1, ':');
	if (type && !str_caseeq(type + 1, "$DATA"))
		return ST_OBJECT_NAME_INVALID;
	n = type ? (size_t)(type - colon) - 1 : strlen(colon + 1);
	if (n == 0 && !type)
		return ST_OBJECT_NAME_INVALID;
	*base = talloc_strndup(mem, last, (size_t)(colon - last));
	*stream = talloc_strndup(mem, colon + 1, n);
	if (!*base || !*stream)
		return ST_NO_MEMORY;
	return n >= FS_NAME_BYTES ? ST_OBJECT_NAME_INVALID : ST_OK;
}

/* ---- one of them ---- */

struct spelling {
	const char *want;
	char *found;
	TALLOC_CTX *mem;
};

static bool same_spelling(void *arg, int dir, const char *file)
{
	struct spelling *s = arg;

	(void)dir;
	if (!str_caseeq(file + 1, s->want))
		return true;
	s->found = talloc_strdup(s->mem, file + 1);
	return false;
}

static int stat_stream(int fd, const char *stream, struct stat *st)
{
	char file[FS_NAME_BYTES + 2];

	snprintf(file, sizeof(file), ":%s", stream);
	if (fstatat(fd, file, st, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	return S_ISREG(st->st_mode) ? 0 : -EACCES;
}

/* As spelled, else in other letters; n->stream gets the spelling. */
static int find_stream(struct fs_node *n, int fd, struct stat *st)
{
	struct spelling s = { .want = n->stream, .mem = n };
	int err = stat_stream(fd, n->stream, st);

	if (err != -ENOENT || !n->share->blind)
		return err;
	err = stream_each(fd, same_spelling, &s);
	if (err < 0 || !s.found)
		return err < 0 ? err : -ENOENT;
	n->stream = s.found;
	return stat_stream(fd, n->stream, st);
}

/* What a stream shows: times and attributes of its file, size and number of its own. */
static void merge(struct fs_node *n, const struct stat *st)
{
	struct fs_stat *m = &n->st;

	m->dev = st->st_dev;
	m->ino = st->st_ino;
	m->mode = (m->mode & 0777) | S_IFREG;
	m->nlink = 1;
	m->size = (uint64_t)st->st_size;
	m->alloc = stat_alloc(n->share, m->size, (uint64_t)st->st_blocks * 512);
	m->attrs &= ~FS_ATTR_DIRECTORY;
}

int stream_stat(struct fs_node *n)
{
	struct stream_key k;
	struct stream_owner w;
	struct stat st;
	int fd, err;

	n->base_exists = n->exists;
	n->base_dir = n->exists && fs_is_dir(&n->st);
	n->base_dev = n->st.dev;
	n->base_ino = n->st.ino;
	n->exists = false;
	if (!n->base_exists || !stream_here(n->share) || !stream_key(n, &k))
		return 0;
	stream_owner_begin(&w, k.uid);
	fd = stream_key_open(n->share, &k, false);
	err = fd < 0 ? fd : find_stream(n, fd, &st);
	stream_owner_end(&w);
	if (fd >= 0)
		close(fd);
	if (err == 0)
		merge(n, &st);
	n->exists = err == 0;
	return err == -ENOENT ? 0 : err;
}

int stream_fstat(struct fs_node *n, int fd, struct fs_stat *out)
{
	struct fs_node base = *n;
	struct stat st;
	status_t s;

	base.stream = NULL;
	s = fs_refresh(&base);
	if (s == ST_OK && base.exists)
		n->st = base.st; /* else the file is gone: what was known of it */
	if (fstat(fd, &st) < 0)
		return -errno;
	merge(n, &st);
	*out = n->st;
	return 0;
}

/* ---- open ---- */

static bool may_do(struct fs_node *n, int want)
{
	struct fs_ref f;
	bool may = node_ref(n, -1, &f) == 0 && may_access(&f, &n->st, want);

	node_unref(-1, &f);
	return may;
}

static bool writes(const struct fs_open_want *w) { return w->write || w->append || w->truncate; }

static status_t rights(struct fs_node *n, const struct fs_open_want *w)
{
	if (w->directory)
		return ST_NOT_A_DIRECTORY;
	if ((writes(w) || (w->create && !n->exists)) && !may_do(n, W_OK))
		return ST_ACCESS_DENIED;
	if (w->read && !may_do(n, R_OK))
		return ST_ACCESS_DENIED;
	if (writes(w) && n->base_exists && !n->base_dir && (n->st.attrs & FS_ATTR_READONLY))
		return ST_ACCESS_DENIED;
	return ST_OK;
}

/* A stream of a file that is not there yet: both are made. */
static status_t make_base(struct fs_node *n, const struct fs_open_want *w)
{
	struct fs_open_want f = { .write = true, .create = true, .exclusive = true, .attrs = w->attrs,
				  .posix_mode_set = w->posix_mode_set, .posix_mode = w->posix_mode };
	struct fs_node *base = talloc_memdup(n, n, sizeof(*n));
	bool created;
	status_t st;
	int fd;

	if (!base)
		return ST_NO_MEMORY;
	base->stream = NULL;
	st = fs_open(base, &f, &fd, &created);
	fs_close(&fd);
	if (st == ST_OK) {
		n->st = base->st;
		n->base_exists = true;
		n->base_dev = n->st.dev;
		n->base_ino = n->st.ino;
	}
	talloc_free(base);
	return st;
}

static int open_in(struct fs_node *n, const struct stream_key *k, const struct fs_open_want *w, bool make, int *out)
{
	int flags = w->attributes_only && !writes(w) && !make ? O_PATH : writes(w) || make ? O_RDWR : O_RDONLY;
	char file[FS_NAME_BYTES + 2];
	struct stream_owner own;
	int dir;

	snprintf(file, sizeof(file), ":%s", n->stream);
	stream_owner_begin(&own, k->uid);
	dir = make ? stream_key_make(n->share, k) : stream_key_open(n->share, k, false);
	*out = dir;
	if (dir >= 0) {
		*out = openat(dir, file, flags | (make ? O_CREAT | O_EXCL : 0) | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
			      0600);
		if (*out < 0)
			*out = -errno;
		close(dir);
	}
	stream_owner_end(&own);
	return *out < 0 ? *out : 0;
}

status_t stream_open(struct fs_node *n, const struct fs_open_want *w, int *fd, bool *created)
{
	struct stream_key k;
	struct stat st;
	bool make = !n->exists;
	status_t s = ST_OK;
	int err;

	*fd = -1;
	*created = false;
	if (n->exists && w->create && w->exclusive)
		return ST_OBJECT_NAME_COLLISION;
	if (make && !w->create)
		return ST_OBJECT_NAME_NOT_FOUND;
	if (!n->share->p->smb1d_streams)
		return ST_OBJECT_NAME_INVALID;
	if (!n->base_exists)
		s = make_base(n, w);
	if (s == ST_OK)
		s = rights(n, w);
	if (s != ST_OK)
		return s;
	if (!stream_key(n, &k))
		return ST_ACCESS_DENIED;
	err = open_in(n, &k, w, make, fd);
	if (err == 0 && w->truncate && !make && ftruncate(*fd, 0) < 0)
		err = -errno;
	if (err == 0 && fstat(*fd, &st) < 0)
		err = -errno;
	if (err < 0) {
		fs_close(fd);
		return fs_status(FS_LAST, err);
	}
	merge(n, &st);
	n->exists = true;
	*created = make;
	return ST_OK;
}

/* ---- remove, rename, list ---- */

static bool remove_one(void *arg, int dir, const char *file)
{
	(void)arg;
	unlinkat(dir, file, 0);
	return true;
}

void stream_forget(struct fs_share *s, const struct stream_key *k)
{
	struct stream_owner own;
	int fd;

	if (k->text[0] == '\0' || !stream_here(s))
		return;
	stream_owner_begin(&own, k->uid);
	fd = stream_key_open(s, k, false);
	if (fd >= 0) {
		stream_each(fd, remove_one, NULL);
		close(fd);
		unlinkat(s->streams, k->text, AT_REMOVEDIR);
	}
	stream_owner_end(&own);
}

static int with_key(struct fs_node *n, int (*act)(struct fs_node *n, int dir, const char *arg), const char *arg)
{
	struct stream_key k;
	struct stream_owner own;
	int fd, err;

	if (!stream_key(n, &k))
		return -ENOENT;
	stream_owner_begin(&own, k.uid);
	fd = stream_key_open(n->share, &k, false);
	err = fd < 0 ? fd : act(n, fd, arg);
	if (fd >= 0)
		close(fd);
	if (err == 0)
		unlinkat(n->share->streams, k.text, AT_REMOVEDIR); /* if it is empty by now */
	stream_owner_end(&own);
	return err;
}

static int act_unlink(struct fs_node *n, int dir, const char *arg)
{
	char file[FS_NAME_BYTES + 2];

	(void)arg;
	snprintf(file, sizeof(file), ":%s", n->stream);
	return unlinkat(dir, file, 0) < 0 ? -errno : 0;
}

status_t stream_unlink(struct fs_node *n)
{
	int err;

	if ((n->st.attrs & FS_ATTR_READONLY) && !n->share->p->delete_readonly)
		return ST_CANNOT_DELETE;
	if (!may_do(n, W_OK))
		return ST_ACCESS_DENIED;
	err = with_key(n, act_unlink, NULL);
	if (err == 0)
		n->exists = false;
	return fs_status(FS_LAST, err);
}

static int act_rename(struct fs_node *n, int dir, const char *to)
{
	char old[FS_NAME_BYTES + 2], new[FS_NAME_BYTES + 2];

	snprintf(old, sizeof(old), ":%s", n->stream);
	snprintf(new, sizeof(new), ":%s", to);
	return renameat(dir, old, dir, new) < 0 ? -errno : 0;
}

status_t stream_rename(struct fs_node *from, struct fs_node *to, bool replace)
{
	int err;

	if (!from->stream || !to->stream || from->base_ino != to->base_ino || from->base_dev != to->base_dev)
		return ST_INVALID_PARAMETER;
	if (!from->exists)
		return ST_OBJECT_NAME_NOT_FOUND;
	if (to->exists && to->st.ino != from->st.ino && !replace)
		return ST_OBJECT_NAME_COLLISION;
	if (!may_do(from, W_OK))
		return ST_ACCESS_DENIED;
	err = with_key(from, act_rename, to->stream_asked);
	if (err == 0 && to->exists && to->st.ino != from->st.ino && strcmp(to->stream, to->stream_asked) != 0)
		with_key(to, act_unlink, NULL);
	if (err < 0)
		return fs_status(FS_LAST, err);
	to->st = from->st;
	to->stream = to->stream_asked;
	to->exists = true;
	return ST_OK;
}

struct listing {
	TALLOC_CTX *mem;
	struct fs_share *share;
	struct fs_stream *list;
	size_t n;
	bool full;
};

static bool add_to_list(void *arg, int dir, const char *file)
{
	struct listing *l = arg;
	struct fs_stream *more, *s;
	struct stat st;

	if (stat_stream(dir, file + 1, &st) < 0)
		return true;
	more = l->n < MAX_STREAMS ? talloc_realloc(l->mem, l->list, struct fs_stream, (unsigned)l->n + 1) : NULL;
	l->full = !more;
	if (!more)
		return false;
	l->list = more;
	s = &more[l->n++];
	*s = (struct fs_stream){ .name = talloc_strdup(more, file + 1), .size = (uint64_t)st.st_size };
	s->alloc = stat_alloc(l->share, s->size, (uint64_t)st.st_blocks * 512);
	return s->name != NULL;
}

status_t fs_stream_list(struct fs_node *node, TALLOC_CTX *mem, struct fs_stream **list, size_t *n)
{
	struct listing l = { .mem = mem, .share = node->share };
	struct stream_key k;
	struct stream_owner own;
	int fd, err = 0;

	*list = NULL;
	*n = 0;
	share_scratch_reset(node->share);
	if (!stream_here(node->share) || !stream_key(node, &k))
		return ST_OK;
	stream_owner_begin(&own, k.uid);
	fd = stream_key_open(node->share, &k, false);
	if (fd >= 0) {
		err = stream_each(fd, add_to_list, &l);
		close(fd);
	}
	stream_owner_end(&own);
	*list = l.list;
	*n = l.n;
	return l.full ? ST_NO_MEMORY : fs_status(FS_LAST, err);
}

bool fs_stream_any(struct fs_node *node)
{
	struct stream_key k;
	struct stat st;

	share_scratch_reset(node->share);
	return stream_here(node->share) && stream_key(node, &k) &&
	       fstatat(node->share->streams, k.text, &st, AT_SYMLINK_NOFOLLOW) == 0;
}
