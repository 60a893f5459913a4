/* `socket options`: every word reaches the kernel. */
#include "fastio/fastio.h"
#include "base/util.h"
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

static int value_of(int fd, int level, int opt)
{
	int v = -1;
	socklen_t len = sizeof(v);

	assert_int_equal(getsockopt(fd, level, opt, &v, &len), 0);
	return v;
}

static void every_word(void **state)
{
	static const struct { const char *text; int level, opt, want; } rows[] = {
		{ "TCP_NODELAY", IPPROTO_TCP, TCP_NODELAY, 1 },
		{ "TCP_NODELAY=0", IPPROTO_TCP, TCP_NODELAY, 0 },
		{ "tcp_nodelay=1", IPPROTO_TCP, TCP_NODELAY, 1 },
		{ "TCP_QUICKACK", IPPROTO_TCP, TCP_QUICKACK, 1 },
		{ "TCP_KEEPCNT=4", IPPROTO_TCP, TCP_KEEPCNT, 4 },
		{ "TCP_KEEPIDLE=30", IPPROTO_TCP, TCP_KEEPIDLE, 30 },
		{ "TCP_KEEPINTVL=11", IPPROTO_TCP, TCP_KEEPINTVL, 11 },
		{ "TCP_USER_TIMEOUT=9000", IPPROTO_TCP, TCP_USER_TIMEOUT, 9000 },
		{ "TCP_DEFER_ACCEPT=1", IPPROTO_TCP, TCP_DEFER_ACCEPT, 1 },
		{ "SO_KEEPALIVE", SOL_SOCKET, SO_KEEPALIVE, 1 },
		{ "SO_KEEPALIVE=0", SOL_SOCKET, SO_KEEPALIVE, 0 },
		{ "SO_REUSEADDR", SOL_SOCKET, SO_REUSEADDR, 1 },
		{ "SO_BROADCAST", SOL_SOCKET, SO_BROADCAST, 1 },
		{ "SO_SNDBUF=20000", SOL_SOCKET, SO_SNDBUF, 40000 }, /* the kernel doubles both */
		{ "SO_RCVBUF=0x4e20", SOL_SOCKET, SO_RCVBUF, 40000 },
		{ "SO_RCVLOWAT=3", SOL_SOCKET, SO_RCVLOWAT, 3 },
		{ "SO_BUSY_POLL=0", SOL_SOCKET, SO_BUSY_POLL, 0 },
		{ "IPTOS_LOWDELAY", IPPROTO_IP, IP_TOS, IPTOS_LOWDELAY },
		{ "IPTOS_THROUGHPUT=5", IPPROTO_IP, IP_TOS, IPTOS_THROUGHPUT },
	};
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	const char *bad;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_true(fastio_socket_options(fd, rows[i].text, &bad));
		assert_null(bad);
		assert_int_equal(value_of(fd, rows[i].level, rows[i].opt), rows[i].want);
	}
	close(fd);
}

static void lists(void **state)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	const char *bad;

	(void)state;
	assert_true(fastio_socket_options(fd, "", &bad));
	assert_true(fastio_socket_options(fd, "TCP_KEEPCNT=3, SO_KEEPALIVE  IPTOS_LOWDELAY SO_SNDLOWAT=1", &bad));
	assert_int_equal(value_of(fd, IPPROTO_TCP, TCP_KEEPCNT), 3);
	assert_int_equal(value_of(fd, SOL_SOCKET, SO_KEEPALIVE), 1);
	assert_int_equal(value_of(fd, IPPROTO_IP, IP_TOS), IPTOS_LOWDELAY);
	/* a word nobody knows is named, the others count */
	assert_false(fastio_socket_options(fd, "TCP_FASTER=1 TCP_KEEPCNT=5", &bad));
	assert_memory_equal(bad, "TCP_FASTER", 10);
	assert_int_equal(value_of(fd, IPPROTO_TCP, TCP_KEEPCNT), 5);
	assert_false(fastio_socket_options(-1, "TCP_NODELAYS", &bad)); /* looked at without a socket */
	assert_true(fastio_socket_options(-1, "TCP_NODELAY", &bad));
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_word), cmocka_unit_test(lists) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
