/* sid.h - security identifiers, and which of them are Unix users and groups.
 *
 *   S-1-22-1-uid, S-1-22-2-gid    the accounts of this machine
 *   S-1-5-21-x-y-z-rid            the same as clients look them up: 1000 + 2 * uid, 1001 + 2 * gid
 *   S-1-1-0                       everyone
 *   S-1-3-0, S-1-3-1, S-1-3-4     creator owner, creator group, owner rights: stand-ins in access lists
 *
 * On the wire: revision 1, count u8, authority 6 bytes big endian, sub-authorities u32.  MS-DTYP 2.4.2. */
#ifndef SMB1D_FS_SID_H
#define SMB1D_FS_SID_H
#include "base/cursor.h"
#include <sys/types.h>

#define SID_SUBS 15u

struct sid {
	uint8_t n; /* sub-authorities */
	uint8_t authority[6];
	uint32_t sub[SID_SUBS];
};
extern const struct sid sid_everyone, sid_creator_owner, sid_creator_group, sid_owner_rights, sid_network,
	sid_authenticated, sid_administrators;

/* False, and r bad, if malformed. */
bool sid_get(struct rd *r, struct sid *s);
void sid_put(struct wr *w, const struct sid *s);
static inline uint32_t sid_size(const struct sid *s) { return 8 + 4u * s->n; }
bool sid_same(const struct sid *a, const struct sid *b);
struct sid sid_of_uid(uid_t uid);
struct sid sid_of_gid(gid_t gid);
/* x, y and z of this machine (rpc_machine_sid); zeros, as before the first call: there are none. */
void sid_set_machine(const uint32_t sub[3]);
bool sid_is_uid(const struct sid *s, uid_t *uid);
bool sid_is_gid(const struct sid *s, gid_t *gid);
#endif
