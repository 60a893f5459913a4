/* fs.h - the one door to files.  Behind it every path is opened relative to the share's own
 * directory with the kernel's "stay beneath" flag (openat2 RESOLVE_BENEATH), unless the admin
 * allowed `wide links`; without openat2 (old kernel, seccomp) each component is walked by hand
 * with O_NOFOLLOW.  The room knows files, never packets.
 *
 * Names here are UTF-8, '/' between components, no leading '/', "" is the share's root.  They
 * never contain "." or ".." components (the caller has resolved them).
 *
 * Everything runs with the rights of the identity given to fs_become(); nothing switches when
 * the identity is the one already in force.
 *
 * Rules (case, masks, mangling, hidden, veto, attributes) come from the share's conf_params.
 * Errors are statuses chosen with knowledge of the operation: a missing last name, a missing
 * folder on the way and a missing file to open are three different ones. */
#ifndef SMB1D_FS_FS_H
#define SMB1D_FS_FS_H
#include "base/clock.h"
#include "base/ident.h"
#include "base/status.h"
#include "conf/conf.h"
#include "fs/sd.h"
#include <talloc.h>

struct fs_share; /* a connected share: root descriptor, rules, small caches */

/* ---- identity ---- */
/* From now on file access has these rights (effective uid, gid, groups; with admin also
 * CAP_DAC_OVERRIDE, CAP_FOWNER and CAP_CHOWN where we have them).  ST_ACCESS_DENIED if the kernel refuses. */
status_t fs_become(const struct ident *who);
/* The bits new files never get come from the share's masks, not from umask; a file size limit is an
 * error, not a signal.  Call once per process, before the first fs_become(). */
void fs_process_setup(void);
/* What `mangling method`, `mangle prefix` and `max disk size` say; without it: hash2, 1, none. */
void fs_process_rules(const struct conf_globals *g);

/* ---- favours: what a rule of the share allows and the user's own rights do not ---- */
struct fs_favour {
	enum fs_favour_kind { FS_FAVOUR_MODE = 1, FS_FAVOUR_TIMES, FS_FAVOUR_OWNER, FS_FAVOUR_QUOTA } what;
	int fd;                   /* the file, O_PATH will do; QUOTA: the share's own folder */
	int folder;               /* OWNER: the folder it lies in, whose owner it shall get */
	uint32_t mode;            /* MODE */
	struct timespec times[2]; /* TIMES: access and write, as utimensat() takes them */
	uint32_t uid;             /* QUOTA: whose; soft and hard in bytes, 0 none */
	uint64_t soft, hard;
	struct fs_favour_no {     /* why it was refused; with -EPERM only */
		enum fs_favour_reason {
			FS_NO_REASON,  /* the kernel says no, or it is no refusal */
			FS_NO_WRITERS, /* without that rule it is the owner's alone */
			FS_NO_BROKER,  /* nobody to ask, or no answer */
			FS_NO_USER,    /* no account of the system, or root */
			FS_NO_FILE,    /* neither file nor folder, or nobody knows where */
			FS_NO_FOLDER,  /* in no share's folder, as far as that is known without a client */
			FS_NO_RULE,    /* no share that it lies in has a rule for it */
			FS_NO_ENTRY,   /* ... lets this user in, or write */
			FS_NO_WRITE,   /* the user may not write to the file */
			FS_NO_SETID,   /* set-id bits */
			FS_NO_NEW,     /* not a new file of the user's in that folder */
			FS_NO_RIGHT,   /* limits: smb1d itself may not set them */
			FS_NO_REASONS
		} reason;
		char rule[32];         /* the parameter that decided, "" none */
	} no;
};
/* Whom to ask; 0 or -errno, and fills in f->no.  Without, all are refused. */
void fs_process_favours(int (*ask)(void *arg, struct fs_favour *f), void *arg);
/* The last favour that this process was refused (fs_refused counts them). */
const struct fs_favour *fs_favour_last(void);
/* Is the step from one mode to the other one of DOS attributes as the `map ...` options say? */
bool fs_mode_is_attrs(const struct conf_params *p, uint32_t old, uint32_t mode);

