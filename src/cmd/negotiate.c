/* negotiate.c - NEGOTIATE (0x72): the dialects the client speaks; we pick the best.
 *
 *   request  W=0; bytes: { 02 "dialect" 00 } ...
 *   reply    W=17 NT LM 0.12, W=13 LANMAN, W=1 CORE or none (index 0xffff)
 *
 * MS-CIFS 2.2.4.52, negotiate-session section 1.  Oddities:
 * - names in the NT1 reply are Unicode but not aligned (if the client speaks Unicode at all);
 * - NT clients take MaxBufferSize as a 32-bit field, others copy it into 16 bits: never above 65535;
 * - a second NEGOTIATE ends the connection. */
#include "base/log.h"
#include "base/util.h"
#include "cmd/cmd.h"
#include "conf/why.h"
#include <unistd.h>

static const struct dialect_row {
	const char *name;
	enum dialect dialect;
	int protocol; /* for `server min/max protocol` */
} dialects[] = {
	{ "PC NETWORK PROGRAM 1.0", DIALECT_CORE, CONF_PROTOCOL_CORE },
	{ "PCLAN1.0", DIALECT_CORE, CONF_PROTOCOL_CORE },
	{ "XENIX CORE", DIALECT_CORE, CONF_PROTOCOL_CORE },
	{ "MICROSOFT NETWORKS 1.03", DIALECT_COREPLUS, CONF_PROTOCOL_COREPLUS },
	{ "MICROSOFT NETWORKS 3.0", DIALECT_LANMAN1, CONF_PROTOCOL_LANMAN1 },
	{ "LANMAN1.0", DIALECT_LANMAN1, CONF_PROTOCOL_LANMAN1 },
	{ "DOS LANMAN1.0", DIALECT_LANMAN1, CONF_PROTOCOL_LANMAN1 },
	{ "LM1.2X002", DIALECT_LANMAN2, CONF_PROTOCOL_LANMAN2 },
	{ "DOS LM1.2X002", DIALECT_LANMAN2, CONF_PROTOCOL_LANMAN2 },
	{ "Samba", DIALECT_LANMAN2, CONF_PROTOCOL_LANMAN2 },
	{ "LANMAN2.1", DIALECT_LANMAN21, CONF_PROTOCOL_LANMAN2 },
	{ "DOS LANMAN2.1", DIALECT_LANMAN21, CONF_PROTOCOL_LANMAN2 },
	{ "Windows for Workgroups 3.1a", DIALECT_LANMAN21, CONF_PROTOCOL_LANMAN2 },
	{ "NT LANMAN 1.0", DIALECT_NT1, CONF_PROTOCOL_NT1 },
	{ "NT LM 0.12", DIALECT_NT1, CONF_PROTOCOL_NT1 },
	{ "CIFS", DIALECT_NT1, CONF_PROTOCOL_NT1 },
	{ "POSIX 2", DIALECT_NT1, CONF_PROTOCOL_NT1 },
};

struct negotiate_reply {
	uint16_t index;
	const struct dialect_row *row; /* NULL: none in common, because what we know of the client's is: */
	bool older, newer, unsigned_only;
};

static const struct dialect_row *find_dialect(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(dialects); i++)
		if (strcmp(dialects[i].name, name) == 0)
			return &dialects[i];
	return NULL;
}

static bool allowed(const struct conf *conf, const struct dialect_row *row, struct negotiate_reply *r)
{
	bool older = row->protocol < conf->g.server_min_protocol, newer = row->protocol > conf->g.server_max_protocol;
	bool cannot_sign = row->dialect < DIALECT_NT1 && conf->g.server_signing == CONF_SERVER_SIGNING_MANDATORY;

	r->older = r->older || older;
	r->newer = r->newer || newer;
	r->unsigned_only = r->unsigned_only || (!older && !newer && cannot_sign);
	return !older && !newer && !cannot_sign;
}

/* Walks the client's list.  `offered` collects it for the log line of a refusal. */
static status_t negotiate_decode(struct req *q, struct negotiate_reply *r, char **offered)
{
	uint16_t i;

	*r = (struct negotiate_reply){ .index = 0xffff };
	*offered = talloc_strdup(q->mem, "");
	for (i = 0; rd_left(&q->bytes) > 0 && i < 256; i++) {
		const struct dialect_row *row;
		char *name;

		if (rd_u8(&q->bytes) != 2)
			return ST_INVALID_SMB;
		name = wire_str(q->mem, &q->bytes, false);
		if (!name)
			return ST_NO_MEMORY;
		*offered = talloc_asprintf_append(*offered, "%s\"%s\"", i ? ", " : "", name);
		row = find_dialect(name);
		if (row && allowed(q->c->conf, row, r) && (!r->row || row->dialect > r->row->dialect)) {
			r->index = i;
			r->row = row;
		}
	}
	return ST_OK;
}

