/* ioctl_pipe.c - named pipes by control code: what NT applications send instead of TRANSACTION.
 *
 *   PIPE_TRANSCEIVE   D: a message   ->   D: the answer, as much as the client takes
 *   PIPE_PEEK         ->   D: state u32, bytes waiting u32, messages u32, bytes of the first u32
 *   PIPE_WAIT         D: timeout u64, name length u32, timeout given u8, pad, name   ->   nothing: it is there
 *
 * MS-FSCC 2.3.29 to 2.3.33. */
#include "cmd/nttrans/ioctl.h"
#include "base/util.h"
#include "wire/wire.h"

#define CONNECTED 3u

status_t ioctl_pipe_transceive(struct ioctl *i)
{
	return trans_pipe_transact(i->q, i->t, i->r, i->o);
}

status_t ioctl_pipe_peek(struct ioctl *i)
{
	struct wr *d = trans_reply_data(i->q, i->r, 16);
	size_t all, first;

	if (!d)
		return ST_NO_MEMORY;
	if (i->t->max_d < 16)
		return ST_BUFFER_TOO_SMALL;
	rpc_pipe_peek(i->o->pipe, &all, &first);
	wr_u32(d, CONNECTED);
	wr_u32(d, (uint32_t)min_u64(all, UINT32_MAX));
	wr_u32(d, all > 0);
	wr_u32(d, (uint32_t)min_u64(first, UINT32_MAX));
	return ST_OK;
}

/* A pipe of ours always has room for one more. */
status_t ioctl_pipe_wait(struct ioctl *i)
{
	uint32_t len;
	const char *name;

	rd_skip(&i->in, 8);
	len = rd_u32(&i->in);
	rd_skip(&i->in, 2);
	if (!rd_ok(&i->in) || len > rd_left(&i->in))
		return ST_INVALID_PARAMETER;
	name = wire_str_n(i->q->mem, &i->in, true, len);
	if (!name)
		return ST_NO_MEMORY;
	return rpc_pipe_exists(name) ? ST_OK : ST_OBJECT_NAME_NOT_FOUND;
}
