/* smb.c - see smb.h. */
#include "smb.h"
#include "auth/auth.h"
#include "base/str.h"
#include "wire/wire.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define HEAD 32u
#define FLAGS2 (0x8000u | 0x4000u | 0x0001u) /* Unicode, NT status, long names */
#define MAY_SIGN 4u
#define MUST_SIGN 8u
#define CAPS (0x4u | 0x8u | 0x10u | 0x40u | 0x200u | 0x4000u | 0x8000u | 0x1u)

void fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("load: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(1);
}

/* ---- bytes ---- */

struct wr *smb_begin(struct smb *s, uint8_t cmd, unsigned words)
{
	static const uint8_t magic[4] = { 0xff, 'S', 'M', 'B' };
	struct wr *w = &s->w;

	*w = wr_over(s->out + 4, sizeof(s->out) - 4);
	wr_bytes(w, magic, 4);
	wr_u8(w, cmd);
	wr_u32(w, 0);
	wr_u8(w, 0x18);
	wr_u16(w, s->flags2);
	wr_zero(w, 12);
	wr_u16(w, s->tid);
	wr_u16(w, 100);
	wr_u16(w, s->uid);
	wr_u16(w, ++s->mid);
	s->words = wr_tell(w);
	wr_u8(w, (uint8_t)words);
	return w;
}

struct wr *smb_bytes(struct smb *s)
{
	if (wr_tell(&s->w) != s->words + 1 + 2u * s->out[4 + s->words])
		fail("command 0x%02x: wrong number of words", s->out[4 + 4]);
	wr_u16(&s->w, 0);
	return &s->w;
}

void smb_name(struct wr *w, const char *name)
{
	wr_align(w, 2);
	wr_take(w, (uint32_t)str_to_utf16(name, w->msg + w->pos, wr_left(w)));
	wr_u16(w, 0);
}

/* ---- the socket ---- */

static void send_all(struct smb *s, const uint8_t *p, size_t n)
{
	while (n > 0) {
		ssize_t done = send(s->fd, p, n, MSG_NOSIGNAL);

		if (done <= 0)
			fail("send: %s", strerror(errno));
		p += done;
		n -= (size_t)done;
	}
}

static void recv_all(struct smb *s, uint8_t *p, size_t n, int flags)
{
	while (n > 0) {
		ssize_t got = recv(s->fd, p, n, flags);

		if (got <= 0)
			fail("recv: %s", got == 0 ? "the server has closed the connection" : strerror(errno));
		p += flags & MSG_TRUNC ? 0 : got;
		n -= (size_t)got;
	}
}

static void frame_head(uint8_t p[4], uint32_t len)
{
	p[0] = 0;
	p[1] = (uint8_t)(len >> 16);
	p[2] = (uint8_t)(len >> 8);
	p[3] = (uint8_t)len;
}

void smb_send(struct smb *s)
{
	uint32_t at = s->words + 1 + 2u * s->out[4 + s->words], len = wr_tell(&s->w);

	if (!wr_ok(&s->w))
		fail("a request that does not fit");
	wr_u16_at(&s->w, at, (uint16_t)(len - at - 2));
	frame_head(s->out, len);
	if (s->signing) {
		s->seq_of[s->mid % SMB_IN_FLIGHT] = s->seq;
		wire_sign_mac(s->mac_key, sizeof(s->mac_key), s->out + 4, len, s->seq, s->out + 4 + 14);
		s->seq += 2;
	}
	send_all(s, s->out, 4 + len);
}

void smb_raw_send(struct smb *s, const uint8_t *p, uint32_t len)
{
	uint8_t head[4];
	struct iovec iov[2] = { { head, 4 }, { (void *)(uintptr_t)p, len } };
	struct msghdr m = { .msg_iov = iov, .msg_iovlen = 2 };
	ssize_t n;

	frame_head(head, len);
	n = sendmsg(s->fd, &m, MSG_NOSIGNAL);
	if (n < 4)
		fail("send: %s", strerror(errno));
	send_all(s, p + (n - 4), len - (size_t)(n - 4));
}

static void check_signature(const struct smb *s)
{
	const uint8_t *m = s->in + 4;
	uint8_t mac[8];
	unsigned mid = m[30] | (unsigned)m[31] << 8;

	wire_sign_mac(s->mac_key, sizeof(s->mac_key), m, s->len, s->seq_of[mid % SMB_IN_FLIGHT] + 1, mac);
	if (memcmp(mac, m + 14, sizeof(mac)) != 0)
		fail("a reply to command 0x%02x with a wrong signature", m[4]);
}

uint32_t smb_recv(struct smb *s, bool drop)
{
	size_t first = drop ? 64 : 4;

	drop = drop && !s->signing;
	recv_all(s, s->in, 4, 0);
	s->len = (uint32_t)s->in[1] << 16 | (uint32_t)s->in[2] << 8 | s->in[3];
	if (s->len + 4u > sizeof(s->in))
		fail("a reply of %u bytes", s->len);
	first = s->len < first ? s->len : drop ? first - 4 : s->len;
	recv_all(s, s->in + 4, first, 0);
	if (s->len > first)
		recv_all(s, s->in + 4 + first, s->len - first, MSG_TRUNC);
	if (s->len < HEAD)
		return 0;
	if (s->signing)
		check_signature(s);
	return (uint32_t)s->in[9] | (uint32_t)s->in[10] << 8 | (uint32_t)s->in[11] << 16 | (uint32_t)s->in[12] << 24;
}

