/* load.c - one client, one kind of request, as often as it goes.
 *
 *   load [options] MODE          echo readx writex readraw writeraw stat miss open lock find connect idle
 *
 *   -H ADDR -p PORT -S SHARE -u USER%PASSWORD   where (127.0.0.1, 445, share, guest)
 *   -n OPS | -t SECONDS          how long (1 s)        -s BYTES  in one request (61440)
 *   -d REQUESTS in flight (readx; 1)                   -c CONNECTIONS (idle; 50)
 *   -f FILE, -z BYTES            file to work on and its size (load.dat, 16 MiB); made if need be
 *   -D FOLDER -e ENTRIES -l LEVEL  for find (find1000, any number, 0x104); miss asks there for a name that is not
 *   -P PID                       of the server: its CPU time is told, and its memory for idle
 *   -v                           look at the data      -i  the server is tests/bench/ideal.c
 *
 * Prints: MODE operations seconds ops/s MB/s server-us/op [pss uss pte in KiB of one connection] */
#include "smb.h"
#include "usage.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct load {
	struct target t;
	const char *file, *folder;
	uint32_t size, entries, level;
	uint64_t total;          /* bytes of the file */
	unsigned depth, clients;
	long ops;                /* 0: until the time is over */
	double secs;
	pid_t server;
	bool verify;
	uint16_t fid;
	long done;
	uint64_t moved;          /* bytes of data */
	struct usage before, after;
};

#define NOT_FOUND 0xc0000034u

static struct smb s;
static uint8_t block[131072];

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* What belongs at this place of the file. */
static uint8_t byte_at(uint64_t off) { return (uint8_t)(off * 7 + (off >> 8) * 13 + (off >> 16)); }

static void fill(uint8_t *p, uint64_t off, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		p[i] = byte_at(off + i);
}

static void check(const uint8_t *p, uint64_t off, uint32_t n, uint32_t want)
{
	if (n != want)
		fail("%u bytes at %llu, wanted %u", n, (unsigned long long)off, want);
	for (uint32_t i = 0; i < n; i++)
		if (p[i] != byte_at(off + i))
			fail("wrong byte at %llu", (unsigned long long)(off + i));
}

/* Where operation i works: in turn through the file. */
static uint64_t place(const struct load *l, long i)
{
	uint64_t blocks = l->total / l->size;

	return blocks ? (uint64_t)i % blocks * l->size : 0;
}

/* ---- reading and writing ---- */

static void ask_read(const struct load *l, long i)
{
	struct wr *w = smb_begin(&s, 0x2e, 12);
	uint64_t off = place(l, i);

	wr_u32(w, 0xff);
	wr_u16(w, l->fid);
	wr_u32(w, (uint32_t)off);
	wr_u16(w, (uint16_t)l->size);
	wr_u16(w, 0);
	wr_u32(w, l->size >> 16);
	wr_u16(w, 0);
	wr_u32(w, (uint32_t)(off >> 32));
	smb_bytes(&s);
	smb_send(&s);
}

static void take_read(struct load *l, long i)
{
	uint32_t st = smb_recv(&s, !l->verify), n, data;
	struct rd r = smb_words(&s);

	if (st)
		fail("read: status 0x%08x", st);
	l->moved += l->size;
	if (!l->verify)
		return;
	rd_skip(&r, 10);
	n = rd_u16(&r);
	data = rd_u16(&r);
	n |= rd_u32(&r) << 16;
	if (!rd_ok(&r) || data > s.len || n > s.len - data)
		fail("read: lengths that do not fit");
	check(s.in + 4 + data, place(l, i), n, l->size);
}

static void op_readx(struct load *l, long i)
{
	static long asked;

	if (i == 0)
		asked = 0;
	while (asked < i + (long)l->depth && (l->ops == 0 || asked < l->ops))
		ask_read(l, asked++);
	take_read(l, i);
}

/* With requests in flight the last ones are still to come. */
static void end_readx(struct load *l)
{
	for (unsigned k = 1; l->ops == 0 && k < l->depth; k++)
		take_read(l, l->done + (long)k - 1);
}

