/* run.c - several clients do what comes to a random mind, one step after the other; the server must say what the model
 * says.  `model [SEED [STEPS]]`: the seed is printed, and with it comes the same game again.  At the first wrong
 * answer the last steps are told. */
#include "model.h"
#include "bench/smb.h"
#include "play/world.h"
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CLIENTS 5u
#define PER_CLIENT 8u
#define TOLD 30u

struct client { struct smb smb; pid_t pid; };

static struct world *world;
static struct client clients[CLIENTS];
static struct model model;
static uint16_t fid[M_OPENS];
static uint64_t seed, state, step;
static char told[TOLD][160];
static unsigned long asked[16], said[A_ROOM + 1];

static uint32_t luck(uint32_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 32) % below;
}

static bool percent(uint32_t n) { return luck(100) < n; }

static void note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(told[step % TOLD], sizeof(told[0]), fmt, ap);
	va_end(ap);
}

static void tell(void)
{
	for (uint64_t i = step < TOLD ? 0 : step - TOLD + 1; i <= step; i++)
		printf("#  %llu: %s\n", (unsigned long long)i, told[i % TOLD]);
}

/* ---- the server ---- */

static void arrive(unsigned n)
{
	static const struct target guest = { .share = "share", .host = "HOST", .user = "", .password = "" };
	int fds[2], others[CLIENTS + 1];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
		fail("a socket pair");
	for (unsigned i = 0; i < CLIENTS; i++)
		others[i] = i == n ? -1 : clients[i].smb.fd;
	others[CLIENTS] = fds[0];
	clients[n].pid = world_worker(world, fds[1], others, CLIENTS + 1);
	clients[n].smb.fd = fds[0];
	smb_login(&clients[n].smb, &guest);
}

static void leave(unsigned n, bool killed)
{
	int status = 0;

	if (killed)
		kill(clients[n].pid, SIGKILL);
	smb_close(&clients[n].smb);
	waitpid(clients[n].pid, &status, 0);
	if (!killed && status != 0)
		fail("a worker ended with %d", status);
}

static enum answer meaning(uint32_t st)
{
	switch (st) {
	case 0:
		return A_OK;
	case 0xc0000043:
		return A_VIOLATION;
	case 0xc0000056:
		return A_DOOMED;
	case 0xc0000034:
		return A_NO_FILE;
	case 0xc0000022:
		return A_DENIED;
	case 0xc00001a1:
		return A_BAD_RANGE;
	case 0xc0000054: /* FILE_LOCK_CONFLICT */
	case 0xc0000055: /* LOCK_NOT_GRANTED */
		return A_LOCKED;
	case 0xc000007e:
		return A_NOT_LOCKED;
	default:
		return A_ROOM; /* nothing the model ever says */
	}
}

static uint32_t answer_of(struct smb *s)
{
	smb_send(s);
	return smb_recv(s, false);
}

static bool agree(enum answer model_says, uint32_t st)
{
	static const char *const names[] = { "OK", "SHARING_VIOLATION", "DELETE_PENDING", "OBJECT_NAME_NOT_FOUND", "ACCESS_DENIED",
					     "INVALID_LOCK_RANGE", "a lock conflict", "RANGE_NOT_LOCKED", "?" };

	said[model_says]++;
	if (meaning(st) == model_says)
		return true;
	tell();
	printf("not ok - seed %llu, step %llu: the model says %s, the server 0x%08x\n", (unsigned long long)seed,
	       (unsigned long long)step, names[model_says], st);
	return false;
}

/* ---- what they do ---- */

static bool some_open(unsigned *at)
{
	unsigned from = luck(M_OPENS);

	for (unsigned i = 0; i < M_OPENS; i++) {
		*at = (from + i) % M_OPENS;
		if (model.open[*at].used)
			return true;
	}
	return false;
}

static struct smb *smb_of(unsigned at) { return &clients[model.open[at].client].smb; }

static bool do_open(void)
{
	static const uint32_t accesses[] = { M_READ, M_WRITE, M_READ | M_WRITE, M_READ | M_WRITE, M_READ | M_WRITE | M_DELETE,
					     M_DELETE, M_ATTRIBUTES };
	struct m_open o = { .client = luck(CLIENTS), .file = luck(M_FILES), .access = accesses[luck(7)],
			    .share = percent(60) ? 7 : luck(8) };
	struct smb *s = &clients[o.client].smb;
	char name[8];
	bool create = percent(80);
	unsigned at, have = 0;
	enum answer a;
	struct wr *w;
	struct rd r;
	uint32_t st;

	for (unsigned i = 0; i < M_OPENS; i++)
		have += model.open[i].used && model.open[i].client == o.client;
	o.on_close = (o.access & M_DELETE) && percent(30);
	snprintf(name, sizeof(name), "f%u", o.file);
	note("client %u opens %s%s, access 0x%x, shares %u%s", o.client, name, create ? " or makes it" : "", o.access, o.share,
	     o.on_close ? ", to be deleted" : "");
	a = have < PER_CLIENT ? m_open(&model, &o, create, &at) : A_ROOM;
	if (a == A_ROOM)
		return true;
	w = smb_begin(s, 0xa2, 24);
	wr_u32(w, 0xff);
	wr_u8(w, 0);
	wr_u16(w, (uint16_t)(2 * strlen(name)));
	wr_u32(w, 0);
	wr_u32(w, 0);
	wr_u32(w, o.access);
	wr_u64(w, 0);
	wr_u32(w, 0x80);
	wr_u32(w, o.share);
	wr_u32(w, create ? 3 : 1);
	wr_u32(w, o.on_close ? 0x1040 : 0x40);
	wr_u32(w, 2);
	wr_u8(w, 0);
	smb_name(smb_bytes(s), name);
	st = answer_of(s);
	if (st == 0) {
		r = smb_words(s);
		rd_skip(&r, 5);
		fid[at] = rd_u16(&r);
	}
	return agree(a, st);
}