/* ---- share ---- */
/* `path` has its macros expanded.  Opens the directory as the current identity.
 * ST_BAD_NETWORK_NAME with a log line if it is missing, no directory or not allowed.  `rules` is kept,
 * not copied: it must live until fs_share_close() or the next fs_share_rules(). */
status_t fs_share_open(TALLOC_CTX *mem, const char *path, const struct conf_params *rules,
		       struct fs_share **out);
void fs_share_close(struct fs_share **share);
/* Nobody asks for the moment: what was remembered to be quick is forgotten. */
void fs_share_rest(struct fs_share *share);
/* New rules after a reload; the root stays. */
void fs_share_rules(struct fs_share *share, const struct conf_params *rules);

/* ---- who wants to hear of changes ---- */
enum fs_change { FS_ADDED = 1, FS_REMOVED, FS_MODIFIED, FS_RENAMED_FROM, FS_RENAMED_TO };
#define FS_WHAT_FILE_NAME 0x001u
#define FS_WHAT_DIR_NAME 0x002u
#define FS_WHAT_ATTRS 0x004u
#define FS_WHAT_SIZE 0x008u
#define FS_WHAT_WRITE_TIME 0x010u
#define FS_WHAT_ACCESS_TIME 0x020u
#define FS_WHAT_CREATE_TIME 0x040u
#define FS_WHAT_EA 0x080u
#define FS_WHAT_SECURITY 0x100u
#define FS_WHAT_STREAM_NAME 0x200u
#define FS_WHAT_STREAM_SIZE 0x400u
#define FS_WHAT_STREAM_WRITE 0x800u
#define FS_WHAT_MOVED 0x1000u /* with FS_REMOVED, FS_ADDED: the same thing, from one folder into another */
/* The share's folder without symbolic links, "" for "/". */
const char *fs_share_real(const struct fs_share *share);
/* From now on names are POSIX's: every look-up has FS_LOOKUP_POSIX, every listing FS_DIR_POSIX. */
void fs_share_posix(struct fs_share *share);
/* Does `veto files` hide a name on this way? */
bool fs_path_vetoed(const struct fs_share *share, const char *path);
/* Is there nothing in this folder but what `veto files` hides? */
bool fs_vetoed_only(struct fs_share *share, const char *path);
/* How often in this process something was refused: who explains a refusal looks whether there was one more. */
struct fs_refused {
	unsigned kernel;       /* by the kernel: EACCES, EPERM */
	unsigned lists;        /* by mode or access list, before the kernel is asked */
	unsigned links_out;    /* a symbolic link led out of its share */
	unsigned links;        /* one was not followed at all */
	unsigned favours;      /* a favour (above) */
	unsigned fence;        /* a share's folder, by the fence around those known at login */
};
extern struct fs_refused fs_refused; /* written by fs alone */
/* From now on fn hears of each change that this process makes by names of this share; `root` is fs_share_real(),
 * `path` is below it, `what` the parts of it that changed.  fn must not use the share. */
void fs_share_observe(struct fs_share *share,
		      void (*fn)(void *arg, const char *root, const char *path, enum fs_change change, unsigned what),
		      void *arg);

/* ---- attributes and times ---- */
#define FS_ATTR_READONLY 0x01u
#define FS_ATTR_HIDDEN 0x02u
#define FS_ATTR_SYSTEM 0x04u
#define FS_ATTR_VOLUME 0x08u
#define FS_ATTR_DIRECTORY 0x10u
#define FS_ATTR_ARCHIVE 0x20u
#define FS_ATTR_NORMAL 0x80u
#define FS_ATTR_TEMPORARY 0x100u
#define FS_ATTR_SPARSE 0x200u
#define FS_ATTR_REPARSE 0x400u
#define FS_ATTR_OFFLINE 0x1000u
#define FS_ATTR_DOS 0x3fu /* those a field of 16 bits may show: above them lie search bits */

