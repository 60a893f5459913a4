/* storm.c - many clients at once play what the stories sent against a running daemon, spoiled in many ways.
 *
 *   storm [--seed N] [--messages N] [--clients N] [--user NAME --password WORD] [--log FILE] [--daemon PID]
 *         [--ceiling MIB] PORT CORPUS OUT
 *   storm --left FOLDER
 *
 * CORPUS is what `play --corpus` wrote.  A connection sends one recording from its first byte, or logs in first and leaves
 * the recording's own login out.  Its messages are flipped, cut, told wrong lengths, given each other's
 * words, doubled, put in another order, chained.  At the end the client closes its half, and the server must end the
 * connection within ten seconds, whatever it was told.  What was said on a connection that the server ended
 * comes into OUT, the latest of each client, and all that were under way when something was found.
 *
 * It stops at the first process that a signal ended (as --log tells), sanitizer's report in OUT, answer whose
 * lengths leave it, worker with more than CEILING of memory of its own, connection that hangs.
 *
 * --left counts the records in the daemon's databases: when all clients are gone there must be none. */
#include "bench/smb.h"
#include "sane.h"
#include "wire/wire.h"
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <talloc.h>
#include <tdb.h>
#include <unistd.h>

#define CLIENTS_MAX 64u
#define KEPT 8u           /* connections of each client whose bytes are kept in OUT */
#define PATIENCE 10000    /* ms, for the end of a connection */
#define MESSAGE_MAX 70000u
#define EACH_MAX 60u      /* messages of one connection */

struct message { const uint8_t *p; uint32_t len; }; /* with the frame's head */
struct recording { struct message *m; unsigned n; char share[32]; };

static struct recording *recordings;
static unsigned nrecordings;

static struct {
	const char *user, *password, *log, *out;
	unsigned long messages, ceiling;
	unsigned clients;
	int port;
	pid_t daemon;
	uint64_t seed;
} opt = { .messages = 20000, .clients = 16, .seed = 1, .ceiling = 32, .user = "", .password = "" };

static struct shared {
	atomic_ulong messages, replies, connections, ended;
	atomic_bool stop;
	char finding[300];
} *all;

/* ---- luck ---- */

static uint64_t state;

static uint32_t luck(uint32_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return below ? (uint32_t)(state >> 32) % below : 0;
}

static bool percent(uint32_t n) { return luck(100) < n; }

