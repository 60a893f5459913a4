/* session.c - who is logged in, for status.
 *
 * Key: owner, u16 SMB UID.  Record: u8 version, u8 flags (1 guest, 2 signing, 4 and 8 encrypted: DB_ENCRYPTED_*), u32 unix uid,
 * u32 unix gid, u64 since, then five texts: user, domain, client name, address, dialect. */
#include "base/util.h"
#include "db/internal.h"

#define VERSION 1u
#define KEY_BYTES (OWNER_BYTES + 2u)

static TDB_DATA session_key(const struct db_owner *who, uint16_t uid, uint8_t key[KEY_BYTES])
{
	struct wr w = wr_over(key, KEY_BYTES);

	wr_owner(&w, who);
	wr_u16(&w, uid);
	return db_datum(key, KEY_BYTES);
}

bool db_session_put(struct db *db, const struct db_session *s)
{
	const char *const texts[] = { s->user, s->domain, s->client_name, s->client_addr, s->dialect };
	struct db_owner who = s->owner.pid ? s->owner : db_me();
	size_t need = 18, len;
	uint8_t key[KEY_BYTES], *rec = NULL, *old = NULL;
	TDB_DATA k = session_key(&who, s->uid, key);
	status_t st;
	struct wr w;

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		need += db_text_bytes(texts[i]);
	if (!db_room(db, &rec, need))
		return false;
	w = wr_over(rec, need);
	wr_u8(&w, VERSION);
	wr_u8(&w, (uint8_t)(s->guest | s->signing << 1 | s->encrypted << 2));
	wr_u32(&w, s->unix_uid);
	wr_u32(&w, s->unix_gid);
	wr_u64(&w, s->since);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		wr_text(&w, texts[i]);
	st = wr_ok(&w) ? db_rec_lock(db, DB_SESSIONS, k, &old, &len) : ST_INTERNAL_ERROR;
	if (st == ST_OK) {
		st = db_rec_store(db, DB_SESSIONS, k, rec, wr_tell(&w));
		db_rec_unlock(db, DB_SESSIONS, k);
		if (st == ST_OK && len == 0 && owner_is_me(&who))
			db->my_sessions++;
	}
	talloc_free(old);
	talloc_free(rec);
	return st == ST_OK;
}

static void session_drop(struct db *db, TDB_DATA key)
{
	uint8_t *old = NULL;
	size_t len;

	if (db_rec_lock(db, DB_SESSIONS, key, &old, &len) == ST_OK) {
		if (len > 0)
			db_rec_store(db, DB_SESSIONS, key, NULL, 0);
		db_rec_unlock(db, DB_SESSIONS, key);
	}
	talloc_free(old);
}

void db_session_del(struct db *db, uint16_t uid)
{
	struct db_owner self = db_me();
	uint8_t key[KEY_BYTES];

	session_drop(db, session_key(&self, uid, key));
	if (db->my_sessions > 0)
		db->my_sessions--;
}

static bool decode(TALLOC_CTX *mem, const struct db_raw *raw, struct db_session *s)
{
	struct rd k = rd_over(raw->key, raw->key_len), r = rd_over(raw->rec, raw->rec_len);
	uint8_t version = rd_u8(&r), flags = rd_u8(&r);

	s->owner = rd_owner(&k);
	s->uid = rd_u16(&k);
	s->guest = flags & 1;
	s->signing = flags & 2;
	s->encrypted = flags >> 2;
	s->unix_uid = rd_u32(&r);
	s->unix_gid = rd_u32(&r);
	s->since = rd_u64(&r);
	s->user = rd_text(&r, mem);
	s->domain = rd_text(&r, mem);
	s->client_name = rd_text(&r, mem);
	s->client_addr = rd_text(&r, mem);
	s->dialect = rd_text(&r, mem);
	return rd_ok(&k) && rd_left(&k) == 0 && version == VERSION && flags < 12 && rd_ok(&r) &&
	       rd_left(&r) == 0;
}

struct showing {
	bool (*fn)(const struct db_session *s, void *arg);
	void *arg;
};

static bool show(struct db *db, TALLOC_CTX *mem, const struct db_raw *raw, void *arg)
{
	const struct showing *to = arg;
	unsigned starved = db_starved;
	struct db_session s;

	if (!decode(mem, raw, &s)) {
		/* a reader of a file at rest only looks */
		if (db_starved == starved && !(tdb_get_flags(db->tdb[DB_SESSIONS]) & TDB_NOLOCK)) {
			db_rec_damaged(DB_SESSIONS, "a session");
			session_drop(db, db_datum(raw->key, raw->key_len));
		}
		return true;
	}
	return !db_alive(&s.owner) || to->fn(&s, to->arg);
}

bool db_session_each(struct db *db, bool (*fn)(const struct db_session *s, void *arg), void *arg)
{
	struct showing to = { fn, arg };

	return db_each_record(db, DB_SESSIONS, NULL, NULL, show, &to);
}

static bool of_owner(TDB_DATA key, TDB_DATA rec, const void *arg)
{
	struct rd r = rd_over(key.dptr, key.dsize);
	struct db_owner o = rd_owner(&r);

	(void)rec;
	return owner_same(&o, arg);
}

static bool drop(struct db *db, TALLOC_CTX *mem, const struct db_raw *raw, void *arg)
{
	(void)mem;
	(void)arg;
	session_drop(db, db_datum(raw->key, raw->key_len));
	return true;
}

void session_forget(struct db *db, const struct db_owner *who)
{
	(void)db_each_record(db, DB_SESSIONS, of_owner, who, drop, NULL);
}
