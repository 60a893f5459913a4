/* broker.c - named favours for a worker, which has its user's rights and no others.
 *
 *   worker                         listener                    broker (one for this connection)
 *     ├─ WORKER_BROKER, a door ──────>│ ─── fork ──────────────────> │ a user id without account, four capabilities
 *     ├─ favour, file (folder), token ──────────────────────────────>│ checks, does it
 *     │<───────────────────────────────────────────────────── errno ─┤
 *
 * It is started when the first favour is asked for and believes the worker nothing.  Whose rights count says the
 * token: a socket pair that the worker made as its user, so that the kernel tells who that is.  The file is a
 * descriptor; the kernel tells its path.  The user's groups are those of the system's own files, for a worker may take on any
 * group.  Then:
 *
 *   the path lies in a share whose rule allows the favour, and where `valid users`, `read list`, `hosts allow` and the like
 *   let this user in from this address, and write; of a share with `force user` that is whom it makes of everybody
 *   the kernel lets that user write to the file (asked with the user's ids and no capabilities)
 *   mode: permission bits only, never set-id bits nor of a file that has them; without `dos filemode` just what stands for DOS attributes
 *   owner: a new file of the user's, to the owner of the folder it lies in
 *   quota: limits of a user other than root, on the disk that holds the very folder of a share that names the user who asks
 *   in `admin users`; the kernel's rights to the file do not count, and the capability is there only with such a share */
#include "proc/inner.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/quota.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_quotactl_fd
#define SYS_quotactl_fd 443
#endif
#ifndef QIF_DQBLKSIZE
#define QIF_DQBLKSIZE 1024u /* bytes: unit of the limits */
#endif

struct asker {
	gid_t gid;              /* its own, or that of a `force group` */
	const struct ident *id; /* as the system knows it */
};

struct broker {
	const struct conf *conf;
	const char *addr; /* the client's */
	pid_t worker;
	int door;
};

/* ---- who asks ---- */
static bool who_asks(const struct broker *b, TALLOC_CTX *mem, int token, struct asker *a)
{
	struct ucred cred;
	socklen_t len = sizeof(cred);

	if (getsockopt(token, SOL_SOCKET, SO_PEERCRED, &cred, &len) != 0 || cred.pid != b->worker)
		return false;
	a->gid = cred.gid;
	a->id = auth_ident_by_uid(mem, cred.uid);
	return a->id != NULL;
}

static bool in_group(const struct asker *a, gid_t gid)
{
	for (uint32_t i = 0; i < a->id->ngroups; i++)
		if (a->id->groups[i] == gid)
			return true;
	return a->gid == gid;
}

/* Would the kernel let this user write?  For the answer we are the user, without capabilities. */
static bool may_write(const struct asker *a, int fd)
{
	bool yes;

	if (syscall(SYS_setgroups, (size_t)a->id->ngroups, a->id->groups) != 0)
		return false;
	(void)syscall(SYS_setfsgid, a->gid);
	(void)syscall(SYS_setfsuid, a->id->uid);
	yes = walls_broker_raise(false) && syscall(SYS_faccessat2, fd, "", W_OK, AT_EMPTY_PATH | AT_EACCESS) == 0;
	if (!walls_broker_raise(true))
		_exit(1);
	return yes;
}

/* ---- where the file lies ---- */
/* The folder of a share without links, as far as it is known without a client. */
static bool share_folder(const struct conf_share *s, const struct asker *a, char real[PATH_MAX])
{
	const char *macro = strchr(s->p.path, '%');
	char path[PATH_MAX];

	if ((s->kind == CONF_HOMES && !*s->p.path) || strncmp(s->p.path, "%H", 2) == 0) {
		snprintf(path, sizeof(path), "%s", a->id->home);
	} else {
		snprintf(path, sizeof(path), "%s", s->p.path);
		if (macro && (size_t)(macro - s->p.path) < sizeof(path))
			for (size_t n = (size_t)(macro - s->p.path) + 1; n > 0 && path[n - 1] != '/'; n--)
				path[n - 1] = '\0';
	}
	return path[0] == '/' && realpath(path, real);
}

