/* park.c - requests that wait. */
#include "srv/park.h"
#include "base/budget.h"
#include "base/util.h"

#define FIRST_LOOK_MS 20u
#define LAST_LOOK_MS 1000u
#define MAX_PARKED_LEN 0x20000u /* only writes are longer, and they do not wait */

uint32_t park_count(const struct conn *c)
{
	uint32_t n = 0;

	for (const struct parked *p = c->parked; p; p = p->next)
		n++;
	return n;
}

status_t req_park(struct req *q, enum park_kind kind, const struct db_file_id *id, uint16_t fid, uint64_t deadline)
{
	struct parked *p = q->resumed;

	if (!p) {
		if (park_count(q->c) >= PARK_MOST || q->len > MAX_PARKED_LEN || !budget_allows(q->len + sizeof(*p)))
			return ST_INSUFF_SERVER_RESOURCES;
		p = talloc_zero(q->c, struct parked);
		if (!p)
			return ST_NO_MEMORY;
		p->c = q->c;
		p->since = clock_ms();
		p->deadline = deadline;
	}
	p->kind = kind;
	p->id = id ? *id : (struct db_file_id){ 0, 0 };
	p->fid = fid;
	q->parking = p;
	return ST_PENDING;
}

void park_store(struct req *q)
{
	struct parked *p = q->parking;
	struct conn *c = q->c;
	uint64_t wait = (uint64_t)FIRST_LOOK_MS << min_u32(p->tries, 6);

	if (!p->msg) {
		p->msg = talloc_memdup(p, q->msg, q->len);
		p->len = q->len;
		p->reply_len = q->link_start;
		p->reply = talloc_memdup(p, q->out.msg, q->link_start);
		if (!p->msg || !p->reply) {
			talloc_free(p);
			conn_kill(c, "out of memory");
			return;
		}
	}
	p->saved = *q;
	p->saved.resumed = p->saved.parking = NULL;
	p->saved.s = NULL;
	p->saved.t = NULL;
	p->tries++;
	p->woken = p->cancelled = p->over = false;
	if (p->kind == PARK_PIECES)
		wait = 0;
	p->look_at = clock_ms() + (p->look_every ? p->look_every : min_u64(wait, LAST_LOOK_MS));
	p->next = NULL;
	for (struct parked **at = &c->parked;; at = &(*at)->next) { /* in the order they came: fair wake-up */
		if (!*at) {
			*at = p;
			break;
		}
	}
}

struct parked *park_next_due(struct conn *c, uint64_t now)
{
	for (struct parked **at = &c->parked; *at; at = &(*at)->next) {
		struct parked *p = *at;

		if (p->woken || p->cancelled || now >= p->deadline || (now >= p->look_at && p->kind != PARK_NOTIFY)) {
			p->over = now >= p->deadline;
			*at = p->next;
			return p;
		}
	}
	return NULL;
}

void park_restore(struct parked *p, struct req *q)
{
	*q = p->saved;
	q->msg = p->msg;
	q->len = p->len;
	q->mem = q->c->arena;
	q->room = NULL;
	q->resumed = p;
	q->no_reply = false;
	q->out = wr_over(q->c->out + 4, q->c->out_cap - 4);
	wr_bytes(&q->out, p->reply, p->reply_len);
	q->tail_fd = -1;
	q->tail_len = 0;
}

void park_wake_file(struct conn *c, const struct db_file_id *id)
{
	for (struct parked *p = c->parked; p; p = p->next)
		if (p->id.dev == id->dev && p->id.ino == id->ino)
			p->woken = true;
}

void park_answer_now(struct conn *c, uint16_t fid, enum park_kind kind)
{
	struct parked **at = &c->parked;

	while (*at) {
		struct parked *p = *at;

		if (p->kind != kind || p->fid != fid || !p->now) {
			at = &p->next;
			continue;
		}
		*at = p->next;
		p->now(p);
		at = &c->parked;
	}
}

void park_refuse_now(struct conn *c, uint16_t fid, enum park_kind kind, status_t st)
{
	for (struct parked *p = c->parked; p; p = p->next)
		if (p->kind == kind && p->fid == fid)
			p->verdict = st;
	park_answer_now(c, fid, kind);
}

bool park_cancel(struct conn *c, const struct smb_hdr *h)
{
	for (struct parked *p = c->parked; p; p = p->next) {
		const uint8_t *m = p->msg;
		struct smb_hdr v;

		if (wire_hdr_read(m, p->len, &v) && v.mid == h->mid && v.pid == h->pid && v.tid == h->tid && v.uid == h->uid) {
			p->cancelled = true;
			return true;
		}
	}
	return false;
}

void park_stop_pieces(struct conn *c)
{
	struct parked **at = &c->parked;

	while (*at) {
		struct parked *p = *at;

		if (p->kind != PARK_PIECES) {
			at = &p->next;
			continue;
		}
		*at = p->next;
		talloc_free(p);
	}
}

uint64_t park_next_time(const struct conn *c)
{
	uint64_t t = PARK_FOREVER;

	for (const struct parked *p = c->parked; p; p = p->next) {
		if (p->woken || p->cancelled)
			return 0;
		t = min_u64(t, p->deadline);
		if (p->kind != PARK_NOTIFY)
			t = min_u64(t, p->look_at);
	}
	return t;
}
