/* sam.c - what names and SIDs mean here. */
#include "rpc/sam.h"
#include "base/str.h"
#include "base/util.h"
#include <strings.h>

#define RID_BASE 1000u /* below are rids with a meaning of their own */

const struct rpc_sid sam_builtin = { 5, 1, { 32 } };
static const struct rpc_sid unix_users = { 22, 1, { 1 } }, unix_groups = { 22, 1, { 2 } };

static const struct known {
	const char *domain, *name;
	struct rpc_sid sid;
	enum sam_type type;
} known[] = {
	{ "", "NULL SID", { 0, 1, { 0 } }, SAM_WELL_KNOWN },
	{ "", "Everyone", { 1, 1, { 0 } }, SAM_WELL_KNOWN },
	{ "", "LOCAL", { 2, 1, { 0 } }, SAM_WELL_KNOWN },
	{ "", "CREATOR OWNER", { 3, 1, { 0 } }, SAM_WELL_KNOWN },
	{ "", "CREATOR GROUP", { 3, 1, { 1 } }, SAM_WELL_KNOWN },
	{ "", "OWNER RIGHTS", { 3, 1, { 4 } }, SAM_WELL_KNOWN },
	{ "NT AUTHORITY", "DIALUP", { 5, 1, { 1 } }, SAM_WELL_KNOWN },
	{ "NT AUTHORITY", "NETWORK", { 5, 1, { 2 } }, SAM_WELL_KNOWN },
	{ "NT AUTHORITY", "BATCH", { 5, 1, { 3 } }, SAM_WELL_KNOWN },
	{ "NT AUTHORITY", "INTERACTIVE", { 5, 1, { 4 } }, SAM_WELL_KNOWN },
	{ "NT AUTHORITY", "SERVICE", { 5, 1, { 6 } }, SAM_WELL_KNOWN },
	{ "NT AUTHORITY", "ANONYMOUS LOGON", { 5, 1, { 7 } }, SAM_WELL_KNOWN },
	{ "NT AUTHORITY", "PROXY", { 5, 1, { 8 } }, SAM_WELL_KNOWN },
	{ "NT AUTHORITY", "ENTERPRISE DOMAIN CONTROLLERS", { 5, 1, { 9 } }, SAM_WELL_KNOWN },
	{ "NT AUTHORITY", "SELF", { 5, 1, { 10 } }, SAM_WELL_KNOWN },
	{ "NT AUTHORITY", "Authenticated Users", { 5, 1, { 11 } }, SAM_WELL_KNOWN },
	{ "NT AUTHORITY", "RESTRICTED", { 5, 1, { 12 } }, SAM_WELL_KNOWN },
	{ "NT AUTHORITY", "TERMINAL SERVER USER", { 5, 1, { 13 } }, SAM_WELL_KNOWN },
	{ "NT AUTHORITY", "REMOTE INTERACTIVE LOGON", { 5, 1, { 14 } }, SAM_WELL_KNOWN },
	{ "NT AUTHORITY", "This Organization", { 5, 1, { 15 } }, SAM_WELL_KNOWN },
	{ "NT AUTHORITY", "SYSTEM", { 5, 1, { 18 } }, SAM_WELL_KNOWN },
	{ "NT AUTHORITY", "LOCAL SERVICE", { 5, 1, { 19 } }, SAM_WELL_KNOWN },
	{ "NT AUTHORITY", "NETWORK SERVICE", { 5, 1, { 20 } }, SAM_WELL_KNOWN },
	{ "BUILTIN", "Administrators", { 5, 2, { 32, 544 } }, SAM_ALIAS },
	{ "BUILTIN", "Users", { 5, 2, { 32, 545 } }, SAM_ALIAS },
	{ "BUILTIN", "Guests", { 5, 2, { 32, 546 } }, SAM_ALIAS },
	{ "BUILTIN", "Power Users", { 5, 2, { 32, 547 } }, SAM_ALIAS },
	{ "BUILTIN", "Account Operators", { 5, 2, { 32, 548 } }, SAM_ALIAS },
	{ "BUILTIN", "Server Operators", { 5, 2, { 32, 549 } }, SAM_ALIAS },
	{ "BUILTIN", "Print Operators", { 5, 2, { 32, 550 } }, SAM_ALIAS },
	{ "BUILTIN", "Backup Operators", { 5, 2, { 32, 551 } }, SAM_ALIAS },
	{ "BUILTIN", "Replicator", { 5, 2, { 32, 552 } }, SAM_ALIAS },
};

