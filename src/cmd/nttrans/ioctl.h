/* ioctl.h - control codes of NT_TRANSACT IOCTL, a file for each group.
 *
 * A function finds an open thing of the right kind, and the rights of its user in force. */
#ifndef SMB1D_CMD_NTTRANS_IOCTL_H
#define SMB1D_CMD_NTTRANS_IOCTL_H
#include "cmd/nttrans/nttrans.h"

struct ioctl {
	struct req *q;
	struct trans *t;
	struct open *o;
	struct rd in;          /* the data that came */
	struct trans_reply *r;
};

/* ioctl_ranges.c */
status_t ioctl_set_sparse(struct ioctl *i);
status_t ioctl_set_zero_data(struct ioctl *i);
status_t ioctl_allocated_ranges(struct ioctl *i);
/* ioctl_copy.c */
status_t ioctl_resume_key(struct ioctl *i);
status_t ioctl_copychunk(struct ioctl *i);
status_t ioctl_copychunk_write(struct ioctl *i);
/* ioctl_ids.c */
status_t ioctl_object_id(struct ioctl *i);
status_t ioctl_files_by_sid(struct ioctl *i);
/* ioctl_pipe.c */
status_t ioctl_pipe_transceive(struct ioctl *i);
status_t ioctl_pipe_peek(struct ioctl *i);
status_t ioctl_pipe_wait(struct ioctl *i);
#endif
