/* cmd_session.c - from connect to logoff.
 *
 *   connect [nbt] [called="NAME" calling="NAME"]     nbt: a NetBIOS session request first
 *   negotiate "NT LM 0.12" ... [ext]
 *   session guest | anonymous | user NAME PASSWORD [ntlmv1|nt|lm|lmv2|ntlmv2|plain|ntlmssp|spnego] [sign vc=1]
 *       sign: wants signatures, and from then on all are made and checked; badmic: SPNEGO's list of mechanisms was changed
 *   tree \\host\share [service=A:] [pwlen=1] [flags=0]      tree_connect: the old one
 *   tdis, logoff, echo "data" [count=1], exit, keepalive, disconnect, kill N, settle */
#include "play.h"
#include "../unit/ntlm_client.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE16(n) ((uint16_t)(n))

/* ---- connections ---- */

static void put_nbt_name(struct wr *w, const char *name, uint8_t suffix)
{
	wr_u8(w, 32);
	for (unsigned i = 0; i < 16; i++) {
		uint8_t c = i == 15 ? suffix : i < strlen(name) ? (uint8_t)name[i] : ' ';

		wr_u8(w, (uint8_t)('A' + (c >> 4)));
		wr_u8(w, (uint8_t)('A' + (c & 15)));
	}
	wr_u8(w, 0);
}

static void run_connect(struct play *p, const struct step *s)
{
	uint8_t buf[80], head[4], code = 0;
	struct wr w = wr_over(buf, sizeof(buf));

	client_connect(p, p->c);
	if (!arg_has_word(s, "nbt") || p->why)
		return;
	wr_u32(&w, 0x44000081);
	put_nbt_name(&w, arg_text(p, s, "called", "*SMBSERVER"), 0x20);
	put_nbt_name(&w, arg_text(p, s, "calling", "TESTPC"), 0);
	if (!client_send(p, p->c, buf, w.pos) || !client_recv_head(p, p->c, head))
		return;
	field_num(p, "answer", head[0]);
	if (head[0] == NBT_NEGATIVE && recv(p->c->fd, &code, 1, 0) == 1)
		field_num(p, "code", code);
	if (!s->expects && head[0] != NBT_POSITIVE)
		play_fail(p, "a positive session response, got 0x%02x", head[0]);
}

static void run_keepalive(struct play *p, const struct step *s)
{
	(void)s;
	p->c->bare = true;
	client_send(p, p->c, (const uint8_t *)"\x85\0\0\0", 4);
	p->c->bare = false;
}

static void run_disconnect(struct play *p, const struct step *s)
{
	(void)s;
	client_close(p, p->c);
}

static void run_kill(struct play *p, const struct step *s)
{
	struct client *c = &p->clients[arg_pos_num(p, s, 0, p->c->n) % CLIENTS];
	int status;

	if (c->pid <= 0)
		return;
	kill(c->pid, SIGKILL);
	waitpid(c->pid, &status, 0);
	c->pid = 0;
	client_close(p, c);
}

static void run_settle(struct play *p, const struct step *s)
{
	struct reply r;

	(void)s;
	if (client_recv(p, p->c, &r) && !r.closed)
		play_fail(p, "the end of the connection, got a message");
	client_wait(p, p->c);
}

/* ---- negotiate ---- */

static void build_negotiate(struct play *p, const struct step *s, struct message *m)
{
	p->c->ext = arg_has_word(s, "ext");
	if (p->c->ext)
		m->buf[4 + 11] |= 0x08;
	msg_block(m);
	msg_bytes(m);
	for (size_t i = 0; i < s->nargs; i++)
		if (!s->args[i].name && s->args[i].v.kind == VALUE_BYTES) {
			wr_u8(&m->w, 2);
			msg_ascii(m, s->args[i].v.text);
		}
	msg_done(m);
}

