/* ntacl.c - security descriptors of files: where they lie, and what they do to the mode.
 *
 *   user.smb1d.ntacl    0 version 1   1..3 zero   4 hash of mode, owner, group and POSIX ACL   12 descriptor
 *
 * The kernel goes by mode and POSIX ACL, which are made to mean the same as far as they can; the stored form is
 * what clients read back, and it is asked at each open besides the kernel.  A local program that changes owner,
 * mode or ACL makes the hash wrong, and the stored form is forgotten.  It needs the attribute record (attr.c):
 * without `store dos attributes` only the mode is left of a descriptor. */
#include "fs/inner.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define XATTR_SD "user.smb1d.ntacl"
#define XATTR_ACL "system.posix_acl_access"
#define VERSION 1u
#define HEAD 12u
#define ACL_ENTRY 8u
#define ACL_ROOM (4 + ACL_ENTRY * 80u)
#define ADD_FILE 0x2u
#define ADD_FOLDER 0x4u
#define NO_ID 0xffffffffu

enum { TAG_OWNER = 1, TAG_USER = 2, TAG_OWNING_GROUP = 4, TAG_GROUP = 8, TAG_MASK = 0x10, TAG_OTHER = 0x20 };

/* ---- the POSIX list ---- */

static void put_entry(struct wr *w, unsigned tag, uint32_t rwx, uint32_t id)
{
	wr_u16(w, (uint16_t)tag);
	wr_u16(w, (uint16_t)(rwx & 7));
	wr_u32(w, id);
}

static void put_named(struct wr *w, const struct sd_unix *u, bool group)
{
	for (size_t i = 0; i < u->n; i++)
		if (u->others[i].group == group)
			put_entry(w, group ? TAG_GROUP : TAG_USER, u->others[i].rwx, u->others[i].id);
}

static int set_posix(const struct fs_ref *f, const struct sd_unix *u)
{
	uint8_t buf[ACL_ROOM];
	struct wr w = wr_over(buf, sizeof(buf));
	uint32_t mask = u->mode >> 3 & 7;

	if (u->n == 0) {
		int err = xattr_remove(f, XATTR_ACL);

		return err == -ENODATA || err == -EOPNOTSUPP ? 0 : err;
	}
	for (size_t i = 0; i < u->n; i++)
		mask |= u->others[i].rwx;
	wr_u32(&w, 2);
	put_entry(&w, TAG_OWNER, u->mode >> 6, NO_ID);
	put_named(&w, u, false);
	put_entry(&w, TAG_OWNING_GROUP, u->mode >> 3, NO_ID);
	put_named(&w, u, true);
	put_entry(&w, TAG_MASK, mask, NO_ID);
	put_entry(&w, TAG_OTHER, u->mode, NO_ID);
	return wr_ok(&w) ? xattr_set(f, XATTR_ACL, buf, wr_tell(&w)) : -E2BIG;
}

static bool take_entry(TALLOC_CTX *mem, struct rd *r, struct sd_unix *u, uint32_t *mask)
{
	struct sd_unix_entry *more;
	uint16_t tag = rd_u16(r), rwx = rd_u16(r);
	uint32_t id = rd_u32(r);

	if (tag == TAG_OWNING_GROUP)
		u->mode = (u->mode & ~070u) | (rwx & 7u) << 3;
	if (tag == TAG_MASK)
		*mask = rwx & 7u;
	if (tag != TAG_USER && tag != TAG_GROUP)
		return true;
	more = talloc_realloc(mem, u->others, struct sd_unix_entry, (unsigned)u->n + 1);
	if (!more)
		return false;
	u->others = more;
	more[u->n++] = (struct sd_unix_entry){ tag == TAG_GROUP, id, (uint8_t)(rwx & 7) };
	return true;
}

