/* await.c - what the kernel is told while half a frame is here: docs/fast-path.md, "Long messages". */
#include "fastio/inner.h"
#include "base/util.h"
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#define SEGMENT 1460u            /* what one packet carries on an Ethernet */
#define HEAD_ALONE 256u          /* bytes of a frame: its head, sent before its data */
#define LONG_FRAME 16384u        /* one that we do not wake for packet by packet */
#define WAKE_MAX 65536u          /* bytes of it that are waited for at once */

/* The kernel wakes us when so many bytes are here. */
static void wake_at(struct fastio *io, int bytes)
{
	if (io->wake_at == bytes)
		return;
	io->wake_at = bytes;
	(void)setsockopt(io->fd, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof(bytes));
}

/* At once and not within 40 ms. */
static void acknowledge(const struct fastio *io)
{
	int on = 1;

	(void)setsockopt(io->fd, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof(on));
}

void await_rest(struct fastio *io, size_t missing)
{
	if (missing < SEGMENT)
		acknowledge(io);
	else
		wake_at(io, (int)(missing - SEGMENT < WAKE_MAX ? missing - SEGMENT + 1 : WAKE_MAX));
}

void await_frame(struct fastio *io)
{
	size_t have = io->end - io->start;

	if (have < HEAD_ALONE)
		acknowledge(io);
	else if (io->expected >= LONG_FRAME)
		await_rest(io, io->expected - have);
}

HOT enum fastio_event fastio_received(struct fastio *io, ssize_t n)
{
	io->stats.in_calls++;
	if (n > 0) {
		io->stats.in_bytes += (size_t)n;
		wake_at(io, 1);
		return FASTIO_OK;
	}
	if (n == 0)
		return FASTIO_CLOSED;
	return errno == EAGAIN || errno == EWOULDBLOCK ? FASTIO_AGAIN : FASTIO_ERROR;
}
