/* query_fs.c - QUERY_FS_INFO (03): how big, how full, what it is called.
 *
 *   P: level   ->   P: nothing; D: fs_levels.c
 *
 * The serial number and the object id are hashes of server and share, so they stay the same over restarts.
 * Quotas (1006) are for administrators, others get ACCESS_DENIED. */
#include "srv/disk.h"
#include "cmd/trans2/fs_levels.h"
#include "cmd/trans2/trans2.h"
#include "cmd/trans2/unix_ext.h"
#include "base/log.h"
#include "base/str.h"

#define QUOTA_CONTROL 1006u

#define FS_CASE_SENSITIVE 0x1u
#define FS_CASE_KEPT 0x2u
#define FS_UNICODE 0x4u
#define FS_ACLS 0x8u
#define FS_SPARSE 0x40u
#define FS_STREAMS 0x40000u
#define FS_READ_ONLY 0x80000u

static const char *label_of(const struct tree *t)
{
	return *t->share->p.volume ? t->share->p.volume : t->share_name;
}

static uint32_t hash_of(const struct req *q, uint32_t round)
{
	uint32_t share = str_casehash(q->t->share_name), server = str_casehash(q->c->conf->g.netbios_name);

	return (share * 2654435761u ^ server) + round * 0x9e3779b9u;
}

void trans2_volume_id(const struct req *q, uint8_t id[16])
{
	for (uint32_t i = 0; i < 4; i++) {
		uint32_t h = hash_of(q, i + 1);

		put_u32(id + 4 * i, (h ^ h >> 15) * 2246822519u);
	}
}

static uint32_t attributes(struct req *q)
{
	uint32_t a = FS_CASE_SENSITIVE | FS_CASE_KEPT | FS_UNICODE | FS_SPARSE;

	if (q->t->share->p.nt_acl_support)
		a |= FS_ACLS;
	if (q->t->share->p.smb1d_streams)
		a |= FS_STREAMS;
	if (q->t->share->p.read_only)
		a |= FS_READ_ONLY;
	return a;
}

static bool administers(struct req *q)
{
	const struct tree_user *u = tree_user(q->t, q->s);

	return (u && u->id && u->id->uid == 0) || req_is_admin(q);
}

static status_t fill(struct req *q, struct fs_item *i)
{
	const struct conf_params *p = &q->t->share->p;
	struct fs_node *root;
	status_t st = fs_lookup(q->t->fs, q->mem, "", 0, &root);

	if (st == ST_OK)
		st = disk_space(q, &i->space);
	if (st != ST_OK)
		return st;
	i->created = root->st.create;
	i->label = label_of(q->t);
	i->fs_name = p->fstype;
	i->serial = p->volume_serial_number >= 0 ? (uint32_t)p->volume_serial_number : hash_of(q, 0);
	i->attributes = attributes(q);
	i->unicode = req_unicode(q);
	trans2_volume_id(q, i->object_id);
	return ST_OK;
}

status_t trans2_query_fs(struct req *q, struct trans *t, struct trans_reply *r)
{
	struct fs_item i = { .serial = 0 };
	uint16_t level = rd_u16(&t->p);
	const struct fs_level *l = fs_level(level);
	struct wr *d;
	status_t st;

	if (!rd_ok(&t->p))
		return ST_INVALID_PARAMETER;
	st = req_become(q);
	if (st != ST_OK)
		return st;
	if (unix_level(q, level))
		return unix_query_fs(q, t, level, r);
	if (level == QUOTA_CONTROL && !administers(q))
		return ST_ACCESS_DENIED;
	if (!l) {
		log_at(LOG_SMB, 3, "file system level 0x%x: unknown", level);
		return ST_INVALID_LEVEL;
	}
	st = fill(q, &i);
	if (st != ST_OK)
		return st;
	d = trans_reply_data(q, r, 128 + 2 * (uint32_t)(strlen(i.label) + strlen(i.fs_name)));
	if (!d)
		return ST_NO_MEMORY;
	l->put(d, &i);
	if (wr_tell(d) > t->max_d && t->max_d < l->fixed)
		return ST_INFO_LENGTH_MISMATCH;
	return wr_ok(d) ? ST_OK : ST_INTERNAL_ERROR;
}
