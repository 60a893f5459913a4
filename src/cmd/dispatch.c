/* dispatch.c - frames into messages, messages into links, each link through one gate.
 *
 *   receive buffer -> frame -> header, signature -> link -> gate -> command -> reply
 *                                                    ^___________AndX_________|
 *
 * A chain stops at the first link that fails: its reply block is empty, the status in the header
 * is its own, and the blocks before it stand (framing section 4). */
#include "base/log.h"
#include "base/util.h"
#include "cmd/cmd.h"
#include "conf/why.h"
#include "cmd/write_direct.h"
#include "cmd/write_group.h"
#include "srv/crypt.h"
#include "srv/park.h"

#define SAME 0x10000u
#define OTHER 0xfeu /* no command: what comes next is sealed, or a chain */

/* ---- one link ---- */

/* Cuts words and bytes of the block at `off` out of the message.  The byte count of the large writes
 * wraps at 64 KiB, so their data are looked for by offset and this count is not believed there. */
static status_t cut_block(struct req *q, uint32_t off, uint32_t *end)
{
	const struct cmd_row *row = &cmd_table[q->cmd];
	struct rd r = rd_over(q->msg, q->len);
	uint16_t count;

	rd_seek(&r, off);
	q->wct = rd_u8(&r);
	q->words = rd_window(&r, rd_tell(&r), 2u * q->wct);
	rd_skip(&r, 2u * q->wct);
	count = rd_u16(&r);
	if (!rd_ok(&r))
		return ST_INVALID_SMB;
	q->bytes = rd_window(&r, rd_tell(&r), min_u32(count, rd_left(&r)));
	*end = q->bytes.end;
	if (q->cmd != 0x2f && q->bytes.end - q->bytes.pos != count)
		return ST_INVALID_SMB;
	q->andx_cmd = 0xff;
	q->andx_off = 0;
	if (row->flags & ANDX && q->wct >= 2) {
		q->andx_cmd = rd_u8(&q->words);
		rd_skip(&q->words, 1);
		q->andx_off = rd_u16(&q->words);
	}
	return ST_OK;
}

static bool words_fit(const struct cmd_row *row, uint8_t wct)
{
	return row->words >> (wct > 63 ? 63 : wct) & 1;
}

/* A user who is not there (any more): where a FID is named NT looks at that first, and the files of those who logged
 * off are closed. */
static status_t no_such_user(struct req *q, const struct cmd_row *row)
{
	struct rd words = q->words;
	uint16_t fid = rd_u16(&words);

	if (!(row->flags & HANDLE) || !q->c->logged_off || open_find(q->c, q->chain_fid != 0xffff ? q->chain_fid : fid))
		return ST_SMB_BAD_UID;
	return ST_INVALID_HANDLE;
}

/* Pipes and printers are no disks; and trees that want encrypted requests answer no others but those that lead there. */
static status_t odd_tree(struct req *q, const struct cmd_row *row)
{
	if ((row->flags & DISK_ONLY) && (q->t->ipc || q->t->printer))
		return cmd_no_disk(q);
	if (q->cmd == 0x71 || q->cmd == 0x32 || q->cmd == 0x33) /* TRANSACTION2 looks by itself */
		return ST_OK;
	return crypt_admits(q->t);
}

/* Who may come this far?  Dialect, word count, session, tree, kind of tree, write permission, rights. */
static status_t gate(struct req *q, const struct cmd_row *row)
{
	struct conn *c = q->c;
	status_t st;

	if (!row->run)
		return ST_SMB_BAD_COMMAND;
	if (!words_fit(row, q->wct)) {
		log_at(LOG_SMB, 1, "refused: %s with %u words", row->name, q->wct);
		return ST_INVALID_SMB;
	}
	if (c->host->porch && (c->host->refuse != ST_OK || !(row->flags & IN_PORCH)))
		return c->host->refuse != ST_OK ? c->host->refuse : ST_SMB_BAD_UID;
	q->t = tree_find(c, q->h.tid);
	q->s = c->share_level ? share_level_session(c, q->t) : session_find(c, q->h.uid);
	if (c->share_level && q->s)
		q->h.uid = q->s->uid;
	c->acting = q->h.uid;
	if ((row->flags & NEED_SESSION) && !q->s && !(c->share_level && !q->t && (row->flags & NEED_TREE)))
		return no_such_user(q, row);
	if (row->flags & NEED_TREE) {
		if (!q->t)
			return ST_SMB_BAD_TID;
		if (!q->t->ordinary && (st = odd_tree(q, row)) != ST_OK)
			return st;
	}
	if ((row->flags & BECOME) && (st = req_become(q)) != ST_OK)
		return st;
	if ((row->flags & CHANGES) && !req_may_write(q))
		return ST_ACCESS_DENIED;
	return ST_OK;
}