/* ---- this machine ---- */

void rpc_machine_sid(const char *server_name, uint32_t sub[3])
{
	uint32_t hash = 0x811c9dc5u; /* FNV-1a, blind to case as NetBIOS names are */

	for (const char *p = server_name; *p != '\0'; p++) {
		uint8_t upper = (uint8_t)(*p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p);

		hash = (hash ^ upper) * 0x01000193u;
	}
	for (uint32_t i = 0; i < 3; i++) { /* and three numbers made of it */
		hash = (hash ^ (i + 1)) * 0x01000193u;
		hash ^= hash >> 15;
		sub[i] = hash;
	}
}

struct rpc_sid sam_machine(const struct rpc_host *h)
{
	struct rpc_sid s = { 5, 4, { 21 } };

	rpc_machine_sid(h->server_name, s.sub + 1);
	return s;
}

uint32_t sam_rid(const struct rpc_account *a)
{
	return a->id <= 0x7ffffc00u ? a->id * 2 + RID_BASE + a->group : SAM_NO_RID;
}

bool sam_account(const struct rpc_host *h, uint32_t rid, struct rpc_account *out)
{
	if (rid < RID_BASE || rid == SAM_NO_RID || h->account_by_id == NULL)
		return false;
	return h->account_by_id(h->arg, rid & 1, (rid - RID_BASE) / 2, out);
}

bool sam_builtin_by_rid(uint32_t rid, const char **name)
{
	const struct rpc_sid sid = rpc_sid_with(&sam_builtin, rid);

	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		if (rpc_sid_same(&known[i].sid, &sid)) {
			*name = known[i].name;
			return true;
		}
	}
	return false;
}

bool sam_builtin_by_name(const char *name, uint32_t *rid)
{
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		if (known[i].type == SAM_ALIAS && str_caseeq(known[i].name, name)) {
			*rid = known[i].sid.sub[1];
			return true;
		}
	}
	return false;
}

struct rpc_sid sam_sid(const struct sam_entry *e)
{
	return e->rid == SAM_NO_RID ? e->domain_sid : rpc_sid_with(&e->domain_sid, e->rid);
}

/* ---- entries ---- */

static void known_entry(const struct known *k, struct sam_entry *e)
{
	*e = (struct sam_entry){ .type = k->type, .name = k->name, .domain = k->domain };
	rpc_sid_split(&k->sid, &e->domain_sid, &e->rid);
}

static void domain_entry(const char *name, const struct rpc_sid *sid, struct sam_entry *e)
{
	*e = (struct sam_entry){ .type = SAM_DOMAIN, .name = name, .domain = name, .domain_sid = *sid,
				 .rid = SAM_NO_RID };
}

static void account_entry(const struct rpc_host *h, const struct rpc_account *a, struct sam_entry *e)
{
	*e = (struct sam_entry){ .type = a->group ? SAM_ALIAS : SAM_USER, .name = a->name,
				 .domain = h->server_name, .domain_sid = sam_machine(h), .rid = sam_rid(a) };
}

static void unix_entry(const struct rpc_account *a, struct sam_entry *e)
{
	*e = (struct sam_entry){ .type = a->group ? SAM_ALIAS : SAM_USER, .name = a->name,
				 .domain = a->group ? "Unix Group" : "Unix User",
				 .domain_sid = a->group ? unix_groups : unix_users, .rid = a->id };
}

/* ---- by name ---- */

/* Takes "DOMAIN\name" and "name@DOMAIN" apart; the domain is NULL if there is none. */
static void split_name(TALLOC_CTX *mem, const char *full, const char **domain, const char **name)
{
	const char *cut = strchr(full, '\\');

	*domain = NULL;
	*name = full;
	if (cut != NULL) {
		*domain = talloc_strndup(mem, full, (size_t)(cut - full));
		*name = cut + 1;
	} else if ((cut = strchr(full, '@')) != NULL) {
		*name = talloc_strndup(mem, full, (size_t)(cut - full));
		*domain = cut + 1;
	}
	if (*name == NULL)
		*name = "";
	if (*domain != NULL && **domain == '\0')
		*domain = NULL;
}

static bool known_by_name(const char *domain, const char *name, struct sam_entry *e)
{
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		if (!str_caseeq(known[i].name, name) || (domain != NULL && !str_caseeq(known[i].domain, domain)))
			continue;
		known_entry(&known[i], e);
		return true;
	}
	return false;
}

