/* start.c - from the command line to a listening daemon, in order:
 *
 *   configuration ─> folders ─> (daemon) ─> log ─> pid file ─> sockets ─> tables ─> keeper ─> control socket
 *
 * Whatever fails says so in one line on standard error, and the exit status is 1.  Started as a daemon, the
 * first process waits for the second to be ready, so that its exit status tells the truth. */
#include "proc/inner.h"
#include "smb1d_version.h"
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define HOLE_MAX 65536u         /* bytes of one */
#define HOLES_MAX (256u << 10)  /* of all */

/* ---- configuration ---- */
static char *first_error(TALLOC_CTX *mem, const struct conf_report *rep)
{
	for (size_t i = 0; i < rep->n; i++)
		if (rep->msgs[i].kind == CONF_MSG_ERROR)
			return talloc_strdup(mem, rep->msgs[i].text);
	return talloc_strdup(mem, "the configuration cannot be read");
}

static void log_notes(const struct conf_report *rep)
{
	for (size_t i = 0; i < rep->n; i++)
		log_at(LOG_CONF, rep->msgs[i].kind == CONF_MSG_NOTE ? 2 : 1, "%s", rep->msgs[i].text);
}

bool start_load(struct daemon *d, TALLOC_CTX *mem, const struct conf_macros *client, struct conf **out,
		char **why)
{
	struct conf_source src = { .file = d->o->conf_file, .overrides = d->o->overrides, .client = client };
	TALLOC_CTX *tmp = talloc_new(mem);
	struct conf_report rep = { 0 };
	struct conf *c = NULL;
	bool ok;

	ok = conf_load(tmp, &src, &c, &rep);
	if (ok) {
		*out = talloc_steal(mem, c);
		if (!d->base) { /* at start there is no log yet */
			d->notes = talloc_memdup(d, &rep, sizeof(rep));
			talloc_steal(d, tmp);
			return true;
		}
		if (!client)
			log_notes(&rep);
	} else {
		*why = first_error(mem, &rep);
		for (size_t i = 0; i < rep.n && d->base; i++) /* at start the one line on standard error is it */
			if (rep.msgs[i].kind == CONF_MSG_ERROR)
				log_error(LOG_CONF, "%s", rep.msgs[i].text);
	}
	talloc_free(tmp);
	return ok;
}

/* ---- log ---- */
bool start_log_per_client(const struct conf *c)
{
	for (const char *p = strchr(c->g.log_file, '%'); p && p[1]; p = strchr(p + 2, '%'))
		if (strchr("mMIRaUuGgDHSP", p[1]))
			return true;
	return false;
}

static char *log_name(const struct daemon *d, TALLOC_CTX *mem, const struct conf *c,
		      const struct conf_macros *client)
{
	char host[65] = "";
	struct conf_macros m = { .host_name = host, .server_name = c->g.netbios_name, .pid = (long)getpid() };
	char *dir;

	gethostname(host, sizeof(host) - 1);
	if (client) {
		m = *client;
		m.host_name = host;
	}
	if (!*c->g.log_file) {
		if (!d->o->log_dir && (d->o->foreground || d->o->interactive))
			return NULL;
		return talloc_asprintf(mem, "%s/log.smb1d", d->o->log_dir ? d->o->log_dir : SMB1D_LOG_DIR);
	}
	if (client || !start_log_per_client(c))
		return conf_expand(mem, c->g.log_file, &m);
	/* no client yet: a file of our own beside those of the clients */
	dir = talloc_strndup(mem, c->g.log_file, strcspn(c->g.log_file, "%"));
	dir = dir ? talloc_asprintf(mem, "%s-", dir) : NULL; /* so that "/x/%m" has the folder "/x" */
	return dir ? talloc_asprintf(mem, "%s/log.smb1d", dirname(dir)) : NULL;
}

/* `logging` = words like "syslog@2 file"; else `syslog` and `syslog only`. */
static void log_ways(const struct conf *c, struct log_setup *how, bool *file)
{
	*file = !c->g.syslog_only;
	how->to_syslog = c->g.syslog_only;
	how->syslog_level = (int)c->g.syslog;
	if (!c->g.logging[0])
		return;
	*file = how->to_syslog = false;
	for (const char *const *w = c->g.logging; *w; w++) {
		const char *at = strchr(*w, '@');

		if (strncmp(*w, "file", 4) == 0)
			*file = true;
		if (strncmp(*w, "syslog", 6) != 0 && strncmp(*w, "systemd", 7) != 0)
			continue;
		how->to_syslog = true;
		how->syslog_level = at ? atoi(at + 1) : 10;
	}
}

