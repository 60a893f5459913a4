/* print_file.c - OPEN_PRINT_FILE (0xc0), WRITE_PRINT_FILE (0xc1), CLOSE_PRINT_FILE (0xc2): how DOS prints.
 *
 *   0xc0  W=2: length of printer set-up bytes, mode (0 text, 1 graphics); FF4 name of the job.  Reply W=1: FID
 *   0xc1  W=1: FID; FF1 length data.  Reply W=0
 *   0xc2  W=1: FID.  Reply W=0.  The job is complete and goes on (srv/spool.c)
 *
 * MS-CIFS 2.2.4.67 - 69.  Oddities: text mode is not expanded, what clients send is printed as it is; data are put
 * behind what is there, the request has no offset; CLOSE may have the words of 0x04; away from a printer the answer
 * is ERRSRV/1; WRITE and CLOSE do as well, and most clients use them. */
#include "base/util.h"
#include "cmd/cmd.h"
#include "srv/spool.h"

static struct open *print_open(struct req *q, uint16_t fid)
{
	struct open *o = req_open(q, fid);

	return o && o->job ? o : NULL;
}

status_t cmd_open_print_file(struct req *q)
{
	struct open_result r;
	struct open *o;
	char *name;
	struct wr *w;
	status_t st;

	if (!q->t->printer)
		return cmd_no_printer(q);
	st = req_str_fmt(q, &q->bytes, 4, &name);
	if (st == ST_OK)
		st = spool_open(q, name, &o, &r);
	if (st != ST_OK)
		return st;
	q->chain_fid = o->fid;
	w = req_words(q, 1);
	wr_u16(w, o->fid);
	req_bytes(q);
	req_done(q);
	return ST_OK;
}

status_t cmd_write_print_file(struct req *q)
{
	struct open *o = print_open(q, rd_u16(&q->words));
	uint64_t end;
	uint32_t len, done;
	const uint8_t *p;
	status_t st;

	if (!o)
		return ST_INVALID_HANDLE;
	if (rd_u8(&q->bytes) != 1)
		return ST_INVALID_SMB;
	len = rd_u16(&q->bytes);
	p = rd_take(&q->bytes, len);
	if (!rd_ok(&q->bytes))
		return ST_INVALID_SMB;
	st = fs_size(o->fd, &end);
	if (st == ST_OK)
		st = open_may_write(q, o, end, len);
	if (st == ST_OK)
		st = fs_write(o->fd, end, p, len, &done);
	if (st == ST_OK)
		req_empty(q);
	return st;
}

status_t cmd_close_print_file(struct req *q)
{
	struct open *o = print_open(q, rd_u16(&q->words));
	status_t st;

	if (!q->t->printer)
		return ST_INVALID_SMB;
	if (!o)
		return ST_INVALID_HANDLE;
	st = open_close(&o, 0);
	if (st == ST_OK)
		req_empty(q);
	return st;
}
