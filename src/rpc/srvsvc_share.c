/* srvsvc_share.c - the list of shares and what is known of one.  MS-SRVS 2.2.4.22-33, 3.1.4.8-10.
 *
 * A level is a row of members; the same rows serve the list and the single question. */
#include "base/str.h"
#include "base/util.h"
#include "rpc/iface.h"
#include "rpc/list.h"

#define SHARE_MAX_FIELDS 11
#define SHARE_MAX_LISTED 65536u
#define DEVICE_NOT_SHARED 2311u

enum share_field {
	F_END, F_NAME, F_TYPE, F_COMMENT, F_PERMS, F_MAX, F_CURRENT, F_PATH, F_PASSWORD, F_SERVER,
	F_CSC, F_SD_SIZE, F_SD, F_ALTERNATE,
};

static const struct share_level {
	uint32_t level;
	bool listed; /* ShareEnum knows it too */
	uint8_t field[SHARE_MAX_FIELDS + 1];
} share_levels[] = {
	{ 0, true, { F_NAME } },
	{ 1, true, { F_NAME, F_TYPE, F_COMMENT } },
	{ 2, true, { F_NAME, F_TYPE, F_COMMENT, F_PERMS, F_MAX, F_CURRENT, F_PATH, F_PASSWORD } },
	{ 501, true, { F_NAME, F_TYPE, F_COMMENT, F_CSC } },
	{ 502, true,
	  { F_NAME, F_TYPE, F_COMMENT, F_PERMS, F_MAX, F_CURRENT, F_PATH, F_PASSWORD, F_SD_SIZE, F_SD } },
	{ 503, true,
	  { F_NAME, F_TYPE, F_COMMENT, F_PERMS, F_MAX, F_CURRENT, F_PATH, F_PASSWORD, F_SERVER, F_SD_SIZE,
	    F_SD } },
	{ 1004, true, { F_COMMENT } },
	{ 1005, true, { F_CSC } },
	{ 1006, true, { F_MAX } },
	{ 1007, true, { F_CSC, F_ALTERNATE } },
	{ 1501, false, { F_SD_SIZE, F_SD } },
};

static const struct share_level *find_level(uint32_t level)
{
	for (size_t i = 0; i < ARRAY_LEN(share_levels); i++)
		if (share_levels[i].level == level)
			return &share_levels[i];
	return NULL;
}

static struct ndr_field share_member(const struct rpc_host *h, const struct rpc_share_info *s, uint8_t which)
{
	switch (which) {
	case F_NAME:
		return NDR_TEXT(s->name);
	case F_TYPE:
		return NDR_NUM(s->type);
	case F_COMMENT: /* Explorer wants a string, if an empty one */
		return NDR_TEXT(s->comment ? s->comment : "");
	case F_MAX:
		return NDR_NUM(s->max_uses);
	case F_CURRENT:
		return NDR_NUM(s->current_uses);
	case F_PATH:
		return NDR_TEXT(s->path ? s->path : "");
	case F_ALTERNATE: /* a second name of the folder */
		return NDR_TEXT("");
	case F_SERVER:
		return NDR_TEXT(h->server_name);
	case F_PASSWORD: /* user level security: there is none */
	case F_SD:       /* size 0 and a null pointer: no descriptor on the share */
		return NDR_TEXT(NULL);
	default: /* F_PERMS, F_CSC (manual caching), F_SD_SIZE */
		return NDR_NUM(0);
	}
}

static size_t share_fields(const struct rpc_host *h, const struct rpc_share_info *s,
			   const struct share_level *l, struct ndr_field f[SHARE_MAX_FIELDS])
{
	size_t n = 0;

	while (l->field[n] != F_END) {
		f[n] = share_member(h, s, l->field[n]);
		n++;
	}
	return n;
}

/* What a record costs in the client's buffer, for "preferred maximum length". */
static uint32_t share_cost(const struct ndr_field *f, size_t n)
{
	size_t cost = 4 * n;

	for (size_t i = 0; i < n; i++)
		if (f[i].is_text && f[i].text != NULL)
			cost += 2 * (strlen(f[i].text) + 1);
	return cost < SHARE_MAX_LISTED ? (uint32_t)cost : SHARE_MAX_LISTED;
}

