/* The listener's part where a lock database is damaged: one finding of damage makes one new file. */
#include "db_fixture.h"
#include "proc/inner.h"

/* In place of the C library's: no helper is forked, and the time is ours. */
static unsigned forks;
static time_t now = 1000;
pid_t fork(void) { return 4000 + (pid_t)++forks; }
int clock_gettime(clockid_t which, struct timespec *ts)
{
	(void)which;
	*ts = (struct timespec){ .tv_sec = now };
	return 0;
}

static ino_t file_of(struct fixture *f, enum db_which which)
{
	struct stat st;

	assert_int_equal(stat(fixture_path(f, db_file_name(which)), &st), 0);
	return st.st_ino;
}

static void worker_says(struct daemon *d, enum db_which which, bool certain)
{
	const uint8_t word[2] = { (uint8_t)which, certain };
	struct client c = { .pid = 1 };
	struct rd r = rd_over(word, sizeof(word));

	damage_suspected(d, &c, &r);
}

static void an_old_finding(void **state)
{
	struct fixture *f = *state;
	static struct daemon *d; /* as long as the process, like its events */
	ino_t first, second;

	d = talloc_zero(NULL, struct daemon);
	d->base = event_base_new();
	d->db = fixture_open(f);
	d->once = true; /* no nurseries */
	for (int i = 0; i < NURSERY_KINDS; i++)
		d->nursery[i].ctl = -1;
	assert_true(damage_setup(d));
	now += 10; /* what the start made anew is settled */
	event_base_loop(d->base, EVLOOP_NONBLOCK);
	forks = 0;
	first = file_of(f, DB_OPENS);
	worker_says(d, DB_OPENS, false);
	assert_int_equal(forks, 1); /* somebody looks */
	now++;
	worker_says(d, DB_OPENS, true);
	second = file_of(f, DB_OPENS);
	assert_int_not_equal(first, second);
	now++;
	assert_true(damage_reaped(d, 4001, 1 << 8)); /* no good: that was the old one */
	assert_int_equal(file_of(f, DB_OPENS), second);
	assert_int_equal(forks, 2); /* somebody looks at the new one */
	now++;
	assert_true(damage_reaped(d, 4002, 1 << 8));
	assert_int_not_equal(file_of(f, DB_OPENS), second);
	damage_unmap(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(an_old_finding, fixture_setup, fixture_teardown) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
