/* Opening, creating, masks, read-only files, things that are no files, and bytes. */
#include "fs_play.h"
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

static status_t open_as(struct play *y, const char *name, struct fs_open_want w, int *fd)
{
	bool created;

	return fs_open(look(y, name), &w, fd, &created);
}

static status_t try_open(struct play *y, const char *name, struct fs_open_want w)
{
	int fd;
	status_t st = open_as(y, name, w, &fd);

	if (st != ST_OK)
		assert_int_equal(fd, -1);
	fs_close(&fd);
	return st;
}

static void dispositions(void **state)
{
	struct play *y = *state;
	struct fs_open_want w = { .read = true, .write = true };
	struct fs_node *n;
	bool created;
	int fd;

	assert_int_equal(try_open(y, "f", w), ST_OBJECT_NAME_NOT_FOUND);
	w.create = true;
	n = look(y, "f");
	assert_int_equal(fs_open(n, &w, &fd, &created), ST_OK);
	assert_true(created && n->exists);
	assert_int_equal(n->st.attrs, FS_ATTR_ARCHIVE);
	assert_true(n->st.ino != 0 && n->st.create != 0);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(write(fd, "hello", 5), 5);
	fs_close(&fd);
	assert_int_equal(fd, -1);
	w.exclusive = true;
	assert_int_equal(try_open(y, "F", w), ST_OBJECT_NAME_COLLISION);
	w.exclusive = false;
	n = look(y, "F");
	assert_int_equal(fs_open(n, &w, &fd, &created), ST_OK);
	assert_true(!created && n->st.size == 5);
	fs_close(&fd);
	w = (struct fs_open_want){ .read = true, .truncate = true }; /* reading, and truncated all the same */
	n = look(y, "f");
	assert_int_equal(fs_open(n, &w, &fd, &created), ST_OK);
	assert_int_equal(n->st.size, 0);
	fs_close(&fd);
	assert_int_equal(there(y, "f")->st.size, 0);
}

/* The look-up is old by the time of the open. */
static void races(void **state)
{
	struct play *y = *state;
	struct fs_open_want w = { .write = true, .create = true };
	struct fs_node *n = look(y, "f");
	bool created;
	int fd;

	play_file(y, "share/f", "12345");
	assert_int_equal(fs_open(n, &w, &fd, &created), ST_OK);
	assert_true(!created && n->exists && n->st.size == 5);
	fs_close(&fd);
	n = there(y, "f");
	assert_int_equal(unlink(play_path(y, "share/f")), 0);
	assert_int_equal(fs_open(n, &w, &fd, &created), ST_OK);
	assert_true(created);
	fs_close(&fd);
	n = there(y, "f");
	assert_int_equal(unlink(play_path(y, "share/f")), 0);
	w.create = false;
	assert_int_equal(fs_open(n, &w, &fd, &created), ST_OBJECT_NAME_NOT_FOUND);
	assert_false(n->exists);
	w.create = w.exclusive = true;
	play_file(y, "share/f", "12345");
	assert_int_equal(fs_open(n, &w, &fd, &created), ST_OBJECT_NAME_COLLISION);
	/* a link out of the share takes the file's place */
	n = there(y, "f");
	play_file(y, "outside", "secret");
	assert_int_equal(unlink(play_path(y, "share/f")), 0);
	play_link(y, "../outside", "share/f");
	w = (struct fs_open_want){ .write = true, .truncate = true };
	assert_int_equal(fs_open(n, &w, &fd, &created), ST_OBJECT_NAME_NOT_FOUND);
	w.create = true;
	assert_int_equal(fs_open(n, &w, &fd, &created), ST_OBJECT_NAME_NOT_FOUND);
	{
		struct stat st;

		assert_int_equal(stat(play_path(y, "outside"), &st), 0);
		assert_int_equal(st.st_size, 6);
	}
}

