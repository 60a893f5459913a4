/* msg.c - datagrams between workers.
 *
 *   body: version u8, type u8, sender's pid u32 and start time u64, then what the type says
 *
 * A worker has given up its rights when it sends, so paths go through /proc/self/fd/N of the
 * folder, which is open since the start; the folder can be searched but not listed. */
#include "db/msg.h"
#include "base/log.h"
#include "base/util.h"
#include "db/internal.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define MSG_VERSION 1u
#define HEAD (2u + OWNER_BYTES)
#define PER_CALL 64

struct msg_box {
	struct db *db;
	int fd;
	uid_t maker; /* the daemon's user */
	uint32_t heard; /* its bell, when we last looked */
	pid_t me;
	int came;    /* a descriptor with the message at hand, -1 none */
};

/* ---- names ---- */

static void socket_name(const struct db *db, const struct db_owner *o, char out[33])
{
	struct sha256_ctx sha;
	static const char hex[] = "0123456789abcdef";
	uint8_t in[OWNER_BYTES], sum[16];
	struct wr w = wr_over(in, sizeof(in));

	wr_owner(&w, o);
	sha256_init(&sha);
	sha256_update(&sha, sizeof(db->msg_key), db->msg_key);
	sha256_update(&sha, sizeof(in), in);
	sha256_digest(&sha, sizeof(sum), sum);
	for (int i = 0; i < 16; i++) {
		out[2 * i] = hex[sum[i] >> 4];
		out[2 * i + 1] = hex[sum[i] & 15];
	}
	out[32] = '\0';
}

static socklen_t address(const struct db *db, const char *name, struct sockaddr_un *sa)
{
	*sa = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(sa->sun_path, sizeof(sa->sun_path), "/proc/self/fd/%d/%s", db->msg_dir, name);
	return sizeof(*sa);
}

static bool send_to(int fd, const struct db *db, const char *name, enum msg_type type, const void *body, size_t len)
{
	uint8_t buf[HEAD + MSG_MAX];
	struct wr w = wr_over(buf, sizeof(buf));
	struct db_owner me = db_me();
	struct sockaddr_un sa;

	wr_u8(&w, MSG_VERSION);
	wr_u8(&w, (uint8_t)type);
	wr_owner(&w, &me);
	wr_bytes(&w, body, len);
	if (!wr_ok(&w))
		return false;
	address(db, name, &sa);
	return sendto(fd, buf, w.pos, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&sa, sizeof(sa)) >= 0;
}

/* ---- at the start of the daemon ---- */

