/* transaction.c - TRANSACTION (0x25), which goes by name:
 *
 *   \PIPE\LANMAN          RAP: P function, descriptors, parameters; D   ->   P status, ...; D records
 *   \PIPE\ or \PIPE\name  named pipe functions by setup word: pipe.c
 *   \MAILSLOT\...         a message for a mailslot: taken and dropped
 *
 * Names compare blind to case; the first backslash may be missing, and Windows 9x leaves out the last one of
 * `\PIPE\`. */
#include "cmd/trans/trans.h"
#include "base/log.h"
#include "base/str.h"
#include "base/util.h"
#include "cmd/pipe.h"

static status_t rap(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct rpc_host host;
	struct wr *p = trans_reply_params(q, r, min_u32(t->max_p, 65535));
	struct wr *d = p ? trans_reply_data(q, r, min_u32(t->max_d, 65535)) : NULL;

	if (!d)
		return ST_NO_MEMORY;
	trans_rpc_host(q, &host);
	return rpc_rap_call(&host, t->p, t->d, p, d);
}

static status_t mailslot(struct req *q, struct trans *t, struct trans_reply *r)
{
	(void)q, (void)r;
	log_at(LOG_SMB, 3, "%u bytes for %s: dropped", t->d.end, t->name);
	return ST_OK;
}

static const struct trans_name {
	const char *name;
	bool whole; /* no more may follow */
	status_t (*run)(struct req *q, struct trans *t, struct trans_reply *r);
} names[] = {
	{ "PIPE\\LANMAN", true, rap },
	{ "PIPE\\", false, trans_pipe },
	{ "PIPE", true, trans_pipe },
	{ "MAILSLOT\\", false, mailslot },
};

status_t trans_run(struct req *q, struct trans *t, struct trans_reply *r)
{
	const char *name = t->name + (*t->name == '\\');

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		size_t n = strlen(names[i].name);

		if (strncasecmp(name, names[i].name, n) == 0 && (!names[i].whole || name[n] == '\0'))
			return names[i].run(q, t, r);
	}
	log_at(LOG_SMB, 2, "transaction %s: unknown", t->name);
	return ST_OBJECT_NAME_NOT_FOUND;
}
