/* ea.h - extended attributes as OS/2 and NT put them into messages.  transactions section 7.
 *
 *   FEA list  u32 length of all; { flags u8, name length u8, value length u16, name, NUL, value } ...
 *   GEA list  u32 length of all; { name length u8, name, NUL } ...
 *   full EA   { next u32, flags u8, name length u8, value length u16, name, NUL, value } at multiples of 4
 *
 * Names are OEM on the wire, UTF-8 here, blind to case. */
#ifndef SMB1D_CMD_TRANS2_EA_H
#define SMB1D_CMD_TRANS2_EA_H
#include "base/cursor.h"
#include "fs/fs.h"

/* Bytes of a FEA list, the four of its length included. */
uint32_t ea_list_size(const struct fs_ea *list, size_t n);
/* Attributes that cannot be said (name over 255 bytes, value over 65535) are left out. */
void ea_put_list(struct wr *w, const struct fs_ea *list, size_t n);
/* As full EAs; bytes they take at most. */
void ea_put_full(struct wr *w, const struct fs_ea *list, size_t n);
uint32_t ea_full_size(const struct fs_ea *list, size_t n);
/* Values point into the message.  ST_EA_LIST_INCONSISTENT if malformed, ST_INVALID_EA_NAME. */
status_t ea_get_list(TALLOC_CTX *mem, struct rd *r, struct fs_ea **list, size_t *n);
status_t ea_get_full(TALLOC_CTX *mem, struct rd *r, struct fs_ea **list, size_t *n);
/* The names of a GEA list, as attributes without value. */
status_t ea_get_names(TALLOC_CTX *mem, struct rd *r, struct fs_ea **list, size_t *n);
/* Fills the values of `asked` from what the file has; the missing stay empty. */
void ea_pick(struct fs_ea *asked, size_t n, const struct fs_ea *have, size_t nhave);
#endif
