/* keeper_door.c - the keeper's doors: small records on socket pairs the listener made, one per client.  A door's
 * record in its life:
 *
 *      KEEPER_CLIENT            DOOR_ASK said yes, DOOR_HANDOFF
 *   ──────────────────> porch ─────────────────────────────────> worker ──> closed, forgotten
 *                         │ anything malformed or out of turn      │
 *                         └──────────> closed (the client ends) <──┘
 *
 * At the hand-over a fresh pair is made for the worker: nobody who kept the porch's end can listen in.
 * The keeper never waits for a client. */
#include "proc/keeper.h"
#include "conf/why.h"
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <unistd.h>

/* User and group ids below belong to the system, by the custom of all distributions. */
#define SYSTEM_IDS 1000u

#define FORGIVEN_MAX 32u /* names that a password was tried with at share level */
#define TOLD_MAX 64 /* refusals of one porch that are passed on */

static void door_close(struct door *d)
{
	struct keeper *k = d->k;

	if (d->next)
		d->next->prev = d->prev;
	if (d->prev)
		d->prev->next = d->next;
	else
		k->doors = d->next;
	if (d->ev)
		event_free(d->ev);
	if (d->later) {
		event_free(d->later);
		str_wipe(d->question.p, d->question.len);
	}
	close(d->fd);
	talloc_free(d);
	if (k->ctl < 0 && !k->doors)
		event_base_loopbreak(k->base);
}

static bool door_answer(struct door *d, TALLOC_CTX *mem, uint8_t word, const uint8_t *p, size_t len)
{
	uint8_t *a = talloc_size(mem, len + 1);
	bool ok;

	if (!a)
		return false;
	a[0] = (uint8_t)(word | DOOR_ANSWER);
	if (len > 0)
		memcpy(a + 1, p, len);
	ok = msg_send(d->fd, a, len + 1, NULL, 0, false);
	str_wipe(a, len + 1);
	if (!ok && errno != EPIPE && errno != ECONNRESET)
		log_at(LOG_PROC, 1, "%s: an answer does not fit the door: %s", d->client, strerror(errno));
	return ok;
}

/* ---- whom a worker may become beside those who logged in ---- */

/* A setting with macros, or in a file for one client only, may mean anybody; but nobody of the system's own. */
static bool means(const char *set, const char *name, uint32_t id)
{
	return *set && (strchr(set, '%') ? id >= SYSTEM_IDS : strcmp(set, name) == 0);
}

static bool forced_user(const struct conf *c, const char *name, uid_t uid)
{
	bool yes = means(c->g.guest_account, name, uid) || means(c->defaults.force_user, name, uid);

	for (size_t i = 0; i < c->nshares && !yes; i++)
		yes = means(c->shares[i]->p.force_user, name, uid);
	return yes || (c->per_client && uid >= SYSTEM_IDS);
}

/* "+staff", "@staff": without the marks. */
static bool means_group(const char *set, const char *name, gid_t gid)
{
	return means(set + strspn(set, "+@&"), name, gid);
}

static bool forced_group(const struct conf *c, const char *name, gid_t gid)
{
	bool yes = means_group(c->defaults.force_group, name, gid);

	for (size_t i = 0; i < c->nshares && !yes; i++)
		yes = means_group(c->shares[i]->p.force_group, name, gid);
	return yes || (c->per_client && gid >= SYSTEM_IDS);
}

/* ---- what may be asked: each returns NULL, or why the door is closed ("": without a word) ---- */
static void count_try(struct door *d, const struct auth_verdict *v, bool named)
{
	if (v->status == ST_OK && named) {
		slow_forgive(d->client, d->failed);
		d->failed = 0;
	} else if (v->status == ST_LOGON_FAILURE) {
		slow_failed(d->client);
		if (d->failed < FORGIVEN_MAX)
			d->failed++;
	}
}

static const char *look_at(struct door *d, TALLOC_CTX *mem, struct rd *r)
{
	struct conf_macros macros = { .client_addr = d->client, .server_addr = d->server };
	struct auth_question *q = auth_question_unpack(mem, r->msg + rd_tell(r), rd_left(r));
	struct auth_verdict *v;
	uint8_t *p;
	size_t len;
	bool ok;

	d->proved = false;
	if (!q)
		return "a question that cannot be read";
	log_who(d->client);
	v = auth_keeper_answer(mem, d->k->auth, q, d->challenge, &macros);
	log_who("");
	if (v && v->ident && d->phase == IN_WORKER)
		ticket_ident(d->key, v->ident);
	p = v ? auth_verdict_pack(mem, v, &len) : NULL;
	if (!p)
		return "out of memory";
	count_try(d, v, *q->user && !v->guest);
	if (v->status == ST_OK && v->ident) {
		d->proved = true;
		d->uid = v->ident->uid;
		d->gid = v->ident->gid;
		snprintf(d->user, sizeof(d->user), "%s", v->ident->user ? v->ident->user : "");
		snprintf(d->home, sizeof(d->home), "%s", v->ident->home ? v->ident->home : "");
	}
	ok = door_answer(d, mem, DOOR_ASK, p, len);
	str_wipe(p, len);
	str_wipe(v->session_key, sizeof(v->session_key));
	str_wipe(v->mac_key, sizeof(v->mac_key));
	return ok ? NULL : "";
}

