/* oplock.c - oplocks from the holder's side.
 *
 * The break is a request of ours: 51 bytes, never signed, MID 0xffff (framing section 9).  It goes out at once, also
 * between two replies, but never into a raw transfer: its bytes would be taken for data. */
#include "srv/oplock.h"
#include "base/log.h"
#include "base/str.h"
#include "srv/crypt.h"
#include "srv/lease.h"
#include "srv/message.h"

#define RESEND_MS 5000u
#define GIVE_UP_MS 30000u
#define BREAK_LEN 51u
#define ROOM_AT_ONCE 8u

/* ---- the packet ---- */

static void send_break(struct open *o, uint8_t to)
{
	struct conn *c = o->c;
	uint8_t frame[4 + BREAK_LEN];
	struct smb_hdr h = { .command = 0x24, .tid = o->t->tid, .pid = 0xffff, .mid = 0xffff };
	struct wr w = wr_over(frame + 4, BREAK_LEN);
	struct rope r = { .n = 0 };

	log_at(LOG_LOCKING, 3, "fid %u: oplock break to %s", o->fid, to ? "level II" : "none");
	wr_zero(&w, SMB_HDR_LEN);
	wire_hdr_write(frame + 4, &h);
	wr_u8(&w, 8);
	wr_u16(&w, 0xff);
	wr_u16(&w, 0);
	wr_u16(&w, o->fid);
	wr_u8(&w, 2); /* OPLOCK_RELEASE */
	wr_u8(&w, to == OPLOCK_LEVEL_II);
	wr_zero(&w, 4 + 2 + 2);
	wr_u16(&w, 0);
	if (c->crypt) {
		crypt_send(c, frame + 4, BREAK_LEN);
		return;
	}
	wire_frame_write(frame, NBT_MESSAGE, BREAK_LEN);
	rope_mem(&r, frame, sizeof(frame));
	if (fastio_send(c->io, &r) == FASTIO_ERROR && !c->dead)
		c->dead = "the client is gone";
}

/* ---- states ---- */

struct fall {
	struct open *o;
	struct db_owner waiters[DB_WAITERS_MAX];
	size_t n;
};

static status_t note_level(struct db_file *f, void *arg)
{
	struct fall *x = arg;
	struct db_owner me = db_me();
	struct db_opener *e = db_file_find(f, &me, x->o->open_id);

	if (e && e->oplock != x->o->oplock.level) {
		e->oplock = x->o->oplock.level;
		f->changed = true;
	}
	if (e && e->oplock == OPLOCK_LEVEL_II)
		db_share_granted(x->o->c->host->db, &x->o->id);
	x->n = db_file_wake(f, x->waiters);
	return ST_OK;
}

static void no_longer_breaking(struct open *o)
{
	if (o->oplock.breaking)
		o->c->breaking--;
	o->oplock.breaking = false;
}

/* The holder has this level now; who waited may go on. */
static void settle(struct open *o, uint8_t level)
{
	struct fall x = { .o = o };

	no_longer_breaking(o);
	lease_end(o);
	o->oplock.level = level;
	db_share_with(o->c->host->db, &o->id, note_level, &x);
	message_wake(o->c, &o->id, x.waiters, x.n);
}

static bool linux_client(const struct conn *c) { return strcmp(c->arch, "CIFSFS") == 0; }

bool oplock_level2_ok(const struct tree *t)
{
	const struct conf_params *p = &t->share->p;

	return p->level2_oplocks && !p->kernel_oplocks && (t->c->client_caps & t->c->caps & CAP_LEVEL_II_OPLOCKS);
}

void oplock_break(struct open *o, uint8_t to)
{
	struct oplock_state *s = &o->oplock;
	struct conn *c = o->c;

	if (s->level == OPLOCK_NONE || s->breaking)
		return;
	s->to = rule_fall(to == OPLOCK_NONE, oplock_level2_ok(o->t), linux_client(c));
	if (s->level == OPLOCK_LEVEL_II && s->to == OPLOCK_LEVEL_II)
		return;
	s->breaking = true;
	s->sent = s->resent = false;
	s->since = clock_ms();
	c->breaking++;
	oplock_tick(c);
}

void oplock_ack(struct req *q, struct open *o, uint8_t level)
{
	bool shared = level == 1 && o->oplock.to == OPLOCK_LEVEL_II && o->oplock.breaking;

	(void)q;
	if (!oplock_is_sole(o->oplock.level)) /* a late one, or thanks for the end of level II */
		return;
	log_at(LOG_LOCKING, 3, "fid %u: oplock given up for %s", o->fid, shared ? "level II" : "none");
	settle(o, shared ? OPLOCK_LEVEL_II : OPLOCK_NONE);
}

void oplock_lost(struct open *o) { settle(o, OPLOCK_NONE); }

void oplock_closed(struct open *o)
{
	no_longer_breaking(o);
	lease_end(o);
	o->oplock.level = OPLOCK_NONE;
}

