/* ioctl_copy.c - copies on the server: a key for the source, then chunks into the target.
 *
 *   REQUEST_RESUME_KEY   on the source   ->   D: key 24 bytes, length of a context u32 (none)
 *   COPYCHUNK            on the target   D: key, how many u32, reserved u32, { from u64, to u64, length u32, reserved u32 }
 *   ->   D: chunks written u32, bytes of an unfinished one u32, bytes in all u32
 *
 * At most 256 chunks of 1 MiB, 16 MiB in all: who asks for more gets INVALID_PARAMETER and these three numbers, and asks
 * again in smaller portions.  So no request keeps its worker longer than a large read does.  Each chunk obeys byte-range
 * locks like a read and a write.  A key is good while its file is open, on its connection, for its user.  COPYCHUNK wants a
 * target that may be read too, its _WRITE form does not.  MS-SMB 2.2.7.2.1 and 3.3.5.11.1; XP and 2003 send it, Linux for
 * `cp --reflink`. */
#include "cmd/nttrans/ioctl.h"
#include "base/util.h"

#define KEY_LEN 24u
#define MOST_CHUNKS 256u
#define CHUNK_MOST (1u << 20)
#define TOTAL_MOST (16u << 20)
#define CHUNK_LEN 24u

struct chunk { uint64_t from, to; uint32_t len; };

status_t ioctl_resume_key(struct ioctl *i)
{
	struct wr *d = i->t->max_d < KEY_LEN + 4 ? NULL : trans_reply_data(i->q, i->r, KEY_LEN + 4);

	if (!d)
		return i->t->max_d < KEY_LEN + 4 ? ST_INVALID_PARAMETER : ST_NO_MEMORY;
	wr_u64(d, i->o->open_id);
	wr_u64(d, i->o->id.ino);
	wr_u32(d, i->o->fid);
	wr_u32(d, i->q->c->session_key); /* another connection may have the same numbers */
	wr_u32(d, 0);
	return ST_OK;
}

/* The file with this key, or NULL. */
static struct open *source_of(struct ioctl *i)
{
	struct rd key = rd_window(&i->in, rd_tell(&i->in), KEY_LEN);
	uint64_t open_id = rd_u64(&key), ino = rd_u64(&key);
	struct open *o = open_find(i->q->c, (uint16_t)rd_u32(&key));
	uint32_t conn = rd_u32(&key);

	rd_skip(&i->in, KEY_LEN);
	if (!rd_ok(&key) || conn != i->q->c->session_key || !o || o->kind != OPEN_FILE || o->open_id != open_id || o->id.ino != ino)
		return NULL;
	return o->uid == i->o->uid ? o : NULL;
}

static struct chunk get_chunk(struct rd *r)
{
	struct chunk c;

	c.from = rd_u64(r);
	c.to = rd_u64(r);
	c.len = rd_u32(r);
	rd_skip(r, 4);
	return c;
}

/* The chunks lie in what came, and none asks for too much. */
static bool within_limits(struct rd list, uint32_t n)
{
	uint64_t total = 0;

	if (n > MOST_CHUNKS || (uint64_t)n * CHUNK_LEN > rd_left(&list))
		return false;
	while (n-- > 0) {
		struct chunk c = get_chunk(&list);

		if (c.len == 0 || c.len > CHUNK_MOST)
			return false;
		total += c.len;
	}
	return total <= TOTAL_MOST;
}

/* Goes out whatever the status is. */
static status_t answer(struct ioctl *i, status_t st, uint32_t chunks, uint32_t bytes, uint32_t total)
{
	struct wr *d = trans_reply_data(i->q, i->r, 12);

	if (!d)
		return ST_NO_MEMORY;
	wr_u32(d, chunks);
	wr_u32(d, bytes);
	wr_u32(d, total);
	i->r->always = true;
	return st;
}

static status_t copy_chunk(struct ioctl *i, struct open *from, const struct chunk *c, uint64_t *done)
{
	uint64_t size;
	status_t st = open_may_read(i->q, from, c->from, c->len);

	*done = 0;
	if (st == ST_OK)
		st = open_may_write(i->q, i->o, c->to, c->len);
	if (st == ST_OK)
		st = fs_size(from->fd, &size);
	if (st != ST_OK)
		return st;
	if (c->from > size || c->len > size - c->from)
		return ST_INVALID_VIEW_SIZE; /* nothing is there */
	st = fs_copy_data(from->fd, c->from, i->o->fd, c->to, c->len, done);
	if (*done > 0)
		i->o->written = true;
	return st == ST_OK && *done < c->len ? ST_INVALID_VIEW_SIZE : st;
}

static status_t copy_all(struct ioctl *i, struct open *from, uint32_t n)
{
	uint32_t total = 0;
	uint64_t done = 0;
	status_t st = ST_OK;

	for (uint32_t k = 0; k < n; k++) {
		struct chunk c = get_chunk(&i->in);

		st = copy_chunk(i, from, &c, &done);
		total += (uint32_t)done;
		if (st != ST_OK)
			return answer(i, st, k, (uint32_t)done, total);
	}
	if (i->o->t->share->p.sync_always && i->o->t->share->p.strict_sync)
		st = fs_sync_data(i->o->fd);
	return answer(i, st, n, 0, total);
}

static status_t copychunk(struct ioctl *i, uint32_t access)
{
	struct open *from = source_of(i);
	uint32_t n = rd_u32(&i->in);

	rd_skip(&i->in, 4);
	if (!rd_ok(&i->in) || i->t->max_d < 12)
		return ST_INVALID_PARAMETER;
	if (!from)
		return ST_OBJECT_NAME_NOT_FOUND;
	if ((i->o->access & access) != access)
		return ST_ACCESS_DENIED;
	if (!within_limits(i->in, n))
		return answer(i, ST_INVALID_PARAMETER, MOST_CHUNKS, CHUNK_MOST, TOTAL_MOST);
	return copy_all(i, from, n);
}

status_t ioctl_copychunk(struct ioctl *i) { return copychunk(i, ACC_READ_DATA | ACC_WRITE_DATA); }
status_t ioctl_copychunk_write(struct ioctl *i) { return copychunk(i, ACC_WRITE_DATA); }
