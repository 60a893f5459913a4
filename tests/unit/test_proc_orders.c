/* What workers say to the listener; a worker that was taken over says it as often as it likes. */
#include "conf_text.h"
#include "proc/inner.h"

/* In place of the C library's: nothing is started here, the time is ours, and who runs this is not root. */
static unsigned started;
static time_t now = 1000;
pid_t fork(void)
{
	started++;
	return 1;
}
uid_t geteuid(void) { return 1000; }
int clock_gettime(clockid_t which, struct timespec *ts)
{
	(void)which;
	*ts = (struct timespec){ .tv_sec = now };
	return 0;
}

static void hello(struct client *c, const void *p, size_t n)
{
	struct rd r = rd_over(p, n);

	reload_hello(NULL, c, &r);
}

static void test_hello(void **state)
{
	struct client *c = talloc_zero(NULL, struct client);
	size_t before;

	(void)state;
	hello(c, "\3\0abc\3\0def", 10);
	assert_string_equal(c->name, "abc");
	assert_string_equal(c->arch, "def");
	before = talloc_total_size(c);
	for (int i = 0; i < 100; i++) {
		hello(c, "\3\0xyz", 5);
		hello(c, "\3\0xyz\377\377", 7);
		hello(c, "\3", 1);
	}
	assert_string_equal(c->name, "abc");
	assert_int_equal(talloc_total_size(c), before);
	for (int i = 0; i < 100; i++)
		hello(c, "\3\0ghi\3\0jkl", 10);
	assert_string_equal(c->name, "ghi");
	assert_int_equal(talloc_total_size(c), before);
	talloc_free(c);
}

static void print(struct daemon *d, struct client *c, uint16_t number, const char *file)
{
	const char *text[] = { "x", file, "title", "/tmp", "anna", "", "", "anna", "" };
	uint8_t buf[200];
	struct wr w = wr_over(buf, sizeof(buf));
	struct rd r;
	int token[2];

	assert_true(msg_pair(token));
	wr_u16(&w, number);
	wr_u64(&w, 4);
	for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++)
		msg_put_str(&w, text[i]);
	assert_true(wr_ok(&w));
	r = rd_over(buf, wr_tell(&w));
	print_job(d, c, &r, token[1]);
	close(token[0]);
}

/* The number of commands that so many orders start. */
static unsigned print_many(struct daemon *d, struct client *c, unsigned n, const char *file)
{
	started = 0;
	for (unsigned i = 1; i <= n; i++)
		print(d, c, (uint16_t)i, file);
	return started;
}

static void test_print_jobs(void **state)
{
	struct conf_text *t = *state;
	struct daemon *d = talloc_zero(t, struct daemon);
	struct client *c = talloc_zero(d, struct client), *other = talloc_zero(d, struct client);

	memset(log_level, -1, sizeof(log_level)); /* 50 refusals */
	d->conf = text_good(t, "[x]\npath = /tmp\nprintable = yes\nprint command = true\n");
	c->pid = other->pid = getpid();
	assert_int_equal(print_many(d, c, 1, "/etc/passwd"), 0);
	assert_int_equal(print_many(d, c, 250, "smb1d-00001-0000-a"), 200);
	assert_int_equal(print_many(d, other, 1, "smb1d-00001-0000-a"), 1);
	now += 11;
	assert_int_equal(print_many(d, c, 1, "smb1d-00001-0000-a"), 1);
	other->pid++; /* its token would be another's */
	assert_int_equal(print_many(d, other, 1, "smb1d-00001-0000-a"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_hello), TEXT_TEST(test_print_jobs) };

	return cmocka_run_group_tests_name("orders", tests, NULL, NULL);
}
