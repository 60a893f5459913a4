/* samr_domain.c - what is in a domain: its rules, its users, names and rids.  MS-SAMR 3.1.5.2, 3.1.5.3,
 * 3.1.5.5, 3.1.5.11.
 *
 * Users are those the host lists, and only for somebody with a name.  Groups and aliases can be looked
 * up but are not listed: the machine's groups mean nothing to a client. */
#include "base/str.h"
#include "base/util.h"
#include "rpc/samr.h"

#define MAX_NAMES 1000u
#define MAX_USERS 65536u
#define ENTRY_COST 32u     /* of a listed user beside his name, for the room the caller has */
#define NO_AGE 0x8000000000000000ull
#define HALF_HOUR (-18000000000ll)

enum domain_info {
	DOMAIN_PASSWORD = 1, DOMAIN_GENERAL, DOMAIN_LOGOFF, DOMAIN_OEM, DOMAIN_NAME, DOMAIN_REPLICA, DOMAIN_ROLE,
	DOMAIN_MODIFIED, DOMAIN_STATE, DOMAIN_LOCKOUT = 12,
};

/* ---- lists ---- */

struct users {
	struct rpc_account *list;
	uint32_t count;
};

/* False when memory is short. */
static bool collect(struct rpc_call *c, const struct rpc_handle *domain, struct users *u)
{
	struct rpc_account a;
	uint32_t room = 0;

	*u = (struct users){ .count = 0 };
	if (domain->what != DOMAIN_MACHINE || c->host->account == NULL || !c->host->user_known)
		return true;
	for (size_t i = 0; u->count < MAX_USERS && c->host->account(c->host->arg, i, &a); i++) {
		if (u->count == room) {
			room = room ? 2 * room : 64;
			u->list = talloc_realloc(c->mem, u->list, struct rpc_account, room);
			if (u->list == NULL)
				return false;
		}
		u->list[u->count++] = a;
	}
	return true;
}

/* Users [first, returned) fit into `room` bytes; one always does. */
static uint32_t fitting(const struct users *u, uint32_t first, uint32_t room)
{
	uint64_t used = 0;
	uint32_t i;

	for (i = first; i < u->count; i++) {
		used += ENTRY_COST + 2 * strlen(u->list[i].name);
		if (used > room && i > first)
			break;
	}
	return i;
}

/* resume, pointer to {count, array of {rid, name}}, count again, status */
static void put_list(struct ndr *out, const struct users *u, uint32_t first, uint32_t end, status_t st)
{
	uint32_t n = end - first;

	ndr_u32(out, end);
	ndr_ptr(out, true);
	ndr_u32(out, n);
	ndr_ptr(out, true);
	ndr_u32(out, n);
	for (uint32_t i = first; i < end; i++) {
		ndr_u32(out, sam_rid(&u->list[i]));
		ndr_text(out, u->list[i].name);
	}
	for (uint32_t i = first; i < end; i++)
		ndr_text_chars(out, u->list[i].name);
	ndr_u32(out, n);
	ndr_u32(out, st);
}

/* 13: domain, resume, flags wanted (0 all), room */
uint32_t samr_enum_users(struct rpc_call *c)
{
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_DOMAIN, &h);
	uint32_t first = ndr_rd_u32(&c->in), flags = ndr_rd_u32(&c->in), room = ndr_rd_u32(&c->in), end;
	struct users u;

	if (fault == 0 && !ndr_rd_ok(&c->in))
		fault = FAULT_NDR;
	if (fault != 0)
		return fault;
	if (!collect(c, h, &u))
		return FAULT_NO_MEMORY;
	if (flags != 0 && (flags & SAMR_FLAG_NORMAL) == 0)
		u.count = 0;
	first = min_u32(first, u.count);
	end = fitting(&u, first, room);
	if (!c->host->user_known) {
		(void)rpc_denied(c, RPC_FOR_USERS);
		put_list(&c->out, &u, first, end, ST_ACCESS_DENIED);
	} else {
		put_list(&c->out, &u, first, end, end < u.count ? ST_MORE_ENTRIES : ST_OK);
	}
	return 0;
}