static void parse_nt1(struct play *p, struct rd *w, struct rd *b)
{
	uint32_t caps;
	uint8_t keylen;

	field_num(p, "mode", rd_u8(w));
	field_num(p, "maxmux", rd_u16(w));
	field_num(p, "vcs", rd_u16(w));
	field_num(p, "maxbuf", rd_u32(w));
	field_num(p, "maxraw", rd_u32(w));
	rd_skip(w, 4);
	caps = rd_u32(w);
	field_num(p, "caps", caps);
	field_num(p, "time", rd_u64(w));
	field_num(p, "zone", rd_u16(w));
	keylen = rd_u8(w);
	field_num(p, "keylen", keylen);
	if (p->c->ext) {
		rd_skip(b, 16);
		field_num(p, "bloblen", rd_left(b));
		return;
	}
	rd_copy(b, p->c->challenge, keylen == 8 ? 8 : 0);
	for (int i = 0; i < 2 && rd_left(b); i++) { /* Unicode, here whatever the header says, is not aligned */
		struct rd here = rd_over(b->msg + b->pos, rd_left(b));

		field_text(p, i ? "server" : "domain", wire_str(p->step_mem, &here, caps & 4));
		rd_skip(b, here.pos);
	}
}

static void parse_negotiate(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words, bytes = b->bytes;

	(void)s;
	field_num(p, "index", rd_u16(&w));
	p->c->lanman = b->wct == 13;
	p->c->core = b->wct == 1;
	if (b->wct != 17)
		p->c->unicode = p->c->ntstatus = false;
	if (b->wct == 17) {
		parse_nt1(p, &w, &bytes);
	} else if (b->wct == 13) {
		field_num(p, "mode", rd_u16(&w));
		field_num(p, "maxbuf", rd_u16(&w));
		field_num(p, "maxmux", rd_u16(&w));
		field_num(p, "vcs", rd_u16(&w));
		field_num(p, "raw", rd_u16(&w));
		rd_skip(&w, 4);
		field_num(p, "dos_time", rd_u16(&w));
		field_num(p, "dos_date", rd_u16(&w));
		field_num(p, "zone", rd_u16(&w));
		field_num(p, "keylen", rd_u16(&w));
		rd_copy(&bytes, p->c->challenge, 8);
		if (rd_left(&bytes) > 0)
			field_text(p, "domain", reply_str(p, &bytes));
	}
}

/* ---- session ---- */

struct proof {
	uint8_t first[256], second[1024];
	size_t first_len, second_len;
	const char *user;
	struct ntlm_client ntlm;
	bool blob, raw, sign, bad_mic;
	uint8_t key[16];       /* for signing, without SPNEGO */
};

/* The key of the proof that counts for the server: the Unicode field's, else the OEM field's. */
static void make_key(struct proof *pr, const char *method, const char *password, const char *domain)
{
	uint8_t hash[16];

	if (strcmp(method, "ntlmv1") == 0 || strcmp(method, "nt") == 0) {
		auth_nt_hash(password, hash);
		auth_md4(hash, 16, pr->key);
	} else if (strcmp(method, "ntlmv2") == 0 || strcmp(method, "lmv2") == 0) {
		ntlmc_owf2(pr->user, domain, password, hash);
		auth_hmac_md5(hash, 16, pr->second_len ? pr->second : pr->first, 16, pr->key);
	} else if (strcmp(method, "lm") == 0) {
		auth_lm_hash(password, hash);
		memcpy(pr->key, hash, 8);
	}
}