void smb_call(struct smb *s)
{
	uint32_t st;

	smb_send(s);
	st = smb_recv(s, false);
	if (st)
		fail("command 0x%02x: status 0x%08x", s->out[8], st);
}

struct rd smb_words(const struct smb *s)
{
	struct rd r = rd_over(s->in + 4, s->len);

	rd_seek(&r, HEAD + 1);
	return r;
}

/* ---- login ---- */

static void negotiate(struct smb *s, const struct target *t)
{
	static const char dialect[] = "\2NT LM 0.12";
	struct rd r;
	uint32_t caps;
	uint8_t mode;
	const uint8_t *key;

	smb_begin(s, 0x72, 0);
	wr_bytes(smb_bytes(s), dialect, sizeof(dialect));
	smb_call(s);
	r = smb_words(s);
	rd_skip(&r, 2);
	mode = rd_u8(&r);
	rd_skip(&r, 2 + 2 + 4);
	s->raw_max = rd_u32(&r);
	rd_skip(&r, 4);
	caps = rd_u32(&r);
	rd_skip(&r, 8 + 2 + 1 + 2);
	key = rd_take(&r, 8);
	if (!key)
		fail("a negotiate reply without challenge");
	memcpy(s->key, key, 8);
	if (!(caps & 1))
		s->raw_max = 0;
	if (*t->user && ((mode & MAY_SIGN && t->sign) || mode & MUST_SIGN))
		s->flags2 |= FLAG2_SIGNATURE;
}

/* The login was request 0, and unsigned; its reply, 1, has a signature. */
static void start_signing(struct smb *s, const uint8_t hash[16], const uint8_t response[24])
{
	auth_md4(hash, 16, s->mac_key);
	memcpy(s->mac_key + 16, response, 24);
	s->seq_of[s->mid % SMB_IN_FLIGHT] = 0;
	s->seq = 2;
	s->signing = true;
}

static void session(struct smb *s, const struct target *t)
{
	uint8_t hash[16], nt[24];
	unsigned n = *t->user ? 24 : 0;
	struct wr *w;

	auth_nt_hash(t->password, hash);
	auth_des_response(hash, s->key, nt);
	w = smb_begin(s, 0x73, 13);
	wr_u32(w, 0xff);
	wr_u16(w, 65535);
	wr_u16(w, 50);
	wr_u16(w, 1);
	wr_u32(w, 0);
	wr_u16(w, 0);
	wr_u16(w, (uint16_t)n);
	wr_u32(w, 0);
	wr_u32(w, CAPS);
	w = smb_bytes(s);
	wr_bytes(w, nt, n);
	smb_name(w, t->user);
	smb_name(w, "WORKGROUP");
	smb_name(w, "Unix");
	smb_name(w, "load");
	smb_send(s);
	if (s->flags2 & FLAG2_SIGNATURE)
		start_signing(s, hash, nt);
	if (smb_recv(s, false))
		fail("login refused");
	s->uid = (uint16_t)(s->in[4 + 28] | s->in[4 + 29] << 8);
}

static void tree(struct smb *s, const struct target *t)
{
	char path[300];
	struct wr *w = smb_begin(s, 0x75, 4);

	wr_u32(w, 0xff);
	wr_u16(w, 0);
	wr_u16(w, 1);
	w = smb_bytes(s);
	wr_u8(w, 0);
	snprintf(path, sizeof(path), "\\\\%s\\%s", t->host, t->share);
	smb_name(w, path);
	wr_bytes(w, "?????", 6);
	smb_call(s);
	s->tid = (uint16_t)(s->in[4 + 24] | s->in[4 + 25] << 8);
}

static void start(struct smb *s)
{
	s->uid = s->tid = s->mid = 0;
	s->flags2 = FLAGS2;
	s->signing = false;
}

void smb_login(struct smb *s, const struct target *t)
{
	start(s);
	negotiate(s, t);
	session(s, t);
	tree(s, t);
}

void smb_connect(struct smb *s, const struct target *t)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)t->port) };
	int on = 1;

	if (inet_pton(AF_INET, t->host, &a.sin_addr) != 1)
		fail("%s: not an address", t->host);
	s->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (s->fd < 0 || connect(s->fd, (struct sockaddr *)&a, sizeof(a)) < 0)
		fail("connect: %s", strerror(errno));
	setsockopt(s->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	start(s);
	s->raw_max = 65535;
	if (!t->ideal)
		smb_login(s, t);
}

void smb_close(struct smb *s)
{
	close(s->fd);
	s->fd = -1;
}

/* ---- files ---- */

uint16_t smb_open(struct smb *s, const char *name, uint32_t access, uint32_t disposition)
{
	struct wr *w = smb_begin(s, 0xa2, 24);
	struct rd r;

	wr_u32(w, 0xff);
	wr_u8(w, 0);
	wr_u16(w, (uint16_t)(2 * strlen(name)));
	wr_u32(w, 0);
	wr_u32(w, 0);
	wr_u32(w, access);
	wr_u64(w, 0);
	wr_u32(w, 0x80);
	wr_u32(w, 7);
	wr_u32(w, disposition);
	wr_u32(w, 0x40);
	wr_u32(w, 2);
	wr_u8(w, 0);
	w = smb_bytes(s);
	smb_name(w, name);
	smb_call(s);
	r = smb_words(s);
	rd_skip(&r, 5);
	return rd_u16(&r);
}

void smb_close_file(struct smb *s, uint16_t fid)
{
	struct wr *w = smb_begin(s, 0x04, 3);

	wr_u16(w, fid);
	wr_u32(w, 0xffffffff);
	smb_bytes(s);
	smb_call(s);
}
