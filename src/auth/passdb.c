/* passdb.c - the account store: smb1d-passdb.tdb in `private dir`, mode 0600.
 *
 *   key "user/<name in lower case>"   one account (dbrecord.c)
 *   key "info"                        number of accounts, generation
 *
 * Writes are tdb transactions (all or nothing, synced).  After each one a fresh copy is written
 * beside it (.bak: new file, sync, rename), so there are always two files of which one is whole:
 *
 *   opened whole ----------------------------> used; a missing or older copy is made again
 *   damaged, cut, empty or gone; copy whole --> kept as .damaged, the copy takes its place, log line
 *   damaged, cut or empty;  no whole copy ----> refused with the reason, nothing is touched
 *   neither file was ever there --------------> created (only when asked to)
 *
 * All of this happens under a lock on the folder, so that two processes cannot both repair. */
#include "auth/passdb.h"
#include "base/log.h"
#include "base/str.h"
#include "base/util.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define HASH_SIZE 512 /* buckets of the tdb */

struct auth_db {
	struct tdb_context *tdb;
	char *dir, *path, *bak;
	bool broken_said; /* a failure to follow a replaced store is said once */
};

/* ---- tdb files ---- */

static void tdb_says(struct tdb_context *tdb, enum tdb_debug_level level, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void tdb_says(struct tdb_context *tdb, enum tdb_debug_level level, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	if (!log_on(LOG_TDB, level <= TDB_DEBUG_ERROR ? 2 : 5))
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	text[strcspn(text, "\n")] = '\0';
	log_write(LOG_TDB, level <= TDB_DEBUG_ERROR ? 2 : 5, "%s: %s", tdb_name(tdb) ? tdb_name(tdb) : "tdb",
		  text);
}

/* Without memory mapping: a file that is cut while we look at it must not kill us. */
static struct tdb_context *open_tdb(const char *path, int tdb_flags, int flags)
{
	struct tdb_logging_context lc = { tdb_says, NULL };

	return tdb_open_ex(path, HASH_SIZE, tdb_flags | TDB_NOMMAP, flags | O_CLOEXEC | O_NOFOLLOW, 0600, &lc,
			   NULL);
}

struct count {
	uint32_t accounts;
	bool damaged;
};

static int count_record(TDB_DATA key, TDB_DATA data, void *arg)
{
	struct count *c = arg;

	if (db_is_account_key(key)) {
		struct auth_account *a = db_decode_account(NULL, key, data);

		c->damaged |= a == NULL;
		c->accounts++;
		talloc_free(a);
	}
	return c->damaged ? -1 : 0;
}

/* The whole file makes sense, every seal is right, and no account is missing. */
static bool is_whole(struct tdb_context *tdb, struct db_info *i)
{
	struct count c = { 0 };

	return tdb_check(tdb, count_record, &c) == 0 && !c.damaged && db_read_info(tdb, i) &&
	       c.accounts == i->accounts;
}

static bool sync_path(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool ok = fd >= 0 && fsync(fd) == 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

static int copy_record(struct tdb_context *from, TDB_DATA key, TDB_DATA data, void *arg)
{
	(void)from;
	return tdb_store(arg, key, data, TDB_INSERT);
}

/* `to` becomes a whole new tdb with the records of `from`, or stays what it was. */
static bool copy_tdb(struct tdb_context *from, const char *dir, const char *to)
{
	char *tmp = talloc_asprintf(NULL, "%s.tmp%ld", to, (long)getpid());
	struct tdb_context *copy;
	struct db_info i;
	bool ok;

	if (!tmp)
		return false;
	unlink(tmp);
	copy = open_tdb(tmp, TDB_NOLOCK | TDB_NOSYNC, O_RDWR | O_CREAT | O_EXCL);
	ok = copy && tdb_traverse_read(from, copy_record, copy) >= 0 && is_whole(copy, &i);
	if (copy)
		tdb_close(copy);
	ok = ok && sync_path(tmp) && rename(tmp, to) == 0 && sync_path(dir);
	if (!ok)
		unlink(tmp);
	talloc_free(tmp);
	return ok;
}

/* The copy holds what the store holds.  False is said, but the write before it stands. */
static bool refresh_backup(struct auth_db *db)
{
	bool ok;

	if (tdb_lockall(db->tdb) != 0)
		return false;
	ok = copy_tdb(db->tdb, db->dir, db->bak);
	tdb_unlockall(db->tdb);
	if (!ok)
		log_error(LOG_AUTH, "cannot write the backup \"%s\" of the account store: %s", db->bak,
			  strerror(errno));
	return ok;
}

/* ---- opening ---- */

static bool refuse(TALLOC_CTX *mem, const char **why, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static bool refuse(TALLOC_CTX *mem, const char **why, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	*why = talloc_vasprintf(mem, fmt, ap);
	va_end(ap);
	if (!*why)
		*why = "out of memory";
	return false;
}

/* The store as new: made aside, then linked into place, so that nobody sees it half made. */
static bool create_store(struct auth_db *db)
{
	char *tmp = talloc_asprintf(db, "%s.new%ld", db->path, (long)getpid());
	struct db_info i = { .generation = 1 };
	struct tdb_context *t;
	bool ok;

	if (!tmp)
		return false;
	unlink(tmp);
	t = open_tdb(tmp, TDB_NOLOCK, O_RDWR | O_CREAT | O_EXCL);
	ok = t && db_write_info(t, &i);
	if (t)
		tdb_close(t);
	ok = ok && sync_path(tmp) && link(tmp, db->path) == 0 && sync_path(db->dir);
	unlink(tmp);
	talloc_free(tmp);
	return ok;
}

/* Puts the backup in the place of the store.  False if the backup is not whole either. */
static bool restore(struct auth_db *db, bool keep_damaged)
{
	struct tdb_context *b = open_tdb(db->bak, TDB_DEFAULT, O_RDWR);
	char *aside = talloc_asprintf(db, "%s.damaged", db->path);
	struct db_info i = { 0 };
	bool ok = b && aside && is_whole(b, &i);

	if (ok && keep_damaged && link(db->path, aside) != 0 && errno == EEXIST)
		(void)(unlink(aside) == 0 && link(db->path, aside) == 0);
	ok = ok && copy_tdb(b, db->dir, db->path);
	if (b)
		tdb_close(b);
	talloc_free(aside);
	if (ok)
		log_error(LOG_AUTH,
			  "the account store \"%s\" was %s; put back from \"%s\" with %u accounts%s",
			  db->path, keep_damaged ? "damaged" : "missing", db->bak, i.accounts,
			  keep_damaged ? ", the damaged file is kept as .damaged" : "");
	return ok;
}

/* Opens the store if it is whole.  1 yes, 0 damaged, -1 an error that says nothing about the content. */
static int open_whole(struct auth_db *db, struct db_info *i)
{
	/* what tdb says of a bad header */
	static const int of_content[] = { 0, EIO, EINVAL, ENOENT, ENOSYS, EOPNOTSUPP };

	errno = 0;
	db->tdb = open_tdb(db->path, TDB_DEFAULT, O_RDWR);
	if (!db->tdb) {
		for (size_t k = 0; k < ARRAY_LEN(of_content); k++)
			if (errno == of_content[k])
				return 0;
		return -1;
	}
	if (is_whole(db->tdb, i))
		return 1;
	tdb_close(db->tdb);
	db->tdb = NULL;
	return 0;
}

/* The backup is missing, damaged or behind (we died between a write and its copy): make it again. */
static void check_backup(struct auth_db *db, const struct db_info *i)
{
	struct tdb_context *b = open_tdb(db->bak, TDB_DEFAULT, O_RDWR);
	struct db_info old = { 0 };
	bool same = b && is_whole(b, &old) && old.generation == i->generation;

	if (b)
		tdb_close(b);
	if (!same)
		refresh_backup(db);
}

static bool open_damaged(TALLOC_CTX *mem, struct auth_db *db, bool there, off_t size, struct db_info *i,
			 const char **why)
{
	if (restore(db, there) && open_whole(db, i) == 1)
		return true;
	if (there && size == 0)
		return refuse(mem, why,
			      "the account store \"%s\" is an empty file and \"%s\" cannot replace it: "
			      "remove the empty file to start without accounts",
			      db->path, db->bak);
	if (there)
		return refuse(mem, why,
			      "the account store \"%s\" is damaged and \"%s\" cannot replace it: put a "
			      "good copy in its place, or remove both to start without accounts",
			      db->path, db->bak);
	return refuse(mem, why,
		      "the account store \"%s\" is gone and its backup \"%s\" is damaged: put a good copy "
		      "in its place, or remove the backup to start without accounts",
		      db->path, db->bak);
}

static bool open_locked(TALLOC_CTX *mem, struct auth_db *db, bool create, const char **why)
{
	struct stat st = { 0 }, bak;
	bool there = lstat(db->path, &st) == 0, has_bak = lstat(db->bak, &bak) == 0;
	struct db_info i = { 0 };
	int whole;

	if (there && !S_ISREG(st.st_mode))
		return refuse(mem, why, "the account store \"%s\" is no plain file", db->path);
	if (!there && !has_bak) {
		if (!create)
			return refuse(mem, why,
				      "there is no account store \"%s\"; `smb1ctl passwd -a USER` makes it",
				      db->path);
		if (!create_store(db) && errno != EEXIST)
			return refuse(mem, why, "cannot create the account store \"%s\": %s", db->path,
				      strerror(errno));
		there = true;
		st.st_size = 1;
	}
	whole = there && st.st_size > 0 ? open_whole(db, &i) : 0;
	if (whole < 0)
		return refuse(mem, why, "cannot open the account store \"%s\": %s", db->path,
			      strerror(errno));
	if (whole == 0 && !open_damaged(mem, db, there, st.st_size, &i, why))
		return false;
	check_backup(db, &i);
	return true;
}

static int close_db(struct auth_db *db)
{
	if (db->tdb)
		tdb_close(db->tdb);
	db->tdb = NULL;
	return 0;
}

struct auth_db *auth_db_open(TALLOC_CTX *mem, const char *private_dir, bool create, const char **why)
{
	struct auth_db *db = talloc_zero(mem, struct auth_db);
	struct stat st;
	bool ok;
	int dirfd;

	*why = "out of memory";
	if (!db)
		return NULL;
	talloc_set_destructor(db, close_db);
	db->dir = talloc_strdup(db, private_dir);
	db->path = talloc_asprintf(db, "%s/smb1d-passdb.tdb", private_dir);
	db->bak = talloc_asprintf(db, "%s.bak", db->path);
	if (create && !util_make_folder(private_dir, 0700)) {
		refuse(mem, why, "cannot make the folder `private dir = %s`: %s", private_dir,
		       strerror(errno));
		goto fail;
	}
	dirfd = open(private_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dirfd < 0 || flock(dirfd, LOCK_EX) != 0) {
		refuse(mem, why, "cannot open the folder `private dir = %s`: %s", private_dir,
		       strerror(errno));
		if (dirfd >= 0)
			close(dirfd);
		goto fail;
	}
	ok = open_locked(mem, db, create, why);
	close(dirfd);
	if (!ok)
		goto fail;
	if (stat(db->path, &st) == 0 && (st.st_mode & 077) && chmod(db->path, 0600) == 0)
		log_error(LOG_AUTH, "the account store \"%s\" could be read by others; its mode is 0600 now",
			  db->path);
	*why = NULL;
	return db;
fail:
	talloc_free(db);
	return NULL;
}

void auth_db_follow(struct auth_db *db)
{
	struct tdb_context *fresh;
	struct stat on_disk, ours;

	if (fstat(tdb_fd(db->tdb), &ours) != 0 || stat(db->path, &on_disk) != 0 ||
	    (ours.st_ino == on_disk.st_ino && ours.st_dev == on_disk.st_dev))
		return;
	fresh = open_tdb(db->path, TDB_DEFAULT, O_RDWR);
	if (fresh) {
		tdb_close(db->tdb);
		db->tdb = fresh;
		db->broken_said = false;
		log_at(LOG_AUTH, 1, "the account store \"%s\" was replaced; using the new one", db->path);
	} else if (!db->broken_said) {
		db->broken_said = true;
		log_error(LOG_AUTH, "the account store \"%s\" was replaced by a file that cannot be opened",
			  db->path);
	}
}

/* ---- reading and writing ---- */

int auth_db_get(TALLOC_CTX *mem, struct auth_db *db, const char *user, struct auth_account **out)
{
	TALLOC_CTX *tmp = talloc_new(NULL);
	TDB_DATA key = db_account_key(tmp, user), data = db_datum(NULL, 0);
	int found = -1;

	*out = NULL;
	if (key.dptr)
		data = tdb_fetch(db->tdb, key);
	if (data.dptr) {
		*out = db_decode_account(mem, key, data);
		found = *out ? 1 : -1;
		str_wipe(data.dptr, data.dsize);
		free(data.dptr);
	} else if (key.dptr && tdb_error(db->tdb) == TDB_ERR_NOEXIST) {
		found = 0;
	}
	talloc_free(tmp);
	return found;
}

static bool put_in(struct auth_db *db, const struct auth_account *a, struct db_info *i)
{
	TALLOC_CTX *tmp = talloc_new(NULL);
	uint8_t buf[DB_RECORD_MAX];
	TDB_DATA key = db_account_key(tmp, a->user), data = db_datum(NULL, 0);
	bool ok, fresh;

	if (key.dptr)
		data = db_encode_account(a, key, buf);
	fresh = data.dptr && !tdb_exists(db->tdb, key);
	ok = data.dptr && tdb_store(db->tdb, key, data, TDB_REPLACE) == 0;
	i->accounts += ok && fresh;
	str_wipe(buf, sizeof(buf));
	talloc_free(tmp);
	return ok;
}

/* Ends a transaction: with the new info record, or not at all. */
static bool end_write(struct auth_db *db, bool ok, struct db_info *i)
{
	i->generation++;
	if (!ok || !db_write_info(db->tdb, i)) {
		tdb_transaction_cancel(db->tdb);
		return false;
	}
	if (tdb_transaction_commit(db->tdb) != 0)
		return false;
	refresh_backup(db);
	return true;
}

bool auth_db_put_many(struct auth_db *db, const struct auth_account *a, size_t n)
{
	struct db_info i;
	bool ok;

	auth_db_follow(db);
	if (tdb_transaction_start(db->tdb) != 0)
		return false;
	ok = db_read_info(db->tdb, &i);
	for (size_t k = 0; ok && k < n; k++)
		ok = put_in(db, &a[k], &i);
	return end_write(db, ok, &i);
}

bool auth_db_put(struct auth_db *db, const struct auth_account *a) { return auth_db_put_many(db, a, 1); }

bool auth_db_delete(struct auth_db *db, const char *user)
{
	TALLOC_CTX *tmp = talloc_new(NULL);
	TDB_DATA key = db_account_key(tmp, user);
	struct db_info i;
	bool ok = false;

	auth_db_follow(db);
	if (key.dptr && tdb_transaction_start(db->tdb) == 0) {
		ok = db_read_info(db->tdb, &i) && i.accounts > 0 && tdb_delete(db->tdb, key) == 0;
		i.accounts--;
		ok = end_write(db, ok, &i);
	}
	talloc_free(tmp);
	return ok;
}

struct all {
	TALLOC_CTX *mem;
	struct auth_account **a;
	size_t n;
	bool damaged;
};

static int collect(struct tdb_context *tdb, TDB_DATA key, TDB_DATA data, void *arg)
{
	struct all *all = arg;
	struct auth_account *a;

	(void)tdb;
	if (!db_is_account_key(key))
		return 0;
	a = db_decode_account(all->mem, key, data);
	if (!a) {
		all->damaged = true;
		return 0;
	}
	all->a = talloc_realloc(all->mem, all->a, struct auth_account *, (unsigned)all->n + 1);
	if (!all->a)
		return -1;
	all->a[all->n++] = a;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return str_casecmp((*(struct auth_account *const *)a)->user,
			   (*(struct auth_account *const *)b)->user);
}

/* Collected first: the callback may write. */
bool auth_db_each(struct auth_db *db, void (*fn)(const struct auth_account *a, void *arg), void *arg)
{
	struct all all = { .mem = talloc_new(NULL) };
	bool ok;

	auth_db_follow(db);
	ok = all.mem && tdb_traverse_read(db->tdb, collect, &all) >= 0 && !all.damaged;
	if (all.n)
		qsort(all.a, all.n, sizeof(*all.a), by_name);
	for (size_t k = 0; k < all.n; k++)
		fn(all.a[k], arg);
	talloc_free(all.mem);
	return ok;
}
