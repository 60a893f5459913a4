/* sid.h - security identifiers in NDR.  MS-DTYP 2.4.2.3.
 *
 * Conformant: sub-authorities u32; revision 1, the same count u8, authority 6 bytes big endian, subs u32. */
#ifndef SMB1D_RPC_SID_H
#define SMB1D_RPC_SID_H
#include "rpc/ndr.h"

#define RPC_SID_SUBS 15u

struct rpc_sid {
	uint8_t authority; /* the last of the six bytes: nobody uses the others */
	uint8_t n;
	uint32_t sub[RPC_SID_SUBS];
};

/* False, and `in` bad, if malformed. */
bool rpc_sid_get(struct ndr_in *in, struct rpc_sid *s);
void rpc_sid_put(struct ndr *out, const struct rpc_sid *s);
bool rpc_sid_same(const struct rpc_sid *a, const struct rpc_sid *b);
/* One sub-authority more (a rid), and one less: the domain.  A SID that is full or empty stays. */
struct rpc_sid rpc_sid_with(const struct rpc_sid *domain, uint32_t rid);
bool rpc_sid_split(const struct rpc_sid *s, struct rpc_sid *domain, uint32_t *rid);
/* "S-1-5-32-544" */
const char *rpc_sid_text(TALLOC_CTX *mem, const struct rpc_sid *s);
bool rpc_sid_parse(const char *text, struct rpc_sid *s);
#endif
