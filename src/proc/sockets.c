/* sockets.c - where we listen: ports, `interfaces`, `bind interfaces only`, sockets from systemd. */
#include "proc/inner.h"
#include "fastio/fastio.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char sentence[256];

unsigned sockets_from_service_manager(struct listen_set *s)
{
	const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");
	long n = fds ? strtol(fds, NULL, 10) : 0;

	if (!pid || strtol(pid, NULL, 10) != (long)getpid())
		return 0;
	for (long i = 0; i < n && s->n < LISTEN_MAX; i++) {
		int fd = 3 + (int)i, listening = 0;
		socklen_t len = sizeof(listening);

		if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &len) != 0 || !listening)
			continue;
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
		(void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
		s->fd[s->n++] = fd;
	}
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
	return s->n;
}

/* ---- addresses ---- */
static bool is_mapped(const struct sockaddr_storage *ss)
{
	return ss->ss_family == AF_INET6 &&
	       IN6_IS_ADDR_V4MAPPED(&((const struct sockaddr_in6 *)(const void *)ss)->sin6_addr);
}

uint16_t sockets_port(const struct sockaddr_storage *ss)
{
	if (ss->ss_family == AF_INET)
		return ntohs(((const struct sockaddr_in *)(const void *)ss)->sin_port);
	return ss->ss_family == AF_INET6 ? ntohs(((const struct sockaddr_in6 *)(const void *)ss)->sin6_port) : 0;
}

void sockets_name(const struct sockaddr_storage *ss, char out[ADDR_TEXT])
{
	const struct sockaddr_in *in = (const void *)ss;
	const struct sockaddr_in6 *in6 = (const void *)ss;

	if (is_mapped(ss))
		inet_ntop(AF_INET, in6->sin6_addr.s6_addr + 12, out, ADDR_TEXT);
	else if (ss->ss_family == AF_INET6)
		inet_ntop(AF_INET6, &in6->sin6_addr, out, ADDR_TEXT);
	else if (ss->ss_family == AF_INET)
		inet_ntop(AF_INET, &in->sin_addr, out, ADDR_TEXT);
	else /* a socket pair on this machine (-i) */
		snprintf(out, ADDR_TEXT, "127.0.0.1");
}

void sockets_key(const struct sockaddr_storage *ss, uint8_t key[16])
{
	const struct sockaddr_in *in = (const void *)ss;
	const struct sockaddr_in6 *in6 = (const void *)ss;

	memset(key, 0, 16);
	if (is_mapped(ss))
		memcpy(key, &in6->sin6_addr, 16);
	else if (ss->ss_family == AF_INET6)
		memcpy(key, &in6->sin6_addr, 8);
	else if (ss->ss_family == AF_INET) {
		key[10] = key[11] = 0xff;
		memcpy(key + 12, &in->sin_addr, 4);
	}
}

/* Parses "a.b.c.d" or "x:y::z"; false for anything else. */
static bool parse_address(const char *text, struct sockaddr_storage *ss, socklen_t *len)
{
	struct sockaddr_in *in = (void *)ss;
	struct sockaddr_in6 *in6 = (void *)ss;

	memset(ss, 0, sizeof(*ss));
	if (inet_pton(AF_INET, text, &in->sin_addr) == 1) {
		in->sin_family = AF_INET;
		*len = sizeof(*in);
		return true;
	}
	if (inet_pton(AF_INET6, text, &in6->sin6_addr) == 1) {
		in6->sin6_family = AF_INET6;
		*len = sizeof(*in6);
		return true;
	}
	return false;
}

/* An item without its options ("eth0;speed=100") and quotes, split at '/'. */
static void split_item(const char *item, char name[80], const char **mask)
{
	size_t n;
	char *slash;

	while (*item == '"')
		item++;
	n = strcspn(item, ";\"");
	snprintf(name, 80, "%.*s", (int)(n < 79 ? n : 79), item);
	slash = strchr(name, '/');
	*mask = slash ? slash + 1 : NULL;
	if (slash)
		*slash = '\0';
}

/* The length of a netmask written as number of bits or as address; -1 if it is neither. */
static int mask_bits(const char *mask, int family)
{
	struct in_addr a;
	char *end;
	long n;

	if (family == AF_INET && strchr(mask, '.') && inet_pton(AF_INET, mask, &a) == 1)
		return __builtin_popcount(a.s_addr);
	n = strtol(mask, &end, 10);
	return *mask && !*end && n >= 0 && n <= (family == AF_INET ? 32 : 128) ? (int)n : -1;
}

