/* audit.h - the audit log: a line of JSON for each operation that `smb1d: audit` of its share names.
 *
 *   {"time":"2026-01-31T12:00:00.123456Z","address":"192.0.2.7","user":"anna","share":"data","op":"rename",
 *    "path":"a.txt","to":"b.txt","result":"OK"}
 *
 * A line is one write() to a file opened for appending, at most AUDIT_LINE_MAX bytes; longer names are cut and the line says
 * so ("cut":true).  The listener looks every few seconds whether the file is too large (`smb1d: audit max size`).  What
 * cannot be written, because the disk is full, is lost: no client waits for it.  Reads are told once for each open, with the
 * first bytes; writes when the file is closed. */
#ifndef SMB1D_SRV_AUDIT_H
#define SMB1D_SRV_AUDIT_H
#include "srv/conn.h"

#define AUDIT_LINE_MAX 8192

/* The file, this process' from now on; -1: none. */
void audit_to(int fd);
/* Is the operation wanted in this tree?  One compare where nothing is. */
static inline bool audit_wants(const struct tree *t, enum conf_audit op) { return t && (t->audit & op) != 0; }
/* Path and to (may be NULL) are below the share; the user is who made the current request. */
void audit_say(const struct tree *t, enum conf_audit op, const char *path, const char *to, status_t st);
/* What fs tells of changes by names (srv/notify.c). */
void audit_change(const struct tree *t, const char *path, enum fs_change change, unsigned what);
#endif
