/* world.c - a server for tests, without the processes around it. */
#include "world.h"
#include "base/log.h"
#include "base/str.h"
#include "conf/why.h"
#include "srv/audit.h"
#include "srv/message.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOBODY 65534

void world_drop_root(void)
{
	if (geteuid() != 0)
		return;
	if (setgroups(0, NULL) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0) {
		perror("cannot become an ordinary user");
		exit(2);
	}
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* else our own /proc/self belongs to root */
}

/* ---- configuration ---- */

static const char *const template =
	"[global]\n"
	"netbios name = HOST\n"
	"workgroup = WORKGROUP\n"
	"server string = a test\n"
	"lock directory = @DIR@/lock\n"
	"state directory = @DIR@/lock\n"
	"cache directory = @DIR@/lock\n"
	"pid directory = @DIR@/lock\n"
	"private dir = @DIR@/private\n"
	"guest account = nobody\n"
	"map to guest = Bad User\n"
	"@GLOBAL@\n"
	"[share]\n"
	"comment = the share\n"
	"path = @DIR@/share\n"
	"read only = no\n"
	"guest ok = yes\n"
	"[ro]\n"
	"path = @DIR@/share\n"
	"read only = yes\n"
	"guest ok = yes\n"
	"[private]\n"
	"path = @DIR@/share\n"
	"valid users = anna\n"
	"@REST@\n";

static char *replace(TALLOC_CTX *mem, const char *text, const char *what, const char *by)
{
	char *out = talloc_strdup(mem, "");
	const char *at;

	while ((at = strstr(text, what)) != NULL) {
		out = talloc_asprintf_append_buffer(out, "%.*s%s", (int)(at - text), text, by);
		text = at + strlen(what);
	}
	return talloc_strdup_append_buffer(out, text);
}

/* Lines before the first [section] belong to [global]. */
static char *conf_text(TALLOC_CTX *mem, const char *dir, const char *extra)
{
	const char *section = extra ? extra : "";
	char *global, *text;

	while (*section) {
		const char *p = section + strspn(section, " \t");

		if (*p == '[')
			break;
		section = strchr(section, '\n') ? strchr(section, '\n') + 1 : section + strlen(section);
	}
	global = talloc_strndup(mem, extra ? extra : "", extra ? (size_t)(section - extra) : 0);
	text = replace(mem, template, "@GLOBAL@", global);
	text = replace(mem, text, "@REST@", section);
	return replace(mem, text, "@DIR@", dir);
}

static bool write_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");
	bool ok = f && fputs(text, f) >= 0;

	return f && fclose(f) == 0 && ok;
}

struct conf *world_conf(struct world *w, const char *extra, char **why)
{
	char *name = talloc_asprintf(w, "%s/smb.conf", w->dir);
	struct conf_source src = { .file = name };
	struct conf_report rep = { .n = 0 };
	struct conf *c = NULL;

	if (!write_file(name, conf_text(w, w->dir, extra))) {
		*why = talloc_asprintf(NULL, "cannot write %s", name);
		return NULL;
	}
	if (conf_load(w, &src, &c, &rep)) {
		conf_profile_apply(c, WORLD_ADDR);
		return c;
	}
	*why = talloc_strdup(NULL, "smb.conf is refused");
	for (size_t i = 0; i < rep.n; i++)
		if (rep.msgs[i].kind == CONF_MSG_ERROR)
			*why = talloc_asprintf_append_buffer(*why, "; %s", conf_message_line(w, &rep.msgs[i]));
	return NULL;
}

/* ---- accounts ---- */

static bool add_account(struct auth_db *db, const char *user, const char *password)
{
	struct auth_account a = { .user = user, .uid = getuid() };

	auth_account_set_password(&a, password, true);
	return auth_db_put(db, &a);
}

