/* tree.c - who is connected to which share, for status and `max connections`.
 *
 * One record per share, since counting and adding must be one step.  Key: the share's name in lower
 * case.  Record: u8 version, u8 0, u32 trees, text share; then for each tree: owner, u16 tid, u16 uid,
 * u64 since, texts address and client name. */
#include "base/log.h"
#include "base/str.h"
#include "base/util.h"
#include "db/internal.h"

#define VERSION 1u
#define MAX_TREES 100000u

struct db_held {
	uint16_t tid;
	char *key;
};

/* A decoded record; mem holds its texts. */
struct share_trees {
	const char *share;
	struct db_tree *trees;
	uint32_t n;
};

/* ---- bytes ---- */

static bool decode(TALLOC_CTX *mem, const uint8_t *p, size_t len, struct share_trees *s)
{
	struct rd r = rd_over(p, len);
	uint8_t version = rd_u8(&r), zero = rd_u8(&r);
	uint32_t n = rd_u32(&r);

	s->share = rd_text(&r, mem);
	/* a tree has at least 28 bytes: no count that the record cannot hold is believed */
	if (!rd_ok(&r) || version != VERSION || zero != 0 || n > rd_left(&r) / (OWNER_BYTES + 16u))
		return false;
	s->trees = talloc_zero_array(mem, struct db_tree, n + 1); /* one more may come */
	s->n = n;
	db_starved += !s->trees;
	for (uint32_t i = 0; s->trees && i < n && rd_ok(&r); i++) {
		struct db_tree *t = &s->trees[i];

		t->owner = rd_owner(&r);
		t->tid = rd_u16(&r);
		t->uid = rd_u16(&r);
		t->since = rd_u64(&r);
		t->client_addr = rd_text(&r, mem);
		t->client_name = rd_text(&r, mem);
		t->share = s->share;
	}
	return s->trees && rd_ok(&r) && rd_left(&r) == 0;
}

static status_t save(struct db *db, TALLOC_CTX *mem, TDB_DATA key, const struct share_trees *s)
{
	size_t need = 6 + db_text_bytes(s->share);
	uint8_t *rec;
	struct wr w;

	if (s->n == 0)
		return db_rec_store(db, DB_TREES, key, NULL, 0);
	for (uint32_t i = 0; i < s->n; i++)
		need += OWNER_BYTES + 12 + db_text_bytes(s->trees[i].client_addr) +
			db_text_bytes(s->trees[i].client_name);
	rec = talloc_size(mem, need);
	if (!rec)
		return ST_INSUFFICIENT_RESOURCES;
	w = wr_over(rec, need);
	wr_u8(&w, VERSION);
	wr_u8(&w, 0);
	wr_u32(&w, s->n);
	wr_text(&w, s->share);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct db_tree *t = &s->trees[i];

		wr_owner(&w, &t->owner);
		wr_u16(&w, t->tid);
		wr_u16(&w, t->uid);
		wr_u64(&w, t->since);
		wr_text(&w, t->client_addr);
		wr_text(&w, t->client_name);
	}
	return wr_ok(&w) ? db_rec_store(db, DB_TREES, key, rec, wr_tell(&w)) : ST_INTERNAL_ERROR;
}

/* ---- one share, locked ---- */

typedef status_t (*trees_fn)(struct share_trees *s, void *arg, bool *changed);

static status_t trees_with(struct db *db, TALLOC_CTX *mem, TDB_DATA key, trees_fn fn, void *arg)
{
	struct share_trees s = { 0 };
	uint8_t *rec = NULL;
	bool changed = false;
	unsigned starved = db_starved;
	size_t len;
	status_t st = db_rec_lock(db, DB_TREES, key, &rec, &len), saved = ST_OK;

	if (st != ST_OK)
		return st;
	if (len > 0 && !decode(mem, rec, len, &s)) {
		if (db_starved != starved) {
			db_rec_unlock(db, DB_TREES, key);
			return ST_INSUFFICIENT_RESOURCES;
		}
		db_rec_damaged(DB_TREES, "the trees of a share");
		s = (struct share_trees){ 0 };
		changed = true;
	}
	if (!s.trees)
		s.trees = talloc_zero_array(mem, struct db_tree, 1);
	owner_cache_begin();
	st = s.trees ? fn(&s, arg, &changed) : ST_INSUFFICIENT_RESOURCES;
	owner_cache_end();
	if (changed)
		saved = save(db, mem, key, &s);
	db_rec_unlock(db, DB_TREES, key);
	talloc_free(rec);
	return st != ST_OK ? st : saved;
}

static void take_out(struct share_trees *s, uint32_t i)
{
	s->n--;
	memmove(&s->trees[i], &s->trees[i + 1], (s->n - i) * sizeof(s->trees[0]));
}

