/* Bytes that go from the socket to a file: all of them, and what follows stays in step whatever the file says. */
#include "fastio/fastio.h"
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

#define SIZE 100000u /* what goes to the file */

struct world {
	struct fastio *io;
	int peer;
	char name[300];
};

static int up(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	struct fastio_tuning t = { .max_frame = 140000 };
	const char *tmp = getenv("TMPDIR");
	int s[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
	w->peer = s[1];
	w->io = fastio_new(NULL, s[0], &t);
	assert_non_null(w->io);
	snprintf(w->name, sizeof(w->name), "%s/divert.XXXXXX", tmp ? tmp : "/tmp");
	close(mkstemp(w->name));
	*state = w;
	return 0;
}

static int down(void **state)
{
	struct world *w = *state;

	fastio_free(&w->io);
	close(w->peer);
	unlink(w->name);
	free(w);
	return 0;
}

static bool always(void *arg, uint64_t off, size_t len)
{
	assert_null(arg);
	assert_int_equal(off + len, SIZE);
	return true;
}

static uint8_t byte_at(size_t i) { return (uint8_t)(i * 7 + (i >> 8)); }

/* SIZE bytes for the file and "next", in pieces of all sizes; what became of it. */
static size_t send_all(struct world *w, int fd, int *error)
{
	uint8_t data[SIZE + 4];
	size_t sent = 0, have, done;

	for (size_t i = 0; i < SIZE; i++)
		data[i] = byte_at(i);
	memcpy(data + SIZE, "next", 4);
	assert_true(fastio_can_divert(w->io, 4 + SIZE));
	fastio_divert(w->io, fd, 0, SIZE, always, NULL);
	for (size_t piece = 1; sent < sizeof(data); piece = piece * 3 % 30011) {
		size_t n = piece < sizeof(data) - sent ? piece : sizeof(data) - sent;

		assert_int_equal(send(w->peer, data + sent, n, MSG_DONTWAIT), n);
		sent += n;
		while (fastio_fill(w->io) == FASTIO_OK)
			;
		assert_int_equal(fastio_diverting(w->io), sent < SIZE);
		fastio_data(w->io, &have);
		assert_int_equal(have, sent > SIZE ? sent - SIZE : 0);
	}
	assert_memory_equal(fastio_data(w->io, &have), "next", 4);
	fastio_consume(w->io, have);
	done = fastio_diverted(w->io, error);
	fastio_idle(w->io);
	return done;
}

static void to_file(void **state, int flags)
{
	struct world *w = *state;
	uint8_t got[SIZE + 1];
	int error;

	for (int round = 0; round < 2; round++) {
		int fd = open(w->name, O_RDWR | O_TRUNC | flags);

		assert_int_equal(send_all(w, fd, &error), SIZE);
		assert_int_equal(error, 0);
		assert_int_equal(pread(fd, got, sizeof(got), 0), SIZE);
		for (size_t i = 0; i < SIZE; i++)
			assert_int_equal(got[i], byte_at(i));
		close(fd);
	}
}

static void a_file(void **state) { to_file(state, 0); }
static void a_file_that_cannot_be_spliced_to(void **state) { to_file(state, O_APPEND); }

static void refused(void **state, int fd, int want)
{
	int error;

	assert_int_equal(send_all(*state, fd, &error), 0);
	assert_int_equal(error, want);
	if (fd >= 0)
		close(fd);
}

static void a_full_disk(void **state) { refused(state, open("/dev/full", O_RDWR), ENOSPC); }
static void no_right_to_write(void **state) { refused(state, open(((struct world *)*state)->name, O_RDONLY), EBADF); }
static void dropped(void **state) { refused(state, -1, 0); }

/* No after the first piece: what is there is counted, the rest is dropped, and nobody is asked again. */
static bool once(void *arg, uint64_t off, size_t len)
{
	assert_int_equal(off + len, SIZE);
	return (*(int *)arg)++ == 0;
}

static void forbidden_meanwhile(void **state)
{
	struct world *w = *state;
	uint8_t data[SIZE];
	int fd = open(w->name, O_RDWR), error, asked = 0;
	size_t have;

	memset(data, 'x', sizeof(data));
	assert_true(fastio_can_divert(w->io, 4 + SIZE));
	fastio_divert(w->io, fd, 0, SIZE, once, &asked);
	for (size_t sent = 0, n; sent < SIZE; sent += n) {
		n = sent == 0 ? 5000 : 19000;
		assert_int_equal(send(w->peer, data, n, 0), n);
		while (fastio_fill(w->io) == FASTIO_OK)
			;
	}
	assert_int_equal(send(w->peer, "next", 4, 0), 4);
	while (fastio_fill(w->io) == FASTIO_OK)
		;
	assert_int_equal(fastio_diverted(w->io, &error), 5000);
	assert_int_equal(error, ECANCELED);
	assert_int_equal(asked, 2);
	assert_int_equal(lseek(fd, 0, SEEK_END), 5000);
	assert_memory_equal(fastio_data(w->io, &have), "next", 4);
	close(fd);
}

/* A disk that fills in the middle: what is there is counted, the rest is dropped. */
static void a_disk_that_fills(void **state)
{
	struct world *w = *state;
	uint8_t data[SIZE];
	int fd = open(w->name, O_RDWR), nothing = open("/dev/full", O_RDWR), error;
	size_t have;

	memset(data, 'x', sizeof(data));
	assert_true(fastio_can_divert(w->io, 4 + SIZE));
	fastio_divert(w->io, fd, 0, SIZE, always, NULL);
	assert_int_equal(send(w->peer, data, 50000, 0), 50000);
	while (fastio_fill(w->io) == FASTIO_OK)
		;
	for (int n = 3; n < 64; n++) /* the duplicate it has made: the only other one of this file */
		if (n != fd && fcntl(n, F_GETFL) >= 0 && lseek(n, 0, SEEK_END) == 50000)
			assert_int_equal(dup2(nothing, n), n);
	assert_int_equal(send(w->peer, data, 50000, 0), 50000);
	assert_int_equal(send(w->peer, "next", 4, 0), 4);
	while (fastio_fill(w->io) == FASTIO_OK)
		;
	assert_int_equal(fastio_diverted(w->io, &error), 50000);
	assert_int_equal(error, ENOSPC);
	assert_memory_equal(fastio_data(w->io, &have), "next", 4);
	close(fd);
	close(nothing);
}

static void a_peer_that_leaves(void **state)
{
	struct world *w = *state;
	int fd = open(w->name, O_RDWR);

	assert_true(fastio_can_divert(w->io, 4 + SIZE));
	fastio_divert(w->io, fd, 0, SIZE, always, NULL);
	assert_int_equal(send(w->peer, "some", 4, 0), 4);
	assert_int_equal(fastio_fill(w->io), FASTIO_OK);
	assert_int_equal(fastio_fill(w->io), FASTIO_AGAIN);
	shutdown(w->peer, SHUT_WR);
	assert_int_equal(fastio_fill(w->io), FASTIO_CLOSED);
	close(fd);
}

/* No more than was agreed, even where no memory is at stake. */
static void too_long(void **state)
{
	struct world *w = *state;

	assert_false(fastio_can_divert(w->io, 140001));
	assert_true(fastio_can_divert(w->io, 140000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file, up, down),
		cmocka_unit_test_setup_teardown(a_file_that_cannot_be_spliced_to, up, down),
		cmocka_unit_test_setup_teardown(a_full_disk, up, down),
		cmocka_unit_test_setup_teardown(a_disk_that_fills, up, down),
		cmocka_unit_test_setup_teardown(forbidden_meanwhile, up, down),
		cmocka_unit_test_setup_teardown(no_right_to_write, up, down),
		cmocka_unit_test_setup_teardown(dropped, up, down),
		cmocka_unit_test_setup_teardown(a_peer_that_leaves, up, down),
		cmocka_unit_test_setup_teardown(too_long, up, down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