static bool make_accounts(struct world *w, char **why)
{
	char *dir = talloc_asprintf(w, "%s/private", w->dir);
	const char *reason = "";
	struct auth_db *db = auth_db_open(w, dir, true, &reason);
	bool ok = db && add_account(db, "anna", "secret1") && add_account(db, "bob", "secret2") &&
		  add_account(db, "daemon", "secret3");

	if (!ok)
		*why = talloc_asprintf(NULL, "accounts: %s", reason);
	talloc_free(db);
	return ok;
}

/* ---- the keeper's side of the host ---- */

static struct auth_verdict *ask(void *arg, TALLOC_CTX *mem, const struct auth_question *q)
{
	struct world *w = arg;
	struct conf_macros m = { .client_addr = WORLD_ADDR };
	const char *why = "";

	if (!w->keeper)
		w->keeper = auth_keeper_open(w, w->conf, &why);
	if (!w->keeper) {
		fprintf(stderr, "keeper: %s\n", why);
		return NULL;
	}
	return auth_keeper_answer(mem, w->keeper, q, w->host.challenge, &m);
}

static struct ident *ident_of(void *arg, TALLOC_CTX *mem, const char *user)
{
	(void)arg;
	return auth_ident_of(mem, user);
}

static bool group_of(void *arg, const char *group, struct ident *id)
{
	const struct group *g = getgrnam(group);

	(void)arg;
	if (g)
		id->gid = g->gr_gid;
	return g != NULL;
}

/* ---- life ---- */

static int remove_one(const char *name, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	if (kind == FTW_DNR || kind == FTW_DP)
		chmod(name, where->level > 0 ? 0700 : 0755);
	if (where->level > 0)
		remove(name);
	return 0;
}

/* A folder that may not be read or written has been opened up by the first round; each one brings others to light. */
static void empty_folder(const char *dir)
{
	for (int i = 0; i < 64; i++) {
		struct stat st;

		nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
		if (stat(dir, &st) != 0 || st.st_nlink <= 2)
			return;
	}
}

void world_clean_share(struct world *w) { empty_folder(w->share); }

static bool make_folders(struct world *w, char **why)
{
	const char *tmp = getenv("TMPDIR");
	static const char *const sub[] = { "share", "lock", "private" };

	snprintf(w->dir, sizeof(w->dir), "%.150s/smb1d-play-XXXXXX", tmp && *tmp && access(tmp, W_OK) == 0 ? tmp : "/tmp");
	if (!mkdtemp(w->dir)) {
		*why = talloc_asprintf(NULL, "cannot make %s: %s", w->dir, strerror(errno));
		return false;
	}
	for (size_t i = 0; i < sizeof(sub) / sizeof(sub[0]); i++) {
		char *d = talloc_asprintf(w, "%s/%s", w->dir, sub[i]);

		if (mkdir(d, i == 0 ? 0755 : 0700) != 0) {
			*why = talloc_asprintf(NULL, "cannot make %s: %s", d, strerror(errno));
			return false;
		}
	}
	snprintf(w->share, sizeof(w->share), "%s/share", w->dir);
	return true;
}

static void start_log(struct world *w)
{
	struct log_setup how = { .timestamp = true, .hires = true, .pid = true };

	how.file = talloc_asprintf(w, "%s/log", w->dir);
	if (w->flags & WORLD_QUIET) {
		how.file = NULL;
		memset(log_level, -1, sizeof(log_level));
	} else {
		memset(log_level, 4, sizeof(log_level));
	}
	log_open(&how);
}

struct world *world_new(TALLOC_CTX *mem, const char *extra, unsigned flags, char **why)
{
	struct world *w = talloc_zero(mem, struct world);
	const char *reason = "";

