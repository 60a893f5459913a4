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

/* What takes a client's name apart.  With POSIX names a backslash is a letter. */
static inline bool separates(char c, bool posix) { return c == '/' || (c == '\\' && !posix); }

static const char *skip_separators(const char *p, bool posix)
{
	while (separates(*p, posix))
		p++;
	return p;
}

static size_t part_len(const char *p, bool posix)
{
	size_t n = 0;

	while (p[n] && !separates(p[n], posix))
		n++;
	return n;
}

/* `\server\share\rest` -> `rest` */
static const char *skip_dfs_prefix(const char *p)
{
	for (int part = 0; part < 2; part++) {
		p = skip_separators(p, false);
		p += part_len(p, false);
	}
	return p;
}

static char *drop_last(char *start, char *w)
{
	while (w > start && w[-1] != '/')
		w--;
	return w > start ? w - 1 : w;
}

/* `out` has room for the client's text and may be where that lies: what is written is never ahead of what is read. */
static status_t make_path(struct req *q, const char *client, char *out)
{
	bool posix = q->t && q->t->posix;
	char *w = out;

	if ((q->h.flags2 & FLAG2_DFS) && q->t && !q->t->ipc && (client[0] == '\\' || client[0] == '/'))
		client = skip_dfs_prefix(client);
	for (client = skip_separators(client, posix); *client; client = skip_separators(client, posix)) {
		size_t n = part_len(client, posix);

		if (n == 2 && client[0] == '.' && client[1] == '.') {
			if (w == out)
				return ST_OBJECT_PATH_SYNTAX_BAD;
			w = drop_last(out, w);
		} else if (n == 1 && client[0] == '.') {
			if (!posix)
				return *skip_separators(client + 1, posix) ? ST_OBJECT_PATH_NOT_FOUND : ST_OBJECT_NAME_INVALID;
		} else {
			if (w > out)
				*w++ = '/';
			memmove(w, client, n);
			w += n;
		}
		client += n;
	}
	*w = '\0';
	q->asked = out;
	return ST_OK;
}

status_t req_path(struct req *q, const char *client, char **out)
{
	char *path = talloc_size(q->mem, strlen(client) + 1);

	if (!path)
		return ST_NO_MEMORY;
	*out = path;
	return make_path(q, client, path);
}

status_t req_path_in(struct req *q, struct rd *r, char **out)
{
	*out = wire_str_in(q->mem, r, req_unicode(q), q->room, q->room ? REQ_ROOM : 0);
	return *out ? make_path(q, *out, *out) : ST_NO_MEMORY;
}

bool req_wild(const struct req *q, const char *name)
{
	return !(q->t && q->t->posix) && fs_has_wildcard(name);
}
