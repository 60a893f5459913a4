/* names.h - commands that work on all names a pattern matches. */
#ifndef SMB1D_CMD_NAMES_H
#define SMB1D_CMD_NAMES_H
#include "cmd/cmd.h"

/* The names in the folder of `pattern` that match its last part and the search attributes (folders only if
 * these name them; "." and ".." never), as paths.  Taken down first, so that what is done with one cannot make
 * another appear.  ST_NO_SUCH_FILE: none; ST_INSUFF_SERVER_RESOURCES: more than the client may fill memory with. */
status_t names_matching(struct req *q, const char *pattern, uint16_t attrs, char ***list, size_t *n);
/* Between these two, with one of many names: what is taken of q->mem goes again. */
TALLOC_CTX *names_one(struct req *q);
void names_one_over(struct req *q, TALLOC_CTX *all);
/* What DOS makes of the last part of `from` and a pattern: in name and extension each, `?` takes the letter at its
 * place, `*` all that is left.  The result lies in the folder of `to`.  NULL: out of memory. */
char *names_target(TALLOC_CTX *mem, const char *from, const char *to);
/* The last part of a path. */
const char *names_last(const char *path);

/* Decodes FF4 old name, FF4 new name, as paths (rename.c). */
status_t rename_names(struct req *q, char **from, char **to);
/* RENAME of one thing (rename.c). */
status_t rename_one(struct req *q, const char *from, const char *to, uint16_t attrs);
#endif
