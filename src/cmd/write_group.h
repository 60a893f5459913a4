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

/* ---- an answer to WRITE_ANDX that comes when its request is gone (write_andx.c) ---- */
struct write_answer {
	struct smb_hdr h;
	uint8_t head[SMB_MIN_LEN]; /* of the request, for the answer's header */
	uint32_t seq, done;
	status_t status;
};
/* Keeps what the answer needs; q has none of its own any more. */
void write_answer_later(struct req *q, struct write_answer *a);
void write_answer(struct conn *c, const struct write_answer *a);
#endif
