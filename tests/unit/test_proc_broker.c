/* What the broker does for a worker: it goes by the token that the kernel vouches for, not by the door alone. */
#include "conf_text.h"
#include "proc/inner.h"
#include "fs/fs.h"
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int borrowed = -1; /* a socket to be shown in place of a token of our own */

/* In place of the C library's. */
int socketpair(int domain, int type, int protocol, int fd[2])
{
	if (borrowed < 0)
		return (int)syscall(SYS_socketpair, domain, type, protocol, fd);
	fd[0] = dup(borrowed);
	fd[1] = dup(borrowed);
	return 0;
}

/* The worker: the user's process.  0, or what is wrong. */
static int worker(uid_t user, int door, int go, const char *file, int token)
{
	int none = -1, fd = open(file, O_PATH);
	struct broker_client b = { .door = door, .ctl = &none };
	struct fs_favour f = { .what = FS_FAVOUR_TIMES, .fd = fd, .folder = -1 };
	char word;

	if (setgroups(0, NULL) != 0 || setgid(user) != 0 || setuid(user) != 0 || read(go, &word, 1) != 1)
		return 2;
	f.times[0] = f.times[1] = (struct timespec){ .tv_sec = 1000000000 };
	if (broker_ask(&b, &f) != 0)
		return 3;
	borrowed = token;
	f.times[0].tv_sec = f.times[1].tv_sec = 1100000000;
	return broker_ask(&b, &f) == -EPERM ? 0 : 4;
}

/* A token of another process counts nothing, though it is the same user's. */
static void test_token(void **state)
{
	struct conf_text *t = *state;
	struct daemon *d = talloc_zero(t, struct daemon);
	struct client *c = talloc_zero(d, struct client);
	const struct passwd *mail = getpwnam("mail");
	const uid_t user = mail ? mail->pw_uid : 0;
	char folder[] = "/tmp/smb1d-broker.XXXXXX", file[64], text[200];
	int door[2], go[2], token[2], status, fd;
	struct stat st;

	if (geteuid() != 0 || user == 0)
		skip();
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chmod(folder, 0755), 0);
	snprintf(file, sizeof(file), "%s/file", folder);
	fd = open(file, O_RDWR | O_CREAT, 0666);
	assert_int_equal(fchmod(fd, 0666), 0);
	snprintf(text, sizeof(text), "[x]\npath = %s\nread only = no\n", folder);
	d->conf = text_good(t, text);
	d->root = true;
	d->walls.uid = d->walls.gid = 64987;
	assert_int_equal(seteuid(user), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, token), 0);
	assert_int_equal(seteuid(0), 0);
	assert_true(msg_pair(door));
	assert_int_equal(pipe(go), 0);
	c->pid = fork();
	if (c->pid == 0)
		_exit(worker(user, door[0], go[0], file, token[0]));
	broker_wanted(d, c, door[1]);
	assert_int_equal(write(go[1], "", 1), 1);
	assert_int_equal(waitpid(c->pid, &status, 0), c->pid);
	assert_int_equal(status, 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mtime, 1000000000);
	close(door[0]);
	assert_int_equal(waitpid(c->broker, NULL, 0), c->broker);
	unlink(file);
	rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = { TEXT_TEST(test_token) };

	return cmocka_run_group_tests_name("broker", tests, NULL, NULL);
}
