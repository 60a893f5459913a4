/* sane.h - do the lengths and offsets of a reply stay within it?  For whoever sends rubbish and can expect nothing else
 * of the answer. */
#ifndef SMB1D_WIRE_SANE_H
#define SMB1D_WIRE_SANE_H
#include <stddef.h>
#include <stdint.h>

/* smb: from FF 'S' 'M' 'B', without the frame's head.  NULL, or what is wrong with it. */
const char *sane_reply(const uint8_t *smb, size_t len);
#endif
