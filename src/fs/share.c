/* share.c - a connected share: its directory and its rules, made ready for use.
 *
 * Lists such as `veto files` are "/pattern/pattern/" with * and ?; they are cut up once here.  They are blind
 * to case unless the share is case sensitive, and look at one component at a time. */
#include "fs/cache.h"
#include "fs/inner.h"
#include "fs/stream.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct fs_process fs_process = { .prefix = 1 };

void fs_process_rules(const struct conf_globals *g)
{
	fs_process.prefix = g->mangle_prefix < 1 ? 1 : g->mangle_prefix > 6 ? 6 : (unsigned)g->mangle_prefix;
	fs_process.old_hash = g->mangling_method == CONF_MANGLING_METHOD_HASH;
	fs_process.max_disk_bytes = g->max_disk_size > 0 ? (uint64_t)g->max_disk_size << 20 : 0;
}

static void patterns_add(struct fs_share *s, struct fs_patterns *to, const char *text, size_t len)
{
	char **more = talloc_realloc(s, to->list, char *, (unsigned)to->n + 1);

	if (!more)
		return;
	to->list = more;
	more[to->n] = talloc_strndup(more, text, len);
	if (more[to->n])
		to->n++;
}

static void patterns_set(struct fs_share *s, struct fs_patterns *to, const char *text)
{
	TALLOC_FREE(to->list);
	to->n = 0;
	while (*text) {
		size_t len = strcspn(text, "/");

		if (len > 0)
			patterns_add(s, to, text, len);
		text += len + (text[len] == '/');
	}
}

static bool patterns_match(const struct fs_share *s, const struct fs_patterns *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (match_name(p->list[i], name, s->blind ? MATCH_BLIND : 0))
			return true;
	return false;
}

bool share_vetoed(const struct fs_share *s, const char *name)
{
	if (name[0] == '.' && stream_is_store(name))
		return true;
	return s->veto.n > 0 && !dirent_is_dots(name) && patterns_match(s, &s->veto, name);
}

bool fs_path_vetoed(const struct fs_share *s, const char *path)
{
	char one[FS_NAME_BYTES + 1];

	for (size_t n; s->veto.n > 0 && *path; path += n + (path[n] == '/')) {
		n = strcspn(path, "/");
		if (n >= sizeof(one))
			continue;
		memcpy(one, path, n);
		one[n] = '\0';
		if (share_vetoed(s, one))
			return true;
	}
	return false;
}

bool share_hides(const struct fs_share *s, const char *name)
{
	return s->hide.n > 0 && !dirent_is_dots(name) && patterns_match(s, &s->hide, name);
}

/* `dont descend` names folders by their way from the root: "/proc", "./tmp" or "a/b". */
bool share_dont_descend(const struct fs_share *s, const char *path)
{
	for (size_t i = 0; i < s->dont_descend.n; i++)
		if (s->blind ? str_caseeq(s->dont_descend.list[i], path)
			     : strcmp(s->dont_descend.list[i], path) == 0)
			return true;
	return false;
}

static void dont_descend_set(struct fs_share *s, const char *const *list)
{
	TALLOC_FREE(s->dont_descend.list);
	s->dont_descend.n = 0;
	for (; *list; list++) {
		const char *text = *list;

		while (*text == '.' && text[1] == '/')
			text += 2;
		while (*text == '/')
			text++;
		patterns_add(s, &s->dont_descend, text, strlen(text));
	}
}

/* Some disks (vfat, tmpfs before Linux 6.6) have no user attributes at all: said once, at the root. */
static bool disk_keeps_attributes(struct fs_share *s)
{
	struct fs_ref root = { .fd = s->root, .share = s, .path = "" };
	char byte[1];

	return xattr_get(&root, "user.DOSATTRIB", byte, sizeof(byte)) != -EOPNOTSUPP;
}

