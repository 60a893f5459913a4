/* file.c - one tdb file: how it is opened at the start.
 *
 *   no file ------------------------> made, empty
 *   file nobody uses, sound --------> emptied (its owners are all dead)
 *   file nobody uses, damaged ------> moved to .bad, made anew
 *   file in use, sound -------------> joined: workers outlive a listener that was killed
 *   file in use, damaged -----------> moved to .bad, made anew; those workers are told to join it (damage.c)
 *
 * "In use" is what TDB_CLEAR_IF_FIRST calls active: a file lock that each user holds for as long as
 * it lives.  Each worker takes its own after fork (tdb_reopen), since its parent may die first.
 *
 * POSIX file locks vanish when any descriptor of the file is closed by the process, so all peeping
 * is done before tdb_open(), and a directory is opened once per process.  A file that may be damaged is walked by a
 * child: what kills it, or keeps it for ever, says that the file is bad. */
#include "base/clock.h"
#include "base/log.h"
#include "base/util.h"
#include "db/internal.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define QUIET_MS 300   /* between two complaints of tdb in the log */
#define LOOK_SECONDS 3 /* that a look at a file may take at the start */

/* With mutexes a chain costs 40 bytes of file, touched when used. */
static const struct { const char *name; int hash_size, tdb_flags; } files[DB_FILES] = {
	[DB_OPENS] = { "smb1d-opens.tdb", 4099, 0 },
	[DB_SESSIONS] = { "smb1d-sessions.tdb", 257, 0 },
	[DB_TREES] = { "smb1d-trees.tdb", 257, 0 },
	[DB_LOCKS] = { "smb1d-brlock.tdb", 4099, TDB_SEQNUM },
	[DB_WATCHES] = { "smb1d-notify.tdb", 257, TDB_SEQNUM },
};

static char why_text[512];

const char *db_because(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why_text, sizeof(why_text), fmt, ap);
	va_end(ap);
	return why_text;
}

/* ---- log ---- */

static enum db_which file_of(struct tdb_context *tdb)
{
	const char *base = strrchr(tdb_name(tdb), '/');
	int i = 0;

	while (i < DB_FILES && strcmp(files[i].name, base ? base + 1 : tdb_name(tdb)) != 0)
		i++;
	return (enum db_which)i;
}

/* A damaged file complains at each step: a line now and then is enough. */
static bool too_soon(void)
{
	static uint64_t said;
	uint64_t now = clock_ms();
	bool soon = said != 0 && now - said < QUIET_MS;

	if (!soon)
		said = now;
	return soon;
}

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
	if (lvl <= 1) {
		db_suspect(file_of(tdb), false);
		lvl = too_soon() ? 5 : lvl;
	}
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

void file_says(struct tdb_context *tdb)
{
	tdb_set_logging_function(tdb, &(struct tdb_logging_context){ log_tdb, NULL });
}

const char *db_file_name(enum db_which which) { return files[which].name; }

/* ---- open ---- */

static struct tdb_context *tdb_try(const char *path, enum db_which which, int tdb_flags, int open_flags)
{
	struct tdb_logging_context log = { log_tdb, why_text };

	errno = 0;
	return tdb_open_ex(path, files[which].hash_size, tdb_flags, open_flags, 0600, &log, NULL);
}

struct tdb_context *file_join(const char *path, enum db_which which, int open_flags)
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

	if (!tdb)
		return errno != EIO && errno != EINVAL;
	return tdb_check(tdb, NULL, NULL) == 0;
}

bool file_walk(struct tdb_context *tdb)
{
	int free_records;

	/* this passes through every mutex; records of the dead may be half written, so no more is asked than that
	 * each chain and the list of free space can be walked */
	return tdb_lockall(tdb) == 0 && tdb_traverse_read(tdb, NULL, NULL) >= 0 &&
	       tdb_validate_freelist(tdb, &free_records) == 0 && tdb_unlockall(tdb) == 0;
}

