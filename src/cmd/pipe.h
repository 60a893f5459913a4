/* pipe.h - what read and write commands do when the FID is a pipe. */
#ifndef SMB1D_CMD_PIPE_H
#define SMB1D_CMD_PIPE_H
#include "cmd/cmd.h"

/* Bytes for the RPC server behind an open pipe; whole requests are executed at once. */
status_t pipe_write(struct req *q, struct open *o, const uint8_t *p, uint32_t len);
/* What the RPC room may tell this user (cmd/trans/host.c). */
void trans_rpc_host(struct req *q, struct rpc_host *h);
#endif
