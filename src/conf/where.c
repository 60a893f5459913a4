/* where.c - which line of which file gave a parameter its value. */
#include "conf/room.h"

/* A share has what it says itself, else what [global] says for all shares. */
static const struct conf_set *found(const struct conf *c, const struct conf_share *share, const struct param *p)
{
	const struct conf_set *set = share && !p->global ? set_find(&share->set, p) : NULL;

	return set ? set : set_find(&c->set, p);
}

char *conf_where(TALLOC_CTX *mem, const struct conf *c, const struct conf_share *share, const char *param)
{
	bool inverse;
	const struct param *p = param_find(param, &inverse);
	const struct conf_set *set = p ? found(c, share, p) : NULL;

	if (!set)
		return talloc_strdup(mem, "default");
	if (set->line == 0)
		return talloc_strdup(mem, c->files[set->file]);
	return talloc_asprintf(mem, "%s:%u", c->files[set->file], set->line);
}

char *conf_value(TALLOC_CTX *mem, const struct conf *c, const struct conf_share *share, const char *param)
{
	bool inverse;
	const struct param *p = param_find(param, &inverse);

	if (!p || !param_has_field(p))
		return talloc_strdup(mem, "");
	return convert_show(mem, p, param_field_const(p, &c->g, share ? &share->p : &c->defaults));
}
