/* fs_play.h - a folder to play in, and share rules as an empty smb.conf gives them. */
#ifndef SMB1D_TESTS_FS_PLAY_H
#define SMB1D_TESTS_FS_PLAY_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include "base/str.h"
#include "base/util.h"
#include "fs/fs.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct play {
	char dir[256]; /* holds share/ and outside/ */
	char root[300];
	struct conf_params p;
	struct fs_share *share;
	TALLOC_CTX *mem;
};

static const char *const no_list[] = { NULL };

static inline struct conf_params play_rules(void)
{
	struct conf_params p = {
		.case_sensitive = CONF_CASE_SENSITIVE_AUTO, .mangled_names = CONF_MANGLED_NAMES_ILLEGAL,
		.mangling_char = "~", .create_mask = 0744, .directory_mask = 0755, .map_archive = true,
		.store_dos_attributes = true, .ea_support = true, .hide_dot_files = true, .hide_files = "",
		.veto_files = "", .follow_symlinks = true, .dos_filetimes = true, .block_size = 1024,
		.preserve_case = true, .short_preserve_case = true, .default_case = CONF_DEFAULT_CASE_LOWER,
		.dont_descend = no_list, .map_readonly = CONF_MAP_READONLY_NO,
		.smb1d_streams = true, .nt_acl_support = true,
	};

	return p;
}

static inline void play_open(struct play *y)
{
	const char *why;

	assert_true(str_setup("CP850", "UTF-8", &why));
	fs_process_setup();
	snprintf(y->dir, sizeof(y->dir), "%s/smb1d-fs-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	assert_non_null(mkdtemp(y->dir));
	assert_int_equal(chmod(y->dir, 0755), 0);
	snprintf(y->root, sizeof(y->root), "%s/share", y->dir);
	assert_int_equal(mkdir(y->root, 0777), 0);
	y->p = play_rules();
	y->mem = talloc_new(NULL);
	assert_int_equal(fs_share_open(y->mem, y->root, &y->p, &y->share), ST_OK);
}

static inline int play_rm(const char *path, const struct stat *st, int type, struct FTW *w)
{
	(void)st;
	(void)type;
	(void)w;
	return remove(path);
}

static inline void play_close(struct play *y)
{
	talloc_free(y->mem);
	nftw(y->dir, play_rm, 16, FTW_DEPTH | FTW_PHYS);
}

/* Set-up and end of a test that gets the folder as its state. */
static inline int play_begin(void **state)
{
	struct play *y = calloc(1, sizeof(*y));

	assert_non_null(y);
	play_open(y);
	*state = y;
	return 0;
}

static inline int play_end(void **state)
{
	play_close(*state);
	free(*state);
	return 0;
}

static inline void play_rules_changed(struct play *y)
{
	fs_share_rules(y->share, &y->p);
}

/* "share/a" below the play folder. */
static inline const char *play_path(struct play *y, const char *rel)
{
	return talloc_asprintf(y->mem, "%s/%s", y->dir, rel);
}

static inline void play_file(struct play *y, const char *rel, const char *text)
{
	int fd = open(play_path(y, rel), O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static inline void play_dir(struct play *y, const char *rel)
{
	assert_int_equal(mkdir(play_path(y, rel), 0755), 0);
}

static inline void play_link(struct play *y, const char *to, const char *rel)
{
	assert_int_equal(symlink(to, play_path(y, rel)), 0);
}

static inline bool play_exists(struct play *y, const char *rel)
{
	struct stat st;

	return lstat(play_path(y, rel), &st) == 0;
}

static inline mode_t play_mode(struct play *y, const char *rel)
{
	struct stat st;

	assert_int_equal(lstat(play_path(y, rel), &st), 0);
	return st.st_mode & 07777;
}

static inline status_t look_how(struct play *y, const char *name, unsigned flags, struct fs_node **n)
{
	return fs_lookup(y->share, y->mem, name, flags, n);
}

/* A node that may or may not exist. */
static inline struct fs_node *look(struct play *y, const char *name)
{
	struct fs_node *n;

	assert_int_equal(look_how(y, name, 0, &n), ST_OK);
	return n;
}

static inline struct fs_node *there(struct play *y, const char *name)
{
	struct fs_node *n = look(y, name);

	if (!n->exists)
		fail_msg("%s is not there", name);
	return n;
}

static inline status_t look_status(struct play *y, const char *name)
{
	struct fs_node *n;

	return look_how(y, name, 0, &n);
}

static inline status_t make_file(struct play *y, const char *name, uint32_t attrs)
{
	struct fs_open_want w = {
		.read = true, .write = true, .create = true, .exclusive = true, .attrs = attrs
	};
	bool created;
	status_t st;
	int fd;

	st = fs_open(look(y, name), &w, &fd, &created);
	if (st == ST_OK)
		assert_true(created);
	fs_close(&fd);
	return st;
}

static inline bool play_keeps_xattrs(struct play *y)
{
	return make_file(y, "xattr-probe", FS_ATTR_HIDDEN) == ST_OK &&
	       (there(y, "xattr-probe")->st.attrs & FS_ATTR_HIDDEN) &&
	       fs_unlink(there(y, "xattr-probe")) == ST_OK;
}

/* All names of a listing in a space-separated string, in the order of the folder; dots left out. */
static inline char *list_all(struct play *y, const char *name, unsigned flags)
{
	struct fs_dir *d;
	struct fs_entry e;
	char *all = talloc_strdup(y->mem, "");
	status_t st = fs_dir_open(y->mem, there(y, name), flags, &d);

	if (st != ST_OK)
		return talloc_strdup(y->mem, status_name(st));
	while ((st = fs_dir_next(d, NULL, NULL, &e)) == ST_OK)
		if (strcmp(e.name, ".") != 0 && strcmp(e.name, "..") != 0)
			all = talloc_asprintf_append(all, "%s%s", *all ? " " : "", e.name);
	assert_int_equal(st, ST_NO_MORE_FILES);
	fs_dir_close(&d);
	return all;
}
#endif