static void folders(void **state)
{
	struct play *y = *state;
	int fd;

	play_dir(y, "share/d");
	play_file(y, "share/f", "x");
	assert_int_equal(try_open(y, "d", (struct fs_open_want){ .read = true }), ST_FILE_IS_A_DIRECTORY);
	assert_int_equal(try_open(y, "d", (struct fs_open_want){ .write = true }), ST_FILE_IS_A_DIRECTORY);
	assert_int_equal(try_open(y, "f", (struct fs_open_want){ .directory = true }), ST_NOT_A_DIRECTORY);
	assert_int_equal(try_open(y, "n", (struct fs_open_want){ .directory = true, .create = true }),
			 ST_OBJECT_NAME_NOT_FOUND);
	assert_int_equal(open_as(y, "d", (struct fs_open_want){ .directory = true, .read = true }, &fd),
			 ST_OK);
	assert_int_equal(fs_sync(fd), ST_OK);
	fs_close(&fd);
	assert_int_equal(try_open(y, "", (struct fs_open_want){ .directory = true }), ST_OK);
	assert_int_equal(try_open(y, "", (struct fs_open_want){ .attributes_only = true }), ST_OK);
	assert_int_equal(try_open(y, "d", (struct fs_open_want){ .attributes_only = true }), ST_OK);
}

static void special_files(void **state)
{
	struct play *y = *state;
	struct fs_open_want r = { .read = true }, w = { .write = true }, a = { .attributes_only = true };
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	struct fs_stat st;
	int fd, s = socket(AF_UNIX, SOCK_STREAM, 0);

	assert_int_equal(mkfifo(play_path(y, "share/fifo"), 0666), 0);
	snprintf(un.sun_path, sizeof(un.sun_path), "%.90s/sock", y->root);
	assert_int_equal(bind(s, (struct sockaddr *)&un, sizeof(un)), 0);
	assert_int_equal(try_open(y, "fifo", r), ST_ACCESS_DENIED);
	assert_int_equal(try_open(y, "fifo", w), ST_ACCESS_DENIED);
	assert_int_equal(try_open(y, "sock", r), ST_ACCESS_DENIED);
	assert_int_equal(open_as(y, "fifo", a, &fd), ST_OK);
	assert_int_equal(fs_fstat(y->share, fd, "fifo", &st), ST_OK);
	assert_true(S_ISFIFO(st.mode));
	fs_close(&fd);
	if (geteuid() == 0 && mknod(play_path(y, "share/null"), S_IFCHR | 0666, 0x103) == 0) {
		assert_int_equal(try_open(y, "null", w), ST_ACCESS_DENIED);
		assert_int_equal(try_open(y, "null", a), ST_OK);
	}
	close(s);
	/* a FIFO takes the place of a file between look-up and open: nobody waits */
	{
		struct fs_node *n;
		bool created;

		play_file(y, "share/f", "x");
		n = there(y, "f");
		assert_int_equal(unlink(play_path(y, "share/f")), 0);
		assert_int_equal(mkfifo(play_path(y, "share/f"), 0666), 0);
		alarm(5);
		assert_int_equal(fs_open(n, &r, &fd, &created), ST_ACCESS_DENIED);
		alarm(0);
	}
}