/* domain, resume, room */
static uint32_t enum_nothing(struct rpc_call *c)
{
	const struct users none = { .count = 0 };
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_DOMAIN, &h);

	ndr_rd_u32(&c->in);
	ndr_rd_u32(&c->in);
	if (fault == 0 && !ndr_rd_ok(&c->in))
		fault = FAULT_NDR;
	if (fault == 0)
		put_list(&c->out, &none, 0, 0, ST_OK);
	return fault;
}

uint32_t samr_enum_groups(struct rpc_call *c) { return enum_nothing(c); }  /* 11 */
uint32_t samr_enum_aliases(struct rpc_call *c) { return enum_nothing(c); } /* 15 */

/* Index, rid, flags, name, description, full name. */
static void put_display(struct ndr *out, const struct users *u, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; i < end; i++) {
		ndr_u32(out, i + 1);
		ndr_u32(out, sam_rid(&u->list[i]));
		ndr_u32(out, SAMR_FLAG_NORMAL);
		ndr_text(out, u->list[i].name);
		ndr_text(out, "");
		ndr_text(out, u->list[i].full_name);
	}
	for (uint32_t i = first; i < end; i++) {
		ndr_text_chars(out, u->list[i].name);
		ndr_text_chars(out, "");
		ndr_text_chars(out, u->list[i].full_name);
	}
}

/* 40, 48, 51: domain, level, start, entries and bytes wanted.  Level 1 is users; 2 machines, 3 groups,
 * 4 and 5 the same in OEM: none. */
uint32_t samr_query_display_info(struct rpc_call *c)
{
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_DOMAIN, &h), first, max, room, end;
	uint16_t level = ndr_rd_u16(&c->in);
	struct users u;

	first = ndr_rd_u32(&c->in);
	max = ndr_rd_u32(&c->in);
	room = ndr_rd_u32(&c->in);
	if (fault == 0 && (!ndr_rd_ok(&c->in) || level < 1 || level > 5))
		fault = FAULT_NDR;
	if (fault != 0)
		return fault;
	if (!collect(c, h, &u))
		return FAULT_NO_MEMORY;
	if (!c->host->user_known)
		(void)rpc_denied(c, RPC_FOR_USERS); /* an empty list */
	if (level != 1)
		u.count = 0;
	first = min_u32(first, u.count);
	end = min_u32(fitting(&u, first, room), first + min_u32(max, u.count - first));
	ndr_u32(&c->out, ENTRY_COST * u.count);
	ndr_u32(&c->out, ENTRY_COST * (end - first));
	ndr_u16(&c->out, level);
	ndr_u32(&c->out, end - first);
	ndr_ptr(&c->out, end > first);
	if (end > first) {
		ndr_u32(&c->out, end - first);
		put_display(&c->out, &u, first, end);
	}
	ndr_u32(&c->out, end < u.count ? ST_MORE_ENTRIES : ST_OK);
	return 0;
}

/* 16: domain, {count, array of SID pointers}: in no alias is anybody. */
uint32_t samr_get_alias_membership(struct rpc_call *c)
{
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_DOMAIN, &h), count = ndr_rd_u32(&c->in);
	struct rpc_sid sid;

	if (fault == 0 && ndr_rd_ptr(&c->in)) {
		if (ndr_rd_u32(&c->in) != count || count > rd_left(&c->in.r) / 4)
			return FAULT_NDR;
		for (uint32_t i = 0; i < count; i++)
			if (!ndr_rd_ptr(&c->in))
				return FAULT_NDR;
		for (uint32_t i = 0; i < count; i++)
			if (!rpc_sid_get(&c->in, &sid))
				return FAULT_NDR;
	}
	if (fault == 0 && !ndr_rd_ok(&c->in))
		fault = FAULT_NDR;
	if (fault != 0)
		return fault;
	ndr_u32(&c->out, 0);
	ndr_ptr(&c->out, false);
	ndr_u32(&c->out, ST_OK);
	return 0;
}

/* ---- names and rids ---- */

struct found {
	uint32_t count, mapped;
	uint32_t *rid, *type;
	const char **name;
};

