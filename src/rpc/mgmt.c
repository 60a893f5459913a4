/* mgmt.c - the management interface that every DCE/RPC server has beside its own.  C706 appendix Q. */
#include "base/util.h"
#include "rpc/iface.h"

#define STATS 4u /* calls in and out, packets in and out */
#define STATUS_BAD_AUTHENTICATION 0x1C010014u /* rpc_s_unknown_authn_service as others answer it */

static void put_id(struct ndr *out, const struct rpc_iface *i)
{
	wr_align(&out->w, 4);
	wr_bytes(&out->w, i->uuid, sizeof(i->uuid));
	ndr_u16(out, i->major);
	ndr_u16(out, i->minor);
}

/* 0: pointer to {count, pointers}; identities, status */
static uint32_t inq_if_ids(struct rpc_call *c)
{
	const struct rpc_iface *list[RPC_DOOR_IFACES + 1];
	uint32_t n = 0;

	for (; n < RPC_DOOR_IFACES && c->door->iface[n] != NULL; n++)
		list[n] = c->door->iface[n];
	list[n++] = &mgmt_iface;
	ndr_ptr(&c->out, true);
	ndr_u32(&c->out, n); /* of the conformant array at the end of the structure */
	ndr_u32(&c->out, n);
	for (uint32_t i = 0; i < n; i++)
		ndr_ptr(&c->out, true);
	for (uint32_t i = 0; i < n; i++)
		put_id(&c->out, list[i]);
	ndr_u32(&c->out, 0);
	return 0;
}

/* 1: how many numbers are wanted -> count, numbers, status.  We count nothing. */
static uint32_t inq_stats(struct rpc_call *c)
{
	uint32_t max = ndr_rd_u32(&c->in), n;

	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	n = min_u32(max, STATS);
	ndr_u32(&c->out, n);
	ndr_u32(&c->out, n);
	for (uint32_t i = 0; i < n; i++)
		ndr_u32(&c->out, 0);
	ndr_u32(&c->out, 0);
	return 0;
}

/* 2 -> status, yes */
static uint32_t is_server_listening(struct rpc_call *c)
{
	ndr_u32(&c->out, 0);
	ndr_u32(&c->out, 1);
	return 0;
}

/* 3 */
static uint32_t stop_server_listening(struct rpc_call *c)
{
	ndr_u32(&c->out, rpc_denied(c, RPC_FOR_NOBODY));
	return 0;
}

/* 4: authentication service, room -> name (varying, of that room), status */
static uint32_t inq_princ_name(struct rpc_call *c)
{
	ndr_rd_u32(&c->in);
	ndr_rd_u32(&c->in);
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	ndr_u32(&c->out, 1);
	ndr_u32(&c->out, 0);
	ndr_u32(&c->out, 1);
	ndr_u8(&c->out, 0);
	ndr_u32(&c->out, STATUS_BAD_AUTHENTICATION);
	return 0;
}

static const struct rpc_op mgmt_ops[] = {
	{ 0, "rpc__mgmt_inq_if_ids", inq_if_ids },
	{ 1, "rpc__mgmt_inq_stats", inq_stats },
	{ 2, "rpc__mgmt_is_server_listening", is_server_listening },
	{ 3, "rpc__mgmt_stop_server_listening", stop_server_listening },
	{ 4, "rpc__mgmt_inq_princ_name", inq_princ_name },
};

const struct rpc_iface mgmt_iface = {
	.name = "mgmt",
	/* afa8bd80-7d8a-11c9-bef4-08002b102989 */
	.uuid = { 0x80, 0xbd, 0xa8, 0xaf, 0x8a, 0x7d, 0xc9, 0x11,
		  0xbe, 0xf4, 0x08, 0x00, 0x2b, 0x10, 0x29, 0x89 },
	.major = 1,
	.minor = 0,
	.ops = mgmt_ops,
	.op_count = ARRAY_LEN(mgmt_ops),
};
