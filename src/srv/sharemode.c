/* sharemode.c - where the others who have the file open have their say.
 *
 *            ┌────────── woken, or time to look again ────────┐
 *            v                                                │
 *   open ─> ask ─── an oplock is in the way ─> break sent ─> parked ── 35 s ─> taken by force
 *            ├───── sharing violation ── `smbd:sharedelay` > 0 ─┤ (time over: SHARING_VIOLATION)
 *            │        └───── by our client's own address ─ probe┘ (it lives: SHARING_VIOLATION)
 *            └───── nobody minds ─> entered, oplock given
 *
 * Whoever has to wait puts its worker on the record's list in the same call that found out, so no change
 * can slip in between. */
#include "srv/sharemode.h"
#include "base/log.h"
#include "base/str.h"
#include "base/util.h"
#include "srv/lease.h"
#include "srv/message.h"
#include "srv/neighbour.h"
#include "srv/park.h"

#define DATA_ACCESS (ACC_READ_DATA | ACC_WRITE_DATA | ACC_APPEND | ACC_EXECUTE | ACC_DELETE)
#define ROOM_WAIT_MS 3000u    /* for a client to close files it only caches */
#define OPLOCK_WAIT_MS 35000u /* the holder's worker gives up after 30: this is for one that is stuck */

struct entering {
	struct req *q;
	struct open *o;
	const struct sharemode_want *w;
	struct db_opener me;
	uint8_t oplock;        /* that may be given */
	bool may_wait, by_force;
	/* outcome */
	enum opening opening;
	struct db_opener holder;
	struct neighbours suspects;
	struct oplock_losers losers;
};

/* ---- waiting ---- */

static status_t park(struct req *q, enum park_kind kind, const struct db_file_id *id, uint64_t deadline)
{
	bool other = q->resumed && q->resumed->kind != kind;
	status_t st;

	if (q->resumed && q->resumed->cancelled)
		return ST_CANCELLED;
	st = req_park(q, kind, id, 0, deadline);
	if (st == ST_PENDING && other)
		q->parking->deadline = deadline;
	return st;
}

/* The oplock in the way is asked to fall; asked again at each look, since messages may be lost. */
static status_t wait_for_oplock(struct req *q, const struct db_file_id *id, const struct db_opener *holder, uint8_t to)
{
	uint64_t deadline = clock_ms() + OPLOCK_WAIT_MS + (uint64_t)q->c->conf->g.oplock_break_wait_time;

	message_break(q->c, id, &holder->owner, holder->open_id, to, false);
	if (neighbour_is(q->c, holder))
		neighbour_ask_one(q->c, &holder->owner);
	return park(q, PARK_OPLOCK, id, deadline);
}

static bool waited_long_enough(const struct req *q)
{
	return q->resumed && q->resumed->kind == PARK_OPLOCK && q->resumed->over;
}

/* Until when a sharing violation may still go away. */
static uint64_t violation_deadline(const struct req *q)
{
	uint64_t delay = (uint64_t)q->t->share->p.smbd_sharedelay / 1000;

	if (!q->c->conf->g.defer_sharing_violations)
		return 0;
	return (q->resumed ? q->resumed->since : clock_ms()) + delay;
}

/* ... and, where openers that may be of a dead connection of our client are in the way, when they are to have answered. */
static status_t wait_for_others(struct req *q, const struct db_file_id *id, const struct neighbours *suspects)
{
	uint64_t deadline = violation_deadline(q), verdict = (q->resumed ? q->resumed->since : clock_ms()) + NEIGHBOUR_WAIT_MS;

	if (suspects->n > 0 && verdict > deadline)
		deadline = verdict;
	neighbour_ask(q->c, suspects);
	return park(q, PARK_SHARING, id, deadline);
}

/* May the others be what a dead connection of our client has left?  *rest: the record without those. */
static bool suspect(const struct req *q, const struct db_file *f, struct neighbours *s, struct db_file *rest)
{
	s->n = 0;
	if (!(q->resumed && q->resumed->over))
		neighbour_among(q->c, f, s);
	return s->n > 0 && neighbour_without(q->mem, f, s, rest);
}

/* A worker that has not let its oplock fall in all this time is stuck: it will find out when it wakes. */
static void take_by_force(struct db_file *f, const struct db_opener *holder)
{
	struct db_opener *h = db_file_find(f, &holder->owner, holder->open_id);

	if (!h)
		return;
	log_at(LOG_LOCKING, 1, "process %ld does not let go of its oplock on %s: taken away", (long)h->owner.pid, f->path);
	h->oplock = OPLOCK_NONE;
	f->changed = true;
}

