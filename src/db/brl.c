/* brl.c - the byte-range locks of one file, and who waits for one.
 *
 * Record:   0  version   1  zero x 3   4  locks   8  wishes
 *          12  one slot of SLOT_BYTES for each, locks first
 *
 * What a lock means, and what stands in its way, is decided in srv/lock.c; here are only the bytes, the
 * lock of the record, and the dead.  Key: device and inode, 8 bytes each. */
#include "base/budget.h"
#include "base/log.h"
#include "base/util.h"
#include "db/internal.h"
#include "db/msg.h"

#define VERSION 2u
#define HEAD_BYTES 12u
#define SLOT_BYTES ((uint32_t)sizeof(struct db_lock))
#define MAX_LOCKS 32768u  /* of one file; a client that wants more gets an error */
#define MAX_WISHES 16384u
#define LONG_LISTS (256u << 10) /* bytes that are not kept where memory is short: others may have filled the file with locks */

/* ---- bytes ---- */

_Static_assert(offsetof(struct db_lock, owner) == 0, "db_slots_name() looks there");

static bool sane(const struct db_lock *e, size_t n)
{
	bool bad = false;

	for (size_t i = 0; i < n; i++)
		bad |= e[i].owner.pid <= 0 || (e[i].flags & ~(DB_LOCK_EXCLUSIVE | DB_LOCK_POSIX)) ||
		       (e[i].length > 0 && e[i].start + (e[i].length - 1) < e[i].start);
	return !bad;
}

/* Field by field onto zeroes, because the holes are stored too. */
static void slot_of(const struct db_lock *e, struct db_lock *to)
{
	memset(to, 0, sizeof(*to));
	to->owner.pid = e->owner.pid;
	to->owner.start_time = e->owner.start_time;
	to->open_id = e->open_id;
	to->pid = e->pid;
	to->start = e->start;
	to->length = e->length;
	to->request = e->request;
	to->flags = e->flags;
}

/* The counts, checked against the length; the slots follow in *r. */
static bool rd_head(struct rd *r, uint32_t *nheld, uint32_t *nwaiting)
{
	uint8_t version = rd_u8(r);
	uint32_t zero = rd_u8(r);

	zero |= rd_u16(r);
	*nheld = rd_u32(r);
	*nwaiting = rd_u32(r);
	return rd_ok(r) && version == VERSION && zero == 0 && *nheld <= MAX_LOCKS && *nwaiting <= MAX_WISHES &&
	       *nheld + *nwaiting > 0 && rd_left(r) == (*nheld + *nwaiting) * SLOT_BYTES;
}

static bool room_for(TALLOC_CTX *mem, struct db_lock **list, size_t n)
{
	struct db_lock *more;

	if (n <= talloc_array_length(*list))
		return true;
	more = talloc_realloc(mem, *list, struct db_lock, (unsigned)(n + n / 2 + 8));
	if (more)
		*list = more;
	return more != NULL;
}

static bool rd_slots(struct rd *r, struct db_lock *list, uint32_t n)
{
	rd_copy(r, list, n * SLOT_BYTES);
	return rd_ok(r) && sane(list, n);
}

struct visit {
	TDB_DATA key;
	uint64_t mine; /* my locks and wishes in it, before */
	struct db_locks l;
};

static void empty(const struct db *db, struct db_locks *l)
{
	*l = (struct db_locks){ .id = l->id, .held = db->locks, .waiting = db->wishes };
}

static size_t count_owner(const struct db_lock *list, size_t n, const struct db_owner *who)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		found += list[i].owner.pid == who->pid && list[i].owner.start_time == who->start_time;
	return found;
}

static size_t count_mine(const struct db_locks *l)
{
	struct db_owner me = db_me();

	return count_owner(l->held, l->nheld, &me) + count_owner(l->waiting, l->nwaiting, &me);
}