static bool domain_by_name(const struct rpc_host *h, const char *name, struct sam_entry *e)
{
	struct rpc_sid machine = sam_machine(h);
	static const struct rpc_sid authority = { 5, 0, { 0 } };

	if (str_caseeq(name, h->server_name))
		domain_entry(h->server_name, &machine, e);
	else if (*name == '\0' || str_caseeq(name, "BUILTIN")) /* no name at all stands for it too */
		domain_entry("BUILTIN", &sam_builtin, e);
	else if (str_caseeq(name, "NT AUTHORITY"))
		domain_entry("NT AUTHORITY", &authority, e);
	else
		return false;
	return true;
}

static bool account_by_name(const struct rpc_host *h, const char *domain, const char *name, struct sam_entry *e)
{
	bool users = domain && str_caseeq(domain, "Unix User"), groups = domain && str_caseeq(domain, "Unix Group");
	struct rpc_account a;

	/* machines outside a domain know each other's accounts by the workgroup's name too */
	if (domain && !users && !groups && !str_caseeq(domain, h->server_name) && !str_caseeq(domain, h->domain))
		return false;
	if (h->account_by_name == NULL || *name == '\0' || !h->account_by_name(h->arg, name, &a))
		return false;
	if ((users && a.group) || (groups && !a.group))
		return false;
	if (users || groups)
		unix_entry(&a, e);
	else
		account_entry(h, &a, e);
	return true;
}

bool sam_by_name(struct rpc_call *c, const char *full, struct sam_entry *out)
{
	const char *domain, *name;
	struct rpc_sid sid;

	if (rpc_sid_parse(full, &sid) && sam_by_sid(c, &sid, out))
		return true;
	split_name(c->mem, full, &domain, &name);
	if (domain != NULL && *name == '\0') {
		name = domain;
		domain = NULL;
	}
	if (known_by_name(domain, name, out) || (domain == NULL && domain_by_name(c->host, name, out)) ||
	    account_by_name(c->host, domain, name, out))
		return true;
	*out = (struct sam_entry){ .type = SAM_UNKNOWN, .name = name, .domain = "", .rid = SAM_NO_RID };
	return false;
}

/* ---- by SID ---- */

static bool unix_by_sid(const struct rpc_host *h, const struct rpc_sid *domain, uint32_t id, struct sam_entry *e)
{
	bool users = rpc_sid_same(domain, &unix_users), groups = rpc_sid_same(domain, &unix_groups);
	struct rpc_account a;

	if ((!users && !groups) || h->account_by_id == NULL || !h->account_by_id(h->arg, groups, id, &a))
		return false;
	unix_entry(&a, e);
	return true;
}

static bool machine_by_sid(const struct rpc_host *h, const struct rpc_sid *sid, const struct rpc_sid *domain,
			   uint32_t rid, struct sam_entry *e)
{
	struct rpc_sid machine = sam_machine(h);
	struct rpc_account a;

	if (rpc_sid_same(sid, &machine)) {
		domain_entry(h->server_name, &machine, e);
		return true;
	}
	if (!rpc_sid_same(domain, &machine))
		return false;
	e->domain = h->server_name;
	e->domain_sid = machine;
	if (rid == SAM_RID_USERS) {
		e->type = SAM_GROUP;
		e->name = "None";
		e->rid = rid;
		return true;
	}
	if (!sam_account(h, rid, &a))
		return false;
	account_entry(h, &a, e);
	return true;
}

bool sam_by_sid(struct rpc_call *c, const struct rpc_sid *sid, struct sam_entry *out)
{
	struct rpc_sid domain;
	uint32_t rid;

	*out = (struct sam_entry){ .type = SAM_UNKNOWN, .domain = "", .rid = SAM_NO_RID };
	rpc_sid_split(sid, &domain, &rid);
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		if (rpc_sid_same(&known[i].sid, sid)) {
			known_entry(&known[i], out);
			return true;
		}
	}
	if (rpc_sid_same(sid, &sam_builtin)) {
		domain_entry("BUILTIN", &sam_builtin, out);
		return true;
	}
	if (machine_by_sid(c->host, sid, &domain, rid, out) || unix_by_sid(c->host, &domain, rid, out))
		return true;
	out->type = SAM_UNKNOWN;
	out->name = rpc_sid_text(c->mem, sid);
	return false;
}