static bool sound_in_use(const char *path, enum db_which which)
{
	/* with O_CREAT tdb would make a damaged file anew on the spot, under the feet of its users */
	struct tdb_context *tdb = file_join(path, which, O_RDWR);

	return tdb ? file_walk(tdb) : errno != EIO && errno != EINVAL;
}

void db_child_at_risk(unsigned seconds)
{
	static const int deadly[] = { SIGBUS, SIGSEGV, SIGABRT, SIGALRM };
	const struct rlimit none = { 0, 0 };
	sigset_t set;

	(void)setrlimit(RLIMIT_CORE, &none);
	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_LEN(deadly); i++) {
		signal(deadly[i], SIG_DFL);
		sigaddset(&set, deadly[i]);
	}
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	alarm(seconds);
}

/* Its exit status may be lost, where a parent has SIGCHLD ignored: so it sends a word. */
static bool child_finds_sound(bool (*look)(const char *path, enum db_which which), const char *path,
			      enum db_which which)
{
	int word[2];
	char c = 0;
	pid_t pid;

	if (pipe2(word, O_CLOEXEC) != 0)
		return look(path, which);
	pid = fork();
	if (pid == 0) {
		db_child_at_risk(LOOK_SECONDS);
		c = look(path, which) ? 'y' : 'n';
		_exit(write(word[1], &c, 1) == 1 ? 0 : 1);
	}
	close(word[1]);
	if (pid < 0)
		c = look(path, which) ? 'y' : 'n';
	else
		while (read(word[0], &c, 1) < 0 && errno == EINTR)
			;
	close(word[0]);
	if (pid > 0)
		(void)waitpid(pid, NULL, 0);
	return c == 'y';
}

/* Does some process hold a lock of the file?  All users of it do. */
static bool in_use(int fd)
{
	struct flock fl = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return fcntl(fd, F_GETLK, &fl) != 0 || fl.l_type != F_UNLCK;
}

bool file_move_aside(const char *path, const char **why)
{
	char bad[4200];

	snprintf(bad, sizeof(bad), "%s.bad", path);
	if (rename(path, bad) != 0) {
		*why = db_because("%s is damaged and cannot be moved aside: %s", path, strerror(errno));
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
		*why = db_because("cannot open the database %s: %s", path,
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

struct tdb_context *file_open(const char *path, enum db_which which, enum file_was *was, const char **why)
{
	struct tdb_context *tdb;
	off_t size = 0;
	int use = look_at(path, &size, why);

	*was = use == 1 ? FILE_JOINED : FILE_ALONE;
	if (use == -2)
		return NULL;
	if (use == 0 && size > 0 && !child_finds_sound(sound_at_rest, path, which) && !file_move_aside(path, why))
		return NULL;
	if (use == 1 && !child_finds_sound(sound_in_use, path, which)) {
		if (!file_move_aside(path, why))
			return NULL;
		*was = FILE_RENEWED;
	}
	tdb = file_join(path, which, *was == FILE_JOINED ? O_RDWR : O_RDWR | O_CREAT);
	if (!tdb)
		*why = db_because("cannot open the database %s: %s", path, strerror(errno));
	return tdb;
}

/* Where nobody lives, a reader looks at the file without taking part, or it would be emptied. */
struct tdb_context *file_open_to_read(const char *path, enum db_which which, enum file_was *was, const char **why)
{
	struct tdb_context *tdb;
	off_t size = 0;
	int use = look_at(path, &size, why);

	*was = use == 1 ? FILE_JOINED : FILE_ALONE;
	if (use == -1)
		*why = db_because("there is no database %s: has smb1d ever run with this lock directory?", path);
	if (use < 0)
		return NULL;
	tdb = use ? file_join(path, which, O_RDWR) : tdb_try(path, which, TDB_NOLOCK, O_RDONLY);
	if (!tdb)
		*why = db_because("cannot open the database %s: %s", path,
			       errno == EIO || errno == EINVAL ? "it is damaged" : strerror(errno));
	return tdb;
}
