/* message.c - words between the workers.
 *
 *   BREAK  dev u64, inode u64, open id u64, level u8       WAKE  dev u64, inode u64 */
#include "srv/message.h"
#include "base/log.h"
#include "base/util.h"
#include "srv/neighbour.h"
#include "srv/notify.h"
#include "srv/oplock.h"
#include "srv/park.h"

#define AGAIN_MS 20u
#define GIVE_UP_MS 30000u
#define MAX_UNSENT 64u

/* A break that found the other's queue full. */
struct unsent {
	struct unsent *next;
	struct db_owner to;
	uint64_t give_up; /* clock_ms() */
	uint8_t body[32];
	uint32_t len;
};

static struct open *by_open_id(const struct conn *c, uint64_t open_id)
{
	struct open *o;
	uint16_t fid = 0;

	while ((o = idtab_next(c->opens, fid, &fid)) != NULL)
		if (o->open_id == open_id && o->kind != OPEN_PIPE)
			return o;
	return NULL;
}

static bool is_me(const struct db_owner *o)
{
	struct db_owner me = db_me();

	return o->pid == me.pid && o->start_time == me.start_time;
}

static struct db_file_id get_id(struct rd *r)
{
	struct db_file_id id = { rd_u64(r), 0 };

	id.ino = rd_u64(r);
	return id;
}

static void put_id(struct wr *w, const struct db_file_id *id)
{
	wr_u64(w, id->dev);
	wr_u64(w, id->ino);
}

/* ---- coming in ---- */

static void got_break(struct conn *c, const struct db_owner *from, struct rd *r)
{
	struct db_file_id id = get_id(r);
	uint64_t open_id = rd_u64(r);
	uint8_t to = rd_u8(r);
	struct open *o = rd_ok(r) ? by_open_id(c, open_id) : NULL;

	if (o && o->id.dev == id.dev && o->id.ino == id.ino)
		oplock_break(o, to);
	else if (rd_ok(r)) /* closed meanwhile: who asks must look again */
		message_wake(c, &id, from, 1);
}

void conn_message(struct conn *c, enum msg_type type, const struct db_owner *from, struct rd body)
{
	struct db_file_id id;

	switch (type) {
	case MSG_BREAK:
		got_break(c, from, &body);
		break;
	case MSG_WAKE:
		id = get_id(&body);
		if (rd_ok(&body))
			park_wake_file(c, &id);
		break;
	case MSG_NOTIFY:
		notify_message(c, &body);
		break;
	case MSG_PROBE:
		neighbour_probed(c, from, &body);
		break;
	case MSG_ALIVE:
		neighbour_lives(c, from);
		break;
	case MSG_RESET:
		neighbour_end(c, &body);
		break;
	default:
		log_at(LOG_LOCKING, 5, "message of type %d: not for us", (int)type);
	}
}

/* ---- going out ---- */

void message_wake(struct conn *c, const struct db_file_id *id, const struct db_owner *who, size_t n)
{
	uint8_t body[16];
	struct wr w = wr_over(body, sizeof(body));

	put_id(&w, id);
	for (size_t i = 0; i < n; i++)
		if (c->host->box && !is_me(&who[i]))
			(void)box_send(c->host->box, &who[i], MSG_WAKE, body, wr_tell(&w));
	park_wake_file(c, id);
}

static void keep_for_later(struct conn *c, const struct db_owner *to, const uint8_t *body, uint32_t len)
{
	struct unsent **at = &c->unsent, *u;
	unsigned n = 0;

	for (; *at; at = &(*at)->next)
		n++;
	u = n < MAX_UNSENT ? talloc_zero(c, struct unsent) : NULL;
	if (!u) {
		log_at(LOG_LOCKING, 1, "an oplock break for process %ld is lost: it does not take messages", (long)to->pid);
		return;
	}
	u->to = *to;
	u->give_up = clock_ms() + GIVE_UP_MS;
	u->len = min_u32(len, sizeof(u->body));
	memcpy(u->body, body, u->len);
	*at = u;
}

void message_break(struct conn *c, const struct db_file_id *id, const struct db_owner *holder, uint64_t open_id,
		   uint8_t to, bool sure)
{
	uint8_t body[32];
	struct wr w = wr_over(body, sizeof(body));
	struct open *o;

	if (is_me(holder)) {
		o = by_open_id(c, open_id);
		if (o)
			oplock_break(o, to);
		return;
	}
	put_id(&w, id);
	wr_u64(&w, open_id);
	wr_u8(&w, to);
	if (c->host->box && !box_send(c->host->box, holder, MSG_BREAK, body, wr_tell(&w)) && sure && db_alive(holder))
		keep_for_later(c, holder, body, wr_tell(&w));
}

uint64_t message_tick(struct conn *c)
{
	uint64_t now = clock_ms();
	struct unsent **at = &c->unsent;

	while (*at) {
		struct unsent *u = *at;

		if (!box_send(c->host->box, &u->to, MSG_BREAK, u->body, u->len) && db_alive(&u->to) && now < u->give_up) {
			at = &u->next;
			continue;
		}
		*at = u->next;
		talloc_free(u);
	}
	return c->unsent ? now + AGAIN_MS : UINT64_MAX;
}
