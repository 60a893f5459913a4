/* trans2.c - TRANSACTION2 (0x32): the table of sub-commands, and what several of them need.
 * transactions section 2. */
#include "cmd/trans2/trans2.h"
#include "base/log.h"
#include "base/str.h"
#include "base/util.h"
#include "cmd/trans2/set_fs.h"
#include "cmd/trans2/unix_ext.h"
#include "srv/crypt.h"
#include "srv/wtime.h"

#define DISK 1u    /* not on IPC$ */
#define BY_NAME 4u /* what it names cannot be on IPC$: NT says so in its own words */
#define WRITES 2u  /* refused on a read-only tree */

struct trans2_row {
	const char *name;
	unsigned flags;
	status_t (*run)(struct req *q, struct trans *t, struct trans_reply *r);
};
struct cmd_counter trans2_count[TRANS2_CODES];

static status_t no_support(struct req *q, struct trans *t, struct trans_reply *r)
{
	(void)q, (void)t, (void)r;
	return ST_SMB_NO_SUPPORT;
}

/* No share of ours leads elsewhere: the client goes on with the plain path. */
static status_t dfs_referral(struct req *q, struct trans *t, struct trans_reply *r)
{
	(void)q, (void)t, (void)r;
	return ST_NOT_FOUND;
}

/* A client tells us that a referral was wrong: good to know, nothing to do. */
static status_t dfs_inconsistency(struct req *q, struct trans *t, struct trans_reply *r)
{
	(void)q, (void)r;
	return rd_left(&t->p) > 0 ? ST_OK : ST_INVALID_PARAMETER; /* which one? */
}

static const struct trans2_row table[TRANS2_CODES] = {
	[0x00] = { "open2", DISK, trans2_open2 },
	[0x01] = { "find_first2", DISK, trans2_find_first },
	[0x02] = { "find_next2", DISK, trans2_find_next },
	[0x03] = { "query_fs_info", DISK, trans2_query_fs },
	[0x04] = { "set_fs_info", DISK, trans2_set_fs },
	[0x05] = { "query_path_info", DISK | BY_NAME, trans2_query_path },
	[0x06] = { "set_path_info", DISK, trans2_set_path },
	[0x07] = { "query_file_info", 0, trans2_query_file },
	[0x08] = { "set_file_info", 0, trans2_set_file },
	[0x09] = { "fsctl", 0, no_support },
	[0x0a] = { "ioctl2", 0, no_support },
	[0x0b] = { "find_notify_first", 0, no_support },
	[0x0c] = { "find_notify_next", 0, no_support },
	[0x0d] = { "create_directory", DISK | WRITES, trans2_create_directory },
	[0x0e] = { "session_setup", 0, no_support },
	[0x10] = { "get_dfs_referral", 0, dfs_referral },
	[0x11] = { "report_dfs_inconsistency", 0, dfs_inconsistency },
};

/* What is answered in every tree: capabilities asked for and agreed on, and the legs of level 0x203. */
static bool leads_to_encryption(const struct req *q, uint16_t code, const struct trans *t)
{
	struct rd p = t->p;
	uint16_t level;

	if (code == 0x04)
		rd_skip(&p, 2);
	level = rd_u16(&p);
	return rd_ok(&p) && unix_level(q, level) && !q->t->printer &&
	       ((code == 0x03 && level == 0x200) || (code == 0x04 && (level == 0x200 || level == 0x203)));
}

static status_t odd_tree(struct req *q, const struct trans2_row *row)
{
	if ((row->flags & DISK) && (q->t->ipc || q->t->printer))
		return (row->flags & BY_NAME) && q->t->ipc ? ST_INVALID_DEVICE_REQUEST : cmd_no_disk(q);
	return crypt_admits(q->t);
}

status_t trans2_run(struct req *q, struct trans *t, struct trans_reply *r)
{
	uint16_t code = t->nsetup > 0 ? t->setup[0] : 0xffff;
	const struct trans2_row *row = code < TRANS2_CODES ? &table[code] : NULL;
	status_t st;

	if (!row || !row->run) {
		log_at(LOG_SMB, 2, "TRANS2 sub-command 0x%x: unknown", code);
		return t->nsetup > 0 ? ST_INVALID_PARAMETER : ST_INVALID_SMB;
	}
	trans2_count[code].calls++;
	st = q->t->ordinary || leads_to_encryption(q, code, t) ? ST_OK : odd_tree(q, row);
	if ((row->flags & WRITES) && !req_may_write(q))
		st = ST_ACCESS_DENIED;
	if (st == ST_OK)
		st = row->run(q, t, r);
	if (status_is_error(st))
		trans2_count[code].errors++;
	log_at(LOG_SMB, 4, "%s: %s", row->name, status_name(st));
	return st;
}

status_t trans2_path(struct req *q, struct rd *p, char **out)
{
	status_t st = req_become(q);

	return st == ST_OK ? req_path_in(q, p, out) : st;
}

status_t trans2_no_ea_error(struct req *q, struct trans_reply *r)
{
	struct wr *w = trans_reply_params(q, r, 2);

	if (!w)
		return ST_NO_MEMORY;
	wr_u16(w, 0);
	return ST_OK;
}

status_t trans2_eas(struct req *q, struct fs_node *node, struct fs_ea **list, size_t *n)
{
	status_t st;

	*list = NULL;
	*n = 0;
	if (!q->t->share->p.ea_support)
		return ST_OK;
	st = fs_ea_list(node, q->mem, list, n);
	if (st == ST_OK)
		return ST_OK;
	*list = NULL;
	*n = 0;
	return st == ST_NO_MEMORY ? st : ST_OK;
}

status_t trans2_set_eas(struct req *q, struct fs_node *node, const struct fs_ea *list, size_t n)
{
	status_t st = ST_OK;

	if (n > 0 && !q->t->share->p.ea_support)
		return req_refuse(q, ST_EAS_NOT_SUPPORTED, "ea support", "extended attributes are not kept", "`ea support = yes`");
	for (size_t i = 0; st == ST_OK && i < n; i++)
		st = fs_ea_set(node, list[i].name, list[i].value, list[i].len);
	return st;
}

uint32_t trans2_ea_size(const struct req *q, const struct fs_ea *list, size_t n)
{
	return n == 0 && req_nt(q) ? 0 : ea_list_size(list, n);
}

status_t trans2_delete_pending(struct req *q, struct fs_stat *st)
{
	struct db_file_id id = { .dev = st->dev, .ino = st->ino };
	bool pending;

	wtime_look(q->c, &id, st, &pending);
	return pending ? ST_DELETE_PENDING : ST_OK;
}

bool trans2_row_at(size_t i, struct table_row *out)
{
	if (i >= TRANS2_CODES)
		return false;
	*out = (struct table_row){ (uint32_t)i, table[i].name, table[i].run != no_support };
	return true;
}