static void finding(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void finding(const char *fmt, ...)
{
	va_list ap;

	if (atomic_exchange(&all->stop, true))
		return;
	va_start(ap, fmt);
	vsnprintf(all->finding, sizeof(all->finding), fmt, ap);
	va_end(ap);
}

/* ---- what the stories sent ---- */

static bool is_login(const struct message *m)
{
	uint8_t cmd = m->len > 8 ? m->p[8] : 0;

	return m->len <= 8 || m->p[0] != 0 || m->p[4] != 0xff || cmd == 0x70 || (cmd >= 0x72 && cmd <= 0x75);
}

/* The share of a TREE_CONNECT: what comes behind its last backslash, in either charset. */
static void note_share(struct recording *r, const struct message *m)
{
	static const char *const known[] = { "ro", "print", "IPC$" };
	char text[300] = "", *last;
	size_t n = 0;

	for (uint32_t i = 36; i < m->len && n + 1 < sizeof(text); i++)
		if (m->p[i] > ' ' && m->p[i] < 0x7f)
			text[n++] = (char)m->p[i];
	last = strrchr(text, '\\');
	strcpy(r->share, "share");
	for (unsigned i = 0; last && i < sizeof(known) / sizeof(known[0]); i++)
		if (strncmp(last + 1, known[i], strlen(known[i])) == 0)
			strcpy(r->share, known[i]);
}

static void read_recording(const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
	struct recording *r;
	uint8_t *p;

	if (size < 8)
		return;
	p = talloc_size(NULL, (size_t)size);
	if (pread(fd, p, (size_t)size, 0) != size)
		fail("%s cannot be read", name);
	close(fd);
	recordings = talloc_realloc(NULL, recordings, struct recording, nrecordings + 1);
	r = &recordings[nrecordings++];
	*r = (struct recording){ .share = "share" };
	for (size_t at = 0; at + 4 < (size_t)size;) {
		struct message m = { .p = p + at };
		struct wire_frame f;

		if (!wire_frame_read(p + at, false, &f) || f.len + 4 > (size_t)size - at)
			break;
		m.len = f.len + 4;
		at += m.len;
		if (m.len > MESSAGE_MAX)
			continue;
		r->m = talloc_realloc(NULL, r->m, struct message, r->n + 1);
		r->m[r->n++] = m;
		if (m.len > 40 && (m.p[8] == 0x75 || m.p[8] == 0x70))
			note_share(r, &m);
	}
	if (r->n == 0)
		nrecordings--;
}

static void read_corpus(const char *dir)
{
	glob_t g = { .gl_pathc = 0 };
	char pattern[400];

	snprintf(pattern, sizeof(pattern), "%s/*", dir);
	glob(pattern, 0, NULL, &g);
	for (size_t i = 0; i < g.gl_pathc; i++)
		read_recording(g.gl_pathv[i]);
	globfree(&g);
	if (nrecordings == 0)
		fail("%s holds no recordings", dir);
}

/* ---- spoiling ---- */

static uint8_t msg[2 * MESSAGE_MAX];
static uint32_t len;

static const struct message *any_message(void)
{
	const struct recording *r = &recordings[luck(nrecordings)];

	return &r->m[luck(r->n)];
}

static uint16_t odd_word(void)
{
	static const uint16_t odd[] = { 0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x3fff, 0x7fff, 0x8000, 0xfffe, 0xffff };

	return percent(70) ? odd[luck(sizeof(odd) / sizeof(odd[0]))] : (uint16_t)(percent(50) ? luck(65536) : luck(len + 4));
}

/* An even place among the words, behind the header. */
static uint32_t word_place(void)
{
	uint32_t words = len > 37 ? msg[36] : 0;

	words = 37 + 2 * words + 2 <= len ? words : 0;
	return words && percent(80) ? 37 + 2 * luck(words + 1) : 8 + luck(len > 12 ? len - 10 : 1);
}

static void flip(void) { msg[luck(len)] ^= (uint8_t)(1u << luck(8)); }
static void set_byte(void) { msg[luck(len)] = (uint8_t)luck(256); }
static void set_word(void)
{
	uint32_t at = word_place();

	if (at + 2 <= len)
		put_u16(msg + at, odd_word());
}

static void near_word(void) /* a length or an offset that is nearly right */
{
	uint32_t at = word_place();

	if (at + 2 <= len)
		put_u16(msg + at, (uint16_t)(get_u16(msg + at) + luck(9) - 4));
}

static void swap_words(void)
{
	uint32_t a = word_place(), b = word_place();
	uint16_t x;

	if (a + 2 > len || b + 2 > len)
		return;
	x = get_u16(msg + a);
	put_u16(msg + a, get_u16(msg + b));
	put_u16(msg + b, x);
}

static void cut(void) { len = 4 + luck(len - 4); }

static void grow(void)
{
	uint32_t n = percent(90) ? luck(64) : luck(5000);

	if (len + n > MESSAGE_MAX)
		return;
	for (uint32_t i = 0; i < n; i++)
		msg[len + i] = (uint8_t)(percent(50) ? 0 : luck(256));
	len += n;
}

/* The end of another message behind the beginning of this. */
static void join_halves(void)
{
	const struct message *o = any_message();
	uint32_t at = percent(50) ? 36 : luck(len), n;

	if (at < 4 || at > len || at >= o->len)
		return;
	n = o->len - at;
	memcpy(msg + at, o->p + at, n);
	len = at + n;
}

static void other_command(void)
{
	const struct message *o = any_message();

	if (len > 8)
		msg[8] = o->len > 8 ? o->p[8] : (uint8_t)luck(256);
}

/* Another message's words and bytes as the next link of this one's chain. */
static void chain(void)
{
	const struct message *o = any_message();

	if (len < 41 || msg[36] < 2 || o->len < 39 || len + o->len > MESSAGE_MAX)
		return;
	msg[37] = o->p[8];
	put_u16(msg + 39, (uint16_t)(len - 4));
	memcpy(msg + len, o->p + 36, o->len - 36);
	len += o->len - 36;
}

static void spoil(void)
{
	static void (*const ways[])(void) = { flip, flip, set_byte, set_word, set_word, near_word, near_word, swap_words,
					      cut, grow, join_halves, other_command, chain };
	uint32_t n = 1 + (percent(30) ? luck(6) : 0);

	for (uint32_t i = 0; i < n && len > 4; i++)
		ways[luck(sizeof(ways) / sizeof(ways[0]))]();
	if (!percent(3)) /* most frames tell the truth about their length, or nothing behind them would be looked at */
		wire_frame_write(msg, msg[0] == 0x81 ? 0x81 : percent(99) ? 0 : msg[0], len - 4);
}

/* ---- a connection ---- */

static struct smb smb; /* its login, its socket */
static uint8_t said[EACH_MAX * 4000];
static size_t nsaid;
static uint8_t in[(16u << 20) + (1u << 17)]; /* clients with the UNIX extensions may read that much at once */
static size_t nin;
static bool raw;       /* READ_RAW or encryption may have been asked for: what comes need not be messages */
static bool theirs;    /* the server has ended it */

static void look_at_frames(void)
{
	size_t at = 0;

	while (!raw && nin - at >= 4) {
		struct wire_frame f;
		const char *wrong;

		if (!wire_frame_read(in + at, false, &f)) {
			finding("a frame that begins with %02x %02x %02x %02x", in[at], in[at + 1], in[at + 2], in[at + 3]);
			return;
		}
		if (f.len + 4 > nin - at)
			break;
		wrong = f.type == NBT_MESSAGE ? sane_reply(in + at + 4, f.len) : NULL;
		if (wrong)
			finding("a reply to command 0x%02x: %s", in[at + 8], wrong);
		atomic_fetch_add(&all->replies, 1);
		at += f.len + 4;
	}
	if (raw)
		at = nin;
	memmove(in, in + at, nin - at);
	nin -= at;
}

/* Reads what there is. */
static void take(int fd)
{
	while (!theirs) {
		ssize_t k = recv(fd, in + nin, sizeof(in) - nin, MSG_DONTWAIT);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0 && errno == EAGAIN)
			return;
		if (k <= 0) {
			theirs = true;
			return;
		}
		nin += (size_t)k;
		look_at_frames();
		if (nin == sizeof(in)) {
			finding("a reply longer than %zu bytes", sizeof(in));
			return;
		}
	}
}

