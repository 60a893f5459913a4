/* write_group.h - write-through writes in flight share one sync.
 *
 * A client that sends its next WRITE_ANDX before it has the answer to the last one need not wait for the disk once for
 * each: their answers are held back, the disk is asked once a file, and all are answered. */
#ifndef SMB1D_CMD_WRITE_GROUP_H
#define SMB1D_CMD_WRITE_GROUP_H
#include "cmd/cmd.h"

/* `done` bytes of a write-through WRITE_ANDX are written.  True: its answer comes later (q->no_reply is set); false: there
 * is nothing to share, the caller syncs and answers. */
bool write_group_join(struct req *q, struct open *o, uint32_t done);
/* Syncs and answers all that wait. */
void write_group_settle(struct conn *c);
/* The words of an answer to WRITE_ANDX. */
void write_andx_encode(struct req *q, uint32_t done);
#endif
