/* A configuration as text again; the manual page and the table made from params.def. */
#include "conf_text.h"
#include "conf/room.h"

static char *text_of(struct conf_text *t, const struct conf *c, bool verbose, const char *section, const char *parameter)
{
	char *text = NULL, *out;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	if (c != NULL)
		conf_print(f, c, verbose, section, parameter);
	else if (verbose)
		conf_print_manual(f);
	else
		conf_print_options_md(f);
	fclose(f);
	out = talloc_strdup(t, text);
	free(text);
	return out;
}

static void as_testparm_does(void **state)
{
	struct conf_text *t = *state;
	struct conf *c = text_good(t, "[global]\nserver string = box\ncreate mask = 600\nforeign:option = 1\n"
				      "[x]\npath = /tmp\nwritable = yes\nvalid users = a \"b c\"\ncreate mask = 0600\n"
				      "map readonly = perm\nrecycle:versions = yes\n[y]\npath = /tmp\ncreate mask = 0744\n");

	assert_string_equal(text_of(t, c, false, NULL, NULL), "# Global parameters\n"
							      "[global]\n"
							      "\tserver string = box\n"
							      "\tcreate mask = 0600\n"
							      "\tforeign:option = 1\n"
							      "\n\n[x]\n"
							      "\tmap readonly = permissions\n"
							      "\tpath = /tmp\n"
							      "\tread only = No\n"
							      "\tvalid users = a, \"b c\"\n"
							      "\trecycle:versions = yes\n"
							      "\n\n[y]\n"
							      "\tcreate mask = 0744\n"
							      "\tpath = /tmp\n");
}

/* What is printed is smb.conf again, and means the same. */
static void printed_and_read_again(void **state)
{
	struct conf_text *t = *state;
	char *first, *second;

	text_good(t, "[global]\nserver string = a # \\b ; \"c\"\nveto files = /a b/\"c\"/\nhosts allow = 10. \"a b\"\n"
		     "server max protocol = CORE+\nsmb1d: login timeout = 7\n[A b]\npath = /tmp\ncomment = \" x \"\n");
	first = text_of(t, t->c, true, NULL, NULL);
	text_good(t, first);
	second = text_of(t, t->c, true, NULL, NULL);
	assert_string_equal(first, second);
	assert_string_equal(conf_find(t->c, "a b")->p.comment, " x ");
	assert_string_equal(t->c->g.server_string, "a # \\b ; \"c\"");
}

static void verbose_shows_all(void **state)
{
	struct conf_text *t = *state;
	char *text = text_of(t, text_good(t, "[x]\npath=/tmp\n"), true, NULL, NULL);

	assert_non_null(strstr(text, "\tworkgroup = WORKGROUP\n"));
	assert_non_null(strstr(text, "\tcreate mask = 0744\n"));
	assert_non_null(strstr(text, "[IPC$]"));
}

static void one_section_or_parameter(void **state)
{
	struct conf_text *t = *state;
	struct conf *c = text_good(t, "[My x]\npath = /tmp\nguest ok = yes\n");

	assert_string_equal(text_of(t, c, false, "my X", NULL), "\n\n[My x]\n\tguest ok = Yes\n\tpath = /tmp\n");
	assert_string_equal(text_of(t, c, false, NULL, "work group"), "WORKGROUP\n");
	assert_string_equal(text_of(t, c, false, "myx", "public"), "Yes\n");
	assert_string_equal(text_of(t, c, false, "myx", "writable"), "No\n");
	assert_string_equal(text_of(t, c, false, "GLOBAL", "read only"), "Yes\n");
	assert_string_equal(text_of(t, c, false, "nothing", NULL), "");
	assert_string_equal(text_of(t, c, false, NULL, "nothing"), "");
	assert_true(conf_is_section(c, "MYX") && conf_is_section(c, "global") && !conf_is_section(c, "y"));
	assert_true(conf_is_parameter("public") && conf_is_parameter("Read  Only") && !conf_is_parameter("readzz"));
}

static void the_manual_has_every_name(void **state)
{
	struct conf_text *t = *state;
	char *man = text_of(t, NULL, true, NULL, NULL), *md = text_of(t, NULL, false, NULL, NULL);

	for (const struct param *p = param_table; p < param_table + param_count; p++) {
		if (p->type == P_HEAD)
			continue;
		assert_non_null(strstr(man, talloc_asprintf(t, ".BR \"%s\" \" (%c)\"\n", p->name, p->global ? 'G' : 'S')));
		assert_non_null(strstr(md, talloc_asprintf(t, "\n| %s |", p->name)));
	}
	assert_non_null(strstr(man, "Also written writable (the opposite), writeable (the opposite)"));
	assert_non_null(strstr(man, "Accepted without effect: smb1d is no WINS server."));
	for (const char *line = man; (line = strchr(line, '\n')) != NULL;) /* a dot in front is a request */
		if (*++line == '.')
			assert_non_null(strchr("TSBPI", line[1]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEXT_TEST(as_testparm_does),	     TEXT_TEST(printed_and_read_again),
		TEXT_TEST(verbose_shows_all),	     TEXT_TEST(one_section_or_parameter),
		TEXT_TEST(the_manual_has_every_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
