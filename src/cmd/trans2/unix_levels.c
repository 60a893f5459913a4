/* unix_levels.c - the structures of the UNIX extensions to bytes and back. */
#include "cmd/trans2/unix_levels.h"
#include "cmd/trans2/find_levels.h"
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define ACL_VERSION 1u
#define ACL_KEEP 0xffffu

static const uint32_t types[] = { S_IFREG, S_IFDIR, S_IFLNK, S_IFCHR, S_IFBLK, S_IFIFO, S_IFSOCK };
#define NTYPES (sizeof(types) / sizeof(types[0]))

static uint32_t type_of(uint32_t mode)
{
	for (uint32_t i = 0; i < NTYPES; i++)
		if ((mode & S_IFMT) == types[i])
			return i;
	return 0;
}

void unix_put_basic(struct wr *w, const struct fs_stat *st)
{
	wr_u64(w, st->size);
	wr_u64(w, st->disk);
	wr_u64(w, st->change);
	wr_u64(w, st->access);
	wr_u64(w, st->write);
	wr_u64(w, st->uid);
	wr_u64(w, st->gid);
	wr_u32(w, type_of(st->mode));
	wr_u64(w, major(st->rdev));
	wr_u64(w, minor(st->rdev));
	wr_u64(w, info_file_id(st));
	wr_u64(w, st->mode & 07777);
	wr_u64(w, st->nlink);
}

void unix_put_info2(struct wr *w, const struct fs_stat *st)
{
	unix_put_basic(w, st);
	wr_u64(w, st->create);
	wr_u32(w, st->attrs & FS_ATTR_HIDDEN ? UNIX_HIDDEN : 0);
	wr_u32(w, UNIX_HIDDEN);
}

static nttime_t get_time(struct rd *d)
{
	nttime_t t = rd_u64(d);

	return t >= UINT64_MAX - 1 ? 0 : t;
}

/* "Keep" is all ones, in 64 bits or in 32. */
static uint32_t get_id(struct rd *d, bool *bad)
{
	uint64_t v = rd_u64(d);

	if (v == UINT64_MAX)
		return UNIX_KEEP_ID;
	*bad |= v > UINT32_MAX;
	return (uint32_t)v;
}

status_t unix_get_want(struct rd *d, bool info2, struct unix_want *out)
{
	uint64_t maj, min;
	uint32_t type;
	bool bad = false;

	*out = (struct unix_want){ .size = rd_u64(d) };
	rd_skip(d, 8 + 8);
	out->access = get_time(d);
	out->write = get_time(d);
	out->uid = get_id(d, &bad);
	out->gid = get_id(d, &bad);
	type = rd_u32(d);
	maj = rd_u64(d);
	min = rd_u64(d);
	rd_skip(d, 8);
	out->mode = get_id(d, &bad);
	rd_skip(d, 8);
	if (info2) {
		out->create = get_time(d);
		out->flags = rd_u32(d);
		out->flags_mask = rd_u32(d);
	}
	if (type > 2 && type < NTYPES)
		out->node = types[type];
	out->rdev = makedev((unsigned)maj, (unsigned)min);
	return rd_ok(d) && !bad ? ST_OK : ST_INVALID_PARAMETER;
}

/* ---- access lists ---- */

static void put_entries(struct wr *w, const struct unix_acl *a)
{
	for (size_t i = 0; i < a->n; i++) {
		wr_u8(w, a->list[i].tag);
		wr_u8(w, a->list[i].perm);
		wr_u64(w, a->list[i].id == UINT32_MAX ? UINT64_MAX : a->list[i].id);
	}
}

void unix_put_acl(struct wr *w, const struct unix_acl *acl, const struct unix_acl *dflt)
{
	wr_u16(w, ACL_VERSION);
	wr_u16(w, (uint16_t)acl->n);
	wr_u16(w, (uint16_t)dflt->n);
	put_entries(w, acl);
	put_entries(w, dflt);
}

static status_t get_entries(TALLOC_CTX *mem, struct rd *d, uint16_t n, struct unix_acl *a)
{
	*a = (struct unix_acl){ .keep = n == ACL_KEEP };
	if (a->keep || n == 0)
		return ST_OK;
	if (rd_left(d) < n * 10u)
		return ST_INVALID_PARAMETER;
	a->list = talloc_array(mem, struct fs_acl_entry, n);
	if (!a->list)
		return ST_NO_MEMORY;
	for (; a->n < n; a->n++) {
		struct fs_acl_entry *e = &a->list[a->n];
		uint64_t id;

		e->tag = rd_u8(d);
		e->perm = rd_u8(d);
		id = rd_u64(d);
		e->id = e->tag == FS_ACL_USER || e->tag == FS_ACL_GROUP ? (uint32_t)id : UINT32_MAX;
		if (e->tag == 0 || e->tag > FS_ACL_OTHER || (e->tag & (e->tag - 1)) || e->perm > 7 ||
		    (e->id != UINT32_MAX && id > UINT32_MAX))
			return ST_INVALID_PARAMETER;
	}
	return ST_OK;
}

status_t unix_get_acl(TALLOC_CTX *mem, struct rd *d, struct unix_acl *acl, struct unix_acl *dflt)
{
	uint16_t version = rd_u16(d), n = rd_u16(d), ndflt = rd_u16(d);
	status_t st;

	if (!rd_ok(d) || version != ACL_VERSION)
		return ST_INVALID_PARAMETER;
	st = get_entries(mem, d, n, acl);
	return st == ST_OK ? get_entries(mem, d, ndflt, dflt) : st;
}
