/* pipe.c - bytes a client writes to a pipe go to the RPC room. */
#include "cmd/pipe.h"

status_t pipe_write(struct req *q, struct open *o, const uint8_t *p, uint32_t len)
{
	struct rpc_host host;

	trans_rpc_host(q, &host);
	return rpc_pipe_write(o->pipe, &host, p, len);
}
