/* Messages between processes: descriptors, sizes, records of identities. */
#include "proc/inner.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static int sv[2];

static int setup(void **state)
{
	(void)state;
	return msg_pair(sv) ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	close(sv[0]);
	close(sv[1]);
	return 0;
}

static unsigned open_fds(void)
{
	unsigned n = 0;

	for (int fd = 0; fd < 200; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void there_and_back(void **state)
{
	int null = open("/dev/null", O_RDWR);
	unsigned before = open_fds();
	struct msg m;
	int fd;

	(void)state;
	assert_int_equal(msg_recv(NULL, sv[1], &m), MSG_NONE);
	assert_true(msg_send(sv[0], "hello", 5, &null, 1, true));
	assert_int_equal(msg_recv(NULL, sv[1], &m), MSG_GOT);
	assert_int_equal(m.len, 5);
	assert_memory_equal(m.p, "hello", 5);
	assert_int_equal(m.nfds, 1);
	assert_true(fcntl(m.fd[0], F_GETFD) & FD_CLOEXEC);
	fd = msg_take_fd(&m, 0);
	assert_int_equal(msg_take_fd(&m, 0), -1);
	assert_int_equal(msg_take_fd(&m, 1), -1);
	msg_drop(&m);
	assert_int_equal(open_fds(), before + 1);
	close(fd);
	close(null);
}

static void dropped_descriptors_are_closed(void **state)
{
	int null = open("/dev/null", O_RDWR), four[4] = { null, null, null, null };
	unsigned before = open_fds();
	struct msg m;

	(void)state;
	for (int i = 0; i < 20; i++) {
		assert_true(msg_send(sv[0], "x", 1, four, 4, true));
		assert_int_equal(msg_recv(NULL, sv[1], &m), MSG_GOT);
		assert_int_equal(m.nfds, 4);
		msg_drop(&m);
	}
	assert_int_equal(open_fds(), before);
	close(null);
}

/* A hostile sender passes more descriptors than anybody asked for: none may stay open here. */
static void too_many_descriptors(void **state)
{
	union { struct cmsghdr h; char room[CMSG_SPACE(sizeof(int) * 20)]; } control;
	struct iovec iov = { .iov_base = "x", .iov_len = 1 };
	struct msghdr mh = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control,
			     .msg_controllen = sizeof(control) };
	int null = open("/dev/null", O_RDWR), many[20];
	unsigned before = open_fds();
	struct msg m;

	(void)state;
	for (int i = 0; i < 20; i++)
		many[i] = null;
	memset(&control, 0, sizeof(control));
	control.h.cmsg_level = SOL_SOCKET;
	control.h.cmsg_type = SCM_RIGHTS;
	control.h.cmsg_len = CMSG_LEN(sizeof(many));
	memcpy(CMSG_DATA(&control.h), many, sizeof(many));
	assert_int_equal(sendmsg(sv[0], &mh, 0), 1);
	assert_int_equal(msg_recv(NULL, sv[1], &m), MSG_BAD);
	assert_int_equal(open_fds(), before);
	close(null);
}

static void full_and_closed(void **state)
{
	static uint8_t big[100000];
	struct msg m;
	int n = 0, end[2];

	(void)state;
	while (n < 1000 && msg_send(sv[0], big, sizeof(big), NULL, 0, false))
		n++;
	assert_in_range(n, 1, 999); /* full: said at once, nobody waits */
	assert_int_equal(msg_recv(NULL, sv[1], &m), MSG_GOT);
	assert_int_equal(m.len, sizeof(big));
	msg_drop(&m);
	assert_true(msg_pair(end));
	close(end[0]);
	assert_int_equal(msg_recv(NULL, end[1], &m), MSG_CLOSED);
	assert_false(msg_send(end[1], "x", 1, NULL, 0, true)); /* and no SIGPIPE */
	close(end[1]);
}

/* The record of a user in very many groups. */
static void longer_than_the_buffer(void **state)
{
	static uint8_t big[100000];
	const int little = 4096;
	struct msg m;

	(void)state;
	assert_int_equal(setsockopt(sv[0], SOL_SOCKET, SO_SNDBUF, &little, sizeof(little)), 0);
	assert_true(msg_send(sv[0], big, sizeof(big), NULL, 0, true));
	assert_int_equal(msg_recv(NULL, sv[1], &m), MSG_GOT);
	assert_int_equal(m.len, sizeof(big));
	msg_drop(&m);
}

static void memory_files(void **state)
{
	size_t len = 0;
	int fd = msg_memfd("abc", 3, true), pipefd[2];
	uint8_t *p;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, "x", 1, 0), -1); /* sealed */
	assert_int_equal(ftruncate(fd, 100), -1);
	p = msg_memfd_read(NULL, fd, 3, &len);
	assert_non_null(p);
	assert_int_equal(len, 3);
	assert_memory_equal(p, "abc", 3);
	talloc_free(p);
	assert_null(msg_memfd_read(NULL, fd, 2, &len)); /* longer than allowed */
	close(fd);
	assert_int_equal(pipe(pipefd), 0);
	assert_null(msg_memfd_read(NULL, pipefd[0], 100, &len)); /* would block: no file */
	close(pipefd[0]);
	close(pipefd[1]);
}

