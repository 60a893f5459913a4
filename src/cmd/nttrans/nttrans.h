/* nttrans.h - the functions of NT_TRANSACT, a file each. */
#ifndef SMB1D_CMD_NTTRANS_NTTRANS_H
#define SMB1D_CMD_NTTRANS_NTTRANS_H
#include "base/row.h"
#include "cmd/trans/trans.h"

#define NTTRANS_CODES 9u
extern struct cmd_counter nttrans_count[NTTRANS_CODES];

bool nttrans_row_at(size_t i, struct table_row *out);   /* table_row_fn */
bool nttrans_ioctl_at(size_t i, struct table_row *out); /* control codes: table_row_fn */

status_t nttrans_create(struct req *q, struct trans *t, struct trans_reply *r);
status_t nttrans_ioctl(struct req *q, struct trans *t, struct trans_reply *r);
status_t nttrans_notify(struct req *q, struct trans *t, struct trans_reply *r);
status_t nttrans_get_quota(struct req *q, struct trans *t, struct trans_reply *r);
status_t nttrans_set_quota(struct req *q, struct trans *t, struct trans_reply *r);
status_t nttrans_set_security(struct req *q, struct trans *t, struct trans_reply *r);
status_t nttrans_query_security(struct req *q, struct trans *t, struct trans_reply *r);
#endif
