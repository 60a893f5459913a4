/* nttrans.c - NT_TRANSACT (0xa0): the table of functions.  transactions section 10. */
#include "cmd/nttrans/nttrans.h"
#include "base/log.h"

struct nttrans_row {
	const char *name;
	status_t (*run)(struct req *q, struct trans *t, struct trans_reply *r);
};
struct cmd_counter nttrans_count[NTTRANS_CODES];

/* Windows answers "done" for any handle and does nothing. */
static status_t rename_nothing(struct req *q, struct trans *t, struct trans_reply *r)
{
	(void)r;
	return req_open(q, rd_u16(&t->p)) && rd_ok(&t->p) ? ST_OK : ST_INVALID_HANDLE;
}

static const struct nttrans_row table[NTTRANS_CODES] = {
	[1] = { "create", nttrans_create },
	[2] = { "ioctl", nttrans_ioctl },
	[3] = { "set_security_desc", nttrans_set_security },
	[4] = { "notify_change", nttrans_notify },
	[5] = { "rename", rename_nothing },
	[6] = { "query_security_desc", nttrans_query_security },
	[7] = { "get_user_quota", nttrans_get_quota },
	[8] = { "set_user_quota", nttrans_set_quota },
};

status_t nttrans_run(struct req *q, struct trans *t, struct trans_reply *r)
{
	const struct nttrans_row *row = t->function < NTTRANS_CODES ? &table[t->function] : NULL;
	status_t st;

	if (!row || !row->run) {
		log_at(LOG_SMB, 2, "NT_TRANSACT function %u: unknown", t->function);
		return ST_INVALID_PARAMETER;
	}
	nttrans_count[t->function].calls++;
	st = row->run(q, t, r);
	if (status_is_error(st))
		nttrans_count[t->function].errors++;
	log_at(LOG_SMB, 4, "nt %s: %s", row->name, status_name(st));
	return st;
}

bool nttrans_row_at(size_t i, struct table_row *out)
{
	if (i >= NTTRANS_CODES)
		return false;
	*out = (struct table_row){ (uint32_t)i, table[i].name, true };
	return true;
}
