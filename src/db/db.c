/* db.c - the tdb files: open, reopen after fork, lock, fetch, store, copy.
 *
 *   no file ------------------------> made, empty
 *   file nobody uses, sound --------> emptied (its owners are all dead)
 *   file nobody uses, damaged ------> moved to .bad, made anew
 *   file in use, sound -------------> joined: workers outlive a listener that was killed
 *   file in use, damaged -----------> moved to .bad, made anew; those workers keep the old one
 *
 * "In use" is what TDB_CLEAR_IF_FIRST calls active: a file lock that each user holds for as long as
 * it lives.  Each worker takes its own after fork (tdb_reopen), since its parent may die first.
 *
 * POSIX file locks vanish when any descriptor of the file is closed by the process, so all peeping
 * is done before tdb_open(), and a directory is opened once per process. */
#include "base/log.h"
#include "base/util.h"
#include "db/internal.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* With mutexes a chain costs 40 bytes of file, touched when used. */
static const struct { const char *name; int hash_size, tdb_flags; } files[DB_FILES] = {
	[DB_OPENS] = { "smb1d-opens.tdb", 4099, 0 },
	[DB_SESSIONS] = { "smb1d-sessions.tdb", 257, 0 },
	[DB_TREES] = { "smb1d-trees.tdb", 257, 0 },
	[DB_LOCKS] = { "smb1d-brlock.tdb", 4099, TDB_SEQNUM },
	[DB_WATCHES] = { "smb1d-notify.tdb", 257, TDB_SEQNUM },
};

static char why_text[512];

static const char *because(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static const char *because(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why_text, sizeof(why_text), fmt, ap);
	va_end(ap);
	return why_text;
}

/* ---- log ---- */

static void log_tdb(struct tdb_context *tdb, enum tdb_debug_level level, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void log_tdb(struct tdb_context *tdb, enum tdb_debug_level level, const char *fmt, ...)
{
	static const int ours[] = { [TDB_DEBUG_FATAL] = 0, [TDB_DEBUG_ERROR] = 1, [TDB_DEBUG_WARNING] = 3,
				    [TDB_DEBUG_TRACE] = 10 };
	int lvl = (unsigned)level < ARRAY_LEN(ours) ? ours[level] : 1;
	/* a trial says nothing by itself: who tries knows what a failure means */
	bool trial = tdb_get_logging_private(tdb) != NULL;
	char text[300];
	size_t n;
	va_list ap;

	if (trial && lvl < 5)
		lvl = 5;
	if (!log_on(LOG_TDB, lvl))
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	n = strlen(text);
	if (n > 0 && text[n - 1] == '\n')
		text[n - 1] = '\0';
	log_write(LOG_TDB, lvl, "%s: %s", tdb_name(tdb), text);
}

void db_rec_damaged(enum db_which which, const char *what)
{
	log_error(LOG_TDB, "%s: a damaged record (%s) was dropped", files[which].name, what);
}

/* ---- open ---- */

static struct tdb_context *tdb_try(const char *path, enum db_which which, int tdb_flags, int open_flags)
{
	struct tdb_logging_context log = { log_tdb, why_text };

	errno = 0;
	return tdb_open_ex(path, files[which].hash_size, tdb_flags, open_flags, 0600, &log, NULL);
}

static struct tdb_context *tdb_join(const char *path, enum db_which which, int open_flags)
{
	int flags = TDB_CLEAR_IF_FIRST | TDB_INCOMPATIBLE_HASH | TDB_VOLATILE | files[which].tdb_flags;

	if (tdb_runtime_check_for_robust_mutexes())
		flags |= TDB_MUTEX_LOCKING;
	return tdb_try(path, which, flags, open_flags);
}

/* A look from outside, without locks; only for a file nobody uses. */
static bool sound_at_rest(const char *path, enum db_which which)
{
	struct tdb_context *tdb = tdb_try(path, which, TDB_NOLOCK | TDB_NOMMAP, O_RDONLY);
	bool sound;

	if (!tdb)
		return errno != EIO && errno != EINVAL;
	sound = tdb_check(tdb, NULL, NULL) == 0;
	tdb_close(tdb);
	return sound;
}

/* Does some process hold a lock of the file?  All users of it do. */
static bool in_use(int fd)
{
	struct flock fl = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return fcntl(fd, F_GETLK, &fl) != 0 || fl.l_type != F_UNLCK;
}

static bool move_aside(const char *path, const char **why)
{
	char bad[4200];

	snprintf(bad, sizeof(bad), "%s.bad", path);
	if (rename(path, bad) != 0) {
		*why = because("%s is damaged and cannot be moved aside: %s", path, strerror(errno));
		return false;
	}
	log_error(LOG_TDB, "%s was damaged: moved to %s and made anew", path, bad);
	return true;
}

/* -1: there is none; 0: nobody uses it; 1: in use; -2: failed. */
static int look_at(const char *path, off_t *size, const char **why)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	int got;

	if (fd < 0 && errno == ENOENT)
		return -1;
	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		*why = because("cannot open the database %s: %s", path,
			       fd < 0 ? strerror(errno) : "not a regular file");
		if (fd >= 0)
			close(fd);
		return -2;
	}
	*size = st.st_size;
	got = in_use(fd);
	close(fd);
	return got;
}

