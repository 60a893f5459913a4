/* pipe.c - bytes a client writes to a pipe go to the RPC room. */
#include "cmd/pipe.h"
#include "base/budget.h"

#define ANSWER_BYTES 32768u /* that may wait to be read, roughly */

status_t pipe_write(struct req *q, struct open *o, const uint8_t *p, uint32_t len)
{
	struct rpc_host host;

	if (!budget_allows(len + ANSWER_BYTES))
		return ST_INSUFF_SERVER_RESOURCES;
	trans_rpc_host(q, &host);
	return rpc_pipe_write(o->pipe, &host, p, len);
}
