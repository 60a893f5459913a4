/* unix_rows.c - the levels of the UNIX extensions by name. */
#include "cmd/trans2/unix_rows.h"
#include "base/util.h"

static const struct table_row query[] = {
	{ 0x200, "UNIX_BASIC", true },  { 0x201, "UNIX_LINK", true },  { 0x204, "POSIX_ACL", true },
	{ 0x206, "ATTR_FLAGS", true },  { 0x208, "POSIX_LOCK", true }, { 0x20b, "UNIX_INFO2", true },
};
static const struct table_row set[] = {
	{ 0x200, "UNIX_BASIC", true }, { 0x201, "UNIX_LINK", true },	     { 0x203, "UNIX_HLINK", true },
	{ 0x204, "POSIX_ACL", true },  { 0x208, "POSIX_LOCK", true },	     { 0x209, "POSIX_PATH_OPEN", true },
	{ 0x20a, "POSIX_PATH_UNLINK", true }, { 0x20b, "UNIX_INFO2", true },
};
static const struct table_row query_fs[] = {
	{ 0x200, "CIFS_UNIX_INFO", true }, { 0x201, "POSIX_FS_INFO", true }, { 0x202, "POSIX_WHOAMI", true },
};
static const struct table_row set_fs[] = {
	{ 0x200, "CIFS_UNIX_INFO", true }, { 0x203, "REQUEST_TRANSPORT_ENCRYPTION", true },
};

static bool row_at(const struct table_row *t, size_t n, size_t i, struct table_row *out)
{
	if (i >= n)
		return false;
	*out = t[i];
	return true;
}

bool unix_query_at(size_t i, struct table_row *out) { return row_at(query, ARRAY_LEN(query), i, out); }
bool unix_set_at(size_t i, struct table_row *out) { return row_at(set, ARRAY_LEN(set), i, out); }
bool unix_query_fs_at(size_t i, struct table_row *out) { return row_at(query_fs, ARRAY_LEN(query_fs), i, out); }
bool unix_set_fs_at(size_t i, struct table_row *out) { return row_at(set_fs, ARRAY_LEN(set_fs), i, out); }
