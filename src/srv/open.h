/* open.h - open files, folders and pipes; and the one walk that every open-like command takes:
 *
 *   translate the request into an open_want (the command does that)
 *   -> look up the name -> decide from disposition and existence -> share mode in one database step
 *   -> create, open or truncate -> fill the result
 */
#ifndef SMB1D_SRV_OPEN_H
#define SMB1D_SRV_OPEN_H
#include "rpc/rpc.h"
#include "srv/req.h"

/* NT access bits, MS-DTYP 2.4.3 */
#define ACC_READ_DATA 0x1u
#define ACC_WRITE_DATA 0x2u
#define ACC_APPEND 0x4u
#define ACC_READ_EA 0x8u
#define ACC_WRITE_EA 0x10u
#define ACC_EXECUTE 0x20u
#define ACC_DELETE_CHILD 0x40u
#define ACC_READ_ATTR 0x80u
#define ACC_WRITE_ATTR 0x100u
#define ACC_DELETE 0x10000u
#define ACC_READ_CONTROL 0x20000u
#define ACC_WRITE_DAC 0x40000u
#define ACC_WRITE_OWNER 0x80000u
#define ACC_SYNCHRONIZE 0x100000u
#define ACC_SYSTEM_SECURITY 0x1000000u
#define ACC_MAXIMUM_ALLOWED 0x2000000u
#define ACC_GENERIC_ALL 0x10000000u
#define ACC_GENERIC_EXECUTE 0x20000000u
#define ACC_GENERIC_WRITE 0x40000000u
#define ACC_GENERIC_READ 0x80000000u
#define ACC_FILE_READ 0x120089u
#define ACC_FILE_WRITE 0x120116u
#define ACC_FILE_EXECUTE 0x1200a0u
#define ACC_FILE_ALL 0x1f01ffu

#define SHARE_READ 1u
#define SHARE_WRITE 2u
#define SHARE_DELETE 4u

enum { DISP_SUPERSEDE, DISP_OPEN, DISP_CREATE, DISP_OPEN_IF, DISP_OVERWRITE, DISP_OVERWRITE_IF };
enum { ACTION_SUPERSEDED, ACTION_OPENED, ACTION_CREATED, ACTION_OVERWRITTEN };

#define OPT_DIRECTORY 0x1u
#define OPT_WRITE_THROUGH 0x2u
#define OPT_SEQUENTIAL 0x4u
#define OPT_NON_DIRECTORY 0x40u
#define OPT_RANDOM_ACCESS 0x800u
#define OPT_DELETE_ON_CLOSE 0x1000u
#define OPT_BY_FILE_ID 0x2000u
#define OPT_REPARSE_POINT 0x200000u

struct open_want {
	const char *name;        /* as req_path() gave it */
	uint32_t access;         /* NT mask, generic bits allowed */
	uint32_t share, disposition, options, attrs;
	uint64_t alloc;
	const struct sd *sd;     /* of a new file or folder; NULL: as its folder says */
	uint8_t oplock;          /* wanted: 0 none, 1 exclusive, 2 batch */
	uint32_t db_flags;       /* DB_OPEN_DENY_DOS, DB_OPEN_FCB */
	bool keeps_oplocks;      /* nobody's data are touched: sharing is tested, oplocks stay (rename by path) */
	bool posix;              /* an open of the UNIX extensions: names and modes are POSIX's */
	bool mode_set;           /* of a new file or folder: exactly this mode */
	uint32_t mode;
	bool search_attrs_matter;/* core OPEN: hidden and system files only if search_attrs names them */
	uint16_t search_attrs;
};

/* What an open file knows of byte-range locks (srv/lock.c). */
struct open_locks {
	struct held_lock *held;  /* its own */
	uint32_t n;
	uint32_t waiting;        /* requests that have a wish in the database */
	bool none;               /* nobody had a lock of the file when the database had this number */
	uint32_t none_seq;
	struct held_lock *advisory; /* those of the UNIX extensions that local programs see as this one's */
	uint32_t nadvisory;
	bool posix;              /* advisory ones were taken through it (srv/posix_lock.c) */
	bool failed;             /* the last lock that was refused began here: */
	uint64_t failed_start;
};

/* srv/oplock.h */
struct oplock_state {
	uint8_t level;           /* held: 0 none, 1 exclusive, 2 batch, 3 level II */
	uint8_t to;              /* of a break under way: 0 or 3 */
	bool breaking, sent, resent;
	bool lease;              /* local programs break it (srv/lease.h) */
	uint64_t since;          /* clock_ms(): break wanted; later, break sent */
	uint32_t grants_seen;    /* db_share_grants() when this handle last saw that nobody has level II */
};

struct notify;

struct open {
	struct conn *c;
	struct tree *t;
	uint16_t fid, uid;
	uint32_t pid;            /* the client's process, for PROCESS_EXIT */
	enum open_kind { OPEN_FILE, OPEN_DIR, OPEN_PIPE } kind;
	int fd;                  /* -1 for pipes and attribute-only opens of odd things */
	struct fs_node *node;    /* path on disk; st as of the open */
	struct db_file_id id;
	uint64_t open_id;        /* in the share-mode database */
	uint32_t access, share, options;
	uint64_t pos;            /* position information: moved by reads */
	uint64_t seek_pos;       /* SEEK: moved by reads and writes; NT servers keep the two apart */
	struct oplock_state oplock;
	bool read_told;          /* the audit log knows of the first read */
	bool written;            /* somebody changed data through this FID */
	bool owed;               /* write-through data that FLUSH or close will bring to the disk (srv/durable.h) */
	uint64_t alloc;          /* what the client asked to be set aside beyond the end; 0 nothing */
	bool write_seen;         /* the first write was announced (srv/wtime.h) */
	nttime_t held_time;      /* write time and its due as the share mode had them at the open */
	uint64_t held_due;       /* (srv/wtime.h) */
	bool delete_on_close;    /* asked at open */
	nttime_t close_write_time; /* sticky write time to set at close, 0 none */
	struct spool_job *job;   /* on a printer share */
	status_t *late;          /* what became of a raw write that was not waited for; told by the next command */
	struct rpc_pipe *pipe;
	uint16_t pipe_state;
	struct open_locks lk;
	struct notify *notify;   /* srv/notify.h; NULL: nobody watches this folder through this handle */
};

