/* inner.h - what the files of fastio share. */
#ifndef SMB1D_FASTIO_INNER_H
#define SMB1D_FASTIO_INNER_H
#include "fastio/fastio.h"

struct kept {            /* what the socket did not take */
	uint8_t *mem;    /* memory piece, talloc child of the fastio, or NULL */
	int fd;          /* file piece, our own duplicate */
	uint64_t off;
	size_t pos, len;
};

struct fastio {
	int fd;
	int flags; /* of the socket, when it is a blocking one */
	enum { NEVER_WAITED, MAY_WAIT, WAITS } mode; /* WAITS: the socket is a blocking one */
	uint8_t *buf;
	size_t cap, start, end;
	size_t expected;        /* length of the frame that is here in part; 0 not known */
	int wake_at;            /* SO_RCVLOWAT: above 1 only while we wait for the rest of a frame */
	struct kept kept[ROPE_PIECES * 2];
	unsigned nkept;
	bool gathering;         /* the next answer is under way */
	size_t ngathered;       /* bytes of answers that wait for it */
	uint8_t *gathered;      /* GATHER_MAX bytes, made when needed */
	struct divert *divert;  /* made when needed */
	struct fastio_tuning tuning;
	struct fastio_stats stats;
};

struct divert {          /* divert.c */
	int pipe[2], fd; /* fd: our own duplicate; -1: what comes is dropped */
	uint64_t off;
	size_t left, written;
	int error;       /* of the file, the first; what comes then is dropped */
	fastio_may *may;
	void *arg;
};
/* So many bytes of a long frame are missing.  We need not wake for each packet of it.  Many clients do not send a last
 * piece that is shorter than a packet before all that went out is acknowledged (Nagle), which the kernel, seeing a
 * dialogue, puts off for 40 ms: when only that is missing, it is done at once. */
void await_rest(struct fastio *io, size_t missing);
/* Half a frame is in the buffer. */
void await_frame(struct fastio *io);
/* What a receive has returned, counted. */
enum fastio_event fastio_received(struct fastio *io, ssize_t n);
/* fastio_fill() while bytes are diverted. */
enum fastio_event divert_fill(struct fastio *io);
/* The socket is a non-blocking one again, which splice knows no flag for. */
void wait_no_more(struct fastio *io);
#endif
