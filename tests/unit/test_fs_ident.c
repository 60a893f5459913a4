/* Becoming users.  The parts that need root run in a child, since there is no way back to its rights. */
#include "fs_play.h"
#include "base/log.h"
#include "fs/inner.h"
#include <grp.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define NOBODY 65534
#define OTHER 12345
#define GROUP 4242

static void in_child(struct play *y, void (*act)(struct play *y))
{
	int status = 0;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		act(y);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail_msg("the child gave up at line %d (signal %d)", WEXITSTATUS(status), WTERMSIG(status));
}

/* An exit code is all a child can say: its line, less what does not fit. */
#define MUST(x) ((x) ? (void)0 : (fprintf(stderr, "line %d: %s\n", __LINE__, #x), _exit(1)))

static struct ident who(uid_t uid, gid_t gid, bool admin)
{
	return (struct ident){ .uid = uid, .gid = gid, .admin = admin };
}

static status_t child_open(struct play *y, const char *name, bool write)
{
	struct fs_open_want w = { .read = !write, .write = write };
	struct fs_node *n;
	bool created;
	status_t st = look_how(y, name, 0, &n);
	int fd;

	if (st == ST_OK)
		st = fs_open(n, &w, &fd, &created);
	if (st == ST_OK)
		fs_close(&fd);
	return st;
}

/* The effective capabilities from now on. */
static int caps(uint32_t effective)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2] = { { 0 } };

	if (syscall(SYS_capget, &h, d) != 0)
		return -1;
	d[0].effective = effective;
	d[1].effective = 0;
	return (int)syscall(SYS_capset, &h, d);
}

static uint32_t hidden_attrs;

static void users_act(struct play *y)
{
	struct ident nobody = who(NOBODY, NOBODY, false), other = who(OTHER, OTHER, false);
	gid_t group = GROUP;
	struct fs_node *n;
	struct fs_dir *d;
	uid_t r, e, s;

	MUST(fs_become(&nobody) == ST_OK);
	MUST(getresuid(&r, &e, &s) == 0 && r == NOBODY && e == NOBODY && s == NOBODY);
	MUST(getegid() == NOBODY && getgroups(0, NULL) == 0);
	MUST(fs_become(&nobody) == ST_OK);
	/* /proc/self/fd goes on working for a process that has changed its ids */
	xattr_by_hand = true;
	MUST(there(y, "xonly/hidden")->st.attrs == hidden_attrs);
	xattr_by_hand = false;
	MUST(there(y, "xonly/hidden")->st.attrs == hidden_attrs);
	MUST(child_open(y, "private/f", false) == ST_ACCESS_DENIED);
	MUST(child_open(y, "rootfile", false) == ST_ACCESS_DENIED);
	MUST(child_open(y, "readable", false) == ST_OK);
	MUST(child_open(y, "readable", true) == ST_ACCESS_DENIED);
	MUST(make_file(y, "new", 0) == ST_ACCESS_DENIED);
	MUST(fs_unlink(there(y, "readable")) == ST_ACCESS_DENIED);
	MUST(fs_rename(there(y, "readable"), look(y, "x"), false) == ST_ACCESS_DENIED);
	MUST(fs_mkdir(look(y, "x"), 0, false, 0) == ST_ACCESS_DENIED);
	MUST(fs_set_attrs(there(y, "readable"), -1, FS_ATTR_HIDDEN) == ST_ACCESS_DENIED);
	MUST(look_how(y, "private", 0, &n) == ST_OK && fs_dir_open(y->mem, n, 0, &d) == ST_ACCESS_DENIED);
	/* a folder one may enter but not read: exact names only, nothing given away */
	MUST(look_how(y, "xonly/f", 0, &n) == ST_OK && n->exists);
	MUST(look_how(y, "xonly/F", 0, &n) == ST_OK && !n->exists);
	MUST(fs_access_max(there(y, "readable")) == 0x120089);
	MUST(make_file(y, "open/mine", 0) == ST_OK && there(y, "open/mine")->st.uid == NOBODY);
	MUST(fs_access_max(there(y, "open/mine")) == 0x1f01ff);
	MUST(child_open(y, "bygroup", false) == ST_ACCESS_DENIED);
	nobody.groups = &group;
	nobody.ngroups = 1;
	MUST(fs_become(&nobody) == ST_OK);
	MUST(child_open(y, "bygroup", false) == ST_OK);
	MUST(fs_become(&other) == ST_OK && geteuid() == OTHER);
	MUST(child_open(y, "bygroup", false) == ST_ACCESS_DENIED);
	MUST(child_open(y, "open/mine", true) == ST_ACCESS_DENIED);
	MUST(fs_become(&nobody) == ST_OK && geteuid() == NOBODY);
	MUST(child_open(y, "open/mine", true) == ST_OK);
	MUST(setresuid(0, 0, 0) == 0); /* the right to switch stays */
}