void start_log(struct daemon *d, const struct conf *c, const struct conf_macros *client)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct log_setup how = {
		.max_size_kib = (long)c->g.max_log_size,
		.timestamp = c->g.timestamp_logs,
		.hires = c->g.debug_hires_timestamp,
		.pid = c->g.debug_pid,
		.uid = c->g.debug_uid,
	};
	bool file;

	log_ways(c, &how, &file);
	if (file && !d->o->log_to_stdout)
		how.file = log_name(d, mem, c, client);
	if (how.file && !client) { /* as the other folders; a daemon without a log tells nobody anything */
		char *dir = talloc_strdup(mem, how.file);

		(void)util_make_folder(dir ? dirname(dir) : ".", 0755);
	}
	how.to_stderr = d->o->log_to_stdout ||
			((d->o->foreground || d->o->interactive) && !how.file && !how.to_syslog);
	walls_syslog(how.to_syslog);
	if (!client || start_log_per_client(c))
		log_open(&how);
	talloc_free(mem);
}

/* ---- folders ---- */
static bool make_dir(const char *path, mode_t mode, char **why)
{
	if (util_make_folder(path, mode))
		return true;
	*why = talloc_asprintf(NULL, "cannot make the folder %s: %s", path, strerror(errno));
	return false;
}

static bool make_dirs(const struct daemon *d, char **why)
{
	const struct conf_globals *g = &d->conf->g;

	umask(022);
	if (!d->o->foreground && !d->o->interactive && !d->o->log_dir && !*g->log_file)
		(void)util_make_folder(SMB1D_LOG_DIR, 0755); /* without it there is no log file, which is said */
	return make_dir(g->lock_directory, 0755, why) && make_dir(g->state_directory, 0755, why) &&
	       make_dir(g->cache_directory, 0755, why) && make_dir(g->pid_directory, 0755, why) &&
	       make_dir(g->private_dir, 0700, why);
}

/* ---- daemon ---- */
static void standard_fds(bool all)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0)
		return;
	for (int fd = 0; fd <= 2; fd++)
		if (all || fcntl(fd, F_GETFD) < 0)
			dup2(null, fd);
	if (null > 2)
		close(null);
}

/* In the second process: the descriptor on which to say "ready"; the first one never comes back. */
static int daemonise(void)
{
	int ready[2];
	char byte;
	pid_t pid;

	if (pipe2(ready, O_CLOEXEC) != 0 || (pid = fork()) < 0)
		return -1;
	if (pid == 0) {
		close(ready[0]);
		setsid();
		return ready[1];
	}
	close(ready[1]);
	_exit(read(ready[0], &byte, 1) == 1 ? 0 : 1);
}

static void more_descriptors(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_cur < r.rlim_max) {
		r.rlim_cur = r.rlim_max < 65536 ? r.rlim_max : 65536;
		(void)setrlimit(RLIMIT_NOFILE, &r);
	}
}

/* ---- steps ---- */
/* libevent does not tell its own descriptors, and a child must close them: those that are new. */
static bool make_base(struct daemon *d)
{
	bool before[256];

	for (int fd = 0; fd < 256; fd++)
		before[fd] = fcntl(fd, F_GETFD) >= 0;
	d->base = event_base_new();
	for (int fd = 3; fd < 256 && d->base; fd++)
		if (!before[fd] && fcntl(fd, F_GETFD) >= 0 && d->nbase_fd < ARRAY_LEN(d->base_fd))
			d->base_fd[d->nbase_fd++] = fd;
	return d->base != NULL;
}

static bool is_socket(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode);
}

static void say_what_is_missing(const struct daemon *d)
{
	if (fence_missing(d->fence))
		walls_missing(WALL_FENCE, "workers see the whole file tree: %s", fence_missing(d->fence));
	if (d->root)
		return;
	walls_missing(WALL_ROOT, "not root: every client has the rights of user id %ld", (long)geteuid());
	walls_missing(WALL_USER, "not root: before login a connection's process keeps user id %ld", (long)geteuid());
	walls_missing(WALL_CHROOT, "not root: before login a connection's process has no empty root");
}

void start_output(const struct daemon *d)
{
	if (!d->o->foreground && !d->o->interactive)
		standard_fds(true);
	else if (d->o->log_to_stdout && !is_socket(STDOUT_FILENO))
		dup2(STDOUT_FILENO, STDERR_FILENO);
}

/* What reading the configuration has freed lies about in small pieces, and malloc takes those first: each would become a
 * page of every client's process, or of ours after a fork.  From here on what changes lies together, behind what
 * does not. */