void fs_share_rules(struct fs_share *share, const struct conf_params *rules)
{
	share->p = rules;
	share->blind = rules->case_sensitive != CONF_CASE_SENSITIVE_YES;
	share->store = rules->store_dos_attributes && disk_keeps_attributes(share);
	if (rules->store_dos_attributes && !share->store)
		log_at(LOG_FS, 2, "%s has no extended attributes: DOS attributes go to the mode bits",
		       share->path);
	share->aliases = rules->mangled_names != CONF_MANGLED_NAMES_NO;
	share->mark = rules->mangling_char[0] > ' ' && rules->mangling_char[0] < 0x7f
			      ? rules->mangling_char[0]
			      : '~';
	patterns_set(share, &share->veto, rules->veto_files);
	patterns_set(share, &share->hide, rules->hide_files);
	dont_descend_set(share, rules->dont_descend);
	fs_cache_reset(share->cache);
}

void share_scratch_empty(struct fs_share *s)
{
	talloc_free_children(s->scratch);
	s->scratch_used = false;
}

TALLOC_CTX *share_scratch(struct fs_share *s)
{
	s->scratch_used = true;
	return s->scratch;
}

const char *share_disk(struct fs_share *s, const char *utf8)
{
	const char *disk = str_to_disk(s->scratch, utf8);

	s->scratch_used = s->scratch_used || disk != utf8;
	return disk;
}

const char *share_utf8(struct fs_share *s, const char *disk)
{
	const char *utf8 = str_from_disk(s->scratch, disk);

	s->scratch_used = s->scratch_used || utf8 != disk;
	return utf8;
}

static int share_destroy(struct fs_share *s)
{
	stream_store_close(s);
	if (s->root >= 0)
		close(s->root);
	return 0;
}

static status_t open_root(struct fs_share *s, const char *path)
{
	struct stat st;

	s->root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->root < 0 && errno == EACCES && faccessat(AT_FDCWD, path, R_OK | X_OK, AT_EACCESS) == 0) {
		/* the file modes would let us: it is the fence around the folders known at login */
		fs_refused.fence++;
		log_error(LOG_FS, "the share's path %s was added, made or mounted after this client had logged in: it has "
			  "to connect anew to see it", path);
		return ST_BAD_NETWORK_NAME;
	}
	if (s->root < 0 && errno == EACCES)
		s->root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (s->root < 0 || faccessat(s->root, ".", X_OK, AT_EACCESS) < 0) {
		log_error(LOG_FS, "the share's path %s cannot be used: %s", path, strerror(errno));
		return ST_BAD_NETWORK_NAME;
	}
	if (fstat(s->root, &st) == 0)
		s->dev = st.st_dev;
	return ST_OK;
}

/* The paths an absolute link may begin with. */
static bool note_paths(struct fs_share *s, const char *path)
{
	char *real = realpath(path, NULL);
	size_t n = strlen(path);

	while (n > 0 && path[n - 1] == '/')
		n--;
	s->path = talloc_strndup(s, path, n);
	s->real = talloc_strdup(s, real && strcmp(real, "/") != 0 ? real : "");
	free(real);
	return s->path && s->real;
}

status_t fs_share_open(TALLOC_CTX *mem, const char *path, const struct conf_params *rules,
		       struct fs_share **out)
{
	struct fs_share *s = talloc_zero(mem, struct fs_share);
	status_t st = ST_NO_MEMORY;

	*out = NULL;
	if (!s)
		return st;
	s->root = s->streams = -1;
	talloc_set_destructor(s, share_destroy);
	s->scratch = talloc_new(s);
	s->cache = fs_cache_new(s);
	if (!s->scratch || !s->cache || !note_paths(s, path))
		goto out;
	st = open_root(s, path);
	if (st != ST_OK)
		goto out;
	fs_share_rules(s, rules);
	*out = s;
	return ST_OK;
out:
	talloc_free(s);
	return st;
}

void fs_share_rest(struct fs_share *share) { fs_cache_rest(share->cache); }

void fs_share_posix(struct fs_share *share) { share->posix = true; }

const char *fs_share_real(const struct fs_share *share) { return *share->real ? share->real : share->path; }

void fs_share_observe(struct fs_share *share,
		      void (*fn)(void *arg, const char *root, const char *path, enum fs_change change, unsigned what),
		      void *arg)
{
	share->observer = fn;
	share->observer_arg = arg;
}

void fs_changed(const struct fs_node *node, enum fs_change change, unsigned what)
{
	const struct fs_share *s = node->share;

	if (s->observer)
		s->observer(s->observer_arg, fs_share_real(s), node->path, change, what);
}

void fs_share_close(struct fs_share **share)
{
	TALLOC_FREE(*share);
}
