/* sign.c - when messages are signed, and which number each has (framing section 8). */
#include "base/log.h"
#include "conf/why.h"
#include "srv/conn.h"

void sign_start(struct conn *c, const uint8_t *key, size_t len)
{
	if (c->sign.active || len == 0)
		return;
	c->sign.key = talloc_memdup(c, key, len);
	if (!c->sign.key)
		return;
	c->sign.key_len = (uint32_t)len;
	c->sign.active = true;
	c->sign.next_seq = 2; /* this SESSION_SETUP was 0, its reply is 1 */
}

void sign_refused(const struct conn *c, const char *what, const char *user)
{
	why_refused(&(struct why){ LOG_AUTH, .conf = c->conf, .param = "server signing", .user = user,
				   .fix = "`server signing = auto`" }, "a login: %s cannot sign", what);
}

/* All eight bytes are looked at, whatever the first ones say. */
static bool same_mac(const uint8_t *a, const uint8_t *b)
{
	uint8_t diff = 0;

	for (int i = 0; i < 8; i++)
		diff = (uint8_t)(diff | (a[i] ^ b[i]));
	return diff == 0;
}

bool sign_check(struct conn *c, const uint8_t *msg, size_t len, const struct smb_hdr *h, uint32_t seq)
{
	uint8_t mac[8];

	wire_sign_mac(c->sign.key, c->sign.key_len, msg, len, seq, mac);
	if (same_mac(mac, h->sig)) {
		c->sign.first_seen = true;
		return true;
	}
	if (!c->sign.first_seen && c->conf->g.server_signing != CONF_SERVER_SIGNING_MANDATORY) {
		/* a client that set the flag but does not sign (XP does): nothing was promised yet */
		log_at(LOG_SMB, 2, "the client does not sign: signing is off for this connection");
		c->sign.active = false;
		return true;
	}
	return false;
}
