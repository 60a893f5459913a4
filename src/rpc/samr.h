/* samr.h - the Security Account Manager in three files: samr.c (connecting, domains), samr_domain.c
 * (what is in a domain), samr_user.c (one user). */
#ifndef SMB1D_RPC_SAMR_H
#define SMB1D_RPC_SAMR_H
#include "rpc/lsa.h"

enum { DOMAIN_MACHINE = 0, DOMAIN_BUILTIN = 1 };

#define SAMR_FLAG_NORMAL 0x10u /* an ordinary account */

/* OLD_LARGE_INTEGER: 8 bytes on a boundary of 4. */
void samr_u64(struct ndr *out, uint64_t v);
#define SAMR_NEVER 0x7fffffffffffffffull
/* Nothing has a limit: minimum length u16, flags u32, behind an alignment of 4. */
void samr_no_password_rules(struct ndr *out);

uint32_t samr_query_domain_info(struct rpc_call *c);
uint32_t samr_enum_users(struct rpc_call *c);
uint32_t samr_enum_groups(struct rpc_call *c);
uint32_t samr_enum_aliases(struct rpc_call *c);
uint32_t samr_get_alias_membership(struct rpc_call *c);
uint32_t samr_lookup_names(struct rpc_call *c);
uint32_t samr_lookup_rids(struct rpc_call *c);
uint32_t samr_query_display_info(struct rpc_call *c);

uint32_t samr_open_user(struct rpc_call *c);
uint32_t samr_query_user_info(struct rpc_call *c);
uint32_t samr_get_groups_for_user(struct rpc_call *c);
uint32_t samr_get_user_password_rules(struct rpc_call *c);
#endif
