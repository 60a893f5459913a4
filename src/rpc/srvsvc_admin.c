/* srvsvc_admin.c - who is here and what he has open: for administrators.  MS-SRVS 3.1.4.1-7, 2.2.4.1-20.
 *
 * A level is a row of members, as with shares.  Everybody else gets ACCESS_DENIED and an empty list.
 * Closing somebody's files and sessions, and changing shares, is done with smb1ctl on the machine. */
#include "base/str.h"
#include "base/util.h"
#include "rpc/iface.h"
#include "rpc/list.h"
#include <strings.h>

#define MAX_FIELDS 8
#define MAX_ROWS 65536u
#define FILE_NOT_FOUND 2314u /* NERR_FileIdNotFound */
#define CLIENT_TYPE "SMB1"
#define TRANSPORT "\\Device\\NetbiosSmb"

struct row {
	struct ndr_field f[MAX_FIELDS];
	size_t n;
};

struct asked {
	const char *text[2]; /* filters behind the server's name, NULL or "" for all */
	uint32_t level;
};

/* The i-th row: ROW_END after the last, ROW_SKIP for one the filters leave out. */
enum row_is { ROW_END, ROW_SKIP, ROW_THERE };
typedef enum row_is (*row_fn)(struct rpc_call *c, const struct asked *a, size_t i, struct row *r);

static bool wanted(const char *filter, const char *is)
{
	if (filter == NULL)
		return true;
	while (*filter == '\\')
		filter++;
	return *filter == '\0' || str_caseeq(filter, is);
}

static void fill(struct row *r, const struct ndr_field *f, size_t n)
{
	memcpy(r->f, f, n * sizeof(*f));
	r->n = n;
}

#define FILL(r, f) fill(r, f, ARRAY_LEN(f))

/* 0, 1, 2, 10 and 502 */
static enum row_is session_row(struct rpc_call *c, const struct asked *a, size_t i, struct row *r)
{
	struct rpc_session_info s;
	const struct rpc_host *h = c->host;

	if (h->session == NULL || !h->session(h->arg, i, &s))
		return ROW_END;
	if (!wanted(a->text[0], s.client) || !wanted(a->text[1], s.user))
		return ROW_SKIP;
	const struct ndr_field all[] = {
		NDR_TEXT(s.client), NDR_TEXT(s.user), NDR_NUM(s.opens), NDR_NUM(s.seconds), NDR_NUM(s.idle),
		NDR_NUM(s.guest), NDR_TEXT(CLIENT_TYPE), NDR_TEXT(TRANSPORT),
	};
	const struct ndr_field l10[] = {
		NDR_TEXT(s.client), NDR_TEXT(s.user), NDR_NUM(s.seconds), NDR_NUM(s.idle),
	};

	if (a->level == 10)
		FILL(r, l10);
	else
		fill(r, all, a->level == 0 ? 1 : a->level == 1 ? 6 : a->level == 2 ? 7 : 8);
	return ROW_THERE;
}

/* 2 and 3 */
static enum row_is file_row(struct rpc_call *c, const struct asked *a, size_t i, struct row *r)
{
	struct rpc_file_info s;
	const struct rpc_host *h = c->host;

	if (h->file == NULL || !h->file(h->arg, i, &s))
		return ROW_END;
	if (a->text[0] != NULL && strncasecmp(a->text[0], s.path, strlen(a->text[0])) != 0)
		return ROW_SKIP;
	if (!wanted(a->text[1], s.user))
		return ROW_SKIP;
	const struct ndr_field f[] = {
		NDR_NUM(s.id), NDR_NUM(s.access), NDR_NUM(s.locks), NDR_TEXT(s.path), NDR_TEXT(s.user),
	};

	fill(r, f, a->level == 2 ? 1 : ARRAY_LEN(f));
	return ROW_THERE;
}

/* 0 and 1; the filter is a share or a computer */
static enum row_is tree_row(struct rpc_call *c, const struct asked *a, size_t i, struct row *r)
{
	struct rpc_tree_info s;
	const struct rpc_host *h = c->host;

	if (h->tree == NULL || !h->tree(h->arg, i, &s))
		return ROW_END;
	if (!wanted(a->text[0], s.share) && !wanted(a->text[0], s.client))
		return ROW_SKIP;
	/* who asks for a share wants to know the computers, and the other way round */
	const struct ndr_field f[] = {
		NDR_NUM(s.id), NDR_NUM(s.type), NDR_NUM(s.opens), NDR_NUM(1), NDR_NUM(s.seconds), NDR_TEXT(s.user),
		NDR_TEXT(wanted(a->text[0], s.share) ? s.client : s.share),
	};

