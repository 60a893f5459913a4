/* fence.c - Landlock: which folders a worker can open anything in, whatever it is talked into.
 *
 *   shares: their `path`, up to the first macro; [homes] without one: the folders that hold home directories
 *   ours:   `lock directory`
 *   system: what the C library reads to know users and groups, to be read only
 *
 * The rules are made once, by the listener, and each worker puts them up with one call.  They hold files, not names: a
 * worker that finds another folder under a name (mounted or made anew since) makes rules of its own before it
 * gives up root.  Nothing can be added behind the fence: what a reload or a mount brings is for new connections, and
 * fs says so when a client asks for it.
 *
 * Off, with a line in the log: kernels before Landlock's second version (renames between folders would fail), shares with
 * `wide links`, paths that begin with a macro. */
#include "proc/inner.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <pwd.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define READ (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define UP_TO_REFER ((LANDLOCK_ACCESS_FS_REFER << 1) - 1)
#define TRUNCATE_RIGHT (1ull << 14)  /* version 3 */
#define OF_FILES (READ & ~LANDLOCK_ACCESS_FS_READ_DIR)
#define SCOPE_ALL 3ull               /* version 6: abstract sockets and signals of other domains */

struct fence_item { char *path; bool ours, folder; dev_t dev; ino_t ino; }; /* ino 0: was not there */

struct fence {
	int fd;               /* the rules; -1: there are none, because: */
	const char *why;      /* a sentence */
	struct fence_item *item;
	size_t n;
	bool homes;           /* [homes] leads where the system says */
};

/* As <linux/landlock.h> has it in its sixth version; older kernels take the beginning. */
struct rules_attr { uint64_t files, net, scoped; };

static const char *const system_files[] = {
	"/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/ld.so.cache", "/etc/localtime", "/usr/lib", "/usr/lib64",
	"/lib", "/lib64", "/usr/share/zoneinfo", "/var/lib/sss", "/var/lib/extrausers", "/run/systemd/userdb",
};