/* Nothing of what the client offers is spoken here: which fence stands in its way? */
static void fenced(const struct req *q, const struct negotiate_reply *r, const char *offered)
{
	struct why rule = { LOG_SMB, .conf = q->c->conf };

	if (r->unsigned_only) {
		rule.param = "server signing";
		rule.fix = "`server signing = auto`: only NT dialects can sign";
	} else if (r->older) {
		rule.param = "server min protocol";
		rule.fix = "an older `server min protocol`";
	} else if (r->newer) {
		rule.param = "server max protocol";
		rule.fix = "a newer `server max protocol`";
	}
	why_refused(&rule, "no dialect in common; the client offers %s", offered);
}

static uint8_t security_mode(const struct conn *c)
{
	uint8_t mode = c->share_level ? 0 : 1; /* a password for each share, or a user */

	if (!c->plaintext)
		mode |= 2;
	if (c->share_level)
		return mode; /* nobody signs there */
	if (c->conf->g.server_signing != CONF_SERVER_SIGNING_DISABLED && !c->plaintext)
		mode |= 4;
	if (c->conf->g.server_signing == CONF_SERVER_SIGNING_MANDATORY)
		mode |= 8;
	return mode;
}

/* Is there a share whose files can have a shared oplock? */
static bool level2_anywhere(const struct conf *conf)
{
	for (size_t i = 0; i < conf->nshares; i++)
		if (conf->shares[i]->p.oplocks && conf->shares[i]->p.level2_oplocks)
			return true;
	return false;
}

/* Bit 0 raw read, bit 1 raw write; never beside signatures, which raw frames have no room for. */
static uint16_t raw_modes(const struct conn *c)
{
	const struct conf_globals *g = &c->conf->g;

	if (g->server_signing == CONF_SERVER_SIGNING_MANDATORY)
		return 0;
	return (uint16_t)((g->read_raw ? 1 : 0) | (g->write_raw ? 2 : 0));
}

static uint32_t capabilities(const struct req *q)
{
	const struct conf *conf = q->c->conf;
	uint32_t caps = CAP_LARGE_FILES | CAP_LOCK_AND_READ | CAP_NT_SMBS | CAP_RPC_REMOTE_APIS | CAP_NT_FIND | CAP_INFOLEVEL_PASSTHRU;

	if (conf->g.unicode)
		caps |= CAP_UNICODE;
	if (conf->g.nt_status_support)
		caps |= CAP_STATUS32;
	if (level2_anywhere(conf))
		caps |= CAP_LEVEL_II_OPLOCKS;
	if (raw_modes(q->c) == 3) /* one bit stands for both */
		caps |= CAP_RAW_MODE;
	if (conf->g.smb1_unix_extensions)
		caps |= CAP_UNIX;
	if (conf->g.large_readwrite)
		caps |= CAP_LARGE_READX | CAP_LARGE_WRITEX;
	return caps;
}

/* The server's GUID: the NetBIOS name padded with zeros. */
static void put_guid(struct wr *w, const char *name)
{
	uint8_t guid[16] = { 0 };

	memcpy(guid, name, strnlen(name, sizeof(guid)));
	wr_bytes(w, guid, sizeof(guid));
}

static void encode_nt1(struct req *q, const struct negotiate_reply *r)
{
	struct conn *c = q->c;
	struct wr *w = req_words(q, 17);
	bool unicode = c->caps & CAP_UNICODE; /* NT: UTF-16 even to clients without (MS-CIFS 2.2.4.52.2); they skip it */

	wr_u16(w, r->index);
	wr_u8(w, security_mode(c));
	wr_u16(w, (uint16_t)c->conf->g.max_mux);
	wr_u16(w, 1);
	wr_u32(w, c->server_max);
	wr_u32(w, 0x10000);
	wr_u32(w, c->session_key);
	wr_u32(w, c->caps);
	wr_u64(w, clock_now());
	wr_u16(w, (uint16_t)c->zone);
	wr_u8(w, c->ext_sec || c->plaintext ? 0 : 8);
	req_bytes(q);
	if (c->ext_sec) {
		uint8_t hello[256];
		size_t n = auth_spnego_hello(hello, sizeof(hello));

		put_guid(w, c->conf->g.netbios_name);
		wr_bytes(w, hello, n <= sizeof(hello) ? n : 0);
	} else {
		if (!c->plaintext)
			wr_bytes(w, c->host->challenge, 8);
		wire_put_str(w, c->conf->g.workgroup, unicode, WSTR_NUL);
		wire_put_str(w, c->conf->g.netbios_name, unicode, WSTR_NUL);
	}
	req_done(q);
}

