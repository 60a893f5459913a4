/* ideal.c - what no server can be better than: it receives, moves the bytes, and answers; nothing is looked at.
 *
 *   ideal PORT FILE [BYTES]      reads of at least that many go by sendfile (8192, as in the server)
 *
 * Knows by their place in the message: ECHO (0x2b), READ_ANDX (0x2e), READ (0x0a), WRITE_ANDX (0x2f), READ_RAW (0x1a),
 * WRITE_RAW (0x1d).  Replies have the length of real ones.  One process for each client, as ours. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

static uint32_t sendfile_min = 8192;
static uint8_t in[160000], out[80000];

static uint32_t u16(const uint8_t *p) { return (uint32_t)(p[0] | p[1] << 8); }
static uint32_t u32(const uint8_t *p) { return u16(p) | u16(p + 2) << 16; }

static bool put(int s, const uint8_t *p, size_t n, int flags)
{
	while (n > 0) {
		ssize_t k = send(s, p, n, flags | MSG_NOSIGNAL);

		if (k <= 0)
			return false;
		p += k;
		n -= (size_t)k;
	}
	return true;
}

static bool put_file(int s, int fd, off_t off, size_t n)
{
	while (n > 0) {
		ssize_t k = sendfile(s, fd, &off, n);

		if (k <= 0)
			return false;
		n -= (size_t)k;
	}
	return true;
}

static void head(uint32_t len)
{
	out[0] = 0;
	out[1] = (uint8_t)(len >> 16);
	out[2] = (uint8_t)(len >> 8);
	out[3] = (uint8_t)len;
}

/* A reply of n bytes that looks like one. */
static bool answer(int s, size_t n, uint32_t data, int flags)
{
	memcpy(out + 4, in + 4, 32);
	out[4 + 9] |= 0x80;
	head((uint32_t)n + data);
	return put(s, out, 4 + n, flags);
}

static bool read_file(int s, int fd, size_t hdr, off_t off, uint32_t n, bool raw)
{
	if (n < sendfile_min) {
		if (pread(fd, out + 4 + hdr, n, off) != (ssize_t)n)
			return false;
		hdr += n;
		n = 0;
	}
	if (!raw)
		return answer(s, hdr, n, n ? MSG_MORE : 0) && (n == 0 || put_file(s, fd, off, n));
	head((uint32_t)hdr + n);
	return put(s, out, 4 + hdr, n ? MSG_MORE : 0) && (n == 0 || put_file(s, fd, off, n));
}

static bool frame(int s, size_t *have, uint32_t *len)
{
	for (;;) {
		ssize_t n;

		*len = 4 + ((uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 | in[3]);
		if (*have >= 4 && *have >= *len)
			return true;
		n = *have < sizeof(in) ? recv(s, in + *have, sizeof(in) - *have, 0) : 0;
		if (n <= 0)
			return false;
		*have += (size_t)n;
	}
}

static bool one(int s, int fd, size_t *have, uint32_t len)
{
	static off_t raw_at;
	static bool raw_next;
	const uint8_t *m = in + 4, *w = m + 33;
	bool ok = true;

	if (raw_next) {
		raw_next = false;
		ok = pwrite(fd, m, len - 4, raw_at) == (ssize_t)(len - 4) && answer(s, 37, 0, 0);
	} else if (m[4] == 0x2b) {
		memcpy(out + 4, m, len - 4);
		ok = answer(s, len - 4, 0, 0);
	} else if (m[4] == 0x2e) {
		ok = read_file(s, fd, 60, u32(w + 6), u16(w + 10), false);
	} else if (m[4] == 0x0a) {
		ok = read_file(s, fd, 48, u32(w + 4), u16(w + 2), false);
	} else if (m[4] == 0x2f) {
		ok = pwrite(fd, m + u16(w + 22), u16(w + 20), u32(w + 6)) > 0 && answer(s, 47, 0, 0);
	} else if (m[4] == 0x1a) {
		ok = read_file(s, fd, 0, u32(w + 2), u16(w + 6), true);
	} else if (m[4] == 0x1d) {
		raw_at = u32(w + 6);
		raw_next = true;
		ok = answer(s, 37, 0, 0);
	}
	*have -= len;
	if (*have > 0)
		memmove(in, in + len, *have);
	return ok;
}

static void serve(int s, int fd)
{
	size_t have = 0;
	uint32_t len;
	int on = 1;

	setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	while (frame(s, &have, &len) && one(s, fd, &have, len))
		;
	_exit(0);
}

int main(int argc, char **argv)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int on = 1, s = socket(AF_INET, SOCK_STREAM, 0), fd = argc > 2 ? open(argv[2], O_RDWR) : -1, c;

	if (fd < 0) {
		fprintf(stderr, "usage: ideal PORT FILE [BYTES]\n");
		return 2;
	}
	if (argc > 3)
		sendfile_min = (uint32_t)atol(argv[3]);
	a.sin_port = htons((uint16_t)atoi(argv[1]));
	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(s, (struct sockaddr *)&a, sizeof(a)) < 0 || listen(s, 50) < 0) {
		perror("ideal");
		return 1;
	}
	signal(SIGCHLD, SIG_IGN);
	while ((c = accept(s, NULL, NULL)) >= 0) {
		if (fork() == 0)
			serve(c, fd);
		close(c);
	}
	return 1;
}
