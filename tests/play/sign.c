/* sign.c - a client that signs: its messages leave with a signature, and the server's must have the right one.
 *
 * Numbers count as MS-SMB has them: the SESSION_SETUP is 0 and its reply 1; each request takes two, NT_CANCEL one; a reply
 * has the number behind its request's, found by the MID.  An oplock break of the server is not signed. */
#include "play.h"

void sign_begin(struct play *p, struct client *c, const uint8_t *key, size_t len, const uint8_t *response, size_t n)
{
	if (c->sign_len > 0 || len + n > sizeof(c->sign_key))
		return;
	memcpy(c->sign_key, key, len);
	if (n > 0)
		memcpy(c->sign_key + len, response, n);
	c->sign_len = len + n;
	c->sign_next = 2;
	c->sign_of[p->reply.mid] = 0;
	sign_in(p, c, &p->reply);
}

/* One frame, in place. */
void sign_out(struct client *c, uint8_t *b, size_t n)
{
	static const uint8_t unsigned_yet[8];
	uint8_t *m = b + 4;
	uint32_t seq;

	if (n < 4 + SMB_HDR_LEN || memcmp(m, "\xffSMB", 4) != 0)
		return;
	if (c->sign_wanted)
		m[10] |= FLAG2_SIGNATURE;
	if (c->sign_len == 0 || memcmp(m + 14, unsigned_yet, 8) != 0)
		return;
	seq = c->sign_next - (c->sign_again ? 2 : 0);
	c->sign_next += m[4] == 0xa4 ? 1 : 2;
	if (m[4] != 0xa4)
		c->sign_of[m[30] | m[31] << 8] = seq;
	if (!c->sign_not)
		wire_sign_mac(c->sign_key, c->sign_len, m, n - 4, seq, m + 14);
	if (c->sign_bad)
		m[14] ^= 1;
}

void sign_in(struct play *p, struct client *c, const struct reply *r)
{
	uint8_t mac[8];

	if (c->sign_len == 0 || c->sign_not || r->len < SMB_HDR_LEN || !(r->msg[9] & FLAG_REPLY))
		return;
	wire_sign_mac(c->sign_key, c->sign_len, r->msg, r->len, c->sign_of[r->mid] + 1, mac);
	if (memcmp(mac, r->msg + 14, 8) != 0)
		play_fail(p, "a reply to command 0x%02x signed as number %u", r->command, (unsigned)c->sign_of[r->mid] + 1);
}
