/* share.c - the record of one open file and the call with its lock held.
 *
 * Record:   0  version      1  flags (1 delete pending)   2  path length
 *           4  delete uid   8  delete gid                12  write time
 *          20  write due   28  change time               36  openers
 *          40  waiters     44  path, the waiters (owners),
 *              then one slot of SLOT_BYTES for each opener
 *
 * Slots are of one size so that one can be found, and changed in place, by its number.
 * Key: device and inode, 8 bytes each. */
#include "base/log.h"
#include "base/util.h"
#include "db/internal.h"
#include "db/msg.h"

#define VERSION 5u
#define HEAD_BYTES 44u
#define SLOT_BYTES ((uint32_t)sizeof(struct db_opener))
#define MAX_OPENERS 1000000u
#define ALL_FLAGS (DB_OPEN_DENY_DOS | DB_OPEN_FCB | DB_OPEN_STAT | DB_OPEN_DELETE_ON_CLOSE | DB_OPEN_POSIX | \
		   DB_OPEN_STREAM)

/* ---- bytes ---- */

/* The slots begin with their owners. */
_Static_assert(offsetof(struct db_opener, owner) == 0, "db_slots_name() looks there");

static bool sane(const struct db_opener *o, size_t n)
{
	bool bad = false;

	for (size_t i = 0; i < n; i++)
		bad |= o[i].owner.pid <= 0 || o[i].oplock > 3 || (o[i].share & ~7u) || (o[i].flags & ~ALL_FLAGS);
	return !bad;
}

/* Field by field onto zeroes, because the holes are stored too. */
static void put_slot(struct db_opener *to, const struct db_opener *o)
{
	memset(to, 0, sizeof(*to));
	to->owner.pid = o->owner.pid;
	to->owner.start_time = o->owner.start_time;
	to->open_id = o->open_id;
	to->access = o->access;
	to->share = o->share;
	to->flags = o->flags;
	to->client = o->client;
	to->client_pid = o->client_pid;
	to->client_uid = o->client_uid;
	to->oplock = o->oplock;
	to->unix_uid = o->unix_uid;
	to->opened = o->opened;
}

static uint64_t count_mine(const struct db_file *f)
{
	struct db_owner me = db_me();
	uint64_t mine = 0;

	for (size_t i = 0; i < f->n; i++)
		mine += f->openers[i].owner.pid == me.pid && f->openers[i].owner.start_time == me.start_time;
	return mine;
}

/* Without its path.  False: damaged.  The lengths are settled before the slots are read. */
static bool decode(const uint8_t *p, size_t len, struct db_file *f, struct db_opener *slots,
		   const uint8_t **path, uint16_t *path_len)
{
	struct rd r = rd_over(p, len);
	uint8_t version = rd_u8(&r), flags = rd_u8(&r);
	uint32_t n, waiters;

	*path_len = rd_u16(&r);
	f->delete_pending = flags & 1;
	f->delete_uid = rd_u32(&r);
	f->delete_gid = rd_u32(&r);
	f->write_time = rd_u64(&r);
	f->write_due = rd_u64(&r);
	f->change_time = rd_u64(&r);
	n = rd_u32(&r);
	waiters = rd_u32(&r);
	*path = rd_take(&r, *path_len);
	if (!rd_ok(&r) || version != VERSION || flags > 1 || memchr(*path, '\0', *path_len))
		return false;
	if (n == 0 || n > MAX_OPENERS || waiters > DB_WAITERS_MAX ||
	    rd_left(&r) != waiters * OWNER_BYTES + n * SLOT_BYTES)
		return false;
	f->nwaiters = f->waiters ? waiters : 0;
	for (uint32_t i = 0; i < waiters; i++) {
		struct db_owner o = rd_owner(&r);

		if (f->waiters)
			f->waiters[i] = o;
	}
	f->n = n;
	f->openers = slots;
	if (slots)
		rd_copy(&r, slots, n * SLOT_BYTES);
	return rd_ok(&r) && (!slots || sane(slots, n));
}

static bool room_for(struct db *db, size_t n)
{
	struct db_opener *more;

	if (n <= talloc_array_length(db->openers))
		return true;
	more = talloc_realloc(db, db->openers, struct db_opener, (unsigned)(n + n / 2));
	if (more)
		db->openers = more;
	return more != NULL;
}

