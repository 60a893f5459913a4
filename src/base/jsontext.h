/* jsontext.h - text as a JSON string: names come from clients and disks, and whatever bytes they hold, what comes out
 * is valid JSON in valid UTF-8 that no terminal obeys. */
#ifndef SMB1D_BASE_JSONTEXT_H
#define SMB1D_BASE_JSONTEXT_H
#include <talloc.h>

/* With its quotes; NULL is "".  A child of mem; NULL if out of memory. */
char *json_text(TALLOC_CTX *mem, const char *text);
#endif
