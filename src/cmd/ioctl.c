/* ioctl.c - IOCTL (0x27): which job is this print file?
 *
 *   W=14: FID, category, function, totals and maxima, timeout32, reserved, parameters, data
 *   reply W=8: total parameters, total data, parameters, offset, 0, data, offset, 0
 *   data for category 0x53, function 0x60: job number, server name 15, printer name 13, 2 bytes
 *
 * DOS and OS/2 print redirectors ask it of every print FID.  Everything else a serial line or disk could be asked is
 * refused (ERRSRV/65535).  MS-CIFS 2.2.4.35. */
#include "base/str.h"
#include "cmd/cmd.h"
#include "srv/spool.h"

#define CATEGORY_PRINT 0x53u
#define GET_PRINTER_ID 0x60u
#define DATA_LEN 32u

static void put_name(struct wr *w, const char *s, uint32_t room)
{
	uint8_t text[16] = { 0 };
	size_t n = str_to_oem(s, text, sizeof(text) - 1);

	if (n > sizeof(text) - 1) /* does not fit: as much as does */
		for (n = 0; n < sizeof(text) - 1 && s[n] > 0x20 && s[n] < 0x7f; n++)
			text[n] = (uint8_t)s[n];
	text[room - 1] = 0;
	wr_bytes(w, text, room);
}

status_t cmd_ioctl(struct req *q)
{
	struct open *o = req_open(q, rd_u16(&q->words));
	uint16_t category = rd_u16(&q->words), function = rd_u16(&q->words);
	struct wr *w;

	if (!o)
		return ST_INVALID_HANDLE;
	if (category != CATEGORY_PRINT || function != GET_PRINTER_ID || !o->job)
		return ST_SMB_NO_SUPPORT;
	w = req_words(q, 8);
	wr_u16(w, 0);
	wr_u16(w, DATA_LEN);
	wr_u16(w, 0);
	wr_u16(w, 0);
	wr_u16(w, 0);
	wr_u16(w, DATA_LEN);
	wr_u16(w, (uint16_t)(w->pos + 2 + 2 + 2 + 1)); /* behind this word, the next, the count and the pad */
	wr_u16(w, 0);
	req_bytes(q);
	wr_u8(w, 0);
	wr_u16(w, o->job->number);
	put_name(w, q->c->conf->g.netbios_name, 15);
	wr_u8(w, 0);
	put_name(w, q->t->share_name, 13);
	wr_u8(w, 0);
	req_done(q);
	return ST_OK;
}
