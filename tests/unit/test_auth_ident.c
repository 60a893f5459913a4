/* test_auth_ident.c - `username level`: how many capitals are tried in a name, and how many look-ups that may cost. */
#include "auth/internal.h"
#include "base/str.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <grp.h>
#include <pwd.h>

/* ---- a system with one account, on which we are root ---- */
static const char *account;
static unsigned lookups;

int getresuid(uid_t *r, uid_t *e, uid_t *s)
{
	*r = *e = *s = 0;
	return 0;
}

int getpwnam_r(const char *name, struct passwd *pw, char *buf, size_t size, struct passwd **found)
{
	*found = NULL;
	lookups++;
	if (strcmp(name, account) != 0)
		return 0;
	snprintf(buf, size, "%s", name);
	*pw = (struct passwd){ .pw_name = buf, .pw_uid = 4711, .pw_gid = 12, .pw_dir = buf };
	*found = pw;
	return 0;
}

int getgrouplist(const char *user, gid_t gid, gid_t *groups, int *n)
{
	(void)user;
	groups[0] = gid;
	return *n = 1;
}

static bool finds(const char *asked, unsigned level)
{
	struct ident *id = ident_find(NULL, asked, level);
	bool yes = id && id->uid == 4711;

	talloc_free(id);
	return yes;
}

static void as_many_capitals_as_the_level(void **state)
{
	(void)state;
	account = "annA";
	assert_true(finds("annA", 0)); /* as it was asked for */
	assert_false(finds("anna", 0));
	assert_false(finds("ANNA", 0));
	assert_true(finds("anna", 1));
	assert_true(finds("ANNA", 1));
	account = "McBride";
	assert_false(finds("mcbride", 1));
	assert_true(finds("mcbride", 2));
	assert_true(finds("MCBRIDE", 5));
	account = "mcbride";
	assert_true(finds("McBride", 0)); /* the lower-cased name is always tried */
}

static void look_ups_are_bounded(void **state)
{
	char name[61];

	(void)state;
	account = "nobody has this name";
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	lookups = 0;
	assert_false(finds(name, 60));
	assert_in_range(lookups, 100, 600);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_many_capitals_as_the_level),
		cmocka_unit_test(look_ups_are_bounded),
	};
	const char *why;

	if (!str_setup("CP850", "UTF-8", &why))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