static void file_empty(struct db *db, struct db_file *f)
{
	*f = (struct db_file){ .id = f->id, .path = "", .openers = db->openers, .waiters = db->waiters };
}

struct visit {
	TDB_DATA key;
	size_t len;    /* of the record in db->rec */
	bool counted;  /* it is in the database */
	uint64_t mine; /* my openers in it */
	struct db_file f;
};

/* What lies in db->rec becomes v->f; nothing becomes an empty file, and so does rubbish. */
static status_t load(struct db *db, struct visit *v)
{
	struct db_file *f = &v->f;
	const uint8_t *path;
	uint16_t path_len;

	file_empty(db, f);
	if (v->len == 0)
		return ST_OK;
	if (decode(db->rec, v->len, f, NULL, &path, &path_len)) {
		if (!room_for(db, f->n + 4) || !db_room(db, &db->path, path_len + 1u))
			return ST_INSUFFICIENT_RESOURCES;
		if (decode(db->rec, v->len, f, db->openers, &path, &path_len)) {
			memcpy(db->path, path, path_len);
			db->path[path_len] = '\0';
			f->path = (const char *)db->path;
			return ST_OK;
		}
	}
	db_rec_damaged(DB_OPENS, "an open file");
	file_empty(db, f);
	v->len = 0;
	v->counted = false; /* whether it ever was, rubbish does not tell: the counter stays as it is */
	return db_rec_store(db, DB_OPENS, v->key, NULL, 0);
}

/* Others may believe the counter from here on. */
static status_t take_away(struct db *db, struct visit *v)
{
	status_t st = db_rec_store(db, DB_OPENS, v->key, NULL, 0);

	if (st == ST_OK && v->counted)
		files_count(db, &v->f.id, false);
	v->counted = v->counted && st != ST_OK;
	return st;
}

static status_t save(struct db *db, struct visit *v)
{
	const struct db_file *f = &v->f;
	size_t path_len = f->path ? strnlen(f->path, UINT16_MAX) : 0;
	size_t need = HEAD_BYTES + path_len + f->nwaiters * OWNER_BYTES + f->n * SLOT_BYTES;
	struct wr w;

	if (f->n == 0)
		return take_away(db, v);
	if (!db_room(db, &db->rec, need))
		return ST_INSUFFICIENT_RESOURCES;
	w = wr_over(db->rec, talloc_get_size(db->rec));
	wr_u8(&w, VERSION);
	wr_u8(&w, f->delete_pending);
	wr_u16(&w, (uint16_t)path_len);
	wr_u32(&w, f->delete_uid);
	wr_u32(&w, f->delete_gid);
	wr_u64(&w, f->write_time);
	wr_u64(&w, f->write_due);
	wr_u64(&w, f->change_time);
	wr_u32(&w, (uint32_t)f->n);
	wr_u32(&w, (uint32_t)f->nwaiters);
	wr_bytes(&w, f->path, path_len);
	for (size_t i = 0; i < f->nwaiters; i++)
		wr_owner(&w, &f->waiters[i]);
	wr_bytes(&w, f->openers, f->n * SLOT_BYTES);
	if (!wr_ok(&w))
		return ST_INTERNAL_ERROR;
	if (!v->counted)
		files_count(db, &f->id, true);
	v->counted = true;
	return db_rec_store(db, DB_OPENS, v->key, db->rec, wr_tell(&w));
}

/* ---- what a call-back does with the record ---- */

struct db_opener *db_file_add(struct db_file *f, const struct db_opener *o)
{
	if (f->n >= MAX_OPENERS)
		return NULL;
	if (f->n >= talloc_array_length(f->openers)) {
		struct db_opener *more = talloc_realloc(NULL, f->openers, struct db_opener,
							(unsigned)(f->n + f->n / 2 + 4));

		if (!more)
			return NULL;
		f->openers = more;
	}
	put_slot(&f->openers[f->n], o);
	f->changed = true;
	return &f->openers[f->n++];
}

struct db_opener *db_file_find(struct db_file *f, const struct db_owner *who, uint64_t open_id)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->openers[i].open_id == open_id && owner_same(&f->openers[i].owner, who))
			return &f->openers[i];
	return NULL;
}