static int version(void)
{
	return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

/* ---- which folders ---- */
static bool add(struct fence *f, const char *path, size_t len, bool ours)
{
	struct fence_item *more;

	while (len > 1 && path[len - 1] == '/')
		len--;
	for (size_t i = 0; i < f->n; i++)
		if (strlen(f->item[i].path) == len && memcmp(f->item[i].path, path, len) == 0)
			return true;
	more = talloc_realloc(f, f->item, struct fence_item, (unsigned)f->n + 1);
	if (!more)
		return false;
	f->item = more;
	more[f->n] = (struct fence_item){ .path = talloc_strndup(f, path, len), .ours = ours };
	return more[f->n++].path != NULL;
}

/* The folder that `home` lies in; itself if that is the root of all. */
static bool add_home(struct fence *f, const char *home)
{
	const char *slash = strrchr(home, '/');

	if (home[0] != '/' || home[1] == '\0')
		return true;
	return slash == home ? add(f, home, strlen(home), true) : add(f, home, (size_t)(slash - home), true);
}

/* Accounts of people in /etc/passwd; of others the worker that serves them knows the home. */
static bool add_homes(struct fence *f)
{
	FILE *file = fopen("/etc/passwd", "re");
	struct passwd *pw;
	bool ok = add(f, "/home", 5, true);

	f->homes = true;
	while (file && ok && (pw = fgetpwent(file)) != NULL)
		if (pw->pw_uid >= 1000 && pw->pw_uid < 60000)
			ok = add_home(f, pw->pw_dir);
	if (file)
		fclose(file);
	return ok;
}

static bool add_share(struct fence *f, const struct conf_share *s)
{
	const char *path = s->p.path, *macro = strchr(path, '%');
	size_t len = strlen(path);

	if (s->kind == CONF_IPC || f->why)
		return true;
	if (s->p.wide_links && s->p.follow_symlinks) {
		f->why = talloc_asprintf(f, "`wide links = yes` in [%s] lets links lead anywhere", s->name);
		return f->why != NULL;
	}
	if ((s->kind == CONF_HOMES && len == 0) || strncmp(path, "%H", 2) == 0)
		return add_homes(f);
	if (macro)
		for (len = (size_t)(macro - path); len > 0 && path[len - 1] != '/';)
			len--;
	if (macro && len <= 1) {
		f->why = talloc_asprintf(f, "`path = %s` of [%s] may be any folder", path, s->name);
		return f->why != NULL;
	}
	return len == 0 || add(f, path, len, true);
}

static bool collect(struct fence *f, const struct conf *c, const char *home)
{
	bool ok = add(f, c->g.lock_directory, strlen(c->g.lock_directory), true);

	for (size_t i = 0; i < ARRAY_LEN(system_files) && ok; i++)
		ok = add(f, system_files[i], strlen(system_files[i]), false);
	for (size_t i = 0; i < c->nshares && ok; i++)
		ok = add_share(f, c->shares[i]);
	return ok && (!home || !f->homes || add_home(f, home));
}

/* ---- the rules ---- */
static void allow(const struct fence *f, struct fence_item *i, uint64_t all)
{
	struct landlock_path_beneath_attr a = { .allowed_access = i->ours ? all & ~LANDLOCK_ACCESS_FS_EXECUTE : READ };
	struct stat st;

	a.parent_fd = open(i->path, O_PATH | O_CLOEXEC);
	if (a.parent_fd < 0 || fstat(a.parent_fd, &st) != 0) {
		if (a.parent_fd >= 0)
			close(a.parent_fd);
		return;
	}
	i->folder = S_ISDIR(st.st_mode);
	if (!i->folder)
		a.allowed_access &= OF_FILES | LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE_RIGHT;
	if (syscall(SYS_landlock_add_rule, f->fd, LANDLOCK_RULE_PATH_BENEATH, &a, 0) == 0) {
		i->dev = st.st_dev;
		i->ino = st.st_ino;
	}
	close(a.parent_fd);
}

static int fence_close(struct fence *f)
{
	if (f->fd >= 0)
		close(f->fd);
	return 0;
}

struct fence *fence_make(TALLOC_CTX *mem, const struct conf *c, const char *home)
{
	struct fence *f = talloc_zero(mem, struct fence);
	struct rules_attr attr = { .files = UP_TO_REFER };
	int v = version();

	if (!f)
		return NULL;
	f->fd = -1;
	talloc_set_destructor(f, fence_close);
	if (v < 2)
		f->why = v < 0 ? "the kernel has no Landlock" : "the kernel's Landlock cannot rename between folders";
	if (f->why || !collect(f, c, home) || f->why)
		return f;
	if (v >= 3)
		attr.files |= TRUNCATE_RIGHT;
	if (v >= 6)
		attr.scoped = SCOPE_ALL;
	f->fd = (int)syscall(SYS_landlock_create_ruleset, &attr, v >= 6 ? sizeof(attr) : sizeof(attr.files), 0);
	if (f->fd < 0)
		f->why = talloc_asprintf(f, "the kernel takes no rules: %s", strerror(errno));
	else
		(void)fcntl(f->fd, F_SETFD, FD_CLOEXEC);
	for (size_t i = 0; i < f->n && f->fd >= 0; i++)
		allow(f, &f->item[i], attr.files);
	return f;
}

const char *fence_missing(const struct fence *f)
{
	if (!f)
		return "out of memory";
	return f->fd >= 0 ? NULL : f->why ? f->why : "out of memory";
}

static bool holds_home(const struct fence *f, const char *home)
{
	const char *slash = strrchr(home, '/');
	size_t n = slash == home ? strlen(home) : slash ? (size_t)(slash - home) : 0;

	for (size_t i = 0; i < f->n; i++)
		if (f->item[i].ours && strlen(f->item[i].path) == n && memcmp(f->item[i].path, home, n) == 0)
			return true;
	return n <= 1;
}

bool fence_fits(const struct fence *f, const char *home)
{
	struct stat st;

	if (fence_missing(f))
		return true;
	for (size_t i = 0; i < f->n; i++) {
		const struct fence_item *it = &f->item[i];

		if (it->folder && !it->ours) /* /usr/lib is not made anew; /etc/passwd is */
			continue;
		if (stat(it->path, &st) != 0)
			st.st_ino = 0;
		if (st.st_ino != it->ino || (it->ino != 0 && st.st_dev != it->dev))
			return false;
	}
	return !f->homes || holds_home(f, home);
}

void fence_shut(struct fence *f)
{
	if (f && f->fd >= 0)
		close(f->fd);
	if (f)
		f->fd = -1;
}

bool fence_enter(const struct fence *f)
{
	return fence_missing(f) || syscall(SYS_landlock_restrict_self, f->fd, 0) == 0;
}
