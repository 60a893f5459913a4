/* loop.h - the worker's event loop: a handful of descriptors and two clocks.
 *
 * A request costs one wait here; a general library's bookkeeping was a third of all instructions of a small read
 * and a tenth of an idle worker's memory (docs/fast-path.md). */
#ifndef SMB1D_PROC_LOOP_H
#define SMB1D_PROC_LOOP_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>

#define LOOP_FDS 5
#define LOOP_NEVER UINT64_MAX

enum loop_timer { LOOP_TICK, LOOP_WAKE, LOOP_TIMERS };

struct loop {
	int ep;
	bool over;                      /* set it to leave loop_run() */
	struct loop_fd {
		int fd;                 /* -1: free */
		void (*ready)(int fd, void *arg);
		void *arg;
	} fds[LOOP_FDS];
	uint64_t at[LOOP_TIMERS];       /* on clock_ms(); LOOP_NEVER */
	void (*due[LOOP_TIMERS])(void *arg);
	void *arg;                      /* of all call-backs that have none of their own */
	/* NULL, or a wait for the client alone that is cheaper and ends by itself within a few ms; it may be repeated while
	 * clock_ms() is what it was before the first.  True: the client has come and was served; false: nothing came. */
	bool (*client)(void *arg, uint64_t now);
	struct {
		uint64_t looked;     /* clock_ms() before the last wait */
		uint64_t not_before;
		unsigned row;        /* waits in a row that were short */
	} quick;
};

/* False: the kernel has no epoll descriptor for us. */
bool loop_open(struct loop *l, void *arg);
/* Calls ready() whenever fd can be read.  arg NULL: that of loop_open().  False: no room, or no memory. */
bool loop_add(struct loop *l, int fd, void (*ready)(int fd, void *arg), void *arg);
/* From now on: whenever it can be written (events EPOLLOUT) or read (EPOLLIN). */
void loop_want(struct loop *l, int fd, uint32_t events, void (*ready)(int fd, void *arg));
/* Before fd is closed. */
void loop_del(struct loop *l, int fd);
/* Calls due() once, at that time or soon behind it, and forgets it. */
void loop_at(struct loop *l, enum loop_timer t, uint64_t at);
/* The client has asked again at once many times, so it will do so again: client() is tried first. */
bool loop_quick(const struct loop *l);
/* For so long not: somebody else has something to say, and may have more. */
void loop_not_quick(struct loop *l, uint64_t ms);
/* Until `over`.  Returns from each wait with one descriptor at a time, so a call-back may take others away. */
void loop_run(struct loop *l);
#endif