/* The others move up: their order is the order of their opens. */
static void take_out(struct db_file *f, size_t i)
{
	f->n--;
	memmove(&f->openers[i], &f->openers[i + 1], (f->n - i) * sizeof(f->openers[0]));
	f->changed = true;
}

static size_t without_dead(struct db_file *f)
{
	size_t before = f->n;

	for (size_t i = f->n; i-- > 0;)
		if (!db_alive(&f->openers[i].owner))
			take_out(f, i);
	return before - f->n;
}

size_t db_file_bury(struct db_file *f)
{
	size_t dead = without_dead(f);

	if (dead)
		log_at(LOG_LOCKING, 2, "%s: %zu opens of dead processes buried",
		       f->path ? f->path : "", dead);
	return dead;
}

bool db_file_remove(struct db_file *f, const struct db_owner *who, uint64_t open_id)
{
	struct db_opener *o = db_file_find(f, who, open_id);
	bool deletion;

	if (!o)
		return false;
	deletion = f->delete_pending || (o->flags & DB_OPEN_DELETE_ON_CLOSE);
	take_out(f, (size_t)(o - f->openers));
	if (deletion && f->n > 0)
		db_file_bury(f);
	return true;
}

bool db_file_wait(struct db_file *f, const struct db_owner *who)
{
	for (size_t i = 0; i < f->nwaiters; i++)
		if (owner_same(&f->waiters[i], who))
			return true;
	if (!f->waiters || f->nwaiters >= DB_WAITERS_MAX)
		return false;
	f->waiters[f->nwaiters++] = *who;
	f->changed = true;
	return true;
}

size_t db_file_wake(struct db_file *f, struct db_owner out[DB_WAITERS_MAX])
{
	size_t n = f->nwaiters;

	if (n == 0)
		return 0;
	memcpy(out, f->waiters, n * sizeof(out[0]));
	f->nwaiters = 0;
	f->changed = true;
	return n;
}

/* ---- the call ---- */

typedef status_t (*share_fn)(struct db_file *f, void *arg);

static bool any_dead(const struct db_file *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (!db_alive(&f->openers[i].owner))
			return true;
	return false;
}

/* An exclusive or batch oplock has one holder who is the only opener, so this asks at most once about
 * a stranger; a visitor would wait in vain for a dead one to answer the break. */
static bool dead_oplock(const struct db_file *f)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct db_opener *o = &f->openers[i];

		if ((o->oplock == 1 || o->oplock == 2) && !db_alive(&o->owner))
			return true;
	}
	return false;
}

/* From here on what the dead left is no longer in the database, whatever fn will say. */
static status_t bury_all(struct db *db, struct visit *v)
{
	db_file_bury(&v->f);
	if (v->f.n == 0)
		file_empty(db, &v->f); /* nobody is left who could delete or set a time */
	v->f.changed = false;
	return save(db, v);
}

static status_t write_back(struct db *db, struct visit *v)
{
	status_t st;

	if (!v->f.changed)
		return ST_OK;
	st = save(db, v);
	if (st == ST_OK)
		db->my_opens = db->my_opens - v->mine + count_mine(&v->f);
	return st;
}

/* fn may have made the openers' array grow: it is ours again. */
static status_t call(struct db *db, struct visit *v, share_fn fn, void *arg)
{
	status_t st = fn(&v->f, arg);

	if (v->f.openers != db->openers)
		db->openers = talloc_steal(db, v->f.openers);
	return st;
}

static status_t with_locked(struct db *db, struct visit *v, share_fn fn, void *arg)
{
	status_t st = load(db, v), saved;
	bool fresh = false;

	v->mine = st == ST_OK ? count_mine(&v->f) : 0;
	if (st == ST_OK && dead_oplock(&v->f)) {
		st = bury_all(db, v);
		fresh = true;
	}
	if (st != ST_OK)
		return st;
	st = call(db, v, fn, arg);
	if (st != ST_OK && !fresh && any_dead(&v->f)) {
		/* again from the record: fn may have changed anything */
		saved = load(db, v);
		if (saved == ST_OK)
			saved = bury_all(db, v);
		if (saved != ST_OK)
			return saved;
		st = call(db, v, fn, arg);
	}
	if (status_is_error(st))
		return st;
	saved = write_back(db, v);
	return saved == ST_OK ? st : saved;
}

