/* Sending: what was promised arrives, whatever becomes of the file and however slow the reader is. */
#include "fastio/fastio.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

#define SIZE 400000u

struct world {
	struct fastio *io;
	int peer, file;
};

static int up(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	struct fastio_tuning t = { .max_frame = 140000 };
	char name[300], *text = malloc(SIZE);
	const char *tmp = getenv("TMPDIR");
	int s[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
	w->peer = s[1];
	w->io = fastio_new(NULL, s[0], &t);
	assert_non_null(w->io);
	snprintf(name, sizeof(name), "%s/fastio.XXXXXX", tmp ? tmp : "/tmp");
	w->file = mkstemp(name);
	assert_true(w->file >= 0);
	unlink(name);
	memset(text, 'x', SIZE);
	assert_int_equal(pwrite(w->file, text, SIZE, 0), SIZE);
	free(text);
	*state = w;
	return 0;
}

static int down(void **state)
{
	struct world *w = *state;

	fastio_free(&w->io);
	close(w->peer);
	close(w->file);
	free(w);
	return 0;
}

/* Reads all of it in pieces, flushing in between; `cut` bytes of the file stay behind after the first piece. */
static void expect(struct world *w, enum fastio_event ev, size_t total, size_t good, long cut)
{
	static uint8_t got[SIZE + 200000];
	size_t n = 0;

	while (n < total) {
		ssize_t k = recv(w->peer, got + n, n == 0 ? 1000 : total - n, MSG_DONTWAIT);

		if (k > 0)
			n += (size_t)k;
		if (cut >= 0)
			assert_int_equal(ftruncate(w->file, cut), 0);
		cut = -1;
		if (ev == FASTIO_AGAIN)
			ev = fastio_flush(w->io);
		assert_true(ev == FASTIO_OK || ev == FASTIO_AGAIN);
		assert_true(k > 0 || ev == FASTIO_AGAIN);
	}
	assert_int_equal(recv(w->peer, got + n, 1, MSG_DONTWAIT), -1); /* and not a byte more */
	assert_false(fastio_unsent(w->io));
	assert_memory_equal(got, "head", 4);
	for (size_t i = 4; i < good; i++)
		assert_int_equal(got[i], 'x');
	for (size_t i = good; i < total; i++)
		assert_true(got[i] == 0 || (got[i] == 'x' && cut == -1));
	assert_int_equal(got[total - 1], good == total ? 'x' : 0);
}

static void a_file_that_is_there(void **state)
{
	struct rope r = { .n = 0 };

	rope_mem(&r, "head", 4);
	rope_file(&r, ((struct world *)*state)->file, 0, 60000);
	expect(*state, fastio_send(((struct world *)*state)->io, &r), 60004, 60004, -1);
}

/* The length was promised in the header: zeros make it up, or all that follows would be out of step. */
static void a_file_that_became_shorter(void **state)
{
	struct world *w = *state;
	struct rope r = { .n = 0 };

	assert_int_equal(ftruncate(w->file, 20000), 0);
	rope_mem(&r, "head", 4);
	rope_file(&r, w->file, 0, 60000);
	expect(w, fastio_send(w->io, &r), 60004, 20004, -1);
}

static void a_file_that_is_empty_now(void **state)
{
	struct world *w = *state;
	struct rope r = { .n = 0 };

	assert_int_equal(ftruncate(w->file, 0), 0);
	rope_mem(&r, "head", 4);
	rope_file(&r, w->file, 10000, 5000);
	expect(w, fastio_send(w->io, &r), 5004, 4, -1);
}

/* The socket is full: the rest is kept, and the file shrinks before it is sent. */
static void shorter_while_the_reader_is_slow(void **state)
{
	struct world *w = *state;
	struct rope r = { .n = 0 };
	enum fastio_event ev;

	rope_mem(&r, "head", 4);
	rope_file(&r, w->file, 0, SIZE);
	ev = fastio_send(w->io, &r);
	assert_int_equal(ev, FASTIO_AGAIN);
	expect(w, ev, SIZE + 4, 1000, 50);
}

/* More than one reply waits: order and bytes stay. */
static void replies_in_a_row(void **state)
{
	struct world *w = *state;
	struct rope one = { .n = 0 }, two = { .n = 0 };
	char *mem = malloc(100000);
	enum fastio_event ev;

	memset(mem, 'x', 100000);
	rope_mem(&one, "head", 4);
	rope_file(&one, w->file, 0, SIZE);
	rope_mem(&two, mem, 100000);
	rope_file(&two, w->file, 5, 1000);
	ev = fastio_send(w->io, &one);
	assert_int_equal(ev, FASTIO_AGAIN);
	assert_int_equal(fastio_send(w->io, &two), FASTIO_AGAIN);
	free(mem); /* what is kept is a copy */
	expect(w, ev, SIZE + 101004, SIZE + 101004, -1);
}

/* A piece that begins inside a page and touches more pages than sendfile moves at once: its first bytes are copied. */
static void inside_a_page(void **state)
{
	struct world *w = *state;
	struct rope r = { .n = 0 }, beyond = { .n = 0 };

	assert_int_equal(pwrite(w->file, "yyyy", 4, 96), 4);
	rope_mem(&r, "head", 4);
	rope_file(&r, w->file, 100, 65535);
	expect(w, fastio_send(w->io, &r), 65539, 65539, -1);
	assert_int_equal(fastio_stats(w->io)->sendfile_bytes, 65535 - (4096 - 100));
	assert_int_equal(ftruncate(w->file, 1000), 0);
	rope_mem(&beyond, "head", 4);
	rope_file(&beyond, w->file, 100, 65535);
	expect(w, fastio_send(w->io, &beyond), 65539, 904, -1);
}

/* Answers to requests that are here already go out in one call, in order; a file behind them, too. */
static void gathered(void **state)
{
	struct world *w = *state;
	struct rope one = { .n = 0 }, two = { .n = 0 };
	uint64_t calls = fastio_stats(w->io)->out_calls;
	char peek;

	rope_mem(&one, "he", 2);
	fastio_gather(w->io, true);
	assert_int_equal(fastio_send(w->io, &one), FASTIO_OK);
	assert_int_equal(recv(w->peer, &peek, 1, MSG_DONTWAIT), -1);
	rope_mem(&two, "ad", 2);
	rope_file(&two, w->file, 0, 60000);
	assert_int_equal(fastio_send(w->io, &two), FASTIO_OK);
	assert_int_equal(fastio_stats(w->io)->out_calls, calls + 2); /* memory, sendfile */
	assert_int_equal(fastio_push(w->io), FASTIO_OK);
	expect(w, FASTIO_OK, 60004, 60004, -1);
}

/* More answers than may wait, and a reader that is slow: nothing is lost or swapped. */
static void gathered_and_slow(void **state)
{
	struct world *w = *state;
	static uint8_t block[4000], got[4000 * 200 + 1];
	size_t n = 0;
	enum fastio_event ev;

	for (unsigned i = 0; i < 200; i++) {
		struct rope r = { .n = 0 };

		memset(block, (int)i, sizeof(block));
		rope_mem(&r, block, sizeof(block));
		fastio_gather(w->io, true);
		ev = fastio_send(w->io, &r);
		assert_true(ev == FASTIO_OK || ev == FASTIO_AGAIN);
		if (fastio_unsent(w->io)) { /* nobody answers more requests now */
			ssize_t k = recv(w->peer, got + n, 100000, MSG_DONTWAIT);

			assert_true(k > 0);
			n += (size_t)k;
			while (fastio_flush(w->io) == FASTIO_AGAIN && (k = recv(w->peer, got + n, 100000, MSG_DONTWAIT)) > 0)
				n += (size_t)k;
		}
	}
	ev = fastio_push(w->io);
	while (n < 4000 * 200) {
		ssize_t k = recv(w->peer, got + n, sizeof(got) - n, MSG_DONTWAIT);

		assert_true(k > 0);
		n += (size_t)k;
		if (fastio_unsent(w->io))
			(void)fastio_flush(w->io);
	}
	for (size_t i = 0; i < n; i++)
		assert_int_equal(got[i], i / 4000);
}

/* Messages nobody asked for (oplock breaks), many of them, behind an answer that the reader has not taken. */
static void many_behind_a_slow_reader(void **state)
{
	struct world *w = *state;
	static uint8_t got[SIZE + 4 + 40 * 4];
	enum fastio_event ev;
	struct rope r;
	size_t n = 0;

	rope_start(&r);
	rope_mem(&r, "head", 4);
	rope_file(&r, w->file, 0, SIZE);
	assert_int_equal(fastio_send(w->io, &r), FASTIO_AGAIN);
	for (int i = 0; i < 40; i++) {
		char text[5];

		snprintf(text, sizeof(text), "%04d", i);
		rope_start(&r);
		rope_mem(&r, text, 4);
		assert_int_equal(fastio_send(w->io, &r), FASTIO_AGAIN);
	}
	do {
		ssize_t k = recv(w->peer, got + n, sizeof(got) - n, MSG_DONTWAIT);

		n += k > 0 ? (size_t)k : 0;
		ev = fastio_flush(w->io);
	} while (n < sizeof(got) && (ev == FASTIO_AGAIN || ev == FASTIO_OK));
	assert_int_equal(n, sizeof(got));
	assert_memory_equal(got + SIZE + 4, "000000010002", 12);
	assert_memory_equal(got + sizeof(got) - 8, "00380039", 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_that_is_there, up, down),
		cmocka_unit_test_setup_teardown(a_file_that_became_shorter, up, down),
		cmocka_unit_test_setup_teardown(a_file_that_is_empty_now, up, down),
		cmocka_unit_test_setup_teardown(shorter_while_the_reader_is_slow, up, down),
		cmocka_unit_test_setup_teardown(replies_in_a_row, up, down),
		cmocka_unit_test_setup_teardown(inside_a_page, up, down),
		cmocka_unit_test_setup_teardown(gathered, up, down),
		cmocka_unit_test_setup_teardown(gathered_and_slow, up, down),
		cmocka_unit_test_setup_teardown(many_behind_a_slow_reader, up, down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
