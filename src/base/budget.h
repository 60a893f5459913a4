/* budget.h - how much memory this process may keep for its client, whatever it is made of.
 *
 * Each kind of thing a client can pile up has a number of its own that it may not pass; but the sum of the numbers
 * is more than one client should cost.  Whoever is about to keep something asks here as well. */
#ifndef SMB1D_BASE_BUDGET_H
#define SMB1D_BASE_BUDGET_H
#include <stdbool.h>
#include <stddef.h>

/* Bytes of heap on top of what was in use at the first call; 0: no end.  Before the first call there is none. */
void budget_set(size_t bytes);
/* May `bytes` more (about) be kept?  Looks at the heap once in a while, so that asking costs nothing; what is refused
 * is said in the log once until there is room again. */
bool budget_allows(size_t bytes);
/* Is what is kept by now within the limit?  Looks at the heap each time, and says nothing. */
bool budget_kept(void);
/* Was the last answer no? */
bool budget_over(void);
/* So many bytes outside the heap are kept from now on (of one thing: the buffer of a long message), and count as well.
 * False: more than before and no room for them; what was said before still holds. */
bool budget_outside(size_t bytes);
#endif