bool oplock_make_room(struct conn *c)
{
	struct open *o;
	uint16_t fid = 0;
	unsigned n = c->breaking;

	while (n < ROOM_AT_ONCE && (o = idtab_next(c->opens, fid, &fid)) != NULL) {
		if (o->oplock.level == OPLOCK_BATCH && !o->oplock.breaking) {
			oplock_break(o, OPLOCK_NONE);
			n++;
		}
	}
	return n > 0;
}

/* ---- time ---- */

/* Windows 95 does not always answer the first one (reports 73); NT never needs a second, and would count it. */
static bool worth_resending(const struct open *o)
{
	return !o->oplock.resent && !(o->c->client_caps & CAP_LEVEL_II_OPLOCKS);
}

/* The clock_ms() at which something is to be done about this break. */
static uint64_t due(const struct open *o)
{
	const struct oplock_state *s = &o->oplock;

	if (!s->sent)
		return s->since + (uint64_t)o->c->conf->g.oplock_break_wait_time;
	return s->since + (worth_resending(o) ? RESEND_MS : GIVE_UP_MS);
}

static void give_up(struct open *o)
{
	log_at(LOG_LOCKING, 1, "%s does not answer the oplock break of %s: the oplock is taken away", o->c->client_addr,
	       o->node->path);
	settle(o, OPLOCK_NONE);
}

static void act(struct open *o)
{
	struct oplock_state *s = &o->oplock;

	if (s->sent && !worth_resending(o)) {
		give_up(o);
		return;
	}
	send_break(o, s->to);
	if (s->level == OPLOCK_LEVEL_II) { /* needs no answer; the record knows already */
		no_longer_breaking(o);
		s->level = OPLOCK_NONE;
	} else if (!s->sent) {
		s->sent = true;
		s->since = clock_ms();
	} else {
		s->resent = true;
	}
}

uint64_t oplock_tick(struct conn *c)
{
	uint64_t now = clock_ms(), next = UINT64_MAX;
	uint32_t left = c->breaking;
	struct open *o;
	uint16_t fid = 0;

	if (c->raw_busy) /* its end comes with a tick of its own */
		return UINT64_MAX;
	while (left > 0 && (o = idtab_next(c->opens, fid, &fid)) != NULL) {
		if (!o->oplock.breaking)
			continue;
		left--;
		if (now >= due(o))
			act(o);
		if (o->oplock.breaking && due(o) < next)
			next = due(o);
	}
	return next;
}

/* ---- level II ---- */

void oplock_take_level2(TALLOC_CTX *mem, struct db_file *f, uint64_t but, struct oplock_losers *losers)
{
	struct db_owner me = db_me();

	*losers = (struct oplock_losers){ NULL, 0 };
	for (size_t i = 0; i < f->n; i++) {
		struct db_opener *o = &f->openers[i], *more;

		if (o->oplock != OPLOCK_LEVEL_II ||
		    (o->open_id == but && o->owner.pid == me.pid && o->owner.start_time == me.start_time))
			continue;
		more = talloc_realloc(mem, losers->list, struct db_opener, (unsigned)losers->n + 1);
		if (!more)
			return; /* who is left keeps it in the record: the next write tries again */
		losers->list = more;
		losers->list[losers->n++] = *o;
		o->oplock = OPLOCK_NONE;
		f->changed = true;
	}
}

void oplock_tell_losers(struct conn *c, const struct db_file_id *id, const struct oplock_losers *losers)
{
	for (size_t i = 0; i < losers->n; i++)
		message_break(c, id, &losers->list[i].owner, losers->list[i].open_id, OPLOCK_NONE, true);
}

struct taking {
	TALLOC_CTX *mem;
	struct oplock_losers losers;
};

static status_t take_all(struct db_file *f, void *arg)
{
	struct taking *t = arg;

	oplock_take_level2(t->mem, f, 0, &t->losers);
	return ST_OK;
}

void oplock_break_level2(struct conn *c, struct open *o)
{
	struct taking t = { .losers = { NULL, 0 } };
	struct db *db = c->host->db;
	uint32_t seen;

	if (!db || o->kind != OPEN_FILE || oplock_is_sole(o->oplock.level))
		return;
	seen = db_share_grants(db, &o->id);
	if (seen == o->oplock.grants_seen)
		return;
	t.mem = talloc_new(c);
	if (!t.mem || db_share_with(db, &o->id, take_all, &t) == ST_OK)
		o->oplock.grants_seen = seen;
	oplock_tell_losers(c, &o->id, &t.losers);
	talloc_free(t.mem);
}

/* ---- the configuration ---- */

/* Is the name in a list like /pattern/pattern/? */
static bool in_list(const char *list, const char *name)
{
	while (*list) {
		size_t n = strcspn(list, "/");
		char pattern[256];

		if (n > 0 && n < sizeof(pattern)) {
			memcpy(pattern, list, n);
			pattern[n] = '\0';
			if (fs_match(pattern, name, false))
				return true;
		}
		list += n + (list[n] == '/');
	}
	return false;
}

uint8_t oplock_allowed(const struct tree *t, const char *name, uint8_t wanted)
{
	const struct conf_params *p = &t->share->p;

	if (!p->oplocks || wanted > OPLOCK_BATCH || (p->veto_oplock_files[0] && in_list(p->veto_oplock_files, name)))
		return OPLOCK_NONE;
	return wanted;
}
