/* watch.c - who watches which folder, for change notify.
 *
 *   key: the folder's real path ("/" for the root)
 *   record: version u8, count u32, { owner, id u64, filter u32, tree u8 } ...
 *
 * Whoever changes something looks under its folder and under every folder above.  Nearly always nobody watches, and
 * a worker tends to change many things in one folder: the answer for the last folder is kept, and holds as
 * long as the database's sequence number stays. */
#include "base/log.h"
#include "base/util.h"
#include "db/internal.h"
#include <stdio.h>

#define VERSION 1u
#define ENTRY_BYTES (OWNER_BYTES + 13u)
#define MAX_WATCHERS 4096u /* of one folder */

struct watchers {
	struct db_watch *w;
	uint32_t n;
};

static TDB_DATA folder_key(const char *path, size_t len)
{
	return len > 0 ? db_datum(path, len) : db_datum("/", 1);
}

/* ---- record ---- */

static bool decode(TALLOC_CTX *mem, const uint8_t *rec, size_t len, struct watchers *out)
{
	struct rd r = rd_over(rec, len);
	uint8_t version = rd_u8(&r);
	uint32_t n = rd_u32(&r);

	if (version != VERSION || n > MAX_WATCHERS || rd_left(&r) != n * ENTRY_BYTES)
		return false;
	out->w = talloc_array(mem, struct db_watch, n + 1); /* one can be added */
	out->n = 0;
	db_starved += !out->w;
	for (; out->w && out->n < n; out->n++) {
		struct db_watch *w = &out->w[out->n];

		*w = (struct db_watch){ .owner = rd_owner(&r) };
		w->id = rd_u64(&r);
		w->filter = rd_u32(&r);
		w->tree = rd_u8(&r);
	}
	return out->w && rd_ok(&r);
}

static status_t save(struct db *db, TALLOC_CTX *mem, TDB_DATA key, const struct watchers *all)
{
	size_t need = 5 + (size_t)all->n * ENTRY_BYTES;
	uint8_t *rec = talloc_size(mem, need);
	struct wr w = wr_over(rec, need);

	if (all->n == 0)
		return db_rec_store(db, DB_WATCHES, key, NULL, 0);
	if (!rec)
		return ST_INSUFFICIENT_RESOURCES;
	wr_u8(&w, VERSION);
	wr_u32(&w, all->n);
	for (uint32_t i = 0; i < all->n; i++) {
		wr_owner(&w, &all->w[i].owner);
		wr_u64(&w, all->w[i].id);
		wr_u32(&w, all->w[i].filter);
		wr_u8(&w, all->w[i].tree);
	}
	return wr_ok(&w) ? db_rec_store(db, DB_WATCHES, key, rec, wr_tell(&w)) : ST_INTERNAL_ERROR;
}

typedef bool (*watchers_fn)(struct watchers *all, void *arg); /* true: changed */

static status_t watchers_with(struct db *db, TDB_DATA key, watchers_fn fn, void *arg)
{
	TALLOC_CTX *mem = talloc_new(db);
	struct watchers all = { .n = 0 };
	uint8_t *rec = NULL;
	size_t len;
	unsigned starved = db_starved;
	status_t st = db_rec_lock(db, DB_WATCHES, key, &rec, &len);

	if (st == ST_OK) {
		if (len > 0 && !decode(mem, rec, len, &all) && db_starved == starved) {
			db_rec_damaged(DB_WATCHES, "the watchers of a folder");
			all = (struct watchers){ .n = 0 };
		}
		if (!all.w && db_starved == starved)
			all.w = talloc_array(mem, struct db_watch, 1);
		owner_cache_begin();
		if (!all.w)
			st = ST_INSUFFICIENT_RESOURCES;
		else if (fn(&all, arg))
			st = save(db, mem, key, &all);
		owner_cache_end();
		db_rec_unlock(db, DB_WATCHES, key);
	}
	talloc_free(rec);
	talloc_free(mem);
	return st;
}

/* ---- one watcher ---- */

struct putting {
	const struct db_watch *w;
	bool full;
};

static void take_out(struct watchers *all, uint32_t i) { all->w[i] = all->w[--all->n]; }

static bool put(struct watchers *all, void *arg)
{
	struct putting *p = arg;

	/* the dead are looked for only when they would keep somebody out */
	for (uint32_t i = all->n; all->n >= MAX_WATCHERS && i-- > 0;)
		if (!db_alive(&all->w[i].owner))
			take_out(all, i);
	p->full = all->n >= MAX_WATCHERS;
	if (!p->full)
		all->w[all->n++] = *p->w;
	return !p->full;
}

