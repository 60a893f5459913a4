/* trans2.h - the sub-commands of TRANSACTION2, a file each group. */
#ifndef SMB1D_CMD_TRANS2_TRANS2_H
#define SMB1D_CMD_TRANS2_TRANS2_H
#include "base/row.h"
#include "cmd/trans/trans.h"
#include "cmd/trans2/ea.h"

#define TRANS2_CODES 0x12u
extern struct cmd_counter trans2_count[TRANS2_CODES];

status_t trans2_open2(struct req *q, struct trans *t, struct trans_reply *r);
status_t trans2_find_first(struct req *q, struct trans *t, struct trans_reply *r);
status_t trans2_find_next(struct req *q, struct trans *t, struct trans_reply *r);
status_t trans2_query_fs(struct req *q, struct trans *t, struct trans_reply *r);
/* Sixteen bytes that tell the volume of the request's share from others. */
void trans2_volume_id(const struct req *q, uint8_t id[16]);
status_t trans2_query_path(struct req *q, struct trans *t, struct trans_reply *r);
status_t trans2_query_file(struct req *q, struct trans *t, struct trans_reply *r);
status_t trans2_set_path(struct req *q, struct trans *t, struct trans_reply *r);
status_t trans2_set_file(struct req *q, struct trans *t, struct trans_reply *r);
status_t trans2_create_directory(struct req *q, struct trans *t, struct trans_reply *r);
bool trans2_set_level_at(size_t i, struct table_row *out); /* table_row_fn */
bool trans2_row_at(size_t i, struct table_row *out);       /* table_row_fn */

/* ---- shared by them ---- */
/* The path at the cursor of the parameters, as fs wants it; the request runs as its user from now on. */
status_t trans2_path(struct req *q, struct rd *p, char **out);
/* The reply of most: no data, an EA error offset of 0. */
status_t trans2_no_ea_error(struct req *q, struct trans_reply *r);
/* All attributes of a file; an empty list when the share or file has none or cannot tell. */
status_t trans2_eas(struct req *q, struct fs_node *node, struct fs_ea **list, size_t *n);
/* Sets them one by one; a value of no bytes deletes. */
status_t trans2_set_eas(struct req *q, struct fs_node *node, const struct fs_ea *list, size_t n);
/* Size of that list as levels show it: no attributes are 0 for NT clients, an empty list of 4 bytes for OS/2. */
uint32_t trans2_ea_size(const struct req *q, const struct fs_ea *list, size_t n);
/* Is the file doomed?  *st gets the write time that an opener has set for good. */
status_t trans2_delete_pending(struct req *q, struct fs_stat *st);
#endif