static bool do_close(void)
{
	unsigned at;
	struct smb *s;
	struct wr *w;

	if (!some_open(&at))
		return true;
	note("client %u closes open %u of f%u", model.open[at].client, at, model.open[at].file);
	s = smb_of(at);
	w = smb_begin(s, 0x04, 3);
	wr_u16(w, fid[at]);
	wr_u32(w, 0xffffffff);
	smb_bytes(s);
	m_close(&model, at);
	return agree(A_OK, answer_of(s));
}

static void some_range(struct m_lock *l)
{
	static const uint64_t from[] = { 0, 0, 0, 0, 0, 0xfffffff0, 0x7ffffffffffffff0, 0xfffffffffffffff0 };

	l->start = from[luck(8)] + luck(16);
	l->length = percent(10) ? 0 : percent(90) ? 1 + luck(8) : percent(50) ? 0x100000000 : UINT64_MAX - luck(8);
}

static void put_lock(struct wr *w, const struct m_lock *l)
{
	wr_u16(w, l->pid);
	wr_u16(w, 0);
	wr_u32(w, (uint32_t)(l->start >> 32));
	wr_u32(w, (uint32_t)l->start);
	wr_u32(w, (uint32_t)(l->length >> 32));
	wr_u32(w, (uint32_t)l->length);
}

static uint32_t ask_locking(unsigned at, const struct m_lock *l, unsigned locks, unsigned unlocks)
{
	struct smb *s = smb_of(at);
	struct wr *w = smb_begin(s, 0x24, 8);

	wr_u32(w, 0xff);
	wr_u16(w, fid[at]);
	wr_u8(w, l->exclusive || unlocks ? 0x10 : 0x11); /* large; shared */
	wr_u8(w, 0);
	wr_u32(w, 0);
	wr_u16(w, (uint16_t)unlocks);
	wr_u16(w, (uint16_t)locks);
	w = smb_bytes(s);
	for (unsigned i = 0; i < locks + unlocks; i++)
		put_lock(w, &l[i]);
	return answer_of(s);
}

static bool do_lock(void)
{
	struct m_lock l[3];
	unsigned n = percent(85) ? 1 : 2 + luck(2), at;
	bool exclusive = percent(50);
	enum answer a;

	if (!some_open(&at))
		return true;
	for (unsigned i = 0; i < n; i++) {
		l[i] = (struct m_lock){ .open = at, .pid = (uint16_t)(100 + luck(3)), .exclusive = exclusive };
		some_range(&l[i]);
	}
	note("client %u, open %u of f%u, locks %s %u: %u 0x%llx+0x%llx", model.open[at].client, at, model.open[at].file,
	     exclusive ? "exclusive" : "shared", n, l[0].pid, (unsigned long long)l[0].start, (unsigned long long)l[0].length);
	a = m_lock(&model, l, n);
	return a == A_ROOM || agree(a, ask_locking(at, l, n, 0));
}

static bool do_unlock(void)
{
	struct m_lock l;
	unsigned at;

	if (model.nlocks > 0 && percent(80)) {
		l = model.lock[luck((uint32_t)model.nlocks)];
	} else {
		if (!some_open(&at))
			return true;
		l = (struct m_lock){ .open = at, .pid = (uint16_t)(100 + luck(3)) };
		do
			some_range(&l);
		while (l.length > 0 && l.start + (l.length - 1) < l.start);
	}
	note("client %u, open %u of f%u, unlocks: %u 0x%llx+0x%llx", model.open[l.open].client, l.open, model.open[l.open].file, l.pid,
	     (unsigned long long)l.start, (unsigned long long)l.length);
	return agree(m_unlock(&model, &l), ask_locking(l.open, &l, 0, 1));
}