/* Mode and named entries as they are on disk. */
static bool get_posix(const struct fs_ref *f, const struct fs_stat *st, TALLOC_CTX *mem, struct sd_unix *u)
{
	uint8_t buf[ACL_ROOM];
	ssize_t n = xattr_get(f, XATTR_ACL, buf, sizeof(buf));
	struct rd r = rd_over(buf, n > 0 ? (size_t)n : 0);
	uint32_t mask = 7;
	bool ok = true;

	*u = (struct sd_unix){ .mode = st->mode & 0777, .full = f->share->p->acl_map_full_control };
	if (n <= 0 || rd_u32(&r) != 2)
		return true;
	while (ok && rd_left(&r) >= ACL_ENTRY)
		ok = take_entry(mem, &r, u, &mask);
	u->mode &= ~070u | mask << 3;
	for (size_t i = 0; i < u->n; i++)
		u->others[i].rwx &= (uint8_t)mask;
	return ok;
}

/* ---- the stored form ---- */

static uint64_t mix(uint64_t h, const void *p, size_t n)
{
	const uint8_t *b = p;

	for (size_t i = 0; i < n; i++)
		h = (h ^ b[i]) * 0x100000001b3ull;
	return h;
}

/* Of all that a local program could have changed. */
static uint64_t hash_of(const struct fs_ref *f, const struct fs_stat *st)
{
	uint32_t ids[3] = { st->mode & 07777, st->uid, st->gid };
	uint8_t buf[ACL_ROOM];
	ssize_t n = xattr_get(f, XATTR_ACL, buf, sizeof(buf));
	uint64_t h = mix(0xcbf29ce484222325ull, ids, sizeof(ids));

	return n > 0 ? mix(h, buf, (size_t)n) : h;
}

bool ntacl_load(const struct fs_ref *f, const struct fs_stat *st, TALLOC_CTX *mem, struct sd *out)
{
	uint8_t *buf = talloc_size(mem, HEAD + SD_MAX);
	ssize_t n = buf ? xattr_get(f, XATTR_SD, buf, HEAD + SD_MAX) : -ENOMEM;
	struct rd r = rd_over(buf, n > 0 ? (size_t)n : 0);
	uint8_t version = rd_u8(&r);
	uint64_t hash;

	rd_skip(&r, 3);
	hash = rd_u64(&r);
	if (!rd_ok(&r) || version != VERSION || hash != hash_of(f, st) || !sd_parse(&r, out)) {
		talloc_free(buf);
		return false;
	}
	return true;
}

bool ntacl_load_parent(struct fs_node *n, TALLOC_CTX *mem, struct sd *out)
{
	struct fs_place place;
	struct fs_ref f = { .share = n->share };
	struct fs_stat st = { .attrs = 0 };
	bool ok;

	if (n->name[0] == '\0' || place_open(n->share, n->path, &place) < 0)
		return false;
	f.fd = place.dir;
	ok = stat_ref(n->share, &f, "", 0, &st) == 0 && st.has_sd && ntacl_load(&f, &st, mem, out);
	place_close(&place);
	return ok;
}

static int put(const struct fs_ref *f, const struct fs_stat *st, const struct wr *w)
{
	int err = wr_ok(w) ? xattr_set(f, XATTR_SD, w->msg, wr_tell(w)) : -ENOMEM;

	return err == 0 ? attr_store_sd(f, true, attr_unset(st->mode)) : err;
}

/* A list that takes the right to write from the owner could not be stored any more: the bit is lent. */
static int save(const struct fs_ref *f, const struct fs_stat *st, TALLOC_CTX *mem, const struct sd *sd)
{
	const uint32_t all = SD_OWNER | SD_GROUP | SD_DACL | SD_SACL;
	size_t room = HEAD + sd_size(sd, all);
	uint8_t *buf = talloc_size(mem, room);
	struct wr w = wr_over(buf, buf ? room : 0);
	int err;

	wr_u8(&w, VERSION);
	wr_zero(&w, 3);
	wr_u64(&w, hash_of(f, st));
	sd_put(&w, sd, all);
	err = put(f, st, &w);
	if (err == -EACCES && st->uid == geteuid() && chmod_ref(f, (st->mode & 07777) | S_IWUSR) == 0) {
		err = put(f, st, &w);
		chmod_ref(f, st->mode & 07777);
	}
	talloc_free(buf);
	return err;
}

