/* dbrecord.c - the records of the account store, encoded with the cursors of the wire.
 *
 *   version u32, flags u32, uid u32, set u64, has NT u8, has LM u8, [NT 16], [LM 16], length u16, name
 *   version u32, accounts u32, generation u64
 *
 * Each ends with a seal: eight bytes of MD5 over key and body, so that a turned bit is seen. */
#include "auth/passdb.h"
#include "base/str.h"
#include <stdlib.h>

#define RECORD_VERSION 1u
#define SEAL_LEN 8u

static const TDB_DATA info_key = { .dptr = (unsigned char *)(uintptr_t)"info", .dsize = 4 };

static void seal_of(TDB_DATA key, const uint8_t *body, size_t n, uint8_t seal[16])
{
	auth_md5_2(key.dptr, key.dsize, body, n, seal);
}

static TDB_DATA finish_record(struct wr *w, TDB_DATA key)
{
	uint8_t seal[16];

	seal_of(key, w->msg, w->pos, seal);
	wr_bytes(w, seal, SEAL_LEN);
	return wr_ok(w) ? db_datum(w->msg, w->pos) : db_datum(NULL, 0);
}

/* A cursor over the body if the seal is right, else a bad one. */
static struct rd open_record(TDB_DATA key, TDB_DATA data)
{
	struct rd r = rd_over(data.dptr, data.dsize);
	uint8_t seal[16];

	if (data.dsize < SEAL_LEN + 4 || data.dsize > DB_RECORD_MAX) {
		r.bad = true;
		r.end = 0;
		return r;
	}
	r.end -= SEAL_LEN;
	seal_of(key, data.dptr, r.end, seal);
	if (!auth_equal(seal, data.dptr + r.end, SEAL_LEN) || rd_u32(&r) != RECORD_VERSION) {
		r.bad = true;
		r.pos = r.end;
	}
	return r;
}

TDB_DATA db_account_key(TALLOC_CTX *mem, const char *user)
{
	char *low = str_lower(mem, user);
	char *key = low ? talloc_asprintf(mem, "user/%s", low) : NULL;

	return key ? db_datum(key, strlen(key)) : db_datum(NULL, 0);
}

bool db_is_account_key(TDB_DATA key) { return key.dsize > 5 && memcmp(key.dptr, "user/", 5) == 0; }

TDB_DATA db_encode_account(const struct auth_account *a, TDB_DATA key, uint8_t buf[DB_RECORD_MAX])
{
	struct wr w = wr_over(buf, DB_RECORD_MAX);
	size_t n = strlen(a->user);

	if (n == 0 || n > AUTH_MAX_NAME)
		return db_datum(NULL, 0);
	wr_u32(&w, RECORD_VERSION);
	wr_u32(&w, a->flags);
	wr_u32(&w, a->uid);
	wr_u64(&w, (uint64_t)a->last_set);
	wr_u8(&w, a->has_nt);
	wr_u8(&w, a->has_lm);
	if (a->has_nt)
		wr_bytes(&w, a->nt, 16);
	if (a->has_lm)
		wr_bytes(&w, a->lm, 16);
	wr_u16(&w, (uint16_t)n);
	wr_bytes(&w, a->user, n);
	return finish_record(&w, key);
}

static int wipe_account(struct auth_account *a)
{
	str_wipe(a->nt, sizeof(a->nt));
	str_wipe(a->lm, sizeof(a->lm));
	return 0;
}

/* NULL for a damaged record. */
struct auth_account *db_decode_account(TALLOC_CTX *mem, TDB_DATA key, TDB_DATA data)
{
	struct rd r = open_record(key, data);
	struct auth_account *a = talloc_zero(mem, struct auth_account);
	const uint8_t *name;
	uint16_t n;

	if (!a)
		return NULL;
	talloc_set_destructor(a, wipe_account);
	a->flags = rd_u32(&r);
	a->uid = rd_u32(&r);
	a->last_set = (int64_t)rd_u64(&r);
	a->has_nt = rd_u8(&r) == 1;
	a->has_lm = rd_u8(&r) == 1;
	if (a->has_nt)
		rd_copy(&r, a->nt, 16);
	if (a->has_lm)
		rd_copy(&r, a->lm, 16);
	n = rd_u16(&r);
	name = rd_take(&r, n);
	if (!name || !rd_ok(&r) || rd_left(&r) != 0 || n == 0 || n > AUTH_MAX_NAME || memchr(name, 0, n)) {
		talloc_free(a);
		return NULL;
	}
	a->user = talloc_strndup(a, (const char *)name, n);
	return a;
}

bool db_read_info(struct tdb_context *tdb, struct db_info *i)
{
	TDB_DATA d = tdb_fetch(tdb, info_key);
	struct rd r = open_record(info_key, d);

	i->accounts = rd_u32(&r);
	i->generation = rd_u64(&r);
	free(d.dptr);
	return rd_ok(&r) && rd_left(&r) == 0;
}

bool db_write_info(struct tdb_context *tdb, const struct db_info *i)
{
	uint8_t buf[64];
	struct wr w = wr_over(buf, sizeof(buf));

	wr_u32(&w, RECORD_VERSION);
	wr_u32(&w, i->accounts);
	wr_u64(&w, i->generation);
	return tdb_store(tdb, info_key, finish_record(&w, info_key), TDB_REPLACE) == 0;
}