struct fs_stat {
	uint64_t dev, ino;
	uint32_t mode, nlink;
	uint32_t uid, gid;
	uint64_t rdev;
	uint64_t size;   /* 0 for directories */
	uint64_t alloc;  /* bytes, rounded up as `allocation roundup size` says; 0 for directories */
	uint32_t attrs;  /* FS_ATTR_*; never 0x80; DIRECTORY set for directories */
	bool has_sd;     /* a security descriptor is stored for it */
	uint64_t disk;   /* bytes it really takes */
	nttime_t born;   /* when the inode was made, whatever clients have set; 0 unknown */
	uint32_t flags;  /* of `chattr`, bits as in FS_IOC_GETFLAGS */
	nttime_t create, access, write, change;
};
static inline bool fs_is_dir(const struct fs_stat *st) { return (st->mode & 0170000u) == 0040000u; }

/* ---- look-up ---- */
struct fs_node {
	struct fs_share *share;
	const char *path;  /* spelled as on disk as far as it exists; the last name as given if it does not */
	const char *name;  /* last component, inside path; "" for the root */
	const char *asked; /* last component as the client spelled it */
	unsigned flags;    /* FS_LOOKUP_* it was looked up with */
	const char *stream;/* NULL: the file itself; else the name of its alternate stream, spelled as stored.  Then path
			    * and name are those of the file, exists and st are the stream's (with the times and
			    * attributes of the file), and: */
	const char *stream_asked; /* as the client spelled it */
	bool base_exists, base_dir; /* the file is there; it is a folder */
	uint64_t base_dev, base_ino;
	bool data_asked;   /* the name ended in "::$DATA" */
	const struct sd *new_sd; /* set by the caller before it makes something here; NULL none */
	bool parent_sd;    /* the folder of what does not exist has a stored descriptor */
	bool exists;
	bool through_link; /* a link was followed: st is that of its end */
	bool vetoed;       /* the name may not be: never exists, cannot be made */
	struct fs_stat st; /* when it exists */
};
#define FS_LOOKUP_POSIX 1u    /* exact case, no 8.3 names, symlink itself when it is the last name */
#define FS_LOOKUP_NO_STAT 2u  /* st not needed: only the parent must exist */
/* A link that leads nowhere or out of the share is shown as itself (S_IFLNK in st.mode): it can be
 * renamed and removed but not opened.
 * ST_OK with exists false when only the last name is missing.  ST_OBJECT_PATH_NOT_FOUND,
 * ST_OBJECT_NAME_INVALID, ST_ACCESS_DENIED, ST_NOT_A_DIRECTORY otherwise.  Vetoed names do not exist.
 * An 8.3 name we listed finds its file.  One open and one stat when the spelling is right. */
status_t fs_lookup(struct fs_share *share, TALLOC_CTX *mem, const char *name, unsigned flags,
		   struct fs_node **out);
/* Fresh st (exists may become false). */
status_t fs_refresh(struct fs_node *node);
/* The path of an open file below the share's root as of now, whoever has renamed it.  The caller looks it up and checks
 * that it is the same file: one without a name any more shows its last, with something behind. */
status_t fs_follow(struct fs_share *share, TALLOC_CTX *mem, int fd, char **path);
status_t fs_fstat(struct fs_share *share, int fd, const char *name, struct fs_stat *st);
/* Of an open node, a stream or not. */
status_t fs_node_fstat(struct fs_node *node, int fd, struct fs_stat *st);

/* ---- open, create ---- */
struct fs_open_want {
	bool read, write, append;
	bool create, exclusive, truncate; /* as O_CREAT, O_EXCL, O_TRUNC */
	bool directory;      /* open the directory itself (never creates: fs_mkdir does) */
	bool attributes_only;/* a handle for stat, rename, delete: works without read permission */
	uint32_t attrs;      /* DOS attributes of a new file; ARCHIVE is added */
	bool posix_mode_set; uint32_t posix_mode; /* exact mode of a new file instead of the masks */
};
/* *fd is close-on-exec and the caller's.  *created says whether we made it.  A read-only DOS attribute
 * refuses writing with ST_ACCESS_DENIED.  node->st and exists are refreshed from the new descriptor. FIFOs,
 * sockets and devices are never opened for data (ST_ACCESS_DENIED), and never waited for. */