static void make_proof(struct play *p, const struct step *s, struct proof *pr)
{
	const char *kind = arg_pos(s, 0, "guest"), *password = arg_pos(s, 2, ""), *method;
	const char *domain = arg_text(p, s, "domain", "WORKGROUP");
	static const uint8_t client_challenge[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };

	*pr = (struct proof){ .user = strcmp(kind, "guest") == 0 ? "nosuchuser" : "", .sign = arg_has_word(s, "sign"),
			      .bad_mic = arg_has_word(s, "badmic") };
	method = strcmp(kind, "user") == 0 ? arg_pos(s, 3, p->c->ext ? "spnego" : p->c->lanman ? "lm" : "ntlmv1")
					   : p->c->ext ? "spnego" : kind;
	if (strcmp(kind, "user") == 0)
		pr->user = arg_pos(s, 1, "");
	if (strcmp(method, "guest") == 0) {
		pr->first_len = pr->second_len = p->c->lanman ? 0 : 24;
	} else if (strcmp(method, "plain") == 0) {
		pr->first_len = strlen(password) + 1;
		memcpy(pr->first, password, pr->first_len);
	} else if (strcmp(method, "spnego") == 0 || strcmp(method, "ntlmssp") == 0) {
		pr->blob = true;
		pr->raw = strcmp(method, "ntlmssp") == 0;
		pr->ntlm = ntlmc_new(pr->user, domain, password);
		pr->ntlm.kind = strcmp(kind, "anonymous") == 0 ? NTLMC_KIND_NONE : NTLMC_KIND_V2;
	} else if (strcmp(method, "ntlmv2") == 0) {
		pr->second_len = ntlmc_v2(pr->user, domain, password, p->c->challenge, client_challenge,
					  (const uint8_t *)"\0\0\0\0", 4, pr->second, sizeof(pr->second));
	} else if (strcmp(method, "anonymous") != 0) {
		bool v1 = strcmp(method, "ntlmv1") == 0;

		if (v1 || strcmp(method, "lm") == 0)
			ntlmc_lm(password, p->c->challenge, pr->first), pr->first_len = 24;
		if (strcmp(method, "lmv2") == 0)
			ntlmc_lmv2(pr->user, domain, password, p->c->challenge, client_challenge, pr->first),
				pr->first_len = 24;
		if (v1 || strcmp(method, "nt") == 0)
			ntlmc_v1(password, p->c->challenge, pr->second), pr->second_len = 24;
		if (!pr->first_len && !pr->second_len)
			play_fail(p, "a login method, not %s", method);
	}
	make_key(pr, method, password, domain);
}

static void begin_signing(struct play *p, const struct proof *pr)
{
	bool nt = pr->second_len > 0;

	if (pr->blob)
		sign_begin(p, p->c, pr->ntlm.exported, 16, NULL, 0);
	else
		sign_begin(p, p->c, pr->key, 16, nt ? pr->second : pr->first, nt ? pr->second_len : pr->first_len);
}

static void put_setup_words(struct play *p, const struct step *s, struct message *m, size_t first, size_t second,
			    bool blob)
{
	struct client *c = p->c;

	msg_block(m);
	msg_andx(m);
	wr_u16(&m->w, SIZE16(arg_num(p, s, "maxbuf", c->max_buffer)));
	wr_u16(&m->w, 2);
	wr_u16(&m->w, SIZE16(arg_num(p, s, "vc", 1)));
	wr_u32(&m->w, (uint32_t)arg_num(p, s, "key", 0));
	wr_u16(&m->w, SIZE16(arg_num(p, s, "len1", first)));
	if (!blob && !c->lanman)
		wr_u16(&m->w, SIZE16(arg_num(p, s, "len2", second)));
	wr_u32(&m->w, 0);
	if (!c->lanman)
		wr_u32(&m->w, (uint32_t)arg_num(p, s, "caps", blob ? 0x8000c05c : 0xc05c));
	msg_bytes(m);
}

static size_t make_token(struct proof *pr, uint8_t *out, size_t cap, bool first)
{
	static const uint8_t wrong[16] = { 1, 0, 0, 0, 2 };
	uint8_t raw[2048];
	size_t n = first ? ntlmc_type1(&pr->ntlm, raw, sizeof(raw)) : ntlmc_type3(&pr->ntlm, raw, sizeof(raw));

	if (n + 160 > cap)
		return 0;
	if (!pr->raw)
		return first ? spnegoc_init(out, SPNEGOC_NTLMSSP, raw, n) : spnegoc_resp(out, raw, n, pr->bad_mic ? wrong : NULL);
	memcpy(out, raw, n);
	return n;
}

static void put_names(struct play *p, const struct step *s, struct message *m, const struct proof *pr)
{
	if (!pr->blob) {
		msg_str(p, m, pr->user);
		msg_str(p, m, arg_text(p, s, "domain", "WORKGROUP"));
	}
	msg_str(p, m, arg_text(p, s, "os", "Unix"));
	msg_str(p, m, arg_text(p, s, "lanman", "play"));
	msg_done(m);
}

