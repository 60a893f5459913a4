/* echo.c - ECHO (0x2b): W=1 count; any data.  Answered `count` times with W=1 sequence number and the same
 * data; count 0 has no answer.  Needs neither session nor tree.  MS-CIFS 2.2.4.39.
 * Oddity: the count is capped at 100, so that nobody makes us talk for ever. */
#include "base/util.h"
#include "cmd/cmd.h"

#define MAX_ECHO 100u

HOT status_t cmd_echo(struct req *q)
{
	uint32_t count = min_u32(rd_u16(&q->words), MAX_ECHO), n = rd_left(&q->bytes);
	const uint8_t *data = rd_take(&q->bytes, n);

	for (uint32_t i = 1; i <= count; i++) {
		struct wr *w = req_words(q, 1);

		wr_u16(w, (uint16_t)i);
		req_bytes(q);
		wr_bytes(w, data, n);
		req_done(q);
		if (i < count)
			req_send(q, ST_OK);
	}
	q->no_reply = count == 0;
	return ST_OK;
}
