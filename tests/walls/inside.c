/* inside.c - smb1d with a traitor inside: once its walls stand, each process tries to get out and says in the log what
 * came of it.  Linked into build/smb1d-walls alone, around three calls of the real thing (tests/clients/walls.sh):
 *
 *   SMB1D_TRY=NAME       a porch makes this forbidden call and dies of it
 *   SMB1D_OUTSIDE=DIR    a folder outside the shares: DIR/file everybody may read, DIR itself everybody may write to
 *   SMB1D_SHARE=DIR      a share, with DIR/file
 *   SMB1D_LISTS=DIR      folders that are shares with lists of who may enter or write (try_lists), DIR/NAME/file everybody may write
 *   SMB1D_NAMED=USER     whom a command claims to be for
 *   SMB1D_STRANGER=UID, SMB1D_GROUP=GID   a user who has not logged in, a group our user is not in */
#include "proc/inner.h"
#include "srv/exec.h"
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *who;

static void say(const char *what, bool held)
{
	int err = errno;

	log_error(LOG_PROC, "inside %s: %s: %s (%s)", who, what, held ? "held" : "OUT", strerror(err));
}

/* r < 0: the wall held. */
static void must_fail(const char *what, long r) { say(what, r < 0); }

static const char *in(const char *variable, const char *name)
{
	static char path[2][512];
	static unsigned turn;
	const char *dir = getenv(variable);

	snprintf(path[++turn % 2], sizeof(path[0]), "%s%s", dir ? dir : "/nonexistent", name);
	return path[turn % 2];
}

/* Sockets that connections come from, ways to the listener and the keeper that are not this process' own, and, with `most`,
 * anything but so many descriptors. */
static void try_descriptors(unsigned ways, unsigned most)
{
	unsigned n = 0, found = 0;
	bool listening = false;

	for (int fd = 3; fd < 4096; fd++) {
		int on = 0, domain = 0, type = 0;
		socklen_t len = sizeof(int);

		if (fcntl(fd, F_GETFD) < 0)
			continue;
		n++;
		listening |= getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &on, &len) == 0 && on;
		found += getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &len) == 0 && domain == AF_UNIX &&
			 getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) == 0 && type == SOCK_SEQPACKET;
	}
	say("a listening socket", !listening);
	say("sockets of others", found <= ways);
	say("descriptors of others", most == 0 || n <= most);
}

/* ---- before login ---- */
bool __real_seccomp_porch(bool nursery);
bool __wrap_seccomp_porch(bool nursery);
void __real_walls_porch_last(void);
void __wrap_walls_porch_last(void);

static void die_of(const char *call)
{
	if (strcmp(call, "exec") == 0)
		execl("/bin/true", "true", NULL);
	else if (strcmp(call, "fork") == 0)
		(void)!fork();
	else if (strcmp(call, "unlink") == 0)
		unlink("/x");
	else if (strcmp(call, "setuid") == 0)
		(void)!setuid(0);
	else if (strcmp(call, "ptrace") == 0)
		ptrace(PTRACE_ATTACH, getppid(), 0, 0);
	else
		return;
	say(call, false); /* still alive */
}

/* In the porches' nursery, or in a porch that the listener has forked. */
bool __wrap_seccomp_porch(bool nursery)
{
	who = "porch";
	try_descriptors(1, 4); /* the client, the door, the log, a moment's own */
	must_fail("/etc/passwd before the filter", open("/etc/passwd", O_RDONLY));
	must_fail("a file before the filter", open("/x", O_RDWR | O_CREAT, 0600));
	must_fail("uid 0 before the filter", setuid(0));
	return __real_seccomp_porch(nursery);
}

/* In each porch, before it reads a byte of its client. */
void __wrap_walls_porch_last(void)
{
	const char *call = getenv("SMB1D_TRY");
	struct rlimit more = { 10, 10 };

	__real_walls_porch_last();
	must_fail("open", open("/", O_RDONLY | O_DIRECTORY));
	must_fail("create", open("/x", O_RDWR | O_CREAT, 0600));
	must_fail("socket", socket(AF_INET, SOCK_STREAM, 0));
	must_fail("a process as the nursery makes them", syscall(SYS_clone, NURSERY_CLONE, 0, 0, 0, 0));
	must_fail("room for processes", setrlimit(RLIMIT_NPROC, &more));
	if (call)
		die_of(call);
}

/* ---- after login ---- */
void __real_loop_run(struct loop *l);
void __wrap_loop_run(struct loop *l);

