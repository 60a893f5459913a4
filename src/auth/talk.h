/* talk.h - the inside of an exchange, for talk.c and record.c.
 *
 *   TALK_START --type 1--> TALK_CHALLENGED --type 3--> TALK_ASKED --verdict--> TALK_OVER
 *       |  Kerberos first, or no token: we name NTLMSSP and stay
 *       any error: TALK_OVER */
#ifndef SMB1D_AUTH_TALK_H
#define SMB1D_AUTH_TALK_H
#include "auth/internal.h"

enum talk_state { TALK_START, TALK_CHALLENGED, TALK_ASKED, TALK_OVER };

struct auth_talk {
	struct auth_talk_server server; /* strings are our own copies */
	enum talk_state state;
	bool raw;         /* the client's last blob was NTLMSSP without SPNEGO */
	bool said_hello;  /* answered an empty first blob */
	bool list_signed; /* both sides have signed the list of mechanisms */
	uint32_t flags;   /* negotiated by the CHALLENGE; then those of the AUTHENTICATE */
	uint8_t *msg1, *msg2, *mechs, *mic, *partial; /* talloc children, NULL with length 0 */
	size_t msg1_len, msg2_len, mechs_len, mic_len, partial_len;
	struct auth_question q;
};

struct auth_verdict *verdict_new(TALLOC_CTX *mem); /* record.c: wiped when freed */
#endif
