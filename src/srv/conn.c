/* conn.c - a client's connection: made, handed over, reloaded, ended. */
#include "conf/why.h"
#include "srv/conn.h"
#include "base/log.h"
#include "base/str.h"
#include "base/util.h"
#include "srv/lease.h"
#include "srv/message.h"
#include "srv/neighbour.h"
#include "srv/notify.h"
#include "srv/oplock.h"
#include "srv/park.h"
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* The largest read of the UNIX extensions that goes through memory (signed ones), the head, and a page of room
 * behind.  Address space, no memory before it is used. */
#define OUT_CAP (4u + 0x100000u + 8192u)

void conn_tuning(const struct conf *conf, struct fastio_tuning *t)
{
	*t = (struct fastio_tuning){
		.max_frame = 0x1ffff + 4u,
		.socket_options = conf->g.socket_options,
		.tcp_keepalive = true,
	};
}

void conn_tuning_of(const struct conn *c, struct fastio_tuning *t)
{
	conn_tuning(c->conf, t);
	if (c->large)
		t->max_frame = 0xffffffu + 4u;
}

void conn_large(struct conn *c)
{
	struct fastio_tuning t;

	if (c->large || c->nbt || c->host->porch)
		return;
	c->large = true;
	conn_tuning_of(c, &t);
	fastio_tune(c->io, &t);
}

static int conn_destroy(struct conn *c)
{
	munmap(c->out, c->out_cap);
	return 0;
}

