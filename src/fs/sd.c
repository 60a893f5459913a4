/* sd.c - descriptors to and from bytes, lists, and what they grant. */
#include "fs/sd.h"

#define HEADER 20u
#define ACL_HEADER 8u

/* ---- lists ---- */

bool acl_next(const struct acl *a, uint32_t *at, struct ace *e)
{
	struct rd r = rd_over(a->list, a->list ? a->len : 0), body;

	if (!a->list)
		return false;
	rd_seek(&r, *at ? *at : ACL_HEADER);
	if (!rd_ok(&r) || rd_left(&r) < 8)
		return false;
	memset(e, 0, sizeof(*e));
	e->raw = a->list + rd_tell(&r);
	e->type = rd_u8(&r);
	e->flags = rd_u8(&r);
	e->len = rd_u16(&r);
	e->mask = rd_u32(&r);
	*at = rd_tell(&r) - 8 + e->len;
	body = rd_window(&r, rd_tell(&r), e->len < 8u ? UINT32_MAX : e->len - 8u);
	if (!rd_ok(&body))
		return false;
	return e->type > ACE_DENY || sid_get(&body, &e->sid);
}

/* Header and entries must agree; what is behind the last entry is cut off. */
static bool get_acl(const struct rd *sd, uint32_t off, struct acl *out)
{
	struct rd r = *sd;
	uint32_t start = off, at = 0, count;
	struct ace e;

	*out = (struct acl){ .list = NULL };
	if (off == 0)
		return true;
	rd_seek(&r, start);
	rd_skip(&r, 2);
	out->len = rd_u16(&r);
	count = rd_u16(&r);
	r = rd_window(sd, start, out->len);
	if (!rd_ok(&r) || out->len < ACL_HEADER)
		return false;
	out->list = sd->msg + start;
	for (uint32_t i = 0; i < count; i++)
		if (!acl_next(out, &at, &e))
			return false;
	return true;
}

void acl_begin(struct wr *w)
{
	wr_u8(w, 2);
	wr_u8(w, 0);
	wr_zero(w, 6);
}

void acl_add(struct wr *w, uint8_t type, uint8_t flags, uint32_t mask, const struct sid *s)
{
	wr_u8(w, type);
	wr_u8(w, flags);
	wr_u16(w, (uint16_t)(8 + sid_size(s)));
	wr_u32(w, mask);
	sid_put(w, s);
	if (wr_ok(w))
		put_u16(w->msg + 4, (uint16_t)((w->msg[4] | w->msg[5] << 8) + 1));
}

void acl_end(struct wr *w, struct acl *out)
{
	wr_u16_at(w, 2, (uint16_t)wr_tell(w));
	*out = (struct acl){ .list = w->msg, .len = wr_tell(w) };
}

/* ---- descriptors ---- */

static bool get_sid(const struct rd *sd, uint32_t off, bool *has, struct sid *out)
{
	struct rd r = *sd;

	*has = off != 0;
	if (off == 0)
		return true;
	rd_seek(&r, off);
	return sid_get(&r, out);
}

bool sd_parse(struct rd *r, struct sd *out)
{
	struct rd sd = rd_over(r->msg + r->pos, rd_left(r)), head = sd;
	uint32_t owner, group, sacl, dacl;

	memset(out, 0, sizeof(*out));
	if (rd_left(r) > SD_MAX || rd_u8(&head) != 1)
		return false;
	rd_skip(&head, 1);
	out->control = rd_u16(&head);
	owner = rd_u32(&head);
	group = rd_u32(&head);
	sacl = rd_u32(&head);
	dacl = rd_u32(&head);
	return rd_ok(&head) && get_sid(&sd, owner, &out->has_owner, &out->owner) &&
	       get_sid(&sd, group, &out->has_group, &out->group) &&
	       get_acl(&sd, out->control & SDC_SACL_PRESENT ? sacl : 0, &out->sacl) &&
	       get_acl(&sd, out->control & SDC_DACL_PRESENT ? dacl : 0, &out->dacl);
}

