/* cover_wire.c - requests and replies looked at for what they ask and say. */
#include "cover.h"
#include "base/cursor.h"
#include "base/util.h"
#include "rpc/iface.h"
#include "wire/wire.h"
#include <string.h>

#define MOST_LINKS 8u

static void add_key(struct cover_asked *a, const char *table, uint32_t number, unsigned block)
{
	if (a->n < COVER_KEYS)
		a->key[a->n++] = (struct cover_key){ table, number, block };
}

/* ---- RPC ---- */

static const char *bound_to(const struct cover_conn *c, uint16_t fid)
{
	for (unsigned i = c->npipes; i-- > 0;)
		if (c->pipe[i].fid == fid)
			return c->pipe[i].iface;
	return NULL;
}

static void remember_bind(struct cover_conn *c, uint16_t fid, struct rd *d)
{
	const uint8_t *uuid;

	rd_seek(d, 32);
	uuid = rd_take(d, 16);
	for (size_t i = 0; uuid && rpc_iface_at(i); i++)
		if (memcmp(uuid, rpc_iface_at(i)->uuid, 16) == 0 && c->npipes < ARRAY_LEN(c->pipe))
			c->pipe[c->npipes++] = (struct cover_pipe){ fid, rpc_iface_at(i)->name };
}

static void look_at_pdu(struct cover_conn *c, struct cover_asked *a, uint16_t fid, struct rd d)
{
	const char *iface = bound_to(c, fid);
	uint8_t type;
	uint16_t op;

	rd_seek(&d, 2);
	type = rd_u8(&d);
	if (type == 11 || type == 14)
		remember_bind(c, fid, &d);
	rd_seek(&d, 22);
	op = rd_u16(&d);
	if (type == 0 && iface && rd_ok(&d))
		add_key(a, iface, op, 0);
}

/* ---- transactions ---- */

struct parts { struct rd p, d; uint16_t setup[4]; unsigned nsetup; };

static void get_setup(struct rd *w, unsigned n, struct parts *t)
{
	for (unsigned i = 0; i < n && i < ARRAY_LEN(t->setup) && rd_left(w) >= 2; i++)
		t->setup[t->nsetup++] = rd_u16(w);
}

static struct rd part(const struct rd *msg, uint32_t off, uint32_t n)
{
	struct rd all = rd_over(msg->msg, msg->end), bad = { .bad = true };

	return off <= all.end && n <= all.end - off ? rd_over(msg->msg + off, n) : bad;
}

/* Words of 0x25 and 0x32 (16 bits) or 0xa0 (32 bits), from their first. */
static struct parts get_parts(const struct rd *msg, struct rd w, bool wide)
{
	struct parts t = { .nsetup = 0 };
	uint32_t pn, po, dn, doff;

	rd_skip(&w, wide ? 19 : 18);
	pn = wide ? rd_u32(&w) : rd_u16(&w);
	po = wide ? rd_u32(&w) : rd_u16(&w);
	dn = wide ? rd_u32(&w) : rd_u16(&w);
	doff = wide ? rd_u32(&w) : rd_u16(&w);
	t.p = part(msg, po, pn);
	t.d = part(msg, doff, dn);
	if (wide) {
		uint8_t n = rd_u8(&w);

		rd_skip(&w, 2);
		get_setup(&w, n, &t);
	} else {
		uint8_t n = rd_u8(&w);

		rd_skip(&w, 1);
		get_setup(&w, n, &t);
	}
	return t;
}

static void look_at_trans2(struct cover_asked *a, struct parts *t)
{
	static const struct { const char *table; uint32_t at; } level[] = {
		[1] = { "find", 6 }, [2] = { "find", 4 }, [3] = { "query_fs", 0 }, [4] = { "set_fs", 2 },
		[5] = { "query", 0 }, [6] = { "set", 0 }, [7] = { "query", 2 }, [8] = { "set", 2 },
	};
	uint16_t code = t->setup[0], n;

	if (t->nsetup == 0)
		return;
	add_key(a, "trans2", code, 0);
	if (code >= ARRAY_LEN(level) || !level[code].table)
		return;
	rd_skip(&t->p, level[code].at);
	n = rd_u16(&t->p);
	if (rd_ok(&t->p))
		add_key(a, level[code].table, n, 0);
}

