/* tree_connect_andx.c - TREE_CONNECT_ANDX (0x75) and TREE_CONNECT (0x70): a share gets a TID.
 *
 *   0x75  W=4: AndX, flags, password length;  password, path, service
 *         reply W=3: optional support; service, file system (W=7 with access masks if flag 8)
 *   0x70  W=0: FF4 path, FF4 password, FF4 service;  reply W=2: buffer size, TID
 *
 * MS-CIFS 2.2.4.50 and 55.  Oddities: the path may lack `\\server\`; the password length may be 0
 * (curl) or 1; the service in the reply must name the real kind (Win9x); it is never Unicode. */
#include "cmd/cmd.h"
#include "conf/why.h"

struct tree_args {
	uint16_t flags;
	struct tree_password password;
	char *path, *service;
};

#define TCON_DISCONNECT 1u
#define TCON_EXTENDED_SIGNATURES 4u
#define TCON_EXTENDED_RESPONSE 8u

static const char *last_part(const char *path)
{
	const char *p = strrchr(path, '\\'), *slash = strrchr(path, '/');

	if (slash && (!p || slash > p))
		p = slash;
	return p ? p + 1 : path;
}

static status_t andx_decode(struct req *q, struct tree_args *a)
{
	uint16_t pwlen;

	a->flags = rd_u16(&q->words);
	pwlen = rd_u16(&q->words);
	a->password.p = rd_take(&q->bytes, pwlen);
	a->password.len = pwlen;
	if (!rd_ok(&q->words) || !rd_ok(&q->bytes))
		return ST_INVALID_SMB;
	a->path = req_str(q, &q->bytes);
	a->service = wire_str(q->mem, &q->bytes, false);
	return a->path && a->service ? ST_OK : ST_NO_MEMORY;
}

/* Clients of the first dialects come for a share without a login; others have been logged off. */
static status_t nobody(const struct conn *c, const char *share)
{
	why_refused(&(struct why){ LOG_SMB, .conf = c->conf, .param = "smb1d: share level clients", .where = share, .often = true,
				   .fix = "a login before; or, for a client that knows passwords of shares only, its address there" },
		    "share %s, asked for without a login", share);
	return ST_SMB_BAD_UID;
}

/* At user level the password means nothing; at share level it brings the tree its session. */
static status_t connect_tree(struct req *q, const struct tree_args *a, struct tree **t)
{
	const char *share = last_part(a->path);
	struct session *own = NULL;
	status_t st;

	if (!q->c->share_level)
		return q->s && !q->c->host->porch ? tree_connect(q->c, q, q->s, share, a->service, t) : nobody(q->c, share);
	st = share_level_login(q->c, q->mem, share, &a->password, &own);
	if (st == ST_WRONG_PASSWORD && !(q->h.flags2 & FLAG2_NT_STATUS))
		st = ST_SMB_BAD_PASSWORD;
	if (st != ST_OK || q->c->handover)
		return st;
	st = tree_connect(q->c, q, own, share, a->service, t);
	if (st != ST_OK) {
		session_free(&own);
		return st;
	}
	(*t)->own = own;
	q->s = own;
	return ST_OK;
}

/* What the share and the user's rights in it allow; the same for guests, who are checked at each open. */
static uint32_t max_access(struct req *q, struct tree *t)
{
	struct tree_user *u = tree_user(t, q->s);

	return u && (u->may_write || t->ipc) ? ACC_FILE_ALL : 0x001200a9u;
}

static void andx_encode(struct req *q, struct tree *t, const struct tree_args *a)
{
	bool extended = a->flags & TCON_EXTENDED_RESPONSE, old = q->c->dialect < DIALECT_LANMAN2;
	struct wr *w = req_words_andx(q, extended ? 7 : old ? 2 : 3);

	if (!old || extended)
		wr_u16(w, (uint16_t)(1 | (unsigned)t->share->p.csc_policy << 2)); /* search bits are honoured */
	if (extended) {
		wr_u32(w, max_access(q, t));
		wr_u32(w, max_access(q, t));
	}
	req_bytes(q);
	wire_put_str(w, tree_service(t), false, WSTR_NUL);
	if (!old)
		wire_put_str(w, t->ipc ? "" : t->share->p.fstype, req_unicode(q), WSTR_NUL | WSTR_ALIGN);
	req_done(q);
}

status_t cmd_tree_connect_andx(struct req *q)
{
	struct tree_args a;
	struct tree *t;
	status_t st = andx_decode(q, &a);

	if (st != ST_OK)
		return st;
	if ((a.flags & TCON_DISCONNECT) && q->t && (q->s || q->c->share_level))
		req_leave_tree(q);
	st = connect_tree(q, &a, &t);
	if (st != ST_OK || q->c->handover)
		return st;
	q->t = t;
	q->h.tid = t->tid;
	q->reply_tid = t->tid;
	andx_encode(q, t, &a);
	return ST_OK;
}

/* The text up to its NUL; or the 24 bytes of a response, where a challenge was sent. */
static status_t take_password(struct req *q, struct tree_password *pw)
{
	const uint8_t *p = q->bytes.msg + q->bytes.pos;
	uint32_t left = rd_left(&q->bytes), n = 0;

	*pw = (struct tree_password){ .p = (const uint8_t *)"" };
	if (left == 0)
		return ST_OK;
	if (*p != 4)
		return ST_INVALID_SMB;
	while (n + 1 < left && p[1 + n] != 0)
		n++;
	if (!q->c->plaintext && n != 24 && left > 26 && p[25] == 4)
		n = 24;
	pw->p = p + 1;
	pw->len = n;
	rd_skip(&q->bytes, 1 + n);
	if (rd_left(&q->bytes) > 0 && q->bytes.msg[q->bytes.pos] == 0)
		rd_skip(&q->bytes, 1);
	return ST_OK;
}

status_t cmd_tree_connect(struct req *q)
{
	struct tree_args a = { 0 };
	struct tree *t;
	struct wr *w;
	status_t st = req_str_fmt(q, &q->bytes, 4, &a.path);

	if (st == ST_OK && req_unicode(q) && !q->c->share_level)
		st = req_str_fmt(q, &q->bytes, 4, &a.service); /* the password, of no meaning here */
	else if (st == ST_OK)
		st = take_password(q, &a.password);
	if (st == ST_OK)
		st = req_str_fmt(q, &q->bytes, 4, &a.service);
	if (st == ST_OK)
		st = connect_tree(q, &a, &t);
	if (st != ST_OK || q->c->handover)
		return st;
	q->reply_tid = t->tid;
	w = req_words(q, 2);
	wr_u16(w, (uint16_t)q->c->server_max);
	wr_u16(w, t->tid);
	req_bytes(q);
	req_done(q);
	return ST_OK;
}
