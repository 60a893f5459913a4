/* name.c - names as clients send them, made into names as the fs room wants them. */
#include "base/str.h"
#include "srv/req.h"

char *req_str(struct req *q, struct rd *r) { return wire_str(q->mem, r, req_unicode(q)); }

status_t req_str_fmt(struct req *q, struct rd *r, uint8_t format, char **out)
{
	/* a missing name is an empty one (framing section 3) */
	if (rd_left(r) == 0) {
		*out = talloc_strdup(q->mem, "");
		return *out ? ST_OK : ST_NO_MEMORY;
	}
	if (rd_u8(r) != format)
		return ST_INVALID_SMB;
	*out = req_str(q, r);
	return *out ? ST_OK : ST_NO_MEMORY;
}

/* `\server\share\rest` -> `rest` */
static const char *skip_dfs_prefix(const char *p)
{
	for (int part = 0; part < 2; part++) {
		p += strspn(p, "\\/");
		p += strcspn(p, "\\/");
	}
	return p;
}

static char *drop_last(char *start, char *w)
{
	while (w > start && w[-1] != '/')
		w--;
	return w > start ? w - 1 : w;
}

/* What takes a client's name apart.  With POSIX names a backslash is a letter. */
static const char *separators(const struct req *q) { return q->t && q->t->posix ? "/" : "\\/"; }

status_t req_path(struct req *q, const char *client, char **out)
{
	const char *sep = separators(q);
	char *path, *w;

	if ((q->h.flags2 & FLAG2_DFS) && q->t && !q->t->ipc && (client[0] == '\\' || client[0] == '/'))
		client = skip_dfs_prefix(client);
	path = w = talloc_size(q->mem, strlen(client) + 1);
	if (!path)
		return ST_NO_MEMORY;
	while (*client) {
		size_t n = strcspn(client, sep);

		if (n == 2 && client[0] == '.' && client[1] == '.') {
			if (w == path)
				return ST_OBJECT_PATH_SYNTAX_BAD;
			w = drop_last(path, w);
		} else if (n == 1 && client[0] == '.') {
			if (q->t && q->t->posix) {
				client += 1 + strspn(client + 1, sep);
				continue;
			}
			client += 1 + strspn(client + 1, sep);
			return *client ? ST_OBJECT_PATH_NOT_FOUND : ST_OBJECT_NAME_INVALID;
		} else if (n > 0) {
			if (w > path)
				*w++ = '/';
			memcpy(w, client, n);
			w += n;
		}
		client += n;
		client += strspn(client, sep);
	}
	*w = '\0';
	*out = path;
	q->asked = path;
	return ST_OK;
}

bool req_wild(const struct req *q, const char *name)
{
	return !(q->t && q->t->posix) && fs_has_wildcard(name);
}
