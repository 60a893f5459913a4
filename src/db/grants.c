/* grants.c - counters of level II oplocks given, of files that are open and of messages, in memory that all processes share.
 *
 * Before each write a worker must know whether anybody caches the file under a level II oplock.  Looking into
 * the record would cost a lock for every write; so who gives such an oplock counts here, and who
 * finds the counter where it was knows that nothing has changed since he looked.  Files share counters by
 * hash: a stranger's oplock costs one needless look.
 *
 * In the same way who describes a file must know whether anybody has it open.  A record of an open file is counted before
 * it is stored and counted off after it was deleted, both with its lock held: where the counter is 0 there is no
 * record.  Whoever is killed in between leaves it too high, which costs needless looks until the lock directory is used
 * anew.  It is never too low: one that would go below 0, because somebody wrote into the file, stays high for good.
 *
 * Who sends a message to another process rings its bell here, so that one which is busy with its client needs no
 * call to know that nothing has come.
 *
 * The counters live in a file of the lock directory, because workers may outlive the listener that made them.
 * Should somebody cut that file, whoever looks behind its end gets a signal: the listener, which alone can make it longer, is told,
 * and the others try again until it is. */
#include "base/clock.h"
#include "base/log.h"
#include "base/util.h"
#include "db/internal.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNTERS 4096u
#define BYTES (COUNTERS * sizeof(struct db_counter))
#define LOST_COUNT 0x80000000u
#define RETRY_MS 5
#define MEND_MS 3000 /* the listener has for it */

struct db_counter { _Atomic uint32_t grants, files, bell; };

static struct db_counter *counter(const struct db *db, const struct db_file_id *id)
{
	uint64_t h = (id->ino ^ id->dev * 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;

	return &db->counters[h >> 52];
}

static struct { struct db *db; uint64_t since, last; } cut;

static void on_cut(int sig, siginfo_t *info, void *context)
{
	const uint8_t *at = info->si_addr, *counters = cut.db ? (const uint8_t *)cut.db->counters : NULL;

	(void)context;
	if (clock_ms() - cut.last > 10 * RETRY_MS) /* it was mended meanwhile */
		cut.since = clock_ms();
	cut.last = clock_ms();
	if (!counters || at < counters || at >= counters + BYTES || cut.last - cut.since > MEND_MS)
		signal(sig, SIG_DFL); /* and what is at fault happens once more */
	else if (!db_mend_grants(cut.db)) {
		db_suspect(DB_GRANTS, true);
		(void)poll(NULL, 0, RETRY_MS);
	}
}

static bool mend_when_cut(struct db *db)
{
	struct sigaction act = { .sa_sigaction = on_cut, .sa_flags = SA_SIGINFO };

	cut.db = db;
	return sigaction(SIGBUS, &act, NULL) == 0;
}

bool grants_prepare(struct db *db, const char *lock_directory, const char **why)
{
	static char text[300];
	int at = open(lock_directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd;
	void *p = MAP_FAILED;

	fd = at < 0 ? -1 : openat(at, "smb1d-grants", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0 && ftruncate(fd, (off_t)BYTES) == 0)
		p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED) {
		snprintf(text, sizeof(text), "cannot use %s/smb1d-grants: %s", lock_directory, strerror(errno));
		*why = text;
	}
	if (at >= 0)
		close(at);
	db->grants_fd = fd;
	db->counters = p == MAP_FAILED ? NULL : p;
	for (unsigned i = 0; db->counters && db->alone && i < COUNTERS; i++)
		atomic_store(&db->counters[i].files, 0);
	return db->counters != NULL && mend_when_cut(db);
}

/* Whoever has the file mapped sees the bytes that come back.  They are other numbers than before, so that nobody
 * takes what he saw once for the state of now. */
bool db_mend_grants(struct db *db)
{
	uint8_t fresh[BYTES];
	struct stat st;

	if (db->grants_fd < 0 || fstat(db->grants_fd, &st) != 0 || st.st_size >= (off_t)BYTES)
		return false;
	util_random(fresh, sizeof(fresh));
	if (pwrite(db->grants_fd, fresh, sizeof(fresh), 0) != (ssize_t)sizeof(fresh)) {
		log_error(LOG_TDB, "smb1d-grants was cut and cannot be made again: %s", strerror(errno));
		return false;
	}
	log_error(LOG_TDB, "smb1d-grants was cut: made anew");
	return true;
}

void grants_close(struct db *db)
{
	if (cut.db == db)
		cut.db = NULL;
	if (db->counters)
		munmap(db->counters, BYTES);
	db->counters = NULL;
	if (db->grants_fd >= 0)
		close(db->grants_fd);
	db->grants_fd = -1;
}

uint32_t db_share_grants(const struct db *db, const struct db_file_id *id) { return atomic_load(&counter(db, id)->grants); }

void db_share_granted(struct db *db, const struct db_file_id *id) { (void)atomic_fetch_add(&counter(db, id)->grants, 1); }

void files_count(struct db *db, const struct db_file_id *id, bool there)
{
	struct db_counter *c = counter(db, id);

	if (there)
		(void)atomic_fetch_add(&c->files, 1);
	else if (atomic_fetch_sub(&c->files, 1) == 0)
		atomic_store(&c->files, LOST_COUNT);
}

bool db_share_none(struct db *db, const struct db_file_id *id)
{
	struct tdb_context *tdb = db->tdb[DB_OPENS];
	uint8_t key[ID_BYTES];
	bool none;

	if (atomic_load(&counter(db, id)->files) == 0)
		return true;
	pulse_in(DB_OPENS);
	none = tdb && !tdb_exists(tdb, db_id_key(id, key)) && tdb_error(tdb) == TDB_ERR_NOEXIST;
	pulse_out();
	return none;
}

static struct db_counter *bell_of(const struct db *db, pid_t pid) { return &db->counters[(uint32_t)pid % COUNTERS]; }

void bell_ring(struct db *db, pid_t pid) { (void)atomic_fetch_add(&bell_of(db, pid)->bell, 1); }

HOT uint32_t bell_count(const struct db *db, pid_t pid) { return atomic_load(&bell_of(db, pid)->bell); }
