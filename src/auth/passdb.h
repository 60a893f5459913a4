/* passdb.h - the records of the account store, for passdb.c and dbrecord.c. */
#ifndef SMB1D_AUTH_PASSDB_H
#define SMB1D_AUTH_PASSDB_H
#include "auth/internal.h"
#include <tdb.h>

#define DB_RECORD_MAX 512u /* bytes of one encoded account */

/* The record "info": how many accounts there should be, and how often the store was written. */
struct db_info {
	uint32_t accounts;
	uint64_t generation;
};

static inline TDB_DATA db_datum(const void *p, size_t n)
{
	return (TDB_DATA){ .dptr = (unsigned char *)(uintptr_t)p, .dsize = n };
}

/* The key of an account, blind to case; empty if out of memory.  Child of mem. */
TDB_DATA db_account_key(TALLOC_CTX *mem, const char *user);
bool db_is_account_key(TDB_DATA key);
/* Into buf; empty if the name is absurd. */
TDB_DATA db_encode_account(const struct auth_account *a, TDB_DATA key, uint8_t buf[DB_RECORD_MAX]);
/* NULL for a damaged record.  The hashes are wiped when it is freed. */
struct auth_account *db_decode_account(TALLOC_CTX *mem, TDB_DATA key, TDB_DATA data);
bool db_read_info(struct tdb_context *tdb, struct db_info *i);
bool db_write_info(struct tdb_context *tdb, const struct db_info *i);
#endif
