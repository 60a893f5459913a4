/* Change notify: the records of changes, bounds, filters, one change told once, and who watches what. */
#include "db_fixture.h"
#include "base/budget.h"
#include "base/str.h"
#include "srv/notify.h"

static TALLOC_CTX *mem;

static int setup(void **state)
{
	(void)state;
	mem = talloc_new(NULL);
	return mem ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	talloc_free(mem);
	return 0;
}

/* ---- records ---- */

struct record {
	uint32_t action;
	char name[64];
};

/* Takes the list apart as a client would. */
static unsigned records(const uint8_t *p, uint32_t len, struct record *out, unsigned max)
{
	struct rd r = rd_over(p, len);
	unsigned n = 0;
	uint32_t at = 0, next;

	do {
		uint32_t bytes;
		char *name;

		assert_true(n < max);
		assert_int_equal(at % 4, 0);
		rd_seek(&r, at);
		next = rd_u32(&r);
		out[n].action = rd_u32(&r);
		bytes = rd_u32(&r);
		assert_int_equal(bytes % 2, 0);
		name = str_from_utf16(mem, rd_take(&r, bytes), bytes);
		assert_true(rd_ok(&r));
		snprintf(out[n++].name, sizeof(out[0].name), "%s", name);
		at += next;
	} while (next != 0);
	assert_int_equal((rd_tell(&r) + 3) & ~3u, len);
	return n;
}

static void told_in_order(void **state)
{
	struct notify_list l = { .max = 1000 };
	struct record r[4];
	uint8_t *p;
	uint32_t len;

	(void)state;
	assert_false(notify_list_some(&l));
	notify_list_add(&l, mem, FS_ADDED, "sub/a");
	notify_list_add(&l, mem, FS_REMOVED, "b");
	notify_list_add(&l, mem, FS_ADDED, "gr\xc3\xbc\xc3\x9f");
	assert_true(notify_list_some(&l));
	assert_int_equal(notify_list_take(&l, mem, 1000, &p, &len), NOTIFY_TOLD);
	assert_int_equal(records(p, len, r, 4), 3);
	assert_int_equal(r[0].action, 1);
	assert_string_equal(r[0].name, "sub\\a");
	assert_int_equal(r[1].action, 2);
	assert_string_equal(r[1].name, "b");
	assert_string_equal(r[2].name, "gr\xc3\xbc\xc3\x9f");
	assert_false(notify_list_some(&l));
	assert_null(l.p);
}

static void padding_is_zero(void **state)
{
	struct notify_list l = { .max = 1000 };
	uint8_t *p;
	uint32_t len;

	(void)state;
	notify_list_add(&l, mem, FS_ADDED, "a");
	assert_int_equal(notify_list_take(&l, mem, 1000, &p, &len), NOTIFY_TOLD);
	assert_int_equal(len, 16);
	assert_memory_equal(p, "\0\0\0\0\1\0\0\0\2\0\0\0a\0\0\0", 16);
}

static void modifications_coalesce(void **state)
{
	struct notify_list l = { .max = 1000 };
	struct record r[8];
	uint8_t *p;
	uint32_t len;

	(void)state;
	notify_list_add(&l, mem, FS_MODIFIED, "a");
	notify_list_add(&l, mem, FS_MODIFIED, "a");
	notify_list_add(&l, mem, FS_MODIFIED, "b");
	notify_list_add(&l, mem, FS_MODIFIED, "a"); /* not the last any more: a new one */
	notify_list_add(&l, mem, FS_ADDED, "c");
	notify_list_add(&l, mem, FS_ADDED, "c"); /* only modifications: coming and going are counted */
	assert_int_equal(notify_list_take(&l, mem, 1000, &p, &len), NOTIFY_TOLD);
	assert_int_equal(records(p, len, r, 8), 5);
	assert_string_equal(r[0].name, "a");
	assert_string_equal(r[1].name, "b");
	assert_string_equal(r[2].name, "a");
}

static void overflow_is_told_once(void **state)
{
	struct notify_list l = { .max = 40 };
	uint8_t *p;
	uint32_t len;

	(void)state;
	notify_list_add(&l, mem, FS_ADDED, "a");
	notify_list_add(&l, mem, FS_ADDED, "b");
	assert_int_equal(l.len, 32);
	notify_list_add(&l, mem, FS_ADDED, "c");
	assert_null(l.p); /* nothing is kept */
	notify_list_add(&l, mem, FS_ADDED, "d");
	assert_int_equal(notify_list_take(&l, mem, 1000, &p, &len), NOTIFY_MISSED);
	assert_null(p);
	assert_int_equal(len, 0);
	assert_false(notify_list_some(&l));
	notify_list_add(&l, mem, FS_ADDED, "e"); /* and it begins anew, with the same bound */
	assert_int_equal(notify_list_take(&l, mem, 1000, &p, &len), NOTIFY_TOLD);
	assert_int_equal(l.max, 40);
}

