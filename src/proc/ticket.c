/* ticket.c - the leave to become somebody, for a filter that cannot be widened.
 *
 * A worker may take on the identities that logged in on its connection, or that the configuration forces, and no
 * others.  Its filter of system calls is put up before it reads a byte of its client and can only be narrowed, but
 * who logs in later is not known then.  So the filter holds a key instead of a list:
 *
 *   keeper: makes a key for the connection ──> listener ──> worker: filter with the key in it; then the key is wiped
 *   keeper: "this is anna, uid 1001", and ticket = f(key, 1001)
 *   worker: setresuid(1001, 1001, 1001, ticket)     the kernel's call does not look at the fourth and fifth
 *   filter: computes f(key, first argument) and refuses if that is not what came along          argument, the filter does
 *
 * No other process is asked when users take turns on one connection, and the first costs nothing more.  The
 * kernel gives the filter back to nobody without CAP_SYS_ADMIN.  A ticket of 64 bits is not guessed by trying.
 *
 * f is HalfSipHash-2-4 (Aumasson and Bernstein) of one word, with all of its state secret and 64 bits of it shown. */
#include "proc/inner.h"

static uint32_t rotl(uint32_t v, unsigned n) { return v << n | v >> (32 - n); }

static void round_of(uint32_t v[4])
{
	v[0] += v[1];
	v[1] = rotl(v[1], 5) ^ v[0];
	v[0] = rotl(v[0], 16);
	v[2] += v[3];
	v[3] = rotl(v[3], 8) ^ v[2];
	v[0] += v[3];
	v[3] = rotl(v[3], 7) ^ v[0];
	v[2] += v[1];
	v[1] = rotl(v[1], 13) ^ v[2];
	v[2] = rotl(v[2], 16);
}

void ticket_make(const uint32_t key[TICKET_KEY], uint32_t kind, uint32_t id, uint32_t ticket[2])
{
	uint32_t v[4] = { key[0], key[1] ^ kind, key[2], key[3] ^ id };

	for (int i = 0; i < 2; i++)
		round_of(v);
	v[0] ^= id;
	v[2] ^= 0xff;
	for (int i = 0; i < 4; i++)
		round_of(v);
	ticket[0] = v[1] ^ v[3];
	ticket[1] = v[0] ^ v[2];
	str_wipe(v, sizeof(v));
}

void ticket_ident(const uint32_t key[TICKET_KEY], struct ident *id)
{
	ticket_make(key, TICKET_UID, id->uid, id->uid_ticket);
	ticket_make(key, TICKET_GID, id->gid, id->gid_ticket);
}
