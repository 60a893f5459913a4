/* disk.c - how big and how full the disk is: disk.h.
 *
 * `dfree command` runs outside this process (proc/run.c), in the share's folder and with "." as its last word.  It
 * writes two numbers, the disk's size and what is free, in units of 1024 bytes or of a third number.  Its word is kept
 * for `dfree cache time`, a second at least; when it fails, the file system's word counts for ten.
 *
 *   none, or too old --a request asks--> running --ends, or MOST_MS--> kept
 *                                           `--others that ask meanwhile wait for the same word */
#include "srv/disk.h"
#include "base/log.h"
#include "base/util.h"
#include "srv/exec.h"
#include "srv/park.h"
#include <stdlib.h>
#include <unistd.h>

#define FAILED_MS 10000u
#define MOST_MS 10000 /* the host ends it long before */

struct disk_word {
	uint64_t until, total, avail; /* until: clock_ms() */
	bool known;
	int fd;                       /* of the command that is running; -1: none is */
	uint64_t began;               /* clock_ms() */
};

static bool number(char **text, uint64_t *v)
{
	char *end;

	*text += strspn(*text, " \t\n");
	if (**text < '0' || **text > '9')
		return false;
	*v = strtoull(*text, &end, 10);
	*text = end;
	return *end == '\0' || strchr(" \t\n", *end);
}

/* "total free [unit]" */
static bool parse(char *text, struct disk_word *w)
{
	uint64_t unit = 1024;

	if (!number(&text, &w->total) || !number(&text, &w->avail))
		return false;
	text += strspn(text, " \t\n");
	if (*text && (!number(&text, &unit) || unit == 0))
		return false;
	if (w->total == 0)
		return false;
	w->total = w->total > UINT64_MAX / unit ? UINT64_MAX : w->total * unit;
	w->avail = w->avail > UINT64_MAX / unit ? UINT64_MAX : w->avail * unit;
	return true;
}

static int forget_command(struct disk_word *w)
{
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
	return 0;
}

/* Its exit status, or SRV_RUNNING. */
static int run(struct req *q, struct disk_word *w, char answer[SRV_ANSWER_MAX])
{
	const struct srv_host *host = q->c->host;
	struct conf_macros m;
	bool first;

	if (!q->resumed && clock_ms() - w->began > MOST_MS) /* nobody has waited for what it said */
		forget_command(w);
	first = w->fd < 0;
	if (first) {
		conn_macros(q->c, q->s, q->t, &m);
		w->fd = host->command(host->arg, &(struct srv_command){ SRV_DFREE, q->t->share->name, &m });
		w->began = clock_ms();
	}
	return w->fd < 0 ? SRV_UNKNOWN : host->command_end(w->fd, first ? EXEC_AT_ONCE_MS : 0, answer);
}

static status_t ask(struct req *q, struct disk_word *w)
{
	uint64_t keep = (uint64_t)q->t->share->p.dfree_cache_time * 1000;
	char answer[SRV_ANSWER_MAX] = "";
	int status = run(q, w, answer);

	if (status == SRV_RUNNING && !(q->resumed && q->resumed->over))
		return exec_wait(q, MOST_MS);
	forget_command(w);
	w->known = status == 0 && parse(answer, w);
	w->until = clock_ms() + (!w->known ? FAILED_MS : keep > 1000 ? keep : 1000);
	if (!w->known)
		log_at(LOG_SMB, 1, "share %s: `dfree command` ended with status %d and said \"%.40s\", not two numbers: the file "
				   "system is asked instead", q->t->share_name, status, answer);
	return ST_OK;
}

/* *word: NULL if the file system's counts. */
static status_t word_of(struct req *q, const struct disk_word **word)
{
	struct disk_word *w = q->t->disk;
	status_t st = ST_OK;

	*word = NULL;
	if (!q->t->share->p.dfree_command[0] || !q->c->host->command)
		return ST_OK;
	if (!w) {
		w = q->t->disk = talloc_zero(q->t, struct disk_word);
		if (!w)
			return ST_OK;
		w->fd = -1;
		talloc_set_destructor(w, forget_command);
	}
	if (clock_ms() >= w->until)
		st = ask(q, w);
	if (st == ST_OK && w->known)
		*word = w;
	return st;
}

/* A disk is no larger for somebody than his share of it. */
static void within_quota(struct req *q, struct fs_space *s)
{
	const struct tree_user *u = tree_user(q->t, q->s);
	struct fs_quota own;

	if (!u || !u->id || fs_quota(q->t->fs, u->id->uid, &own) != ST_OK || own.hard == 0)
		return;
	s->total = min_u64(s->total, own.hard);
	s->avail = min_u64(s->avail, own.used < own.hard ? own.hard - own.used : 0);
}

status_t disk_space(struct req *q, struct fs_space *s)
{
	const struct disk_word *w;
	status_t st = word_of(q, &w);

	if (st == ST_OK)
		st = fs_space(q->t->fs, s);
	if (st != ST_OK)
		return st;
	if (w)
		fs_space_said(s, w->total, w->avail);
	within_quota(q, s);
	return ST_OK;
}
