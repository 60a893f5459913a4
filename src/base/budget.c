/* budget.c - how much memory this process may keep for its client. */
#include "base/budget.h"
#include "base/log.h"
#include <malloc.h>

#define LOOK_EVERY (128u << 10) /* bytes asked for between two looks at the heap */

static struct {
	size_t before, limit, asked, outside;
	bool known, over;
} budget;

static size_t in_use(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd + budget.outside;
}

void budget_set(size_t bytes)
{
	if (!budget.known)
		budget.before = in_use();
	budget.known = true;
	budget.limit = bytes;
	budget.over = false;
	budget.asked = 0;
}

bool budget_allows(size_t bytes)
{
	size_t used;

	if (budget.limit == 0)
		return true;
	budget.asked += bytes;
	if (!budget.over && budget.asked < LOOK_EVERY)
		return true;
	budget.asked = 0;
	used = in_use();
	if (used + bytes <= budget.before + budget.limit) {
		budget.over = false;
		return true;
	}
	if (!budget.over)
		log_at(LOG_SMB, 1, "the client fills %zu KiB of memory with open files, searches and the like: it gets no more; "
		       "`smb1d: max memory` would allow it", (used - budget.before) >> 10);
	budget.over = true;
	return false;
}

bool budget_kept(void) { return budget.limit == 0 || in_use() <= budget.before + budget.limit; }
bool budget_over(void) { return budget.over; }

bool budget_outside(size_t bytes)
{
	size_t used = in_use() - budget.outside;

	if (budget.limit != 0 && bytes > budget.outside && used + bytes > budget.before + budget.limit)
		return false;
	budget.outside = bytes;
	return true;
}
