/* damage.c - a database that is damaged while it is in use: found out, made anew, joined again. */
#include "base/log.h"
#include "base/util.h"
#include "db/internal.h"
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

static _Atomic uint32_t nobody_looks;
struct pulse pulse = { &nobody_looks, 0 };

static struct {
	void (*fn)(void *arg, enum db_which which, bool certain);
	void *arg;
} suspicion;

void db_on_suspect(void (*fn)(void *arg, enum db_which which, bool certain), void *arg)
{
	suspicion.fn = fn;
	suspicion.arg = arg;
}

void db_suspect(enum db_which which, bool certain)
{
	if (suspicion.fn && which <= DB_GRANTS)
		suspicion.fn(suspicion.arg, which, certain);
}

void db_rec_damaged(enum db_which which, const char *what)
{
	log_error(LOG_TDB, "%s: a damaged record (%s) was dropped", db_file_name(which), what);
	db_suspect(which, which == DB_OPENS || which == DB_LOCKS); /* whoever stood in it is not asked any more */
}

void db_pulse_at(_Atomic uint32_t *slot) { pulse.slot = slot; }

enum db_which db_pulse_inside(uint32_t seen)
{
	uint32_t which = seen % DB_PULSE_STEP;

	return which > 0 && which <= DB_FILES ? (enum db_which)(which - 1) : DB_FILES;
}

/* Is the file of that name the one we have, as long as we know it? */
static bool is_ours(struct tdb_context *tdb, bool *whole)
{
	struct stat named, ours;

	if (stat(tdb_name(tdb), &named) != 0 || fstat(tdb_fd(tdb), &ours) != 0)
		return false;
	*whole = (uint64_t)ours.st_size >= tdb_map_size(tdb);
	return named.st_dev == ours.st_dev && named.st_ino == ours.st_ino;
}

bool db_probe(struct db *db, enum db_which which)
{
	struct tdb_context *tdb = db->tdb[which];
	bool whole;

	return tdb && is_ours(tdb, &whole) && whole && file_walk(tdb);
}

bool db_renew(struct db *db, enum db_which which, const char **why)
{
	const uint8_t body = (uint8_t)which;
	char path[4200];

	snprintf(path, sizeof(path), "%s/%s", db->dir, db_file_name(which));
	if (access(path, F_OK) != 0)
		log_error(LOG_TDB, "%s was gone: it is made anew", path);
	else if (!file_move_aside(path, why))
		return false;
	if (db->tdb[which])
		tdb_close(db->tdb[which]);
	db->tdb[which] = file_join(path, which, O_RDWR | O_CREAT);
	if (!db->tdb[which]) {
		*why = db_because("cannot make the database %s: %s", path, strerror(errno));
		return false;
	}
	file_says(db->tdb[which]);
	db_open_for_workers(db, which);
	box_tell_all(db, MSG_REJOIN, &body, 1);
	return true;
}

/* Workers are not root any more, but may take its group for a moment. */
void db_open_for_workers(struct db *db, enum db_which which)
{
	int fd = tdb_fd(db->tdb[which]);

	db->renewed[which] = true;
	if (geteuid() == 0 && (fchown(fd, (uid_t)-1, 0) != 0 || fchmod(fd, 0660) != 0))
		log_error(LOG_TDB, "%s: workers cannot open it: %s", db_file_name(which), strerror(errno));
}

bool db_settle(struct db *db)
{
	bool any = false;

	for (int i = 0; i < DB_FILES; i++) {
		if (!db->renewed[i] || !db->tdb[i])
			continue;
		any = true;
		db->renewed[i] = false;
		(void)fchmod(tdb_fd(db->tdb[i]), 0600);
	}
	return any;
}

/* What we have in it is gone with the old file.  True if that cannot be put in again. */
static bool forget_stake(struct db *db, enum db_which which)
{
	bool lost = which == DB_OPENS ? db->my_opens > 0 : which == DB_LOCKS && db->my_locks > 0;

	switch (which) {
	case DB_OPENS:
		db->my_opens = 0;
		break;
	case DB_LOCKS:
		db->my_locks = 0;
		db->lock_epoch += 0x9e3779b1u;
		break;
	case DB_SESSIONS:
		db->my_sessions = 0;
		break;
	case DB_TREES:
		TALLOC_FREE(db->held);
		db->nheld = 0;
		break;
	case DB_WATCHES:
		db->my_watches = 0;
		break;
	default:
		break;
	}
	return lost;
}

/* *same: the groups are afterwards what they were. */
static struct tdb_context *join_as_root_group(const char *path, enum db_which which, bool *same)
{
	const gid_t root = 0;
	int n = getgroups(0, NULL), err;
	gid_t *mine = n >= 0 ? talloc_array(NULL, gid_t, (unsigned)n + 1) : NULL;
	struct tdb_context *tdb;
	bool changed;

	if (!mine || getgroups(n, mine) != n)
		n = -1;
	changed = n >= 0 && setgroups(1, &root) == 0; /* not where we are no more than a user: nor is it needed */
	tdb = file_join(path, which, O_RDWR);
	err = errno;
	*same = !changed || setgroups((size_t)n, mine) == 0;
	talloc_free(mine);
	errno = err;
	return tdb;
}

/* For a moment there may be none, where it is made anew a second time. */
#define JOIN_TRIES 20
#define JOIN_MS 10

static struct tdb_context *join_new(const char *path, enum db_which which, bool *same_groups)
{
	struct tdb_context *fresh = join_as_root_group(path, which, same_groups);

	for (int i = 1; !fresh && *same_groups && i < JOIN_TRIES; i++) {
		(void)poll(NULL, 0, JOIN_MS);
		fresh = join_as_root_group(path, which, same_groups);
	}
	if (!fresh)
		log_error(LOG_TDB, "cannot open the new %s: %s", path, strerror(errno));
	return fresh;
}

enum db_joined db_rejoin(struct db *db, enum db_which which)
{
	struct tdb_context *old = db->tdb[which], *fresh;
	char path[4200];
	bool whole, same_groups = true;

	if (old && is_ours(old, &whole))
		return DB_SAME;
	snprintf(path, sizeof(path), "%s/%s", db->dir, db_file_name(which));
	fresh = join_new(path, which, &same_groups);
	if (old)
		tdb_close(old);
	db->tdb[which] = fresh;
	if (fresh)
		file_says(fresh);
	TALLOC_FREE(db->watch_cache);
	return forget_stake(db, which) ? DB_LOST : fresh && same_groups ? DB_JOINED : DB_FAILED;
}
