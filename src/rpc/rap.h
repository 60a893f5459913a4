/* rap.h - one Remote Administration Protocol call, and the encoder of its records.
 *
 * A descriptor is a text with one letter per member:  in parameters W u16, D u32, z text, bN a
 * block of N bytes, L room for data, and r e h O that are not sent;  in records W u16, D u32,
 * N u16 (sub-records that follow), B u8, BN a text in N bytes, z pointer to text, bN pointer to N bytes, l u32.  We know the
 * descriptors of each call by heart and never walk one that came from a client.  MS-RAP 2.5. */
#ifndef SMB1D_RPC_RAP_H
#define SMB1D_RPC_RAP_H
#include "base/cursor.h"
#include "rpc/rpc.h"

enum rap_status {
	RAP_OK = 0,
	RAP_ACCESS_DENIED = 5,
	RAP_NO_MEMORY = 8,
	RAP_NOT_SUPPORTED = 50,
	RAP_INVALID_PARAMETER = 87,
	RAP_INVALID_LEVEL = 124,
	RAP_MORE_DATA = 234,
	RAP_BUFFER_TOO_SMALL = 2123,
	RAP_QUEUE_NOT_FOUND = 2150,
	RAP_JOB_NOT_FOUND = 2151,
	RAP_DEST_NOT_FOUND = 2152,
	RAP_GROUP_NOT_FOUND = 2220,
	RAP_USER_NOT_FOUND = 2221,
	RAP_NET_NAME_NOT_FOUND = 2310,
	RAP_CLIENT_NOT_FOUND = 2312,
};

#define RAP_NAME_MAX 12u    /* bytes of a share name that fit "B13" */
#define RAP_COMMENT_MAX 48u /* what clients of that time have room for */
#define RAP_TEXT_MAX 255u
#define RAP_MAX_VALUES 24

struct rap_call {
	TALLOC_CTX *mem; /* lives for the call */
	const struct rpc_host *host;
	const char *name; /* of the call */
	/* what the client sent */
	uint16_t level;
	uint16_t number;     /* the W parameter that is not the level */
	uint32_t filter;     /* the D parameter */
	const char *text[3]; /* the z parameters, UTF-8 */
	size_t texts;
	uint32_t room;       /* data bytes we may send: what it has room for, and what the message has */
	const char *desc;    /* of the record, one of ours */
	const char *head, *sub; /* of the call's records, and of those behind an N (NULL: none) */
	bool part;           /* the record in hand belongs to the one before it */
	/* what we answer */
	struct wr d;
	uint16_t entries, available;
};

/* A member of a record: text is OEM (rap_oem), NULL for a null pointer. */
struct rap_value {
	uint32_t num;
	const char *text;
};
/* Says why, and is RAP_ACCESS_DENIED. */
static inline uint16_t rap_denied(const struct rap_call *c, enum rpc_refusal why)
{
	rpc_refused(c->host, c->name, why);
	return RAP_ACCESS_DENIED;
}

#define RAP_NUM(v) ((struct rap_value){ .num = (v) })
#define RAP_TEXT(c, s, max) ((struct rap_value){ .text = rap_oem((c)->mem, (s), (max)) })

/* The OEM form of s, whole characters and at most max bytes.  NULL gives "". */
const char *rap_oem(TALLOC_CTX *mem, const char *s, size_t max);

/* Answers a GetInfo with one record: all of it, or with 234 what fits (the fixed part must). */
uint16_t rap_info(struct rap_call *c, const struct rap_value *v);
/* Answers an Enum: records first, then texts; only whole entries, 234 if some are left out.  An entry
 * may set c->desc and c->part: then it is a sub-record, does not count, and goes with the one before. */
typedef void (*rap_entry_fn)(struct rap_call *c, const void *list, size_t i, struct rap_value *v);
uint16_t rap_list(struct rap_call *c, rap_entry_fn entry, const void *list, size_t count);
/* The same for a GetInfo whose record has sub-records; available counts bytes. */
uint16_t rap_info_list(struct rap_call *c, rap_entry_fn entry, const void *list, size_t count);

/* ---- the calls: each returns the RAP status ---- */
uint16_t rap_share_enum(struct rap_call *c);
uint16_t rap_share_get_info(struct rap_call *c);
uint16_t rap_server_get_info(struct rap_call *c);
uint16_t rap_server_enum(struct rap_call *c);
uint16_t rap_server_enum_from(struct rap_call *c);
uint16_t rap_wksta_get_info(struct rap_call *c);
uint16_t rap_remote_tod(struct rap_call *c);
uint16_t rap_user_get_info(struct rap_call *c);
uint16_t rap_user_enum(struct rap_call *c);
uint16_t rap_user_get_groups(struct rap_call *c);
uint16_t rap_group_enum(struct rap_call *c);
uint16_t rap_group_get_users(struct rap_call *c);
uint16_t rap_user_logon(struct rap_call *c);
uint16_t rap_user_logoff(struct rap_call *c);
uint16_t rap_session_enum(struct rap_call *c);
uint16_t rap_session_get_info(struct rap_call *c);
uint16_t rap_queue_enum(struct rap_call *c);
uint16_t rap_queue_get_info(struct rap_call *c);
uint16_t rap_queue_hold(struct rap_call *c);
uint16_t rap_job_enum(struct rap_call *c);
uint16_t rap_job_get_info(struct rap_call *c);
uint16_t rap_dest_enum(struct rap_call *c);
uint16_t rap_dest_get_info(struct rap_call *c);
#endif
