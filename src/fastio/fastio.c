/* fastio.c - one client's socket: a standing receive buffer, and sending that never blocks.
 *
 *   receive:  [ start .. end )  bytes not yet consumed; moved to the front when room is short
 *   send:     nothing kept  --socket full-->  kept (mem | file)  --flush-->  nothing kept
 *
 * The buffer is address space from mmap: pages never touched cost nothing, and an idle
 * connection gives the touched ones back. */
#include "fastio/inner.h"
#include "base/budget.h"
#include "base/util.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define FIRST_BUFFER (160u * 1024)
#define OWN_BUFFER (1280u * 1024) /* a Linux client's writes of 1 MiB; what is longer shares the memory the client may fill */
#define PAGE 4096u
#define SENDFILE_PAGES 16u       /* pages the kernel moves in one go, its pipe's default size */
#define GATHER_MAX (16u * 1024)  /* answers sent in one call */
#define GATHER_SMALL 4352u      /* bytes of an answer that may wait: a page and its head */
#define SEND_FLAGS (MSG_NOSIGNAL | MSG_DONTWAIT)

static int fastio_destroy(struct fastio *io)
{
	for (unsigned i = 0; i < io->nkept; i++)
		if (io->kept[i].fd >= 0)
			close(io->kept[i].fd);
	if (io->fd >= 0)
		close(io->fd);
	munmap(io->buf, io->cap);
	return 0;
}

struct fastio *fastio_new(TALLOC_CTX *mem, int fd, const struct fastio_tuning *t)
{
	struct fastio *io = talloc_zero(mem, struct fastio);
	int on = 1;

