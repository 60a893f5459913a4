/* ioctl_ids.c - a file by its number, and files by their owner.
 *
 *   GET_OBJECT_ID, CREATE_OR_GET_OBJECT_ID   ->   D: id 16, volume at birth 16, id at birth 16, domain 16 (0)
 *   FIND_FILES_BY_SID on a folder   D: begin anew u32, SID   ->   D: { next u32, index u32, name length u32, name }
 *
 * An object id is made of the numbers that already tell a file from all others of its disk: nothing is stored, and it
 * stays while the file lives.  A search by owner looks at one folder only and goes on where it ended; it gives up after
 * a bounded number of entries without a find.  MS-FSCC 2.3.1, 2.3.9, 2.3.25. */
#include "cmd/nttrans/ioctl.h"
#include "base/util.h"
#include "cmd/trans2/find_levels.h"
#include "cmd/trans2/trans2.h"

#define MOST_LOOKED_AT 65536u
#define NAME_ROOM (12u + 2 * 255u + 8u)

status_t ioctl_object_id(struct ioctl *i)
{
	struct wr *d = trans_reply_data(i->q, i->r, 64);
	uint8_t volume[16];
	struct fs_stat st;
	bool pending;
	status_t s = d ? open_stat(i->o, &st, &pending) : ST_NO_MEMORY;

	if (s != ST_OK)
		return s;
	if (i->t->max_d < 64)
		return ST_BUFFER_TOO_SMALL;
	trans2_volume_id(i->q, volume);
	wr_u64(d, info_file_id(&st));
	wr_bytes(d, volume, 8);
	wr_bytes(d, volume, 16);
	wr_u64(d, info_file_id(&st));
	wr_bytes(d, volume, 8);
	wr_zero(d, 16);
	return ST_OK;
}

struct by_owner {
	uint32_t uid, last, looked;
	uint64_t seen, skip; /* entries of the folder; those of earlier requests */
};

static bool behind(void *arg, const char *name, const char *short_name)
{
	struct by_owner *b = arg;

	(void)name, (void)short_name;
	return b->seen++ >= b->skip;
}

static void put_name(struct ioctl *i, struct wr *d, const char *name, struct by_owner *b)
{
	wr_align(d, 8);
	if (b->last != UINT32_MAX)
		wr_u32_at(d, b->last, wr_tell(d) - b->last);
	b->last = wr_tell(d);
	wr_zero(d, 12);
	wr_u32_at(d, b->last + 8, wire_put_str(d, name, req_unicode(i->q), 0));
}

/* Into d what fits; the handle's position remembers how far we came. */
static status_t search(struct ioctl *i, struct fs_dir *dir, struct wr *d, struct by_owner *b)
{
	struct fs_entry e;
	status_t st = ST_OK;

	while (st == ST_OK && d->cap - wr_tell(d) >= NAME_ROOM && b->looked++ < MOST_LOOKED_AT) {
		st = fs_dir_next(dir, behind, b, &e);
		if (st == ST_OK && e.st.uid == b->uid && strcmp(e.name, ".") != 0 && strcmp(e.name, "..") != 0)
			put_name(i, d, e.name, b);
	}
	i->o->pos = b->seen;
	return st == ST_NO_MORE_FILES ? ST_OK : st;
}

status_t ioctl_files_by_sid(struct ioctl *i)
{
	struct by_owner b = { .last = UINT32_MAX };
	uint32_t anew = rd_u32(&i->in);
	struct fs_dir *dir;
	struct sid s;
	struct wr *d;
	status_t st;

	if (!rd_ok(&i->in) || i->t->max_d < NAME_ROOM)
		return ST_INVALID_PARAMETER;
	if (!sid_get(&i->in, &s))
		return ST_INVALID_SID;
	if (!(i->o->access & ACC_READ_DATA))
		return ST_ACCESS_DENIED;
	if (!sid_is_uid(&s, &b.uid))
		return ST_OK; /* owns nothing here */
	d = trans_reply_data(i->q, i->r, min_u32(i->t->max_d, 65535));
	st = d ? fs_dir_open(i->q->mem, i->o->node, FS_DIR_STAT, &dir) : ST_NO_MEMORY;
	if (st != ST_OK)
		return st;
	b.skip = anew ? 0 : i->o->pos;
	st = search(i, dir, d, &b);
	fs_dir_close(&dir);
	return st;
}
