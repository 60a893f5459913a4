/* explain.h - between explain.c (what is asked for too much of, what is off) and explain_file.c (what keeps a file from a
 * client). */
#ifndef SMB1D_CMD_EXPLAIN_H
#define SMB1D_CMD_EXPLAIN_H
#include "cmd/cmd.h"
#include "conf/why.h"

/* no: filled in but for rule and fix.  q has a tree with files, and a user. */
void explain_file(struct req *q, struct why *no, const struct cmd_row *row, status_t st, const struct told *before);
/* The file that was asked for: by name, or by its FID, which is the first word there.  NULL: not known. */
const char *explain_path(const struct req *q, const struct cmd_row *row);
/* The same for a sentence: in quotation marks and not too long; else "an open file", "a name". */
const char *explain_name(const struct req *q, const struct cmd_row *row);
#endif
