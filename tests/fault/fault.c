/* fault.c - to be preloaded: messages between workers (db/msg.h) come late, are lost, or find the queue full.
 *
 *   FAULT_SEED=n  FAULT_LATE=% FAULT_LOST=% FAULT_FULL=%     (20 each unless told)
 *
 * Late: by a thread, up to LATE_MS; those that the same process sends meanwhile come behind them, as the kernel keeps
 * their order.  Lost: only what its sender says again when nothing
 * comes of it: wake-ups, breaks of the one who has a file for himself, questions whether somebody lives; the kernel
 * itself loses nothing it has accepted.  Full: EAGAIN, anything.  The chances of a process are those of its number among
 * the children, so a seed plays the same game again, as far as time lets it.  At the end the first process says what
 * was done. */
#include "db/msg.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define LATE_MS 60u
#define TYPE_AT 1        /* of the message's type */
#define LEVEL_AT (2 + 12 + 24) /* of a break's level, behind the head, the file and the open */

typedef ssize_t (*sendto_fn)(int, const void *, size_t, int, const struct sockaddr *, socklen_t);

static sendto_fn really;
static uint64_t state;
static unsigned children, late_chance, lost_chance, full_chance;
static pid_t first;
static struct { _Atomic unsigned all, late, lost, full; } *done;

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gone = PTHREAD_COND_INITIALIZER;
static unsigned long posted, delivered;

struct letter {
	int fd;
	unsigned long number;
	size_t len;
	socklen_t to_len;
	struct sockaddr_un to;
	unsigned ms;
	uint8_t text[MSG_MAX + 64];
};

static unsigned chance(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 32);
}

static void another_child(void) { children++; }

static void in_child(void)
{
	state = (state ^ (uint64_t)children * 0x9e3779b97f4a7c15ull) | 1;
	children = 0;
	posted = delivered = 0;
}

static unsigned percent(const char *name)
{
	const char *v = getenv(name);

	return v ? (unsigned)atoi(v) : 20;
}

__attribute__((constructor)) static void begin(void)
{
	const char *seed = getenv("FAULT_SEED");
	void *p = mmap(NULL, sizeof(*done), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	*(void **)(void *)&really = dlsym(RTLD_NEXT, "sendto");
	state = (strtoull(seed ? seed : "1", NULL, 0) * 0xd1342543de82ef95ull) | 1;
	late_chance = percent("FAULT_LATE");
	lost_chance = percent("FAULT_LOST");
	full_chance = percent("FAULT_FULL");
	done = p == MAP_FAILED ? NULL : p;
	first = getpid();
	pthread_atfork(another_child, NULL, in_child);
}

__attribute__((destructor)) static void end(void)
{
	if (done && getpid() == first)
		printf("# of %u messages %u came late, %u were lost, %u found the queue full\n", done->all, done->late, done->lost,
		       done->full);
}

static void *deliver(void *arg)
{
	struct letter *l = arg;

	usleep(l->ms * 1000);
	pthread_mutex_lock(&order);
	while (delivered + 1 != l->number)
		pthread_cond_wait(&gone, &order);
	(void)really(l->fd, l->text, l->len, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&l->to, l->to_len);
	delivered++;
	pthread_cond_broadcast(&gone);
	pthread_mutex_unlock(&order);
	close(l->fd);
	free(l);
	return NULL;
}

static bool post(int fd, const void *p, size_t n, const struct sockaddr *to, socklen_t to_len)
{
	struct letter *l = n <= sizeof(l->text) && to_len <= sizeof(l->to) ? calloc(1, sizeof(*l)) : NULL;
	pthread_t t;

	if (!l)
		return false;
	l->fd = dup(fd); /* who wrote may have closed its socket by then */
	l->len = n;
	l->ms = 1 + chance() % LATE_MS;
	l->to_len = to_len;
	memcpy(&l->to, to, to_len);
	memcpy(l->text, p, n);
	l->number = posted + 1;
	if (l->fd >= 0 && pthread_create(&t, NULL, deliver, l) == 0) {
		posted++;
		pthread_detach(t);
		return true;
	}
	if (l->fd >= 0)
		close(l->fd);
	free(l);
	return false;
}

static bool some_wait(void)
{
	bool some;

	pthread_mutex_lock(&order);
	some = delivered != posted;
	pthread_mutex_unlock(&order);
	return some;
}

static bool said_again(const uint8_t *p, size_t n)
{
	switch (p[TYPE_AT]) {
	case MSG_WAKE:
	case MSG_PROBE:
	case MSG_ALIVE:
		return true;
	case MSG_BREAK:
		return n > LEVEL_AT && p[LEVEL_AT] != 0;
	default:
		return false;
	}
}

ssize_t sendto(int fd, const void *p, size_t n, int flags, const struct sockaddr *to, socklen_t to_len)
{
	unsigned luck;

	if (!to || to->sa_family != AF_UNIX || n < 2 || !done)
		return really(fd, p, n, flags, to, to_len);
	done->all++;
	luck = chance() % 100;
	if (luck < full_chance) {
		done->full++;
		errno = EAGAIN;
		return -1;
	}
	luck -= full_chance;
	if (luck < lost_chance && said_again(p, n)) {
		done->lost++;
		return (ssize_t)n;
	}
	if ((chance() % 100 < late_chance || some_wait()) && post(fd, p, n, to, to_len)) {
		done->late++;
		return (ssize_t)n;
	}
	return really(fd, p, n, flags, to, to_len);
}
