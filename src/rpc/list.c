/* list.c - the wire shapes of Enum and GetInfo calls.  MS-SRVS 2.2.4, MS-WKST 2.2.5. */
#include "rpc/list.h"

bool rpc_level_in(const uint32_t *levels, size_t count, uint32_t level)
{
	for (size_t i = 0; i < count; i++)
		if (levels[i] == level)
			return true;
	return false;
}

void rpc_list_read(struct ndr_in *in, const uint32_t *arms, size_t arm_count, struct rpc_list *q)
{
	bool array = false;

	*q = (struct rpc_list){ .level = ndr_rd_u32(in) };
	if (ndr_rd_u32(in) != q->level) { /* the switch of the union repeats the level */
		ndr_rd_fail(in);
		return;
	}
	q->known = rpc_level_in(arms, arm_count, q->level);
	if (!q->known)
		return;
	if (ndr_rd_ptr(in)) {
		ndr_rd_u32(in); /* count */
		array = ndr_rd_ptr(in);
	}
	/* Callers send an empty container; entries going in have no meaning. */
	if (array && ndr_rd_u32(in) != 0)
		ndr_rd_fail(in);
	q->max = ndr_rd_u32(in);
	q->has_resume = ndr_rd_ptr(in);
	if (q->has_resume)
		q->resume = ndr_rd_u32(in);
}

void rpc_list_begin(struct ndr *out, const struct rpc_list *q, uint32_t count)
{
	ndr_u32(out, q->level);
	ndr_u32(out, q->level);
	if (!q->known)
		return;
	ndr_ptr(out, true);
	ndr_u32(out, count);
	ndr_ptr(out, count != 0);
	if (count != 0)
		ndr_u32(out, count);
}

void rpc_list_end(struct ndr *out, const struct rpc_list *q, uint32_t total, uint32_t resume,
		  uint32_t status)
{
	ndr_u32(out, total);
	ndr_ptr(out, q->has_resume);
	if (q->has_resume)
		ndr_u32(out, resume);
	ndr_u32(out, status);
}

void rpc_list_empty(struct ndr *out, const struct rpc_list *q, uint32_t status)
{
	rpc_list_begin(out, q, 0);
	rpc_list_end(out, q, 0, 0, status);
}

void rpc_info_reply(struct ndr *out, uint32_t level, bool known, const struct ndr_field *f, size_t count,
		    uint32_t status)
{
	ndr_u32(out, level);
	if (known)
		ndr_ptr(out, f != NULL);
	if (known && f != NULL) {
		ndr_record(out, f, count);
		ndr_deferred(out, f, count);
	}
	ndr_u32(out, status);
}
