/* lock.c - the byte-range locks of an open file: taken, waited for, released, obeyed.
 *
 * The database decides (db_lock_with); what this open holds is remembered here as well, because a release
 * needs no look at others and because local programs must see the sum of stacked locks.  Order: a lock is
 * entered in the database and then shown to local programs; on release the other way around. */
#include "srv/lock.h"
#include "base/budget.h"
#include "base/log.h"
#include "base/util.h"
#include "db/msg.h"
#include "srv/neighbour.h"
#include "srv/park.h"
#include "srv/posix_lock.h"

/* A request on its way, kept in p->state while it waits. */
struct lock_job {
	uint64_t request;
	struct lock_range wish;  /* what we wait for */
	bool in_db;              /* as a wish, and perhaps with ranges that are ours already */
};

static bool is_me(const struct db_owner *o)
{
	struct db_owner me = db_me();

	return o->pid == me.pid && o->start_time == me.start_time;
}

/* Locks are for those who may read or write. */
static status_t may_lock(const struct open *o, const struct lock_range *r, size_t n)
{
	if (o->kind != OPEN_FILE)
		return ST_INVALID_DEVICE_REQUEST;
	if (!(o->access & (ACC_READ_DATA | ACC_WRITE_DATA | ACC_APPEND | ACC_EXECUTE)))
		return ST_ACCESS_DENIED;
	for (size_t i = 0; i < n; i++)
		if (lock_range_bad(r[i].start, r[i].length))
			return ST_INVALID_LOCK_RANGE;
	return ST_OK;
}

/* ---- waiters ---- */

static void note(struct lock_told *t, const struct db_owner *o)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->who[i].pid == o->pid && t->who[i].start_time == o->start_time)
			return;
	if (t->n < LOCK_MOST_TOLD)
		t->who[t->n++] = *o;
}

/* Every wish that nothing stands in the way of any more becomes a lock, the oldest first. */
void lock_grant_waiting(struct db_locks *l, struct lock_told *t)
{
	for (size_t i = 0; i < l->nwaiting;) {
		struct db_lock w = l->waiting[i];

		bool advisory = w.flags & DB_LOCK_POSIX; /* its owner takes it himself */

		if (advisory ? posix_lock_conflict(l, &w) : lock_conflict(l, &w)) {
			i++;
			continue;
		}
		if (!advisory && db_alive(&w.owner) && !db_locks_add(l, &w)) {
			i++;
			continue;
		}
		db_locks_drop_wish(l, i);
		note(t, &w.owner);
	}
}

void lock_tell(struct conn *c, const struct db_file_id *id, const struct lock_told *t)
{
	uint8_t body[16];
	struct wr w = wr_over(body, sizeof(body));

	wr_u64(&w, id->dev);
	wr_u64(&w, id->ino);
	for (size_t i = 0; i < t->n; i++) {
		if (is_me(&t->who[i]))
			park_wake_file(c, id);
		else if (c->host->box)
			box_send(c->host->box, &t->who[i], MSG_WAKE, body, sizeof(body));
	}
}

/* ---- taking ---- */

struct attempt {
	struct open *o;
	const struct lock_range *r;
	size_t n;
	bool exclusive, may_wait, resumed;
	uint64_t request;
	/* results */
	size_t done;            /* ranges that are ours */
	bool refused;
	struct db_lock blocker;
	struct lock_told told;
};

static bool of_request(const struct db_lock *e, const struct open *o, uint64_t request)
{
	return e->request == request && e->open_id == o->open_id && is_me(&e->owner);
}

struct leaving {
	const struct open *o;
	uint64_t request; /* 0: all of the open file */
};

static bool stays(const struct db_lock *e, const void *arg)
{
	const struct leaving *l = arg;

	return !of_request(e, l->o, l->request ? l->request : e->request);
}

/* What this request has got and what it wishes for goes; request 0: all of the open file. */
static void take_back(struct db_locks *l, const struct open *o, uint64_t request)
{
	struct leaving gone = { o, request };

	db_locks_keep(l, stays, &gone);
}

