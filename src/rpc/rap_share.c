/* rap_share.c - NetShareEnum (0) and NetShareGetInfo (1).  MS-RAP 2.5.5.
 *
 * Who asks: DOS NET VIEW, WfW, Win9x, OS/2, the PlayStation 2 (level 1, 8096 bytes), smbclient as
 * a fall-back.  A name that does not fit its thirteen bytes is not listed: cut short it would
 * name another share.  Hidden shares are listed, the client hides them. */
#include "rpc/rap.h"
#include "base/str.h"

struct share_list {
	struct rpc_share_info *share;
	size_t count;
};

/* Level 0 is the name, 1 adds type and comment, 2 the rest: each a prefix of the next. */
static void share_values(struct rap_call *c, const struct rpc_share_info *s, struct rap_value *v)
{
	uint32_t max = s->max_uses < 0xffff ? s->max_uses : 0xffff;
	uint32_t current = s->current_uses < 0xffff ? s->current_uses : 0xffff;

	v[0] = RAP_TEXT(c, s->name, RAP_NAME_MAX);
	if (c->level == 0)
		return;
	v[1] = RAP_NUM(0);
	v[2] = RAP_NUM(s->type & 0xffff);
	v[3] = RAP_TEXT(c, s->comment, RAP_COMMENT_MAX);
	if (c->level == 1)
		return;
	v[4] = RAP_NUM(0); /* permissions matter only with share level security */
	v[5] = RAP_NUM(max);
	v[6] = RAP_NUM(current);
	v[7] = RAP_TEXT(c, s->path, RAP_TEXT_MAX);
	v[8] = RAP_NUM(0); /* no password */
	v[9] = RAP_NUM(0);
}

static bool name_fits(const char *name)
{
	return str_to_oem(name, NULL, 0) <= RAP_NAME_MAX && str_fits_oem(name);
}

static void share_entry(struct rap_call *c, const void *list, size_t i, struct rap_value *v)
{
	const struct share_list *l = list;

	share_values(c, &l->share[i], v);
}

uint16_t rap_share_enum(struct rap_call *c)
{
	struct share_list l = { NULL, 0 };
	struct rpc_share_info s;
	size_t room = 0;

	for (size_t i = 0; l.count < 0xffff && c->host->share(c->host->arg, i, &s); i++) {
		if (!name_fits(s.name))
			continue;
		if (l.count == room) {
			room = room ? 2 * room : 64;
			l.share = talloc_realloc(c->mem, l.share, struct rpc_share_info, (unsigned)room);
			if (l.share == NULL)
				return RAP_NOT_SUPPORTED;
		}
		l.share[l.count++] = s;
	}
	return rap_list(c, share_entry, &l, l.count);
}

uint16_t rap_share_get_info(struct rap_call *c)
{
	struct rap_value v[RAP_MAX_VALUES];
	struct rpc_share_info s;

	if (!c->host->share_by_name(c->host->arg, c->text[0], &s) || !name_fits(s.name))
		return RAP_NET_NAME_NOT_FOUND;
	share_values(c, &s, v);
	return rap_info(c, v);
}
