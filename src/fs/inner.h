/* inner.h - what the files of this room tell each other; nobody else includes it.
 *
 * Functions named *_at and beneath_* give errno values (0 or a descriptor when all is well, -errno
 * otherwise); only the calls of fs.h speak in statuses, made by fs_status() with the place in mind. */
#ifndef SMB1D_FS_INNER_H
#define SMB1D_FS_INNER_H
#include "base/log.h"
#include "base/str.h"
#include "base/util.h"
#include "fs/fs.h"
#include <sys/stat.h>

#define FS_NAME_BYTES 255 /* longest component the kernel takes */

/* ---- share.c ---- */
struct fs_patterns {
	char **list; /* talloc children */
	size_t n;
};

struct fs_share {
	int root;         /* the directory; O_PATH if it may not be read */
	char *path;       /* as configured, without trailing '/' */
	char *real;       /* without symbolic links; the same as path if unknown */
	const struct conf_params *p;
	bool posix;       /* names are POSIX's */
	bool blind;       /* names are blind to case (but for FS_LOOKUP_POSIX) */
	bool store;       /* attributes are kept in records (and the disk can hold them) */
	bool aliases;     /* 8.3 aliases exist */
	char mark;        /* of aliases: '~' */
	struct fs_patterns veto, hide, dont_descend;
	struct fs_cache *cache;
	struct fs_tunnel *tunnel; /* aliases used lately; NULL: none */
	uint64_t dev;        /* the disk of the root */
	int streams;         /* store of alternate streams, O_PATH; -1 = none yet */
	uint64_t no_streams; /* clock_ms() of the last look in vain; 0 = never */
	void (*observer)(void *arg, const char *root, const char *path, enum fs_change change, unsigned what);
	void *observer_arg;
	TALLOC_CTX *scratch; /* names turned to the disk's charset; emptied when a call begins */
	bool scratch_used;
};

struct fs_process {
	unsigned prefix;         /* letters of a name an alias keeps */
	bool old_hash;           /* mangling method = hash */
	uint64_t max_disk_bytes; /* 0 = no limit */
};
extern struct fs_process fs_process;

bool stream_is_store(const char *name); /* stream.c */
/* Names no client may see or make: `veto files`, and the store of streams. */
bool share_vetoed(const struct fs_share *s, const char *name);
bool share_hides(const struct fs_share *s, const char *name);
bool share_dont_descend(const struct fs_share *s, const char *path);
TALLOC_CTX *share_scratch(struct fs_share *s);
void share_scratch_empty(struct fs_share *s);
static inline void share_scratch_reset(struct fs_share *s)
{
	if (s->scratch_used)
		share_scratch_empty(s);
}
/* The name as on disk, and back: the same pointer when the disk has UTF-8, else a scratch copy. */
const char *share_disk(struct fs_share *s, const char *utf8);
const char *share_utf8(struct fs_share *s, const char *disk);

/* ---- errno.c ---- */
enum fs_where {
	FS_ON_THE_WAY, /* a folder of the path */
	FS_LAST,       /* the last name */
	FS_TWO_NAMES,  /* rename and link: EXDEV means two file systems */
	FS_DATA,       /* an open descriptor */
};
status_t fs_status(enum fs_where where, int err);

/* ---- beneath.c ---- */
/* `path` in UTF-8 below the share's root ("" = the root).  O_CLOEXEC, O_NOCTTY are added.  With O_NOFOLLOW
 * the last name is not followed (O_PATH|O_NOFOLLOW opens a link itself). */
int beneath_open(struct fs_share *s, const char *path, int flags, mode_t mode);
/* The folder that holds the last name of path, and that name in the disk's charset. */
struct fs_place {
	int dir;
	bool owned;
	const char *last;
};
int place_open(struct fs_share *s, const char *path, struct fs_place *out);
void place_close(struct fs_place *p);
extern bool beneath_by_hand; /* do without openat2: set by the first ENOSYS, or by a test */

/* ---- xattr.c ---- */
/* A file by descriptor (name NULL, O_PATH will do), or by folder and name on disk (a link is not
 * followed). */
struct fs_ref {
	int fd;
	const char *name;
	struct fs_share *share; /* with path: the last way to a file that is only O_PATH; may be NULL */
	const char *path;
};
ssize_t xattr_get(const struct fs_ref *f, const char *attr, void *buf, size_t size);
int xattr_set(const struct fs_ref *f, const char *attr, const void *value, size_t size);
int xattr_remove(const struct fs_ref *f, const char *attr);
ssize_t xattr_list(const struct fs_ref *f, char *buf, size_t size);
/* Calls with a real descriptor of the same file, whatever way leads to it; the callback's -errno or 0. */
int ref_reopen(const struct fs_ref *f, int (*act)(void *arg, int fd), void *arg);
bool ref_have_proc(void);
extern bool xattr_by_hand; /* do without getxattrat and its like */
extern bool xattr_no_proc; /* do without /proc as well */