/* How many ranges are ours from before, and the wish that still waits, if any. */
static size_t count_ours(const struct db_locks *l, const struct attempt *a, const struct db_lock **wish)
{
	size_t n = 0;

	for (size_t i = 0; i < l->nheld; i++)
		n += of_request(&l->held[i], a->o, a->request);
	for (size_t i = 0; i < l->nwaiting; i++)
		if (of_request(&l->waiting[i], a->o, a->request))
			*wish = &l->waiting[i];
	return n;
}

/* Somebody is in the way: wait (new_wish NULL: the wish is there already), or give everything back. */
static status_t held_up(struct db_locks *l, struct attempt *a, const struct db_lock *blocker,
			const struct db_lock *new_wish)
{
	if (!blocker) /* the file has no room for more locks */
		return ST_INSUFF_SERVER_RESOURCES;
	a->blocker = *blocker; /* should he be dead, all this is thrown away and take() called again */
	l->blocker = &a->blocker;
	if (a->may_wait && (!new_wish || db_locks_wish(l, new_wish)))
		return ST_PENDING;
	if (!a->resumed && !l->changed)
		return ST_FILE_LOCK_CONFLICT;
	a->refused = true;
	take_back(l, a->o, a->request);
	lock_grant_waiting(l, &a->told);
	return ST_OK;
}

static status_t take(struct db_locks *l, void *arg)
{
	struct attempt *a = arg;
	const struct db_lock *wish = NULL, *blocker;

	a->told.n = 0;
	a->refused = false;
	lock_grant_waiting(l, &a->told);
	a->done = a->resumed ? count_ours(l, a, &wish) : 0;
	if (wish)
		return held_up(l, a, lock_conflict(l, wish), NULL);
	for (; a->done < a->n; a->done++) {
		const struct lock_range *r = &a->r[a->done];
		struct db_lock e = { .owner = db_me(), .open_id = a->o->open_id, .pid = r->pid, .start = r->start,
				     .length = r->length, .request = a->request,
				     .flags = a->exclusive ? DB_LOCK_EXCLUSIVE : 0 };

		blocker = lock_conflict(l, &e);
		if (blocker || !db_locks_add(l, &e))
			return held_up(l, a, blocker, &e);
	}
	return ST_OK;
}

struct returning {
	const struct open *o;
	uint64_t request; /* 0: all of the open file */
	struct lock_told told;
};

static status_t give_back(struct db_locks *l, void *arg)
{
	struct returning *g = arg;

	take_back(l, g->o, g->request);
	lock_grant_waiting(l, &g->told);
	return ST_OK;
}

static void undo(const struct open *o, uint64_t request)
{
	struct returning g = { .o = o, .request = request };

	if (db_lock_with(o->c->host->db, &o->id, give_back, &g) == ST_OK)
		lock_tell(o->c, &o->id, &g.told);
}

/* Into the database, and then before the eyes of local programs.  ST_PENDING: our wish is in the database;
 * ST_RETRY: a local program is in the way, which will tell nobody when it goes. */
static status_t try_all(struct attempt *a)
{
	struct open *o = a->o;
	status_t st = db_lock_with(o->c->host->db, &o->id, take, a);

	if (st == ST_OK || st == ST_PENDING)
		lock_tell(o->c, &o->id, &a->told);
	if (st == ST_OK && a->refused)
		return ST_FILE_LOCK_CONFLICT;
	if (st != ST_OK || lock_hold(o, a->r, a->n, a->exclusive))
		return st;
	undo(o, a->request);
	return a->may_wait ? ST_RETRY : ST_FILE_LOCK_CONFLICT;
}

/* The first refusal at an offset is LOCK_NOT_GRANTED; the same again through this open file, whatever the
 * length and the process, is FILE_LOCK_CONFLICT; so is one that has waited, and any above 0xef000000, where
 * databases keep their semaphores. */
static status_t refusal(struct open *o, const struct lock_range *r, bool waited)
{
	struct open_locks *lk = &o->lk;
	bool again = lk->failed && lk->failed_start == r->start;

	lk->failed = true;
	lk->failed_start = r->start;
	if (waited || again || (r->start >= 0xef000000 && r->start >> 63 == 0))
		return ST_FILE_LOCK_CONFLICT;
	return ST_LOCK_NOT_GRANTED;
}

