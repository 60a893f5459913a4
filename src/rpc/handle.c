/* handle.c - the table of context handles of a pipe. */
#include "rpc/handle.h"
#include "base/util.h"

#define GUID_LEN 16u

static struct rpc_handle *free_row(TALLOC_CTX *mem, struct rpc_handles *t)
{
	uint32_t grown = t->count ? 2 * t->count : 8;
	struct rpc_handle *row;

	for (uint32_t i = 0; i < t->count; i++)
		if (t->row[i].kind == HANDLE_FREE)
			return &t->row[i];
	if (grown > RPC_HANDLES)
		return NULL;
	row = talloc_realloc(mem, t->row, struct rpc_handle, grown);
	if (row == NULL)
		return NULL;
	memset(row + t->count, 0, (grown - t->count) * sizeof(*row));
	t->row = row;
	row += t->count;
	t->count = grown;
	return row;
}

void rpc_handle_null(struct ndr *out)
{
	wr_align(&out->w, 4);
	wr_zero(&out->w, RPC_HANDLE_LEN);
}

bool rpc_handle_open(TALLOC_CTX *mem, struct rpc_handles *t, struct ndr *out, enum rpc_handle_kind kind,
		     uint32_t access, uint32_t what)
{
	struct rpc_handle *h = free_row(mem, t);

	if (h == NULL) {
		rpc_handle_null(out);
		return false;
	}
	*h = (struct rpc_handle){ .kind = kind, .access = access, .what = what };
	util_random(h->id, sizeof(h->id));
	ndr_u32(out, 0);
	wr_bytes(&out->w, h->id, sizeof(h->id));
	return true;
}

struct rpc_handle *rpc_handle_read(struct rpc_handles *t, struct ndr_in *in, enum rpc_handle_kind kind)
{
	uint32_t attributes = ndr_rd_u32(in);
	uint8_t id[GUID_LEN];

	/* a GUID: three numbers and eight bytes */
	put_u32(id, ndr_rd_u32(in));
	put_u16(id + 4, ndr_rd_u16(in));
	put_u16(id + 6, ndr_rd_u16(in));
	rd_copy(&in->r, id + 8, 8);
	if (!ndr_rd_ok(in) || attributes != 0)
		return NULL;
	for (uint32_t i = 0; i < t->count; i++) {
		struct rpc_handle *h = &t->row[i];

		if (h->kind != HANDLE_FREE && memcmp(h->id, id, sizeof(id)) == 0)
			return kind == HANDLE_FREE || h->kind == kind ? h : NULL;
	}
	return NULL;
}

void rpc_handle_close(struct rpc_handle *h)
{
	memset(h, 0, sizeof(*h));
}