static void users(void **state)
{
	struct play *y = *state;

	if (geteuid() != 0)
		skip();
	play_dir(y, "share/private");
	play_file(y, "share/private/f", "x");
	assert_int_equal(chmod(play_path(y, "share/private"), 0700), 0);
	play_dir(y, "share/xonly");
	play_file(y, "share/xonly/f", "x");
	play_file(y, "share/xonly/hidden", "x");
	assert_int_equal(fs_set_attrs(there(y, "xonly/hidden"), -1, FS_ATTR_HIDDEN), ST_OK);
	hidden_attrs = there(y, "xonly/hidden")->st.attrs;
	assert_int_equal(chmod(play_path(y, "share/xonly"), 0711), 0);
	play_dir(y, "share/open");
	assert_int_equal(chmod(play_path(y, "share/open"), 0777), 0);
	play_file(y, "share/readable", "x");
	play_file(y, "share/rootfile", "x");
	assert_int_equal(chmod(play_path(y, "share/rootfile"), 0600), 0);
	play_file(y, "share/bygroup", "x");
	assert_int_equal(chown(play_path(y, "share/bygroup"), 0, GROUP), 0);
	assert_int_equal(chmod(play_path(y, "share/bygroup"), 0640), 0);
	assert_int_equal(chmod(y->root, 0755), 0);
	in_child(y, users_act);
}

static void admin_act(struct play *y)
{
	struct ident plain = who(NOBODY, NOBODY, false), admin = who(NOBODY, NOBODY, true);

	MUST(fs_become(&admin) == ST_OK && geteuid() == NOBODY);
	MUST(child_open(y, "rootfile", true) == ST_OK);
	MUST(fs_chmod(there(y, "rootfile"), -1, 0640) == ST_OK);
	MUST(fs_become(&plain) == ST_OK);
	MUST(child_open(y, "rootfile", false) == ST_ACCESS_DENIED);
	MUST(fs_chmod(there(y, "rootfile"), -1, 0666) == ST_ACCESS_DENIED);
	MUST(fs_become(&admin) == ST_OK);
	MUST(child_open(y, "rootfile", true) == ST_OK);
}

static void admin(void **state)
{
	struct play *y = *state;

	if (geteuid() != 0)
		skip();
	play_file(y, "share/rootfile", "x");
	assert_int_equal(chmod(play_path(y, "share/rootfile"), 0600), 0);
	assert_int_equal(chmod(y->root, 0755), 0);
	in_child(y, admin_act);
}

/* A broker that does what it is asked for; the real one is tried in tests/clients/walls.sh. */
static int favour(void *arg, struct fs_favour *f)
{
	char path[40];

	++*(unsigned *)arg;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", f->fd);
	MUST(caps(1u << CAP_FOWNER) == 0);
	MUST(f->what == FS_FAVOUR_MODE ? chmod(path, f->mode) == 0 : utimensat(AT_FDCWD, path, f->times, 0) == 0);
	MUST(caps(1u << CAP_SETUID | 1u << CAP_SETGID) == 0);
	return 0;
}