struct open_result {
	uint32_t action;
	uint8_t oplock;          /* granted */
	struct fs_stat st;
};

status_t open_file(struct req *q, const struct open_want *w, struct open **out, struct open_result *res);
status_t open_pipe(struct req *q, const char *name, uint32_t access, struct open **out);
/* On a printer share: a new job, whatever the name (srv/spool.c). */
status_t spool_open(struct req *q, const char *name, struct open **out, struct open_result *r);
/* Frees the FID, the share mode, and deletes the name if this was the last and it is doomed.  write_time 0 = leave. */
status_t open_close(struct open **o, nttime_t write_time);
struct open *open_find(const struct conn *c, uint16_t fid);
/* All of a tree, a session, or a client process (of one user). */
void open_close_tree(struct conn *c, const struct tree *t);
void open_close_uid(struct conn *c, uint16_t uid);
void open_close_pid(struct conn *c, uint32_t pid, uint16_t uid);

/* Access checks for data: ST_OK, ACCESS_DENIED, INVALID_DEVICE_REQUEST (folder) ... */
status_t open_may_read(const struct req *q, struct open *o, uint64_t off, uint64_t len);
status_t open_may_write(const struct req *q, struct open *o, uint64_t off, uint64_t len);
/* May the file reach to there?  ST_OK, DISK_FULL. */
status_t open_room(const struct req *q, struct open *o, uint64_t end);
/* Current stat by descriptor (or name for attribute-only handles); delete pending too. */
status_t open_stat(struct open *o, struct fs_stat *st, bool *delete_pending);
/* A pipe looks like a file of one page without content and without times (as NT shows it). */
struct fs_stat open_pipe_stat(const struct open *o);
/* Delete-on-close by disposition: checks DELETE access, read-only, emptiness. */
status_t open_set_delete(struct open *o, bool on);
/* Rename of the object behind a handle, or of a path nobody has open against it. */
status_t open_rename(struct req *q, struct open *o, const char *new_name, bool replace);
/* For commands that work on names: is anybody's open in the way of deleting (free) or renaming it (movable)?  ST_OK,
 * SHARING_VIOLATION, DELETE_PENDING; ST_PENDING: parked until a batch oplock has fallen, the command runs again. */
status_t open_name_free(struct req *q, struct fs_node *node);
status_t open_name_movable(struct req *q, struct fs_node *node);
/* It was renamed: our handles and the database learn the name.  (Other workers find out: open_follow.) */
void open_renamed(struct req *q, const struct fs_node *from, const struct fs_node *to);
/* Makes o->node right again if the thing was renamed by another worker or beside us.  ST_OBJECT_NAME_NOT_FOUND: it has no
 * name any more. */
status_t open_follow(struct open *o);
/* The extended replies' "file status": 1 no EAs, 2 no alternate streams, 4 no reparse point. */
uint16_t open_status_flags(const struct open *o);
/* Sets the size through a handle or name. */
status_t open_truncate(struct req *q, struct open *o, uint64_t size);

/* ---- searches (srv/search.c) ---- */
struct search {
	struct conn *c;
	struct tree *t;
	uint16_t sid, uid;
	uint32_t pid;
	const char *folder;      /* path of the folder, as in the request */
	struct fs_node *node;    /* the folder; in an exact search the thing itself */
	struct fs_dir *dir;      /* NULL in an exact search */
	unsigned flags;          /* FS_DIR_* it was opened with */
	const char *pattern;     /* last component of the request */
	uint16_t attrs;          /* search attributes: inclusive low byte, "must have" high byte */
	bool exact;              /* no wildcard: at most one entry */
	bool have;               /* `entry` is the one found last */
	bool held;               /* it did not fit last time and comes first next time */
	struct fs_entry entry;
	char alias[64];          /* short name of an exact search */
	uint64_t last_cookie;    /* of the entry before `entry`; 0 none */
	char *last_name;         /* NULL none */
	bool done;
	bool core;               /* of SEARCH and FIND: `slot` is its byte in resume keys */
	uint8_t slot, turn;      /* turn: tells it from the one that had the byte before */
	const char *pattern_asked; /* as the client wrote it */
	uint64_t used;           /* number of the request that used it last */
};
/* Looks up the folder of `name` (as req_path gave it) and starts.  ST_NO_SUCH_FILE only from search_next. */
status_t search_new(struct req *q, const char *name, uint16_t attrs, unsigned fs_flags, struct search **out);
/* The next entry that matches pattern and attributes, or ST_NO_MORE_FILES. */
status_t search_next(struct search *s, const struct fs_entry **e);
/* The entry just given did not fit: give it again. */
void search_hold(struct search *s);
/* From now on entries have these as well (another level asks for more than the first did). */
status_t search_widen(struct search *s, unsigned fs_flags);
/* Go on behind this name (FIND_NEXT2 with a resume name); an unknown name leaves the position. */
void search_after_name(struct search *s, const char *name);
void search_after_cookie(struct search *s, uint64_t cookie);
struct search *search_find(const struct req *q, uint16_t sid);
void search_free(struct search **s);
void search_free_tree(struct conn *c, const struct tree *t);
void search_free_uid(struct conn *c, uint16_t uid);
#endif