static void try_files(void)
{
	char mine[512], proc[64];

	snprintf(mine, sizeof(mine), "%s", in("SMB1D_SHARE", "/file"));
	errno = 0;

	say("a file of the share", open(mine, O_RDONLY) >= 0); /* the walls are not so narrow that nothing goes */
	say("a new file in the share", open(in("SMB1D_SHARE", "/made"), O_RDWR | O_CREAT, 0600) >= 0);
	must_fail("a file outside", open(in("SMB1D_OUTSIDE", "/file"), O_RDONLY));
	must_fail("a folder outside", open(in("SMB1D_OUTSIDE", ""), O_RDONLY | O_DIRECTORY));
	must_fail("a new file outside", open(in("SMB1D_OUTSIDE", "/made"), O_RDWR | O_CREAT, 0600));
	must_fail("a new folder outside", mkdir(in("SMB1D_OUTSIDE", "/folder"), 0700));
	must_fail("a socket outside", mknod(in("SMB1D_OUTSIDE", "/pipe"), S_IFIFO | 0600, 0));
	must_fail("a link out", link(mine, in("SMB1D_OUTSIDE", "/linked")));
	must_fail("a rename out", rename(in("SMB1D_SHARE", "/made"), in("SMB1D_OUTSIDE", "/renamed")));
	must_fail("removing outside", unlink(in("SMB1D_OUTSIDE", "/file")));
	must_fail("cutting outside", truncate(in("SMB1D_OUTSIDE", "/file"), 0));
	must_fail("/etc/hostname", open("/etc/hostname", O_RDONLY));
	must_fail("writing to /etc/passwd", open("/etc/passwd", O_WRONLY));
	snprintf(proc, sizeof(proc), "/proc/%ld/mem", (long)getppid());
	must_fail("the listener's memory", open(proc, O_RDONLY));
}