static void build_leg(struct play *p, const struct step *s, struct message *m, struct proof *pr, bool first)
{
	uint8_t token[4096];
	size_t n = make_token(pr, token, sizeof(token), first);

	put_setup_words(p, s, m, n, 0, true);
	wr_bytes(&m->w, token, n);
	put_names(p, s, m, pr);
}

static struct proof under_way; /* between the legs of one step */

static void build_session(struct play *p, const struct step *s, struct message *m)
{
	struct proof *pr = &under_way;

	make_proof(p, s, pr);
	p->c->sign_wanted = p->c->sign_wanted || pr->sign;
	if (m->w.pos == SMB_HDR_LEN) /* not behind a LOGOFF in one message */
		put_u16(m->buf + 4 + 28, SIZE16(arg_num(p, s, "uid", 0)));
	if (pr->blob) {
		build_leg(p, s, m, pr, true);
		return;
	}
	put_setup_words(p, s, m, pr->first_len, pr->second_len, false);
	wr_bytes(&m->w, pr->first, pr->first_len);
	wr_bytes(&m->w, pr->second, pr->second_len);
	put_names(p, s, m, pr);
}

/* The challenge is in the blob: answers it.  True if the final reply is in p->reply and *b. */
static bool second_leg(struct play *p, const struct step *s, struct block *b)
{
	struct rd w = b->words, bytes = b->bytes;
	struct spnegoc_reply sp = { .state = 0 };
	struct message m;
	uint32_t n;

	rd_skip(&w, 6);
	n = rd_u16(&w);
	sp.token = rd_take(&bytes, n);
	sp.token_len = n;
	if (!sp.token || (!under_way.raw && !spnegoc_read(sp.token, n, &sp)) ||
	    !ntlmc_read_type2(&under_way.ntlm, sp.token, sp.token_len)) {
		play_fail(p, "a challenge, got a blob of %u bytes", n);
		return false;
	}
	msg_start(p, &m, 0x73);
	put_u16(m.buf + 4 + 28, p->reply.uid);
	build_leg(p, s, &m, &under_way, false);
	if (!play_exchange(p, &m, &p->reply)) {
		play_fail(p, "an answer to the second leg");
		return false;
	}
	return reply_block(p, &p->reply, SMB_HDR_LEN, true, b) && b->wct != 0;
}

static void parse_session(struct play *p, const struct step *s, const struct block *first)
{
	struct block block = *first, *b = &block;
	struct rd w, bytes;
	uint32_t blob = 0;

	if (p->reply.status == ST_MORE_PROCESSING_REQUIRED && under_way.blob && !second_leg(p, s, b))
		return;
	w = b->words;
	bytes = b->bytes;
	rd_skip(&w, 4);
	field_num(p, "action", rd_u16(&w));
	if (b->wct == 4)
		blob = rd_u16(&w);
	rd_skip(&bytes, blob);
	field_num(p, "uid", p->reply.uid);
	if (under_way.sign && p->reply.status == ST_OK)
		begin_signing(p, &under_way);
	p->c->uid = p->reply.uid;
	if (rd_left(&bytes) == 0)
		return;
	field_text(p, "os", reply_str(p, &bytes));
	field_text(p, "lanman", reply_str(p, &bytes));
	field_text(p, "domain", reply_str(p, &bytes));
}

/* ---- trees ---- */

static void build_tree(struct play *p, const struct step *s, struct message *m)
{
	uint16_t pwlen = SIZE16(arg_num(p, s, "pwlen", 1));

	msg_block(m);
	msg_andx(m);
	wr_u16(&m->w, SIZE16(arg_num(p, s, "flags", 0)));
	wr_u16(&m->w, pwlen);
	msg_bytes(m);
	wr_zero(&m->w, pwlen);
	msg_str(p, m, arg_pos(s, 0, "\\\\host\\share"));
	msg_ascii(m, arg_text(p, s, "service", "?????"));
	msg_done(m);
}

