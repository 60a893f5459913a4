/* stat.c - what is known of a file: one statx, and one look at its attribute record where the rules want it.
 *
 * Creation time: the one a client has set, else the birth time of the file system, else the oldest time the
 * file has.  Sizes of folders are 0, as clients expect. */
#include "fs/inner.h"
#include "fs/stream.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define STAT_WANT (STATX_BASIC_STATS | STATX_BTIME)
#define EVEN_SECONDS 20000000ull
#define FAKE_CREATE 119600064000000000ull /* 1980-01-01 */

static nttime_t to_nt(const struct statx_timestamp *t)
{
	return nttime_from_unix(t->tv_sec, t->tv_nsec);
}

/* The block that an extended attribute takes is not the file's own. */
uint64_t stat_alloc(const struct fs_share *s, uint64_t size, uint64_t bytes)
{
	uint64_t unit = (uint64_t)s->p->allocation_roundup_size;

	if (size == 0)
		return 0;
	if ((unit & (unit - 1)) == 0) /* a division for each file of a listing is dear */
		return unit > 1 ? (bytes + unit - 1) & ~(unit - 1) : bytes;
	return bytes % unit ? bytes + unit - bytes % unit : bytes;
}

static void convert(const struct fs_share *s, const struct statx *x, struct fs_stat *st)
{
	bool dir = S_ISDIR(x->stx_mode);

	/* every field, one by one: each entry of a listing comes through here */
	st->dev = makedev(x->stx_dev_major, x->stx_dev_minor);
	st->ino = x->stx_ino;
	st->mode = x->stx_mode;
	st->nlink = x->stx_nlink;
	st->uid = x->stx_uid;
	st->gid = x->stx_gid;
	st->rdev = makedev(x->stx_rdev_major, x->stx_rdev_minor);
	st->size = dir ? 0 : x->stx_size;
	st->disk = x->stx_blocks * 512;
	st->alloc = dir ? 0 : stat_alloc(s, x->stx_size, st->disk);
	st->attrs = 0;
	st->has_sd = false;
	st->flags = (uint32_t)(x->stx_attributes & (STATX_ATTR_COMPRESSED | STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND |
						    STATX_ATTR_NODUMP));
	st->access = to_nt(&x->stx_atime);
	st->write = to_nt(&x->stx_mtime);
	st->change = to_nt(&x->stx_ctime);
	st->born = x->stx_mask & STATX_BTIME ? to_nt(&x->stx_btime) : 0;
	st->create = st->born ? st->born : min_u64(st->write, min_u64(st->change, st->access));
	if (s->p->dos_filetime_resolution)
		st->write -= st->write % EVEN_SECONDS;
}

bool may_access(const struct fs_ref *f, const struct fs_stat *st, int want)
{
	unsigned flags = AT_EACCESS | (f->name ? AT_SYMLINK_NOFOLLOW : AT_EMPTY_PATH);
	uint32_t bits;

	if (syscall(SYS_faccessat2, f->fd, f->name ? f->name : "", want, flags) == 0)
		return true;
	if (errno != ENOSYS && errno != EINVAL)
		return false;
	/* before Linux 5.8: the mode alone */
	if (st->uid == geteuid())
		bits = st->mode >> 6;
	else
		bits = st->gid == getegid() ? st->mode >> 3 : st->mode;
	return (bits & (uint32_t)want) == (uint32_t)want;
}

static uint32_t attributes(struct fs_share *s, const struct fs_ref *f, unsigned how, struct fs_stat *st)
{
	struct fs_stored rec = { 0 };
	uint32_t attrs = 0;
	bool has_records = S_ISREG(st->mode) || S_ISDIR(st->mode);

	if (s->store && has_records) {
		if (!(how & STAT_NO_RECORD))
			attr_load(f, &rec);
		if (rec.create)
			attr_load_times(f, st);
		st->has_sd = rec.sd;
		attrs = rec.known ? rec.attrs : attr_unset(st->mode);
	} else {
		attrs = attr_from_mode(s->p, st->mode);
	}
	if (!rec.known && s->store)
		attrs |= attr_from_mode(s->p, st->mode) & FS_ATTR_READONLY;
	if (!rec.known && S_ISREG(st->mode) && s->p->map_readonly == CONF_MAP_READONLY_PERMISSIONS &&
	    !may_access(f, st, W_OK))
		attrs |= FS_ATTR_READONLY;
	return attrs;
}