static void look_at_trans(struct cover_conn *c, struct cover_asked *a, struct parts *t, const struct rd *name)
{
	struct rd n = *name;
	char text[12] = "";
	size_t len = 0;

	while (rd_left(&n) > 0 && len < sizeof(text) - 1) {
		uint8_t b = rd_u8(&n);

		if (b && !(len == 0 && b == '\\'))
			text[len++] = (char)b;
	}
	if (strncasecmp(text, "MAILSLOT", 8) == 0)
		add_key(a, "mailslot", 0, 0);
	else if (strncasecmp(text, "PIPE\\LANMAN", 11) == 0 && rd_left(&t->p) >= 2)
		add_key(a, "rap", rd_u16(&t->p), 0);
	else if (t->nsetup > 0)
		add_key(a, "pipe", t->setup[0], 0);
	if (t->nsetup > 1 && t->setup[0] == 0x26)
		look_at_pdu(c, a, t->setup[1], t->d);
}

static void look_at_nttrans(struct cover_asked *a, struct parts *t, struct rd w)
{
	uint16_t fn;

	rd_skip(&w, 36);
	fn = rd_u16(&w);
	if (!rd_ok(&w))
		return;
	add_key(a, "nttrans", fn, 0);
	if (fn == 2 && t->nsetup >= 4)
		add_key(a, "fsctl", t->setup[0] | (uint32_t)t->setup[1] << 16, 0);
}

/* ---- a request ---- */

static bool has_andx(uint8_t cmd)
{
	return cmd == 0x24 || (cmd >= 0x2d && cmd <= 0x2f) || (cmd >= 0x73 && cmd <= 0x75) || cmd == 0xa2;
}

static void look_inside(struct cover_conn *c, struct cover_asked *a, const struct rd *msg, struct rd words)
{
	struct rd name = *msg;
	struct parts t = get_parts(msg, words, a->command == 0xa0);

	rd_seek(&name, min_u32(words.end + 2, msg->end));
	if (a->command == 0x32)
		look_at_trans2(a, &t);
	else if (a->command == 0x25)
		look_at_trans(c, a, &t, &name);
	else if (a->command == 0xa0)
		look_at_nttrans(a, &t, words);
}

static void look_at_request(struct cover_conn *c, struct cover_asked *a, const uint8_t *p, size_t len)
{
	struct rd m = rd_over(p, (uint32_t)len);
	uint8_t cmd = a->command;

	rd_seek(&m, SMB_HDR_LEN);
	for (unsigned i = 0; i < MOST_LINKS; i++) {
		uint32_t wct = rd_u8(&m), next;
		struct rd w = rd_window(&m, rd_tell(&m), 2 * wct);

		add_key(a, "command", cmd, i);
		if (i == 0 && rd_ok(&w))
			look_inside(c, a, &m, w);
		if (!has_andx(cmd) || wct < 2 || !rd_ok(&w))
			return;
		cmd = rd_u8(&w);
		rd_skip(&w, 1);
		next = rd_u16(&w);
		if (cmd == 0xff || next <= rd_tell(&m) || next >= len)
			return;
		rd_seek(&m, next);
	}
}

static void note(struct coverage *seen, const char *table, uint32_t number, bool error, const char *status)
{
	struct cover_row *r = NULL;

	for (size_t i = 0; i < seen->n && !r; i++)
		if (seen->row[i].number == number && strcmp(seen->row[i].table, table) == 0)
			r = &seen->row[i];
	if (!r) {
		seen->row = talloc_realloc(seen, seen->row, struct cover_row, (unsigned)seen->n + 1);
		r = &seen->row[seen->n++];
		*r = (struct cover_row){ .table = table, .number = number };
	}
	if (!error)
		r->right = "";
	else if (!r->wrong)
		r->wrong = "", r->status = talloc_strdup(seen, status);
}

