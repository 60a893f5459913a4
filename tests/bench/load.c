/* load.c - clients with one kind of request, as often as it goes.
 *
 *   load [options] MODE          data: readx read readraw writex write writeraw fill fillraw
 *                                names: echo stat miss open lock meta find     connections: connect idle
 *
 *   -H ADDR -p PORT -S SHARE -u USER%PASSWORD   where (127.0.0.1, 445, share, guest)
 *   -n OPS | -t SECONDS          how long (1 s)        -s BYTES  in one request (61440)
 *   -d REQUESTS in flight (readx read writex write fill echo stat; 1)
 *   -c CLIENTS                   at the same time, each with a file of its own (1; idle: 50)
 *   -f FILE, -z BYTES            file to work on and its size (load.dat, 16 MiB); made if need be
 *   -D FOLDER -e ENTRIES -l LEVEL  for find (find1000, any number, 0x104); miss asks there for a name that is not
 *   -P PID                       of the server: its CPU time is told, and its memory for idle
 *   -v                           look at the data, and read what was written   -w  somebody cuts the file meanwhile
 *   -g                           sign, if the server can (where it must be, it is done anyway)
 *   -i                           the server is tests/bench/ideal.c
 *
 * fill and fillraw write until the disk is full, and want to find what was acknowledged.  Prints:
 * MODE operations seconds ops/s MB/s server-us/op [pss uss pte in KiB of one connection] */
#include "load.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CLIENTS_MAX 256

struct smb s;

/* What the clients, each a process, tell the first of them. */
static struct shared {
	atomic_uint ready, over;
	struct { long done; uint64_t moved; } client[CLIENTS_MAX];
} *shared;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void await(atomic_uint *n, unsigned all)
{
	int status;

	for (int i = 0; i < 60000 && atomic_load(n) < all; i++) {
		usleep(1000);
		if (waitpid(-1, &status, WNOHANG) > 0 && status != 0)
			fail("another client has failed");
	}
	if (atomic_load(n) < all)
		fail("another client has not come this far");
}

static int idle(struct load *l)
{
	struct smb *one = calloc(1, sizeof(*one));
	double n;

	if (l->clients == 0)
		l->clients = 50;
	smb_connect(&s, &l->t);
	load_prepare(l);
	usage_of(l->server, 1, &l->before);
	for (unsigned i = 0; i < l->clients; i++) {
		smb_connect(one, &l->t); /* the socket stays open */
		l->fid = smb_open(one, l->file, 0x12019f, 1);
	}
	n = l->clients;
	sleep(4); /* a worker gives its buffers back after two seconds */
	usage_of(l->server, 1, &l->after);
	printf("idle %u 0 0 0 0 %.0f %.0f %.0f\n", l->clients, (double)(l->after.pss - l->before.pss) / n,
	       (double)(l->after.uss - l->before.uss) / n, (double)(l->after.pte - l->before.pte) / n);
	free(one);
	return 0;
}

/* ---- the run ---- */

static bool over(const struct load *l, long asked, double start)
{
	if (l->fills)
		return l->full;
	return l->ops ? asked >= l->ops : !(asked & 15) && now() - start >= l->secs;
}

static void requests(struct load *l, const struct mode *m)
{
	double start = now();
	long asked = 0, depth = m->take ? (long)l->depth : 1;

	while (!over(l, asked, start)) {
		m->ask(l, asked++);
		if (asked - l->done < depth)
			continue;
		if (m->take)
			m->take(l, l->done);
		l->done++;
	}
	for (; l->done < asked; l->done++)
		m->take(l, l->done);
}

/* One client of several; the first measures. */
static double run(struct load *l, const struct mode *m, unsigned me)
{
	double start;

	if (!l->t.ideal)
		load_prepare(l);
	if (m->opens && !l->t.ideal)
		l->fid = smb_open(&s, l->file, 0x12019f, 1);
	atomic_fetch_add(&shared->ready, 1);
	await(&shared->ready, l->clients);
	if (me == 0 && l->server > 0)
		usage_of(l->server, 0, &l->before);
	start = now();
	requests(l, m);
	shared->client[me].done = l->done;
	shared->client[me].moved = l->moved;
	atomic_fetch_add(&shared->over, 1);
	await(&shared->over, l->clients);
	start = now() - start;
	if (me == 0 && strcmp(m->name, "connect") == 0)
		usleep(300000); /* the last ones are still being buried */
	if (me == 0 && l->server > 0)
		usage_of(l->server, 0, &l->after);
	if (m->end)
		m->end(l);
	return start;
}