static bool found_new(struct rpc_call *c, struct found *f, uint32_t count)
{
	*f = (struct found){ .count = count };
	f->rid = talloc_zero_array(c->mem, uint32_t, count + 1);
	f->type = talloc_zero_array(c->mem, uint32_t, count + 1);
	f->name = talloc_zero_array(c->mem, const char *, count + 1);
	return f->rid != NULL && f->type != NULL && f->name != NULL;
}

/* The head of a conformant varying array of `count`. */
static bool array_head(struct ndr_in *in, uint32_t count)
{
	uint32_t max = ndr_rd_u32(in), offset = ndr_rd_u32(in), actual = ndr_rd_u32(in);

	return ndr_rd_ok(in) && count <= MAX_NAMES && actual == count && offset == 0 && max >= count &&
	       count <= rd_left(&in->r) / 4;
}

static bool find_name(struct rpc_call *c, const struct rpc_handle *domain, const char *name, uint32_t *rid,
		      uint32_t *type)
{
	struct rpc_account a;

	*type = SAM_ALIAS;
	if (domain->what == DOMAIN_BUILTIN)
		return sam_builtin_by_name(name, rid);
	if (c->host->account_by_name == NULL || !c->host->account_by_name(c->host->arg, name, &a))
		return false;
	if (!a.group)
		*type = SAM_USER;
	*rid = sam_rid(&a);
	return true;
}

static bool find_rid(struct rpc_call *c, const struct rpc_handle *domain, uint32_t rid, const char **name,
		     uint32_t *type)
{
	struct rpc_account a;

	*type = SAM_ALIAS;
	if (domain->what == DOMAIN_BUILTIN)
		return sam_builtin_by_rid(rid, name);
	if (rid == SAM_RID_USERS) {
		*type = SAM_GROUP;
		*name = "None";
		return true;
	}
	if (!sam_account(c->host, rid, &a))
		return false;
	if (!a.group)
		*type = SAM_USER;
	*name = a.name;
	return true;
}

static void put_numbers(struct ndr *out, const uint32_t *v, uint32_t count)
{
	ndr_u32(out, count);
	ndr_ptr(out, count != 0);
	if (count != 0)
		ndr_u32(out, count);
	for (uint32_t i = 0; i < count; i++)
		ndr_u32(out, v[i]);
}

static status_t found_status(const struct found *f)
{
	if (f->mapped == f->count)
		return ST_OK;
	return f->mapped ? ST_SOME_NOT_MAPPED : ST_NONE_MAPPED;
}

/* 17: domain, count, texts -> rids, types */
uint32_t samr_lookup_names(struct rpc_call *c)
{
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_DOMAIN, &h), count = ndr_rd_u32(&c->in);
	struct found f;

	if (fault != 0)
		return fault;
	if (!array_head(&c->in, count))
		return FAULT_NDR;
	if (!found_new(c, &f, count))
		return FAULT_NO_MEMORY;
	for (uint32_t i = 0; i < count; i++)
		f.rid[i] = ndr_rd_text(&c->in);
	for (uint32_t i = 0; i < count; i++)
		f.name[i] = f.rid[i] ? ndr_rd_string(c->mem, &c->in) : "";
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	for (uint32_t i = 0; i < count; i++) {
		f.rid[i] = 0;
		if (find_name(c, h, f.name[i], &f.rid[i], &f.type[i]))
			f.mapped++;
		else
			f.type[i] = SAM_UNKNOWN;
	}
	if (f.mapped == 0)
		f.count = 0;
	put_numbers(&c->out, f.rid, f.count);
	put_numbers(&c->out, f.type, f.count);
	f.count = count;
	ndr_u32(&c->out, found_status(&f));
	return 0;
}

