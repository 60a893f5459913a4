/* rap.c - the Remote Administration Protocol: TRANSACTION \PIPE\LANMAN.
 *
 * Parameters in: function u16, parameter descriptor, data descriptor (both text with NUL), the
 * parameters, sometimes a descriptor of sub-records.  Out: status u16, converter u16 (0: pointers
 * count from the start of the data), and entries and available u16 where the descriptor has
 * e and h.  Descriptors we do not know word for word get status 50.  MS-RAP 2.5, 3.2.5. */
#include "rpc/rap.h"
#include "base/log.h"
#include "base/str.h"
#include "base/util.h"

#define MAX_DATA 0xffffu /* offsets are 16 bits wide */
#define MAX_WORDS 3

struct rap_level {
	uint16_t level;
	const char *desc, *sub; /* record; sub-record behind an N, NULL if none */
};

struct rap_row {
	uint16_t num;
	uint8_t level_word; /* which of the W parameters is the level */
	const char *name;
	const char *params[2];
	const struct rap_level *level;
	size_t levels;
	uint16_t (*fn)(struct rap_call *c);
};

static const struct rap_level share_levels[] = {
	{ 0, "B13", NULL }, { 1, "B13BWz", NULL }, { 2, "B13BWzWWWzB9B", NULL },
};
static const struct rap_level server_levels[] = { { 0, "B16", NULL }, { 1, "B16BBDz", NULL } };
static const struct rap_level wksta_levels[] = { { 10, "zzzBBzz", NULL } };
static const struct rap_level tod_levels[] = { { 0, "DDBBBBWWBBWB", NULL } };
static const struct rap_level user_levels[] = {
	{ 0, "B21", NULL },
	{ 1, "B21BB16DWzzWz", NULL },
	{ 10, "B21Bzzz", NULL },
	{ 11, "B21BzzzWDDzzDDWWzWzDWb21W", NULL },
};
static const struct rap_level account_levels[] = { { 0, "B21", NULL } };
static const struct rap_level logon_levels[] = { { 1, "WB21BWDWWDDDDDDDzzzD", NULL } };
static const struct rap_level logoff_levels[] = { { 1, "WDW", NULL } };

static const char job_l1[] = "WB21BB16B10zWWzDDz", job_l2[] = "WWzWWDDzz";
static const struct rap_level queue_levels[] = {
	{ 0, "B13", NULL },
	{ 1, "B13BWWWzzzzzWW", NULL },
	{ 2, "B13BWWWzzzzzWN", job_l1 },
	{ 3, "zWWWWzzzzWWzzl", NULL },
	{ 4, "zWWWWzzzzWNzzl", job_l2 },
	{ 5, "z", NULL },
};
static const struct rap_level job_levels[] = { { 0, "W", NULL }, { 1, job_l1, NULL }, { 2, job_l2, NULL } };

static const struct rap_level dest_levels[] = {
	{ 0, "B9", NULL }, { 1, "B9B21WWzW", NULL }, { 2, "z", NULL }, { 3, "zzzWWzzzWW", NULL },
};
static const struct rap_level no_levels[] = { { 0, "", NULL } };
static const struct rap_level session_levels[] = {
	{ 0, "z", NULL }, { 1, "zzWWWDDD", NULL }, { 2, "zzWWWDDDz", NULL }, { 10, "zzDD", NULL },
};

#define LEVELS(l) (l), ARRAY_LEN(l)

