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
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
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

static const uint32_t key[TICKET_KEY] = { 0x01234567, 0x89abcdef, 0xdeadbeef, 0x00c0ffee };

static bool porch_filter(void) { return seccomp_porch(false); }
static bool worker(void) { return seccomp_worker(key, false); }
static bool worker_root(void) { return seccomp_worker(key, true); }
static bool watcher(void) { return seccomp_worker(NULL, false); }
static bool broker(void) { return seccomp_broker(); }

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
static int signals(void) { return raise(SIGUSR1) != 0 && errno == EPERM ? 0 : 1; }
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
	lives(behind(porch_filter, works));
	lives(behind(porch_filter, opens));
	lives(behind(porch_filter, stats));
	lives(behind(porch_filter, connects));
	lives(behind(porch_filter, signals));
#ifndef __s390x__
	lives(behind(porch_filter, maps_code));
#endif
	dies(behind(porch_filter, forks));
	dies(behind(porch_filter, execs));
	dies(behind(porch_filter, unlinks));
	dies(behind(porch_filter, kills));
}

static bool nursery_filter(void) { return seccomp_porch(true); }
static int forks_siblings(void) { return syscall(SYS_clone, NURSERY_CLONE, 0, 0, 0, 0) < 0; }
static int limits_itself(void)
{
	walls_porch_last();
	return 0;
}

/* getuid() != 0 is what makes the limit count. */
static int forks_no_more(void)
{
	if (setresuid(64987, 64987, 64987) != 0 || !seccomp_porch(true))
		return NO_FILTER;
	walls_porch_last();
	return syscall(SYS_clone, NURSERY_CLONE, 0, 0, 0, 0) == -1 && errno == EAGAIN ? 0 : 1;
}

static int limits_another(void)
{
	struct rlimit r = { 1, 1 };

	return (int)syscall(SYS_prlimit64, getppid(), RLIMIT_CORE, &r, NULL);
}

static bool no_filter(void) { return true; }

/* What the porches' nursery may do beside: fork in one way, which its children's limit ends. */
static void nursery(void **state)
{
	(void)state;
	lives(behind(nursery_filter, works));
	lives(behind(nursery_filter, opens));
	lives(behind(nursery_filter, limits_itself));
	dies(behind(nursery_filter, forks));
	dies(behind(nursery_filter, limits_another));
	dies(behind(nursery_filter, execs));
#if defined(__x86_64__) || defined(__aarch64__)
	lives(behind(nursery_filter, forks_siblings));
#endif
	if (getuid() == 0)
		lives(behind(no_filter, forks_no_more));
}

/* Nonsense as arguments: it is the filter that must say no, before the kernel looks at them.  0, or the number of one that got
 * through. */
static int never(void)
{
	static const uint16_t calls[] = {
		SYS_execve, SYS_execveat, SYS_clone, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_mount, SYS_umount2,
		SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_bpf, SYS_perf_event_open, SYS_add_key, SYS_request_key,
		SYS_keyctl, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff,
		SYS_acct, SYS_settimeofday, SYS_clock_settime, SYS_sethostname, SYS_setdomainname, SYS_open_by_handle_at,
		SYS_userfaultfd, 425, 426, 427, /* io_uring */
		428, 429, 430, 431, 432, 433, 442, /* the newer ways to mount */
		438, /* pidfd_getfd */
#ifdef SYS_fork
		SYS_fork, SYS_vfork,
#endif
	};

	for (size_t i = 0; i < ARRAY_LEN(calls); i++)
		if (syscall(calls[i], -1L, -1L, -1L, -1L, -1L, -1L) != -1 || errno != EPERM)
			return calls[i] % 251 + 1; /* an exit status has a byte */
	return 0;
}

static long become(long call, uint32_t kind, uint32_t id, uint32_t spoil)
{
	uint32_t t[2];

	ticket_make(key, kind, id, t);
	return syscall(call, id, id, id, t[0] ^ spoil, t[1]);
}

static bool refused(long r) { return r == -1 && errno == EPERM; }

