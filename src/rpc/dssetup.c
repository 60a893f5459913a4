/* dssetup.c - what part this machine plays in a domain: none.  MS-DSSP 3.2.5.1, on the pipe lsarpc.
 *
 * The object picker of XP and later asks before it decides where to look for users. */
#include "base/util.h"
#include "rpc/iface.h"

#define ROLE_STANDALONE_SERVER 2u
#define WERR_INVALID_PARAM 87u

enum { INFO_BASIC = 1, INFO_UPGRADE = 2, INFO_OPERATION = 3 };

/* Role u16, flags u32, domain, DNS domain and forest pointers, GUID. */
static void put_basic(struct ndr *out, const char *domain)
{
	ndr_u16(out, ROLE_STANDALONE_SERVER);
	ndr_u32(out, 0);
	ndr_ptr(out, true);
	ndr_ptr(out, false);
	ndr_ptr(out, false);
	wr_zero(&out->w, 16);
	ndr_string(out, domain);
}

static uint32_t get_primary_domain_info(struct rpc_call *c)
{
	uint16_t level = ndr_rd_u16(&c->in);

	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	ndr_ptr(&c->out, level >= INFO_BASIC && level <= INFO_OPERATION);
	if (level < INFO_BASIC || level > INFO_OPERATION) {
		ndr_u32(&c->out, WERR_INVALID_PARAM);
		return 0;
	}
	ndr_u16(&c->out, level);
	wr_align(&c->out.w, 4);
	if (level == INFO_BASIC) {
		put_basic(&c->out, c->host->domain);
	} else if (level == INFO_UPGRADE) { /* none under way, no role before */
		ndr_u32(&c->out, 0);
		ndr_u16(&c->out, 0);
	} else { /* idle */
		ndr_u16(&c->out, 0);
	}
	ndr_u32(&c->out, WERR_OK);
	return 0;
}

static const struct rpc_op dssetup_ops[] = {
	{ 0, "DsRolerGetPrimaryDomainInformation", get_primary_domain_info },
};

const struct rpc_iface dssetup_iface = {
	.name = "dssetup",
	/* 3919286a-b10c-11d0-9ba8-00c04fd92ef5 */
	.uuid = { 0x6a, 0x28, 0x19, 0x39, 0x0c, 0xb1, 0xd0, 0x11,
		  0x9b, 0xa8, 0x00, 0xc0, 0x4f, 0xd9, 0x2e, 0xf5 },
	.major = 0,
	.minor = 0,
	.ops = dssetup_ops,
	.op_count = ARRAY_LEN(dssetup_ops),
};
