/* local.c - a client and its connection in one process. */
#include "local.h"
#include "wire/sane.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

void local_refill(struct world *w)
{
	static const char *const files[] = { "f", "a", "b", "g", "a.txt", "b.txt", "r", "x", "big", "from", "to", "dir/x" };
	char name[300];

	world_clean_share(w);
	snprintf(name, sizeof(name), "%s/dir", w->share);
	if (mkdir(name, 0755) != 0 && errno != EEXIST)
		abort();
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		int fd;

		snprintf(name, sizeof(name), "%s/%s", w->share, files[i]);
		fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
		if (fd < 0 || write(fd, "0123456789abcdef", 16) != 16)
			abort();
		close(fd);
	}
}

bool local_open(struct local *l, struct world *w)
{
	int fds[2], big = 1 << 20;

	*l = (struct local){ .w = w, .out = l->out, .out_cap = l->out_cap, .fd = -1 };
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds) != 0)
		return false;
	setsockopt(fds[0], SOL_SOCKET, SO_SNDBUF, &big, sizeof(big));
	(void)chmod(w->share, 0755); /* its owner, a UNIX client before this one, may have shut it */
	l->fd = fds[0];
	l->c = world_conn(w, fds[1]);
	return l->c != NULL;
}

static void collect(struct local *l)
{
	for (;;) {
		ssize_t n;

		if (l->out_cap - l->out_len < 65536) {
			l->out_cap = l->out_cap * 2 + 65536;
			l->out = realloc(l->out, l->out_cap);
			if (!l->out)
				abort();
		}
		n = recv(l->fd, l->out + l->out_len, l->out_cap - l->out_len, 0);
		if (n <= 0)
			return;
		l->out_len += (size_t)n;
	}
}

void local_send(struct local *l, const uint8_t *p, size_t n)
{
	l->out_len = 0;
	while (!l->over) {
		ssize_t k = n ? send(l->fd, p, n, MSG_NOSIGNAL) : 0;
		size_t before = l->out_len;

		if (k > 0) {
			p += k;
			n -= (size_t)k;
		}
		l->over = !world_serve(l->c);
		collect(l);
		if (n == 0 && l->out_len == before && !fastio_unsent(l->c->io))
			return;
	}
	collect(l);
}

void local_close(struct local *l)
{
	if (l->c)
		conn_free(&l->c);
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
}

bool local_reply_ok(const struct local *l, bool raw)
{
	size_t at = 0;

	while (l->out_len - at >= 4) {
		struct wire_frame f;
		const uint8_t *p = l->out + at;
		const char *wrong;

		if (!wire_frame_read(p, false, &f) || f.len > l->out_len - at - 4)
			return false;
		if (l->c && l->c->crypt && f.len > 20 && p[4] == 0xff && p[5] == 'E') {
			at += 4 + f.len;
			continue;
		}
		wrong = f.type == NBT_MESSAGE && !raw ? sane_reply(p + 4, f.len) : NULL;
		if (wrong) {
			fprintf(stderr, "a reply to command 0x%02x: %s\n", p[8], wrong);
			return false;
		}
		at += 4 + f.len;
	}
	return at == l->out_len;
}