static void parse_tree(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words, bytes = b->bytes;

	(void)s;
	p->c->tid = p->reply.tid;
	rd_skip(&w, 4);
	if (b->wct >= 3)
		field_num(p, "support", rd_u16(&w));
	if (b->wct == 7)
		field_num(p, "max_access", rd_u32(&w));
	field_text(p, "service", wire_str(p->step_mem, &bytes, false));
	if (b->wct >= 3)
		field_text(p, "fs", reply_str(p, &bytes));
	if (rd_left(&bytes) > 0)
		play_fail(p, "nothing behind the file system, got %u bytes", rd_left(&bytes));
}

static void build_tree_connect(struct play *p, const struct step *s, struct message *m)
{
	msg_block(m);
	msg_bytes(m);
	msg_str_fmt(p, m, arg_pos(s, 0, "\\\\host\\share"));
	msg_str_fmt(p, m, arg_text(p, s, "password", ""));
	msg_str_fmt(p, m, arg_text(p, s, "service", "?????"));
	msg_done(m);
}

static void parse_tree_connect(struct play *p, const struct step *s, const struct block *b)
{
	struct rd w = b->words;

	(void)s;
	field_num(p, "maxbuf", rd_u16(&w));
	p->c->tid = rd_u16(&w);
	field_num(p, "tid", p->c->tid);
}

/* ---- short ones ---- */

static void build_empty(struct play *p, const struct step *s, struct message *m)
{
	(void)p, (void)s;
	msg_block(m);
	msg_bytes(m);
	msg_done(m);
}

static void build_logoff(struct play *p, const struct step *s, struct message *m)
{
	(void)p, (void)s;
	msg_block(m);
	msg_andx(m);
	msg_bytes(m);
	msg_done(m);
}

static void build_echo(struct play *p, const struct step *s, struct message *m)
{
	const char *text = arg_pos(s, 0, "");

	msg_block(m);
	wr_u16(&m->w, SIZE16(arg_num(p, s, "count", 1)));
	msg_bytes(m);
	wr_bytes(&m->w, text, strlen(text));
	msg_done(m);
}

static void parse_echo(struct play *p, const struct step *s, const struct block *first)
{
	uint64_t count = arg_num(p, s, "count", 1);
	struct block b = *first;

	for (unsigned i = 1;; i++) {
		struct rd w = b.words;
		uint16_t seq = rd_u16(&w);

		if (seq != i)
			play_fail(p, "echo number %u, got %u", i, seq);
		if (i >= count || i == 100 || p->why) {
			field_num(p, "count", i);
			break;
		}
		if (!client_recv(p, p->c, &p->reply) || p->reply.closed ||
		    !reply_block(p, &p->reply, SMB_HDR_LEN, true, &b)) {
			play_fail(p, "%u echoes, got %u", (unsigned)count, i);
			return;
		}
	}
	field_bytes(p, "data", b.bytes.msg + b.bytes.pos, rd_left(&b.bytes));
}

const struct command session_commands[] = {
	{ .name = "connect", .run = run_connect },
	{ .name = "keepalive", .run = run_keepalive },
	{ .name = "disconnect", .run = run_disconnect },
	{ .name = "kill", .run = run_kill },
	{ .name = "settle", .run = run_settle },
	{ "negotiate", 0x72, WORDS(1) | WORDS(13) | WORDS(17), build_negotiate, parse_negotiate, NULL },
	{ "session", 0x73, WORDS(3) | WORDS(4), build_session, parse_session, NULL },
	{ "tree", 0x75, WORDS(2) | WORDS(3) | WORDS(7), build_tree, parse_tree, NULL },
	{ "tree_connect", 0x70, WORDS(2), build_tree_connect, parse_tree_connect, NULL },
	{ "tdis", 0x71, WORDS(0), build_empty, NULL, NULL },
	{ "logoff", 0x74, WORDS(2), build_logoff, NULL, NULL },
	{ "echo", 0x2b, WORDS(1), build_echo, parse_echo, NULL },
	{ "exit", 0x11, WORDS(0), build_empty, NULL, NULL },
	{ "cancel", 0xa4, WORDS(0), build_empty, NULL, NULL },
	{ .name = NULL },
};
