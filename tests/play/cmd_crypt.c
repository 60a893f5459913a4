/* cmd_crypt.c - the encrypted transport, from the client's side.
 *
 *   encrypt USER PASSWORD [raw] [aead] [flags=0x62088235] [offered=N caps=N maxp=N]   in the tree at hand:
 *          -> status= legs= context= [cipher=]; frames are sealed from now on
 *   crypt plain|key|changed|head|cut|replay|lost|swap|context|short     what is wrong with the next frame
 *   logged "text"     the server's log has said this */
#include "crypt.h"
#include "../unit/ntlm_client.h"
#include "base/util.h"
#include "transact.h"
#include <stdio.h>

#define LEVEL 0x203u
#define CAP_AEAD 0x1000000000000ull
#define FLAGS (NTLMC_FLAGS | 0x20u) /* seal */

/* ---- frames ---- */

static size_t seal_one(struct client_crypt *k, const uint8_t *frame, size_t len, uint8_t *out)
{
	size_t extra = k->aead ? 24 : SEAL_SIGNATURE, body = len - 8;
	struct wr w = wr_over(out, len + extra);

	wr_u32(&w, 0);
	wire_frame_write(out, NBT_MESSAGE, (uint32_t)(len - 4 + extra));
	wr_bytes(&w, "\xff" "E", 2);
	wr_u16(&w, (uint16_t)(k->context + (k->fault == FAULT_CONTEXT)));
	memcpy(out + 8 + extra, frame + 8, body);
	if (k->aead) {
		wr_u64(&w, k->keys.out.number);
		aead_seal(&k->keys.out, out, 16, out + 8 + extra, body, out + 16);
	} else {
		seal_out(&k->seal, out + 8 + extra, body, out + 8 + extra, body, out + 8);
	}
	return len + extra;
}

static void other_key(struct client_crypt *k)
{
	static const uint8_t key[32];

	k->seal.out.sign_key[0] ^= 1;
	chacha_poly1305_set_key(&k->keys.out.ctx, key);
}

uint8_t *crypt_wrap(struct play *p, struct client_crypt *k, const uint8_t *frame, size_t len, size_t *out_len)
{
	uint8_t *out = talloc_zero_size(p->step_mem, 2 * (len + 64));
	size_t n, m = 0;

	if (k->fault == FAULT_KEY)
		other_key(k);
	n = seal_one(k, frame, len, out);
	if (k->fault == FAULT_PLAIN)
		memcpy(out, frame, n = len);
	if (k->fault == FAULT_CHANGED)
		out[n - 1] ^= 1;
	if (k->fault == FAULT_HEAD) /* a number that was not sealed */
		out[k->aead ? 8 : 20] ^= 1;
	if (k->fault == FAULT_CUT)
		wire_frame_write(out, NBT_MESSAGE, (uint32_t)(--n - 4));
	if (k->fault == FAULT_SHORT)
		wire_frame_write(out, NBT_MESSAGE, (uint32_t)((n = 12) - 4));
	if (k->fault == FAULT_REPLAY)
		memcpy(out + n, out, n), m = n;
	if (k->fault == FAULT_LOST)
		n = seal_one(k, frame, len, out);
	if (k->fault == FAULT_SWAP) {
		memmove(out + n, out, n);
		m = n;
		n = seal_one(k, frame, len, out);
	}
	k->fault = FAULT_NONE;
	*out_len = n + m;
	return out;
}

uint8_t *crypt_unwrap(struct play *p, struct client_crypt *k, uint8_t *frame, uint32_t *len)
{
	uint32_t extra = k->aead ? 24 : SEAL_SIGNATURE;
	uint8_t *msg = frame + 4 + extra;
	struct rd r = rd_over(frame, 4 + *len);
	bool ok;

	rd_seek(&r, 8);
	if (*len <= 4 + extra || memcmp(frame + 4, "\xff" "E", 2) != 0 ||
	    frame[6] != (uint8_t)k->context || frame[7] != (uint8_t)(k->context >> 8)) {
		play_fail(p, "a sealed frame, got %u bytes in the clear", *len);
		return NULL;
	}
	if (k->aead)
		ok = rd_u64(&r) == k->keys.in.number &&
		     aead_open(&k->keys.in, frame, 16, msg + 4, *len - 4 - extra, frame + 16);
	else
		ok = seal_in(&k->seal, msg + 4, *len - 4 - extra, msg + 4, *len - 4 - extra, frame + 8);
	if (!ok) {
		play_fail(p, "the server's next sealed frame, got one that cannot be opened");
		return NULL;
	}
	memcpy(msg, "\xffSMB", 4);
	*len -= extra;
	return msg;
}

/* ---- the agreement ---- */

static struct transact now;

/* Sends what is in `now`; false if it failed, with the status as a field. */
static bool exchange(struct play *p, const struct step *s, uint16_t code)
{
	struct message m;
	struct block b;

	now.nsetup = 1;
	now.setup[0] = code;
	msg_start(p, &m, 0x32);
	transact_build(p, s, &m, &now);
	if (p->why || (!play_exchange(p, &m, &p->reply) && !p->reply.closed)) {
		play_fail(p, "a reply, got none");
		return false;
	}
	now.rp_len = now.rd_len = 0;
	if (p->reply.closed) {
		client_wait(p, p->c);
		field_num(p, "closed", 1);
		return false;
	}
	return p->reply.status == 0 && reply_block(p, &p->reply, SMB_HDR_LEN, true, &b) &&
	       (b.wct == 0 || transact_collect(p, s, &now, &b));
}