static bool same_bits(const uint8_t *a, const uint8_t *b, int bits)
{
	int whole = bits / 8, rest = bits % 8;

	return memcmp(a, b, (size_t)whole) == 0 &&
	       (rest == 0 || (uint8_t)(a[whole] ^ b[whole]) >> (8 - rest) == 0);
}

bool sockets_item_address(const char *item, struct sockaddr_storage *ss, socklen_t *len)
{
	char name[80];
	const char *mask;

	split_item(item, name, &mask);
	return !mask && parse_address(name, ss, len);
}

bool sockets_item_matches(const char *item, const char *device, const struct sockaddr *sa)
{
	struct sockaddr_storage want;
	socklen_t len;
	char name[80];
	const char *mask;
	const uint8_t *a, *b;
	int bits;

	split_item(item, name, &mask);
	if (!parse_address(name, &want, &len))
		return !mask && device && fnmatch(name, device, 0) == 0;
	if (want.ss_family != sa->sa_family)
		return false;
	if (want.ss_family == AF_INET) {
		a = (const uint8_t *)&((const struct sockaddr_in *)(const void *)&want)->sin_addr;
		b = (const uint8_t *)&((const struct sockaddr_in *)(const void *)sa)->sin_addr;
	} else {
		a = (const uint8_t *)&((const struct sockaddr_in6 *)(const void *)&want)->sin6_addr;
		b = (const uint8_t *)&((const struct sockaddr_in6 *)(const void *)sa)->sin6_addr;
	}
	bits = mask ? mask_bits(mask, want.ss_family) : want.ss_family == AF_INET ? 32 : 128;
	return bits >= 0 && same_bits(a, b, bits);
}

/* ---- opening ---- */
static void set_port(struct sockaddr_storage *ss, uint16_t port)
{
	if (ss->ss_family == AF_INET)
		((struct sockaddr_in *)(void *)ss)->sin_port = htons(port);
	else
		((struct sockaddr_in6 *)(void *)ss)->sin6_port = htons(port);
}

static void complain(const struct sockaddr_storage *ss, uint16_t port, int err)
{
	char addr[ADDR_TEXT];
	const char *hint = "";

	sockets_name(ss, addr);
	if (err == EACCES && port < 1024)
		hint = " (ports below 1024 need root or CAP_NET_BIND_SERVICE; see -p and `smb ports`)";
	else if (err == EADDRINUSE)
		hint = " (another server has this port)";
	snprintf(sentence, sizeof(sentence), "cannot listen on %s port %u: %s%s", addr, port, strerror(err), hint);
}

/* 0 or an errno. */
static int open_one(struct listen_set *s, struct sockaddr_storage ss, socklen_t len, uint16_t port, bool dual)
{
	int fd, on = 1, off = 0, err;

	if (s->n == LISTEN_MAX)
		return EMFILE;
	set_port(&ss, port);
	fd = socket(ss.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return errno;
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (ss.ss_family == AF_INET6)
		(void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, dual ? &off : &on, sizeof(on));
	if (bind(fd, (struct sockaddr *)&ss, len) == 0 && listen(fd, SOMAXCONN) == 0) {
		s->fd[s->n++] = fd;
		return 0;
	}
	err = errno;
	close(fd);
	return err;
}

static bool open_any(struct listen_set *s, uint16_t port)
{
	struct sockaddr_storage any;
	socklen_t len;
	int err;

	(void)parse_address("::", &any, &len);
	err = open_one(s, any, len, port, true);
	if (err == EAFNOSUPPORT || err == EADDRNOTAVAIL) { /* no IPv6 on this machine */
		(void)parse_address("0.0.0.0", &any, &len);
		err = open_one(s, any, len, port, false);
	}
	if (err)
		complain(&any, port, err);
	return err == 0;
}

struct address { struct sockaddr_storage ss; socklen_t len; };

static void add_address(struct address *list, unsigned *n, const struct sockaddr *sa)
{
	socklen_t len = sa->sa_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);

	for (unsigned i = 0; i < *n; i++)
		if (list[i].len == len && memcmp(&list[i].ss, sa, len) == 0)
			return;
	if (*n < LISTEN_MAX) {
		memcpy(&list[*n].ss, sa, len);
		list[(*n)++].len = len;
	}
}

