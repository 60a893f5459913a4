/* hosts allow and hosts deny. */
#include "conf_text.h"
#include "conf/room.h"

static bool ask(const char *allow, const char *deny, const char *addr, const char *name, const char *rule)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	const char *got;
	bool yes = conf_host_allowed(convert_list(mem, allow), convert_list(mem, deny), addr, name, &got);

	if (rule != NULL)
		assert_string_equal(got, rule);
	assert_int_equal(yes, conf_host_allowed(convert_list(mem, allow), convert_list(mem, deny), addr, name, NULL));
	talloc_free(mem);
	return yes;
}

#define allowed(allow, addr) ask(allow, "", addr, NULL, NULL)

static void networks(void **state)
{
	(void)state;
	assert_true(allowed("192.168.", "192.168.7.1"));
	assert_false(allowed("192.168.", "192.16.8.1"));
	assert_false(allowed("192.168.", "192.1.168.1"));
	assert_true(allowed("10.1.2.3", "10.1.2.3"));
	assert_false(allowed("10.1.2.3", "10.1.2.30"));
	assert_true(allowed("10.1.0.0/16", "10.1.255.3"));
	assert_false(allowed("10.1.0.0/16", "10.2.0.0"));
	assert_true(allowed("10.1.2.0/255.255.255.0", "10.1.2.99"));
	assert_false(allowed("10.1.2.0/255.255.255.0", "10.1.3.99"));
	assert_true(allowed("10.0.0.128/25", "10.0.0.129"));
	assert_false(allowed("10.0.0.128/25", "10.0.0.127"));
	assert_true(allowed("0.0.0.0/0", "203.0.113.9"));
	assert_true(allowed("10.0.0.1/32", "10.0.0.1"));
	assert_false(allowed("10.0.0.1/33", "10.0.0.1"));
	assert_false(allowed("10.0.0.1/", "10.0.0.1"));
	assert_false(allowed("10.0.0.1/x", "10.0.0.1"));
}

static void ipv6(void **state)
{
	(void)state;
	assert_true(allowed("2001:db8::/32", "2001:db8:1::5"));
	assert_false(allowed("2001:db8::/32", "2001:db9:1::5"));
	assert_true(allowed("2001:DB8:0::1", "2001:db8::1"));
	assert_true(allowed("[2001:db8::1]", "2001:db8::1"));
	assert_true(allowed("fe80::/10", "fe80::1%eth0"));
	assert_true(allowed("2001:db8:", "2001:db8::1"));
	assert_true(allowed("192.0.2.", "::ffff:192.0.2.7"));
	assert_true(allowed("192.0.2.7", "::ffff:192.0.2.7"));
	assert_false(allowed("::/0", "192.0.2.7"));
	assert_false(allowed("0.0.0.0/0", "2001:db8::1"));
}

static void names(void **state)
{
	(void)state;
	assert_true(ask("box.example.org", "", "192.0.2.1", "BOX.example.org", "box.example.org"));
	assert_true(ask(".example.org", "", "192.0.2.1", "box.example.org", ".example.org"));
	assert_false(ask(".example.org", "", "192.0.2.1", "example.org", ""));
	assert_false(ask(".example.org", "", "192.0.2.1", "badexample.org", ""));
	assert_false(ask("box", "", "192.0.2.1", NULL, ""));
	assert_false(ask("box", "", "192.0.2.1", "", ""));
	assert_true(ask("LOCAL", "", "192.0.2.1", "box", "LOCAL"));
	assert_false(ask("LOCAL", "", "192.0.2.1", "box.example.org", ""));
	assert_false(ask("LOCAL", "", "192.0.2.1", NULL, ""));
	assert_true(ask("all", "", "192.0.2.1", NULL, "all"));
}

static void both_lists(void **state)
{
	(void)state;
	assert_true(ask("", "", "192.0.2.1", NULL, ""));
	assert_true(ask("192.0.2.", "192.0.", "192.0.2.1", NULL, "192.0.2."));
	assert_false(ask("192.0.2.", "192.0.", "192.0.3.1", NULL, "192.0."));
	assert_true(ask("192.168.", "10.1.", "10.0.0.1", NULL, "")); /* in neither */
	assert_false(ask("", "ALL", "10.0.0.1", NULL, "ALL"));
	assert_true(ask("", "10.1.", "10.0.0.1", NULL, ""));
	assert_false(ask("192.168.", "", "10.0.0.1", NULL, ""));
	assert_true(ask("10.0.0.1", "ALL", "10.0.0.1", NULL, "10.0.0.1"));
}

static void except(void **state)
{
	(void)state;
	assert_true(allowed("192.168. EXCEPT 192.168.1.", "192.168.2.1"));
	assert_false(allowed("192.168. EXCEPT 192.168.1.", "192.168.1.1"));
	assert_false(allowed("192.168. EXCEPT 192.168.1.", "10.0.0.1"));
	assert_false(allowed("ALL except 10.0.0.1, 10.0.0.2", "10.0.0.2"));
	assert_true(ask("", "ALL EXCEPT 10.", "10.0.0.2", NULL, ""));
	assert_false(ask("", "ALL EXCEPT 10.", "11.0.0.2", NULL, "ALL"));
}

static void this_machine(void **state)
{
	(void)state;
	assert_true(allowed("10.", "127.0.0.1"));
	assert_true(allowed("10.", "127.3.2.1"));
	assert_true(allowed("10.", "::1"));
	assert_true(allowed("localhost", "::1"));
	assert_true(allowed("ALL EXCEPT 127.0.0.1", "127.0.0.1"));
	assert_false(ask("", "127.0.0.1", "127.0.0.1", NULL, "127.0.0.1"));
	assert_false(ask("", "localhost", "127.0.0.1", NULL, "localhost"));
	assert_false(ask("", "ALL", "127.0.0.1", NULL, "ALL"));
	assert_true(ask("127.", "ALL", "127.0.0.1", NULL, "127."));
}

static void no_address(void **state)
{
	(void)state;
	assert_false(allowed("10.0.0.0/8", "unknown"));
	assert_false(allowed("0.0.0.0/0", ""));
	assert_true(allowed("ALL", ""));
	assert_false(allowed("10.", ""));
}

static void need_of_a_name(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	assert_false(conf_hosts_need_name(convert_list(mem, "10. 1.2.3.4/8 ALL EXCEPT localhost 2001:db8::/32 [::1]")));
	assert_true(conf_hosts_need_name(convert_list(mem, "10. box")));
	assert_true(conf_hosts_need_name(convert_list(mem, ".example.org")));
	assert_true(conf_hosts_need_name(convert_list(mem, "LOCAL")));
	assert_false(conf_hosts_need_name(convert_list(mem, "")));
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(networks),	cmocka_unit_test(ipv6),	      cmocka_unit_test(names),
		cmocka_unit_test(both_lists),	cmocka_unit_test(except),     cmocka_unit_test(this_machine),
		cmocka_unit_test(no_address),	cmocka_unit_test(need_of_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