static const struct rap_row rows[] = {
	{ 0, 0, "NetShareEnum", { "WrLeh" }, LEVELS(share_levels), rap_share_enum },
	{ 1, 0, "NetShareGetInfo", { "zWrLh" }, LEVELS(share_levels), rap_share_get_info },
	{ 6, 0, "NetSessionEnum", { "WrLeh" }, LEVELS(session_levels), rap_session_enum },
	{ 7, 0, "NetSessionGetInfo", { "zWrLh" }, LEVELS(session_levels), rap_session_get_info },
	{ 13, 0, "NetServerGetInfo", { "WrLh" }, LEVELS(server_levels), rap_server_get_info },
	{ 47, 0, "NetGroupEnum", { "WrLeh" }, LEVELS(account_levels), rap_group_enum },
	{ 52, 0, "NetGroupGetUsers", { "zWrLeh" }, LEVELS(account_levels), rap_group_get_users },
	{ 53, 0, "NetUserEnum", { "WrLeh" }, LEVELS(account_levels), rap_user_enum },
	{ 56, 0, "NetUserGetInfo", { "zWrLh" }, LEVELS(user_levels), rap_user_get_info },
	{ 59, 0, "NetUserGetGroups", { "zWrLeh" }, LEVELS(account_levels), rap_user_get_groups },
	{ 63, 0, "NetWkstaGetInfo", { "WrLh" }, LEVELS(wksta_levels), rap_wksta_get_info },
	{ 69, 0, "DosPrintQEnum", { "WrLeh" }, LEVELS(queue_levels), rap_queue_enum },
	{ 70, 0, "DosPrintQGetInfo", { "zWrLh" }, LEVELS(queue_levels), rap_queue_get_info },
	{ 74, 0, "DosPrintQPause", { "z" }, LEVELS(no_levels), rap_queue_hold },
	{ 75, 0, "DosPrintQContinue", { "z" }, LEVELS(no_levels), rap_queue_hold },
	{ 76, 0, "DosPrintJobEnum", { "zWrLeh" }, LEVELS(job_levels), rap_job_enum },
	{ 77, 1, "DosPrintJobGetInfo", { "WWrLh" }, LEVELS(job_levels), rap_job_get_info },
	{ 84, 0, "DosPrintDestEnum", { "WrLeh" }, LEVELS(dest_levels), rap_dest_enum },
	{ 85, 0, "DosPrintDestGetInfo", { "zWrLh" }, LEVELS(dest_levels), rap_dest_get_info },
	{ 91, 0, "NetRemoteTOD", { "rL" }, LEVELS(tod_levels), rap_remote_tod },
	{ 104, 0, "NetServerEnum2", { "WrLehDz", "WrLehDO" }, LEVELS(server_levels), rap_server_enum },
	{ 132, 0, "NetWkstaUserLogon", { "OOWb54WrLh" }, LEVELS(logon_levels), rap_user_logon },
	{ 133, 0, "NetWkstaUserLogoff", { "zzWb38WrLh" }, LEVELS(logoff_levels), rap_user_logoff },
	{ 215, 0, "NetServerEnum3", { "WrLehDzz", "WrLehDOz" }, LEVELS(server_levels), rap_server_enum_from },
};

/* What changes something is done on the server itself, and not served at all. */
static const struct {
	uint16_t num;
	const char *name;
} changes[] = {
	{ 3, "NetShareAdd" }, { 81, "DosPrintJobDel" }, { 82, "DosPrintJobPause" }, { 83, "DosPrintJobContinue" },
	{ 103, "DosPrintQPurge" }, { 115, "NetUserPasswordSet2" }, { 147, "DosPrintJobSetInfo" }, { 214, "SamOEMChangePassword" },
};

static void explain(const struct rpc_host *host, uint16_t num)
{
	for (size_t i = 0; i < ARRAY_LEN(changes); i++)
		if (changes[i].num == num)
			rpc_refused(host, changes[i].name, RPC_FOR_NOBODY);
}

static const struct rap_row *find_row(uint16_t num)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].num == num)
			return &rows[i];
	return NULL;
}

/* The row's own copy of a parameter descriptor, NULL if it has no such. */
static const char *find_params(const struct rap_row *row, const char *desc)
{
	for (size_t i = 0; i < ARRAY_LEN(row->params); i++)
		if (row->params[i] != NULL && strcmp(row->params[i], desc) == 0)
			return row->params[i];
	return NULL;
}

/* An inline text with its NUL, as it lies there; "" and bad if the NUL is missing. */
static const char *read_raw(struct rd *r, uint32_t *len)
{
	const char *s = (const char *)r->msg + r->pos;
	const char *nul = rd_left(r) ? memchr(s, 0, rd_left(r)) : NULL;

	if (nul == NULL) {
		r->bad = true;
		*len = 0;
		return "";
	}
	*len = (uint32_t)(nul - s);
	rd_skip(r, *len + 1);
	return s;
}

static const char *read_text(struct rap_call *c, struct rd *r)
{
	uint32_t len;
	const char *raw = read_raw(r, &len), *text;

	text = str_from_oem(c->mem, (const uint8_t *)raw, len);
	return text ? text : "";
}