status_t fs_open(struct fs_node *node, const struct fs_open_want *w, int *fd, bool *created);
void fs_close(int *fd);

/* ---- data (retries short and interrupted calls; short only at end of file / full disk) ---- */
status_t fs_read(int fd, uint64_t off, void *buf, uint32_t want, uint32_t *got);
status_t fs_write(int fd, uint64_t off, const void *buf, uint32_t len, uint32_t *done);
status_t fs_data_status(int err); /* of a write by other means that has failed with this errno */
status_t fs_truncate(int fd, uint64_t size);
/* The file will reach to `end`: ST_DISK_FULL if disk or quota have no room for what is added.  With `strict allocate` the
 * blocks are reserved, the size stays. */
status_t fs_reserve(struct fs_share *share, int fd, uint64_t end);
/* Below the end cuts.  Above, the size stays: `strict allocate` reserves the blocks, otherwise ST_DISK_FULL
 * is said early if they are not there. */
status_t fs_allocate(struct fs_share *share, int fd, uint64_t size);
/* Zeroes from .. to (behind the last), which must lie in the file; gives their blocks back but with `strict allocate`.
 * ST_NOT_SUPPORTED: a long range on a file system that cannot. */
status_t fs_zero(struct fs_share *share, int fd, uint64_t from, uint64_t to);
struct fs_range { uint64_t off, len; };
/* The first bytes between `from` and `to` that have blocks; len 0: none. */
status_t fs_next_data(int fd, uint64_t from, uint64_t to, struct fs_range *out);
status_t fs_sync(int fd);
/* How it will be read, so that the kernel reads ahead more, or not at all. */
enum fs_pattern { FS_SEQUENTIAL, FS_RANDOM };
void fs_advise(int fd, enum fs_pattern p);
status_t fs_sync_data(int fd); /* data and what is needed to read them again */
status_t fs_size(int fd, uint64_t *size);
status_t fs_write_time(int fd, nttime_t *t, nttime_t *change);
/* Shows byte locks of an open file to local programs and NFS: bytes first..last (beyond 63 bits: not shown).  A new type
 * replaces the old one.  False: a local program holds a lock that forbids it.  True also where the file system
 * or the descriptor knows no locks. */
enum fs_lock_type { FS_LOCK_NONE, FS_LOCK_SHARED, FS_LOCK_EXCLUSIVE };
bool fs_lock(int fd, enum fs_lock_type type, uint64_t first, uint64_t last);
/* The lock of somebody else that would forbid this one; pid -1 where the kernel names none.  False: nobody's. */
struct fs_lock_found { bool exclusive; int64_t pid; uint64_t first, last; };
bool fs_lock_query(int fd, bool exclusive, uint64_t first, uint64_t last, struct fs_lock_found *found);
/* A lease of the whole file: when a local program opens it this process gets the signal, and the program waits until the
 * lease is ended (or the kernel's /proc/sys/fs/lease-break-time is over).  False: not alone with the file, not its
 * owner, or the file system knows none. */
bool fs_lease(int fd, int sig);
bool fs_lease_kept(int fd); /* false: somebody waits for its end */
void fs_lease_end(int fd);
/* Copies len bytes between two open files, sharing blocks where the file system can; *done counts them, less
 * than len only at the source's end or with an error. */
status_t fs_copy_data(int from, uint64_t off, int to, uint64_t to_off, uint64_t len, uint64_t *done);

/* ---- name operations ---- */
status_t fs_mkdir(struct fs_node *node, uint32_t attrs, bool posix_mode_set, uint32_t posix_mode);
status_t fs_unlink(struct fs_node *node);   /* not directories */
status_t
fs_rmdir(struct fs_node *node); /* ST_DIRECTORY_NOT_EMPTY; vetoed content goes if `delete veto files` */
status_t fs_rename(struct fs_node *from, struct fs_node *to, bool replace);
status_t fs_link(struct fs_node *from, struct fs_node *to);
/* Is it empty as the client sees it? */
status_t fs_dir_empty(struct fs_node *node);

