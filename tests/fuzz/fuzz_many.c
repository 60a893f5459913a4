/* fuzz_many.c - several workers with files, databases and messages between them, in this process.
 *
 * An input is a row of steps; `play --scripts` writes the stories in this form:
 *   00 ...., 81..85 ....       a frame: head, body (its length is put right if the input ends before)
 *   c0+N                       what follows is client N's (three of them; it connects when it says something)
 *   d0 TYPE LEN BODY           a message of another worker      d1 N     N*N*4 ms go by
 *   d2 N                       a local program does something   d3 N     reload, close share, databases made anew ...
 *   d4                         the client hangs up              d5 DB LEN BYTES   the first record of this database
 *   d6 NAME LEN BYTES          an extended attribute of `a`     d7 N CHANGE   the watcher has seen a change
 *   d8 CMD WORDS W.. LEN B..   a message with a header and lengths that are right
 *   e0+N                       the N-th configuration, if nobody is connected
 * At the end all hang up, and the databases must be empty.
 *
 * Each worker has the pid of a sleeping child, so that the databases see several.  The clock goes when a step says so. */
#include "client.h"
#include "db/internal.h"
#include "play/random.h"
#include "srv/message.h"
#include "srv/notify.h"
#include "srv/spool.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define WORKERS 3u
#define ROUNDS 40u     /* of answers to each other, until everybody must be quiet */
#define STEPS_MAX 300u /* of one input */

#define FLAVOURS 3u

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t an, const uint8_t *b, size_t bn, uint8_t *out, size_t max, unsigned seed);
pid_t __wrap_getpid(void);
uint64_t __wrap_clock_ms(void);
uint64_t __real_clock_ms(void);

static const char *const flavours[FLAVOURS] = {
	"ea support = yes\nstore dos attributes = yes\nlanman auth = yes\nsmb1d: streams = yes\nhide dot files = yes\n"
	"veto files = /vetoed/\n[lp]\npath = @DIR@/share\nprintable = yes\nguest ok = yes\nmax print jobs = 3\n",
	"security = share\nencrypt passwords = no\nlanman auth = yes\nstrict locking = yes\nsmb1 unix extensions = no\n"
	"map archive = yes\nmap hidden = yes\nmap system = yes\ndefer sharing violations = no\nlevel2 oplocks = no\n",
	"smb1d: profile = ps2\nserver signing = auto\nposix locking = no\nchange notify = no\nstrict allocate = yes\n"
	"case sensitive = yes\nsmb1d: write through = flush\nacl group control = yes\ndos filemode = yes\n[homes]\n",
};

static struct worker {
	struct local l;
	struct srv_host host;
	pid_t pid;
	uint64_t watch;      /* the folder last watched */
	/* its own part of `struct db` */
	uint64_t my_opens, my_locks;
	uint32_t my_sessions, my_watches;
	struct db_held *held;
	size_t nheld;
} workers[WORKERS], *now; /* whose turn it is */

static struct { struct conf *conf; uint8_t *flat; size_t len; } confs[FLAVOURS];
static unsigned flavour;     /* of this input */
static uint64_t skipped;     /* ms */
static bool raw, spoilt;     /* READ_RAW was asked somewhere; a record was overwritten */

/* ---- being one of several ---- */

pid_t __wrap_getpid(void) { return now->pid; }
uint64_t __wrap_clock_ms(void) { return 1000000 + skipped; }

static void keep_part(void)
{
	const struct db *db = fuzz_world->db;

	now->my_opens = db->my_opens;
	now->my_locks = db->my_locks;
	now->my_sessions = db->my_sessions;
	now->my_watches = db->my_watches;
	now->held = db->held;
	now->nheld = db->nheld;
}

static void become(struct worker *w)
{
	struct db *db = fuzz_world->db;

	if (w == now)
		return;
	if (now)
		keep_part();
	now = w;
	db->my_opens = w->my_opens;
	db->my_locks = w->my_locks;
	db->my_sessions = w->my_sessions;
	db->my_watches = w->my_watches;
	db->held = w->held;
	db->nheld = w->nheld;
	db->lock_memory.known = false; /* it counts those of one worker */
	owner_refresh(0);
}