uint32_t stat_name_attrs(const struct fs_share *s, const char *shown)
{
	if (dirent_is_dots(shown))
		return 0;
	return (s->p->hide_dot_files && shown[0] == '.') || share_hides(s, shown) ? FS_ATTR_HIDDEN : 0;
}

int stat_ref(struct fs_share *s, const struct fs_ref *f, const char *shown, unsigned how, struct fs_stat *st)
{
	int flags = AT_NO_AUTOMOUNT | (f->name ? AT_SYMLINK_NOFOLLOW : AT_EMPTY_PATH);
	struct statx x;

	if (statx(f->fd, f->name ? f->name : "", flags, STAT_WANT, &x) < 0)
		return -errno;
	convert(s, &x, st);
	if (!(how & STAT_NO_ATTRS))
		st->attrs = attributes(s, f, how, st);
	if (S_ISDIR(st->mode)) {
		st->attrs |= FS_ATTR_DIRECTORY;
		if (s->p->fake_directory_create_times)
			st->create = FAKE_CREATE;
	}
	st->attrs |= stat_name_attrs(s, shown);
	return 0;
}

int stat_target(struct fs_share *s, const char *path, const char *shown, unsigned how, struct fs_stat *st)
{
	int fd = beneath_open(s, path, O_PATH, 0), err;
	struct fs_ref f = { .fd = fd, .share = s, .path = path };

	if (fd < 0)
		return fd;
	err = stat_ref(s, &f, shown, how, st);
	close(fd);
	return err;
}

/* The folder's descriptor and one plain name cannot lead anywhere else, so the name needs no open. */
int stat_node(struct fs_node *n, int dir, unsigned how)
{
	struct fs_ref f = { .fd = dir, .name = *n->name ? share_disk(n->share, n->name) : NULL };
	struct fs_stat target;
	int err;

	n->through_link = false;
	if (*n->name && !f.name)
		return -ENOMEM;
	err = stat_ref(n->share, &f, n->name, how, &n->st);
	if (err < 0 || !S_ISLNK(n->st.mode) || (n->flags & FS_LOOKUP_POSIX))
		return err;
	err = stat_target(n->share, n->path, n->name, how, &target);
	if (err == -EMFILE || err == -ENFILE || err == -ENOMEM)
		return err;
	if (err == 0) {
		n->st = target; /* otherwise the link stands for itself */
		n->through_link = true;
	}
	return 0;
}

status_t fs_fstat(struct fs_share *share, int fd, const char *name, struct fs_stat *st)
{
	struct fs_ref f = { .fd = fd };

	return fs_status(FS_DATA, stat_ref(share, &f, name, 0, st));
}

status_t fs_node_fstat(struct fs_node *node, int fd, struct fs_stat *st)
{
	if (node->stream)
		return fs_status(FS_DATA, stream_fstat(node, fd, st));
	return fs_fstat(node->share, fd, node->name, st);
}

status_t fs_refresh(struct fs_node *node)
{
	struct fs_place place;
	int err;

	share_scratch_reset(node->share);
	if (node->vetoed)
		return ST_OK;
	err = place_open(node->share, node->path, &place);
	if (err == 0) {
		err = stat_node(node, place.dir, 0);
		place_close(&place);
	}
	node->exists = err == 0;
	if (node->exists)
		node->flags &= ~FS_LOOKUP_NO_STAT;
	if (err == -ENOENT || err == -ENOTDIR)
		err = 0;
	if (err == 0 && node->stream)
		err = stream_stat(node);
	return fs_status(FS_LAST, err);
}

/* MS-DTYP access bits. */
#define MAY_READ 0x00120089u
#define MAY_WRITE 0x00000116u
#define MAY_RUN 0x000000a0u
#define MAY_DELETE 0x00010000u
#define MAY_DELETE_CHILD 0x00000040u
#define MAY_OWN 0x000c0000u
#define MAY_CHMOD 0x00040000u
#define MAY_READ_DATA 0x1u
#define MAY_SEE 0x80u /* attributes: by seeing the name in the folder */
#define MAY_WRITE_DATA 0x2u
#define MAY_APPEND 0x4u
#define MAY_ALL 0x001f01ffu
#define MAY_ALWAYS 0x00120080u /* attributes, READ_CONTROL, SYNCHRONIZE */