static void read_only(void **state)
{
	struct play *y = *state;
	struct fs_open_want w = { .write = true }, t = { .read = true, .truncate = true };
	struct fs_node *n, *stale;
	bool created;
	int fd;

	assert_int_equal(make_file(y, "f", 0), ST_OK);
	stale = there(y, "f");
	n = there(y, "f");
	if (fs_set_attrs(n, -1, FS_ATTR_READONLY) != ST_OK || !(there(y, "f")->st.attrs & FS_ATTR_READONLY))
		skip(); /* no extended attributes here */
	assert_int_equal(try_open(y, "f", w), ST_ACCESS_DENIED);
	assert_int_equal(try_open(y, "f", t), ST_ACCESS_DENIED);
	w.append = true;
	assert_int_equal(try_open(y, "f", w), ST_ACCESS_DENIED);
	assert_int_equal(try_open(y, "f", (struct fs_open_want){ .read = true }), ST_OK);
	/* an old look-up does not help */
	assert_int_equal(fs_open(stale, &w, &fd, &created), ST_ACCESS_DENIED);
	assert_int_equal(look_how(y, "f", FS_LOOKUP_NO_STAT, &n), ST_OK);
	assert_int_equal(fs_open(n, &w, &fd, &created), ST_ACCESS_DENIED);
	/* a new file may be made read-only and written once */
	w = (struct fs_open_want){ .write = true,
				   .create = true,
				   .attrs = FS_ATTR_READONLY | FS_ATTR_NORMAL };
	assert_int_equal(fs_open(look(y, "g"), &w, &fd, &created), ST_OK);
	assert_int_equal(write(fd, "x", 1), 1);
	fs_close(&fd);
	assert_int_equal(there(y, "g")->st.attrs, FS_ATTR_READONLY | FS_ATTR_ARCHIVE);
	assert_int_equal(try_open(y, "g", w), ST_ACCESS_DENIED);
	assert_int_equal(fs_unlink(there(y, "g")), ST_CANNOT_DELETE);
	y->p.delete_readonly = true;
	assert_int_equal(fs_unlink(there(y, "g")), ST_OK);
}

static void masks(void **state)
{
	struct play *y = *state;
	struct fs_open_want w = { .write = true, .create = true, .posix_mode_set = true, .posix_mode = 0604 };

	assert_int_equal(make_file(y, "a", 0), ST_OK);
	assert_int_equal(play_mode(y, "share/a"), 0644);
	y->p.create_mask = 0660;
	y->p.force_create_mode = 0002;
	assert_int_equal(make_file(y, "b", 0), ST_OK);
	assert_int_equal(play_mode(y, "share/b"), 0662);
	assert_int_equal(try_open(y, "c", w), ST_OK);
	assert_int_equal(play_mode(y, "share/c"), 0604);
	assert_int_equal(fs_mkdir(look(y, "d"), 0, false, 0), ST_OK);
	assert_int_equal(play_mode(y, "share/d"), 0755);
	y->p.directory_mask = 0700;
	y->p.force_directory_mode = 0070;
	assert_int_equal(fs_mkdir(look(y, "e"), 0, false, 0), ST_OK);
	assert_int_equal(play_mode(y, "share/e"), 0770);
	assert_int_equal(fs_mkdir(look(y, "f"), 0, true, 03711), ST_OK);
	assert_int_equal(play_mode(y, "share/f"), 03711);
	y->p.inherit_permissions = true;
	assert_int_equal(chmod(play_path(y, "share/d"), 02750), 0);
	assert_int_equal(make_file(y, "d/x", 0), ST_OK);
	assert_int_equal(play_mode(y, "share/d/x"), 0640);
	assert_int_equal(fs_mkdir(look(y, "d/y"), 0, false, 0), ST_OK);
	assert_int_equal(play_mode(y, "share/d/y") & 0777, 0750);
}

