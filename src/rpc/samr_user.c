/* samr_user.c - one user: OpenUser, QueryUserInfo, GetGroupsForUser.  MS-SAMR 3.1.5.1.9, 3.1.5.5.5, 2.2.6.
 *
 * A level is a row of members.  We know a name, a full name and a number; the rest says "nothing" or
 * "never", as for an account nobody has ever changed. */
#include "base/util.h"
#include "rpc/samr.h"

#define USER_MAX_FIELDS 36
#define HOURS_A_WEEK 168u
#define HOURS_ROOM 1260u
#define ALL_FIELDS 0x00ffffffu

enum user_field {
	U_END,
	/* texts */
	U_ACCOUNT, U_FULL, U_EMPTY,
	/* numbers */
	U_RID, U_GROUP, U_FLAGS, U_FIELDS,
	U_ZERO16, U_ZERO8,
	/* times */
	U_UNKNOWN, U_NEVER,
	/* hours of the week, a block of hashes, a descriptor */
	U_HOURS, U_HASH, U_SD,
};

static const struct user_level {
	uint16_t level;
	uint8_t field[USER_MAX_FIELDS + 1];
} user_levels[] = {
	/* account, full name, group, description, comment */
	{ 1, { U_ACCOUNT, U_FULL, U_GROUP, U_EMPTY, U_EMPTY } },
	/* account, full; rid, group; home, drive, script, profile, workstations; logon, logoff, password set,
	 * may, must be changed; hours, bad passwords, logons, flags */
	{ 3, { U_ACCOUNT, U_FULL, U_RID, U_GROUP, U_EMPTY, U_EMPTY, U_EMPTY, U_EMPTY, U_EMPTY, U_UNKNOWN, U_NEVER,
	       U_UNKNOWN, U_UNKNOWN, U_NEVER, U_HOURS, U_ZERO16, U_ZERO16, U_FLAGS } },
	{ 4, { U_HOURS } },
	/* as 3 with a description; logon, logoff, hours, bad passwords, logons, set, expires, flags */
	{ 5, { U_ACCOUNT, U_FULL, U_RID, U_GROUP, U_EMPTY, U_EMPTY, U_EMPTY, U_EMPTY, U_EMPTY, U_EMPTY, U_UNKNOWN,
	       U_NEVER, U_HOURS, U_ZERO16, U_ZERO16, U_UNKNOWN, U_NEVER, U_FLAGS } },
	{ 6, { U_ACCOUNT, U_FULL } },
	{ 7, { U_ACCOUNT } },
	{ 8, { U_FULL } },
	{ 9, { U_GROUP } },
	{ 10, { U_EMPTY, U_EMPTY } }, /* home, drive */
	{ 11, { U_EMPTY } },          /* script */
	{ 12, { U_EMPTY } },          /* profile */
	{ 13, { U_EMPTY } },          /* description */
	{ 14, { U_EMPTY } },          /* workstations */
	{ 16, { U_FLAGS } },
	{ 17, { U_NEVER } },          /* expires */
	{ 20, { U_EMPTY } },          /* parameters */
	/* logon, logoff, set, expires, may, must; account, full, home, drive, script, profile, description,
	 * workstations, comment, parameters; hashes; private, descriptor; rid, group, flags, fields; hours, bad
	 * passwords, logons, country, code page; LM and NT password there, expired, private is secret */
	{ 21, { U_UNKNOWN, U_NEVER, U_UNKNOWN, U_NEVER, U_UNKNOWN, U_NEVER, U_ACCOUNT, U_FULL, U_EMPTY, U_EMPTY,
		U_EMPTY, U_EMPTY, U_EMPTY, U_EMPTY, U_EMPTY, U_EMPTY, U_HASH, U_HASH, U_EMPTY, U_SD, U_RID,
		U_GROUP, U_FLAGS, U_FIELDS, U_HOURS, U_ZERO16, U_ZERO16, U_ZERO16, U_ZERO16, U_ZERO8, U_ZERO8,
		U_ZERO8, U_ZERO8 } },
};

static const struct user_level *find_level(uint16_t level)
{
	for (size_t i = 0; i < ARRAY_LEN(user_levels); i++)
		if (user_levels[i].level == level)
			return &user_levels[i];
	return NULL;
}

static const char *field_text(const struct rpc_account *a, uint8_t field)
{
	return field == U_ACCOUNT ? a->name : field == U_FULL ? a->full_name : "";
}

