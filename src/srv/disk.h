/* disk.h - how big and how full the disk is that a user sees in a share: the file system's word, or that of
 * `dfree command`; no more than his quota. */
#ifndef SMB1D_SRV_DISK_H
#define SMB1D_SRV_DISK_H
#include "srv/req.h"

/* ST_PENDING: `dfree command` takes its time; the request is parked and everything else of this client served. */
status_t disk_space(struct req *q, struct fs_space *s);
#endif
