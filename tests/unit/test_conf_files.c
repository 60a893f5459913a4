/* More than one file: include, copy, config file, --option; circles and missing files. */
#include "conf_text.h"

static void include_in_place(void **state)
{
	struct conf_text *t = *state;
	const struct conf_share *sh;

	text_file(t, "part", "comment = from part\nguest ok = yes\n");
	sh = text_share(t, "[x]\npath = /tmp\ncomment = before\ninclude = part\nguest ok = no\n");
	assert_string_equal(sh->p.comment, "from part");
	assert_false(sh->p.guest_ok);
	sh = text_share(t, talloc_asprintf(t, "[x]\npath = /tmp\ninclude = \"%s\"\n", text_path(t, "part")));
	assert_true(sh->p.guest_ok);
	assert_false(t->c->per_client);
}

static void include_with_sections(void **state)
{
	struct conf_text *t = *state;

	text_file(t, "shares", "[one]\npath = /tmp\n[two]\npath = /tmp\n");
	text_good(t, "[global]\nworkgroup = w\ninclude = shares\nread only = no\n");
	assert_true(conf_find(t->c, "one")->p.read_only);
	assert_false(conf_find(t->c, "two")->p.read_only); /* as Samba has it, and said */
	assert_said(t, CONF_MSG_WARNING, 3, "belong to [two], with which it ended, not to [global]");
	assert_non_null(strstr(conf_find(t->c, "two")->file, "/shares"));
	assert_int_equal(conf_find(t->c, "two")->line, 3);
}

static void errors_name_the_included_file(void **state)
{
	struct conf_text *t = *state;

	text_file(t, "part", "\n\nguest ok = perhaps\n");
	assert_refused(t, "[x]\npath = /tmp\ninclude = part\n", 3, "\"perhaps\"");
	assert_string_equal(text_message(t, 3, "perhaps")->file, text_path(t, "part"));
}

static void missing_includes(void **state)
{
	struct conf_text *t = *state;

	text_good(t, "[x]\npath = /tmp\ninclude = /nowhere/at/all\ninclude =\n");
	assert_said(t, CONF_MSG_WARNING, 3, "there is no file \"/nowhere/at/all\"");
	assert_refused(t, talloc_asprintf(t, "[x]\npath = /tmp\ninclude = %s\n", t->dir), 3, "cannot read");
	text_good(t, "[global]\ninclude = registry\n");
	assert_said(t, CONF_MSG_WARNING, 2, "no registry");
	assert_false(text_read(t, "not-there"));
	assert_int_equal(t->rep.n, 1);
	assert_string_equal(conf_message_line(t, &t->rep.msgs[0]),
			    talloc_asprintf(t, "%s/not-there: cannot read the configuration: No such file or directory",
					    t->dir));
}

static void circles(void **state)
{
	struct conf_text *t = *state;

	assert_refused(t, "[x]\npath = /tmp\ninclude = smb.conf\n", 3, "goes round in a circle");
	text_file(t, "b", "include = c\n");
	text_file(t, "c", "\ninclude = ./b\n");
	assert_refused(t, "[x]\npath = /tmp\ninclude = b\n", 2, "include = ./b goes round in a circle");
	assert_string_equal(text_message(t, 2, "circle")->file, text_path(t, "c"));
}

static void include_of_a_client(void **state)
{
	struct conf_text *t = *state;
	struct conf_macros m = { .client_name = "OLDBOX", .client_addr = "192.0.2.7" };
	const char *text = "[x]\npath = /tmp\ninclude = smb.conf.%m\ninclude = smb.conf.%I\n";

	text_file(t, "smb.conf.oldbox", "comment = for oldbox\n");
	text_file(t, "smb.conf.192.0.2.7", "guest ok = yes\n");
	assert_string_equal(text_share(t, text)->p.comment, "");
	assert_true(t->c->per_client);
	assert_int_equal(t->rep.n, 0);
	t->client = &m;
	assert_string_equal(text_share(t, text)->p.comment, "for oldbox");
	assert_true(conf_find(t->c, "x")->p.guest_ok);
	assert_true(t->c->per_client);
	m.client_name = "other";
	assert_string_equal(text_share(t, text)->p.comment, "");
	assert_int_equal(t->rep.n, 0); /* no file for this client: nothing to say */
}

static void hostile_client_names_stay_beside_the_file(void **state)
{
	struct conf_text *t = *state;
	struct conf_macros m = { .client_name = "../secret" };

	text_file(t, "secret", "[global]\nserver string = taken\n");
	assert_int_equal(mkdir(text_path(t, "sub"), 0700), 0);
	text_file(t, "sub/smb.conf", "[global]\ninclude = %m\n");
	t->client = &m;
	assert_true(text_read(t, "sub/smb.conf"));
	assert_string_equal(t->c->g.server_string, "smb1d %v");
}

static void static_macros_in_include(void **state)
{
	struct conf_text *t = *state;

	setenv("CONF_TEST_NAME", "part", 1);
	text_file(t, "part", "comment = environment\n");
	assert_string_equal(text_share(t, "[x]\npath=/tmp\ninclude = %$(CONF_TEST_NAME)\n")->p.comment, "environment");
	assert_false(t->c->per_client);
}

