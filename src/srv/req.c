/* req.c - replies: blocks of words and bytes, the header in front, the signature in it. */
#include "srv/req.h"
#include "base/log.h"
#include "base/util.h"
#include "srv/crypt.h"
#include "srv/open.h"

#define PAGE 4096u
#define SAME 0x10000u /* reply_uid, reply_tid: as in the request */

HOT struct wr *req_words(struct req *q, unsigned words)
{
	q->block = q->out.pos;
	q->bcc = 0;
	wr_u8(&q->out, (uint8_t)words);
	return &q->out;
}

HOT struct wr *req_words_andx(struct req *q, unsigned words)
{
	req_words(q, words);
	wr_u8(&q->out, 0xff);
	wr_u8(&q->out, 0);
	wr_u16(&q->out, 0);
	return &q->out;
}

HOT struct wr *req_bytes(struct req *q)
{
	/* NT_CREATE_ANDX's extended reply says 42 words and has 50: the count is not checked from above */
	if (wr_ok(&q->out) && q->out.pos < q->block + 1 + 2u * q->out.msg[q->block])
		util_panic("reply of command 0x%02x has fewer words than it says", q->cmd);
	q->bcc = q->out.pos;
	wr_u16(&q->out, 0);
	return &q->out;
}

HOT void req_done(struct req *q)
{
	wr_u16_at(&q->out, q->bcc, (uint16_t)(q->out.pos - q->bcc - 2 + q->tail_len));
}

void req_empty(struct req *q)
{
	req_words(q, 0);
	req_bytes(q);
	req_done(q);
}

HOT uint32_t req_max_reply(const struct req *q) { return q->c->client_max; }

HOT uint32_t req_whole_pages(uint32_t want, uint32_t room)
{
	if (want <= room)
		return want;
	return room < PAGE ? room : room & ~(PAGE - 1);
}

/* Flags and Flags2 of a reply: what the request said, plus what we always are (framing section 2). */
static void reply_header(const struct req *q, status_t st, struct smb_hdr *h)
{
	const struct conn *c = q->c;
	const uint8_t *first = q->msg;
	uint16_t asked = (uint16_t)(first[10] | first[11] << 8);

	*h = q->h;
	h->command = first[4];
	h->status = asked & FLAG2_NT_STATUS ? st : old_error(c, st);
	h->flags = (uint8_t)(FLAG_REPLY | (first[9] & FLAG_CASELESS) | q->reply_flags);
	h->flags2 = (uint16_t)(FLAG2_LONG_NAMES | FLAG2_EAS | (asked & (FLAG2_UNICODE | FLAG2_NT_STATUS)));
	if (status_is_dos(st)) /* there is no NT status for it */
		h->flags2 &= (uint16_t)~FLAG2_NT_STATUS;
	if (c->ext_sec)
		h->flags2 |= FLAG2_EXTENDED_SECURITY;
	if (c->sign.active)
		h->flags2 |= FLAG2_SIGNATURE;
	memset(h->sig, 0, sizeof(h->sig));
	h->uid = (uint16_t)(first[28] | first[29] << 8);
	h->tid = (uint16_t)(first[24] | first[25] << 8);
	if (q->reply_uid != SAME)
		h->uid = (uint16_t)q->reply_uid;
	if (q->reply_tid != SAME)
		h->tid = (uint16_t)q->reply_tid;
}

HOT void req_finish(struct req *q, status_t st)
{
	struct conn *c = q->c;
	struct rope r;
	struct smb_hdr h;

	rope_start(&r);
	if (!wr_ok(&q->out)) {
		conn_kill(c, "the reply to command 0x%02x does not fit", q->msg[4]);
		return;
	}
	reply_header(q, st, &h);
	wire_hdr_write(c->out + 4, &h);
	wire_frame_write(c->out, NBT_MESSAGE, q->out.pos + q->tail_len);
	if (c->sign.active)
		wire_sign_mac(c->sign.key, c->sign.key_len, c->out + 4, q->out.pos, q->seq + 1, c->out + 4 + 14);
	if (c->crypt) {
		crypt_send(c, c->out + 4, q->out.pos);
		return;
	}
	rope_mem(&r, c->out, 4 + q->out.pos);
	if (q->tail_len)
		rope_file(&r, q->tail_fd, q->tail_off, q->tail_len);
	if (fastio_send(c->io, &r) == FASTIO_ERROR && !c->dead)
		c->dead = "the client is gone";
}

void req_send(struct req *q, status_t st)
{
	req_finish(q, st);
	q->out.pos = SMB_HDR_LEN;
	q->tail_len = 0;
	q->bcc = 0;
}

status_t req_become(struct req *q)
{
	struct tree_user *u;

	if (!q->t || !q->s)
		return ST_INTERNAL_ERROR;
	u = tree_user(q->t, q->s);
	if (!u)
		return ST_NO_MEMORY;
	if (u->status != ST_OK || q->t->ipc)
		return u->status;
	return fs_become(u->id);
}

void req_leave_tree(struct req *q)
{
	if (q->t->own == q->s)
		q->s = NULL;
	tree_free(&q->t);
}

bool req_may_write(struct req *q)
{
	struct tree_user *u = tree_user(q->t, q->s);

	if (u && u->status == ST_OK && u->may_write)
		return true;
	q->no_write = true;
	return false;
}

status_t req_refuse(struct req *q, status_t st, const char *rule, const char *because, const char *fix)
{
	q->no = (struct req_no){ rule, because, fix };
	return st;
}

bool req_is_admin(struct req *q)
{
	const struct tree_user *u = q->t && q->s ? tree_user(q->t, q->s) : NULL;

	if (u && u->status == ST_OK && u->id && u->id->admin)
		return true;
	q->no_admin = true;
	return false;
}

HOT struct open *req_open(struct req *q, uint16_t fid)
{
	struct open *o;

	if (q->chain_fid != 0xffff)
		fid = q->chain_fid;
	o = open_find(q->c, fid);
	if (!o || o->t != q->t || o->uid != q->h.uid)
		return NULL;
	return o;
}