/* Reads and writes with the PID of the header; the count must be right, too. */
static bool do_io(void)
{
	unsigned at, n = 1 + luck(8);
	uint64_t off = luck(24);
	uint16_t pid = (uint16_t)(100 + luck(3));
	bool write = percent(50);
	struct smb *s;
	struct wr *w;

	if (!some_open(&at))
		return true;
	note("client %u, open %u of f%u, %s: %u 0x%llx+%u", model.open[at].client, at, model.open[at].file, write ? "writes" : "reads",
	     pid, (unsigned long long)off, n);
	s = smb_of(at);
	w = smb_begin(s, write ? 0x2f : 0x2e, 12);
	wr_u16_at(w, 26, pid);
	wr_u32(w, 0xff);
	wr_u16(w, fid[at]);
	wr_u32(w, (uint32_t)off);
	if (write) {
		wr_zero(w, 4 + 2 + 2 + 2);
		wr_u16(w, (uint16_t)n);
		wr_u16(w, 32 + 1 + 24 + 2);
	} else {
		wr_u16(w, (uint16_t)n);
		wr_zero(w, 2 + 4 + 2 + 4);
	}
	w = smb_bytes(s);
	if (write)
		wr_bytes(w, "01234567", n);
	return agree(m_io(&model, at, pid, off, n, write), answer_of(s));
}

/* TRANS2 SET_FILE_INFORMATION, level 0x102. */
static bool do_doom(void)
{
	bool doom = percent(60);
	struct smb *s;
	struct wr *w;
	unsigned at;

	if (!some_open(&at))
		return true;
	note("client %u, open %u: f%u %s", model.open[at].client, at, model.open[at].file, doom ? "is to go" : "stays");
	s = smb_of(at);
	w = smb_begin(s, 0x32, 15);
	wr_u16(w, 6); /* all parameters, all data, most wanted */
	wr_u16(w, 1);
	wr_u16(w, 10);
	wr_u16(w, 0);
	wr_zero(w, 2 + 2 + 4 + 2);
	wr_u16(w, 6);
	wr_u16(w, 68);
	wr_u16(w, 1);
	wr_u16(w, 76);
	wr_u16(w, 1);
	wr_u16(w, 8);
	w = smb_bytes(s);
	wr_zero(w, 68 - wr_tell(w));
	wr_u16(w, fid[at]);
	wr_u16(w, 0x102);
	wr_u16(w, 0);
	wr_zero(w, 2);
	wr_u8(w, doom);
	return agree(m_doom(&model, at, doom), answer_of(s));
}

static bool do_leave(void)
{
	unsigned n = luck(CLIENTS);
	bool killed = percent(40);

	note("client %u %s", n, killed ? "and its worker are killed" : "leaves");
	m_leave(&model, n, killed);
	leave(n, killed);
	arrive(n);
	return true;
}

static const struct { unsigned weight; bool (*run)(void); const char *name; } deeds[] = {
	{ 220, do_open, "opens" }, { 150, do_close, "closes" }, { 300, do_lock, "locks" }, { 180, do_unlock, "unlocks" },
	{ 120, do_io, "reads and writes" }, { 28, do_doom, "deletions" }, { 2, do_leave, "departures" },
};
#define DEEDS (sizeof(deeds) / sizeof(deeds[0]))

static bool one_step(void)
{
	uint32_t pick = luck(1000);

	for (size_t i = 0; i < DEEDS; i++) {
		if (pick < deeds[i].weight) {
			asked[i]++;
			return deeds[i].run();
		}
		pick -= deeds[i].weight;
	}
	return true;
}

/* The names in the share are those the model has. */
static bool same_files(void)
{
	char path[300];

	for (unsigned f = 0; f < M_FILES; f++) {
		snprintf(path, sizeof(path), "%s/f%u", world->share, f);
		if ((access(path, F_OK) == 0) == model.file[f].exists)
			continue;
		tell();
		printf("not ok - seed %llu, after step %llu: f%u %s\n", (unsigned long long)seed, (unsigned long long)step, f,
		       model.file[f].exists ? "is missing" : "is still there");
		return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	uint64_t steps;
	char *why = NULL;
	bool good = true;

	seed = argc > 1 ? strtoull(argv[1], NULL, 0) : (uint64_t)time(NULL);
	steps = argc > 2 ? strtoull(argv[2], NULL, 0) : 100000;
	state = (seed * 0xd1342543de82ef95ull) | 1;
	signal(SIGPIPE, SIG_IGN);
	world_drop_root();
	world = world_new(NULL, NULL, WORLD_QUIET, &why);
	if (!world)
		fail("%s", why);
	printf("# seed %llu\n", (unsigned long long)seed);
	for (unsigned i = 0; i < CLIENTS; i++)
		clients[i].smb.fd = -1;
	for (unsigned i = 0; i < CLIENTS; i++)
		arrive(i);
	for (step = 0; good && step < steps; step++)
		good = one_step() && (step % 4 != 0 || same_files());
	for (unsigned i = 0; i < CLIENTS; i++)
		leave(i, false);
	for (size_t i = 0; i < DEEDS; i++)
		printf("# %lu %s\n", asked[i], deeds[i].name);
	printf("# %lu answers were OK, %lu sharing violations, %lu lock conflicts, %lu not locked\n", said[A_OK], said[A_VIOLATION],
	       said[A_LOCKED], said[A_NOT_LOCKED]);
	world_free(&world);
	if (good)
		printf("ok - %llu steps of %u clients agree with the model\n", (unsigned long long)steps, CLIENTS);
	printf("%d passed, %d failed\n", good, !good);
	return !good;
}