static void write_at(struct load *l, uint64_t off, uint32_t n)
{
	struct wr *w = smb_begin(&s, 0x2f, 14);

	wr_u32(w, 0xff);
	wr_u16(w, l->fid);
	wr_u32(w, (uint32_t)off);
	wr_u32(w, 0);
	wr_u16(w, 0);
	wr_u16(w, 0);
	wr_u16(w, (uint16_t)(n >> 16));
	wr_u16(w, (uint16_t)n);
	wr_u16(w, 64);
	wr_u32(w, (uint32_t)(off >> 32));
	w = smb_bytes(&s);
	wr_u8(w, 0);
	if (l->verify)
		fill(block, off, n);
	wr_bytes(w, block, n);
	smb_call(&s);
	l->moved += n;
}

static void op_writex(struct load *l, long i) { write_at(l, place(l, i), l->size); }

static void op_readraw(struct load *l, long i)
{
	struct wr *w = smb_begin(&s, 0x1a, 10);
	uint64_t off = place(l, i);

	if (s.raw_max == 0)
		fail("the server has no raw mode");
	wr_u16(w, l->fid);
	wr_u32(w, (uint32_t)off);
	wr_u16(w, (uint16_t)l->size);
	wr_u16(w, 0);
	wr_u32(w, 0);
	wr_u16(w, 0);
	wr_u32(w, (uint32_t)(off >> 32));
	smb_bytes(&s);
	smb_send(&s);
	smb_recv(&s, !l->verify);
	l->moved += s.len;
	if (l->verify)
		check(s.in + 4, off, s.len, l->size);
	else if (s.len != l->size)
		fail("raw read: %u bytes", s.len);
}

static void op_writeraw(struct load *l, long i)
{
	struct wr *w = smb_begin(&s, 0x1d, 12);
	uint64_t off = place(l, i);

	if (s.raw_max == 0)
		fail("the server has no raw mode");
	wr_u16(w, l->fid);
	wr_u16(w, (uint16_t)l->size);
	wr_u16(w, 0);
	wr_u32(w, (uint32_t)off);
	wr_u32(w, 0);
	wr_u16(w, 1); /* write-through: a second reply says that it is done */
	wr_u32(w, 0);
	wr_u16(w, 0);
	wr_u16(w, 0);
	smb_bytes(&s);
	smb_call(&s);
	if (l->verify)
		fill(block, off, l->size);
	smb_raw_send(&s, block, l->size);
	if (smb_recv(&s, false))
		fail("raw write: refused");
	l->moved += l->size;
}

/* All that was written, read again. */
static void end_write(struct load *l)
{
	long n = (long)(l->total / l->size);

	if (!l->verify)
		return;
	n = n < l->done ? n : l->done;
	for (long i = 0; i < n; i++) {
		ask_read(l, i);
		take_read(l, i);
	}
}

/* ---- names ---- */

static struct wr *begin_trans2(uint16_t sub, uint16_t max_p, uint16_t max_d, uint32_t *counts)
{
	struct wr *w = smb_begin(&s, 0x32, 15);

	*counts = wr_tell(w);
	wr_zero(w, 4);
	wr_u16(w, max_p);
	wr_u16(w, max_d);
	wr_zero(w, 10);
	wr_zero(w, 2); /* count of parameters, known later */
	wr_u16(w, 68);
	wr_u32(w, 0);
	wr_u16(w, 1);
	wr_u16(w, sub);
	w = smb_bytes(&s);
	wr_zero(w, 68 - wr_tell(w));
	return w;
}

static void end_trans2(uint32_t counts)
{
	uint16_t n = (uint16_t)(wr_tell(&s.w) - 68);

	wr_u16_at(&s.w, counts, n);
	wr_u16_at(&s.w, counts + 18, n);
}

static void call_trans2(uint32_t counts)
{
	end_trans2(counts);
	smb_call(&s);
}