/* ---- set ---- */
/* A time of 0 stays.  With `create` or `change` and no place to keep it (store dos attributes off) it is ignored.
 * `change` shows until something changes the file. */
struct fs_times { nttime_t create, access, write, change; };
status_t fs_set_times(struct fs_node *node, int fd, const struct fs_times *t); /* fd or -1 */
/* A regular file whose attributes were never set has ARCHIVE (it has not been backed up). */
status_t fs_set_attrs(struct fs_node *node, int fd, uint32_t attrs); /* DIRECTORY and NORMAL ignored */
status_t fs_chmod(struct fs_node *node, int fd, uint32_t mode);

/* (uint32_t)-1 leaves one of them alone.  A link itself, never its end. */
status_t fs_chown(struct fs_node *node, int fd, uint32_t uid, uint32_t gid);

/* ---- what only Unix has (unix.c) ---- */
/* `target` may be any text: whether it is followed is decided when somebody does (`follow symlinks`, `wide links`). */
status_t fs_symlink(struct fs_node *node, const char *target);
/* ST_INVALID_PARAMETER if it is no link. */
status_t fs_readlink(struct fs_node *node, TALLOC_CTX *mem, char **target);
/* A FIFO, socket or device; type and mode as in st_mode.  Devices need a right that only administrators may have. */
status_t fs_mknod(struct fs_node *node, uint32_t mode, uint64_t rdev);
struct fs_acl_entry {
	uint8_t tag;  /* FS_ACL_* */
	uint8_t perm; /* 4 read 2 write 1 execute */
	uint32_t id;  /* of a named user or group; else 0xffffffff */
};
enum { FS_ACL_OWNER = 1, FS_ACL_USER = 2, FS_ACL_OWNING_GROUP = 4, FS_ACL_GROUP = 8, FS_ACL_MASK = 0x10, FS_ACL_OTHER = 0x20 };
/* The POSIX access list, or that for new things in a folder.  Without one: the three entries of the mode; none. */
status_t fs_acl_get(struct fs_node *node, int fd, bool dflt, TALLOC_CTX *mem, struct fs_acl_entry **list, size_t *n);
/* No entries: none from now on. */
status_t fs_acl_set(struct fs_node *node, int fd, bool dflt, const struct fs_acl_entry *list, size_t n);
/* The form it has in the extended attribute; pure.  False if it does not fit, or is malformed. */
bool fs_acl_pack(struct wr *w, const struct fs_acl_entry *list, size_t n);
bool fs_acl_unpack(TALLOC_CTX *mem, struct rd *r, struct fs_acl_entry **list, size_t *n);

/* What could this identity do: the access mask (MS-DTYP bits) that mode, ACL and attributes allow. */
uint32_t fs_access_max(struct fs_node *node);
/* The bits of `want` that it may not do.  Without a stored descriptor only those that no later call would refuse. */
uint32_t fs_access_lacks(struct fs_node *node, uint32_t want);

/* ---- security descriptors ----
 * Stored exactly, and mapped to mode and POSIX ACL; a later chmod by a local program makes the stored one void.
 * Without one, it is made of mode and POSIX ACL. */
status_t fs_sd_get(struct fs_node *node, TALLOC_CTX *mem, struct sd *out);
/* Takes over the parts of sd.  ST_INVALID_OWNER, ST_ACCESS_DENIED ... */
status_t fs_sd_set(struct fs_node *node, const struct sd *sd, uint32_t parts);

