/* cmd_host.c - the other side of the share, and settings of a client.
 *
 *   host file "a.txt" [data="..." mode=0644]     host dir "d"     host symlink "target" "name" ("@/x": absolute, x in the share)
 *   host exists "x"   host missing "x"   host remove "x"
 *   host stat "x" -> mode= size= mtime=          host read "x" -> data=
 *   host many "prefix" count=N                   empty files prefix0000 ...
 *   host touch "x" time=N
 *   host quota [uid=N] used=N soft=N hard=N      of the disk, for who connects from now on
 *   set [unicode=on|off ntstatus=on|off trickle=on|off maxbuf=N uid=N tid=N pid=N tz="EST5"]     let Name=value
 *   set [badsign=on|off nosign=on|off replay=on|off]    of a client that signs: wrongly, not any more, with the last number again
 *   sleep MS
 *   why -> user= where= what~ rule= place~ fix~   the last refusal that was explained; forgotten then */
#include "play.h"
#include "conf/why.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char *host_path(struct play *p, const char *name)
{
	return talloc_asprintf(p->step_mem, "%s/%s", p->world->share, name);
}

static void host_failed(struct play *p, const char *what, const char *name)
{
	play_fail(p, "to %s %s: %s", what, name, strerror(errno));
}

static void make_file(struct play *p, const struct step *s, const char *path)
{
	size_t n;
	const uint8_t *data = arg_bytes(p, s, "data", &n);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || write(fd, data, n) != (ssize_t)n)
		host_failed(p, "make", path);
	if (fd >= 0 && arg_find(s, "size") && ftruncate(fd, (off_t)arg_num(p, s, "size", 0)) != 0)
		host_failed(p, "size", path);
	if (fd >= 0 && arg_find(s, "mode") && fchmod(fd, (mode_t)arg_num(p, s, "mode", 0644)) != 0)
		host_failed(p, "chmod", path);
	if (fd >= 0)
		close(fd);
}

static void make_many(struct play *p, const struct step *s, const char *path)
{
	uint64_t n = arg_num(p, s, "count", 10);

	for (uint64_t i = 0; i < n && !p->why; i++) {
		char *name = talloc_asprintf(p->step_mem, "%s%04u", path, (unsigned)i);
		int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

		if (fd < 0)
			host_failed(p, "make", name);
		else
			close(fd);
		talloc_free(name);
	}
}

static void show_stat(struct play *p, const char *path)
{
	struct stat st;

	if (lstat(path, &st) != 0) {
		host_failed(p, "find", path);
		return;
	}
	field_num(p, "mode", st.st_mode & 07777);
	field_num(p, "size", (uint64_t)st.st_size);
	field_num(p, "mtime", (uint64_t)st.st_mtime);
	field_num(p, "dir", S_ISDIR(st.st_mode));
}

static void show_data(struct play *p, const char *path)
{
	size_t cap = 1 << 20, n;
	uint8_t *buf = talloc_size(p->step_mem, cap);
	FILE *f = fopen(path, "r");

	if (!f) {
		host_failed(p, "read", path);
		return;
	}
	n = fread(buf, 1, cap, f);
	fclose(f);
	field_bytes(p, "data", buf, n);
	field_num(p, "size", n);
}

static void touch(struct play *p, const struct step *s, const char *path)
{
	time_t t = (time_t)arg_num(p, s, "time", 1000000000);
	struct timespec ts[2] = { { .tv_sec = t }, { .tv_sec = t } };

	if (utimensat(AT_FDCWD, path, ts, 0) != 0)
		host_failed(p, "touch", path);
}

