/* Sessions and trees: what is put is seen, `max connections` counts the living only. */
#include "db_fixture.h"

static struct db_session last_session;
static char last_user[100];

static bool see_session(const struct db_session *s, void *arg)
{
	++*(size_t *)arg;
	last_session = *s;
	snprintf(last_user, sizeof(last_user), "%s|%s|%s|%s|%s", s->user, s->domain, s->client_name, s->client_addr,
		 s->dialect);
	return true;
}

static size_t sessions(struct db *db)
{
	size_t n = 0;

	assert_true(db_session_each(db, see_session, &n));
	return n;
}

static struct db_tree last_tree;
static char last_share[100];

static bool see_tree(const struct db_tree *t, void *arg)
{
	++*(size_t *)arg;
	last_tree = *t;
	snprintf(last_share, sizeof(last_share), "%s|%s|%s", t->share, t->client_addr, t->client_name);
	return true;
}

static bool see_one(const struct db_tree *t, void *arg)
{
	see_tree(t, arg);
	return false;
}

static size_t trees(struct db *db)
{
	size_t n = 0;

	assert_true(db_tree_each(db, see_tree, &n));
	return n;
}

static void test_sessions(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	struct db_session s = { .uid = 100, .unix_uid = 1000, .unix_gid = 1001, .user = "anna", .domain = "HOME",
				.client_name = "PC\xff", .client_addr = "192.0.2.7", .dialect = "NT1", .signing = true,
				.since = 123456789012345678ull };
	char *longer = talloc_zero_size(NULL, 100001);

	assert_int_equal(sessions(db), 0);
	assert_true(db_session_put(db, &s));
	assert_int_equal(sessions(db), 1);
	assert_string_equal(last_user, "anna|HOME|PC\xff|192.0.2.7|NT1");
	assert_int_equal(last_session.uid, 100);
	assert_int_equal(last_session.unix_uid, 1000);
	assert_int_equal(last_session.unix_gid, 1001);
	assert_int_equal(last_session.owner.pid, getpid());
	assert_true(last_session.signing && !last_session.guest && !last_session.encrypted);
	assert_true(last_session.since == 123456789012345678ull);
	s.user = NULL; /* the same once more: replaced */
	s.guest = true;
	s.encrypted = DB_ENCRYPTED_AEAD;
	assert_true(db_session_put(db, &s));
	assert_int_equal(sessions(db), 1);
	assert_true(last_session.guest && last_session.encrypted == DB_ENCRYPTED_AEAD);
	assert_string_equal(last_user, "|HOME|PC\xff|192.0.2.7|NT1");
	s.uid = 101;
	memset(longer, 'u', 100000);
	s.user = longer;
	assert_true(db_session_put(db, &s));
	assert_int_equal(sessions(db), 2);
	db_session_del(db, 101);
	db_session_del(db, 555);
	assert_int_equal(sessions(db), 1);
	s.uid = 102;
	assert_true(db_session_put(db, &s));
	db_forget_me(db);
	assert_int_equal(sessions(db), 0);
	talloc_free(longer);
}

static void child_logs_in(struct fixture *f, void *arg)
{
	struct db_session s = { .uid = 1, .user = "child" };
	struct db_tree t = { .tid = 1, .share = "DATA", .client_addr = "198.51.100.1" };

	(void)arg;
	CHILD_CHECK(db_session_put(f->db, &s));
	CHILD_CHECK(db_tree_put(f->db, &t, 3) == ST_OK);
}

static void test_dead_sessions(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	pid_t pid = start_child(f, child_logs_in, NULL);
	struct db_owner who = { pid, util_start_time(pid) };

	assert_int_equal(sessions(db), 1);
	assert_int_equal(trees(db), 1);
	db_forget_me(db); /* not ours */
	assert_int_equal(sessions(db), 1);
	kill_child(pid);
	assert_int_equal(sessions(db), 0);
	assert_int_equal(trees(db), 0);
	db_forget(db, who.pid, who.start_time);
	assert_int_equal(sessions(db), 0);
}

static void test_trees(void **state)
{
	struct db *db = fixture_open(*state);
	struct db_tree t = { .tid = 1, .uid = 9, .share = "Data", .client_addr = "192.0.2.7", .client_name = "PC",
			     .since = 77 };
	size_t n = 0;

	assert_int_equal(db_tree_put(db, &t, 0), ST_OK);
	assert_int_equal(trees(db), 1);
	assert_string_equal(last_share, "Data|192.0.2.7|PC");
	assert_true(last_tree.tid == 1 && last_tree.uid == 9 && last_tree.since == 77);
	t.tid = 2;
	t.share = "other";
	assert_int_equal(db_tree_put(db, &t, 0), ST_OK);
	t.tid = 3;
	assert_int_equal(db_tree_put(db, &t, 0), ST_OK);
	assert_int_equal(trees(db), 3);
	t.tid = 1; /* the tid of a tree of another share: moved */
	assert_int_equal(db_tree_put(db, &t, 0), ST_OK);
	assert_int_equal(trees(db), 3);
	assert_true(db_tree_each(db, see_one, &n));
	assert_int_equal(n, 1);
	db_tree_del(db, 2);
	db_tree_del(db, 2);
	assert_int_equal(trees(db), 2);
	db_forget_me(db);
	assert_int_equal(trees(db), 0);
}

