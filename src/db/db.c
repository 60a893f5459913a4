/* db.c - all files together: open, reopen after fork, forget; one record: lock, fetch, store, copy. */
#include "base/clock.h"
#include "base/log.h"
#include "base/util.h"
#include "db/internal.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define ROOM_BYTES (1u << 20) /* less of it, and a file that cannot be made longer met a full disk */
#define FULL_AGAIN_MS 60000u /* between two lines about a full disk */

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

typedef struct tdb_context *(*opener_fn)(const char *path, enum db_which which, enum file_was *was, const char **why);

static struct db *open_all(TALLOC_CTX *mem, const char *dir, opener_fn open_it, const char **why)
{
	struct db *db = talloc_zero(mem, struct db);
	char real[PATH_MAX], path[PATH_MAX + 40];
	enum file_was was;

	*why = "out of memory";
	if (!db)
		return NULL;
	db->msg_dir = db->grants_fd = -1;
	talloc_set_destructor(db, db_close);
	/* absolute, since each child opens the files again wherever it stands */
	if (!realpath(dir, real)) {
		*why = db_because("cannot use the lock directory %s: %s", dir, strerror(errno));
		talloc_free(db);
		return NULL;
	}
	db->dir = talloc_strdup(db, real);
	for (int i = 0; db->dir && i < DB_FILES; i++) {
		snprintf(path, sizeof(path), "%s/%s", real, db_file_name((enum db_which)i));
		db->tdb[i] = open_it(path, (enum db_which)i, &was, why);
		if (!db->tdb[i]) {
			talloc_free(db);
			return NULL;
		}
		db->renewed[i] = was == FILE_RENEWED;
		if (i == DB_OPENS)
			db->alone = was == FILE_ALONE;
		file_says(db->tdb[i]);
	}
	(void)db_me();
	*why = NULL;
	return db;
}

/* Workers of a daemon that was killed have what we moved aside. */
static void tell_survivors(struct db *db)
{
	for (int i = 0; i < DB_FILES; i++) {
		const uint8_t body = (uint8_t)i;

		if (!db->renewed[i])
			continue;
		db_open_for_workers(db, (enum db_which)i);
		box_tell_all(db, MSG_REJOIN, &body, 1);
	}
}

struct db *db_open(TALLOC_CTX *mem, const char *lock_directory, const char **why)
{
	struct db *db;
	int fd;

	if (!util_make_folder(lock_directory, 0755)) {
		*why = db_because("cannot make the folder `lock directory = %s`: %s", lock_directory, strerror(errno));
		return NULL;
	}
	/* two daemons that start at once must not both find the files unused */
	fd = open(lock_directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || flock(fd, LOCK_EX) != 0) {
		*why = db_because("cannot use the lock directory %s: %s", lock_directory, strerror(errno));
		db = NULL;
	} else {
		db = open_all(mem, lock_directory, file_open, why);
		if (db && (!box_prepare(db, lock_directory, why) || !grants_prepare(db, lock_directory, why)))
			TALLOC_FREE(db);
		if (db)
			tell_survivors(db);
	}
	if (fd >= 0)
		close(fd);
	return db;
}

struct db *db_open_reader(TALLOC_CTX *mem, const char *lock_directory, const char **why)
{
	return open_all(mem, lock_directory, file_open_to_read, why);
}

