/* unix.c - what only Unix has: symbolic links, FIFOs, sockets, devices, owners, POSIX access lists.
 *
 * As in name_ops.c everything is done by the folder's descriptor and one plain name.  A POSIX access list is kept
 * by the kernel in system.posix_acl_access (of new things in a folder: ..._default):
 *   version 2 u32, then { tag u16, perm u16, id u32 } each, in the order of tags and ids; little endian. */
#include "fs/inner.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#define ACL_VERSION 2u
#define ACL_ENTRY 8u
#define ACL_ROOM 8192u /* more than any file system takes */
#define ACL_MOST ((ACL_ROOM - 4) / ACL_ENTRY)
#define NO_ID 0xffffffffu

/* ---- made ---- */

static status_t may_make(struct fs_node *n)
{
	if (n->stream || n->path[0] == '\0')
		return ST_INVALID_PARAMETER;
	if (n->exists)
		return ST_OBJECT_NAME_COLLISION;
	return n->vetoed || !ntacl_may_add(n, false) ? ST_ACCESS_DENIED : ST_OK;
}

/* It is there: what it is like. */
static int look(struct fs_node *n, const struct fs_place *place)
{
	struct fs_ref f = { .fd = place->dir, .name = place->last, .share = n->share, .path = n->path };
	int err = stat_ref(n->share, &f, n->name, STAT_NO_RECORD, &n->st);

	n->exists = err == 0;
	if (err == 0)
		fs_changed(n, FS_ADDED, FS_WHAT_FILE_NAME);
	return err;
}

status_t fs_symlink(struct fs_node *node, const char *target)
{
	status_t st = may_make(node);
	struct fs_place place;
	const char *disk;
	int err;

	share_scratch_reset(node->share);
	if (st != ST_OK)
		return st;
	disk = share_disk(node->share, target);
	if (!disk)
		return ST_NO_MEMORY;
	err = place_open(node->share, node->path, &place);
	if (err < 0)
		return fs_status(FS_ON_THE_WAY, err);
	err = symlinkat(disk, place.dir, place.last) < 0 ? -errno : look(node, &place);
	place_close(&place);
	return fs_status(FS_LAST, err);
}

status_t fs_mknod(struct fs_node *node, uint32_t mode, uint64_t rdev)
{
	status_t st = may_make(node);
	struct fs_place place;
	int err;

	share_scratch_reset(node->share);
	if (st != ST_OK)
		return st;
	if (!S_ISFIFO(mode) && !S_ISSOCK(mode) && !S_ISCHR(mode) && !S_ISBLK(mode))
		return ST_INVALID_PARAMETER;
	err = place_open(node->share, node->path, &place);
	if (err < 0)
		return fs_status(FS_ON_THE_WAY, err);
	err = mknodat(place.dir, place.last, mode, rdev) < 0 ? -errno : look(node, &place);
	place_close(&place);
	return fs_status(FS_LAST, err);
}

/* ---- read, changed ---- */

status_t fs_readlink(struct fs_node *node, TALLOC_CTX *mem, char **target)
{
	char text[PATH_MAX];
	struct fs_place place;
	ssize_t n;
	int err;

	share_scratch_reset(node->share);
	if (!node->exists)
		return ST_OBJECT_NAME_NOT_FOUND;
	if (!S_ISLNK(node->st.mode))
		return ST_INVALID_PARAMETER;
	err = place_open(node->share, node->path, &place);
	if (err < 0)
		return fs_status(FS_ON_THE_WAY, err);
	n = readlinkat(place.dir, place.last, text, sizeof(text) - 1);
	err = n < 0 ? -errno : 0;
	place_close(&place);
	if (err < 0)
		return fs_status(FS_LAST, err);
	text[n] = '\0';
	*target = talloc_strdup(mem, share_utf8(node->share, text));
	return *target ? ST_OK : ST_NO_MEMORY;
}

status_t fs_chown(struct fs_node *node, int fd, uint32_t uid, uint32_t gid)
{
	struct fs_ref f;
	int err;

	share_scratch_reset(node->share);
	err = node_ref(node, fd, &f);
	if (err == 0 && fchownat(f.fd, f.name ? f.name : "", uid, gid, f.name ? AT_SYMLINK_NOFOLLOW : AT_EMPTY_PATH) < 0)
		err = -errno;
	node_unref(fd, &f);
	if (err < 0)
		return fs_status(FS_LAST, err);
	if (uid != NO_ID)
		node->st.uid = uid;
	if (gid != NO_ID)
		node->st.gid = gid;
	fs_changed(node, FS_MODIFIED, FS_WHAT_SECURITY);
	return ST_OK;
}

