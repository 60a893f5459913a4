/* disk.c - how big and how full the disk is: disk.h.
 *
 * `dfree command` runs outside this process (proc/run.c), in the share's folder and with "." as its last word.  It
 * writes two numbers, the disk's size and what is free, in units of 1024 bytes or of a third number.  Its word is kept
 * for `dfree cache time`, a second at least; when it fails, the file system's word counts for ten. */
#include "srv/disk.h"
#include "base/log.h"
#include "base/util.h"
#include "srv/exec.h"
#include <stdlib.h>
#include <unistd.h>

#define FAILED_MS 10000u
#define MOST_MS 10000 /* the host ends it long before */

struct disk_word { uint64_t until, total, avail; bool known; }; /* until: clock_ms() */

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

static void ask(struct req *q, struct disk_word *w)
{
	const struct srv_host *host = q->c->host;
	struct conf_macros m;
	char answer[SRV_ANSWER_MAX] = "";
	int status = SRV_UNKNOWN, fd;

	conn_macros(q->c, q->s, q->t, &m);
	fd = host->command(host->arg, &(struct srv_command){ SRV_DFREE, q->t->share->name, &m });
	if (fd >= 0) {
		status = host->command_end(fd, MOST_MS, answer);
		close(fd);
	}
	w->known = status == 0 && parse(answer, w);
	if (!w->known)
		log_at(LOG_SMB, 1, "share %s: `dfree command` ended with status %d and said \"%.40s\", not two numbers: the file "
				   "system is asked instead", q->t->share_name, status, answer);
}

static const struct disk_word *word_of(struct req *q)
{
	uint64_t now = clock_ms(), keep = (uint64_t)q->t->share->p.dfree_cache_time * 1000;
	struct disk_word *w = q->t->disk;

	if (!q->t->share->p.dfree_command[0] || !q->c->host->command)
		return NULL;
	if (!w)
		w = q->t->disk = talloc_zero(q->t, struct disk_word);
	if (w && now >= w->until) {
		ask(q, w);
		w->until = clock_ms() + (!w->known ? FAILED_MS : keep > 1000 ? keep : 1000);
	}
	return w && w->known ? w : NULL;
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
	const struct disk_word *w = word_of(q);
	status_t st = fs_space(q->t->fs, s);

	if (st != ST_OK)
		return st;
	if (w)
		fs_space_said(s, w->total, w->avail);
	within_quota(q, s);
	return ST_OK;
}
