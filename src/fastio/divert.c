/* divert.c - bytes of a long message go from the socket to a file without a copy, through a pipe of the kernel's.
 *
 *   socket --splice--> pipe --splice--> file
 *                           `--read--> dropped, once the file takes no more, so that what follows stays in step
 *
 * A file system that cannot be spliced to gets its bytes by read and write. */
#include "fastio/inner.h"
#include "base/util.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

static int divert_destroy(struct divert *d)
{
	if (d->fd >= 0)
		close(d->fd);
	close(d->pipe[0]);
	close(d->pipe[1]);
	return 0;
}

bool fastio_can_divert(struct fastio *io, size_t len)
{
	struct divert *d;

	if (fastio_too_long(io, len))
		return false;
	if (io->divert)
		return true;
	d = talloc_zero(io, struct divert);
	if (!d)
		return false;
	if (pipe2(d->pipe, O_CLOEXEC) != 0) {
		talloc_free(d);
		return false;
	}
	d->fd = -1;
	talloc_set_destructor(d, divert_destroy);
	io->divert = d;
	return true;
}

void fastio_divert(struct fastio *io, int fd, uint64_t off, size_t len, fastio_may *may, void *arg)
{
	struct divert *d = io->divert;

	wait_no_more(io);
	d->off = off;
	d->left = len;
	d->written = 0;
	d->error = 0;
	d->may = may;
	d->arg = arg;
	d->fd = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0); /* its handle may be closed meanwhile */
	if (fd >= 0 && d->fd < 0)
		d->error = errno;
}

HOT bool fastio_diverting(const struct fastio *io) { return io->divert && io->divert->left > 0; }

size_t fastio_diverted(struct fastio *io, int *error)
{
	struct divert *d = io->divert;

	if (d->fd >= 0)
		close(d->fd);
	d->fd = -1;
	*error = d->error;
	return d->written;
}

/* n bytes of the pipe, by way of the receive buffer, which is empty meanwhile. */
static void pour_copied(struct fastio *io, struct divert *d, size_t n)
{
	while (n > 0) {
		ssize_t got = read(d->pipe[0], io->buf, n < io->cap ? n : io->cap), done = 0;

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) /* cannot be: they are in it */
			return;
		n -= (size_t)got;
		while (d->fd >= 0 && d->error == 0 && done < got) {
			ssize_t k = pwrite(d->fd, io->buf + done, (size_t)(got - done), (off_t)d->off);

			if (k > 0) {
				done += k;
				d->off += (size_t)k;
				d->written += (size_t)k;
			} else if (k == 0 || errno != EINTR) {
				d->error = k == 0 ? ENOSPC : errno;
			}
		}
	}
}

static void pour(struct fastio *io, struct divert *d, size_t n)
{
	if (d->fd >= 0 && d->error == 0 && !d->may(d->arg, d->off, n + d->left))
		d->error = ECANCELED;
	while (n > 0 && d->fd >= 0 && d->error == 0) {
		off64_t off = (off64_t)d->off;
		ssize_t k = splice(d->pipe[0], NULL, d->fd, &off, n, SPLICE_F_MOVE);

		if (k > 0) {
			n -= (size_t)k;
			d->off += (size_t)k;
			d->written += (size_t)k;
		} else if (k < 0 && errno == EINVAL) {
			break;
		} else if (k == 0 || errno != EINTR) {
			d->error = k == 0 ? ENOSPC : errno;
		}
	}
	pour_copied(io, d, n);
}

enum fastio_event divert_fill(struct fastio *io)
{
	struct divert *d = io->divert;
	enum fastio_event ev = FASTIO_AGAIN, now;

	while (d->left > 0) {
		ssize_t n = splice(io->fd, NULL, d->pipe[1], NULL, d->left, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);

		if (n < 0 && errno == EINTR)
			continue;
		now = fastio_received(io, n);
		if (now == FASTIO_AGAIN)
			await_rest(io, d->left);
		if (now != FASTIO_OK)
			return now == FASTIO_AGAIN ? ev : now;
		d->left -= (size_t)n;
		pour(io, d, (size_t)n);
		ev = FASTIO_OK;
	}
	return ev;
}