/* ---- the outside world ---- */

static void print(void *arg, const struct spool_order *o) { (void)arg, (void)o; }

static bool watch(void *arg, uint64_t id, int fd, uint32_t filter)
{
	(void)fd, (void)filter;
	((struct worker *)arg)->watch = id;
	return true;
}

static void unwatch(void *arg, uint64_t id) { (void)arg, (void)id; }

static bool came; /* a message */

static void deliver(void *arg, enum msg_type type, const struct db_owner *from, struct rd body)
{
	came = true;
	if (arg) /* else for a connection that is gone */
		conn_message(arg, type, from, body);
}

static void start_worker(struct worker *w)
{
	const char *why = "";

	w->pid = fork();
	if (w->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		for (;;)
			pause();
	}
	become(w);
	w->host = fuzz_world->host;
	w->host.print = print;
	w->host.watch.add = watch;
	w->host.watch.del = unwatch;
	w->host.watch.arg = w;
	w->host.box = box_open(fuzz_world, fuzz_world->db, &why);
	if (!w->host.box) {
		fprintf(stderr, "%s\n", why);
		exit(1);
	}
}

static void make_conf(size_t i)
{
	char *why = "";

	confs[i].conf = world_conf(fuzz_world, flavours[i], &why);
	confs[i].flat = confs[i].conf ? conf_pack(fuzz_world, confs[i].conf, &confs[i].len) : NULL;
	if (!confs[i].flat) {
		fprintf(stderr, "%s\n", why);
		exit(1);
	}
}

static void take_conf(unsigned i)
{
	if (fuzz_world->conf != confs[i].conf)
		TALLOC_FREE(fuzz_world->keeper);
	fuzz_world->conf = confs[i].conf;
	flavour = i;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	now = &workers[0];
	now->pid = 1;
	fuzz_start(NULL);
	for (unsigned i = 0; i < FLAVOURS; i++)
		make_conf(i);
	fs_process_setup();
	now = NULL;
	for (unsigned i = 0; i < WORKERS; i++)
		start_worker(&workers[i]);
	return 0;
}

/* ---- steps ---- */

/* Bytes of the step at p; at least 1, at most n. */
static size_t step_len(const uint8_t *p, size_t n)
{
	size_t len = 1;

	if (p[0] == 0 || (p[0] >= 0x81 && p[0] <= 0x85))
		len = n < 4 ? n : 4 + ((size_t)(p[1] & 1) << 16 | (size_t)p[2] << 8 | p[3]);
	else if (p[0] >= 0xd1 && p[0] <= 0xd3)
		len = 2;
	else if (p[0] == 0xd0 || p[0] == 0xd5 || p[0] == 0xd6)
		len = n < 3 ? n : 3u + p[2];
	else if (p[0] == 0xd7)
		len = 3;
	else if (p[0] == 0xd8 && n > 3)
		len = 4 + 2u * p[3] < n ? 5 + 2u * p[3] + p[4 + 2u * p[3]] : n;
	return len < n ? len : n;
}

static bool anybody(void)
{
	for (unsigned i = 0; i < WORKERS; i++)
		if (workers[i].l.c)
			return true;
	return false;
}

static struct conf *conf_copy(unsigned i) { return conf_unpack(NULL, confs[i % FLAVOURS].flat, confs[i % FLAVOURS].len); }

static void say(const uint8_t *p, size_t n)
{
	struct local *l = &now->l;

	if (!l->c) {
		if (!local_open(l, fuzz_world))
			abort();
		l->c->host = &now->host;
		l->c->conf = talloc_steal(l->c, conf_copy(flavour));
	}
	raw |= memmem(p, n, "\xffSMB\x1a", 5) != NULL;
	local_send(l, p, n);
	fuzz_check(l, raw);
}

/* The control code of an NT_TRANSACT IOCTL, else 0.  p: with the frame's head, as below. */
static uint32_t control_code(const uint8_t *p, size_t n)
{
	return n >= 80 && p[8] == 0xa0 && get_u16(p + 37 + 36) == 2 ? get_u32(p + 37 + 38) : 0;
}