/* As root: the kernel itself would allow all of this. */
static int no_root(void)
{
	if (!refused(syscall(SYS_setuid, 0)) || !refused(syscall(SYS_setgid, 0)))
		return 1;
	if (!refused(become(SYS_setresuid, TICKET_UID, 0, 0))) /* not even with a ticket */
		return 2;
	if (!refused(syscall(SYS_setreuid, 0, 12345)) || !refused(syscall(SYS_setregid, 0, 12345)))
		return 3;
	if (!refused(syscall(SYS_setfsuid, 0)) || !refused(syscall(SYS_setfsgid, 0)))
		return 4;
	return 0;
}

static int nobody_else(void)
{
	uint32_t t[2];

	if (!refused(syscall(SYS_setresuid, 12345, 12345, 12345, 0, 0)) || !refused(syscall(SYS_setuid, 12345)))
		return 1;
	for (unsigned bit = 0; bit < 32; bit++)
		if (!refused(become(SYS_setresuid, TICKET_UID, 12345, 1u << bit)))
			return 2;
	ticket_make(key, TICKET_UID, 12345, t);
	if (!refused(syscall(SYS_setresuid, 12346, 12346, 12346, t[0], t[1]))) /* somebody else's */
		return 3;
	if (!refused(syscall(SYS_setresuid, 12345, 12345, 12345, t[0], t[1] ^ 0x80000000u)))
		return 4;
	if (!refused(syscall(SYS_setresuid, 12345, 0, 12345, t[0], t[1])) ||
	    !refused(syscall(SYS_setresuid, 12345, 12345, 12346, t[0], t[1])) ||
	    !refused(syscall(SYS_setresuid, -1, 12345, 12345, t[0], t[1])))
		return 5;
	if (!refused(syscall(SYS_setresgid, 12345, 12345, 12345, t[0], t[1]))) /* a user's is no group's */
		return 6;
	return 0;
}

static int with_tickets(void)
{
	if (geteuid() != 0)
		return 0;
	for (uint32_t id = 1000; id < 100000000; id = id * 3 + 7)
		if (become(SYS_setresgid, TICKET_GID, id, 0) != 0 || getegid() != id)
			return 1;
	if (become(SYS_setresgid, TICKET_GID, 0, 0) != 0) /* group 0 is a group like others: see docs/trust.md */
		return 2;
	return become(SYS_setresuid, TICKET_UID, 4000000000u, 0) == 0 && geteuid() == 4000000000u ? 0 : 3;
}

/* Ids a broker never takes on; for an answer it asks the kernel with those of the file system. */
static int no_ids(void)
{
	static const uint16_t calls[] = { SYS_setresuid, SYS_setresgid, SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid };

	for (size_t i = 0; i < ARRAY_LEN(calls); i++)
		if (!refused(syscall(calls[i], 0, 0, 0)))
			return 1;
	return refused(syscall(SYS_setfsuid, -1)) ? 2 : 0;
}

static int stays(void)
{
	return refused(become(SYS_setresuid, TICKET_UID, 12345, 0)) && refused(become(SYS_setresgid, TICKET_GID, 12345, 0)) ? 0 : 1;
}

static int root_again(void) { return geteuid() != 0 || become(SYS_setresuid, TICKET_UID, 0, 0) == 0 ? 0 : 1; }

/* Nor a process with namespaces of its own, where user ids mean others. */
static int no_children(void)
{
	if (!refused(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)) || !refused(syscall(SYS_clone, 0x10000000 | SIGCHLD, 0, 0, 0, 0)))
		return 1;
#ifdef SYS_clone3
	if (syscall(SYS_clone3, NULL, 0) != -1 || errno != ENOSYS)
		return 2;
#endif
	return fork() == -1 && errno == EPERM ? 0 : 3;
}

static int file_work(void) { return open("/", O_RDONLY | O_DIRECTORY) >= 0 ? 0 : 1; }

static void workers(void **state)
{
	(void)state;
	lives(behind(worker, never));
	lives(behind(worker, no_root));
	lives(behind(worker, nobody_else));
	lives(behind(worker, with_tickets));
	lives(behind(worker, no_children));
	lives(behind(watcher, stays));
	lives(behind(watcher, no_children));
	lives(behind(watcher, never));
	lives(behind(broker, never));
	lives(behind(broker, no_children));
	lives(behind(broker, no_ids));
	lives(behind(worker, file_work));
	lives(behind(worker_root, never));
	lives(behind(worker_root, nobody_else));
	lives(behind(worker_root, root_again));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(porch), cmocka_unit_test(nursery), cmocka_unit_test(workers) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