/* Control bits that speak of the parts. */
static uint16_t control_of(const struct sd *sd, uint32_t parts)
{
	unsigned keep = SDC_SELF_RELATIVE;

	if (parts & SD_OWNER)
		keep |= 0x1;
	if (parts & SD_GROUP)
		keep |= 0x2;
	if (parts & SD_DACL)
		keep |= 0x150c; /* present, defaulted, inherit requested, inherited, protected */
	if (parts & SD_SACL)
		keep |= 0x2a30;
	return (uint16_t)((sd->control | SDC_SELF_RELATIVE) & keep);
}

static void put_list(struct wr *w, uint32_t start, uint32_t field, const struct acl *a)
{
	if (!a->list)
		return;
	wr_u32_at(w, start + field, wr_tell(w) - start);
	wr_bytes(w, a->list, a->len);
}

void sd_put(struct wr *w, const struct sd *sd, uint32_t parts)
{
	uint32_t start = wr_tell(w);

	wr_u8(w, 1);
	wr_u8(w, 0);
	wr_u16(w, control_of(sd, parts));
	wr_zero(w, 16);
	if ((parts & SD_OWNER) && sd->has_owner) {
		wr_u32_at(w, start + 4, wr_tell(w) - start);
		sid_put(w, &sd->owner);
	}
	if ((parts & SD_GROUP) && sd->has_group) {
		wr_u32_at(w, start + 8, wr_tell(w) - start);
		sid_put(w, &sd->group);
	}
	if ((parts & SD_SACL) && (sd->control & SDC_SACL_PRESENT))
		put_list(w, start, 12, &sd->sacl);
	if ((parts & SD_DACL) && (sd->control & SDC_DACL_PRESENT))
		put_list(w, start, 16, &sd->dacl);
}

uint32_t sd_size(const struct sd *sd, uint32_t parts)
{
	uint32_t n = HEADER;

	if ((parts & SD_OWNER) && sd->has_owner)
		n += sid_size(&sd->owner);
	if ((parts & SD_GROUP) && sd->has_group)
		n += sid_size(&sd->group);
	if ((parts & SD_SACL) && (sd->control & SDC_SACL_PRESENT) && sd->sacl.list)
		n += sd->sacl.len;
	if ((parts & SD_DACL) && (sd->control & SDC_DACL_PRESENT) && sd->dacl.list)
		n += sd->dacl.len;
	return n;
}

/* ---- rights ---- */

#define GENERIC 0xf0000000u
#define FILE_READ 0x120089u
#define FILE_WRITE 0x120116u
#define FILE_EXECUTE 0x1200a0u
#define FILE_ALL 0x1f01ffu
#define OWNER_ALWAYS 0x60000u /* READ_CONTROL, WRITE_DAC */

uint32_t sd_map_generic(uint32_t mask)
{
	if (mask & 0x80000000u)
		mask |= FILE_READ;
	if (mask & 0x40000000u)
		mask |= FILE_WRITE;
	if (mask & 0x20000000u)
		mask |= FILE_EXECUTE;
	if (mask & 0x10000000u)
		mask |= FILE_ALL;
	return mask & ~GENERIC;
}

bool acl_map_generic(TALLOC_CTX *mem, struct acl *a)
{
	uint32_t at = 0, here = ACL_HEADER;
	uint8_t *copy = NULL;
	struct ace e;

	if (!a->list)
		return true;
	for (; acl_next(a, &at, &e); here = at) {
		if (!(e.mask & GENERIC) || (e.flags & ACE_INHERIT_ONLY) || e.type > ACE_DENY)
			continue;
		if (!copy)
			copy = talloc_memdup(mem, a->list, a->len);
		if (!copy)
			return false;
		put_u32(copy + here + 4, sd_map_generic(e.mask));
	}
	if (copy)
		a->list = copy;
	return true;
}

uint32_t sd_granted(const struct sd *sd, bool (*is)(void *arg, const struct sid *s), void *arg)
{
	uint32_t granted = 0, denied = 0, at = 0;
	bool owner = sd->has_owner && is(arg, &sd->owner), owner_rights = false;
	struct ace e;

	if (!(sd->control & SDC_DACL_PRESENT) || !sd->dacl.list)
		return FILE_ALL;
	while (acl_next(&sd->dacl, &at, &e)) {
		bool stand_in = sid_same(&e.sid, &sid_owner_rights);

		if ((e.flags & ACE_INHERIT_ONLY) || e.type > ACE_DENY)
			continue;
		owner_rights |= stand_in;
		if (stand_in ? !owner : !is(arg, &e.sid))
			continue;
		if (e.type == ACE_DENY)
			denied |= sd_map_generic(e.mask) & ~granted;
		else
			granted |= sd_map_generic(e.mask) & ~denied;
	}
	if (owner && !owner_rights)
		granted |= OWNER_ALWAYS;
	return granted;
}

