/* list.h - the two shapes nearly all calls of srvsvc and wkssvc have.
 *
 * Enum:    in   level, union switch, container pointer {count, array pointer}, max, resume pointer
 *          out  level, switch, container pointer {count, array}, total, resume pointer, status
 * GetInfo: out  switch, info pointer, record, strings, status */
#ifndef SMB1D_RPC_LIST_H
#define SMB1D_RPC_LIST_H
#include "rpc/ndr.h"

struct rpc_list {
	uint32_t level;
	bool known;      /* the union has an arm for this level: a container pointer is on the wire */
	uint32_t max;    /* bytes the caller wants at most */
	bool has_resume; /* the caller gave a place for the resume handle */
	uint32_t resume; /* where to go on */
};

/* After the leading strings.  `arms` lists the levels the union knows; the rest of a request
 * with another level cannot be decoded and is left alone. */
void rpc_list_read(struct ndr_in *in, const uint32_t *arms, size_t arm_count, struct rpc_list *q);
/* Up to and with the max count of the array; the caller appends `count` records and strings. */
void rpc_list_begin(struct ndr *out, const struct rpc_list *q, uint32_t count);
void rpc_list_end(struct ndr *out, const struct rpc_list *q, uint32_t total, uint32_t resume,
		  uint32_t status);
/* A list with nothing in it. */
void rpc_list_empty(struct ndr *out, const struct rpc_list *q, uint32_t status);

/* The record f, or (f NULL) a null pointer where the union has an arm at all. */
void rpc_info_reply(struct ndr *out, uint32_t level, bool known, const struct ndr_field *f, size_t count,
		    uint32_t status);

bool rpc_level_in(const uint32_t *levels, size_t count, uint32_t level);
#endif
