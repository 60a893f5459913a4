/* lsa_lookup.c - names to SIDs and SIDs to names.  MS-LSAT 3.1.4.
 *
 * Names in:  [handle], count u32, texts, answers so far {count, array pointer}, level u16, mapped u32,
 *            2 to 4 also options u32, revision u32
 * SIDs in:   [handle], {count, array pointer, SID pointers}, answers so far, level u16, mapped u32, ...
 * Out:       domains {count, array, room; name and SID each}, answers {count, array}, mapped, status
 *
 * Explorer's security tab shows each entry of an access list by LookupSids and adds entries by
 * LookupNames.  The variants differ only in the members of an answer. */
#include "rpc/lsa.h"
#include "base/util.h"

#define MAX_NAMES 1000u
#define MAX_SIDS 20480u
#define NO_DOMAIN 0xffffffffu
#define LEVEL_LAST 7u
#define DOMAINS_ROOM 32u /* what others say their array has room for */

struct lookup {
	const char **name;      /* one of these two is given */
	struct rpc_sid *sid;
	uint32_t count;
	uint16_t level;
	struct sam_entry *found;
	uint32_t *domain;       /* index of each in `domains`, or NO_DOMAIN */
	struct sam_entry *domains;
	uint32_t ndomains, mapped;
};

/* ---- reading ---- */

/* What the caller has already; nobody sends more than the empty list. */
static void read_answers(struct ndr_in *in)
{
	uint32_t count = ndr_rd_u32(in);
	bool array = ndr_rd_ptr(in);

	if (count != 0 || (array && ndr_rd_u32(in) != 0))
		ndr_rd_fail(in);
}

static void read_tail(struct ndr_in *in, struct lookup *l, bool options)
{
	read_answers(in);
	l->level = ndr_rd_u16(in);
	ndr_rd_u32(in); /* mapped */
	if (options) {
		ndr_rd_u32(in);
		ndr_rd_u32(in);
	}
}

static bool read_names(struct rpc_call *c, struct lookup *l, bool options)
{
	uint32_t count = ndr_rd_u32(&c->in);
	bool *there;

	if (ndr_rd_u32(&c->in) != count || count > MAX_NAMES || count > rd_left(&c->in.r) / 8)
		return false;
	l->name = talloc_zero_array(c->mem, const char *, count + 1);
	there = talloc_zero_array(c->mem, bool, count + 1);
	if (l->name == NULL || there == NULL)
		return false;
	for (uint32_t i = 0; i < count; i++)
		there[i] = ndr_rd_text(&c->in);
	for (uint32_t i = 0; i < count; i++)
		l->name[i] = there[i] ? ndr_rd_string(c->mem, &c->in) : "";
	l->count = count;
	read_tail(&c->in, l, options);
	return ndr_rd_ok(&c->in);
}

static bool read_sids(struct rpc_call *c, struct lookup *l, bool options)
{
	uint32_t count = ndr_rd_u32(&c->in);

	if (ndr_rd_ptr(&c->in)) {
		if (ndr_rd_u32(&c->in) != count || count > MAX_SIDS || count > rd_left(&c->in.r) / 4)
			return false;
		l->sid = talloc_zero_array(c->mem, struct rpc_sid, count + 1);
		if (l->sid == NULL)
			return false;
		for (uint32_t i = 0; i < count; i++)
			if (!ndr_rd_ptr(&c->in))
				return false;
		for (uint32_t i = 0; i < count; i++)
			if (!rpc_sid_get(&c->in, &l->sid[i]))
				return false;
		l->count = count;
	} else if (count != 0) {
		return false;
	}
	read_tail(&c->in, l, options);
	return ndr_rd_ok(&c->in);
}

/* ---- looking up ---- */

static uint32_t domain_index(struct lookup *l, const struct sam_entry *e)
{
	uint32_t i;

	for (i = 0; i < l->ndomains; i++)
		if (rpc_sid_same(&l->domains[i].domain_sid, &e->domain_sid))
			return i;
	l->domains[l->ndomains++] = *e;
	return i;
}

static bool look_up(struct rpc_call *c, struct lookup *l)
{
	l->found = talloc_zero_array(c->mem, struct sam_entry, l->count + 1);
	l->domains = talloc_zero_array(c->mem, struct sam_entry, l->count + 1);
	l->domain = talloc_zero_array(c->mem, uint32_t, l->count + 1);
	if (l->found == NULL || l->domains == NULL || l->domain == NULL)
		return false;
	for (uint32_t i = 0; i < l->count; i++) {
		struct sam_entry *e = &l->found[i];
		bool ok = l->sid ? sam_by_sid(c, &l->sid[i], e) : sam_by_name(c, l->name[i], e);

		l->domain[i] = ok || e->domain_sid.n != 0 ? domain_index(l, e) : NO_DOMAIN;
		l->mapped += ok;
	}
	return true;
}

static status_t lookup_status(const struct lookup *l)
{
	if (l->mapped == l->count)
		return ST_OK;
	return l->mapped ? ST_SOME_NOT_MAPPED : ST_NONE_MAPPED;
}