void cover_sent(struct coverage *seen, struct cover_conn *c, const uint8_t *b, size_t n)
{
	while (seen && n > 4) {
		size_t len = (size_t)b[1] << 16 | (size_t)b[2] << 8 | b[3];
		struct cover_asked a = { .n = 0 };
		struct smb_hdr h;

		len = len < n - 4 ? len : n - 4;
		if (b[0] == NBT_MESSAGE && wire_hdr_read(b + 4, len, &h)) {
			a.command = h.command;
			a.mid = h.mid;
			look_at_request(c, &a, b + 4, len);
			if (h.command == 0xa4 && b[4 + SMB_HDR_LEN] == 0) /* is never answered */
				note(seen, "command", h.command, false, "");
			c->asked = talloc_realloc(seen, c->asked, struct cover_asked, (unsigned)c->nasked + 1);
			c->asked[c->nasked++] = a;
		}
		b += 4 + len;
		n -= 4 + len;
	}
}

/* ---- a reply ---- */

static const char *status_text(TALLOC_CTX *mem, const struct smb_hdr *h, uint32_t raw)
{
	if (h->flags2 & FLAG2_NT_STATUS)
		return status_name(raw);
	return talloc_asprintf(mem, "DOS-%u/%u", raw & 0xff, raw >> 16);
}

/* The data of a transaction's reply (`wide`: of NT_TRANSACT); its parameters if `params`. */
static struct rd reply_part(const uint8_t *msg, size_t len, bool params)
{
	struct rd m = rd_over(msg, (uint32_t)len), w;
	uint32_t n, off;
	uint8_t wct;

	rd_seek(&m, SMB_HDR_LEN);
	wct = rd_u8(&m);
	w = rd_window(&m, rd_tell(&m), 2u * wct);
	rd_skip(&w, params ? 6 : 12);
	n = rd_u16(&w);
	off = rd_u16(&w);
	return rd_ok(&w) ? part(&m, off, n) : (struct rd){ .bad = true };
}

/* RAP tells its own status, so does RPC (mostly in the last four bytes). */
static bool inner_error(TALLOC_CTX *mem, const struct cover_key *k, const uint8_t *msg, size_t len,
			const char **status)
{
	bool rap = strcmp(k->table, "rap") == 0, last;
	struct rd r = reply_part(msg, len, rap);
	uint32_t v;

	if (rap) {
		v = rd_u16(&r);
		*status = talloc_asprintf(mem, "RAP-%u", v);
		return !rd_ok(&r) || (v != 0 && v != 234);
	}
	rd_seek(&r, 2);
	if (rd_u8(&r) == 3) {
		rd_seek(&r, 24);
		*status = talloc_asprintf(mem, "fault-0x%08x", rd_u32(&r));
		return true;
	}
	last = rd_u8(&r) & 2; /* of its fragments */
	rd_seek(&r, r.end >= 4 ? r.end - 4 : 0);
	v = rd_u32(&r);
	*status = v >> 30 == 3 ? status_name(v) : talloc_asprintf(mem, "error-0x%x", v);
	if (!last || (strcmp(k->table, "mgmt") == 0 && k->number == 2)) /* that one ends in "yes" */
		return false;
	return v != 0 && v != 234 && v != 0x105 && v != 0x107; /* more, more, some are unknown */
}

static bool has_inner(const char *table)
{
	for (size_t i = 0; rpc_iface_at(i); i++)
		if (strcmp(rpc_iface_at(i)->name, table) == 0)
			return true;
	return strcmp(table, "rap") == 0;
}

