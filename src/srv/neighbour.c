/* neighbour.c - other connections from our client's address; see neighbour.h.
 *
 *   PROBE  the asker's connection began u64 (clock_ms()), client's address     ALIVE  -     RESET  client's address
 *
 * Who may be a neighbour is found by the key in the records, a short hash: somebody can choose an address that has the key
 * of another's.  So the messages name the address itself, and who has another one answers at once. */
#include "srv/neighbour.h"
#include "base/log.h"
#include "base/str.h"
#include "base/util.h"
#include "db/msg.h"
#include "srv/park.h"

#define SILENT_MS 3200u /* three keepalive probes and a little */
#define MOST_KNOWN 16u

/* What a connection knows of its neighbours, and of its own client while that is being probed. */
#define TELL_TIMES 8u
#define TELL_AGAIN_MS 250u

struct neighbourhood {
	struct db_owner alive[MOST_KNOWN]; /* were heard from after we began; the oldest is forgotten first */
	unsigned nalive, next;
	struct db_owner asker[NEIGHBOURS_MAX];
	unsigned nasker;
	uint64_t since;                    /* clock_ms() of the probe under way, 0 none */
	struct fastio_probe was;
	struct db_owner ended[NEIGHBOURS_MAX]; /* were told to end, and may not have heard it */
	unsigned nended, told;
	uint64_t tell_again;               /* clock_ms() */
};

static struct neighbourhood *hood(struct conn *c)
{
	if (!c->hood)
		c->hood = talloc_zero(c, struct neighbourhood);
	return c->hood;
}

static bool same(const struct db_owner *a, const struct db_owner *b)
{
	return a->pid == b->pid && a->start_time == b->start_time;
}

static bool listed(const struct db_owner *list, size_t n, const struct db_owner *o)
{
	for (size_t i = 0; i < n; i++)
		if (same(&list[i], o))
			return true;
	return false;
}

uint32_t neighbour_key(const char *addr)
{
	uint32_t h = str_casehash(addr);

	return h ? h : 1;
}

/* ---- who is one ---- */

bool neighbour_is(const struct conn *c, const struct db_opener *o)
{
	struct db_owner me = db_me();

	return o->client == c->client_key && !same(&o->owner, &me) && c->host->box &&
	       !(c->hood && listed(c->hood->alive, c->hood->nalive, &o->owner));
}

void neighbour_among(const struct conn *c, const struct db_file *f, struct neighbours *out)
{
	out->n = 0;
	for (size_t i = 0; i < f->n && out->n < NEIGHBOURS_MAX; i++)
		if (neighbour_is(c, &f->openers[i]) && !listed(out->who, out->n, &f->openers[i].owner))
			out->who[out->n++] = f->openers[i].owner;
}

bool neighbour_without(TALLOC_CTX *mem, const struct db_file *f, const struct neighbours *n, struct db_file *rest)
{
	*rest = *f;
	rest->n = 0;
	rest->openers = talloc_array(mem, struct db_opener, (unsigned)f->n);
	for (size_t i = 0; rest->openers && i < f->n; i++)
		if (!listed(n->who, n->n, &f->openers[i].owner))
			rest->openers[rest->n++] = f->openers[i];
	return rest->openers != NULL;
}

struct looking {
	const struct conn *c;
	const struct db_owner *who;
	bool found;
};

static status_t look(struct db_file *f, void *arg)
{
	struct looking *l = arg;

	for (size_t i = 0; i < f->n && !l->found; i++)
		l->found = same(&f->openers[i].owner, l->who) && neighbour_is(l->c, &f->openers[i]);
	return ST_OK;
}

bool neighbour_holds(const struct conn *c, const struct db_file_id *id, const struct db_owner *who)
{
	struct looking l = { .c = c, .who = who };

	if (who->pid == 0 || (c->hood && listed(c->hood->alive, c->hood->nalive, who)))
		return false;
	return db_share_with(c->host->db, id, look, &l) == ST_OK && l.found;
}

/* ---- asking ---- */

void neighbour_ask_one(struct conn *c, const struct db_owner *who)
{
	uint8_t body[MSG_MAX];
	struct wr w = wr_over(body, sizeof(body));

	wr_u64(&w, c->began);
	wr_bytes(&w, c->client_addr, strlen(c->client_addr));
	(void)box_send(c->host->box, who, MSG_PROBE, body, wr_tell(&w)); /* lost: asked again at the next look */
}

void neighbour_ask(struct conn *c, const struct neighbours *n)
{
	for (size_t i = 0; i < n->n; i++)
		neighbour_ask_one(c, &n->who[i]);
}

