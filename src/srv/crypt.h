/* crypt.h - the encrypted transport: sealed frames in place of messages.  docs/encryption.md.
 *
 *   none --level 0x203, leg by leg--> agreed --after the last reply--> up: every frame is sealed, both ways
 *
 * A login of its own (NTLMSSP, mostly in SPNEGO) makes the keys; it need not be that of a session.  From then
 * on whatever cannot be opened as the client's next frame ends the connection. */
#ifndef SMB1D_SRV_CRYPT_H
#define SMB1D_SRV_CRYPT_H
#include "srv/conn.h"

#define UNIX_CAP_CRYPT 0x100u           /* offered */
#define UNIX_CAP_CRYPT_MUST 0x200u      /* nothing else is answered in this tree */
#define UNIX_CAP_AEAD 0x1000000000000ull /* our own: frames sealed by base/aead.h */
#define CRYPT_PARAMS_MAX 36u

struct crypt_reply {
	uint8_t *token; /* child of mem; token_len may be 0 */
	size_t token_len;
	uint8_t params[CRYPT_PARAMS_MAX]; /* of the last leg: context number and what belongs to it */
	uint32_t params_len;
};
/* Capability bits of the UNIX extensions that this tree offers. */
uint64_t crypt_caps(const struct tree *t);
/* What was offered, and what the client has asked for.  False: it drops what is in use, and the connection ends. */
void crypt_offered(struct conn *c, uint64_t caps);
bool crypt_asked(struct conn *c, uint64_t caps);
/* One leg: the client's token in the data of level 0x203, at most max_params bytes of parameters for it.  ST_OK also
 * while another leg must follow (then there are no parameters); c->tick_due is set when crypt_up() is due. */
status_t crypt_leg(struct tree *t, TALLOC_CTX *mem, const uint8_t *token, size_t len, uint32_t max_params,
		   struct crypt_reply *r);
/* After the reply to the last leg: sealed from now on. */
void crypt_up(struct conn *c);

/* The message in a frame's bytes, opened in place.  NULL: it was none, and c->dead is set. */
uint8_t *crypt_open(struct conn *c, uint8_t *p, uint32_t len, uint32_t *msg_len);
/* Seals the message (in place: it is gone) and sends it. */
void crypt_send(struct conn *c, uint8_t *msg, uint32_t len);

/* Does this tree want encrypted requests, and has this connection none? */
bool crypt_closed_to(const struct tree *t);
/* May requests in this tree be answered as they come?  ST_ACCESS_DENIED with a log line if it wants encrypted ones. */
status_t crypt_admits(struct tree *t);
/* 0 none, DB_ENCRYPTED_*: for status. */
uint8_t crypt_shown(const struct conn *c);
#endif