/* Records of the dead may be half written, so a file in use passes if each chain can be walked. */
static bool sound_in_use(struct tdb_context *tdb) { return tdb_traverse_read(tdb, NULL, NULL) >= 0; }

static struct tdb_context *open_file(const char *path, enum db_which which, const char **why)
{
	struct tdb_context *tdb;
	off_t size = 0;
	int use = look_at(path, &size, why);

	if (use == -2)
		return NULL;
	if (use == 0 && size > 0 && !sound_at_rest(path, which) && !move_aside(path, why))
		return NULL;
	/* with O_CREAT tdb would make a damaged file anew on the spot, under the feet of its users */
	tdb = tdb_join(path, which, use == 1 ? O_RDWR : O_RDWR | O_CREAT);
	if (use == 1 && (tdb ? !sound_in_use(tdb) : errno == EIO || errno == EINVAL)) {
		if (tdb)
			tdb_close(tdb);
		if (!move_aside(path, why))
			return NULL;
		tdb = tdb_join(path, which, O_RDWR | O_CREAT);
	}
	if (!tdb)
		*why = because("cannot open the database %s: %s", path, strerror(errno));
	return tdb;
}

/* Where nobody lives, a reader looks at the file without taking part, or it would be emptied. */
static struct tdb_context *open_to_read(const char *path, enum db_which which, const char **why)
{
	struct tdb_context *tdb;
	off_t size = 0;
	int use = look_at(path, &size, why);

	if (use == -1)
		*why = because("there is no database %s: has smb1d ever run with this lock directory?", path);
	if (use < 0)
		return NULL;
	tdb = use ? tdb_join(path, which, O_RDWR) : tdb_try(path, which, TDB_NOLOCK, O_RDONLY);
	if (!tdb)
		*why = because("cannot open the database %s: %s", path,
			       errno == EIO || errno == EINVAL ? "it is damaged" : strerror(errno));
	return tdb;
}

static bool make_directories(const char *dir, const char **why)
{
	char path[4000];
	size_t n = strlen(dir);

	if (n == 0 || n >= sizeof(path)) {
		*why = because("`lock directory` is %s", n ? "too long" : "empty");
		return false;
	}
	memcpy(path, dir, n + 1);
	for (char *p = path + 1;; p++) {
		char c = *p;

		if (c != '/' && c != '\0')
			continue;
		*p = '\0';
		if (mkdir(path, 0755) != 0 && errno != EEXIST && (c == '\0' || access(path, F_OK) != 0)) {
			*why = because("cannot make the directory %s: %s", path, strerror(errno));
			return false;
		}
		if (c == '\0')
			return true;
		*p = c;
	}
}

static int db_close(struct db *db)
{
	for (int i = 0; i < DB_FILES; i++)
		if (db->tdb[i])
			tdb_close(db->tdb[i]);
	if (db->msg_dir >= 0)
		close(db->msg_dir);
	grants_close(db);
	return 0;
}

typedef struct tdb_context *(*opener_fn)(const char *path, enum db_which which, const char **why);

static struct db *open_all(TALLOC_CTX *mem, const char *dir, opener_fn open_it, const char **why)
{
	struct db *db = talloc_zero(mem, struct db);
	char real[PATH_MAX], path[PATH_MAX + 40];