static bool lies_in(const char *folder, const char *path)
{
	size_t n = strlen(folder);

	return n == 1 || (strncmp(folder, path, n) == 0 && (path[n] == '/' || path[n] == '\0'));
}

/* ---- the favours: 0 or -errno ---- */
struct wish {
	struct fs_favour f;
	struct stat st;
	char path[PATH_MAX];
	struct asker who;
};

/* Of several reasons the one that came furthest stays. */
static int refuse(struct wish *w, enum fs_favour_reason reason, const char *rule)
{
	if (reason >= w->f.no.reason) {
		w->f.no.reason = reason;
		snprintf(w->f.no.rule, sizeof(w->f.no.rule), "%s", rule);
	}
	return -EPERM;
}

static bool is_account(const char *name, uid_t uid)
{
	const struct passwd *pw = getpwnam(name);

	return pw && pw->pw_uid == uid;
}

/* What is known here of who asks, for lists with macros. */
static void macros_of(const struct broker *b, const struct conf_share *s, const struct asker *a, struct conf_macros *m)
{
	*m = (struct conf_macros){
		.client_addr = b->addr, .user = a->id->user, .user_asked = a->id->user, .home = a->id->home,
		.service = s->kind == CONF_HOMES ? a->id->user : s->name, .conf = b->conf,
	};
}

/* What keeps a user that has these rights out of this share, or from writing there?  Of a share that gives everybody the same
 * rights we do not know whom it let in, and its lists are no help.  The guest account may have a password and log in as itself. */
static const char *keeps_out(const struct broker *b, const struct conf_share *s, const struct asker *a, const struct conf_macros *m)
{
	const struct conf_params *p = &s->p;
	const char *guest = b->conf->g.guest_account, *rule = NULL, *item;
	TALLOC_CTX *tmp = talloc_new(NULL);
	const char *forced = p->force_user[0] ? conf_expand(tmp, p->force_user, m) : p->guest_only ? guest : NULL;

	if (!p->available)
		rule = "available";
	else if (!conf_host_allowed(p->hosts_allow, p->hosts_deny, b->addr, NULL, &item))
		rule = *item || !p->hosts_allow[0] ? "hosts deny" : "hosts allow";
	else if (forced && !is_account(forced, a->id->uid))
		rule = p->force_user[0] ? "force user" : "guest only";
	else if (forced)
		rule = p->read_only && !p->write_list[0] ? "read only" : NULL;
	else if (!p->guest_ok && !p->valid_users[0] && is_account(guest, a->id->uid))
		rule = "guest ok";
	else if ((rule = conf_kept_out(s, a->id, m, NULL)) == NULL && !conf_may_write(s, a->id, m))
		rule = p->read_only ? "read only" : "read list";
	talloc_free(tmp);
	return rule;
}

static bool administers(const struct conf_params *p, const struct asker *a, const struct conf_macros *m)
{
	return conf_user_in(p->admin_users, a->id->user, a->id->groups, a->id->ngroups, m, NULL);
}

static bool rule_allows(const struct conf_params *p, const struct wish *w, const struct conf_macros *m)
{
	switch (w->f.what) {
	case FS_FAVOUR_MODE:
		return p->dos_filemode || (p->acl_group_control && in_group(&w->who, w->st.st_gid)) ||
		       (S_ISREG(w->st.st_mode) && fs_mode_is_attrs(p, w->st.st_mode, w->f.mode));
	case FS_FAVOUR_TIMES: return p->dos_filetimes;
	case FS_FAVOUR_OWNER: return p->inherit_owner != CONF_INHERIT_OWNER_NO;
	case FS_FAVOUR_QUOTA: return S_ISDIR(w->st.st_mode) && administers(p, &w->who, m);
	}
	return false;
}

/* The rule somebody would have to set. */
static const char *rule_for(enum fs_favour_kind what)
{
	return what == FS_FAVOUR_MODE ? "dos filemode" : what == FS_FAVOUR_TIMES ? "dos filetimes" :
	       what == FS_FAVOUR_OWNER ? "inherit owner" : what == FS_FAVOUR_QUOTA ? "admin users" : "";
}