static void bytes(void **state)
{
	struct play *y = *state;
	struct fs_open_want w = { .read = true, .write = true, .create = true };
	char buf[100];
	uint32_t n;
	int fd, ro;

	assert_int_equal(open_as(y, "f", w, &fd), ST_OK);
	assert_int_equal(fs_write(fd, 10, "0123456789", 10, &n), ST_OK);
	assert_int_equal(n, 10);
	assert_int_equal(fs_read(fd, 5, buf, sizeof(buf), &n), ST_OK);
	assert_int_equal(n, 15);
	assert_memory_equal(buf, "\0\0\0\0\0" "0123456789", 15);
	assert_int_equal(fs_read(fd, 20, buf, 5, &n), ST_OK);
	assert_int_equal(n, 0);
	assert_int_equal(fs_read(fd, UINT64_MAX - 1, buf, 5, &n), ST_OK);
	assert_int_equal(n, 0);
	assert_int_equal(fs_write(fd, INT64_MAX - 2, "abcde", 5, &n), ST_INVALID_PARAMETER);
	assert_int_equal(fs_truncate(fd, 12), ST_OK);
	assert_int_equal(there(y, "f")->st.size, 12);
	assert_int_equal(fs_truncate(fd, UINT64_MAX), ST_INVALID_PARAMETER);
	assert_int_equal(fs_truncate(fd, 5000), ST_OK);
	assert_int_equal(fs_allocate(y->share, fd, 100000), ST_OK);
	assert_int_equal(there(y, "f")->st.size, 5000);
	y->p.strict_allocate = true;
	assert_int_equal(fs_allocate(y->share, fd, 100000), ST_OK);
	assert_int_equal(there(y, "f")->st.size, 5000);
	assert_true(there(y, "f")->st.alloc >= 100000);
	assert_int_equal(fs_allocate(y->share, fd, 100), ST_OK);
	assert_int_equal(there(y, "f")->st.size, 100);
	assert_int_equal(fs_sync(fd), ST_OK);
	assert_int_equal(open_as(y, "f", (struct fs_open_want){ .read = true }, &ro), ST_OK);
	assert_int_equal(fs_write(ro, 0, "x", 1, &n), ST_INVALID_HANDLE);
	assert_int_equal(fs_truncate(ro, 0), ST_ACCESS_DENIED);
	fs_close(&ro);
	fs_close(&fd);
	y->p.allocation_roundup_size = 1 << 20;
	assert_int_equal(there(y, "f")->st.alloc % (1 << 20), 0);
}

static void append(void **state)
{
	struct play *y = *state;
	struct fs_open_want w = { .append = true, .create = true };
	uint32_t n;
	int fd;

	play_file(y, "share/f", "12345");
	assert_int_equal(open_as(y, "f", w, &fd), ST_OK);
	assert_int_equal(fs_write(fd, 0, "6", 1, &n), ST_OK);
	assert_int_equal(there(y, "f")->st.size, 6);
	fs_close(&fd);
}

/* A small disk of our own, if we may have one. */
static void disk_full(void **state)
{
	struct play *y = *state;
	struct fs_open_want w = { .write = true, .create = true };
	static char block[65536];
	struct fs_share *s;
	struct fs_node *node;
	uint32_t n;
	uint64_t off = 0;
	bool created;
	status_t st;
	int fd;

	play_dir(y, "small");
	if (geteuid() != 0 || mount("none", play_path(y, "small"), "tmpfs", 0, "size=1m,nr_inodes=20") < 0)
		skip();
	assert_int_equal(fs_share_open(y->mem, play_path(y, "small"), &y->p, &s), ST_OK);
	assert_int_equal(fs_lookup(s, y->mem, "f", 0, &node), ST_OK);
	assert_int_equal(fs_open(node, &w, &fd, &created), ST_OK);
	assert_int_equal(fs_allocate(s, fd, 64u << 20), ST_DISK_FULL);
	while ((st = fs_write(fd, off, block, sizeof(block), &n)) == ST_OK && n > 0 && off < (4u << 20))
		off += n;
	assert_int_equal(st, ST_DISK_FULL);
	assert_int_equal(n, 0);
	assert_true(off > 500000 && off <= (1u << 20));
	st = ST_OK;
	for (int i = 0; i < 30 && st == ST_OK; i++) {
		assert_int_equal(fs_lookup(s, y->mem, talloc_asprintf(y->mem, "d%d", i), 0, &node), ST_OK);
		st = fs_mkdir(node, 0, false, 0);
	}
	assert_int_equal(st, ST_DISK_FULL);
	fs_close(&fd);
	fs_share_close(&s);
	assert_int_equal(umount2(play_path(y, "small"), MNT_DETACH), 0);
}

static void space(void **state)
{
	struct play *y = *state;
	static struct conf_globals g;
	struct fs_space s;

	assert_int_equal(fs_space(y->share, &s), ST_OK);
	assert_true(s.total > 0 && s.avail <= s.total && s.unit >= 512);
	g.mangle_prefix = 1;
	g.mangling_method = CONF_MANGLING_METHOD_HASH2;
	g.max_disk_size = 1;
	fs_process_rules(&g);
	assert_int_equal(fs_space(y->share, &s), ST_OK);
	assert_true(s.total <= 1 << 20 && s.avail <= s.total);
	g.max_disk_size = 0;
	fs_process_rules(&g);
}