static void encode_lanman(struct req *q, const struct negotiate_reply *r)
{
	struct conn *c = q->c;
	struct wr *w = req_words(q, 13);
	nttime_t now = clock_now();

	q->reply_flags |= FLAG_LOCK_AND_READ_OK;
	wr_u16(w, r->index);
	wr_u16(w, security_mode(c) & 3);
	wr_u16(w, (uint16_t)c->server_max);
	wr_u16(w, (uint16_t)c->conf->g.max_mux);
	wr_u16(w, 1);
	wr_u16(w, raw_modes(c));
	wr_u32(w, c->session_key);
	wr_u16(w, dos_time(now, c->zone)); /* time before date, here alone */
	wr_u16(w, dos_date(now, c->zone));
	wr_u16(w, (uint16_t)c->zone);
	wr_u16(w, c->plaintext ? 0 : 8);
	wr_u16(w, 0);
	req_bytes(q);
	if (!c->plaintext)
		wr_bytes(w, c->host->challenge, 8);
	if (c->dialect == DIALECT_LANMAN21)
		wire_put_str(w, c->conf->g.workgroup, false, WSTR_NUL);
	req_done(q);
}

static void encode_core(struct req *q, uint16_t index)
{
	struct wr *w = req_words(q, 1);

	wr_u16(w, index);
	req_bytes(q);
	req_done(q);
}

/* By address, port, and the names of its NetBIOS session request. */
static int listed(const struct conn *c, const char *const *list)
{
	const struct conf_peer p = { .addr = c->client_addr, .claimed = c->calling.name, .called = c->called.name,
				     .port = c->host->port };

	return list[0] ? conf_client_rule(list, &p) : 0;
}

/* Does this client get a challenge?  The core protocol has none; the first LANMAN dialects may do without for
 * clients that `smb1d: plaintext clients` names.  Whoever offers more can answer a challenge. */
static bool challenged(const struct conn *c)
{
	int rule = listed(c, c->conf->g.smb1d_plaintext_clients);

	if (c->dialect <= DIALECT_COREPLUS || (!c->conf->g.encrypt_passwords && rule >= 0))
		return false;
	return c->dialect > DIALECT_LANMAN1 || rule <= 0;
}

static void settle(struct req *q, const struct dialect_row *row)
{
	struct conn *c = q->c;
	int share_level = listed(c, c->conf->g.smb1d_share_level_clients);

	c->negotiated = true;
	c->dialect = row->dialect;
	c->dialect_name = row->name;
	c->share_level = share_level > 0 || c->dialect <= DIALECT_COREPLUS ||
			 (c->conf->g.security == CONF_SECURITY_SHARE && share_level == 0);
	c->plaintext = !challenged(c);
	if (c->dialect <= DIALECT_COREPLUS) /* which never says what it takes, but asks for what it can take */
		c->client_max = c->server_max;
	c->session_key = (uint32_t)getpid();
	c->zone = clock_zone(time(NULL));
	if (c->dialect == DIALECT_NT1) {
		c->caps = capabilities(q);
		c->ext_sec = (q->h.flags2 & FLAG2_EXTENDED_SECURITY) && !c->plaintext && !c->share_level;
		if (c->ext_sec)
			c->caps |= CAP_EXTENDED_SECURITY;
	} else if (c->dialect >= DIALECT_LANMAN2 && c->conf->g.smb1_unix_extensions) {
		c->caps = CAP_UNIX; /* which these replies cannot tell; who asks for it has it */
	}
}

status_t cmd_negotiate(struct req *q)
{
	struct negotiate_reply r;
	char *offered;
	status_t st;

	if (q->c->negotiated) {
		conn_kill(q->c, "a second NEGOTIATE");
		return ST_INVALID_SMB;
	}
	st = negotiate_decode(q, &r, &offered);
	if (st != ST_OK)
		return st;
	if (!r.row) {
		fenced(q, &r, offered ? offered : "");
		encode_core(q, 0xffff);
		return ST_OK;
	}
	settle(q, r.row);
	log_at(LOG_SMB, 3, "dialect %s%s", r.row->name, q->c->ext_sec ? ", extended security" : "");
	if (q->c->dialect == DIALECT_NT1)
		encode_nt1(q, &r);
	else if (q->c->dialect >= DIALECT_LANMAN1)
		encode_lanman(q, &r);
	else
		encode_core(q, r.index);
	return ST_OK;
}