/* The key of a copy's source holds an inode, which is another one each time: the one that was given last is sent. */
static void copy_key(uint8_t *p, size_t n, bool sent)
{
	static uint8_t key[24];
	uint32_t at = n >= 80 ? 4 + get_u32(p + 37 + (sent ? 31 : 27)) : 0;

	if (at < 80 || at > n || n - at < sizeof(key))
		return;
	if (sent)
		memcpy(p + at, key, sizeof(key));
	else
		memcpy(key, p + at, sizeof(key));
}

static void say_frame(const uint8_t *p, size_t n)
{
	uint8_t *whole = malloc(n);
	uint32_t code = control_code(p, n);

	memcpy(whole, p, n);
	wire_frame_write(whole, p[0], (uint32_t)n - 4);
	if (code == 0x1440f2 || code == 0x1480f2)
		copy_key(whole, n, true);
	say(whole, n);
	if (code == 0x140078)
		copy_key(now->l.out, now->l.out_len, false);
	free(whole);
}

static void say_message(const uint8_t *p, size_t n)
{
	uint8_t buf[1024];
	struct wr w = wr_over(buf, sizeof(buf));
	size_t words = 2u * p[3];

	if (5 + words > n)
		return;
	fuzz_begin(&w, p[1], p[2] & 4 ? 2 : 1, p[2] & 2 ? 2 : 1);
	if (p[2] & 1)
		buf[4 + 11] |= FLAG2_UNICODE >> 8;
	wr_bytes(&w, p + 3, 1 + words);
	wr_u16(&w, (uint16_t)(n - 5 - words));
	wr_bytes(&w, p + 5 + words, n - 5 - words);
	fuzz_finish(&w);
	say(buf, wr_tell(&w));
}

static void hang_up(void)
{
	if (now->l.c)
		local_close(&now->l);
	now->l.c = NULL;
}

static void local_program(uint8_t what)
{
	static const char *const names[] = { "a", "b", "f", "dir", "a.txt", "dir/x", "new", "big" };
	char one[300], two[300];
	int fd;

	snprintf(one, sizeof(one), "%s/%s", fuzz_world->share, names[what & 7]);
	snprintf(two, sizeof(two), "%s/%s", fuzz_world->share, names[(what >> 3 & 3) ^ (what & 7)]);
	switch (what >> 5) {
	case 0:
		unlink(one);
		break;
	case 1:
		if (rename(one, two) != 0)
			mkdir(one, 0755);
		break;
	case 2:
		unlink(one);
		(void)!symlink(what & 8 ? "/etc" : names[what >> 3 & 1], one);
		break;
	case 3:
		chmod(one, what & 8 ? 0 : 0644);
		break;
	case 4:
		(void)!truncate(one, what & 8 ? 0 : 100000);
		break;
	case 5:
		mkfifo(one, 0644);
		break;
	default:
		fd = open(one, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644);
		if (fd >= 0 && write(fd, "local", 5) != 5)
			abort();
		if (fd >= 0)
			close(fd);
	}
}

static void administer(uint8_t what)
{
	struct conn *c = now->l.c;

	if (!c)
		return;
	switch (what & 7) {
	case 0:
		conn_close_share(c, "share");
		break;
	case 1:
		conn_idle(c, what & 8);
		break;
	case 2:
		conn_put_again(c, (what >> 3) % DB_FILES);
		spoilt = true; /* what is there twice is there once too often */
		break;
	case 3:
		notify_local_lost(c);
		break;
	case 4:
		notify_local_again(c);
		break;
	default:
		conn_reload(c, conf_copy(what));
	}
}

static int first_record(struct tdb_context *tdb, TDB_DATA key, TDB_DATA rec, void *arg)
{
	TDB_DATA *out = arg;

	(void)tdb, (void)rec;
	out->dptr = talloc_memdup(NULL, key.dptr, key.dsize);
	out->dsize = key.dsize;
	return 1;
}

static void overwrite_record(const uint8_t *p, size_t n)
{
	enum db_which which = p[1] % DB_FILES;
	struct tdb_context *tdb = fuzz_world->db->tdb[which];
	TDB_DATA key = { .dptr = NULL };

	tdb_traverse_read(tdb, first_record, &key);
	if (!key.dptr)
		return;
	tdb_store(tdb, key, db_datum(p + 3, n - 3), TDB_REPLACE);
	talloc_free(key.dptr);
	spoilt = true;
}