static void resume_inside(struct parked *p);

static status_t run_link(struct req *q, uint32_t off, uint32_t *end)
{
	const struct cmd_row *row = &cmd_table[q->cmd];
	uint32_t start = q->out.pos;
	struct told told = { why_count(), fs_refused };
	status_t st;

	q->asked = NULL;
	q->no_write = q->no_admin = false;
	q->no.because = NULL;
	q->link_off = off;
	q->link_start = start;
	st = cut_block(q, off, end);

	if (st == ST_OK)
		st = gate(q, row);
	if (st == ST_OK)
		st = row->run(q);
	if (st == ST_PENDING && q->parking) {
		q->parking->now = resume_inside;
		park_store(q);
		q->no_reply = true;
		return st;
	}
	cmd_count[q->cmd].calls++;
	if (status_is_error(st)) {
		cmd_count[q->cmd].errors++;
		if (row->name)
			cmd_explain(q, row, st, &told);
		if (q->t && q->t->audit)
			cmd_audit(q, st);
		log_at(LOG_SMB, 3, "%s: %s", row->name ? row->name : "unknown command", status_name(st));
		q->out.pos = start;
		q->tail_len = 0;
		req_empty(q);
	} else if (told.fs.favours != fs_refused.favours) {
		cmd_explain_part(q, row);
	}
	return st;
}

/* Names the next link in the block just written, and starts that link's block. */
static void link_blocks(struct req *q, uint8_t cmd)
{
	uint32_t prev = q->block;

	wr_align(&q->out, 4);
	if (wr_ok(&q->out) && prev + 5 <= q->out.pos) {
		q->out.msg[prev + 1] = cmd;
		wr_u16_at(&q->out, prev + 3, (uint16_t)q->out.pos);
	}
}

static HOT status_t run_chain(struct req *q, uint32_t off)
{
	uint32_t end = 0;
	status_t st;

	for (;;) {
		st = run_link(q, off, &end);
		if (status_is_error(st) || st == ST_MORE_PROCESSING_REQUIRED || q->c->handover || q->c->dead ||
		    q->andx_cmd == 0xff || q->no_reply)
			return st;
		if (!(cmd_table[q->cmd].flags & ANDX))
			return st;
		if (q->andx_off <= off || q->andx_off < end || q->andx_off >= q->len) {
			log_at(LOG_SMB, 1, "refused: chain of commands that does not run forward");
			q->out.pos = q->block;
			req_empty(q);
			return ST_INVALID_SMB;
		}
		off = q->andx_off;
		link_blocks(q, q->andx_cmd);
		q->cmd = q->andx_cmd;
		q->chained = true;
	}
}

/* ---- one message ---- */

/* The number of this request for signing; NT_CANCEL has no reply and takes one, all others two. */
static bool check_signature(struct req *q)
{
	struct sign_state *sign = &q->c->sign;

	if (!sign->active)
		return true;
	q->seq = sign->next_seq;
	sign->next_seq += q->h.command == 0xa4 ? 1 : 2;
	return sign_check(q->c, q->msg, q->len, &q->h, q->seq);
}

static bool start_request(struct req *q)
{
	struct conn *c = q->c;
	uint16_t context;

	if (!wire_hdr_read(q->msg, q->len, &q->h)) {
		if (q->len >= 4 && q->msg[0] == 0xfe)
			conn_refuse(c, &(struct why){ LOG_SMB, .fix = "a client that may speak SMB1" },
				    "the client speaks SMB2 only, which smb1d does not");
		else if (wire_sealed_read(q->msg, q->len, &context))
			conn_refuse(c, &(struct why){ LOG_SMB, .fix = "a client that asks for encryption before" },
				    "a sealed frame, and no encryption was agreed on");
		else
			conn_kill(c, "a message of %u bytes that is no SMB", q->len);
		return false;
	}
	if (q->h.flags & FLAG_REPLY) {
		conn_kill(c, "the client sent a reply");
		return false;
	}
	if (!c->negotiated && q->h.command != 0x72) {
		conn_kill(c, "command 0x%02x before NEGOTIATE", q->h.command);
		return false;
	}
	if (!check_signature(q)) {
		conn_refuse(c, &(struct why){ LOG_SMB, .fix = "a client and a network that leave messages as they are" },
			    "wrong signature in command 0x%02x (request number %u)", q->h.command, q->seq);
		return false;
	}
	return true;
}

