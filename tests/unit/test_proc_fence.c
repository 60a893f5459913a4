/* The fence around the shares, from inside a child. */
#include "proc/inner.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static char dir[256];

/* ---- kernels that know less: syscall() of the C library, as far as the version of Landlock goes ---- */
static int oldest; /* 0: as it is; else the version, -1 none */

long syscall(long number, ...)
{
	static long (*real)(long number, ...);
	long a[6];
	va_list ap;

	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	if (oldest && number == SYS_landlock_create_ruleset) {
		errno = ENOSYS;
		return a[2] == LANDLOCK_CREATE_RULESET_VERSION ? oldest : -1;
	}
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static const char *in(const char *name)
{
	static char path[4][300];
	static unsigned turn;

	snprintf(path[++turn % 4], sizeof(path[0]), "%s/%s", dir, name);
	return path[turn % 4];
}

static void file(const char *name)
{
	int fd = open(in(name), O_RDWR | O_CREAT, 0644);

	assert_true(fd >= 0);
	close(fd);
}

/* smb.conf: a lock directory and these lines. */
static struct conf *load(TALLOC_CTX *mem, const char *text)
{
	struct conf_source src = { .file = in("smb.conf") };
	struct conf_report rep = { 0 };
	struct conf *c = NULL;
	FILE *f = fopen(in("smb.conf"), "w");

	assert_non_null(f);
	fprintf(f, "[global]\nlock directory = %s/lock\nunix extensions = no\n%s", dir, text);
	fclose(f);
	assert_true(conf_load(mem, &src, &c, &rep));
	return c;
}

/* "@" stands for the test's own folder. */
static struct fence *fence(const char *lines, const char *home)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	char *text = talloc_strdup(mem, "");
	struct fence *f;

	for (const char *at = lines; *at; at++)
		text = *at == '@' ? talloc_strdup_append(text, dir) : talloc_strndup_append(text, at, 1);
	f = fence_make(NULL, load(mem, text), home);
	assert_non_null(f);
	talloc_free(mem);
	return f;
}

/* The exit status of fn() behind the fence. */
static int behind(const struct fence *f, int (*fn)(void))
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !fence_enter(f))
			_exit(99);
		_exit(fn());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static bool opens(const char *path, int flags) { return close(open(path, flags | O_CLOEXEC, 0600)) == 0; }

static int plain(void)
{
	if (!opens(in("share/file"), O_RDWR) || !opens(in("share/new"), O_RDWR | O_CREAT))
		return 1;
	if (opens(in("other/file"), O_RDONLY) || errno != EBADF || opens(in("other/new"), O_RDWR | O_CREAT))
		return 2;
	if (opens(in("share/../other/file"), O_RDONLY) || opens(in("share/out"), O_RDONLY)) /* a link */
		return 3;
	if (rename(in("share/new"), in("share/sub/moved")) != 0) /* between folders: what older kernels cannot */
		return 4;
	if (rename(in("share/sub/moved"), in("homes/moved")) != 0) /* and between what the rules name */
		return 5;
	if (rename(in("homes/moved"), in("other/moved")) == 0 || link(in("share/file"), in("other/linked")) == 0)
		return 6;
	if (mkdir(in("other/sub"), 0700) == 0 || unlink(in("other/file")) == 0)
		return 7;
	if (!opens("/etc/passwd", O_RDONLY) || opens("/etc/hostname", O_RDONLY) || opens("/etc/passwd", O_WRONLY))
		return 8;
	return unlink(in("homes/moved")) == 0 ? 0 : 9;
}

static int into_new(void) { return opens(in("new/file"), O_RDWR | O_CREAT) ? 0 : 1; }
static int into_anna(void) { return opens(in("homes/anna/file"), O_RDWR | O_CREAT) ? 0 : 1; }

#define SHARES "[share]\npath = @/share\n[homes]\npath = @/homes/%S\n"

static void need(struct fence *f)
{
	const char *why = fence_missing(f);

	if (!why)
		return;
	talloc_free(f);
	print_message("%s\n", why);
	skip();
}

static void shares_and_prefixes(void **state)
{
	struct fence *f = fence(SHARES, NULL);

	(void)state;
	need(f);
	assert_int_equal(behind(f, plain), 0);
	talloc_free(f);
}