/* Parameters and data of a reply that came in one piece. */
static void trans2_reply(struct rd *p, struct rd *d)
{
	struct rd w = smb_words(&s), msg = rd_over(s.in + 4, s.len);
	uint32_t np, op, nd, od;

	rd_skip(&w, 6);
	np = rd_u16(&w);
	op = rd_u16(&w);
	rd_skip(&w, 2);
	nd = rd_u16(&w);
	od = rd_u16(&w);
	*p = rd_window(&msg, op, np);
	*d = rd_window(&msg, od, nd);
	if (!rd_ok(&w) || !rd_ok(p) || !rd_ok(d))
		fail("a transaction reply that does not fit");
}

static void op_stat(struct load *l, long i)
{
	uint32_t counts;
	struct wr *w = begin_trans2(5, 2, 1024, &counts);
	struct rd p, d;

	(void)i;
	wr_u16(w, 0x107);
	wr_u32(w, 0);
	smb_name(w, l->file);
	call_trans2(counts);
	trans2_reply(&p, &d);
	rd_skip(&d, 48);
	if (l->verify && rd_u64(&d) != l->total)
		fail("stat: another size");
}

static void op_miss(struct load *l, long i)
{
	char name[128];
	uint32_t counts;
	struct wr *w = begin_trans2(5, 2, 1024, &counts);

	snprintf(name, sizeof(name), "%s\\no such file %ld.txt", l->folder, i);
	wr_u16(w, 0x101);
	wr_u32(w, 0);
	smb_name(w, name);
	end_trans2(counts);
	smb_send(&s);
	if (smb_recv(&s, false) != NOT_FOUND)
		fail("miss: it is there, or the folder is not");
}

static void op_open(struct load *l, long i)
{
	(void)i;
	smb_close_file(&s, smb_open(&s, l->file, 0x12019f, 1));
}

static void lock(const struct load *l, bool un)
{
	struct wr *w = smb_begin(&s, 0x24, 8);

	wr_u32(w, 0xff);
	wr_u16(w, l->fid);
	wr_u16(w, 0);
	wr_u32(w, 0);
	wr_u16(w, un);
	wr_u16(w, !un);
	w = smb_bytes(&s);
	wr_u16(w, 100);
	wr_u32(w, 10);
	wr_u32(w, 1);
	smb_call(&s);
}

static void op_lock(struct load *l, long i)
{
	(void)i;
	lock(l, false);
	lock(l, true);
}

/* A whole listing. */
static void op_find(struct load *l, long i)
{
	char pattern[300];
	uint32_t counts, n = 0, sid = 0, end = 0;
	struct rd p, d;

	(void)i;
	snprintf(pattern, sizeof(pattern), "%s\\*", l->folder);
	for (bool first = true; !end; first = false) {
		struct wr *w = begin_trans2(first ? 1 : 2, 10, 49152, &counts);

		wr_u16(w, (uint16_t)(first ? 0x16 : sid));
		wr_u16(w, 1000);
		wr_u16(w, (uint16_t)(first ? 2 : l->level));
		if (first) {
			wr_u16(w, (uint16_t)l->level);
			wr_u32(w, 0);
		} else {
			wr_u32(w, 0);
			wr_u16(w, 2 | 8);
		}
		smb_name(w, first ? pattern : "");
		call_trans2(counts);
		trans2_reply(&p, &d);
		if (first)
			sid = rd_u16(&p);
		n += rd_u16(&p);
		end = rd_u16(&p);
		if (!rd_ok(&p))
			fail("find: a short reply");
	}
	if (l->entries && n != l->entries + 2)
		fail("find: %u entries, wanted %u and two dots", n, l->entries);
	l->moved += n;
}

/* ---- connections ---- */

static void op_connect(struct load *l, long i)
{
	(void)i;
	smb_close(&s);
	smb_connect(&s, &l->t);
}

static void op_echo(struct load *l, long i)
{
	struct wr *w = smb_begin(&s, 0x2b, 1);

	(void)l, (void)i;
	wr_u16(w, 1);
	wr_bytes(smb_bytes(&s), "hello", 5);
	smb_call(&s);
}

