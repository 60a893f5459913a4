/* The filters, each tried in a child of its own. */
#include "proc/inner.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define NO_FILTER 77

/* The wait status of fn() behind the filter. */
static int behind(bool (*filter)(void), int (*fn)(void))
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		if (!filter())
			_exit(NO_FILTER);
		_exit(fn());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_FILTER)
		skip(); /* sanitizer, other processor, old kernel */
	return status;
}

static bool worker(void) { return seccomp_worker(false); }
static bool worker_root(void) { return seccomp_worker(true); }

static void dies(int status)
{
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSYS);
}

static void lives(int status)
{
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static int opens(void) { return open("/etc/passwd", O_RDONLY) < 0 && errno == EPERM ? 0 : 1; }
static int stats(void) { return access("/etc/passwd", F_OK) < 0 && errno == EPERM ? 0 : 1; }
static int connects(void) { return socket(AF_INET, SOCK_STREAM, 0) < 0 && errno == EPERM ? 0 : 1; }
static int forks(void) { return (int)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }
static int execs(void) { return execl("/bin/true", "true", NULL); }
static int unlinks(void) { return unlink("/nonexistent"); }
static int kills(void) { return kill(getppid(), 0); }

static int maps_code(void)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED && errno == EPERM ? 0 : 1;
}

/* What a porch really does. */
static int works(void)
{
	struct pollfd f = { .fd = -1, .events = POLLIN };
	char *p = malloc(300000), *q;
	uint8_t r[8];
	int fd;

	if (!p)
		return 1;
	memset(p, 1, 300000);
	q = realloc(p, 2000000);
	if (!q)
		return 2;
	free(q);
	util_random(r, sizeof(r));
	(void)clock_ms();
	(void)clock_now();
	if (poll(&f, 1, 1) != 0)
		return 3;
	fd = msg_memfd("record", 6, false);
	if (fd < 0)
		return 4;
	close(fd);
	log_at(LOG_PROC, 10, "not shown");
	return write(STDERR_FILENO, "", 0) == 0 ? 0 : 5;
}

static void porch(void **state)
{
	(void)state;
	lives(behind(seccomp_porch, works));
	lives(behind(seccomp_porch, opens));
	lives(behind(seccomp_porch, stats));
	lives(behind(seccomp_porch, connects));
#ifndef __s390x__
	lives(behind(seccomp_porch, maps_code));
#endif
	dies(behind(seccomp_porch, forks));
	dies(behind(seccomp_porch, execs));
	dies(behind(seccomp_porch, unlinks));
	dies(behind(seccomp_porch, kills));
}

static int never(void)
{
	if (execl("/bin/true", "true", NULL) != -1 || errno != EPERM)
		return 1;
	if (syscall(SYS_ptrace, 0, 0, 0, 0) != -1 || errno != EPERM)
		return 2;
	if (syscall(SYS_unshare, 0) != -1 || errno != EPERM)
		return 3;
	return 0;
}

static int no_root(void)
{
	if (syscall(SYS_setuid, 0) != -1 || errno != EPERM)
		return 1;
	if (syscall(SYS_setresuid, 12345, 0, 12345) != -1 || errno != EPERM)
		return 2;
	if (syscall(SYS_setresuid, 12345, 12345, 0) != -1 || errno != EPERM)
		return 3;
	if (syscall(SYS_setreuid, 0, 12345) != -1 || errno != EPERM)
		return 4;
	(void)syscall(SYS_setfsuid, 0);
	return 0;
}

static int other_user(void)
{
	return geteuid() != 0 || syscall(SYS_setresuid, 12345, 12345, 12345) == 0 ? 0 : 1;
}

static int root_again(void) { return geteuid() != 0 || syscall(SYS_setresuid, 0, 0, 0) == 0 ? 0 : 1; }
static int file_work(void) { return open("/", O_RDONLY | O_DIRECTORY) >= 0 ? 0 : 1; }

static void workers(void **state)
{
	(void)state;
	lives(behind(worker, never));
	lives(behind(worker, no_root));
	lives(behind(worker, other_user));
	lives(behind(worker, file_work));
	lives(behind(worker_root, never));
	lives(behind(worker_root, root_again));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(porch), cmocka_unit_test(workers) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