struct conn *conn_new(TALLOC_CTX *mem, const struct srv_host *host, struct conf *conf, struct fastio *io,
		      const char *client_addr, const char *server_addr)
{
	struct conn *c = talloc_zero(mem, struct conn);

	if (!c)
		return NULL;
	c->out_cap = OUT_CAP;
	c->out = mmap(NULL, c->out_cap, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (c->out == MAP_FAILED) {
		talloc_free(c);
		return NULL;
	}
	talloc_set_destructor(c, conn_destroy);
	c->host = host;
	c->conf = conf;
	c->io = talloc_steal(c, io);
	c->client_addr = talloc_strdup(c, client_addr);
	c->server_addr = talloc_strdup(c, server_addr);
	c->client_key = neighbour_key(client_addr);
	c->arch = "Unknown";
	c->dialect_name = "";
	c->client_max = 1024;
	c->server_max = min_u32((uint32_t)conf->g.max_xmit, 65535) & ~3u; /* 16-bit clients copy it into a word */
	c->sessions = idtab_new(c, CONN_USERS);
	c->trees = idtab_new(c, CONN_TREES);
	c->opens = idtab_new(c, (uint16_t)(conf->g.max_open_files > 65534 ? 65534 : conf->g.max_open_files));
	c->searches = idtab_new(c, 512);
	c->arena = talloc_pool(c, 4096);
	c->last_request = c->began = clock_ms();
	conn_log_who(c, NULL, NULL);
	return c;
}

static void free_trees(struct conn *c)
{
	uint16_t id = 0;
	struct tree *t;

	while ((t = idtab_next(c->trees, id, &id)) != NULL)
		tree_free(&t);
}

void conn_free(struct conn **cp)
{
	struct conn *c = *cp;
	struct session *s;
	uint16_t id = 0;

	if (!c)
		return;
	park_stop_pieces(c);
	c->ending = true;
	free_trees(c);
	while ((s = idtab_next(c->sessions, id, &id)) != NULL)
		session_free(&s);
	if (c->sign.key)
		str_wipe(c->sign.key, c->sign.key_len);
	talloc_free(c);
	*cp = NULL;
}

/* False: it had ended before, for another reason. */
static bool end(struct conn *c, const char *fmt, va_list ap)
{
	if (c->dead)
		return false;
	c->dead = talloc_vasprintf(c, fmt, ap);
	if (!c->dead)
		c->dead = "out of memory";
	return true;
}

void conn_kill(struct conn *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (end(c, fmt, ap))
		log_at(LOG_SMB, 1, "connection closed: %s", c->dead);
	va_end(ap);
}

void conn_refuse(struct conn *c, const struct why *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (end(c, fmt, ap))
		why_refused(w, "the connection ends: %s", c->dead);
	va_end(ap);
}

uint64_t conn_timers(struct conn *c)
{
	uint64_t next = c->breaking ? oplock_tick(c) : UINT64_MAX;

	next = min_u64(next, notify_tick(c));
	if (c->leases)
		next = min_u64(next, lease_tick(c));
	if (c->hood)
		next = min_u64(next, neighbour_tick(c));
	return c->unsent ? min_u64(next, message_tick(c)) : next;
}

void conn_idle(struct conn *c, bool forget)
{
	struct tree *t;
	uint16_t id = 0;
	size_t have;

	while (forget && (t = idtab_next(c->trees, id, &id)) != NULL)
		if (t->fs)
			fs_share_rest(t->fs);

	fastio_data(c->io, &have);
	if (have == 0 && !fastio_unsent(c->io)) {
		fastio_idle(c->io);
		madvise(c->out, c->out_cap, MADV_DONTNEED);
	}
}

/* ---- hand-over ---- */

#define PACK_VERSION 2u

static void pack_text(struct wr *w, const char *s)
{
	size_t n = strlen(s);

	wr_u16(w, (uint16_t)n);
	wr_bytes(w, s, n);
}

static char *unpack_text(TALLOC_CTX *mem, struct rd *r)
{
	uint16_t n = rd_u16(r);
	const uint8_t *p = rd_take(r, n);

	return talloc_strndup(mem, p ? (const char *)p : "", p ? n : 0);
}

static void pack_name(struct wr *w, const struct wire_nbt_name *n)
{
	wr_bytes(w, n->name, sizeof(n->name));
	wr_u8(w, n->suffix);
}

static void unpack_name(struct rd *r, struct wire_nbt_name *n)
{
	rd_copy(r, n->name, sizeof(n->name));
	n->name[sizeof(n->name) - 1] = '\0';
	n->suffix = rd_u8(r);
}

/* A login between its legs: the UID and what came so far. */
static void pack_talk(TALLOC_CTX *mem, struct wr *w, const struct session *s)
{
	size_t n;
	uint8_t *p = auth_talk_pack(mem, s->talk, &n);

	wr_u16(w, s->uid);
	wr_u32(w, p ? (uint32_t)n : 0);
	wr_bytes(w, p ? p : (const uint8_t *)"", p ? n : 0);
	wr_u32(w, (uint32_t)s->blob_len);
	wr_bytes(w, s->blob ? s->blob : (const uint8_t *)"", s->blob_len);
	talloc_free(p);
}

static size_t pack_state(const struct conn *c, uint8_t *buf, size_t cap)
{
	struct wr w = wr_over(buf, cap);
	struct session *s;
	uint16_t id = 0, n = 0;

	wr_u8(&w, PACK_VERSION);
	wr_u8(&w, (uint8_t)(c->nbt | c->negotiated << 1 | c->ext_sec << 2 | c->plaintext << 3 | c->share_level << 4));
	wr_u8(&w, (uint8_t)c->dialect);
	wr_u32(&w, c->caps);
	wr_u32(&w, c->server_max);
	wr_u32(&w, c->session_key);
	wr_u32(&w, (uint32_t)(c->zone + 1440));
	pack_name(&w, &c->called);
	pack_name(&w, &c->calling);
	pack_text(&w, c->arch);
	pack_text(&w, c->dialect_name);
	pack_text(&w, c->last_user ? c->last_user : "");
	wr_u32(&w, c->client_max);
	wr_u32(&w, c->client_caps);
	while ((s = idtab_next(c->sessions, id, &id)) != NULL)
		n = (uint16_t)(n + (s->talk != NULL));
	wr_u16(&w, n);
	for (id = 0; (s = idtab_next(c->sessions, id, &id)) != NULL;)
		if (s->talk)
			pack_talk(c->arena, &w, s);
	return wr_ok(&w) ? w.pos : 0;
}

static bool unpack_talk(struct conn *c, struct rd *r)
{
	struct auth_talk_server who;
	uint16_t uid = rd_u16(r);
	uint32_t n = rd_u32(r), blob_len;
	const uint8_t *p = rd_take(r, n), *blob;
	struct session *s;

	blob_len = rd_u32(r);
	blob = rd_take(r, blob_len);
	if (!rd_ok(r))
		return false;
	s = talloc_zero(c, struct session);
	if (!s || !idtab_put(c->sessions, uid, s))
		return false;
	s->c = c;
	s->uid = uid;
	session_server(c, &who);
	s->talk = auth_talk_unpack(s, &who, p, n);
	if (blob_len) {
		s->blob = talloc_memdup(s, blob, blob_len);
		s->blob_len = s->blob ? blob_len : 0;
	}
	return s->talk != NULL;
}

static bool unpack_state(struct conn *c, struct rd *r)
{
	uint8_t bits;
	uint32_t zone;
	uint16_t n;

	if (rd_u8(r) != PACK_VERSION)
		return false;
	bits = rd_u8(r);
	c->nbt = bits & 1;
	c->negotiated = bits & 2;
	c->ext_sec = bits & 4;
	c->plaintext = bits & 8;
	c->share_level = bits & 16;
	c->dialect = (enum dialect)rd_u8(r);
	if (c->dialect > DIALECT_NT1)
		return false;
	c->caps = rd_u32(r);
	c->server_max = rd_u32(r);
	c->session_key = rd_u32(r);
	zone = rd_u32(r);
	if (zone > 2880)
		return false;
	c->zone = (int)zone - 1440;
	unpack_name(r, &c->called);
	unpack_name(r, &c->calling);
	c->arch = unpack_text(c, r);
	c->dialect_name = unpack_text(c, r);
	c->last_user = unpack_text(c, r);
	c->client_max = rd_u32(r);
	c->client_caps = rd_u32(r);
	if (c->client_max < 1024 || c->client_max > 65535)
		return false;
	n = rd_u16(r);
	while (n-- > 0)
		if (!unpack_talk(c, r))
			return false;
	return rd_ok(r) && c->server_max >= 1024 && c->server_max <= 65535;
}

void conn_remember(struct conn *c)
{
	size_t cap = 64 * 1024;

	if (!c->before)
		c->before = talloc_size(c, cap);
	c->before_len = c->before ? pack_state(c, c->before, cap) : 0;
}

uint8_t *conn_handover(TALLOC_CTX *mem, struct conn *c, size_t *len)
{
	size_t have;
	const uint8_t *data = fastio_data(c->io, &have);
	uint8_t *p = talloc_size(mem, 8 + c->before_len + have);
	struct wr w = wr_over(p, 8 + c->before_len + have);

	if (!p || c->before_len == 0)
		return NULL;
	wr_u32(&w, (uint32_t)c->before_len);
	wr_bytes(&w, c->before, c->before_len);
	wr_u32(&w, (uint32_t)have);
	wr_bytes(&w, data, have);
	*len = w.pos;
	return p;
}

bool conn_takeover(struct conn *c, const uint8_t *p, size_t len)
{
	struct rd r = rd_over(p, len), state;
	uint32_t n = rd_u32(&r), have;
	const uint8_t *data;

	state = rd_window(&r, rd_tell(&r), n);
	rd_skip(&r, n);
	have = rd_u32(&r);
	data = rd_take(&r, have);
	if (!rd_ok(&r) || !rd_ok(&state) || !unpack_state(c, &state))
		return false;
	conn_log_who(c, NULL, NULL);
	return fastio_preload(c->io, data, have);
}

/* ---- configuration ---- */

/* Linux asks for a tree anew only on a new connection: with an unknown TID alone its mount would fail for good. */
static void end_tree(struct conn *c, struct tree **t)
{
	tree_free(t);
	if (strcmp(c->arch, "CIFSFS") == 0)
		conn_kill(c, "a share of this Linux client was closed: it comes back for it");
}

void conn_reload(struct conn *c, struct conf *conf)
{
	struct conf *old = c->conf;
	struct tree *t;
	uint16_t id = 0;

	while ((t = idtab_next(c->trees, id, &id)) != NULL) {
		const struct conf_share *share = t->homes ? conf_homes(conf) : conf_find(conf, t->share->name);

		if (!share || !share->p.available) {
			why_refused(&(struct why){ LOG_SMB, .conf = share ? conf : NULL, .share = share, .param = "available",
						   .where = t->share_name, .fix = share ? "`available = yes`" :
						   "a section of that name in smb.conf" },
				    "share %s is gone from the configuration: its connection ends", t->share_name);
			end_tree(c, &t);
			continue;
		}
		t->share = share;
		if (t->fs)
			fs_share_rules(t->fs, &share->p);
		tree_settle(t);
		t->audit = conf_audit_mask(share->p.smb1d_audit, NULL);
		notify_observe(t);
		tree_forget_users(t);
	}
	c->conf = talloc_steal(c, conf);
	talloc_free(old);
}

void conn_close_share(struct conn *c, const char *name)
{
	struct tree *t;
	uint16_t id = 0;

	while ((t = idtab_next(c->trees, id, &id)) != NULL)
		if (str_caseeq(t->share->name, name) || str_caseeq(t->share_name, name))
			end_tree(c, &t);
}

void conn_put_again(struct conn *c, enum db_which which)
{
	struct session *s;
	struct tree *t;
	struct open *o;
	uint16_t id = 0;

	while (which == DB_SESSIONS && (s = idtab_next(c->sessions, id, &id)) != NULL)
		if (s->ready)
			session_put_again(s);
	while (which == DB_TREES && (t = idtab_next(c->trees, id, &id)) != NULL)
		tree_put_again(t);
	while (which == DB_WATCHES && (o = idtab_next(c->opens, id, &id)) != NULL)
		if (o->notify)
			notify_put_again(o);
}

void conn_macros(const struct conn *c, const struct session *s, const struct tree *t, struct conf_macros *m)
{
	*m = (struct conf_macros){
		.client_name = c->calling.name[0] ? c->calling.name : c->client_addr,
		.client_addr = c->client_addr,
		.server_name = c->called.name[0] ? c->called.name : c->conf->g.netbios_name,
		.server_addr = c->server_addr,
		.arch = c->arch,
		.dialect = c->dialect_name,
		.pid = (long)getpid(),
	};
	if (s && s->ready) {
		m->user_asked = s->account;
		m->user = s->id->user;
		m->home = s->id->home;
		m->domain = s->domain;
	}
	if (t) {
		m->service = t->share_name;
		m->path = t->root;
	}
}

void conn_log_who(const struct conn *c, const struct session *s, const struct tree *t)
{
	char who[124];
	int n = snprintf(who, sizeof(who), "%s", c->client_addr);

	if (c->calling.name[0] && n > 0 && (size_t)n < sizeof(who))
		n += snprintf(who + n, sizeof(who) - (size_t)n, " (%s)", c->calling.name);
	if (s && s->ready && n > 0 && (size_t)n < sizeof(who))
		n += snprintf(who + n, sizeof(who) - (size_t)n, " %s", s->anonymous ? "anonymous" : s->account);
	if (t && n > 0 && (size_t)n < sizeof(who))
		snprintf(who + n, sizeof(who) - (size_t)n, "@%s", t->share_name);
	log_who(who);
}