/* The name of an account or group, or NULL. */
static char *get_name(TALLOC_CTX *mem, struct rd *r)
{
	size_t n = rd_left(r);
	const uint8_t *text = rd_take(r, (uint32_t)n);

	if (n == 0 || n > AUTH_MAX_NAME || memchr(text, 0, n))
		return NULL;
	return talloc_strndup(mem, (const char *)text, n);
}

static void on_later(evutil_socket_t fd, short what, void *arg)
{
	struct door *d = arg;
	TALLOC_CTX *mem = talloc_new(NULL);
	struct rd r = rd_over(d->question.p, d->question.len);
	const char *bad;

	(void)fd;
	(void)what;
	event_free(d->later);
	d->later = NULL;
	rd_skip(&r, 1);
	bad = look_at(d, mem, &r);
	str_wipe(d->question.p, d->question.len);
	msg_drop(&d->question);
	talloc_free(mem);
	if (!bad && event_add(d->ev, NULL) != 0)
		bad = "";
	if (bad)
		door_close(d);
}

/* The door is deaf until then: its client waits, the keeper and all others do not. */
static const char *ask_later(struct door *d, struct msg *m, uint64_t ms)
{
	const struct timeval tv = { .tv_sec = (time_t)(ms / 1000), .tv_usec = (suseconds_t)(ms % 1000 * 1000) };

	d->later = evtimer_new(d->k->base, on_later, d);
	if (!d->later || event_add(d->later, &tv) != 0)
		return "too much for the memory that is left";
	event_del(d->ev);
	d->question = *m;
	talloc_steal(d, m->p);
	*m = (struct msg){ .fd = MSG_NO_FDS };
	log_at(LOG_AUTH, 3, "%s: many logins have failed; the next waits %llu ms", d->client, (unsigned long long)ms);
	return NULL;
}

static const char *on_ask(struct door *d, TALLOC_CTX *mem, struct msg *m, struct rd *r)
{
	uint64_t ms = d->again ? 0 : slow_wait(d->client);

	d->again = false;
	return ms > 0 ? ask_later(d, m, ms) : look_at(d, mem, r);
}

static const char *on_ident(struct door *d, TALLOC_CTX *mem, struct msg *m, struct rd *r)
{
	char *name = get_name(mem, r);
	struct ident *id;
	uint8_t *p = NULL;
	size_t len = 0;

	(void)m;
	if (!name)
		return "a name that cannot be read";
	id = auth_ident_of(mem, name);
	if (id && !forced_user(d->k->conf, name, id->uid)) {
		log_error(LOG_PROC, "%s: its worker asked for the identity of \"%s\", whom no `force user` or "
			  "`guest account` names", d->client, id->user);
		id = NULL;
	}
	if (id) {
		ticket_ident(d->key, id);
		p = door_ident_pack(mem, id, &len);
	}
	return door_answer(d, mem, DOOR_IDENT, p, p ? len : 0) ? NULL : "";
}

static const char *on_group(struct door *d, TALLOC_CTX *mem, struct msg *m, struct rd *r)
{
	char *name = get_name(mem, r);
	const struct group *g = name ? getgrnam(name) : NULL;
	struct ident id = { .user = "", .domain = "", .home = "" };
	uint8_t *p = NULL;
	size_t len = 0;

	(void)m;
	if (!name)
		return "a name that cannot be read";
	if (g && !forced_group(d->k->conf, name, g->gr_gid)) {
		log_error(LOG_PROC, "%s: its worker asked for the group \"%s\", which no `force group` names", d->client,
			  g->gr_name);
		g = NULL;
	}
	if (g) {
		id.gid = g->gr_gid;
		ticket_make(d->key, TICKET_GID, id.gid, id.gid_ticket);
		p = door_ident_pack(mem, &id, &len);
	}
	return door_answer(d, mem, DOOR_GROUP, p, p ? len : 0) ? NULL : "";
}

