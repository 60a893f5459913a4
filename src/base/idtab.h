/* idtab.h - small numbers for living objects: UIDs, TIDs, FIDs, search ids.
 * 1..65534; 0 and 0xffff are never given.  A freed number rests as long as possible before
 * it is given again, so that a late request of a client meets nobody rather than a stranger. */
#ifndef SMB1D_BASE_IDTAB_H
#define SMB1D_BASE_IDTAB_H
#include <stdbool.h>
#include <stdint.h>
#include <talloc.h>

struct idtab {             /* idtab.c's own; here for idtab_get(), which each request calls three times */
	struct idtab_slot {
		void *obj;
		uint16_t next_free;
	} *slot;           /* slot[0] is not used */
	uint32_t size;     /* slots there are, with slot 0 */
	uint32_t max;
	uint32_t count;
	uint16_t free_head, free_tail; /* 0 = none */
};
struct idtab *idtab_new(TALLOC_CTX *mem, uint16_t max);
/* 0 if all are in use or memory is out. */
uint16_t idtab_add(struct idtab *t, void *obj);
/* Takes a certain number; false if it is in use. */
bool idtab_put(struct idtab *t, uint16_t id, void *obj);
static inline void *idtab_get(const struct idtab *t, uint16_t id) { return id < t->size && id ? t->slot[id].obj : NULL; }
void idtab_del(struct idtab *t, uint16_t id);
uint32_t idtab_count(const struct idtab *t);
/* The first object with a number above `after`, its number in *id; NULL at the end.  Objects may be
 * deleted while walking. */
void *idtab_next(const struct idtab *t, uint16_t after, uint16_t *id);
#endif
