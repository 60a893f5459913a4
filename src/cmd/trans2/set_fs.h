/* set_fs.h - SET_FS_INFO. */
#ifndef SMB1D_CMD_TRANS2_SET_FS_H
#define SMB1D_CMD_TRANS2_SET_FS_H
#include "base/row.h"
#include "cmd/trans2/trans2.h"

status_t trans2_set_fs(struct req *q, struct trans *t, struct trans_reply *r);
bool trans2_set_fs_at(size_t i, struct table_row *out); /* table_row_fn; without those of the UNIX extensions */
#endif
