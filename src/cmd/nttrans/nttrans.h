/* nttrans.h - the functions of NT_TRANSACT, a file each. */
#ifndef SMB1D_CMD_NTTRANS_NTTRANS_H
#define SMB1D_CMD_NTTRANS_NTTRANS_H
#include "cmd/trans/trans.h"

#define NTTRANS_CODES 9u
extern struct cmd_counter nttrans_count[NTTRANS_CODES];

status_t nttrans_create(struct req *q, struct trans *t, struct trans_reply *r);
status_t nttrans_ioctl(struct req *q, struct trans *t, struct trans_reply *r);
status_t nttrans_notify(struct req *q, struct trans *t, struct trans_reply *r);
status_t nttrans_get_quota(struct req *q, struct trans *t, struct trans_reply *r);
status_t nttrans_set_security(struct req *q, struct trans *t, struct trans_reply *r);
status_t nttrans_query_security(struct req *q, struct trans *t, struct trans_reply *r);
#endif