static void too_small_a_buffer(void **state)
{
	struct notify_list l = { .max = 1000 }, tiny = { .max = 15 };
	uint8_t *p;
	uint32_t len;

	(void)state;
	notify_list_add(&l, mem, FS_ADDED, "a");
	notify_list_add(&l, mem, FS_ADDED, "b");
	assert_int_equal(notify_list_take(&l, mem, 31, &p, &len), NOTIFY_SMALL);
	assert_false(notify_list_some(&l));
	notify_list_add(&tiny, mem, FS_ADDED, "a");
	assert_int_equal(notify_list_take(&tiny, mem, 15, &p, &len), NOTIFY_SMALL);
	assert_false(notify_list_some(&tiny));
}

static void bounded_whatever_is_asked(void **state)
{
	struct notify_list l = { .max = UINT32_MAX };
	char name[200];

	(void)state;
	for (unsigned i = 0; i < 5000; i++) {
		snprintf(name, sizeof(name), "%0150u", i);
		notify_list_add(&l, mem, FS_ADDED, name);
		assert_true(talloc_total_size(mem) <= NOTIFY_MAX_BYTES + 4096);
	}
	assert_true(l.overflow);
}

/* Many folders, almost as much to tell of each as is kept: who gets no room is told to look. */
static void bounded_together(void **state)
{
	struct notify_list l[64] = { { 0 } };
	char name[200];
	unsigned told = 0;
	uint32_t len;
	uint8_t *p;

	(void)state;
#ifdef __SANITIZE_ADDRESS__
	skip(); /* its heap is not counted by mallinfo2() */
#endif
	budget_set(1 << 20);
	for (unsigned i = 0; i < 64; i++) {
		l[i].max = 65000;
		for (unsigned k = 0; k < 150; k++) {
			snprintf(name, sizeof(name), "%0150u", k);
			notify_list_add(&l[i], mem, FS_ADDED, name);
		}
	}
	assert_in_range(talloc_total_size(mem), 1 << 19, (1 << 20) + (1 << 18));
	for (unsigned i = 0; i < 64; i++) {
		enum notify_taken got = notify_list_take(&l[i], mem, 65000, &p, &len);

		told += got == NOTIFY_TOLD && len > 40000;
		assert_true(got == NOTIFY_TOLD || got == NOTIFY_MISSED);
	}
	assert_in_range(told, 8, 20);
	budget_set(0);
}

static void filters_and_places(void **state)
{
	(void)state;
	assert_true(notify_wants(3, false, FS_WHAT_FILE_NAME, "a"));
	assert_false(notify_wants(2, false, FS_WHAT_FILE_NAME, "a"));
	assert_false(notify_wants(3, false, FS_WHAT_FILE_NAME, "sub/a"));
	assert_true(notify_wants(3, true, FS_WHAT_DIR_NAME, "sub/a"));
	assert_false(notify_wants(0xfff, true, FS_WHAT_ATTRS, "")); /* the folder itself */
	assert_true(notify_wants(0x10, true, FS_WHAT_SIZE | FS_WHAT_WRITE_TIME, "a"));
}

/* ---- one change, two words ---- */

static void one_change_is_told_once(void **state)
{
	struct conn *c = talloc_zero(mem, struct conn);

	(void)state;
	assert_false(notify_twice(c, 1, FS_ADDED, "a", false));
	assert_true(notify_twice(c, 1, FS_ADDED, "a", true)); /* the same, from the kernel */
	assert_false(notify_twice(c, 1, FS_ADDED, "a", true)); /* another one: there was one word of ours only */
	assert_false(notify_twice(c, 2, FS_ADDED, "a", true)); /* another watch */
	assert_false(notify_twice(c, 1, FS_ADDED, "b", true)); /* another name */
	assert_true(notify_twice(c, 1, FS_ADDED, "b", false)); /* the kernel was first */
	assert_false(notify_twice(c, 1, FS_REMOVED, "b", false));
}

