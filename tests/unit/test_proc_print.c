/* The command line of a print job: nothing a client says becomes syntax. */
#include "proc/inner.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static const char *title;

static char *value(TALLOC_CTX *mem, const void *arg, char macro)
{
	(void)arg;
	if (macro == 'J')
		return talloc_strdup(mem, title);
	return macro == '%' ? talloc_strdup(mem, "%") : talloc_asprintf(mem, "<%c>", macro);
}

static void check(const char *command, const char *const *want)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct print_words w;
	int n = 0;

	assert_true(print_words_make(mem, command, value, NULL, &w));
	for (; want[n]; n++)
		assert_string_equal(w.v[n], want[n]);
	assert_int_equal(w.n, n);
	assert_null(w.v[n]);
	talloc_free(mem);
}

static void plain(void **state)
{
	(void)state;
	title = "a b'c\"; rm -rf $HOME";
	check("lpr  -P%p -T %J %s ", (const char *[]){ "lpr", "-P<p>", "-T", title, "<s>", NULL });
	check("lpr -T '%J x' \"%s\"", (const char *[]){ "lpr", "-T", "a b'c\"; rm -rf $HOME x", "<s>", NULL });
	check("lpr ''", (const char *[]){ "lpr", "", NULL });
}

static void shell(void **state)
{
	(void)state;
	title = "$(reboot)";
	check("lpr -T %J %s; rm %s", (const char *[]){ "/bin/sh", "-c", "lpr -T \"${1}\" \"${2}\"; rm \"${3}\"",
						      "smb1d-print", title, "<s>", "<s>", NULL });
	check("echo '%J' | x", (const char *[]){ "/bin/sh", "-c", "echo ''\"${1}\"'' | x", "smb1d-print", title, NULL });
	check("echo \"a %J\" > x", (const char *[]){ "/bin/sh", "-c", "echo \"a ${1}\" > x", "smb1d-print", title, NULL });
	/* a backslash of the author's does not reach into the parameter */
	check("echo \\%J;", (const char *[]){ "/bin/sh", "-c", "echo \\\"${1}\";", "smb1d-print", title, NULL });
}

/* A title is no option of the author's program, wherever it begins a word. */
static void no_option(void **state)
{
	(void)state;
	title = "-oraw";
	check("lpr %J '%J' -T%J", (const char *[]){ "lpr", "_oraw", "_oraw", "-T-oraw", NULL });
	check("lpr %J; :", (const char *[]){ "/bin/sh", "-c", "lpr \"${1}\"; :", "smb1d-print", "_oraw", NULL });
}

/* What the shell really makes of it. */
static void shell_runs(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct print_words w;
	char line[256] = "";
	FILE *f;
	int fd[2];
	pid_t pid;

	(void)state;
	title = "x'; echo pwned; `id` \"$(id)\"";
	assert_true(print_words_make(mem, "printf '%%s|' %J '%J' \"%J\" ;", value, NULL, &w));
	assert_int_equal(pipe(fd), 0);
	pid = fork();
	if (pid == 0) {
		dup2(fd[1], 1);
		execv(w.v[0], w.v);
		_exit(1);
	}
	close(fd[1]);
	f = fdopen(fd[0], "r");
	assert_non_null(f);
	assert_non_null(fgets(line, sizeof(line), f));
	fclose(f);
	waitpid(pid, NULL, 0);
	assert_non_null(strstr(line, title));
	assert_null(strstr(line, "uid="));
	talloc_free(mem);
}

static void too_many(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	char *command = talloc_strdup(mem, "x");
	struct print_words w;

	(void)state;
	for (int i = 0; i < 100; i++)
		command = talloc_strdup_append(command, " a");
	assert_false(print_words_make(mem, command, value, NULL, &w));
	assert_false(print_words_make(mem, "", value, NULL, &w));
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain), cmocka_unit_test(shell),
		cmocka_unit_test(no_option), cmocka_unit_test(shell_runs),
		cmocka_unit_test(too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
