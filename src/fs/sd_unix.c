/* sd_unix.c - what a descriptor means as a Unix mode with named entries, and the other way round. */
#include "fs/sd.h"

#define READ_DATA 0x1u
#define WRITE_DATA 0x2u
#define EXECUTE 0x20u
#define ALWAYS 0x120080u /* READ_ATTRIBUTES, READ_CONTROL, SYNCHRONIZE: whatever the mode */
#define FILE_READ 0x120089u
#define FILE_WRITE 0x120116u
#define FILE_EXECUTE 0x1200a0u
#define FILE_ALL 0x1f01ffu
#define DELETE 0x10000u
#define DELETE_CHILD 0x40u
#define OWNERS 0xc0110u /* WRITE_DAC, WRITE_OWNER, WRITE_ATTRIBUTES, WRITE_EA */
#define MAX_NAMED 64u

/* Somebody who is one SID, besides being everyone. */
struct one {
	const struct sid *a, *b;
};

static bool is_one(void *arg, const struct sid *s)
{
	const struct one *o = arg;

	return (o->a && sid_same(s, o->a)) || (o->b && sid_same(s, o->b)) || sid_same(s, &sid_everyone) ||
	       sid_same(s, &sid_authenticated) || sid_same(s, &sid_network);
}

static uint8_t rwx(const struct sd *sd, const struct sid *a, const struct sid *b)
{
	struct one o = { a, b };
	uint32_t mask = sd_granted(sd, is_one, &o);

	return (uint8_t)((mask & READ_DATA ? 4 : 0) | (mask & WRITE_DATA ? 2 : 0) | (mask & EXECUTE ? 1 : 0));
}

static bool add_named(TALLOC_CTX *mem, const struct sd *sd, bool group, uint32_t id, struct sd_unix *out)
{
	struct sid s = group ? sid_of_gid(id) : sid_of_uid(id);
	struct sd_unix_entry *more;

	for (size_t i = 0; i < out->n; i++)
		if (out->others[i].id == id && out->others[i].group == group)
			return true;
	if (out->n == MAX_NAMED)
		return true; /* they have what everyone has */
	more = talloc_realloc(mem, out->others, struct sd_unix_entry, (unsigned)out->n + 1);
	if (!more)
		return false;
	out->others = more;
	more[out->n++] = (struct sd_unix_entry){ group, id, rwx(sd, &s, NULL) };
	return true;
}

bool sd_to_unix(TALLOC_CTX *mem, const struct sd *sd, uid_t uid, gid_t gid, struct sd_unix *out)
{
	struct sid owner = sid_of_uid(uid), group = sid_of_gid(gid);
	uint32_t at = 0;
	struct ace e;
	bool ok = true;

	*out = (struct sd_unix){ .n = 0 };
	out->mode = (uint32_t)(rwx(sd, &owner, &group) | 4) << 6 | (uint32_t)rwx(sd, &group, NULL) << 3 |
		    rwx(sd, NULL, NULL);
	while (ok && (sd->control & SDC_DACL_PRESENT) && acl_next(&sd->dacl, &at, &e)) {
		uint32_t id;

		if ((e.flags & ACE_INHERIT_ONLY) || e.type > ACE_DENY)
			continue;
		if (sid_is_uid(&e.sid, &id) && id != uid)
			ok = add_named(mem, sd, false, id, out);
		else if (sid_is_gid(&e.sid, &id) && id != gid)
			ok = add_named(mem, sd, true, id, out);
	}
	return ok;
}

/* One class as an access mask.  The owner may change the rest as well. */
static uint32_t rights(uint32_t bits, bool owner, bool dir, bool full)
{
	uint32_t a = ALWAYS;

	if (bits == 7 && (owner || full))
		return FILE_ALL;
	if (bits & 4)
		a |= FILE_READ;
	if (bits & 2)
		a |= FILE_WRITE | DELETE | (dir ? DELETE_CHILD : 0);
	if (bits & 1)
		a |= FILE_EXECUTE;
	return owner ? a | OWNERS : a;
}

bool sd_from_unix(TALLOC_CTX *mem, const struct sd_unix *u, uid_t uid, gid_t gid, bool dir, struct sd *out)
{
	size_t room = 8 + (3 + u->n) * 64;
	uint8_t *buf = talloc_size(mem, room);
	struct wr w = wr_over(buf, buf ? room : 0);

	memset(out, 0, sizeof(*out));
	if (!buf)
		return false;
	out->control = SDC_DACL_PRESENT;
	out->has_owner = out->has_group = true;
	out->owner = sid_of_uid(uid);
	out->group = sid_of_gid(gid);
	acl_begin(&w);
	acl_add(&w, ACE_ALLOW, 0, rights(u->mode >> 6 & 7, true, dir, u->full), &out->owner);
	for (size_t i = 0; i < u->n; i++) {
		struct sid s = u->others[i].group ? sid_of_gid(u->others[i].id) : sid_of_uid(u->others[i].id);

		acl_add(&w, ACE_ALLOW, 0, rights(u->others[i].rwx, false, dir, u->full), &s);
	}
	acl_add(&w, ACE_ALLOW, 0, rights(u->mode >> 3 & 7, false, dir, u->full), &out->group);
	acl_add(&w, ACE_ALLOW, 0, rights(u->mode & 7, false, dir, u->full), &sid_everyone);
	acl_end(&w, &out->dacl);
	return wr_ok(&w);
}
