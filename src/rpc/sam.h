/* sam.h - what names and SIDs mean here: the one place that knows, for lsarpc and samr.
 *
 *   S-1-5-21-x-y-z        this machine, made of its name so that it stays the same: users and groups
 *   S-1-5-32              Builtin
 *   S-1-22-1, S-1-22-2    Unix User, Unix Group: as security descriptors of files say
 *   S-1-1-0, S-1-5-18...  well-known ones */
#ifndef SMB1D_RPC_SAM_H
#define SMB1D_RPC_SAM_H
#include "rpc/iface.h"
#include "rpc/sid.h"

enum sam_type {
	SAM_USER = 1, SAM_GROUP = 2, SAM_DOMAIN = 3, SAM_ALIAS = 4, SAM_WELL_KNOWN = 5, SAM_UNKNOWN = 8,
};

#define SAM_RID_USERS 513u /* the group every account has as its first */
#define SAM_NO_RID 0xffffffffu

struct sam_entry {
	enum sam_type type;
	const char *name, *domain;  /* "" where there is none; live as long as the call */
	struct rpc_sid domain_sid;
	uint32_t rid;               /* SAM_NO_RID: the domain itself */
};

struct rpc_sid sam_machine(const struct rpc_host *h);
extern const struct rpc_sid sam_builtin;

/* Rids of Unix accounts in our domain: even for users, odd for groups. */
uint32_t sam_rid(const struct rpc_account *a);
/* The account a rid of our domain belongs to. */
bool sam_account(const struct rpc_host *h, uint32_t rid, struct rpc_account *out);

/* "name", "DOMAIN\name", "name@DOMAIN" or a SID as text; blind to case.  False: type and domain are unknown. */
bool sam_by_name(struct rpc_call *c, const char *name, struct sam_entry *out);
/* False: *out has the SID as text for a name, and its domain if we know that. */
bool sam_by_sid(struct rpc_call *c, const struct rpc_sid *sid, struct sam_entry *out);
/* A rid of Builtin, by number or by name. */
bool sam_builtin_by_rid(uint32_t rid, const char **name);
bool sam_builtin_by_name(const char *name, uint32_t *rid);
struct rpc_sid sam_sid(const struct sam_entry *e);
#endif