static int idle(struct load *l)
{
	struct smb *one = calloc(1, sizeof(*one));
	double n = l->clients;

	usage_of(l->server, 1, &l->before);
	for (unsigned i = 0; i < l->clients; i++) {
		smb_connect(one, &l->t); /* the socket stays open */
		l->fid = smb_open(one, l->file, 0x12019f, 1);
	}
	sleep(4); /* a worker gives its buffers back after two seconds */
	usage_of(l->server, 1, &l->after);
	printf("idle %u 0 0 0 0 %.0f %.0f %.0f\n", l->clients, (double)(l->after.pss - l->before.pss) / n,
	       (double)(l->after.uss - l->before.uss) / n, (double)(l->after.pte - l->before.pte) / n);
	free(one);
	return 0;
}

/* ---- the run ---- */

static const struct mode {
	const char *name;
	void (*op)(struct load *l, long i);
	void (*end)(struct load *l);
	bool opens; /* works on an open file */
} modes[] = {
	{ "echo", op_echo, NULL, false },        { "readx", op_readx, end_readx, true },
	{ "writex", op_writex, end_write, true }, { "readraw", op_readraw, NULL, true },
	{ "writeraw", op_writeraw, end_write, true }, { "stat", op_stat, NULL, false },
	{ "miss", op_miss, NULL, false },
	{ "open", op_open, NULL, false },        { "lock", op_lock, NULL, true },
	{ "find", op_find, NULL, false },        { "connect", op_connect, NULL, false },
	{ "idle", NULL, NULL, false },
};

/* The file, with what belongs there. */
static void prepare(struct load *l)
{
	uint16_t fid;
	uint32_t n = 32768;

	l->fid = fid = smb_open(&s, l->file, 0x12019f, 5);
	for (uint64_t off = 0; off < l->total; off += n) {
		bool v = l->verify;

		n = (uint32_t)(l->total - off < 32768 ? l->total - off : 32768);
		l->verify = true;
		write_at(l, off, n);
		l->verify = v;
	}
	smb_close_file(&s, fid);
	l->moved = 0;
}

static int run(struct load *l, const struct mode *m)
{
	double start, took;

	if (l->server > 0)
		usage_of(l->server, 0, &l->before);
	start = now();
	for (l->done = 0; l->ops ? l->done < l->ops : (l->done & 15) || now() - start < l->secs; l->done++)
		m->op(l, l->done);
	took = now() - start;
	if (m->end == end_readx)
		m->end(l);
	if (strcmp(m->name, "connect") == 0)
		usleep(300000); /* the last ones are still being buried */
	if (l->server > 0)
		usage_of(l->server, 0, &l->after);
	if (m->end && m->end != end_readx)
		m->end(l);
	printf("%s %ld %.4f %.0f %.1f %.3f\n", m->name, l->done, took, (double)l->done / took,
	       (double)l->moved / took / 1e6, (l->after.cpu - l->before.cpu) * 1e6 / (double)l->done);
	return 0;
}

static void options(struct load *l, int argc, char **argv)
{
	int o;

	while ((o = getopt(argc, argv, "H:p:S:u:n:t:s:d:c:f:z:D:e:l:P:vi")) != -1) {
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
		case 'i': l->t.ideal = true; break;
		default: exit(2);
		}
	}
	if (optind + 1 != argc || l->depth < 1 || l->size < 1 || l->size > 126976 || !l->t.user)
		fail("see the head of load.c for its options");
	if (!l->t.password)
		l->t.password = "";
}

int main(int argc, char **argv)
{
	struct load l = {
		.t = { "127.0.0.1", "share", "", "", 445, false }, .file = "load.dat", .folder = "find1000",
		.size = 61440, .level = 0x104, .total = 16u << 20, .depth = 1, .clients = 50, .secs = 1,
	};
	const struct mode *m = NULL;

	options(&l, argc, argv);
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strcmp(argv[optind], modes[i].name) == 0)
			m = &modes[i];
	if (!m)
		fail("%s: no such mode", argv[optind]);
	smb_connect(&s, &l.t);
	if (!l.t.ideal)
		prepare(&l);
	if (!m->op)
		return idle(&l);
	if (m->opens && !l.t.ideal)
		l.fid = smb_open(&s, l.file, 0x12019f, 1);
	return run(&l, m);
}
