/* walls.c - what each kind of process gives up: descriptors, root folder, user, capabilities, limits.
 *
 *              files        user                  capabilities            system calls
 *   listener   all          root                  all                     all
 *   keeper     all          root                  pass file modes         all
 *   porch      none         one without account   none                    a handful
 *   nurseries  as those they fork, who give up the rest themselves (nursery.c)
 *   worker     shares       the client's          become who logged in    no exec, no fork
 *   broker     all          one without account   change others' files    no exec, no fork
 *
 * Started without root, or in a container that takes rights away, we serve with what is there and say which
 * wall is missing. */
#include "proc/inner.h"
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/securebits.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#define NOBODY_AT_ALL 64987 /* a user id that no distribution gives to anybody */

static bool uses_syslog;
static atomic_uchar *said; /* shared by all processes; a hostile porch can at most silence a line */

void walls_setup(void)
{
	void *p = mmap(NULL, WALL_KINDS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p != MAP_FAILED)
		said = p;
}

void walls_missing(enum wall w, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	if (said && atomic_exchange(&said[w], 1))
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	log_at(LOG_PROC, 1, "missing wall: %s", text);
}

static bool stands(enum wall w) { return !said || !atomic_load(&said[w]); }

char *walls_list(TALLOC_CTX *mem, const struct daemon *d)
{
	const char *fence = fence_missing(d->fence);
	bool root = d->root;

	return talloc_asprintf(mem, "own user %s, empty root before login %s, system calls %s, identities %s, capabilities %s, "
			       "no new privileges %s, folders %s%s%s%s",
			       root && stands(WALL_USER) ? "yes" : "no", root && stands(WALL_CHROOT) ? "yes" : "no",
			       stands(WALL_SECCOMP) ? "yes" : "no",
			       !root ? "no" : !stands(WALL_SECCOMP) ? "no" : !stands(WALL_ROOT) ? "yes, and root" : "yes",
			       stands(WALL_CAPS) && stands(WALL_BITS) ? "yes" : "no", stands(WALL_NEW_PRIVS) ? "yes" : "no",
			       fence ? "no" : "yes", fence ? " (" : "", fence ? fence : "", fence ? ")" : "");
}

/* ---- descriptors ---- */
static void close_span(unsigned first, unsigned last)
{
	if (first > last || syscall(SYS_close_range, first, last, 0) == 0)
		return;
	/* before Linux 5.9 */
	if (last > 65535)
		last = 65535;
	for (unsigned fd = first; fd <= last; fd++)
		close((int)fd);
}

void walls_syslog(bool used) { uses_syslog = used; }

void walls_close_others(const int *keep, unsigned n)
{
	unsigned next = 3;

	if (uses_syslog) /* its descriptor is unknown to us, and must not be taken for another's later */
		closelog();
	for (;;) { /* the smallest kept descriptor from `next` on */
		unsigned found = ~0u;

		for (unsigned i = 0; i < n; i++)
			if (keep[i] >= (int)next && (unsigned)keep[i] < found)
				found = (unsigned)keep[i];
		if (found == ~0u)
			break;
		if (found > next)
			close_span(next, found - 1);
		next = found + 1;
	}
	close_span(next, ~0u);
	if (uses_syslog)
		openlog("smb1d", LOG_PID | LOG_NDELAY, LOG_DAEMON);
}

/* ---- capabilities, without a library ---- */
#define CAP_BIT(c) (1ull << (c))

static bool caps_get(uint64_t *permitted)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2] = { { 0 } };

	if (syscall(SYS_capget, &h, d) != 0)
		return false;
	*permitted = d[0].permitted | (uint64_t)d[1].permitted << 32;
	return true;
}

static bool caps_set(uint64_t permitted, uint64_t effective)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2] = {
		{ .permitted = (uint32_t)permitted, .effective = (uint32_t)effective },
		{ .permitted = (uint32_t)(permitted >> 32), .effective = (uint32_t)(effective >> 32) },
	};

	return syscall(SYS_capset, &h, d) == 0;
}

/* No program we might be tricked into starting gets more than `keep`.  With "no new privileges" it gets none at all:
 * the forty calls that say the same are only for kernels without it. */
static void caps_bound(uint64_t keep)
{
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
		return;
	for (int c = 0; c < 64; c++)
		if (!(keep & CAP_BIT(c)) && prctl(PR_CAPBSET_DROP, c, 0, 0, 0) != 0 && errno == EINVAL)
			break; /* the kernel knows no more */
}

