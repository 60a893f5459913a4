/* slow.c - who guesses passwords waits, nobody else does.
 *
 *   fails of an address   0..5   6     7     8    ...
 *   its next question     now   0.1 s 0.2 s 0.4 s ... 3 s
 *
 * A question of such an address is not looked at before its time has come, right or wrong, so that hanging up
 * early gains nothing.  One fail is forgotten every ten seconds.  The table is small: the address with the fewest fails
 * gives its place to a new one. */
#include "proc/inner.h"
#include <stdio.h>

#define PLACES 256
#define FREE_FAILS 5u
#define FIRST_MS 100u
#define MOST_MS 3000u
#define FORGET_MS 10000u
#define MOST_FAILS 60u

static struct place {
	char addr[ADDR_TEXT]; /* "": free */
	unsigned fails;
	uint64_t since;       /* fails were counted down to here, clock_ms() */
} places[PLACES];

static void forget(struct place *p, uint64_t now)
{
	uint64_t n = (now - p->since) / FORGET_MS;

	p->fails = n < p->fails ? p->fails - (unsigned)n : 0;
	p->since += n * FORGET_MS;
	if (p->fails == 0)
		p->addr[0] = '\0';
}

static struct place *find(const char *addr, bool make)
{
	uint64_t now = clock_ms();
	struct place *fewest = NULL;

	for (struct place *p = places; p < places + PLACES; p++) {
		if (p->addr[0])
			forget(p, now);
		if (p->addr[0] && strcmp(p->addr, addr) == 0)
			return p;
		if (!fewest || p->fails < fewest->fails)
			fewest = p;
	}
	if (!make)
		return NULL;
	*fewest = (struct place){ .since = now };
	snprintf(fewest->addr, sizeof(fewest->addr), "%s", addr);
	return fewest;
}

uint64_t slow_wait(const char *addr)
{
	const struct place *p = find(addr, false);
	unsigned over = p && p->fails > FREE_FAILS ? p->fails - FREE_FAILS - 1 : 0;

	if (!p || p->fails <= FREE_FAILS)
		return 0;
	return over >= 5 ? MOST_MS : (uint64_t)FIRST_MS << over;
}

void slow_failed(const char *addr)
{
	struct place *p = find(addr, true);

	if (p->fails < MOST_FAILS)
		p->fails++;
}

void slow_forgive(const char *addr, unsigned n)
{
	struct place *p = find(addr, false);

	if (p)
		p->fails -= n < p->fails ? n : p->fails;
}
