/* nt_create.h - what NT_CREATE_ANDX and NT_TRANSACT_CREATE have in common: the fields from the flags to
 * the options, the name relative to an open folder, and the answer from the action on. */
#ifndef SMB1D_CMD_NT_CREATE_H
#define SMB1D_CMD_NT_CREATE_H
#include "cmd/cmd.h"

#define CREATE_EXCLUSIVE 2u
#define CREATE_BATCH 4u
#define CREATE_OPEN_PARENT 8u
#define CREATE_EXTENDED 0x10u

struct nt_create {
	struct open_want want;
	uint32_t flags, root_fid;
	char *client_name;
};

/* Access, allocation, attributes, share, disposition, options; `flags` and `root_fid` are read already. */
void nt_create_fields(struct rd *r, struct nt_create *c);
/* Makes want.name of client_name: from the share's root or the folder root_fid. */
status_t nt_create_name(struct req *q, struct nt_create *c);
/* Times to the directory byte, and with CREATE_EXTENDED the GUID, `file_id` and the access masks. */
void nt_create_answer(struct wr *w, const struct nt_create *c, const struct open *o, const struct open_result *r,
		      uint64_t file_id);
#endif
