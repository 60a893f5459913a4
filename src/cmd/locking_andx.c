/* locking_andx.c - LOCKING_ANDX (0x24): byte ranges unlocked, then locked; or the answer to an oplock break.
 *
 *   W=8: AndX, FID, type u8, new oplock level u8, timeout32 ms, unlocks, locks; bytes: ranges, unlocks first
 *   range: PID, offset32, length32; with type 0x10: PID, pad, offset high, offset low, length high, length low
 *   reply W=2: AndX
 *
 * MS-CIFS 2.2.4.32.  Oddities:
 * - the owner is the PID in the range, not the one in the header (reports 108);
 * - a range that cannot be locked gives back those this request has locked; what was unlocked stays so;
 * - the answer to an oplock break gets a reply only if it carries ranges (reports 71);
 * - a cancel looks at its first range only, and finds the request that waits for exactly that one;
 * - changing the type of a lock in one step is refused in the words of OS/2, as Windows does.
 * Stories: lock, lock-ranges, lock-requests, lock-wait, lock-off, lock-none. */
#include "cmd/cmd.h"
#include "srv/lock.h"
#include "srv/oplock.h"

#define TYPE_SHARED 0x01u
#define TYPE_OPLOCK 0x02u
#define TYPE_CHANGE 0x04u
#define TYPE_CANCEL 0x08u
#define TYPE_LARGE 0x10u

struct locking_args {
	uint16_t fid, nunlocks, nlocks;
	uint8_t type, oplock_level;
	uint32_t timeout;
	struct lock_range *unlocks, *locks;
};

static void rd_range(struct rd *r, bool large, struct lock_range *out)
{
	out->pid = rd_u16(r);
	out->large = large;
	if (large) {
		rd_skip(r, 2);
		out->start = (uint64_t)rd_u32(r) << 32;
		out->start |= rd_u32(r);
		out->length = (uint64_t)rd_u32(r) << 32;
		out->length |= rd_u32(r);
	} else {
		out->start = rd_u32(r);
		out->length = rd_u32(r);
	}
}

static status_t locking_decode(struct req *q, struct locking_args *a)
{
	struct rd *w = &q->words;
	uint32_t n;
	bool large;

	a->fid = rd_u16(w);
	a->type = rd_u8(w);
	a->oplock_level = rd_u8(w);
	a->timeout = rd_u32(w);
	a->nunlocks = rd_u16(w);
	a->nlocks = rd_u16(w);
	if (!rd_ok(w))
		return ST_INVALID_SMB;
	large = a->type & TYPE_LARGE;
	n = (uint32_t)a->nunlocks + a->nlocks;
	if (rd_left(&q->bytes) / (large ? 20 : 10) < n)
		return ST_INVALID_SMB;
	a->unlocks = talloc_array(q->mem, struct lock_range, n);
	if (!a->unlocks)
		return ST_NO_MEMORY;
	a->locks = a->unlocks + a->nunlocks;
	for (uint32_t i = 0; i < n; i++)
		rd_range(&q->bytes, large, &a->unlocks[i]);
	return ST_OK;
}

static status_t cancel(struct open *o, const struct locking_args *a)
{
	return a->nlocks > 0 && lock_cancel(o, &a->locks[0]) ? ST_OK : ST_OS2_CANCEL_VIOLATION;
}

static status_t locking_run(struct req *q, struct open *o, const struct locking_args *a)
{
	status_t st = ST_OK;

	if (a->type & TYPE_CHANGE)
		return ST_OS2_ATOMIC_LOCKS_NOT_SUPPORTED;
	if (!q->resumed && a->nunlocks)
		st = lock_release(o, a->unlocks, a->nunlocks);
	if (st != ST_OK)
		return st;
	if (a->type & TYPE_CANCEL)
		return cancel(o, a);
	if (a->nlocks == 0)
		return ST_OK;
	if (!q->resumed)
		oplock_break_level2(q->c, o);
	return lock_take(q, o, a->locks, a->nlocks, !(a->type & TYPE_SHARED), a->timeout);
}

status_t cmd_locking_andx(struct req *q)
{
	struct locking_args a;
	struct open *o;
	status_t st = locking_decode(q, &a);

	if (st != ST_OK)
		return st;
	o = req_open(q, a.fid);
	if (!o || o->kind == OPEN_PIPE)
		return ST_INVALID_HANDLE;
	if ((a.type & TYPE_OPLOCK) && !q->resumed) {
		oplock_ack(q, o, a.oplock_level);
		if (a.nunlocks + a.nlocks == 0) {
			q->no_reply = true;
			return ST_OK;
		}
	}
	st = locking_run(q, o, &a);
	if (st != ST_OK)
		return st;
	req_words_andx(q, 2);
	req_bytes(q);
	req_done(q);
	return ST_OK;
}