/* The record becomes v->l; none becomes an empty list, and so does rubbish. */
static status_t load(struct db *db, struct visit *v)
{
	uint32_t nheld, nwaiting;
	size_t len;
	status_t st = db_rec_fetch(db, DB_LOCKS, v->key, &db->rec, &len);
	struct rd r = rd_over(db->rec, len);

	empty(db, &v->l);
	if (st != ST_OK || len == 0)
		return st;
	if (rd_head(&r, &nheld, &nwaiting)) {
		if (!room_for(db, &db->locks, nheld) || !room_for(db, &db->wishes, nwaiting))
			return ST_INSUFFICIENT_RESOURCES;
		if (rd_slots(&r, db->locks, nheld) && rd_slots(&r, db->wishes, nwaiting)) {
			empty(db, &v->l); /* the lists may have moved */
			v->l.nheld = nheld;
			v->l.nwaiting = nwaiting;
			v->l.mine = count_mine(&v->l);
			return ST_OK;
		}
	}
	db_rec_damaged(DB_LOCKS, "the locks of a file");
	empty(db, &v->l);
	return db_rec_store(db, DB_LOCKS, v->key, NULL, 0);
}

static status_t save(struct db *db, TDB_DATA key, const struct db_locks *l)
{
	uint8_t head[HEAD_BYTES];
	struct wr w = wr_over(head, sizeof(head));
	const TDB_DATA part[] = { db_datum(head, sizeof(head)), db_datum(l->held, l->nheld * SLOT_BYTES),
				  db_datum(l->waiting, l->nwaiting * SLOT_BYTES) };

	if (l->nheld + l->nwaiting == 0)
		return db_rec_store(db, DB_LOCKS, key, NULL, 0);
	wr_u8(&w, VERSION);
	wr_zero(&w, 3);
	wr_u32(&w, (uint32_t)l->nheld);
	wr_u32(&w, (uint32_t)l->nwaiting);
	return db_rec_store_parts(db, DB_LOCKS, key, part, (int)ARRAY_LEN(part));
}

/* ---- what we remember ----
 *
 * A file may have thousands of locks, and who takes one asks for all of them.  Most often nobody else has changed any lock
 * of any file since our last visit, as the database's own number of changes tells: then the lists are still there. */

static bool remembered(const struct db *db, struct visit *v)
{
	const struct lock_memory *m = &db->lock_memory;

	if (!m->known || m->id.dev != v->l.id.dev || m->id.ino != v->l.id.ino || m->seq != db_lock_seqnum(db))
		return false;
	empty(db, &v->l);
	v->l.nheld = m->nheld;
	v->l.nwaiting = m->nwaiting;
	v->l.mine = m->mine;
	return true;
}

/* With the record locked: the lists are what it says. */
static void remember(struct db *db, const struct db_locks *l)
{
	db->lock_memory = (struct lock_memory){ l->id, db_lock_seqnum(db), true, l->nheld, l->nwaiting, l->mine };
}

/* ---- what a call-back does with the record ---- */

static bool append(struct db_lock **list, size_t *n, size_t most, const struct db_lock *e)
{
	struct db_lock copy; /* e may lie in the list that grows */

	slot_of(e, &copy);
	if (*n >= most || !room_for(talloc_parent(*list), list, *n + 1))
		return false;
	memcpy(&(*list)[(*n)++], &copy, sizeof(copy)); /* an assignment may leave the holes as they were */
	return true;
}

bool db_locks_add(struct db_locks *l, const struct db_lock *e)
{
	bool ok = append(&l->held, &l->nheld, MAX_LOCKS, e);

	l->mine += ok && owner_is_me(&l->held[l->nheld - 1].owner);
	l->changed |= ok;
	return ok;
}

bool db_locks_wish(struct db_locks *l, const struct db_lock *e)
{
	bool ok = append(&l->waiting, &l->nwaiting, MAX_WISHES, e);

	l->mine += ok && owner_is_me(&l->waiting[l->nwaiting - 1].owner);
	l->changed |= ok;
	return ok;
}

static void take_out(struct db_lock *list, size_t *n, size_t i)
{
	--*n;
	memmove(&list[i], &list[i + 1], (*n - i) * sizeof(list[0]));
}

void db_locks_drop(struct db_locks *l, size_t i)
{
	l->mine -= owner_is_me(&l->held[i].owner);
	take_out(l->held, &l->nheld, i);
	l->changed = true;
}

void db_locks_drop_wish(struct db_locks *l, size_t i)
{
	l->mine -= owner_is_me(&l->waiting[i].owner);
	take_out(l->waiting, &l->nwaiting, i);
	l->changed = true;
}