/* 18: domain, count, rids -> names, types */
uint32_t samr_lookup_rids(struct rpc_call *c)
{
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_DOMAIN, &h), count = ndr_rd_u32(&c->in);
	struct ndr *out = &c->out;
	struct found f;

	if (fault != 0)
		return fault;
	if (!array_head(&c->in, count))
		return FAULT_NDR;
	if (!found_new(c, &f, count))
		return FAULT_NO_MEMORY;
	for (uint32_t i = 0; i < count; i++) {
		if (find_rid(c, h, ndr_rd_u32(&c->in), &f.name[i], &f.type[i]))
			f.mapped++;
		else
			f.type[i] = SAM_UNKNOWN;
	}
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	ndr_u32(out, count);
	ndr_ptr(out, count != 0);
	if (count != 0)
		ndr_u32(out, count);
	for (uint32_t i = 0; i < count; i++)
		ndr_text(out, f.name[i]);
	for (uint32_t i = 0; i < count; i++)
		ndr_text_chars(out, f.name[i]);
	put_numbers(out, f.type, count);
	ndr_u32(out, found_status(&f));
	return 0;
}

/* ---- about the domain ---- */

static void put_one_text(struct ndr *out, const char *s)
{
	ndr_text(out, s);
	ndr_text_chars(out, s);
}

static void put_general(struct ndr *out, const char *name, uint32_t users)
{
	samr_u64(out, NO_AGE); /* nobody is forced to log off */
	ndr_text(out, "");
	ndr_text(out, name);
	ndr_text(out, "");
	samr_u64(out, 1); /* sequence */
	ndr_u32(out, 1);  /* enabled */
	ndr_u32(out, 3);  /* primary */
	ndr_u32(out, 1);
	ndr_u32(out, users);
	ndr_u32(out, 0);
	ndr_u32(out, 0);
	ndr_text_chars(out, "");
	ndr_text_chars(out, name);
	ndr_text_chars(out, "");
}

static void put_domain_info(struct ndr *out, uint16_t level, const char *name, uint32_t users)
{
	switch (level) {
	case DOMAIN_PASSWORD: /* length, history, flags, greatest and least age */
		ndr_u16(out, 0);
		ndr_u16(out, 0);
		ndr_u32(out, 0);
		samr_u64(out, NO_AGE);
		samr_u64(out, 0);
		break;
	case DOMAIN_GENERAL:
		put_general(out, name, users);
		break;
	case DOMAIN_LOGOFF:
		samr_u64(out, NO_AGE);
		break;
	case DOMAIN_OEM:
	case DOMAIN_REPLICA:
		put_one_text(out, "");
		break;
	case DOMAIN_NAME:
		put_one_text(out, name);
		break;
	case DOMAIN_ROLE:
		ndr_u16(out, 3);
		break;
	case DOMAIN_MODIFIED: /* sequence, made */
		samr_u64(out, 1);
		samr_u64(out, 0);
		break;
	case DOMAIN_STATE:
		ndr_u16(out, 1);
		break;
	default: /* DOMAIN_LOCKOUT: how long, over which time, after how many (0 never) */
		wr_align(&out->w, 8);
		wr_u64(&out->w, (uint64_t)HALF_HOUR);
		wr_u64(&out->w, (uint64_t)HALF_HOUR);
		ndr_u16(out, 0);
		break;
	}
}

/* 8, 46 */
uint32_t samr_query_domain_info(struct rpc_call *c)
{
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_DOMAIN, &h);
	uint16_t level = ndr_rd_u16(&c->in);
	const char *name;
	struct users u;

	if (fault == 0 && !ndr_rd_ok(&c->in))
		fault = FAULT_NDR;
	if (fault != 0)
		return fault;
	if (level < DOMAIN_PASSWORD || (level > DOMAIN_STATE && level != DOMAIN_LOCKOUT)) {
		ndr_ptr(&c->out, false);
		ndr_u32(&c->out, ST_INVALID_INFO_CLASS);
		return 0;
	}
	if (!collect(c, h, &u))
		return FAULT_NO_MEMORY;
	name = h->what == DOMAIN_BUILTIN ? "BUILTIN" : c->host->server_name;
	ndr_ptr(&c->out, true);
	ndr_u16(&c->out, level);
	wr_align(&c->out.w, level == DOMAIN_LOCKOUT ? 8 : 4);
	put_domain_info(&c->out, level, name, u.count);
	ndr_u32(&c->out, ST_OK);
	return 0;
}