static void test_max_connections(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	struct db_tree t = { .share = "data" };
	pid_t a = start_child(f, child_logs_in, NULL), b = start_child(f, child_logs_in, NULL);

	t.tid = 1;
	assert_int_equal(db_tree_put(db, &t, 3), ST_OK);
	assert_int_equal(db_tree_put(db, &t, 3), ST_OK); /* again: not counted twice */
	t.tid = 2;
	assert_int_equal(db_tree_put(db, &t, 3), ST_REQUEST_NOT_ACCEPTED); /* DATA is data */
	assert_int_equal(trees(db), 3);
	t.share = "free";
	assert_int_equal(db_tree_put(db, &t, 3), ST_OK);
	db_tree_del(db, 2);
	t.share = "data";
	kill_child(a);
	assert_int_equal(db_tree_put(db, &t, 3), ST_OK);
	t.tid = 3;
	assert_int_equal(db_tree_put(db, &t, 3), ST_REQUEST_NOT_ACCEPTED);
	assert_int_equal(db_tree_put(db, &t, 4), ST_OK);
	kill_child(b);
	t.tid = 4;
	assert_int_equal(db_tree_put(db, &t, 3), ST_REQUEST_NOT_ACCEPTED);
	assert_int_equal(db_tree_put(db, &t, 0), ST_OK);
	assert_int_equal(trees(db), 4);
	/* a refused tree leaves nothing to take away */
	db_tree_del(db, 9);
	for (uint16_t tid = 1; tid <= 4; tid++)
		db_tree_del(db, tid);
	assert_int_equal(trees(db), 0);
}

static void child_races(struct fixture *f, void *arg)
{
	struct db_tree t = { .share = "data", .tid = 1 };
	unsigned ok = 0;

	(void)arg;
	for (uint16_t i = 1; i <= 50; i++) {
		t.tid = i;
		ok += db_tree_put(f->db, &t, 30) == ST_OK;
	}
	CHILD_CHECK(ok <= 30);
}

static void test_max_is_one_step(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	pid_t pids[4];

	for (int i = 0; i < 4; i++)
		pids[i] = start_child(f, child_races, NULL);
	assert_int_equal(trees(db), 30);
	for (int i = 0; i < 4; i++)
		kill_child(pids[i]);
	assert_int_equal(trees(db), 0);
}

static const char *raw_file;

static void scribble_records(struct fixture *f, void *arg)
{
	struct tdb_context *tdb;
	TDB_DATA rubbish = { (unsigned char *)(uintptr_t)"\1\0\xff\xff\xff\xff\xff\xff", 8 };

	(void)arg;
	TALLOC_FREE(f->db);
	tdb = tdb_open(fixture_path(f, raw_file), 0,
		       TDB_CLEAR_IF_FIRST | TDB_INCOMPATIBLE_HASH |
			       (tdb_runtime_check_for_robust_mutexes() ? TDB_MUTEX_LOCKING : 0), O_RDWR, 0);
	CHILD_CHECK(tdb != NULL);
	for (TDB_DATA k = tdb_firstkey(tdb); k.dptr;) {
		TDB_DATA next;

		CHILD_CHECK(tdb_store(tdb, k, rubbish, TDB_MODIFY) == 0);
		next = tdb_nextkey(tdb, k);
		free(k.dptr);
		k = next;
	}
	CHILD_CHECK(tdb_store(tdb, (TDB_DATA){ (unsigned char *)(uintptr_t)"k", 1 }, rubbish, TDB_INSERT) == 0);
	tdb_close(tdb);
}

static void test_damage(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	struct db_session s = { .uid = 1, .user = "a" };
	struct db_tree t = { .tid = 1, .share = "data" };

	assert_true(db_session_put(db, &s));
	assert_int_equal(db_tree_put(db, &t, 1), ST_OK);
	raw_file = "smb1d-sessions.tdb";
	run_child(f, scribble_records, NULL);
	raw_file = "smb1d-trees.tdb";
	run_child(f, scribble_records, NULL);
	assert_int_equal(sessions(db), 0);
	assert_int_equal(trees(db), 0);
	t.tid = 2;
	assert_int_equal(db_tree_put(db, &t, 1), ST_OK);
	assert_true(db_session_put(db, &s));
	assert_int_equal(sessions(db), 1);
	assert_int_equal(trees(db), 1);
	db_forget_me(db);
	assert_int_equal(sessions(db), 0);
	assert_int_equal(trees(db), 0);
}

int main(void)
{
#define T(x) cmocka_unit_test_setup_teardown(x, fixture_setup, fixture_teardown)
	const struct CMUnitTest tests[] = {
		T(test_sessions),
		T(test_dead_sessions),
		T(test_trees),
		T(test_max_connections),
		T(test_max_is_one_step),
		T(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