/* poll: nobody will wake us. */
static status_t wait_for(struct req *q, const struct attempt *a, struct lock_job *job, uint32_t timeout,
			 bool poll)
{
	struct open *o = a->o;
	uint64_t deadline = timeout == LOCK_FOREVER ? PARK_FOREVER : clock_ms() + timeout;
	status_t st = ST_NO_MEMORY;

	if (!job)
		job = talloc_zero(NULL, struct lock_job);
	if (job)
		st = req_park(q, PARK_LOCK, &o->id, o->fid, deadline);
	if (st != ST_PENDING) {
		talloc_free(job);
		undo(o, a->request);
		return st;
	}
	q->parking->state = talloc_steal(q->parking, job);
	q->parking->look_every = poll ? max_u32((uint32_t)o->c->conf->g.lock_spin_time, 10) : 0;
	*job = (struct lock_job){ .request = a->request, .wish = a->r[min_u64(a->done, a->n - 1)], .in_db = !poll };
	o->lk.waiting += job->in_db;
	return ST_PENDING;
}

/* Refused by a lock that a dead connection of our client may have left: that one is asked, and we look again. */
static status_t wait_for_dead(struct req *q, const struct attempt *a, struct lock_job *job)
{
	const struct open *o = a->o;

	if (!neighbour_holds(o->c, &o->id, &a->blocker.owner))
		return ST_FILE_LOCK_CONFLICT;
	neighbour_ask_one(o->c, &a->blocker.owner);
	return wait_for(q, a, job, NEIGHBOUR_WAIT_MS, true);
}

status_t lock_take(struct req *q, struct open *o, const struct lock_range *r, size_t n, bool exclusive,
		   uint32_t timeout)
{
	static uint64_t last_request;
	const struct conf_params *p = &o->t->share->p;
	struct lock_job *job = q->resumed ? q->resumed->state : NULL;
	bool last_look = q->resumed && (q->resumed->over || q->resumed->cancelled);
	struct attempt a = { .o = o, .r = r, .n = n, .exclusive = exclusive, .resumed = job != NULL,
			     .may_wait = timeout != 0 && p->blocking_locks && !last_look,
			     .request = job ? job->request : ++last_request };
	status_t st = may_lock(o, r, n);

	if (st != ST_OK || n == 0 || !p->locking)
		return st;
	if (!job && !budget_allows(n * LOCK_BYTES))
		return ST_INSUFF_SERVER_RESOURCES;
	if (job)
		o->lk.waiting -= job->in_db;
	st = try_all(&a);
	if (st == ST_INSUFF_SERVER_RESOURCES && job) /* what was wished for before is not wanted any more */
		undo(o, a.request);
	if (st == ST_PENDING && neighbour_holds(o->c, &o->id, &a.blocker.owner))
		neighbour_ask_one(o->c, &a.blocker.owner);
	if (st == ST_PENDING || st == ST_RETRY)
		return wait_for(q, &a, job, timeout, st == ST_RETRY);
	if (st == ST_FILE_LOCK_CONFLICT && !last_look)
		st = wait_for_dead(q, &a, job);
	if (st == ST_FILE_LOCK_CONFLICT)
		return refusal(o, &r[min_u64(a.done, n - 1)], timeout != 0);
	return st;
}

/* ---- giving back ---- */

struct releasing {
	const struct open *o;
	const struct held_lock *h;
	size_t n;
	struct lock_told told;
};

#define GONE 0x80000000u /* a mark in flags, inside the call-back only */

static void mark_one(struct db_locks *l, const struct open *o, const struct held_lock *h)
{
	uint32_t flags = h->exclusive ? DB_LOCK_EXCLUSIVE : 0;

	for (size_t i = 0; i < l->nheld; i++) {
		struct db_lock *e = &l->held[i];

		if (e->start == h->start && e->length == h->length && e->pid == h->pid && e->flags == flags &&
		    e->open_id == o->open_id && is_me(&e->owner)) {
			e->flags |= GONE;
			return;
		}
	}
}

