/* sharemode.h - the step of an open, a delete or a rename in which the others have their say: one database call that
 * tests sharing, has oplocks broken, gives a new one and adds the opener.
 *
 * ST_PENDING: the request is parked and runs again when something has changed (srv/park.h). */
#ifndef SMB1D_SRV_SHAREMODE_H
#define SMB1D_SRV_SHAREMODE_H
#include "srv/oplock.h"

struct sharemode_want {
	uint32_t access, share, flags; /* flags: DB_OPEN_* but STAT, which the access decides */
	bool truncates;                /* the data will be cut or replaced */
	bool keeps_oplocks;
	uint8_t oplock;                /* 0 none, 1 exclusive, 2 batch */
};

/* o->id is the file, o->open_id, pid and uid are set.  *granted is what the client is told (`fake oplocks` lies);
 * what it really has is in o->oplock. */
status_t sharemode_enter(struct req *q, struct open *o, const struct sharemode_want *w, uint8_t *granted);
/* Its descriptor is there: what could not be tested before.  *granted may become none. */
void sharemode_opened(struct open *o, uint8_t *granted);
/* There is no FID left: ST_PENDING while clients may give some back, else ST_TOO_MANY_OPENED_FILES. */
status_t sharemode_no_room(struct req *q);
/* An opener that came in and cannot stay. */
void sharemode_leave(struct open *o);
/* May the name of this file vanish or change?  o: the handle it is done through, or NULL; alone: as in rule_remove(). */
status_t sharemode_remove(struct req *q, const struct db_file_id *id, const struct open *o, bool alone);
#endif
