/* tunnel.c - a long name survives a program that knows only its alias.
 *
 * DOS programs save by deleting LETTER~1.DOC and making it anew, under the only name they know.  For a few seconds
 * after an alias was used to find a file, a new file of that name in that folder gets the long name back, as on NTFS
 * ("file name tunneling"). */
#include "fs/inner.h"

#define REMEMBERED 32u
#define SECONDS 15u

struct fs_tunnel {
	struct trip {
		uint64_t when; /* clock_ms() */
		char *folder, *alias, *name;
	} trip[REMEMBERED];
	unsigned next;
};

static struct trip *find(struct fs_tunnel *t, const char *folder, const char *alias)
{
	for (unsigned i = 0; i < REMEMBERED; i++) {
		struct trip *r = &t->trip[i];

		if (r->name && str_caseeq(r->alias, alias) && strcmp(r->folder, folder) == 0)
			return r;
	}
	return NULL;
}

void tunnel_enter(struct fs_share *s, const char *folder, const char *alias, const char *name)
{
	struct trip *r;

	if (!name_may_be_alias(s, alias) || str_caseeq(alias, name))
		return;
	if (!s->tunnel)
		s->tunnel = talloc_zero(s, struct fs_tunnel);
	if (!s->tunnel)
		return;
	r = find(s->tunnel, folder, alias);
	if (!r)
		r = &s->tunnel->trip[s->tunnel->next++ % REMEMBERED];
	talloc_free(r->folder);
	talloc_free(r->alias);
	talloc_free(r->name);
	r->when = clock_ms();
	r->folder = talloc_strdup(s->tunnel, folder);
	r->alias = talloc_strdup(s->tunnel, alias);
	r->name = r->folder && r->alias ? talloc_strdup(s->tunnel, name) : NULL;
}

const char *tunnel_leave(struct fs_share *s, const char *folder, const char *alias)
{
	struct trip *r;

	if (!s->tunnel || !name_may_be_alias(s, alias))
		return NULL;
	r = find(s->tunnel, folder, alias);
	return r && clock_ms() - r->when < SECONDS * 1000 ? r->name : NULL;
}