/* ---- inheritance ---- */

struct heir {
	bool dir, marked; /* marked: entries show that they were inherited */
	const struct sid *owner, *group;
};

/* The entry as it counts for the child itself. */
static void add_effective(struct wr *w, const struct ace *e, const struct heir *h, uint8_t flags)
{
	const struct sid *s = &e->sid;

	if (sid_same(s, &sid_creator_owner))
		s = h->owner;
	else if (sid_same(s, &sid_creator_group))
		s = h->group;
	acl_add(w, e->type, flags, sd_map_generic(e->mask), s);
}

static void inherit_one(struct wr *w, const struct ace *e, const struct heir *h)
{
	uint8_t mark = h->marked ? ACE_INHERITED : 0;
	uint8_t pass = e->flags & (ACE_OBJECT_INHERIT | ACE_CONTAINER_INHERIT);
	bool stand_in = sid_same(&e->sid, &sid_creator_owner) || sid_same(&e->sid, &sid_creator_group);

	if (e->type > ACE_DENY || !pass)
		return;
	if (!h->dir) {
		if (pass & ACE_OBJECT_INHERIT)
			add_effective(w, e, h, mark);
		return;
	}
	if (e->flags & ACE_NO_PROPAGATE)
		pass = pass & ACE_CONTAINER_INHERIT ? 0 : 0xff;
	if (pass == 0xff)
		return; /* only for files of this very folder */
	if (!(e->flags & ACE_CONTAINER_INHERIT)) {
		acl_add(w, e->type, (uint8_t)(pass | ACE_INHERIT_ONLY | mark), e->mask, &e->sid);
	} else if (pass && (stand_in || (e->mask & GENERIC))) {
		add_effective(w, e, h, mark);
		acl_add(w, e->type, (uint8_t)(pass | ACE_INHERIT_ONLY | mark), e->mask, &e->sid);
	} else {
		add_effective(w, e, h, (uint8_t)(pass | mark));
	}
}

static bool inherit_list(TALLOC_CTX *mem, const struct acl *from, const struct heir *h, struct acl *out)
{
	size_t room = 2 * (size_t)from->len + 64u * 64u;
	uint8_t *buf = talloc_size(mem, room);
	struct wr w = wr_over(buf, buf ? room : 0);
	uint32_t at = 0;
	struct ace e;

	if (!buf)
		return false;
	acl_begin(&w);
	while (acl_next(from, &at, &e) && wr_tell(&w) < 60000)
		inherit_one(&w, &e, h);
	acl_end(&w, out);
	return wr_ok(&w) && out->len > ACL_HEADER;
}

bool sd_inherit(TALLOC_CTX *mem, const struct sd *parent, const struct sd *given, bool dir, const struct sid *owner,
		const struct sid *group, struct sd *out)
{
	struct heir h = { .dir = dir, .owner = owner, .group = group };

	memset(out, 0, sizeof(*out));
	if (given && given->has_owner)
		h.owner = &given->owner;
	if (given && given->has_group)
		h.group = &given->group;
	out->has_owner = out->has_group = true;
	out->owner = *h.owner;
	out->group = *h.group;
	if (given && (given->control & SDC_SACL_PRESENT)) {
		out->control |= given->control & (SDC_SACL_PRESENT | 0x2a20);
		out->sacl = given->sacl;
	}
	if (given && (given->control & SDC_DACL_PRESENT)) {
		out->control |= given->control & (SDC_DACL_PRESENT | SDC_DACL_PROTECTED);
		out->dacl = given->dacl;
		return acl_map_generic(mem, &out->dacl);
	}
	if (!parent || !(parent->control & SDC_DACL_PRESENT) || !parent->dacl.list)
		return false;
	h.marked = parent->control & SDC_DACL_INHERITED;
	out->control |= (uint16_t)(SDC_DACL_PRESENT | (h.marked ? SDC_DACL_INHERITED : 0));
	return inherit_list(mem, &parent->dacl, &h, &out->dacl);
}
