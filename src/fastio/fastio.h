/* fastio.h - the one place where bytes meet the socket, and files meet it without a copy.
 * Knows sockets, descriptors and lengths; never SMB.  docs/fast-path.md has the measurement
 * behind each threshold. */
#ifndef SMB1D_FASTIO_FASTIO_H
#define SMB1D_FASTIO_FASTIO_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <talloc.h>

/* ---- what goes out: pieces of memory and pieces of files ---- */
#define ROPE_PIECES 6
struct rope {
	struct rope_piece {
		const void *p;      /* memory, or NULL for a file */
		int fd;
		uint64_t off;
		size_t len;
	} piece[ROPE_PIECES];
	unsigned n;
	size_t total;
};
/* An empty one; its pieces need no clearing. */
static inline void rope_start(struct rope *r) { r->n = 0, r->total = 0; }
void rope_mem(struct rope *r, const void *p, size_t len);
void rope_file(struct rope *r, int fd, uint64_t off, size_t len);

struct fastio;
struct fastio_tuning {
	size_t max_frame;           /* largest message to be taken whole, bytes */
	const char *socket_options; /* `socket options` */
	bool tcp_keepalive;         /* let the kernel find dead peers */
};
/* Takes over a connected socket (non-blocking from now on, but for fastio_wait()). */
struct fastio *fastio_new(TALLOC_CTX *mem, int fd, const struct fastio_tuning *t);
void fastio_free(struct fastio **io); /* closes the socket */
int fastio_fd(const struct fastio *io);
void fastio_tune(struct fastio *io, const struct fastio_tuning *t);
/* A socket option word list as in smb.conf ("TCP_NODELAY SO_RCVBUF=65536"); unknown words are named in *bad. */
bool fastio_socket_options(int fd, const char *text, const char **bad);

/* ---- a quiet peer (probe.c) ---- */
struct fastio_probe { int value[4]; }; /* the socket's options as they were */
/* TCP asks the peer's TCP for a sign of life, now or a second after it last came, then every second. */
void fastio_probe_begin(const struct fastio *io, struct fastio_probe *was);
void fastio_probe_end(const struct fastio *io, const struct fastio_probe *was);
/* How long nothing at all has come from the peer.  False: cannot be told, it counts as living. */
bool fastio_silent(const struct fastio *io, uint32_t *ms);

/* ---- receiving ---- */
enum fastio_event { FASTIO_OK, FASTIO_AGAIN, FASTIO_CLOSED, FASTIO_ERROR };
/* One receive into the standing buffer. */
enum fastio_event fastio_fill(struct fastio *io);
/* The same, and waits for it in the receive itself: a call less than to wait elsewhere and receive then, for a
 * client that asks again at once.  FASTIO_AGAIN: nothing has come for a tick of the kernel's clock (10 ms at most). */
enum fastio_event fastio_wait(struct fastio *io);
/* What is there now, contiguous.  Valid until the next fill; what is sealed is opened in it. */
uint8_t *fastio_data(const struct fastio *io, size_t *have);
void fastio_consume(struct fastio *io, size_t n);
/* Puts bytes in front, as if just received (hand-over from another process).  False if too many. */
bool fastio_preload(struct fastio *io, const void *p, size_t n);
/* Makes sure a frame of `len` bytes fits; false if above max_frame, or above what base/budget.h has left for it. */
bool fastio_expect(struct fastio *io, size_t len);
bool fastio_too_long(const struct fastio *io, size_t len); /* above max_frame */
/* Makes what fastio_divert() needs for a frame of `len` bytes.  False: above max_frame, no memory or no descriptors. */
bool fastio_can_divert(struct fastio *io, size_t len);
/* Asked before each piece that has come: may all `len` bytes that are still to be written at `off` be written? */
typedef bool fastio_may(void *arg, uint64_t off, size_t len);
/* The next `len` bytes of the socket go to the file at `off` instead of the buffer, which must be empty; fd -1: they are
 * dropped, and so is the rest once may() has said no (ECANCELED).  fastio_fill() moves them. */
void fastio_divert(struct fastio *io, int fd, uint64_t off, size_t len, fastio_may *may, void *arg);
bool fastio_diverting(const struct fastio *io);
/* Once all have come: how many are in the file, and the error (errno, 0 none) behind which the others were dropped. */
size_t fastio_diverted(struct fastio *io, int *error);
/* Returns buffer memory to the system while nothing is going on. */
void fastio_idle(struct fastio *io);

/* ---- sending ---- */
/* Sends now what the socket takes and keeps the rest (memory is copied, file descriptors are duplicated)
 * for fastio_flush().  If a file piece has become shorter meanwhile, zeros make up the promised length.
 * FASTIO_OK: all gone; FASTIO_AGAIN: wait for writability, call fastio_flush; else the connection is dead. */
enum fastio_event fastio_send(struct fastio *io, const struct rope *r);
enum fastio_event fastio_flush(struct fastio *io);
/* on: short answers wait for the next one, to go out with it in one call.  fastio_push() sends those that wait. */
void fastio_gather(struct fastio *io, bool on);
enum fastio_event fastio_push(struct fastio *io);
bool fastio_unsent(const struct fastio *io);
/* Counters for status and bench. */
struct fastio_stats { uint64_t in_bytes, out_bytes, in_calls, out_calls, sendfile_bytes; };
const struct fastio_stats *fastio_stats(const struct fastio *io);
#endif