/* The parameters, as our own descriptor tells. */
static void read_params(struct rap_call *c, const struct rap_row *row, const char *desc, struct rd *r)
{
	uint16_t word[MAX_WORDS] = { 0 };
	size_t words = 0;

	for (; *desc; desc++) {
		switch (*desc) {
		case 'W':
			word[words < MAX_WORDS - 1 ? words++ : words] = rd_u16(r);
			break;
		case 'D':
			c->filter = rd_u32(r);
			break;
		case 'z':
			c->text[c->texts < ARRAY_LEN(c->text) - 1 ? c->texts++ : c->texts] = read_text(c, r);
			break;
		case 'b': { /* a block: user, password and computer at logon, all known already */
			char *end;

			rd_skip(r, (uint32_t)strtoul(desc + 1, &end, 10));
			desc = end - 1;
			break;
		}
		case 'L':
			c->room = min_u32(c->room, rd_u16(r));
			break;
		default: /* r e h O: nothing on the wire */
			break;
		}
	}
	c->level = word[row->level_word];
	c->number = word[!row->level_word];
}

static uint16_t run(struct rap_call *c, const struct rap_row *row, const char *data_desc, struct rd *r)
{
	const struct rap_level *l = NULL;
	uint32_t len;

	for (size_t i = 0; i < row->levels; i++)
		if (row->level[i].level == c->level)
			l = &row->level[i];
	if (l == NULL)
		return RAP_INVALID_LEVEL;
	if (strcmp(l->desc, data_desc) != 0)
		return RAP_NOT_SUPPORTED;
	if (l->sub != NULL && strcmp(l->sub, read_raw(r, &len)) != 0)
		return RAP_NOT_SUPPORTED;
	c->desc = c->head = l->desc;
	c->sub = l->sub;
	return row->fn(c);
}

/* Status, converter, and the words the descriptor promises (also one we do not know: the client
 * expects them all the same); no more than the client takes. */
static void reply_params(const struct rap_call *c, const char *desc, uint16_t status, struct wr *out)
{
	uint8_t words[8];
	struct wr w = wr_over(words, sizeof(words));

	wr_u16(&w, status);
	wr_u16(&w, 0);
	if (strchr(desc, 'e') != NULL)
		wr_u16(&w, c->entries);
	if (strchr(desc, 'h') != NULL)
		wr_u16(&w, c->available);
	wr_bytes(out, words, min_u32(wr_tell(&w), wr_left(out)));
}

status_t rpc_rap_call(const struct rpc_host *host, struct rd params, struct rd data, struct wr *out_p,
		      struct wr *out_d)
{
	struct rap_call c = { .host = host, .room = min_u32(wr_left(out_d), MAX_DATA) };
	const char *param_desc, *data_desc, *known = NULL;
	uint16_t num, status = RAP_NOT_SUPPORTED;
	const struct rap_row *row;
	uint32_t len;

	(void)data; /* only calls that set something send data, and we serve none */
	num = rd_u16(&params);
	param_desc = read_raw(&params, &len);
	data_desc = read_raw(&params, &len);
	if (!rd_ok(&params))
		return ST_INVALID_PARAMETER;
	row = find_row(num);
	log_at(LOG_RPC, 3, "RAP %u %s", (unsigned)num, row ? row->name : "is not served");
	c.mem = talloc_new(NULL);
	if (c.mem == NULL)
		return ST_NO_MEMORY;
	if (row)
		c.name = row->name;
	else
		explain(host, num);
	known = row ? find_params(row, param_desc) : NULL;
	if (known != NULL) {
		read_params(&c, row, known, &params);
		if (!rd_ok(&params)) {
			talloc_free(c.mem);
			return ST_INVALID_PARAMETER;
		}
		c.d = (struct wr){ .msg = out_d->msg + out_d->pos, .cap = c.room };
		status = run(&c, row, data_desc, &params);
		wr_take(out_d, wr_tell(&c.d));
	}
	reply_params(&c, param_desc, status, out_p);
	talloc_free(c.mem);
	return ST_OK;
}

bool rpc_rap_at(size_t i, struct table_row *out)
{
	if (i >= ARRAY_LEN(rows))
		return false;
	*out = (struct table_row){ rows[i].num, rows[i].name, true };
	return true;
}
