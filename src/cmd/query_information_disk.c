/* query_information_disk.c - QUERY_INFORMATION_DISK (0x80): W=0.  Reply W=5: total units, blocks a unit,
 * bytes a block, free units, 0.  MS-CIFS 2.2.4.57.
 *
 * Oddity: all are words, so large disks are scaled, and what no word can hold is shown as the largest:
 * DOS multiplies the three and believes 2 GiB at most (reports 105). */
#include "base/util.h"
#include "cmd/cmd.h"
#include "srv/disk.h"

status_t cmd_query_information_disk(struct req *q)
{
	struct fs_space space;
	uint64_t blocks = 1, unit = 512, total, avail;
	/* pre-NT clients keep sizes below 2 GiB; NT ones can be told of larger units */
	uint64_t most = req_nt(q) ? 0x8000 : 0x40;
	struct wr *w;
	status_t st = disk_space(q, &space);

	if (st != ST_OK)
		return st;
	while (space.total / (unit * blocks) > 0xffff && blocks < most)
		blocks *= 2;
	total = min_u64(space.total / (unit * blocks), 0xffff);
	avail = min_u64(space.avail / (unit * blocks), total);
	w = req_words(q, 5);
	wr_u16(w, (uint16_t)total);
	wr_u16(w, (uint16_t)blocks);
	wr_u16(w, (uint16_t)unit);
	wr_u16(w, (uint16_t)avail);
	wr_u16(w, 0);
	req_bytes(q);
	req_done(q);
	return ST_OK;
}
