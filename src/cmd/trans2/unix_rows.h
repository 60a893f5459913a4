/* unix_rows.h - the levels of the UNIX extensions, where each may stand; for documentation and tests. */
#ifndef SMB1D_CMD_TRANS2_UNIX_ROWS_H
#define SMB1D_CMD_TRANS2_UNIX_ROWS_H
#include "base/row.h"

/* table_row_fn: QUERY_PATH and QUERY_FILE, SET_PATH and SET_FILE, QUERY_FS, SET_FS. */
bool unix_query_at(size_t i, struct table_row *out);
bool unix_set_at(size_t i, struct table_row *out);
bool unix_query_fs_at(size_t i, struct table_row *out);
bool unix_set_fs_at(size_t i, struct table_row *out);
#endif