static void heap_fill_holes(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* their heaps have no order, and they look for leaks */
	const char *end = malloc(HOLE_MAX), *p;
	size_t left = HOLES_MAX;

	for (size_t size = HOLE_MAX / 2; end && size >= 16; size -= size > 1024 ? size / 16 : 16) {
		while ((p = malloc(size)) != NULL && p < end && left > size)
			left -= size; /* kept */
		free((void *)(uintptr_t)p);
	}
	free((void *)(uintptr_t)end);
#endif
}

static bool serve(struct daemon *d, const char **why)
{
	*why = "out of memory or descriptors";
	walls_setup();
	if (!d->once) {
		d->pid_fd = pidfile_take(d->conf->g.pid_directory, why);
		if (d->pid_fd < 0)
			return false;
	}
	if (!(d->once && is_socket(STDIN_FILENO)) && d->listen.n == 0 &&
	    !sockets_open(&d->listen, d->conf, d->o->ports, why))
		return false;
	heap_fill_holes();
	d->db = db_open(d, d->conf->g.lock_directory, why);
	if (!d->db)
		return false;
	*why = "out of memory or descriptors";
	if (!make_base(d))
		return false;
	walls_porch_prepare(&d->walls, d->conf);
	d->fence = fence_make(d, d->conf, NULL);
	if (!listener_keeper_start(d, why))
		return false;
	return d->once || control_open(d, why);
}

static void ready(struct daemon *d, int tell)
{
	start_output(d);
	if (tell >= 0) {
		(void)!write(tell, "", 1);
		close(tell);
	}
	if (d->notes)
		log_notes(d->notes);
	notify_service_manager("READY=1");
	log_at(LOG_PROC, 1, "smb1d %s is ready%s", SMB1D_VERSION, d->root ? "" : " (not root)");
	say_what_is_missing(d);
}

static bool prepare(struct daemon *d, char **why)
{
	signed char level[LOG_CLASSES];
	const char *bad = "";

	if (!start_load(d, d, NULL, &d->conf, why) || !make_dirs(d, why))
		return false;
	if (!log_parse_level(d->o->debug_level ? d->o->debug_level : d->conf->g.log_level, level)) {
		*why = talloc_asprintf(d, "\"%s\" is no debug level", d->o->debug_level ? d->o->debug_level :
				       d->conf->g.log_level);
		return false;
	}
	memcpy(log_level, level, sizeof(level));
	if (!str_setup(d->conf->g.dos_charset, d->conf->g.unix_charset, &bad)) {
		*why = talloc_strdup(d, bad);
		return false;
	}
	(void)clock_zone(0); /* loads the time zone */
	more_descriptors();
	return true;
}

static int fail(const char *why)
{
	fprintf(stderr, "smb1d: %s\n", why ? why : "out of memory");
	return 1;
}

/* The one client on standard input takes the place of a listening socket. */
static void take_standard_input(struct daemon *d)
{
	int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		if (is_socket(STDOUT_FILENO))
			dup2(null, STDOUT_FILENO);
		close(null);
	}
	d->once_taken = true;
	if (fd < 0)
		return;
	(void)evutil_make_socket_nonblocking(fd);
	sockets_tune(d->conf, fd);
	accept_client(d, fd);
}

int proc_run(const struct proc_options *o)
{
	struct daemon *d = talloc_zero(NULL, struct daemon);
	const char *bad = NULL;
	char *why = NULL;
	int tell = -1, status;

	if (!d)
		return fail(NULL);
	d->o = o;
	d->root = geteuid() == 0;
	d->once = o->interactive;
	d->signal_fd = d->pid_fd = d->reserve_fd = d->control_fd = d->keeper_ctl = d->watcher_ctl = d->audit_fd = -1;
	for (int i = 0; i < NURSERY_KINDS; i++)
		d->nursery[i].ctl = -1;
	standard_fds(false);
	if (!o->interactive)
		sockets_from_service_manager(&d->listen);
	walls_close_others(d->listen.fd, d->listen.n); /* whatever the caller forgot to close */
	if (!prepare(d, &why))
		return fail(why);
	if (!o->foreground && !o->interactive) {
		tell = daemonise();
		if (tell < 0)
			return fail("cannot start a process for the daemon");
	}
	start_log(d, d->conf, NULL);
	if (!serve(d, &bad)) {
		status = fail(bad);
		pidfile_drop(d->conf->g.pid_directory, &d->pid_fd);
		return status;
	}
	ready(d, tell);
	why_open();
	reload_audit(d);
	if (d->once && is_socket(STDIN_FILENO))
		take_standard_input(d);
	status = listener_run(d);
	control_close(d);
	pidfile_drop(d->conf->g.pid_directory, &d->pid_fd);
	log_at(LOG_PROC, 1, "smb1d has ended");
	return status;
}
