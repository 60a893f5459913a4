/* local.h - a client and its connection in one process: bytes in, bytes out, nothing waits.  For bit flips and
 * fuzzing. */
#ifndef SMB1D_PLAY_LOCAL_H
#define SMB1D_PLAY_LOCAL_H
#include "world.h"

struct local {
	struct world *w;
	struct conn *c;
	int fd;             /* the client's end */
	uint8_t *out;       /* what the server said since local_send() */
	size_t out_len, out_cap;
	bool over;          /* the server has ended the connection */
};

/* Files that stories like to find; made anew by local_refill(). */
void local_refill(struct world *w);
bool local_open(struct local *l, struct world *w);
/* Sends, serves, collects what comes back. */
void local_send(struct local *l, const uint8_t *p, size_t n);
void local_close(struct local *l);
/* Is what came back a row of whole frames, and sane (wire/sane.h)?  What is not, is said. */
bool local_reply_ok(const struct local *l, bool raw); /* raw: READ_RAW was asked, whose answer is no SMB */
#endif
