/* write_group.c - write-through writes in flight share one sync: write_group.h.
 *
 *   none --write-through write, the next request is here and is a lone write too--> waiting --no such request--> synced, answered
 *
 * cmd_pump() settles before anything that is not a WRITE_ANDX on its own, and before it waits for the client. */
#include "cmd/write_group.h"
#include "srv/durable.h"

#define GROUP_MAX 32 /* answers held back; more are in flight than `max mux` says if this is not enough */

struct write_group {
	struct waiting {
		struct write_answer a;
		uint16_t fid;
		bool settled;
	} w[GROUP_MAX];
	unsigned n;
};

/* Nothing else of this message is to come, and a further write is here. */
static bool shares(const struct req *q)
{
	return q->c->next_cmd == 0x2f && !q->chained && q->andx_cmd == 0xff && q->len >= SMB_MIN_LEN && !q->resumed;
}

bool write_group_join(struct req *q, struct open *o, uint32_t done)
{
	struct write_group *g = q->c->group;
	struct waiting *w;

	if (!g && !shares(q))
		return false;
	if (!g)
		g = q->c->group = talloc_zero(q->c, struct write_group);
	if (!g || g->n == GROUP_MAX)
		return false;
	w = &g->w[g->n++];
	*w = (struct waiting){ .fid = o->fid };
	write_answer_later(q, &w->a);
	w->a.done = done;
	return true;
}

void write_group_settle(struct conn *c)
{
	struct write_group *g = c->group;

	c->group = NULL;
	fastio_gather(c->io, true); /* all in one call, when cmd_pump() has done */
	for (unsigned i = 0; i < g->n; i++) {
		struct open *o = open_find(c, g->w[i].fid);
		status_t st;

		if (g->w[i].settled)
			continue;
		st = o ? durable_now(o) : ST_INVALID_HANDLE;
		for (unsigned k = i; k < g->n; k++)
			if (g->w[k].fid == g->w[i].fid) {
				g->w[k].settled = true;
				g->w[k].a.status = st;
			}
	}
	for (unsigned i = 0; i < g->n && !c->dead; i++)
		write_answer(c, &g->w[i].a);
	talloc_free(g);
}
