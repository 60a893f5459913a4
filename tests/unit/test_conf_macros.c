/* %-macros, with friendly and with hostile clients. */
#include "conf_text.h"

static const struct conf_macros all = {
	.client_name = "OldBox", .client_addr = "192.0.2.7", .client_dns = "old.example.org",
	.server_name = "FILES", .server_addr = "2001:db8::1", .host_name = "host", .arch = "Win95", .dialect = "NT1",
	.user_asked = "Anna", .user = "anna", .group_asked = "users", .group = "staff", .home = "/home/anna",
	.domain = "GROUP", .service = "data", .path = "/srv/data", .pid = 4711,
};

#define EXPANDS(m, text, want) \
	do { \
		char *got_ = conf_expand(NULL, text, m); \
		assert_string_equal(got_, want); \
		talloc_free(got_); \
	} while (0)

static void every_macro(void **state)
{
	(void)state;
	EXPANDS(&all, "%S,%P,%u,%g,%U,%G,%H", "data,/srv/data,anna,staff,Anna,users,/home/anna");
	EXPANDS(&all, "%m,%M,%I,%J", "oldbox,old.example.org,192.0.2.7,192_0_2_7");
	EXPANDS(&all, "%L,%N,%i,%j,%h", "FILES,FILES,2001:db8::1,2001_db8__1,host");
	EXPANDS(&all, "%a,%R,%d,%D,%w", "Win95,NT1,4711,GROUP,\\");
	EXPANDS(&all, "/a/%S/b%S%S", "/a/data/bdatadata");
}

static void time_and_version(void **state)
{
	char *s = conf_expand(NULL, "%T", &all);

	(void)state;
	assert_int_equal(strlen(s), 19);
	assert_int_equal(s[4], '/');
	talloc_free(s);
	s = conf_expand(NULL, "%t", &all);
	assert_int_equal(strlen(s), 19);
	assert_null(strpbrk(s, ":/ "));
	talloc_free(s);
	s = conf_expand(NULL, "%v", NULL);
	assert_true(strlen(s) > 0 && s[0] != '%');
	talloc_free(s);
}

static void what_is_no_macro_stays(void **state)
{
	(void)state;
	EXPANDS(&all, "%s %p %J%% %z %", "%s %p 192_0_2_7%% %z %");
	EXPANDS(&all, "100%", "100%");
	EXPANDS(&all, "%$(UNCLOSED %$ %S", "%$(UNCLOSED %$ data");
	EXPANDS(&all, "", "");
}

static void unknown_is_empty(void **state)
{
	char host[256] = "", pid[32];

	(void)state;
	gethostname(host, sizeof(host) - 1);
	snprintf(pid, sizeof(pid), "%ld", (long)getpid());
	EXPANDS(NULL, "[%S%P%u%g%H%U%G%D%m%M%I%J%i%j%R]", "[]");
	EXPANDS(NULL, "%h", host);
	EXPANDS(NULL, "%d", pid);
	EXPANDS(NULL, "%a", "UNKNOWN");
}

/* On port 445 no client tells its NetBIOS name. */
static void address_for_a_name(void **state)
{
	struct conf_macros m = { .client_addr = "192.0.2.9", .host_name = "h" };

	(void)state;
	EXPANDS(&m, "log.%m %M %L", "log.192.0.2.9 192.0.2.9 h");
}

static void environment(void **state)
{
	(void)state;
	setenv("CONF_TEST_VALUE", "a%Sb", 1);
	unsetenv("CONF_TEST_NONE");
	EXPANDS(&all, "<%$(CONF_TEST_VALUE)><%$(CONF_TEST_NONE)>", "<a%Sb><>");
}

static void hostile_names(void **state)
{
	static const struct { const char *name, *becomes; } bad[] = {
		{ "../../etc", "_._._._etc" }, { "a/b", "a_b" },	 { "%m%m", "_m_m" },
		{ "..", "__" },	       { ".", "_" },		 { "a..b", "a._b" },
		{ "a.", "a_" },		       { ".ssh", "_ssh" },	 { "a\nb\tc", "a_b_c" },
		{ "$(id);`x`|y", "__id___x__y" }, { "a b-c_d.e", "a b-c_d.e" }, { "\\\\x", "__x" },
		{ "*?\"<>", "_____" },	       { "gr\xc3\xbc\xc3\x9f""e", "gr__e" }, { "%$(HOME)", "___HOME_" },
		{ "...", "_._" },
	};
	struct conf_macros m = all;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char *s;

		m.user_asked = m.client_name = m.server_name = m.group_asked = m.domain = m.arch = bad[i].name;
		m.dialect = m.client_dns = bad[i].name;
		s = conf_expand(NULL, "/srv/%U/%L/%G/%D/%a/%R/%M/%m", &m);
		assert_null(strstr(s, ".."));
		assert_null(strstr(s, "/./"));
		assert_null(strchr(s, '%'));
		talloc_free(s);
		if (i != 0)
			EXPANDS(&m, "%U", bad[i].becomes);
	}
}

/* What the server looked up itself keeps its letters but is one part of a path. */
static void own_names_stay_one_component(void **state)
{
	struct conf_macros m = { .service = "../a/b", .user = "..", .group = "/x", .home = "/home/u" };

	(void)state;
	EXPANDS(&m, "/%S/%u/%g", "/_._a_b/_./_x");
	m.service = "Gr\xc3\xbc\xc3\x9f""e$";
	EXPANDS(&m, "%S", "Gr\xc3\xbc\xc3\x9f""e$");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_macro),	   cmocka_unit_test(time_and_version),
		cmocka_unit_test(hostile_names),   cmocka_unit_test(what_is_no_macro_stays),
		cmocka_unit_test(unknown_is_empty), cmocka_unit_test(address_for_a_name),
		cmocka_unit_test(environment),	   cmocka_unit_test(own_names_stay_one_component),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