/* ---- applying ---- */

/* Who is no owner, but may write, and may change permissions all the same. */
static bool writers_may(const struct fs_share *s, const struct fs_stat *st)
{
	return s->p->dos_filemode || (s->p->acl_group_control && ident_has_group(st->gid));
}

/* Mode and POSIX list first, then the stored form with their hash. */
static int apply(struct fs_share *s, const struct fs_ref *f, struct fs_stat *st, const struct sd *sd)
{
	struct sd_unix u;
	struct fs_stat now = { .attrs = 0 };
	int err;

	if (!sd_to_unix(share_scratch(s), sd, st->uid, st->gid, &u))
		return -ENOMEM;
	err = set_posix(f, &u);
	if (err == -EOPNOTSUPP) {
		u.n = 0;
		err = 0;
	}
	if (err == 0 && u.n == 0 && (st->mode & 0777) != u.mode)
		err = chmod_ruled(f, st, (st->mode & 07000) | u.mode, writers_may(s, st));
	if (err == 0)
		err = stat_ref(s, f, "", STAT_NO_ATTRS, &now);
	if (err < 0)
		return err;
	st->mode = now.mode;
	st->change = now.change;
	st->has_sd = s->store;
	return s->store ? save(f, st, share_scratch(s), sd) : 0;
}

bool ntacl_may_add(struct fs_node *n, bool dir)
{
	struct sd parent;

	if (!n->parent_sd || ident_admin() || !ntacl_load_parent(n, share_scratch(n->share), &parent) ||
	    (ident_granted(&parent) & (dir ? ADD_FOLDER : ADD_FILE)))
		return true;
	fs_refused.lists++;
	return false;
}

int ntacl_new(struct fs_node *n, const struct fs_ref *f, bool dir, bool *did)
{
	struct fs_share *s = n->share;
	struct fs_stat st = { .attrs = 0 };
	struct sid owner, group;
	struct sd parent, sd;
	bool have;
	int err;

	*did = false;
	if (!s->p->nt_acl_support || (!n->new_sd && !n->parent_sd))
		return 0;
	have = n->parent_sd && ntacl_load_parent(n, share_scratch(s), &parent);
	err = stat_ref(s, f, "", STAT_NO_ATTRS, &st);
	if (err < 0)
		return err;
	owner = sid_of_uid(st.uid);
	group = sid_of_gid(st.gid);
	if (!sd_inherit(share_scratch(s), have ? &parent : NULL, n->new_sd, dir, &owner, &group, &sd))
		return 0;
	*did = true;
	err = apply(s, f, &st, &sd);
	return n->new_sd ? err : 0; /* what could not be inherited is no reason to refuse the file */
}

/* ---- for clients ---- */

static int current(struct fs_node *n, const struct fs_ref *f, TALLOC_CTX *mem, struct sd *out)
{
	struct sd_unix u;
	int err = stat_ref(n->share, f, n->name, 0, &n->st);

	if (err < 0)
		return err;
	if (n->st.has_sd && ntacl_load(f, &n->st, mem, out))
		return 0;
	if (!get_posix(f, &n->st, mem, &u) ||
	    !sd_from_unix(mem, &u, n->st.uid, n->st.gid, fs_is_dir(&n->st), out))
		return -ENOMEM;
	return 0;
}

status_t fs_sd_get(struct fs_node *node, TALLOC_CTX *mem, struct sd *out)
{
	struct fs_node file = *node; /* a stream has that of its file */
	struct fs_ref f;
	int err;

	share_scratch_reset(node->share);
	if (!node->exists)
		return ST_OBJECT_NAME_NOT_FOUND;
	file.stream = NULL;
	err = node_ref(&file, -1, &f);
	if (err == 0)
		err = current(&file, &f, mem, out);
	node_unref(-1, &f);
	return fs_status(FS_LAST, err);
}

