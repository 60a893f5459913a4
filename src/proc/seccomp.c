/* seccomp.c - filters of system calls, as plain BPF.
 *
 * The porch has a list of what it may call; anything else ends it at once, but asking for files
 * only fails (libraries try).  The worker has a list of what it may not: start programs, look into
 * other processes, change the file tree, become who did not log in. */
#include "proc/inner.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__) && !defined(__ILP32__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCH AUDIT_ARCH_AARCH64
#elif defined(__arm__) && defined(__ARM_EABI__)
#define OUR_ARCH AUDIT_ARCH_ARM
#elif defined(__s390x__)
#define OUR_ARCH AUDIT_ARCH_S390X
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#undef OUR_ARCH /* the sanitizers' own machinery needs more than we allow */
#endif

#ifndef OUR_ARCH
bool seccomp_porch(bool nursery)
{
	(void)nursery;
	errno = ENOSYS;
	return false;
}

bool seccomp_broker(void)
{
	errno = ENOSYS;
	return false;
}

bool seccomp_worker_base(void)
{
	errno = ENOSYS;
	return false;
}

bool seccomp_worker(const uint32_t key[TICKET_KEY], bool may_be_root)
{
	(void)key;
	(void)may_be_root;
	errno = ENOSYS;
	return false;
}
#else

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARG_LOW(n) ((uint32_t)(offsetof(struct seccomp_data, args) + 8 * (n)))
#else
#define ARG_LOW(n) ((uint32_t)(offsetof(struct seccomp_data, args) + 8 * (n) + 4))
#endif

#ifdef __s390x__ /* the stack comes first */
#define CLONE_FLAGS_ARG 1
#else
#define CLONE_FLAGS_ARG 0
#endif

#define KILL SECCOMP_RET_KILL_PROCESS
#define REFUSE (SECCOMP_RET_ERRNO | EPERM)
#define UNKNOWN (SECCOMP_RET_ERRNO | ENOSYS)
#define ALLOW SECCOMP_RET_ALLOW

#define PROGRAM_MAX 1024
struct program { struct sock_filter op[PROGRAM_MAX]; unsigned short n; };

static void emit(struct program *p, uint16_t code, uint8_t jt, uint8_t jf, uint32_t k)
{
	if (p->n < PROGRAM_MAX)
		p->op[p->n++] = (struct sock_filter){ .code = code, .jt = jt, .jf = jf, .k = k };
}

static void emit_load(struct program *p, uint32_t off) { emit(p, BPF_LD | BPF_W | BPF_ABS, 0, 0, off); }
static void emit_ret(struct program *p, uint32_t v) { emit(p, BPF_RET | BPF_K, 0, 0, v); }

/* ---- a search tree of numbers ----
 *
 * The kernel walks the whole filter once for each of its system calls when the filter is installed, to remember
 * which are always allowed: with a list of seventy comparisons that was a fifth of the cost of a connection. */
#define RULES_MAX 128
struct rules { struct rule { uint32_t nr, action; } rule[RULES_MAX]; size_t n; };

/* In order; what is there already stays. */
static void rules_add(struct rules *r, const uint16_t *nr, size_t n, uint32_t action)
{
	for (size_t i = 0; i < n; i++) {
		size_t at = 0;

		while (at < r->n && r->rule[at].nr < nr[i])
			at++;
		if (r->n == RULES_MAX || (at < r->n && r->rule[at].nr == nr[i]))
			continue;
		memmove(&r->rule[at + 1], &r->rule[at], (r->n - at) * sizeof(r->rule[0]));
		r->rule[at] = (struct rule){ nr[i], action };
		r->n++;
	}
}

/* Ends the program for every number: an action of a rule, or `other`. */
static void emit_tree(struct program *p, const struct rule *r, size_t n, uint32_t other)
{
	size_t half = n / 2, at = p->n;

	if (n <= 3) {
		for (size_t i = 0; i < n; i++) { /* if (A == nr) return action */
			emit(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, r[i].nr);
			emit_ret(p, r[i].action);
		}
		emit_ret(p, other);
		return;
	}
	emit(p, BPF_JMP | BPF_JGE | BPF_K, 0, 0, r[half].nr);
	emit_tree(p, r, half, other);
	if (p->n - at - 1 > 255)
		p->n = PROGRAM_MAX;
	else if (at < PROGRAM_MAX)
		p->op[at].jt = (uint8_t)(p->n - at - 1);
	emit_tree(p, r + half, n - half, other);
}

static void emit_head(struct program *p)
{
	emit_load(p, offsetof(struct seccomp_data, arch));
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, OUR_ARCH);
	emit_ret(p, KILL);
	emit_load(p, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__ /* the x32 numbers are the same calls by another door */
	emit(p, BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000u);
	emit_ret(p, KILL);
#endif
}

