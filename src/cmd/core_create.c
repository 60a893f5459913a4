/* core_create.c - CREATE (0x03), CREATE_NEW (0x0f), CREATE_TEMPORARY (0x0e): how DOS makes files.
 *
 *   0x03, 0x0f  W=3: attributes, creation UTIME32; FF4 name.  Reply W=1 FID
 *   0x0e        W=3: reserved, creation UTIME32; FF4 folder.  Reply W=1 FID; name NUL
 *
 * CREATE empties a file that exists, CREATE_NEW refuses it (ERRDOS/80 to DOS clients, who know no other way to
 * make a lock file).  All open for reading and writing in compatibility mode.  MS-CIFS 2.2.4.4, 2.2.4.15 and 16.
 * Oddities: the "time of creation" becomes the write time (torture raw.open.create); the name of a temporary
 * file comes back without a format byte, as servers have always sent it; it is not deleted at close. */
#include "base/util.h"
#include "cmd/cmd.h"
#include "cmd/dos_open.h"

#define MAY_HAVE (FS_ATTR_READONLY | FS_ATTR_HIDDEN | FS_ATTR_SYSTEM | FS_ATTR_ARCHIVE | FS_ATTR_VOLUME)

static status_t create_decode(struct req *q, struct open_want *w, nttime_t *when)
{
	char *client, *name;
	status_t st;

	w->attrs = rd_u16(&q->words) & MAY_HAVE;
	*when = utime_to_nttime(rd_u32(&q->words), q->c->zone);
	if (q->cmd == 0x0e) /* the word is reserved there */
		w->attrs = 0;
	st = req_str_fmt(q, &q->bytes, 4, &client);
	if (st == ST_OK)
		st = req_path(q, client, &name);
	if (st != ST_OK)
		return st;
	if (w->attrs & FS_ATTR_VOLUME) /* a label is no file */
		return ST_ACCESS_DENIED;
	w->name = name;
	if (q->h.flags & FLAG_OPLOCK)
		w->oplock = q->h.flags & FLAG_OPBATCH ? 2 : 1;
	return dos_access_mode(2, client, w);
}

static void reply_fid(struct req *q, const struct open *o, const char *name)
{
	struct wr *w = req_words(q, 1);

	wr_u16(w, o->fid);
	req_bytes(q);
	if (name)
		wire_put_str(w, name, req_unicode(q), WSTR_NUL | WSTR_ALIGN);
	req_done(q);
}

/* It is the write time that is meant, and it stays whatever is written before the close. */
static void keep_time(struct open *o, nttime_t when)
{
	struct fs_times t = { .write = when };

	if (when == 0 || o->kind != OPEN_FILE || fs_set_times(o->node, o->fd, &t) != ST_OK)
		return;
	o->close_write_time = when;
}

static status_t create(struct req *q, uint32_t disposition)
{
	struct open_want want = { .disposition = disposition };
	struct open_result r;
	struct open *o;
	nttime_t when;
	status_t st = create_decode(q, &want, &when);

	if (st == ST_OK)
		st = dos_open(q, &want, &o, &r);
	if (st != ST_OK)
		return st;
	keep_time(o, when);
	q->chain_fid = o->fid;
	q->reply_flags |= dos_oplock_flags(r.oplock);
	reply_fid(q, o, NULL);
	return ST_OK;
}

status_t cmd_create(struct req *q) { return create(q, DISP_OVERWRITE_IF); }
status_t cmd_create_new(struct req *q) { return create(q, DISP_CREATE); }

/* A name that was free a moment ago, in 8.3 form; the walk itself makes sure. */
static char *temporary_name(struct req *q)
{
	uint32_t n;

	util_random(&n, sizeof(n));
	return talloc_asprintf(q->mem, "TMP%05u", n % 100000);
}

status_t cmd_create_temporary(struct req *q)
{
	struct open_want want = { .disposition = DISP_CREATE };
	struct open_result r;
	struct open *o = NULL;
	char *name = NULL;
	const char *folder;
	nttime_t when;
	status_t st = create_decode(q, &want, &when);

	if (st != ST_OK)
		return st;
	folder = want.name;
	st = ST_OBJECT_NAME_COLLISION;
	for (int i = 0; i < 100 && (st == ST_OBJECT_NAME_COLLISION || st == ST_OS2_FILE_EXISTS); i++) {
		name = temporary_name(q);
		want.name = name ? talloc_asprintf(q->mem, "%s%s%s", folder, *folder ? "/" : "", name) : NULL;
		st = want.name ? dos_open(q, &want, &o, &r) : ST_NO_MEMORY;
	}
	if (st != ST_OK)
		return st;
	q->chain_fid = o->fid;
	reply_fid(q, o, name);
	return ST_OK;
}