static bool leg(struct play *p, const struct step *s, const uint8_t *token, size_t n)
{
	transact_new(p, &now, 0x32);
	now.max_p = 40;
	wr_u16(&now.p, 0);
	wr_u16(&now.p, LEVEL);
	wr_bytes(&now.d, token, n);
	return exchange(p, s, 4);
}

/* Capabilities: what the server offers, and that we take the better form. */
static bool ask_aead(struct play *p, const struct step *s, struct aead_agreed *g)
{
	struct rd r;

	transact_new(p, &now, 0x32);
	wr_u16(&now.p, 0x200);
	if (!exchange(p, s, 3))
		return false;
	r = rd_over(now.rd, now.rd_len);
	rd_skip(&r, 4);
	g->offered = rd_u64(&r);
	if (!(g->offered & CAP_AEAD))
		play_fail(p, "the server to offer AEAD");
	g->asked = arg_num(p, s, "caps", CAP_AEAD | 0x30);
	transact_new(p, &now, 0x32);
	wr_u32(&now.p, 0x2000000);
	wr_u32(&now.d, 1);
	wr_u64(&now.d, g->asked);
	g->offered = arg_num(p, s, "offered", g->offered);
	return exchange(p, s, 4);
}

static bool legs(struct play *p, const struct step *s, struct ntlm_client *n, unsigned *count)
{
	uint8_t raw[2048], token[4096];
	struct spnegoc_reply sp = { .state = 0 };
	bool bare = arg_has_word(s, "raw");
	size_t len = ntlmc_type1(n, raw, sizeof(raw));

	*count = 1;
	if (!leg(p, s, bare ? raw : token, bare ? len : spnegoc_init(token, SPNEGOC_NTLMSSP, raw, len)))
		return false;
	sp.token = now.rd;
	sp.token_len = now.rd_len;
	if (now.rp_len != 0 || (!bare && !spnegoc_read(now.rd, now.rd_len, &sp)) ||
	    !ntlmc_read_type2(n, sp.token, sp.token_len)) {
		play_fail(p, "a challenge and no parameters, got %u bytes and %u", now.rd_len, now.rp_len);
		return false;
	}
	len = ntlmc_type3(n, raw, sizeof(raw));
	*count = 2;
	return leg(p, s, bare ? raw : token, bare ? len : spnegoc_resp(token, raw, len, NULL));
}

/* The keys, from what the last leg has said. */
static void take_keys(struct play *p, const struct ntlm_client *n, struct aead_agreed *g)
{
	struct client_crypt *k = talloc_zero(p->mem, struct client_crypt);
	struct rd r = rd_over(now.rp, now.rp_len);
	struct seal_way w;
	struct aead_way a;

	k->context = rd_u16(&r);
	field_num(p, "context", k->context);
	field_num(p, "params", now.rp_len);
	k->aead = now.rp_len > 2;
	seal_start(&k->seal, n->exported, n->flags);
	w = k->seal.in, k->seal.in = k->seal.out, k->seal.out = w;
	if (!k->seal.extended) /* one stream for both */
		k->seal.in = k->seal.out;
	if (k->aead) {
		field_num(p, "cipher", rd_u16(&r));
		rd_copy(&r, g->salt, sizeof(g->salt));
		aead_start(&k->keys, n->exported, g);
		a = k->keys.in, k->keys.in = k->keys.out, k->keys.out = a;
	}
	if (!rd_ok(&r) || rd_left(&r))
		play_fail(p, "a context number and what belongs to it, got %u bytes", now.rp_len);
	p->c->crypt = k;
}

static void run_encrypt(struct play *p, const struct step *s)
{
	struct ntlm_client n = ntlmc_new(arg_pos(s, 0, "anna"), "WORKGROUP", arg_pos(s, 1, "secret1"));
	struct aead_agreed g = { .offered = 0 };
	unsigned count = 0;
	bool ok;

	n.flags = (uint32_t)arg_num(p, s, "flags", FLAGS);
	if (!(n.flags & NTLMC_ESS))
		n.kind = NTLMC_KIND_V1;
	ok = (!arg_has_word(s, "aead") || ask_aead(p, s, &g)) && legs(p, s, &n, &count);
	if (p->why)
		return;
	field_num(p, "status", p->reply.status);
	field_num(p, "legs", count);
	if (ok)
		take_keys(p, &n, &g);
	else if (!s->expects)
		play_fail(p, "encryption, got status 0x%08x", p->reply.status);
}

static void run_crypt(struct play *p, const struct step *s)
{
	static const char *const names[] = { "none", "plain", "key", "changed", "head", "cut", "replay", "lost", "swap",
					     "context", "short" };

	for (unsigned i = 0; i < ARRAY_LEN(names); i++)
		if (p->c->crypt && arg_has_word(s, names[i])) {
			p->c->crypt->fault = (enum crypt_fault)i;
			return;
		}
	play_fail(p, "a fault, and encryption that is up");
}

/* ---- the log ---- */

static void run_logged(struct play *p, const struct step *s)
{
	char line[1024], *name = talloc_asprintf(p->step_mem, "%s/log", p->world->dir);
	FILE *f = fopen(name, "r");
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		found = strstr(line, arg_pos(s, 0, "")) != NULL;
	if (f)
		fclose(f);
	if (!found)
		play_fail(p, "a line of the log with \"%s\"", arg_pos(s, 0, ""));
}

const struct command crypt_commands[] = {
	{ .name = "encrypt", .run = run_encrypt },
	{ .name = "crypt", .run = run_crypt },
	{ .name = "logged", .run = run_logged },
	{ .name = NULL },
};
