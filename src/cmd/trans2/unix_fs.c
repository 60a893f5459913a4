/* unix_fs.c - UNIX extensions, QUERY_FS_INFO and SET_FS_INFO.
 *
 *   QUERY 0x200   D: major u16, minor u16, capabilities u64
 *         0x201   D: transfer size u32, block size u32, blocks, free, free for users, inodes, free
 *                    inodes, id u64 each
 *         0x202   D: who the client is on this side: guest u32, its mask u32, uid u64, gid u64, number of
 *                    groups u32, of SIDs u32, bytes of SIDs u32, 0 u32, groups u64 each, SIDs
 *   SET   P: 0 u16, level u16;   0x200   D: as in the query, what the client will use
 *                                0x203   D: a token of SPNEGO; reply: the next one, and in the last leg P: srv/crypt.c */
#include "cmd/trans2/unix_ext.h"
#include "base/log.h"
#include "base/util.h"
#include "fs/sid.h"
#include "srv/disk.h"
#include "srv/crypt.h"

#define CAP_FCNTL 0x1u       /* advisory locks */
#define CAP_POSIX_ACLS 0x2u
#define CAP_CHATTR 0x8u
#define CAP_PATHNAMES 0x10u
#define CAP_PATH_OPS 0x20u   /* POSIX open, mkdir, unlink */
#define CAP_LARGE_READ 0x40u
#define CAP_LARGE_WRITE 0x80u

#define WHOAMI_FIXED 40u

static uint64_t capabilities(const struct req *q)
{
	uint64_t caps = CAP_FCNTL | CAP_POSIX_ACLS | CAP_CHATTR | CAP_PATHNAMES | CAP_PATH_OPS | crypt_caps(q->t);

	if (!q->c->nbt && (q->c->caps & CAP_LARGE_READX))
		caps |= CAP_LARGE_READ | CAP_LARGE_WRITE;
	return caps;
}

static status_t query_caps(struct req *q, struct trans_reply *r)
{
	struct wr *d = trans_reply_data(q, r, 12);

	if (!d)
		return ST_NO_MEMORY;
	wr_u16(d, 1);
	wr_u16(d, 0);
	wr_u64(d, capabilities(q));
	crypt_offered(q->c, capabilities(q));
	return ST_OK;
}

static status_t query_statfs(struct req *q, struct trans_reply *r)
{
	struct fs_space s;
	struct fs_node *root;
	struct wr *d = trans_reply_data(q, r, 56);
	status_t st = fs_lookup(q->t->fs, q->mem, "", 0, &root);

	if (st == ST_OK)
		st = disk_space(q, &s);
	if (st != ST_OK || !d)
		return d ? st : ST_NO_MEMORY;
	wr_u32(d, (uint32_t)min_u64(s.unit, UINT32_MAX));
	wr_u32(d, (uint32_t)min_u64(s.unit, UINT32_MAX));
	wr_u64(d, s.total / s.unit);
	wr_u64(d, s.avail / s.unit);
	wr_u64(d, s.avail / s.unit);
	wr_u64(d, s.files);
	wr_u64(d, s.files_free);
	wr_u64(d, root->st.dev);
	return ST_OK;
}

static void put_sids(struct wr *d, const struct ident *id, uint32_t n)
{
	struct sid s = sid_of_uid(id->uid);

	if (n == 0)
		return;
	sid_put(d, &s);
	s = sid_of_gid(id->gid);
	sid_put(d, &s);
	for (uint32_t i = 0; i < id->ngroups; i++) {
		s = sid_of_gid(id->groups[i]);
		sid_put(d, &s);
	}
}

/* A client whose buffer is too small for all of it gets no groups and no SIDs. */
static status_t query_whoami(struct req *q, const struct trans *t, struct trans_reply *r)
{
	const struct tree_user *u = tree_user(q->t, q->s);
	const struct ident *id = u ? u->id : NULL;
	struct sid one = sid_of_uid(0);
	uint32_t n, nsids;
	struct wr *d;

	if (!id || t->max_d < WHOAMI_FIXED)
		return id ? ST_BUFFER_TOO_SMALL : ST_ACCESS_DENIED;
	n = id->ngroups;
	nsids = 2 + n;
	if (WHOAMI_FIXED + 8 * n + nsids * sid_size(&one) > t->max_d)
		n = nsids = 0;
	d = trans_reply_data(q, r, WHOAMI_FIXED + 8 * n + nsids * sid_size(&one));
	if (!d)
		return ST_NO_MEMORY;
	wr_u32(d, id->guest || q->s->guest || q->s->anonymous ? 1 : 0);
	wr_u32(d, 1);
	wr_u64(d, id->uid);
	wr_u64(d, id->gid);
	wr_u32(d, n);
	wr_u32(d, nsids);
	wr_u32(d, nsids * sid_size(&one));
	wr_u32(d, 0);
	for (uint32_t i = 0; i < n; i++)
		wr_u64(d, id->groups[i]);
	put_sids(d, id, nsids);
	return wr_ok(d) ? ST_OK : ST_INTERNAL_ERROR;
}

status_t unix_query_fs(struct req *q, struct trans *t, uint16_t level, struct trans_reply *r)
{
	switch (level) {
	case 0x200:
		return query_caps(q, r);
	case 0x201:
		return query_statfs(q, r);
	case 0x202:
		return query_whoami(q, t, r);
	default:
		return ST_INVALID_LEVEL;
	}
}

static status_t set_encryption(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct crypt_reply k = { .token_len = 0 };
	status_t st = crypt_leg(q->t, q->mem, t->d.msg + t->d.pos, rd_left(&t->d), t->max_p, &k);
	struct wr *p, *d;

	if (st != ST_OK)
		return st;
	p = trans_reply_params(q, r, k.params_len);
	d = trans_reply_data(q, r, (uint32_t)k.token_len);
	if (!p || !d)
		return ST_NO_MEMORY;
	wr_bytes(p, k.params, k.params_len);
	wr_bytes(d, k.token, k.token_len);
	return ST_OK;
}

status_t unix_set_fs(struct req *q, struct trans *t, struct trans_reply *r)
{
	uint16_t fid = rd_u16(&t->p), level = rd_u16(&t->p);
	uint64_t caps;

	(void)fid;
	if (!rd_ok(&t->p))
		return ST_INVALID_PARAMETER;
	if (unix_level(q, level) && level == 0x203)
		return set_encryption(q, t, r);
	if (!unix_level(q, level) || level != 0x200) {
		log_at(LOG_SMB, 3, "file system level 0x%x: cannot be set", level);
		return ST_NOT_SUPPORTED;
	}
	rd_skip(&t->d, 4);
	caps = rd_u64(&t->d);
	if (!rd_ok(&t->d))
		return ST_INVALID_PARAMETER;
	log_at(LOG_SMB, 3, "UNIX extensions of share %s: the client uses 0x%llx", q->t->share_name,
	       (unsigned long long)caps);
	if (!crypt_asked(q->c, caps))
		return ST_ACCESS_DENIED;
	q->c->unix_asked = true;
	if ((caps & CAP_PATHNAMES) && q->t->fs) {
		q->t->posix = true;
		fs_share_posix(q->t->fs);
	}
	if (capabilities(q) & caps & (CAP_LARGE_READ | CAP_LARGE_WRITE))
		conn_large(q->c);
	return ST_OK;
}