HOT void cmd_message(struct conn *c, const uint8_t *msg, size_t len)
{
	char room[REQ_ROOM];
	struct req q = {
		.c = c, .msg = msg, .len = (uint32_t)len, .chain_fid = 0xffff, .tail_fd = -1,
		.reply_uid = SAME, .reply_tid = SAME, .mem = c->arena, .room = room,
		.out = wr_over(c->out + 4, c->out_cap - 4),
	};
	status_t st;

	c->requests++;
	c->last_request = clock_ms();
	if (!start_request(&q))
		return;
	if (c->host->porch && (q.h.command == 0x73 || q.h.command == 0x70 || q.h.command == 0x75))
		conn_remember(c);
	wr_zero(&q.out, SMB_HDR_LEN);
	q.cmd = q.h.command;
	st = run_chain(&q, SMB_HDR_LEN);
	if (!c->handover && !c->dead && !q.no_reply && !q.raw_reply)
		req_finish(&q, st);
	talloc_free_children(c->arena);
}

/* ---- requests that have waited ---- */

static void resume(struct parked *p)
{
	struct conn *c = p->c;
	struct req q;
	status_t st;

	park_restore(p, &q);
	if (p->verdict == ST_OK) {
		st = run_chain(&q, q.link_off);
	} else {
		st = p->verdict;
		req_empty(&q);
	}
	if (!q.parking) {
		if (!c->dead && !q.no_reply && !q.raw_reply)
			req_finish(&q, st);
		talloc_free(p);
	}
	talloc_free_children(c->arena);
}

/* In the middle of another request, whose memory and reply under construction stay as they are. */
static void resume_inside(struct parked *p)
{
	struct conn *c = p->c;
	TALLOC_CTX *arena = c->arena;
	uint8_t *out = c->out;
	size_t cap = c->out_cap;

	c->out_cap = 4u + p->reply_len + 2048u; /* there is little to say to who has to go */
	c->out = talloc_size(NULL, c->out_cap);
	c->arena = talloc_new(NULL);
	if (c->out && c->arena) {
		resume(p);
	} else {
		conn_kill(c, "out of memory");
		talloc_free(p);
	}
	talloc_free(c->out);
	talloc_free(c->arena);
	c->out = out;
	c->out_cap = cap;
	c->arena = arena;
}

uint64_t cmd_tick(struct conn *c)
{
	uint64_t next;
	struct parked *p;

	if (c->tick_due) {
		c->tick_due = false;
		crypt_up(c);
	}
	if (c->raw) /* the client counts on hearing nothing before its raw bytes are taken */
		return UINT64_MAX;
	next = conn_timers(c);
	/* those that go straight back to sleep are not taken again in this round */
	for (uint32_t n = park_count(c); n > 0 && !c->dead && !fastio_unsent(c->io); n--) {
		p = park_next_due(c, clock_ms());
		if (!p)
			break;
		resume(p);
	}
	return min_u64(next, park_next_time(c));
}

/* ---- frames ---- */

static void session_request(struct conn *c, const uint8_t *p, uint32_t len)
{
	static const uint8_t yes[4] = { NBT_POSITIVE, 0, 0, 0 }, no[5] = { NBT_NEGATIVE, 0, 0, 1, 0x8f };
	struct rope r = { .n = 0 };
	bool off = c->conf->g.disable_netbios;
	bool ok = !c->negotiated && !off && wire_nbt_request(p, len, &c->called, &c->calling);

	rope_mem(&r, ok ? yes : no, ok ? sizeof(yes) : sizeof(no));
	if (fastio_send(c->io, &r) == FASTIO_ERROR)
		c->dead = "the client is gone";
	if (off)
		why_refused(&(struct why){ LOG_SMB, .conf = c->conf, .param = "disable netbios", .fix = "`disable netbios = no`, or a "
					   "client that comes by direct TCP" }, "a NetBIOS session request");
	if (!ok)
		conn_kill(c, "malformed or unwanted NetBIOS session request");
	c->nbt = true;
	conn_log_who(c, NULL, NULL);
}