static size_t sift(struct db_lock *list, size_t n, bool (*keep)(const struct db_lock *e, const void *arg),
		   const void *arg)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (keep(&list[i], arg))
			list[kept++] = list[i];
	return kept;
}

void db_locks_keep(struct db_locks *l, bool (*keep)(const struct db_lock *e, const void *arg),
		   const void *arg)
{
	size_t before = l->nheld + l->nwaiting;

	l->nheld = sift(l->held, l->nheld, keep, arg);
	l->nwaiting = sift(l->waiting, l->nwaiting, keep, arg);
	if (l->nheld + l->nwaiting == before)
		return;
	l->mine = count_mine(l);
	l->changed = true;
}

/* ---- the call ---- */

static bool of_another(const struct db_lock *e, const void *who) { return !owner_same(&e->owner, who); }

static size_t remove_owner(struct db_locks *l, const struct db_owner *who)
{
	size_t before = l->nheld + l->nwaiting;

	db_locks_keep(l, of_another, who);
	return before - l->nheld - l->nwaiting;
}

typedef status_t (*lock_fn)(struct db_locks *l, void *arg);

/* The lists may have grown under fn: they are ours again. */
static status_t call(struct db *db, struct visit *v, lock_fn fn, void *arg)
{
	status_t st;

	v->l.blocker = NULL;
	st = fn(&v->l, arg);
	db->locks = v->l.held;
	db->wishes = v->l.waiting;
	return st;
}

/* Again from the record, without the owner that stood in the way and is dead. */
static status_t bury(struct db *db, struct visit *v)
{
	struct db_owner dead = v->l.blocker->owner;
	status_t st = load(db, v);
	size_t n;

	if (st != ST_OK)
		return st;
	n = remove_owner(&v->l, &dead);
	log_at(LOG_LOCKING, 2, "%zu byte-range locks of the dead process %ld buried", n, (long)dead.pid);
	/* fn may refuse once more, and then nothing is written: this must be */
	v->l.changed = false;
	return save(db, v->key, &v->l);
}

/* This process has more than it may: nothing is written.  Whoever gives locks back is not asked. */
static bool too_many(const struct db *db, const struct visit *v, uint64_t mine)
{
	return mine > v->mine && (mine > DB_LOCKS_IN_FILE || db->my_locks - v->mine + mine > DB_LOCKS_IN_ALL);
}

static status_t with_locked(struct db *db, struct visit *v, lock_fn fn, void *arg)
{
	status_t st = remembered(db, v) ? ST_OK : load(db, v), saved;

	db->lock_memory.known = false; /* fn changes the lists, and perhaps in vain */
	if (st != ST_OK)
		return st;
	v->mine = v->l.mine;
	st = call(db, v, fn, arg);
	while (v->l.blocker && !db_alive(&v->l.blocker->owner)) {
		saved = bury(db, v);
		if (saved != ST_OK)
			return saved;
		st = call(db, v, fn, arg);
	}
	if (!v->l.changed)
		remember(db, &v->l);
	if (status_is_error(st) || !v->l.changed)
		return st;
	if (too_many(db, v, v->l.mine))
		return ST_INSUFF_SERVER_RESOURCES;
	saved = save(db, v->key, &v->l);
	if (saved != ST_OK)
		return saved;
	db->my_locks = db->my_locks - v->mine + v->l.mine;
	remember(db, &v->l);
	return st;
}

/* The helpers find the parent of a list by the list, so there must be one. */
static bool lists(struct db *db)
{
	return room_for(db, &db->locks, 1) && room_for(db, &db->wishes, 1);
}

static void tidy_lists(struct db *db)
{
	if (talloc_get_size(db->locks) + talloc_get_size(db->wishes) + talloc_get_size(db->rec) <= LONG_LISTS || budget_kept())
		return;
	TALLOC_FREE(db->locks);
	TALLOC_FREE(db->wishes);
	TALLOC_FREE(db->rec);
	db->lock_memory.known = false;
}

