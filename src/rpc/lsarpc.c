/* lsarpc.c - the Local Security Authority: what kind of machine this is, and who asks.  MS-LSAD, MS-LSAT.
 *
 * Windows opens a policy and asks for the account domain before it translates names; the object
 * picker of XP asks dssetup on the same pipe whether we are in a domain.  We never are. */
#include "base/util.h"
#include "rpc/lsa.h"

#define ROLE_PRIMARY 3u

enum { INFO_AUDIT = 2, INFO_PRIMARY = 3, INFO_ACCOUNT = 5, INFO_ROLE = 6, INFO_DNS = 12 };

uint32_t rpc_call_handle(struct rpc_call *c, enum rpc_handle_kind kind, struct rpc_handle **h)
{
	*h = rpc_handle_read(c->handles, &c->in, kind);
	if (*h != NULL)
		return 0;
	return ndr_rd_ok(&c->in) ? FAULT_CONTEXT : FAULT_NDR;
}

/* Length, root u8 pointer, name and descriptor (nobody sends them), attributes, quality pointer. */
static void read_object_attributes(struct ndr_in *in)
{
	bool root, quality;

	ndr_rd_u32(in);
	root = ndr_rd_ptr(in);
	if (ndr_rd_ptr(in))
		ndr_rd_fail(in);
	ndr_rd_u32(in);
	if (ndr_rd_ptr(in))
		ndr_rd_fail(in);
	quality = ndr_rd_ptr(in);
	if (root)
		ndr_rd_u8(in);
	if (quality) { /* length u32, impersonation u16, two flags u8 */
		ndr_rd_u32(in);
		ndr_rd_u16(in);
		ndr_rd_u16(in);
	}
}

static uint32_t open_it(struct rpc_call *c)
{
	uint32_t access;
	bool ok;

	read_object_attributes(&c->in);
	access = ndr_rd_u32(&c->in);
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	ok = rpc_handle_open(c->pipe, c->handles, &c->out, HANDLE_POLICY, access, 0);
	ndr_u32(&c->out, ok ? ST_OK : ST_INSUFFICIENT_RESOURCES);
	return 0;
}

/* 6: the name is one character */
static uint32_t open_policy(struct rpc_call *c)
{
	if (ndr_rd_ptr(&c->in))
		ndr_rd_u16(&c->in);
	return open_it(c);
}

/* 44 */
static uint32_t open_policy2(struct rpc_call *c)
{
	ndr_rd_ptr_string(c->mem, &c->in);
	return open_it(c);
}

/* 0 */
static uint32_t close_handle(struct rpc_call *c)
{
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_FREE, &h);

	if (fault != 0)
		return fault;
	rpc_handle_close(h);
	rpc_handle_null(&c->out);
	ndr_u32(&c->out, ST_OK);
	return 0;
}

static void put_name_and_sid(struct ndr *out, const char *name, const struct rpc_sid *sid)
{
	ndr_text(out, name);
	ndr_ptr(out, sid != NULL);
	ndr_text_chars(out, name);
	if (sid != NULL)
		rpc_sid_put(out, sid);
}

/* Name, DNS name, DNS forest, GUID, SID: outside a domain only the first is there. */
static void put_dns(struct ndr *out, const char *name)
{
	ndr_text(out, name);
	ndr_text(out, NULL);
	ndr_text(out, NULL);
	wr_zero(&out->w, 16);
	ndr_ptr(out, false);
	ndr_text_chars(out, name);
}

/* 7, 46 */
static uint32_t query_info(struct rpc_call *c)
{
	const struct rpc_host *host = c->host;
	struct rpc_sid machine = sam_machine(host);
	struct ndr *out = &c->out;
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_POLICY, &h);
	uint16_t level = ndr_rd_u16(&c->in);

	if (fault == 0 && !ndr_rd_ok(&c->in))
		fault = FAULT_NDR;
	if (fault != 0)
		return fault;
	if (level != INFO_AUDIT && level != INFO_PRIMARY && level != INFO_ACCOUNT && level != INFO_ROLE &&
	    level != INFO_DNS) {
		ndr_ptr(out, false);
		ndr_u32(out, ST_INVALID_INFO_CLASS);
		return 0;
	}
	ndr_ptr(out, true);
	ndr_u16(out, level);
	wr_align(&out->w, 4);
	if (level == INFO_AUDIT) { /* off, no events */
		ndr_u32(out, 0);
		ndr_ptr(out, false);
		ndr_u32(out, 0);
	} else if (level == INFO_ROLE) {
		ndr_u16(out, ROLE_PRIMARY);
	} else if (level == INFO_PRIMARY) {
		put_name_and_sid(out, host->domain, NULL);
	} else if (level == INFO_ACCOUNT) {
		put_name_and_sid(out, host->server_name, &machine);
	} else {
		put_dns(out, host->domain);
	}
	ndr_u32(out, ST_OK);
	return 0;
}

/* Two texts may be given; what is in them does not matter. */
static void skip_text(struct rpc_call *c)
{
	if (ndr_rd_ptr(&c->in))
		ndr_rd_whole_text(c->mem, &c->in);
}

static void put_user_text(struct ndr *out, const char *s)
{
	ndr_ptr(out, true);
	ndr_text(out, s);
	ndr_text_chars(out, s);
}

/* 45: server, account, and (a pointer to it) authority */
static uint32_t get_user_name(struct rpc_call *c)
{
	bool authority;

	ndr_rd_ptr_string(c->mem, &c->in);
	skip_text(c);
	authority = ndr_rd_ptr(&c->in);
	if (authority)
		skip_text(c);
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	put_user_text(&c->out, c->host->user_known ? c->host->user : "ANONYMOUS LOGON");
	ndr_ptr(&c->out, authority);
	if (authority)
		put_user_text(&c->out, c->host->user_known ? c->host->server_name : "NT AUTHORITY");
	ndr_u32(&c->out, ST_OK);
	return 0;
}

static const struct rpc_op lsarpc_ops[] = {
	{ 0, "LsarClose", close_handle },
	{ 6, "LsarOpenPolicy", open_policy },
	{ 7, "LsarQueryInformationPolicy", query_info },
	{ 14, "LsarLookupNames", lsa_lookup_names },
	{ 15, "LsarLookupSids", lsa_lookup_sids },
	{ 44, "LsarOpenPolicy2", open_policy2 },
	{ 45, "LsarGetUserName", get_user_name },
	{ 46, "LsarQueryInformationPolicy2", query_info },
	{ 57, "LsarLookupSids2", lsa_lookup_sids2 },
	{ 58, "LsarLookupNames2", lsa_lookup_names2 },
	{ 68, "LsarLookupNames3", lsa_lookup_names3 },
	{ 76, "LsarLookupSids3", lsa_lookup_sids3 },
	{ 77, "LsarLookupNames4", lsa_lookup_names4 },
};

const struct rpc_iface lsarpc_iface = {
	.name = "lsarpc",
	/* 12345778-1234-abcd-ef00-0123456789ab */
	.uuid = { 0x78, 0x57, 0x34, 0x12, 0x34, 0x12, 0xcd, 0xab,
		  0xef, 0x00, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab },
	.major = 0,
	.minor = 0,
	.ops = lsarpc_ops,
	.op_count = ARRAY_LEN(lsarpc_ops),
};
