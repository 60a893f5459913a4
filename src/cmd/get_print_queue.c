/* get_print_queue.c - GET_PRINT_QUEUE (0xc3): what waits at a printer.
 *
 *   W=2: how many (negative: backwards), index to start at
 *   reply W=2: count, index to go on at; FF1 length, entries of 28 bytes:
 *   date, time, status (1 held, 2 printing, 3 waiting, 4 spooling, 5 and 6 errors), job, size32, 0, name 16
 *
 * MS-CIFS 2.2.4.70.  The queue is what lies in the share's folder: what a print system has taken over is gone from
 * here.  An index past the end, or an empty queue: no entries, no error. */
#include "base/util.h"
#include "cmd/cmd.h"
#include "srv/spool.h"

#define ENTRY 28u

static void put_entry(struct req *q, struct wr *w, const struct spool_entry *e)
{
	uint8_t name[16] = { 0 };

	memcpy(name, e->title, min_u32((uint32_t)strlen(e->title), sizeof(name) - 1));
	wr_u16(w, dos_date(e->time, q->c->zone));
	wr_u16(w, dos_time(e->time, q->c->zone));
	wr_u8(w, e->spooling ? 4 : 3);
	wr_u16(w, e->job);
	wr_u32(w, (uint32_t)min_u64(e->size, 0xffffffffu));
	wr_u8(w, 0);
	wr_bytes(w, name, sizeof(name));
}

status_t cmd_get_print_queue(struct req *q)
{
	int16_t max = (int16_t)rd_u16(&q->words);
	uint16_t at = rd_u16(&q->words);
	uint32_t room = req_max_reply(q) > 64 ? (req_max_reply(q) - 64) / ENTRY : 1, count, next;
	struct spool_entry *list;
	size_t n;
	struct wr *w;
	status_t st;

	if (!q->t->printer)
		return cmd_no_printer(q);
	st = spool_list(q->t, q->mem, &list, &n);
	if (st != ST_OK)
		return st;
	count = (uint32_t)(max < 0 ? -max : max);
	count = min_u32(count, room);
	if (at >= n)
		count = 0;
	else
		count = min_u32(count, max < 0 ? at + 1u : (uint32_t)(n - at));
	next = max < 0 ? (count > at ? 0 : at - count) : at + count;
	w = req_words(q, 2);
	wr_u16(w, (uint16_t)count);
	wr_u16(w, (uint16_t)next);
	req_bytes(q);
	wr_u8(w, 1);
	wr_u16(w, (uint16_t)(count * ENTRY));
	for (uint32_t i = 0; i < count; i++)
		put_entry(q, w, &list[max < 0 ? at - i : at + i]);
	req_done(q);
	return ST_OK;
}
