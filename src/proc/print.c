/* print.c - `print command`: a job that is complete is handed to the print system.
 *
 *   worker (may start no program) --WORKER_PRINT, token--> listener --fork--> the user's rights, no more --exec--> command
 *
 * What a client calls its job reaches a command line here, so text is never put into a shell's program
 * (print_words.c).
 *
 *   %s  path of the spool file     %f  its name      %J  title     %p  printer     %z  bytes     %j  job number
 *   %c  pages (unknown: 0)         and the macros of smb.conf(5) */
#include "proc/inner.h"
#include "srv/spool.h"
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

struct job {
	const char *share, *printer, *file, *title, *folder, *user;
	const char *client, *client_addr, *asked, *domain;
	uint16_t number;
	uint64_t size;
	struct ucred who;
};

#define BURST 200u /* jobs of one client in ten seconds */

/* ---- worker's side ---- */
void print_send(int ctl, const struct spool_order *o)
{
	uint8_t buf[8192];
	struct wr w = wr_over(buf, sizeof(buf));
	struct conf_macros m;
	int token[2];

	if (!msg_pair(token)) {
		log_error(LOG_PROC, "print job %u on %s cannot be handed on: %s", o->number, o->tree->share_name, strerror(errno));
		return;
	}
	conn_macros(o->tree->c, o->session, o->tree, &m);
	wr_u8(&w, WORKER_PRINT);
	wr_u16(&w, o->number);
	wr_u64(&w, o->size);
	msg_put_str(&w, o->tree->share->name);
	msg_put_str(&w, o->file);
	msg_put_str(&w, o->title);
	msg_put_str(&w, o->tree->root);
	msg_put_str(&w, o->ident->user);
	msg_put_str(&w, m.client_name ? m.client_name : "");
	msg_put_str(&w, m.client_addr ? m.client_addr : "");
	msg_put_str(&w, m.user_asked ? m.user_asked : "");
	msg_put_str(&w, m.domain ? m.domain : "");
	if (!wr_ok(&w) || ctl < 0 || !msg_send(ctl, buf, wr_tell(&w), &token[1], 1, false))
		log_error(LOG_PROC, "print job %u on %s cannot be handed on: %s; its file stays in the spool folder",
			  o->number, o->tree->share_name, wr_ok(&w) ? strerror(errno) : "too long");
	close(token[0]);
	close(token[1]);
}

/* ---- the command ---- */
static char *value_of(TALLOC_CTX *mem, const void *arg, char c)
{
	const struct job *j = arg;
	const struct conf_macros m = {
		.client_name = j->client, .client_addr = j->client_addr, .user_asked = j->asked, .user = j->user,
		.domain = j->domain, .service = j->share, .path = j->folder,
	};
	char macro[3] = { '%', c, '\0' };

	switch (c) {
	case 's': return talloc_asprintf(mem, "%s/%s", j->folder, j->file);
	case 'f': return talloc_strdup(mem, j->file);
	case 'J': return talloc_strdup(mem, j->title);
	case 'p': return talloc_strdup(mem, j->printer);
	case 'z': return talloc_asprintf(mem, "%llu", (unsigned long long)j->size);
	case 'j': return talloc_asprintf(mem, "%u", j->number);
	case 'c': return talloc_strdup(mem, "0");
	case '%': return talloc_strdup(mem, "%");
	default: return conf_expand(mem, macro, &m);
	}
}

static _Noreturn void run(const struct job *j, struct print_words *w)
{
	const struct run_as as = { .uid = j->who.uid, .gid = j->who.gid, .user = j->user, .folder = j->folder,
				   .what = talloc_asprintf(NULL, "`print command` of [%s], job %u", j->share, j->number),
				   .out = -1 };
	int keep[1] = { log_fd() };

	run_prepare(&as, keep, 1);
	run_exec(&as, w);
}

/* ---- listener's side ---- */
static bool read_job(TALLOC_CTX *mem, struct rd *r, struct job *j)
{
	j->number = rd_u16(r);
	j->size = rd_u64(r);
	j->share = msg_get_str(mem, r);
	j->file = msg_get_str(mem, r);
	j->title = msg_get_str(mem, r);
	j->folder = msg_get_str(mem, r);
	j->user = msg_get_str(mem, r);
	j->client = msg_get_str(mem, r);
	j->client_addr = msg_get_str(mem, r);
	j->asked = msg_get_str(mem, r);
	j->domain = msg_get_str(mem, r);
	return j->share && j->file && j->title && j->folder && j->user && j->client && j->client_addr && j->asked &&
	       j->domain && rd_ok(r) && !strchr(j->file, '/') && strncmp(j->file, "smb1d-", 6) == 0;
}

/* NULL, or why the job is not printed. */
static const char *print(struct daemon *d, struct client *c, TALLOC_CTX *mem, struct rd *r, int token)
{
	const struct conf_share *share;
	struct print_words w;
	struct job j = { 0 };
	const char *bad;
	pid_t pid;

	if (!read_job(mem, r, &j))
		return "a print job that cannot be read";
	bad = run_token(c, token, &j.who);
	if (bad)
		return bad;
	share = conf_find(d->conf, j.share);
	if (!share || share->kind != CONF_PRINTER || !share->p.print_command[0])
		return talloc_asprintf(mem, "[%s] is no printer with a `print command`", j.share);
	if (run_too_many(&c->prints, BURST))
		return "too many print jobs at once; the file stays in the spool folder";
	j.printer = share->p.printer_name[0] ? share->p.printer_name : j.share;
	if (!print_words_make(mem, share->p.print_command, value_of, &j, &w))
		return talloc_asprintf(mem, "`print command` of [%s] is too long, or memory is out", j.share);
	pid = fork();
	if (pid == 0)
		run(&j, &w);
	if (pid < 0)
		listener_complain(d, "no process for a print command", errno);
	else
		log_at(LOG_PROC, 2, "print job %u on %s: %s", j.number, j.share, w.v[0]);
	return NULL;
}

/* It can name a job of a printer of ours, for the user it was when it made the token, and nothing else. */
void print_job(struct daemon *d, struct client *c, struct rd *r, int token)
{
	run_order(d, c, r, token, "print command", print);
}