static void sealed_frame(struct conn *c, uint8_t *p, uint32_t len)
{
	uint32_t msg_len;
	const uint8_t *msg = crypt_open(c, p, len, &msg_len);

	if (msg)
		cmd_message(c, msg, msg_len);
}

static void one_frame(struct conn *c, const struct wire_frame *f, uint8_t *p)
{
	if (f->type == NBT_MESSAGE && c->crypt)
		sealed_frame(c, p, f->len);
	else if (f->type == NBT_MESSAGE && c->raw)
		cmd_raw_data(c, p, f->len);
	else if (f->type == NBT_MESSAGE)
		cmd_message(c, p, f->len);
	else if (f->type == NBT_KEEPALIVE)
		return;
	else if (f->type == NBT_REQUEST)
		session_request(c, p, f->len);
	else
		conn_kill(c, "NetBIOS frame of type 0x%02x", f->type);
}

/* The command of the request behind this one, if all of it is here and there is no other in that. */
static uint8_t command_behind(const struct conn *c, const uint8_t *p, size_t have)
{
	struct wire_frame f;

	if (have < 4 + SMB_HDR_LEN || c->raw || !wire_frame_read(p, c->nbt, &f) || f.type != NBT_MESSAGE ||
	    f.len < SMB_HDR_LEN || have - 4 < f.len)
		return 0xff;
	if (c->crypt || (cmd_table[p[4 + 4]].flags & ANDX && (f.len < SMB_MIN_LEN || p[4 + SMB_HDR_LEN + 1] != 0xff)))
		return OTHER;
	return p[4 + 4];
}

static void no_room_for(struct conn *c, uint32_t len)
{
	struct why no = { LOG_SMB, .conf = c->conf, .param = "smb1d: max memory",
			  .fix = "a larger number there, or a client that sends less at once" };
	bool never = fastio_too_long(c->io, 4 + (size_t)len);

	if (never) {
		no.conf = NULL;
		no.fix = "a client that sends less at once";
	}
	conn_refuse(c, &no, "a frame of %u bytes%s", len, never ? ", where none is that long" : ": there is no room for it");
}

/* One whole request: its answer goes out together with that of the next one where there is one. */
static void one_request(struct conn *c, const struct wire_frame *f, uint8_t *p, size_t have)
{
	size_t len = 4 + (size_t)f->len;

	c->next_cmd = have > len ? command_behind(c, p + len, have - len) : 0xff;
	fastio_gather(c->io, c->next_cmd != 0xff);
	one_frame(c, f, p + 4);
	if (c->group && (c->next_cmd != 0x2f || c->tick_due))
		write_group_settle(c);
	if (c->handover)
		return; /* the frame stays in the buffer: the worker runs it again */
	fastio_consume(c->io, len);
	if (c->tick_due)
		cmd_tick(c);
}

static bool pump_frames(struct conn *c)
{
	struct wire_frame f;
	uint8_t *p;
	size_t have;

	while (!c->dead && !fastio_unsent(c->io)) {
		if (fastio_diverting(c->io))
			return true;
		if (c->direct) {
			write_direct_end(c);
			continue;
		}
		p = fastio_data(c->io, &have);
		if (have < 4)
			return true;
		if (!wire_frame_read(p, c->nbt, &f)) {
			conn_kill(c, "rubbish in place of a frame (first byte 0x%02x)", p[0]);
			return false;
		}
		if (have < 4 + (size_t)f.len) {
			if (write_direct_begin(c, &f, p, have))
				continue;
			if (fastio_expect(c->io, 4 + (size_t)f.len))
				return true;
			no_room_for(c, f.len);
			return false;
		}
		one_request(c, &f, p, have);
		if (c->handover)
			return false;
		if (have == 4 + (size_t)f.len) /* nothing is behind it */
			return !c->dead && !fastio_unsent(c->io);
	}
	return false;
}

HOT bool cmd_pump(struct conn *c)
{
	bool more = pump_frames(c);

	if (c->group) /* the socket is full in the middle of them: before their files are closed by others */
		write_group_settle(c);
	if (fastio_push(c->io) == FASTIO_ERROR && !c->dead)
		c->dead = "the client is gone";
	return more && !fastio_unsent(c->io);
}
