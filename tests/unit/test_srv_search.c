/* Searches over several requests: holding back, going on behind a name or key, recycling, DOS wildcards. */
#include "fs_play.h"
#include "srv/open.h"

struct desk {
	struct play y;
	struct conn *c;
	struct tree t;
	struct req q;
};

static int setup(void **state)
{
	struct desk *d = talloc_zero(NULL, struct desk);

	play_open(&d->y);
	d->c = talloc_zero(d, struct conn);
	d->c->dialect = DIALECT_NT1;
	d->c->searches = idtab_new(d, 512);
	d->t.fs = d->y.share;
	d->t.c = d->c;
	d->q.c = d->c;
	d->q.t = &d->t;
	d->q.h.uid = 7;
	*state = d;
	return 0;
}

static int teardown(void **state)
{
	struct desk *d = *state;

	search_free_tree(d->c, &d->t);
	assert_int_equal(idtab_count(d->c->searches), 0);
	play_close(&d->y);
	talloc_free(d);
	return 0;
}

static struct search *look_for(struct desk *d, const char *pattern, uint16_t attrs)
{
	struct search *s;

	assert_int_equal(search_new(&d->q, pattern, attrs, FS_DIR_STAT | FS_DIR_SHORT, &s), ST_OK);
	return s;
}

static const char *next(struct search *s)
{
	const struct fs_entry *e;
	status_t st = search_next(s, &e);

	return st == ST_OK ? e->name : status_name(st);
}

static bool finds(struct desk *d, const char *pattern, uint16_t attrs, const char *name)
{
	struct search *s = look_for(d, pattern, attrs);
	const struct fs_entry *e;
	bool found = false;

	while (search_next(s, &e) == ST_OK)
		found = found || strcmp(e->name, name) == 0;
	search_free(&s);
	return found;
}

static void ten_files(struct desk *d)
{
	for (int i = 0; i < 10; i++)
		play_file(&d->y, talloc_asprintf(d->y.mem, "share/f%d", i), "");
}

static void attributes(void **state)
{
	struct desk *d = *state;

	play_dir(&d->y, "share/dir");
	play_file(&d->y, "share/plain", "");
	play_file(&d->y, "share/.dot", "");
	assert_true(finds(d, "*", 0, "plain"));
	assert_false(finds(d, "*", 0, "dir"));
	assert_false(finds(d, "*", 0, "."));
	assert_true(finds(d, "*", FS_ATTR_DIRECTORY, "dir"));
	assert_true(finds(d, "*", FS_ATTR_DIRECTORY, ".."));
	assert_false(finds(d, "*", FS_ATTR_DIRECTORY, ".dot"));
	assert_true(finds(d, "*", FS_ATTR_HIDDEN, ".dot"));
	assert_false(finds(d, "*", 0x1000 | FS_ATTR_DIRECTORY, "plain")); /* must be a folder */
	assert_true(finds(d, "*", 0x1000 | FS_ATTR_DIRECTORY, "dir"));
	assert_true(finds(d, "PLAIN", 0, "plain")); /* no wildcard: looked up */
	assert_false(finds(d, "dir", 0, "dir"));
	assert_true(finds(d, "Dir", 0x16, "dir"));
}

static void exact_and_missing(void **state)
{
	struct desk *d = *state;
	struct search *s;

	play_dir(&d->y, "share/dir");
	play_file(&d->y, "share/dir/one", "abc");
	s = look_for(d, "dir/ONE", 0x16);
	assert_string_equal(next(s), "one");
	assert_int_equal(s->entry.st.size, 3);
	search_hold(s);
	assert_string_equal(next(s), "one");
	assert_string_equal(next(s), "NO_MORE_FILES");
	assert_string_equal(next(s), "NO_MORE_FILES");
	s = look_for(d, "dir/two", 0x16);
	assert_string_equal(next(s), "NO_MORE_FILES");
	assert_int_equal(search_new(&d->q, "none/*", 0x16, 0, &s), ST_OBJECT_PATH_NOT_FOUND);
	assert_int_equal(search_new(&d->q, "none/a", 0x16, 0, &s), ST_OBJECT_PATH_NOT_FOUND);
	assert_int_equal(search_new(&d->q, "dir/one/*", 0x16, 0, &s), ST_OBJECT_PATH_NOT_FOUND);
}

/* Every second entry does not fit at first: none is lost, none comes twice. */
static void holding(void **state)
{
	struct desk *d = *state;
	struct search *s;
	char *all = talloc_strdup(d->y.mem, "");

	ten_files(d);
	s = look_for(d, "f*", 0x16);
	for (int i = 0; i < 10; i++) {
		if (i & 1) {
			next(s);
			search_hold(s);
		}
		all = talloc_asprintf_append(all, "%s%s", i ? " " : "", next(s));
	}
	assert_string_equal(next(s), "NO_MORE_FILES");
	assert_string_equal(all, list_all(&d->y, "", 0));
}