static int change_owner(const struct fs_ref *f, struct fs_stat *st, uid_t uid, gid_t gid)
{
	int err = fchownat(f->fd, f->name ? f->name : "", uid, gid, f->name ? AT_SYMLINK_NOFOLLOW : AT_EMPTY_PATH);

	if (err < 0)
		return -errno;
	st->uid = uid;
	st->gid = gid;
	return 0;
}

/* Owners give nothing away: only to oneself, and only groups one is in; administrators as they like. */
static status_t take_owner(const struct fs_ref *f, struct fs_stat *st, const struct sd *sd, uint32_t parts)
{
	uint32_t uid = st->uid, gid = st->gid;

	if ((parts & SD_OWNER) && (!sd->has_owner || !sid_is_uid(&sd->owner, &uid)))
		return ST_INVALID_OWNER;
	if ((parts & SD_GROUP) && (!sd->has_group || !sid_is_gid(&sd->group, &gid)))
		return ST_INVALID_PRIMARY_GROUP;
	if (uid == st->uid && gid == st->gid)
		return ST_OK;
	if (!ident_admin() && ((uid != st->uid && uid != geteuid()) || (gid != st->gid && !ident_has_group(gid))))
		return uid != st->uid ? ST_INVALID_OWNER : ST_INVALID_PRIMARY_GROUP;
	return fs_status(FS_LAST, change_owner(f, st, uid, gid));
}

/* "Inherited" stays only if the client asks for it in so many words. */
static uint16_t list_control(uint16_t c, uint16_t keep, uint16_t asked, uint16_t inherited)
{
	return (uint16_t)(c & keep & ~((c & asked) ? 0u : inherited));
}

static void merge(struct sd *to, const struct sd *sd, uint32_t parts)
{
	if (parts & SD_OWNER)
		to->owner = sd->owner;
	if (parts & SD_GROUP)
		to->group = sd->group;
	if (parts & SD_DACL) {
		to->dacl = sd->dacl;
		to->control &= (uint16_t)~0x150cu;
		to->control |= list_control(sd->control, 0x140c, SDC_DACL_INHERIT_REQ, SDC_DACL_INHERITED);
		to->control |= SDC_DACL_PRESENT | (sd->control & SDC_DACL_PROTECTED);
	}
	if (parts & SD_SACL) {
		to->sacl = sd->sacl;
		to->control &= (uint16_t)~0x2a30u;
		to->control |= list_control(sd->control, 0x2830, SDC_SACL_INHERIT_REQ, SDC_SACL_INHERITED);
		to->control |= SDC_SACL_PRESENT;
	}
}

status_t fs_sd_set(struct fs_node *node, const struct sd *sd, uint32_t parts)
{
	struct fs_node file = *node;
	struct fs_share *s = node->share;
	struct fs_ref f;
	struct sd all;
	status_t st;

	share_scratch_reset(s);
	if (!node->exists)
		return ST_OBJECT_NAME_NOT_FOUND;
	file.stream = NULL;
	st = fs_status(FS_LAST, node_ref(&file, -1, &f));
	if (st == ST_OK)
		st = fs_status(FS_LAST, current(&file, &f, share_scratch(s), &all));
	if (st == ST_OK)
		st = take_owner(&f, &file.st, sd, parts);
	if (st == ST_OK) {
		merge(&all, sd, parts);
		st = acl_map_generic(share_scratch(s), &all.dacl) ? ST_OK : ST_NO_MEMORY;
	}
	if (st == ST_OK)
		st = fs_status(FS_LAST, apply(s, &f, &file.st, &all));
	node_unref(-1, &f);
	if (st == ST_OK) {
		if (!node->stream)
			node->st = file.st;
		fs_changed(node, FS_MODIFIED, FS_WHAT_ATTRS | FS_WHAT_SECURITY);
	}
	return st;
}
