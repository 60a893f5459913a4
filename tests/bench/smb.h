/* smb.h - the smallest client that can put load on a server: direct TCP, Unicode, one session, one tree.
 * It is as quick as it can be, so that the server's time and not its own is seen. */
#ifndef SMB1D_BENCH_SMB_H
#define SMB1D_BENCH_SMB_H
#include "base/cursor.h"
#include <stdbool.h>
#include <stdint.h>

struct target {
	const char *host, *share, *user, *password; /* user "": guest */
	int port;
	bool ideal; /* a server that only moves bytes: no login */
	bool sign;  /* whenever the server can; else only where it must be.  Nothing is signed for a guest. */
};

#define SMB_IN_FLIGHT 64 /* requests, at most */

struct smb {
	int fd;
	uint16_t uid, tid, mid, flags2;
	uint32_t raw_max;       /* 0: no raw mode */
	uint8_t key[8];
	uint8_t mac_key[16 + 24];
	bool signing;           /* from the login on; a reply with a wrong signature ends the program */
	uint32_t seq;           /* of the next request */
	uint32_t seq_of[SMB_IN_FLIGHT]; /* by MID */
	struct wr w;            /* request being built, in out + 4 */
	uint32_t words;         /* offset of its word count */
	uint8_t out[4 + 140000], in[4 + 140000];
	uint32_t len;           /* of the reply in `in`, without the frame's head */
};

/* All of these end the program with a sentence when something goes wrong. */
void smb_connect(struct smb *s, const struct target *t);  /* ... to the tree */
void smb_login(struct smb *s, const struct target *t);    /* on a connected s->fd, to the tree */
void smb_close(struct smb *s);
struct wr *smb_begin(struct smb *s, uint8_t cmd, unsigned words);
struct wr *smb_bytes(struct smb *s);                      /* the words are complete */
void smb_send(struct smb *s);
/* The next reply.  Returns its NT status.  drop: data beyond the first 60 bytes stay in the kernel. */
uint32_t smb_recv(struct smb *s, bool drop);
void smb_call(struct smb *s);                             /* send, recv, must be 0 */
uint16_t smb_open(struct smb *s, const char *name, uint32_t access, uint32_t disposition);
void smb_close_file(struct smb *s, uint16_t fid);
void smb_raw_send(struct smb *s, const uint8_t *p, uint32_t len); /* a frame of data alone */
struct rd smb_words(const struct smb *s);                 /* of the reply */
void smb_name(struct wr *w, const char *name);            /* UTF-16, aligned, with NUL */
_Noreturn void fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
#endif