static void send_message(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLOUT };
	size_t at;

	if (nsaid + len <= sizeof(said)) {
		memcpy(said + nsaid, msg, len);
		nsaid += len;
	}
	at = nsaid > 2 * MESSAGE_MAX ? nsaid - 2 * MESSAGE_MAX : 0; /* the server may see frames elsewhere than we do */
	raw |= memmem(said + at, nsaid - at, "\xffSMB\x1a", 5) != NULL;
	raw |= len > 8 && msg[5] == 'E';
	for (uint32_t done = 0; done < len && !theirs;) {
		ssize_t k;

		if (poll(&p, 1, PATIENCE) <= 0) {
			finding("the server neither reads nor answers for %d s", PATIENCE / 1000);
			return;
		}
		take(fd);
		k = send(fd, msg + done, len - done, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (k > 0)
			done += (uint32_t)k;
		else if (k < 0 && errno != EAGAIN && errno != EINTR)
			theirs = true;
	}
	atomic_fetch_add(&all->messages, 1);
	if (percent(40)) /* some wait for the answer, some do not */
		poll(&(struct pollfd){ .fd = fd, .events = POLLIN }, 1, 5);
	take(fd);
}

static void keep_said(unsigned client, unsigned turn)
{
	char name[400];
	int fd;

	snprintf(name, sizeof(name), "%s/said-%u-%u", opt.out, client, turn % KEPT);
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, said, nsaid) != (ssize_t)nsaid)
		fail("%s: %s", name, strerror(errno));
	close(fd);
}