static bool wanted(const struct conf *c, const struct ifaddrs *i)
{
	if (!i->ifa_addr || (i->ifa_addr->sa_family != AF_INET && i->ifa_addr->sa_family != AF_INET6))
		return false;
	if (!c->g.interfaces[0])
		return true;
	for (const char *const *item = c->g.interfaces; *item; item++)
		if (sockets_item_matches(*item, i->ifa_name, i->ifa_addr))
			return true;
	return false;
}

static unsigned list_addresses(const struct conf *c, struct address *list)
{
	struct ifaddrs *all = NULL;
	unsigned n = 0;

	memset(list, 0, sizeof(*list) * LISTEN_MAX);
	if (getifaddrs(&all) == 0) {
		for (struct ifaddrs *i = all; i; i = i->ifa_next)
			if (wanted(c, i))
				add_address(list, &n, i->ifa_addr);
		freeifaddrs(all);
	}
	/* an address no device has (yet): the bind below says so */
	for (const char *const *item = c->g.interfaces; *item; item++) {
		struct address a;

		if (sockets_item_address(*item, &a.ss, &a.len))
			add_address(list, &n, (struct sockaddr *)&a.ss);
	}
	return n;
}

static bool open_listed(struct listen_set *s, const struct address *list, unsigned n, uint16_t port)
{
	unsigned before = s->n;

	for (unsigned i = 0; i < n; i++) {
		int err = open_one(s, list[i].ss, list[i].len, port, false);

		if (err == 0)
			continue;
		complain(&list[i].ss, port, err);
		if (err != EADDRNOTAVAIL)
			return false;
		log_at(LOG_PROC, 1, "%s", sentence);
	}
	if (s->n == before && n == 0)
		snprintf(sentence, sizeof(sentence), "no address of this machine matches `interfaces`");
	return s->n > before;
}

static bool parse_port(const char *text, size_t len, uint16_t *port)
{
	unsigned v = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9' || v > 65535)
			return false;
		v = v * 10 + (unsigned)(text[i] - '0');
	}
	*port = (uint16_t)v;
	return len > 0 && v > 0 && v <= 65535;
}

bool sockets_open(struct listen_set *s, const struct conf *c, const char *ports, const char **why)
{
	struct address list[LISTEN_MAX];
	unsigned n = c->g.bind_interfaces_only ? list_addresses(c, list) : 0;
	const char *one[2] = { ports, NULL };
	uint16_t done[LISTEN_MAX], port;
	unsigned ndone = 0;

	*why = sentence;
	for (const char *const *word = ports ? one : c->g.smb_ports; *word; word++) {
		for (const char *p = *word; *p;) {
			size_t len = strcspn(p, " \t,");
			bool again = false;

			if (len > 0 && !parse_port(p, len, &port)) {
				snprintf(sentence, sizeof(sentence), "\"%.*s\" is no port number", (int)len, p);
				return false;
			}
			for (unsigned i = 0; len > 0 && i < ndone; i++)
				again |= done[i] == port;
			if (len > 0 && !again) {
				if (!(c->g.bind_interfaces_only ? open_listed(s, list, n, port) : open_any(s, port)))
					return false;
				if (ndone < LISTEN_MAX)
					done[ndone++] = port;
			}
			p += len + (p[len] != '\0');
		}
	}
	if (s->n == 0)
		snprintf(sentence, sizeof(sentence), "no port to listen on: see `smb ports`");
	return s->n > 0;
}

void sockets_text_key(const char *addr, uint8_t key[16])
{
	struct sockaddr_storage ss = { .ss_family = AF_UNSPEC };
	socklen_t len;

	memset(key, 0, 16);
	if (sockets_item_address(addr, &ss, &len))
		sockets_key(&ss, key);
}

void sockets_tune(const struct conf *c, int fd)
{
	struct fastio_tuning t;
	const char *bad;
	int on = 1;

	conn_tuning(c, &t);
	if (t.tcp_keepalive)
		(void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	if (t.socket_options)
		fastio_socket_options(fd, t.socket_options, &bad);
}
