/* rap_print.c - printers and what waits at them: DosPrintQ* (69, 70), DosPrintJob* (76, 77), DosPrintDest*
 * (84, 85).  LAN Manager; MS-RAP 2.5.7 has the printer part of it.
 *
 * Who asks: the printer window of Win9x and OS/2, NET PRINT of DOS.  A queue is a printer share and has
 * one destination of its own name.  Levels 2 and 4 put the jobs right behind their queue. */
#include "base/clock.h"
#include "base/str.h"
#include "base/util.h"
#include "rpc/rap.h"

#define SHARE_PRINTER 1u
#define PRIORITY 5u
#define DATA_TYPE "RAW"
#define PROCESSOR "WinPrint"
#define MAX_JOBS 4096u
#define DEST_NAME_MAX 8u
#define USER_NAME_MAX 20u

struct unit { /* a queue, or a job of the queue before it */
	struct rpc_share_info queue;
	struct rpc_job_info job;
	bool is_job;
	uint16_t position; /* of a job, from 1 */
	uint32_t jobs;     /* of a queue */
};

struct units {
	struct unit *list;
	size_t count;
};

static bool jobs_follow(const struct rap_call *c) { return c->sub != NULL; }

static struct unit *add_unit(struct rap_call *c, struct units *u)
{
	if ((u->count & (u->count - 1)) == 0) { /* a power of two: it is full */
		struct unit *grown = talloc_realloc(c->mem, u->list, struct unit,
						    u->count ? 2 * (unsigned)u->count : 1);

		if (grown == NULL)
			return NULL;
		u->list = grown;
	}
	u->list[u->count] = (struct unit){ .is_job = false };
	return &u->list[u->count++];
}

static void add_jobs(struct rap_call *c, struct units *u, const char *printer, uint32_t *count)
{
	struct rpc_job_info j;
	struct unit *x;

	*count = 0;
	while (c->host->job != NULL && *count < MAX_JOBS && c->host->job(c->host->arg, printer, *count, &j)) {
		++*count;
		if (u == NULL)
			continue;
		x = add_unit(c, u);
		if (x == NULL)
			return;
		*x = (struct unit){ .job = j, .is_job = true, .position = (uint16_t)*count };
	}
}

static bool add_queue(struct rap_call *c, struct units *u, const struct rpc_share_info *s)
{
	struct unit *x = add_unit(c, u);
	size_t at = u->count - 1;
	uint32_t n;

	if (x == NULL)
		return false;
	x->queue = *s;
	add_jobs(c, jobs_follow(c) ? u : NULL, s->name, &n);
	u->list[at].jobs = n;
	return true;
}

static bool is_printer(const struct rpc_share_info *s)
{
	return (s->type & 0xffff) == SHARE_PRINTER && str_to_oem(s->name, NULL, 0) <= RAP_NAME_MAX;
}

static bool find_printer(struct rap_call *c, const char *name, struct rpc_share_info *s)
{
	while (*name == '\\')
		name++;
	return c->host->share_by_name(c->host->arg, name, s) && is_printer(s);
}

/* ---- records ---- */

static void queue_values(struct rap_call *c, const struct unit *x, struct rap_value *v)
{
	const struct rap_value name = RAP_TEXT(c, x->queue.name, RAP_NAME_MAX), none = RAP_TEXT(c, "", 0);
	const struct rap_value nil = RAP_NUM(0), proc = RAP_TEXT(c, PROCESSOR, RAP_TEXT_MAX);
	const struct rap_value comment = RAP_TEXT(c, x->queue.comment, RAP_COMMENT_MAX), jobs = RAP_NUM(x->jobs);
	/* name, pad, priority, from, until, separator, processor, destination, parameters, comment, status, jobs */
	const struct rap_value l12[] = {
		name, nil, RAP_NUM(PRIORITY), nil, nil, none, proc, name, none, comment, nil, jobs,
	};
	/* name, priority, from, until, pad, separator, processor, parameters, comment, status, jobs, printers,
	 * driver, its data */
	const struct rap_value l34[] = {
		name, RAP_NUM(PRIORITY), nil, nil, nil, none, proc, none, comment, nil, jobs, name, none, nil,
	};

	if (c->level == 3 || c->level == 4)
		memcpy(v, l34, sizeof(l34));
	else if (c->level == 1 || c->level == 2)
		memcpy(v, l12, sizeof(l12));
	else
		v[0] = name;
}

/* `whole` is the longer of the two records: with users' names in fixed fields. */
static void job_values(struct rap_call *c, const struct unit *x, bool whole, struct rap_value *v)
{
	const struct rpc_job_info *j = &x->job;
	const struct rap_value id = RAP_NUM(j->id), none = RAP_TEXT(c, "", 0), nil = RAP_NUM(0);
	const struct rap_value when = RAP_NUM(utime_from_nttime(j->submitted, c->host->zone));
	const struct rap_value status = RAP_NUM(j->spooling ? 3 : 0), size = RAP_NUM(j->bytes);
	const struct rap_value title = RAP_TEXT(c, j->title, RAP_TEXT_MAX), position = RAP_NUM(x->position);
	/* id, user, pad, notify, data type, parameters, position, status, its text, submitted, size, comment */
	const struct rap_value l1[] = {
		id, RAP_TEXT(c, j->user, USER_NAME_MAX), nil, none, RAP_TEXT(c, DATA_TYPE, 9), none, position,
		status, none, when, size, title,
	};
	/* id, priority, user, position, status, submitted, size, comment, document */
	const struct rap_value l2[] = {
		id, RAP_NUM(PRIORITY), RAP_TEXT(c, j->user, RAP_TEXT_MAX), position, status, when, size, none, title,
	};

	if (whole)
		memcpy(v, l1, sizeof(l1));
	else
		memcpy(v, l2, sizeof(l2));
}

