/* door.c - asking the keeper: one question, one answer, on the socket pair of this one client. */
#include "proc/inner.h"
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#define ANSWER_MS 10000
#define MAX_GROUPS 65536

/* The door is of no more use: without its keeper a connection must end. */
static void shut(struct door_client *d, const char *why)
{
	if (d->fd >= 0) {
		log_error(LOG_PROC, "the keeper %s", why);
		close(d->fd);
		d->fd = -1;
	}
}

/* Waits for the answer to `word`; its bytes behind the word are *r, in m (to be dropped). */
static bool answer(struct door_client *d, TALLOC_CTX *mem, uint8_t word, struct msg *m, struct rd *r)
{
	uint64_t end = clock_ms() + ANSWER_MS, now;
	enum msg_event e;

	while ((e = msg_recv(mem, d->fd, m)) == MSG_NONE) {
		struct pollfd p = { .fd = d->fd, .events = POLLIN };

		now = clock_ms();
		if (now >= end) {
			shut(d, "did not answer within 10 seconds");
			return false;
		}
		if (poll(&p, 1, (int)(end - now) + 1) < 0 && errno != EINTR)
			break;
	}
	if (e != MSG_GOT) {
		shut(d, "has closed its door");
		return false;
	}
	*r = rd_over(m->p, m->len);
	if (rd_u8(r) == (word | DOOR_ANSWER))
		return true;
	msg_drop(m);
	shut(d, "gave an answer to another question");
	return false;
}

static bool question(struct door_client *d, TALLOC_CTX *mem, uint8_t word, const uint8_t *p, size_t len)
{
	uint8_t *q = d->fd < 0 ? NULL : talloc_size(mem, len + 1);
	bool ok;

	if (!q)
		return false;
	q[0] = word;
	memcpy(q + 1, p, len);
	ok = msg_send(d->fd, q, len + 1, NULL, 0, true);
	str_wipe(q, len + 1); /* may hold a password */
	talloc_free(q);
	if (!ok)
		shut(d, "has closed its door");
	return ok;
}

struct auth_verdict *door_ask(void *arg, TALLOC_CTX *mem, const struct auth_question *q)
{
	struct door_client *d = arg;
	struct auth_verdict *v = NULL;
	struct msg m;
	struct rd r;
	size_t len;
	uint8_t *p = auth_question_pack(mem, q, &len);
	bool ok = p && question(d, mem, DOOR_ASK, p, len) && answer(d, mem, DOOR_ASK, &m, &r);

	if (p) {
		str_wipe(p, len);
		talloc_free(p);
	}
	if (ok) {
		v = auth_verdict_unpack(mem, m.p + rd_tell(&r), rd_left(&r));
		str_wipe(m.p, m.len); /* session keys */
		msg_drop(&m);
		if (!v)
			shut(d, "gave an answer that cannot be read");
	}
	return v;
}

static struct ident *look_up(struct door_client *d, TALLOC_CTX *mem, uint8_t word, const char *name)
{
	struct ident *id;
	struct msg m;
	struct rd r;

	if (!question(d, mem, word, (const uint8_t *)name, strlen(name)) || !answer(d, mem, word, &m, &r))
		return NULL;
	id = rd_left(&r) > 0 ? door_ident_unpack(mem, m.p + rd_tell(&r), rd_left(&r)) : NULL;
	msg_drop(&m);
	return id;
}

struct ident *door_ident(void *arg, TALLOC_CTX *mem, const char *unix_user)
{
	return look_up(arg, mem, DOOR_IDENT, unix_user);
}

bool door_group(void *arg, const char *unix_group, struct ident *id)
{
	struct ident *g = look_up(arg, NULL, DOOR_GROUP, unix_group);

	if (!g)
		return false;
	id->gid = g->gid;
	memcpy(id->gid_ticket, g->gid_ticket, sizeof(id->gid_ticket));
	talloc_free(g);
	return true;
}

bool door_handoff(struct door_client *d, int sock, int record)
{
	const uint8_t word = DOOR_HANDOFF;
	int fds[2] = { sock, record };

	return msg_send(d->fd, &word, 1, fds, 2, true);
}

void door_why(void *arg, const uint8_t *record, size_t len)
{
	struct door_client *d = arg;

	why_send(d->fd, DOOR_WHY, record, len);
}

/* ---- identities as records ---- */
uint8_t *door_ident_pack(TALLOC_CTX *mem, const struct ident *id, size_t *len)
{
	size_t cap = 48 + 4 * (size_t)id->ngroups + 3 * (4096 + 2);
	uint8_t *p = talloc_size(mem, cap);
	struct wr w;

	if (!p)
		return NULL;
	w = wr_over(p, cap);
	wr_u32(&w, id->uid);
	wr_u32(&w, id->gid);
	wr_u8(&w, (uint8_t)(id->guest | id->anonymous << 1));
	wr_bytes(&w, id->uid_ticket, sizeof(id->uid_ticket));
	wr_bytes(&w, id->gid_ticket, sizeof(id->gid_ticket));
	wr_u32(&w, id->ngroups);
	for (uint32_t i = 0; i < id->ngroups; i++)
		wr_u32(&w, id->groups[i]);
	msg_put_str(&w, id->user);
	msg_put_str(&w, id->domain);
	msg_put_str(&w, id->home);
	*len = wr_tell(&w);
	return wr_ok(&w) ? p : NULL;
}

struct ident *door_ident_unpack(TALLOC_CTX *mem, const uint8_t *p, size_t len)
{
	struct rd r = rd_over(p, len);
	struct ident *id = talloc_zero(mem, struct ident);
	uint8_t flags;

	if (!id)
		return NULL;
	id->uid = rd_u32(&r);
	id->gid = rd_u32(&r);
	flags = rd_u8(&r);
	id->guest = flags & 1;
	id->anonymous = flags & 2;
	rd_copy(&r, id->uid_ticket, sizeof(id->uid_ticket));
	rd_copy(&r, id->gid_ticket, sizeof(id->gid_ticket));
	id->ngroups = rd_u32(&r);
	if (!rd_ok(&r) || id->ngroups > MAX_GROUPS || id->ngroups > rd_left(&r) / 4)
		goto bad;
	id->groups = talloc_array(id, gid_t, id->ngroups + 1);
	if (!id->groups)
		goto bad;
	for (uint32_t i = 0; i < id->ngroups; i++)
		id->groups[i] = rd_u32(&r);
	id->user = msg_get_str(id, &r);
	id->domain = msg_get_str(id, &r);
	id->home = msg_get_str(id, &r);
	if (id->user && id->domain && id->home && rd_left(&r) == 0)
		return id;
bad:
	talloc_free(id);
	return NULL;
}