static void no_new_privileges(void)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		walls_missing(WALL_NEW_PRIVS, "the kernel knows no \"no new privileges\": %s", strerror(errno));
	(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/* ---- porch ---- */
static uid_t unused_uid(uid_t guest)
{
	uid_t uid = NOBODY_AT_ALL;

	for (int tries = 0; tries < 100 && (uid == guest || getpwuid(uid) != NULL); tries++)
		uid--;
	return uid;
}

static void choose_user(struct porch_walls *p, const struct conf *c)
{
	struct passwd *pw = getpwnam(c->g.guest_account);
	uid_t guest = pw ? pw->pw_uid : 65534;

	/* never the guest's account: what guests own would be open to who has not even logged in */
	pw = *c->g.smb1d_porch_user ? getpwnam(c->g.smb1d_porch_user) : NULL;
	if (pw && pw->pw_uid != 0 && pw->pw_uid != guest) {
		p->uid = pw->pw_uid;
		p->gid = pw->pw_gid;
	} else {
		if (pw)
			log_at(LOG_PROC, 1, "`smb1d: porch user = %s` is %s: a user id without account is used instead",
			       c->g.smb1d_porch_user, pw->pw_uid == 0 ? "root" : "the guest account");
		p->uid = unused_uid(guest);
		p->gid = p->uid;
	}
}

/* In a child of a moment: whoever asks the system for users gets its modules into memory, which each process of each
 * client would have to take over from us and drop again. */
static bool choose_user_aside(struct porch_walls *p, const struct conf *c)
{
	bool told = false;
	pid_t child;
	int fd[2];

	if (pipe2(fd, O_CLOEXEC) != 0)
		return false;
	child = fork();
	if (child == 0) {
		choose_user(p, c);
		_exit(write(fd[1], p, sizeof(*p)) != (ssize_t)sizeof(*p));
	}
	close(fd[1]);
	if (child > 0) {
		told = read(fd[0], p, sizeof(*p)) == (ssize_t)sizeof(*p);
		(void)waitpid(child, NULL, 0);
	}
	close(fd[0]);
	return told;
}

void walls_porch_prepare(struct porch_walls *p, const struct conf *c)
{
	if (!choose_user_aside(p, c))
		choose_user(p, c);
	snprintf(p->empty, sizeof(p->empty), "%s/empty", c->g.lock_directory);
	if (mkdir(p->empty, 0555) != 0 && errno != EEXIST)
		log_error(LOG_PROC, "cannot make %s: %s", p->empty, strerror(errno));
}

static void limit(int what, rlim_t n)
{
	struct rlimit r = { .rlim_cur = n, .rlim_max = n };

	(void)setrlimit(what, &r);
}

static void drop_user(const struct porch_walls *p)
{
	if (setgroups(0, NULL) == 0 && setresgid(p->gid, p->gid, p->gid) == 0 &&
	    setresuid(p->uid, p->uid, p->uid) == 0)
		return;
	walls_missing(WALL_USER, "before login a connection's process keeps user id %ld: %s", (long)geteuid(),
		      strerror(errno));
}

static void enter_empty_root(const struct porch_walls *p)
{
	struct stat st;

	/* root's own and closed to others, or somebody could put something into it */
	if (lstat(p->empty, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == 0 && (st.st_mode & 022) == 0 &&
	    chdir(p->empty) == 0 && chroot(".") == 0)
		return;
	walls_missing(WALL_CHROOT, "before login a connection's process sees the file tree: the empty root %s "
		      "cannot be entered", p->empty);
}

/* The record of a hand-over, and more lines for the log than one login can bring. */
static rlim_t room_to_write(void)
{
	struct stat st;

	if (log_fd() >= 0 && fstat(log_fd(), &st) == 0 && S_ISREG(st.st_mode))
		return (rlim_t)st.st_size + (8u << 20);
	return HANDOVER_MAX;
}

void walls_porch(const struct porch_walls *p, const int *keep, unsigned n, unsigned more)
{
	int top = 2;

	for (unsigned i = 0; i < n; i++)
		if (keep[i] > top)
			top = keep[i];
	walls_close_others(keep, n);
	if (geteuid() == 0) {
		enter_empty_root(p);
		caps_bound(0);
		drop_user(p);
	}
	(void)caps_set(0, 0);
	no_new_privileges();
	limit(RLIMIT_NOFILE, (rlim_t)top + more + 6);
	limit(RLIMIT_CORE, 0);
	signal(SIGXFSZ, SIG_IGN);
}

void walls_porch_last(void)
{
	limit(RLIMIT_NPROC, 0);
	limit(RLIMIT_FSIZE, room_to_write());
}

/* ---- keeper ---- */
void walls_keeper(void)
{
	uint64_t have, keep = CAP_BIT(CAP_DAC_OVERRIDE) | CAP_BIT(CAP_DAC_READ_SEARCH);

	no_new_privileges();
	limit(RLIMIT_CORE, 0); /* a picture of our memory holds password hashes */
	if (geteuid() != 0 || !caps_get(&have))
		return;
	caps_bound(keep);
	if (!caps_set(have & keep, have & keep))
		walls_missing(WALL_CAPS, "the keeper keeps all capabilities: %s", strerror(errno));
}

/* ---- worker, watcher ---- */
static bool leave_root(uid_t uid, gid_t gid, uint64_t keep, uint64_t effective)
{
	if (prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
		  SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS, 0, 0, 0) != 0) {
		walls_missing(WALL_BITS, "user id 0 keeps its powers in workers: %s", strerror(errno));
		(void)prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
	}
	if (setgroups(0, NULL) != 0 || setresgid(gid, gid, gid) != 0 || setresuid(uid, uid, uid) != 0) {
		log_error(LOG_PROC, "cannot become user id %ld: %s; the connection ends", (long)uid, strerror(errno));
		return false;
	}
	if (!caps_set(keep, effective)) {
		log_error(LOG_PROC, "cannot give up capabilities: %s; the connection ends", strerror(errno));
		return false;
	}
	return true;
}

void walls_worker_base(void)
{
	if (geteuid() == 0)
		caps_bound(0);
	no_new_privileges();
	limit(RLIMIT_CORE, 0);
	(void)seccomp_worker_base(); /* walls_worker() says so if there is none */
}

bool walls_worker(const struct worker_walls *w)
{
	uint64_t have = 0, become = CAP_BIT(CAP_SETUID) | CAP_BIT(CAP_SETGID), keep = become;
	bool filtered;

	if (w->files)
		keep |= CAP_BIT(CAP_DAC_OVERRIDE) | CAP_BIT(CAP_FOWNER) | CAP_BIT(CAP_CHOWN) | CAP_BIT(CAP_FSETID);
	if (geteuid() == 0 && caps_get(&have) && !leave_root(w->uid, w->gid, have & keep, have & become))
		return false;
	(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* again: who changes his user becomes what the host's settings say */
	if (!fence_enter(w->fence)) {
		log_error(LOG_PROC, "the fence around the shares cannot be put up: %s; the connection ends", strerror(errno));
		return false;
	}
	filtered = seccomp_worker(w->key, w->may_be_root);
	str_wipe(w->key, TICKET_KEY * sizeof(*w->key));
	if (!filtered)
		walls_missing(WALL_SECCOMP, "no filter of system calls: %s", strerror(errno));
	return true;
}

bool walls_watcher(const struct porch_walls *p)
{
	uint64_t have = 0, keep = CAP_BIT(CAP_DAC_READ_SEARCH);

	if (geteuid() == 0 && caps_get(&have)) {
		if (!(have & keep)) /* containers have the other one */
			keep = CAP_BIT(CAP_DAC_OVERRIDE);
		caps_bound(0);
		if (!leave_root(p->uid, p->gid, have & keep, have & keep))
			return false;
	}
	no_new_privileges();
	limit(RLIMIT_CORE, 0);
	if (!seccomp_worker(NULL, false))
		walls_missing(WALL_SECCOMP, "no filter of system calls: %s", strerror(errno));
	return true;
}

#define BROKER_CAPS (CAP_BIT(CAP_FOWNER) | CAP_BIT(CAP_CHOWN) | CAP_BIT(CAP_SETUID) | CAP_BIT(CAP_SETGID))

static uint64_t for_quotas; /* CAP_SYS_ADMIN, kept but not in effect; or none */

bool walls_broker_raise(bool up) { return caps_set(BROKER_CAPS | for_quotas, up ? BROKER_CAPS : 0); }

bool walls_broker_quota(bool up)
{
	return for_quotas && caps_set(BROKER_CAPS | for_quotas, BROKER_CAPS | (up ? for_quotas : 0));
}

bool walls_broker(const struct porch_walls *p, bool quotas)
{
	uint64_t have = 0;

	if (quotas && caps_get(&have))
		for_quotas = have & CAP_BIT(CAP_SYS_ADMIN);
	caps_bound(0);
	if (!leave_root(p->uid, p->gid, BROKER_CAPS | for_quotas, BROKER_CAPS))
		return false;
	no_new_privileges();
	limit(RLIMIT_CORE, 0);
	if (!seccomp_broker())
		walls_missing(WALL_SECCOMP, "no filter of system calls: %s", strerror(errno));
	return true;
}