static void queue_entry(struct rap_call *c, const void *list, size_t i, struct rap_value *v)
{
	const struct units *u = list;
	const struct unit *x = &u->list[i];

	c->desc = x->is_job ? c->sub : c->head;
	c->part = x->is_job;
	if (x->is_job)
		job_values(c, x, c->level == 2, v);
	else
		queue_values(c, x, v);
}

static void job_entry(struct rap_call *c, const void *list, size_t i, struct rap_value *v)
{
	const struct units *u = list;

	job_values(c, &u->list[i], c->level < 2, v);
}

/* Name, user, job, status, its text, time; name alone; name, user, address, job, status, text, comment,
 * drivers, time, pad. */
static void dest_entry(struct rap_call *c, const void *list, size_t i, struct rap_value *v)
{
	const struct units *u = list;
	const struct rpc_share_info *s = &u->list[i].queue;
	const struct rap_value none = RAP_TEXT(c, "", 0), nil = RAP_NUM(0);
	const struct rap_value name = RAP_TEXT(c, s->name, c->level < 2 ? DEST_NAME_MAX : RAP_NAME_MAX);
	const struct rap_value l1[] = { name, none, nil, nil, none, nil };
	const struct rap_value l3[] = {
		name, none, none, nil, nil, none, RAP_TEXT(c, s->comment, RAP_COMMENT_MAX), none, nil, nil,
	};

	if (c->level == 3)
		memcpy(v, l3, sizeof(l3));
	else
		memcpy(v, l1, sizeof(l1));
}

/* ---- the calls ---- */

static bool all_queues(struct rap_call *c, struct units *u)
{
	struct rpc_share_info s;

	*u = (struct units){ .count = 0 };
	for (size_t i = 0; c->host->share(c->host->arg, i, &s); i++)
		if (is_printer(&s) && !add_queue(c, u, &s))
			return false;
	return true;
}

/* 69 */
uint16_t rap_queue_enum(struct rap_call *c)
{
	struct units u;

	return all_queues(c, &u) ? rap_list(c, queue_entry, &u, u.count) : RAP_NO_MEMORY;
}

/* 70: the queue, with its jobs at levels 2 and 4; available is bytes here */
uint16_t rap_queue_get_info(struct rap_call *c)
{
	struct rap_value v[RAP_MAX_VALUES];
	struct units u = { .count = 0 };
	struct rpc_share_info s;

	if (c->text[0][0] == '\0')
		return RAP_INVALID_PARAMETER;
	if (!find_printer(c, c->text[0], &s))
		return RAP_QUEUE_NOT_FOUND;
	if (!add_queue(c, &u, &s))
		return RAP_NO_MEMORY;
	if (jobs_follow(c))
		return rap_info_list(c, queue_entry, &u, u.count);
	queue_values(c, &u.list[0], v);
	return rap_info(c, v);
}

/* 74 and 75: complete jobs go to the print system at once, so there is nothing here to hold back; clients
 * hold a queue around what they do with its jobs and give up if they cannot. */
uint16_t rap_queue_hold(struct rap_call *c)
{
	struct rpc_share_info s;

	return find_printer(c, c->text[0], &s) ? RAP_OK : RAP_QUEUE_NOT_FOUND;
}

/* 76 */
uint16_t rap_job_enum(struct rap_call *c)
{
	struct units u = { .count = 0 };
	struct rpc_share_info s;
	uint32_t n;

	if (c->text[0][0] == '\0')
		return RAP_INVALID_PARAMETER;
	if (!find_printer(c, c->text[0], &s))
		return RAP_QUEUE_NOT_FOUND;
	add_jobs(c, &u, s.name, &n);
	return rap_list(c, job_entry, &u, u.count);
}

/* 77 */
uint16_t rap_job_get_info(struct rap_call *c)
{
	struct rap_value v[RAP_MAX_VALUES];
	struct rpc_share_info s;

	for (size_t i = 0; c->host->share(c->host->arg, i, &s); i++) {
		struct units u = { .count = 0 };
		uint32_t n;

		if (!is_printer(&s))
			continue;
		add_jobs(c, &u, s.name, &n);
		for (size_t k = 0; k < u.count; k++) {
			if (u.list[k].job.id != c->number)
				continue;
			job_values(c, &u.list[k], c->level < 2, v);
			return rap_info(c, v);
		}
	}
	return RAP_JOB_NOT_FOUND;
}

/* 84 */
uint16_t rap_dest_enum(struct rap_call *c)
{
	struct units u;

	return all_queues(c, &u) ? rap_list(c, dest_entry, &u, u.count) : RAP_NO_MEMORY;
}

/* 85 */
uint16_t rap_dest_get_info(struct rap_call *c)
{
	struct rap_value v[RAP_MAX_VALUES];
	struct units u = { .count = 0 };
	struct rpc_share_info s;

	if (!find_printer(c, c->text[0], &s))
		return RAP_DEST_NOT_FOUND;
	if (!add_queue(c, &u, &s))
		return RAP_NO_MEMORY;
	dest_entry(c, &u, 0, v);
	return rap_info(c, v);
}
