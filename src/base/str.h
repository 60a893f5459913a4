/* str.h - text.  Inside smb1d every string is UTF-8 with a NUL; the two other forms exist
 * only at the doors: OEM (`dos charset`, one byte or more a character) and UTF-16LE.
 *
 * UTF-16 that is no Unicode (lone surrogates) passes through reversibly as the three-byte
 * form of the surrogate, so a client reads back the name it wrote.  Bytes in a UTF-8 string
 * that are no UTF-8 become U+FFFD on the way to UTF-16.
 *
 * str_setup() opens the converters and fills the case table; call it before a process
 * shuts its door (in an empty root iconv cannot load its modules).  All functions are for
 * one thread. */
#ifndef SMB1D_BASE_STR_H
#define SMB1D_BASE_STR_H
#include "base/cursor.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <talloc.h>

/* Names as iconv knows them ("CP850", "UTF-8").  False, with a sentence in *why (static
 * storage), if one is unknown; the old converters then stay. */
bool str_setup(const char *dos_charset, const char *unix_charset, const char **why);

/* Wire to UTF-8.  `bytes` is the exact length; reading stops before a NUL (u16 0 in UTF-16).
 * Never NULL but out of memory; an OEM byte without a meaning becomes U+FFFD. */
char *str_from_utf16(TALLOC_CTX *mem, const uint8_t *p, size_t bytes);
/* The same, into memory of the caller with room for STR_FROM_UTF16_ROOM(bytes). */
#define STR_FROM_UTF16_ROOM(bytes) ((bytes) / 2 * 3 + 1)
void str_from_utf16_in(char *out, const uint8_t *p, size_t bytes);
/* Bytes before the first u16 of 0, else all that are whole. */
size_t str_utf16_len(const uint8_t *p, size_t bytes);
char *str_from_oem(TALLOC_CTX *mem, const uint8_t *p, size_t bytes);

/* UTF-8 to wire, without NUL.  Returns the bytes the whole text needs and writes them only
 * if they fit in cap; out may be NULL with cap 0.  A character the code page lacks becomes '_'. */
size_t str_to_utf16(const char *s, uint8_t *out, size_t cap);
size_t str_to_oem(const char *s, uint8_t *out, size_t cap);
/* True if every character of s exists in the dos charset. */
bool str_fits_oem(const char *s);

/* Names on disk (`unix charset`): the same pointer when that is UTF-8. */
const char *str_from_disk(TALLOC_CTX *mem, const char *disk);
const char *str_to_disk(TALLOC_CTX *mem, const char *s);

/* Case by the simple Unicode mapping of C.UTF-8, one character to one. */
char *str_upper(TALLOC_CTX *mem, const char *s);
char *str_lower(TALLOC_CTX *mem, const char *s);
int str_casecmp(const char *a, const char *b);
bool str_caseeq(const char *a, const char *b);
uint32_t str_casehash(const char *s);
uint16_t str_upper_char(uint16_t c);
uint16_t str_lower_char(uint16_t c);
bool str_has_lower(const char *s);

/* The three one behind the other. */
char *str_join(TALLOC_CTX *mem, const char *a, const char *b, const char *c);

/* One character: decodes at *s and moves it on; 0 at the end.  Values above 0xffff occur. */
uint32_t str_next(const char **s);
/* Appends c as UTF-8 at p (room for 4 bytes), returns the end. */
char *str_put(char *p, uint32_t c);

/* Overwrites memory in a way the compiler keeps (passwords, keys). */
void str_wipe(void *p, size_t n);
#endif
