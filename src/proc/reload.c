/* reload.c - a new configuration for the listener, the keeper and every worker.
 *
 * The file is read and checked once, by the listener.  The others get it as one flat sealed record: workers
 * may not open smb.conf.  A file with a mistake changes nothing anywhere. */
#include "proc/inner.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CONF_RECORD_MAX (64u << 20)

int reload_record(const struct conf *c)
{
	size_t len = 0;
	uint8_t *p = conf_pack(NULL, c, &len);
	int fd = p ? msg_memfd(p, len, true) : -1;

	talloc_free(p);
	return fd;
}

struct conf *reload_read(TALLOC_CTX *mem, int fd)
{
	size_t len = 0;
	uint8_t *p = msg_memfd_read(NULL, fd, CONF_RECORD_MAX, &len);
	struct conf *c = p ? conf_unpack(mem, p, len) : NULL;

	talloc_free(p);
	return c;
}

static bool send_record(int to, uint8_t word, int fd) { return msg_send(to, &word, 1, &fd, 1, false); }

/* With the audit log's new file: a worker can open none. */
static bool send_worker(const struct daemon *d, const struct client *c, int fd)
{
	const uint8_t word = WORKER_CONF;
	int fds[2] = { fd, d->audit_fd };

	return msg_send(c->ctl, &word, 1, fds, d->audit_fd >= 0 ? 2 : 1, false);
}

void reload_audit(struct daemon *d)
{
	const char *path = d->conf->g.smb1d_audit_file;
	struct stat st;

	if (d->audit_fd >= 0)
		close(d->audit_fd);
	d->audit_fd = -1;
	if (!*path)
		return;
	d->audit_fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600);
	if (d->audit_fd >= 0 && fstat(d->audit_fd, &st) == 0 && S_ISREG(st.st_mode))
		return;
	log_error(LOG_PROC, "no audit log: `smb1d: audit file = %s`: %s", path,
		  d->audit_fd < 0 ? strerror(errno) : "this is no plain file");
	if (d->audit_fd >= 0)
		close(d->audit_fd);
	d->audit_fd = -1;
}

/* Nothing is lost: until a worker has heard of the new file it writes into the old one. */
void reload_audit_tidy(struct daemon *d)
{
	const struct conf_globals *g = &d->conf->g;
	const uint8_t word = WORKER_AUDIT;
	struct stat st;
	char *old;

	if (d->audit_fd < 0 || g->smb1d_audit_max_size == 0 || fstat(d->audit_fd, &st) != 0 ||
	    st.st_size / 1024 < g->smb1d_audit_max_size)
		return;
	old = talloc_asprintf(NULL, "%s.old", g->smb1d_audit_file);
	if (old && rename(g->smb1d_audit_file, old) == 0) {
		log_at(LOG_PROC, 1, "the audit log had %lld KiB: it is %s now", (long long)st.st_size / 1024, old);
		reload_audit(d);
		nursery_renew(d);
		for (struct client *c = d->clients; c && d->audit_fd >= 0; c = c->next)
			if (c->worker && c->ctl >= 0 && !msg_send(c->ctl, &word, 1, &d->audit_fd, 1, false))
				log_error(LOG_PROC, "%s: its worker cannot be given the new audit log", c->addr);
	}
	talloc_free(old);
}

/* A worker whose configuration depends on its client. */
static void send_own(struct daemon *d, struct client *c)
{
	struct conf_macros m = { .client_name = c->name, .client_addr = c->addr, .server_addr = c->server,
				 .arch = c->arch, .pid = (long)c->pid };
	struct conf *own;
	char *why;
	int fd;

	if (!start_load(d, c, &m, &own, &why)) {
		log_error(LOG_PROC, "%s keeps its old configuration: %s", c->addr, why);
		talloc_free(why);
		return;
	}
	fd = reload_record(own);
	talloc_free(own);
	if (fd < 0 || !send_worker(d, c, fd))
		log_error(LOG_PROC, "%s: its worker cannot be given the new configuration", c->addr);
	if (fd >= 0)
		close(fd);
}

static void send_one(struct daemon *d, struct client *c, int fd)
{
	if (d->conf->per_client && c->name)
		send_own(d, c);
	else if (!send_worker(d, c, fd))
		log_error(LOG_PROC, "%s: its worker cannot be given the new configuration", c->addr);
}

void reload_one(struct daemon *d, struct client *c)
{
	int fd = reload_record(d->conf);

	if (fd < 0)
		return;
	send_one(d, c, fd);
	close(fd);
}

static void send_all(struct daemon *d)
{
	int fd = reload_record(d->conf);

	if (fd < 0) {
		log_error(LOG_PROC, "no memory for the record of the new configuration: processes keep the old one");
		return;
	}
	if (!send_record(d->keeper_ctl, KEEPER_CONF, fd))
		log_error(LOG_PROC, "the keeper cannot be given the new configuration");
	for (struct client *c = d->clients; c; c = c->next) {
		if (c->worker && c->ctl >= 0)
			send_one(d, c, fd);
	}
	close(fd);
}

bool reload_all(struct daemon *d, TALLOC_CTX *mem, char **why)
{
	signed char level[LOG_CLASSES];
	struct conf *c;

	notify_service_manager("RELOADING=1");
	if (!start_load(d, mem, NULL, &c, why)) {
		notify_service_manager("READY=1");
		log_error(LOG_PROC, "the old configuration stays: %s", *why);
		return false;
	}
	talloc_free(d->conf);
	d->conf = talloc_steal(d, c);
	start_log(d, c, NULL);
	if (log_parse_level(d->o->debug_level ? d->o->debug_level : c->g.log_level, level))
		listener_debug(d, level);
	walls_porch_prepare(&d->walls, c);
	reload_audit(d);
	talloc_free(d->fence);
	d->fence = fence_make(d, c, NULL);
	broker_reload(d);
	accept_tune(d);
	nursery_renew(d);
	send_all(d);
	notify_service_manager("READY=1");
	log_at(LOG_PROC, 1, "configuration read again");
	return true;
}

void reload_hello(struct daemon *d, struct client *c, struct rd *r)
{
	char *name = msg_get_str(c, r), *arch = msg_get_str(c, r);

	(void)d;
	if (!name || !arch) { /* nor is half of it kept: a worker may say this as often as it likes */
		talloc_free(name);
		talloc_free(arch);
		return;
	}
	talloc_free(c->name);
	talloc_free(c->arch);
	c->name = name;
	c->arch = arch;
}
