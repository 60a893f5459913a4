/* sid.c - see sid.h. */
#include "fs/sid.h"

const struct sid sid_everyone = { 1, { 0, 0, 0, 0, 0, 1 }, { 0 } };
const struct sid sid_creator_owner = { 1, { 0, 0, 0, 0, 0, 3 }, { 0 } };
const struct sid sid_creator_group = { 1, { 0, 0, 0, 0, 0, 3 }, { 1 } };
const struct sid sid_owner_rights = { 1, { 0, 0, 0, 0, 0, 3 }, { 4 } };
const struct sid sid_network = { 1, { 0, 0, 0, 0, 0, 5 }, { 2 } };
const struct sid sid_authenticated = { 1, { 0, 0, 0, 0, 0, 5 }, { 11 } };
const struct sid sid_administrators = { 2, { 0, 0, 0, 0, 0, 5 }, { 32, 544 } };

bool sid_get(struct rd *r, struct sid *s)
{
	uint8_t revision = rd_u8(r);

	memset(s, 0, sizeof(*s));
	s->n = rd_u8(r);
	rd_copy(r, s->authority, sizeof(s->authority));
	if (revision != 1 || s->n > SID_SUBS) {
		r->bad = true;
		s->n = 0;
	}
	for (unsigned i = 0; i < s->n; i++)
		s->sub[i] = rd_u32(r);
	return rd_ok(r);
}

void sid_put(struct wr *w, const struct sid *s)
{
	wr_u8(w, 1);
	wr_u8(w, s->n);
	wr_bytes(w, s->authority, sizeof(s->authority));
	for (unsigned i = 0; i < s->n; i++)
		wr_u32(w, s->sub[i]);
}

bool sid_same(const struct sid *a, const struct sid *b)
{
	return a->n == b->n && memcmp(a->authority, b->authority, sizeof(a->authority)) == 0 &&
	       memcmp(a->sub, b->sub, a->n * sizeof(a->sub[0])) == 0;
}

static struct sid unix_sid(uint32_t kind, uint32_t id)
{
	return (struct sid){ 2, { 0, 0, 0, 0, 0, 22 }, { kind, id } };
}

struct sid sid_of_uid(uid_t uid) { return unix_sid(1, uid); }
struct sid sid_of_gid(gid_t gid) { return unix_sid(2, gid); }

static uint32_t machine[3];

void sid_set_machine(const uint32_t sub[3]) { memcpy(machine, sub, sizeof(machine)); }

/* S-1-5-21-machine-rid with a rid of this kind. */
static bool is_machine(const struct sid *s, uint32_t kind, uint32_t *id)
{
	struct sid want = { 5, { 0, 0, 0, 0, 0, 5 }, { 21, machine[0], machine[1], machine[2], s->sub[4] } };
	uint32_t rid = s->sub[4];

	if (machine[0] == 0 || !sid_same(s, &want) || rid < 1000 || (rid & 1) != kind - 1)
		return false;
	*id = (rid - 1000) / 2;
	return true;
}

static bool is_unix(const struct sid *s, uint32_t kind, uint32_t *id)
{
	struct sid want = unix_sid(kind, s->sub[1]);

	if (is_machine(s, kind, id))
		return true;
	*id = s->sub[1];
	return sid_same(s, &want);
}

bool sid_is_uid(const struct sid *s, uid_t *uid) { return is_unix(s, 1, uid); }
bool sid_is_gid(const struct sid *s, gid_t *gid) { return is_unix(s, 2, gid); }