/* A neighbour heard from after we came here is no corpse of our client, whatever comes later. */
void neighbour_lives(struct conn *c, const struct db_owner *from)
{
	struct neighbourhood *h = hood(c);

	if (h && !listed(h->alive, h->nalive, from)) {
		h->alive[h->next] = *from;
		h->next = (h->next + 1) % MOST_KNOWN;
		h->nalive = min_u32(h->nalive + 1, MOST_KNOWN);
	}
	for (struct parked *p = c->parked; p; p = p->next)
		p->woken |= p->kind == PARK_SHARING || p->kind == PARK_LOCK;
}

/* ---- being asked ---- */

/* Is our client the one that the rest of this message names? */
static bool about_ours(const struct conn *c, struct rd *body)
{
	uint32_t len = rd_left(body);
	const uint8_t *addr = rd_take(body, len);

	return addr && len == strlen(c->client_addr) && memcmp(addr, c->client_addr, len) == 0;
}

static void answer(struct conn *c, const struct db_owner *to)
{
	if (c->host->box)
		(void)box_send(c->host->box, to, MSG_ALIVE, NULL, 0);
}

void neighbour_probed(struct conn *c, const struct db_owner *from, struct rd *body)
{
	uint64_t began = rd_u64(body), now = clock_ms();
	struct neighbourhood *h = hood(c);
	uint32_t silent;

	if (!rd_ok(body) || !h)
		return;
	if (!about_ours(c, body) || !fastio_silent(c->io, &silent) || now - silent > began) {
		answer(c, from);
		return;
	}
	if (h->nasker < NEIGHBOURS_MAX && !listed(h->asker, h->nasker, from))
		h->asker[h->nasker++] = *from;
	if (h->since == 0) {
		h->since = now;
		fastio_probe_begin(c->io, &h->was);
		log_at(LOG_PROC, 3, "silent for %u ms while another connection of %s wants its files: probed", silent,
		       c->client_addr);
	}
}

static void probe_over(struct conn *c)
{
	struct neighbourhood *h = c->hood;

	h->since = 0;
	fastio_probe_end(c->io, &h->was);
	for (unsigned i = 0; i < h->nasker; i++)
		answer(c, &h->asker[i]);
	h->nasker = 0;
}

static uint64_t probe_tick(struct conn *c)
{
	uint64_t since = c->hood->since, now = clock_ms();
	uint32_t silent;

	if (since == 0)
		return UINT64_MAX;
	if (!fastio_silent(c->io, &silent) || now - silent > since) {
		probe_over(c);
		return UINT64_MAX;
	}
	if (now - since >= SILENT_MS && !c->dead) {
		conn_kill(c, "%s is back with another connection and does not answer on this one", c->client_addr);
		return UINT64_MAX;
	}
	return now + 10 + min_u64((now - since) / 4, 100);
}

/* ---- reset on zero vc ---- */

struct resetting {
	struct conn *c;
	bool guest; /* who has proved nothing ends nobody who has: behind one address there may be many */
	const struct neighbourhood *again; /* only those it has told before; NULL: all */
	struct db_owner who[NEIGHBOURS_MAX];
	unsigned n;
};

static bool reset_one(const struct db_session *s, void *arg)
{
	struct resetting *r = arg;
	struct conn *c = r->c;
	struct db_owner me = db_me();

	if (same(&s->owner, &me) || (r->guest && !s->guest) || strcmp(s->client_addr, c->client_addr) != 0)
		return true;
	if (r->again && !listed(r->again->ended, r->again->nended, &s->owner))
		return true;
	(void)box_send(c->host->box, &s->owner, MSG_RESET, c->client_addr, strlen(c->client_addr));
	if (r->n < NEIGHBOURS_MAX && !listed(r->who, r->n, &s->owner))
		r->who[r->n++] = s->owner;
	return true;
}

/* A message can be lost, and a worker can be slow to end: those that are still there are told again. */
static void tell(struct conn *c, struct resetting *r)
{
	struct neighbourhood *h = hood(c);

	db_session_each(c->host->db, reset_one, r);
	if (!h)
		return;
	if (!r->again)
		h->told = 0;
	memcpy(h->ended, r->who, sizeof(h->ended));
	h->nended = h->told < TELL_TIMES ? r->n : 0;
	h->told++;
	h->tell_again = clock_ms() + TELL_AGAIN_MS;
}

void neighbour_reset(struct conn *c, const struct session *by)
{
	struct resetting r = { .c = c, .guest = by->guest || by->anonymous };

	if (c->host->db && c->host->box)
		tell(c, &r);
}

uint64_t neighbour_tick(struct conn *c)
{
	struct neighbourhood *h = c->hood;
	struct resetting r = { .c = c, .again = h };
	uint64_t next = probe_tick(c);

	if (h->nended > 0 && clock_ms() >= h->tell_again)
		tell(c, &r);
	return h->nended > 0 ? min_u64(next, h->tell_again) : next;
}

void neighbour_end(struct conn *c, struct rd *body)
{
	if (about_ours(c, body) && !c->dead)
		conn_kill(c, "%s has begun a new connection (`reset on zero vc`)", c->client_addr);
}