	*why = "out of memory";
	if (!db)
		return NULL;
	db->msg_dir = -1;
	talloc_set_destructor(db, db_close);
	/* absolute, since each child opens the files again wherever it stands */
	if (!realpath(dir, real)) {
		*why = because("cannot use the lock directory %s: %s", dir, strerror(errno));
		talloc_free(db);
		return NULL;
	}
	for (int i = 0; i < DB_FILES; i++) {
		snprintf(path, sizeof(path), "%s/%s", real, files[i].name);
		db->tdb[i] = open_it(path, (enum db_which)i, why);
		if (!db->tdb[i]) {
			talloc_free(db);
			return NULL;
		}
		tdb_set_logging_function(db->tdb[i], &(struct tdb_logging_context){ log_tdb, NULL });
	}
	(void)db_me();
	*why = NULL;
	return db;
}

struct db *db_open(TALLOC_CTX *mem, const char *lock_directory, const char **why)
{
	struct db *db;
	int fd;

	if (!make_directories(lock_directory, why))
		return NULL;
	/* two daemons that start at once must not both find the files unused */
	fd = open(lock_directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || flock(fd, LOCK_EX) != 0) {
		*why = because("cannot use the lock directory %s: %s", lock_directory, strerror(errno));
		db = NULL;
	} else {
		db = open_all(mem, lock_directory, open_file, why);
		if (db && (!box_prepare(db, lock_directory, why) || !grants_prepare(db, lock_directory, why)))
			TALLOC_FREE(db);
	}
	if (fd >= 0)
		close(fd);
	return db;
}

struct db *db_open_reader(TALLOC_CTX *mem, const char *lock_directory, const char **why)
{
	return open_all(mem, lock_directory, open_to_read, why);
}

bool db_after_fork(struct db *db)
{
	bool ok = true;

	owner_refresh();
	db->my_opens = db->my_locks = 0;
	db->my_sessions = db->my_watches = 0;
	TALLOC_FREE(db->held);
	db->nheld = 0;
	db->inside = false;
	for (int i = 0; i < DB_FILES; i++) {
		/* tdb_reopen(), unlike tdb_reopen_all(1), takes the active lock for us, whatever becomes of
		 * the parent; on failure it has freed the context */
		if (!db->tdb[i] || tdb_reopen(db->tdb[i]) != 0) {
			log_error(LOG_TDB, "%s cannot be used after fork: %s", files[i].name,
				  strerror(errno));
			db->tdb[i] = NULL;
			ok = false;
		}
	}
	return ok;
}

void db_forget_me(struct db *db)
{
	struct db_owner self = db_me();

	if (db->my_locks)
		brl_forget(db, &self);
	if (db->my_opens)
		share_forget(db, &self);
	if (db->my_sessions)
		session_forget(db, &self);
	if (db->nheld)
		tree_forget(db, &self);
	if (db->my_watches)
		watch_forget(db, &self);
	db->my_opens = db->my_locks = 0;
	db->my_sessions = db->my_watches = 0;
	TALLOC_FREE(db->held);
	db->nheld = 0;
}

void db_forget(struct db *db, pid_t pid, uint64_t start_time)
{
	struct db_owner who = { pid, start_time };

	brl_forget(db, &who);
	share_forget(db, &who);
	session_forget(db, &who);
	tree_forget(db, &who);
	watch_forget(db, &who);
}

/* ---- one record ---- */

bool db_room(struct db *db, uint8_t **buf, size_t n)
{
	size_t have = *buf ? talloc_get_size(*buf) : 0;
	uint8_t *more;

	if (n <= have)
		return true;
	more = talloc_realloc_size(db, *buf, n < 1024 ? 1024 : n + n / 2);
	if (!more)
		return false;
	*buf = more;
	return true;
}

struct fetch {
	struct db *db;
	uint8_t **into;
	size_t len;
	bool no_memory;
};

static int fetched(TDB_DATA key, TDB_DATA data, void *arg)
{
	struct fetch *f = arg;

	(void)key;
	if (data.dsize > 0x10000000 || !db_room(f->db, f->into, data.dsize)) {
		f->no_memory = true;
		return -1;
	}
	if (data.dsize)
		memcpy(*f->into, data.dptr, data.dsize);
	f->len = data.dsize;
	return 0;
}

static status_t broken(const struct db *db, enum db_which which, const char *what)
{
	log_error(LOG_TDB, "%s: cannot %s: %s", files[which].name, what,
		  db->tdb[which] ? tdb_errorstr(db->tdb[which]) : "not open");
	return ST_INTERNAL_ERROR;
}

