/* dos_open.h - access modes and open functions of the DOS and OS/2 era, as NT opens (files section 1). */
#ifndef SMB1D_CMD_DOS_OPEN_H
#define SMB1D_CMD_DOS_OPEN_H
#include "cmd/cmd.h"

/* Access and sharing of an AccessMode word; `name` decides about executables in compatibility mode.
 * ST_OS2_INVALID_ACCESS for values without a meaning. */
status_t dos_access_mode(uint16_t mode, const char *name, struct open_want *w);
/* Disposition of an OpenFunction word. */
status_t dos_open_function(uint16_t function, struct open_want *w);
/* 1 opened, 2 created, 3 truncated */
uint16_t dos_open_result(uint32_t action);
/* 0 read, 1 write, 2 both: of a granted mask */
uint16_t dos_granted(uint32_t access);
/* Bits for Flags of a reply that tell about an oplock (0 none, 1 exclusive, 2 batch). */
uint8_t dos_oplock_flags(uint8_t oplock);
/* The open of every command that may meet a printer or a pipe in place of a file. */
status_t dos_open(struct req *q, const struct open_want *w, struct open **out, struct open_result *r);
#endif
