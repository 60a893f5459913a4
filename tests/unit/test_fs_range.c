/* Holes made and found, and a copy onto itself. */
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
		b[i] = (uint8_t)(1 + (i * 7 + i / 256) % 255);
	assert_int_equal(pwrite(fd, b, n, 0), n);
	free(b);
	return fd;
}

static uint8_t byte_at(int fd, off_t at)
{
	uint8_t b = 0xff;

	assert_int_equal(pread(fd, &b, 1, at), 1);
	return b;
}

static void holes(void **state)
{
	struct fs_range r;
	struct play y;
	uint64_t size;
	int fd;

	(void)state;
	play_open(&y);
	fd = make(&y, "a", 1 << 20);
	assert_int_equal(fs_zero(y.share, fd, 65536, 131072 + 5), ST_OK);
	assert_int_equal(byte_at(fd, 65535) != 0, 1);
	assert_int_equal(byte_at(fd, 65536), 0);
	assert_int_equal(byte_at(fd, 131072 + 4), 0);
	assert_int_equal(byte_at(fd, 131072 + 5) != 0, 1);
	assert_int_equal(fs_size(fd, &size), ST_OK);
	assert_int_equal(size, 1 << 20);
	assert_int_equal(fs_next_data(fd, 0, 1 << 30, &r), ST_OK);
	assert_int_equal(r.off, 0);
	assert_int_equal(r.len, 65536);
	assert_int_equal(fs_next_data(fd, 65536, 1 << 30, &r), ST_OK);
	assert_int_equal(r.off, 131072);
	assert_int_equal(r.off + r.len, 1 << 20);
	/* ends where it is asked to; nothing in a hole, nothing behind the end */
	assert_int_equal(fs_next_data(fd, 131072, 140000, &r), ST_OK);
	assert_int_equal(r.len, 140000 - 131072);
	assert_int_equal(fs_next_data(fd, 65536, 131072, &r), ST_OK);
	assert_int_equal(r.len, 0);
	assert_int_equal(fs_next_data(fd, 1 << 20, 1 << 30, &r), ST_OK);
	assert_int_equal(r.len, 0);
	assert_int_equal(fs_zero(y.share, fd, 10, 5), ST_INVALID_PARAMETER);
	assert_int_equal(fs_zero(y.share, fd, 5, (uint64_t)INT64_MAX + 1), ST_INVALID_PARAMETER);
	close(fd);
	play_close(&y);
}

static void onto_itself(void **state)
{
	struct play y;
	uint64_t done;
	int a, b;

	(void)state;
	play_open(&y);
	a = make(&y, "a", 300000);
	b = make(&y, "b", 300000);
	assert_int_equal(fs_copy_data(a, 0, a, 1000, 250000, &done), ST_OK);
	assert_int_equal(done, 250000);
	for (off_t i = 0; i < 250000; i += 997)
		assert_int_equal(byte_at(a, 1000 + i), byte_at(b, i));
	/* the end of the file ends it */
	assert_int_equal(fs_copy_data(b, 299000, b, 299500, 5000, &done), ST_OK);
	assert_int_equal(done, 1000);
	assert_int_equal(byte_at(b, 299500), byte_at(b, 299000));
	close(a);
	close(b);
	play_close(&y);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(holes), cmocka_unit_test(onto_itself) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