static bool install(const struct program *p)
{
	struct sock_fprog f = { .len = p->n, .filter = (struct sock_filter *)(uintptr_t)p->op };

	if (p->n == PROGRAM_MAX) {
		errno = E2BIG;
		return false;
	}
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &f, 0, 0) == 0;
}

static const uint16_t porch_may[] = {
	SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_recvfrom, SYS_recvmsg, SYS_sendto, SYS_sendmsg,
#ifdef SYS_recv
	SYS_recv, SYS_send,
#endif
#ifdef SYS_poll
	SYS_poll,
#endif
	SYS_ppoll,
#ifdef SYS_ppoll_time64
	SYS_ppoll_time64,
#endif
	SYS_close, SYS_exit, SYS_exit_group, SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise, SYS_lseek,
#ifdef SYS__llseek
	SYS__llseek,
#endif
	SYS_clock_gettime, SYS_gettimeofday,
#ifdef SYS_clock_gettime64
	SYS_clock_gettime64,
#endif
	SYS_getpid, SYS_gettid, SYS_getuid, SYS_geteuid,
#ifdef SYS_getuid32
	SYS_getuid32, SYS_geteuid32,
#endif
	SYS_getrandom, SYS_memfd_create, SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_rt_sigaction, SYS_sigaltstack,
#ifdef SYS_sigreturn
	SYS_sigreturn,
#endif
	SYS_restart_syscall, SYS_futex,
#ifdef SYS_futex_time64
	SYS_futex_time64,
#endif
	SYS_fstat,
#ifdef SYS_fstat64
	SYS_fstat64,
#endif
#if defined(__s390x__)
	SYS_mmap, /* its arguments are behind a pointer that no filter can follow */
#endif
};

/* Tried by libraries (time zone, syslog, log rotation, socket options): they live with a no. */
static const uint16_t porch_fails[] = {
#ifdef SYS_open
	SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_rename,
#endif
	SYS_openat, SYS_faccessat,
#ifdef SYS_newfstatat
	SYS_newfstatat,
#endif
#ifdef SYS_fstatat64
	SYS_fstatat64,
#endif
	SYS_statx, SYS_renameat2, SYS_readlinkat,
#ifdef SYS_renameat
	SYS_renameat,
#endif
	SYS_socket, SYS_connect, SYS_setsockopt, SYS_getsockopt, SYS_fcntl, SYS_ioctl, SYS_dup, SYS_prlimit64,
	SYS_tgkill, /* abort() then ends us in another way, and other porches are of the same user */
	SYS_mprotect, SYS_getpeername, SYS_getsockname, SYS_shutdown, SYS_uname,
};

/* Memory of our own only: anonymous, never executable. */
static void emit_mmap(struct program *p)
{
#if defined(__s390x__)
	(void)p;
#else
#ifdef SYS_mmap2
	const uint32_t nr = SYS_mmap2;
#else
	const uint32_t nr = SYS_mmap;
#endif
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 7, nr);
	emit_load(p, ARG_LOW(3));
	emit(p, BPF_JMP | BPF_JSET | BPF_K, 1, 0, MAP_ANONYMOUS);
	emit_ret(p, REFUSE);
	emit_load(p, ARG_LOW(2));
	emit(p, BPF_JMP | BPF_JSET | BPF_K, 0, 1, PROT_EXEC);
	emit_ret(p, REFUSE);
	emit_ret(p, ALLOW);
#endif
}

/* if (A == nr): argument n must be `value` */
static void emit_only(struct program *p, uint32_t nr, unsigned n, uint32_t value)
{
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, nr);
	emit_load(p, ARG_LOW(n));
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
	emit_ret(p, ALLOW);
	emit_ret(p, KILL);
}

bool seccomp_porch(bool nursery)
{
	struct program p = { .n = 0 };
	struct rules r = { .n = 0 };

	emit_head(&p);
	emit_mmap(&p);
	if (nursery) {
		emit_only(&p, SYS_clone, CLONE_FLAGS_ARG, NURSERY_CLONE);
		emit_only(&p, SYS_prlimit64, 0, 0); /* of itself */
		emit_only(&p, SYS_prctl, 0, PR_SET_NAME);
	}
	rules_add(&r, porch_may, ARRAY_LEN(porch_may), ALLOW);
	rules_add(&r, porch_fails, ARRAY_LEN(porch_fails), REFUSE);
	emit_tree(&p, r.rule, r.n, KILL);
	return r.n < RULES_MAX && install(&p);
}

