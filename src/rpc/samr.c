/* samr.c - the Security Account Manager: connecting, and the two domains each machine has.  MS-SAMR.
 *
 *   Connect -> handle of the server -> OpenDomain(SID) -> handle of a domain -> OpenUser(rid) -> of a user
 *
 * The object picker and NT's user manager walk this way.  Nothing can be changed here. */
#include "base/str.h"
#include "base/util.h"
#include "rpc/samr.h"

/* statuses only this interface has */
#define NO_SUCH_GROUP 0xC0000066u
#define NO_SUCH_ALIAS 0xC0000151u

static uint32_t connected(struct rpc_call *c, uint32_t access)
{
	bool ok;

	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	ok = rpc_handle_open(c->pipe, c->handles, &c->out, HANDLE_SAM, access, 0);
	ndr_u32(&c->out, ok ? ST_OK : ST_INSUFFICIENT_RESOURCES);
	return 0;
}

/* 0: the name is one character */
static uint32_t connect1(struct rpc_call *c)
{
	if (ndr_rd_ptr(&c->in))
		ndr_rd_u16(&c->in);
	return connected(c, ndr_rd_u32(&c->in));
}

/* 57 */
static uint32_t connect2(struct rpc_call *c)
{
	ndr_rd_ptr_string(c->mem, &c->in);
	return connected(c, ndr_rd_u32(&c->in));
}

/* 61 and 62: a version before the access */
static uint32_t connect4(struct rpc_call *c)
{
	ndr_rd_ptr_string(c->mem, &c->in);
	ndr_rd_u32(&c->in);
	return connected(c, ndr_rd_u32(&c->in));
}

/* 64: access, and revisions {1, {version, features}} in and out */
static uint32_t connect5(struct rpc_call *c)
{
	uint32_t access, level;

	ndr_rd_ptr_string(c->mem, &c->in);
	access = ndr_rd_u32(&c->in);
	level = ndr_rd_u32(&c->in);
	if (ndr_rd_u32(&c->in) != level || level != 1)
		return FAULT_NDR;
	ndr_rd_u32(&c->in);
	ndr_rd_u32(&c->in);
	ndr_u32(&c->out, 1);
	ndr_u32(&c->out, 1);
	ndr_u32(&c->out, 3);
	ndr_u32(&c->out, 0);
	return connected(c, access);
}

/* 1 */
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

/* 5 */
static uint32_t lookup_domain(struct rpc_call *c)
{
	struct rpc_sid sid = sam_machine(c->host);
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_SAM, &h);
	const char *name;
	bool found = true;

	if (fault != 0)
		return fault;
	name = ndr_rd_whole_text(c->mem, &c->in);
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	if (str_caseeq(name, "Builtin"))
		sid = sam_builtin;
	else
		found = str_caseeq(name, c->host->server_name);
	ndr_ptr(&c->out, found);
	if (found)
		rpc_sid_put(&c->out, &sid);
	ndr_u32(&c->out, found ? ST_OK : ST_NO_SUCH_DOMAIN);
	return 0;
}

/* 6: {index, name} each */
static uint32_t enum_domains(struct rpc_call *c)
{
	const char *const name[] = { c->host->server_name, "Builtin" };
	struct ndr *out = &c->out;
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_SAM, &h), resume = ndr_rd_u32(&c->in), n;

	ndr_rd_u32(&c->in); /* room */
	if (fault == 0 && !ndr_rd_ok(&c->in))
		fault = FAULT_NDR;
	if (fault != 0)
		return fault;
	resume = min_u32(resume, ARRAY_LEN(name));
	n = (uint32_t)ARRAY_LEN(name) - resume;
	ndr_u32(out, ARRAY_LEN(name));
	ndr_ptr(out, true);
	ndr_u32(out, n);
	ndr_ptr(out, true);
	ndr_u32(out, n);
	for (uint32_t i = resume; i < ARRAY_LEN(name); i++) {
		ndr_u32(out, i);
		ndr_text(out, name[i]);
	}
	for (uint32_t i = resume; i < ARRAY_LEN(name); i++)
		ndr_text_chars(out, name[i]);
	ndr_u32(out, n);
	ndr_u32(out, ST_OK);
	return 0;
}