/* Most come from an address of their own: one whose logins fail is answered slowly. */
static int dial(unsigned client)
{
	struct sockaddr_in from = { .sin_family = AF_INET }, to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)opt.port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	from.sin_addr.s_addr = htonl(127u << 24 | (percent(80) ? 1u << 16 | luck(65536) << 8 | (1 + luck(250)) : 2 + client / 2));
	if (fd < 0 || bind(fd, (struct sockaddr *)&from, sizeof(from)) != 0 || connect(fd, (struct sockaddr *)&to, sizeof(to)) != 0)
		fail("cannot connect to port %d: %s", opt.port, strerror(errno));
	return fd;
}

static void end_connection(unsigned client, unsigned turn)
{
	struct pollfd p = { .fd = smb.fd, .events = POLLIN };

	if (theirs) {
		atomic_fetch_add(&all->ended, 1);
		keep_said(client, turn);
	} else {
		shutdown(smb.fd, SHUT_WR);
	}
	while (!theirs && !atomic_load(&all->stop)) {
		if (poll(&p, 1, PATIENCE) <= 0) {
			finding("a connection of client %u does not end", client);
			break;
		}
		take(smb.fd);
	}
	if (atomic_load(&all->stop)) /* perhaps because of this one */
		keep_said(client, turn);
	close(smb.fd);
}

/* One recording's messages, from this one on. */
static void play(const struct recording *r, unsigned first, uint32_t much)
{
	for (unsigned i = first, n = 0; i < r->n && n < EACH_MAX && !theirs && !atomic_load(&all->stop); i++, n++) {
		const struct message *m = percent(95) ? &r->m[i] : percent(50) ? any_message() : &r->m[first + luck(r->n - first)];

		memcpy(msg, m->p, m->len);
		len = m->len;
		if (percent(much))
			spoil();
		send_message(smb.fd);
		if (percent(3)) /* once more */
			send_message(smb.fd);
	}
}

static unsigned behind_login(const struct recording *r)
{
	unsigned first = 0;

	while (first < r->n && is_login(&r->m[first]))
		first++;
	return first;
}

static void one_connection(unsigned client, unsigned turn)
{
	const struct recording *r = &recordings[luck(nrecordings)];
	struct target t = { .host = "SMBTEST", .share = r->share, .user = percent(50) ? opt.user : "", .password = opt.password };
	uint32_t much = luck(60) + 10; /* per cent of the messages that are spoiled */
	bool login = percent(75);

	smb = (struct smb){ .fd = dial(client) };
	nsaid = nin = 0;
	raw = theirs = false;
	if (login)
		smb_login(&smb, &t);
	play(r, login ? behind_login(r) : 0, much);
	for (unsigned more = login && percent(60) ? luck(16) : 0; more > 0; more--) { /* others' FIDs are rarely right */
		r = &recordings[luck(nrecordings)];
		play(r, behind_login(r), much);
	}
	atomic_fetch_add(&all->connections, 1);
	end_connection(client, turn);
}

static void client_life(unsigned client)
{
	state = opt.seed * 0x9e3779b97f4a7c15ull + client + 1;
	for (unsigned i = 0; i < 20; i++)
		luck(2);
	for (unsigned turn = 0; !atomic_load(&all->stop) && atomic_load(&all->messages) < opt.messages; turn++)
		one_connection(client, turn);
	exit(0);
}

/* ---- the daemon ---- */

static void read_log(void)
{
	static FILE *f;
	static char line[2000];

	if (!opt.log || (!f && !(f = fopen(opt.log, "r"))))
		return;
	while (fgets(line, sizeof(line), f))
		if (strstr(line, "ended by signal") || strstr(line, "panic:") || strstr(line, "damaged"))
			finding("the log says: %.250s", line);
	clearerr(f);
}

static void look_for_reports(void)
{
	glob_t g = { .gl_pathc = 0 };
	char pattern[400];

	snprintf(pattern, sizeof(pattern), "%s/report.*", opt.out);
	if (glob(pattern, 0, NULL, &g) == 0)
		finding("a sanitizer's report: %s", g.gl_pathv[0]);
	globfree(&g);
}