/* ---- entering ---- */

static uint32_t entry_flags(const struct sharemode_want *w, uint32_t access)
{
	return (w->flags & ~DB_OPEN_STAT) | (access & DATA_ACCESS ? 0 : DB_OPEN_STAT);
}

static status_t add_me(struct db_file *f, struct entering *e)
{
	struct open *o = e->o;
	struct db *db = o->c->host->db;
	bool shared = false;

	e->me.oplock = rule_grant(f, e->oplock, oplock_level2_ok(o->t));
	if (e->w->truncates)
		oplock_take_level2(e->q->mem, f, 0, &e->losers);
	for (size_t i = 0; i < f->n; i++)
		shared |= f->openers[i].oplock == OPLOCK_LEVEL_II;
	if (f->path[0] == '\0')
		f->path = str_join(e->q->mem, o->t->root, "/", o->node->path);
	e->me.access = e->w->access; /* that it cuts counts once; what it may do later counts on */
	e->me.flags = entry_flags(e->w, e->w->access);
	if (!db_file_add(f, &e->me))
		return ST_NO_MEMORY;
	o->held_time = f->write_time;
	o->held_due = f->write_due;
	o->oplock.level = e->me.oplock;
	o->oplock.grants_seen = db_share_grants(db, &o->id) - (shared || e->me.oplock == OPLOCK_LEVEL_II);
	if (e->me.oplock == OPLOCK_LEVEL_II)
		db_share_granted(db, &o->id);
	return ST_OK;
}

static unsigned manner(const struct sharemode_want *w)
{
	return (w->truncates ? RULE_TRUNCATES : 0) | (w->keeps_oplocks ? RULE_KEEPS_OPLOCKS : 0);
}

/* Would he be let in but for connections that may be dead?  Nobody else is waited for. */
static bool kept_out_by_dead(struct db_file *f, struct entering *e)
{
	const struct db_opener *holder;
	struct db_file rest;

	if (suspect(e->q, f, &e->suspects, &rest) && rule_open(&rest, &e->me, manner(e->w), &holder) != OPENING_VIOLATION)
		return true;
	e->suspects.n = 0;
	return false;
}

static status_t enter(struct db_file *f, void *arg)
{
	struct entering *e = arg;
	const struct db_opener *holder = NULL;
	struct db_owner me = db_me();

	e->losers = (struct oplock_losers){ NULL, 0 };
	e->opening = rule_open(f, &e->me, manner(e->w), &holder);
	if (e->opening == OPENING_BREAK && e->by_force) {
		take_by_force(f, holder);
		e->opening = rule_open(f, &e->me, manner(e->w), &holder);
	}
	switch (e->opening) {
	case OPENING_ENTER:
		return add_me(f, e);
	case OPENING_BREAK:
		e->holder = *holder;
		db_file_wait(f, &me);
		return ST_PENDING;
	case OPENING_VIOLATION:
		if (!kept_out_by_dead(f, e) && !e->may_wait)
			return ST_SHARING_VIOLATION;
		db_file_wait(f, &me);
		return ST_PENDING;
	default:
		return ST_DELETE_PENDING;
	}
}

static status_t see_locks(struct db_locks *l, void *arg)
{
	*(bool *)arg = l->nheld > 0;
	return ST_OK;
}

static status_t drop_oplock(struct db_file *f, void *arg)
{
	struct open *o = arg;
	struct db_owner me = db_me();
	struct db_opener *e = db_file_find(f, &me, o->open_id);

	if (e) {
		e->oplock = OPLOCK_NONE;
		f->changed = true;
	}
	return ST_OK;
}

/* No level II beside byte-range locks.  Whoever locks first locks and then looks for level II oplocks; here it is the
 * other way round: one of the two sees the other. */
static void yield_to_locks(struct open *o)
{
	bool locked = false;

	if (db_lock_with(o->c->host->db, &o->id, see_locks, &locked) != ST_OK || !locked)
		return;
	o->oplock.level = OPLOCK_NONE;
	db_share_with(o->c->host->db, &o->id, drop_oplock, o);
}

