/* durable.c - when written bytes are on the disk: durable.h. */
#include "srv/durable.h"

/* Pipes and handles for attributes have nothing that could be on a disk. */
static bool on_disk(const struct open *o) { return o->kind == OPEN_FILE && o->fd >= 0; }

bool durable_wanted(struct open *o, bool through)
{
	const struct conf_params *p = &o->t->share->p;

	if (!p->strict_sync || !on_disk(o))
		return false;
	if (p->sync_always)
		return true;
	if (!through && !(o->options & OPT_WRITE_THROUGH))
		return false;
	if (p->smb1d_write_through == CONF_SMB1D_WRITE_THROUGH_SYNC)
		return true;
	o->owed = true;
	return false;
}

/* The disk takes its time: answers that are ready do not wait for it. */
static status_t sync_file(struct open *o, status_t (*by)(int))
{
	if (!on_disk(o))
		return ST_OK;
	(void)fastio_push(o->c->io); /* an error shows again when the next answer is sent */
	return by(o->fd);
}

status_t durable_now(struct open *o)
{
	status_t st = sync_file(o, fs_sync_data);

	if (st == ST_OK)
		o->owed = false;
	return st;
}

status_t durable_written(struct open *o, bool through)
{
	return durable_wanted(o, through) ? durable_now(o) : ST_OK;
}

status_t durable_flush(struct open *o)
{
	status_t st = o->t->share->p.strict_sync ? sync_file(o, fs_sync) : ST_OK;

	if (st == ST_OK)
		o->owed = false;
	return st;
}

status_t durable_close(struct open *o) { return o->owed ? durable_now(o) : ST_OK; }