	if (!io)
		return NULL;
	io->cap = FIRST_BUFFER;
	io->buf = mmap(NULL, io->cap, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (io->buf == MAP_FAILED) {
		talloc_free(io);
		return NULL;
	}
	io->fd = fd;
	io->wake_at = 1;
	talloc_set_destructor(io, fastio_destroy);
	io->flags = fcntl(fd, F_GETFL);
	if (!(io->flags & O_NONBLOCK))
		fcntl(fd, F_SETFL, io->flags | O_NONBLOCK);
	io->flags &= ~O_NONBLOCK;
	if (t->tcp_keepalive)
		setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	fastio_tune(io, t);
	return io;
}

void fastio_free(struct fastio **io)
{
	if (*io)
		talloc_free(*io);
	*io = NULL;
}

int fastio_fd(const struct fastio *io) { return io->fd; }
const struct fastio_stats *fastio_stats(const struct fastio *io) { return &io->stats; }
HOT bool fastio_unsent(const struct fastio *io) { return io->nkept > 0; }

void fastio_tune(struct fastio *io, const struct fastio_tuning *t)
{
	const char *bad;

	io->tuning = *t;
	io->tuning.socket_options = NULL;
	if (t->socket_options)
		fastio_socket_options(io->fd, t->socket_options, &bad);
}

/* ---- receiving ---- */

static bool make_room(struct fastio *io, size_t want)
{
	if (io->cap - io->end >= want)
		return true;
	if (io->start > 0) {
		memmove(io->buf, io->buf + io->start, io->end - io->start);
		io->end -= io->start;
		io->start = 0;
	}
	return io->cap - io->end >= want;
}

static HOT enum fastio_event receive(struct fastio *io, int flags)
{
	enum fastio_event ev;
	ssize_t n;

	if (fastio_diverting(io))
		return divert_fill(io);
	if (!make_room(io, 4096) && io->end == io->cap)
		return FASTIO_OK; /* full: the caller must consume first */
	do
		n = recv(io->fd, io->buf + io->end, io->cap - io->end, flags);
	while (n < 0 && errno == EINTR);
	ev = fastio_received(io, n);
	if (ev == FASTIO_OK)
		io->end += (size_t)n;
	if (ev == FASTIO_AGAIN && io->end > io->start)
		await_frame(io);
	return ev;
}

HOT enum fastio_event fastio_fill(struct fastio *io) { return receive(io, MSG_DONTWAIT); }

/* Blocking calls end after a tick, whatever the peer does.  All but the receive of fastio_wait() and sendfile say that
 * they do not want to wait at all. */
static bool may_wait(struct fastio *io)
{
	const struct timeval tick = { .tv_usec = 1 };

	if (io->mode == NEVER_WAITED && setsockopt(io->fd, SOL_SOCKET, SO_RCVTIMEO, &tick, sizeof(tick)) == 0 &&
	    setsockopt(io->fd, SOL_SOCKET, SO_SNDTIMEO, &tick, sizeof(tick)) == 0)
		io->mode = MAY_WAIT;
	if (io->mode == MAY_WAIT && fcntl(io->fd, F_SETFL, io->flags) == 0)
		io->mode = WAITS;
	return io->mode == WAITS;
}

void wait_no_more(struct fastio *io)
{
	if (io->mode == WAITS && fcntl(io->fd, F_SETFL, io->flags | O_NONBLOCK) == 0)
		io->mode = MAY_WAIT;
}

HOT enum fastio_event fastio_wait(struct fastio *io)
{
	enum fastio_event e = !fastio_diverting(io) && may_wait(io) ? receive(io, 0) : FASTIO_AGAIN;

	if (e == FASTIO_AGAIN)
		wait_no_more(io);
	return e;
}

HOT uint8_t *fastio_data(const struct fastio *io, size_t *have)
{
	*have = io->end - io->start;
	return io->buf + io->start;
}

HOT void fastio_consume(struct fastio *io, size_t n)
{
	io->start += n;
	io->expected = 0;
	if (io->start >= io->end)
		io->start = io->end = 0;
}

/* False: no memory, or none that this client may have. */
static bool resize(struct fastio *io, size_t cap)
{
	uint8_t *buf;

	if (!budget_outside(cap > OWN_BUFFER ? cap - OWN_BUFFER : 0))
		return false;
	buf = mremap(io->buf, io->cap, cap, MREMAP_MAYMOVE);
	if (buf == MAP_FAILED)
		return false;
	io->buf = buf;
	io->cap = cap;
	return true;
}

bool fastio_too_long(const struct fastio *io, size_t len) { return len > io->tuning.max_frame; }

bool fastio_expect(struct fastio *io, size_t len)
{
	size_t cap = io->cap;

	if (fastio_too_long(io, len))
		return false;
	io->expected = len;
	if (io->start + len <= io->cap || make_room(io, len - (io->end - io->start)))
		return true;
	while (cap < len + PAGE && cap < OWN_BUFFER)
		cap *= 2;
	if (cap < len + PAGE)
		cap = (len + 2 * PAGE - 1) & ~(size_t)(PAGE - 1);
	return resize(io, cap);
}

bool fastio_preload(struct fastio *io, const void *p, size_t n)
{
	if (io->end != 0 || n > io->cap)
		return false;
	memcpy(io->buf, p, n);
	io->end = n;
	return true;
}

void fastio_idle(struct fastio *io)
{
	if (io->start == io->end) {
		if (io->cap > OWN_BUFFER)
			(void)resize(io, OWN_BUFFER);
		madvise(io->buf, io->cap, MADV_DONTNEED);
	}
	if (io->ngathered == 0)
		TALLOC_FREE(io->gathered);
	if (!fastio_diverting(io))
		TALLOC_FREE(io->divert);
}

/* ---- sending ---- */

/* Behind memory that waits already it becomes one piece with that: oplock breaks and other messages that nobody asked
 * for may be many before a slow reader takes the first. */
static bool keep_mem(struct fastio *io, const uint8_t *p, size_t len)
{
	struct kept *k = io->nkept > 0 ? &io->kept[io->nkept - 1] : NULL;
	uint8_t *mem;

	if (k && k->mem) {
		mem = talloc_realloc_size(io, k->mem, k->len + len);
		if (!mem)
			return false;
		memcpy(mem + k->len, p, len);
		k->mem = mem;
		k->len += len;
		return true;
	}
	if (io->nkept == ARRAY_LEN(io->kept))
		return false;
	k = &io->kept[io->nkept];
	*k = (struct kept){ .fd = -1, .len = len, .mem = talloc_memdup(io, p, len) };
	if (!k->mem)
		return false;
	io->nkept++;
	return true;
}

static bool keep_file(struct fastio *io, int fd, uint64_t off, size_t len)
{
	struct kept *k = &io->kept[io->nkept];

	if (io->nkept == ARRAY_LEN(io->kept))
		return false;
	*k = (struct kept){ .fd = fcntl(fd, F_DUPFD_CLOEXEC, 0), .off = off, .len = len };
	if (k->fd < 0)
		return false;
	io->nkept++;
	return true;
}

/* Keeps everything from byte `skip` of the rope on: the reader is slow. */
static enum fastio_event keep_rest(struct fastio *io, const struct rope *r, size_t skip)
{
	wait_no_more(io);
	for (unsigned i = 0; i < r->n; i++) {
		const struct rope_piece *p = &r->piece[i];
		bool ok;

		if (skip >= p->len) {
			skip -= p->len;
			continue;
		}
		ok = p->p ? keep_mem(io, (const uint8_t *)p->p + skip, p->len - skip)
			  : keep_file(io, p->fd, p->off + skip, p->len - skip);
		if (!ok)
			return FASTIO_ERROR;
		skip = 0;
	}
	return FASTIO_AGAIN;
}

static enum fastio_event send_error(void)
{
	return errno == EAGAIN || errno == EWOULDBLOCK ? FASTIO_AGAIN : FASTIO_ERROR;
}

/* Sends up to len bytes of a file; *sent counts them.  When the file has become shorter than promised,
 * zeros are sent in place of what is gone. */
static HOT enum fastio_event send_file(struct fastio *io, int fd, uint64_t off, size_t len, size_t *sent)
{
	static const uint8_t zeros[4096];

	*sent = 0;
	while (*sent < len) {
		off_t pos = (off_t)(off + *sent);
		ssize_t n = sendfile(io->fd, fd, &pos, len - *sent);

		io->stats.out_calls++;
		if (n == 0) {
			size_t z = len - *sent < sizeof(zeros) ? len - *sent : sizeof(zeros);

			n = send(io->fd, zeros, z, SEND_FLAGS | (z < len - *sent ? MSG_MORE : 0));
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return send_error();
		*sent += (size_t)n;
		io->stats.out_bytes += (size_t)n;
	}
	io->stats.sendfile_bytes += len;
	return FASTIO_OK;
}

static ssize_t send_gathered(int fd, const struct rope_piece *p, unsigned n, int flags)
{
	struct iovec iov[ROPE_PIECES];
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = n };

	for (unsigned i = 0; i < n; i++)
		iov[i] = (struct iovec){ (void *)(uintptr_t)p[i].p, p[i].len };
	return sendmsg(fd, &msg, flags);
}

/* The leading memory of n pieces in one call; *pieces: how many these are.  A file behind them: more is to come. */
static HOT enum fastio_event send_memory(struct fastio *io, const struct rope_piece *p, unsigned n, unsigned *pieces,
				     size_t *sent)
{
	size_t total = 0;
	unsigned k = 0;
	ssize_t done;
	int flags;

	while (k < n && p[k].p)
		total += p[k++].len;
	*pieces = k;
	*sent = 0;
	flags = SEND_FLAGS | (k < n ? MSG_MORE : 0);
	do
		done = k == 1 ? send(io->fd, p->p, total, flags) : send_gathered(io->fd, p, k, flags);
	while (done < 0 && errno == EINTR);
	io->stats.out_calls++;
	if (done < 0)
		return send_error();
	*sent = (size_t)done;
	io->stats.out_bytes += (size_t)done;
	return (size_t)done == total ? FASTIO_OK : FASTIO_AGAIN;
}

/* A short answer, and another is to follow: both in one call later. */
static bool gather(struct fastio *io, const struct rope *r)
{
	if (r->n == 0 || r->total > GATHER_SMALL || io->ngathered + r->total > GATHER_MAX)
		return false;
	for (unsigned i = 0; i < r->n; i++)
		if (!r->piece[i].p)
			return false;
	if (!io->gathered)
		io->gathered = talloc_size(io, GATHER_MAX);
	if (!io->gathered)
		return false;
	for (unsigned i = 0; i < r->n; i++) {
		memcpy(io->gathered + io->ngathered, r->piece[i].p, r->piece[i].len);
		io->ngathered += r->piece[i].len;
	}
	return true;
}

static HOT enum fastio_event send_rope(struct fastio *io, const struct rope *r)
{
	enum fastio_event ev = FASTIO_OK;
	size_t done = 0, sent;
	unsigned i = 0, n;

	if (io->nkept > 0)
		return keep_rest(io, r, 0);
	while (ev == FASTIO_OK && i < r->n) {
		const struct rope_piece *p = &r->piece[i];

		if (p->p) {
			ev = send_memory(io, p, r->n - i, &n, &sent);
			i += n;
		} else {
			ev = send_file(io, p->fd, p->off, p->len, &sent);
			i++;
		}
		done += sent;
	}
	return ev == FASTIO_AGAIN ? keep_rest(io, r, done) : ev;
}

HOT void fastio_gather(struct fastio *io, bool on) { io->gathering = on; }

/* sendfile moves 16 pages at a time.  A raw read of 65535 bytes that begins in the middle of a page touches 17, and its
 * last bytes go out on their own, at twice the price: what lies before the page boundary is copied instead. */
static void start_at_page(struct rope *r)
{
	static uint8_t edge[PAGE] SELDOM;
	struct rope_piece *p = &r->piece[r->n - 1];
	size_t before = PAGE - (p->off & (PAGE - 1)), got = 0;

	while (got < before) {
		ssize_t n = pread(p->fd, edge + got, before - got, (off_t)(p->off + got));

		if (n <= 0 && errno != EINTR) {
			memset(edge + got, 0, before - got); /* as send_file() does where the file has become shorter */
			break;
		}
		got += n > 0 ? (size_t)n : 0;
	}
	p[1] = *p;
	p[0] = (struct rope_piece){ .p = edge, .fd = -1, .len = before };
	p[1].off += before;
	p[1].len -= before;
	r->n++;
}

static HOT bool crosses_badly(const struct rope *r)
{
	const struct rope_piece *p = &r->piece[r->n > 0 ? r->n - 1 : 0];
	size_t edge = p->off & (PAGE - 1);

	if (r->n == 0 || r->n == ROPE_PIECES || p->p)
		return false;
	return edge != 0 && edge + p->len > SENDFILE_PAGES * PAGE;
}

/* Answers that have waited go in front, and a file starts at a page where that is cheaper. */
static enum fastio_event send_arranged(struct fastio *io, const struct rope *r)
{
	struct rope all;