/* The shares to be listed, in the host's order; false when memory is short. */
static bool collect(struct rpc_call *c, bool hidden_too, struct rpc_share_info **out, uint32_t *count)
{
	struct rpc_share_info s, *list = NULL;
	uint32_t n = 0, room = 0;

	for (size_t i = 0; n < SHARE_MAX_LISTED && c->host->share(c->host->arg, i, &s); i++) {
		if (!hidden_too && (s.type & 0x80000000u))
			continue;
		if (n == room) {
			room = room ? 2 * room : 64;
			list = talloc_realloc(c->mem, list, struct rpc_share_info, room);
			if (list == NULL)
				return false;
		}
		list[n++] = s;
	}
	*out = list;
	*count = n;
	return true;
}

/* How many from `first` on the caller has room for.  Someone who gave no resume handle could
 * never ask for the rest and gets everything. */
static uint32_t fitting(struct rpc_call *c, const struct rpc_list *q, const struct share_level *l,
			const struct rpc_share_info *list, uint32_t first, uint32_t count)
{
	struct ndr_field f[SHARE_MAX_FIELDS];
	uint64_t used = 0;
	uint32_t n;

	if (!q->has_resume || q->max == 0xffffffffu)
		return count - first;
	for (n = first; n < count; n++) {
		used += share_cost(f, share_fields(c->host, &list[n], l, f));
		if (used > q->max && n > first)
			break;
	}
	return n - first;
}

static uint32_t share_enum(struct rpc_call *c, bool hidden_too)
{
	static const uint32_t arms[] = { 0, 1, 2, 501, 502, 503, 1004, 1005, 1006, 1007, 1501 };
	struct ndr_field f[SHARE_MAX_FIELDS];
	struct rpc_share_info *list;
	const struct share_level *l;
	uint32_t count, first, n;
	struct rpc_list q;

	ndr_rd_ptr_string(c->mem, &c->in);
	rpc_list_read(&c->in, arms, ARRAY_LEN(arms), &q);
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	l = find_level(q.level);
	if (l == NULL || !l->listed) {
		rpc_list_empty(&c->out, &q, WERR_UNKNOWN_LEVEL);
		return 0;
	}
	if (!collect(c, hidden_too, &list, &count))
		return FAULT_NO_MEMORY;
	first = min_u32(q.resume, count);
	n = fitting(c, &q, l, list, first, count);
	rpc_list_begin(&c->out, &q, n);
	for (uint32_t i = first; i < first + n; i++)
		ndr_record(&c->out, f, share_fields(c->host, &list[i], l, f));
	for (uint32_t i = first; i < first + n; i++)
		ndr_deferred(&c->out, f, share_fields(c->host, &list[i], l, f));
	if (first + n < count)
		rpc_list_end(&c->out, &q, count - first, first + n, WERR_MORE_DATA);
	else
		rpc_list_end(&c->out, &q, count - first, 0, WERR_OK);
	return 0;
}

uint32_t srvsvc_share_enum(struct rpc_call *c)
{
	return share_enum(c, true);
}

/* "Sticky" shares are those kept over a restart; all of ours are, and hidden ones stay hidden. */
uint32_t srvsvc_share_enum_sticky(struct rpc_call *c)
{
	return share_enum(c, false);
}

uint32_t srvsvc_share_get_info(struct rpc_call *c)
{
	struct ndr_field f[SHARE_MAX_FIELDS];
	struct rpc_share_info s;
	const struct share_level *l;
	const char *name;
	uint32_t level;

	ndr_rd_ptr_string(c->mem, &c->in);
	name = ndr_rd_string(c->mem, &c->in);
	level = ndr_rd_u32(&c->in);
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	l = find_level(level);
	if (l == NULL)
		rpc_info_reply(&c->out, level, false, NULL, 0, WERR_UNKNOWN_LEVEL);
	else if (!c->host->share_by_name(c->host->arg, name, &s))
		rpc_info_reply(&c->out, level, true, NULL, 0, WERR_NET_NAME_NOT_FOUND);
	else
		rpc_info_reply(&c->out, level, true, f, share_fields(c->host, &s, l, f), WERR_OK);
	return 0;
}

/* 0x14: is this folder ("C:\data", "" for pipes) a share, and of what type? */
uint32_t srvsvc_share_check(struct rpc_call *c)
{
	struct rpc_share_info s;
	const char *device;

	ndr_rd_ptr_string(c->mem, &c->in);
	device = ndr_rd_string(c->mem, &c->in);
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	for (size_t i = 0; c->host->share(c->host->arg, i, &s); i++) {
		if (s.path != NULL && str_caseeq(s.path, device)) {
			ndr_u32(&c->out, s.type);
			ndr_u32(&c->out, WERR_OK);
			return 0;
		}
	}
	ndr_u32(&c->out, 0);
	ndr_u32(&c->out, DEVICE_NOT_SHARED);
	return 0;
}