status_t db_rec_lock(struct db *db, enum db_which which, TDB_DATA key, uint8_t **into, size_t *len)
{
	struct tdb_context *tdb = db->tdb[which];
	struct fetch f = { .db = db, .into = into };

	*len = 0;
	if (!tdb || tdb_chainlock(tdb, key) != 0)
		return broken(db, which, "lock");
	if (tdb_parse_record(tdb, key, fetched, &f) == 0) {
		*len = f.len;
		return ST_OK;
	}
	if (!f.no_memory && tdb_error(tdb) == TDB_ERR_NOEXIST)
		return ST_OK;
	if (!f.no_memory)
		broken(db, which, "fetch");
	db_rec_unlock(db, which, key);
	return f.no_memory ? ST_INSUFFICIENT_RESOURCES : ST_INTERNAL_ERROR;
}

void db_rec_unlock(struct db *db, enum db_which which, TDB_DATA key)
{
	if (tdb_chainunlock(db->tdb[which], key) != 0)
		broken(db, which, "unlock");
}

status_t db_rec_store(struct db *db, enum db_which which, TDB_DATA key, const uint8_t *rec, size_t len)
{
	struct tdb_context *tdb = db->tdb[which];

	if (len == 0) {
		if (tdb_delete(tdb, key) != 0 && tdb_error(tdb) != TDB_ERR_NOEXIST)
			return broken(db, which, "delete");
		return ST_OK;
	}
	if (tdb_store(tdb, key, db_datum(rec, len), TDB_REPLACE) != 0)
		return broken(db, which, "store");
	return ST_OK;
}

/* ---- strings ---- */

size_t db_text_bytes(const char *s) { return 2 + strnlen(s ? s : "", UINT16_MAX); }

void wr_text(struct wr *w, const char *s)
{
	size_t n = strnlen(s ? s : "", UINT16_MAX);

	wr_u16(w, (uint16_t)n);
	wr_bytes(w, s ? s : "", n);
}

char *rd_text(struct rd *r, TALLOC_CTX *mem)
{
	uint32_t n = rd_u16(r);
	const char *p = (const char *)rd_take(r, n);
	char *s;

	if (!p || memchr(p, '\0', n)) {
		r->bad = true;
		return NULL;
	}
	s = talloc_strndup(mem, p, n);
	if (!s)
		r->bad = true;
	return s;
}

/* ---- all records ---- */

struct copying {
	TALLOC_CTX *mem;
	bool (*want)(TDB_DATA key, TDB_DATA rec, const void *arg);
	const void *arg;
	struct db_copy *out;
	bool no_memory;
};

static int copy_one(struct tdb_context *tdb, TDB_DATA key, TDB_DATA rec, void *arg)
{
	struct copying *c = arg;
	struct db_copy *out = c->out;
	struct db_raw raw;

	(void)tdb;
	if (c->want && !c->want(key, rec, c->arg))
		return 0;
	if (out->n >= talloc_array_length(out->raw)) {
		struct db_raw *more = talloc_realloc(c->mem, out->raw, struct db_raw,
						     (unsigned)out->n * 2 + 16);

		c->no_memory = !more;
		if (!more)
			return -1;
		out->raw = more;
	}
	if (key.dsize > 0x10000000 || rec.dsize > 0x10000000)
		return 0;
	raw.key = talloc_memdup(out->raw, key.dsize ? key.dptr : (const void *)"", key.dsize + !key.dsize);
	raw.rec = talloc_memdup(out->raw, rec.dsize ? rec.dptr : (const void *)"", rec.dsize + !rec.dsize);
	raw.key_len = (uint32_t)key.dsize;
	raw.rec_len = (uint32_t)rec.dsize;
	c->no_memory = !raw.key || !raw.rec;
	if (c->no_memory)
		return -1;
	out->raw[out->n++] = raw;
	return 0;
}

bool db_copy_all(struct db *db, enum db_which which, TALLOC_CTX *mem,
		 bool (*want)(TDB_DATA key, TDB_DATA rec, const void *arg), const void *arg,
		 struct db_copy *out)
{
	struct copying c = { .mem = mem, .want = want, .arg = arg, .out = out };

	*out = (struct db_copy){ 0 };
	if (!db->tdb[which] || tdb_traverse_read(db->tdb[which], copy_one, &c) < 0 || c.no_memory) {
		broken(db, which, c.no_memory ? "copy (out of memory)" : "walk");
		return false;
	}
	return true;
}
