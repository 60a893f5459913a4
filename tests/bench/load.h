/* load.h - the load tool's run and its kinds of requests (data.c, names.c, load.c). */
#ifndef SMB1D_BENCH_LOAD_H
#define SMB1D_BENCH_LOAD_H
#include "smb.h"
#include "usage.h"

struct load {
	struct target t;
	const char *file, *folder;
	uint32_t size, entries, level;
	uint64_t total;          /* bytes of the file */
	unsigned depth, clients;
	long ops;                /* 0: until the time is over */
	double secs;
	pid_t server;
	bool verify, cut;        /* cut: somebody cuts the file meanwhile, zeros and short answers are right too */
	uint16_t fid;
	long done;
	uint64_t moved;          /* bytes of data */
	bool fills, full;        /* fill, fillraw: goes on until the disk is full; it is */
	uint32_t *taken;         /* by them: bytes of each write that were acknowledged */
	struct usage before, after;
};

extern struct smb s; /* the connection */

/* Request i goes out; its answer comes.  Modes with a `take` have several in flight (-d); without one, `ask` does it all. */
struct mode {
	const char *name;
	void (*ask)(struct load *l, long i);
	void (*take)(struct load *l, long i);
	void (*end)(struct load *l); /* after all, not counted */
	bool opens;                  /* works on an open file */
};
extern const struct mode data_modes[], name_modes[]; /* up to one without a name */

void load_prepare(struct load *l); /* the file, with what belongs there */
void load_delete(const char *name);
#endif