/* The key outlives the daemon, because workers of an earlier one may live on beside us. */
static bool load_key(struct db *db)
{
	int fd = openat(db->msg_dir, "key", O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd >= 0) {
		ssize_t n = read(fd, db->msg_key, sizeof(db->msg_key));

		close(fd);
		if (n == (ssize_t)sizeof(db->msg_key))
			return true;
	}
	util_random(db->msg_key, sizeof(db->msg_key));
	unlinkat(db->msg_dir, "key", 0);
	fd = openat(db->msg_dir, "key", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return false;
	if (write(fd, db->msg_key, sizeof(db->msg_key)) != (ssize_t)sizeof(db->msg_key)) {
		close(fd);
		return false;
	}
	return close(fd) == 0;
}

/* Sockets nobody listens at any more. */
static void sweep(struct db *db)
{
	int fd = openat(db->msg_dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), s;
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;
	struct sockaddr_un sa;

	s = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	while (d && s >= 0 && (e = readdir(d)) != NULL) {
		if (strlen(e->d_name) != 32)
			continue;
		address(db, e->d_name, &sa);
		if (connect(s, (struct sockaddr *)&sa, sizeof(sa)) != 0 && errno == ECONNREFUSED)
			unlinkat(db->msg_dir, e->d_name, 0);
	}
	if (s >= 0)
		close(s);
	if (d)
		closedir(d);
}

bool box_prepare(struct db *db, const char *lock_directory, const char **why)
{
	static char text[300];
	int at = open(lock_directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (at >= 0 && (mkdirat(at, "msg", 0711) == 0 || errno == EEXIST)) {
		db->msg_dir = openat(at, "msg", O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		if (fchmodat(at, "msg", 0711, 0) != 0)
			log_at(LOG_TDB, 2, "%s/msg keeps its mode: %s", lock_directory, strerror(errno));
	}
	if (at >= 0)
		close(at);
	if (db->msg_dir < 0 || !load_key(db)) {
		snprintf(text, sizeof(text), "cannot use %s/msg: %s", lock_directory, strerror(errno));
		*why = text;
		return false;
	}
	sweep(db);
	return true;
}

void box_tell_all(struct db *db, enum msg_type type, const void *body, size_t len)
{
	int fd = openat(db->msg_dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), s;
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;

	s = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	while (d && s >= 0 && (e = readdir(d)) != NULL)
		if (strlen(e->d_name) == 32)
			(void)send_to(s, db, e->d_name, type, body, len);
	if (s >= 0)
		close(s);
	if (d)
		closedir(d);
}

void box_forget(struct db *db, pid_t pid, uint64_t start_time)
{
	struct db_owner o = { pid, start_time };
	char name[33];

	socket_name(db, &o, name);
	unlinkat(db->msg_dir, name, 0);
}

/* ---- a worker's box ---- */

static int box_close(struct msg_box *box)
{
	struct db_owner me = db_me();

	if (box->fd >= 0)
		close(box->fd);
	if (geteuid() == box->maker) /* who may write the folder; for others the listener does it */
		box_forget(box->db, me.pid, me.start_time);
	return 0;
}

/* By its plain name while we may walk there: a look into /proc costs the kernel more than all the rest of it.  Open to
 * all: other workers run as other users; the name is the secret. */
static int bind_box(const struct db *db, int fd, const char *name)
{
	struct sockaddr_un sa = { .sun_family = AF_UNIX };
	int n = snprintf(sa.sun_path, sizeof(sa.sun_path), "%s/msg/%s", db->dir, name), r;
	mode_t mask = umask(0);

	if (n >= (int)sizeof(sa.sun_path))
		address(db, name, &sa);
	r = bind(fd, (struct sockaddr *)&sa, sizeof(sa));
	if (r != 0 && errno == EADDRINUSE) { /* of somebody who had our pid and our start time: another boot's */
		unlinkat(db->msg_dir, name, 0);
		r = bind(fd, (struct sockaddr *)&sa, sizeof(sa));
	}
	(void)umask(mask);
	return r;
}

struct msg_box *box_open(TALLOC_CTX *mem, struct db *db, const char **why)
{
	static char text[200];
	struct msg_box *box = talloc_zero(mem, struct msg_box);
	struct db_owner me = db_me();
	char name[33];
	int on = 1;

	if (!box)
		return NULL;
	box->db = db;
	box->maker = geteuid();
	box->came = -1;
	box->me = me.pid;
	box->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	(void)setsockopt(box->fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on));
	socket_name(db, &me, name);
	if (box->fd < 0 || bind_box(db, box->fd, name) != 0) {
		snprintf(text, sizeof(text), "no message socket: %s", strerror(errno));
		*why = text;
		if (box->fd >= 0)
			close(box->fd);
		talloc_free(box);
		return NULL;
	}
	talloc_set_destructor(box, box_close);
	box->heard = bell_count(db, box->me);
	return box;
}

int box_fd(const struct msg_box *box) { return box->fd; }

HOT bool box_rung(struct msg_box *box)
{
	uint32_t before = box->heard;

	box->heard = bell_count(box->db, box->me);
	return box->heard != before;
}

static bool send_from(int fd, struct db *db, const struct db_owner *to, enum msg_type type, const void *body,
		      size_t len)
{
	char name[33];

	socket_name(db, to, name);
	if (send_to(fd, db, name, type, body, len)) {
		bell_ring(db, to->pid);
		return true;
	}
	log_at(LOG_LOCKING, 2, "no message to process %ld: %s", (long)to->pid, strerror(errno));
	return false;
}

bool box_send(struct msg_box *box, const struct db_owner *to, enum msg_type type, const void *body, size_t len)
{
	return send_from(box->fd, box->db, to, type, body, len);
}

bool box_send_once(struct db *db, const struct db_owner *to, enum msg_type type, const void *body, size_t len)
{
	int fd = db->msg_dir >= 0 ? socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) : -1;
	bool ok = fd >= 0 && send_from(fd, db, to, type, body, len);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* ---- a control socket for a worker whose listener was killed ---- */

static void send_fd(int s, struct db *db, const char *name, int fd)
{
	union { struct cmsghdr h; char room[CMSG_SPACE(sizeof(int))]; } control = { .h = {
		.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS } };
	struct db_owner me = db_me();
	struct sockaddr_un sa;
	uint8_t buf[HEAD];
	struct wr w = wr_over(buf, sizeof(buf));
	struct iovec iov = { buf, sizeof(buf) };
	struct msghdr mh = { .msg_name = &sa, .msg_namelen = sizeof(sa), .msg_iov = &iov, .msg_iovlen = 1,
			     .msg_control = &control, .msg_controllen = sizeof(control) };

	wr_u8(&w, MSG_VERSION);
	wr_u8(&w, MSG_ADOPT);
	wr_owner(&w, &me);
	memcpy(CMSG_DATA(&control.h), &fd, sizeof(fd));
	address(db, name, &sa);
	(void)sendmsg(s, &mh, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void box_offer_all(struct db *db, int (*make)(void *arg, const char *name), void *arg)
{
	int at = openat(db->msg_dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), s, fd;
	DIR *d = at >= 0 ? fdopendir(at) : NULL;
	struct dirent *e;

	s = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	while (d && s >= 0 && (e = readdir(d)) != NULL) {
		fd = strlen(e->d_name) == 32 ? make(arg, e->d_name) : -1;
		if (fd < 0)
			continue;
		send_fd(s, db, e->d_name, fd);
		close(fd);
	}
	if (s >= 0)
		close(s);
	if (d)
		closedir(d);
}

bool box_is_named(const struct db *db, const char *name, const struct db_owner *o)
{
	char right[33];

	socket_name(db, o, right);
	return strcmp(name, right) == 0;
}

int box_take_fd(struct msg_box *box)
{
	int fd = box->came;

	box->came = -1;
	return fd;
}

static void drop_fd(struct msg_box *box)
{
	if (box->came >= 0)
		close(box->came);
	box->came = -1;
}

/* One datagram; of a descriptor with it only the daemon's user's is kept. */
static ssize_t take(struct msg_box *box, uint8_t *buf, size_t size)
{
	union { struct cmsghdr h; char room[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(sizeof(int))]; } control;
	struct iovec iov = { buf, size };
	struct msghdr mh = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control) };
	ssize_t n = recvmsg(box->fd, &mh, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	struct ucred cred = { .uid = (uid_t)-1 };
	bool known = false;

	if (n < 0)
		return n;
	for (struct cmsghdr *c = CMSG_FIRSTHDR(&mh); c; c = CMSG_NXTHDR(&mh, c)) {
		if (c->cmsg_type == SCM_CREDENTIALS && c->cmsg_len == CMSG_LEN(sizeof(cred))) {
			memcpy(&cred, CMSG_DATA(c), sizeof(cred));
			known = true;
		} else if (c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof(int))) {
			drop_fd(box);
			memcpy(&box->came, CMSG_DATA(c), sizeof(int));
		} else if (c->cmsg_type == SCM_RIGHTS) { /* there is room for two in the padding */
			int fd[2] = { -1, -1 };

			memcpy(fd, CMSG_DATA(c), min_u64(c->cmsg_len - CMSG_LEN(0), sizeof(fd)));
			for (size_t i = 0; i < ARRAY_LEN(fd); i++)
				if (fd[i] >= 0)
					close(fd[i]);
		}
	}
	if (!known || cred.uid != box->maker)
		drop_fd(box);
	return n;
}

void box_receive(struct msg_box *box,
		 void (*fn)(void *arg, enum msg_type type, const struct db_owner *from, struct rd body), void *arg)
{
	uint8_t buf[HEAD + MSG_MAX];

	for (int i = 0; i < PER_CALL; i++) {
		ssize_t n = take(box, buf, sizeof(buf));
		struct db_owner from;
		struct rd r;
		uint8_t type;

		if (n < 0)
			return;
		r = rd_over(buf, (size_t)n);
		if (rd_u8(&r) != MSG_VERSION)
			r.bad = true;
		type = rd_u8(&r);
		from = rd_owner(&r);
		if (rd_ok(&r) && type >= 1 && type < MSG_TYPES)
			fn(arg, (enum msg_type)type, &from, r);
		else
			log_at(LOG_LOCKING, 1, "a malformed message of %ld bytes was dropped", (long)n);
		drop_fd(box);
	}
}
