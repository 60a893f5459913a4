/* posix_lock.c - advisory locks of the UNIX extensions: taken, waited for, asked about, given back. */
#include "srv/posix_lock.h"
#include "base/budget.h"
#include "base/log.h"
#include "base/util.h"
#include "srv/park.h"

#define FIRST_REQUEST (1ull << 63) /* numbers of srv/lock.c are below */

/* This process' advisory locks in a record; perhaps of one PID. */
struct view {
	TALLOC_CTX *mem; /* NULL: nobody wants to know */
	struct db_lock *e;
	size_t n;
};

struct attempt {
	struct open *o;
	struct db_lock lock;
	bool unlock, may_wait;
	struct view before, after; /* what the PID had; what all PIDs have */
	/* results */
	bool refused;
	struct db_lock blocker;
	struct lock_told told;
};

static bool is_me(const struct db_owner *o)
{
	struct db_owner me = db_me();

	return o->pid == me.pid && o->start_time == me.start_time;
}

/* Offsets are those of off_t.  Length 0 reaches to the end of them. */
static status_t make(const struct open *o, const struct posix_lock *want, struct db_lock *e)
{
	uint64_t most = (uint64_t)INT64_MAX - want->start + 1;

	if (o->kind != OPEN_FILE)
		return ST_INVALID_DEVICE_REQUEST;
	if (want->start > INT64_MAX || want->length > most)
		return ST_INVALID_PARAMETER;
	*e = (struct db_lock){
		.owner = db_me(), .open_id = o->open_id, .pid = want->pid, .start = want->start,
		.length = want->length ? want->length : most,
		.flags = DB_LOCK_POSIX | (want->type == POSIX_LOCK_WRITE ? DB_LOCK_EXCLUSIVE : 0),
	};
	return ST_OK;
}

/* ---- what local programs see ----
 *
 * Each lock is shown through the open file it was taken by, since the kernel's locks belong to those.  A lock that
 * its PID takes again through another open file moves to that one. */

static bool look(struct view *v, const struct db_locks *l, const uint32_t *pid)
{
	v->n = 0;
	if (!v->mem)
		return true;
	v->e = talloc_realloc(v->mem, v->e, struct db_lock, (unsigned)l->nheld + 1);
	for (size_t i = 0; v->e && i < l->nheld; i++)
		if ((l->held[i].flags & DB_LOCK_POSIX) && is_me(&l->held[i].owner) && (!pid || l->held[i].pid == *pid))
			v->e[v->n++] = l->held[i];
	return v->e != NULL;
}

/* What this open file shows from now on.  Out of memory: nothing. */
static void assign(struct open *o, const struct view *v)
{
	struct open_locks *lk = &o->lk;

	TALLOC_FREE(lk->advisory);
	lk->nadvisory = 0;
	for (size_t i = 0; i < v->n; i++) {
		if (v->e[i].open_id != o->open_id)
			continue;
		if (!lk->advisory)
			lk->advisory = talloc_array(o, struct held_lock, (unsigned)v->n);
		if (!lk->advisory)
			return;
		lk->advisory[lk->nadvisory++] = (struct held_lock){
			.start = v->e[i].start, .length = v->e[i].length, .pid = v->e[i].pid,
			.exclusive = v->e[i].flags & DB_LOCK_EXCLUSIVE, .shown = true,
		};
	}
}

/* Brings all this client's open files of the file in line in these bytes; `gains` last, since it alone may get more.
 * False: a local program forbids that. */
static bool show(struct conn *c, const struct db_file_id *id, struct open *gains, const struct view *v, uint64_t start,
		 uint64_t length)
{
	struct open *o;
	uint16_t fid = 0;

	while ((o = idtab_next(c->opens, fid, &fid)) != NULL) {
		if (o->kind != OPEN_FILE || o->id.ino != id->ino || o->id.dev != id->dev || o->fd < 0 ||
		    !o->t->share->p.posix_locking)
			continue;
		assign(o, v);
		if (o != gains)
			(void)lock_show(o, start, length);
	}
	return !gains || lock_show(gains, start, length);
}

static bool of_pid(const struct db_lock *e, const void *arg)
{
	const struct db_lock *mine = arg;

	return !((e->flags & DB_LOCK_POSIX) && e->pid == mine->pid && is_me(&e->owner));
}

/* A local program was in the way: as it was before. */
static status_t put_back(struct db_locks *l, void *arg)
{
	struct attempt *a = arg;

	a->told.n = 0;
	db_locks_keep(l, of_pid, &a->lock);
	for (size_t i = 0; i < a->before.n; i++)
		if (!db_locks_add(l, &a->before.e[i]))
			return ST_INSUFFICIENT_RESOURCES;
	lock_grant_waiting(l, &a->told);
	return look(&a->after, l, NULL) ? ST_OK : ST_NO_MEMORY;
}