static void access_max(void **state)
{
	struct play *y = *state;

	play_dir(y, "share/d");
	assert_int_equal(make_file(y, "f", 0), ST_OK);
	assert_int_equal(fs_access_max(there(y, "f")), 0x1f01ff);
	assert_int_equal(fs_access_max(there(y, "d")), 0x1f01ff);
	assert_int_equal(fs_access_max(look(y, "n")), 0);
	if (fs_set_attrs(there(y, "f"), -1, FS_ATTR_READONLY) == ST_OK &&
	    there(y, "f")->st.attrs & FS_ATTR_READONLY) {
		assert_int_equal(fs_access_max(there(y, "f")) & 0x10006, 0x10000); /* deleting is refused later */
		assert_int_equal(fs_access_max(there(y, "f")) & 0x1, 1);
	}
}

static int open_descriptors(void)
{
	int n = 0;

	for (int fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* Everything once, in vain and with success. */
static void exercise(struct play *y)
{
	static const char *const names[] = { "d/f", "D/F", "d/none", "none/x", "link", "out", "out/x", "d", "abs" };
	struct fs_open_want w = { .read = true };
	struct fs_times t = { .create = 132223104000000000ull };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct fs_node *n;
		struct fs_dir *d;
		struct fs_ea *list;
		size_t count;
		bool created;
		int fd;

		if (look_how(y, names[i], 0, &n) != ST_OK)
			continue;
		if (fs_open(n, &w, &fd, &created) == ST_OK)
			fs_close(&fd);
		if (fs_dir_open(y->mem, n, FS_DIR_STAT, &d) == ST_OK)
			fs_dir_close(&d);
		fs_refresh(n);
		fs_access_max(n);
		fs_set_attrs(n, -1, FS_ATTR_ARCHIVE);
		fs_set_times(n, -1, &t);
		fs_ea_list(n, y->mem, &list, &count);
		fs_dir_empty(n);
		fs_link(n, look(y, "d/f"));
		fs_rename(n, look(y, "d"), false);
	}
}

static void descriptors(void **state)
{
	struct play *y = *state;
	int before, fds[200], n = 0;
	struct fs_node *node;

	play_dir(y, "share/d");
	play_file(y, "share/d/f", "x");
	play_link(y, "d/f", "share/link");
	play_link(y, "..", "share/out");
	play_link(y, talloc_asprintf(y->mem, "%s/d/f", y->root), "share/abs");
	exercise(y);
	before = open_descriptors();
	exercise(y);
	assert_int_equal(open_descriptors(), before);
	/* with fewer and fewer left, nothing breaks and nothing is lost */
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &(struct rlimit){ (rlim_t)before + 6, 1024 }), 0);
	while (n < 200 && (fds[n] = dup(0)) >= 0) {
		n++;
		node = NULL;
		if (look_how(y, "D/f", 0, &node) == ST_OK)
			assert_true(node->exists);
	}
	assert_int_equal(look_how(y, "d/f", 0, &node), ST_TOO_MANY_OPENED_FILES);
	assert_int_equal(look_how(y, "link", 0, &node), ST_TOO_MANY_OPENED_FILES);
	while (n > 0)
		close(fds[--n]);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 1024, 1024 }), 0);
	assert_int_equal(open_descriptors(), before);
	exercise(y);
}

int main(void)
{
#define PLAY(f) cmocka_unit_test_setup_teardown(f, play_begin, play_end)
	const struct CMUnitTest tests[] = {
		PLAY(dispositions), PLAY(races), PLAY(folders),    PLAY(special_files),
		PLAY(read_only),    PLAY(masks), PLAY(bytes),      PLAY(append),
		PLAY(disk_full),    PLAY(space), PLAY(access_max), PLAY(descriptors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