/* ---- listing ---- */
struct fs_dir;
struct fs_entry {
	const char *name;      /* as the client may see it (UTF-8), valid until the next call */
	const char *short_name;/* 8.3 alias in upper case, "" if the name itself is 8.3; only if asked for */
	struct fs_stat st;     /* only if asked for */
	uint64_t cookie; /* pass to fs_dir_seek to go on behind this entry; counts up from 1, so 32 bits will
			    do */
};
#define FS_DIR_STAT 1u
#define FS_DIR_SHORT 2u
#define FS_DIR_POSIX 4u
/* "." and ".." first, then the rest without vetoed and unreadable-by-rule names; entries that vanish are
 * skipped. */
status_t fs_dir_open(TALLOC_CTX *mem, struct fs_node *node, unsigned flags, struct fs_dir **out);
/* ST_OK, or ST_NO_MORE_FILES.  `match` (may be NULL) is asked with long and short name before any stat. */
status_t fs_dir_next(struct fs_dir *d, bool (*match)(void *arg, const char *name, const char *short_name),
		     void *arg, struct fs_entry *e);
/* 0 = from the start, read anew. */
status_t fs_dir_seek(struct fs_dir *d, uint64_t cookie);
void fs_dir_close(struct fs_dir **d);

/* ---- names ---- */
/* DOS and NT wildcards on names, blind to case unless exact: `*` `?` and the forms `<` `>` `"`. */
bool fs_match(const char *pattern, const char *name, bool exact);
bool fs_has_wildcard(const char *name); /* names of streams may have anything */
/* The 8.3 alias of a name, "" if the name is 8.3 already or `mangled names = no`.  At most 12 bytes of
 * ASCII. */
void fs_short_name(const struct fs_share *share, const char *name, char out[64]);
bool fs_is_83(const char *name); /* blind to case; characters must be in the dos charset */
/* Legal in a long name on Windows; and: a reserved device name (CON, NUL, LPT1.TXT ...). */
bool fs_name_legal(const char *name);
bool fs_name_reserved(const char *name);

/* ---- alternate streams ----
 * Named like `folder/file:stream` or `...:stream:$DATA`; fs_lookup() gives a node that all other calls take.  A
 * stream made for a file that does not exist makes the file too.  They live in a hidden store below the share's
 * root, go with the last link of their file, and are lost when it is overwritten.  See stream.c. */
struct fs_stream { const char *name; uint64_t size, alloc; };
/* Without the file's own data; talloc children of mem. */
status_t fs_stream_list(struct fs_node *node, TALLOC_CTX *mem, struct fs_stream **list, size_t *n);
bool fs_stream_any(struct fs_node *node);

/* ---- space ---- */
struct fs_space {
	uint64_t total, avail, unit; /* bytes; unit = bytes per cluster */
	uint64_t files, files_free;
};
status_t fs_space(struct fs_share *share, struct fs_space *out);
/* Somebody else's word about size and room counts, within `max disk size`. */
void fs_space_said(struct fs_space *s, uint64_t total, uint64_t avail);

/* Tells the observer of what was changed through a descriptor, whose name this room does not know. */
void fs_changed(const struct fs_node *node, enum fs_change change, unsigned what);

struct fs_quota {
	uint64_t used, soft, hard; /* bytes; a limit of 0 is none */
};
/* ST_NOT_SUPPORTED: the file system keeps none.  ST_ACCESS_DENIED: of somebody else. */
status_t fs_quota(struct fs_share *share, uint32_t uid, struct fs_quota *out);
/* Sets the limits (`used` does not count), for who is named in `admin users`: ST_ACCESS_DENIED for others, or where smb1d runs
 * without the right. */
status_t fs_quota_set(struct fs_share *share, uint32_t uid, const struct fs_quota *q);

/* ---- extended attributes: user.* but for those that we and other servers keep there ---- */
struct fs_ea { const char *name; const uint8_t *value; uint32_t len; };
status_t fs_ea_list(struct fs_node *node, TALLOC_CTX *mem, struct fs_ea **list, size_t *n);
/* Bytes they take in an OS/2 list, without the four of its length; 0 = none.  Reads no values. */
uint32_t fs_ea_size(struct fs_node *node);
status_t fs_ea_set(struct fs_node *node, const char *name, const uint8_t *value,
		   uint32_t len); /* len 0 deletes */
#endif
