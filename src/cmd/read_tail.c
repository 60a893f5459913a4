/* read_tail.c - what is read goes from the file to the socket without a copy.
 *
 * Not if it is small, signed, sealed, or something follows in the chain (a chained CLOSE would close the descriptor before
 * it is sent). */
#include "base/util.h"
#include "cmd/cmd.h"

#define SENDFILE_MIN 8192u /* docs/fast-path.md */

HOT bool cmd_sends_file(const struct open *o, uint32_t len)
{
	return len >= SENDFILE_MIN && o->t->share->p.use_sendfile;
}

/* The length must be known before the head goes out. */
HOT bool cmd_read_tail(struct req *q, const struct open *o, uint64_t off, uint32_t want)
{
	uint64_t size;

	if (!cmd_sends_file(o, want) || q->c->sign.active || q->c->crypt || q->andx_cmd != 0xff ||
	    fs_size(o->fd, &size) != ST_OK)
		return false;
	q->tail_fd = o->fd;
	q->tail_off = off;
	q->tail_len = off >= size ? 0 : (uint32_t)min_u64(want, size - off);
	return true;
}
