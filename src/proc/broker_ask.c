/* broker_ask.c - the worker's side of broker.c: a favour out, the answer in. */
#include "proc/inner.h"
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#define ANSWER_MS 10000

static bool open_door(struct broker_client *b)
{
	const uint8_t word = WORKER_BROKER;
	int pair[2];

	if (b->door >= 0)
		return true;
	if (!msg_pair(pair))
		return false;
	if (!msg_send(*b->ctl, &word, 1, &pair[1], 1, false)) {
		close(pair[0]);
		pair[0] = -1;
	}
	close(pair[1]);
	b->door = pair[0];
	return b->door >= 0;
}

static int wait_for_answer(struct broker_client *b, struct fs_favour *f)
{
	struct pollfd p = { .fd = b->door, .events = POLLIN };
	struct broker_answer a;
	struct msg m;

	while (poll(&p, 1, ANSWER_MS) < 0 && errno == EINTR)
		;
	if (msg_recv(NULL, b->door, &m) == MSG_GOT) {
		bool whole = m.len == sizeof(a);

		if (whole)
			memcpy(&a, m.p, sizeof(a));
		msg_drop(&m);
		if (!whole || a.err > 0)
			return -EPERM;
		f->no = a.no;
		f->no.rule[sizeof(f->no.rule) - 1] = '\0';
		return a.err;
	}
	close(b->door); /* dead, or late: its answer must not be taken for another's */
	b->door = -1;
	return -EPERM;
}

static bool send_favour(struct broker_client *b, const struct fs_favour *f, int token)
{
	int fds[3] = { token, f->fd, f->folder };
	uint8_t text[64];
	struct wr w = wr_over(text, sizeof(text));

	wr_u8(&w, (uint8_t)f->what);
	wr_u32(&w, f->mode);
	for (int i = 0; i < 2; i++) {
		wr_u64(&w, (uint64_t)f->times[i].tv_sec);
		wr_u32(&w, (uint32_t)f->times[i].tv_nsec);
	}
	wr_u32(&w, f->uid);
	wr_u64(&w, f->soft);
	wr_u64(&w, f->hard);
	if (msg_send(b->door, text, wr_tell(&w), fds, f->what == FS_FAVOUR_OWNER ? 3 : 2, false))
		return true;
	close(b->door); /* it is gone: a reload ends the old ones */
	b->door = -1;
	return false;
}

int broker_ask(void *arg, struct fs_favour *f)
{
	struct broker_client *b = arg;
	int token[2];
	bool sent = false;

	f->no = (struct fs_favour_no){ .reason = FS_NO_BROKER };
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, token) != 0)
		return -EPERM;
	for (int i = 0; i < 2 && !sent && open_door(b); i++)
		sent = send_favour(b, f, token[0]);
	close(token[0]);
	close(token[1]);
	return sent ? wait_for_answer(b, f) : -EPERM;
}