/* `dos filetimes`, `dos filemode`: whoever may write. */
static void writers_act(struct play *y)
{
	struct ident nobody = who(NOBODY, NOBODY, false);
	struct fs_times t = { .write = 132223104000000000ull };
	unsigned favours = 0;

	MUST(fs_become(&nobody) == ST_OK);
	MUST(fs_set_times(there(y, "shared"), -1, &t) == ST_ACCESS_DENIED); /* nobody to ask */
	fs_process_favours(favour, &favours);
	MUST(fs_set_times(there(y, "shared"), -1, &t) == ST_OK);
	MUST(there(y, "shared")->st.write == t.write);
	MUST(fs_set_times(there(y, "readable"), -1, &t) == ST_ACCESS_DENIED);
	MUST(fs_chmod(there(y, "shared"), -1, 0660) == ST_ACCESS_DENIED);
	y->p.dos_filemode = true;
	MUST(fs_chmod(there(y, "readable"), -1, 0666) == ST_ACCESS_DENIED);
	MUST(fs_chmod(there(y, "shared"), -1, 0664) == ST_OK);
	y->p.dos_filetimes = false;
	t.write++;
	MUST(fs_set_times(there(y, "shared2"), -1, &t) == ST_ACCESS_DENIED);
	MUST(favours == 2); /* not for what no rule allows, nor what this user may not write */
	/* unreadable and unwriteable names are left out by rule */
	y->p.hide_unreadable = true;
	MUST(strstr(list_all(y, "", 0), "rootfile") == NULL &&
	     strstr(list_all(y, "", 0), "readable") != NULL);
	y->p.hide_unwriteable_files = true;
	MUST(strstr(list_all(y, "", 0), "readable") == NULL && strstr(list_all(y, "", 0), "shared2") != NULL);
	/* read-only is what the user may not write */
	y->p.map_readonly = CONF_MAP_READONLY_PERMISSIONS;
	MUST(there(y, "readable")->st.attrs & FS_ATTR_READONLY);
	MUST(!(there(y, "shared2")->st.attrs & FS_ATTR_READONLY));
}

static void writers(void **state)
{
	static const char *const shared[] = { "share/shared", "share/shared2" };
	struct play *y = *state;

	if (geteuid() != 0)
		skip();
	for (int i = 0; i < 2; i++) {
		play_file(y, shared[i], "x");
		assert_int_equal(chmod(play_path(y, shared[i]), 0666), 0);
	}
	play_file(y, "share/readable", "x");
	play_file(y, "share/rootfile", "x");
	assert_int_equal(chmod(play_path(y, "share/rootfile"), 0600), 0);
	assert_int_equal(chmod(y->root, 0755), 0);
	in_child(y, writers_act);
}

static int no_caps(void)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2] = { 0 };

	return (int)syscall(SYS_capset, &h, d);
}

static void ordinary_act(struct play *y)
{
	struct ident me, other;

	(void)y;
	memset(log_level, -1, LOG_CLASSES);
	if (geteuid() == 0)
		MUST(setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0 &&
		     setresuid(NOBODY, NOBODY, NOBODY) == 0 && no_caps() == 0);
	me = who(geteuid(), getegid(), false);
	other = who(geteuid() + 1, getegid(), false);
	MUST(fs_become(&other) == ST_ACCESS_DENIED);
	MUST(fs_become(&me) == ST_OK);
	MUST(fs_become(&other) == ST_ACCESS_DENIED);
	other.uid = 0;
	MUST(fs_become(&other) == ST_ACCESS_DENIED);
	MUST(fs_become(&me) == ST_OK);
}

static void ordinary(void **state)
{
	in_child(*state, ordinary_act);
}

int main(void)
{
#define PLAY(f) cmocka_unit_test_setup_teardown(f, play_begin, play_end)
	const struct CMUnitTest tests[] = { PLAY(users), PLAY(admin), PLAY(writers), PLAY(ordinary) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