	w->flags = flags;
	if (!make_folders(w, why))
		goto bad;
	start_log(w);
	if (!str_setup("CP850", "UTF-8", &reason) || !(w->conf = world_conf(w, extra, why)) || !make_accounts(w, why)) {
		if (!*why)
			*why = talloc_strdup(NULL, reason);
		goto bad;
	}
	w->db = db_open(w, w->conf->g.lock_directory, &reason);
	if (!w->db) {
		*why = talloc_strdup(NULL, reason);
		goto bad;
	}
	w->host = (struct srv_host){ .ask = ask, .ident_of = ident_of, .group_of = group_of, .arg = w, .db = w->db };
	memcpy(w->host.challenge, WORLD_CHALLENGE, sizeof(w->host.challenge));
	return w;
bad:
	world_free(&w);
	return NULL;
}

void world_free(struct world **w)
{
	if (!*w)
		return;
	if ((*w)->dir[0]) {
		empty_folder((*w)->dir);
		rmdir((*w)->dir);
	}
	talloc_free(*w);
	*w = NULL;
}

/* ---- serving ---- */

struct conn *world_conn(struct world *w, int fd)
{
	struct fastio_tuning tuning;
	struct fastio *io;

	conn_tuning(w->conf, &tuning);
	io = fastio_new(NULL, fd, &tuning);
	return io ? conn_new(NULL, &w->host, w->conf, io, WORLD_ADDR, "192.0.2.1") : NULL;
}

bool world_serve(struct conn *c)
{
	while (!c->dead) {
		enum fastio_event e;

		if (fastio_unsent(c->io)) {
			e = fastio_flush(c->io);
			if (e == FASTIO_AGAIN)
				return true;
			if (e != FASTIO_OK)
				return false;
		}
		if (!cmd_pump(c))
			continue;
		e = fastio_fill(c->io);
		if (e == FASTIO_AGAIN)
			return true;
		if (e != FASTIO_OK)
			return false;
	}
	return false;
}

static void deliver(void *arg, enum msg_type type, const struct db_owner *from, struct rd body)
{
	conn_message(arg, type, from, body);
}

/* Until the client, another worker or the clock has something for us. */
static bool wait_for_work(struct world *w, struct conn *c, int fd)
{
	uint64_t next = cmd_tick(c), now = clock_ms();
	struct pollfd p[2] = {
		{ .fd = fd, .events = fastio_unsent(c->io) ? POLLOUT : POLLIN },
		{ .fd = box_fd(w->host.box), .events = POLLIN },
	};

	if (c->dead)
		return false;
	poll(p, 2, next == UINT64_MAX ? -1 : next > now ? (int)(next - now) : 0);
	if (p[1].revents)
		box_receive(w->host.box, deliver, c);
	return true;
}

/* The last refusal, for the stories: its texts, each with a NUL. */
static void keep_why(void *arg, const uint8_t *record, size_t len)
{
	struct world *w = arg;
	char *name = talloc_asprintf(NULL, "%s/why", w->dir);
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd >= 0) {
		(void)!write(fd, record, len);
		close(fd);
	}
	talloc_free(name);
}

static void open_audit(const struct world *w)
{
	if (*w->conf->g.smb1d_audit_file)
		audit_to(open(w->conf->g.smb1d_audit_file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
}

static void serve_until_gone(struct world *w, int fd)
{
	struct conn *c;

	const char *why;

	if (!db_after_fork(w->db, 0))
		_exit(3);
	if (!(w->flags & WORLD_QUIET))
		why_to(keep_why, w);
	open_audit(w);
	fs_process_setup();
	w->host.box = box_open(w, w->db, &why);
	c = w->host.box ? world_conn(w, fd) : NULL;
	if (!c)
		_exit(3);
	fs_process_rules(&w->conf->g);
	while (world_serve(c) && wait_for_work(w, c, fd))
		;
	conn_free(&c);
	db_forget_me(w->db);
	talloc_free(w->host.box);
	_exit(0);
}

pid_t world_worker(struct world *w, int fd, const int *keep_out, size_t n)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		for (size_t i = 0; i < n; i++)
			if (keep_out[i] >= 0)
				close(keep_out[i]);
		serve_until_gone(w, fd);
	}
	close(fd);
	return pid;
}