static void run_host(struct play *p, const struct step *s)
{
	const char *what = arg_pos(s, 0, ""), *name = arg_pos(s, 1, ""), *path = host_path(p, name);
	struct stat st;

	if (strcmp(what, "file") == 0)
		make_file(p, s, path);
	else if (strcmp(what, "many") == 0)
		make_many(p, s, path);
	else if (strcmp(what, "dir") == 0) {
		if (mkdir(path, 0755) != 0)
			host_failed(p, "make", path);
	} else if (strcmp(what, "symlink") == 0) {
		/* "@/d": absolute, d in the share */
		if (symlink(name[0] == '@' ? host_path(p, name + 2) : name, host_path(p, arg_pos(s, 2, ""))) != 0)
			host_failed(p, "link to", name);
	} else if (strcmp(what, "remove") == 0) {
		if (remove(path) != 0)
			host_failed(p, "remove", path);
	} else if (strcmp(what, "exists") == 0) {
		if (lstat(path, &st) != 0)
			play_fail(p, "%s to exist", name);
	} else if (strcmp(what, "missing") == 0) {
		if (lstat(path, &st) == 0)
			play_fail(p, "%s not to exist", name);
	} else if (strcmp(what, "stat") == 0)
		show_stat(p, path);
	else if (strcmp(what, "read") == 0)
		show_data(p, path);
	else if (strcmp(what, "touch") == 0)
		touch(p, s, path);
	else if (strcmp(what, "quota") == 0)
		quota_set((uint32_t)arg_num(p, s, "uid", geteuid()), arg_num(p, s, "used", 0), arg_num(p, s, "soft", 0),
			  arg_num(p, s, "hard", 0));
	else
		play_fail(p, "something to do with the host, not %s", what);
}

static bool on_off(struct play *p, const struct arg *a)
{
	if (strcmp(a->v.text, "on") != 0 && strcmp(a->v.text, "off") != 0)
		play_fail(p, "on or off for %s", a->name);
	return strcmp(a->v.text, "on") == 0;
}

static void run_set(struct play *p, const struct step *s)
{
	struct client *c = p->c;

	for (size_t i = 0; i < s->nargs; i++) {
		const struct arg *a = &s->args[i];
		const char *name = a->name ? a->name : "";

		if (strcmp(name, "unicode") == 0)
			c->unicode = on_off(p, a);
		else if (strcmp(name, "ntstatus") == 0)
			c->ntstatus = on_off(p, a);
		else if (strcmp(name, "trickle") == 0)
			c->trickle = on_off(p, a);
		else if (strcmp(name, "badsign") == 0)
			c->sign_bad = on_off(p, a);
		else if (strcmp(name, "nosign") == 0)
			c->sign_not = on_off(p, a);
		else if (strcmp(name, "replay") == 0)
			c->sign_again = on_off(p, a);
		else if (strcmp(name, "ext") == 0)
			c->ext = on_off(p, a);
		else if (strcmp(name, "maxbuf") == 0)
			c->max_buffer = (uint16_t)value_num(p, &a->v, name);
		else if (strcmp(name, "uid") == 0)
			c->uid = (uint16_t)value_num(p, &a->v, name);
		else if (strcmp(name, "tid") == 0)
			c->tid = (uint16_t)value_num(p, &a->v, name);
		else if (strcmp(name, "tz") == 0) /* of the server, for those who connect from now on */
			setenv("TZ", a->v.text, 1), tzset();
		else if (strcmp(name, "pid") == 0)
			c->smb_pid = (uint16_t)value_num(p, &a->v, name);
		else
			play_fail(p, "a setting, not %s", name);
	}
}

static void run_let(struct play *p, const struct step *s)
{
	for (size_t i = 0; i < s->nargs; i++) {
		if (s->args[i].name)
			bind_word(p, s->args[i].name, value_num(p, &s->args[i].v, s->args[i].name));
	}
}

static void run_sleep(struct play *p, const struct step *s)
{
	usleep((useconds_t)arg_pos_num(p, s, 0, 10) * 1000);
}

static void run_why(struct play *p, const struct step *s)
{
	char *name = talloc_asprintf(p->step_mem, "%s/why", p->world->dir);
	uint8_t record[WHY_RECORD_MAX];
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, record, sizeof(record)) : -1;
	struct why_record w;

	(void)s;
	if (fd >= 0)
		close(fd);
	unlink(name);
	if (n < 0 || !why_read(p->step_mem, record, (size_t)n, &w)) {
		play_fail(p, "an explained refusal, there is none");
		return;
	}
	field_text(p, "user", w.user);
	field_text(p, "where", w.where);
	field_text(p, "what", w.what);
	field_text(p, "rule", w.rule);
	field_text(p, "place", w.place);
	field_text(p, "fix", w.fix);
}

const struct command host_commands[] = {
	{ .name = "host", .run = run_host },
	{ .name = "set", .run = run_set },
	{ .name = "let", .run = run_let },
	{ .name = "sleep", .run = run_sleep },
	{ .name = "why", .run = run_why },
	{ .name = NULL },
};
