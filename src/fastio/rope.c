/* rope.c - pieces of memory and pieces of files, in order. */
#include "fastio/fastio.h"
#include "base/util.h"

static struct rope_piece *next_piece(struct rope *r)
{
	if (r->n == ROPE_PIECES)
		util_panic("a rope has no room for another piece");
	return &r->piece[r->n++];
}

HOT void rope_mem(struct rope *r, const void *p, size_t len)
{
	if (len == 0)
		return;
	*next_piece(r) = (struct rope_piece){ .p = p, .fd = -1, .len = len };
	r->total += len;
}

HOT void rope_file(struct rope *r, int fd, uint64_t off, size_t len)
{
	if (len == 0)
		return;
	*next_piece(r) = (struct rope_piece){ .fd = fd, .off = off, .len = len };
	r->total += len;
}