/* ---- writing ---- */

static void put_domains(struct ndr *out, const struct lookup *l)
{
	ndr_ptr(out, true);
	ndr_u32(out, l->ndomains);
	ndr_ptr(out, l->ndomains != 0);
	ndr_u32(out, DOMAINS_ROOM > l->ndomains ? DOMAINS_ROOM : l->ndomains);
	if (l->ndomains == 0)
		return;
	ndr_u32(out, l->ndomains);
	for (uint32_t i = 0; i < l->ndomains; i++) {
		ndr_text(out, l->domains[i].domain);
		ndr_ptr(out, true);
	}
	for (uint32_t i = 0; i < l->ndomains; i++) {
		ndr_text_chars(out, l->domains[i].domain);
		rpc_sid_put(out, &l->domains[i].domain_sid);
	}
}

static void put_array(struct ndr *out, uint32_t count)
{
	ndr_u32(out, count);
	ndr_ptr(out, count != 0);
	if (count != 0)
		ndr_u32(out, count);
}

static void put_end(struct ndr *out, const struct lookup *l, status_t st)
{
	ndr_u32(out, l->mapped);
	ndr_u32(out, st);
}

/* Type, rid or SID, domain, and from the second variant on flags. */
static void put_sids(struct ndr *out, const struct lookup *l, bool whole, bool flags)
{
	put_array(out, l->count);
	for (uint32_t i = 0; i < l->count; i++) {
		const struct sam_entry *e = &l->found[i];

		wr_align(&out->w, 4);
		ndr_u16(out, (uint16_t)e->type);
		if (whole)
			ndr_ptr(out, e->type != SAM_UNKNOWN);
		else
			ndr_u32(out, e->type == SAM_UNKNOWN ? 0 : e->rid);
		ndr_u32(out, l->domain[i]);
		if (flags)
			ndr_u32(out, 0);
	}
	for (uint32_t i = 0; whole && i < l->count; i++) {
		struct rpc_sid sid = sam_sid(&l->found[i]);

		if (l->found[i].type != SAM_UNKNOWN)
			rpc_sid_put(out, &sid);
	}
}

static void put_names(struct ndr *out, const struct lookup *l, bool flags)
{
	put_array(out, l->count);
	for (uint32_t i = 0; i < l->count; i++) {
		wr_align(&out->w, 4);
		ndr_u16(out, (uint16_t)l->found[i].type);
		ndr_text(out, l->found[i].name);
		ndr_u32(out, l->domain[i]);
		if (flags)
			ndr_u32(out, 0);
	}
	for (uint32_t i = 0; i < l->count; i++)
		ndr_text_chars(out, l->found[i].name);
}

/* ---- the calls ---- */

static bool level_ok(struct lookup *l)
{
	if (l->level >= 1 && l->level < LEVEL_LAST)
		return true;
	l->count = 0;
	return false;
}

struct call {
	bool by_name; /* names to SIDs; else SIDs to names */
	bool handle;  /* a policy handle comes first */
	bool whole;   /* names only: SIDs as a whole, not domain and RID */
	bool options; /* look-up options and client revision at the end, flags in each answer */
};

static uint32_t run(struct rpc_call *c, struct call k)
{
	struct lookup l = { .count = 0 };
	struct rpc_handle *h;
	uint32_t fault = k.handle ? rpc_call_handle(c, HANDLE_POLICY, &h) : 0;
	bool ok;

	if (fault != 0)
		return fault;
	if (!(k.by_name ? read_names : read_sids)(c, &l, k.options))
		return FAULT_NDR;
	ok = level_ok(&l);
	if (!look_up(c, &l))
		return FAULT_NO_MEMORY;
	put_domains(&c->out, &l);
	if (k.by_name)
		put_sids(&c->out, &l, k.whole, k.options);
	else
		put_names(&c->out, &l, k.options);
	put_end(&c->out, &l, ok ? lookup_status(&l) : ST_INVALID_PARAMETER);
	return 0;
}

uint32_t lsa_lookup_names(struct rpc_call *c)
{
	return run(c, (struct call){ .by_name = true, .handle = true });
}

uint32_t lsa_lookup_names2(struct rpc_call *c)
{
	return run(c, (struct call){ .by_name = true, .handle = true, .options = true });
}

uint32_t lsa_lookup_names3(struct rpc_call *c)
{
	return run(c, (struct call){ .by_name = true, .handle = true, .whole = true, .options = true });
}

uint32_t lsa_lookup_names4(struct rpc_call *c)
{
	return run(c, (struct call){ .by_name = true, .whole = true, .options = true });
}

uint32_t lsa_lookup_sids(struct rpc_call *c)
{
	return run(c, (struct call){ .handle = true });
}

uint32_t lsa_lookup_sids2(struct rpc_call *c)
{
	return run(c, (struct call){ .handle = true, .options = true });
}

uint32_t lsa_lookup_sids3(struct rpc_call *c)
{
	return run(c, (struct call){ .options = true });
}
