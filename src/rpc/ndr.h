/* ndr.h - Network Data Representation (C706 chapter 14; we write it low byte first) on the cursors.
 *
 * Alignment counts from the start of the stub, so `msg` of both cursors must be the first byte
 * of the stub.  Reading is sticky like rd: test rd_ok() once at the end. */
#ifndef SMB1D_RPC_NDR_H
#define SMB1D_RPC_NDR_H
#include "base/cursor.h"
#include <talloc.h>

/* ---- reading ---- */
struct ndr_in {
	struct rd r;
	bool big; /* the client's numbers and characters have the high byte first */
};

static inline bool ndr_rd_ok(const struct ndr_in *in) { return !in->r.bad; }
static inline void ndr_rd_fail(struct ndr_in *in) { in->r.bad = true; }
uint8_t ndr_rd_u8(struct ndr_in *in);
uint16_t ndr_rd_u16(struct ndr_in *in);
uint32_t ndr_rd_u32(struct ndr_in *in);
/* The referent of a unique pointer: true if something follows (at its deferred place). */
bool ndr_rd_ptr(struct ndr_in *in);
/* [string] wchar_t *: max count, offset 0, actual count, UTF-16 with NUL.  Never NULL; "" when bad. */
const char *ndr_rd_string(TALLOC_CTX *mem, struct ndr_in *in);
/* The same behind a unique pointer whose pointee follows at once; NULL for a null pointer. */
const char *ndr_rd_ptr_string(TALLOC_CTX *mem, struct ndr_in *in);
/* RPC_UNICODE_STRING: bytes u16, room u16, pointer; true if characters follow (deferred, without NUL). */
bool ndr_rd_text(struct ndr_in *in);
/* RPC_UNICODE_STRING with its characters behind it: never NULL. */
const char *ndr_rd_whole_text(TALLOC_CTX *mem, struct ndr_in *in);

/* ---- writing ---- */
struct ndr {
	struct wr w;
	uint32_t refs; /* referent ids given out so far */
};

void ndr_u32(struct ndr *n, uint32_t v);
/* A fresh referent id, or 0 when there is nothing to point at. */
void ndr_ptr(struct ndr *n, bool there);
void ndr_string(struct ndr *n, const char *s);
/* [string] wchar_t x[n]: as ndr_string without the max count, which is fixed by the type. */
void ndr_varying_string(struct ndr *n, const char *s);

/* One member of a flat record: a number, or a unique pointer to a string (NULL = null pointer). */
struct ndr_field {
	bool is_text;
	uint32_t num;
	const char *text;
};
#define NDR_NUM(v) ((struct ndr_field){ .num = (v) })
#define NDR_TEXT(s) ((struct ndr_field){ .is_text = true, .text = (s) })

/* The record itself, and later the strings it points at.  An array writes all records first. */
void ndr_record(struct ndr *n, const struct ndr_field *f, size_t count);
void ndr_deferred(struct ndr *n, const struct ndr_field *f, size_t count);

/* RPC_UNICODE_STRING: the structure now, the characters (ndr_text_chars) where deferred things go.
 * NULL is a null pointer. */
void ndr_text(struct ndr *n, const char *s);
void ndr_text_chars(struct ndr *n, const char *s);
void ndr_u8(struct ndr *n, uint8_t v);
void ndr_u16(struct ndr *n, uint16_t v);
#endif
