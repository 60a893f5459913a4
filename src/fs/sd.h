/* sd.h - NT security descriptors.  Pure: bytes to descriptors and back, who may do what, what a new file
 * inherits, and what a descriptor means as Unix mode.  MS-DTYP 2.4.4 to 2.4.6, 2.5.3. */
#ifndef SMB1D_FS_SD_H
#define SMB1D_FS_SD_H
#include "base/status.h"
#include "fs/sid.h"
#include <talloc.h>

/* which parts: SECURITY_INFORMATION */
#define SD_OWNER 1u
#define SD_GROUP 2u
#define SD_DACL 4u
#define SD_SACL 8u

/* control */
#define SDC_DACL_PRESENT 0x4u
#define SDC_SACL_PRESENT 0x10u
#define SDC_DACL_INHERIT_REQ 0x100u
#define SDC_SACL_INHERIT_REQ 0x200u
#define SDC_DACL_INHERITED 0x400u
#define SDC_SACL_INHERITED 0x800u
#define SDC_DACL_PROTECTED 0x1000u
#define SDC_SELF_RELATIVE 0x8000u

/* access entries */
#define ACE_ALLOW 0u
#define ACE_DENY 1u
#define ACE_OBJECT_INHERIT 0x1u
#define ACE_CONTAINER_INHERIT 0x2u
#define ACE_NO_PROPAGATE 0x4u
#define ACE_INHERIT_ONLY 0x8u
#define ACE_INHERITED 0x10u

#define SD_MAX 65536u /* bytes of a descriptor we take */

/* An access list as it is on the wire; `list` NULL: there is none, everybody may do everything. */
struct acl {
	const uint8_t *list;
	uint32_t len;
};
struct sd {
	uint16_t control;
	bool has_owner, has_group;
	struct sid owner, group;
	struct acl dacl, sacl; /* only if control has PRESENT */
};
struct ace {
	uint8_t type, flags;
	uint32_t mask;
	struct sid sid;      /* of allow and deny entries */
	const uint8_t *raw;
	uint16_t len;
};

/* The lists point into the bytes read. */
bool sd_parse(struct rd *r, struct sd *out);
/* Self-relative, with these parts only. */
void sd_put(struct wr *w, const struct sd *sd, uint32_t parts);
uint32_t sd_size(const struct sd *sd, uint32_t parts);

/* One entry after the other: *at starts at 0.  False at the end. */
bool acl_next(const struct acl *a, uint32_t *at, struct ace *e);
/* Writing a list: begin, add ..., end. */
void acl_begin(struct wr *w);
void acl_add(struct wr *w, uint8_t type, uint8_t flags, uint32_t mask, const struct sid *s);
void acl_end(struct wr *w, struct acl *out);

/* Generic rights as rights of files. */
uint32_t sd_map_generic(uint32_t mask);
/* The same in every entry that counts for the object itself; the new list is a talloc child of mem.  False: memory. */
bool acl_map_generic(TALLOC_CTX *mem, struct acl *a);

/* What the list grants to somebody: `is` says which SIDs he is.  Owners may always read and change the descriptor. */
uint32_t sd_granted(const struct sd *sd, bool (*is)(void *arg, const struct sid *s), void *arg);

/* What a new file or folder gets: from `given` (may be NULL) what it has, the rest from the parent.  False: the
 * parent has nothing to inherit and nothing was given. */
bool sd_inherit(TALLOC_CTX *mem, const struct sd *parent, const struct sd *given, bool dir, const struct sid *owner,
		const struct sid *group, struct sd *out);

/* ---- Unix ---- */
struct sd_unix_entry { bool group; uint32_t id; uint8_t rwx; };
struct sd_unix {
	bool full;                    /* all three bits are shown as Full Control, not only for the owner */
	uint32_t mode;                /* nine bits */
	struct sd_unix_entry *others; /* named users and groups, talloc child of mem */
	size_t n;
};
/* The owner keeps the right to read: without it his own access list would be out of his reach. */
bool sd_to_unix(TALLOC_CTX *mem, const struct sd *sd, uid_t uid, gid_t gid, struct sd_unix *out);
/* The descriptor that a mode (and named entries) amounts to.  False: memory. */
bool sd_from_unix(TALLOC_CTX *mem, const struct sd_unix *u, uid_t uid, gid_t gid, bool dir, struct sd *out);
#endif