static void what_came_later_stays_out(void **state)
{
	struct fence *f = fence("[share]\npath = @/share\n[new]\npath = @/new\n", NULL);

	(void)state;
	need(f);
	assert_true(fence_fits(f, ""));
	assert_int_equal(mkdir(in("new"), 0755), 0);
	assert_int_equal(behind(f, into_new), 1);
	assert_false(fence_fits(f, ""));
	talloc_free(f);
	f = fence("[share]\npath = @/share\n[new]\npath = @/new\n", NULL);
	assert_int_equal(behind(f, into_new), 0);
	assert_true(fence_fits(f, ""));
	/* made anew under the same name, while somebody holds the old one */
	assert_int_equal(rename(in("new"), in("old")), 0);
	assert_int_equal(mkdir(in("new"), 0755), 0);
	assert_false(fence_fits(f, ""));
	talloc_free(f);
}

static void homes_of_the_system(void **state)
{
	struct fence *f = fence("[homes]\nread only = no\n", NULL);
	char home[300];

	(void)state;
	need(f);
	snprintf(home, sizeof(home), "%s/homes/anna", dir);
	assert_int_equal(mkdir(home, 0755), 0);
	assert_true(fence_fits(f, ""));
	assert_false(fence_fits(f, home));
	assert_int_equal(behind(f, into_anna), 1);
	talloc_free(f);
	f = fence("[own]\npath = %H/files\n", NULL);
	assert_null(fence_missing(f));
	assert_false(fence_fits(f, home));
	talloc_free(f);
	f = fence("[homes]\nread only = no\n", home);
	assert_true(fence_fits(f, home));
	assert_int_equal(behind(f, into_anna), 0);
	talloc_free(f);
}

static void off_with_a_reason(void **state)
{
	static const struct { const char *conf, *word; } cases[] = {
		{ "[share]\npath = @/share\nwide links = yes\n", "wide links" },
		{ "[any]\npath = /%S\n", "/%S" },
	};
	struct fence *f = fence(SHARES, NULL);

	(void)state;
	need(f);
	talloc_free(f);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		f = fence(cases[i].conf, NULL);
		assert_non_null(fence_missing(f));
		assert_non_null(strstr(fence_missing(f), cases[i].word));
		assert_true(fence_enter(f)); /* of no effect */
		assert_true(fence_fits(f, "/anywhere/at/all"));
		talloc_free(f);
	}
	f = fence("[share]\npath = @/share\nwide links = yes\nfollow symlinks = no\n", NULL);
	assert_null(fence_missing(f));
	talloc_free(f);
}

static int between_folders(void)
{
	return opens(in("share/two"), O_RDWR | O_CREAT) && rename(in("share/two"), in("share/sub/two")) == 0 &&
	       unlink(in("share/sub/two")) == 0 ? 0 : 1;
}

/* The first version would forbid renames between folders, so there it is left off. */
static void kernels_that_know_less(void **state)
{
	static const struct { int version; const char *word; } cases[] = { { -1, "has no Landlock" }, { 1, "between folders" } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct fence *f;

		oldest = cases[i].version;
		f = fence(SHARES, NULL);
		assert_non_null(fence_missing(f));
		assert_non_null(strstr(fence_missing(f), cases[i].word));
		assert_int_equal(behind(f, between_folders), 0);
		talloc_free(f);
		oldest = 0;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_and_prefixes),
		cmocka_unit_test(what_came_later_stays_out),
		cmocka_unit_test(homes_of_the_system),
		cmocka_unit_test(off_with_a_reason),
		cmocka_unit_test(kernels_that_know_less),
	};
	static const char *const dirs[] = { "", "lock", "share", "share/sub", "homes", "other" };
	const char *tmp = getenv("TMPDIR");
	char command[300];
	int rc;

	snprintf(dir, sizeof(dir), "%s/smb1d-fence-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(dir))
		return 1;
	for (size_t i = 1; i < ARRAY_LEN(dirs); i++)
		(void)mkdir(in(dirs[i]), 0755);
	file("share/file");
	file("other/file");
	(void)!symlink(in("other/file"), in("share/out"));
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	return system(command) == 0 ? rc : 1;
}