	rope_start(&all);
	rope_mem(&all, io->gathered, io->ngathered);
	io->ngathered = 0;
	for (unsigned i = 0; i < r->n; i++)
		all.piece[all.n++] = r->piece[i];
	if (crosses_badly(&all))
		start_at_page(&all);
	return send_rope(io, &all);
}

HOT enum fastio_event fastio_send(struct fastio *io, const struct rope *r)
{
	if (io->gathering && gather(io, r))
		return FASTIO_OK;
	return io->ngathered == 0 && !crosses_badly(r) ? send_rope(io, r) : send_arranged(io, r);
}

HOT enum fastio_event fastio_push(struct fastio *io)
{
	static const struct rope nothing;

	io->gathering = false;
	return io->ngathered > 0 ? send_arranged(io, &nothing) : FASTIO_OK;
}

static enum fastio_event flush_one(struct fastio *io, struct kept *k)
{
	enum fastio_event ev = FASTIO_OK;
	size_t sent;

	if (!k->mem) {
		ev = send_file(io, k->fd, k->off + k->pos, k->len - k->pos, &sent);
		k->pos += sent;
		return ev;
	}
	while (k->pos < k->len && ev == FASTIO_OK) {
		ssize_t n = send(io->fd, k->mem + k->pos, k->len - k->pos, SEND_FLAGS);

		io->stats.out_calls++;
		if (n >= 0) {
			k->pos += (size_t)n;
			io->stats.out_bytes += (size_t)n;
		} else if (errno != EINTR) {
			ev = send_error();
		}
	}
	return ev;
}

enum fastio_event fastio_flush(struct fastio *io)
{
	while (io->nkept > 0) {
		struct kept *k = &io->kept[0];
		enum fastio_event ev = flush_one(io, k);

		if (ev != FASTIO_OK)
			return ev;
		talloc_free(k->mem);
		if (k->fd >= 0)
			close(k->fd);
		io->nkept--;
		memmove(k, k + 1, io->nkept * sizeof(*k));
	}
	return FASTIO_OK;
}