static bool may_delete(struct fs_node *node)
{
	struct fs_place place;
	struct fs_stat dir = { 0 };
	struct fs_ref f = { 0 };
	bool may = false;

	if (node->name[0] == '\0' || place_open(node->share, node->path, &place) < 0)
		return false;
	f.fd = place.dir;
	if (stat_ref(node->share, &f, "", STAT_NO_ATTRS, &dir) == 0 && may_access(&f, &dir, W_OK | X_OK))
		may = !(dir.mode & S_ISVTX) || dir.uid == geteuid() || node->st.uid == geteuid();
	place_close(&place);
	return may;
}

/* What the stored descriptor grants, as far as the kernel will go along. */
static uint32_t listed(struct fs_node *node, const struct sd *sd, uint32_t kernel)
{
	uint32_t mask = ident_admin() ? MAY_ALL : ident_granted(sd) | MAY_SEE;
	struct sd parent;

	if (!(kernel & MAY_READ_DATA))
		mask &= ~MAY_READ_DATA;
	if (!(kernel & MAY_WRITE_DATA))
		mask &= ~(MAY_WRITE_DATA | MAY_APPEND);
	/* who may delete from the folder need not ask the file */
	if (!(mask & MAY_DELETE) && (!ntacl_load_parent(node, share_scratch(node->share), &parent) ||
				     (ident_granted(&parent) & MAY_DELETE_CHILD)))
		mask |= MAY_DELETE;
	if (!(kernel & MAY_DELETE))
		mask &= ~MAY_DELETE;
	return mask;
}

static uint32_t kernel_mask(struct fs_node *node, const struct fs_ref *f)
{
	const struct conf_params *p = node->share->p;
	const struct fs_stat *st = &node->st;
	bool dir = fs_is_dir(st), fixed = !dir && (st->attrs & FS_ATTR_READONLY);
	uint32_t mask = MAY_ALWAYS;

	if (may_access(f, st, R_OK))
		mask |= MAY_READ | (p->acl_allow_execute_always ? MAY_RUN : 0);
	if (may_access(f, st, W_OK))
		mask |= fixed ? 0x100u : MAY_WRITE | (dir ? MAY_DELETE_CHILD : 0);
	if (may_access(f, st, X_OK))
		mask |= MAY_RUN;
	if (st->uid == geteuid())
		mask |= MAY_OWN | MAY_RUN | 0x100u;
	else if ((p->dos_filemode || (p->acl_group_control && ident_has_group(st->gid))) && may_access(f, st, W_OK))
		mask |= MAY_CHMOD;
	/* a read-only file may be opened for deletion: it is the deletion that is refused (reports 120) */
	if (may_delete(node))
		mask |= MAY_DELETE;
	if ((mask & (MAY_READ | MAY_WRITE | MAY_OWN)) == (MAY_READ | MAY_WRITE | MAY_OWN))
		mask |= MAY_DELETE_CHILD;
	return mask;
}

uint32_t fs_access_max(struct fs_node *node)
{
	unsigned nofollow = node->flags & FS_LOOKUP_POSIX ? O_NOFOLLOW : 0;
	struct fs_ref f = { .share = node->share, .path = node->path };
	uint32_t mask;
	struct sd sd;

	share_scratch_reset(node->share);
	if (!node->exists)
		return 0;
	f.fd = beneath_open(node->share, node->path, O_PATH | (int)nofollow, 0);
	if (f.fd < 0)
		return MAY_ALWAYS;
	mask = kernel_mask(node, &f);
	if (node->st.has_sd && ntacl_load(&f, &node->st, share_scratch(node->share), &sd))
		mask = listed(node, &sd, mask);
	close(f.fd);
	return mask;
}

#define LATER_UNTOLD (MAY_DELETE | MAY_OWN) /* the open itself would not refuse these */

uint32_t fs_access_lacks(struct fs_node *node, uint32_t want)
{
	if (!node->st.has_sd)
		want &= LATER_UNTOLD;
	want = want ? want & ~fs_access_max(node) : 0;
	fs_refused.lists += want != 0;
	return want;
}
