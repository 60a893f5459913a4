/* slow.c - who guesses passwords waits, nobody else does.
 *
 *   fails of an address   0..5   6     7     8    ...
 *   its next question     now   0.1 s 0.2 s 0.4 s ... 3 s
 *
 * A question of such an address is not looked at before its time has come, right or wrong, so that hanging up
 * early gains nothing.  One fail is forgotten every ten seconds.  The table is small: the address with the fewest fails
 * gives its place to a new one. */
#include "proc/inner.h"

#define PLACES 256
#define FREE_FAILS 5u
#define FIRST_MS 100u
#define MOST_MS 3000u
#define FORGET_MS 10000u
#define MOST_FAILS 60u

static struct place {
	uint8_t key[16];      /* an IPv4 address, the /64 of an IPv6 one */
	unsigned fails;       /* 0: free */
	uint64_t since;       /* fails were counted down to here, clock_ms() */
} places[PLACES] SELDOM;

static void forget(struct place *p, uint64_t now)
{
	uint64_t n = (now - p->since) / FORGET_MS;

	p->fails = n < p->fails ? p->fails - (unsigned)n : 0;
	p->since += n * FORGET_MS;
}

static struct place *find(const char *addr, bool make)
{
	uint64_t now = clock_ms();
	struct place *fewest = NULL;
	uint8_t key[16];

	sockets_text_key(addr, key);
	for (struct place *p = places; p < places + PLACES; p++) {
		if (p->fails > 0)
			forget(p, now);
		if (p->fails > 0 && memcmp(p->key, key, 16) == 0)
			return p;
		if (!fewest || p->fails < fewest->fails)
			fewest = p;
	}
	if (!make)
		return NULL;
	*fewest = (struct place){ .since = now };
	memcpy(fewest->key, key, 16);
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