status_t db_lock_with(struct db *db, const struct db_file_id *id,
		      status_t (*fn)(struct db_locks *l, void *arg), void *arg)
{
	uint8_t key[ID_BYTES];
	struct visit v = { .key = db_id_key(id, key), .l = { .id = *id } };
	status_t st;

	if (db->inside) /* a second record under the first one's lock can wait for ever */
		util_panic("db_lock_with called from a call-back");
	if (!lists(db))
		return ST_INSUFFICIENT_RESOURCES;
	st = db_rec_take(db, DB_LOCKS, v.key);
	if (st != ST_OK)
		return st;
	db->inside = true;
	owner_cache_begin();
	st = with_locked(db, &v, fn, arg);
	owner_cache_end();
	db->inside = false;
	db_rec_unlock(db, DB_LOCKS, v.key);
	tidy_lists(db);
	return st;
}

HOT uint32_t db_lock_seqnum(const struct db *db)
{
	return db->tdb[DB_LOCKS] ? (uint32_t)tdb_get_seqnum(db->tdb[DB_LOCKS]) + db->lock_epoch : 0;
}

/* ---- all files ---- */

static bool lives(const struct db_lock *e, const void *arg)
{
	(void)arg;
	return db_alive(&e->owner);
}

struct showing {
	bool (*fn)(const struct db_locks *l, void *arg);
	void *arg;
};

static bool show(struct db *db, TALLOC_CTX *mem, const struct db_raw *raw, void *arg)
{
	const struct showing *to = arg;
	struct rd r = rd_over(raw->rec, raw->rec_len);
	struct db_locks l = { .nheld = 0 };
	uint32_t nheld, nwaiting;

	(void)db;
	if (!db_key_id(raw, &l.id) || !rd_head(&r, &nheld, &nwaiting))
		return true;
	l.held = talloc_array(mem, struct db_lock, nheld);
	l.waiting = talloc_array(mem, struct db_lock, nwaiting);
	if (!l.held || !l.waiting || !rd_slots(&r, l.held, nheld) || !rd_slots(&r, l.waiting, nwaiting))
		return true;
	l.nheld = nheld;
	l.nwaiting = nwaiting;
	db_locks_keep(&l, lives, NULL);
	return l.nheld == 0 || to->fn(&l, to->arg);
}

bool db_lock_each(struct db *db, bool (*fn)(const struct db_locks *l, void *arg), void *arg)
{
	struct showing to = { fn, arg };

	return db_each_record(db, DB_LOCKS, NULL, NULL, show, &to);
}

/* Has this record an entry of *arg?  Runs for every record when a process died: no copies. */
static bool names_owner(TDB_DATA key, TDB_DATA rec, const void *arg)
{
	(void)key;
	return rec.dsize > HEAD_BYTES &&
	       db_slots_name(rec.dptr + HEAD_BYTES, rec.dsize - HEAD_BYTES, SLOT_BYTES, arg);
}

/* Those who wait for a file whose locks went with their owner: they look again when told. */
#define MOST_TOLD 64u
struct forgetting {
	struct db_owner who;
	struct db_owner tell[MOST_TOLD];
	size_t n;
};

static status_t forget_in(struct db_locks *l, void *arg)
{
	struct forgetting *g = arg;

	g->n = 0;
	remove_owner(l, &g->who);
	for (size_t i = 0; i < l->nwaiting; i++)
		if (g->n < MOST_TOLD && (g->n == 0 || !owner_same(&g->tell[g->n - 1], &l->waiting[i].owner)))
			g->tell[g->n++] = l->waiting[i].owner;
	return ST_OK;
}

static void tell(struct db *db, const struct forgetting *g, const struct db_file_id *id)
{
	uint8_t body[ID_BYTES];
	TDB_DATA d = db_id_key(id, body);

	for (size_t i = 0; i < g->n; i++)
		box_send_once(db, &g->tell[i], MSG_WAKE, d.dptr, d.dsize);
}

static bool forget_file(struct db *db, TALLOC_CTX *mem, const struct db_raw *raw, void *arg)
{
	struct db_file_id id;

	(void)mem;
	if (db_key_id(raw, &id) && db_lock_with(db, &id, forget_in, arg) == ST_OK)
		tell(db, arg, &id);
	return true;
}

void brl_forget(struct db *db, const struct db_owner *who)
{
	struct forgetting g = { .who = *who };

	(void)db_each_record(db, DB_LOCKS, names_owner, who, forget_file, &g);
}