status_t db_watch_put(struct db *db, const char *folder, const struct db_watch *w)
{
	struct db_watch mine = *w;
	struct putting p = { .w = &mine };
	status_t st;

	mine.owner = db_me();
	st = watchers_with(db, folder_key(folder, strlen(folder)), put, &p);
	if (st == ST_OK && p.full)
		st = ST_INSUFFICIENT_RESOURCES;
	if (st == ST_OK)
		db->my_watches++;
	return st;
}

struct leaving {
	struct db_owner who;
	uint64_t id; /* 0: all of them */
};

static bool leave(struct watchers *all, void *arg)
{
	const struct leaving *l = arg;
	uint32_t before = all->n;

	for (uint32_t i = all->n; i-- > 0;)
		if (owner_same(&all->w[i].owner, &l->who) && (l->id == 0 || all->w[i].id == l->id))
			take_out(all, i);
	return all->n != before;
}

void db_watch_del(struct db *db, const char *folder, uint64_t id)
{
	struct leaving l = { .who = db_me(), .id = id };

	if (watchers_with(db, folder_key(folder, strlen(folder)), leave, &l) == ST_OK && db->my_watches > 0)
		db->my_watches--;
}

void db_watch_bury(struct db *db, const char *path, const struct db_watch *w)
{
	struct leaving l = { .who = w->owner };

	if (!db_alive(&w->owner))
		(void)watchers_with(db, folder_key(path, w->depth), leave, &l);
}

static bool leave_folder(struct db *db, TALLOC_CTX *mem, const struct db_raw *raw, void *arg)
{
	(void)mem;
	(void)watchers_with(db, db_datum(raw->key, raw->key_len), leave, arg);
	return true;
}

void watch_forget(struct db *db, const struct db_owner *who)
{
	struct leaving l = { .who = *who };

	(void)db_each_record(db, DB_WATCHES, NULL, NULL, leave_folder, &l);
}

/* ---- who is concerned ---- */

struct db_watch_cache {
	int seqnum;
	bool valid;
	char *folder;
	struct db_watch *hits;
	size_t n;
};

struct finding {
	struct db_watch_cache *cache;
	size_t depth;
	bool here; /* it is the very folder, not one above */
	bool failed;
};

static int found(TDB_DATA key, TDB_DATA data, void *arg)
{
	struct finding *f = arg;
	struct db_watch_cache *c = f->cache;
	struct watchers all;
	struct db_watch *more;

	(void)key;
	if (!decode(c, data.dptr, data.dsize, &all))
		return 0; /* the next watcher of that folder drops it */
	more = talloc_realloc(c, c->hits, struct db_watch, (unsigned)(c->n + all.n) + 1);
	f->failed = !more;
	if (!more)
		return -1;
	c->hits = more;
	for (uint32_t i = 0; i < all.n; i++) {
		if (!f->here && !all.w[i].tree)
			continue;
		c->hits[c->n] = all.w[i];
		c->hits[c->n++].depth = f->depth;
	}
	talloc_free(all.w);
	return 0;
}

/* Fills the cache with the watchers of a folder and of those above it that watch their tree. */
static bool look(struct db *db, struct db_watch_cache *c, const char *path, size_t len)
{
	struct tdb_context *tdb = db->tdb[DB_WATCHES];
	struct finding f = { .cache = c, .here = true };

	c->valid = false;
	c->n = 0;
	c->seqnum = tdb_get_seqnum(tdb); /* before we look: what comes meanwhile makes it out of date */
	talloc_free(c->folder);
	c->folder = talloc_strndup(c, path, len);
	for (;;) {
		f.depth = len;
		pulse_in(DB_WATCHES);
		(void)tdb_parse_record(tdb, folder_key(path, len), found, &f);
		pulse_out();
		if (len == 0 || f.failed)
			break;
		while (len > 0 && path[len - 1] != '/')
			len--;
		len -= len > 0;
		f.here = false;
	}
	c->valid = c->folder && !f.failed;
	return c->valid;
}

size_t db_watch_find(struct db *db, const char *path, const struct db_watch **hits)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) : 0;
	struct db_watch_cache *c = db->watch_cache;

	if (!db->tdb[DB_WATCHES])
		return 0;
	if (!c)
		c = db->watch_cache = talloc_zero(db, struct db_watch_cache);
	if (!c)
		return 0;
	if (!(c->valid && c->seqnum == tdb_get_seqnum(db->tdb[DB_WATCHES]) && strlen(c->folder) == len &&
	      memcmp(c->folder, path, len) == 0) &&
	    !look(db, c, path, len))
		return 0;
	*hits = c->hits;
	return c->n;
}