	fill(r, f, a->level == 0 ? 1 : ARRAY_LEN(f));
	return ROW_THERE;
}

static bool collect(struct rpc_call *c, const struct asked *a, row_fn fn, struct row **out, uint32_t *count)
{
	struct row *rows = NULL, r;
	uint32_t n = 0, room = 0;
	enum row_is is;

	for (size_t i = 0; n < MAX_ROWS && (is = fn(c, a, i, &r)) != ROW_END; i++) {
		if (is == ROW_SKIP)
			continue;
		if (n == room) {
			room = room ? 2 * room : 32;
			rows = talloc_realloc(c->mem, rows, struct row, room);
			if (rows == NULL)
				return false;
		}
		rows[n++] = r;
	}
	*out = rows;
	*count = n;
	return true;
}

static uint32_t admin_enum(struct rpc_call *c, unsigned filters, const uint32_t *arms, size_t arm_count, row_fn fn)
{
	struct asked a = { .level = 0 };
	struct row *rows;
	struct rpc_list q;
	uint32_t n;

	ndr_rd_ptr_string(c->mem, &c->in);
	for (unsigned i = 0; i < filters; i++)
		a.text[i] = ndr_rd_ptr_string(c->mem, &c->in);
	rpc_list_read(&c->in, arms, arm_count, &q);
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	if (!c->host->may_administer || !q.known) {
		rpc_list_empty(&c->out, &q, c->host->may_administer ? WERR_UNKNOWN_LEVEL : rpc_denied(c, RPC_FOR_ADMINS));
		return 0;
	}
	a.level = q.level;
	if (!collect(c, &a, fn, &rows, &n))
		return FAULT_NO_MEMORY;
	rpc_list_begin(&c->out, &q, n);
	for (uint32_t i = 0; i < n; i++)
		ndr_record(&c->out, rows[i].f, rows[i].n);
	for (uint32_t i = 0; i < n; i++)
		ndr_deferred(&c->out, rows[i].f, rows[i].n);
	rpc_list_end(&c->out, &q, n, 0, WERR_OK);
	return 0;
}

uint32_t srvsvc_connection_enum(struct rpc_call *c)
{
	static const uint32_t arms[] = { 0, 1 };

	return admin_enum(c, 1, arms, ARRAY_LEN(arms), tree_row);
}

uint32_t srvsvc_file_enum(struct rpc_call *c)
{
	static const uint32_t arms[] = { 2, 3 };

	return admin_enum(c, 2, arms, ARRAY_LEN(arms), file_row);
}

uint32_t srvsvc_session_enum(struct rpc_call *c)
{
	static const uint32_t arms[] = { 0, 1, 2, 10, 502 };

	return admin_enum(c, 2, arms, ARRAY_LEN(arms), session_row);
}

/* 0x0A: server, number, level */
uint32_t srvsvc_file_get_info(struct rpc_call *c)
{
	struct asked a = { .level = 0 };
	enum row_is is = ROW_END;
	uint32_t id;
	struct row r;
	bool known;

	ndr_rd_ptr_string(c->mem, &c->in);
	id = ndr_rd_u32(&c->in);
	a.level = ndr_rd_u32(&c->in);
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	known = a.level == 2 || a.level == 3;
	for (size_t i = 0; known && c->host->may_administer && (is = file_row(c, &a, i, &r)) != ROW_END; i++)
		if (r.f[0].num == id)
			break;
	if (is == ROW_THERE)
		rpc_info_reply(&c->out, a.level, true, r.f, r.n, WERR_OK);
	else
		rpc_info_reply(&c->out, a.level, known, NULL, 0,
			       !c->host->may_administer ? rpc_denied(c, RPC_FOR_ADMINS) :
			       known ? FILE_NOT_FOUND : WERR_UNKNOWN_LEVEL);
	return 0;
}

/* Whatever the request says: nothing is changed from outside. */
uint32_t srvsvc_refuse(struct rpc_call *c)
{
	ndr_u32(&c->out, rpc_denied(c, RPC_FOR_NOBODY));
	return 0;
}

/* The same for calls that also tell which member was wrong: none. */
uint32_t srvsvc_refuse_set(struct rpc_call *c)
{
	ndr_ptr(&c->out, false);
	ndr_u32(&c->out, rpc_denied(c, RPC_FOR_NOBODY));
	return 0;
}