static void try_ids(void)
{
	uid_t stranger = (uid_t)atoi(getenv("SMB1D_STRANGER") ? getenv("SMB1D_STRANGER") : "1");

	must_fail("uid 0", syscall(SYS_setresuid, 0, 0, 0, 0, 0));
	must_fail("uid 0 as the effective one", syscall(SYS_setresuid, -1, 0, -1, 0, 0));
	must_fail("uid 0 by setuid", syscall(SYS_setuid, 0));
	must_fail("another user", syscall(SYS_setresuid, stranger, stranger, stranger, 0, 0));
	must_fail("another user by setreuid", syscall(SYS_setreuid, stranger, stranger));
	must_fail("another group", syscall(SYS_setresgid, 0, 0, 0, 0, 0));
	must_fail("users of its own", unshare(CLONE_NEWUSER));
	must_fail("a process with users of its own", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
}

static void try_processes(void)
{
	char buf[8];
	struct iovec iov = { buf, sizeof(buf) }, far = { (void *)(uintptr_t)&who, sizeof(buf) };

	must_fail("exec", execl("/bin/true", "true", NULL));
	must_fail("fork", fork());
	must_fail("ptrace", ptrace(PTRACE_ATTACH, getppid(), 0, 0));
	must_fail("reading another process", process_vm_readv(getppid(), &iov, 1, &far, 1, 0));
	must_fail("a signal to the listener", kill(getppid(), SIGCONT));
	must_fail("chroot", chroot("/"));
	must_fail("mount", mount("none", "/mnt", "tmpfs", 0, NULL));
}

/* ---- the broker ---- */
void __real_fs_process_favours(int (*ask)(void *arg, struct fs_favour *f), void *arg);
void __wrap_fs_process_favours(int (*ask)(void *arg, struct fs_favour *f), void *arg);

static int (*broker)(void *arg, struct fs_favour *f);
static void *broker_arg;
static enum fs_favour_reason because;

void __wrap_fs_process_favours(int (*ask)(void *arg, struct fs_favour *f), void *arg)
{
	broker = ask;
	broker_arg = arg;
	__real_fs_process_favours(ask, arg);
}

static int favour(const char *file, struct fs_favour f)
{
	int folder = open(in("SMB1D_SHARE", ""), O_PATH), err;

	f.fd = open(file, O_PATH);
	f.folder = folder;
	if (f.what == FS_FAVOUR_TIMES)
		f.times[0] = f.times[1] = (struct timespec){ .tv_sec = 1000000000 };
	err = broker(broker_arg, &f);
	because = f.no.reason;
	close(f.fd);
	close(folder);
	errno = -err;
	return err;
}

/* It must be refused, and for this reason. */
static void must_fail_for(const char *what, int err, enum fs_favour_reason reason)
{
	char text[100];

	must_fail(what, err);
	snprintf(text, sizeof(text), "%s: the reason", what);
	errno = 0;
	say(text, err < 0 && because == reason);
}

/* `file` is root's, and everybody may write to it, `setid` too; `secret` is root's alone. */
static void try_favours(void)
{
	char mine[512];

	snprintf(mine, sizeof(mine), "%s", in("SMB1D_SHARE", "/file"));
	say("the broker sets times where `dos filetimes` allows it", favour(mine, (struct fs_favour){ .what = FS_FAVOUR_TIMES }) == 0);
	must_fail_for("the broker: a mode", favour(mine, (struct fs_favour){ .what = FS_FAVOUR_MODE, .mode = 0640 }), FS_NO_RULE);
	must_fail("the broker: a set-id bit", favour(mine, (struct fs_favour){ .what = FS_FAVOUR_MODE, .mode = 04766 }));
	must_fail("the broker: a mode beside a set-id bit", favour(in("SMB1D_SHARE", "/setid"),
								   (struct fs_favour){ .what = FS_FAVOUR_MODE, .mode = 0640 }));
	must_fail_for("the broker: an owner", favour(mine, (struct fs_favour){ .what = FS_FAVOUR_OWNER }), FS_NO_RULE);
	close(open(in("SMB1D_SHARE", "/own"), O_RDWR | O_CREAT, 0600));
	snprintf(mine, sizeof(mine), "%s", in("SMB1D_SHARE", "/own"));
	must_fail("the broker: an owner of one's own file", favour(mine, (struct fs_favour){ .what = FS_FAVOUR_OWNER }));
	must_fail_for("the broker: a quota", favour(in("SMB1D_SHARE", ""), (struct fs_favour){ .what = FS_FAVOUR_QUOTA, .uid = 77001 }),
		      FS_NO_RULE);
	must_fail("the broker: no favour at all", favour(mine, (struct fs_favour){ .what = 99 }));
	must_fail_for("the broker: a file one may not write", favour(in("SMB1D_SHARE", "/secret"),
								     (struct fs_favour){ .what = FS_FAVOUR_TIMES }), FS_NO_WRITE);
	must_fail_for("the broker: outside", favour(in("SMB1D_OUTSIDE", "/file"), (struct fs_favour){ .what = FS_FAVOUR_TIMES }),
		      FS_NO_FOLDER);
	must_fail("the broker: /etc/passwd", favour("/etc/passwd", (struct fs_favour){ .what = FS_FAVOUR_TIMES }));
}

static void times_in(const char *share, bool given)
{
	char path[64], what[80];
	bool done;

	snprintf(path, sizeof(path), "/%s/file", share);
	snprintf(what, sizeof(what), "the broker: the rule of share %s %s", share, given ? "counts" : "does not count");
	done = favour(in("SMB1D_LISTS", path), (struct fs_favour){ .what = FS_FAVOUR_TIMES }) == 0;
	say(what, done == given && (done || because == FS_NO_ENTRY));
}

/* Shares that the user may not enter, or not write to: their rules are for others. */
static void try_lists(void)
{
	static const char *const yes[] = { "named", "own-group", "writer", "rights" };
	static const char *const no[] = { "others", "invalid", "reader", "read-only", "far", "gone", "guests", "rights-of-another" };
	gid_t was[64], other = (gid_t)atoi(in("SMB1D_GROUP", ""));
	int n = getgroups(64, was);

	for (size_t i = 0; i < ARRAY_LEN(yes); i++)
		times_in(yes[i], true);
	for (size_t i = 0; i < ARRAY_LEN(no); i++)
		times_in(no[i], false);
	/* a worker may take on any group, and the broker does not care */
	say("groups taken on", n >= 0 && setgroups(1, &other) == 0);
	times_in("others-group", false);
	(void)!setgroups((size_t)n, was);
}

/* ---- commands of the configuration, which the listener starts ---- */

static int order(const char *share)
{
	const struct conf_macros m = { .user = getenv("SMB1D_NAMED"), .service = share, .path = "/" };
	const struct srv_command c = { .kind = SRV_PREEXEC, .share = share, .macros = &m };
	int fd = run_send(*((const struct broker_client *)broker_arg)->ctl, &c), status = run_end(fd, 10000, NULL);

	close(fd);
	errno = status < 0 ? EPERM : 0;
	return status;
}

/* A good order but for its token, which the listener has made, or which is none. */
static void order_of_another(int ctl, bool token)
{
	uint8_t buf[200];
	struct wr w = wr_over(buf, sizeof(buf));

	wr_u8(&w, WORKER_RUN);
	wr_u8(&w, SRV_PREEXEC);
	msg_put_str(&w, "open");
	for (int i = 0; i < 8; i++)
		msg_put_str(&w, "/");
	(void)msg_send(ctl, buf, wr_tell(&w), &ctl, token, true);
}

/* [run] and [open] write down who they are; [failing] ends with 1. */
static void try_commands(void)
{
	int ctl = *((const struct broker_client *)broker_arg)->ctl, n = 0;
	const uint8_t job[] = { WORKER_PRINT, 0, 0 };

	say("a command, for another user", order("run") == 0); /* walls.sh looks whom it ran as */
	must_fail("a command of a share that has none", order("share"));
	must_fail("a command of no share", order("nosuch"));
	order_of_another(ctl, true);
	order_of_another(ctl, false);
	while (n < 30 && order("failing") == 1)
		n++;
	say("more commands than may be", n <= 20);
	(void)msg_send(ctl, job, sizeof(job), NULL, 0, true); /* walls.sh looks in the log */
}

void __wrap_loop_run(struct loop *l)
{
	who = "worker";
	try_descriptors(2, 0); /* the listener, the keeper */
	try_commands();
	try_favours();
	try_lists();
	try_files();
	try_ids();
	try_processes();
	__real_loop_run(l);
}
