/* lsa.h - the Local Security Authority, in two files: policy (lsarpc.c) and translation (lsa_lookup.c). */
#ifndef SMB1D_RPC_LSA_H
#define SMB1D_RPC_LSA_H
#include "rpc/sam.h"

/* The handle at the head of a request; a fault if it is none of this kind. */
uint32_t rpc_call_handle(struct rpc_call *c, enum rpc_handle_kind kind, struct rpc_handle **h);

uint32_t lsa_lookup_names(struct rpc_call *c);
uint32_t lsa_lookup_names2(struct rpc_call *c);
uint32_t lsa_lookup_names3(struct rpc_call *c);
uint32_t lsa_lookup_names4(struct rpc_call *c);
uint32_t lsa_lookup_sids(struct rpc_call *c);
uint32_t lsa_lookup_sids2(struct rpc_call *c);
uint32_t lsa_lookup_sids3(struct rpc_call *c);
#endif