static void identities(void **state)
{
	gid_t groups[3] = { 5, 7, 4000000000u };
	struct ident id = { .uid = 1000, .gid = 100, .ngroups = 3, .groups = groups, .user = "anna",
			    .domain = "WORK", .home = "/home/anna", .guest = true,
			    .uid_ticket = { 1, 2 }, .gid_ticket = { 3, 4 } };
	struct ident *back;
	size_t len = 0;
	uint8_t *p = door_ident_pack(NULL, &id, &len);

	(void)state;
	assert_non_null(p);
	back = door_ident_unpack(NULL, p, len);
	assert_non_null(back);
	assert_int_equal(back->uid, 1000);
	assert_int_equal(back->gid, 100);
	assert_int_equal(back->ngroups, 3);
	assert_memory_equal(back->groups, groups, sizeof(groups));
	assert_string_equal(back->user, "anna");
	assert_string_equal(back->home, "/home/anna");
	assert_memory_equal(back->uid_ticket, id.uid_ticket, sizeof(id.uid_ticket));
	assert_memory_equal(back->gid_ticket, id.gid_ticket, sizeof(id.gid_ticket));
	assert_true(back->guest);
	assert_false(back->anonymous);
	talloc_free(back);
	for (size_t cut = 0; cut < len; cut++)
		assert_null(door_ident_unpack(NULL, p, cut));
	p[25] = 0xff; /* more groups than bytes */
	p[28] = 0xff;
	assert_null(door_ident_unpack(NULL, p, len));
	talloc_free(p);
}

static void kept_descriptors(void **state)
{
	int pid, status, fd[6];

	(void)state;
	pid = fork();
	if (pid == 0) {
		int keep[3];

		for (int i = 0; i < 6; i++)
			fd[i] = open("/dev/null", O_RDONLY);
		keep[0] = fd[4]; /* in no order, with one that is not open */
		keep[1] = -1;
		keep[2] = fd[1];
		walls_close_others(keep, 3);
		for (int i = 0; i < 6; i++)
			if ((fcntl(fd[i], F_GETFD) >= 0) != (i == 1 || i == 4))
				_exit(1);
		_exit(fcntl(2, F_GETFD) >= 0 ? 0 : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(there_and_back, setup, teardown),
		cmocka_unit_test_setup_teardown(dropped_descriptors_are_closed, setup, teardown),
		cmocka_unit_test_setup_teardown(too_many_descriptors, setup, teardown),
		cmocka_unit_test_setup_teardown(full_and_closed, setup, teardown),
		cmocka_unit_test_setup_teardown(longer_than_the_buffer, setup, teardown),
		cmocka_unit_test(memory_files),
		cmocka_unit_test(identities),
		cmocka_unit_test(kept_descriptors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