status_t sharemode_enter(struct req *q, struct open *o, const struct sharemode_want *w, uint8_t *granted)
{
	uint32_t access = w->access | (w->truncates ? ACC_WRITE_DATA : 0);
	struct entering e = {
		.q = q, .o = o, .w = w, .oplock = o->kind == OPEN_FILE ? oplock_allowed(o->t, o->node->name, w->oplock) : 0,
		.me = { .owner = db_me(), .open_id = o->open_id, .access = access, .share = w->share,
			.flags = entry_flags(w, access), .client = o->c->client_key, .client_pid = o->pid, .client_uid = o->uid,
			.unix_uid = tree_user(o->t, q->s)->id->uid, .opened = clock_now() },
		.may_wait = clock_ms() < violation_deadline(q), .by_force = waited_long_enough(q),
	};
	bool fake = o->t->share->p.fake_oplocks;
	status_t st;

	*granted = fake ? e.oplock : OPLOCK_NONE;
	if (fake)
		e.oplock = OPLOCK_NONE;
	st = db_share_with(o->c->host->db, &o->id, enter, &e);
	if (st == ST_PENDING && e.opening == OPENING_BREAK)
		return wait_for_oplock(q, &o->id, &e.holder, w->truncates ? OPLOCK_NONE : OPLOCK_LEVEL_II);
	if (st == ST_PENDING)
		return wait_for_others(q, &o->id, &e.suspects);
	if (st != ST_OK)
		return st;
	oplock_tell_losers(o->c, &o->id, &e.losers);
	if (o->oplock.level == OPLOCK_LEVEL_II)
		yield_to_locks(o);
	if (!fake)
		*granted = o->oplock.level;
	return ST_OK;
}

void sharemode_opened(struct open *o, uint8_t *granted)
{
	if (!oplock_is_sole(o->oplock.level) || lease_take(o))
		return;
	*granted = OPLOCK_NONE;
	oplock_lost(o);
}

status_t sharemode_no_room(struct req *q)
{
	if ((q->resumed && q->resumed->over) || !oplock_make_room(q->c))
		return ST_TOO_MANY_OPENED_FILES;
	return park(q, PARK_SHARING, NULL, clock_ms() + ROOM_WAIT_MS);
}

/* ---- leaving ---- */

struct leaving {
	struct open *o;
	struct db_owner waiters[DB_WAITERS_MAX];
	size_t n;
};

static status_t leave(struct db_file *f, void *arg)
{
	struct leaving *l = arg;
	struct db_owner me = db_me();

	db_file_remove(f, &me, l->o->open_id);
	l->n = db_file_wake(f, l->waiters);
	return ST_OK;
}

void sharemode_leave(struct open *o)
{
	struct leaving l = { .o = o };

	oplock_closed(o);
	db_share_with(o->c->host->db, &o->id, leave, &l);
	message_wake(o->c, &o->id, l.waiters, l.n);
}

/* ---- names that go ---- */

struct removing {
	struct req *q;
	const struct open *o;
	bool alone, by_force;
	enum opening opening;
	struct db_opener holder;
	struct neighbours suspects;
};

static enum opening rule(const struct db_file *f, const struct removing *r, const struct db_opener **holder)
{
	struct db_owner me = db_me();

	return rule_remove(f, r->o ? &me : NULL, r->o ? r->o->open_id : 0, r->alone, holder);
}

static status_t ask_to_remove(struct db_file *f, void *arg)
{
	struct removing *r = arg;
	struct db_owner me = db_me();
	const struct db_opener *holder = NULL;
	struct db_file rest;

	r->opening = rule(f, r, &holder);
	if (r->opening == OPENING_BREAK && r->by_force) {
		take_by_force(f, holder);
		r->opening = rule(f, r, &holder);
	}
	switch (r->opening) {
	case OPENING_ENTER:
		return ST_OK;
	case OPENING_BREAK:
		r->holder = *holder;
		db_file_wait(f, &me);
		return ST_PENDING;
	case OPENING_VIOLATION:
		if (!suspect(r->q, f, &r->suspects, &rest) || rule(&rest, r, &holder) == OPENING_VIOLATION)
			return ST_SHARING_VIOLATION;
		db_file_wait(f, &me);
		return ST_PENDING;
	default:
		return ST_DELETE_PENDING;
	}
}

status_t sharemode_remove(struct req *q, const struct db_file_id *id, const struct open *o, bool alone)
{
	struct removing r = { .q = q, .o = o, .alone = alone, .by_force = waited_long_enough(q) };
	status_t st = db_share_with(q->c->host->db, id, ask_to_remove, &r);

	if (st != ST_PENDING)
		return st;
	if (r.opening == OPENING_VIOLATION)
		return wait_for_others(q, id, &r.suspects);
	return wait_for_oplock(q, id, &r.holder, OPLOCK_LEVEL_II);
}
