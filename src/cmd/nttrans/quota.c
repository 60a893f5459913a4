/* quota.c - NT_TRANSACT GET_USER_QUOTA (7), SET_USER_QUOTA (8).
 *
 *   7  P: FID, single u8, restart u8, SID list length u32, start SID length u32, start SID offset u32; D: list of
 *      { next u32, SID length u32, SID }
 *   -> P: data length u32; D: { next u32, SID length u32, change ft, used u64, threshold u64, limit u64, SID }
 *   8  P: FID; D: such entries
 *
 * What the file system says of the users asked for; whom it has nothing about is left out.  If none is named, all are
 * meant: that is the caller, about others the file system tells nobody but root; asked again it is at its end, until
 * `restart`.  Where there are no quotas: NOT_SUPPORTED.
 *
 * Setting is for who is named in `admin users` (fs_quota_set).  Each entry is looked at before the first is set: a cut one,
 * one that lies across another, a limit that is none: INVALID_PARAMETER; a SID that is no user here: INVALID_SID.  All ones is
 * no limit, and so is the -2 by which an entry is forgotten; zero, which forbids all, becomes the least there is, since zero
 * is no limit to the file system.  MS-SMB 2.2.7.4, MS-FSCC 2.4.33 and 2.4.41. */
#include "cmd/nttrans/nttrans.h"

#define MOST 64u
#define ENTRY 40u
#define NO_LIMIT UINT64_MAX
#define FORGET (UINT64_MAX - 1)

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
		if (next > list.end - start) /* nor backwards, to where this would never end */
			return ST_INVALID_PARAMETER;
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

/* ---- setting ---- */

struct new_limits {
	uint32_t uid;
	struct fs_quota q;
};

static bool limit_of(uint64_t asked, uint64_t *out)
{
	if (asked == NO_LIMIT || asked == FORGET)
		*out = 0;
	else
		*out = asked > 0 ? asked : 1;
	return *out <= INT64_MAX;
}

/* One entry at the cursor; it ends before `end`. */
static status_t get_limits(struct rd *d, uint32_t end, struct new_limits *l)
{
	struct rd one = rd_window(d, rd_tell(d), end - rd_tell(d)), sid;
	uint32_t len;
	struct sid s;

	rd_skip(&one, 4);
	len = rd_u32(&one);
	rd_skip(&one, 16);
	if (!limit_of(rd_u64(&one), &l->q.soft) || !limit_of(rd_u64(&one), &l->q.hard) || !rd_ok(&one) || len > rd_left(&one))
		return ST_INVALID_PARAMETER;
	sid = rd_window(&one, rd_tell(&one), len);
	if (!sid_get(&sid, &s) || sid_size(&s) != len)
		return ST_INVALID_PARAMETER;
	if (l->q.hard > 0 && (l->q.soft == 0 || l->q.soft > l->q.hard))
		l->q.soft = l->q.hard; /* nobody is warned before */
	return sid_is_uid(&s, &l->uid) && l->uid != 0 ? ST_OK : ST_INVALID_SID;
}

static status_t get_all_limits(struct rd *d, struct new_limits *l, size_t *n)
{
	uint32_t next;

	do {
		uint32_t start = rd_tell(d), left = rd_left(d);
		struct rd head = *d;
		status_t st;

		next = rd_u32(&head);
		if (!rd_ok(&head) || *n >= MOST || next % 8 != 0 || (next > 0 && next < ENTRY) || next > left)
			return ST_INVALID_PARAMETER;
		st = get_limits(d, start + (next ? next : left), &l[(*n)++]);
		if (st != ST_OK)
			return st;
		rd_seek(d, start + next);
	} while (next > 0);
	return ST_OK;
}

status_t nttrans_set_quota(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct open *o = req_open(q, rd_u16(&t->p));
	struct new_limits l[MOST];
	struct tree_user *u;
	struct fs_quota own;
	size_t n = 0;
	status_t st;

	(void)r;
	if (!rd_ok(&t->p))
		return ST_INVALID_PARAMETER;
	if (!o || o->kind == OPEN_PIPE)
		return ST_INVALID_HANDLE;
	st = req_become(q);
	u = st == ST_OK ? tree_user(q->t, q->s) : NULL;
	if (st == ST_OK)
		st = get_all_limits(&t->d, l, &n);
	if (st != ST_OK)
		return st;
	if (fs_quota(q->t->fs, u && u->id ? u->id->uid : UINT32_MAX, &own) == ST_NOT_SUPPORTED)
		return ST_NOT_SUPPORTED;
	if (!req_is_admin(q) || !req_may_write(q))
		return ST_ACCESS_DENIED;
	for (size_t i = 0; st == ST_OK && i < n; i++)
		st = fs_quota_set(q->t->fs, l[i].uid, &l[i].q);
	return st;
}
