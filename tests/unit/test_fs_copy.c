/* fs_copy_data, and the long name that survives its alias. */
#include "fs_play.h"

static int make(struct play *y, const char *name, size_t n)
{
	char path[600];
	uint8_t *b = malloc(n + 1);
	int fd;

	snprintf(path, sizeof(path), "%s/%s", y->root, name);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0 && b);
	for (size_t i = 0; i < n; i++)
		b[i] = (uint8_t)(i * 7 + i / 256);
	assert_int_equal(pwrite(fd, b, n, 0), n);
	free(b);
	return fd;
}

static void same(int a, uint64_t a_off, int b, uint64_t b_off, size_t n)
{
	uint8_t x[4096], y[4096];

	for (size_t at = 0; at < n; at += sizeof(x)) {
		size_t piece = n - at < sizeof(x) ? n - at : sizeof(x);

		assert_int_equal(pread(a, x, piece, (off_t)(a_off + at)), piece);
		assert_int_equal(pread(b, y, piece, (off_t)(b_off + at)), piece);
		assert_memory_equal(x, y, piece);
	}
}

static void copies(void **state)
{
	struct play y;
	uint64_t done, size;
	int a, b;

	(void)state;
	play_open(&y);
	a = make(&y, "a", 300000);
	b = make(&y, "b", 0);
	assert_int_equal(fs_copy_data(a, 0, b, 0, 300000, &done), ST_OK);
	assert_int_equal(done, 300000);
	same(a, 0, b, 0, 300000);
	/* a piece, elsewhere; the end of the source ends it */
	assert_int_equal(fs_copy_data(a, 299990, b, 300005, 1000, &done), ST_OK);
	assert_int_equal(done, 10);
	same(a, 299990, b, 300005, 10);
	assert_int_equal(fs_size(b, &size), ST_OK);
	assert_int_equal(size, 300015);
	assert_int_equal(fs_copy_data(a, 400000, b, 0, 10, &done), ST_OK);
	assert_int_equal(done, 0);
	assert_int_equal(fs_copy_data(a, 0, b, (uint64_t)INT64_MAX, 10, &done), ST_INVALID_PARAMETER);
	/* inside one file, overlapping: the kernel will not, we need not lose anything but must not fail oddly */
	assert_int_equal(fs_copy_data(a, 0, a, 200000, 50000, &done), ST_OK);
	assert_int_equal(done, 50000);
	close(b);
	b = open("/dev/null", O_RDONLY);
	assert_int_not_equal(fs_copy_data(a, 0, b, 0, 10, &done), ST_OK);
	close(a);
	close(b);
	play_close(&y);
}

static void tunnel(void **state)
{
	static const struct fs_open_want w = { .read = true, .write = true, .create = true, .exclusive = true };
	struct fs_node *n;
	struct play y;
	char alias[64];
	bool created;
	int fd;

	(void)state;
	play_open(&y);
	y.p.mangled_names = CONF_MANGLED_NAMES_YES;
	play_rules_changed(&y);
	close(make(&y, "a long name.text", 1));
	fs_short_name(y.share, "a long name.text", alias);
	assert_true(alias[0]);
	/* a name never used as an alias is taken as it is */
	assert_int_equal(fs_lookup(y.share, y.mem, alias, 0, &n), ST_OK);
	assert_true(n->exists);
	assert_string_equal(n->path, "a long name.text");
	assert_int_equal(fs_unlink(n), ST_OK);
	assert_int_equal(fs_lookup(y.share, y.mem, alias, 0, &n), ST_OK);
	assert_false(n->exists);
	assert_int_equal(fs_open(n, &w, &fd, &created), ST_OK);
	assert_true(created);
	close(fd);
	assert_int_equal(fs_lookup(y.share, y.mem, "a long name.text", 0, &n), ST_OK);
	assert_true(n->exists);
	/* in another folder the alias means nothing */
	assert_int_equal(fs_lookup(y.share, y.mem, "sub", 0, &n), ST_OK);
	assert_int_equal(fs_mkdir(n, 0, false, 0), ST_OK);
	assert_int_equal(fs_lookup(y.share, y.mem, talloc_asprintf(y.mem, "sub/%s", alias), 0, &n), ST_OK);
	assert_false(n->exists);
	assert_string_equal(n->name, alias);
	play_close(&y);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(copies), cmocka_unit_test(tunnel) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