static bool unmarked(const struct db_lock *e, const void *arg)
{
	(void)arg;
	return !(e->flags & GONE);
}

static status_t release(struct db_locks *l, void *arg)
{
	struct releasing *g = arg;

	for (size_t i = 0; i < g->n; i++)
		mark_one(l, g->o, &g->h[i]);
	db_locks_keep(l, unmarked, NULL);
	lock_grant_waiting(l, &g->told);
	return ST_OK;
}

status_t lock_release(struct open *o, const struct lock_range *r, size_t n)
{
	struct held_lock one = { 0 }, *gone = n > 1 ? talloc_array(NULL, struct held_lock, (unsigned)n) : &one;
	struct releasing g = { .o = o, .h = gone };
	status_t st = may_lock(o, r, n);
	uint32_t at = 0;

	if (st == ST_OK && !gone)
		st = ST_NO_MEMORY;
	if (st == ST_OK && o->t->share->p.locking) {
		for (; g.n < n && lock_find_held(o, &r[g.n], &at); g.n++) {
			gone[g.n] = o->lk.held[at];
			lock_let_go(o, at);
		}
		st = g.n > 0 ? db_lock_with(o->c->host->db, &o->id, release, &g) : ST_OK;
		lock_tell(o->c, &o->id, &g.told);
		if (st == ST_OK && g.n < n)
			st = ST_RANGE_NOT_LOCKED;
	}
	if (gone != &one)
		talloc_free(gone);
	return st;
}

bool lock_cancel(struct open *o, const struct lock_range *r)
{
	for (struct parked *p = o->c->parked; p; p = p->next) {
		const struct lock_job *job = p->state;

		if (p->kind != PARK_LOCK || p->fid != o->fid || p->verdict != ST_OK || p->cancelled)
			continue;
		if (job->wish.pid == r->pid && job->wish.start == r->start && job->wish.length == r->length &&
		    job->wish.large == r->large) {
			p->cancelled = true;
			return true;
		}
	}
	return false;
}

void lock_close(struct open *o)
{
	park_refuse_now(o->c, o->fid, PARK_LOCK, ST_RANGE_NOT_LOCKED);
	if (o->lk.n == 0 && o->lk.waiting == 0)
		return;
	o->lk.n = o->lk.waiting = 0;
	undo(o, 0);
}

/* ---- obeying ---- */

struct io {
	struct db_lock who;
	uint64_t off, len;
	bool write, none;
};

static status_t test_io(struct db_locks *l, void *arg)
{
	struct io *io = arg;

	io->none = l->nheld == 0;
	l->blocker = lock_io_conflict(l, &io->who, io->off, io->len, io->write);
	return l->blocker ? ST_FILE_LOCK_CONFLICT : ST_OK;
}

/* `strict locking = auto`: under an oplock nobody else has a lock in the file, or it would be broken. */
static bool obeys(const struct open *o, bool write)
{
	const struct conf_params *p = &o->t->share->p;
	uint8_t level = o->oplock.level;

	if (!p->locking || p->strict_locking == CONF_STRICT_LOCKING_NO)
		return false;
	return p->strict_locking == CONF_STRICT_LOCKING_YES || level == 0 || (level == 3 && write);
}

/* seq: of the table, from before the look. */
static status_t look_for_locks(uint32_t pid, struct open *o, uint64_t off, uint64_t len, bool write, uint32_t seq)
{
	struct io io = { .who = { .owner = db_me(), .open_id = o->open_id, .pid = pid },
			 .off = off, .len = len, .write = write };
	status_t st = db_lock_with(o->c->host->db, &o->id, test_io, &io);

	o->lk.none = io.none;
	o->lk.none_seq = seq;
	return st;
}

HOT status_t lock_check_io(uint32_t pid, struct open *o, uint64_t off, uint64_t len, bool write)
{
	uint32_t seq = db_lock_seqnum(o->c->host->db);

	if (len == 0 || o->kind != OPEN_FILE || (o->lk.none && o->lk.none_seq == seq) || !obeys(o, write))
		return ST_OK;
	return look_for_locks(pid, o, off, len, write, seq);
}
