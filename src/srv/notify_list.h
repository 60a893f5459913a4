/* notify_list.h - the changes a watched folder has to tell, in the form of the wire (FILE_NOTIFY_INFORMATION):
 *
 *   next u32 (0 in the last), action u32, bytes of name u32, name in UTF-16, zeros up to a multiple of four
 *
 * Pure: no files, no clients.  It takes no memory while it is empty. */
#ifndef SMB1D_SRV_NOTIFY_LIST_H
#define SMB1D_SRV_NOTIFY_LIST_H
#include <stdbool.h>
#include <stdint.h>
#include <talloc.h>

#define NOTIFY_MAX_BYTES 65536u /* whatever a client asks for */

struct notify_list {
	uint8_t *p;       /* talloc */
	uint32_t len, cap;
	uint32_t max;     /* bytes it may have */
	uint32_t last;    /* offset of the last record, when len > 0 */
	bool overflow;    /* changes were lost: the client has to look for itself */
	bool small;       /* not even one of them fits */
};

/* An event of an object below the folder: `name` is relative, '/' between components.  A modification that the last
 * record tells already is not told twice.  What does not fit empties the list and sets overflow, until taken. */
void notify_list_add(struct notify_list *l, TALLOC_CTX *mem, uint32_t action, const char *name);
void notify_list_lost(struct notify_list *l);
static inline bool notify_list_some(const struct notify_list *l) { return l->len > 0 || l->overflow; }
/* Empties it.  NOTIFY_TOLD: *p (the caller's, child of mem) has *len bytes.  NOTIFY_MISSED: too many came while nobody
 * asked.  NOTIFY_SMALL: who asks has too small a buffer, of `max` bytes. */
enum notify_taken { NOTIFY_TOLD, NOTIFY_MISSED, NOTIFY_SMALL };
enum notify_taken notify_list_take(struct notify_list *l, TALLOC_CTX *mem, uint32_t max, uint8_t **p, uint32_t *len);

/* Does a watch with this filter, of the folder alone or of its tree, want a change of `what` parts at this place? */
bool notify_wants(uint32_t filter, bool tree, uint32_t what, const char *name);
#endif