static int run_all(struct load *l, const struct mode *m)
{
	static char name[300];
	unsigned me = 0;
	double took, done = 0, moved = 0;
	int bad = 0, status;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED || l->clients > CLIENTS_MAX)
		fail("at most %u clients", CLIENTS_MAX);
	for (unsigned i = 1; i < l->clients && me == 0; i++)
		me = fork() == 0 ? i : 0;
	if (l->clients > 1 && !l->t.ideal) {
		snprintf(name, sizeof(name), "%s.%u", l->file, me);
		l->file = name;
	}
	smb_connect(&s, &l->t);
	took = run(l, m, me);
	if (me > 0)
		return 0;
	while (wait(&status) > 0)
		bad |= status;
	for (unsigned i = 0; i < l->clients; i++) {
		done += (double)shared->client[i].done;
		moved += (double)shared->client[i].moved;
	}
	printf("%s %.0f %.4f %.0f %.1f %.3f\n", m->name, done, took, done / took, moved / took / 1e6,
	       (l->after.cpu - l->before.cpu) * 1e6 / done);
	return bad ? 1 : 0;
}

static void options(struct load *l, int argc, char **argv)
{
	int o;

	while ((o = getopt(argc, argv, "H:p:S:u:n:t:s:d:c:f:z:D:e:l:P:viwg")) != -1) {
		switch (o) {
		case 'H': l->t.host = optarg; break;
		case 'p': l->t.port = atoi(optarg); break;
		case 'S': l->t.share = optarg; break;
		case 'u': l->t.user = strtok(optarg, "%"); l->t.password = strtok(NULL, ""); break;
		case 'n': l->ops = atol(optarg); break;
		case 't': l->secs = atof(optarg); break;
		case 's': l->size = (uint32_t)atol(optarg); break;
		case 'd': l->depth = (unsigned)atoi(optarg); break;
		case 'c': l->clients = (unsigned)atoi(optarg); break;
		case 'f': l->file = optarg; break;
		case 'z': l->total = (uint64_t)atoll(optarg); break;
		case 'D': l->folder = optarg; break;
		case 'e': l->entries = (uint32_t)atol(optarg); break;
		case 'l': l->level = (uint32_t)strtol(optarg, NULL, 0); break;
		case 'P': l->server = (pid_t)atol(optarg); break;
		case 'v': l->verify = true; break;
		case 'w': l->cut = true; break;
		case 'g': l->t.sign = true; break;
		case 'i': l->t.ideal = true; break;
		default: exit(2);
		}
	}
	if (optind + 1 != argc || l->depth < 1 || l->depth > SMB_IN_FLIGHT || l->size < 1 || l->size > 131007 || !l->t.user)
		fail("see the head of load.c for its options");
	if (!l->t.password)
		l->t.password = "";
}

static const struct mode *find_mode(const struct mode *m, const char *name)
{
	while (m->name && strcmp(m->name, name) != 0)
		m++;
	return m->name ? m : NULL;
}

int main(int argc, char **argv)
{
	struct load l = {
		.t = { "127.0.0.1", "share", "", "", 445, false, false }, .file = "load.dat", .folder = "find1000",
		.size = 61440, .level = 0x104, .total = 16u << 20, .depth = 1, .secs = 1,
	};
	const struct mode *m;

	options(&l, argc, argv);
	if (strcmp(argv[optind], "idle") == 0)
		return idle(&l);
	m = find_mode(data_modes, argv[optind]);
	if (!m)
		m = find_mode(name_modes, argv[optind]);
	if (!m)
		fail("%s: no such mode", argv[optind]);
	if (l.clients == 0)
		l.clients = 1;
	l.fills = strncmp(m->name, "fill", 4) == 0;
	return run_all(&l, m);
}
