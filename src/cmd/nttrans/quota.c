/* quota.c - NT_TRANSACT GET_USER_QUOTA (7), SET_USER_QUOTA (8).
 *
 *   7  P: FID, single u8, restart u8, SID list length u32, start SID length u32, start SID offset u32; D: list of
 *      { next u32, SID length u32, SID }
 *   -> P: data length u32; D: { next u32, SID length u32, change ft, used u64, threshold u64, limit u64, SID }
 *   8  P: FID; D: such entries
 *
 * What the file system says of the users asked for; whom it has nothing about is left out.  If none is named, all are
 * meant: that is the caller, about others the file system tells nobody but root; asked again it is at its end, until
 * `restart`.  Where there are no quotas: NOT_SUPPORTED.  Setting them is the administrator's business on the server
 * itself: no worker has the right. */
#include "cmd/nttrans/nttrans.h"

#define MOST 64u
#define ENTRY 40u
#define NO_LIMIT UINT64_MAX

struct asked {
	uint32_t uid[MOST];
	size_t n;
};

static status_t get_list(struct rd *d, uint32_t len, struct asked *a)
{
	struct rd list = rd_window(d, rd_tell(d), len);
	uint32_t start, next;
	struct sid s;

	do {
		start = rd_tell(&list);
		next = rd_u32(&list);
		rd_skip(&list, 4);
		if (!rd_ok(&list) || !sid_get(&list, &s))
			return ST_INVALID_PARAMETER;
		if (a->n < MOST && sid_is_uid(&s, &a->uid[a->n]))
			a->n++;
		if (next > 0)
			rd_seek(&list, start + (next < 8 ? 8 : next));
	} while (next > 0 && rd_ok(&list) && rd_left(&list) > 0);
	return ST_OK;
}

static void put_entry(struct wr *w, uint32_t uid, const struct fs_quota *u, uint32_t *last)
{
	struct sid s = sid_of_uid(uid);

	wr_align(w, 8);
	if (*last != UINT32_MAX)
		wr_u32_at(w, *last, wr_tell(w) - *last);
	*last = wr_tell(w);
	wr_u32(w, 0);
	wr_u32(w, sid_size(&s));
	wr_u64(w, 0);
	wr_u64(w, u->used);
	wr_u64(w, u->soft ? u->soft : NO_LIMIT);
	wr_u64(w, u->hard ? u->hard : NO_LIMIT);
	sid_put(w, &s);
}

static status_t put_list(struct req *q, const struct trans *t, const struct asked *a, struct trans_reply *r)
{
	struct wr *p = trans_reply_params(q, r, 4);
	struct wr *d = p ? trans_reply_data(q, r, MOST * (ENTRY + 24)) : NULL;
	uint32_t last = UINT32_MAX;
	struct fs_quota u;
	status_t st = ST_OK;

	if (!d)
		return ST_NO_MEMORY;
	for (size_t i = 0; i < a->n && wr_tell(d) + ENTRY + 24 <= t->max_d; i++) {
		st = fs_quota(q->t->fs, a->uid[i], &u);
		if (st == ST_OK)
			put_entry(d, a->uid[i], &u, &last);
		else if (st == ST_NOT_SUPPORTED)
			return st;
	}
	wr_u32(p, wr_tell(d));
	if (wr_tell(d) > 0)
		return ST_OK;
	return st == ST_OK ? ST_NO_MORE_ENTRIES : st;
}

status_t nttrans_get_quota(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct open *o = req_open(q, rd_u16(&t->p));
	struct asked a = { .n = 0 };
	struct tree_user *u;
	uint32_t list_len;
	status_t st;
	bool again;

	rd_skip(&t->p, 1);
	again = rd_u8(&t->p);
	list_len = rd_u32(&t->p);
	if (!rd_ok(&t->p))
		return ST_INVALID_PARAMETER;
	if (!o || o->kind == OPEN_PIPE)
		return ST_INVALID_HANDLE;
	st = req_become(q);
	u = st == ST_OK ? tree_user(q->t, q->s) : NULL;
	if (st == ST_OK && list_len > 0)
		st = get_list(&t->d, list_len, &a);
	else if (u && (again || o->pos == 0))
		a.uid[a.n++] = u->id->uid;
	if (st == ST_OK)
		st = put_list(q, t, &a, r);
	if (st == ST_OK && list_len == 0)
		o->pos = 1; /* the list of all is over; it may be asked for from its start */
	return st;
}