/* The database has agreed.  False: a local program has not, and nothing has changed. */
static bool show_attempt(struct attempt *a)
{
	const struct db_lock *changed = &a->lock;
	struct open *o = a->o;

	if (!a->after.mem)
		return true;
	for (size_t i = 0; !a->unlock && i < a->after.n; i++) { /* it has joined what touched it, of whatever open file */
		const struct db_lock *e = &a->after.e[i];

		if (e->pid == a->lock.pid && e->start <= a->lock.start && a->lock.start - e->start < e->length)
			changed = e;
	}
	if (show(o->c, &o->id, a->unlock ? NULL : o, &a->after, changed->start, changed->length))
		return true;
	if (db_lock_with(o->c->host->db, &o->id, put_back, a) == ST_OK) {
		(void)show(o->c, &o->id, NULL, &a->after, changed->start, changed->length);
		lock_tell(o->c, &o->id, &a->told);
	}
	return false;
}

/* ---- taking ---- */

static bool not_mine(const struct db_lock *e, const void *arg)
{
	const struct db_lock *mine = arg;

	return e->request != mine->request || e->open_id != mine->open_id || !is_me(&e->owner);
}

static void drop_wish(struct db_locks *l, const struct db_lock *mine)
{
	for (size_t i = 0; i < l->nwaiting; i++) {
		if (!not_mine(&l->waiting[i], mine)) {
			db_locks_drop_wish(l, i);
			return;
		}
	}
}

static status_t take(struct db_locks *l, void *arg)
{
	struct attempt *a = arg;
	const struct db_lock *blocker;

	a->told.n = 0;
	a->refused = false;
	drop_wish(l, &a->lock);
	blocker = a->unlock ? NULL : posix_lock_conflict(l, &a->lock);
	if (blocker) {
		a->blocker = *blocker; /* should he be dead, all this is thrown away and take() called again */
		l->blocker = &a->blocker;
		if (a->may_wait && db_locks_wish(l, &a->lock))
			return ST_PENDING;
		a->refused = true;
		return l->changed ? ST_OK : ST_FILE_LOCK_CONFLICT;
	}
	if (!look(&a->before, l, &a->lock.pid))
		return ST_NO_MEMORY;
	if (!posix_lock_apply(l, &a->lock, a->unlock))
		return ST_INSUFFICIENT_RESOURCES;
	lock_grant_waiting(l, &a->told);
	return look(&a->after, l, NULL) ? ST_OK : ST_NO_MEMORY;
}

static status_t wish_no_more(struct db_locks *l, void *arg)
{
	drop_wish(l, arg);
	return ST_OK;
}

static void forget_wish(struct attempt *a)
{
	(void)db_lock_with(a->o->c->host->db, &a->o->id, wish_no_more, &a->lock);
}

/* poll: nobody will wake us. */
static status_t wait_for(struct req *q, struct attempt *a, bool poll)
{
	uint64_t *number = q->resumed ? q->resumed->state : talloc(NULL, uint64_t);
	status_t st = ST_NO_MEMORY;

	if (number)
		st = req_park(q, PARK_POSIX_LOCK, &a->o->id, a->o->fid, PARK_FOREVER);
	if (st != ST_PENDING) {
		talloc_free(number);
		forget_wish(a);
		return st;
	}
	*number = a->lock.request;
	q->parking->state = talloc_steal(q->parking, number);
	q->parking->look_every = poll ? max_u32((uint32_t)a->o->c->conf->g.lock_spin_time, 10) : 0;
	return ST_PENDING;
}

status_t posix_lock_set(struct req *q, struct open *o, const struct posix_lock *want, bool wait)
{
	static uint64_t next = FIRST_REQUEST;
	bool waited = q->resumed && q->resumed->kind == PARK_POSIX_LOCK && q->resumed->state;
	struct attempt a = { .o = o, .unlock = want->type == POSIX_LOCK_UNLOCK };
	status_t st = make(o, want, &a.lock);

	if (st != ST_OK || !o->t->share->p.locking)
		return st;
	if (!a.unlock && !waited && !budget_allows(LOCK_BYTES))
		return ST_INSUFF_SERVER_RESOURCES;
	a.lock.request = waited ? *(const uint64_t *)q->resumed->state : next++;
	if (waited && q->resumed->cancelled) { /* not even if it is free by now */
		forget_wish(&a);
		return ST_FILE_LOCK_CONFLICT;
	}
	a.may_wait = wait && o->t->share->p.blocking_locks;
	if (o->t->share->p.posix_locking)
		a.before.mem = a.after.mem = q->mem;
	st = db_lock_with(o->c->host->db, &o->id, take, &a);
	if (st == ST_OK)
		lock_tell(o->c, &o->id, &a.told);
	if (st == ST_PENDING)
		return wait_for(q, &a, false);
	if (st == ST_OK && a.refused)
		return ST_FILE_LOCK_CONFLICT;
	if (st == ST_OK && !show_attempt(&a))
		return a.may_wait ? wait_for(q, &a, true) : ST_FILE_LOCK_CONFLICT;
	if (st == ST_OK && !a.unlock && !o->lk.posix) {
		o->lk.posix = true;
		o->c->posix_locks++;
	}
	return st;
}

