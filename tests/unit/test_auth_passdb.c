/* test_auth_passdb.c - the account store: what is written is read; damage of every kind is either
 * repaired from the backup or refused with a reason, and never answered with an empty store.
 * Then the text form. */
#include "auth/auth.h"
#include "auth/internal.h"
#include "base/log.h"
#include "base/str.h"
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static char dir[256], store[300], bak[320], aside[320];
static const char *why;
static TALLOC_CTX *top; /* emptied after each test */

static int setup(void **state)
{
	const char *tmp = getenv("TMPDIR");

	(void)state;
	top = talloc_new(NULL);
	snprintf(dir, sizeof(dir), "%s/smb1d-passdb-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(dir));
	snprintf(store, sizeof(store), "%s/smb1d-passdb.tdb", dir);
	snprintf(bak, sizeof(bak), "%s.bak", store);
	snprintf(aside, sizeof(aside), "%s.damaged", store);
	for (int i = 0; i < LOG_CLASSES; i++)
		log_level[i] = -1;
	return str_setup("CP850", "UTF-8", &why) ? 0 : -1;
}

static int teardown(void **state)
{
	char cmd[300];

	(void)state;
	TALLOC_FREE(top);
	snprintf(cmd, sizeof(cmd), "rm -rf '%s'", dir);
	return system(cmd) == 0 ? 0 : -1;
}

static struct auth_account account(const char *user, const char *password)
{
	struct auth_account a = { .user = user, .uid = 1000 };

	auth_account_set_password(&a, password, true);
	return a;
}

static struct auth_db *open_store(bool create) { return auth_db_open(top, dir, create, &why); }

static void put(struct auth_db *db, const char *user, const char *password)
{
	struct auth_account a = account(user, password);

	assert_true(auth_db_put(db, &a));
}

/* A store with anna and bert. */
static void fill(void)
{
	struct auth_db *db = open_store(true);

	assert_non_null(db);
	put(db, "anna", "one");
	put(db, "Bert", "two");
	talloc_free(db);
}

static void count(const struct auth_account *a, void *arg)
{
	(void)a;
	++*(int *)arg;
}

/* Opens, and both accounts are there with their passwords. */
static void is_filled(void)
{
	struct auth_db *db = open_store(false);
	struct auth_account *a, want = account("anna", "one");
	int n = 0;

	assert_non_null(db);
	assert_true(auth_db_each(db, count, &n));
	assert_int_equal(n, 2);
	assert_int_equal(auth_db_get(db, db, "ANNA", &a), 1);
	assert_memory_equal(a->nt, want.nt, 16);
	assert_int_equal(auth_db_get(db, db, "bert", &a), 1);
	assert_string_equal(a->user, "Bert");
	talloc_free(db);
}

static bool exists(const char *path) { return access(path, F_OK) == 0; }

static void write_file(const char *path, const void *p, size_t n)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static uint8_t *read_file(const char *path, size_t *n)
{
	FILE *f = fopen(path, "r");
	uint8_t *p;
	struct stat st;

	assert_non_null(f);
	assert_int_equal(fstat(fileno(f), &st), 0);
	*n = (size_t)st.st_size;
	p = malloc(*n + 1);
	assert_int_equal(fread(p, 1, *n, f), *n);
	fclose(f);
	return p;
}

static void refused_with(const char *words)
{
	struct auth_db *db = open_store(true);

	assert_null(db);
	assert_non_null(why);
	assert_non_null(strstr(why, words));
}

static void test_put_get(void **state)
{
	struct auth_db *db = open_store(true);
	struct auth_account a = account("J\xc3\xbcrgen", "secret"), *got;
	struct stat st;

	(void)state;
	assert_non_null(db);
	a.flags |= AUTH_ACCT_DISABLED;
	assert_true(auth_db_put(db, &a));
	assert_int_equal(auth_db_get(db, db, "j\xc3\x9cRGEN", &got), 1);
	assert_string_equal(got->user, a.user);
	assert_int_equal(got->uid, 1000);
	assert_int_equal(got->flags, AUTH_ACCT_DISABLED);
	assert_true(got->has_nt && got->has_lm);
	assert_memory_equal(got->nt, a.nt, 16);
	assert_memory_equal(got->lm, a.lm, 16);
	assert_int_equal(got->last_set, a.last_set);
	assert_int_equal(auth_db_get(db, db, "nobody", &got), 0);
	assert_null(got);
	assert_int_equal(auth_db_get(db, db, "", &got), 0);
	assert_int_equal(stat(store, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(stat(bak, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	put(db, "j\xc3\xbcrgen", "other"); /* the same account */
	assert_true(auth_db_delete(db, "J\xc3\xbcRGEN"));
	assert_false(auth_db_delete(db, "J\xc3\xbcRGEN"));
	assert_int_equal(auth_db_get(db, db, "J\xc3\xbcrgen", &got), 0);
	talloc_free(db);
}

static void test_not_there(void **state)
{
	struct auth_db *db = open_store(false);

	(void)state;
	assert_null(db);
	assert_non_null(strstr(why, "there is no account store"));
	assert_false(exists(store));
}

static void test_absurd_names(void **state)
{
	struct auth_db *db = open_store(true);
	char name[AUTH_MAX_NAME + 2];
	struct auth_account a = account(name, "x");

	(void)state;
	memset(name, 'n', sizeof(name));
	name[AUTH_MAX_NAME + 1] = '\0';
	assert_false(auth_db_put(db, &a));
	name[0] = '\0';
	assert_false(auth_db_put(db, &a));
	memset(name, 'n', AUTH_MAX_NAME);
	name[AUTH_MAX_NAME] = '\0';
	assert_true(auth_db_put(db, &a));
	talloc_free(db);
}

static void test_garbage(void **state)
{
	(void)state;
	fill();
	write_file(store, "this was never a database, but it has some length", 50);
	is_filled();
	assert_true(exists(aside));
	is_filled();
}

static void test_gone(void **state)
{
	(void)state;
	fill();
	unlink(store);
	is_filled();
}

static void test_backup_made_again(void **state)
{
	size_t n;

	(void)state;
	fill();
	unlink(bak);
	is_filled();
	assert_true(exists(bak));
	write_file(bak, "rubbish", 7);
	is_filled();
	free(read_file(bak, &n));
	assert_true(n > 7);
}

static void test_nothing_left(void **state)
{
	(void)state;
	fill();
	write_file(store, "rubbish", 7);
	write_file(bak, "rubbish", 7);
	refused_with("is damaged");
	assert_true(exists(store) && exists(bak));
	unlink(bak);
	refused_with("is damaged");
	unlink(store);
	write_file(bak, "rubbish", 7);
	refused_with("is gone");
	assert_false(exists(store));
	unlink(bak);
	write_file(store, "", 0);
	refused_with("empty file");
	write_file(bak, "", 0);
	refused_with("empty file");
}

/* A cut at any place: never an empty or shorter store. */
static void test_cuts(void **state)
{
	uint8_t *p;
	size_t n;

	(void)state;
	fill();
	p = read_file(bak, &n); /* the same records, but small */
	write_file(store, p, n);
	for (size_t cut = 0; cut < n; cut += cut < 200 ? 7 : 389) {
		write_file(store, p, cut);
		is_filled();
	}
	free(p);
}

/* Turned bits: repaired where they matter, and where not, nothing is lost. */
static void test_turned_bits(void **state)
{
	uint8_t *p;
	size_t n;

	(void)state;
	fill();
	p = read_file(bak, &n);
	for (size_t at = 0; at < n; at += p[at] == 0 && at > 256 ? 211 : 1) {
		p[at] ^= 0x10;
		write_file(store, p, n);
		p[at] ^= 0x10;
		is_filled();
		unlink(aside);
	}
	free(p);
}

/* An older copy is not kept when the store itself is whole. */
static void test_backup_follows(void **state)
{
	uint8_t *old;
	struct auth_db *db;
	struct auth_account *a;
	size_t n;

	(void)state;
	fill();
	old = read_file(bak, &n);
	db = open_store(false);
	put(db, "carl", "three");
	talloc_free(db);
	write_file(bak, old, n); /* as if we had died before the copy was renamed */
	free(old);
	db = open_store(false);
	assert_non_null(db);
	talloc_free(db);
	unlink(store);
	db = open_store(false);
	assert_int_equal(auth_db_get(db, db, "carl", &a), 1);
	talloc_free(db);
}

static void test_mode_is_mended(void **state)
{
	struct stat st;

	(void)state;
	fill();
	assert_int_equal(chmod(store, 0644), 0);
	is_filled();
	assert_int_equal(stat(store, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static void test_odd_places(void **state)
{
	(void)state;
	assert_int_equal(symlink("/etc/passwd", store), 0);
	refused_with("no plain file");
	unlink(store);
	assert_int_equal(mkdir(store, 0700), 0);
	refused_with("no plain file");
	assert_null(auth_db_open(top, "/proc/nonexistent/folder", true, &why));
	assert_non_null(strstr(why, "private dir"));
}

/* Another process writes while we look. */
static void test_two_processes(void **state)
{
	struct auth_db *db;
	struct auth_account *a;
	pid_t pid;
	int rc;

	(void)state;
	pid = fork();
	if (pid == 0) {
		fill();
		_exit(0);
	}
	waitpid(pid, &rc, 0);
	assert_int_equal(rc, 0);
	db = open_store(true);
	pid = fork();
	if (pid == 0) {
		talloc_free(db);
		db = open_store(true);
		put(db, "dora", "four");
		talloc_free(db);
		_exit(0);
	}
	waitpid(pid, &rc, 0);
	assert_int_equal(rc, 0);
	assert_int_equal(auth_db_get(db, db, "dora", &a), 1);
	put(db, "emil", "five");
	assert_int_equal(auth_db_get(db, db, "dora", &a), 1);
	talloc_free(db);
}

/* ---- smbpasswd(5) ---- */

static char text[300];

static void import_is(const char *lines, int n)
{
	struct auth_db *db = open_store(true);

	snprintf(text, sizeof(text), "%s/smbpasswd", dir);
	write_file(text, lines, strlen(lines));
	assert_int_equal(auth_db_import(db, text, &why), n);
	assert_int_equal(why == NULL, n >= 0);
	why = why ? talloc_strdup(top, why) : NULL; /* it goes with the store */
	talloc_free(db);
}

#define LM "E52CAC67419A9A224A3B108F3FA6CB6D"
#define NT "8846F7EAEE8FB117AD06BDD830B7586C"
#define X32 "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"

static void test_import(void **state)
{
	struct auth_db *db;
	struct auth_account *a;

	(void)state;
	import_is("# a comment\n\n"
		  "anna:1000:" LM ":" NT ":[U          ]:LCT-5F000000:\r\n"
		  "bert:1001:" X32 ":" NT ":[UD         ]:LCT-5F000001:\n"
		  "carl:1002:NO PASSWORDXXXXXXXXXXXXXXXXXXXXX:" X32 ":[UN         ]:LCT-00000000:\n"
		  "pc1$:1003:" X32 ":" NT ":[W          ]:LCT-5F000002:\n"
		  "dora:1004:" LM ":" NT ":Dora:/home/dora:/bin/sh\n"
		  "emil:1005:" X32 ":" X32 ":[U          ]:LCT-5F000003:",
		  5);
	db = open_store(false);
	assert_int_equal(auth_db_get(db, db, "anna", &a), 1);
	assert_true(a->has_lm && a->has_nt && a->flags == 0 && a->last_set == 0x5f000000);
	assert_int_equal(auth_db_get(db, db, "bert", &a), 1);
	assert_true(!a->has_lm && a->has_nt && a->flags == AUTH_ACCT_DISABLED);
	assert_int_equal(auth_db_get(db, db, "carl", &a), 1);
	assert_true(!a->has_lm && !a->has_nt && a->flags == AUTH_ACCT_NO_PASSWORD);
	assert_int_equal(auth_db_get(db, db, "pc1$", &a), 0);
	assert_int_equal(auth_db_get(db, db, "dora", &a), 1);
	assert_true(a->has_lm && a->has_nt);
	assert_int_equal(auth_db_get(db, db, "emil", &a), 1);
	assert_int_equal(a->flags, AUTH_ACCT_DISABLED);
	talloc_free(db);
}

/* All or nothing, and the line is named. */
static void test_bad_imports(void **state)
{
	static const char *const bad[] = {
		"anna\n",
		"anna:x:" LM ":" NT ":[U]:\n",
		":1:" LM ":" NT ":[U]:\n",
		"anna:1:" LM ":1234:[U]:\n",
		"anna:1:" LM ":G846F7EAEE8FB117AD06BDD830B7586C:[U]:\n",
		"anna:1:" LM ":" NT ":[U   :LCT-0:\n",
		"anna:4294967296:" LM ":" NT ":[U]:\n",
	};
	struct auth_db *db;
	struct auth_account *a;
	char lines[400];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(lines, sizeof(lines), "good:1:" LM ":" NT ":[U]:LCT-1:\n%s", bad[i]);
		import_is(lines, -1);
		assert_non_null(strstr(why, "smbpasswd:2: "));
	}
	db = open_store(false);
	assert_int_equal(auth_db_get(db, db, "good", &a), 0);
	assert_int_equal(auth_db_import(db, "/nonexistent", &why), -1);
	talloc_free(db);
}

static void test_round_trip(void **state)
{
	static const char lines[] =
		"anna:1000:" LM ":" NT ":[U          ]:LCT-5F000000:\n"
		"bert:1001:" X32 ":" NT ":[UD         ]:LCT-5F000001:\n"
		"carl:1002:NO PASSWORDXXXXXXXXXXXXXXXXXXXXX:NO PASSWORDXXXXXXXXXXXXXXXXXXXXX:"
		"[UN         ]:LCT-00000000:\n";
	struct auth_db *db;
	char *out = NULL;
	size_t n = 0;
	FILE *f;

	(void)state;
	import_is(lines, 3);
	db = open_store(false);
	f = open_memstream(&out, &n);
	assert_int_equal(auth_db_export(db, f), 3);
	fclose(f);
	assert_string_equal(out, lines);
	free(out);
	talloc_free(db);
}

static void test_set_password(void **state)
{
	struct auth_account a = { .user = "anna", .flags = AUTH_ACCT_DISABLED };

	(void)state;
	auth_account_set_password(&a, "secret", false);
	assert_true(a.has_nt && !a.has_lm && a.flags == AUTH_ACCT_DISABLED && a.last_set > 0);
	auth_account_set_password(&a, "fifteen letters", true);
	assert_true(a.has_nt && !a.has_lm);
	auth_account_set_password(&a, "\xe2\x82\xac", true); /* no euro in CP850 */
	assert_true(a.has_nt && !a.has_lm);
	auth_account_set_password(&a, "", true);
	assert_true(!a.has_nt && !a.has_lm && a.flags == (AUTH_ACCT_DISABLED | AUTH_ACCT_NO_PASSWORD));
	auth_account_set_password(&a, "fourteen chars", true);
	assert_true(a.has_nt && a.has_lm && a.flags == AUTH_ACCT_DISABLED);
}

/* While the keeper has it open: the next question puts it back; without a whole copy nobody is let in, nor called unknown. */
static void test_damaged_while_open(void **state)
{
	struct conf c = { .g = { .passdb_backend = "tdbsam", .private_dir = dir, .smb_passwd_file = "" } };
	struct auth_account *a;
	struct auth_store *s;
	struct stat st;
	char rubbish[8192];

	(void)state;
	memset(rubbish, 0xa5, sizeof(rubbish));
	fill();
	for (int kind = 0; kind < 3; kind++) {
		int fd = open(store, O_WRONLY);

		s = auth_store_open(top, &c, &why);
		assert_non_null(s);
		assert_int_equal(auth_store_get(top, s, "anna", &a), 1);
		assert_int_equal(fstat(fd, &st), 0);
		if (kind == 0)
			assert_int_equal(pwrite(fd, rubbish, sizeof(rubbish), 0), sizeof(rubbish));
		else
			assert_int_equal(ftruncate(fd, kind == 1 ? 0 : 1000), 0);
		close(fd);
		assert_int_equal(auth_store_get(top, s, "anna", &a), 1);
		assert_int_equal(auth_store_get(top, s, "bert", &a), 1);
		assert_int_equal(auth_store_get(top, s, "carl", &a), 0);
		talloc_free(s);
	}
	s = auth_store_open(top, &c, &why);
	assert_non_null(s);
	assert_int_equal(truncate(store, 0), 0);
	assert_int_equal(truncate(bak, 100), 0);
	assert_int_equal(auth_store_get(top, s, "anna", &a), -1);
	assert_int_equal(auth_store_get(top, s, "carl", &a), -1);
	talloc_free(s);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_put_get), T(test_not_there), T(test_absurd_names), T(test_garbage), T(test_gone),
		T(test_backup_made_again), T(test_nothing_left), T(test_cuts), T(test_turned_bits),
		T(test_backup_follows), T(test_mode_is_mended), T(test_odd_places), T(test_two_processes),
		T(test_import), T(test_bad_imports), T(test_round_trip), T(test_set_password), T(test_damaged_while_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