status_t db_share_with(struct db *db, const struct db_file_id *id,
		       status_t (*fn)(struct db_file *f, void *arg), void *arg)
{
	uint8_t key[ID_BYTES];
	struct visit v = { .key = db_id_key(id, key), .f = { .id = *id } };
	status_t st;

	if (!db->waiters)
		db->waiters = talloc_array(db, struct db_owner, DB_WAITERS_MAX);
	if (!db->waiters)
		return ST_INSUFFICIENT_RESOURCES;
	if (db->inside) /* a second record under the first one's lock can wait for ever */
		util_panic("db_share_with called from its own call-back");
	st = db_rec_lock(db, DB_OPENS, v.key, &db->rec, &v.len);
	if (st != ST_OK)
		return st;
	v.counted = v.len > 0;
	db->inside = true;
	owner_cache_begin();
	st = with_locked(db, &v, fn, arg);
	owner_cache_end();
	db->inside = false;
	db_rec_unlock(db, DB_OPENS, v.key);
	return st;
}

/* ---- all files ---- */

struct showing {
	bool (*fn)(const struct db_file *f, void *arg);
	void *arg;
};

static bool show(struct db *db, TALLOC_CTX *mem, const struct db_raw *raw, void *arg)
{
	const struct showing *to = arg;
	struct db_file f = { 0 };
	struct db_opener *slots;
	const uint8_t *path;
	uint16_t path_len;

	(void)db;
	if (!db_key_id(raw, &f.id) || !decode(raw->rec, raw->rec_len, &f, NULL, &path, &path_len))
		return true;
	slots = talloc_array(mem, struct db_opener, (unsigned)f.n);
	f.path = talloc_strndup(mem, (const char *)path, path_len);
	if (!slots || !f.path || !decode(raw->rec, raw->rec_len, &f, slots, &path, &path_len))
		return true;
	without_dead(&f);
	return f.n == 0 || to->fn(&f, to->arg);
}

bool db_share_each(struct db *db, bool (*fn)(const struct db_file *f, void *arg), void *arg)
{
	struct showing to = { fn, arg };

	return db_each_record(db, DB_OPENS, NULL, NULL, show, &to);
}

/* Has this record an entry of *arg?  Runs for every record when a process died: no copies. */
static bool names_owner(TDB_DATA key, TDB_DATA rec, const void *arg)
{
	struct rd r = rd_over(rec.dptr, rec.dsize);
	uint32_t path_len, waiters;

	(void)key;
	rd_skip(&r, 2);
	path_len = rd_u16(&r);
	rd_seek(&r, HEAD_BYTES - 4);
	waiters = rd_u32(&r);
	rd_skip(&r, path_len);
	rd_skip(&r, waiters > DB_WAITERS_MAX ? UINT32_MAX : waiters * OWNER_BYTES);
	return rd_ok(&r) && db_slots_name(rec.dptr + r.pos, rec.dsize - r.pos, SLOT_BYTES, arg);
}

struct burial {
	struct db_owner gone, waiters[DB_WAITERS_MAX];
	size_t n;
};

static status_t remove_owner(struct db_file *f, void *arg)
{
	struct burial *b = arg;

	for (size_t i = f->n; i-- > 0;)
		if (owner_same(&f->openers[i].owner, &b->gone))
			take_out(f, i);
	b->n = db_file_wake(f, b->waiters);
	return ST_OK;
}

/* Who waited for the dead one need not find out by himself. */
static void tell_waiters(struct db *db, const struct db_file_id *id, const struct burial *b)
{
	uint8_t body[16];
	struct wr w = wr_over(body, sizeof(body));

	wr_u64(&w, id->dev);
	wr_u64(&w, id->ino);
	for (size_t i = 0; i < b->n; i++)
		(void)box_send_once(db, &b->waiters[i], MSG_WAKE, body, wr_tell(&w));
}

static bool bury_in(struct db *db, TALLOC_CTX *mem, const struct db_raw *raw, void *arg)
{
	struct db_file_id id;

	(void)mem;
	if (db_key_id(raw, &id) && db_share_with(db, &id, remove_owner, arg) == ST_OK)
		tell_waiters(db, &id, arg);
	return true;
}

void share_forget(struct db *db, const struct db_owner *who)
{
	struct burial b = { .gone = *who };

	(void)db_each_record(db, DB_OPENS, names_owner, who, bury_in, &b);
}