/* ---- asking ---- */

/* Has this client advisory locks on the file, through whatever open file? */
static bool any_here(const struct open *closing)
{
	const struct open *o;
	uint16_t fid = 0;

	if (closing->lk.posix)
		return true;
	while ((o = idtab_next(closing->c->opens, fid, &fid)) != NULL)
		if (o->lk.posix && o->id.ino == closing->id.ino && o->id.dev == closing->id.dev)
			return true;
	return false;
}

static status_t ask(struct db_locks *l, void *arg)
{
	struct attempt *a = arg;
	const struct db_lock *blocker = posix_lock_conflict(l, &a->lock);

	a->refused = blocker != NULL;
	if (!blocker)
		return ST_OK;
	a->blocker = *blocker;
	l->blocker = &a->blocker;
	return ST_FILE_LOCK_CONFLICT;
}

/* A local program's.  What the kernel cannot name may be this client's own, shown through another open file. */
static void ask_kernel(const struct open *o, const struct db_lock *want, struct posix_lock *found)
{
	struct fs_lock_found f;

	if (!fs_lock_query(o->fd, want->flags & DB_LOCK_EXCLUSIVE, want->start, want->start + (want->length - 1), &f) ||
	    (f.pid <= 0 && any_here(o)))
		return;
	*found = (struct posix_lock){
		.type = f.exclusive ? POSIX_LOCK_WRITE : POSIX_LOCK_READ, .pid = f.pid > 0 ? (uint32_t)f.pid : 0,
		.start = f.first, .length = f.last - f.first + 1,
	};
}

status_t posix_lock_query(struct open *o, const struct posix_lock *want, struct posix_lock *found)
{
	struct attempt a = { .o = o };
	status_t st = make(o, want, &a.lock);

	*found = *want;
	found->type = POSIX_LOCK_UNLOCK;
	if (st != ST_OK)
		return st;
	st = db_lock_with(o->c->host->db, &o->id, ask, &a);
	if (st == ST_OK && o->t->share->p.posix_locking)
		ask_kernel(o, &a.lock, found);
	if (a.refused) {
		*found = (struct posix_lock){
			.type = a.blocker.flags & DB_LOCK_EXCLUSIVE ? POSIX_LOCK_WRITE : POSIX_LOCK_READ,
			.pid = a.blocker.pid, .start = a.blocker.start, .length = a.blocker.length,
		};
		return ST_OK;
	}
	return st;
}

/* ---- the end ---- */

struct ending {
	const struct open *o;
	struct view after;
	struct lock_told told;
};

static bool stays(const struct db_lock *e, const void *arg)
{
	const struct open *o = arg;

	return !(e->flags & DB_LOCK_POSIX) || !is_me(&e->owner) || (e->open_id != o->open_id && e->pid != o->pid);
}

static status_t give_back(struct db_locks *l, void *arg)
{
	struct ending *e = arg;

	db_locks_keep(l, stays, e->o);
	lock_grant_waiting(l, &e->told);
	return look(&e->after, l, NULL) ? ST_OK : ST_NO_MEMORY;
}

void posix_lock_close(struct open *o)
{
	struct ending e = { .o = o };
	struct parked *p;
	bool waits = false;

	if (o->kind != OPEN_FILE)
		return;
	for (p = o->c->parked; p; p = p->next)
		waits |= p->kind == PARK_POSIX_LOCK && p->fid == o->fid;
	if (waits)
		park_refuse_now(o->c, o->fid, PARK_POSIX_LOCK, ST_FILE_LOCK_CONFLICT);
	if (!waits && (o->c->posix_locks == 0 || !any_here(o)))
		return;
	e.after.mem = o->t->share->p.posix_locking ? talloc_new(NULL) : NULL;
	if (db_lock_with(o->c->host->db, &o->id, give_back, &e) == ST_OK) {
		if (e.after.mem)
			(void)show(o->c, &o->id, NULL, &e.after, 0, (uint64_t)INT64_MAX + 1);
		lock_tell(o->c, &o->id, &e.told);
	}
	talloc_free(e.after.mem);
	if (o->lk.posix)
		o->c->posix_locks--;
	o->lk.posix = false;
}