static void set_attribute(const uint8_t *p, size_t n)
{
	static const char *const names[] = { "user.DOSATTRIB", "user.smb1d.crtime", "user.smb1d.ntacl", "user.ea" };
	char file[300];

	snprintf(file, sizeof(file), "%s/%s", fuzz_world->share, p[1] & 0x80 ? "dir" : "a");
	(void)!setxattr(file, names[(p[1] & 0x7f) % (sizeof(names) / sizeof(names[0]))], p + 3, n - 3, 0);
}

static void message_came(const uint8_t *p, size_t n)
{
	struct db_owner from = { .pid = workers[p[1] >> 4 & 1].pid };

	if (now->l.c)
		conn_message(now->l.c, p[1] & 15, &from, rd_over(p + 3, n - 3));
}

static void run_step(const uint8_t *p, size_t n)
{
	if (p[0] >= 0xc0 && p[0] < 0xcf)
		become(&workers[p[0] % WORKERS]);
	else if (p[0] >= 0xe0 && !anybody())
		take_conf(p[0] % FLAVOURS);
	else if (p[0] == 0xd0 && n >= 3)
		message_came(p, n);
	else if (p[0] == 0xd1 && n >= 2)
		skipped += 4u * p[1] * p[1];
	else if (p[0] == 0xd2 && n >= 2)
		local_program(p[1]);
	else if (p[0] == 0xd3 && n >= 2)
		administer(p[1]);
	else if (p[0] == 0xd4)
		hang_up();
	else if (p[0] == 0xd5 && n > 3)
		overwrite_record(p, n);
	else if (p[0] == 0xd6 && n > 3)
		set_attribute(p, n);
	else if (p[0] == 0xd7 && n >= 3 && now->l.c)
		notify_local_event(now->l.c, now->watch, p[1] % 6, p[2], "a");
	else if (p[0] == 0xd8 && n > 4)
		say_message(p, n);
	else if (n >= 4 && p[0] < 0xc0)
		say_frame(p, n);
}

/* Everybody acts on what the others did, until nobody has anything to say. */
static void settle(void)
{
	struct worker *turn = now;

	came = true;
	for (unsigned round = 0; came && round < ROUNDS; round++) {
		came = false;
		for (unsigned i = 0; i < WORKERS; i++) {
			become(&workers[i]);
			box_receive(now->host.box, deliver, now->l.c);
			if (!now->l.c)
				continue;
			cmd_tick(now->l.c);
			say((const uint8_t *)"", 0);
			came |= now->l.out_len > 0;
			if (now->l.over)
				hang_up();
		}
	}
	become(turn);
}

/* ---- what must be so when all are gone ---- */

static int count(struct tdb_context *tdb, TDB_DATA key, TDB_DATA rec, void *arg)
{
	(void)tdb, (void)key, (void)rec;
	++*(unsigned *)arg;
	return 0;
}

static void check_databases(void)
{
	for (unsigned i = 0; i < DB_FILES; i++) {
		unsigned n = 0;

		if (spoilt) {
			tdb_wipe_all(fuzz_world->db->tdb[i]);
			continue;
		}
		tdb_traverse_read(fuzz_world->db->tdb[i], count, &n);
		if (n > 0) {
			fprintf(stderr, "%u records are left in %s\n", n, db_file_name(i));
			abort();
		}
	}
}

