/* owner.c - who owns an entry, and does he still live?  And what records of files have in common.
 *
 * A pid alone is given again; with the start time it names a process for ever. */
#include "base/util.h"
#include "db/internal.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static struct db_owner me;

/* The verdicts of the running call.  A file with more distinct owners than this looks some up twice. */
static struct {
	bool on;
	unsigned n;
	struct { struct db_owner who; bool alive; } seen[32];
} cache;

bool owner_same(const struct db_owner *a, const struct db_owner *b)
{
	return a->pid == b->pid && a->start_time == b->start_time;
}

void owner_refresh(uint64_t start_time)
{
	me.pid = getpid();
	me.start_time = start_time ? start_time : util_start_time(me.pid);
}

static void child_is_another(void) { me.pid = 0; }

struct db_owner db_me(void)
{
	static bool watching;

	if (me.pid == 0) {
		/* a child that forgot db_after_fork() must not pass for its parent */
		if (!watching && pthread_atfork(NULL, NULL, child_is_another) == 0)
			watching = true;
		owner_refresh(0);
	}
	return me;
}

bool owner_is_me(const struct db_owner *o)
{
	struct db_owner self = db_me();

	return owner_same(o, &self);
}

void owner_cache_begin(void)
{
	cache.on = true;
	cache.n = 0;
}

void owner_cache_end(void) { cache.on = false; }

/* 'Z' and 'X' are corpses nobody has fetched yet: where process 1 does not do that duty (small
 * containers) they lie there for ever, with their start time.  '\0' = no such process or no /proc. */
static char process_state(pid_t pid)
{
	char path[40], text[512], *p;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return '\0';
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return '\0';
	text[n] = '\0';
	p = strrchr(text, ')'); /* the name before it may hold anything */
	return p && p[1] == ' ' ? p[2] : '\0';
}

/* A worker that has shut its door cannot read /proc, not even about itself; then what kill() says
 * must do, and a pid that was given again keeps an old entry alive until the listener buries it. */
static bool look_up(const struct db_owner *o)
{
	uint64_t start;
	char state;

	if (kill(o->pid, 0) != 0 && errno == ESRCH)
		return false;
	start = util_start_time(o->pid);
	if (start == 0)
		return util_start_time(getpid()) == 0;
	if (o->start_time != 0 && o->start_time != start)
		return false;
	state = process_state(o->pid);
	return state != 'Z' && state != 'X' && state != '\0';
}

bool db_alive(const struct db_owner *o)
{
	struct db_owner self = db_me();
	bool alive;

	if (o->pid <= 0)
		return false;
	if (o->pid == self.pid)
		return o->start_time == self.start_time;
	if (!cache.on)
		return look_up(o);
	for (unsigned i = 0; i < cache.n && i < ARRAY_LEN(cache.seen); i++)
		if (owner_same(&cache.seen[i].who, o))
			return cache.seen[i].alive;
	alive = look_up(o);
	cache.seen[cache.n % ARRAY_LEN(cache.seen)].who = *o;
	cache.seen[cache.n % ARRAY_LEN(cache.seen)].alive = alive;
	cache.n++;
	return alive;
}

void wr_owner(struct wr *w, const struct db_owner *o)
{
	wr_u32(w, (uint32_t)o->pid);
	wr_u64(w, o->start_time);
}

struct db_owner rd_owner(struct rd *r)
{
	struct db_owner o;
	uint32_t pid = rd_u32(r);

	if (pid == 0 || pid > INT32_MAX)
		r->bad = true;
	o.pid = (pid_t)pid;
	o.start_time = rd_u64(r);
	return o;
}

/* ---- files ---- */

TDB_DATA db_id_key(const struct db_file_id *id, uint8_t key[ID_BYTES])
{
	struct wr w = wr_over(key, ID_BYTES);

	wr_u64(&w, id->dev);
	wr_u64(&w, id->ino);
	return db_datum(key, ID_BYTES);
}

bool db_key_id(const struct db_raw *raw, struct db_file_id *id)
{
	struct rd r = rd_over(raw->key, raw->key_len);

	id->dev = rd_u64(&r);
	id->ino = rd_u64(&r);
	return rd_ok(&r) && rd_left(&r) == 0;
}

bool db_slots_name(const uint8_t *p, size_t len, size_t slot, const struct db_owner *who)
{
	struct db_owner o;

	for (size_t at = 0; at + slot <= len; at += slot) {
		memcpy(&o, p + at, sizeof(o));
		if (owner_same(&o, who))
			return true;
	}
	return false;
}