static bool lies_in_share(const struct conf_share *s, const struct wish *w)
{
	char real[PATH_MAX];

	return share_folder(s, &w->who, real) &&
	       (w->f.what == FS_FAVOUR_QUOTA ? strcmp(real, w->path) == 0 : lies_in(real, w->path));
}

static bool some_rule_allows(const struct broker *b, struct wish *w)
{
	(void)refuse(w, FS_NO_FOLDER, "path");
	for (size_t i = 0; i < b->conf->nshares; i++) {
		const struct conf_share *s = b->conf->shares[i];
		const char *kept_out;
		struct conf_macros m;

		macros_of(b, s, &w->who, &m);
		if (s->kind == CONF_IPC || !lies_in_share(s, w))
			continue;
		if (!rule_allows(&s->p, w, &m)) {
			(void)refuse(w, FS_NO_RULE, rule_for(w->f.what));
			continue;
		}
		kept_out = keeps_out(b, s, &w->who, &m);
		if (!kept_out)
			return true;
		(void)refuse(w, FS_NO_ENTRY, kept_out);
	}
	return false;
}

/* Not of programs with set-id bits: the user's own could be given to somebody else (by another broker of the same
 * user, for `inherit owner`) after we looked, and would get back here the bits that it lost by that. */
static int set_mode(struct wish *w, const char *self)
{
	mode_t mode = (w->f.mode & 0777) | (w->st.st_mode & 07000);

	if (S_ISREG(w->st.st_mode) && (w->st.st_mode & (S_ISUID | S_ISGID)))
		return refuse(w, FS_NO_SETID, "");
	if ((w->f.mode & 07000) != (w->st.st_mode & 07000) && (w->f.mode & 07000) != 0)
		return refuse(w, FS_NO_SETID, "");
	return chmod(self, mode) < 0 ? -errno : 0;
}

static int give_to_folder(struct wish *w)
{
	char folder[PATH_MAX];
	struct stat st;
	size_t n;

	if (w->f.folder < 0 || fstat(w->f.folder, &st) != 0 || !util_fd_path(w->f.folder, folder) || w->st.st_uid != w->who.id->uid)
		return refuse(w, FS_NO_NEW, "");
	n = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
	if (strncmp(folder, w->path, n) != 0 || w->path[n] != '/' || strchr(w->path + n + 1, '/') ||
	    (S_ISREG(w->st.st_mode) && w->st.st_nlink != 1))
		return refuse(w, FS_NO_NEW, "");
	return fchownat(w->f.fd, "", st.st_uid, (gid_t)-1, AT_EMPTY_PATH) < 0 ? -errno : 0;
}

static int set_quota(struct wish *w)
{
	const uint64_t most = (uint64_t)INT64_MAX;
	struct dqblk d = { .dqb_valid = QIF_BLIMITS };
	long n;

	if (w->f.uid == 0 || w->f.soft > most || w->f.hard > most)
		return -ERANGE;
	d.dqb_bsoftlimit = (w->f.soft + QIF_DQBLKSIZE - 1) / QIF_DQBLKSIZE;
	d.dqb_bhardlimit = (w->f.hard + QIF_DQBLKSIZE - 1) / QIF_DQBLKSIZE;
	if (!walls_broker_quota(true))
		return refuse(w, FS_NO_RIGHT, "");
	n = syscall(SYS_quotactl_fd, w->f.fd, (int)((unsigned)Q_SETQUOTA << SUBCMDSHIFT | USRQUOTA), w->f.uid, &d);
	if (n < 0)
		n = -errno;
	if (!walls_broker_quota(false))
		_exit(1);
	return n == -EPERM ? refuse(w, FS_NO_RIGHT, "") : (int)n;
}

static int grant(const struct broker *b, struct wish *w)
{
	char self[32];

	if (w->who.id->uid == 0)
		return refuse(w, FS_NO_USER, "");
	if (fstat(w->f.fd, &w->st) != 0 || (!S_ISREG(w->st.st_mode) && !S_ISDIR(w->st.st_mode)) || !util_fd_path(w->f.fd, w->path))
		return refuse(w, FS_NO_FILE, "");
	if (!some_rule_allows(b, w))
		return -EPERM;
	w->f.no = (struct fs_favour_no){ .reason = FS_NO_REASON };
	if (w->f.what != FS_FAVOUR_QUOTA && !may_write(&w->who, w->f.fd))
		return refuse(w, FS_NO_WRITE, "");
	snprintf(self, sizeof(self), "/proc/self/fd/%d", w->f.fd);
	switch (w->f.what) {
	case FS_FAVOUR_MODE: return set_mode(w, self);
	case FS_FAVOUR_TIMES: return utimensat(AT_FDCWD, self, w->f.times, 0) < 0 ? -errno : 0;
	case FS_FAVOUR_OWNER: return give_to_folder(w);
	case FS_FAVOUR_QUOTA: return set_quota(w);
	}
	return -EPERM;
}