/* 7 */
static uint32_t open_domain(struct rpc_call *c)
{
	struct rpc_sid sid, machine = sam_machine(c->host);
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_SAM, &h), access = ndr_rd_u32(&c->in);
	bool builtin, ok;

	if (fault == 0 && !rpc_sid_get(&c->in, &sid))
		fault = FAULT_NDR;
	if (fault != 0)
		return fault;
	builtin = rpc_sid_same(&sid, &sam_builtin);
	if (!builtin && !rpc_sid_same(&sid, &machine)) {
		rpc_handle_null(&c->out);
		ndr_u32(&c->out, ST_NO_SUCH_DOMAIN);
		return 0;
	}
	ok = rpc_handle_open(c->pipe, c->handles, &c->out, HANDLE_DOMAIN, access,
			     builtin ? DOMAIN_BUILTIN : DOMAIN_MACHINE);
	ndr_u32(&c->out, ok ? ST_OK : ST_INSUFFICIENT_RESOURCES);
	return 0;
}

/* 19 and 27: domain, access, rid.  Groups are seen in lookups, they cannot be opened. */
static uint32_t open_nothing(struct rpc_call *c, uint32_t status)
{
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_DOMAIN, &h);

	ndr_rd_u32(&c->in);
	ndr_rd_u32(&c->in);
	if (fault == 0 && !ndr_rd_ok(&c->in))
		fault = FAULT_NDR;
	if (fault != 0)
		return fault;
	rpc_handle_null(&c->out);
	ndr_u32(&c->out, status);
	return 0;
}

static uint32_t open_group(struct rpc_call *c) { return open_nothing(c, NO_SUCH_GROUP); }
static uint32_t open_alias(struct rpc_call *c) { return open_nothing(c, NO_SUCH_ALIAS); }

void samr_u64(struct ndr *out, uint64_t v)
{
	wr_align(&out->w, 4);
	wr_u64(&out->w, v);
}

void samr_no_password_rules(struct ndr *out)
{
	wr_align(&out->w, 4);
	ndr_u16(out, 0);
	ndr_u32(out, 0);
}

/* 56: no handle; clients ask before they change a password. */
static uint32_t get_password_rules(struct rpc_call *c)
{
	if (ndr_rd_ptr(&c->in))
		ndr_rd_whole_text(c->mem, &c->in);
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	samr_no_password_rules(&c->out);
	ndr_u32(&c->out, ST_OK);
	return 0;
}

static const struct rpc_op samr_ops[] = {
	{ 0, "SamrConnect", connect1 },
	{ 1, "SamrCloseHandle", close_handle },
	{ 5, "SamrLookupDomain", lookup_domain },
	{ 6, "SamrEnumerateDomains", enum_domains },
	{ 7, "SamrOpenDomain", open_domain },
	{ 8, "SamrQueryInformationDomain", samr_query_domain_info },
	{ 11, "SamrEnumerateGroups", samr_enum_groups },
	{ 13, "SamrEnumerateUsers", samr_enum_users },
	{ 15, "SamrEnumerateAliases", samr_enum_aliases },
	{ 16, "SamrGetAliasMembership", samr_get_alias_membership },
	{ 17, "SamrLookupNames", samr_lookup_names },
	{ 18, "SamrLookupIds", samr_lookup_rids },
	{ 19, "SamrOpenGroup", open_group },
	{ 27, "SamrOpenAlias", open_alias },
	{ 34, "SamrOpenUser", samr_open_user },
	{ 36, "SamrQueryInformationUser", samr_query_user_info },
	{ 39, "SamrGetGroupsForUser", samr_get_groups_for_user },
	{ 40, "SamrQueryDisplayInformation", samr_query_display_info },
	{ 44, "SamrGetUserDomainPasswordInformation", samr_get_user_password_rules },
	{ 46, "SamrQueryInformationDomain2", samr_query_domain_info },
	{ 47, "SamrQueryInformationUser2", samr_query_user_info },
	{ 48, "SamrQueryDisplayInformation2", samr_query_display_info },
	{ 51, "SamrQueryDisplayInformation3", samr_query_display_info },
	{ 56, "SamrGetDomainPasswordInformation", get_password_rules },
	{ 57, "SamrConnect2", connect2 },
	{ 61, "SamrConnect3", connect4 },
	{ 62, "SamrConnect4", connect4 },
	{ 64, "SamrConnect5", connect5 },
};

const struct rpc_iface samr_iface = {
	.name = "samr",
	/* 12345778-1234-abcd-ef00-0123456789ac */
	.uuid = { 0x78, 0x57, 0x34, 0x12, 0x34, 0x12, 0xcd, 0xab,
		  0xef, 0x00, 0x01, 0x23, 0x45, 0x67, 0x89, 0xac },
	.major = 1,
	.minor = 0,
	.ops = samr_ops,
	.op_count = ARRAY_LEN(samr_ops),
};
