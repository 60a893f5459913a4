/* unix_ext.h - the sub-commands of the UNIX extensions: levels 0x200 to 0x20f of TRANSACTION2.
 *
 * Questions are answered to every client that was told we have them (CAP_UNIX).  Changes need a client that asked
 * for the extensions by SET_FS_INFO, or Linux, which may forget that call after a reconnect: to anybody else a stray
 * level must not be an unlink (torture base.aliases).  The call also changes how names are read (q->t->posix). */
#ifndef SMB1D_CMD_TRANS2_UNIX_EXT_H
#define SMB1D_CMD_TRANS2_UNIX_EXT_H
#include "cmd/trans2/trans2.h"

static inline bool unix_level(const struct req *q, uint16_t level)
{
	return level >= 0x200 && level < 0x210 && (q->c->caps & CAP_UNIX);
}

static inline bool unix_set_level(const struct req *q, uint16_t level)
{
	return unix_level(q, level) && (q->c->unix_asked || strcmp(q->c->arch, "CIFSFS") == 0);
}

/* The cursor of the parameters stands behind the level (and what is reserved). */
status_t unix_query_path(struct req *q, struct trans *t, uint16_t level, struct trans_reply *r);
status_t unix_query_file(struct req *q, struct trans *t, struct open *o, uint16_t level, struct trans_reply *r);
status_t unix_set_path(struct req *q, struct trans *t, uint16_t level, struct trans_reply *r);
status_t unix_set_file(struct req *q, struct trans *t, struct open *o, uint16_t level, struct trans_reply *r);
status_t unix_query_fs(struct req *q, struct trans *t, uint16_t level, struct trans_reply *r);
status_t unix_set_fs(struct req *q, struct trans *t, struct trans_reply *r);

/* ---- between the files of it ---- */
status_t unix_posix_open(struct req *q, struct trans *t, const char *path, struct trans_reply *r); /* unix_open.c */
/* The mode of something new: `create mask` and its like have their say.  UINT32_MAX stays. */
uint32_t unix_new_mode(const struct req *q, uint32_t mode, bool dir);
#endif
