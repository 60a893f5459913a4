/* client.c - a client's end of the connection. */
#include "crypt.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE 10000 /* ms */

void client_connect(struct play *p, struct client *c)
{
	int fds[2], others[CLIENTS];

	if (c->fd >= 0)
		client_close(p, c);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) {
		play_fail(p, "a socket pair: %s", strerror(errno));
		return;
	}
	for (unsigned i = 0; i < CLIENTS; i++)
		others[i] = p->clients[i].fd;
	others[0] = fds[0];
	*c = (struct client){ .n = c->n, .fd = fds[0], .unicode = true, .ntstatus = true, .max_buffer = 16644,
			      .smb_pid = (uint16_t)(100 + c->n) };
	c->pid = world_worker(p->world, fds[1], others, CLIENTS);
}

void client_script(struct play *p, const struct client *c, const uint8_t *b, size_t n)
{
	p->script = talloc_realloc(p->mem, p->script, uint8_t, (unsigned)(p->script_len + 1 + n));
	p->script[p->script_len] = (uint8_t)(SCRIPT_CLIENT + c->n);
	memcpy(p->script + p->script_len + 1, b, n);
	p->script_len += 1 + n;
}

static void record(struct play *p, struct client *c)
{
	struct recordings *r = p->record;
	const char *base = strrchr(p->story->file, '/');

	if (!r || !c->sent_len)
		return;
	base = base ? base + 1 : p->story->file;
	r->r = talloc_realloc(r, r->r, struct recording, (unsigned)r->n + 1);
	r->r[r->n] = (struct recording){
		.name = talloc_asprintf(r, "%.*s-%u-%zu", (int)strcspn(base, "."), base, c->n, r->n),
		.p = talloc_memdup(r, c->sent, c->sent_len), .len = c->sent_len,
	};
	r->n++;
}

void client_wait(struct play *p, struct client *c)
{
	int status;

	for (int i = 0; c->pid > 0 && i < PATIENCE; i++) {
		if (waitpid(c->pid, &status, WNOHANG) == c->pid) {
			if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
				play_fail(p, "the worker to live, got signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
			else if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
				play_fail(p, "a clean end of the worker, got exit status %d", WEXITSTATUS(status));
			c->pid = 0;
			return;
		}
		usleep(1000);
	}
	if (c->pid > 0) {
		play_fail(p, "the worker to end");
		kill(c->pid, SIGKILL);
		waitpid(c->pid, &status, 0);
		c->pid = 0;
	}
}

void client_close(struct play *p, struct client *c)
{
	if (c->fd < 0)
		return;
	record(p, c);
	if (p->record)
		client_script(p, c, &(uint8_t){ SCRIPT_HANG_UP }, 1);
	close(c->fd);
	c->fd = -1;
	client_wait(p, c);
}

static bool send_all(struct play *p, struct client *c, const uint8_t *b, size_t n)
{
	for (size_t done = 0; done < n;) {
		ssize_t k = send(c->fd, b + done, c->trickle ? 1 : n - done, MSG_NOSIGNAL);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0) { /* what it has to say may still be read */
			(void)p;
			return false;
		}
		done += (size_t)k;
		if (c->trickle && done % 7 == 0)
			usleep(100);
	}
	return true;
}

bool client_send(struct play *p, struct client *c, const uint8_t *b, size_t n)
{
	if (c->fd < 0) {
		play_fail(p, "client %u to be connected", c->n);
		return false;
	}
	if (c->crypt && !c->bare) {
		cover_sent(p->cover, &c->cover, b, n);
		b = crypt_wrap(p, c->crypt, b, n, &n);
	}
	if (!c->crypt && (c->sign_wanted || c->sign_len > 0)) {
		uint8_t *copy = talloc_memdup(p->step_mem, b, n);

		sign_out(c, copy, n);
		b = copy;
	}
	if (c->hold) {
		c->held = talloc_realloc(p->mem, c->held, uint8_t, (unsigned)(c->held_len + n));
		memcpy(c->held + c->held_len, b, n);
		c->held_len += n;
		return true;
	}
	if (p->record) {
		c->sent = talloc_realloc(p->mem, c->sent, uint8_t, (unsigned)(c->sent_len + n));
		memcpy(c->sent + c->sent_len, b, n);
		c->sent_len += n;
		client_script(p, c, b, n);
	}
	if (!c->crypt)
		cover_sent(p->cover, &c->cover, b, n);
	send_all(p, c, b, n);
	return true;
}

/* 1 whole, 0 the connection ended before the first byte, -1 nothing came or it ended in between. */
static int recv_all(struct client *c, uint8_t *b, size_t n)
{
	for (size_t done = 0; done < n;) {
		struct pollfd pf = { .fd = c->fd, .events = POLLIN };
		int ready = poll(&pf, 1, PATIENCE);
		ssize_t k;

		if (ready < 0 && errno == EINTR) /* a worker has ended */
			continue;
		if (ready <= 0)
			return -1;
		k = recv(c->fd, b + done, n - done, 0);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return done == 0 ? 0 : -1;
		done += (size_t)k;
	}
	return 1;
}

bool client_recv_head(struct play *p, struct client *c, uint8_t head[4])
{
	if (recv_all(c, head, 4) == 1) {
		cover_got(p->cover, &c->cover, head, head[1] || head[2] || head[3] ? 4 : 0);
		return true;
	}
	play_fail(p, "a frame of the server, got none");
	return false;
}

static void read_header(struct reply *r)
{
	struct smb_hdr h;

	if (!wire_hdr_read(r->msg, r->len, &h))
		return;
	r->command = h.command;
	r->flags2 = h.flags2;
	r->tid = h.tid;
	r->uid = h.uid;
	r->mid = h.mid;
	r->status = (uint32_t)(r->msg[5] | r->msg[6] << 8 | r->msg[7] << 16) | (uint32_t)r->msg[8] << 24;
}

bool client_recv(struct play *p, struct client *c, struct reply *r)
{
	uint8_t head[4];
	int got;

	*r = (struct reply){ .closed = false };
	if (c->fd < 0) {
		play_fail(p, "client %u to be connected", c->n);
		return false;
	}
	do {
		got = recv_all(c, head, 4);
		if (got <= 0) {
			r->closed = got == 0;
			if (got < 0)
				play_fail(p, "a reply, got nothing for %d s", PATIENCE / 1000);
			return got == 0;
		}
	} while (head[0] == NBT_KEEPALIVE);
	r->len = (uint32_t)head[1] << 16 | (uint32_t)head[2] << 8 | head[3];
	r->msg = talloc_size(p->step_mem, r->len + 5);
	memcpy(r->msg, head, sizeof(head));
	r->msg += sizeof(head);
	if (head[0] != 0 || (r->len && recv_all(c, r->msg, r->len) != 1)) {
		play_fail(p, "a whole message, got a frame of type 0x%02x and %u bytes", head[0], r->len);
		return false;
	}
	if (c->crypt)
		r->msg = crypt_unwrap(p, c->crypt, r->msg - sizeof(head), &r->len);
	if (!r->msg)
		return false;
	read_header(r);
	if (!c->crypt)
		sign_in(p, c, r);
	cover_got(p->cover, &c->cover, r->msg, r->len);
	return true;
}
