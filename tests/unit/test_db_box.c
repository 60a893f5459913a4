/* Message boxes: what comes with a message, and from whom it is taken. */
#include "db_fixture.h"
#include "db/msg.h"
#include <grp.h>
#include <sys/socket.h>
#include <sys/un.h>

static struct {
	int n, fd;
	struct msg_box *box;
} seen;

static void note(void *arg, enum msg_type type, const struct db_owner *from, struct rd body)
{
	(void)arg;
	(void)from;
	(void)body;
	seen.n += type == MSG_ADOPT;
	seen.fd = box_take_fd(seen.box);
}

static int a_pipe[2];
static char name_told[40];

static int give(void *arg, const char *name)
{
	(void)arg;
	snprintf(name_told, sizeof(name_told), "%s", name);
	return dup(a_pipe[1]);
}

static int nothing(void *arg, const char *name)
{
	(void)arg;
	(void)name;
	return -1;
}

static unsigned descriptors(void)
{
	unsigned n = 0;

	for (int fd = 0; fd < 200; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void receive(void)
{
	seen.n = 0;
	seen.fd = -1;
	box_receive(seen.box, note, NULL);
}

static void test_descriptor_from_the_daemon(void **state)
{
	struct fixture *f = *state;
	struct db *db = fixture_open(f);
	struct db_owner me = db_me(), other = { me.pid, me.start_time + 1 };
	const char *why = NULL;
	char byte = 0;

	assert_int_equal(pipe(a_pipe), 0);
	seen.box = box_open(NULL, db, &why);
	assert_non_null(seen.box);
	box_offer_all(db, nothing, NULL);
	receive();
	assert_int_equal(seen.n, 0);
	box_offer_all(db, give, NULL);
	receive();
	assert_int_equal(seen.n, 1);
	assert_true(seen.fd >= 0);
	assert_int_equal(write(seen.fd, "x", 1), 1);
	assert_int_equal(read(a_pipe[0], &byte, 1), 1);
	assert_int_equal(close(seen.fd), 0);
	assert_true(box_is_named(db, name_told, &me));
	assert_false(box_is_named(db, name_told, &other));
	/* one without */
	assert_true(box_send_once(db, &me, MSG_ADOPT, NULL, 0));
	receive();
	assert_int_equal(seen.n, 1);
	assert_int_equal(seen.fd, -1);
	TALLOC_FREE(seen.box);
	close(a_pipe[0]);
	close(a_pipe[1]);
}

/* Version, MSG_ADOPT, a sender. */
static bool send_as_other(const char *dir)
{
	union { struct cmsghdr h; char room[CMSG_SPACE(sizeof(int))]; } control = { .h = {
		.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS } };
	uint8_t text[14] = { 1, MSG_ADOPT, 1 };
	struct iovec iov = { text, sizeof(text) };
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	struct msghdr mh = { .msg_name = &to, .msg_namelen = sizeof(to), .msg_iov = &iov, .msg_iovlen = 1,
			     .msg_control = &control, .msg_controllen = sizeof(control) };
	int s = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	memcpy(CMSG_DATA(&control.h), &a_pipe[1], sizeof(int));
	return chdir(dir) == 0 && chdir("msg") == 0 &&
	       snprintf(to.sun_path, sizeof(to.sun_path), "%s", name_told) > 0 && sendmsg(s, &mh, 0) == sizeof(text);
}

/* A worker of another user knows the names of boxes too. */
static void test_descriptor_from_another_user(void **state)
{
	struct fixture *f = *state;
	struct db *db;
	const char *why = NULL;
	unsigned before;
	pid_t pid;
	int how;

	if (geteuid() != 0)
		skip();
	db = fixture_open(f);
	assert_int_equal(chmod(f->dir, 0711), 0);
	assert_int_equal(pipe(a_pipe), 0);
	seen.box = box_open(NULL, db, &why);
	assert_non_null(seen.box);
	before = descriptors();
	box_offer_all(db, give, NULL); /* tells the name */
	receive();
	close(seen.fd);
	pid = fork();
	if (pid == 0)
		_exit(setgroups(0, NULL) == 0 && setgid(65534) == 0 && setuid(65534) == 0 && send_as_other(f->dir) ? 0 : 1);
	assert_int_equal(waitpid(pid, &how, 0), pid);
	assert_int_equal(how, 0);
	receive();
	assert_int_equal(seen.n, 1);
	assert_int_equal(seen.fd, -1);
	assert_int_equal(descriptors(), before);
	TALLOC_FREE(seen.box);
	close(a_pipe[0]);
	close(a_pipe[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_descriptor_from_the_daemon, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_descriptor_from_another_user, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
