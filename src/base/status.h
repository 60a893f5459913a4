/* status.h - what an operation came to.
 *
 * One number for every outcome: the NT status of MS-ERREF, or a DOS class/code pair
 * packed the way servers send it (class | code << 16) where no NT status exists.
 * ST_OK is success; warnings (0x8.......) may carry a body.  ST_PENDING leaves "run"
 * when the answer comes later.  The DOS form is chosen once, when a header is written. */
#ifndef SMB1D_BASE_STATUS_H
#define SMB1D_BASE_STATUS_H
#include <stdbool.h>
#include <stdint.h>

typedef uint32_t status_t;

enum {
#define ST(name, nt, cls, code) ST_##name = nt,
#include "base/status.def"
#undef ST
};

/* The DOS class (1 ERRDOS, 2 ERRSRV, 3 ERRHRD) and code of a status; a status the table
 * does not know becomes ERRHRD/31.  MS-CIFS 2.2.2.4. */
void status_to_dos(status_t st, uint8_t *cls, uint16_t *code);

/* True for a class/code pair that must be sent in DOS form even to NT clients. */
static inline bool status_is_dos(status_t st)
{
	return st != 0 && (st & 0xff) != 0 && (st & 0xff) <= 3 && (st & 0xff00) == 0 &&
	       (st >> 28) == 0 && (st >> 16) != 0;
}

/* True when the reply carries no body: errors, but not warnings or "more processing". */
static inline bool status_is_error(status_t st)
{
	return ((st >> 30) == 3 && st != ST_MORE_PROCESSING_REQUIRED) || status_is_dos(st);
}

/* "ACCESS_DENIED", "SMB_BAD_UID", or "0xC0000123": never NULL, static storage. */
const char *status_name(status_t st);

/* The status of an errno that needs no knowledge of the operation.  The fs room has the
 * finer ones: a missing last name, a missing folder on the way. */
status_t status_from_errno(int err);
#endif
