/* netlogon.c - the logon service of domain controllers, which we are not: whoever knocks is told so at
 * once instead of finding no pipe and trying again.  MS-NRPC. */
#include "base/util.h"
#include "rpc/iface.h"

static uint32_t refuse(struct rpc_call *c)
{
	return rpc_denied(c, RPC_NO_DOMAIN);
}

static const struct rpc_op netlogon_ops[] = {
	{ 2, "NetrLogonSamLogon", refuse },
	{ 4, "NetrServerReqChallenge", refuse },
	{ 5, "NetrServerAuthenticate", refuse },
	{ 15, "NetrServerAuthenticate2", refuse },
	{ 26, "NetrServerAuthenticate3", refuse },
};

const struct rpc_iface netlogon_iface = {
	.name = "netlogon",
	/* 12345678-1234-abcd-ef00-01234567cffb */
	.uuid = { 0x78, 0x56, 0x34, 0x12, 0x34, 0x12, 0xcd, 0xab,
		  0xef, 0x00, 0x01, 0x23, 0x45, 0x67, 0xcf, 0xfb },
	.major = 1,
	.minor = 0,
	.ops = netlogon_ops,
	.op_count = ARRAY_LEN(netlogon_ops),
};