struct putting {
	struct db_tree t;
	uint32_t max;
};

static status_t put(struct share_trees *s, void *arg, bool *changed)
{
	const struct putting *p = arg;
	uint32_t limit = p->max ? min_u32(p->max, MAX_TREES) : MAX_TREES;

	for (uint32_t i = s->n; i-- > 0;)
		if (s->trees[i].tid == p->t.tid && owner_same(&s->trees[i].owner, &p->t.owner))
			take_out(s, i);
	/* the dead are looked for only when they would keep somebody out */
	for (uint32_t i = s->n; s->n >= limit && i-- > 0;) {
		if (!db_alive(&s->trees[i].owner)) {
			take_out(s, i);
			*changed = true;
		}
	}
	if (s->n >= limit)
		return ST_REQUEST_NOT_ACCEPTED;
	s->share = p->t.share;
	s->trees[s->n++] = p->t;
	*changed = true;
	return ST_OK;
}

struct leaving {
	struct db_owner who;
	bool all;     /* or only: */
	uint16_t tid;
};

static status_t leave(struct share_trees *s, void *arg, bool *changed)
{
	const struct leaving *l = arg;

	for (uint32_t i = s->n; i-- > 0;) {
		if (owner_same(&s->trees[i].owner, &l->who) && (l->all || s->trees[i].tid == l->tid)) {
			take_out(s, i);
			*changed = true;
		}
	}
	return ST_OK;
}

/* ---- what this process holds: a tid alone does not say which record ---- */

static bool hold(struct db *db, uint16_t tid, const char *key)
{
	struct db_held *more = talloc_realloc(db, db->held, struct db_held, (unsigned)db->nheld + 1);

	if (!more)
		return false;
	db->held = more;
	db->held[db->nheld] = (struct db_held){ tid, talloc_strdup(db->held, key) };
	if (!db->held[db->nheld].key)
		return false;
	db->nheld++;
	return true;
}

status_t db_tree_put(struct db *db, const struct db_tree *t, uint32_t max)
{
	struct putting p = { *t, max };
	TALLOC_CTX *mem = talloc_new(db);
	char *key = str_lower(mem, t->share);
	status_t st = ST_INSUFFICIENT_RESOURCES;

	if (p.t.owner.pid == 0)
		p.t.owner = db_me();
	if (owner_is_me(&p.t.owner))
		db_tree_del(db, t->tid); /* it may have been a tree of another share */
	if (key && (!owner_is_me(&p.t.owner) || hold(db, t->tid, key))) {
		st = trees_with(db, mem, db_datum(key, strlen(key)), put, &p);
		if (st != ST_OK && owner_is_me(&p.t.owner))
			talloc_free(db->held[--db->nheld].key);
	}
	talloc_free(mem);
	return st;
}

void db_tree_del(struct db *db, uint16_t tid)
{
	struct leaving l = { .who = db_me(), .tid = tid };

	for (size_t i = 0; i < db->nheld; i++) {
		TALLOC_CTX *mem;
		char *key = db->held[i].key;

		if (db->held[i].tid != tid)
			continue;
		mem = talloc_new(db);
		trees_with(db, mem, db_datum(key, strlen(key)), leave, &l);
		talloc_free(mem);
		talloc_free(key);
		db->held[i] = db->held[--db->nheld];
		return;
	}
}

/* ---- all shares ---- */

struct showing {
	bool (*fn)(const struct db_tree *t, void *arg);
	void *arg;
};

static bool show(struct db *db, TALLOC_CTX *mem, const struct db_raw *raw, void *arg)
{
	const struct showing *to = arg;
	struct share_trees s;
	bool more = true;

	(void)db;
	if (!decode(mem, raw->rec, raw->rec_len, &s))
		return true; /* the next tree of that share drops it */
	for (uint32_t j = 0; more && j < s.n; j++)
		if (db_alive(&s.trees[j].owner))
			more = to->fn(&s.trees[j], to->arg);
	return more;
}

bool db_tree_each(struct db *db, bool (*fn)(const struct db_tree *t, void *arg), void *arg)
{
	struct showing to = { fn, arg };

	return db_each_record(db, DB_TREES, NULL, NULL, show, &to);
}

static bool leave_share(struct db *db, TALLOC_CTX *mem, const struct db_raw *raw, void *arg)
{
	trees_with(db, mem, db_datum(raw->key, raw->key_len), leave, arg);
	return true;
}

void tree_forget(struct db *db, const struct db_owner *who)
{
	struct leaving l = { .who = *who, .all = true };

	(void)db_each_record(db, DB_TREES, NULL, NULL, leave_share, &l);
}