static const uint16_t worker_never[] = {
	SYS_execve, SYS_execveat,
#ifdef SYS_fork
	SYS_fork, SYS_vfork,
#endif
	SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_mount, SYS_umount2,
	SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_bpf, SYS_perf_event_open, SYS_add_key,
	SYS_request_key, SYS_keyctl,
	SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon,
	SYS_swapoff, SYS_acct, SYS_settimeofday, SYS_clock_settime, SYS_sethostname, SYS_setdomainname,
	SYS_open_by_handle_at,
#ifdef SYS_userfaultfd
	SYS_userfaultfd,
#endif
#ifdef SYS_io_uring_setup
	SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
#endif
#ifdef SYS_mount_setattr
	SYS_mount_setattr, SYS_open_tree, SYS_move_mount, SYS_fsopen, SYS_fsmount, SYS_fsconfig, SYS_fspick,
#endif
#ifdef SYS_pidfd_getfd
	SYS_pidfd_getfd,
#endif
};

static const uint16_t worker_unknown[] = { /* its flags are behind a pointer: the C library tries clone then */
#ifdef SYS_clone3
	SYS_clone3,
#endif
};

/* Ids are taken on by setresuid and setresgid alone, all three at once. */
static const uint16_t worker_other_ids[] = {
	SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setfsuid, SYS_setfsgid,
#ifdef SYS_setresuid32
	SYS_setuid32, SYS_setgid32, SYS_setreuid32, SYS_setregid32, SYS_setfsuid32, SYS_setfsgid32,
	SYS_setresuid, SYS_setresgid,
#endif
};
#ifdef SYS_setresuid32
#define BECOME_UID SYS_setresuid32
#define BECOME_GID SYS_setresgid32
#else
#define BECOME_UID SYS_setresuid
#define BECOME_GID SYS_setresgid
#endif

/* ---- ticket.c once more, in the language of filters: words 0 to 3 of its memory are the state ---- */
#define ALU(op, src) (BPF_ALU | (op) | (src))

static void emit_add(struct program *p, uint32_t to, uint32_t what)
{
	emit(p, BPF_LD | BPF_MEM, 0, 0, to);
	emit(p, BPF_LDX | BPF_MEM, 0, 0, what);
	emit(p, ALU(BPF_ADD, BPF_X), 0, 0, 0);
	emit(p, BPF_ST, 0, 0, to);
}

/* A = rotl(word, n) */
static void emit_rotl(struct program *p, uint32_t word, uint32_t n)
{
	emit(p, BPF_LD | BPF_MEM, 0, 0, word);
	emit(p, ALU(BPF_LSH, BPF_K), 0, 0, n);
	emit(p, BPF_MISC | BPF_TAX, 0, 0, 0);
	emit(p, BPF_LD | BPF_MEM, 0, 0, word);
	emit(p, ALU(BPF_RSH, BPF_K), 0, 0, 32 - n);
	emit(p, ALU(BPF_OR, BPF_X), 0, 0, 0);
}

static void emit_mix(struct program *p, uint32_t word, uint32_t n, uint32_t with)
{
	emit_rotl(p, word, n);
	emit(p, BPF_LDX | BPF_MEM, 0, 0, with);
	emit(p, ALU(BPF_XOR, BPF_X), 0, 0, 0);
	emit(p, BPF_ST, 0, 0, word);
}

static void emit_turn(struct program *p, uint32_t word)
{
	emit_rotl(p, word, 16);
	emit(p, BPF_ST, 0, 0, word);
}

static void emit_round(struct program *p)
{
	emit_add(p, 0, 1);
	emit_mix(p, 1, 5, 0);
	emit_turn(p, 0);
	emit_add(p, 2, 3);
	emit_mix(p, 3, 8, 2);
	emit_add(p, 0, 3);
	emit_mix(p, 3, 7, 0);
	emit_add(p, 2, 1);
	emit_mix(p, 1, 13, 2);
	emit_turn(p, 2);
}

static void emit_const(struct program *p, uint32_t word, uint32_t value)
{
	emit(p, BPF_LD | BPF_IMM, 0, 0, value);
	emit(p, BPF_ST, 0, 0, word);
}

/* Refuses unless words a and b together are argument n. */
static void emit_half(struct program *p, uint32_t a, uint32_t b, unsigned n)
{
	emit(p, BPF_LD | BPF_MEM, 0, 0, a);
	emit(p, BPF_LDX | BPF_MEM, 0, 0, b);
	emit(p, ALU(BPF_XOR, BPF_X), 0, 0, 0);
	emit(p, BPF_MISC | BPF_TAX, 0, 0, 0);
	emit_load(p, ARG_LOW(n));
	emit(p, BPF_JMP | BPF_JEQ | BPF_X, 1, 0, 0);
	emit_ret(p, REFUSE);
}

