/* nttrans.h - the functions of NT_TRANSACT, a file each. */
#ifndef SMB1D_CMD_NTTRANS_NTTRANS_H
#define SMB1D_CMD_NTTRANS_NTTRANS_H
#include "cmd/trans/trans.h"

#define NTTRANS_CODES 9u
extern struct cmd_counter nttrans_count[NTTRANS_CODES];

status_t nttrans_create(struct req *q, struct trans *t, struct trans_reply *r);
status_t nttrans_ioctl(struct req *q, struct trans *t, struct trans_reply *r);
status_t nttrans_query_security(struct req *q, struct trans *t, struct trans_reply *r);

/* ---- security.c: pure ---- */
#define SECURITY_OWNER 1u
#define SECURITY_GROUP 2u
#define SECURITY_DACL 4u
#define SECURITY_SACL 8u
#define SECURITY_MAX 256u /* bytes of a descriptor made from a mode */
/* The self-relative descriptor that a file's mode amounts to: owner, group and everyone, one entry each. */
void security_from_mode(struct wr *w, const struct fs_stat *st, uint32_t parts);
#endif