bool db_after_fork(struct db *db, uint64_t start_time)
{
	bool ok = true;

	owner_refresh(start_time);
	db->my_opens = db->my_locks = 0;
	db->lock_memory.known = false;
	db->my_sessions = db->my_watches = 0;
	TALLOC_FREE(db->held);
	db->nheld = 0;
	db->inside = false;
	if (db->grants_fd >= 0)
		close(db->grants_fd);
	db->grants_fd = -1;
	for (int i = 0; i < DB_FILES; i++) {
		/* tdb_reopen(), unlike tdb_reopen_all(1), takes the active lock for us, whatever becomes of
		 * the parent; on failure it has freed the context */
		if (!db->tdb[i] || tdb_reopen(db->tdb[i]) != 0) {
			log_error(LOG_TDB, "%s cannot be used after fork: %s", db_file_name((enum db_which)i),
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

static unsigned disk_full;

unsigned db_disk_full(void) { return disk_full; }

/* The disk with `lock directory`: said once a minute, since every request may meet it. */
static status_t full(enum db_which which)
{
	static uint64_t said[DB_FILES];
	uint64_t now = clock_ms();

	disk_full++;
	if (said[which] == 0 || now - said[which] > FULL_AGAIN_MS) {
		said[which] = now;
		log_error(LOG_TDB, "%s: the disk with `lock directory` is full: what needs an entry there is refused",
			  db_file_name(which));
	}
	return ST_INSUFF_SERVER_RESOURCES;
}

static status_t broken(struct db *db, enum db_which which, const char *what)
{
	enum TDB_ERROR e = db->tdb[which] ? tdb_error(db->tdb[which]) : TDB_ERR_EINVAL;

	log_error(LOG_TDB, "%s: cannot %s: %s", db_file_name(which), what,
		  db->tdb[which] ? tdb_errorstr(db->tdb[which]) : "not open");
	if (e == TDB_ERR_OOM || e == TDB_SUCCESS) /* what tdb says when it cannot note a lock for want of memory */
		return ST_INSUFFICIENT_RESOURCES;
	db_suspect(which, false);
	return ST_INTERNAL_ERROR;
}

status_t db_rec_take(struct db *db, enum db_which which, TDB_DATA key)
{
	pulse_in(which);
	if (db->tdb[which] && tdb_chainlock(db->tdb[which], key) == 0)
		return ST_OK;
	pulse_out();
	return broken(db, which, "lock");
}

status_t db_rec_fetch(struct db *db, enum db_which which, TDB_DATA key, uint8_t **into, size_t *len)
{
	struct fetch f = { .db = db, .into = into };

	*len = 0;
	if (tdb_parse_record(db->tdb[which], key, fetched, &f) == 0) {
		*len = f.len;
		return ST_OK;
	}
	if (!f.no_memory && tdb_error(db->tdb[which]) == TDB_ERR_NOEXIST)
		return ST_OK;
	return f.no_memory ? ST_INSUFFICIENT_RESOURCES : broken(db, which, "fetch");
}

status_t db_rec_lock(struct db *db, enum db_which which, TDB_DATA key, uint8_t **into, size_t *len)
{
	status_t st = db_rec_take(db, which, key);

	*len = 0;
	if (st != ST_OK)
		return st;
	st = db_rec_fetch(db, which, key, into, len);
	if (st != ST_OK)
		db_rec_unlock(db, which, key);
	return st;
}

void db_rec_unlock(struct db *db, enum db_which which, TDB_DATA key)
{
	bool ok = tdb_chainunlock(db->tdb[which], key) == 0;

	pulse_out();
	if (!ok)
		broken(db, which, "unlock");
}

/* libtdb makes its files longer with posix_fallocate(), which leaves errno alone: then we look for room ourselves. */
static bool no_room(struct tdb_context *tdb)
{
	struct statvfs disk;

	return errno == ENOSPC || errno == EDQUOT ||
	       (errno == 0 && fstatvfs(tdb_fd(tdb), &disk) == 0 &&
		(uint64_t)disk.f_bavail * disk.f_frsize < max_u64(tdb_map_size(tdb), ROOM_BYTES));
}

status_t db_rec_store_parts(struct db *db, enum db_which which, TDB_DATA key, const TDB_DATA *part, int n)
{
	errno = 0; /* not that of a client's file */
	if (tdb_storev(db->tdb[which], key, part, n, TDB_REPLACE) == 0)
		return ST_OK;
	return no_room(db->tdb[which]) ? full(which) : broken(db, which, "store");
}

status_t db_rec_store(struct db *db, enum db_which which, TDB_DATA key, const uint8_t *rec, size_t len)
{
	struct tdb_context *tdb = db->tdb[which];
	const TDB_DATA part = db_datum(rec, len);

	if (len == 0) {
		if (tdb_delete(tdb, key) != 0 && tdb_error(tdb) != TDB_ERR_NOEXIST)
			return broken(db, which, "delete");
		return ST_OK;
	}
	return db_rec_store_parts(db, which, key, &part, 1);
}

/* ---- strings ---- */

size_t db_text_bytes(const char *s) { return 2 + strnlen(s ? s : "", UINT16_MAX); }

void wr_text(struct wr *w, const char *s)
{
	size_t n = strnlen(s ? s : "", UINT16_MAX);

	wr_u16(w, (uint16_t)n);
	wr_bytes(w, s ? s : "", n);
}

unsigned db_starved;

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
	if (!s) {
		db_starved++;
		r->bad = true;
	}
	return s;
}

/* ---- all records ---- */

struct copying {
	TALLOC_CTX *mem;
	bool (*want)(TDB_DATA key, TDB_DATA rec, const void *who);
	const void *who;
	struct db_raw *raw;
	size_t n;
	bool no_memory;
};

static int copy_one(struct tdb_context *tdb, TDB_DATA key, TDB_DATA rec, void *arg)
{
	struct copying *c = arg;
	struct db_raw raw;

	(void)tdb;
	if (c->want && !c->want(key, rec, c->who))
		return 0;
	if (c->n >= talloc_array_length(c->raw)) {
		struct db_raw *more = talloc_realloc(c->mem, c->raw, struct db_raw, (unsigned)c->n * 2 + 16);

		c->no_memory = !more;
		if (!more)
			return -1;
		c->raw = more;
	}
	if (key.dsize > 0x10000000 || rec.dsize > 0x10000000)
		return 0;
	raw.key = talloc_memdup(c->raw, key.dsize ? key.dptr : (const void *)"", key.dsize + !key.dsize);
	raw.rec = talloc_memdup(c->raw, rec.dsize ? rec.dptr : (const void *)"", rec.dsize + !rec.dsize);
	raw.key_len = (uint32_t)key.dsize;
	raw.rec_len = (uint32_t)rec.dsize;
	c->no_memory = !raw.key || !raw.rec;
	if (c->no_memory)
		return -1;
	c->raw[c->n++] = raw;
	return 0;
}

static bool copy_all(struct db *db, enum db_which which, struct copying *c)
{
	bool ok;

	pulse_in(which);
	ok = db->tdb[which] && tdb_traverse_read(db->tdb[which], copy_one, c) >= 0 && !c->no_memory;
	pulse_out();
	if (!ok)
		broken(db, which, c->no_memory ? "copy (out of memory)" : "walk");
	return ok;
}

bool db_each_record(struct db *db, enum db_which which, bool (*want)(TDB_DATA key, TDB_DATA rec, const void *who),
		    const void *who, bool (*see)(struct db *db, TALLOC_CTX *mem, const struct db_raw *raw, void *arg),
		    void *arg)
{
	struct copying c = { .mem = talloc_new(NULL), .want = want, .who = who };
	bool ok = c.mem && copy_all(db, which, &c);

	owner_cache_begin();
	for (size_t i = 0; ok && i < c.n && see(db, c.mem, &c.raw[i], arg); i++)
		;
	owner_cache_end();
	talloc_free(c.mem);
	return ok;
}
