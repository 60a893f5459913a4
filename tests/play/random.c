/* random.c - random numbers that are the same each time, so that what a client was told by one run (a policy handle) holds
 * in the next.  The linker puts __wrap_util_random() in the place of util_random(). */
#include "random.h"
#include "base/util.h"
#include <stdbool.h>
#include <string.h>

#define LONGEST 64u

static bool fixed;
static uint8_t turn[LONGEST + 1]; /* by length, so that they do not disturb each other */

void __real_util_random(void *p, size_t n);
void __wrap_util_random(void *p, size_t n);

void random_fix(void)
{
	fixed = true;
	memset(turn, 0, sizeof(turn));
}

void __wrap_util_random(void *p, size_t n)
{
	if (fixed && n <= LONGEST)
		memset(p, ++turn[n], n);
	else
		__real_util_random(p, n);
}