static void copies(void **state)
{
	struct conf_text *t = *state;
	const struct conf_share *sh;

	sh = text_share(t, "[model]\npath = /tmp\ncomment = model\nguest ok = yes\nrecycle:keeptree = yes\n"
			   "[x]\npath = /usr\ncopy = MODEL\ncomment = mine\n");
	assert_string_equal(sh->p.path, "/usr"); /* said before the copy, and still the section's own */
	assert_string_equal(sh->p.comment, "mine");
	assert_true(sh->p.guest_ok);
	assert_list(sh->options, "recycle:keeptree", "yes", NULL);
	sh = text_share(t, "[a]\npath = /tmp\ncomment = a\n[b]\npath = /usr\n[x]\ncopy = a\ncopy = b\n");
	assert_string_equal(sh->p.path, "/usr"); /* the later copy wins over the earlier */
	assert_string_equal(sh->p.comment, "a");
	sh = text_share(t, "[global]\nread only = no\n[a]\npath = /tmp\nread only = yes\n[x]\ncopy = a\n");
	assert_true(sh->p.read_only);
	sh = text_share(t, "[a]\npath = /tmp\n[x]\ncopy = a\n[a]\ncomment = later\n");
	assert_string_equal(sh->p.comment, ""); /* what comes after the copy is not in it */
}

static void bad_copies(void **state)
{
	struct conf_text *t = *state;

	assert_refused(t, "[x]\npath = /tmp\ncopy = x\n", 3, "cannot copy itself");
	assert_refused(t, "[x]\npath = /tmp\ncopy = y\n[y]\npath = /tmp\n", 3, "there is no section [y] further up");
	assert_refused(t, "[y]\npath = /tmp\n[global]\ncopy = y\n", 4, "[global] cannot copy a share");
}

static void config_file_replaces_all(void **state)
{
	struct conf_text *t = *state;
	struct conf_macros m = { .server_name = "ALIAS" };

	text_file(t, "other", "[global]\nserver string = other\n[y]\npath = /tmp\n");
	text_good(t, "[global]\nworkgroup = first\nconfig file = other\n[x]\npath = /tmp\n");
	assert_string_equal(t->c->g.server_string, "other");
	assert_string_equal(t->c->g.workgroup, "WORKGROUP");
	assert_null(conf_find(t->c, "x"));
	assert_non_null(conf_find(t->c, "y"));
	assert_said(t, CONF_MSG_NOTE, 3, "is read instead");
	text_good(t, "[global]\nconfig file = nowhere\nworkgroup = stays\n");
	assert_string_equal(t->c->g.workgroup, "STAYS");
	text_good(t, "[global]\nconfig file = smb.conf\nworkgroup = me\n"); /* itself: nothing to do */
	assert_string_equal(t->c->g.workgroup, "ME");
	text_file(t, "conf.ALIAS", "[global]\nworkgroup = alias\n");
	text_good(t, "[global]\nconfig file = conf.%L\nworkgroup = plain\n");
	assert_string_equal(t->c->g.workgroup, "PLAIN");
	assert_true(t->c->per_client);
	t->client = &m;
	text_good(t, "[global]\nconfig file = conf.%L\nworkgroup = plain\n");
	assert_string_equal(t->c->g.workgroup, "ALIAS");
	assert_true(t->c->per_client);
}

static void config_file_circle(void **state)
{
	struct conf_text *t = *state;

	text_file(t, "b", talloc_asprintf(t, "[global]\nconfig file = %s\n", text_path(t, "smb.conf")));
	assert_refused(t, talloc_asprintf(t, "[global]\nconfig file = %s\n", text_path(t, "b")), 2, "circle");
}

static void options_come_last(void **state)
{
	static const char *const good[] = { "workgroup = cmd line", "debug level=7", "writable=yes",
					    "smb1d: login timeout=5", NULL };
	static const char *const bad[] = { "wirkgroup=x", NULL }, *const none[] = { "workgroup", NULL };
	struct conf_text *t = *state;

	t->overrides = good;
	text_good(t, "[global]\nworkgroup = file\nlog level = 1\n[x]\npath=/tmp\n");
	assert_string_equal(t->c->g.workgroup, "CMD LINE");
	assert_string_equal(t->c->g.log_level, "7");
	assert_int_equal(t->c->g.smb1d_login_timeout, 5);
	assert_false(conf_find(t->c, "x")->p.read_only);
	assert_int_equal(t->rep.n, 0);
	t->overrides = bad;
	assert_refused(t, "[global]\n", 0, "unknown parameter \"wirkgroup\"; did you mean \"workgroup\"?");
	assert_string_equal(conf_message_line(t, &t->rep.msgs[0]),
			    "--option: unknown parameter \"wirkgroup\"; did you mean \"workgroup\"?");
	t->overrides = none;
	assert_refused(t, "[global]\n", 0, "\"workgroup\" is no NAME=VALUE");
}

/* A bad file leaves nothing behind, and the configuration one had is still one's own. */
static void a_bad_file_replaces_nothing(void **state)
{
	struct conf_text *t = *state;
	struct conf *had = text_good(t, "[global]\nworkgroup = good\n");

	assert_false(text_load(t, "[global]\nworkgroup = bad\nmax mux = x\n"));
	assert_null(t->c);
	assert_string_equal(had->g.workgroup, "GOOD");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEXT_TEST(include_in_place),	     TEXT_TEST(include_with_sections),
		TEXT_TEST(errors_name_the_included_file), TEXT_TEST(missing_includes),
		TEXT_TEST(circles),		     TEXT_TEST(include_of_a_client),
		TEXT_TEST(hostile_client_names_stay_beside_the_file),
		TEXT_TEST(static_macros_in_include), TEXT_TEST(copies),
		TEXT_TEST(bad_copies),		     TEXT_TEST(config_file_replaces_all),
		TEXT_TEST(config_file_circle),	     TEXT_TEST(options_come_last),
		TEXT_TEST(a_bad_file_replaces_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
