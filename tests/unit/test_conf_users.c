/* Lists of users and groups. */
#include "conf_text.h"
#include "conf/room.h"
#include "base/str.h"
#include <grp.h>

static const gid_t gids[] = { 77001, 77002 };

static bool in(struct conf_text *t, const char *list, const char *user, const struct conf_macros *m)
{
	const char *rule, *none = "";
	const char *const *l = convert_list(t, list);
	bool yes = conf_user_in(l, user, gids, 2, m, &rule);

	assert_int_equal(yes, conf_user_in(l, user, gids, 2, m, NULL));
	assert_int_equal(yes, strcmp(rule, none) != 0);
	return yes;
}

static void plain_names(void **state)
{
	struct conf_text *t = *state;

	assert_true(in(t, "bert, anna", "anna", NULL));
	assert_true(in(t, "Anna", "aNNA", NULL));
	assert_false(in(t, "annab ann", "anna", NULL));
	assert_false(in(t, "", "anna", NULL));
	assert_true(in(t, "\"two words\"", "two words", NULL));
	assert_false(in(t, "\"\"", "", NULL));
}

/* Groups that the configuration looked up are known without asking the system. */
static void groups(void **state)
{
	struct conf_text *t = *state;
	struct conf_group known[] = { { "staff of old", 77001, NULL }, { "others", 66000, NULL } };
	struct conf c = { .groups = known, .ngroups = 2 };
	struct conf_macros m = { .conf = &c };

	c.g.workgroup = c.g.netbios_name = "W";
	assert_true(in(t, "@\"staff of old\"", "anna", &m));
	assert_true(in(t, "+\"staff of old\"", "anna", &m));
	assert_true(in(t, "&\"staff of old\"", "anna", &m));
	assert_true(in(t, "&+\"staff of old\"", "anna", &m));
	assert_false(in(t, "@others", "anna", &m));
	assert_false(in(t, "@no-such-group-anywhere", "anna", &m));
	assert_false(in(t, "@", "anna", &m));
	assert_false(in(t, "\"staff of old\"", "anna", &m)); /* a user of that name is another thing */
}

static void groups_of_the_system(void **state)
{
	struct conf_text *t = *state;
	const struct group *gr = getgrgid(getgid());
	const char *list[2] = { NULL };
	gid_t own = getgid();

	if (gr == NULL)
		skip();
	list[0] = talloc_asprintf(t, "@%s", gr->gr_name);
	assert_true(conf_user_in(list, "anna", &own, 1, NULL, NULL));
	text_good(t, talloc_asprintf(t, "[x]\npath = /tmp\nvalid users = @%s, @no-such-group-anywhere\n", gr->gr_name));
	assert_int_equal(t->c->ngroups, 1);
	assert_string_equal(t->c->groups[0].name, gr->gr_name);
	assert_int_equal(t->c->groups[0].gid, own);
	assert_said(t, CONF_MSG_WARNING, 3, "there is no Unix group \"no-such-group-anywhere\"");
	assert_null(t->c->groups[0].members[0]);
	/* of a `username` list the members are wanted: daemon is in its group everywhere, by /etc/passwd */
	if (getgrnam("daemon") == NULL)
		return;
	text_good(t, "[x]\npath = /tmp\nvalid users = @daemon\nusername = &daemon\n");
	assert_int_equal(t->c->ngroups, 1);
	assert_string_equal(t->c->groups[0].members[0], "daemon");
	assert_null(t->c->groups[0].members[1]);
}

static void domains(void **state)
{
	struct conf_text *t = *state;
	struct conf_macros m = { .domain = "HOME" };

	assert_true(in(t, "home\\anna", "anna", &m));
	assert_false(in(t, "OTHER\\anna", "anna", &m));
	assert_false(in(t, "HOME\\", "", &m));
	assert_false(in(t, "HOME\\anna", "anna", NULL));
}

static void macros(void **state)
{
	struct conf_text *t = *state;
	struct conf_macros m = { .service = "anna", .user_asked = "bert", .user = "cleo" };

	assert_true(in(t, "%S", "anna", &m));
	assert_true(in(t, "%U", "bert", &m));
	assert_true(in(t, "%u", "cleo", &m));
	assert_false(in(t, "%S", "bert", &m));
	assert_false(in(t, "%S", "anna", NULL));
	assert_false(in(t, "%S", "", NULL));
	m.user_asked = "@root"; /* a client cannot make itself a group */
	assert_false(in(t, "%U", "root", &m));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEXT_TEST(plain_names), TEXT_TEST(groups), TEXT_TEST(groups_of_the_system),
		TEXT_TEST(domains),	TEXT_TEST(macros),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