/* ---- access lists ---- */

bool fs_acl_pack(struct wr *w, const struct fs_acl_entry *list, size_t n)
{
	wr_u32(w, ACL_VERSION);
	for (size_t i = 0; i < n; i++) {
		wr_u16(w, list[i].tag);
		wr_u16(w, list[i].perm & 7);
		wr_u32(w, list[i].id);
	}
	return wr_ok(w);
}

static bool known_tag(uint16_t tag)
{
	return tag != 0 && tag <= FS_ACL_OTHER && (tag & (tag - 1)) == 0;
}

bool fs_acl_unpack(TALLOC_CTX *mem, struct rd *r, struct fs_acl_entry **list, size_t *n)
{
	uint32_t version = rd_u32(r), count = rd_left(r) / ACL_ENTRY;
	struct fs_acl_entry *e;

	*n = 0;
	*list = e = talloc_array(mem, struct fs_acl_entry, count);
	if (!e || version != ACL_VERSION || rd_left(r) % ACL_ENTRY != 0)
		return false;
	for (; *n < count; (*n)++, e++) {
		uint16_t tag = rd_u16(r), perm = rd_u16(r);

		if (!known_tag(tag) || perm > 7)
			return false;
		*e = (struct fs_acl_entry){ .tag = (uint8_t)tag, .perm = (uint8_t)perm, .id = rd_u32(r) };
	}
	return rd_ok(r);
}

static const char *attr_of(bool dflt) { return dflt ? "system.posix_acl_default" : "system.posix_acl_access"; }

static status_t from_mode(uint32_t mode, TALLOC_CTX *mem, struct fs_acl_entry **list, size_t *n)
{
	struct fs_acl_entry *e = talloc_array(mem, struct fs_acl_entry, 3);

	if (!e)
		return ST_NO_MEMORY;
	e[0] = (struct fs_acl_entry){ FS_ACL_OWNER, mode >> 6 & 7, NO_ID };
	e[1] = (struct fs_acl_entry){ FS_ACL_OWNING_GROUP, mode >> 3 & 7, NO_ID };
	e[2] = (struct fs_acl_entry){ FS_ACL_OTHER, mode & 7, NO_ID };
	*list = e;
	*n = 3;
	return ST_OK;
}

status_t fs_acl_get(struct fs_node *node, int fd, bool dflt, TALLOC_CTX *mem, struct fs_acl_entry **list, size_t *n)
{
	uint8_t buf[ACL_ROOM];
	struct fs_ref f;
	struct rd r;
	ssize_t got = 0;
	int err;

	*list = NULL;
	*n = 0;
	share_scratch_reset(node->share);
	if (S_ISLNK(node->st.mode))
		return ST_NOT_SUPPORTED;
	err = node_ref(node, fd, &f);
	if (err == 0)
		got = xattr_get(&f, attr_of(dflt), buf, sizeof(buf));
	node_unref(fd, &f);
	if (err == 0 && got < 0 && got != -ENODATA && got != -EOPNOTSUPP)
		err = (int)got;
	if (err < 0)
		return fs_status(FS_LAST, err);
	if (got <= 0)
		return dflt ? ST_OK : from_mode(node->st.mode, mem, list, n);
	r = rd_over(buf, (size_t)got);
	return fs_acl_unpack(mem, &r, list, n) ? ST_OK : ST_INTERNAL_ERROR;
}

status_t fs_acl_set(struct fs_node *node, int fd, bool dflt, const struct fs_acl_entry *list, size_t n)
{
	uint8_t buf[ACL_ROOM];
	struct wr w = wr_over(buf, sizeof(buf));
	struct fs_ref f;
	int err;

	share_scratch_reset(node->share);
	if (S_ISLNK(node->st.mode) || (dflt && !fs_is_dir(&node->st)))
		return n == 0 ? ST_OK : ST_ACCESS_DENIED;
	if (n > ACL_MOST || !fs_acl_pack(&w, list, n))
		return ST_INVALID_PARAMETER;
	err = node_ref(node, fd, &f);
	if (err == 0)
		err = n > 0 ? xattr_set(&f, attr_of(dflt), buf, wr_tell(&w)) : xattr_remove(&f, attr_of(dflt));
	node_unref(fd, &f);
	if (n == 0 && (err == -ENODATA || err == -EOPNOTSUPP))
		err = 0;
	if (err == 0)
		fs_changed(node, FS_MODIFIED, FS_WHAT_SECURITY);
	return fs_status(FS_LAST, err);
}