/* ---- attr.c ---- */
struct fs_stored {
	uint32_t attrs;
	bool known;  /* the file has a record */
	bool create; /* and a creation or change time */
	bool sd;     /* and a security descriptor */
};
void attr_load(const struct fs_ref *f, struct fs_stored *out);
/* Into st->create and st->change what a client has set; st->change as the disk has it goes in. */
void attr_load_times(const struct fs_ref *f, struct fs_stat *st);
/* What a file of this mode has without a record. */
uint32_t attr_unset(uint32_t mode);
/* 0 or -errno; `unset` as attr_unset() says. */
int attr_store(const struct fs_ref *f, uint32_t attrs, uint32_t unset);
int attr_store_create(const struct fs_ref *f, nttime_t create, uint32_t unset);
int attr_store_change(const struct fs_ref *f, nttime_t change, uint32_t unset); /* nothing else may follow */
/* Notes in the record whether the file has a security descriptor. */
int attr_store_sd(const struct fs_ref *f, bool has, uint32_t unset);
/* Bits that live in the mode when there is no record. */
uint32_t attr_from_mode(const struct conf_params *p, uint32_t mode);
mode_t attr_to_mode(const struct conf_params *p, mode_t mode, uint32_t attrs);
bool attr_is_own_xattr(const char *name);

/* ---- stat.c ---- */
#define STAT_NO_ATTRS 1u /* leave the extended attributes alone */
#define STAT_NO_RECORD 2u /* we have just made it: there is none */
/* Of the referenced file; `shown` is the name that dot and hide rules look at. */
int stat_ref(struct fs_share *s, const struct fs_ref *f, const char *shown, unsigned how, struct fs_stat *st);
/* Of a node whose folder is open: follows its link as the node's flags say, and sets through_link and st. */
int stat_node(struct fs_node *n, int dir, unsigned how);
/* Where the link at path leads; an error if nowhere or out of the share. */
int stat_target(struct fs_share *s, const char *path, const char *shown, unsigned how, struct fs_stat *st);
/* What to show as allocated for a file of that size: nothing for an empty one. */
uint64_t stat_alloc(const struct fs_share *s, uint64_t size, uint64_t bytes);
/* HIDDEN, if the name alone asks for it. */
uint32_t stat_name_attrs(const struct fs_share *s, const char *shown);
/* May this identity do it (R_OK, W_OK, X_OK)? */
bool may_access(const struct fs_ref *f, const struct fs_stat *st, int want);

/* A reference to a node's file: the caller's fd, unless that is a stream's; or its folder and name; or, when the node was reached
 * through a link, an O_PATH of the link's end.  node_unref() closes what was opened. */
int node_ref(struct fs_node *n, int fd, struct fs_ref *out);
void node_unref(int fd, struct fs_ref *f);
/* fs_set_attrs() without a word to the observer. */
int node_set_attrs(struct fs_node *n, int fd, uint32_t attrs);
int chmod_ref(const struct fs_ref *f, mode_t mode); /* a link is not followed */
/* With `writers_may` whoever may write the file, too. */
int chmod_ruled(const struct fs_ref *f, const struct fs_stat *st, mode_t mode, bool writers_may);

/* ---- ntacl.c ---- */
/* The descriptor stored for the file, if it still fits its mode; st->has_sd says whether it is worth asking. */
bool ntacl_load(const struct fs_ref *f, const struct fs_stat *st, TALLOC_CTX *mem, struct sd *out);
/* The same for the folder a node lies in. */
bool ntacl_load_parent(struct fs_node *n, TALLOC_CTX *mem, struct sd *out);
/* Does the access list of its folder allow the node to be made? */
bool ntacl_may_add(struct fs_node *n, bool dir);
/* A file or folder was just made: what it was given, or inherits.  -errno; 0 also if that is nothing.  *did: it
 * has a descriptor and perhaps another mode. */
int ntacl_new(struct fs_node *n, const struct fs_ref *f, bool dir, bool *did);

/* ---- ident.c ---- */
/* Who this process is right now, for access lists. */
uint32_t ident_granted(const struct sd *sd);
bool ident_admin(void);
bool ident_has_group(gid_t gid);

/* ---- favour.c ---- */
/* Asks for what the rule allows; fills in what->fd.  0 or -errno. */
int favour_ask(const struct fs_ref *f, struct fs_favour *what);
/* The same where a rule of the share lets whoever may write do it; where it does not, that is a refusal too. */
int favour_ruled(const struct fs_ref *f, struct fs_favour *what, bool writers_may);

/* ---- legal.c, shortname.c, match.c ---- */
bool name_is_utf8(const char *name);
/* May a client see this name as it is, or does it need its alias? */
bool name_needs_alias(const struct fs_share *s, const char *name);
/* Always an alias, also for names that are 8.3. */
void name_alias(const struct fs_share *s, const char *name, char out[64]);
bool name_may_be_alias(const struct fs_share *s, const char *name);
#define MATCH_BLIND 1u /* to case */
#define MATCH_DOS 2u   /* `<` `>` `"` are wildcards, "*.*" matches all */
bool match_name(const char *pattern, const char *name, unsigned how);

/* ---- scan.c ---- */
/* Looks for `want` in a folder blind to case, then as an alias; the name on disk (UTF-8), talloc child of
 * mem. -ENOENT if there is none. */
int scan_folder(struct fs_share *s, int dir, const char *want, TALLOC_CTX *mem, char **found);

/* ---- tunnel.c ---- */
/* The alias has found this name. */
void tunnel_enter(struct fs_share *s, const char *folder, const char *alias, const char *name);
/* The long name a new file should get that a client calls by this alias; NULL: none. */
const char *tunnel_leave(struct fs_share *s, const char *folder, const char *alias);

/* ---- dir.c ---- */
struct linux_dirent64 {
	uint64_t d_ino;
	int64_t d_off;
	unsigned short d_reclen;
	unsigned char d_type;
	char d_name[];
};
/* One raw entry at `at` of a buffer of n bytes; moves at on.  NULL at the end. */
const struct linux_dirent64 *dirent_next(const char *buf, size_t n, size_t *at);
bool dirent_is_dots(const char *name);
#endif
