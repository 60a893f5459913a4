/* pipe.c - named pipe functions of TRANSACTION.  pipes section 1.
 *
 *   setup[0] function, setup[1] FID (0x53 priority, 0x54 nothing); name `\PIPE\` or `\PIPE\name`
 *
 * TransactNmPipe is what RPC clients use: one request in, the first fragment of the reply out; what
 * MaxDataCount cuts off is fetched by READ_ANDX after a BUFFER_OVERFLOW. */
#include "cmd/pipe.h"
#include "base/log.h"
#include "base/util.h"
#include "cmd/trans/trans.h"
#include "wire/wire.h"

#define STATE_SETTABLE 0x8100u /* message read mode, non-blocking */
#define BUFFER_SIZE 4280u      /* of a pipe, as we say */
#define CONNECTED 3u

struct pipe_call {
	struct req *q;
	struct trans *t;
	struct trans_reply *r;
	struct open *o;         /* NULL where the function works on a name */
};

/* The first message, as much as the client takes. */
static status_t take_message(struct pipe_call *c, struct rpc_pipe *pipe)
{
	struct wr *d = trans_reply_data(c->q, c->r, min_u32(c->t->max_d, 65535));
	bool more = false;

	if (!d)
		return ST_NO_MEMORY;
	d->pos = (uint32_t)rpc_pipe_read(pipe, d->msg, d->cap, &more);
	return more ? ST_BUFFER_OVERFLOW : ST_OK;
}

static status_t set_state(struct pipe_call *c)
{
	uint16_t state = rd_u16(&c->t->p);

	if (!rd_ok(&c->t->p))
		return ST_INVALID_PARAMETER;
	c->o->pipe_state = (uint16_t)((c->o->pipe_state & ~STATE_SETTABLE) | (state & STATE_SETTABLE));
	return ST_OK;
}

static status_t query_state(struct pipe_call *c)
{
	struct wr *p = trans_reply_params(c->q, c->r, 2);

	if (!p)
		return ST_NO_MEMORY;
	wr_u16(p, c->o->pipe_state);
	return ST_OK;
}

static status_t query_info(struct pipe_call *c)
{
	const char *name = talloc_asprintf(c->q->mem, "\\PIPE\\%s", rpc_pipe_name(c->o->pipe));
	struct wr *d = trans_reply_data(c->q, c->r, 128);
	uint32_t at, bytes;

	if (rd_u16(&c->t->p) != 1)
		return ST_INVALID_PARAMETER;
	if (!name || !d)
		return ST_NO_MEMORY;
	wr_u16(d, BUFFER_SIZE);
	wr_u16(d, BUFFER_SIZE);
	wr_u8(d, 0xff); /* instances: no limit */
	wr_u8(d, 1);
	at = wr_tell(d);
	wr_u8(d, 0);
	if (req_unicode(c->q))
		wr_align(d, 2);
	bytes = wire_put_str(d, name, req_unicode(c->q), WSTR_NUL) + (req_unicode(c->q) ? 2 : 1);
	if (!wr_ok(d))
		return ST_INTERNAL_ERROR;
	d->msg[at] = (uint8_t)bytes;
	return ST_OK;
}

static status_t peek(struct pipe_call *c)
{
	struct wr *p = trans_reply_params(c->q, c->r, 6);
	size_t all, first;

	if (!p)
		return ST_NO_MEMORY;
	rpc_pipe_peek(c->o->pipe, &all, &first);
	wr_u16(p, (uint16_t)min_u64(all, 65535));
	wr_u16(p, (uint16_t)min_u64(first, 65535));
	wr_u16(p, CONNECTED);
	return ST_OK;
}

static status_t transact(struct pipe_call *c)
{
	size_t all, first;
	status_t st;

	rpc_pipe_peek(c->o->pipe, &all, &first);
	if (all > 0)
		return ST_PIPE_BUSY; /* the last answer has not been read to its end */
	st = pipe_write(c->q, c->o, c->t->d.msg, c->t->d.end);
	return st == ST_OK ? take_message(c, c->o->pipe) : st;
}

status_t trans_pipe_transact(struct req *q, struct trans *t, struct trans_reply *r, struct open *o)
{
	struct pipe_call c = { .q = q, .t = t, .r = r, .o = o };

	return transact(&c);
}

static status_t read_it(struct pipe_call *c) { return take_message(c, c->o->pipe); }

static status_t write_it(struct pipe_call *c)
{
	struct wr *p = trans_reply_params(c->q, c->r, 2);
	status_t st = p ? pipe_write(c->q, c->o, c->t->d.msg, c->t->d.end) : ST_NO_MEMORY;

	if (st == ST_OK)
		wr_u16(p, (uint16_t)min_u32(c->t->d.end, 65535));
	return st;
}

/* ---- by name ---- */

/* "srvsvc" of `\PIPE\srvsvc`. */
static const char *base_name(const struct trans *t)
{
	const char *slash = strrchr(t->name, '\\');

	return slash ? slash + 1 : t->name;
}

static status_t wait_for(struct pipe_call *c)
{
	return rpc_pipe_exists(base_name(c->t)) ? ST_OK : ST_OBJECT_NAME_NOT_FOUND;
}

/* Open, transact, close. */
static status_t call(struct pipe_call *c)
{
	struct rpc_pipe *pipe = rpc_pipe_open(c->q->mem, base_name(c->t));
	struct rpc_host host;
	status_t st;

	if (!pipe)
		return ST_OBJECT_NAME_NOT_FOUND;
	trans_rpc_host(c->q, &host);
	st = rpc_pipe_write(pipe, &host, c->t->d.msg, c->t->d.end);
	return st == ST_OK ? take_message(c, pipe) : st;
}

static const struct pipe_row {
	uint16_t function;
	const char *name;
	bool by_name;
	status_t (*run)(struct pipe_call *c);
} table[] = {
	{ 0x01, "SetNmPHandleState", false, set_state },
	{ 0x11, "RawReadNmPipe", false, read_it },
	{ 0x21, "QueryNmPHandleState", false, query_state },
	{ 0x22, "QueryNmPipeInfo", false, query_info },
	{ 0x23, "PeekNmPipe", false, peek },
	{ 0x26, "TransactNmPipe", false, transact },
	{ 0x31, "RawWriteNmPipe", false, write_it },
	{ 0x36, "ReadNmPipe", false, read_it },
	{ 0x37, "WriteNmPipe", false, write_it },
	{ 0x53, "WaitNmPipe", true, wait_for },
	{ 0x54, "CallNmPipe", true, call },
};

status_t trans_pipe(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct pipe_call c = { .q = q, .t = t, .r = r };
	const struct pipe_row *row = NULL;

	if (t->nsetup < 2)
		return ST_INVALID_PARAMETER;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		if (table[i].function == t->setup[0])
			row = &table[i];
	}
	if (!row) {
		log_at(LOG_RPC, 2, "pipe function 0x%x: unknown", t->setup[0]);
		return ST_INVALID_PARAMETER;
	}
	if (!q->t->ipc)
		return ST_ACCESS_DENIED;
	if (!row->by_name) {
		c.o = req_open(q, t->setup[1]);
		if (!c.o || c.o->kind != OPEN_PIPE)
			return ST_INVALID_HANDLE;
	}
	log_at(LOG_RPC, 4, "%s", row->name);
	return row->run(&c);
}

bool trans_pipe_at(size_t i, struct table_row *out)
{
	if (i >= ARRAY_LEN(table))
		return false;
	*out = (struct table_row){ table[i].function, table[i].name, true };
	return true;
}