/* The client's socket and the porch's record go on to the listener unread. */
static const char *on_handoff(struct door *d, TALLOC_CTX *mem, struct msg *m, struct rd *r)
{
	uint8_t head[48 + AUTH_MAX_NAME + HOME_MAX];
	uint32_t key[TICKET_KEY];
	struct wr w = wr_over(head, sizeof(head));
	int pair[2], fds[3];
	bool ok;

	if (!d->proved)
		return "a hand-over without a login";
	if (rd_left(r) != 0 || m->nfds != 2)
		return "a hand-over that cannot be read";
	if (!msg_pair(pair)) {
		(void)door_answer(d, mem, DOOR_HANDOFF, NULL, 0);
		return "no descriptors left for its hand-over";
	}
	wr_u8(&w, KEEPER_SPAWN);
	wr_u32(&w, d->id);
	wr_u32(&w, d->uid);
	wr_u32(&w, d->gid);
	msg_put_str(&w, d->user);
	msg_put_str(&w, d->home);
	util_random(key, sizeof(key));
	wr_bytes(&w, key, sizeof(key));
	fds[0] = m->fd[0];
	fds[1] = pair[1];
	fds[2] = m->fd[1];
	ok = wr_ok(&w) && msg_send(d->k->ctl, head, wr_tell(&w), fds, 3, false);
	memcpy(d->key, key, sizeof(key));
	str_wipe(head, sizeof(head));
	close(pair[1]);
	if (!ok) {
		close(pair[0]);
		(void)door_answer(d, mem, DOOR_HANDOFF, NULL, 0);
		return "a listener that takes no hand-over";
	}
	event_del(d->ev);
	close(d->fd);
	d->fd = pair[0];
	d->phase = IN_WORKER;
	d->again = true;
	if (event_assign(d->ev, d->k->base, d->fd, EV_READ | EV_PERSIST, event_get_callback(d->ev), d) != 0 ||
	    event_add(d->ev, NULL) != 0)
		return "too much for the memory that is left";
	return NULL;
}

/* Why its client was refused, on to the listener; the address is ours. */
static const char *on_why(struct door *d, TALLOC_CTX *mem, struct msg *m, struct rd *r)
{
	uint8_t text[8 + ADDR_TEXT + WHY_RECORD_MAX];
	struct wr w = wr_over(text, sizeof(text));
	uint32_t n = rd_left(r);

	(void)mem;
	(void)m;
	wr_u8(&w, KEEPER_WHY);
	msg_put_str(&w, d->client);
	wr_bytes(&w, rd_take(r, n), n);
	if (!wr_ok(&w))
		return "a refusal that is too long";
	if (d->told++ < TOLD_MAX)
		(void)msg_send(d->k->ctl, text, wr_tell(&w), NULL, 0, false);
	return NULL;
}

static const struct door_row {
	const char *name;
	unsigned phases;
	const char *(*run)(struct door *d, TALLOC_CTX *mem, struct msg *m, struct rd *r);
} door_table[] = {
	[DOOR_ASK] = { "ask", IN_PORCH | IN_WORKER, on_ask },
	[DOOR_IDENT] = { "ident", IN_WORKER, on_ident },
	[DOOR_GROUP] = { "group", IN_WORKER, on_group },
	[DOOR_HANDOFF] = { "hand-over", IN_PORCH, on_handoff },
	[DOOR_WHY] = { "refusal", IN_PORCH, on_why },
};

static const char *door_request(struct door *d, TALLOC_CTX *mem, struct msg *m, struct rd *r)
{
	uint8_t word = rd_u8(r);
	const struct door_row *row = word < ARRAY_LEN(door_table) ? &door_table[word] : NULL;

	if (!row || !row->run)
		return "an unknown request";
	if (!(row->phases & d->phase))
		return "a request that is not its turn";
	if (m->nfds > 0 && row->run != on_handoff)
		return "descriptors that were not asked for";
	return row->run(d, mem, m, r);
}

static void on_door(evutil_socket_t fd, short what, void *arg)
{
	struct door *d = arg;
	TALLOC_CTX *mem = talloc_new(NULL);
	const char *bad = NULL;
	struct msg m;
	struct rd r;

	(void)what;
	switch (msg_recv(mem, (int)fd, &m)) {
	case MSG_NONE:
		break;
	case MSG_CLOSED:
		bad = "";
		break;
	case MSG_BAD:
		bad = "a message that cannot be read";
		break;
	case MSG_GOT:
		r = rd_over(m.p, m.len);
		bad = door_request(d, mem, &m, &r);
		if (m.p)
			str_wipe(m.p, m.len);
		msg_drop(&m);
		break;
	}
	if (bad && *bad)
		log_error(LOG_PROC, "%s: its %s process sent %s; the connection ends", d->client,
			  d->phase == IN_PORCH ? "porch" : "worker", bad);
	if (bad)
		door_close(d);
	talloc_free(mem);
}

void keeper_new_client(struct keeper *k, struct msg *m, struct rd *r)
{
	struct door *d = talloc_zero(k, struct door);
	char *client, *server;

	if (!d)
		return;
	d->k = k;
	d->id = rd_u32(r);
	rd_copy(r, d->challenge, sizeof(d->challenge));
	client = msg_get_str(d, r);
	server = msg_get_str(d, r);
	d->fd = msg_take_fd(m, 0);
	d->phase = IN_PORCH;
	if (d->fd >= 0 && client && server) {
		snprintf(d->client, sizeof(d->client), "%s", client);
		snprintf(d->server, sizeof(d->server), "%s", server);
		d->ev = event_new(k->base, d->fd, EV_READ | EV_PERSIST, on_door, d);
	}
	if (!d->ev || event_add(d->ev, NULL) != 0) {
		if (d->ev)
			event_free(d->ev);
		if (d->fd >= 0)
			close(d->fd);
		talloc_free(d);
		return;
	}
	d->next = k->doors;
	if (k->doors)
		k->doors->prev = d;
	k->doors = d;
}
