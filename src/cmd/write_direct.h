/* write_direct.h - the data of long writes go from the socket to the file while they come (`min receivefile size`).
 *
 * For frames that are not here as a whole: the head is checked and run like any other request, then the data behind it are
 * diverted (fastio.h).  Never with signatures or encryption, which cover the data. */
#ifndef SMB1D_CMD_WRITE_DIRECT_H
#define SMB1D_CMD_WRITE_DIRECT_H
#include "cmd/cmd.h"
#include "wire/wire.h"

/* `have` bytes of the frame at p are here, not all.  True: it was the head of a long WRITE_ANDX or the data of a WRITE_RAW,
 * and is consumed; the rest is diverted. */
bool write_direct_begin(struct conn *c, const struct wire_frame *f, const uint8_t *p, size_t have);
/* All diverted bytes have come: the client is answered. */
void write_direct_end(struct conn *c);
/* Is this the request whose data are to be diverted?  Then it says by write_direct_accept() where to. */
bool write_direct_asks(const struct req *q);
void write_direct_accept(struct req *q, struct open *o, uint64_t off, bool through);
#endif
