/* control.c - verbs that talk to the running daemon; and the manual page of smb.conf. */
#include "conf/conf.h"
#include "ctl/ctl.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define ANSWER_MAX (160u << 10)

static int lock_directory(const char *conffile, TALLOC_CTX *mem, const char **dir)
{
	struct conf_source src = { .file = conffile, .anyway = true };
	struct conf_report rep = { 0 };
	struct conf *c = NULL;

	/* a daemon that runs can be stopped and asked although its file has been spoilt since */
	if (conf_load(mem, &src, &c, &rep)) {
		*dir = c->g.lock_directory;
		return 0;
	}
	for (size_t i = 0; i < rep.n; i++)
		if (rep.msgs[i].kind == CONF_MSG_ERROR)
			fprintf(stderr, "smb1ctl: %s\n", rep.msgs[i].text);
	return 1;
}

/* The daemon's socket in `lock directory`, by a descriptor of that folder (`sun_path` is short).  One text
 * command per message, one text answer: "ok ..." or "error: ...". */
static int connect_daemon(const char *dir, bool quiet)
{
	int at = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC), fd = -1;
	struct sockaddr_un sa = { .sun_family = AF_UNIX };
	struct timeval tv = { .tv_sec = 30 };

	snprintf(sa.sun_path, sizeof(sa.sun_path), "/proc/self/fd/%d/smb1d.sock", at);
	if (at >= 0)
		fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&sa, sizeof(sa)) == 0) {
		(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
		close(at);
		return fd;
	}
	if (!quiet)
		fprintf(stderr, "smb1ctl: smb1d does not run here (%s/smb1d.sock: %s)\n", dir, strerror(errno));
	if (fd >= 0)
		close(fd);
	if (at >= 0)
		close(at);
	return -1;
}

static int talk(int fd, TALLOC_CTX *mem, const char *command)
{
	char *answer = talloc_size(mem, ANSWER_MAX);
	ssize_t n = -1;

	if (answer && send(fd, command, strlen(command), MSG_NOSIGNAL) == (ssize_t)strlen(command))
		n = recv(fd, answer, ANSWER_MAX, 0);
	if (n <= 0) {
		fprintf(stderr, "smb1ctl: the daemon has closed the connection or does not answer; "
			"only root and its own user may command it\n");
		return 1;
	}
	if (n > 2 && memcmp(answer, "ok", 2) == 0) {
		printf("%.*s\n", (int)n - 3, answer + 3);
		return 0;
	}
	if (n == 2 && memcmp(answer, "ok", 2) == 0)
		return 0;
	fprintf(stderr, "smb1ctl: %.*s\n", (int)n, answer);
	return 1;
}

int ctl_control(int argc, const char **argv, const char *conffile)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	char *command = talloc_strdup(mem, argv[0]);
	const char *dir;
	int fd, status = 1;

	/* "debug 1 auth:5" and names with blanks come as several words */
	for (int i = 1; i < argc; i++)
		command = talloc_asprintf_append(command, " %s", argv[i]);
	if (lock_directory(conffile, mem, &dir) == 0) {
		fd = connect_daemon(dir, false);
		if (fd >= 0) {
			status = talk(fd, mem, command);
			close(fd);
		}
	}
	talloc_free(mem);
	return status;
}

void ctl_print_walls(FILE *to, const char *dir)
{
	int fd = connect_daemon(dir, true);
	char answer[1024];
	ssize_t n = fd >= 0 && send(fd, "walls", 5, MSG_NOSIGNAL) == 5 ? recv(fd, answer, sizeof(answer), 0) : -1;

	if (n > 3 && memcmp(answer, "ok ", 3) == 0)
		fprintf(to, "\nWalls: %.*s\n", (int)n - 3, answer + 3);
	if (fd >= 0)
		close(fd);
}

int ctl_manual(int argc, const char **argv, const char *conffile)
{
	(void)argc;
	(void)argv;
	(void)conffile;
	conf_print_manual(stdout);
	return fflush(stdout) == 0 ? 0 : 1;
}
