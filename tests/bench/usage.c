/* usage.c - see usage.h.
 *
 * A live process tells its time on the CPU in ns (schedstat); what its ended children used comes in clock ticks. */
#include "usage.h"
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX 4096

static struct proc {
	pid_t pid, parent;
	double reaped;
	int ours;
} procs[MAX];
static int nprocs;

static FILE *open_proc(pid_t pid, const char *what)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, what);
	return fopen(path, "r");
}

static void note(pid_t pid)
{
	struct proc *p = &procs[nprocs];
	long long user, sys;
	char line[1024], *after;
	int parent;
	FILE *f = open_proc(pid, "stat");

	if (!f || nprocs == MAX)
		goto out;
	after = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	if (!after || sscanf(after + 2, "%*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %lld %lld", &parent, &user, &sys) != 3)
		goto out;
	*p = (struct proc){ pid, parent, (double)(user + sys) / (double)sysconf(_SC_CLK_TCK), 0 };
	nprocs++;
out:
	if (f)
		fclose(f);
}

static void mark(pid_t root)
{
	for (int i = 0; i < nprocs; i++) {
		if (procs[i].ours || (procs[i].pid != root && procs[i].parent != root))
			continue;
		procs[i].ours = 1;
		if (procs[i].pid != root)
			mark(procs[i].pid);
	}
}

static void add_memory(pid_t pid, struct usage *u)
{
	char line[256];
	long kb;
	FILE *f = open_proc(pid, "smaps_rollup");

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "Pss: %ld", &kb) == 1)
			u->pss += kb;
		else if (sscanf(line, "Private_Clean: %ld", &kb) == 1 || sscanf(line, "Private_Dirty: %ld", &kb) == 1)
			u->uss += kb;
	}
	if (f)
		fclose(f);
	f = open_proc(pid, "status");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "VmPTE: %ld", &kb) == 1)
			u->pte += kb;
	if (f)
		fclose(f);
}

void usage_of(pid_t root, int memory, struct usage *out)
{
	DIR *d = opendir("/proc");
	struct dirent *e;

	*out = (struct usage){ 0 };
	nprocs = 0;
	while (d && (e = readdir(d)) != NULL)
		if (isdigit((unsigned char)e->d_name[0]))
			note((pid_t)atol(e->d_name));
	if (d)
		closedir(d);
	mark(root);
	for (int i = 0; i < nprocs; i++) {
		unsigned long long ns = 0;
		FILE *f;

		if (!procs[i].ours)
			continue;
		f = open_proc(procs[i].pid, "schedstat");
		if (f && fscanf(f, "%llu", &ns) == 1)
			out->cpu += (double)ns / 1e9;
		if (f)
			fclose(f);
		out->cpu += procs[i].reaped;
		out->processes++;
		if (memory)
			add_memory(procs[i].pid, out);
	}
}
