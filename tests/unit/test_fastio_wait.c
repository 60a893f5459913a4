/* Waiting in the receive: what comes is there at once, nothing lasts longer than a tick, and nothing else waits. */
#include "base/clock.h"
#include "fastio/fastio.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define SIZE 4000000u

struct world {
	struct fastio *io;
	int peer;
};

static int up(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	struct fastio_tuning t = { .max_frame = 140000 };
	int s[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
	w->peer = s[1];
	w->io = fastio_new(NULL, s[0], &t);
	assert_non_null(w->io);
	*state = w;
	alarm(20); /* who waits for ever shall not */
	return 0;
}

static int down(void **state)
{
	struct world *w = *state;

	alarm(0);
	fastio_free(&w->io);
	close(w->peer);
	free(w);
	return 0;
}

static bool blocking(const struct world *w) { return !(fcntl(fastio_fd(w->io), F_GETFL) & O_NONBLOCK); }

static void expect(const struct world *w, const char *text)
{
	size_t have;
	const uint8_t *p = fastio_data(w->io, &have);

	assert_int_equal(have, strlen(text));
	assert_memory_equal(p, text, have);
	fastio_consume(w->io, have);
}

static void what_is_there(void **state)
{
	struct world *w = *state;

	assert_int_equal(write(w->peer, "abc", 3), 3);
	assert_int_equal(fastio_wait(w->io), FASTIO_OK);
	expect(w, "abc");
	close(w->peer);
	assert_int_equal(fastio_wait(w->io), FASTIO_CLOSED);
	w->peer = -1;
}

static void what_comes_meanwhile(void **state)
{
	struct world *w = *state;
	pid_t pid = fork();
	int waits = 0;

	assert_true(pid >= 0);
	if (pid == 0) {
		usleep(50000);
		_exit(write(w->peer, "abc", 3) == 3 ? 0 : 1);
	}
	while (fastio_wait(w->io) == FASTIO_AGAIN)
		waits++;
	assert_in_range(waits, 1, 200); /* it did wait, and no longer than a tick each time */
	expect(w, "abc");
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void nothing_comes(void **state)
{
	struct world *w = *state;
	uint64_t start = clock_ms();

	for (int i = 0; i < 10; i++) {
		assert_int_equal(fastio_wait(w->io), FASTIO_AGAIN);
		assert_false(blocking(w));
	}
	assert_in_range(clock_ms() - start, 5, 2000);
}

static void heard(int sig) { (void)sig; }

/* A signal is no reason to wait no more, nor to wait for ever. */
static void a_signal(void **state)
{
	struct world *w = *state;
	struct sigaction sa = { .sa_handler = heard };
	pid_t parent = getpid(), pid;

	assert_int_equal(sigaction(SIGUSR1, &sa, NULL), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		for (int i = 0; i < 20; i++) {
			kill(parent, SIGUSR1);
			usleep(1000);
		}
		_exit(write(w->peer, "x", 1) == 1 ? 0 : 1);
	}
	for (enum fastio_event e; (e = fastio_wait(w->io)) != FASTIO_OK;)
		assert_int_equal(e, FASTIO_AGAIN);
	expect(w, "x");
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* While the socket is a blocking one neither an ordinary receive nor an answer of memory waits ... */
static void others_do_not_wait(void **state)
{
	struct world *w = *state;
	uint8_t *big = calloc(1, SIZE);
	struct rope r = { .n = 0 };
	const struct timeval for_ever = { 0 };

	assert_int_equal(write(w->peer, "abc", 3), 3);
	assert_int_equal(fastio_wait(w->io), FASTIO_OK);
	assert_true(blocking(w));
	assert_int_equal(setsockopt(fastio_fd(w->io), SOL_SOCKET, SO_RCVTIMEO, &for_ever, sizeof(for_ever)), 0);
	assert_int_equal(setsockopt(fastio_fd(w->io), SOL_SOCKET, SO_SNDTIMEO, &for_ever, sizeof(for_ever)), 0);
	assert_int_equal(fastio_fill(w->io), FASTIO_AGAIN);
	rope_mem(&r, big, SIZE);
	assert_int_equal(fastio_send(w->io, &r), FASTIO_AGAIN);
	assert_false(blocking(w)); /* a slow reader: there is no hurry any more */
	free(big);
}

/* ... and one of a file waits for a tick, once; all of it arrives. */
static void a_file_and_a_slow_reader(void **state)
{
	struct world *w = *state;
	static uint8_t got[SIZE];
	FILE *file = tmpfile();
	struct rope r = { .n = 0 };
	uint64_t start = clock_ms();
	size_t n = 0;
	ssize_t k;

	memset(got, 'x', SIZE);
	assert_int_equal(write(fileno(file), got, SIZE), SIZE);
	memset(got, 0, SIZE);
	assert_int_equal(write(w->peer, "abc", 3), 3);
	assert_int_equal(fastio_wait(w->io), FASTIO_OK);
	rope_mem(&r, "head", 4);
	rope_file(&r, fileno(file), 0, SIZE - 4);
	assert_int_equal(fastio_send(w->io, &r), FASTIO_AGAIN);
	assert_in_range(clock_ms() - start, 0, 2000);
	assert_false(blocking(w));
	while (fastio_unsent(w->io)) {
		k = recv(w->peer, got + n, SIZE - n, MSG_DONTWAIT);
		assert_true(k > 0);
		n += (size_t)k;
		assert_int_not_equal(fastio_flush(w->io), FASTIO_ERROR);
	}
	while ((k = recv(w->peer, got + n, SIZE - n, MSG_DONTWAIT)) > 0)
		n += (size_t)k;
	assert_int_equal(n, SIZE);
	assert_memory_equal(got, "headxxxx", 8);
	for (size_t i = 4; i < SIZE; i++)
		assert_int_equal(got[i], 'x');
	fclose(file);
}

int main(void)
{
#define T(x) cmocka_unit_test_setup_teardown(x, up, down)
	const struct CMUnitTest tests[] = {
		T(what_is_there), T(what_comes_meanwhile), T(nothing_comes), T(a_signal), T(others_do_not_wait),
		T(a_file_and_a_slow_reader),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