static void get_time(struct rd *r, struct timespec *ts)
{
	ts->tv_sec = (time_t)rd_u64(r);
	ts->tv_nsec = (long)rd_u32(r);
}

/* ---- the process ---- */
static int on_favour(const struct broker *b, TALLOC_CTX *mem, struct msg *m, struct wish *w)
{
	struct rd r = rd_over(m->p, m->len);

	w->f.what = rd_u8(&r);
	w->f.mode = rd_u32(&r);
	get_time(&r, &w->f.times[0]);
	get_time(&r, &w->f.times[1]);
	w->f.uid = rd_u32(&r);
	w->f.soft = rd_u64(&r);
	w->f.hard = rd_u64(&r);
	if (!rd_ok(&r) || rd_left(&r) != 0 || m->nfds < 2)
		return -EINVAL;
	w->f.fd = m->fd[1];
	w->f.folder = m->nfds > 2 ? m->fd[2] : -1;
	return who_asks(b, mem, m->fd[0], &w->who) ? grant(b, w) : refuse(w, FS_NO_USER, "");
}

static bool serve(const struct broker *b)
{
	struct pollfd p = { .fd = b->door, .events = POLLIN };
	TALLOC_CTX *mem = talloc_new(NULL);
	struct wish *w = talloc_zero(mem, struct wish);
	struct broker_answer a;
	struct msg m;
	bool ok = false;

	(void)poll(&p, 1, -1);
	switch (msg_recv(mem, b->door, &m)) {
	case MSG_GOT:
		memset(&a, 0, sizeof(a));
		a.err = w ? on_favour(b, mem, &m, w) : -ENOMEM;
		if (a.err == -EPERM && w)
			a.no = w->f.no;
		msg_drop(&m);
		ok = msg_send(b->door, &a, sizeof(a), NULL, 0, true);
		break;
	case MSG_NONE:
		ok = true;
		break;
	default:
		break;
	}
	talloc_free(mem);
	return ok;
}

static bool anybody_administers(const struct conf *c)
{
	for (size_t i = 0; i < c->nshares; i++)
		if (c->shares[i]->p.admin_users[0])
			return true;
	return false;
}

static _Noreturn void broker_run(struct daemon *d, const struct client *c, int door)
{
	struct broker b = { .conf = d->conf, .addr = c->addr, .worker = c->pid, .door = door };
	int keep[2] = { door, log_fd() };

	accept_child();
	walls_close_others(keep, 2);
	(void)prctl(PR_SET_NAME, "smb1d-broker", 0, 0, 0);
	log_who(c->addr);
	if (!walls_broker(&d->walls, anybody_administers(d->conf)))
		_exit(1);
	while (serve(&b))
		;
	_exit(0);
}

/* ---- in the listener ---- */
void broker_wanted(struct daemon *d, struct client *c, int door)
{
	if (door < 0 || !d->root || c->broker > 0 || d->ending) {
		if (door >= 0)
			close(door);
		return;
	}
	c->broker = fork();
	if (c->broker == 0)
		broker_run(d, c, door);
	if (c->broker < 0)
		listener_complain(d, "no process for a broker", errno);
	close(door);
}

void broker_reload(struct daemon *d)
{
	for (struct client *c = d->clients; c; c = c->next) {
		if (c->broker > 0)
			kill(c->broker, SIGTERM);
		c->broker = 0;
	}
}

bool broker_died(struct daemon *d, pid_t pid)
{
	for (struct client *c = d->clients; c; c = c->next)
		if (c->broker == pid) {
			c->broker = 0;
			return true;
		}
	return false;
}