static void behind_names(void **state)
{
	struct desk *d = *state;
	struct search *s;
	char *third, *fourth;

	ten_files(d);
	s = look_for(d, "*", 0x16);
	next(s);
	next(s);
	next(s);
	next(s);
	third = talloc_strdup(d->y.mem, next(s));
	fourth = talloc_strdup(d->y.mem, next(s));
	search_after_name(s, fourth); /* where we are */
	search_after_name(s, "no such name");
	next(s);
	search_hold(s);
	search_after_name(s, third); /* back */
	assert_string_equal(next(s), fourth);
	search_after_name(s, ".");
	assert_string_equal(next(s), "..");
	search_after_name(s, "..");
	next(s);
	search_hold(s);
	next(s);
	search_after_name(s, str_upper(d->y.mem, third));
	assert_string_equal(next(s), fourth);
}

/* What is held is not lost when the client names something unknown. */
static void unknown_name_keeps_the_place(void **state)
{
	struct desk *d = *state;
	struct search *s;
	char *fifth;

	ten_files(d);
	s = look_for(d, "f*", 0x16);
	for (int i = 0; i < 4; i++)
		next(s);
	fifth = talloc_strdup(d->y.mem, next(s));
	search_hold(s);
	search_after_name(s, "nobody");
	assert_string_equal(next(s), fifth);
}

/* OS/2 deletes what it lists and goes back to the last one it got to. */
static void behind_keys_of_deleted_files(void **state)
{
	struct desk *d = *state;
	struct search *s;
	uint64_t key[10];
	char *name[10];

	ten_files(d);
	s = look_for(d, "f*", 0x16);
	for (int i = 0; i < 10; i++) {
		name[i] = talloc_strdup(d->y.mem, next(s));
		key[i] = s->entry.cookie;
	}
	for (int i = 0; i < 4; i++)
		assert_int_equal(fs_unlink(there(&d->y, name[i])), ST_OK);
	search_after_cookie(s, key[3]);
	for (int i = 4; i < 10; i++)
		assert_string_equal(next(s), name[i]);
	assert_string_equal(next(s), "NO_MORE_FILES");
}

static void widening(void **state)
{
	struct desk *d = *state;
	struct search *s;
	char *first;

	ten_files(d);
	assert_int_equal(search_new(&d->q, "*", 0x16, 0, &s), ST_OK);
	next(s);
	next(s);
	first = talloc_strdup(d->y.mem, next(s));
	assert_int_equal(s->entry.st.ino, 0);
	assert_int_equal(search_widen(s, FS_DIR_STAT), ST_OK);
	assert_string_not_equal(next(s), first);
	assert_int_not_equal(s->entry.st.ino, 0);
}

static void recycled(void **state)
{
	struct desk *d = *state;
	uint16_t one = look_for(d, "*", 0x16)->sid, two = look_for(d, "*", 0x16)->sid;
	struct search *s;

	for (int i = 0; i < 600; i++) {
		d->c->requests++;
		assert_non_null(search_find(&d->q, one)); /* in use all the time */
		look_for(d, "nothing", 0x16);
	}
	assert_true(idtab_count(d->c->searches) <= 512);
	assert_non_null(search_find(&d->q, one));
	s = search_find(&d->q, two);
	/* not touched again: gone, though its number may be given anew */
	assert_true(!s || strcmp(s->pattern, "nothing") == 0);
	d->q.h.uid = 8;
	assert_null(search_find(&d->q, one)); /* another user's */
	search_free_uid(d->c, 7);
	assert_int_equal(idtab_count(d->c->searches), 0);
}

static void wildcards_of_old_clients(void **state)
{
	struct desk *d = *state;

	d->y.p.mangled_names = CONF_MANGLED_NAMES_YES;
	play_rules_changed(&d->y);
	play_file(&d->y, "share/makefile", "");
	play_file(&d->y, "share/a.txt", "");
	play_file(&d->y, "share/a rather long one.text", "");
	assert_true(finds(d, "*.*", 0, "makefile")); /* any name, for every client */
	assert_false(finds(d, "????????.???", 0, "makefile"));
	d->c->dialect = DIALECT_LANMAN2;
	assert_true(finds(d, "*.*", 0, "makefile"));
	assert_true(finds(d, "????????.???", 0, "makefile"));
	assert_true(finds(d, "????????.???", 0, "a.txt"));
	assert_true(finds(d, "????????.???", 0, "a rather long one.text")); /* by its alias */
	assert_true(finds(d, "*.", 0, "makefile"));
	assert_false(finds(d, "*.", 0, "a.txt"));
	assert_true(finds(d, "a?.txt", 0, "a.txt"));
	assert_true(finds(d, "", 0, "a.txt"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(attributes, setup, teardown),
		cmocka_unit_test_setup_teardown(exact_and_missing, setup, teardown),
		cmocka_unit_test_setup_teardown(holding, setup, teardown),
		cmocka_unit_test_setup_teardown(behind_names, setup, teardown),
		cmocka_unit_test_setup_teardown(unknown_name_keeps_the_place, setup, teardown),
		cmocka_unit_test_setup_teardown(behind_keys_of_deleted_files, setup, teardown),
		cmocka_unit_test_setup_teardown(widening, setup, teardown),
		cmocka_unit_test_setup_teardown(recycled, setup, teardown),
		cmocka_unit_test_setup_teardown(wildcards_of_old_clients, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
