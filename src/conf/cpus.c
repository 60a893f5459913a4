/* cpus.c - `smb1d: cpu affinity`: which processors the workers run on. */
#include "conf/conf.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* "3" or "0-3".  False: neither, or beyond what a set can hold. */
static bool add_range(const char *item, cpu_set_t *set)
{
	char *end;
	unsigned long first = strtoul(item, &end, 10), last = first;

	if (end == item || item[0] < '0' || item[0] > '9')
		return false;
	if (*end == '-' && end[1] >= '0' && end[1] <= '9')
		last = strtoul(end + 1, &end, 10);
	if (*end || last < first || last >= CPU_SETSIZE)
		return false;
	for (unsigned long i = first; i <= last; i++)
		CPU_SET(i, set);
	return true;
}

bool conf_cpus(const char *const *list, cpu_set_t *set, bool *each, const char **bad)
{
	CPU_ZERO(set);
	*each = *list && strcasecmp(*list, "each") == 0;
	for (list += *each; *list; list++)
		if (!add_range(*list, set)) {
			*bad = *list;
			return false;
		}
	*bad = "each";
	return !*each || CPU_COUNT(set) > 0;
}
