/* Items of `interfaces`, keys of addresses, and real sockets on free ports. */
#include "proc/inner.h"
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

static struct sockaddr_storage address(const char *text)
{
	struct sockaddr_storage ss;
	struct sockaddr_in *in = (void *)&ss;
	struct sockaddr_in6 *in6 = (void *)&ss;

	memset(&ss, 0, sizeof(ss));
	if (inet_pton(AF_INET, text, &in->sin_addr) == 1) {
		in->sin_family = AF_INET;
	} else {
		assert_int_equal(inet_pton(AF_INET6, text, &in6->sin6_addr), 1);
		in6->sin6_family = AF_INET6;
	}
	return ss;
}

static bool matches(const char *item, const char *device, const char *addr)
{
	struct sockaddr_storage ss = address(addr);

	return sockets_item_matches(item, device, (struct sockaddr *)&ss);
}

static void items(void **state)
{
	(void)state;
	assert_true(matches("eth0", "eth0", "192.0.2.7"));
	assert_false(matches("eth0", "eth01", "192.0.2.7"));
	assert_true(matches("eth*", "eth01", "192.0.2.7"));
	assert_true(matches("eth0;speed=1000", "eth0", "192.0.2.7"));
	assert_true(matches("\"eth0;if_index=2\"", "eth0", "192.0.2.7"));
	assert_true(matches("192.0.2.7", "eth0", "192.0.2.7"));
	assert_false(matches("192.0.2.7", "eth0", "192.0.2.8"));
	assert_true(matches("192.0.2.0/24", "eth0", "192.0.2.8"));
	assert_false(matches("192.0.2.0/24", "eth0", "192.0.3.8"));
	assert_true(matches("192.0.2.0/255.255.255.0", "eth0", "192.0.2.8"));
	assert_true(matches("192.0.2.1/23", "eth0", "192.0.3.8"));
	assert_true(matches("2001:db8::/32", "eth0", "2001:db8:1::5"));
	assert_false(matches("2001:db8::/32", "eth0", "2001:db9:1::5"));
	assert_false(matches("2001:db8::/32", "eth0", "192.0.2.8"));
	assert_true(matches("0.0.0.0/0", "eth0", "192.0.2.8"));
	assert_false(matches("192.0.2.0/33", "eth0", "192.0.2.0"));
	assert_false(matches("192.0.2.0/", "eth0", "192.0.2.0"));
	assert_false(matches("", "eth0", "192.0.2.0"));
	assert_false(matches("192.0.2.0/24", NULL, "192.0.3.1"));
}

static void plain_addresses(void **state)
{
	struct sockaddr_storage ss;
	socklen_t len;

	(void)state;
	assert_true(sockets_item_address("192.0.2.7", &ss, &len));
	assert_int_equal(len, sizeof(struct sockaddr_in));
	assert_true(sockets_item_address("::1", &ss, &len));
	assert_int_equal(len, sizeof(struct sockaddr_in6));
	assert_false(sockets_item_address("192.0.2.0/24", &ss, &len));
	assert_false(sockets_item_address("lo", &ss, &len));
}

static void names_and_keys(void **state)
{
	struct sockaddr_storage a = address("::ffff:192.0.2.7"), b = address("192.0.2.7");
	struct sockaddr_storage c = address("2001:db8::1"), d = address("2001:db8::ffff:2");
	struct sockaddr_storage e = address("2001:db8:0:1::1");
	uint8_t ka[16], kb[16];
	char name[ADDR_TEXT];

	(void)state;
	sockets_name(&a, name);
	assert_string_equal(name, "192.0.2.7");
	sockets_key(&a, ka);
	sockets_key(&b, kb);
	assert_memory_equal(ka, kb, 16);
	sockets_key(&c, ka);
	sockets_key(&d, kb);
	assert_memory_equal(ka, kb, 16); /* one network, one key */
	sockets_key(&e, kb);
	assert_memory_not_equal(ka, kb, 16);
}

static struct conf *conf_with(const char *interfaces, bool only)
{
	static const char *list[2];
	static const char *const none[] = { NULL };
	struct conf *c = talloc_zero(NULL, struct conf);

	list[0] = interfaces;
	c->g.interfaces = interfaces ? list : none;
	c->g.bind_interfaces_only = only;
	c->g.smb_ports = none;
	return c;
}

static void close_all(struct listen_set *s)
{
	for (unsigned i = 0; i < s->n; i++)
		close(s->fd[i]);
	s->n = 0;
}

static void opening(void **state)
{
	struct listen_set a = { .n = 0 }, b = { .n = 0 };
	struct conf *c = conf_with("127.0.0.1", true);
	const char *why = NULL;
	char port[16];
	int n = 20000 + (int)(getpid() % 20000);

	(void)state;
	for (int tries = 0; tries < 50 && a.n == 0; tries++) { /* a port that is free here */
		snprintf(port, sizeof(port), "%d", n += 7);
		(void)sockets_open(&a, c, port, &why);
	}
	assert_int_equal(a.n, 1);
	assert_false(sockets_open(&b, c, port, &why)); /* busy */
	assert_non_null(strstr(why, port));
	close_all(&a);
	assert_true(sockets_open(&b, c, port, &why)); /* free again at once */
	close_all(&b);
	assert_false(sockets_open(&b, c, "12x", &why));
	assert_non_null(strstr(why, "12x"));
	assert_false(sockets_open(&b, c, "70000", &why));
	assert_false(sockets_open(&b, c, "0", &why));
	assert_false(sockets_open(&b, c, "", &why));
	close_all(&b);
	talloc_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items),
		cmocka_unit_test(plain_addresses),
		cmocka_unit_test(names_and_keys),
		cmocka_unit_test(opening),
	};

	log_level[LOG_PROC] = -1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
