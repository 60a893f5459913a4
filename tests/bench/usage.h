/* usage.h - what a process and its descendants have used, from /proc. */
#ifndef SMB1D_BENCH_USAGE_H
#define SMB1D_BENCH_USAGE_H
#include <sys/types.h>

struct usage {
	double cpu;          /* seconds, with that of ended children that were waited for */
	long processes;
	long pss, uss, pte;  /* KiB; only with memory */
};
void usage_of(pid_t root, int memory, struct usage *out);
#endif