static void check_workers(void)
{
	static int lowest;
	int fd;

	keep_part();
	for (unsigned i = 0; i < WORKERS; i++) {
		struct worker *w = &workers[i];

		if (!spoilt && (w->my_opens || w->my_locks || w->my_sessions || w->my_watches)) {
			fprintf(stderr, "worker %u believes that something of it is in the databases\n", i);
			abort();
		}
		w->my_opens = w->my_locks = w->my_sessions = w->my_watches = 0;
	}
	now = NULL;
	become(&workers[0]);
	fd = dup(2);
	if (!lowest)
		lowest = fd;
	if (fd > lowest + 8) { /* some are opened once and for all at first use */
		fprintf(stderr, "descriptors are left: %d is the lowest free one, %d at the beginning\n", fd, lowest);
		abort();
	}
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	become(&workers[0]);
	local_refill(fuzz_world);
	random_fix();
	take_conf(0);
	raw = spoilt = false;
	for (unsigned i = 0; size > 0 && i < STEPS_MAX; i++) {
		size_t n = step_len(data, size);

		run_step(data, n);
		settle();
		data += n;
		size -= n;
	}
	for (unsigned i = 0; i < WORKERS; i++) {
		become(&workers[i]);
		hang_up();
		settle();
	}
	check_databases();
	check_workers();
	return 0;
}

/* ---- mutation by steps ---- */

/* Where the steps begin; returns how many.  at[n] is the end. */
static unsigned steps(const uint8_t *p, size_t size, size_t at[STEPS_MAX + 1])
{
	unsigned n = 0;

	for (size_t pos = 0; pos < size && n < STEPS_MAX; pos += step_len(p + pos, size - pos))
		at[n++] = pos;
	at[n] = size;
	return n;
}

/* The step's length field, as far as it has one in front of all it tells of. */
static void tell_length(uint8_t *p, size_t n)
{
	if (n >= 4 && p[0] < 0xc0)
		wire_frame_write(p, p[0], (uint32_t)n - 4);
	else if (n >= 3 && n < 259 && (p[0] == 0xd0 || p[0] == 0xd5 || p[0] == 0xd6))
		p[2] = (uint8_t)(n - 3);
}

/* data[from..to) gives way to n bytes. */
static size_t put(uint8_t *data, size_t size, size_t max, size_t from, size_t to, const uint8_t *p, size_t n)
{
	if (size - (to - from) + n > max)
		return size;
	memmove(data + from + n, data + to, size - to);
	memcpy(data + from, p, n);
	return size - (to - from) + n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	static uint8_t room[1 << 17];
	size_t at[STEPS_MAX + 1], n;
	unsigned nsteps = steps(data, size, at), i, j;

	if (nsteps == 0 || max > sizeof(room) || seed % 8 == 0)
		return LLVMFuzzerMutate(data, size, max);
	i = (seed >> 3) % nsteps;
	j = (seed >> 13) % nsteps;
	n = at[i + 1] - at[i];
	memcpy(room, data + at[i], n);
	switch (seed % 8) {
	case 1: /* without it */
		return put(data, size, max, at[i], at[i + 1], room, 0);
	case 2: /* once more, elsewhere */
		return put(data, size, max, at[j], at[j], room, n);
	case 3: { /* a step of some other kind in front of it */
		static const uint8_t kinds[] = { 0xc0, 0xc1, 0xc2, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xe0, 0xe1, 0xe2 };

		room[0] = kinds[(seed >> 23) % sizeof(kinds)];
		room[1] = (uint8_t)(seed >> 8);
		room[2] = room[0] == 0xd7 ? 0xff : 0;
		return put(data, size, max, at[i], at[i], room, step_len(room, 3));
	}
	default: /* changed within, and its length told */
		if (n > 4 && room[0] < 0xc0)
			n = 4 + LLVMFuzzerMutate(room + 4, n - 4, sizeof(room) - 4);
		else
			n = LLVMFuzzerMutate(room, n, sizeof(room));
		n = n > 66000 ? 66000 : n;
		tell_length(room, n);
		return put(data, size, max, at[i], at[i + 1], room, n);
	}
}

/* The beginning of one, the end of the other. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t an, const uint8_t *b, size_t bn, uint8_t *out, size_t max, unsigned seed)
{
	size_t at[STEPS_MAX + 1], to, from;
	unsigned n = steps(a, an, at);

	to = at[n ? seed % n : 0];
	n = steps(b, bn, at);
	from = at[n ? (seed >> 10) % n : 0];
	if (to > max)
		return 0;
	memcpy(out, a, to);
	if (bn - from > max - to)
		bn = from + (max - to);
	memcpy(out + to, b + from, bn - from);
	return to + bn - from;
}
