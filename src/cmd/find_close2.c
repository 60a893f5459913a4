/* find_close2.c - FIND_CLOSE2 (0x34): ends a TRANS2 search.
 *
 *   words: SID
 *
 * Searches that ended by a close flag are gone already: INVALID_HANDLE, which clients ignore. */
#include "cmd/cmd.h"

status_t cmd_find_close2(struct req *q)
{
	struct search *s = search_find(q, rd_u16(&q->words));

	if (!s)
		return ST_INVALID_HANDLE;
	search_free(&s);
	req_empty(q);
	return ST_OK;
}
