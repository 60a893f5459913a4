/* smb1ctl check: arguments, exit status, the host test. */
#include "conf_text.h"
#include "ctl/check.c"
#include <fcntl.h>

/* Runs it with both outputs in files; *out and *err then hold what was said. */
static int run(struct conf_text *t, const char **out, const char **err, ...)
{
	const char *argv[8] = { "check" };
	char *buf[2] = { talloc_zero_size(t, 100000), talloc_zero_size(t, 100000) };
	int argc = 1, keep[2], fd[2], rc;
	va_list ap;

	va_start(ap, err);
	while ((argv[argc] = va_arg(ap, const char *)) != NULL)
		argc++;
	va_end(ap);
	fflush(NULL);
	for (int i = 0; i < 2; i++) {
		fd[i] = open(text_path(t, i ? "err" : "out"), O_RDWR | O_CREAT | O_TRUNC, 0600);
		keep[i] = dup(i + 1);
		dup2(fd[i], i + 1);
	}
	rc = ctl_check(argc, argv, text_path(t, "smb.conf"));
	fflush(NULL);
	for (int i = 0; i < 2; i++) {
		dup2(keep[i], i + 1);
		close(keep[i]);
		(void)!pread(fd[i], buf[i], 99999, 0);
		close(fd[i]);
	}
	*out = buf[0];
	*err = buf[1];
	return rc;
}

static void good_and_bad_files(void **state)
{
	struct conf_text *t = *state;
	const char *out, *err;

	text_file(t, "smb.conf", "[x]\npath = /tmp\n");
	text_file(t, "bad", "[x]\nwirtable = yes\n");
	assert_int_equal(run(t, &out, &err, NULL), 0);
	assert_string_equal(out, "# Global parameters\n[global]\n\n\n[x]\n\tpath = /tmp\n");
	assert_non_null(strstr(err, "Loaded services file OK."));
	assert_int_equal(run(t, &out, &err, text_path(t, "bad"), NULL), 1);
	assert_string_equal(out, "");
	assert_non_null(strstr(err, "/bad:2: unknown parameter \"wirtable\"; did you mean \"writable\"?"));
	assert_int_equal(run(t, &out, &err, text_path(t, "none"), NULL), 1);
	assert_int_equal(run(t, &out, &err, "--verbose", NULL), 0);
	assert_non_null(strstr(out, "workgroup = WORKGROUP"));
}

static void parts(void **state)
{
	struct conf_text *t = *state;
	const char *out, *err;

	text_file(t, "smb.conf", "[x]\npath = /tmp\n[y]\npath = /usr\n");
	assert_int_equal(run(t, &out, &err, "--section-name=y", "--parameter-name=path", NULL), 0);
	assert_string_equal(out, "/usr\n");
	assert_int_equal(run(t, &out, &err, "--section-name=y", NULL), 0);
	assert_string_equal(out, "\n\n[y]\n\tpath = /usr\n");
	assert_int_equal(run(t, &out, &err, "--parameter-name=workgroup", NULL), 0);
	assert_string_equal(out, "WORKGROUP\n");
	assert_int_equal(run(t, &out, &err, "--parameter-name=wirkgroup", NULL), 1);
	assert_non_null(strstr(err, "there is no parameter \"wirkgroup\""));
	assert_int_equal(run(t, &out, &err, "--section-name=z", NULL), 1);
	assert_non_null(strstr(err, "there is no section [z]"));
	assert_int_equal(run(t, &out, &err, "--no-such-option", NULL), 1);
	assert_int_equal(run(t, &out, &err, text_path(t, "smb.conf"), "host", NULL), 1);
}

static void hosts(void **state)
{
	struct conf_text *t = *state;
	const char *out, *err, *file = text_path(t, "smb.conf");

	text_file(t, "smb.conf", "[global]\nhosts deny = 10.9.\n[x]\npath = /tmp\nhosts allow = 10.\n"
				 "[y]\npath = /tmp\nhosts allow = .example.org\nhosts deny = ALL\n");
	assert_int_equal(run(t, &out, &err, file, "box.example.org", "10.1.1.1", NULL), 0);
	assert_string_equal(out, "Allow connection from box.example.org (10.1.1.1) to x by \"10.\"\n"
				 "Deny connection from box.example.org (10.1.1.1) to y by \"ALL\"\n");
	assert_non_null(strstr(err, "hosts allow: smb1d asks no DNS"));
	assert_int_equal(run(t, &out, &err, file, "box", "10.9.1.1", NULL), 0);
	assert_string_equal(out, "Deny connection from box (10.9.1.1) to x by \"10.9.\"\n"
				 "Deny connection from box (10.9.1.1) to y by \"10.9.\"\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = { TEXT_TEST(good_and_bad_files), TEXT_TEST(parts), TEXT_TEST(hosts) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
