/* msg.c - messages between our processes: one SOCK_SEQPACKET message each, descriptors beside it. */
#include "proc/inner.h"
#include <errno.h>
#include <poll.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MESSAGE_MAX (256u << 10)

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

bool msg_pair(int sv[2])
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sv) == 0;
}

/* The record of a user in very many groups: hardly any socket ever carries one. */
static bool larger(int fd, size_t len)
{
	int size = (int)MESSAGE_MAX;

	if (errno != EMSGSIZE || len > MESSAGE_MAX)
		return false;
	return setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size)) == 0 ||
	       setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size)) == 0;
}

/* Descriptors on their way are counted by user against RLIMIT_NOFILE (unix(7)), and all porches are one user: in a
 * burst of logins one waits until others have been taken.  So does one that finds the queue full of them. */
static bool soon_again(unsigned nfds, bool wait, int *tries)
{
	if (nfds == 0 || (errno != ETOOMANYREFS && errno != EAGAIN))
		return false;
	if (++*tries > (wait ? 5000 : 100))
		return false;
	(void)poll(NULL, 0, 1);
	return true;
}

bool msg_send(int fd, const void *p, size_t len, const int *fds, unsigned nfds, bool wait)
{
	union { struct cmsghdr h; char room[CMSG_SPACE(sizeof(int) * MSG_FDS)]; } control;
	struct iovec iov = { .iov_base = (void *)(uintptr_t)p, .iov_len = len };
	struct msghdr mh = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n;
	int tries = 0;
	bool grown = false;

	if (fd < 0 || nfds > MSG_FDS)
		return false;
	if (nfds > 0) {
		memset(&control, 0, sizeof(control));
		mh.msg_control = &control;
		mh.msg_controllen = CMSG_SPACE(sizeof(int) * nfds);
		control.h.cmsg_level = SOL_SOCKET;
		control.h.cmsg_type = SCM_RIGHTS;
		control.h.cmsg_len = CMSG_LEN(sizeof(int) * nfds);
		memcpy(CMSG_DATA(&control.h), fds, sizeof(int) * nfds);
	}
	do {
		n = sendmsg(fd, &mh, MSG_NOSIGNAL | (wait ? 0 : MSG_DONTWAIT));
	} while (n < 0 && (errno == EINTR || soon_again(nfds, wait, &tries) || (!grown && (grown = larger(fd, len)))));
	return n == (ssize_t)len;
}

/* All descriptors that came along; what does not fit in m is closed.  False if the kernel cut some off. */
static bool collect_fds(struct msghdr *mh, struct msg *m)
{
	bool whole = !(mh->msg_flags & (MSG_CTRUNC | MSG_TRUNC));

	for (struct cmsghdr *c = CMSG_FIRSTHDR(mh); c; c = CMSG_NXTHDR(mh, c)) {
		size_t n;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (size_t i = 0; i < n; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof(int));
			if (m->nfds < MSG_FDS) {
				m->fd[m->nfds++] = fd;
			} else {
				close(fd);
				whole = false;
			}
		}
	}
	return whole;
}

enum msg_event msg_recv(TALLOC_CTX *mem, int fd, struct msg *m)
{
	union { struct cmsghdr h; char room[CMSG_SPACE(sizeof(int) * MSG_FDS)]; } control;
	struct iovec iov;
	struct msghdr mh = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control,
			     .msg_controllen = sizeof(control) };
	uint8_t nothing;
	ssize_t n;

	*m = (struct msg){ .fd = MSG_NO_FDS };
	do {
		n = recv(fd, &nothing, 1, MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == EAGAIN || errno == EWOULDBLOCK ? MSG_NONE : MSG_CLOSED;
	if (n == 0)
		return MSG_CLOSED;
	m->p = (size_t)n > MESSAGE_MAX * 2 ? NULL : talloc_size(mem, (size_t)n);
	if (!m->p) {
		(void)recv(fd, &nothing, 1, MSG_DONTWAIT); /* takes the message, its descriptors are closed */
		return MSG_BAD;
	}
	iov = (struct iovec){ .iov_base = m->p, .iov_len = (size_t)n };
	do {
		n = recvmsg(fd, &mh, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	} while (n < 0 && errno == EINTR);
	if (n <= 0) {
		msg_drop(m);
		return n == 0 ? MSG_CLOSED : MSG_BAD;
	}
	m->len = (size_t)n;
	if (collect_fds(&mh, m))
		return MSG_GOT;
	msg_drop(m);
	return MSG_BAD;
}

void msg_drop(struct msg *m)
{
	for (unsigned i = 0; i < m->nfds; i++)
		if (m->fd[i] >= 0)
			close(m->fd[i]);
	m->nfds = 0;
	TALLOC_FREE(m->p);
	m->len = 0;
}

int msg_take_fd(struct msg *m, unsigned i)
{
	int fd;

	if (i >= m->nfds)
		return -1;
	fd = m->fd[i];
	m->fd[i] = -1;
	return fd;
}

static bool write_all(int fd, const uint8_t *p, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		len -= (size_t)n;
	}
	return true;
}

int msg_memfd(const void *p, size_t len, bool sealed)
{
	unsigned flags = MFD_CLOEXEC | (sealed ? MFD_ALLOW_SEALING : 0);
	int fd = memfd_create("smb1d", flags | MFD_NOEXEC_SEAL);

	if (fd < 0 && errno == EINVAL) /* before Linux 6.3 */
		fd = memfd_create("smb1d", flags);
	if (fd < 0)
		return -1;
	if (!write_all(fd, p, len) ||
	    (sealed && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

uint8_t *msg_memfd_read(TALLOC_CTX *mem, int fd, size_t max, size_t *len)
{
	struct stat st;
	uint8_t *p;
	size_t got = 0;

	/* pread, and only of a plain file: who made it may have given us anything */
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < 0 || (uint64_t)st.st_size > max)
		return NULL;
	p = talloc_size(mem, (size_t)st.st_size + 1);
	while (p && got < (size_t)st.st_size) {
		ssize_t n = pread(fd, p + got, (size_t)st.st_size - got, (off_t)got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		got += (size_t)n;
	}
	*len = got;
	return p;
}

void msg_put_str(struct wr *w, const char *s)
{
	size_t n = s ? strnlen(s, 4096) : 0;

	wr_u16(w, (uint16_t)n);
	wr_bytes(w, s ? s : "", n);
}

char *msg_get_str(TALLOC_CTX *mem, struct rd *r)
{
	uint16_t n = rd_u16(r);
	const uint8_t *p = rd_take(r, n);

	if (!rd_ok(r) || (n > 0 && memchr(p, 0, n)))
		return NULL;
	return talloc_strndup(mem, (const char *)p, n);
}