/* The call's first three arguments are the same, and the next two the ticket for them.  `kind` is in word 4. */
static void emit_ticket(struct program *p, const uint32_t key[TICKET_KEY])
{
	for (unsigned i = 1; i <= 2; i++) {
		emit_load(p, ARG_LOW(0));
		emit(p, BPF_MISC | BPF_TAX, 0, 0, 0);
		emit_load(p, ARG_LOW(i));
		emit(p, BPF_JMP | BPF_JEQ | BPF_X, 1, 0, 0);
		emit_ret(p, REFUSE);
	}
	emit_const(p, 0, key[0]);
	emit(p, BPF_LD | BPF_MEM, 0, 0, 4);
	emit(p, ALU(BPF_XOR, BPF_K), 0, 0, key[1]);
	emit(p, BPF_ST, 0, 0, 1);
	emit_const(p, 2, key[2]);
	emit_load(p, ARG_LOW(0));
	emit(p, ALU(BPF_XOR, BPF_K), 0, 0, key[3]);
	emit(p, BPF_ST, 0, 0, 3);
	for (int i = 0; i < 2; i++)
		emit_round(p);
	emit_load(p, ARG_LOW(0));
	emit(p, BPF_LDX | BPF_MEM, 0, 0, 0);
	emit(p, ALU(BPF_XOR, BPF_X), 0, 0, 0);
	emit(p, BPF_ST, 0, 0, 0);
	emit(p, BPF_LD | BPF_MEM, 0, 0, 2);
	emit(p, ALU(BPF_XOR, BPF_K), 0, 0, 0xff);
	emit(p, BPF_ST, 0, 0, 2);
	for (int i = 0; i < 4; i++)
		emit_round(p);
	emit_half(p, 1, 3, 3);
	emit_half(p, 0, 2, 4);
	emit_ret(p, ALLOW);
}

static size_t emit_jump(struct program *p, uint32_t nr) /* if (A == nr) goto land(): where to */
{
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, nr);
	emit(p, BPF_JMP | BPF_JA, 0, 0, 0);
	return p->n - 1u;
}

static void land(struct program *p, size_t from)
{
	if (p->n < PROGRAM_MAX)
		p->op[from].k = (uint32_t)(p->n - from - 1);
}

static void emit_become(struct program *p, const uint32_t key[TICKET_KEY], size_t uid, size_t gid, bool may_be_root)
{
	size_t common;

	land(p, uid);
	if (!may_be_root) {
		emit_load(p, ARG_LOW(0));
		emit(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
		emit_ret(p, REFUSE);
	}
	emit_const(p, 4, TICKET_UID);
	emit(p, BPF_JMP | BPF_JA, 0, 0, 0);
	common = p->n - 1u;
	land(p, gid);
	emit_const(p, 4, TICKET_GID);
	land(p, common);
	emit_ticket(p, key);
}

bool seccomp_broker(void)
{
	static const uint16_t become[] = { SYS_clone, BECOME_UID, BECOME_GID, SYS_setuid, SYS_setgid, SYS_setreuid,
					   SYS_setregid };
	struct program p = { .n = 0 };
	struct rules r = { .n = 0 };

	emit_head(&p);
	rules_add(&r, worker_never, ARRAY_LEN(worker_never), REFUSE);
	rules_add(&r, become, ARRAY_LEN(become), REFUSE);
	rules_add(&r, worker_unknown, ARRAY_LEN(worker_unknown), UNKNOWN);
	emit_tree(&p, r.rule, r.n, ALLOW);
	return r.n < RULES_MAX && install(&p);
}

static bool base_is_up; /* here, or in whoever forked us */

bool seccomp_worker_base(void)
{
	struct program p = { .n = 0 };
	struct rules r = { .n = 0 };

	emit_head(&p);
	rules_add(&r, worker_never, ARRAY_LEN(worker_never), REFUSE);
	rules_add(&r, worker_other_ids, ARRAY_LEN(worker_other_ids), REFUSE);
	rules_add(&r, worker_unknown, ARRAY_LEN(worker_unknown), UNKNOWN);
	emit_tree(&p, r.rule, r.n, ALLOW);
	base_is_up = r.n < RULES_MAX && install(&p);
	return base_is_up;
}

bool seccomp_worker(const uint32_t key[TICKET_KEY], bool may_be_root)
{
	/* no process: in new namespaces for users old tickets would fit new users */
	static const uint16_t refused[] = { SYS_clone, BECOME_UID, BECOME_GID };
	struct program p = { .n = 0 };
	struct rules r = { .n = 0 };
	size_t uid = 0, gid = 0;
	bool ok;

	if (!base_is_up && !seccomp_worker_base())
		return false;
	emit_head(&p);
	if (key) {
		uid = emit_jump(&p, BECOME_UID);
		gid = emit_jump(&p, BECOME_GID);
	}
	rules_add(&r, refused, ARRAY_LEN(refused), REFUSE);
	emit_tree(&p, r.rule, r.n, ALLOW);
	if (key)
		emit_become(&p, key, uid, gid, may_be_root);
	ok = install(&p);
	str_wipe(&p, sizeof(p)); /* the key is in there */
	return ok;
}
#endif
