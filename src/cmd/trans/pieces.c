/* pieces.c - the bytes of a transaction from the pieces of its messages.  transactions section 1. */
#include "cmd/trans/trans.h"
#include "base/util.h"

bool trans_parts_start(struct trans_parts *t, TALLOC_CTX *mem, const struct trans_piece *first)
{
	*t = (struct trans_parts){ .total_p = first->total_p, .total_d = first->total_d };
	t->p = talloc_zero_array(mem, uint8_t, first->total_p + 1u);
	t->d = talloc_zero_array(mem, uint8_t, first->total_d + 1u);
	return t->p && t->d;
}

/* One piece of the one or the other kind.  A piece of no bytes may have any offset. */
static bool take(uint8_t *to, uint32_t total, const struct rd *msg, uint32_t off, uint32_t count,
		 uint32_t disp)
{
	struct rd w;

	if (count == 0)
		return true;
	if (disp > total || count > total - disp)
		return false;
	w = rd_window(msg, off, count);
	if (!rd_ok(&w))
		return false;
	rd_copy(&w, to + disp, count);
	return true;
}

status_t trans_parts_add(struct trans_parts *t, const struct rd *msg, const struct trans_piece *pc)
{
	if (pc->total_p > t->total_p || pc->total_d > t->total_d)
		return ST_INVALID_PARAMETER;
	t->total_p = pc->total_p;
	t->total_d = pc->total_d;
	if (!take(t->p, t->total_p, msg, pc->p_off, pc->p_count, pc->p_disp) ||
	    !take(t->d, t->total_d, msg, pc->d_off, pc->d_count, pc->d_disp))
		return ST_INVALID_PARAMETER;
	/* the same bytes may come again and again: the sums only have to reach the totals */
	t->got_p = (uint32_t)min_u64((uint64_t)t->got_p + pc->p_count, UINT32_MAX);
	t->got_d = (uint32_t)min_u64((uint64_t)t->got_d + pc->d_count, UINT32_MAX);
	return ST_OK;
}