static void pieces_of_our_own_changes(void **state)
{
	struct conn *c = talloc_zero(mem, struct conn);

	(void)state;
	assert_false(notify_twice(c, 1, FS_MODIFIED, "x", true)); /* by a local program */
	assert_false(notify_twice(c, 1, FS_ADDED, "a", false));
	for (int i = 0; i < 3; i++)
		assert_true(notify_twice(c, 1, FS_MODIFIED, "a", true));
	assert_false(notify_twice(c, 1, FS_MODIFIED, "a", false)); /* our own word is another matter */
	assert_false(notify_twice(c, 1, FS_REMOVED, "a", true));
}

/* ---- the database ---- */

static void found_by_place(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	const struct db_watch *hit;

	assert_int_equal(db_watch_find(db, "/srv/a/b/file", &hit), 0);
	assert_int_equal(db_watch_put(db, "/srv/a", &(struct db_watch){ .id = 1, .filter = 3, .tree = true }), ST_OK);
	assert_int_equal(db_watch_put(db, "/srv/a/b", &(struct db_watch){ .id = 2, .filter = 4 }), ST_OK);
	assert_int_equal(db_watch_put(db, "/srv", &(struct db_watch){ .id = 3, .filter = 5 }), ST_OK);
	assert_int_equal(db_watch_find(db, "/srv/a/b/file", &hit), 2); /* /srv is watched without its tree */
	assert_int_equal(hit[0].id, 2);
	assert_int_equal(hit[0].depth, 8);
	assert_int_equal(hit[1].id, 1);
	assert_int_equal(hit[1].depth, 6);
	assert_int_equal(hit[1].owner.pid, getpid());
	assert_int_equal(db_watch_find(db, "/srv/ab", &hit), 1);
	assert_int_equal(hit[0].id, 3);
	assert_int_equal(db_watch_find(db, "/srv/ab/file", &hit), 0); /* a longer name is no place below */
	db_watch_del(db, "/srv/a", 1);
	assert_int_equal(db_watch_find(db, "/srv/a/b/file", &hit), 1);
	db_forget_me(db);
	assert_int_equal(db_watch_find(db, "/srv/a/b/file", &hit), 0);
	assert_int_equal(db_watch_find(db, "/srv/a", &hit), 0);
}

static void the_root_is_a_folder(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	const struct db_watch *hit;

	assert_int_equal(db_watch_put(db, "", &(struct db_watch){ .id = 7, .filter = 3, .tree = true }), ST_OK);
	assert_int_equal(db_watch_find(db, "/x", &hit), 1);
	assert_int_equal(hit[0].depth, 0);
	assert_int_equal(db_watch_find(db, "/x/y", &hit), 1);
}

static void watch_elsewhere(struct fixture *f, void *arg)
{
	(void)arg;
	if (!db_after_fork(f->db, 0) ||
	    db_watch_put(f->db, "/srv/a", &(struct db_watch){ .id = 9, .filter = 3 }) != ST_OK)
		_exit(1);
}

static void the_dead_are_buried(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	const struct db_watch *hit;
	struct db_watch w;
	pid_t pid;

	assert_int_equal(db_watch_find(db, "/srv/a/x", &hit), 0);
	pid = start_child(f, watch_elsewhere, NULL);
	assert_int_equal(db_watch_find(db, "/srv/a/x", &hit), 1); /* what was known is out of date by itself */
	w = hit[0];
	db_watch_bury(db, "/srv/a/x", &w); /* he lives */
	assert_int_equal(db_watch_find(db, "/srv/a/x", &hit), 1);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	db_watch_bury(db, "/srv/a/x", &w);
	assert_int_equal(db_watch_find(db, "/srv/a/x", &hit), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(told_in_order, setup, teardown),
		cmocka_unit_test_setup_teardown(padding_is_zero, setup, teardown),
		cmocka_unit_test_setup_teardown(modifications_coalesce, setup, teardown),
		cmocka_unit_test_setup_teardown(overflow_is_told_once, setup, teardown),
		cmocka_unit_test_setup_teardown(too_small_a_buffer, setup, teardown),
		cmocka_unit_test_setup_teardown(bounded_whatever_is_asked, setup, teardown),
		cmocka_unit_test_setup_teardown(bounded_together, setup, teardown),
		cmocka_unit_test_setup_teardown(filters_and_places, setup, teardown),
		cmocka_unit_test_setup_teardown(one_change_is_told_once, setup, teardown),
		cmocka_unit_test_setup_teardown(pieces_of_our_own_changes, setup, teardown),
		cmocka_unit_test_setup_teardown(found_by_place, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(the_root_is_a_folder, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(the_dead_are_buried, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
