/* wire.h - bytes of SMB messages: frames, headers, strings, signatures.  Never files. */
#ifndef SMB1D_WIRE_WIRE_H
#define SMB1D_WIRE_WIRE_H
#include "base/cursor.h"
#include "base/status.h"
#include <talloc.h>

/* ---- frames (RFC 1002 4.3; MS-SMB 2.1) ---- */
#define NBT_MESSAGE 0x00u
#define NBT_REQUEST 0x81u
#define NBT_POSITIVE 0x82u
#define NBT_NEGATIVE 0x83u
#define NBT_KEEPALIVE 0x85u

struct wire_frame {
	uint8_t type;
	uint32_t len; /* bytes after the four of the head */
};
/* The head at p (4 bytes).  nbt: 17-bit length; else 24-bit.  False if it cannot be a frame. */
bool wire_frame_read(const uint8_t p[4], bool nbt, struct wire_frame *f);
void wire_frame_write(uint8_t p[4], uint8_t type, uint32_t len);

/* What a sealed frame begins with in place of a message: FF 'E', context.  False: something else. */
bool wire_sealed_read(const uint8_t *p, size_t len, uint16_t *context);
void wire_sealed_write(struct wr *w, uint16_t context);

/* The two names of a session request (frame body).  name: 15 bytes without trailing blanks plus NUL;
 * suffix: the 16th byte.  False if malformed. */
struct wire_nbt_name { char name[16]; uint8_t suffix; };
bool wire_nbt_request(const uint8_t *p, size_t len, struct wire_nbt_name *called, struct wire_nbt_name *calling);

/* ---- header ---- */
#define SMB_HDR_LEN 32u
#define SMB_MIN_LEN 35u

#define FLAG_LOCK_AND_READ_OK 0x01u
#define FLAG_CASELESS 0x08u
#define FLAG_OPLOCK 0x20u
#define FLAG_OPBATCH 0x40u
#define FLAG_REPLY 0x80u

#define FLAG2_LONG_NAMES 0x0001u
#define FLAG2_EAS 0x0002u
#define FLAG2_SIGNATURE 0x0004u
#define FLAG2_SIGNATURE_REQUIRED 0x0010u
#define FLAG2_IS_LONG_NAME 0x0040u
#define FLAG2_REPARSE_PATH 0x0400u
#define FLAG2_EXTENDED_SECURITY 0x0800u
#define FLAG2_DFS 0x1000u
#define FLAG2_PAGING_IO 0x2000u
#define FLAG2_NT_STATUS 0x4000u
#define FLAG2_UNICODE 0x8000u

struct smb_hdr {
	uint8_t command, flags;
	uint16_t flags2, tid, uid, mid;
	uint32_t pid;     /* PIDHigh << 16 | PID */
	status_t status;  /* of a reply */
	uint8_t sig[8];
};
/* False unless p holds at least 35 bytes that start with FF 'S' 'M' 'B'. */
bool wire_hdr_read(const uint8_t *p, size_t len, struct smb_hdr *h);
/* Writes the 32 bytes.  The status goes out as NT status if flags2 says so, else as DOS class and code. */
void wire_hdr_write(uint8_t *p, const struct smb_hdr *h);

/* ---- strings in messages ---- */
/* Reads a NUL-terminated string at the cursor: UTF-16LE (at an even offset of the message) or OEM.  A missing
 * NUL at the end of the window is forgiven.  Never NULL but out of memory. */
char *wire_str(TALLOC_CTX *mem, struct rd *r, bool unicode);
/* The same; a text in Unicode that is sure to fit goes into `room` (size bytes; may be NULL with 0) instead. */
char *wire_str_in(TALLOC_CTX *mem, struct rd *r, bool unicode, char *room, size_t size);
/* Exactly `bytes` bytes. */
char *wire_str_n(TALLOC_CTX *mem, struct rd *r, bool unicode, uint32_t bytes);
#define WSTR_NUL 1u      /* terminate */
#define WSTR_ALIGN 2u    /* even offset first (Unicode only) */
/* Writes a string; returns its bytes without pad and NUL. */
uint32_t wire_put_str(struct wr *w, const char *s, bool unicode, unsigned flags);

/* ---- signing (MS-SMB 3.1.4.1) ---- */
/* First 8 bytes of MD5(key, message with seq in the signature field).  `msg` points at FF 'S' 'M' 'B'. */
void wire_sign_mac(const uint8_t *key, size_t key_len, const uint8_t *msg, size_t len, uint32_t seq, uint8_t mac[8]);
#endif