static void put_field(struct ndr *out, const struct rpc_account *a, uint8_t field)
{
	switch (field) {
	case U_RID:
		ndr_u32(out, sam_rid(a));
		break;
	case U_GROUP:
		ndr_u32(out, SAM_RID_USERS);
		break;
	case U_FLAGS:
		ndr_u32(out, SAMR_FLAG_NORMAL);
		break;
	case U_FIELDS:
		ndr_u32(out, ALL_FIELDS);
		break;
	case U_ZERO16:
		ndr_u16(out, 0);
		break;
	case U_ZERO8:
		ndr_u8(out, 0);
		break;
	case U_UNKNOWN:
		samr_u64(out, 0);
		break;
	case U_NEVER:
		samr_u64(out, SAMR_NEVER);
		break;
	case U_HOURS:
		wr_align(&out->w, 4);
		ndr_u16(out, HOURS_A_WEEK);
		ndr_ptr(out, true);
		break;
	case U_HASH:
		ndr_text(out, NULL);
		break;
	case U_SD:
		ndr_u32(out, 0);
		ndr_ptr(out, false);
		break;
	default:
		ndr_text(out, field_text(a, field));
		break;
	}
}

static void put_deferred(struct ndr *out, const struct rpc_account *a, uint8_t field)
{
	uint8_t *p;

	if (field == U_HOURS) { /* all of them */
		ndr_u32(out, HOURS_ROOM);
		ndr_u32(out, 0);
		ndr_u32(out, HOURS_A_WEEK / 8);
		p = wr_take(&out->w, HOURS_A_WEEK / 8);
		if (p != NULL)
			memset(p, 0xff, HOURS_A_WEEK / 8);
	} else if (field == U_ACCOUNT || field == U_FULL || field == U_EMPTY) {
		ndr_text_chars(out, field_text(a, field));
	}
}

/* 34: domain, access, rid */
uint32_t samr_open_user(struct rpc_call *c)
{
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_DOMAIN, &h), access = ndr_rd_u32(&c->in), rid = ndr_rd_u32(&c->in);
	struct rpc_account a;

	if (fault == 0 && !ndr_rd_ok(&c->in))
		fault = FAULT_NDR;
	if (fault != 0)
		return fault;
	if (h->what != DOMAIN_MACHINE || !sam_account(c->host, rid, &a) || a.group) {
		rpc_handle_null(&c->out);
		ndr_u32(&c->out, ST_NO_SUCH_USER);
		return 0;
	}
	if (rpc_handle_open(c->pipe, c->handles, &c->out, HANDLE_USER, access, rid))
		ndr_u32(&c->out, ST_OK);
	else
		ndr_u32(&c->out, ST_INSUFFICIENT_RESOURCES);
	return 0;
}

/* 36, 47 */
uint32_t samr_query_user_info(struct rpc_call *c)
{
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_USER, &h);
	uint16_t level = ndr_rd_u16(&c->in);
	const struct user_level *l = find_level(level);
	struct rpc_account a;
	bool known;

	if (fault == 0 && !ndr_rd_ok(&c->in))
		fault = FAULT_NDR;
	if (fault != 0)
		return fault;
	known = sam_account(c->host, h->what, &a);
	ndr_ptr(&c->out, l != NULL && known);
	if (l == NULL || !known) {
		ndr_u32(&c->out, l ? ST_NO_SUCH_USER : ST_INVALID_INFO_CLASS);
		return 0;
	}
	ndr_u16(&c->out, level);
	wr_align(&c->out.w, 4);
	for (const uint8_t *f = l->field; *f != U_END; f++)
		put_field(&c->out, &a, *f);
	for (const uint8_t *f = l->field; *f != U_END; f++)
		put_deferred(&c->out, &a, *f);
	ndr_u32(&c->out, ST_OK);
	return 0;
}

/* 39: one group, the one everybody is in */
uint32_t samr_get_groups_for_user(struct rpc_call *c)
{
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_USER, &h);

	if (fault != 0)
		return fault;
	ndr_ptr(&c->out, true);
	ndr_u32(&c->out, 1);
	ndr_ptr(&c->out, true);
	ndr_u32(&c->out, 1);
	ndr_u32(&c->out, SAM_RID_USERS);
	ndr_u32(&c->out, 7); /* mandatory, on by default, enabled */
	ndr_u32(&c->out, ST_OK);
	return 0;
}

/* 44 */
uint32_t samr_get_user_password_rules(struct rpc_call *c)
{
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_USER, &h);

	if (fault != 0)
		return fault;
	samr_no_password_rules(&c->out);
	ndr_u32(&c->out, ST_OK);
	return 0;
}
