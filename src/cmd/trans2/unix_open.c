/* unix_open.c - UNIX extensions, POSIX_PATH_OPEN (SET_PATH_INFO 0x209): open() and mkdir().
 *
 *   D: oplock flags u32, open flags u32, mode u64, level of the reply u16
 *   ->  D: oplock u16, FID u16 (0 of a new folder), what was done u32, level u16 (0xffff none), 0 u16, BASIC or INFO2
 *
 * A POSIX open denies nothing, but meets the denials of others.
 *
 *   flags             there                     not there
 *   (none), EXCL      opened                    NAME_NOT_FOUND
 *   CREAT             opened                    made
 *   CREAT EXCL        NAME_COLLISION            made
 *   TRUNC             emptied                   NAME_NOT_FOUND
 *   CREAT TRUNC       emptied                   made
 *   DIRECTORY CREAT   NAME_COLLISION: it is how clients say mkdir(), with EXCL or without */
#include "cmd/trans2/unix_ext.h"
#include "cmd/trans2/unix_levels.h"

#define OPEN_RDONLY 0x1u
#define OPEN_WRONLY 0x2u
#define OPEN_RDWR 0x4u
#define OPEN_CREAT 0x10u
#define OPEN_EXCL 0x20u
#define OPEN_TRUNC 0x40u
#define OPEN_SYNC 0x100u
#define OPEN_DIRECTORY 0x200u

#define WANT_OPLOCK 2u /* flags of NT_CREATE_ANDX */
#define WANT_BATCH 4u

#define READ_ACCESS ACC_FILE_READ
#define WRITE_ACCESS (ACC_FILE_WRITE | ACC_READ_ATTR)

struct open_args {
	uint32_t oplock, flags, mode;
	uint16_t level;
};

static status_t decode(struct rd *d, struct open_args *a)
{
	uint64_t mode;

	a->oplock = rd_u32(d);
	a->flags = rd_u32(d);
	mode = rd_u64(d);
	a->level = rd_u16(d);
	a->mode = mode > UINT32_MAX ? UNIX_KEEP_ID : (uint32_t)mode;
	return rd_ok(d) ? ST_OK : ST_INVALID_PARAMETER;
}

static uint32_t disposition(uint32_t flags)
{
	bool cut = flags & OPEN_TRUNC;

	if (!(flags & OPEN_CREAT))
		return cut ? DISP_OVERWRITE : DISP_OPEN;
	if (flags & (OPEN_EXCL | OPEN_DIRECTORY))
		return DISP_CREATE;
	return cut ? DISP_OVERWRITE_IF : DISP_OPEN_IF;
}

static uint32_t access_of(uint32_t flags)
{
	if (flags & OPEN_RDWR)
		return READ_ACCESS | WRITE_ACCESS;
	return flags & OPEN_WRONLY ? WRITE_ACCESS : READ_ACCESS;
}

static void translate(const struct req *q, const struct open_args *a, const char *path, struct open_want *w)
{
	bool dir = a->flags & OPEN_DIRECTORY;

	*w = (struct open_want){
		.name = path, .access = dir ? READ_ACCESS : access_of(a->flags), .posix = true,
		.share = SHARE_READ | SHARE_WRITE | SHARE_DELETE, .disposition = disposition(a->flags),
		.options = dir ? OPT_DIRECTORY : OPT_NON_DIRECTORY, .db_flags = DB_OPEN_POSIX,
		.mode_set = a->mode != UNIX_KEEP_ID, .mode = unix_new_mode(q, a->mode, dir),
	};
	if (dir && w->disposition != DISP_CREATE)
		w->disposition = DISP_OPEN;
	if (a->flags & OPEN_SYNC)
		w->options |= OPT_WRITE_THROUGH;
	if (!dir && (a->oplock & WANT_OPLOCK))
		w->oplock = a->oplock & WANT_BATCH ? 2 : 1;
}

static status_t encode(struct req *q, const struct open_args *a, const struct open *o, const struct open_result *res,
		       struct trans_reply *r)
{
	bool made_dir = o->kind == OPEN_DIR && res->action == ACTION_CREATED;
	struct wr *d = trans_reply_data(q, r, 12 + UNIX_INFO2_LEN);

	if (!d)
		return ST_NO_MEMORY;
	wr_u16(d, res->oplock);
	wr_u16(d, made_dir ? 0 : o->fid);
	wr_u32(d, res->action);
	wr_u16(d, a->level == 0x200 || a->level == 0x20b ? a->level : 0xffff);
	wr_u16(d, 0);
	if (a->level == 0x200)
		unix_put_basic(d, &o->node->st);
	else if (a->level == 0x20b)
		unix_put_info2(d, &o->node->st);
	return wr_ok(d) ? ST_OK : ST_INTERNAL_ERROR;
}

status_t unix_posix_open(struct req *q, struct trans *t, const char *path, struct trans_reply *r)
{
	struct open_args a;
	struct open_want w;
	struct open_result res;
	struct open *o;
	status_t st = decode(&t->d, &a);

	if (st != ST_OK)
		return st;
	translate(q, &a, path, &w);
	st = open_file(q, &w, &o, &res);
	if (st != ST_OK)
		return st;
	st = encode(q, &a, o, &res, r);
	if (st != ST_OK || (o->kind == OPEN_DIR && res.action == ACTION_CREATED)) {
		status_t closed = open_close(&o, 0);

		st = st == ST_OK ? closed : st;
	}
	return st;
}
