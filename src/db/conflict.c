/* conflict.c - the NT sharing test.  Pure: it looks at the record and decides, nothing else.
 *
 * Two openers of one file get along if each allows (share) what the other does (access).  Three
 * kinds of doing count: reading or executing, writing or appending, deleting.  An opener that
 * does none of them, a stat open, is invisible.  MS-FSA 2.1.5.1.2. */
#include "base/util.h"
#include "db/db.h"

static const struct { uint32_t access, share; } kinds[] = {
	{ 0x00000001 | 0x00000020, 1 }, /* READ_DATA, EXECUTE: FILE_SHARE_READ */
	{ 0x00000002 | 0x00000004, 2 }, /* WRITE_DATA, APPEND_DATA: FILE_SHARE_WRITE */
	{ 0x00010000, 4 },              /* DELETE: FILE_SHARE_DELETE */
};

#define SHARE_DELETE 4u

/* The share bits others must grant to whoever has this access; 0 for a stat open. */
static uint32_t needs(uint32_t access, uint32_t flags)
{
	uint32_t need = 0;

	if (flags & DB_OPEN_STAT)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (access & kinds[i].access)
			need |= kinds[i].share;
	return need;
}

status_t db_share_conflict(const struct db_file *f, uint32_t access, uint32_t share, uint32_t flags)
{
	uint32_t mine = needs(access, flags);

	if (f->delete_pending) /* even for a stat open */
		return ST_DELETE_PENDING;
	if (mine == 0)
		return ST_OK;
	for (size_t i = 0; i < f->n; i++) {
		const struct db_opener *o = &f->openers[i];
		uint32_t theirs = needs(o->access, o->flags);

		if ((o->flags & DB_OPEN_STREAM) && (mine & ~o->share & SHARE_DELETE))
			return ST_SHARING_VIOLATION;
		if (theirs != 0 && ((mine & ~o->share) != 0 || (theirs & ~share) != 0))
			return ST_SHARING_VIOLATION;
	}
	return ST_OK;
}

status_t db_share_delete_conflict(const struct db_file *f, const struct db_owner *who, uint64_t open_id)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct db_opener *o = &f->openers[i];

		if (who && o->open_id == open_id && o->owner.pid == who->pid &&
		    o->owner.start_time == who->start_time)
			continue;
		if ((needs(o->access, o->flags) != 0 || (o->flags & DB_OPEN_STREAM)) && !(o->share & SHARE_DELETE))
			return ST_SHARING_VIOLATION;
	}
	return ST_OK;
}