/* Memory of its own, in KiB; 0: no child of the daemon. */
static unsigned long memory_of(const char *pid)
{
	unsigned long kib = 0;
	char name[300], line[200];
	bool ours = false;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%s/status", pid);
	f = fopen(name, "r");
	while (f && fgets(line, sizeof(line), f)) {
		ours |= strncmp(line, "PPid:", 5) == 0 && atoi(line + 5) == opt.daemon;
		if (strncmp(line, "RssAnon:", 8) == 0)
			kib = strtoul(line + 8, NULL, 10);
	}
	if (f)
		fclose(f);
	return ours ? kib : 0;
}

static unsigned long most;

static void weigh(void)
{
	DIR *d = opt.daemon ? opendir("/proc") : NULL;
	struct dirent *e;

	while (d && (e = readdir(d)) != NULL) {
		unsigned long kib = e->d_name[0] >= '1' && e->d_name[0] <= '9' ? memory_of(e->d_name) : 0;

		most = kib > most ? kib : most;
		if (kib > opt.ceiling * 1024)
			finding("process %s has %lu KiB of memory of its own", e->d_name, kib);
	}
	if (d)
		closedir(d);
}

static int storm(void)
{
	unsigned alive = opt.clients;
	int status;

	fflush(stdout);
	for (unsigned i = 0; i < opt.clients; i++)
		if (fork() == 0)
			client_life(i);
	while (alive > 0) {
		while (alive > 0 && waitpid(-1, &status, WNOHANG) > 0) {
			alive--;
			if (status != 0)
				finding("a client has given up (status %d)", status);
		}
		read_log();
		look_for_reports();
		weigh();
		usleep(200000);
	}
	read_log();
	look_for_reports();
	printf("# %lu messages on %lu connections, %lu replies, %lu ended by the server, %lu KiB in one process at most\n",
	       all->messages, all->connections, all->replies, all->ended, most);
	if (all->stop)
		printf("not ok - %s\n", all->finding);
	return all->stop;
}

/* ---- what is left in the databases ---- */

static int count(struct tdb_context *tdb, TDB_DATA key, TDB_DATA rec, void *arg)
{
	(void)tdb, (void)key, (void)rec;
	++*(unsigned *)arg;
	return 0;
}

static int left(const char *folder)
{
	glob_t g = { .gl_pathc = 0 };
	unsigned sum = 0;
	char pattern[400];

	snprintf(pattern, sizeof(pattern), "%s/*.tdb", folder);
	glob(pattern, 0, NULL, &g);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct tdb_context *tdb = tdb_open(g.gl_pathv[i], 0, TDB_NOLOCK, O_RDONLY, 0);
		unsigned n = 0;

		if (!tdb || tdb_traverse_read(tdb, count, &n) < 0)
			fail("%s cannot be read", g.gl_pathv[i]);
		tdb_close(tdb);
		if (n)
			printf("# %s: %u records\n", g.gl_pathv[i], n);
		sum += n;
	}
	globfree(&g);
	return sum > 0;
}

int main(int argc, char **argv)
{
	int i = 1;

	signal(SIGPIPE, SIG_IGN);
	if (argc == 3 && strcmp(argv[1], "--left") == 0)
		return left(argv[2]);
	for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
		const char *v = argv[i + 1], *o = argv[i] + 2;

		if (strcmp(o, "seed") == 0)
			opt.seed = strtoull(v, NULL, 0);
		else if (strcmp(o, "messages") == 0)
			opt.messages = strtoul(v, NULL, 0);
		else if (strcmp(o, "clients") == 0)
			opt.clients = (unsigned)atoi(v);
		else if (strcmp(o, "user") == 0)
			opt.user = v;
		else if (strcmp(o, "password") == 0)
			opt.password = v;
		else if (strcmp(o, "log") == 0)
			opt.log = v;
		else if (strcmp(o, "daemon") == 0)
			opt.daemon = atoi(v);
		else if (strcmp(o, "ceiling") == 0)
			opt.ceiling = strtoul(v, NULL, 0);
		else
			fail("what is %s?", argv[i]);
	}
	if (argc - i != 3 || opt.clients < 1 || opt.clients > CLIENTS_MAX)
		fail("usage: storm [OPTION VALUE ...] PORT CORPUS OUT");
	opt.port = atoi(argv[i]);
	read_corpus(argv[i + 1]);
	opt.out = argv[i + 2];
	all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return all == MAP_FAILED ? 1 : storm();
}
