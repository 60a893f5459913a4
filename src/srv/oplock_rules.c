/* oplock_rules.c - sharing and oplocks, decided from the record alone. */
#include "srv/oplock_rules.h"

#define WRITES 0x6u /* FILE_WRITE_DATA, FILE_APPEND_DATA */
#define DELETE 0x10000u

static bool same_opener(const struct db_opener *o, const struct db_owner *who, uint64_t open_id)
{
	return who && o->open_id == open_id && o->owner.pid == who->pid && o->owner.start_time == who->start_time;
}

static const struct db_opener *sole_holder(const struct db_file *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (oplock_is_sole(f->openers[i].oplock))
			return &f->openers[i];
	return NULL;
}

/* DOS compatibility mode and FCBs deny the file to others, not to the process that has it for writing already.  (A
 * program file opened in compatibility mode shares reading and writing and gives no such right.) */
static bool same_dos_process(const struct db_file *f, const struct db_opener *me)
{
	const uint32_t dos = DB_OPEN_DENY_DOS | DB_OPEN_FCB;

	for (size_t i = 0; i < f->n && (me->flags & dos); i++) {
		const struct db_opener *o = &f->openers[i];

		if (o->owner.pid == me->owner.pid && o->owner.start_time == me->owner.start_time &&
		    o->client_pid == me->client_pid && o->client_uid == me->client_uid && (o->access & WRITES) &&
		    (o->flags & dos) && o->share == 0)
			return true;
	}
	return false;
}

enum opening rule_open(const struct db_file *f, const struct db_opener *me, unsigned manner, const struct db_opener **holder)
{
	const struct db_opener *sole = manner & RULE_KEEPS_OPLOCKS ? NULL : sole_holder(f);
	bool looks_only = (me->flags & DB_OPEN_STAT) && !(manner & RULE_TRUNCATES);
	status_t st;

	if (f->delete_pending)
		return OPENING_DOOMED;
	if (looks_only)
		return OPENING_ENTER;
	*holder = sole;
	if (sole && sole->oplock == OPLOCK_BATCH)
		return OPENING_BREAK; /* the client may have closed the file long ago without telling */
	st = db_share_conflict(f, me->access, me->share, me->flags);
	if (st != ST_OK && !same_dos_process(f, me))
		return OPENING_VIOLATION;
	return sole ? OPENING_BREAK : OPENING_ENTER;
}

enum opening rule_remove(const struct db_file *f, const struct db_owner *who, uint64_t open_id, bool alone,
			 const struct db_opener **holder)
{
	status_t st;

	if (f->delete_pending)
		return OPENING_DOOMED;
	for (size_t i = 0; i < f->n; i++) {
		if (f->openers[i].oplock == OPLOCK_BATCH && !same_opener(&f->openers[i], who, open_id)) {
			*holder = &f->openers[i];
			return OPENING_BREAK;
		}
	}
	st = alone ? db_share_conflict(f, DELETE, 0, 0) : db_share_delete_conflict(f, who, open_id);
	return st == ST_OK ? OPENING_ENTER : OPENING_VIOLATION;
}

uint8_t rule_grant(const struct db_file *f, uint8_t wanted, bool level2)
{
	bool company = false;

	if (!oplock_is_sole(wanted) || sole_holder(f))
		return OPLOCK_NONE;
	for (size_t i = 0; i < f->n; i++) /* who only looks keeps nobody from caching */
		if (!(f->openers[i].flags & DB_OPEN_STAT) || f->openers[i].oplock != OPLOCK_NONE)
			company = true;
	if (!company)
		return wanted;
	return level2 ? OPLOCK_LEVEL_II : OPLOCK_NONE;
}

uint8_t rule_fall(bool truncates, bool level2, bool linux_client)
{
	return truncates || !level2 || linux_client ? OPLOCK_NONE : OPLOCK_LEVEL_II;
}