/* How many blocks the reply has, less one. */
static unsigned last_block(const uint8_t *msg, size_t len, uint8_t cmd)
{
	struct rd m = rd_over(msg, (uint32_t)len);
	unsigned n = 0;

	rd_seek(&m, SMB_HDR_LEN);
	for (; n < MOST_LINKS; n++) {
		uint8_t wct = rd_u8(&m);
		uint32_t next;

		if (!has_andx(cmd) || wct < 2)
			break;
		cmd = rd_u8(&m);
		rd_skip(&m, 1);
		next = rd_u16(&m);
		if (!rd_ok(&m) || cmd == 0xff || next <= rd_tell(&m) || next >= len)
			break;
		rd_seek(&m, next);
	}
	return n;
}

/* No such session, no such tree. */
static bool no_way_in(const char *status)
{
	return strcmp(status, "DOS-2/91") == 0 || strcmp(status, "DOS-2/5") == 0;
}

static void settle(struct coverage *seen, const struct cover_asked *a, const uint8_t *msg, size_t len,
		   const struct smb_hdr *h)
{
	uint32_t raw = (uint32_t)(msg[5] | msg[6] << 8 | msg[7] << 16) | (uint32_t)msg[8] << 24;
	bool nt = (h->flags2 & FLAG2_NT_STATUS) && !status_is_dos(raw);
	/* a list that is wrong is a mere warning to NT; more than fits is no error */
	bool failed = nt ? raw >> 31 && raw != ST_BUFFER_OVERFLOW : raw != 0 && raw != (1u | 234u << 16);
	unsigned last = last_block(msg, len, h->command);

	for (unsigned i = 0; i < a->n; i++) {
		const struct cover_key *k = &a->key[i];
		const char *status = "";
		bool error = failed && k->block == last;

		if (k->block > last)
			continue;
		if (error)
			status = status_text(seen, h, raw);
		if (error && strcmp(k->table, "command") != 0 && no_way_in(status))
			continue; /* that says nothing about what is below the command */
		if (!error && has_inner(k->table))
			error = inner_error(seen, k, msg, len, &status);
		note(seen, k->table, k->number, error, status);
	}
}

/* Secondaries, and the late word of a WRITE_RAW, belong to another command. */
static bool answers(const struct cover_asked *a, const struct smb_hdr *h)
{
	uint8_t c = a->command;

	if (a->mid != h->mid)
		return false;
	return c == h->command || (c == 0x1d && h->command == 0x20) ||
	       ((c == 0x26 || c == 0x33 || c == 0xa1) && h->command == c - 1);
}

static bool interim(const struct smb_hdr *h, const uint8_t *msg)
{
	return (h->command == 0x25 || h->command == 0x32 || h->command == 0xa0) && msg[SMB_HDR_LEN] == 0 &&
	       msg[5] == 0 && msg[7] == 0 && msg[8] == 0;
}

void cover_got(struct coverage *seen, struct cover_conn *c, const uint8_t *msg, size_t len)
{
	struct cover_asked *newest = c->nasked ? &c->asked[c->nasked - 1] : NULL;
	struct smb_hdr h;

	if (!seen || !newest)
		return;
	if (newest->command == 0x1a) { /* answered by bare data, or none */
		note(seen, "command", 0x1a, len == 0, "no-data");
		c->nasked--;
		return;
	}
	if (!wire_hdr_read(msg, len, &h) || interim(&h, msg))
		return;
	for (size_t i = 0; i < c->nasked;) {
		if (!answers(&c->asked[i], &h)) {
			i++;
			continue;
		}
		settle(seen, &c->asked[i], msg, len, &h);
		if (h.command == 0x20 || c->asked[i].command != 0x1d)
			c->asked[i] = c->asked[--c->nasked];
		else
			i++;
	}
	if (h.command == 0x20)
		note(seen, "command", 0x20, status_is_error(h.status), status_name(h.status));
}
