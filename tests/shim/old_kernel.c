/* old_kernel.c - starts a program as on a kernel of 2012: no Landlock, no filters of system calls, no "no new privileges",
 * no openat2, no close_range and the like.  The calls say what such a kernel says.
 *
 * usage: old_kernel PROGRAM ARGUMENT...      as root */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OLD 428 /* from open_tree on (Linux 5.2) no call is known; landlock, openat2, close_range, faccessat2 come later */

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARG0 offsetof(struct seccomp_data, args)
#else
#define ARG0 (offsetof(struct seccomp_data, args) + 4)
#endif

int main(int argc, char **argv)
{
	struct sock_filter op[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, OLD, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 4),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARG0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_NO_NEW_PRIVS, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog f = { .len = sizeof(op) / sizeof(op[0]), .filter = op };

	if (argc < 2 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &f, 0, 0) != 0) {
		fprintf(stderr, "old_kernel: %s\n", argc < 2 ? "no program" : strerror(errno));
		return 99;
	}
	execvp(argv[1], argv + 1);
	return 99;
}
