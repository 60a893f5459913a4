/* sockopt.c - `socket options`: a list of words, each with or without "=value". */
#include "fastio/fastio.h"
#include "base/util.h"
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

static const struct option_row {
	const char *name;
	int level, opt;
	bool fixed; /* takes no value of its own */
	int value;
} options[] = {
	{ "TCP_NODELAY", IPPROTO_TCP, TCP_NODELAY, false, 1 },
	{ "TCP_QUICKACK", IPPROTO_TCP, TCP_QUICKACK, false, 1 },
	{ "TCP_KEEPCNT", IPPROTO_TCP, TCP_KEEPCNT, false, 9 },
	{ "TCP_KEEPIDLE", IPPROTO_TCP, TCP_KEEPIDLE, false, 7200 },
	{ "TCP_KEEPINTVL", IPPROTO_TCP, TCP_KEEPINTVL, false, 75 },
	{ "TCP_USER_TIMEOUT", IPPROTO_TCP, TCP_USER_TIMEOUT, false, 0 },
	{ "TCP_DEFER_ACCEPT", IPPROTO_TCP, TCP_DEFER_ACCEPT, false, 1 },
	{ "SO_KEEPALIVE", SOL_SOCKET, SO_KEEPALIVE, false, 1 },
	{ "SO_REUSEADDR", SOL_SOCKET, SO_REUSEADDR, false, 1 },
	{ "SO_BROADCAST", SOL_SOCKET, SO_BROADCAST, false, 1 },
	{ "SO_SNDBUF", SOL_SOCKET, SO_SNDBUF, false, 0 },
	{ "SO_RCVBUF", SOL_SOCKET, SO_RCVBUF, false, 0 },
	{ "SO_SNDLOWAT", SOL_SOCKET, SO_SNDLOWAT, false, 1 },
	{ "SO_RCVLOWAT", SOL_SOCKET, SO_RCVLOWAT, false, 1 },
	{ "SO_BUSY_POLL", SOL_SOCKET, SO_BUSY_POLL, false, 50 },
	{ "IPTOS_LOWDELAY", IPPROTO_IP, IP_TOS, true, IPTOS_LOWDELAY },
	{ "IPTOS_THROUGHPUT", IPPROTO_IP, IP_TOS, true, IPTOS_THROUGHPUT },
};

static bool set_one(int fd, const char *word, size_t len)
{
	const char *eq = memchr(word, '=', len);
	size_t name = eq ? (size_t)(eq - word) : len;

	for (size_t i = 0; i < ARRAY_LEN(options); i++) {
		const struct option_row *o = &options[i];
		int v = o->value;

		if (strlen(o->name) != name || strncasecmp(o->name, word, name) != 0)
			continue;
		if (eq && !o->fixed)
			v = (int)strtol(eq + 1, NULL, 0);
		if (fd >= 0) /* one the kernel refuses (a Unix socket, an old kernel) changes nothing else */
			(void)setsockopt(fd, o->level, o->opt, &v, sizeof(v));
		return true;
	}
	return false;
}

bool fastio_socket_options(int fd, const char *text, const char **bad)
{
	bool ok = true;

	*bad = NULL;
	while (*text) {
		size_t len = strcspn(text, " \t,");

		if (len > 0 && !set_one(fd, text, len)) {
			*bad = text;
			ok = false;
		}
		text += len;
		text += strspn(text, " \t,");
	}
	return ok;
}
