/* wkssvc.c - the workstation service, as far as browsing clients ask it.  MS-WKST. */
#include "base/util.h"
#include "rpc/iface.h"
#include "rpc/list.h"

#define PLATFORM_NT 500u

/* 0: 100 names and version, 101 and the LAN root, 102 and the number of users logged on. */
static uint32_t wksta_get_info(struct rpc_call *c)
{
	static const uint32_t arms[] = { 100, 101, 102, 502, 1013, 1018, 1046 };
	const struct rpc_host *h = c->host;
	const struct ndr_field f[] = {
		NDR_NUM(PLATFORM_NT), NDR_TEXT(h->server_name), NDR_TEXT(h->domain),
		NDR_NUM(h->major), NDR_NUM(h->minor), NDR_TEXT(""), NDR_NUM(1),
	};
	uint32_t level;

	ndr_rd_ptr_string(c->mem, &c->in);
	level = ndr_rd_u32(&c->in);
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	if (level < 100 || level > 102)
		rpc_info_reply(&c->out, level, rpc_level_in(arms, ARRAY_LEN(arms), level), NULL, 0,
			       WERR_UNKNOWN_LEVEL);
	else
		rpc_info_reply(&c->out, level, true, f, 5 + level - 100, WERR_OK);
	return 0;
}

/* 2: who is logged on at this machine is nobody's business. */
static uint32_t wksta_user_enum(struct rpc_call *c)
{
	static const uint32_t arms[] = { 0, 1 };
	struct rpc_list q;

	ndr_rd_ptr_string(c->mem, &c->in);
	rpc_list_read(&c->in, arms, ARRAY_LEN(arms), &q);
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	rpc_list_empty(&c->out, &q, rpc_denied(c, RPC_FOR_NOBODY));
	return 0;
}

/* 5: Windows 2000 looks for a transport it can reach us by. */
static uint32_t wksta_transport_enum(struct rpc_call *c)
{
	static const uint32_t arms[] = { 0 };
	static const struct ndr_field f[] = {
		{ .num = 0xffff }, /* quality of service */
		{ .num = 1 },      /* virtual circuits */
		{ .is_text = true, .text = "\\Device\\NetbiosSmb" },
		{ .is_text = true, .text = "000000000000" },
		{ .num = 1 },      /* routable */
	};
	struct rpc_list q;

	ndr_rd_ptr_string(c->mem, &c->in);
	rpc_list_read(&c->in, arms, ARRAY_LEN(arms), &q);
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	if (!q.known) {
		rpc_list_empty(&c->out, &q, WERR_UNKNOWN_LEVEL);
		return 0;
	}
	rpc_list_begin(&c->out, &q, 1);
	ndr_record(&c->out, f, ARRAY_LEN(f));
	ndr_deferred(&c->out, f, ARRAY_LEN(f));
	rpc_list_end(&c->out, &q, 1, 0, WERR_OK);
	return 0;
}

static const struct rpc_op wkssvc_ops[] = {
	{ 0x00, "NetrWkstaGetInfo", wksta_get_info },
	{ 0x02, "NetrWkstaUserEnum", wksta_user_enum },
	{ 0x05, "NetrWkstaTransportEnum", wksta_transport_enum },
};

const struct rpc_iface wkssvc_iface = {
	.name = "wkssvc",
	/* 6bffd098-a112-3610-9833-46c3f87e345a */
	.uuid = { 0x98, 0xd0, 0xff, 0x6b, 0x12, 0xa1, 0x10, 0x36,
		  0x98, 0x33, 0x46, 0xc3, 0xf8, 0x7e, 0x34, 0x5a },
	.major = 1,
	.minor = 0,
	.ops = wkssvc_ops,
	.op_count = ARRAY_LEN(wkssvc_ops),
};
